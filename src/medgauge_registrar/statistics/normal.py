"""The standard normal law to 30 digits, so that no library's last bit decides a published figure."""

from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction
from statistics import NormalDist

_CONTEXT = Context(prec=45, rounding=ROUND_HALF_EVEN)
_TWO_PI = Decimal("6.28318530717958647692528676655900576839433879875021164194988918461563281257")
_FLAT = 12
"""Beyond this the law differs from 0 or 1 by less than 1e-32."""

Z_975 = Decimal("1.9599639845400542355245944305205515279556")
"""Quantile at 39/40, to 40 places."""


def cdf(x: Decimal) -> Decimal:
    """
    Probability that a standard normal variable is at most `x`.

    Units:
        Absolute error below 1e-30.

    Source:
        Marsaglia, "Evaluating the Normal Distribution" (2004): the series of odd double factorials.
    """
    if x >= _FLAT:
        return Decimal(1)
    if x <= -_FLAT:
        return Decimal(0)
    with localcontext(_CONTEXT):
        square = x * x
        term = total = abs(x)
        odd = 1
        while term > Decimal("1e-40"):
            odd += 2
            term = term * square / odd
            total += term
        half = total * density(x)
        return Decimal("0.5") + (half if x > 0 else -half)


def density(x: Decimal) -> Decimal:
    """Density of the standard normal law."""
    with localcontext(_CONTEXT):
        return (-x * x / 2).exp() / _TWO_PI.sqrt()


def quantile(p: Fraction) -> Decimal:
    """
    Point below which a standard normal variable lies with probability `p`.

    Args:
        p: Between 1e-9 and 1 - 1e-9.

    Units:
        Absolute error below 1e-20.

    Source:
        Newton's method on `cdf`; the start is Wichura's AS 241 and leaves no trace in the digits.
    """
    with localcontext(_CONTEXT):
        target = Decimal(p.numerator) / Decimal(p.denominator)
        x = Decimal(NormalDist().inv_cdf(float(p)))
        for _ in range(3):
            x -= (cdf(x) - target) / density(x)
        return +x
