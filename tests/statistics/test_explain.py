"""Faults of rows, and reasons for figures."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import pytest

from medgauge_registrar.statistics import explain
from medgauge_registrar.statistics.explain import IN_WORDS, explain_exam, explain_run, initiative_errors
from medgauge_registrar.statistics.figures import by_task
from medgauge_registrar.statistics.values import (
    Attribution,
    Counts,
    Quantity,
    Reason,
    RunError,
    RunRow,
    Subset,
    Tally,
    WhyNot,
)

Row = Callable[..., RunRow]
Rows = Callable[..., tuple[RunRow, ...]]
ERROR = RunError(kind="time-out", attribution=Attribution.ENVIRONMENT)


def faults(rows: Sequence[RunRow]) -> tuple[Reason, ...]:
    """Faults of rows in any order."""
    return explain.faults(by_task(rows))


RULE_OF = {
    "m-out-of-range": "RESULT-04",
    "passed-out-of-range": "RESULT-04",
    "passed-without-artifact": "RESULT-04",
    "no-artifact-no-error": "RESULT-04",
    "modified-without-veto": "RESULT-04",
    "veto-category-twice": "RESULT-19",
    "hits-without-category": "RESULT-20",
    "amount-out-of-range": "RESULT-25",
    "count-out-of-range": "RESULT-42",
    "scope-out-of-range": "RESULT-26",
    "number-out-of-range": "RESULT-42",
    "subset-differs": "RESULT-06",
    "m-differs": "RESULT-05",
    "spent-differs": "RESULT-42",
    "tallies-differ": "RESULT-42",
    "totals-differ": "RESULT-42",
    "defects-differ": "RESULT-42",
    "reference-differs": "RESULT-42",
    "required-actions-differ": "RESULT-42",
    "variant-differs": "RESULT-42",
    "veto-zeroes-score": "RESULT-02",
    "score": "RESULT-02",
    "veto-fails-run": "RESULT-03",
    "error-fails-run": "RESULT-03",
    "modified-inputs-fail-run": "RESULT-03",
    "missed-checkpoints-fail-run": "RESULT-03",
    "run-passes": "RESULT-03",
    "run-not-passed": "RESULT-11",
    "initiative-error-not-voided": "RESULT-18",
}
"""The rule that each code stands for."""


def rules_fit(reasons: Sequence[Reason]) -> bool:
    """Whether every reason names the rule of its code."""
    return bool(reasons) and all(reason.rule == RULE_OF[reason.code] for reason in reasons)


def test_good_rows_have_no_fault(row: Row, rows: Rows) -> None:
    """Vetoes, errors, missing artifacts and every kind of count are no faults in themselves."""
    full = tuple(
        row(
            9,
            run,
            passed=0,
            artifact_exists=False,
            inputs_modified=True,
            veto_categories=("inputs-modified", "unsafe-advice"),
            unsafe_advice_vetoes={"X.2": 1},
            reference_vetoes={"X.1": 0},
            error=ERROR,
            amount=Decimal("0.000000000001") if run == 1 else Decimal("0.00"),
            tallies={Tally.PRECISION: Counts(counted=0, total=run), Tally.SCOPE: Counts(counted=0, total=2)},
            recall_by_type={"example-class": Counts(counted=0, total=2)},
            spent={Quantity.STEPS: 0},
            reference={Quantity.STEPS: 1},
            required_actions=0,
            failures={"other": 0},
        )
        for run in (1, 2, 3)
    )
    assert faults(rows([0, 1, 2, 3]) + full) == ()
    assert faults(rows([3], m=1, amount=Decimal("1E+12"))) == ()
    assert faults(rows([3], m=1000, tallies={Tally.SCOPE: Counts(counted=400, total=400)})) == ()
    assert faults(()) == ()


@pytest.mark.parametrize(
    ("others", "code", "text"),
    [
        ({"m": 0, "passed": 0}, "m-out-of-range", "m is 0; expected 1 to 1000"),
        ({"m": 1_001, "passed": 0}, "m-out-of-range", "m is 1001; expected 1 to 1000"),
        ({"passed": 5}, "passed-out-of-range", "5 of 4 checkpoints passed"),
        ({"passed": -1}, "passed-out-of-range", "-1 of 4 checkpoints passed"),
        (
            {"artifact_exists": False, "error": ERROR},
            "passed-without-artifact",
            "4 checkpoints passed without an artifact",
        ),
        (
            {"artifact_exists": False, "passed": 0},
            "no-artifact-no-error",
            "there is no artifact and no error is recorded",
        ),
        ({"inputs_modified": True}, "modified-without-veto", "inputs were modified and no veto is recorded"),
        ({"veto_categories": ("a", "a")}, "veto-category-twice", "veto categories are `a`, `a`; each is named once"),
        (
            {"reference_vetoes": {"X.1": 1}},
            "hits-without-category",
            "hits are counted under `reference-level`, which is no category here",
        ),
        (
            {"unsafe_advice_vetoes": {"X.1": 0, "X.2": 1}, "veto_categories": ("a",)},
            "hits-without-category",
            "hits are counted under `unsafe-advice`, which is no category here",
        ),
        *(
            (
                {"amount": Decimal(amount)},
                "amount-out-of-range",
                f"the amount is {amount}; expected 0 to 1000000000000 with up to 12 places",
            )
            for amount in ("-0.01", "NaN", "Infinity", "1000000000000.01", "1E+13", "1E-13")
        ),
        ({"tallies": {Tally.RECALL: Counts(counted=3, total=2)}}, "count-out-of-range", "`recall` counts 3 of 2"),
        ({"tallies": {Tally.RECALL: Counts(counted=-1, total=2)}}, "count-out-of-range", "`recall` counts -1 of 2"),
        ({"recall_by_type": {"x": Counts(counted=3, total=2)}}, "count-out-of-range", "`x` counts 3 of 2"),
        (
            {"tallies": {Tally.SCOPE: Counts(counted=1, total=2)}},
            "scope-out-of-range",
            "1 of 2 checkpoints in scope do not fit 4 of 4 in all",
        ),
        (
            {"passed": 1, "tallies": {Tally.SCOPE: Counts(counted=2, total=2)}},
            "scope-out-of-range",
            "2 of 2 checkpoints in scope do not fit 1 of 4 in all",
        ),
        ({"spent": {Quantity.STEPS: -1}}, "number-out-of-range", "`steps` is -1; expected 0 or more"),
        (
            {"reference": {Quantity.STEPS: 0}},
            "number-out-of-range",
            "`steps` of the reference is 0; expected 1 or more",
        ),
        (
            {"reference_vetoes": {"X.1": -1}, "veto_categories": ("reference-level",)},
            "number-out-of-range",
            "`X.1` is -1; expected 0 or more",
        ),
        (
            {"unsafe_advice_vetoes": {"X.1": -1}, "veto_categories": ("unsafe-advice",)},
            "number-out-of-range",
            "`X.1` is -1; expected 0 or more",
        ),
        ({"failures": {"format": -1}}, "number-out-of-range", "`format` is -1; expected 0 or more"),
        ({"required_actions": -1}, "number-out-of-range", "`required_actions` is -1; expected 0 or more"),
    ],
)
def test_faults_of_a_row(row: Row, others: dict[str, Any], code: str, text: str) -> None:
    """Each fault is found in every run that has it, by its own code, and says what was seen."""
    found = faults([row(1, run, **others) for run in (1, 2, 3)])
    assert [(reason.code, reason.task, reason.run, reason.text) for reason in found] == [
        (code, "tk-000000000001@0.1.0", run, f"tk-000000000001@0.1.0 run {run}: {text}") for run in (1, 2, 3)
    ]
    assert rules_fit(found)


@pytest.mark.parametrize(
    ("numbers", "seen"), [((1, 2), "`1`, `2`"), ((1, 2, 3, 4), "`4`"), ((1, 2, 2), "`2`, `2`"), ((1, 2, 4), "`4`")]
)
def test_three_runs_exactly(row: Row, numbers: tuple[int, ...], seen: str) -> None:
    """A missing run, a fourth, a repeated and a misnumbered one."""
    (found,) = faults([row(1, number) for number in numbers])
    assert (found.rule, found.code, found.run) == ("RESULT-01", "runs-not-three", None)
    assert seen in found.text


@pytest.mark.parametrize(
    ("others", "code", "shown"),
    [
        ({"subset": Subset.DEV}, "subset-differs", "the subset is `dev`, in run 1 it is `holdout`"),
        ({"m": 5}, "m-differs", "m is `5`, in run 1 it is `4`"),
        ({"spent": {}}, "spent-differs", "the set of quantities is none, in run 1 it is `steps`"),
        (
            {"tallies": {Tally.RECALL: Counts(counted=1, total=2)}},
            "tallies-differ",
            "the set of counts is `recall`, in run 1 it is `precision`, `recall`",
        ),
        (
            {"tallies": {Tally.RECALL: Counts(counted=0, total=3), Tally.PRECISION: Counts(counted=0, total=0)}},
            "totals-differ",
            "is `recall: 3`, in run 1 it is `recall: 2`",
        ),
        ({"recall_by_type": {}}, "defects-differ", "is none, in run 1 it is `x: 1`"),
        ({"reference": {Quantity.STEPS: 8}}, "reference-differs", "is `steps: 8`, in run 1 it is `steps: 9`"),
        ({"required_actions": 3}, "required-actions-differ", "is `3`, in run 1 it is `2`"),
        ({"variant": None}, "variant-differs", "is `None`, in run 1 it is `False`"),
    ],
)
def test_what_belongs_to_the_task_is_the_same_in_every_run(
    row: Row, others: dict[str, Any], code: str, shown: str
) -> None:
    """One run that differs is named; how much a run reports is its own affair."""
    base = {
        "tallies": {Tally.RECALL: Counts(counted=1, total=2), Tally.PRECISION: Counts(counted=1, total=7)},
        "recall_by_type": {"x": Counts(counted=0, total=1)},
        "spent": {Quantity.STEPS: 3},
        "reference": {Quantity.STEPS: 9},
        "required_actions": 2,
        "variant": False,
    }
    for run in (2, 3):
        (found,) = faults([row(1, other, **base | (others if other == run else {})) for other in (1, 2, 3)])
        assert (found.code, found.task, found.run) == (code, "tk-000000000001@0.1.0", run)
        assert rules_fit([found])
        assert shown in found.text


def test_faults_come_in_order(row: Row) -> None:
    """By task, then run, whatever the order of the rows."""
    found = faults([row(2, 1, m=0, passed=0), row(1, 3, passed=9), row(1, 1), row(1, 2)])
    assert [(r.task, r.run, r.code) for r in found] == [
        ("tk-000000000001@0.1.0", 3, "passed-out-of-range"),
        ("tk-000000000002@0.1.0", None, "runs-not-three"),
        ("tk-000000000002@0.1.0", 1, "m-out-of-range"),
    ]


def test_a_veto_explains_a_score_of_zero(row: Row) -> None:
    """The reasons of one run, in words."""
    reasons = explain_run(row(7, 2, passed=3, veto_categories=("unsafe-advice",)))
    assert reasons[0].text == "tk-000000000007@0.1.0 run 2 carries a veto (`unsafe-advice`), so s is 0"
    assert reasons[1].text == "tk-000000000007@0.1.0 run 2 carries a veto, so it fails"
    assert [r.code for r in reasons] == ["veto-zeroes-score", "veto-fails-run", "missed-checkpoints-fail-run"]
    assert rules_fit(reasons)
    assert {(reason.task, reason.run) for reason in reasons} == {("tk-000000000007@0.1.0", 2)}


def test_every_cause_of_a_failed_run_is_named(row: Row) -> None:
    """Error, modified inputs, missed checkpoints; and a passing run says so."""
    reasons = explain_run(row(passed=3, error=ERROR, inputs_modified=True))
    assert [r.code for r in reasons] == [
        "score",
        "error-fails-run",
        "modified-inputs-fail-run",
        "missed-checkpoints-fail-run",
    ]
    assert rules_fit(reasons)
    assert rules_fit(explain_run(row()))
    assert "3 of 4" in reasons[0].text
    assert "`time-out`, attributed to `environment`" in reasons[1].text
    assert reasons[2].text == "tk-000000000001@0.1.0 run 1 modified its inputs, so it fails"
    assert "misses 1 of 4" in reasons[3].text
    assert [r.code for r in explain_run(row())] == ["score", "run-passes"]


def test_runs_that_keep_an_exam_from_being_passed(rows: Rows) -> None:
    """Each is named; a passed exam has none."""
    found = explain_exam(by_task(rows([3, 1])))
    assert [(r.task, r.run) for r in found] == [("tk-000000000002@0.1.0", 2), ("tk-000000000002@0.1.0", 3)]
    assert found[0].text == "tk-000000000002@0.1.0 run 2 does not pass, so the exam is not passed"
    assert rules_fit(found)
    assert explain_exam(by_task(rows([3, 3]))) == explain_exam(()) == ()


def test_an_error_of_the_initiative_voids_its_task(row: Row) -> None:
    """Named unless the task version is voided; an error of the subject is not."""
    ours = row(1, 2, error=ERROR)
    theirs = row(2, 2, error=RunError(kind="network", attribution=Attribution.SERVICE_PROVIDER))
    (found,) = initiative_errors([ours, theirs], frozenset())
    assert (found.task, found.run, found.code) == (ours.task, 2, "initiative-error-not-voided")
    assert found.text == (
        "tk-000000000001@0.1.0 run 2 carries an error attributed to `environment`; "
        "the task version has to be voided for every subject"
    )
    assert rules_fit([found])
    assert initiative_errors([ours, theirs], frozenset({ours.task})) == ()


def test_every_reason_has_words() -> None:
    """No reason is left unexplained, and no two read the same."""
    assert set(IN_WORDS) == set(WhyNot)
    assert len(set(IN_WORDS.values())) == len(WhyNot)
