"""`row-order@0.1.0`: the order of the rows of a holdout board."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

COST_DIGITS = 6


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """
    What the order looks at. Vetoes are not here: they never enter it.

    Attributes:
        id: Id of the result.
        pass_pow_3: Share of tasks passed in all three runs, exact.
        letters: Group letters; empty before they are given.
        cost: Cost per success, exact; null without an amount or without a passing run.
        price_table: Version of the price table behind the cost.
    """

    id: str
    pass_pow_3: Fraction
    letters: tuple[str, ...] = ()
    cost: Fraction | None = None
    price_table: str | None = None


def primary(places: Sequence[Place]) -> tuple[Place, ...]:
    """Order by PASS^3, highest first; equal rows by the bytes of their id. Letters are given in this order."""
    return tuple(sorted(places, key=lambda place: (-place.pass_pow_3, place.id.encode())))


def by_cost(places: Sequence[Place]) -> tuple[Place, ...]:
    """
    Reorder rows that stand together and have equal letters by cost per success, lowest first.

    Within each longest run of adjacent rows with one set of letters, rows with a cost exchange places among
    themselves (equal costs by the bytes of their id) and rows without keep theirs. A run whose costs do not all
    stand on one known price table is left alone.

    Args:
        places: Rows in primary order, with their letters.

    Source:
        Section 8.2 and the scoring page, "Intervals and the order of rows".
    """
    ordered: list[Place] = []
    for _, group in groupby(places, key=lambda place: place.letters):
        run = list(group)
        priced = [(place.cost, place.id.encode(), place) for place in run if place.cost is not None]
        tables = {place.price_table for _, _, place in priced}
        if len(tables) == 1 and None not in tables:
            cheapest = iter(sorted(priced, key=lambda entry: entry[:2]))
            run = [place if place.cost is None else next(cheapest)[2] for place in run]
        ordered += run
    return tuple(ordered)
