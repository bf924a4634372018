"""Figures that come out only if errored runs are left aside, which is never allowed (RED-11)."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from medgauge_registrar.checks.fields import mapping
from medgauge_registrar.checks.framework import Problem
from medgauge_registrar.model.document import Json
from medgauge_registrar.statistics import figures
from medgauge_registrar.statistics.exact import rounded
from medgauge_registrar.statistics.figures import TaskRuns, counted_checkpoints, passes
from medgauge_registrar.statistics.values import RUNS_PER_TASK, RunRow

_RATES = ("errors_by_attribution", "veto_rate_by_category")


def dropped_errors(
    stored: Mapping[str, Json], tasks: Sequence[TaskRuns], subset: str, digits: int
) -> Iterator[Problem]:
    """
    Find figures of one subset that equal what its runs without an error would give, and not what all runs give.

    Args:
        stored: Fields of the record.
        tasks: Counted tasks of the subset.
        subset: Its name.
        digits: Decimal places of a published figure.
    """
    errored = sum(row.error is not None for row in figures.all_runs(tasks))
    if not errored:
        return
    own = mapping(mapping(stored.get("subsets")).get(subset))
    for name, right, without in _shares(tasks):
        value = mapping(own.get(name)).get("value")
        if _is(value, without, digits) and not _is(value, right, digits):
            yield _problem(f"/subsets/{subset}/{name}/value", errored)
    if own.get("n_tasks") == len(_untouched(tasks)) != len(tasks):
        yield _problem(f"/subsets/{subset}/n_tasks", errored)
    runs = RUNS_PER_TASK * len(tasks)
    for group in _RATES:
        for name, share in mapping(own.get(group)).items():
            count, rate = mapping(share).get("count"), mapping(share).get("rate")
            if not isinstance(count, int) or isinstance(count, bool) or runs == errored:
                continue
            if _is(rate, [Fraction(count, runs - errored)], digits) and not _is(rate, [Fraction(count, runs)], digits):
                yield _problem(f"/subsets/{subset}/{group}/{name}/rate", errored)
    cost = mapping(mapping(mapping(mapping(stored.get("dimensions")).get("M3")).get(subset)).get("cost_per_success"))
    if cost.get("unit") == "money":
        right, without = _cost(tasks, errored=True), _cost(tasks, errored=False)
        if _is(cost.get("value"), without, digits) and not _is(cost.get("value"), right, digits):
            yield _problem(f"/dimensions/M3/{subset}/cost_per_success/value", errored)


def _problem(pointer: str, errored: int) -> Problem:
    return Problem(
        message=f"the figure comes out only if the errored runs of the subset ({errored}) are left aside",
        help="An errored run is a failed run; count it in numerator and denominator.",
        pointer=pointer,
    )


def _shares(tasks: Sequence[TaskRuns]) -> Iterator[tuple[str, list[Fraction], list[Fraction]]]:
    """Name, right value and values without errored runs of the shares and means of a subset."""
    n, kept = len(tasks), _untouched(tasks)
    left = [(task, [row for row in task.runs if row.error is None]) for task in tasks]
    left = [(task, rows) for task, rows in left if rows]
    runs = [row for _, rows in left for row in rows]
    all_left = sum(all(map(passes, rows)) for _, rows in left)
    yield (
        "pass_pow_3",
        [Fraction(figures.tasks_passed(tasks), n)],
        [Fraction(all_left, n), *_over(all_left, len(left)), *_over(figures.tasks_passed(kept), len(kept))],
    )
    yield (
        "pass_at_3",
        [Fraction(figures.tasks_passed_once(tasks), n)],
        [
            *_over(figures.tasks_passed_once([task for task, _ in left]), len(left)),
            *_over(figures.tasks_passed_once(kept), len(kept)),
        ],
    )
    yield (
        "task_pass_rate",
        [Fraction(sum(task.passing for task in tasks), RUNS_PER_TASK * n)],
        [
            *_over(sum(map(passes, runs)), len(runs)),
            *_over(sum(Fraction(sum(map(passes, rows)), len(rows)) for _, rows in left), len(left)),
            *_over(sum(task.passing for task in kept), RUNS_PER_TASK * len(kept)),
        ],
    )
    yield (
        "s",
        [Fraction(sum(_scores(task.runs) for task in tasks), RUNS_PER_TASK * n)],
        [
            *_over(sum(_scores([row]) for row in runs), len(runs)),
            *_over(sum(Fraction(_scores(rows), len(rows)) for _, rows in left), len(left)),
            *_over(sum(_scores(task.runs) for task in kept), RUNS_PER_TASK * len(kept)),
        ],
    )


def _untouched(tasks: Sequence[TaskRuns]) -> list[TaskRuns]:
    """Tasks without an errored run."""
    return [task for task in tasks if all(row.error is None for row in task.runs)]


def _scores(rows: Sequence[RunRow]) -> Fraction:
    return sum((Fraction(counted_checkpoints(row), row.m) for row in rows), Fraction(0))


def _cost(tasks: Sequence[TaskRuns], *, errored: bool) -> list[Fraction]:
    rows = [row for row in figures.all_runs(tasks) if errored or row.error is None]
    spent = figures.per_success(figures.total_amount(rows), sum(task.passing for task in tasks))
    return [spent] if isinstance(spent, Fraction) else []


def _over(count: Fraction | int, of: int) -> list[Fraction]:
    return [Fraction(count) / of] if of else []


def _is(value: Json, candidates: Sequence[Fraction], digits: int) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return False
    return any(rounded(candidate, digits) == value for candidate in candidates)
