"""One spelling for each value, so that a digest of a record does not depend on how the record was written."""

from collections.abc import Iterator
from decimal import Decimal
from json.encoder import encode_basestring


def canonical_json(value: object) -> bytes:
    """
    Spell a value as canonical JSON.

    Members are sorted by the UTF-16 code units of their keys; there is no space; a number is spelt by its value alone
    (`1.0`, `1.00` and `1` alike as `1`), in plain digits without exponent, as many as it has.

    Args:
        value: Built of `dict` with text keys, `list`, `str`, `int`, `Decimal`, `bool` and `None`.

    Returns:
        UTF-8 text.

    Raises:
        TypeError: Anything else, binary floats and keys that are no text among it.
        ValueError: A number that is not finite, or a lone surrogate.

    Source:
        RFC 8785, but for numbers: it spells them as binary floats, which would lose digits of a decimal.
    """
    return "".join(_parts(value)).encode("utf-8")


def _parts(value: object) -> Iterator[str]:
    if value is None:
        yield "null"
    elif isinstance(value, bool):
        yield "true" if value else "false"
    elif isinstance(value, str):
        yield encode_basestring(value)
    elif isinstance(value, int):
        yield str(int(value))
    elif isinstance(value, Decimal):
        yield plain(value)
    elif isinstance(value, list):
        mark = "["
        for item in value:
            yield mark
            yield from _parts(item)
            mark = ","
        yield "]" if value else "[]"
    elif isinstance(value, dict):
        mark = "{"
        for key in sorted(value, key=_code_units):
            yield mark + encode_basestring(key) + ":"
            yield from _parts(value[key])
            mark = ","
        yield "}" if value else "{}"
    else:
        raise TypeError(f"{type(value).__name__} has no place in a record; expected the types of JSON")


def plain(number: Decimal) -> str:
    """
    Spell a number in plain digits, without exponent and without zeros at its end.

    Raises:
        ValueError: The number is not finite.
    """
    if not number.is_finite():
        raise ValueError(f"{number} is no finite number")
    digits = f"{number:f}"
    if "." in digits:
        digits = digits.rstrip("0").removesuffix(".")
    return "0" if digits == "-0" else digits


def _code_units(key: object) -> bytes:
    if not isinstance(key, str):
        raise TypeError(f"the key {key!r} is no text")
    return key.encode("utf-16-be")
