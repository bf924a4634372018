"""Published digits: rounding without noise."""

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge_registrar.statistics.exact import exact_decimal, figure, in_order, nearest, ratio, rounded
from medgauge_registrar.statistics.values import Figure, WhyNot


@pytest.mark.parametrize(
    ("value", "digits", "expected"),
    [
        (Fraction(1, 3), 6, "0.333333"),
        (Fraction(2, 3), 6, "0.666667"),
        (Fraction(-2, 3), 6, "-0.666667"),
        (Fraction(1, 2), 0, "0"),
        (Fraction(3, 2), 0, "2"),
        (Fraction(5, 2), 0, "2"),
        (Fraction(-1, 2), 0, "0"),
        (Fraction(5, 10_000_000), 6, "0.000000"),
        (Fraction(15, 10_000_000), 6, "0.000002"),
        (7, 3, "7.000"),
        (0, 6, "0.000000"),
    ],
)
def test_rounds_half_to_even_and_keeps_every_place(value: Fraction, digits: int, expected: str) -> None:
    """Halves go to the even neighbour; trailing zeros stay."""
    assert str(rounded(value, digits)) == expected


def test_ignores_the_decimal_context() -> None:
    """A caller with two digits of precision gets all the digits."""
    with localcontext() as context:
        context.prec = 2
        assert str(rounded(Fraction(123456789, 1000), 6)) == "123456.789000"


@settings(deadline=None)
@given(st.fractions(min_value=-5, max_value=5), st.integers(0, 8))
def test_nearest_by_comparison_agrees_with_rounding(value: Fraction, digits: int) -> None:
    """Rounding a number known only by comparison gives the digits of rounding the number, from any start nearby."""

    def side(u: int, d: int) -> int:
        return (value > Fraction(u, d)) - (value < Fraction(u, d))

    scale = 10**digits
    for error in (-3, 0, 3):
        assert Decimal(nearest(float(value) + error / scale, side, digits)) == rounded(value, digits) * scale


@pytest.mark.parametrize("units", [3, 4, -3, -4])
def test_nearest_takes_the_even_neighbour_of_an_exact_half(units: int) -> None:
    """A number exactly between two published ones goes to the even one, from either side."""
    value = Fraction(2 * units + 1, 2)
    expected = units if units % 2 == 0 else units + 1
    for start in (float(value) - 2, float(value) + 2):
        assert nearest(start, lambda u, d: (value > Fraction(u, d)) - (value < Fraction(u, d)), 0) == expected


def test_numbers_too_near_for_a_double_are_put_in_order() -> None:
    """Numbers that agree in twenty digits, of either sign; none at all is in order."""
    near = [Fraction(1), Fraction(10**20 + 1, 10**20), Fraction(10**20 - 1, 10**20), Fraction(-1, 3), Fraction(-1, 2)]
    assert in_order(near) == sorted(near)
    assert in_order(near[::-1]) == sorted(near)
    assert in_order([]) == []


def test_a_figure_has_a_value_or_a_reason() -> None:
    """Neither both nor neither."""
    assert figure(WhyNot.NO_TASKS, 6) == Figure(value=None, why_not=WhyNot.NO_TASKS)
    assert figure(Fraction(1, 4), 6) == Figure(value=Decimal("0.25"), why_not=None)
    with pytest.raises(ValueError, match="a value or a reason"):
        Figure(value=None, why_not=None)
    with pytest.raises(ValueError, match="a value or a reason"):
        Figure(value=Decimal(1), why_not=WhyNot.NO_TASKS)


def test_a_quotient_without_denominator_says_so() -> None:
    """Nothing is divided by zero."""
    assert ratio(0, 0, 6).why_not is WhyNot.NO_TASKS
    assert ratio(1, 8, 6).value == Decimal("0.125")


@settings(deadline=None)
@given(st.decimals(allow_nan=False, allow_infinity=False, places=5, min_value=-1000, max_value=1000))
def test_a_finite_decimal_survives(value: Decimal) -> None:
    """Sums of amounts keep all their digits."""
    assert exact_decimal(Fraction(value)) == value


def test_a_number_without_finite_decimal_is_refused() -> None:
    """A third has no exact decimal."""
    with pytest.raises(ValueError, match="no finite decimal"):
        exact_decimal(Fraction(1, 3))
    assert str(exact_decimal(Fraction(1200))) == "1200"
    assert exact_decimal(Fraction(1, 8)) == Decimal("0.125")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Fraction(3, 10), "0.3"),
        (Fraction(-7, 1000), "-0.007"),
        (Fraction(1, 4), "0.25"),
        (Fraction(3, 20), "0.15"),
        (Fraction(12), "12"),
        (Fraction(1, 10**24), "1E-24"),
    ],
)
def test_a_finite_decimal_has_no_place_too_many(value: Fraction, shown: str) -> None:
    """As many places as the number needs."""
    assert str(exact_decimal(value)) == shown


@pytest.mark.parametrize("denominator", [5**40, 2**80, 10**40])
def test_many_places_are_no_trouble(denominator: int) -> None:
    """Denominators that no double holds."""
    assert Fraction(exact_decimal(Fraction(3, denominator))) == Fraction(3, denominator)
