"""Exact McNemar tests and Holm's adjustment."""

import random
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from medgauge_registrar.statistics.paired_test_0_1_0 import compare, holm, two_sided


def direct(b: int, c: int) -> Fraction:
    """Two-sided probability by adding every split of the discordant tasks that is at least as uneven."""
    n = b + c
    return sum(
        (Fraction(comb(n, i), 2**n) for i in range(n + 1) if abs(2 * i - n) >= abs(b - c)),
        Fraction(0),
    )


@pytest.mark.parametrize("discordant", [0, 1, 2, 3, 8, 15, 16, 61])
def test_binomial_sums(discordant: int) -> None:
    """Every split, against direct sums; an even split gives 1 although twice its tail is more."""
    for b in range(discordant + 1):
        assert two_sided(b, discordant - b) == direct(b, discordant - b)


def test_agrees_with_scipy() -> None:
    """SciPy's exact binomial test on discordant tasks."""
    for b, c in ((0, 1), (2, 9), (9, 2), (40, 71), (100, 80)):
        assert float(two_sided(b, c)) == pytest.approx(stats.binomtest(b, b + c, 0.5).pvalue, rel=1e-12)


def test_rows_that_agree_on_every_task_do_not_differ() -> None:
    """Without a discordant task the probability is 1."""
    (pair,) = compare([0b1011, 0b1011], 4)
    assert (pair.first_only, pair.second_only, pair.p, pair.adjusted, pair.different) == (0, 0, 1, 1, False)


def test_counts_of_a_pair() -> None:
    """Tasks that only one of the two passed."""
    (pair,) = compare([0b110110, 0b011100], 6)
    assert (pair.first, pair.second, pair.first_only, pair.second_only) == (0, 1, 2, 1)


@pytest.mark.parametrize(("one_way", "different"), [(5, False), (6, True)])
def test_a_single_pair_needs_six_discordant_tasks_one_way(one_way: int, different: bool) -> None:
    """2/2^5 is 0.0625, 2/2^6 is 0.03125."""
    (pair,) = compare([(1 << one_way) - 1, 0], 20)
    assert pair.p == Fraction(2, 2**one_way)
    assert pair.different is different


@pytest.mark.parametrize(("one_way", "different"), [(15, False), (16, True)])
def test_fifty_rows_need_sixteen_discordant_tasks_one_way(one_way: int, different: bool) -> None:
    """Holm over 1,225 pairs: the least of them is multiplied by 1,225."""
    # One row passes tasks that no other passes; all other pairs agree, so 49 pairs tie for the smallest probability.
    pairs = compare([(1 << one_way) - 1] + [0] * 49, 30)
    assert len(pairs) == 1225
    assert {pair.different for pair in pairs if pair.first == 0} == {different}
    assert not any(pair.different for pair in pairs if pair.first)
    assert pairs[0].adjusted == min(Fraction(1), 1225 * Fraction(2, 2**one_way))


def test_the_threshold_applies_to_the_adjusted_probability() -> None:
    """3 rows, 3 pairs: 3 times 2/2^7 is 0.047, 3 times 2/2^6 is 0.094; a value of exactly 1/20 cannot occur."""
    assert [pair.different for pair in compare([0b1111111, 0, 0], 7)] == [True, True, False]
    assert [pair.different for pair in compare([0b111111, 0, 0], 7)] == [False, False, False]


def test_an_adjusted_probability_is_at_most_one() -> None:
    """Three rows that hardly differ."""
    assert [pair.adjusted for pair in compare([0b011, 0b101, 0b110], 3)] == [1, 1, 1]


def by_definition(probabilities: list[Fraction]) -> list[Fraction]:
    """Holm's adjustment as a maximum over all that are not larger."""
    m = len(probabilities)
    ordered = sorted(range(m), key=lambda i: (probabilities[i], i))
    stepped = [min(Fraction(1), (m - place) * probabilities[i]) for place, i in enumerate(ordered)]
    return [max(stepped[: ordered.index(i) + 1]) for i in range(m)]


@settings(deadline=None)
@given(st.lists(st.integers(0, 64), max_size=20))
def test_holm_by_definition(numerators: list[int]) -> None:
    """Adjusted values keep their order, are never smaller than before, and never above 1."""
    adjusted = holm(numerators, 64)
    assert [Fraction(a, 64) for a in adjusted] == by_definition([Fraction(n, 64) for n in numerators])
    assert all(before <= after <= 64 for before, after in zip(numerators, adjusted, strict=True))


def test_holm_does_not_depend_on_the_order_of_pairs() -> None:
    """Ties included."""
    generator = random.Random(2)
    numerators = [generator.randrange(30) for _ in range(40)]
    adjusted = dict(zip(numerators, holm(numerators, 1000), strict=True))
    generator.shuffle(numerators)
    assert holm(numerators, 1000) == [adjusted[n] for n in numerators]


@settings(deadline=None)
@given(st.lists(st.integers(0, 2**12 - 1), min_size=2, max_size=6), st.permutations(range(12)))
def test_the_order_of_tasks_does_not_matter(rows: list[int], order: list[int]) -> None:
    """Tasks are exchangeable."""
    moved = [sum(1 << order[bit] for bit in range(12) if row >> bit & 1) for row in rows]
    assert compare(moved, 12) == compare(rows, 12)


@settings(deadline=None)
@given(st.lists(st.integers(0, 2**12 - 1), min_size=2, max_size=6))
def test_tasks_that_everybody_or_nobody_passes_change_nothing(rows: list[int]) -> None:
    """Only discordant tasks decide."""
    assert compare([row << 2 | 1 for row in rows], 14) == compare(rows, 12)


def test_one_row_or_none_has_no_pair() -> None:
    """A board of one row compares nothing."""
    assert compare([5], 3) == compare([], 0) == ()
