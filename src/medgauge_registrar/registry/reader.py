"""Bytes to a `Document`, strictly: whatever one reader might take differently from another is a fault."""

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

from medgauge_registrar.model.document import Document, Fault, Json, Position
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.registry import json_reader, yaml_lines
from medgauge_registrar.registry.limits import LIMITS, Limits, Syntax
from medgauge_registrar.registry.survey import DoubtError, Survey
from medgauge_registrar.registry.text import decode

__all__ = ["LIMITS", "Limits", "Syntax", "read_document"]

_UNEXPLAINED = Fault(
    message="the file could not be read as a record, for a reason that could not be found",
    help="write the record more plainly: mappings, lists, numbers and quoted texts",
)


@frozen
class _Reader:
    """One syntax, over one file."""

    parse: Callable[[], Json]
    survey: Callable[[], Survey]


def read_document(data: bytes, *, syntax: Syntax, limits: Limits = LIMITS) -> Document:
    """
    Read one record.

    Accepted is: UTF-8 without a byte order mark and without characters that are not seen, LF line ends, one document,
    text keys that stand once in their mapping, finite numbers within the limits. In YAML also: no tabs, directives,
    anchors, aliases, tags or merge keys, and no plain scalar that YAML 1.1 and 1.2 read differently; a plain date or
    three-part version is text.

    Args:
        data: The file, from anybody.
        syntax: How it is written.
        limits: What it may hold.

    Returns:
        The value, with integers as `int` and all other numbers as `Decimal`; or every fault that one pass can see, with
        its place. Nothing in the bytes makes it raise.

    Source:
        YAML 1.2.2, chapter 10.3 (core schema); RFC 8259; RFC 6901.
    """
    text, faults = decode(data, syntax, limits)
    if faults:
        return Document(value=None, faults=faults)
    reader = _reader(data, text, syntax, limits)
    try:
        return _read(reader)
    except Exception:  # noqa: BLE001 - a parser's own failure over somebody's file must shut the gate, not end the run
        return Document(value=None, faults=(_UNEXPLAINED,))


def _reader(data: bytes, text: str, syntax: Syntax, limits: Limits) -> _Reader:
    if syntax is Syntax.JSON:
        return _Reader(
            parse=lambda: json_reader.parse(text, limits),
            survey=lambda: json_reader.survey(text, limits),
        )
    return _Reader(parse=lambda: _parse_yaml(data, text, limits), survey=lambda: _survey_yaml(data, limits))


def _parse_yaml(data: bytes, text: str, limits: Limits) -> Json:
    plain = yaml_lines.parse(text, limits)
    if plain is not None:
        return plain
    from medgauge_registrar.registry import yaml_reader  # here, since most runs get by without loading PyYAML

    return yaml_reader.parse(data, limits)


def _survey_yaml(data: bytes, limits: Limits) -> Survey:
    from medgauge_registrar.registry import yaml_reader

    return yaml_reader.survey(data, limits)


def _read(reader: _Reader) -> Document:
    try:
        value = reader.parse()
    except DoubtError:
        found = reader.survey()
        places: Mapping[str, Position] = MappingProxyType(found.places)
        return Document(value=None, faults=found.faults or (_UNEXPLAINED,), locate=lambda: places)
    survey = reader.survey  # the text is not kept for it
    return Document(value=value, locate=cache(lambda: MappingProxyType(survey().places)))
