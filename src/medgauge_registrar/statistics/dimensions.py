"""The dimensions that rest on counts of the run rows: M3, M5, M6, M7, M8 and M10, one subset at a time."""

from collections.abc import Sequence
from fractions import Fraction

from medgauge_registrar.statistics import figures
from medgauge_registrar.statistics.efficiency import Efficiency, efficiency
from medgauge_registrar.statistics.exact import figure
from medgauge_registrar.statistics.figures import TaskRuns, passes
from medgauge_registrar.statistics.values import (
    RUNS_PER_TASK,
    Column,
    Counts,
    Difference,
    Figure,
    Quantity,
    Tally,
    WhyNot,
)

RATIO_QUANTITIES = (Quantity.STEPS, Quantity.TOKENS)
"""Quantities that are compared with the reference solution."""

SPENT_QUANTITIES = (Quantity.TOKENS, Quantity.ACTIONS, Quantity.SECONDS)
"""Quantities that stand in for money where no amount applies."""


def cost_per_success(tasks: Sequence[TaskRuns], digits: int) -> dict[str, Figure]:
    """Publish, by unit (`money`, `tokens`, `actions`, `seconds`), what all runs spent for one passing run."""
    runs = figures.all_runs(tasks)
    passing = sum(task.passing for task in tasks)
    spent = {"money": figures.total_amount(runs)} | {
        quantity.value: figures.total_spent(runs, quantity) for quantity in SPENT_QUANTITIES
    }
    return {
        unit: figure(figures.per_success(total, passing) if tasks else WhyNot.NO_TASKS, digits)
        for unit, total in spent.items()
    }


def tally_columns(tasks: Sequence[TaskRuns]) -> dict[Tally, Column | WhyNot]:
    """Gather every tally but the scope, over all runs."""
    carried = {tally for task in tasks for row in task.runs for tally in row.tallies}
    absent = WhyNot.NO_COUNTS if tasks else WhyNot.NO_TASKS
    return {
        tally: _column([[row.tallies.get(tally) for row in task.runs] for task in tasks])
        if tally in carried
        else absent
        for tally in Tally
        if tally is not Tally.SCOPE
    }


def recall_columns(tasks: Sequence[TaskRuns]) -> dict[str, Column | WhyNot]:
    """Gather seeded defects found among those present, by class, over all runs; classes in alphabetical order."""
    names = sorted({name for task in tasks for row in task.runs for name in row.recall_by_type})
    return {name: _column([[row.recall_by_type.get(name) for row in task.runs] for task in tasks]) for name in names}


def redundancy_column(tasks: Sequence[TaskRuns]) -> Column | WhyNot:
    """Gather actions beyond the required set among actions, over passing runs of the tasks that have such a set."""
    with_set = [[row for row in task.runs if row.required_actions is not None] for task in tasks]
    passing = [[row for row in rows if passes(row)] for rows in with_set]
    if any(with_set) and not any(passing):
        return WhyNot.NO_PASSING_RUN
    if any(Quantity.ACTIONS not in row.spent for rows in passing for row in rows):
        return WhyNot.COUNTS_INCOMPLETE
    counts = [[(row.spent[Quantity.ACTIONS], row.required_actions or 0) for row in rows] for rows in passing]
    return _column([[Counts(counted=actions - required, total=actions) for actions, required in t] for t in counts])


def _column(counts: Sequence[Sequence[Counts | None]]) -> Column | WhyNot:
    """
    Add up the counts of each task; tasks with nothing to count have no say.

    For each task `counts` has one entry a run, null where the run carries none.
    """
    present = [[count for count in task if count is not None] for task in counts]
    if not any(present):
        return WhyNot.NO_COUNTS if present else WhyNot.NO_TASKS
    sums = [(sum(count.counted for count in task), sum(count.total for count in task)) for task in present]
    counted = [(over, under) for over, under in sums if under]
    if not counted:
        return WhyNot.NOTHING_COUNTED
    return Column(numerators=tuple(over for over, _ in counted), denominators=tuple(under for _, under in counted))


def efficiency_of(tasks: Sequence[TaskRuns], quantity: Quantity, digits: int) -> Efficiency:
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


def robustness_gap(tasks: Sequence[TaskRuns], digits: int) -> Difference:
    """Publish the pass rate of base tasks minus that of their variants; both kinds must be there."""
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
