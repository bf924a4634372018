"""Plain scalars and numbers: one meaning to every reader, or a fault that says how to write it."""

from decimal import Decimal

import pytest

from medgauge_registrar.model.document import Json
from medgauge_registrar.registry.reader import Syntax
from support.reading import accepted, place, refused

YAML, JSON = Syntax.YAML, Syntax.JSON
BOTH = pytest.mark.parametrize("syntax", [YAML, JSON])


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("no", "false"),
        ("NO", "false"),
        ("off", "false"),
        ("n", "false"),
        ("on", "true"),
        ("Yes", "true"),
        ("y", "true"),
    ],
)
def test_truth_words_of_old_yaml_are_refused(word: str, value: str) -> None:
    """A word that is a truth value to some readers only is refused, with both ways to write it."""
    fault = refused(f"country: {word}\n")
    assert place(fault) == (1, 10, "/country")
    assert f"`{word}`" in fault.message
    assert f'`"{word}"`' in fault.help
    assert f"`{value}`" in fault.help


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ('"no"', "no"),
        ("'on'", "on"),
        ("norway", "norway"),
        ("nO", "nO"),
        ("true", True),
        ("False", False),
        ("~", None),
        ("Null", None),
        ("", None),
        ("nULL", "nULL"),
    ],
)
def test_words_that_all_readers_take_alike_are_accepted(literal: str, value: Json) -> None:
    """Quoted words are text; the truth values and nulls of both versions of YAML keep their meaning."""
    assert accepted(f"country: {literal}\n") == {"country": value}


@pytest.mark.parametrize(
    "key",
    [
        "version",
        "introduced_in",
        "methodology",
        "supersedes",
        "superseded_by",
        "schema_version",
        "from-version",
        "versions",
    ],
)
def test_an_unquoted_two_part_version_is_refused(key: str) -> None:
    """A version that would be read as a number is refused wherever a key says that it is a version."""
    fault = refused(f"{key}: 1.10\n")
    assert place(fault) == (1, len(key) + 3, f"/{key}")
    assert "`1.10`" in fault.message
    assert '`"1.10"`' in fault.help


def test_an_unquoted_two_part_version_in_a_list_is_refused() -> None:
    """The key above a list counts for its items, however deep."""
    assert place(refused("versions: [0.1.0, [1.0]]\n")) == (1, 20, "/versions/1/0")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('version: "1.10"\n', {"version": "1.10"}),
        ("version: 0.1.0\n", {"version": "0.1.0"}),
        ("level: 1.5\n", {"level": Decimal("1.5")}),
        ("conversion: 1.5\n", {"conversion": Decimal("1.5")}),
        ("version: {share: 1.5}\n", {"version": {"share": Decimal("1.5")}}),
    ],
)
def test_versions_as_text_and_decimals_elsewhere_are_accepted(text: str, value: Json) -> None:
    """A quoted or three-part version is text; a decimal under any other key is a number."""
    assert accepted(text) == value


def test_decimals_keep_the_digits_they_were_written_with() -> None:
    """Numbers are decimals: nothing is rounded, and trailing zeros stay."""
    for syntax, text in ((YAML, "a: 0.10\n"), (JSON, '{"a": 0.10}')):
        value = accepted(text, syntax)
        assert isinstance(value, dict)
        assert str(value["a"]) == "0.10"


@pytest.mark.parametrize("date", ["2026-11-29", "2026-02-31", "0001-01-01"])
def test_a_plain_date_is_text(date: str) -> None:
    """A date needs no quotes and is never turned into an object; whether it exists is for the schema to say."""
    assert accepted(f"day: {date}\n") == {"day": date}


@pytest.mark.parametrize(
    "stamp",
    [
        "2026-11-29T10:00:00Z",
        "2026-11-29t10:00:00.5 +1:30",
        "2026-11-29 10:00:00",
        "2026-1-2t1:00:00.5-05:00",
        "2026-11-29T10:00",
    ],
)
def test_a_plain_point_in_time_is_refused(stamp: str) -> None:
    """A time stamp is a moment to YAML 1.1 and text to YAML 1.2."""
    fault = refused(f"at: {stamp}\n")
    assert place(fault) == (1, 5, "/at")
    assert f'`"{stamp}"`' in fault.help
    assert accepted(f"at: '{stamp}'\n") == {"at": stamp}


@pytest.mark.parametrize("literal", ["010", "0123", "08", "00", "-012", "0o7", "0x1F", "0X1f", "0b101"])
def test_numbers_in_other_bases_are_refused(literal: str) -> None:
    """Nobody can know whether 010 means eight, ten or a text."""
    fault = refused(f"a: {literal}\n")
    assert f"`{literal}`" in fault.message
    assert f'`"{literal}"`' in fault.help
    assert accepted(f'a: "{literal}"\n') == {"a": literal}


@pytest.mark.parametrize("literal", ["12:30:00", "1:20", "22:22", "-1:05", "190:20:30.15"])
def test_numbers_in_base_60_are_refused(literal: str) -> None:
    """A time of day is a number to YAML 1.1."""
    assert f'`"{literal}"`' in refused(f"a: {literal}\n").help
    assert accepted(f"a: '{literal}'\n") == {"a": literal}


@pytest.mark.parametrize(
    "literal", ["1e3", "1.0e3", "1E-5", "1e+3", "12345e10", "1_000", "1_0.5", "0x_1", ".5", "-.5", "5.", "+.5e-1", "="]
)
def test_numbers_that_readers_spell_differently_are_refused(literal: str) -> None:
    """Exponents without point or sign, underscores and bare points make a number to some readers only."""
    assert f'`"{literal}"`' in refused(f"a: {literal}\n").help
    assert accepted(f"a: '{literal}'\n") == {"a": literal}


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("2026-11-29 10:00 meeting", "2026-11-29 10:00 meeting"),
        ("0", 0),
        ("-17", -17),
        ("+5", 5),
        ("0.5", Decimal("0.5")),
        ("-1.25", Decimal("-1.25")),
        ("1.0e-5", Decimal("0.000010")),
        ("1.2.3", "1.2.3"),
        ("-", None),
        ("1:90", "1:90"),
        ("a1", "a1"),
        ("sha256:00", "sha256:00"),
        ("1-2", "1-2"),
    ],
)
def test_scalars_that_all_readers_take_alike_are_accepted(literal: str, value: Json) -> None:
    """Plain decimal numbers are numbers; what looks like none is text."""
    if literal == "-":
        assert accepted("a:\n-\n") == {"a": [None]}
        return
    read_value = accepted(f"a: {literal}\n")
    assert read_value == {"a": value}
    assert isinstance(read_value, dict)
    assert type(read_value["a"]) is type(value)


@pytest.mark.parametrize("syntax_text", [(YAML, "a: {}\n"), (JSON, '{{"a": {}}}')])
@pytest.mark.parametrize(
    "literal", [str(2**53), str(-(2**53)), "9" * 5_000, "1" * 90_000], ids=["above", "below", "5,000", "90,000"]
)
def test_integers_beyond_exact_range_are_refused(syntax_text: tuple[Syntax, str], literal: str) -> None:
    """An integer that other readers round is refused before it is converted, and shown in short."""
    syntax, text = syntax_text
    fault = refused(text.format(literal), syntax)
    assert fault.pointer == "/a"
    assert "9007199254740991" in fault.message
    assert len(fault.message) < 400


@pytest.mark.parametrize("syntax_text", [(YAML, "a: {}\n"), (JSON, '{{"a": {}}}')])
@pytest.mark.parametrize("number", [2**53 - 1, -(2**53) + 1, 0])
def test_integers_in_exact_range_are_accepted(syntax_text: tuple[Syntax, str], number: int) -> None:
    """The limit itself is still a number."""
    syntax, text = syntax_text
    assert accepted(text.format(number), syntax) == {"a": number}


@pytest.mark.parametrize(
    "literal",
    [
        "0." + "1" * 31,
        "1.0e-100",
        "1.0e+100",
        "0.0e-999",
        "1.5e-99999999999999999999",
        "0." + "0" * 99 + "1",
        "1." + "0" * 30,
    ],
)
@BOTH
def test_decimals_out_of_bounds_are_refused(syntax: Syntax, literal: str) -> None:
    """Digits and exponents are bounded, so that no number costs more than its line."""
    assert "30 significant digits" in refused(literal, syntax).message


@pytest.mark.parametrize("literal", ["0." + "1" * 30, "1.0e-99", "1.0e+99", "-0.0", "0." + "0" * 98 + "1"])
@BOTH
def test_decimals_within_bounds_are_accepted(syntax: Syntax, literal: str) -> None:
    """At the limit, a decimal is read exactly."""
    value = accepted(literal, syntax)
    assert isinstance(value, Decimal)
    assert value.compare_total(Decimal(literal)) == 0


@pytest.mark.parametrize("literal", [".nan", ".NaN", ".inf", "-.inf", "+.INF", "NaN", "-Infinity"])
def test_yaml_numbers_that_are_not_finite_are_refused(literal: str) -> None:
    """NaN and infinities would pass any bound."""
    fault = refused(f"a: {literal}\n")
    assert place(fault) == (1, 4, "/a")
    assert f"`{literal}`" in fault.message


@pytest.mark.parametrize("literal", ["NaN", "Infinity", "-Infinity"])
def test_json_numbers_that_are_not_finite_are_refused(literal: str) -> None:
    """The library's extensions of JSON are refused; as text the words stand."""
    fault = refused(f'{{"a": {literal}}}', JSON)
    assert place(fault) == (1, 7, "/a")
    assert accepted(f'{{"a": "{literal}"}}', JSON) == {"a": literal}
