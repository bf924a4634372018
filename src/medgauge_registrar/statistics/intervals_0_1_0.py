"""`intervals@0.1.0`: what every published interval, bound and share of tasks is computed by."""

from collections.abc import Sequence
from fractions import Fraction

from medgauge_registrar.statistics import bca_0_1_0
from medgauge_registrar.statistics.clopper_pearson import lower_end, upper_end
from medgauge_registrar.statistics.exact import figure, ratio
from medgauge_registrar.statistics.values import Column, Estimate, Figure, WhyNot

DIGITS = 6
QUANTILE_RULE = "hyndman-fan-1"
RESAMPLES = bca_0_1_0.RESAMPLES
_EACH_SIDE = Fraction(1, 40)
_ONE_SIDE = Fraction(1, 20)


def proportion(passed: int, n: int) -> Estimate:
    """
    Publish a share of tasks with its two-sided 95 % Clopper–Pearson interval.

    Args:
        passed: Tasks that count, 0 to n.
        n: Tasks.
    """
    if n == 0:
        nothing = figure(WhyNot.NO_TASKS, DIGITS)
        return Estimate(value=nothing, low=nothing, high=nothing)
    return Estimate(
        value=ratio(passed, n, DIGITS),
        low=Figure(value=lower_end(passed, n, _EACH_SIDE, DIGITS), why_not=None),
        high=Figure(value=upper_end(passed, n, _EACH_SIDE, DIGITS), why_not=None),
    )


def lower_bound(passed: int, n: int, digits: int = DIGITS) -> Figure:
    """Publish the one-sided 95 % lower bound of a share of tasks; it is meant for levels alone."""
    if n == 0:
        return figure(WhyNot.NO_TASKS, DIGITS)
    return Figure(value=lower_end(passed, n, _ONE_SIDE, digits), why_not=None)


def claimable_lower_bound(n: int, digits: int = DIGITS) -> Figure:
    """
    Publish the bound of an exam that every one of n tasks passed: the n-th root of 1/20.

    Args:
        n: Tasks, not runs.
        digits: Decimal places; three for display.
    """
    return lower_bound(n, n, digits)


def bound_reaches(n: int, threshold: Fraction) -> bool:
    """Compare the unrounded claimable bound of n passed tasks with a threshold: 58 do not reach 0.95, and 0 reach none."""
    return threshold**n <= _ONE_SIDE


def rates(columns: Sequence[Column], seed: int) -> tuple[Estimate, ...]:
    """
    Publish means or rates over tasks with their two-sided 95 % BCa intervals.

    Args:
        columns: Quantities of the same tasks, tasks in byte order of their keys.
        seed: Published seed.
    """
    estimates = []
    for column, interval in zip(columns, bca_0_1_0.intervals(columns, seed), strict=True):
        low, high = (interval, interval) if isinstance(interval, WhyNot) else interval
        estimates.append(
            Estimate(
                value=ratio(sum(column.numerators), sum(column.denominators), DIGITS),
                low=figure(low, DIGITS),
                high=figure(high, DIGITS),
            )
        )
    return tuple(estimates)
