"""BCa intervals: brute force, SciPy on the same resamples, a plain program written from the page, and edges."""

import itertools
import math
import random
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from hashlib import sha256
from statistics import NormalDist
from types import SimpleNamespace

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from medgauge_registrar.statistics import bca_0_1_0 as bca
from medgauge_registrar.statistics import pcg64
from medgauge_registrar.statistics.intervals_0_1_0 import rates
from medgauge_registrar.statistics.values import Column, WhyNot

MEASURED = (3, 3, 3, 2, 1, 0, 3, 3, 2, 3, 3, 1, 3)
"""Passing runs of 13 tasks, a sample on which other choices of the details give other ends."""

SCORES = (840, 795, 610, 423, 91, 0, 777, 812, 388, 701, 655, 140, 840)
"""Scores of 13 tasks over 840, without the ties of thirds."""


def mean_column(values: Sequence[int], denominator: int = 3) -> Column:
    return Column(numerators=tuple(values), denominators=(denominator,) * len(values))


def plain_program(values: Sequence[int], denominator: int, seed: int) -> tuple[Fraction, Fraction]:
    """The page of `intervals@0.1.0` followed to the letter with binary floats and nothing of the package."""
    n, resamples = len(values), 10_000
    digest = sha256(f"intervals@0.1.0:{seed}".encode()).digest()
    state, increment = int.from_bytes(digest[:16], "big"), int.from_bytes(digest[16:], "big") | 1
    draws: list[int] = []
    while len(draws) < n * resamples:
        state = (state * 47026247687942121848144207491837523525 + increment) % 2**128
        word = (state >> 64) ^ (state % 2**64)
        rotation = state >> 122
        word = ((word >> rotation) | (word << (64 - rotation))) % 2**64
        draws += [(word % 2**32) * n // 2**32, (word >> 32) * n // 2**32]
    sums = sorted(sum(values[i] for i in draws[b * n : (b + 1) * n]) for b in range(resamples))
    observed = sum(values)
    below, equal = sum(s < observed for s in sums), sum(s == observed for s in sums)
    z0 = NormalDist().inv_cdf((below + equal / 2) / resamples)
    deviations = [n * value - observed for value in values]
    a = sum(d**3 for d in deviations) / (6 * math.sqrt(sum(d * d for d in deviations)) ** 3)
    ends = []
    for z in (-1.959963984540054, 1.959963984540054):
        level = round(0.5 * math.erfc(-(z0 + (z0 + z) / (1 - a * (z0 + z))) / math.sqrt(2)), 10)
        ends.append(Fraction(sums[max(math.ceil(round(resamples * level, 6)), 1) - 1], n * denominator))
    return ends[0], ends[1]


@pytest.mark.parametrize("seed", [0, 7, 20261129])
@pytest.mark.parametrize(("values", "denominator"), [(MEASURED, 3), (SCORES, 840), ((0, 0, 0, 0, 1), 1), ((5, 7), 9)])
def test_a_plain_program_finds_the_same_ends(values: Sequence[int], denominator: int, seed: int) -> None:
    """What the page says is enough to compute the same exact ends in another way."""
    assert bca.intervals([mean_column(values, denominator)], seed)[0] == plain_program(values, denominator, seed)


def jackknife_bca(items: Sequence[float], resampled: Sequence[float]) -> tuple[float, float]:
    """BCa as in the textbook, floats throughout, acceleration from leaving out one item at a time."""
    n = len(items)
    means = numpy.sort(numpy.asarray(resampled))
    estimate = sum(items) / n
    below = (means < estimate - 1e-9).mean() + (abs(means - estimate) <= 1e-9).mean() / 2
    z0 = stats.norm.ppf(below)
    left_out = numpy.array([(sum(items) - item) / (n - 1) for item in items])
    d = left_out.mean() - left_out
    a = (d**3).sum() / (6 * (d**2).sum() ** 1.5)
    z = z0 + stats.norm.ppf([0.025, 0.975])
    levels = stats.norm.cdf(z0 + z / (1 - a * z))
    low, high = numpy.quantile(means, levels, method="inverted_cdf")
    return float(low), float(high)


@pytest.mark.parametrize(
    "items",
    [
        (0, 1),
        (0, 1, 3),
        (3, 3, 1, 0),
        (3, 2, 2, 0),
        (0, 3, 3, 3, 3),
        (5, 1, 4, 1, 9),
        (0, 0, 1, 2, 3, 3),
        (8, 0, 1, 6, 2, 7),
    ],
)
def test_full_enumeration_of_the_bootstrap(items: tuple[int, ...]) -> None:
    """All n^n resamples, each once: the textbook formulas on floats pick the same two sums."""
    n = len(items)
    sums = [sum(pick) for pick in itertools.product(items, repeat=n)]
    low, high = bca.ends(mean_column(items, 1), sums, [n] * len(sums))
    expected_low, expected_high = jackknife_bca(items, [total / n for total in sums])
    assert float(low) == pytest.approx(expected_low, abs=1e-12)
    assert float(high) == pytest.approx(expected_high, abs=1e-12)


def test_bias_of_a_full_enumeration_is_exact() -> None:
    """Of the 27 resamples of (0, 0, 1), 8 lie below the sample and 12 equal it: z0 is the quantile at 14/27."""
    sums = sorted(sum(pick) for pick in itertools.product((0, 0, 1), repeat=3))
    assert float(bca._bias(sums, 1)) == pytest.approx(stats.norm.ppf(14 / 27), abs=1e-14)


@pytest.mark.parametrize(("values", "denominator"), [(MEASURED, 3), (SCORES, 840)])
def test_scipy_on_the_same_resamples(values: Sequence[int], denominator: int) -> None:
    """SciPy, given our resamples as integers so that its comparison makes no noise, ends next to us or on us."""
    sums = pcg64.resampled_sums([values], seed="intervals@0.1.0:7", resamples=10_000)[0]
    peer = stats.bootstrap(
        (numpy.array(values, dtype=float),),
        numpy.sum,
        n_resamples=0,
        method="BCa",
        bootstrap_result=SimpleNamespace(bootstrap_distribution=numpy.array(sums, dtype=float)),
        vectorized=True,
    ).confidence_interval
    found = bca.intervals([mean_column(values, denominator)], 7)[0]
    assert not isinstance(found, WhyNot)
    ordered = sorted(set(sums))
    for end, other in zip(found, (peer.low, peer.high), strict=True):
        place = ordered.index(int(end * len(values) * denominator))
        assert ordered[max(place - 1, 0)] <= other <= ordered[min(place + 1, len(ordered) - 1)]


@pytest.mark.parametrize("seed", range(8))
def test_measured_sample_ends_where_whole_numbers_end(seed: int) -> None:
    """13 tasks: 0.538 and 0.923 for every seed, where comparing rounded means gave 0.564 on one side."""
    estimate = rates([mean_column(MEASURED)], seed)[0]
    assert str(estimate.value.value) == "0.769231"
    assert (str(estimate.low.value), str(estimate.high.value)) == ("0.538462", "0.923077")


def test_details_of_the_algorithm_show_in_the_digits() -> None:
    """Another seed, order of tasks, tie rule, or quantile rule gives other ends, so a test on these ends can fail."""
    column = mean_column(SCORES, 840)
    ends = bca.intervals([column], 7)[0]
    others = [
        bca.intervals([column], 8)[0],
        bca.intervals([mean_column(SCORES[::-1], 840)], 7)[0],
    ]
    sums = sorted(pcg64.resampled_sums([SCORES], seed="intervals@0.1.0:7", resamples=10_000)[0])
    others.append(
        tuple(Fraction(int(q), 13 * 840) for q in numpy.quantile(sums, [0.025, 0.975], method="inverted_cdf"))
    )
    assert ends not in others
    assert len(set(others)) == 3
    ties = sum(
        s == sum(MEASURED) for s in pcg64.resampled_sums([MEASURED], seed="intervals@0.1.0:7", resamples=10_000)[0]
    )
    assert ties > 500


@pytest.mark.parametrize(("seed", "low", "high"), [(7, "17/40", "4429/5460"), (20261129, "2339/5460", "297/364")])
def test_golden_ends(seed: int, low: str, high: str) -> None:
    """Ends of `SCORES`, found by `plain_program` when the version was published; they never change."""
    assert bca.intervals([mean_column(SCORES, 840)], seed) == ((Fraction(low), Fraction(high)),)


def test_ends_ignore_the_decimal_context() -> None:
    """A caller with two digits of precision gets the ends of `test_golden_ends`."""
    with localcontext() as context:
        context.prec = 2
        test_golden_ends(7, "17/40", "4429/5460")


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=25), st.integers(0, 2**53 - 1))
def test_ends_enclose_nothing_impossible(values: list[int], seed: int) -> None:
    """Ends are ordered, lie between the smallest and the largest task, and exist unless all tasks are equal."""
    found = bca.intervals([mean_column(values)], seed)[0]
    if len(set(values)) == 1:
        assert found is WhyNot.ALL_TASKS_EQUAL
    else:
        assert not isinstance(found, WhyNot)
        low, high = found
        assert Fraction(min(values), 3) <= low <= high <= Fraction(max(values), 3)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=20), st.integers(2, 10**30), st.integers(-5, 5))
def test_scale_and_place_change_nothing(values: list[int], factor: int, shift: int) -> None:
    """A larger common denominator gives the same ends, a shifted quantity shifted ones."""
    found = bca.intervals(
        [
            mean_column(values),
            mean_column([factor * value for value in values], 3 * factor),
            mean_column([value + 3 * shift for value in values]),
        ],
        7,
    )
    assert found[0] == found[1]
    if not isinstance(found[0], WhyNot) and not isinstance(found[2], WhyNot):
        assert found[2] == (found[0][0] + shift, found[0][1] + shift)


def test_columns_do_not_disturb_each_other() -> None:
    """Each quantity has the ends it has alone, beside a constant one too."""
    columns = [mean_column(MEASURED), mean_column((3,) * 13), mean_column(SCORES, 840)]
    together = bca.intervals(columns, 7)
    assert together == tuple(bca.intervals([column], 7)[0] for column in columns)
    assert together[1] is WhyNot.ALL_TASKS_EQUAL


@pytest.mark.parametrize(
    ("numerators", "denominators"),
    [
        ((1, 4, 0, 7, 2, 3), (2, 4, 3, 9, 2, 8)),
        ((1, 500, 333, 0, 2), (1, 1001, 999, 1, 3)),
        ((-2, 5, -1), (1, 90, 7)),
        ((1, 0, 3, 1, 2), (2, 90, 90, 2, 2)),
    ],
)
def test_a_rate_with_unequal_denominators(numerators: tuple[int, ...], denominators: tuple[int, ...]) -> None:
    """A quotient of sums: every resample's own quotient, against a direct computation with fractions."""
    column = Column(numerators=numerators, denominators=denominators)
    found = bca.intervals([column], 7)[0]
    assert not isinstance(found, WhyNot)
    over, under = pcg64.resampled_sums([numerators, denominators], seed="intervals@0.1.0:7", resamples=10_000)
    quotients = sorted(Fraction(a, b) for a, b in zip(over, under, strict=True))
    observed = Fraction(sum(numerators), sum(denominators))
    z0 = stats.norm.ppf((sum(q < observed for q in quotients) + sum(q == observed for q in quotients) / 2) / 10_000)
    pulls = [float(a - b * observed) for a, b in zip(numerators, denominators, strict=True)]
    a = sum(p**3 for p in pulls) / (6 * sum(p * p for p in pulls) ** 1.5)
    for end, z in zip(found, (z0 + stats.norm.ppf(0.025), z0 + stats.norm.ppf(0.975)), strict=True):
        assert end == quotients[math.ceil(10_000 * stats.norm.cdf(z0 + z / (1 - a * z))) - 1]


def test_a_sample_with_a_larger_denominator_than_any_resample() -> None:
    """1/1000 lies above the 2,000 resamples that are 0, next to which fewer binary places would put it."""
    column = Column(numerators=(0, 0, 1), denominators=(1, 498, 501))
    over = [0] * 2000 + list(range(1, 8001))
    z0 = stats.norm.ppf(0.2)
    pulls = [-1, -498, 499]  # 1000 a - b
    a = sum(p**3 for p in pulls) / (6 * sum(p * p for p in pulls) ** 1.5)
    ranks = [math.ceil(10_000 * stats.norm.cdf(z0 + z / (1 - a * z))) for z in z0 + stats.norm.ppf([0.025, 0.975])]
    assert bca.ends(column, over, [1] * 10_000) == (over[ranks[0] - 1], over[ranks[1] - 1])


def test_equal_rates_of_unequal_tasks_have_no_interval() -> None:
    """1 of 2 and 2 of 4: no resample can differ."""
    assert bca.intervals([Column(numerators=(1, 2), denominators=(2, 4))], 7) == (WhyNot.ALL_TASKS_EQUAL,)


def test_degenerate_samples() -> None:
    """No task, one task, all equal: a reason, never NaN, and the mean stands where there is one."""
    assert bca.intervals([mean_column(())], 7) == (WhyNot.NO_TASKS,)
    none, one, equal = (rates([mean_column(values)], 7)[0] for values in ((), (2,), (3, 3, 3)))
    assert none.value.why_not is none.low.why_not is WhyNot.NO_TASKS
    assert str(one.value.value) == "0.666667"
    assert one.low.why_not is one.high.why_not is WhyNot.ALL_TASKS_EQUAL
    assert str(equal.value.value) == "1.000000"
    assert equal.low.why_not is WhyNot.ALL_TASKS_EQUAL


@pytest.mark.parametrize(
    ("level", "rank"),
    [("0.0250000000", 250), ("0.0250000001", 251), ("0.0249999999", 250), ("0", 1), ("1", 10_000), ("0.9999", 9999)],
)
def test_ranks(level: str, rank: int) -> None:
    """The first ordered resample whose share reaches the level; an exact level is reached, not passed."""
    assert bca._rank(10_000, Decimal(level)) == rank


def test_symmetric_sample_uses_the_nominal_levels() -> None:
    """Without bias and acceleration the levels are 0.025 and 0.975 exactly, so the ranks are 250 and 9,750."""
    sums = [s for s in range(-5000, 5001) if s]
    low, high = bca.ends(mean_column((-1, 0, 1), 1), sums, [3] * 10_000)
    assert (low * 3, high * 3) == (-4751, 4750)


@pytest.mark.parametrize("side", [-1, 1])
def test_a_bias_out_of_reach_is_held(side: int) -> None:
    """When every resample lies on one side, half a resample is kept on the other, and ends are still found."""
    sums = [1 + side * (1 + i % 7) for i in range(10_000)]
    low, high = bca.ends(mean_column((0, 1), 1), sums, [2] * 10_000)
    assert low <= high
    expected = stats.norm.ppf(1 / 20_000 if side > 0 else 19_999 / 20_000)
    assert float(bca._bias(sorted(sums), 1)) == pytest.approx(expected, abs=1e-12)


def test_the_acceleration_stays_below_a_sixth() -> None:
    """The bound that keeps the adjusted level defined, on samples as skew as can be."""
    for n in (2, 3, 10, 1000, 5000):
        for extreme in (-(10**9), 10**9):
            items = mean_column([0] * (n - 1) + [extreme], 1)
            assert abs(bca._acceleration(bca._influences(items))) < Fraction(1, 6)
    generator = random.Random(1)
    for _ in range(50):
        items = mean_column([generator.randrange(4) for _ in range(generator.randrange(2, 30))] + [9])
        assert abs(bca._acceleration(bca._influences(items))) < Fraction(1, 6)
