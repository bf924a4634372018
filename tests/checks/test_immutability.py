"""What stays as it was published: which steps are refused, and which are let pass."""

from typing import Any

import pytest

from medgauge_registrar.checks import immutability
from medgauge_registrar.checks.framework import ChangedRecord
from medgauge_registrar.model.change import Change, Kind, Status, Transition
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.model.tree import Entry
from support.cases import Edit, adding, as_is, fails, passes, run_steps
from support.registries import (
    ABSENT,
    ALGORITHM,
    CAPABILITY,
    CARD,
    CHARTER,
    DATASET,
    DISPUTE,
    FROZEN,
    FUNCTION,
    HARNESS,
    HARNESS_STATE,
    LEVELS,
    MODEL,
    NOTICE,
    PRICES,
    REDIRECTS,
    REFERENCE,
    REPRODUCTION,
    RESULT,
    ROADMAP,
    STANDARD,
    TEXT,
    TOOL,
    TOOL_STATE,
    UNFROZEN,
    VOIDED,
    Files,
    base_registry,
    copied,
    edited,
    methodology_text,
    moved,
    registry_of,
    run_changes,
    run_check,
    without,
    written,
)

FIRST_ROW = ("0.1.0", "2026-10-29", "First version.")
SECOND_ROW = ("0.2.0", "2026-11-20", "Second version.")
REVIEW_ROW = ("0.1.0", "2026-11-20", "Reviewed, no change.")
SECOND_TEXT = methodology_text("0.2.0", "2026-11-20", rows=(FIRST_ROW, SECOND_ROW))
ARCHIVE = "methodology/versions/0.1.0.md"
NEXT_FUNCTION = "methodology/difficulty-function/0.2.0.yaml"
NEXT_VERSION = "registry/benchmarks/bm-example-audit/versions/0.4.0.yaml"
OTHER_CAPABILITY = "registry/capabilities/A.4.yaml"
THIRD_CAPABILITY = "registry/capabilities/D.2.yaml"


def voided(*entries: dict[str, object]) -> str:
    """A list of voided task versions."""
    return written({"benchmark_version": "bm-example-audit@0.2.0", "voided": entries})


def entry(key: str = "tk-5rq4f5zr37e3@1.0.0", replaced_in: str | None = None) -> dict[str, object]:
    """One voided task version."""
    return {
        "task_key": key,
        "attribution": "task",
        "reason_class": "key-error",
        "date": "2026-11-20",
        "replaced_in": replaced_in,
    }


FIRST, SECOND = entry(), entry("tk-k9p34y6n3wd2@1.0.0")


def without_late_fields(files: Files) -> Files:
    """The frozen version as it was before anything came late."""
    return edited(files, FROZEN, {"/expert_baseline": ABSENT, "/hash_manifest": None, "/persistent_identifier": None})


def freezing_next(files: Files) -> Files:
    """The version in preparation, frozen with what the last one pinned."""
    days = {"/introduced": "2026-11-25", "/last_reviewed": "2026-11-25"}
    return copied(files, FROZEN, UNFROZEN, {"/version": "0.3.0", **days})


def later_intervals(files: Files) -> Files:
    """A second version of the algorithm for intervals."""
    return copied(files, ALGORITHM, ALGORITHM.replace("0.1.0", "0.2.0"), {"/version": "0.2.0"})


def deprecating(ground: str, path: str = TOOL_STATE) -> Edit:
    """Mark a version as deprecated."""
    return lambda files: edited(
        files, path, {"/status": "deprecated", "/deprecation": {"ground": ground, "date": "2026-11-28"}}
    )


def freezing(*days: str) -> Edit:
    """Add frozen versions of another family, one a day."""

    def edit(files: Files) -> Files:
        for number, day in enumerate(days):
            path = f"registry/benchmarks/bm-example-check/versions/0.{number}.0.yaml"
            values = {"/id": "bm-example-check", "/version": f"0.{number}.0", "/frozen_on": day}
            files = copied(files, FROZEN, path, values)
        return files

    return edit


def unused_tool(files: Files) -> Files:
    """A registry in which no result names the tool."""
    return edited(files, RESULT, {"/fixed_conditions/tool_permissions_and_list/tools": []})


def retired(files: Files, path: str, into: str | None = None, version: str = "0.2.0") -> Files:
    """A capability that retires: saturated, or merged into another."""
    retirement: dict[str, object] = {
        "ground": "saturated",
        "reason": "No longer tells subjects apart.",
        "date": "2026-11-28",
    }
    if into:
        retirement |= {"ground": "merged", "merged_into": into}
    return edited(files, path, {"/status": "retired", "/version": version, "/retirement": retirement})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        passes("IMM-01", "the next version beside it", as_is, lambda files: copied(
            files, UNFROZEN, NEXT_VERSION, {"/version": "0.4.0"}
        )),
        passes("IMM-01", "an edit of a version in preparation", as_is, lambda files: edited(files, UNFROZEN, {"/subsets/dev": 9})),
        passes("IMM-01", "the same content in another form", as_is, lambda files: {**files, FROZEN: "# Frozen.\n" + files[FROZEN]}),
        passes("IMM-02", "a version that freezes", as_is, freezing_next),
        passes("IMM-03", "an identifier that arrives", without_late_fields, lambda files: edited(
            without_late_fields(files), FROZEN, {"/persistent_identifier": "doi:10.0000/example.2"}
        )),
        passes("IMM-03", "all three arrive", without_late_fields, as_is),
        passes("IMM-04", "a new version of a tool", as_is, lambda files: copied(
            files, TOOL, TOOL.replace("0.1.0", "0.1.1"), {"/version": "0.1.1"}
        )),
        passes("IMM-05", "a result that corrects another", as_is, lambda files: copied(
            files,
            RESULT,
            RESULT.replace("model-a", "model-b"),
            {
                "/id": "res-example-audit-0-2-0-example-model-b",
                "/corrects": "res-example-audit-0-2-0-example-model-a",
                **{f"/runs/{n}/run_id": f"run-example-audit-0-2-0-example-model-b-{n}" for n in range(18)},
            },
        )),
        passes("IMM-06", "a new version, and the former text in the archive", as_is, lambda files: {
            **files, TEXT: SECOND_TEXT, ARCHIVE: files[TEXT],
        }),
        passes("IMM-06", "a row for a review without a change", as_is, lambda files: {
            **files, TEXT: methodology_text(rows=(FIRST_ROW, REVIEW_ROW)),
        }),
        passes(
            "IMM-06",
            "the first text of a registry, with an older one",
            lambda files: without(files, TEXT),
            lambda files: {**files, TEXT: SECOND_TEXT, ARCHIVE: files[TEXT]},
        ),
        passes("IMM-07", "a file that is no entry", as_is, lambda files: without(files, "README.md")),
        passes("IMM-07", "a capability that retires", as_is, lambda files: retired(files, CAPABILITY, "A.4")),
        passes("IMM-08", "a successor with its comparison", as_is, lambda files: copied(
            files,
            FUNCTION,
            NEXT_FUNCTION,
            {"/version": "0.2.0", "/comparison": {"summary": "Invented.", "link": "https://example.org/comparison"}},
        )),
        passes("IMM-09", "a new algorithm version", as_is, later_intervals),
        passes("IMM-10", "a new price table", as_is, lambda files: copied(
            files, PRICES, PRICES.replace("0.1.0", "0.2.0"), {"/version": "0.2.0"}
        )),
        passes("IMM-11", "a row at the end", as_is, lambda files: {**files, TEXT: methodology_text(rows=(FIRST_ROW, FIRST_ROW))}),
        passes(
            "IMM-11",
            "a row at the top, and other spaces",
            lambda files: {**files, TEXT: methodology_text(rows=(FIRST_ROW,))},
            lambda files: {**files, TEXT: methodology_text(rows=(REVIEW_ROW, ("0.1.0 ", *FIRST_ROW[1:])))},
        ),
        passes(
            "IMM-12",
            "one entry more",
            lambda files: {**files, VOIDED: voided(FIRST)},
            lambda files: {**files, VOIDED: voided(FIRST, SECOND)},
        ),
        passes(
            "IMM-12",
            "a replacement that is named now",
            lambda files: {**files, VOIDED: voided(FIRST)},
            lambda files: {**files, VOIDED: voided(entry(replaced_in="bm-example-audit@0.3.0"))},
        ),
        passes("IMM-13", "a further notice", as_is, lambda files: copied(
            files, NOTICE, "notices/2026-11-20-example.yaml", {"/id": "2026-11-20-example"}
        )),
        passes("IMM-14", "pins of the versions in force", as_is, freezing_next),
        passes("IMM-14", "a version created as frozen", as_is, lambda files: copied(
            files, FROZEN, NEXT_VERSION, {"/version": "0.4.0"}
        )),
        passes("IMM-15", "its maintainer asks", as_is, deprecating("maintainer-request")),
        passes(
            "IMM-15",
            "two versions frozen after the last result",
            freezing("2026-11-19", "2026-11-20"),
            lambda files: deprecating("no-result-in-two-versions")(freezing("2026-11-19", "2026-11-20")(files)),
        ),
        passes(
            "IMM-15",
            "two versions frozen since it was introduced, and never a result",
            lambda files: freezing("2026-11-19", "2026-11-06")(unused_tool(files)),
            lambda files: deprecating("no-result-in-two-versions")(freezing("2026-11-19", "2026-11-06")(unused_tool(files))),
        ),
        passes("IMM-16", "merged into a capability in use", as_is, lambda files: retired(files, CAPABILITY, "A.4")),
        passes(
            "IMM-16",
            "merged into one that is merged into a third",
            lambda files: retired(copied(files, CAPABILITY, THIRD_CAPABILITY, {"/id": "D.2"}), OTHER_CAPABILITY, "D.2"),
            lambda files: retired(
                retired(copied(files, CAPABILITY, THIRD_CAPABILITY, {"/id": "D.2"}), OTHER_CAPABILITY, "D.2"), CAPABILITY, "A.4"
            ),
        ),
        passes("IMM-21", "a moved file that is no record", as_is, lambda files: moved(files, "README.md", "docs/README.md")),
    ],
)  # fmt: skip
def test_step_is_let_pass(before: Edit, after: Edit) -> None:
    """A step that keeps the rule gives no finding of any rule."""
    assert run_steps(before(base_registry()), after(base_registry())) == []


EDITS: dict[str, dict[str, Any]] = {
    HARNESS: {"/runtime": "Another loop."},
    TOOL: {"/protocol": "Another protocol"},
    RESULT: {"/date": "2026-11-19"},
    ALGORITHM: {"/description": "Other words."},
    FUNCTION: {"/holdout_entry_class": 3},
    PRICES: {"/rates/0/amount": 2},
    NOTICE: {"/text": "Other words."},
}


@pytest.mark.parametrize(
    ("rule", "before", "after", "path", "words"),
    [
        *(
            fails(
                "IMM-01",
                f"another {pointer}",
                as_is,
                lambda files, pointer=pointer, value=value: edited(files, FROZEN, {pointer: value}),
                FROZEN,
                f"`{pointer.split('/')[1]}` of a frozen version changed",
            )
            for pointer, value in (
                ("/subsets/holdout", 5),
                ("/task_keys/dev/-", "tk-q24zklmvt45h@1.0.0"),
                ("/verifier/sha", "0" * 64),
                ("/difficulty_function", "difficulty-function@0.2.0"),
                ("/algorithms/seed", 1),
                ("/label_distribution/T1", {"short": 5, "medium": 1}),
                ("/last_reviewed", "2026-11-05"),
                ("/package_sha256", ABSENT),
            )
        ),
        fails(
            "IMM-01",
            "a file that cannot be read any more",
            as_is,
            lambda files: {**files, FROZEN: "{"},
            FROZEN,
            "cannot be read",
        ),
        fails(
            "IMM-01",
            "a version that could not be read and counts as frozen",
            lambda files: {**files, FROZEN: "{"},
            as_is,
            FROZEN,
            "cannot be read",
        ),
        fails(
            "IMM-02",
            "frozen no more",
            as_is,
            lambda files: edited(files, FROZEN, {"/frozen": False}),
            FROZEN,
            "`frozen` is `false`, and the version is frozen at the base",
        ),
        *(
            fails(
                "IMM-03",
                f"another {pointer}",
                as_is,
                lambda files, pointer=pointer, value=value: edited(files, FROZEN, {pointer: value}),
                FROZEN,
                f"`{pointer.split('/')[1]}` was written before",
            )
            for pointer, value in (
                ("/persistent_identifier", None),
                ("/persistent_identifier", "doi:10.0000/example.3"),
                ("/hash_manifest/entries/-", "0" * 64),
                ("/expert_baseline/experts", 3),
                ("/expert_baseline", ABSENT),
            )
        ),
        fails("IMM-04", "an edited harness", as_is, lambda files: edited(files, HARNESS, EDITS[HARNESS]), HARNESS, "was edited"),
        fails("IMM-04", "an edited tool", as_is, lambda files: edited(files, TOOL, EDITS[TOOL]), TOOL, "was edited"),
        fails(
            "IMM-04",
            "a comment in a harness",
            as_is,
            lambda files: {**files, HARNESS: "# Words.\n" + files[HARNESS]},
            HARNESS,
            "was edited",
        ),
        fails("IMM-05", "an edited result", as_is, lambda files: edited(files, RESULT, EDITS[RESULT]), RESULT, "was edited"),
        fails("IMM-05", "a removed result", as_is, lambda files: without(files, RESULT), RESULT, "was removed"),
        fails("IMM-06", "a new version without the old text", as_is, adding({TEXT: SECOND_TEXT}), TEXT, "not archived"),
        fails(
            "IMM-06",
            "an archived text that was altered",
            lambda files: {**files, TEXT: SECOND_TEXT, ARCHIVE: files[TEXT]},
            lambda files: {**files, TEXT: SECOND_TEXT, ARCHIVE: files[TEXT] + "\n"},
            ARCHIVE,
            "0.1.0 was altered",
        ),
        fails(
            "IMM-06",
            "an archived text that was removed",
            lambda files: {**files, TEXT: SECOND_TEXT, ARCHIVE: files[TEXT]},
            lambda files: {**files, TEXT: SECOND_TEXT},
            ARCHIVE,
            "0.1.0 was altered",
        ),
        fails(
            "IMM-06",
            "a copy of the text that is still in force",
            as_is,
            lambda files: {**files, ARCHIVE: files[TEXT]},
            ARCHIVE,
            "no copy of a text 0.1.0 that is superseded here",
        ),
        fails("IMM-06", "the text in force is removed", as_is, lambda files: without(files, TEXT), TEXT, "was taken away"),
        *(
            fails("IMM-07", f"{path} is removed", as_is, lambda files, path=path: without(files, path), path, "was removed")
            for path in (
                CARD, FROZEN, UNFROZEN, REFERENCE, CAPABILITY, HARNESS, TOOL, STANDARD, DATASET, MODEL, PRICES, REPRODUCTION,
                ROADMAP, REDIRECTS, HARNESS_STATE, FUNCTION, ALGORITHM, LEVELS, DISPUTE,
            )
        ),
        *(
            fails("IMM-07", f"{old} is moved", as_is, lambda files, old=old, new=new: moved(files, old, new), new, "was moved")
            for old, new in (
                (STANDARD, "registry/standards/std-example-other.yaml"),
                (CAPABILITY, THIRD_CAPABILITY),
                (UNFROZEN, NEXT_VERSION),
                (HARNESS_STATE, HARNESS_STATE.replace("0.1.0", "0.2.0")),
            )
        ),
        *(
            fails("IMM-07", f"{old} is moved to where it is none", as_is, lambda files, old=old: moved(files, old, "docs/a.yaml"),
                  old, "was removed")
            for old in (STANDARD, TOOL)
        ),
        fails("IMM-08", "another class", as_is, lambda files: edited(files, FUNCTION, EDITS[FUNCTION]), FUNCTION, "was edited"),
        fails(
            "IMM-08",
            "a successor without its comparison",
            as_is,
            lambda files: copied(files, FUNCTION, NEXT_FUNCTION, {"/version": "0.2.0"}),
            NEXT_FUNCTION,
            "`comparison` is missing",
        ),
        fails("IMM-09", "other words", as_is, lambda files: edited(files, ALGORITHM, EDITS[ALGORITHM]), ALGORITHM, "was edited"),
        fails("IMM-10", "another price", as_is, lambda files: edited(files, PRICES, EDITS[PRICES]), PRICES, "was edited"),
        fails(
            "IMM-11",
            "other words in an old row",
            as_is,
            lambda files: {**files, TEXT: methodology_text(rows=(("0.1.0", "2026-10-29", "Other words."),))},
            TEXT,
            "word for word",
        ),
        fails(
            "IMM-11",
            "a row between two others",
            adding({TEXT: methodology_text(rows=(FIRST_ROW, REVIEW_ROW))}),
            adding({TEXT: methodology_text(rows=(FIRST_ROW, ("0.1.0", "2026-11-10", "No."), REVIEW_ROW))}),
            TEXT,
            "word for word",
        ),
        fails(
            "IMM-11",
            "a log that is no table any more",
            as_is,
            lambda files: {**files, TEXT: methodology_text().replace("|---|---|---|\n", "")},
            TEXT,
            "word for word",
        ),
        fails(
            "IMM-12",
            "an entry less",
            lambda files: {**files, VOIDED: voided(FIRST, SECOND)},
            lambda files: {**files, VOIDED: voided(FIRST)},
            VOIDED,
            "not all there as they were",
        ),
        fails(
            "IMM-12",
            "another attribution",
            lambda files: {**files, VOIDED: voided(FIRST)},
            lambda files: {**files, VOIDED: voided({**FIRST, "attribution": "environment", "reason_class": "environment-error"})},
            VOIDED,
            "not all there as they were",
        ),
        fails(
            "IMM-12",
            "another replacement",
            lambda files: {**files, VOIDED: voided(entry(replaced_in="bm-example-audit@0.3.0"))},
            lambda files: {**files, VOIDED: voided(entry(replaced_in="bm-example-audit@0.2.0"))},
            VOIDED,
            "not all there as they were",
        ),
        fails(
            "IMM-12",
            "a list that cannot be read any more",
            lambda files: {**files, VOIDED: voided(FIRST)},
            lambda files: {**files, VOIDED: "{"},
            VOIDED,
            "not all there as they were",
        ),
        fails("IMM-13", "an edited notice", as_is, lambda files: edited(files, NOTICE, EDITS[NOTICE]), NOTICE, "was edited"),
        fails("IMM-13", "a removed notice", as_is, lambda files: without(files, NOTICE), NOTICE, "was removed"),
        fails(
            "IMM-14",
            "frozen under the former methodology",
            adding({TEXT: SECOND_TEXT}),
            lambda files: freezing_next({**files, TEXT: SECOND_TEXT}),
            UNFROZEN,
            "`methodology` is `0.1.0`, and the text in force is at `0.2.0`",
        ),
        fails(
            "IMM-14",
            "frozen while the text does not say its version",
            adding({TEXT: "# Example methodology\n"}),
            lambda files: freezing_next({**files, TEXT: "# Example methodology\n"}),
            UNFROZEN,
            "has no title line that can be read",
        ),
        fails(
            "IMM-14",
            "frozen with a superseded algorithm",
            later_intervals,
            lambda files: freezing_next(later_intervals(files)),
            UNFROZEN,
            "`algorithms/intervals` pins `intervals@0.1.0`, and `intervals@0.2.0` is published",
        ),
        fails(
            "IMM-14",
            "frozen with a superseded difficulty function",
            lambda files: copied(files, FUNCTION, NEXT_FUNCTION, {"/version": "0.2.0"}),
            lambda files: freezing_next(copied(files, FUNCTION, NEXT_FUNCTION, {"/version": "0.2.0"})),
            UNFROZEN,
            "`difficulty-function@0.2.0` is published",
        ),
        fails(
            "IMM-15",
            "one version frozen after the last result",
            freezing("2026-11-18", "2026-11-19"),
            lambda files: deprecating("no-result-in-two-versions")(freezing("2026-11-18", "2026-11-19")(files)),
            TOOL_STATE,
            "since 2026-11-18, when the version was last used or introduced, 1 benchmark versions were frozen",
        ),
        fails(
            "IMM-15",
            "a result that cannot be read",
            lambda files: {**freezing("2026-11-19", "2026-11-20")(files), RESULT: "\\"},
            lambda files: {**deprecating("no-result-in-two-versions")(freezing("2026-11-19", "2026-11-20")(files)), RESULT: "\\"},
            TOOL_STATE,
            "cannot be told",
        ),
        fails(
            "IMM-15",
            "another ground afterwards",
            deprecating("maintainer-request"),
            deprecating("no-result-in-two-versions"),
            TOOL_STATE,
            "0 benchmark versions were frozen",
        ),
        fails(
            "IMM-16",
            "two capabilities merged into each other",
            lambda files: retired(files, OTHER_CAPABILITY, "D.1"),
            lambda files: retired(retired(files, OTHER_CAPABILITY, "D.1"), CAPABILITY, "A.4"),
            CAPABILITY,
            "in a circle: D.1 → A.4 → D.1",
        ),
        fails(
            "IMM-16",
            "a capability merged into itself",
            as_is,
            lambda files: retired(files, CAPABILITY, "D.1"),
            CAPABILITY,
            "in a circle: D.1 → D.1",
        ),
        *(
            fails("IMM-21", f"{old} is moved", as_is, lambda files, old=old, new=new: moved(files, old, new), new, "was moved away")
            for old, new in (
                (FROZEN, NEXT_VERSION),
                (REFERENCE, REFERENCE.replace("0.1.0", "0.2.0")),
                (HARNESS, HARNESS.replace("0.1.0", "0.2.0")),
                (RESULT, RESULT.replace("model-a", "model-b")),
                (PRICES, PRICES.replace("0.1.0", "0.2.0")),
                (NOTICE, NOTICE.replace("prices", "price")),
                (FUNCTION, NEXT_FUNCTION),
                (ALGORITHM, ALGORITHM.replace("intervals", "interval")),
                (LEVELS, LEVELS.replace("0.1.0", "0.2.0")),
            )
        ),
    ],
)  # fmt: skip
def test_step_is_refused(rule: str, before: Edit, after: Edit, path: str, words: str) -> None:
    """A step that breaks the rule gives one error of that rule, at the changed file, and no other one of these rules."""
    found = run_steps(before(base_registry()), after(base_registry()))
    told = [finding for finding in found if finding.rule.startswith("IMM-") and finding.severity is Severity.ERROR]
    assert [(finding.rule, finding.path) for finding in told] == [(rule, path)]
    assert words in told[0].message


@pytest.mark.rule("IMM-21", "fails")
def test_archived_text_is_not_moved() -> None:
    """An archived text under another version is another text, and under no version it is gone."""
    files = {**base_registry(), TEXT: SECOND_TEXT, ARCHIVE: base_registry()[TEXT]}
    found = run_steps(files, moved(files, ARCHIVE, ARCHIVE.replace("0.1.0", "0.1.1")))
    assert "IMM-21" in [finding.rule for finding in found]
    found = run_steps(files, moved(files, ARCHIVE, "docs/0.1.0.md"))
    assert [finding.rule for finding in found] == ["IMM-06"]


def test_edit_and_removal_are_told_apart_from_a_charter() -> None:
    """The charter is text with a version of its own; these rules leave it to DEC-11."""
    found = run_changes(base_registry(), without(base_registry(), CHARTER))
    assert [finding.rule for finding in found] == ["DEC-11"]


def test_link_with_the_same_bytes_is_an_edit() -> None:
    """A symbolic link whose target reads like the file before is not that file."""
    registry = registry_of(base_registry())
    file = registry.tree.entry(HARNESS)
    assert file is not None
    change = Change(
        path=HARNESS, status=Status.MODIFIED, kind=Kind.HX, object="hx-example@0.1.0", transition=Transition.EDIT,
        rows=("M5",), before=file, after=Entry(mode="120000", oid=file.oid),
    )  # fmt: skip
    changed = ChangedRecord(
        change=change, before=registry.record(HARNESS), after=None, base=registry, changes=(change,)
    )
    assert changed.rewritten


def test_saturation_is_left_to_reviewers() -> None:
    """What nothing published defines is told and does not block."""
    (found,) = run_steps(base_registry(), retired(base_registry(), CAPABILITY))
    assert (found.rule, found.severity, found.pointer) == ("IMM-16", Severity.NOTICE, "/retirement/ground")


@pytest.mark.parametrize(
    ("version", "count"),
    [
        pytest.param({}, 0, marks=pytest.mark.rule("IMM-19", "passes"), id="IMM-19: an identifier"),
        pytest.param(
            {"/persistent_identifier": None}, 1, marks=pytest.mark.rule("IMM-19", "fails"), id="IMM-19: none yet"
        ),
    ],
)
def test_pending_identifier_is_a_reminder(version: dict[str, object], count: int) -> None:
    """A frozen version without a persistent identifier is named, and never blocked."""
    found = run_check(immutability.pending_identifier, edited(base_registry(), FROZEN, version), FROZEN)
    assert [finding.severity for finding in found] == [Severity.NOTICE] * count


def test_next_file_is_proposed_for_an_edit() -> None:
    """Whoever edits a published version is told where the next one goes."""
    (found,) = run_steps(base_registry(), edited(base_registry(), HARNESS, EDITS[HARNESS]))
    assert "`registry/harnesses/hx-example/0.1.1.yaml`" in found.help


@pytest.mark.parametrize(
    ("other", "path"),
    [
        ({}, UNFROZEN),
        ({UNFROZEN: None}, FROZEN.replace("0.2.0", "0.2.1")),
        # A file that cannot be read may be anything; the next free number is sound in any case.
        ({UNFROZEN: "{"}, FROZEN.replace("0.2.0", "0.3.1")),
    ],
    ids=["a draft", "none", "one that cannot be read"],
)
def test_the_coming_version_is_named(other: dict[str, str | None], path: str) -> None:
    """A correction of a frozen version belongs in the version in preparation, and in a new one only where there is none."""
    files = {name: text for name, text in {**base_registry(), **other}.items() if text is not None}
    found = [
        item for item in run_changes(files, edited(files, FROZEN, {"/subsets/holdout": 5})) if item.rule == "IMM-01"
    ]
    assert [item.help for item in found] == [f"Leave the file as it was, and make the correction in `{path}`."]
