"""BCa intervals of a mean or a rate over tasks, as `intervals@0.1.0` fixes them."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction

from medgauge_registrar.statistics import normal, pcg64
from medgauge_registrar.statistics.values import Column, WhyNot

RESAMPLES = 10_000
SEED_PREFIX = "intervals@0.1.0:"
_LEVEL_PLACES = Decimal("1E-10")
_CONTEXT = Context(prec=60, rounding=ROUND_HALF_EVEN)


def intervals(columns: Sequence[Column], seed: int) -> tuple[tuple[Fraction, Fraction] | WhyNot, ...]:
    """
    Compute the 95 % interval of each quantity, all from the same resamples of tasks.

    Args:
        columns: Quantities of the same tasks.
        seed: Published seed.

    Returns:
        For each column the two ends, exact, or why there are none.

    Source:
        Efron, "Better Bootstrap Confidence Intervals", JASA 82(397), 171–185 (1987).
    """
    if not columns[0].numerators:
        return (WhyNot.NO_TASKS,) * len(columns)
    varying = [column for column in columns if any(_influences(column))]
    sums: Sequence[Sequence[int]] = ()
    if varying:
        sums = pcg64.resampled_sums(
            [numbers for column in varying for numbers in (column.numerators, column.denominators)],
            seed=f"{SEED_PREFIX}{seed}",
            resamples=RESAMPLES,
        )
    found = iter(
        ends(column, tuple(zip(sums[2 * index], sums[2 * index + 1], strict=True)))
        for index, column in enumerate(varying)
    )
    return tuple(next(found) if any(_influences(column)) else WhyNot.ALL_TASKS_EQUAL for column in columns)


def ends(column: Column, resamples: Sequence[tuple[int, int]]) -> tuple[Fraction, Fraction]:
    """
    Pick the two resampled quotients that end the interval.

    Args:
        column: A quantity that differs between tasks.
        resamples: For each resample the sums of numerators and denominators, in any order.

    Returns:
        Two of the quotients.
    """
    # Two different quotients are further apart than 1 over the product of their denominators, so these whole numbers
    # have exactly the order of the quotients, ties included.
    shift = 2 * max(max(under for _, under in resamples), sum(column.denominators)).bit_length()
    keys = [(over << shift) // under for over, under in resamples]
    quotients = dict(zip(keys, resamples, strict=True))
    ordered = sorted(keys)
    bias = _bias(ordered, (sum(column.numerators) << shift) // sum(column.denominators))
    acceleration = _acceleration(_influences(column))
    low, high = (
        Fraction(*quotients[ordered[_rank(len(ordered), _level(bias, acceleration, z)) - 1]])
        for z in (-normal.Z_975, normal.Z_975)
    )
    return low, high


def _bias(ordered: Sequence[int], observed: int) -> Decimal:
    """Bias correction z0: normal quantile of the share of resamples below the observed one, ties counted half."""
    twice = bisect_left(ordered, observed) + bisect_right(ordered, observed)
    # A sample whose resamples all lie on one side has no finite quantile: half a resample is kept on the other.
    twice = min(max(twice, 1), 2 * len(ordered) - 1)
    return normal.quantile(Fraction(twice, 2 * len(ordered)))


def _influences(column: Column) -> list[int]:
    """How far each task pulls the quotient, up to a common factor; all 0 if no resample can differ."""
    over, under = sum(column.numerators), sum(column.denominators)
    return [under * a - over * b for a, b in zip(column.numerators, column.denominators, strict=True)]


def _acceleration(influences: Sequence[int]) -> Decimal:
    """Acceleration by the infinitesimal jackknife: the common factor of the influences cancels."""
    squares = sum(d * d for d in influences)
    cubes = sum(d * d * d for d in influences)
    with localcontext(_CONTEXT):
        return Decimal(cubes) / (6 * Decimal(squares) * Decimal(squares).sqrt())


def _level(bias: Decimal, acceleration: Decimal, z: Decimal) -> Decimal:
    """
    Adjusted level, rounded half to even to ten places.

    The denominator stays positive: |acceleration| < 1/6, |bias| < 3.9 and |z| < 2 (with 10,000 resamples).
    """
    with localcontext(_CONTEXT):
        shifted = bias + z
        return normal.cdf(bias + shifted / (1 - acceleration * shifted)).quantize(_LEVEL_PLACES)


def _rank(count: int, level: Decimal) -> int:
    """Rank, from 1, of the first ordered resample whose share of the resamples reaches the level."""
    exact = Fraction(level) * count
    return max(1, -(-exact.numerator // exact.denominator))
