"""Canonical JSON: one spelling for each value."""

import json
from decimal import Decimal

import pytest

from medgauge_registrar.registry.canonical import canonical_json


@pytest.mark.parametrize(
    ("value", "spelling"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (-17, "-17"),
        (2**60, "1152921504606846976"),
        (Decimal("1.0"), "1"),
        (Decimal("1.50"), "1.5"),
        (Decimal("100"), "100"),
        (Decimal("1E+3"), "1000"),
        (Decimal("1.5E-10"), "0.00000000015"),
        (Decimal("-0.0"), "0"),
        (Decimal("0E+9"), "0"),
        (Decimal("0.123456789012345678901234567891"), "0.123456789012345678901234567891"),
        ("", '""'),
        ('a"\\\n\t\x01/é😀', '"a\\"\\\\\\n\\t\\u0001/é😀"'),
        ([], "[]"),
        ({}, "{}"),
        ([1, [2, {}], "x"], '[1,[2,{}],"x"]'),
        ({"b": 1, "a": {"d": None, "c": [True]}}, '{"a":{"c":[true],"d":null},"b":1}'),
    ],
)
def test_each_value_has_one_spelling(value: object, spelling: str) -> None:
    """No spaces, plain digits, sorted keys; the standard library reads it back."""
    assert canonical_json(value).decode() == spelling
    assert json.loads(spelling, parse_float=Decimal) == value


def test_keys_are_sorted_by_utf16_code_units() -> None:
    """A character beyond the basic plane sorts before U+FB33, as in the example of RFC 8785, section 3.2.3."""
    keys = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\x80", "\u00f6"]
    spelling = canonical_json(dict.fromkeys(keys, 0)).decode()
    assert list(json.loads(spelling)) == ["\r", "1", "\x80", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]


def test_numbers_are_told_by_value_alone() -> None:
    """How a number was written makes no difference; another number does."""
    spellings = {canonical_json({"a": value}) for value in (1, Decimal("1"), Decimal("1.00"), Decimal("0.1E+1"))}
    assert len(spellings) == 1
    assert canonical_json(Decimal("1.0000000000000000000000000001")) != canonical_json(1)


@pytest.mark.parametrize("value", [0.5, (1, 2), {1: 2}, {None: 1}, b"x", {"a": {1.5}}, object(), [[0.0]]])
def test_foreign_types_are_refused(value: object) -> None:
    """Binary floats, tuples and keys that are no text have no spelling."""
    with pytest.raises(TypeError):
        canonical_json(value)


@pytest.mark.parametrize("value", [Decimal("NaN"), Decimal("-Infinity"), Decimal("sNaN"), "\ud800", {"\udfff": 1}])
def test_values_outside_json_are_refused(value: object) -> None:
    """NaN, infinities and lone surrogates have no spelling."""
    with pytest.raises(ValueError, match=r"finite|surrogates"):
        canonical_json(value)
