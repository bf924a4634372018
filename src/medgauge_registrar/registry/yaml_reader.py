"""
YAML by libyaml's event stream: no loader, constructor or resolver of PyYAML takes part.

`parse` builds the value of a file that is in order, and stops at the first doubt. `survey` goes through the same events
slowly, with places, and names everything that is out of order.
"""

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

from yaml import YAMLError
from yaml._yaml import CParser
from yaml.error import MarkedYAMLError
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from medgauge_registrar.model.document import Json, Position
from medgauge_registrar.registry.characters import shown, unfit_in_value
from medgauge_registrar.registry.limits import Limits
from medgauge_registrar.registry.scalars import ScalarError, names_version, plain_scalars, unquoted_version
from medgauge_registrar.registry.survey import DoubtError, EndOfSurveyError, Survey, SurveyLog, member

# PyYAML's own errors, and the decoding errors it lets out over escapes inside a tag.
_SYNTAX_ERRORS = (YAMLError, UnicodeError)
# Two of libyaml's problems that need other advice than to mend the syntax.
_LIBYAML_PROBLEMS = {
    "exceeded maximum nesting depth": (
        "lists and mappings are nested too deep for any reader; expected fewer levels",
        "flatten the record",
    ),
    "did not find expected <document start>": (
        "something follows the end of the document; expected one document in a file",
        "move it to a file of its own, or remove it",
    ),
}
_CORE_TAG_PREFIX = "tag:yaml.org,2002:"
_EVENTS_AROUND_RECORD_COUNT = 4  # start and end of the stream and of the document


def parse(data: bytes, limits: Limits) -> Json:
    """
    Build the value of a file that is in order.

    Args:
        data: The file; known to be clean text.
        limits: What it may hold.

    Raises:
        DoubtError: Something is out of order; `survey` says what.
    """
    if _has_directive(data):
        raise DoubtError
    try:
        return _build(data, limits)
    except (*_SYNTAX_ERRORS, ScalarError) as error:
        raise DoubtError from error


def survey(data: bytes, limits: Limits) -> Survey:
    """
    Find the place of every node and all that is out of order, up to the first syntax error.

    Args:
        data: The file; known to be clean text.
        limits: What it may hold.
    """
    return _Surveyor(data, limits).survey()


def _has_directive(data: bytes) -> bool:
    # Told from the bytes: libyaml compares each %TAG with all the earlier ones, so a small file would take minutes.
    return data.startswith(b"%") or b"\n%" in data


def _events(data: bytes, limits: Limits) -> Iterator[Any]:
    """Yield the events of a stream; raises `DoubtError` where there are more than the limits allow."""
    # Of any type: the published stubs give the attributes of some events only.
    parser = CParser(data)
    next_event = parser.get_event
    try:
        for _ in range(limits.node_count + _EVENTS_AROUND_RECORD_COUNT):
            event = next_event()
            yield event
            if type(event) is StreamEndEvent:
                return
    finally:
        parser.dispose()
    raise DoubtError


def _build(data: bytes, limits: Limits) -> Json:
    # One flat loop, for this is where the time of a whole-registry check goes; rare features are asked for once a file.
    scalars = plain_scalars(limits)
    has_properties = b"!" in data or b"&" in data
    unfit = unfit_in_value(foreign_text=limits.foreign_text).search if b"\\" in data else None
    limit_characters = limits.scalar_characters if len(data) > limits.scalar_characters else 0

    roots: list[Json] = []
    mapping: dict[str, Json] | None = None  # the mapping being filled; null inside a list
    append: Callable[[Json], None] = roots.append  # fills the list
    key: str | None = None  # in a mapping, the key that waits for its value; in a list, the key the list stands under
    outer: list[tuple[dict[str, Json] | None, Callable[[Json], None], str | None]] = []
    value: Json
    for event in _events(data, limits):
        kind = type(event)
        if kind is ScalarEvent:
            if event.implicit[0]:
                value = scalars[event.value]
            else:
                value = event.value
                if unfit is not None and unfit(event.value):
                    raise DoubtError
            if has_properties and (event.tag is not None or event.anchor is not None):
                raise DoubtError
            if limit_characters and len(event.value) > limit_characters:
                raise DoubtError
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            mapping, append, key = outer.pop()
            continue
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            if event.tag is not None or event.anchor is not None or len(outer) >= limits.depth_levels:
                raise DoubtError
            value = {} if kind is MappingStartEvent else []
        elif kind is AliasEvent or (kind is DocumentStartEvent and roots):
            raise DoubtError
        else:
            continue

        label = key
        if mapping is None:
            append(value)
        elif key is None:
            if type(value) is not str or value in mapping:
                raise DoubtError
            key = value
            continue
        else:
            mapping[key] = value
            key = None
        if type(value) is dict:
            outer.append((mapping, append, key))
            mapping, key = value, None
        elif type(value) is list:
            outer.append((mapping, append, key))
            mapping, append, key = None, value.append, label
        elif type(value) is Decimal and label is not None and names_version(label):
            raise DoubtError
    if not roots:
        raise DoubtError
    return roots[0]


class _Surveyor:
    def __init__(self, data: bytes, limits: Limits) -> None:
        self._data = data
        self._log = SurveyLog(limits)
        self._scalars = plain_scalars(limits)
        self._events = _events(data, limits)
        self._last = Position(line=1, column=1)

    def survey(self) -> Survey:
        try:
            self._directives()
            self._stream()
        except EndOfSurveyError:
            pass
        except MarkedYAMLError as error:
            self._syntax(error)
        except _SYNTAX_ERRORS:
            self._log.add("this is not YAML: a tag holds no text", "remove the tag here or just below", self._last)
        return self._log.survey()

    def _directives(self) -> None:
        if not _has_directive(self._data):
            return
        offset = 0 if self._data.startswith(b"%") else self._data.index(b"\n%") + 1
        line = self._data[offset:].split(b"\n", 1)[0].decode()
        self._log.add(
            f"the line {shown(line)} begins with `%`, which makes it a directive; expected none",
            "remove the line; inside a text, indent it",
            Position(line=self._data.count(b"\n", 0, offset) + 1, column=1),
        )
        raise EndOfSurveyError

    def _syntax(self, error: MarkedYAMLError) -> None:
        mark: Any = error.problem_mark or error.context_mark
        message, remedy = _LIBYAML_PROBLEMS.get(
            error.problem or "",
            (
                f"this is not YAML: {', '.join(part for part in (error.context, error.problem) if part)}",
                "check the indentation, brackets and quotes here and just above; a text that begins with a sign or "
                "holds `: ` or ` #` needs quotes",
            ),
        )
        self._log.add(message, remedy, Position(line=mark.line + 1, column=mark.column + 1) if mark else self._last)

    def _stream(self) -> None:
        documents_count = 0
        while not isinstance(event := self._next(), StreamEndEvent):
            if not isinstance(event, DocumentStartEvent):
                continue
            documents_count += 1
            if documents_count > 1:
                self._log.add(
                    "a second document begins here; expected one document in a file",
                    "move it to a file of its own, or remove it",
                    self._last,
                )
                raise EndOfSurveyError
            self._node(self._next(), "", None, 0)
        if not documents_count:
            self._log.add(
                "the file holds comments only; expected a record",
                "write the record, or remove the file",
                Position(line=1, column=1),
            )

    def _next(self) -> Any:
        try:
            event = next(self._events)
        except DoubtError:
            self._log.too_many(self._last)
        self._last = Position(line=event.start_mark.line + 1, column=event.start_mark.column + 1)
        return event

    def _node(self, event: Any, pointer: str, label: str | None, depth: int) -> None:
        """Survey one value; `label` is the key it stands under, through any lists between."""
        position = self._last
        self._log.place(pointer, position)
        if isinstance(event, AliasEvent):
            self._log.add(
                f"the alias {shown(f'*{event.anchor}')} stands for another value; expected the value itself",
                "write the value out",
                position,
                pointer,
            )
            return
        self._properties(event, position, pointer)
        if isinstance(event, ScalarEvent):
            self._scalar(event, position, pointer, label)
            return
        self._log.levels(depth, position, pointer)
        if isinstance(event, SequenceStartEvent):
            self._items(pointer, label, depth + 1)
        else:
            self._members(pointer, depth + 1)

    def _items(self, pointer: str, label: str | None, depth: int) -> None:
        index = 0
        while not isinstance(event := self._next(), SequenceEndEvent):
            self._node(event, f"{pointer}/{index}", label, depth)
            index += 1

    def _members(self, pointer: str, depth: int) -> None:
        seen: dict[str, Position] = {}
        while not isinstance(event := self._next(), MappingEndEvent):
            position = self._last
            if not isinstance(event, ScalarEvent):
                self._log.add("a key is no text; expected a text", "write the key as a text", position, pointer)
                self._node(event, member(pointer, "?"), None, depth)
                self._node(self._next(), member(pointer, "?"), None, depth)
                continue
            key = event.value
            place = member(pointer, key)
            self._log.place(place, position)
            self._properties(event, position, place)
            self._key(event, position, place)
            if key in seen:
                self._log.repeated(key, seen[key], position, place)
            seen.setdefault(key, position)
            self._node(self._next(), place, key, depth)

    def _properties(self, event: Any, position: Position, pointer: str) -> None:
        if event.anchor is not None:
            self._log.add(
                f"the anchor {shown(f'&{event.anchor}')} marks a value; expected no anchors",
                "remove the anchor, and write the value out wherever it is repeated",
                position,
                pointer,
            )
        if event.tag is not None:
            self._log.add(
                f"the tag {shown(event.tag.replace(_CORE_TAG_PREFIX, '!!'))} marks a value; expected no tags",
                "remove the tag; quote the value if text is meant",
                position,
                pointer,
            )

    def _key(self, event: ScalarEvent, position: Position, pointer: str) -> None:
        if event.value == "<<" and event.implicit[0]:
            self._log.add(
                "`<<` merges another mapping into this one; expected no merge keys, since readers merge differently",
                'write the members out; if the key is text, quote it: `"<<"`',
                position,
                pointer,
            )
            return
        value = self._scalar(event, position, pointer, None)
        if not isinstance(value, str):
            self._log.add(
                f"the key {shown(event.value)} is read as {_noun(value)}; expected a text",
                f'quote it: `"{event.value}"`',
                position,
                pointer,
            )

    def _scalar(self, event: ScalarEvent, position: Position, pointer: str, label: str | None) -> Json:
        """Judge a scalar; returns its value, or its text where the value is at fault."""
        text: str = event.value
        self._log.text(text, position, pointer)
        if not event.implicit[0]:
            return text
        try:
            value = self._scalars[text]
        except ScalarError as error:
            self._log.add(error.message, error.remedy, position, pointer)
            return text
        if isinstance(value, Decimal) and label is not None and names_version(label):
            fault = unquoted_version(text, label)
            self._log.add(fault.message, fault.remedy, position, pointer)
        return value


def _noun(value: Json) -> str:
    if value is None:
        return "null"
    return "a truth value" if isinstance(value, bool) else "a number"
