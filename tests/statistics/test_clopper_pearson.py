"""Binomial intervals and bounds: every published digit, the published table, and the edges."""

from decimal import Context, Decimal
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from medgauge_registrar.statistics import clopper_pearson
from medgauge_registrar.statistics.clopper_pearson import lower_end, upper_end
from medgauge_registrar.statistics.intervals_0_1_0 import (
    bound_reaches,
    claimable_lower_bound,
    lower_bound,
    proportion,
)
from medgauge_registrar.statistics.values import WhyNot

TWO_SIDED = Fraction(1, 40)
ONE_SIDED = Fraction(1, 20)
HALF_UNIT = Fraction(1, 2_000_000)


def tail(passed: int, n: int, p: Fraction) -> Fraction:
    """Probability of at least so many successes, added up term by term."""
    return sum((comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(passed, n + 1)), Fraction(0))


@pytest.mark.parametrize("n", [1, 2, 3, 7, 13, 25])
@pytest.mark.parametrize("level", [TWO_SIDED, ONE_SIDED])
def test_the_tail_crosses_the_level_within_half_a_unit(n: int, level: Fraction) -> None:
    """The definition itself, in rational arithmetic: no other six-digit number is nearer to the true end."""
    for passed in range(1, n + 1):
        end = Fraction(lower_end(passed, n, level, 6))
        assert tail(passed, n, end - HALF_UNIT) <= level <= tail(passed, n, end + HALF_UNIT)
        mirrored = Fraction(upper_end(n - passed, n, level, 6))
        assert mirrored == 1 - end


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_agrees_with_scipy(case: tuple[int, int]) -> None:
    """Quantiles of the beta law, for up to 5,000 tasks."""
    n, passed = case
    low = 0.0 if passed == 0 else special.betaincinv(passed, n - passed + 1, 0.025)
    high = 1.0 if passed == n else special.betaincinv(passed + 1, n - passed, 0.975)
    found = proportion(passed, n)
    assert float(found.low.value) == pytest.approx(low, abs=0.5e-6 + 1e-9)
    assert float(found.high.value) == pytest.approx(high, abs=0.5e-6 + 1e-9)


def test_agrees_with_the_exact_interval_of_scipy() -> None:
    """The same through SciPy's own interval, which the page names as the peer."""
    for passed, n in ((0, 10), (4, 10), (10, 10), (171, 180)):
        peer = stats.binomtest(passed, n).proportion_ci(0.95, "exact")
        found = proportion(passed, n)
        assert float(found.low.value) == pytest.approx(peer.low, abs=0.6e-6)
        assert float(found.high.value) == pytest.approx(peer.high, abs=0.6e-6)


@pytest.mark.parametrize(
    ("n", "shown", "failure"),
    [
        (3, "0.368", 63),
        (10, "0.741", 26),
        (13, "0.794", 21),
        (29, "0.902", 9.8),
        (59, "0.950", 5),
        (100, "0.970", 3),
        (299, "0.990", 1),
    ],
)
def test_published_table_of_claimable_bounds(n: int, shown: str, failure: float) -> None:
    """Section 8.3: bounds at three digits, and the failure rate that each is equivalent to, as rounded there."""
    assert str(claimable_lower_bound(n, 3).value) == shown
    assert 100 * (1 - 0.05 ** (1 / n)) == pytest.approx(failure, abs=0.06 if failure == 9.8 else 0.5)


@pytest.mark.parametrize(
    ("n", "threshold", "reaches"),
    [
        (28, "0.90", False),
        (29, "0.90", True),
        (58, "0.95", False),
        (59, "0.95", True),
        (298, "0.99", False),
        (299, "0.99", True),
        (0, "0.0", False),
        (1, "0.05", True),
    ],
)
def test_bounds_are_compared_unrounded(n: int, threshold: str, reaches: bool) -> None:
    """Sections 8.3 and 8.6: 29, 59 and 299 tasks are the least; an exact hit reaches."""
    assert bound_reaches(n, Fraction(threshold)) is reaches


def test_58_tasks_print_a_bound_they_do_not_reach() -> None:
    """0.950 at three digits, 0.949661 at six, below 0.95; 298 tasks likewise below 0.99."""
    assert str(claimable_lower_bound(58, 3).value) == "0.950"
    assert str(claimable_lower_bound(58).value) == "0.949661"
    assert str(claimable_lower_bound(298).value) == "0.989998"


@pytest.mark.parametrize("n", [1, 2, 10, 58, 299, 5000])
def test_the_claimable_bound_is_a_root_of_a_twentieth(n: int) -> None:
    """Its n-th power brackets 1/20 within half a unit, exactly."""
    bound = Fraction(claimable_lower_bound(n).value or 0)
    assert (bound - HALF_UNIT) ** n <= ONE_SIDED <= (bound + HALF_UNIT) ** n


def test_the_two_sided_end_is_not_the_claimable_bound() -> None:
    """Ten of ten: 0.692 two-sided, 0.741 claimable."""
    assert str(proportion(10, 10).low.value) == "0.691503"
    assert str(claimable_lower_bound(10).value) == "0.741134"
    assert lower_bound(10, 10) == claimable_lower_bound(10)


@pytest.mark.parametrize("n", [1, 3, 180])
def test_edges(n: int) -> None:
    """None and all: 0 and 1 exactly, with the other end mirrored."""
    none, every = proportion(0, n), proportion(n, n)
    assert str(none.low.value) == "0.000000"
    assert str(every.high.value) == "1.000000"
    assert none.high.value == 1 - (every.low.value or 0)
    assert str(none.value.value) == "0.000000"
    assert str(every.value.value) == "1.000000"
    assert str(lower_bound(0, n).value) == "0.000000"


def test_without_a_task_nothing_is_computed() -> None:
    """No interval, no bound, and no NaN."""
    assert proportion(0, 0).low.why_not is WhyNot.NO_TASKS
    assert proportion(0, 0).value.why_not is WhyNot.NO_TASKS
    assert claimable_lower_bound(0).why_not is WhyNot.NO_TASKS


@pytest.mark.parametrize(("passed", "n"), [(-1, 3), (4, 3), (0, 0)])
def test_impossible_counts_are_refused(passed: int, n: int) -> None:
    """A count outside its total never becomes a figure."""
    with pytest.raises(ValueError, match="no count of successes"):
        lower_end(passed, n, TWO_SIDED, 6)


def test_one_task_ends_on_the_level_itself() -> None:
    """With one trial the tail is p, so the end is 1/40 exactly, and at two digits a half goes to the even neighbour."""
    assert str(lower_end(1, 1, TWO_SIDED, 6)) == "0.025000"
    assert str(lower_end(1, 1, TWO_SIDED, 2)) == "0.02"
    assert str(lower_end(1, 1, Fraction(3, 200), 2)) == "0.02"
    assert str(upper_end(0, 1, TWO_SIDED, 2)) == "0.98"


def test_ends_that_round_to_the_limits() -> None:
    """At two digits, ends just above 0 and just below 1 are 0 and 1."""
    assert str(lower_end(1, 5000, TWO_SIDED, 2)) == "0.00"
    assert str(lower_end(5000, 5000, TWO_SIDED, 2)) == "1.00"
    assert str(upper_end(4999, 5000, TWO_SIDED, 2)) == "1.00"


def test_undecided_bounds_fall_back_to_whole_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """With arithmetic too coarse to tell, the exact comparison gives the same digits."""
    cases = [(passed, n) for n in (5, 40) for passed in range(n + 1)]
    expected = [str(lower_end(passed, n, TWO_SIDED, 6)) for passed, n in cases]
    clopper_pearson._lower_units.cache_clear()
    monkeypatch.setattr(clopper_pearson, "_FLOOR", Context(prec=2, rounding="ROUND_FLOOR"))
    monkeypatch.setattr(clopper_pearson, "_CEILING", Context(prec=2, rounding="ROUND_CEILING"))
    monkeypatch.setattr(clopper_pearson, "_FIXED_BITS", 8)
    try:
        assert [str(lower_end(passed, n, TWO_SIDED, 6)) for passed, n in cases] == expected
    finally:
        clopper_pearson._lower_units.cache_clear()


@pytest.mark.parametrize(("d", "side"), [(41, 1), (40, 0), (39, -1)])
def test_the_exact_comparison_decides_by_one_unit(d: int, side: int) -> None:
    """With one trial the end is the level, 1/40: above 1/41, on 1/40, below 1/39; each differs by 1 in whole numbers."""
    assert clopper_pearson._exact_side(1, 1, TWO_SIDED, 1, d) == side
    assert clopper_pearson._side(1, 1, TWO_SIDED, 1, d) == side


@pytest.mark.parametrize(("passed", "n"), [(1, 2), (3, 9), (30, 60), (95, 100), (450, 900)])
def test_the_bounds_of_a_tail_hold_it(passed: int, n: int) -> None:
    """The two numbers of the fast comparison lie on either side of the exact tail, and close to it."""
    for u in (1, 37, 50, 93):
        low, high = clopper_pearson._tail_bounds(passed, n, u, 100)
        exact = tail(passed, n, Fraction(u, 100))
        assert Fraction(low) <= exact <= Fraction(high)
        assert Fraction(high) - Fraction(low) <= exact / 10**20


def test_the_guess_is_good_enough_to_need_two_comparisons(monkeypatch: pytest.MonkeyPatch) -> None:
    """A poor start would cost time without showing: the search makes no more comparisons than proof needs."""
    calls = []
    side = clopper_pearson._side

    def counted(*arguments: object) -> int:
        calls.append(arguments)
        return side(*arguments)

    monkeypatch.setattr(clopper_pearson, "_side", counted)
    clopper_pearson._lower_units.cache_clear()
    for passed, n in ((1, 2), (7, 13), (150, 300), (299, 300), (1, 5000), (2500, 5000), (4999, 5000)):
        calls.clear()
        lower_end(passed, n, TWO_SIDED, 6)
        assert len(calls) == 2


def test_bounds_grow_with_successes() -> None:
    """More passed tasks never lower an end."""
    lows = [lower_end(passed, 50, ONE_SIDED, 6) for passed in range(51)]
    assert lows == sorted(set(lows))
    assert lows[0] == Decimal(0)
