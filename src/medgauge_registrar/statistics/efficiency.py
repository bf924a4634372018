"""Efficiency of passing runs against the reference solution: the summaries a ratio scale admits, no arithmetic mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log, prod

from medgauge_registrar.statistics.exact import decimal, figure, in_order, nearest
from medgauge_registrar.statistics.values import Figure, WhyNot


@dataclass(frozen=True, kw_only=True, slots=True)
class Efficiency:
    """
    Ratios of one quantity (steps, tokens, time): subject over reference, below 1 is less than the reference needed.

    Attributes:
        n_runs: Passing runs behind the figures.
        geometric_mean: n-th root of the product.
        lower_quartile: Quantile at 1/4.
        median: Quantile at 1/2.
        upper_quartile: Quantile at 3/4.
    """

    n_runs: int
    geometric_mean: Figure
    lower_quartile: Figure
    median: Figure
    upper_quartile: Figure


def efficiency(ratios: Sequence[Fraction] | WhyNot, digits: int) -> Efficiency:
    """
    Summarise the ratios of passing runs; the cost per success over all runs always stands beside it.

    Args:
        ratios: One ratio for each passing run, or why there are none.
        digits: Decimal places.

    Source:
        Sections 3.2 (G5) and 5.9.
    """
    n_runs = 0 if isinstance(ratios, WhyNot) else len(ratios)
    if not isinstance(ratios, WhyNot) and (not ratios or any(ratio.numerator <= 0 for ratio in ratios)):
        ratios = WhyNot.RATIO_NOT_POSITIVE if ratios else WhyNot.NO_PASSING_RUN
    if isinstance(ratios, WhyNot):
        nothing = figure(ratios, digits)
        return Efficiency(
            n_runs=n_runs, geometric_mean=nothing, lower_quartile=nothing, median=nothing, upper_quartile=nothing
        )
    ordered = in_order(ratios)
    return Efficiency(
        n_runs=n_runs,
        geometric_mean=_geometric_mean(ordered, digits),
        lower_quartile=figure(quantile(ordered, Fraction(1, 4)), digits),
        median=figure(quantile(ordered, Fraction(1, 2)), digits),
        upper_quartile=figure(quantile(ordered, Fraction(3, 4)), digits),
    )


def quantile(ordered: Sequence[Fraction], level: Fraction) -> Fraction:
    """
    Smallest observed value whose share of the sample reaches the level; never a mean of two values.

    Source:
        Hyndman and Fan, "Sample Quantiles in Statistical Packages" (1996), definition 1.
    """
    rank = -(-level.numerator * len(ordered) // level.denominator)
    return ordered[max(rank, 1) - 1]


def _geometric_mean(ratios: Sequence[Fraction], digits: int) -> Figure:
    """Root of the product, its last digit decided on whole numbers."""
    n = len(ratios)
    over, under = prod(ratio.numerator for ratio in ratios), prod(ratio.denominator for ratio in ratios)

    def side(u: int, d: int) -> int:
        """Sign of the root minus u/d; below zero every root is larger."""
        if u <= 0:
            return 1
        root: int = over * d**n
        tried: int = u**n * under
        return (root > tried) - (root < tried)

    start = exp(sum(log(ratio.numerator) - log(ratio.denominator) for ratio in ratios) / n)
    return Figure(value=decimal(nearest(start, side, digits), digits), why_not=None)
