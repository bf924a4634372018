"""The order of rows."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge_registrar.statistics.row_order_0_1_0 import Place, by_cost, primary


def place(id_: str, letters: str = "a", cost: int | None = None, table: str | None = "1.0.0", rate: int = 0) -> Place:
    return Place(
        id=id_,
        pass_pow_3=Fraction(rate, 10),
        letters=tuple(letters),
        cost=None if cost is None else Fraction(cost),
        price_table=table,
    )


def ids(places: tuple[Place, ...]) -> str:
    return "".join(p.id for p in places)


def test_primary_order() -> None:
    """PASS^3 downwards; equal rows by id."""
    assert ids(primary([place("b", rate=5), place("c", rate=9), place("a", rate=5), place("d", rate=0)])) == "cabd"


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ([place("a", cost=3), place("b", cost=1), place("c", cost=2)], "bca"),
        ([place("a", cost=3), place("b"), place("c", cost=2)], "cba"),
        ([place("a"), place("b"), place("c")], "abc"),
        ([place("a", cost=3), place("b", "ab", cost=1), place("c", cost=2)], "abc"),
        ([place("a", cost=3), place("b", cost=1), place("c", "b", cost=2), place("d", "b", cost=1)], "badc"),
        (
            [place("a", cost=3), place("b", cost=1, table="2.0.0"), place("c", "b", cost=2), place("d", "b", cost=1)],
            "abdc",
        ),
        ([place("a", cost=3, table=None), place("b", cost=1, table=None)], "ab"),
        ([place("a", cost=3), place("b", cost=1), place("c", table="2.0.0")], "bac"),
        ([place("b", cost=1), place("a", cost=1)], "ab"),
        ([], ""),
        ([place("a", cost=9)], "a"),
    ],
)
def test_cost_moves_rows_of_one_class_alone(places: list[Place], expected: str) -> None:
    """Within adjacent equal letters, among the places of rows with a cost, on one price table."""
    assert ids(by_cost(places)) == expected


board = st.lists(
    st.tuples(st.sampled_from(["a", "ab", "b"]), st.none() | st.integers(0, 5), st.sampled_from(["1.0.0", "2.0.0"])),
    max_size=10,
)


@settings(deadline=None)
@given(board)
def test_what_never_moves(rows: list[tuple[str, int | None, str]]) -> None:
    """The letters at each position, and every row without a cost, stay; no row is lost; doing it twice changes nothing."""
    places = [place(chr(97 + i), letters, cost, table) for i, (letters, cost, table) in enumerate(rows)]
    ordered = by_cost(places)
    assert [p.letters for p in ordered] == [p.letters for p in places]
    assert all(after is before for before, after in zip(places, ordered, strict=True) if before.cost is None)
    assert sorted(ids(ordered)) == sorted(ids(tuple(places)))
    assert by_cost(ordered) == ordered
