"""Evidence that a change of the method has its version and its row in the change log."""

from datetime import timedelta
from functools import cache

import pytest

from medgauge_registrar.model.decision import Decision, Evidence, EvidenceState, State
from medgauge_registrar.model.pull import Issue
from medgauge_registrar.sandbox.cases_changes import (
    NEW_FIELD,
    NEW_TEST,
    RULE,
    SITE_NOTICE,
    TEST_NOTICE,
    WORDING,
    raised,
)
from medgauge_registrar.sandbox.edits import Edit, append, copy, put, swap
from medgauge_registrar.sandbox.material import FREEZE, RESULT, TEXT, TODAY
from support.snapshots import approvals, decided, errors, person, pull, row

SATISFIED, MISSING, FAILED, UNDECIDED = (
    EvidenceState.SATISFIED,
    EvidenceState.MISSING,
    EvidenceState.FAILED,
    EvidenceState.UNDECIDED,
)
Edits = tuple[Edit, ...]
PATCH = raised("0.1.1", "Words.")


@cache
def decision(*edits: Edit, base: Edits = (), asked: bool = True) -> Decision:
    """The decision on these edits, approved by two maintainers, with or without a request for comment."""
    request = pull(*approvals("maintainer", "second maintainer"))
    issue = Issue(
        number=5,
        title="Methodology",
        body="Sections 5.4 and 1.",
        labels=("request-for-comment",),
        user=person("newcomer"),
        created_at=request.created_at - timedelta(days=30),
        state="open",
    )
    issues = (issue,) if asked else ()
    return decided(*edits, request=pull(*approvals("maintainer", "second maintainer"), issues=issues), base=base)


def evidence(found: Decision, in_row: str, rule: str) -> Evidence:
    """One piece of evidence of one row."""
    return next(one for one in row(found, in_row).evidence if one.id == rule)


def log_row(text: str) -> Edit:
    """One more row at the end of the change log."""
    return append(TEXT, f"{text}\n")


@pytest.mark.parametrize(
    ("in_row", "rule", "edits"),
    [
        pytest.param("M8", "CHG-01", (WORDING, PATCH), marks=pytest.mark.rule("CHG-01", "passes")),
        pytest.param("M8", "CHG-02", (WORDING, PATCH), marks=pytest.mark.rule("CHG-02", "passes")),
        pytest.param(
            "M8", "CHG-02", (log_row(f"| 0.1.0 | {TODAY} | No change. |"),), marks=pytest.mark.rule("CHG-03", "passes")
        ),
        pytest.param("M11", "CHG-02", (NEW_FIELD, PATCH), marks=pytest.mark.rule("CHG-02", "passes")),
        pytest.param("M8", "CHG-05", (WORDING, PATCH), marks=pytest.mark.rule("CHG-05", "passes")),
        pytest.param(
            "M7", "CHG-05", (RULE, raised("0.2.0", "R."), SITE_NOTICE), marks=pytest.mark.rule("CHG-05", "passes")
        ),
        pytest.param(
            "M12", "CHG-05", (NEW_TEST, raised("0.2.0", "T."), TEST_NOTICE), marks=pytest.mark.rule("CHG-05", "passes")
        ),
        pytest.param("M8", "CHG-06", (WORDING, PATCH), marks=pytest.mark.rule("CHG-06", "passes")),
        pytest.param("M11", "CHG-08", (NEW_FIELD, PATCH), marks=pytest.mark.rule("CHG-08", "passes")),
    ],
)
def test_version_and_row_are_there(in_row: str, rule: str, edits: Edits) -> None:
    """Version, row and request are what the change asks for."""
    assert evidence(decision(*edits), in_row, rule).state is SATISFIED


@pytest.mark.parametrize(
    ("in_row", "rule", "edits", "state", "words"),
    [
        pytest.param("M8", "CHG-02", (WORDING,), MISSING, "such as `0.1.1`", marks=pytest.mark.rule("CHG-02", "fails")),
        pytest.param(
            "M11", "CHG-02", (NEW_FIELD,), MISSING, "such as `0.1.1`", marks=pytest.mark.rule("CHG-02", "fails")
        ),
        pytest.param(
            "M12", "CHG-02", (NEW_TEST,), MISSING, "such as `0.2.0`", marks=pytest.mark.rule("CHG-02", "fails")
        ),
        pytest.param(
            "M8",
            "CHG-02",
            (log_row("| 0.1.0 | 2026-11-29 | |"),),
            FAILED,
            "does not say what changed",
            marks=pytest.mark.rule("CHG-02", "fails"),
        ),
        pytest.param(
            "M8",
            "CHG-02",
            (log_row("| – | 2026-11-29 | A. |"),),
            FAILED,
            "has no version",
            marks=pytest.mark.rule("CHG-02", "fails"),
        ),
        pytest.param(
            "M8",
            "CHG-02",
            (log_row("| 0.1.0 | soon | A. |"),),
            FAILED,
            "has no date",
            marks=pytest.mark.rule("CHG-02", "fails"),
        ),
        pytest.param(
            "M8",
            "CHG-02",
            (log_row("| 0.2.0 | 2026-11-29 | A. |"),),
            FAILED,
            "is of `0.2.0`",
            marks=pytest.mark.rule("CHG-03", "fails"),
        ),
        pytest.param(
            "M8",
            "CHG-02",
            (WORDING, PATCH, swap(TEXT, f"0.1.1 | {TODAY}", "0.1.1 | 2026-11-28")),
            FAILED,
            "the title line of `2026-11-29`",
            marks=pytest.mark.rule("CHG-02", "fails"),
        ),
        pytest.param(
            "M8",
            "CHG-02",
            (WORDING, PATCH, swap(TEXT, "Stand-in text for", "Text for")),
            FAILED,
            "no longer there",
            marks=pytest.mark.rule("CHG-02", "fails"),
        ),
        pytest.param(
            "M7",
            "CHG-05",
            (RULE, raised("0.1.1", "R.")),
            MISSING,
            "from `0.1.0` to `0.2.0`",
            marks=pytest.mark.rule("CHG-05", "fails"),
        ),
        pytest.param(
            "M12",
            "CHG-05",
            (NEW_TEST, PATCH, TEST_NOTICE),
            MISSING,
            "from `0.1.0` to `0.2.0`",
            marks=pytest.mark.rule("CHG-05", "fails"),
        ),
        pytest.param("M7", "CHG-05", (RULE,), MISSING, "draft change-log", marks=pytest.mark.rule("CHG-05", "fails")),
        pytest.param(
            "M7",
            "CHG-05",
            (RULE, swap(TEXT, "Version 0.1.0 ·", "Version ·")),
            UNDECIDED,
            "cannot be read",
            marks=pytest.mark.rule("CHG-05", "fails"),
        ),
        pytest.param(
            "M8",
            "CHG-06",
            (swap(TEXT, "Seven conditions", "Eight conditions"), PATCH),
            FAILED,
            "minor",
            marks=pytest.mark.rule("CHG-06", "fails"),
        ),
        pytest.param(
            "M11", "CHG-08", (NEW_FIELD,), MISSING, "to `0.1.1` or above", marks=pytest.mark.rule("CHG-08", "fails")
        ),
        pytest.param(
            "M11",
            "CHG-08",
            (put("validators/example.yaml", "a: b\n"),),
            MISSING,
            "new level rules",
            marks=pytest.mark.rule("CHG-08", "fails"),
        ),
        pytest.param(
            "M11",
            "CHG-08",
            (NEW_FIELD, swap(TEXT, "Version 0.1.0 ·", "Version ·")),
            UNDECIDED,
            "cannot be read",
            marks=pytest.mark.rule("CHG-08", "fails"),
        ),
    ],
)
def test_version_or_row_is_wanting(in_row: str, rule: str, edits: Edits, state: EvidenceState, words: str) -> None:
    """What is missing is the author's to add, and the message says what to write and where."""
    found = decision(*edits)
    told = evidence(found, in_row, rule)
    assert (told.state, told.by_author) == (state, True)
    assert words in told.message
    assert found.state is State.BLOCKED


@pytest.mark.rule("CHG-01", "fails")
def test_every_change_takes_a_request() -> None:
    """A patch is no exception."""
    found = decision(WORDING, PATCH, asked=False)
    assert evidence(found, "M8", "CHG-01").state is MISSING
    assert found.state is State.BLOCKED


def test_a_row_to_paste_comes_along() -> None:
    """The row names the version that the change asks for at least."""
    suggestion = evidence(decision(WORDING), "M8", "CHG-02").suggestion
    assert suggestion is not None
    assert (suggestion.path, suggestion.text) == (TEXT, f"| 0.1.1 | {TODAY} | (what changes, in one sentence) |\n")
    suggestion = evidence(decision(RULE), "M7", "CHG-02").suggestion
    assert suggestion is not None
    assert suggestion.text.startswith("| 0.2.0 |")


@pytest.mark.parametrize(
    ("edits", "base"),
    [
        pytest.param(
            (copy(RESULT, RESULT.replace("model-1", "model-2")), WORDING, PATCH),
            (),
            marks=pytest.mark.rule("CHG-12", "fails"),
        ),
        pytest.param((*FREEZE, WORDING, PATCH), (), marks=pytest.mark.rule("CHG-12", "fails")),
        pytest.param((*FREEZE, NEW_TEST), (), marks=pytest.mark.rule("CHG-12", "fails")),
    ],
)
def test_rules_and_what_they_judge_travel_apart(edits: Edits, base: Edits) -> None:
    """A change of the method takes effect at the next freeze, so it comes without results or freezes."""
    assert "CHG-12" in errors(decision(*edits, base=base))


@pytest.mark.parametrize(
    "edits",
    [
        pytest.param((WORDING, PATCH), marks=pytest.mark.rule("CHG-12", "passes")),
        pytest.param(FREEZE, marks=pytest.mark.rule("CHG-12", "passes")),
    ],
)
def test_either_by_itself(edits: Edits) -> None:
    """The text in one pull request, a freeze in the next."""
    assert "CHG-12" not in errors(decision(*edits))


@pytest.mark.rule("CHG-04", "fails")
def test_pins_of_frozen_versions_stay() -> None:
    """Another version of the text moves no pin of what is frozen."""
    frozen = "registry/benchmarks/bm-example-handover/versions/0.2.0.yaml"
    assert "IMM-01" in errors(decision(swap(frozen, "methodology: 0.1.0", "methodology: 0.1.1")))


@pytest.mark.rule("CHG-04", "passes")
def test_a_freeze_pins_the_rules_in_force() -> None:
    """The next freeze takes up what changed before it."""
    assert "IMM-14" not in errors(decision(*FREEZE))
    assert "IMM-14" in errors(decision(*FREEZE, base=(PATCH,)))


def test_a_patch_in_a_rule_is_a_matter_of_the_text() -> None:
    """A rule of which only the wording differs takes the row of the text, without a notice (inference)."""
    comma = swap(TEXT, "when its three runs are.", "when its three runs, are.")
    found = decision(comma, PATCH)
    assert [one.id for one in found.rows] == ["M7", "M8", "M11"]
    assert [item.rows for item in found.changes if item.path == TEXT] == [("M8",)]
    assert found.state is State.APPROVED
