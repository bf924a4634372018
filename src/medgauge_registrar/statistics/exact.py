"""Numbers brought to published digits without a rounding error deciding any of them."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction

from medgauge_registrar.statistics.values import Figure, WhyNot


def decimal(units: int, digits: int) -> Decimal:
    """Write a whole number of units of the last place, whatever the active decimal context."""
    return Decimal(f"{units}E-{digits}")


def rounded(value: Fraction | int, digits: int) -> Decimal:
    """
    Round an exact number to a fixed number of decimal places, half to even.

    Returns:
        A decimal that carries exactly `digits` places, whatever the active decimal context.
    """
    scale: int = 10**digits
    quotient, remainder = divmod(value.numerator * scale, value.denominator)
    twice = 2 * remainder
    if twice > value.denominator or (twice == value.denominator and quotient % 2):
        quotient += 1
    return decimal(quotient, digits)


def nearest(start: float, side: Callable[[int, int], int], digits: int) -> int:
    """
    Round a number that is only known by comparison, half to even.

    Args:
        start: A guess; it costs time when it is wrong, never a digit.
        side: `side(u, d)` is the sign of the number minus u/d, decided exactly.
        digits: Decimal places.

    Returns:
        Units of the last place.
    """
    scale: int = 10**digits
    k = round(start * scale)
    while (above := side(2 * k + 1, 2 * scale)) > 0 or (above == 0 and k % 2):
        k += 1
    while (below := side(2 * k - 1, 2 * scale)) < 0 or (below == 0 and k % 2):
        k -= 1
    return k


def in_order(values: Sequence[Fraction]) -> list[Fraction]:
    """Sort exact numbers, much faster than by comparing them one by one."""
    # Two different quotients are further apart than 1 over the product of their denominators, so whole numbers of this
    # many binary places have exactly their order.
    shift = 2 * max((value.denominator for value in values), default=1).bit_length()
    return sorted(values, key=lambda value: (value.numerator << shift) // value.denominator)


def figure(value: Fraction | int | WhyNot, digits: int) -> Figure:
    """Publish an exact number at its digits, or the reason why there is none."""
    if isinstance(value, WhyNot):
        return Figure(value=None, why_not=value)
    return Figure(value=rounded(value, digits), why_not=None)


def ratio(count: int, of: int, digits: int) -> Figure:
    """Publish a quotient of counts; without a denominator there were no tasks."""
    return figure(Fraction(count, of) if of else WhyNot.NO_TASKS, digits)


def exact_decimal(value: Fraction) -> Decimal:
    """
    Write a number whose denominator is made of twos and fives as a decimal, losing nothing.

    Raises:
        ValueError: The number has no finite decimal form.
    """
    denominator, places = value.denominator, 0
    while denominator % 10 == 0:
        denominator, places = denominator // 10, places + 1
    for factor in (2, 5):
        while denominator % factor == 0:
            denominator, places = denominator // factor, places + 1
    if denominator != 1:
        raise ValueError(f"{value} has no finite decimal form")
    return decimal(value.numerator * 10**places // value.denominator, places)
