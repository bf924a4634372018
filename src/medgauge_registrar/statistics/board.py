"""From the results of one benchmark version to its holdout board: letters, order and marks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from medgauge_registrar.statistics import figures
from medgauge_registrar.statistics.algorithms import (
    LetterDisplay,
    PairedTest,
    Pins,
    RowOrder,
    algorithm,
    pinned_intervals,
)
from medgauge_registrar.statistics.differences import require_same_tasks
from medgauge_registrar.statistics.exact import figure
from medgauge_registrar.statistics.explain import faults
from medgauge_registrar.statistics.figures import TaskRuns
from medgauge_registrar.statistics.paired_test_0_1_0 import Pair
from medgauge_registrar.statistics.row_order_0_1_0 import Place
from medgauge_registrar.statistics.summary import exam_bound, exam_outcome
from medgauge_registrar.statistics.values import (
    RUNS_PER_TASK,
    Estimate,
    Exam,
    Figure,
    RunRow,
    Subset,
    UnfitRowsError,
    WhyNot,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class BoardResult:
    """
    One result that may stand on the board.

    Attributes:
        id: Id of the result.
        rows: Its run rows; those of other subsets are set aside.
        price_table: Version of the price table behind its amounts; null where amounts do not apply.
        component_run: Whether the subject has a component; its effect is read from a pair, not from a board.
    """

    id: str
    rows: tuple[RunRow, ...]
    price_table: str | None = None
    component_run: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class BoardRow:
    """
    One row of the board.

    Attributes:
        position: Place from the top, from 1.
        id: Id of the result.
        letters: Group letters.
        pass_pow_3: Share of tasks passed in all three runs, with its interval.
        exam: Outcome of the holdout subset.
        claimable_lower_bound: Bound of a passed exam.
        cost_per_success: Amount over all runs by passing run.
        vetoed: Whether any run carries a veto; such a row is marked and keeps its place.
    """

    position: int
    id: str
    letters: tuple[str, ...]
    pass_pow_3: Estimate
    exam: Exam
    claimable_lower_bound: Figure
    cost_per_success: Figure
    vetoed: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Board:
    """
    The holdout board of one benchmark version.

    Attributes:
        n_tasks: Tasks that every row is computed on.
        rows: Rows from the top.
        pairs: Comparison of every pair; indices are places in `compared`.
        compared: Ids in primary order, in which pairs and letters were computed.
        left_out: Results without a row, as (id, reason), by id.
    """

    n_tasks: int
    rows: tuple[BoardRow, ...]
    pairs: tuple[Pair, ...]
    compared: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]


def board(results: Sequence[BoardResult], *, pins: Pins, voided: frozenset[str] = frozenset()) -> Board:
    """
    Build the board of one benchmark version.

    Args:
        results: Results of this version, in any order, ids distinct.
        pins: What the version pins.
        voided: Every task version voided to date; it counts for nobody.

    Raises:
        UnfitRowsError: The rows of a result break a rule without which no figure means anything.
        UnknownAlgorithmError: A pin cannot be followed.
        ValueError: Two results share an id, or two rows do not cover the same tasks.
    """
    ids = [result.id for result in results]
    if len(set(ids)) < len(ids):
        raise ValueError(f"result ids are not distinct: {', '.join(sorted({i for i in ids if ids.count(i) > 1}))}")
    tasks: dict[str, tuple[TaskRuns, ...]] = {}
    left_out = []
    for result in results:
        all_tasks = figures.by_task(result.rows)
        found = faults(all_tasks)
        if found:
            raise UnfitRowsError(found, result.id)
        own = tuple(task for task in all_tasks if task.subset is Subset.HOLDOUT and task.task not in voided)
        if result.component_run:
            left_out.append((result.id, "component-run"))
        elif not own:
            left_out.append((result.id, "no-holdout-tasks"))
        else:
            tasks[result.id] = own
    first = next(iter(tasks.values()), ())
    for other in tasks.values():
        require_same_tasks(first, other)
    tables = {result.id: result.price_table for result in results}
    order = algorithm(pins.row_order, RowOrder)
    places = order.primary([_place(id_, own, tables[id_]) for id_, own in tasks.items()])
    pairs = algorithm(pins.paired_test, PairedTest).compare([_bits(tasks[place.id]) for place in places], len(first))
    letters = algorithm(pins.letter_display, LetterDisplay).letters(
        len(places), [(pair.first, pair.second) for pair in pairs if pair.different]
    )
    lettered = [replace(place, letters=own) for place, own in zip(places, letters, strict=True)]
    return Board(
        n_tasks=len(first),
        rows=tuple(
            _row(position, place, tasks[place.id], pins) for position, place in enumerate(order.by_cost(lettered), 1)
        ),
        pairs=pairs,
        compared=tuple(place.id for place in places),
        left_out=tuple(sorted(left_out)),
    )


def _cost(tasks: Sequence[TaskRuns]) -> Fraction | WhyNot:
    """Cost per success of a row."""
    return figures.per_success(figures.total_amount(figures.all_runs(tasks)), sum(task.passing for task in tasks))


def _place(id_: str, tasks: Sequence[TaskRuns], price_table: str | None) -> Place:
    """What the order looks at, before letters are given."""
    cost = _cost(tasks)
    return Place(
        id=id_,
        pass_pow_3=Fraction(figures.tasks_passed(tasks), len(tasks)),
        cost=None if isinstance(cost, WhyNot) else cost,
        price_table=price_table,
    )


def _bits(tasks: Sequence[TaskRuns]) -> int:
    """The passed tasks of a row, one bit a task; all rows cover the same tasks in the same order."""
    return sum(1 << index for index, task in enumerate(tasks) if task.passing == RUNS_PER_TASK)


def _row(position: int, place: Place, tasks: Sequence[TaskRuns], pins: Pins) -> BoardRow:
    """One row with its figures and marks."""
    intervals = pinned_intervals(pins)
    exam = exam_outcome(tasks)
    return BoardRow(
        position=position,
        id=place.id,
        letters=place.letters,
        pass_pow_3=intervals.proportion(figures.tasks_passed(tasks), len(tasks)),
        exam=exam,
        claimable_lower_bound=exam_bound(exam, len(tasks), intervals),
        cost_per_success=figure(_cost(tasks), algorithm(pins.row_order, RowOrder).cost_digits),
        vetoed=any(row.veto_categories for row in figures.all_runs(tasks)),
    )
