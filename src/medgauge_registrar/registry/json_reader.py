"""
JSON by the standard library, held to the standard.

`parse` builds the value of a file that is in order, and stops at the first doubt. `survey` is a small scanner of our
own: it yields places, which the library does not, and names everything that is out of order.
"""

import json
from functools import lru_cache
from itertools import chain, count
from typing import NoReturn

from medgauge_registrar.model.document import Json, Position
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.registry.characters import shown
from medgauge_registrar.registry.limits import Limits
from medgauge_registrar.registry.scalars import ScalarError, decimal, integer, not_finite
from medgauge_registrar.registry.survey import DoubtError, EndOfSurveyError, Lines, Survey, SurveyLog, member

# Escapes that may yield a character no value may hold; the survey looks closer.
_DOUBTFUL_ESCAPE = lazy_pattern(r"\\(?:[bfr]|u(?:00[01789aA]|0[3678]|1[178]|20[0-6]|31|[dD][89a-fA-F]|[fF][dDeEfF]))")
_SPACE = lazy_pattern(r"[ \t\n]*+")
_OPEN_STRING = lazy_pattern(r'"(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*+')
_WORD = lazy_pattern(r"[-+.\w]++")
_INTEGER = lazy_pattern(r"-?(?:0|[1-9][0-9]*)")
_DECIMAL = lazy_pattern(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = lazy_pattern(r"[-+]?(?:Infinity|inf)|NaN|nan")
_ESCAPE_CHARACTERS = 12  # most characters that stand for one: a surrogate pair
_LITERALS = frozenset({"true", "false", "null"})


def parse(text: str, limits: Limits) -> Json:
    """
    Build the value of a file that is in order.

    Args:
        text: The file; known to be clean.
        limits: What it may hold.

    Raises:
        DoubtError: Something is out of order; `survey` says what.
    """
    # Before the library builds anything: it would take memory for every node, and does not judge what escapes yield.
    if (_may_hold_too_much(text, limits) or _DOUBTFUL_ESCAPE.search(text)) and survey(text, limits).faults:
        raise DoubtError
    try:
        value: Json = _decoder(limits).decode(text)
    except (ValueError, RecursionError) as error:
        raise DoubtError from error
    if not _keeps(value, limits):
        raise DoubtError
    return value


def survey(text: str, limits: Limits) -> Survey:
    """
    Find the place of every node and all that is out of order, up to the first syntax error.

    Args:
        text: The file; known to be clean.
        limits: What it may hold.

    Source:
        RFC 8259.
    """
    return _Surveyor(text, limits).survey()


def _may_hold_too_much(text: str, limits: Limits) -> bool:
    # Counts signs inside of texts as well: too many at worst. Escapes count, for the library keeps each as a piece.
    nodes_count = text.count(",") + text.count(":") + 2 * (text.count("[") + text.count("{"))
    return nodes_count + text.count("\\") >= limits.node_count


@lru_cache(maxsize=8)
def _decoder(limits: Limits) -> json.JSONDecoder:
    def refuse(literal: str) -> NoReturn:
        raise not_finite(literal)

    return json.JSONDecoder(
        # A result repeats a few hundred numbers thousands of times.
        parse_int=lru_cache(maxsize=4096)(lambda literal: integer(literal, limits)),
        parse_float=lru_cache(maxsize=4096)(lambda literal: decimal(literal, limits)),
        parse_constant=refuse,
        object_pairs_hook=_unique_members,
    )


def _unique_members(members: list[tuple[str, Json]]) -> dict[str, Json]:
    mapping = dict(members)
    if len(mapping) != len(members):
        raise ValueError("duplicate key")
    return mapping


def _keeps(value: Json, limits: Limits) -> bool:
    """Whether a value keeps the limits of depth and length."""
    # Level by level, since recursion would reach a limit of its own.
    level = [value]
    for depth in count():
        mappings = [node for node in level if type(node) is dict]
        lists = [node for node in level if type(node) is list]
        # Rows repeat their keys, so each key is looked at once a level.
        texts = chain((node for node in level if type(node) is str), set().union(*mappings))
        if max(map(len, texts), default=0) > limits.scalar_characters:
            return False
        if not mappings and not lists:
            break
        if depth >= limits.depth_levels:
            return False
        level = list(chain.from_iterable(chain(map(dict.values, mappings), lists)))
    return True


class _Surveyor:
    """Recursive descent; each method takes the offset where its part begins and returns the one behind its end."""

    def __init__(self, text: str, limits: Limits) -> None:
        self._text = text
        self._limits = limits
        self._lines = Lines(text)
        self._log = SurveyLog(limits)
        self._nodes_count = 0

    def survey(self) -> Survey:
        try:
            end = self._space(self._value(self._space(0), "", 0))
            if end < len(self._text):
                self._syntax(end, "the end of the file")
        except EndOfSurveyError:
            pass
        return self._log.survey()

    def _space(self, offset: int) -> int:
        found = _SPACE.match(self._text, offset)
        return found.end() if found else offset

    def _at(self, sign: str, offset: int) -> bool:
        return self._text.startswith(sign, offset)

    def _syntax(self, offset: int, expected: str) -> NoReturn:
        if offset < len(self._text):
            word = _WORD.match(self._text, offset)
            found = shown(word[0] if word else self._text[offset])
        else:
            found = "the end of the file"
        self._log.add(
            f"this is not JSON: found {found}, expected {expected}",
            "correct it here or just above; keys and texts stand in double quotes, and no comma follows the last item",
            self._lines.position(offset),
        )
        raise EndOfSurveyError

    def _count(self, offset: int) -> None:
        self._nodes_count += 1
        if self._nodes_count > self._limits.node_count:
            self._log.too_many(self._lines.position(offset))

    def _value(self, offset: int, pointer: str, depth: int) -> int:
        self._count(offset)
        position = self._lines.position(offset)
        self._log.place(pointer, position)
        if self._at('"', offset):
            value, end = self._string(offset)
            self._log.text(value, position, pointer)
            return end
        if self._at("[", offset):
            self._log.levels(depth, position, pointer)
            end = self._items(self._space(offset + 1), pointer, depth + 1)
        elif self._at("{", offset):
            self._log.levels(depth, position, pointer)
            end = self._members(self._space(offset + 1), pointer, depth + 1)
        else:
            return self._word(offset, position, pointer)
        self._count(end - 1)
        return end

    def _items(self, offset: int, pointer: str, depth: int) -> int:
        if self._at("]", offset):
            return offset + 1
        index = 0
        while True:
            offset = self._space(self._value(offset, f"{pointer}/{index}", depth))
            if self._at("]", offset):
                return offset + 1
            if not self._at(",", offset):
                self._syntax(offset, "`,` or `]`")
            offset = self._space(offset + 1)
            index += 1

    def _members(self, offset: int, pointer: str, depth: int) -> int:
        if self._at("}", offset):
            return offset + 1
        seen: dict[str, Position] = {}
        while True:
            if not self._at('"', offset):
                self._syntax(offset, "a key in double quotes")
            self._count(offset)
            position = self._lines.position(offset)
            key, offset = self._string(offset)
            place = member(pointer, key)
            self._log.place(place, position)
            self._log.text(key, position, place)
            if key in seen:
                self._log.repeated(key, seen[key], position, place)
            seen.setdefault(key, position)
            offset = self._space(offset)
            if not self._at(":", offset):
                self._syntax(offset, "`:`")
            offset = self._space(self._value(self._space(offset + 1), place, depth))
            if self._at("}", offset):
                return offset + 1
            if not self._at(",", offset):
                self._syntax(offset, "`,` or `}`")
            offset = self._space(offset + 1)

    def _word(self, offset: int, position: Position, pointer: str) -> int:
        found = _WORD.match(self._text, offset)
        if not found:
            self._syntax(offset, "a value")
        try:
            _judge_word(found[0], self._limits)
        except ScalarError as error:
            self._log.add(error.message, error.remedy, position, pointer)
        return found.end()

    def _string(self, offset: int) -> tuple[str, int]:
        found = _OPEN_STRING.match(self._text, offset)
        end = found.end() if found else offset
        if self._at("\\", end):
            self._syntax(end, "an escape that JSON knows")
        if self._at("\t", end):
            self._syntax(end, "a tab inside a text to be written `\\t`")
        if not self._at('"', end):
            self._syntax(end, "the text to be closed by a double quote in its line")
        value = self._text[offset + 1 : end]
        # One so long is told as it stands: it is too long in any case, and decoding its escapes costs memory.
        if "\\" in value and len(value) <= _ESCAPE_CHARACTERS * self._limits.scalar_characters:
            value = json.loads(self._text[offset : end + 1])
        return value, end + 1


def _judge_word(word: str, limits: Limits) -> None:
    """Judge a value that stands without quotes; raises `ScalarError`."""
    if word in _LITERALS:
        return
    if _INTEGER.fullmatch(word):
        integer(word, limits)
    elif _DECIMAL.fullmatch(word):
        decimal(word, limits)
    elif _NOT_FINITE.fullmatch(word):
        raise not_finite(word)
    else:
        raise ScalarError(
            f"{shown(word)} is no JSON value; expected a number such as `0.5`, `true`, `false`, `null`, or a text",
            "correct the value; if it is text, put it in double quotes",
        )
