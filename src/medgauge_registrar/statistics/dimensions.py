"""The dimensions that rest on counts of the run rows: M3, M5, M6, M7, M8 and M10, one subset at a time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from medgauge_registrar.statistics import figures
from medgauge_registrar.statistics.algorithms import Intervals
from medgauge_registrar.statistics.efficiency import Efficiency, efficiency
from medgauge_registrar.statistics.exact import figure
from medgauge_registrar.statistics.figures import TaskRuns, passes
from medgauge_registrar.statistics.values import (
    RUNS_PER_TASK,
    Column,
    Counts,
    Difference,
    Estimate,
    Figure,
    Quantity,
    Tally,
    WhyNot,
)

RATIO_QUANTITIES = (Quantity.STEPS, Quantity.TOKENS)
"""Quantities that are compared with the reference solution."""

SPENT_QUANTITIES = (Quantity.TOKENS, Quantity.ACTIONS, Quantity.SECONDS)
"""Quantities that stand in for money where no amount applies."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DimensionFigures:
    """
    Figures of one subset beside completion and stability; whether a dimension applies is for the card to say.

    Attributes:
        cost_per_success: By unit (`money`, `tokens`, `actions`, `seconds`): all runs spent this for one passing run.
        efficiency: By quantity: ratios to the reference solution, over passing runs.
        redundancy: Actions beyond the required set among actions, over passing runs.
        rates: By tally: what is counted among all, over all runs.
        recall_by_type: Seeded defects found among those present, by class.
        robustness_gap: Pass rate of base tasks minus that of their variants.
    """

    cost_per_success: dict[str, Figure]
    efficiency: dict[Quantity, Efficiency]
    redundancy: Estimate
    rates: dict[Tally, Estimate]
    recall_by_type: dict[str, Estimate]
    robustness_gap: Difference


def dimension_figures(
    tasks: Sequence[TaskRuns], intervals: Intervals, *, seed: int, cost_digits: int
) -> DimensionFigures:
    """Compute every figure of these dimensions that the rows support; the others say why not."""
    runs = figures.all_runs(tasks)
    passing = sum(task.passing for task in tasks)
    spent = {"money": figures.total_amount(runs)} | {
        quantity.value: figures.total_spent(runs, quantity) for quantity in SPENT_QUANTITIES
    }
    classes = sorted({name for row in runs for name in row.recall_by_type})
    return DimensionFigures(
        cost_per_success={
            unit: figure(figures.per_success(total, passing) if tasks else WhyNot.NO_TASKS, cost_digits)
            for unit, total in spent.items()
        },
        efficiency={quantity: _efficiency(tasks, quantity, intervals.digits) for quantity in RATIO_QUANTITIES},
        redundancy=_redundancy(tasks, intervals, seed),
        rates={
            tally: _rate([[row.tallies.get(tally) for row in task.runs] for task in tasks], intervals, seed)
            for tally in Tally
            if tally is not Tally.SCOPE
        },
        recall_by_type={
            name: _rate([[row.recall_by_type.get(name) for row in task.runs] for task in tasks], intervals, seed)
            for name in classes
        },
        robustness_gap=_robustness_gap(tasks, intervals.digits),
    )


def _rate(counts: Iterable[Iterable[Counts | None]], intervals: Intervals, seed: int) -> Estimate:
    """
    Publish what is counted among all, summed over runs; tasks with nothing to count have no say.

    For each task `counts` has one entry a run, null where the run carries none.
    """
    present = [[count for count in task if count is not None] for task in counts]
    sums = [(sum(count.counted for count in task), sum(count.total for count in task)) for task in present]
    if not any(present):
        return _nothing(WhyNot.NO_COUNTS if present else WhyNot.NO_TASKS, intervals.digits)
    counted = [(over, under) for over, under in sums if under]
    if not counted:
        return _nothing(WhyNot.NOTHING_COUNTED, intervals.digits)
    column = Column(numerators=tuple(over for over, _ in counted), denominators=tuple(under for _, under in counted))
    return intervals.rates([column], seed)[0]


def _redundancy(tasks: Sequence[TaskRuns], intervals: Intervals, seed: int) -> Estimate:
    """Publish actions beyond the required set among actions, over passing runs of the tasks that have such a set."""
    with_set = [[row for row in task.runs if row.required_actions is not None] for task in tasks]
    passing = [[row for row in rows if passes(row)] for rows in with_set]
    if any(with_set) and not any(passing):
        return _nothing(WhyNot.NO_PASSING_RUN, intervals.digits)
    if any(Quantity.ACTIONS not in row.spent for rows in passing for row in rows):
        return _nothing(WhyNot.COUNTS_INCOMPLETE, intervals.digits)
    counts = [[(row.spent[Quantity.ACTIONS], row.required_actions or 0) for row in rows] for rows in passing]
    return _rate(
        [[Counts(counted=actions - required, total=actions) for actions, required in task] for task in counts],
        intervals,
        seed,
    )


def _efficiency(tasks: Sequence[TaskRuns], quantity: Quantity, digits: int) -> Efficiency:
    """Summarise the ratios of passing runs; a passing run without its counts leaves the summary out."""
    passing = [row for row in figures.all_runs(tasks) if passes(row)]
    ratios = [
        Fraction(row.spent[quantity], row.reference[quantity])
        for row in passing
        if quantity in row.spent and quantity in row.reference
    ]
    if not passing:
        return efficiency(WhyNot.NO_PASSING_RUN if tasks else WhyNot.NO_TASKS, digits)
    if len(ratios) < len(passing):
        return efficiency(WhyNot.COUNTS_INCOMPLETE if ratios else WhyNot.NO_COUNTS, digits)
    return efficiency(ratios, digits)


def _robustness_gap(tasks: Sequence[TaskRuns], digits: int) -> Difference:
    """Pass rate of base tasks minus that of variants; both kinds must be there."""
    base = [task for task in tasks if task.runs[0].variant is False]
    variants = [task for task in tasks if task.runs[0].variant is True]
    gap: Fraction | WhyNot = WhyNot.NO_COUNTS
    if base and variants:
        gap = _mean_pass_rate(base) - _mean_pass_rate(variants)
    return Difference(
        signed=figure(gap, digits),
        absolute=figure(gap if isinstance(gap, WhyNot) else abs(gap), digits),
        n_tasks=len(base) + len(variants),
    )


def _mean_pass_rate(tasks: Sequence[TaskRuns]) -> Fraction:
    """Mean of P(t)."""
    return Fraction(sum(task.passing for task in tasks), RUNS_PER_TASK * len(tasks))


def _nothing(why_not: WhyNot, digits: int) -> Estimate:
    """An estimate without value or interval."""
    none = figure(why_not, digits)
    return Estimate(value=none, low=none, high=none)
