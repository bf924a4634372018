"""The holdout board: letters, order, marks."""

import itertools
import random
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pytest

from medgauge_registrar.statistics.algorithms import Pins, UnknownAlgorithmError
from medgauge_registrar.statistics.board import BoardResult, board
from medgauge_registrar.statistics.intervals_0_1_0 import proportion
from medgauge_registrar.statistics.values import Exam, RunRow, Subset, UnfitRowsError, WhyNot

Rows = Callable[..., tuple[RunRow, ...]]


def result(
    rows: Rows, id_: str, passing: list[int], cost: str | None = None, table: str | None = "1.0.0"
) -> BoardResult:
    amount = None if cost is None else Decimal(cost)
    return BoardResult(id=id_, rows=rows(passing, amount=amount), price_table=table if cost else None)


def test_order_letters_and_marks(rows: Rows, pins: Pins) -> None:
    """Twelve tasks: two good rows of one class ordered by cost, one far below with letters of its own."""
    good, better, bad = [3] * 10 + [0] * 2, [3] * 11 + [0], [0] * 12
    found = board(
        [
            result(rows, "res-c", bad, "0.10"),
            result(rows, "res-a", better, "0.90"),
            result(rows, "res-b", good, "0.20"),
        ],
        pins=pins,
    )
    assert [(r.position, r.id, r.letters) for r in found.rows] == [
        (1, "res-b", ("a",)),
        (2, "res-a", ("a",)),
        (3, "res-c", ("b",)),
    ]
    assert found.compared == ("res-a", "res-b", "res-c")
    assert found.n_tasks == 12
    assert [(p.first_only, p.second_only) for p in found.pairs] == [(1, 0), (11, 0), (10, 0)]
    assert found.rows[1].pass_pow_3 == proportion(11, 12)
    assert str(found.rows[0].cost_per_success.value) == "0.240000"
    assert found.rows[2].cost_per_success.why_not is WhyNot.NO_PASSING_RUN
    assert {r.exam for r in found.rows} == {Exam.NOT_PASSED}
    assert found.rows[0].claimable_lower_bound.why_not is WhyNot.NOT_PASSED


def test_a_passed_row_carries_its_bound(rows: Rows, pins: Pins) -> None:
    """One subject on a board: one letter, no pair."""
    found = board([result(rows, "res-a", [3] * 10)], pins=pins)
    assert found.pairs == ()
    assert found.rows[0].letters == ("a",)
    assert found.rows[0].exam is Exam.PASSED
    assert str(found.rows[0].claimable_lower_bound.value) == "0.741134"
    assert found.rows[0].cost_per_success.why_not is WhyNot.NO_AMOUNTS


def test_a_veto_marks_the_row_and_does_not_move_it(rows: Rows, pins: Pins) -> None:
    """Equal PASS^3: order by id with or without a veto on a run that failed anyway."""
    plain = result(rows, "res-a", [3, 2])
    vetoed = replace(plain, rows=(*plain.rows[:5], replace(plain.rows[5], veto_categories=("unsafe-advice",))))
    for first in (plain, vetoed):
        found = board([result(rows, "res-b", [3, 1]), first], pins=pins)
        assert [r.id for r in found.rows] == ["res-a", "res-b"]
        assert [r.vetoed for r in found.rows] == [first is vetoed, False]


def test_price_tables_that_differ_are_not_compared(rows: Rows, pins: Pins) -> None:
    """The cheaper row stays below when its amounts stand on another table."""
    dear, cheap = result(rows, "res-a", [3, 3, 2], "9"), result(rows, "res-b", [3, 3, 2], "1")
    assert [r.id for r in board([dear, cheap], pins=pins).rows] == ["res-b", "res-a"]
    other = replace(cheap, price_table="2.0.0")
    assert [r.id for r in board([dear, other], pins=pins).rows] == ["res-a", "res-b"]


def test_a_row_without_a_passing_run_keeps_its_place(rows: Rows, pins: Pins) -> None:
    """It has no cost per success, so the rows around it exchange places without it."""
    results = [
        result(rows, "res-a", [3, 0, 0, 0], "9"),
        result(rows, "res-b", [0, 0, 0, 0], "1"),
        result(rows, "res-c", [1, 0, 0, 0], "1"),
        result(rows, "res-d", [2, 0, 0, 0], "1"),
    ]
    # By PASS^3 and id: a, b, c, d. Costs per success: a 36, c 12, d 6; b has none.
    assert [r.id for r in board(results, pins=pins).rows] == ["res-d", "res-b", "res-c", "res-a"]


def test_results_without_a_row(rows: Rows, pins: Pins) -> None:
    """Component runs and results without holdout tasks are left out, with the reason; dev rows do not count."""
    dev = tuple(replace(r, subset=Subset.DEV) for r in rows([3, 3]))
    found = board(
        [
            BoardResult(id="res-z", rows=dev),
            BoardResult(id="res-c", rows=rows([3, 3]), component_run=True),
            BoardResult(id="res-a", rows=rows([3, 3]) + tuple(replace(r, task=f"d-{r.task}") for r in dev)),
        ],
        pins=pins,
    )
    assert [r.id for r in found.rows] == ["res-a"]
    assert found.n_tasks == 2
    assert found.left_out == (("res-c", "component-run"), ("res-z", "no-holdout-tasks"))


def test_a_voided_task_counts_for_nobody(rows: Rows, pins: Pins) -> None:
    """It may be missing from some results and present in others."""
    long = result(rows, "res-a", [3, 0, 3])
    short = BoardResult(id="res-b", rows=rows([2, 3, 3])[:6])
    with pytest.raises(ValueError, match=r"only one side has tk-000000000003@0.1.0"):
        board([long, short], pins=pins)
    found = board([long, short], pins=pins, voided=frozenset({"tk-000000000003@0.1.0"}))
    assert found.n_tasks == 2
    assert [r.pass_pow_3 for r in found.rows] == [proportion(1, 2)] * 2


def test_an_empty_board(pins: Pins) -> None:
    """No result, no row, nothing computed."""
    found = board([], pins=pins)
    assert (found.rows, found.pairs, found.n_tasks, found.left_out) == ((), (), 0, ())


def test_what_a_board_refuses(rows: Rows, pins: Pins) -> None:
    """Repeated ids, unfit rows, unknown pins."""
    one = result(rows, "res-a", [3])
    others = [replace(one, id=id_) for id_ in ("res-c", "res-b", "res-c", "res-d")]
    with pytest.raises(ValueError, match=r"not distinct: res-a, res-c$"):
        board([*others, one, one], pins=pins)
    with pytest.raises(UnfitRowsError, match=r"^res-a: .* expected runs 1, 2, 3") as caught:
        board([replace(one, rows=one.rows[:2])], pins=pins)
    assert caught.value.result == "res-a"
    with pytest.raises(UnknownAlgorithmError, match=r"letter-display@0.1.0"):
        board([one], pins=replace(pins, letter_display="letter-display@2.0.0"))


def test_the_order_of_results_and_rows_never_matters(rows: Rows, pins: Pins) -> None:
    """A random board, shuffled, is the same board."""
    generator = random.Random(11)
    results = [
        result(
            rows,
            f"res-{i:02}",
            [generator.choice((0, 1, 3, 3)) if generator.random() < 0.9 - i / 20 else 0 for _ in range(40)],
            generator.choice((None, "1", "2")),
        )
        for i in range(12)
    ]
    expected = board(results, pins=pins)
    for _ in range(3):
        shuffled = [replace(r, rows=tuple(generator.sample(r.rows, len(r.rows)))) for r in results]
        generator.shuffle(shuffled)
        assert board(shuffled, pins=pins) == expected


def test_letters_follow_the_pairs(rows: Rows, pins: Pins) -> None:
    """On a board of forty tasks: letters are shared exactly by rows that do not differ; positions keep their letters."""
    generator = random.Random(3)
    results = [
        result(rows, f"res-{i:02}", [3 if generator.random() < 0.95 - i / 12 else 1 for _ in range(40)])
        for i in range(10)
    ]
    found = board(results, pins=pins)
    letters = {r.id: set(r.letters) for r in found.rows}
    assert any(p.different for p in found.pairs)
    assert any(not p.different for p in found.pairs)
    for p in found.pairs:
        assert bool(letters[found.compared[p.first]] & letters[found.compared[p.second]]) is not p.different
    assert len(found.pairs) == len(list(itertools.combinations(results, 2)))


def test_adding_a_row_moves_others_without_changing_their_figures(rows: Rows, pins: Pins) -> None:
    """A new row changes letters and positions, never a share or a cost."""
    before = board([result(rows, "res-a", [3, 3, 0], "1"), result(rows, "res-b", [3, 0, 0], "2")], pins=pins)
    after = board(
        [
            result(rows, "res-a", [3, 3, 0], "1"),
            result(rows, "res-b", [3, 0, 0], "2"),
            result(rows, "res-c", [3, 3, 3], "3"),
        ],
        pins=pins,
    )
    kept = {r.id: (r.pass_pow_3, r.cost_per_success, r.exam) for r in after.rows}
    assert all(kept[r.id] == (r.pass_pow_3, r.cost_per_success, r.exam) for r in before.rows)
