"""BCa intervals of a mean or a rate over tasks, as `intervals@0.1.0` fixes them."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction

from medgauge_registrar.statistics import normal, pcg64
from medgauge_registrar.statistics.values import Column, WhyNot

RESAMPLES = 10_000
SEED_PREFIX = "intervals@0.1.0:"
_LEVEL_PLACES = Decimal("1E-10")
_CONTEXT = Context(prec=45, rounding=ROUND_HALF_EVEN)


def intervals(columns: Sequence[Column], seed: int) -> tuple[tuple[Fraction, Fraction] | WhyNot, ...]:
    """
    Compute the 95 % interval of each quantity; those with equally many tasks see the same draws.

    Args:
        columns: Quantities over tasks.
        seed: Published seed.

    Returns:
        For each column the two ends, exact, or why there are none.

    Source:
        Efron, "Better Bootstrap Confidence Intervals", JASA 82(397), 171–185 (1987).
    """
    found: dict[int, tuple[Fraction, Fraction] | WhyNot] = {}
    by_size: defaultdict[int, list[int]] = defaultdict(list)
    for index, column in enumerate(columns):
        if any(_influences(column)):
            by_size[len(column.numerators)].append(index)
        else:
            found[index] = WhyNot.ALL_TASKS_EQUAL if column.numerators else WhyNot.NO_TASKS
    for indices in by_size.values():
        sums = pcg64.resampled_sums(
            [part for index in indices for part in (columns[index].numerators, columns[index].denominators)],
            seed=f"{SEED_PREFIX}{seed}",
            resamples=RESAMPLES,
        )
        for index, over, under in zip(indices, sums[::2], sums[1::2], strict=True):
            found[index] = ends(columns[index], over, under)
    return tuple(found[index] for index in range(len(columns)))


def ends(column: Column, over: Sequence[int], under: Sequence[int]) -> tuple[Fraction, Fraction]:
    """
    Pick the two resampled quotients that end the interval.

    Args:
        column: A quantity that differs between tasks.
        over: For each resample, in any order, the sum of its numerators.
        under: In the same order the sum of its denominators.

    Returns:
        Two of the quotients.
    """
    keys, observed = over, sum(column.numerators)
    if len(set(column.denominators)) > 1:
        # Two different quotients are further apart than 1 over the product of their denominators, so these whole
        # numbers have exactly the order of the quotients, ties included.
        shift = 2 * max(*under, sum(column.denominators)).bit_length()
        keys = [(a << shift) // b for a, b in zip(over, under, strict=True)]
        observed = (observed << shift) // sum(column.denominators)
    ordered = sorted(keys)
    bias, acceleration = _bias(ordered, observed), _acceleration(_influences(column))
    low, high = (
        keys.index(ordered[_rank(len(ordered), _level(bias, acceleration, z)) - 1])
        for z in (normal.Z_975.copy_negate(), normal.Z_975)
    )
    return Fraction(over[low], under[low]), Fraction(over[high], under[high])


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
