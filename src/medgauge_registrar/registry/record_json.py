"""A record as JSON text that people can read and diff: short parts on one line, one line a run."""

from collections.abc import Iterator
from decimal import Decimal
from json.encoder import encode_basestring

from medgauge_registrar.model.document import Json
from medgauge_registrar.registry.canonical import plain

LINE_LENGTH = 100
_INDENT = "  "
# A run is one line however long it is, so that a change of one run is a change of one line.
_ONE_LINE = "runs"


def record_json(record: dict[str, Json]) -> str:
    """
    Write a record; equal values give equal bytes.

    Numbers are written in plain digits, without zeros at their end; they are never turned into binary floats.

    Raises:
        ValueError: A number is not finite.
    """
    return "".join(_object(record, 0)) + "\n"


def _object(value: dict[str, Json], depth: int) -> Iterator[str]:
    inner = _INDENT * (depth + 1)
    yield "{\n"
    for place, (key, item) in enumerate(value.items()):
        yield f"{inner}{encode_basestring(key)}: "
        yield from _value(item, depth + 1, key, len(inner) + len(encode_basestring(key)) + 2)
        yield ",\n" if place < len(value) - 1 else "\n"
    yield f"{_INDENT * depth}}}"


def _list(value: list[Json], depth: int, name: str) -> Iterator[str]:
    inner = _INDENT * (depth + 1)
    yield "[\n"
    for place, item in enumerate(value):
        yield inner
        if name == _ONE_LINE:
            yield one_line(item)
        else:
            yield from _value(item, depth + 1, "", len(inner))
        yield ",\n" if place < len(value) - 1 else "\n"
    yield f"{_INDENT * depth}]"


def _value(value: Json, depth: int, name: str, used: int) -> Iterator[str]:
    """A value after `used` characters of its line: on that line if it fits with a comma, else spread over several."""
    short = one_line(value)
    if name != _ONE_LINE and (not isinstance(value, dict | list) or used + len(short) + 1 <= LINE_LENGTH):
        yield short
    elif isinstance(value, dict) and value:
        yield from _object(value, depth)
    elif isinstance(value, list) and value:
        yield from _list(value, depth, name)
    else:
        yield short


def one_line(value: Json) -> str:
    """A value as JSON on one line."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case Decimal():
            return plain(value)
        case str():
            return encode_basestring(value)
        case list():
            return "[" + ", ".join(one_line(item) for item in value) + "]"
        case dict():
            return "{" + ", ".join(f"{encode_basestring(key)}: {one_line(item)}" for key, item in value.items()) + "}"
