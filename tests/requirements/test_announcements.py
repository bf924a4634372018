"""Evidence that changes are announced, as the rows of the decision table ask for it."""

from datetime import timedelta
from functools import cache

import pytest

from medgauge_registrar.model.decision import Decision, Evidence, EvidenceState, RowState, State
from medgauge_registrar.model.pull import Issue
from medgauge_registrar.sandbox.cases_changes import (
    BOARDS,
    FUNCTION_NOTICE,
    NEW_FUNCTION,
    NEW_TEST,
    RULE,
    SITE_NOTICE,
    TEST_NOTICE,
    VOID,
    VOID_NOTICE,
    WORDING,
    notice,
    raised,
)
from medgauge_registrar.sandbox.edits import Edit, append, copy, put, swap
from medgauge_registrar.sandbox.material import DRAFT, FIRST_FROZEN, FREEZE, FROZEN, LISTED, TEXT, TODAY, USED_SIDECAR
from support.situations import putting
from support.snapshots import approvals, decided, person, pull, row

TWO = ("maintainer", "second maintainer")
METHOD = (RULE, raised("0.2.0", "Tasks weigh alike."))
SITE = f"notices/{TODAY}-methodology-0-2-0.yaml"
FREEZE_NOTICE = f"notices/{TODAY}-example-handover-0-3-0.yaml"
SATISFIED, MISSING, FAILED, UNDECIDED = (
    EvidenceState.SATISFIED,
    EvidenceState.MISSING,
    EvidenceState.FAILED,
    EvidenceState.UNDECIDED,
)
Edits = tuple[Edit, ...]


@cache
def decision(*edits: Edit, base: Edits = ()) -> Decision:
    """The decision on these edits, with a request for comment and two maintainers behind them."""
    request = pull(*approvals(*TWO))
    issue = Issue(
        number=5,
        title="Methodology",
        body="Sections 5.4 and 1.",
        labels=("request-for-comment",),
        user=person("newcomer"),
        created_at=request.created_at - timedelta(days=30),
        state="open",
    )
    request = pull(*approvals(*TWO), issues=(issue,))
    return decided(*edits, request=request, base=base)


def evidence(found: Decision, in_row: str, rule: str) -> Evidence:
    """One piece of evidence of one row."""
    return next(one for one in row(found, in_row).evidence if one.id == rule)


@pytest.mark.parametrize(
    ("in_row", "rule", "edits"),
    [
        pytest.param("M3", "NCN-01", FREEZE, marks=pytest.mark.rule("NCN-01", "passes")),
        pytest.param("M7", "NCN-09", (*METHOD, SITE_NOTICE), marks=pytest.mark.rule("NCN-09", "passes")),
        pytest.param("M7", "NCN-24", (*METHOD, SITE_NOTICE), marks=pytest.mark.rule("NCN-24", "passes")),
        pytest.param(
            "M7",
            "NCN-10",
            (*NEW_FUNCTION, raised("0.2.0", "F."), FUNCTION_NOTICE),
            marks=pytest.mark.rule("NCN-10", "passes"),
        ),
        pytest.param("M7", "NCN-03", (*METHOD, SITE_NOTICE), marks=pytest.mark.rule("NCN-03", "passes")),
        pytest.param(
            "M12", "NCN-09", (NEW_TEST, raised("0.2.0", "T."), TEST_NOTICE), marks=pytest.mark.rule("NCN-09", "passes")
        ),
        pytest.param(
            "M12", "NCN-24", (NEW_TEST, raised("0.2.0", "T."), TEST_NOTICE), marks=pytest.mark.rule("NCN-24", "passes")
        ),
        pytest.param(
            "M12", "NCN-20", (NEW_TEST, raised("0.2.0", "T."), TEST_NOTICE), marks=pytest.mark.rule("NCN-20", "passes")
        ),
        pytest.param("M14", "NCN-08", (VOID, VOID_NOTICE), marks=pytest.mark.rule("NCN-08", "passes")),
        pytest.param("M16", "NCN-21", (VOID, VOID_NOTICE), marks=pytest.mark.rule("NCN-21", "passes")),
        pytest.param("M16", "NCN-23", (VOID, VOID_NOTICE), marks=pytest.mark.rule("NCN-23", "passes")),
        pytest.param("M8", "NCN-16", (WORDING, raised("0.1.1", "W.")), marks=pytest.mark.rule("NCN-16", "passes")),
        pytest.param("M8", "NCN-20", (WORDING, raised("0.1.1", "W.")), marks=pytest.mark.rule("NCN-20", "passes")),
    ],
)
def test_announced(in_row: str, rule: str, edits: Edits) -> None:
    """A notice that says what is so, or no need of one, is enough."""
    assert evidence(decision(*edits), in_row, rule).state is SATISFIED


INTERVALS = copy(
    "methodology/algorithms/intervals/0.1.0.yaml",
    "methodology/algorithms/intervals/0.2.0.yaml",
    ("version: 0.1.0", "version: 0.2.0"),
)
LEVELS = "methodology/level-rules/0.1.0.yaml"
THRESHOLD = (
    copy(LEVELS, LEVELS.replace("0.1.0", "0.2.0"), ("0.1.0", "0.2.0")),
    swap(LEVELS.replace("0.1.0", "0.2.0"), "passed., threshold: null", "passed., threshold: 0.9"),
)


@pytest.mark.parametrize(
    ("in_row", "rule", "edits"),
    [
        pytest.param("M3", "NCN-01", FREEZE[:-1], marks=pytest.mark.rule("NCN-01", "fails")),
        pytest.param("M7", "NCN-09", METHOD, marks=pytest.mark.rule("NCN-09", "fails")),
        pytest.param("M7", "NCN-24", METHOD, marks=pytest.mark.rule("NCN-24", "fails")),
        pytest.param("M7", "NCN-10", (*NEW_FUNCTION, raised("0.2.0", "F.")), marks=pytest.mark.rule("NCN-10", "fails")),
        pytest.param("M7", "NCN-03", THRESHOLD, marks=pytest.mark.rule("NCN-03", "fails")),
        pytest.param("M12", "NCN-09", (NEW_TEST, raised("0.2.0", "T.")), marks=pytest.mark.rule("NCN-09", "fails")),
        pytest.param("M12", "NCN-20", (INTERVALS, raised("0.2.0", "I.")), marks=pytest.mark.rule("NCN-20", "fails")),
        pytest.param("M14", "NCN-08", (VOID,), marks=pytest.mark.rule("NCN-08", "fails")),
        pytest.param(
            "M8",
            "NCN-16",
            (swap(TEXT, "not judged", "judged above 0.05"), raised("0.2.0", "T.")),
            marks=pytest.mark.rule("NCN-16", "fails"),
        ),
    ],
)
def test_not_announced(in_row: str, rule: str, edits: Edits) -> None:
    """Only the author can add the notice, so the pull request is blocked; the text to add comes along."""
    found = decision(*edits)
    told = evidence(found, in_row, rule)
    assert (told.state, told.by_author) == (MISSING, True)
    assert row(found, in_row).state is RowState.BLOCKED
    assert found.state is State.BLOCKED
    assert told.suggestion is not None
    assert told.suggestion.path.startswith(f"notices/{TODAY}-")
    assert "affected:\n  - bm-example-handover@0.1.0\n" in told.suggestion.text


@pytest.mark.parametrize(
    ("in_row", "rules", "edits"),
    [
        ("M3", ("NCN-01",), FREEZE[:-1]),
        ("M7", ("NCN-09", "NCN-24"), METHOD),
        ("M12", ("NCN-09", "NCN-24"), (NEW_TEST, raised("0.2.0", "T."))),
        ("M12", ("NCN-09", "NCN-20"), (INTERVALS, raised("0.2.0", "I."))),
        ("M14", ("NCN-08",), (VOID,)),
    ],
)
def test_what_is_suggested_satisfies(in_row: str, rules: tuple[str, ...], edits: Edits) -> None:
    """The text that the comment offers, pasted as it is, is all that was missing, and itself without fault."""
    first = evidence(decision(*edits), in_row, rules[0]).suggestion
    assert first is not None
    found = decision(*edits, putting({first.path: first.text}))
    assert [evidence(found, in_row, rule).state for rule in rules] == [SATISFIED] * len(rules)
    assert {one.state for one in row(found, "M16").evidence} == {SATISFIED}


@pytest.mark.parametrize(
    ("in_row", "rule", "edits", "words"),
    [
        (
            "M3",
            "NCN-01",
            (*FREEZE, swap(FREEZE_NOTICE, f"{BOARDS[0]}, ", "")),
            "leaves out `bm-example-handover@0.1.0`",
        ),
        ("M7", "NCN-09", (*METHOD, SITE_NOTICE, swap(SITE, "from: 0.1.0", "from: 0.0.9")), "`from` is `0.0.9`"),
        (
            "M7",
            "NCN-24",
            (*METHOD, SITE_NOTICE, swap(SITE, f", {BOARDS[1]}", "")),
            "leaves out `bm-example-handover@0.2.0`",
        ),
        (
            "M14",
            "NCN-08",
            (VOID, notice("v", "NCN-08", BOARDS[0], ("0.1.0", "0.2.0"), "boards", BOARDS[0])),
            "`to` is `0.2.0`",
        ),
        ("M3", "NCN-01", (*FREEZE, swap(DRAFT, f"notice: {TODAY}", "notice: 2026-11-28")), "make the two agree"),
    ],
)
def test_announced_otherwise_than_it_is(in_row: str, rule: str, edits: Edits, words: str) -> None:
    """A notice that says otherwise shows nothing, and the first fault is told."""
    told = evidence(decision(*edits), in_row, rule)
    assert told.state is FAILED
    assert words in told.message


def test_boards_that_nobody_can_tell() -> None:
    """Where a version cannot be read, nobody can say that every board is named."""
    broken = swap(FROZEN, "frozen: true", "frozen: [")
    found = decision(*METHOD, SITE_NOTICE, swap(SITE, f", {BOARDS[1]}", ""), base=(broken,))
    assert evidence(found, "M7", "NCN-24").state is UNDECIDED
    assert found.state is not State.APPROVED


def test_no_notice_can_be_written_under_an_old_version() -> None:
    """A notice leads from one version to another, so the version comes first."""
    told = evidence(decision(RULE), "M7", "NCN-09")
    assert (told.state, told.suggestion) == (MISSING, None)
    assert "raise the version of the methodology first" in told.message


def test_a_notice_that_breaks_its_schema_is_none() -> None:
    """A file that is no notice announces nothing."""
    found = decision(VOID, VOID_NOTICE, append(f"notices/{TODAY}-example-handover-void.yaml", "colour: blue\n"))
    assert evidence(found, "M14", "NCN-08").state is MISSING


def test_free_names_are_found_for_notices() -> None:
    """A suggested file stands beside those that are there, of a day no earlier than the change."""
    taken = put(f"notices/{TODAY}-example-handover-0-1-0.yaml", "id: x\n")
    suggestion = evidence(decision(VOID, base=(taken,)), "M14", "NCN-08").suggestion
    assert suggestion is not None
    assert suggestion.path == f"notices/{TODAY}-example-handover-0-1-0-2.yaml"


# Listing -------------------------------------------------------------------------------------------------------------

NEW_SIDECAR = "registry/lifecycle/gr/gr-example-dose@0.2.0.yaml"
LIST_NEW = (
    swap(NEW_SIDECAR, "listing: unlisted", "listing: listed"),
    swap(NEW_SIDECAR, "last_reviewed: 2026-11-18", f"last_reviewed: {TODAY}"),
)
USED = swap(FROZEN, "gr-example-dose@0.1.0", "gr-example-dose@0.2.0")


@pytest.mark.parametrize(
    ("edits", "base"),
    [
        pytest.param(
            LISTED,
            (swap(USED_SIDECAR, "listing: listed", "listing: unlisted"),),
            marks=pytest.mark.rule("NCN-05", "passes"),
        ),
        pytest.param(LIST_NEW, (), marks=pytest.mark.rule("NCN-05", "passes")),
        pytest.param(LIST_NEW, (USED,), marks=pytest.mark.rule("NCN-05", "passes")),
        pytest.param(
            LIST_NEW,
            (swap(FIRST_FROZEN, "gr-example-dose@0.1.0", "gr-example-dose@0.2.0"),),
            marks=pytest.mark.rule("NCN-05", "passes"),
        ),
    ],
)
def test_a_veto_came_with_an_announced_version(edits: Edits, base: Edits) -> None:
    """No veto is new, or the version that brought it to a family is its first, or was announced."""
    assert evidence(decision(*edits, base=base), "M2", "NCN-05").state is SATISFIED


@pytest.mark.rule("NCN-05", "fails")
def test_a_veto_came_without_a_notice() -> None:
    """A version that brought a veto is set apart by the notice of its freeze, and by no other that names the same boards."""
    unannounced = swap("notices/2026-11-20-example-handover-0-2-0.yaml", "bm-example-handover@0.1.0, ", "")
    told = evidence(decision(*LIST_NEW, base=(USED, unannounced)), "M2", "NCN-05")
    assert told.state is MISSING
    assert "no notice of its freeze names it together with `bm-example-handover@0.1.0`" in told.message
