"""`paired-test@0.1.0`: exact McNemar tests of every pair of rows, with Holm's adjustment over the board."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb

ALPHA = Fraction(1, 20)
DIGITS = 6


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """
    Two rows compared on the same tasks.

    Attributes:
        first: Index of one row.
        second: Index of the other, larger.
        first_only: Tasks that only the first row passed.
        second_only: Tasks that only the second row passed.
        p: Two-sided probability, exact.
        adjusted: The same after Holm's adjustment over all pairs of the board, at most 1.
        different: Whether the adjusted probability is at most 1/20.
    """

    first: int
    second: int
    first_only: int
    second_only: int
    p: Fraction
    adjusted: Fraction
    different: bool


def two_sided(first_only: int, second_only: int) -> Fraction:
    """
    Probability, were either outcome of a discordant task equally likely, of a split at least as uneven.

    Twice the smaller tail of Binomial(discordant tasks, 1/2), at most 1; without a discordant task it is 1.

    Source:
        McNemar, Psychometrika 12(2), 153–157 (1947), in its exact form.
    """
    return Fraction(_numerator(min(first_only, second_only), first_only + second_only), 1 << first_only + second_only)


def _doubled_tail(smaller: int, discordant: int) -> int:
    """Numerator of the two-sided probability over 2^discordant."""
    return min(1 << discordant, 2 * sum(comb(discordant, i) for i in range(smaller + 1)))


_numerator = lru_cache(maxsize=65536)(_doubled_tail)


def compare(passed: Sequence[int], n_tasks: int) -> tuple[Pair, ...]:
    """
    Test every pair of rows of one board.

    Args:
        passed: For each row the tasks it passed, one bit a task, the same bit for the same task in every row.
        n_tasks: Number of tasks.

    Returns:
        All pairs, ordered by first and second index.
    """
    pairs = list(combinations(range(len(passed)), 2))
    only = [((passed[i] & ~passed[j]).bit_count(), (passed[j] & ~passed[i]).bit_count()) for i, j in pairs]
    # All probabilities over the one denominator 2^n, so that sorting compares whole numbers.
    numerators = [_numerator(min(b, c), b + c) << n_tasks - b - c for b, c in only]
    adjusted = holm(numerators, 1 << n_tasks)
    one = 1 << n_tasks
    return tuple(
        Pair(
            first=i,
            second=j,
            first_only=b,
            second_only=c,
            p=Fraction(numerator, one),
            adjusted=Fraction(larger, one),
            different=larger * ALPHA.denominator <= ALPHA.numerator * one,
        )
        for (i, j), (b, c), numerator, larger in zip(pairs, only, numerators, adjusted, strict=True)
    )


def holm(numerators: Sequence[int], one: int) -> list[int]:
    """
    Adjust probabilities for having made all these comparisons.

    Args:
        numerators: Probabilities over a common denominator.
        one: That denominator.

    Returns:
        Adjusted numerators in the order given: the i-th smallest of M is multiplied by M - i + 1, capped at 1, and
        never smaller than one before it.

    Source:
        Holm, Scandinavian Journal of Statistics (1979).
    """
    adjusted = [0] * len(numerators)
    largest = 0
    for rank, index in enumerate(sorted(range(len(numerators)), key=numerators.__getitem__)):
        largest = max(largest, min(one, (len(numerators) - rank) * numerators[index]))
        adjusted[index] = largest
    return adjusted
