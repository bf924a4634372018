"""Notices beside what a pull request changes: what they say, what they leave out, and those that nothing calls for."""

import pytest

from medgauge_registrar.checks import notice_coverage
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.sandbox.cases_changes import (
    BOARDS,
    NEW_TEST,
    RULE,
    SITE_NOTICE,
    TEST_NOTICE,
    VOID,
    VOID_NOTICE,
    notice,
    raised,
)
from medgauge_registrar.sandbox.edits import Edit, copy, drop, put, swap
from medgauge_registrar.sandbox.material import CARD, DRAFT, FREEZE, NEW_PRICES, RESULT, TODAY, VOIDED
from support.cases import fails, passes
from support.situations import step_findings

FREEZE_NOTICE = f"notices/{TODAY}-example-handover-0-3-0.yaml"
SITE = f"notices/{TODAY}-methodology-0-2-0.yaml"
VOIDS = f"notices/{TODAY}-example-handover-void.yaml"
THIRD = "bm-example-handover@0.3.0"
METHOD = (RULE, raised("0.2.0", "Tasks weigh alike."))
Edits = tuple[Edit, ...]


# NCN-21 --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "edits",
    [
        passes("NCN-21", "of a freeze", FREEZE),
        passes("NCN-21", "of a freeze, as boards", (*FREEZE, swap(FREEZE_NOTICE, "scope: family", "scope: boards"))),
        passes("NCN-21", "of a freeze, for another reason", (*FREEZE, swap(FREEZE_NOTICE, "NCN-01", "NCN-07"))),
        passes(
            "NCN-21",
            "of a freeze, by its reference",
            (*FREEZE, swap(FREEZE_NOTICE, f"object: {DRAFT}", f"object: {THIRD}")),
        ),
        passes("NCN-21", "of the method", (*METHOD, SITE_NOTICE)),
        passes("NCN-21", "of an algorithm", (NEW_TEST, TEST_NOTICE)),
        passes("NCN-21", "of the text, for an algorithm that came with it", (*METHOD, NEW_TEST, SITE_NOTICE)),
        passes("NCN-21", "of a void", (VOID, VOID_NOTICE)),
        passes(
            "NCN-21",
            "of prices",
            (NEW_PRICES, notice("p", "NCN-12", "price-table@0.2.0", ("0.1.0", "0.2.0"), "boards", *BOARDS)),
        ),
        passes("NCN-21", "of nothing here", (notice("x", "NCN-01", BOARDS[1], ("0.1.0", "0.2.0"), "family", *BOARDS),)),
        passes("NCN-21", "no notice", (NEW_PRICES,)),
    ],
)
def test_notice_says_what_is_so(edits: Edits) -> None:
    """Cause, versions, reach, day and boards are those of the change."""
    assert step_findings(notice_coverage.wanting_notice, *edits) == []


@pytest.mark.parametrize(
    ("rule", "edits", "path", "words"),
    [
        fails(
            "NCN-21",
            "a board left out",
            (*FREEZE, swap(FREEZE_NOTICE, f"{BOARDS[0]}, ", "")),
            FREEZE_NOTICE,
            f"leaves out `{BOARDS[0]}`",
        ),
        fails(
            "NCN-21",
            "the new version left out",
            (*FREEZE, swap(FREEZE_NOTICE, f", {THIRD}]", "]")),
            FREEZE_NOTICE,
            f"leaves out `{THIRD}`",
        ),
        fails(
            "NCN-21",
            "another version before",
            (*FREEZE, swap(FREEZE_NOTICE, "from: 0.2.0", "from: 0.1.0")),
            FREEZE_NOTICE,
            "`from` is `0.1.0`",
        ),
        fails(
            "NCN-21",
            "another version after",
            (*FREEZE, swap(FREEZE_NOTICE, "to: 0.3.0", "to: 0.4.0")),
            FREEZE_NOTICE,
            "`to` is `0.4.0`",
        ),
        fails(
            "NCN-21",
            "too far a reach",
            (*FREEZE, swap(FREEZE_NOTICE, "scope: family", "scope: site-wide")),
            FREEZE_NOTICE,
            "`scope` is `site-wide`",
        ),
        fails(
            "NCN-21",
            "another rule",
            (*FREEZE, swap(FREEZE_NOTICE, "NCN-01", "NCN-09")),
            FREEZE_NOTICE,
            "`rule` is `NCN-09`",
        ),
        fails(
            "NCN-21",
            "too short a reach",
            (*METHOD, SITE_NOTICE, swap(SITE, "site-wide", "boards")),
            SITE,
            "expected `site-wide`",
        ),
        fails(
            "NCN-21",
            "a board of the site left out",
            (*METHOD, SITE_NOTICE, swap(SITE, f", {BOARDS[1]}", "")),
            SITE,
            f"leaves out `{BOARDS[1]}`",
        ),
        fails(
            "NCN-21",
            "a day before the void",
            (VOID, VOID_NOTICE, swap(VOIDED, f"date: {TODAY}", "date: 2026-12-01")),
            VOIDS,
            "before the change",
        ),
        fails(
            "NCN-21",
            "a void on another board",
            (VOID, VOID_NOTICE, swap(VOIDS, BOARDS[0], BOARDS[1])),
            VOIDS,
            f"leaves out `{BOARDS[0]}`",
        ),
        fails(
            "NCN-21",
            "an algorithm under another step",
            (NEW_TEST, TEST_NOTICE, swap(f"notices/{TODAY}-paired-test-0-2-0.yaml", "from: 0.1.0", "from: 0.0.1")),
            f"notices/{TODAY}-paired-test-0-2-0.yaml",
            "the version before the change is `0.1.0`",
        ),
    ],
)
def test_notice_says_otherwise(rule: str, edits: Edits, path: str, words: str) -> None:
    """What differs is told at its place, with what it should be."""
    (found,) = step_findings(notice_coverage.wanting_notice, *edits)
    assert (found.rule, found.severity, found.path) == (rule, Severity.ERROR, path)
    assert found.line is not None
    assert words in found.message


def test_every_notice_is_looked_at_once() -> None:
    """Two notices give the findings of both, each at its own file."""
    edits = (
        *METHOD,
        SITE_NOTICE,
        swap(SITE, f", {BOARDS[1]}", ""),
        VOID,
        VOID_NOTICE,
        swap(VOIDS, BOARDS[0], BOARDS[1]),
    )
    assert [found.path for found in step_findings(notice_coverage.wanting_notice, *edits)] == [VOIDS, SITE]


# NCN-22, NCN-23 ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "edits",
    [
        passes("NCN-22", "beside a freeze", FREEZE),
        passes("NCN-22", "beside another removal", (VOID, VOID_NOTICE, drop("README.md"))),
        passes("NCN-22", "a removal without a notice", (drop(RESULT),)),
    ],
)
def test_notice_beside_nothing_that_goes(edits: Edits) -> None:
    """A notice comes with changes, and never with the loss of figures."""
    assert step_findings(notice_coverage.notice_beside_deletion, *edits) == []


@pytest.mark.parametrize(
    ("rule", "gone"),
    [
        fails("NCN-22", f"beside the removal of {path}", path)
        for path in (
            RESULT,
            DRAFT,
            VOIDED,
            "registry/price-tables/0.1.0.yaml",
            "methodology/algorithms/intervals/0.1.0.yaml",
        )
    ],
)
def test_notice_beside_a_deletion(rule: str, gone: str) -> None:
    """Earlier figures, and what they rest on, stay."""
    (found,) = step_findings(notice_coverage.notice_beside_deletion, SITE_NOTICE, drop(gone))
    assert (found.rule, found.severity, found.path) == (rule, Severity.ERROR, SITE)
    assert gone in found.message


@pytest.mark.parametrize(
    "edits",
    [
        passes("NCN-23", "of a freeze", FREEZE),
        passes("NCN-23", "of the method", (*METHOD, SITE_NOTICE)),
        passes(
            "NCN-23",
            "of prices",
            (NEW_PRICES, notice("p", "NCN-12", "price-table@0.2.0", ("0.1.0", "0.2.0"), "boards", BOARDS[1])),
        ),
    ],
)
def test_notice_with_a_cause(edits: Edits) -> None:
    """What changes here calls for it, or may have it."""
    assert step_findings(notice_coverage.stray_notice, *edits) == []


@pytest.mark.parametrize(
    ("rule", "edits", "words"),
    [
        fails(
            "NCN-23",
            "of an old version",
            (notice("x", "NCN-01", BOARDS[1], ("0.1.0", "0.2.0"), "family", *BOARDS),),
            "nothing in this pull request",
        ),
        fails(
            "NCN-23",
            "of a result",
            (
                copy(RESULT, RESULT.replace("example-model-1", "example-model-2")),
                notice(
                    "x",
                    "NCN-20",
                    RESULT.replace("example-model-1", "example-model-2"),
                    ("0.1.0", "0.2.0"),
                    "boards",
                    BOARDS[1],
                ),
            ),
            "nothing in this pull request",
        ),
        fails(
            "NCN-23",
            "a board too many",
            (VOID, VOID_NOTICE, swap(VOIDS, f"[{BOARDS[0]}]", f"[{BOARDS[0]}, {BOARDS[1]}]")),
            f"names `{BOARDS[1]}`",
        ),
    ],
)
def test_notice_without_a_cause(rule: str, edits: Edits, words: str) -> None:
    """It is pointed out, and blocks nothing: a further notice may add to an earlier one."""
    (found,) = step_findings(notice_coverage.stray_notice, *edits)
    assert (found.rule, found.severity) == (rule, Severity.WARNING)
    assert words in found.message


# NCN-05, NCN-06 ------------------------------------------------------------------------------------------------------

APPLIED = swap(CARD, "reference_level_veto: not-applied", "reference_level_veto: applied")
OTHER_CHECK = swap(CARD, "The verdict on the item is `incomplete`.", "The verdict on the item is `complete`.")
OTHER_CARD = "registry/benchmarks/bm-clinical-temporal-audit/card.yaml"


@pytest.mark.parametrize(
    "edits",
    [
        passes("NCN-05", "beside a freeze", (*FREEZE, APPLIED)),
        passes("NCN-05", "turned off again", (swap(CARD, "not-applied", "not-applied # as before"),)),
        passes(
            "NCN-05",
            "of a family without a frozen version",
            (swap(OTHER_CARD, "reference_level_veto: not-applied", "reference_level_veto: applied"),),
        ),
    ],
)
def test_veto_comes_with_a_version(edits: Edits) -> None:
    """Where there is no frozen version, or one freezes, nothing is compared across the veto."""
    assert step_findings(notice_coverage.veto_without_new_version, *edits) == []


@pytest.mark.parametrize(("rule", "edits"), [fails("NCN-05", "alone", (APPLIED,))])
def test_veto_without_a_version(rule: str, edits: Edits) -> None:
    """Frozen versions were graded without it."""
    (found,) = step_findings(notice_coverage.veto_without_new_version, *edits)
    assert (found.rule, found.path, found.pointer) == (rule, CARD, "/scoring/reference_level_veto")


@pytest.mark.parametrize(
    "edits",
    [
        passes("NCN-06", "beside a freeze", (*FREEZE, OTHER_CHECK)),
        passes("NCN-06", "another field", (swap(CARD, "status: active", "status: retired"),)),
        passes(
            "NCN-06",
            "a further check",
            (
                swap(
                    CARD,
                    "checks:\n",
                    (
                        "checks:\n  - {condition: a, field: verdicts[].unit, rule: b, polarity: must, check_form: program, "
                        "veto: false, layer: capability, provenance: gr-example-dose@0.1.0}\n"
                    ),
                ),
            ),
        ),
    ],
)
def test_check_changes_with_a_version(edits: Edits) -> None:
    """A check may be added, and changes with the freeze that has it."""
    assert step_findings(notice_coverage.check_changed_without_new_version, *edits) == []


@pytest.mark.parametrize(("rule", "edits"), [fails("NCN-06", "alone", (OTHER_CHECK,))])
def test_check_changes_without_a_version(rule: str, edits: Edits) -> None:
    """Frozen versions were graded by the check as it was."""
    (found,) = step_findings(notice_coverage.check_changed_without_new_version, *edits)
    assert (found.rule, found.path, found.pointer) == (rule, CARD, "/checks")


# NCN-12, NCN-15 ------------------------------------------------------------------------------------------------------

SECOND_RESULT = RESULT.replace("example-model-1", "example-model-2")


@pytest.mark.parametrize(
    "edits", [passes("NCN-12", "the same table", (copy(RESULT, SECOND_RESULT),)), passes("NCN-12", "no result", ())]
)
def test_one_price_table(edits: Edits) -> None:
    """A board whose results rest on one table needs no note."""
    assert step_findings(notice_coverage.mixed_price_tables, *edits) == []


@pytest.mark.parametrize(
    ("rule", "edits"),
    [
        fails(
            "NCN-12",
            "another table",
            (copy(RESULT, SECOND_RESULT, ('"price_table": "0.1.0"', '"price_table": "0.2.0"')),),
        )
    ],
)
def test_two_price_tables(rule: str, edits: Edits) -> None:
    """A board that mixes them is told, and blocks nothing."""
    (found,) = step_findings(notice_coverage.mixed_price_tables, *edits)
    assert (found.rule, found.severity) == (rule, Severity.NOTICE)
    assert "`0.1.0` and `0.2.0`" in found.message


REDIRECTS = "registry/redirects.yaml"
NEW_CARD = "registry/benchmarks/bm-example-shift/card.yaml"
REDIRECT = put(REDIRECTS, f"redirects:\n  - {{old: bm-example-handover, new: bm-example-shift, date: {TODAY}}}\n")


def renamed(version: str) -> Edits:
    """The handover family under another name, its card of a version."""
    return (
        copy(
            CARD,
            NEW_CARD,
            ("id: bm-example-handover", "id: bm-example-shift"),
            ("version: 0.3.0", f"version: {version}"),
        ),
        REDIRECT,
    )


@pytest.mark.parametrize(
    "edits",
    [
        passes("NCN-15", "a higher card version", renamed("0.4.0")),
        passes("NCN-15", "a comment", (put(REDIRECTS, "# Nothing yet.\nredirects: []\n"),)),
    ],
)
def test_renamed_under_a_higher_version(edits: Edits) -> None:
    """The card goes on under another name and a higher version."""
    assert step_findings(notice_coverage.renamed_card_under_old_version, *edits) == []


@pytest.mark.parametrize(
    ("rule", "edits"), [fails("NCN-15", "the same", renamed("0.3.0")), fails("NCN-15", "lower", renamed("0.1.0"))]
)
def test_renamed_under_an_old_version(rule: str, edits: Edits) -> None:
    """A renamed card is a changed card."""
    (found,) = step_findings(notice_coverage.renamed_card_under_old_version, *edits)
    assert (found.rule, found.path, found.pointer) == (rule, REDIRECTS, "/redirects/0/new")


def test_a_redirect_that_stood_before_is_not_asked_again() -> None:
    """What is asked is asked of new entries."""
    more = swap(REDIRECTS, "redirects:\n", "redirects:\n  # A comment.\n")
    assert step_findings(notice_coverage.renamed_card_under_old_version, more, base=renamed("0.3.0")) == []
