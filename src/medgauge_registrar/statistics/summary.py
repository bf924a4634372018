"""From the run rows of one result to every figure of each of its subsets."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm

from medgauge_registrar.statistics import dimensions, figures
from medgauge_registrar.statistics.algorithms import Intervals, Pins, RowOrder, algorithm, pinned_intervals
from medgauge_registrar.statistics.efficiency import Efficiency
from medgauge_registrar.statistics.exact import exact_decimal, figure, ratio
from medgauge_registrar.statistics.explain import faults
from medgauge_registrar.statistics.figures import TaskRuns
from medgauge_registrar.statistics.values import (
    RUNS_PER_TASK,
    Attribution,
    Column,
    Difference,
    Estimate,
    Exam,
    Figure,
    Quantity,
    RunRow,
    Share,
    Subset,
    Tally,
    UnfitRowsError,
    WhyNot,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class SubsetSummary:
    """
    Every figure of one subset of one result (section 14.1).

    Attributes:
        subset: Which subset.
        n_tasks: Tasks behind the figures, voided ones excluded.
        voided: Voided task versions that were left out.
        exam: Outcome; without a task there is none.
        claimable_lower_bound: Bound of a passed exam.
        pass_at_3: Share of tasks with a passing run.
        pass_pow_3: Share of tasks whose three runs pass.
        instability: Share of tasks whose runs disagree.
        task_pass_rate: Mean of the pass rates of tasks.
        s: Mean of the continuous scores of tasks.
        errors_by_attribution: Errored runs among all runs, every attribution named.
        veto_rate_by_category: Runs with a veto of the category among all runs, categories in alphabetical order.
        cost_per_success: By unit (`money`, `tokens`, `actions`, `seconds`): all runs spent this for one passing run.
        efficiency: By quantity: ratios to the reference solution, over passing runs.
        redundancy: Actions beyond the required set among actions, over passing runs.
        rates: By tally (compliance among them): what is counted among all, over all runs.
        recall_by_type: Seeded defects found among those present, by class.
        robustness_gap: Pass rate of base tasks minus that of their variants.
    """

    subset: Subset
    n_tasks: int
    voided: tuple[str, ...]
    exam: Exam
    claimable_lower_bound: Figure
    pass_at_3: Estimate
    pass_pow_3: Estimate
    instability: Estimate
    task_pass_rate: Estimate
    s: Estimate
    errors_by_attribution: tuple[Share, ...]
    veto_rate_by_category: tuple[Share, ...]
    cost_per_success: dict[str, Figure]
    efficiency: dict[Quantity, Efficiency]
    redundancy: Estimate
    rates: dict[Tally, Estimate]
    recall_by_type: dict[str, Estimate]
    robustness_gap: Difference


@dataclass(frozen=True, kw_only=True, slots=True)
class ResultSummary:
    """
    Every figure of one result that its rows decide.

    Attributes:
        subsets: Summaries of the subsets that have a row, in the order dev, holdout, calibration; never pooled.
        veto_hits: Veto hits over all runs by constraint.
        assertion_veto_hits: The part that comes from grading references.
        failure_attribution: Failures by cause; null unless every failed run carries its counts.
        amount: Sum of all amounts, exact.
    """

    subsets: tuple[SubsetSummary, ...]
    veto_hits: dict[str, int]
    assertion_veto_hits: dict[str, int]
    failure_attribution: dict[str, int] | None
    amount: Figure


def summarise(
    rows: Sequence[RunRow],
    *,
    pins: Pins,
    voided: frozenset[str] = frozenset(),
    veto_categories: Sequence[str] = (),
) -> ResultSummary:
    """
    Compute every figure of a result, the figures of each subset apart.

    Args:
        rows: All run rows of the result.
        pins: What its benchmark version pins.
        voided: Task versions that count for no figure.
        veto_categories: Categories of the benchmark card; they are reported even when nothing hit them.

    Raises:
        UnfitRowsError: The rows break a rule without which no figure means anything.
        UnknownAlgorithmError: A pin cannot be followed.
    """
    tasks = figures.by_task(rows)
    found = faults(tasks)
    if found:
        raise UnfitRowsError(found)
    return summarise_tasks(tasks, pins=pins, voided=voided, veto_categories=veto_categories)


def summarise_tasks(
    all_tasks: Sequence[TaskRuns],
    *,
    pins: Pins,
    voided: frozenset[str] = frozenset(),
    veto_categories: Sequence[str] = (),
) -> ResultSummary:
    """
    Do what `summarise` promises for tasks in which `faults` has found nothing.

    Raises:
        UnknownAlgorithmError: A pin cannot be followed.
    """
    intervals = pinned_intervals(pins)
    order = algorithm(pins.row_order, RowOrder)
    tasks = [task for task in all_tasks if task.task not in voided]
    counted = figures.all_runs(tasks)
    total = figures.total_amount(counted) if counted else WhyNot.NO_TASKS
    return ResultSummary(
        subsets=tuple(
            _subset(
                subset,
                [task for task in tasks if task.subset is subset],
                tuple(task.task for task in all_tasks if task.subset is subset and task.task in voided),
                intervals=intervals,
                order=order,
                seed=pins.seed,
                veto_categories=veto_categories,
            )
            for subset in Subset
            if any(task.subset is subset for task in all_tasks)
        ),
        veto_hits=figures.veto_hits(counted),
        assertion_veto_hits=figures.assertion_veto_hits(counted),
        failure_attribution=figures.failure_attribution(counted),
        amount=(
            Figure(value=None, why_not=total)
            if isinstance(total, WhyNot)
            else Figure(value=exact_decimal(total), why_not=None)
        ),
    )


def _subset(
    subset: Subset,
    tasks: Sequence[TaskRuns],
    voided: tuple[str, ...],
    *,
    intervals: Intervals,
    order: RowOrder,
    seed: int,
    veto_categories: Sequence[str],
) -> SubsetSummary:
    """Compute the figures of one subset from the tasks that count."""
    runs = figures.all_runs(tasks)
    errors = Counter(row.error.attribution for row in runs if row.error is not None)
    vetoes = Counter(category for row in runs for category in row.veto_categories)
    n = len(tasks)
    exam = exam_outcome(tasks)
    rates, recalls = dimensions.tally_columns(tasks), dimensions.recall_columns(tasks)
    estimates = iter(
        _estimates(
            [
                pass_column(tasks),
                score_column(tasks),
                dimensions.redundancy_column(tasks),
                *rates.values(),
                *recalls.values(),
            ],
            intervals,
            seed,
        )
    )
    return SubsetSummary(
        subset=subset,
        n_tasks=n,
        voided=voided,
        exam=exam,
        claimable_lower_bound=exam_bound(exam, n, intervals),
        pass_at_3=intervals.proportion(figures.tasks_passed_once(tasks), n),
        pass_pow_3=intervals.proportion(figures.tasks_passed(tasks), n),
        instability=intervals.proportion(figures.tasks_unstable(tasks), n),
        task_pass_rate=next(estimates),
        s=next(estimates),
        redundancy=next(estimates),
        rates={tally: next(estimates) for tally in rates},
        recall_by_type={name: next(estimates) for name in recalls},
        errors_by_attribution=tuple(
            _share(attribution, errors[attribution], len(runs), intervals.digits) for attribution in Attribution
        ),
        veto_rate_by_category=tuple(
            _share(category, vetoes[category], len(runs), intervals.digits)
            for category in sorted({*veto_categories, *vetoes})
        ),
        cost_per_success=dimensions.cost_per_success(tasks, order.cost_digits),
        efficiency={
            quantity: dimensions.efficiency_of(tasks, quantity, intervals.digits)
            for quantity in dimensions.RATIO_QUANTITIES
        },
        robustness_gap=dimensions.robustness_gap(tasks, intervals.digits),
    )


def exam_bound(exam: Exam, n: int, intervals: Intervals) -> Figure:
    """Publish the claimable lower bound of a passed exam over n tasks, otherwise why there is none."""
    if exam is Exam.PASSED:
        return intervals.claimable_lower_bound(n)
    return figure(WhyNot.NOT_PASSED if n else WhyNot.NO_TASKS, intervals.digits)


def _estimates(columns: Sequence[Column | WhyNot], intervals: Intervals, seed: int) -> list[Estimate]:
    """Publish every column with its interval, all in one call so that they share their draws, or why there is none."""
    published = iter(intervals.rates([column for column in columns if isinstance(column, Column)], seed))
    estimates = []
    for column in columns:
        if isinstance(column, Column):
            estimates.append(next(published))
        else:
            nothing = figure(column, intervals.digits)
            estimates.append(Estimate(value=nothing, low=nothing, high=nothing))
    return estimates


def exam_outcome(tasks: Sequence[TaskRuns]) -> Exam:
    """Passed if every run of every task passes, which no run with a veto does (section 8.3)."""
    if not tasks:
        return Exam.NOT_APPLICABLE
    return Exam.PASSED if figures.tasks_passed(tasks) == len(tasks) else Exam.NOT_PASSED


def pass_column(tasks: Sequence[TaskRuns]) -> Column:
    """Pass rates P(t) as whole numbers over one denominator."""
    return Column(numerators=tuple(task.passing for task in tasks), denominators=(RUNS_PER_TASK,) * len(tasks))


def score_column(tasks: Sequence[TaskRuns]) -> Column:
    """Continuous scores S(t) as whole numbers over one denominator: three times the least common multiple of all m."""
    common = lcm(*(task.m for task in tasks))
    return Column(
        numerators=tuple(task.counted_checkpoints * (common // task.m) for task in tasks),
        denominators=(RUNS_PER_TASK * common,) * len(tasks),
    )


def _share(name: str, count: int, of: int, digits: int) -> Share:
    """Count, denominator and quotient."""
    return Share(name=name, count=count, of=of, rate=ratio(count, of, digits))
