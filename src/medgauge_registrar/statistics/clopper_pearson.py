"""Clopper–Pearson bounds whose every published digit is proved by comparing binomial tails."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import comb, exp, lgamma, log, log1p

from medgauge_registrar.statistics.exact import decimal, nearest

_FLOOR = Context(prec=50, rounding=ROUND_FLOOR)
_CEILING = Context(prec=50, rounding=ROUND_CEILING)
_coefficient = lru_cache(maxsize=256)(comb)
_FIXED_BITS = 128
"""Binary places of the sum of a tail relative to its first term."""


def lower_end(passed: int, n: int, tail: Fraction, digits: int) -> Decimal:
    """
    Smallest success probability not rejected: the p at which `passed` or more of n has probability `tail`.

    Args:
        passed: Successes, 0 to n; without one the end is 0.
        n: Trials, 1 or more.
        tail: Probability outside the interval on this side, between 0 and 1.
        digits: Decimal places; rounded half to even.

    Raises:
        ValueError: There is no trial, or more successes than trials.

    Source:
        Clopper and Pearson, Biometrika 26(4), 404–413 (1934).
    """
    return decimal(_lower_units(passed, n, tail, digits), digits)


def upper_end(passed: int, n: int, tail: Fraction, digits: int) -> Decimal:
    """Largest success probability not rejected: 1 minus the lower end with successes and failures exchanged."""
    return decimal(10**digits - _lower_units(n - passed, n, tail, digits), digits)


def _found_units(passed: int, n: int, tail: Fraction, digits: int) -> int:
    """Lower end in units of the last place."""
    if not 0 <= passed <= n or n == 0:
        raise ValueError(f"{passed} of {n} is no count of successes")
    if passed == 0:
        return 0
    return nearest(_approximate(passed, n, float(tail)), lambda u, d: _side(passed, n, tail, u, d), digits)


_lower_units = lru_cache(maxsize=4096)(_found_units)


def _side(passed: int, n: int, tail: Fraction, u: int, d: int) -> int:
    """Sign of the end minus u/d: the tail grows with p, so it is the sign of `tail` minus the tail at u/d."""
    if u <= 0:
        return 1
    if u >= d:
        return -1
    low, high = _tail_bounds(passed, n, u, d)
    wanted_low = _FLOOR.divide(tail.numerator, tail.denominator)
    wanted_high = _CEILING.divide(tail.numerator, tail.denominator)
    if high < wanted_low:
        return 1
    if low > wanted_high:
        return -1
    return _exact_side(passed, n, tail, u, d)


def _tail_bounds(passed: int, n: int, u: int, d: int) -> tuple[Decimal, Decimal]:
    """Two numbers around the probability of `passed` or more among n at p = u/d."""
    sum_low, sum_high = _relative_sum(passed, n, u, d - u)
    bounds = []
    for context, total in ((_FLOOR, sum_low), (_CEILING, sum_high)):
        first = context.multiply(
            context.create_decimal(_coefficient(n, min(passed, n - passed))),
            context.multiply(
                _power(context.divide(u, d), passed, context), _power(context.divide(d - u, d), n - passed, context)
            ),
        )
        bounds.append(context.divide(context.multiply(first, total), 1 << _FIXED_BITS))
    return bounds[0], bounds[1]


def _relative_sum(passed: int, n: int, u: int, v: int) -> tuple[int, int]:
    """Fixed-point numbers around the tail divided by its first term, where the odds of success are u to v."""
    low = high = sum_low = sum_high = 1 << _FIXED_BITS
    for i in range(passed, n):
        over, under = (n - i) * u, (i + 1) * v
        low = low * over // under
        high = -(-high * over // under)
        sum_low += low
        sum_high += high
        if low == 0 and over < under:
            # From here on the terms only shrink, so each of those left is at most the present one.
            return sum_low, sum_high + high * (n - i - 1)
    return sum_low, sum_high


def _power(base: Decimal, exponent: int, context: Context) -> Decimal:
    """Raise a positive number to a whole power, every product rounded the context's way."""
    result = Decimal(1)
    while exponent:
        if exponent & 1:
            result = context.multiply(result, base)
        base = context.multiply(base, base)
        exponent >>= 1
    return result


def _exact_side(passed: int, n: int, tail: Fraction, u: int, d: int) -> int:
    """What `_side` promises, in whole numbers of any size; slow, and reached only when the bounds cannot tell."""
    v = d - u
    total = 0
    for i in range(passed, n + 1):
        total = total * v + comb(n, i) * u ** (i - passed)
    difference: int = tail.numerator * d**n - tail.denominator * total * u**passed
    return (difference > 0) - (difference < 0)


def _approximate(passed: int, n: int, tail: float) -> float:
    """Find the end in binary floats: Newton's method on logarithms, where the tail is nearly a straight line."""
    target = log(tail)
    constant = lgamma(n + 1) - lgamma(passed + 1) - lgamma(n - passed + 1)
    log_p = log((passed - 0.5) / n)
    for _ in range(50):
        p = min(exp(log_p), 1 - 1e-12)
        term = total = 1.0
        for i in range(passed, n):
            term *= (n - i) * p / ((i + 1) * (1 - p))
            total += term
            if term < 1e-17 * total:
                break
        step = (constant + passed * log(p) + (n - passed) * log1p(-p) + log(total) - target) * total / passed
        log_p = log(p) - step
        if abs(step) < 1e-10:
            break
    return min(exp(log_p), 1.0)
