"""Content checks of a step or of a family (RED-10, RED-12, NEV-06), exceptions of the base policy, and files looked at again."""

from collections.abc import Mapping
from datetime import date

import pytest

from medgauge_registrar.checks import content_contributors, content_never
from medgauge_registrar.checks.files import line_digest, revisited
from medgauge_registrar.classify.classify import classify
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.policy.load import load_policy, shipped_table
from medgauge_registrar.policy.settings import ContentException, Settings
from support.cases import Edit, adding, fails, passes
from support.content import rules_of, scan
from support.memory_tree import NO_MODES, memory_changes
from support.registries import (
    FROZEN,
    MODEL,
    RESULT,
    TEXT,
    UNFROZEN,
    base_registry,
    context_of,
    edited,
    registry_of,
    run_check,
    without,
)
from support.steps import run_step

ARTICLE = "articles/2026-11-20-example.md"
CLAIM = "This model is certified by MedGauge."
SMALL = {"dev": {"1": 0, "2": 0, "3": 0, "4": 0}, "holdout": {"1": 0, "2": 4, "3": 3, "4": 0}}


@pytest.mark.parametrize(
    "edit",
    [
        passes("RED-10", "a closed model of its vendor", lambda files: files),
        passes("RED-10", "no amounts", lambda files: edited(files, RESULT, {"/amounts": "not-applicable"})),
    ],
)
def test_amounts_are_let_pass(edit: Edit) -> None:
    """A new result keeps the rule."""
    files = edit(base_registry())
    assert run_step(content_never.amount_of_open_result, without(files, RESULT), files) == []


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        fails("RED-10", "open weights", {"/weights": "open"}),
        fails("RED-10", "self-hosted", {"/access_route": "self-hosted"}),
        fails("RED-10", "a model of which nobody can tell", {"/weights": "perhaps"}),
    ],
)
def test_amounts_are_refused(rule: str, change: Mapping[str, str]) -> None:
    """A new result with amounts for such a model is refused at its amounts."""
    files = edited(base_registry(), MODEL, change)
    (found,) = run_step(content_never.amount_of_open_result, without(files, RESULT), files)
    assert (found.rule, found.path, found.pointer) == (rule, RESULT, "/amounts")


def test_old_amounts_stay() -> None:
    """A result that was there before its model's weights were opened is left alone."""
    files = base_registry()
    assert run_step(content_never.amount_of_open_result, files, edited(files, MODEL, {"/weights": "open"})) == []


def unfrozen(files: dict[str, str]) -> dict[str, str]:
    return {**files, FROZEN: files[UNFROZEN].replace('"0.3.0"', '"0.2.0"')}


@pytest.mark.parametrize(
    ("edit", "sizes"),
    [
        passes("RED-12", "an unfrozen version without any", unfrozen, set()),
        passes("RED-12", "few tasks are pointed out", lambda files: files, {"4", "2"}),
    ],
)  # fmt: skip
def test_distribution_is_let_pass(edit: Edit, sizes: set[str]) -> None:
    """Nothing is refused; a distribution over fewer than five tasks is warned of."""
    found = run_check(content_never.telling_distribution, edit(base_registry()), FROZEN)
    assert {item.severity for item in found} <= {Severity.WARNING}
    assert all(any(f"over {size} tasks" in item.message for item in found) for size in sizes)
    assert bool(found) is bool(sizes)


@pytest.mark.parametrize(
    ("rule", "subset"), [fails("RED-12", "one calibration task", "calibration"), fails("RED-12", "one task", "holdout")]
)
def test_distribution_is_refused(rule: str, subset: str) -> None:
    """A distribution over one task is refused where it stands."""
    files = edited(base_registry(), FROZEN, {f"/class_distribution/{subset}": {"1": 0, "2": 1, "3": 0, "4": 0}})
    found = [
        item for item in run_check(content_never.telling_distribution, files, FROZEN) if item.severity is Severity.ERROR
    ]
    assert [(item.rule, item.pointer) for item in found] == [(rule, f"/class_distribution/{subset}")]


def test_difference_of_one_task_is_pointed_out() -> None:
    """Two versions with public distributions that differ in one task are warned of."""
    files = base_registry()
    files[UNFROZEN] = files[FROZEN].replace('"version": "0.2.0"', '"version": "0.3.0"')
    assert not any(
        "subtraction" in item.message for item in run_check(content_never.telling_distribution, files, UNFROZEN)
    )
    files = edited(files, UNFROZEN, {"/task_keys/holdout/0": "tk-zzzzzzzzzzz1@0.1.0"})
    found = run_check(content_never.telling_distribution, files, UNFROZEN)
    assert [item.severity for item in found if "subtraction" in item.message] == [Severity.WARNING]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        passes("NEV-06", "untouched", {"LICENSE": "a"}, {"LICENSE": "a", "docs/a.md": "x"}),
        passes("NEV-06", "the first one", {}, {"LICENSE": "a"}),
    ],
)
def test_licence_is_let_pass(before: dict[str, str], after: dict[str, str]) -> None:
    """Nothing is found."""
    assert run_step(content_contributors.altered_licence, before, after) == []


@pytest.mark.parametrize(
    ("rule", "after"),
    [
        fails("NEV-06", "edited", {"LICENSE": "b"}),
        fails("NEV-06", "removed", {"README.md": "x"}),
        fails("NEV-06", "renamed", {"docs/OLD": "a"}),
    ],
)
def test_licence_is_refused(rule: str, after: dict[str, str]) -> None:
    """A licence of the registry cannot be changed, taken away or moved."""
    found = run_step(content_contributors.altered_licence, {"LICENSE": "a"}, after)
    assert rules_of(found) == {rule}


# Exceptions ----------------------------------------------------------------------------------------------------------


def exceptions(**fields: object) -> Settings:
    values = {
        "rule": "CLM-01",
        "path": ARTICLE,
        "line_sha256": line_digest(CLAIM),
        "until": date(2026, 12, 31),
        **fields,
    }
    return Settings(content_exceptions=(ContentException(**values),))  # type: ignore[arg-type]  # mixed on purpose


def test_reviewed_exception_lets_a_line_stand() -> None:
    """Rule, path and line agree, and the day has not passed."""
    assert scan(ARTICLE, f"# A\n\n  {CLAIM}\n", settings=exceptions()) == []


@pytest.mark.parametrize(
    "fields",
    [{"rule": "CLM-02"}, {"path": "articles/other.md"}, {"line_sha256": line_digest("Another line.")}],
    ids=["another rule", "another path", "another line"],
)
def test_exception_for_something_else_has_no_effect(fields: dict[str, str]) -> None:
    """An exception holds for its own rule, file and line alone."""
    assert rules_of(scan(ARTICLE, f"{CLAIM}\n", settings=exceptions(**fields))) == {"CLM-01"}


def test_expired_exception_is_told() -> None:
    """An exception counts through its last day; afterwards the finding is back and says why."""
    assert scan(ARTICLE, f"{CLAIM}\n", settings=exceptions(until=date(2026, 11, 29))) == []
    (found,) = scan(ARTICLE, f"{CLAIM}\n", settings=exceptions(until=date(2026, 11, 28)))
    assert "expired on 2026-11-28" in found.help


def test_settings_bring_exceptions() -> None:
    """The settings file of the base is where exceptions come from."""
    entry = (
        f"  - rule: CLM-01\n    path: {ARTICLE}\n    line_sha256: {line_digest(CLAIM)}\n"
        "    reason: It quotes in order to refute.\n    until: 2026-12-31\n"
    )
    settings = load_policy(f"content_exceptions:\n{entry}".encode()).settings
    assert scan(ARTICLE, f"{CLAIM}\n", settings=settings) == []


@pytest.mark.parametrize("rule", ["BND-01", "BND-10", "BND-11", "NEV-01", "NEV-05", "BLD-05", "ENT-02"])
def test_closed_content_takes_no_exception(rule: str) -> None:
    """No entry can wave closed content through, or identifiers, or a file that no scan could read."""
    entry = (
        f"  - {{rule: {rule}, path: a.md, line_sha256: {'a' * 64}, reason: For ten characters., until: 2026-12-31}}\n"
    )
    with pytest.raises(PolicyError, match="rule"):
        load_policy(f"content_exceptions:\n{entry}".encode())


def test_exception_needs_its_parts() -> None:
    """An entry without a reason or a last day is no entry."""
    entry = f"  - {{rule: CLM-01, path: a.md, line_sha256: {'a' * 64}}}\n"
    with pytest.raises(PolicyError, match="reason"):
        load_policy(f"content_exceptions:\n{entry}".encode())


def test_closed_findings_ignore_exceptions_made_by_hand() -> None:
    """Even an exception that got past the schema does not reach a closed rule."""
    settings = exceptions(rule="NEV-05", line_sha256=line_digest("DOB: 1961-03-12"))
    assert rules_of(scan(ARTICLE, "DOB: 1961-03-12\n", settings=settings)) == {"NEV-05"}


# Looking again -------------------------------------------------------------------------------------------------------


def again(before: dict[str, str], after: dict[str, str], modes: Mapping[str, str] = NO_MODES) -> dict[str, set[str]]:
    base, head = registry_of(before), registry_of(after, modes)
    classified = classify(memory_changes(base.tree, head.tree), base=base, head=head, table=shipped_table())
    found = revisited(head, base, [item.change for item in classified])
    return {path: {check.rule for check in checks} for path, checks in found.items()}


LINKED = {"docs/a.md": "# Part one\n\n# Part two\n", "docs/b.md": "[a](a.md#part-two)\n", "docs/c.md": "Nothing.\n"}


def test_removal_reaches_those_who_link() -> None:
    """Only files that mention what is gone are looked at again."""
    assert again(LINKED, without(LINKED, "docs/a.md")) == {"docs/b.md": {"BLD-03"}}


@pytest.mark.parametrize(("mode", "data"), [("120000", "docs/c.md"), ("160000", "a" * 40)])
def test_file_that_is_none_any_more_reaches_those_who_link(mode: str, data: str) -> None:
    """A link of the file system, or a submodule, in its place is no file that a reader could follow to."""
    files = {"LICENSE": "An example.\n", "docs/b.md": "[it](../LICENSE)\n", "docs/c.md": "Nothing.\n"}
    assert again(files, {**files, "LICENSE": data}, {"LICENSE": mode}) == {"docs/b.md": {"BLD-03"}}


def test_lost_heading_reaches_those_who_link() -> None:
    """A heading that goes counts like a file that goes; a new one reaches nobody."""
    assert again(LINKED, {**LINKED, "docs/a.md": "# Part one\n"}) == {"docs/b.md": {"BLD-03"}}
    assert again(LINKED, {**LINKED, "docs/a.md": LINKED["docs/a.md"] + "# Part three\n"}) == {}


def test_vanished_folder_reaches_those_who_link() -> None:
    """A link to a folder breaks when its last file goes."""
    files = {"docs/sub/a.md": "x\n", "b.md": "[sub](docs/sub/)\n", "docs/z.md": "z\n"}
    assert again(files, without(files, "docs/sub/a.md")) == {"b.md": {"BLD-03"}}


def test_lost_section_reaches_those_who_cite() -> None:
    """A section that goes from the text is looked for in all that cites it."""
    files = adding(
        {TEXT: "## 1. One\n\n## 2. Two\n", "docs/a.md": "See section 2.\n", "docs/b.md": "See section 1.\n"}
    )({})
    assert again(files, {**files, TEXT: "## 1. One\n"}) == {"docs/a.md": {"BLD-04"}}


def test_context_shows_no_canaries() -> None:
    """A context that is printed shows nothing of the closed list."""
    assert "canaries" not in repr(context_of({}))
