"""The normal law to many digits."""

from decimal import Decimal
from fractions import Fraction

import pytest
from scipy import stats

from medgauge_registrar.statistics import normal


@pytest.mark.parametrize("x", ["-11.9", "-5.85", "-1.96", "-0.1", "0", "0.1", "1", "3.9", "8", "11.9"])
def test_law_agrees_with_scipy(x: str) -> None:
    """Every digit that a double holds."""
    assert float(normal.cdf(Decimal(x))) == pytest.approx(stats.norm.cdf(float(x)), rel=1e-13, abs=1e-25)


def test_law_has_many_digits() -> None:
    """Published value of the law at 1, and symmetry, far beyond a double."""
    assert abs(normal.cdf(Decimal(1)) - Decimal("0.841344746068542948585232545632")) < Decimal("1e-29")
    assert abs(normal.cdf(Decimal("2.5")) + normal.cdf(Decimal("-2.5")) - 1) < Decimal("1e-40")


def test_density_has_many_digits() -> None:
    """1 over the root of 2 pi, published to many digits (OEIS A231863)."""
    assert abs(normal.density(Decimal(0)) - Decimal("0.398942280401432677939946059934381868475859")) < Decimal("1e-40")


@pytest.mark.parametrize("x", ["12", "216", "1e9"])
def test_law_is_flat_far_out(x: str) -> None:
    """0 and 1 exactly; the series would not end."""
    assert normal.cdf(Decimal(x)) == 1
    assert normal.cdf(-Decimal(x)) == 0


@pytest.mark.parametrize(
    "p", [Fraction(1, 20_000), Fraction(1, 40), Fraction(1, 3), Fraction(1, 2), Fraction(19_999, 20_000)]
)
def test_quantile_inverts_the_law(p: Fraction) -> None:
    """Law of quantile gives the probability back, and SciPy agrees."""
    x = normal.quantile(p)
    assert abs(Fraction(normal.cdf(x)) - p) < Fraction(1, 10**28)
    assert float(x) == pytest.approx(stats.norm.ppf(float(p)), rel=1e-13, abs=1e-15)


def test_the_constant_is_the_quantile() -> None:
    """The literal is what the function finds."""
    assert abs(normal.Z_975 - normal.quantile(Fraction(39, 40))) < Decimal("1e-28")
