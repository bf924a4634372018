"""Every figure of a result from its rows."""

import random
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pytest

from medgauge_registrar.statistics.algorithms import Pins, UnknownAlgorithmError
from medgauge_registrar.statistics.intervals_0_1_0 import proportion
from medgauge_registrar.statistics.summary import ResultSummary, SubsetSummary, summarise
from medgauge_registrar.statistics.values import (
    Attribution,
    Counts,
    Exam,
    Quantity,
    Reason,
    RunError,
    RunRow,
    Subset,
    Tally,
    UnfitRowsError,
    WhyNot,
)

Row = Callable[..., RunRow]
Rows = Callable[..., tuple[RunRow, ...]]


def only(summary: ResultSummary) -> SubsetSummary:
    """The one subset there is."""
    (subset,) = summary.subsets
    return subset


def test_figures_of_a_small_subset(rows: Rows, pins: Pins) -> None:
    """Four tasks with 3, 2, 0 and 3 passing runs out of m = 4; failing runs miss one checkpoint."""
    found = only(summarise(rows([3, 2, 0, 3]), pins=pins))
    assert (found.subset, found.n_tasks, found.exam) == (Subset.HOLDOUT, 4, Exam.NOT_PASSED)
    assert found.claimable_lower_bound.why_not is WhyNot.NOT_PASSED
    assert found.pass_at_3 == proportion(3, 4)
    assert found.pass_pow_3 == proportion(2, 4)
    assert found.instability == proportion(1, 4)
    assert str(found.task_pass_rate.value.value) == "0.666667"
    assert str(found.s.value.value) == "0.916667"  # (12 + 11 + 9 + 12) / 48
    assert found.task_pass_rate.low.value is not None
    assert found.task_pass_rate.low.value < found.task_pass_rate.value.value < found.task_pass_rate.high.value


def test_scores_of_tasks_with_unequal_checkpoints(rows: Rows, pins: Pins) -> None:
    """Each task weighs the same, however many checkpoints it has."""
    large = tuple(replace(r, task="tk-x@0.1.0", m=10, checkpoints_passed=r.run) for r in rows([3]))
    found = only(summarise((*rows([1], m=4), *large), pins=pins))
    assert str(found.s.value.value) == "0.516667"  # (10 / 12 + 6 / 30) / 2
    assert (str(found.s.low.value), str(found.s.high.value)) == ("0.200000", "0.833333")


@pytest.mark.parametrize(("seed", "low", "high"), [(7, "0.425000", "0.811172"), (20261129, "0.428388", "0.815934")])
def test_intervals_follow_the_pinned_seed(row: Row, pins: Pins, seed: int, low: str, high: str) -> None:
    """Scores of 13 tasks whose ends were found by a plain program: 17/40 and 4429/5460, 2339/5460 and 297/364."""
    scores = (840, 795, 610, 423, 91, 0, 777, 812, 388, 701, 655, 140, 840)  # of 3 times 280 checkpoints
    spread = [(score // 3, (score + 1) // 3, (score + 2) // 3) for score in scores]
    runs = [row(i, j, passed, m=280) for i, task in enumerate(spread, 1) for j, passed in enumerate(task, 1)]
    found = only(summarise(runs, pins=replace(pins, seed=seed))).s
    assert (str(found.low.value), str(found.high.value)) == (low, high)


def test_a_passed_exam(rows: Rows, pins: Pins) -> None:
    """The bound of its number of tasks; means without spread have no interval."""
    found = only(summarise(rows([3] * 29), pins=pins))
    assert found.exam is Exam.PASSED
    assert str(found.claimable_lower_bound.value) == "0.901855"
    assert str(found.pass_pow_3.low.value) == "0.880555"
    assert found.s.low.why_not is found.task_pass_rate.high.why_not is WhyNot.ALL_TASKS_EQUAL
    assert str(found.s.value.value) == "1.000000"


def test_one_veto_keeps_an_exam_from_being_passed(rows: Rows, row: Row, pins: Pins) -> None:
    """All checkpoints passed, and yet not passed; the score of that run is 0."""
    vetoed = row(9, 3, veto_categories=("unsafe-advice",))
    found = only(summarise((*rows([3]), row(9, 1), row(9, 2), vetoed), pins=pins))
    assert found.exam is Exam.NOT_PASSED
    assert str(found.s.value.value) == "0.833333"
    assert [(v.name, v.count, v.of, str(v.rate.value)) for v in found.veto_rate_by_category] == [
        ("unsafe-advice", 1, 6, "0.166667")
    ]


def test_nothing_passes_and_one_task_alone(rows: Rows, pins: Pins) -> None:
    """Zeros where zeros are true, reasons where nothing can be computed."""
    none = only(summarise(rows([0, 0], amount=Decimal("1.50")), pins=pins))
    assert str(none.pass_at_3.value.value) == "0.000000"
    assert str(none.pass_at_3.low.value) == "0.000000"
    assert none.cost_per_success["money"].why_not is WhyNot.NO_PASSING_RUN
    assert none.efficiency[Quantity.STEPS].median.why_not is WhyNot.NO_PASSING_RUN
    single = only(summarise(rows([2]), pins=pins))
    assert single.s.low.why_not is WhyNot.ALL_TASKS_EQUAL
    assert single.pass_pow_3 == proportion(0, 1)


def test_subsets_are_never_pooled(rows: Rows, pins: Pins) -> None:
    """Each has the figures it would have alone; the others change nothing."""
    holdout = rows([3, 1, 0, 2])
    dev = tuple(replace(r, subset=Subset.DEV, task=f"dev-{r.task}") for r in rows([0, 3, 2], m=7))
    calibration = tuple(replace(r, subset=Subset.CALIBRATION, task=f"cal-{r.task}") for r in rows([3]))
    together = summarise(calibration + holdout + dev, pins=pins)
    assert [s.subset for s in together.subsets] == [Subset.DEV, Subset.HOLDOUT, Subset.CALIBRATION]
    for own, part in zip((dev, holdout, calibration), together.subsets, strict=True):
        assert only(summarise(own, pins=pins)) == part


def test_the_order_of_rows_never_matters(rows: Rows, pins: Pins) -> None:
    """Shuffled rows, the same summary."""
    plain = rows([3, 1, 0, 2, 3, 3, 1], amount=Decimal("0.07"), tallies={Tally.COMPLIANCE: Counts(counted=1, total=3)})
    shuffled = list(plain)
    random.Random(4).shuffle(shuffled)
    assert summarise(shuffled, pins=pins) == summarise(plain, pins=pins)


def test_a_voided_task_leaves_every_figure(rows: Rows, row: Row, pins: Pins) -> None:
    """As if its rows were not there; it is named; a subset with nothing left says so."""
    gone = tuple(
        row("tk-gone@0.1.0", r, passed=0, amount=Decimal(9), veto_categories=("unsafe-advice",)) for r in (1, 2, 3)
    )
    plain = rows([3, 3, 1], amount=Decimal(1))
    voided = frozenset({"tk-gone@0.1.0", "tk-never-run@0.1.0"})
    found = summarise(plain + gone, pins=pins, voided=voided)
    assert found.amount.value == Decimal(9)
    assert found.veto_hits == {}
    assert replace(only(found), voided=()) == only(summarise(plain, pins=pins))
    assert only(found).voided == ("tk-gone@0.1.0",)
    nothing = summarise(gone, pins=pins, voided=voided)
    empty = only(nothing)
    assert (empty.n_tasks, empty.exam) == (0, Exam.NOT_APPLICABLE)
    assert {
        empty.claimable_lower_bound.why_not,
        empty.pass_pow_3.value.why_not,
        empty.s.value.why_not,
        empty.s.low.why_not,
        empty.errors_by_attribution[0].rate.why_not,
        empty.cost_per_success["money"].why_not,
        empty.rates[Tally.COMPLIANCE].value.why_not,
        empty.rates[Tally.COMPLIANCE].low.why_not,
        empty.rates[Tally.COMPLIANCE].high.why_not,
        empty.redundancy.value.why_not,
        empty.efficiency[Quantity.STEPS].median.why_not,
        nothing.amount.why_not,
    } == {WhyNot.NO_TASKS}


def test_no_rows_at_all(pins: Pins) -> None:
    """No subset, no amount, no hits."""
    found = summarise((), pins=pins)
    assert (found.subsets, found.amount.why_not, found.veto_hits) == ((), WhyNot.NO_TASKS, {})


def test_errors_stay_in_every_denominator(rows: Rows, pins: Pins) -> None:
    """An errored run is one of 3n runs, counted by attribution, zeros written out, failed though complete."""
    plain = list(rows([3, 3]))
    plain[1] = replace(plain[1], error=RunError(kind="network", attribution=Attribution.SERVICE_PROVIDER))
    found = only(summarise(plain, pins=pins))
    assert str(found.task_pass_rate.value.value) == "0.833333"
    assert str(found.s.value.value) == "1.000000"
    assert [(e.name, e.count, e.of) for e in found.errors_by_attribution] == [
        ("model", 0, 6),
        ("agent", 0, 6),
        ("harness", 0, 6),
        ("application", 0, 6),
        ("service-provider", 1, 6),
        ("task", 0, 6),
        ("environment", 0, 6),
    ]
    assert str(found.errors_by_attribution[4].rate.value) == "0.166667"


def test_veto_categories_of_the_card_are_always_reported(rows: Rows, pins: Pins) -> None:
    """Zeros written out, alphabetical, each apart."""
    plain = list(rows([3, 3]))
    plain[0] = replace(plain[0], veto_categories=("unsafe-advice", "fabricated-evidence"))
    plain[4] = replace(plain[4], veto_categories=("fabricated-evidence",))
    found = only(summarise(plain, pins=pins, veto_categories=["unsafe-advice", "corrected-value"]))
    assert [(v.name, v.count) for v in found.veto_rate_by_category] == [
        ("corrected-value", 0),
        ("fabricated-evidence", 2),
        ("unsafe-advice", 1),
    ]


def test_hits_and_failures_of_the_whole_result(rows: Rows, pins: Pins) -> None:
    """Added up over all subsets; what grading references hit is a part of all hits."""
    hit = {"veto_categories": ("reference-level", "unsafe-advice"), "failures": {"other": 2}}
    holdout = rows([0], reference_vetoes={"X.7": 1}, unsafe_advice_vetoes={"X.2": 1, "X.7": 1}, **hit)
    dev = tuple(replace(r, subset=Subset.DEV, task=f"dev-{r.task}") for r in holdout)
    found = summarise(holdout + dev, pins=pins)
    assert found.veto_hits == {"X.2": 6, "X.7": 12}
    assert found.assertion_veto_hits == {"X.7": 6}
    assert found.failure_attribution == {"other": 12}


def test_amounts(rows: Rows, pins: Pins) -> None:
    """Total exact; cost per success over all runs; none and incomplete told apart."""
    paid = summarise(rows([3, 1], amount=Decimal("0.10")), pins=pins)
    assert str(paid.amount.value) == "0.6"
    assert str(only(paid).cost_per_success["money"].value) == "0.150000"
    free = summarise(rows([3, 1]), pins=pins)
    assert free.amount.why_not is WhyNot.NO_AMOUNTS
    assert only(free).cost_per_success["money"].why_not is WhyNot.NO_AMOUNTS
    mixed = summarise((*rows([3], amount=Decimal(1)), *(replace(r, task="tk-x@0.1.0") for r in rows([3]))), pins=pins)
    assert mixed.amount.why_not is WhyNot.AMOUNTS_INCOMPLETE


def test_rates_of_counts(rows: Rows, pins: Pins) -> None:
    """Sums over all runs; a task without anything to count has no say; without counts a reason."""
    first = rows(
        [3, 0], tallies={Tally.PRECISION: Counts(counted=1, total=4), Tally.RECALL: Counts(counted=0, total=0)}
    )
    second = tuple(
        replace(r, task="tk-x@0.1.0", tallies={Tally.PRECISION: Counts(counted=3, total=3)}) for r in rows([3])
    )
    third = tuple(
        replace(r, task="tk-y@0.1.0", tallies={Tally.PRECISION: Counts(counted=0, total=0)}) for r in rows([3])
    )
    rates = only(summarise(first + second + third, pins=pins)).rates
    assert str(rates[Tally.PRECISION].value.value) == "0.454545"  # (3 + 3 + 9) / 33
    assert rates[Tally.PRECISION] == only(summarise(first + second, pins=pins)).rates[Tally.PRECISION]
    assert rates[Tally.PRECISION].low.value is not None
    assert rates[Tally.RECALL].value.why_not is WhyNot.NOTHING_COUNTED
    assert rates[Tally.COMPLIANCE].value.why_not is WhyNot.NO_COUNTS
    assert Tally.SCOPE not in rates


def test_recall_by_class(rows: Rows, pins: Pins) -> None:
    """One rate a class, over the tasks that hold it."""
    mixed = tuple(
        replace(
            r, recall_by_type={"b": Counts(counted=1, total=2)} | ({"a": Counts(counted=0, total=1)} if one else {})
        )
        for r in rows([3, 3])
        for one in [r.task.endswith("1@0.1.0")]
    )
    found = only(summarise(mixed, pins=pins)).recall_by_type
    assert [(name, str(e.value.value)) for name, e in found.items()] == [("a", "0.000000"), ("b", "0.500000")]


def test_efficiency_looks_at_passing_runs_alone(rows: Rows, pins: Pins) -> None:
    """Failed runs, however short, do not enter; a passing run without counts leaves the summary out."""
    plain = tuple(
        replace(
            r, spent={Quantity.STEPS: 10 * r.run if r.checkpoints_passed == 4 else 1}, reference={Quantity.STEPS: 10}
        )
        for r in rows([3, 2])
    )
    steps = only(summarise(plain, pins=pins)).efficiency[Quantity.STEPS]
    assert (steps.n_runs, str(steps.median.value), str(steps.geometric_mean.value)) == (5, "2.000000", "1.643752")
    bare = (*plain, *(replace(r, task="tk-x@0.1.0") for r in rows([3])))
    incomplete = only(summarise(bare, pins=pins))
    half = tuple(replace(r, reference={}) for r in plain)
    assert only(summarise(half, pins=pins)).efficiency[Quantity.STEPS].median.why_not is WhyNot.NO_COUNTS
    assert incomplete.efficiency[Quantity.STEPS].median.why_not is WhyNot.COUNTS_INCOMPLETE
    assert incomplete.efficiency[Quantity.TOKENS].median.why_not is WhyNot.NO_COUNTS


def test_redundancy(rows: Rows, pins: Pins) -> None:
    """Actions beyond the required set among actions of passing runs."""

    def with_actions(passing: list[int]) -> tuple[RunRow, ...]:
        return tuple(replace(r, required_actions=6, spent={Quantity.ACTIONS: 7 + r.run}) for r in rows(passing))

    found = only(summarise(with_actions([3, 2]), pins=pins))
    assert str(found.redundancy.value.value) == "0.318182"  # (2 + 3 + 4 + 2 + 3) / (8 + 9 + 10 + 8 + 9)
    assert str(found.cost_per_success["actions"].value) == "10.800000"
    bare_minimum = tuple(replace(r, required_actions=0) for r in with_actions([3]))
    assert str(only(summarise(bare_minimum, pins=pins)).redundancy.value.value) == "1.000000"
    none = only(summarise(with_actions([0]), pins=pins))
    assert none.redundancy.value.why_not is WhyNot.NO_PASSING_RUN
    bare = only(summarise(rows([3], required_actions=2), pins=pins))
    assert bare.redundancy.value.why_not is WhyNot.COUNTS_INCOMPLETE
    assert only(summarise(rows([3]), pins=pins)).redundancy.value.why_not is WhyNot.NO_COUNTS


def test_robustness_gap(rows: Rows, pins: Pins) -> None:
    """Base minus variants; tasks without variants have no say; one kind alone is no gap."""
    base, variants = rows([3, 2], variant=False), rows([0, 1, 1], variant=True)
    renamed = tuple(replace(r, task=f"var-{r.task}") for r in variants)
    others = tuple(replace(r, task=f"oth-{r.task}") for r in rows([0, 0]))
    gap = only(summarise(base + renamed + others, pins=pins)).robustness_gap
    assert (str(gap.signed.value), str(gap.absolute.value), gap.n_tasks) == ("0.611111", "0.611111", 5)
    turned = only(
        summarise(rows([0], variant=False) + tuple(replace(r, task="v") for r in rows([3], variant=True)), pins=pins)
    )
    assert (str(turned.robustness_gap.signed.value), turned.robustness_gap.absolute.value) == (
        "-1.000000",
        1,
    )
    assert only(summarise(base, pins=pins)).robustness_gap.signed.why_not is WhyNot.NO_COUNTS


def test_an_unrelated_task_leaves_the_others_counts(rows: Rows, pins: Pins) -> None:
    """One more passed task moves the shares by exactly one task and no count of the others."""
    before = only(summarise(rows([3, 1, 0]), pins=pins))
    after = only(summarise((*rows([3, 1, 0]), *(replace(r, task="tk-z@0.1.0") for r in rows([3]))), pins=pins))
    assert after.pass_pow_3 == proportion(2, 4)
    assert after.instability == proportion(1, 4)
    assert (before.n_tasks, after.n_tasks) == (3, 4)


def test_unfit_rows_give_no_figure(row: Row, pins: Pins) -> None:
    """All faults are carried, the first few are shown."""
    with pytest.raises(UnfitRowsError) as caught:
        summarise([row(task, 1) for task in range(8)], pins=pins)
    assert len(caught.value.reasons) == 8
    assert str(caught.value).endswith("; …")


@pytest.mark.parametrize(
    ("count", "result", "text"),
    [
        (1, None, "fault 1"),
        (1, "res-a", "res-a: fault 1"),
        (5, None, "fault 1; fault 2; fault 3; fault 4; fault 5"),
        (6, "res-a", "res-a: fault 1; fault 2; fault 3; fault 4; fault 5; …"),
    ],
)
def test_five_faults_are_shown(count: int, result: str | None, text: str) -> None:
    """More are hinted at; the result is named where several are read."""
    reasons = tuple(Reason(rule="RESULT-04", code="example", text=f"fault {i}") for i in range(1, count + 1))
    assert str(UnfitRowsError(reasons, result)) == text


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        (
            {"intervals": "intervals@0.2.0"},
            "`intervals@0.2.0` is no published algorithm here; published are `intervals@0.1.0`",
        ),
        ({"intervals": "paired-test@0.1.0"}, "`paired-test@0.1.0` is no published"),
        ({"row_order": "row-order@9.0.0"}, "published are `row-order@0.1.0`"),
        (
            {"quantile_rule": "hyndman-fan-7"},
            "`quantile_rule` is `hyndman-fan-7`; `intervals@0.1.0` fixes `hyndman-fan-1`",
        ),
        ({"resamples": 20_000}, "`resamples` is `20000`; `intervals@0.1.0` fixes `10000`"),
    ],
)
def test_pins_that_cannot_be_followed(rows: Rows, pins: Pins, change: dict[str, object], shown: str) -> None:
    """An unknown version, an algorithm for something else, or parameters that are not the algorithm's own."""
    with pytest.raises(UnknownAlgorithmError, match=shown):
        summarise(rows([3]), pins=replace(pins, **change))
