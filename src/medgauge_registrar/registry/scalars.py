"""Scalars that mean one thing: what YAML 1.1 and YAML 1.2 read alike, and numbers that every reader holds exactly."""

import re
from decimal import Decimal
from functools import lru_cache

from medgauge_registrar.model.document import Json
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.registry.characters import shown
from medgauge_registrar.registry.limits import Limits

# Both versions of YAML agree on these.
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_OLD_TRUE = frozenset({"y", "Y", "yes", "Yes", "YES", "on", "On", "ON"})
_OLD_FALSE = frozenset({"n", "N", "no", "No", "NO", "off", "Off", "OFF"})
_INDICATORS = frozenset({"=", "<<"})
# A plain scalar that begins otherwise is text to everybody.
_FIRST = frozenset("0123456789+-.~nNtTfFyYoO=<I")

_INTEGER = lazy_pattern(r"[-+]?(?:0|[1-9][0-9]*)")
_DECIMAL = lazy_pattern(r"[-+]?(?:0|[1-9][0-9]*)\.[0-9]+(?:[eE][-+][0-9]+)?")
_NUMBER_TO_SOME = lazy_pattern(
    r"[-+]?(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?"
    r"|[-+]?0(?:[xX][0-9a-fA-F_]+|[oO][0-7_]+|[bB][01_]+)"
)
_BASE_60 = lazy_pattern(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")
_TIME_STAMP = lazy_pattern(
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:\.[0-9]*)?"
    r"[ \t]*(?:[Zz]|[-+][0-9]{1,2}(?::?[0-9]{2})?)?"
)
_NOT_FINITE = lazy_pattern(r"[-+]?(?:\.(?:inf|Inf|INF)|Infinity)|\.(?:nan|NaN|NAN)|NaN")
_NAMES_VERSION = lazy_pattern(r"(?:.*[_-])?versions?|introduced_in|methodology|supersedes|superseded_by", re.DOTALL)

# A registry repeats its scalars; beyond this many the process would hold what a hostile file makes up.
_REMEMBERED_COUNT = 50_000
_REMEMBERED_CHARACTERS = 40


class ScalarError(ValueError):
    """
    A scalar that readers take differently, or that no record may hold.

    Args:
        message: What was found and what was expected.
        remedy: How to mend it.
    """

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class PlainScalars(dict[str, Json]):
    """
    Value of every plain scalar, worked out once.

    Raises:
        ScalarError: On look-up, if the scalar has to be quoted or is out of bounds.

    Source:
        YAML 1.2.2, section 10.3.2 (core schema); the type repository of YAML 1.1.
    """

    def __init__(self, limits: Limits) -> None:
        super().__init__()
        self._limits = limits

    def __missing__(self, text: str) -> Json:
        value = _resolve(text, self._limits)
        if len(text) <= _REMEMBERED_CHARACTERS and len(self) < _REMEMBERED_COUNT:
            self[text] = value
        return value


@lru_cache(maxsize=8)
def plain_scalars(limits: Limits) -> PlainScalars:
    """Return the table of plain scalars under the given limits."""
    return PlainScalars(limits)


@lru_cache(maxsize=1024)
def names_version(key: str) -> bool:
    """Whether a key names a version, so that a decimal number beside it is a version without quotes."""
    return _NAMES_VERSION.fullmatch(key) is not None


def unquoted_version(literal: str, key: str) -> ScalarError:
    """Build the fault of a version that is read as a number."""
    return ScalarError(
        f"{shown(literal)} under {shown(key)} is read as a number, which loses its closing zeros; expected a version as text",
        f"quote it: {_quoted(literal)} (versions of the registry have three parts, and these need no quotes)",
    )


def integer(literal: str, limits: Limits) -> int:
    """
    Read digits with an optional sign.

    Raises:
        ScalarError: The number is larger than the limit.
    """
    if len(literal) <= len(str(limits.integer_magnitude)) + 1:
        value = int(literal)
        if abs(value) <= limits.integer_magnitude:
            return value
    raise ScalarError(
        f"the integer {shown(literal)} is too large; expected at most {limits.integer_magnitude} either side of zero, "
        "since not every reader holds a larger one exactly",
        f"write a smaller number; if it is an identifier, quote it: {_quoted(literal)}",
    )


def decimal(literal: str, limits: Limits) -> Decimal:
    """
    Read a number with a fraction or an exponent, exactly.

    Raises:
        ScalarError: It has too many digits, or its exponent is too large.
    """
    # Before conversion: what is longer cannot keep the limits, and `Decimal` itself overflows at 18 digits of exponent.
    exponent = literal.lower().partition("e")[2]
    if len(literal) <= limits.decimal_digits + limits.decimal_exponent + 10 and len(exponent) <= 6:
        value = Decimal(literal)
        if len(value.as_tuple().digits) <= limits.decimal_digits and abs(value.adjusted()) <= limits.decimal_exponent:
            return value
    raise ScalarError(
        f"the number {shown(literal)} is out of bounds; expected at most {limits.decimal_digits} significant digits "
        f"and a power of ten between -{limits.decimal_exponent} and {limits.decimal_exponent}",
        f"round it; if it is an identifier, quote it: {_quoted(literal)}",
    )


def not_finite(literal: str) -> ScalarError:
    """Build the fault of NaN and infinities."""
    return ScalarError(
        f"{shown(literal)} is no number; expected a finite one, since this one passes every bound",
        f"write a finite number, or `null` where there is none; if text is meant, quote it: {_quoted(literal)}",
    )


def _resolve(text: str, limits: Limits) -> Json:
    if text and text[0] not in _FIRST:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return integer(text, limits)
    if _DECIMAL.fullmatch(text):
        return decimal(text, limits)
    if _NOT_FINITE.fullmatch(text):
        raise not_finite(text)
    reading = _other_reading(text)
    if reading is None:
        return text
    found, alternative = reading
    raise ScalarError(
        f"{shown(text)} is {found}; expected a value that every reader takes alike",
        f"quote it: {_quoted(text)}{alternative}",
    )


def _other_reading(text: str) -> tuple[str, str] | None:
    """How readers differ over a plain scalar, and what to write if no text is meant; null if they agree on text."""
    if text in _OLD_TRUE:
        return "`true` to YAML 1.1 readers and text to others", "; if a truth value is meant, write `true`"
    if text in _OLD_FALSE:
        return "`false` to YAML 1.1 readers and text to others", "; if a truth value is meant, write `false`"
    if text in _INDICATORS:
        return "an instruction to YAML 1.1 readers and text to others", ""
    if _NUMBER_TO_SOME.fullmatch(text):
        return (
            "no number, or not the same number, to every YAML reader",
            "; if a number is meant, write its plain decimal digits, such as `10`, `0.5` or `1.0e-3`",
        )
    if _BASE_60.fullmatch(text):
        return "a number in base 60 to YAML 1.1 readers and text to others", ""
    if _TIME_STAMP.fullmatch(text):
        return "a point in time to YAML 1.1 readers and text to others", ""
    return None


def _quoted(literal: str) -> str:
    # Whatever is quoted here holds neither quotes nor backslashes nor line ends.
    return f'`"{literal}"`' if len(literal) <= 60 else '`"…"`'
