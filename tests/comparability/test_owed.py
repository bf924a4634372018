"""Which notices a change calls for, and the exact boards that each has to name."""

import pytest

from medgauge_registrar.comparability.boards import all_boards, boards_of, frozen_before
from medgauge_registrar.model.change import Kind
from medgauge_registrar.sandbox.cases_changes import NEW_FUNCTION, NEW_TEST, RULE, VOID, WORDING, raised
from medgauge_registrar.sandbox.edits import Edit, append, copy, put, swap
from medgauge_registrar.sandbox.material import (
    DRAFT,
    FIRST_FROZEN,
    FREEZE,
    FROZEN,
    NEW_PRICES,
    NEW_STANDARD,
    RESULT,
    TEXT,
    VOIDED,
)
from support.situations import owed, situation

FIRST, SECOND, THIRD = (f"bm-example-handover@0.{number}.0" for number in (1, 2, 3))
LEVELS = "methodology/level-rules/0.1.0.yaml"
NEW_RESULT = copy(RESULT, RESULT.replace("example-model-1", "example-model-2"))
NEW_LEVELS = copy(LEVELS, LEVELS.replace("0.1.0", "0.2.0"), ("0.1.0", "0.2.0"))


def rules(*edits: Edit) -> list[str]:
    """Rules that ask for a notice."""
    return [one.rule for one in owed(*edits) if one.required]


def test_boards_are_frozen_versions() -> None:
    """Only a frozen version has a board; one that cannot be read may have one."""
    found = situation(swap(FIRST_FROZEN, "frozen: true", "frozen: [")).head
    assert all_boards(found).versions == {SECOND}
    assert all_boards(found).unclear == (FIRST_FROZEN,)
    assert boards_of(situation().head, "bm-example-handover").versions == {FIRST, SECOND}
    assert boards_of(situation().head, "bm-clinical-temporal-audit").versions == frozenset()


@pytest.mark.parametrize(
    ("supersedes", "before"),
    [("supersedes: 0.2.0", "0.2.0"), ("supersedes: 0.1.0", "0.1.0"), ("supersedes: null", "0.2.0")],
)
def test_the_version_before_a_freeze(supersedes: str, before: str) -> None:
    """It is the one that is named, else the highest frozen one below."""
    head = situation(*FREEZE, swap(DRAFT, "supersedes: 0.2.0", supersedes)).head
    record = head.record(DRAFT)
    assert record is not None
    assert frozen_before(record, boards_of(head, "bm-example-handover")) == before


@pytest.mark.rule("NCN-01", "passes")
def test_a_first_version_owes_nothing() -> None:
    """The first frozen version of a family has nothing to be compared with."""
    first = copy(FIRST_FROZEN, "registry/benchmarks/bm-clinical-temporal-audit/versions/0.1.0.yaml",
                 ("bm-example-handover", "bm-clinical-temporal-audit"))  # fmt: skip
    assert rules(first) == []


@pytest.mark.rule("NCN-01", "fails")
def test_a_further_version_owes_a_notice_of_its_family() -> None:
    """All frozen versions of the family are named, the new one among them, and no other family's."""
    (found,) = owed(*FREEZE)
    assert (found.rule, found.boards, found.scopes, found.notice) == (
        "NCN-01", {FIRST, SECOND, THIRD}, ("family", "boards"), "2026-11-29-example-handover-0-3-0",
    )  # fmt: skip
    (cause,) = found.causes
    assert (cause.names, cause.before, cause.after) == ((DRAFT, THIRD), "0.2.0", ("0.3.0",))
    assert set(cause.rules) == {"NCN-01", "NCN-02", "NCN-05", "NCN-06", "NCN-07"}


@pytest.mark.rule("NCN-08", "fails")
def test_a_void_owes_a_notice_of_its_board() -> None:
    """The board that loses the task is named, and that of the replacement where there is one."""
    (found,) = owed(VOID)
    assert (found.rule, found.boards, found.causes[0].after) == ("NCN-08", {FIRST}, ("0.1.0",))
    (found,) = owed(VOID, swap(VOIDED, "replaced_in: null", f"replaced_in: {SECOND}"))
    assert (found.boards, found.causes[0].after, found.since) == ({FIRST, SECOND}, ("0.2.0", "0.1.0"), "2026-11-29")


@pytest.mark.rule("NCN-08", "passes")
def test_an_old_void_owes_nothing() -> None:
    """A replacement that is named later, or a comment, voids nothing anew."""
    assert rules(append(VOIDED, "# A comment.\n")) == []
    assert owed(swap(VOIDED, f"replaced_in: {SECOND}", "replaced_in: null")) == ()


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        pytest.param((RULE,), ["NCN-09"], marks=pytest.mark.rule("NCN-09", "fails")),
        pytest.param((NEW_TEST,), ["NCN-09"], marks=pytest.mark.rule("NCN-09", "fails")),
        pytest.param((RULE, NEW_TEST, raised("0.2.0", "Both.")), ["NCN-09", "NCN-09"], marks=pytest.mark.rule("NCN-09", "fails")),
        pytest.param((NEW_FUNCTION[0],), ["NCN-10"], marks=pytest.mark.rule("NCN-10", "fails")),
        pytest.param(NEW_FUNCTION, ["NCN-10", "NCN-10"], marks=pytest.mark.rule("NCN-10", "fails")),
        pytest.param(
            (swap(TEXT, "| L1 | Calibrated | calibration subset passed | not set", "| L1 | Calibrated | it | 0.5"),),
            ["NCN-03"],
            marks=pytest.mark.rule("NCN-03", "fails"),
        ),
        pytest.param(
            (NEW_LEVELS, swap(LEVELS.replace("0.1.0", "0.2.0"), "passed., threshold: null", "passed., threshold: 0.9")),
            ["NCN-03"],
            marks=pytest.mark.rule("NCN-03", "fails"),
        ),
        pytest.param(
            (NEW_LEVELS, swap(LEVELS.replace("0.1.0", "0.2.0"), "subset is passed", "subset is tried")),
            ["NCN-03"],
            marks=pytest.mark.rule("NCN-03", "fails"),
        ),
        pytest.param((put(LEVELS.replace("0.1.0", "0.2.0"), "{"),), ["NCN-03"], marks=pytest.mark.rule("NCN-03", "fails")),
        pytest.param(
            (swap(TEXT, "without a threshold, not judged", "above 0.05 withdrawn"),),
            ["NCN-16"],
            marks=pytest.mark.rule("NCN-16", "fails"),
        ),
    ],
)  # fmt: skip
def test_changes_of_the_method_owe_a_notice_to_all(edits: tuple[Edit, ...], expected: list[str]) -> None:
    """Thresholds, rules, algorithms and functions concern every board there is."""
    found = [one for one in owed(*edits) if one.required]
    assert [one.rule for one in found] == expected
    assert all(one.boards == {FIRST, SECOND} and "site-wide" in one.scopes for one in found)


@pytest.mark.parametrize(
    "edits",
    [
        pytest.param((WORDING, raised("0.1.1", "Words.")), marks=pytest.mark.rule("NCN-09", "passes")),
        pytest.param((NEW_LEVELS,), marks=pytest.mark.rule("NCN-03", "passes")),
        pytest.param((swap(TEXT, "Its points come first", "Its points come  first"),), marks=pytest.mark.rule("NCN-10", "passes")),
        pytest.param((swap(TEXT, "and, without a", "and without a"),), marks=pytest.mark.rule("NCN-16", "passes")),
        pytest.param((NEW_RESULT,), marks=pytest.mark.rule("NCN-14", "passes")),
        pytest.param((NEW_RESULT,), marks=pytest.mark.rule("NCN-11", "passes")),
        pytest.param((NEW_STANDARD,)),
        pytest.param(()),
    ],
)  # fmt: skip
def test_other_changes_owe_nothing(edits: tuple[Edit, ...]) -> None:
    """Wording, level rules that only carry a version, and new results call for no notice."""
    assert rules(*edits) == []


@pytest.mark.rule("NCN-12", "passes")
def test_a_price_table_needs_no_notice_but_may_have_one() -> None:
    """A price table is a cause that a notice may name, and asks for none."""
    (found,) = owed(NEW_PRICES)
    assert (found.rule, found.required, found.causes[0].before) == ("NCN-12", False, "0.1.0")


def test_one_notice_of_the_text_speaks_for_all_that_came_with_it() -> None:
    """With another version of the text, it is a cause beside each file; without one, only files are."""
    first, second = (one for one in owed(RULE, NEW_TEST, raised("0.2.0", "Both.")) if one.required)
    assert {cause.names[0] for one in (first, second) for cause in one.causes} == {
        TEXT, "methodology/algorithms/paired-test/0.2.0.yaml",
    }  # fmt: skip
    (alone,) = owed(RULE)
    assert alone.causes == ()


def test_the_first_algorithm_of_its_name_leads_from_no_version() -> None:
    """Only a notice of the text can announce it."""
    (found,) = owed(put("methodology/algorithms/other/0.1.0.yaml", "name: other\n"))
    assert (found.rule, found.causes) == ("NCN-09", ())


def test_a_text_that_cannot_be_read_may_change_anything() -> None:
    """Bytes that are no text are no proof that nothing changed."""

    def garble(workspace: object) -> None:
        workspace.files[TEXT] = b"\xff"  # type: ignore[attr-defined]

    assert rules(garble) == ["NCN-09"]


def test_unclear_versions_are_told() -> None:
    """A version that cannot be read may have a board, so nobody can say that all are named."""
    (found,) = owed(NEW_TEST, base=(swap(FROZEN, "frozen: true", "frozen: ["),))
    assert (found.boards, found.unclear) == ({FIRST}, (FROZEN,))


def test_kinds_without_versions_are_passed_over() -> None:
    """An algorithm file outside its pattern is another matter."""
    assert situation(put("methodology/algorithms/x.yaml", "a: b\n")).changes[0].kind is Kind.OTHER
    assert rules(put("methodology/algorithms/x.yaml", "a: b\n")) == []
