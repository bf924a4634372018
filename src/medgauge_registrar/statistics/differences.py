"""Differences over the same tasks: env_delta, harness_delta, and the paired effect of a component."""

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction

from medgauge_registrar.statistics.exact import figure
from medgauge_registrar.statistics.figures import TaskRuns, may_pass, tasks_passed
from medgauge_registrar.statistics.values import RUNS_PER_TASK, Column, Counts, Difference, RunRow, Tally, WhyNot


class Part(StrEnum):
    """Which checkpoints of a run are looked at (section 10.1)."""

    ALL = "all"
    SCOPE = "scope"
    OUTSIDE = "outside"


def pass_pow_3_difference(first: Sequence[TaskRuns], second: Sequence[TaskRuns], digits: int) -> Difference:
    """
    Subtract two values of PASS^3 over the same tasks, `second` minus `first`.

    For env_delta the second environment is `second` and the site's is `first`; it is never a pass line. (harness_delta is a
    paired difference in pass rate: `paired_column`.)

    Raises:
        ValueError: The tasks are not the same.

    Source:
        Sections 10.6 and 25.5; the direction is inferred.
    """
    require_same_tasks(first, second)
    n = len(first)
    signed = Fraction(tasks_passed(second) - tasks_passed(first), n) if n else WhyNot.NO_TASKS
    absolute = abs(signed) if isinstance(signed, Fraction) else signed
    return Difference(signed=figure(signed, digits), absolute=figure(absolute, digits), n_tasks=n)


def paired_column(subject: Sequence[TaskRuns], control: Sequence[TaskRuns], part: Part = Part.ALL) -> Column:
    """
    Subtract pass rates task by task, `subject` minus `control`; their mean and its interval are the paired effect.

    Args:
        subject: Runs with the component, tasks in byte order.
        control: Runs without it, of the same tasks.
        part: The whole artifact, the component's declared scope, or what lies outside it. Tasks without a checkpoint
            in the part are left out, on both sides.

    Raises:
        ValueError: The tasks are not the same, or a row lacks the counts of a scope that is asked for.

    Source:
        Sections 10.1 and 10.2; never the difference of two separate intervals (scoring page).
    """
    require_same_tasks(subject, control)
    numerators = tuple(
        sum(passes_part(row, part) for row in with_it.runs) - sum(passes_part(row, part) for row in without.runs)
        for with_it, without in zip(subject, control, strict=True)
        if any(part_counts(row, part).total for row in with_it.runs + without.runs)
    )
    return Column(numerators=numerators, denominators=(RUNS_PER_TASK,) * len(numerators))


def passes_part(row: RunRow, part: Part) -> bool:
    """Whether a run passes every checkpoint of a part; veto, error and modified inputs fail every part."""
    counts = part_counts(row, part)
    return counts.counted == counts.total and may_pass(row)


def part_counts(row: RunRow, part: Part) -> Counts:
    """
    Checkpoints of a run that lie in a part.

    Raises:
        ValueError: The row carries no counts of the declared scope.
    """
    if part is Part.ALL:
        return Counts(counted=row.checkpoints_passed, total=row.m)
    scope = row.tallies.get(Tally.SCOPE)
    if scope is None:
        raise ValueError(f"{row.task} run {row.run} carries no counts of the declared scope")
    if part is Part.SCOPE:
        return scope
    return Counts(counted=row.checkpoints_passed - scope.counted, total=row.m - scope.total)


def require_same_tasks(first: Sequence[TaskRuns], second: Sequence[TaskRuns]) -> None:
    """
    Refuse to compare different task sets.

    Raises:
        ValueError: Names up to three of the task versions that only one side has.
    """
    odd = sorted({task.task for task in first} ^ {task.task for task in second})
    if odd:
        more = f" and {len(odd) - 3} more" if len(odd) > 3 else ""
        raise ValueError(f"only one side has {', '.join(odd[:3])}{more}; a comparison needs the same tasks")
