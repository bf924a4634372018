"""The red lines as data: phrases and keys, each with its rule, its scope and its examples (`data/content.yml`)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache, lru_cache
from typing import Any, cast

from medgauge_registrar.content.markdown import Table
from medgauge_registrar.content.passages import Passage, is_denied, sentences
from medgauge_registrar.content.source import content_source
from medgauge_registrar.content.textfile import Node, TextFile
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.patterns import lazy_pattern

# Passages longer than this are scanned in pieces, so that no phrase costs more than its own length a character.
MAX_PIECE_CHARACTERS = 4_000
_PIECE_OVERLAP_CHARACTERS = 300
_SPACE = "(?: {1,3})"
# Longest text that can be an opaque reference rather than the material itself.
_REFERENCE_CHARACTERS = 80
# Heads of columns that name what figures are about; other tables explain or define.
_SUBJECT_COLUMNS = frozenset(
    {"agent", "assistant", "harness", "model", "product", "row", "subject", "system", "tool", "vendor"}
)
_NUMBER = lazy_pattern(r"[-+]?[0-9]{1,12}(?:\.[0-9]{1,12})?")


@frozen
class Scope:
    """Kinds of path that a red line is for: all of them, the ones named, or all but the ones named."""

    only: frozenset[Kind] | None = None
    but: frozenset[Kind] = frozenset()

    def __contains__(self, kind: Kind) -> bool:
        """Whether files of a kind are in the scope."""
        return kind not in self.but and (self.only is None or kind in self.only)


@frozen
class Phrase:
    """
    A phrase that must not be asserted.

    Attributes:
        words: Lower-case fragments of which a text must hold one, or the phrase cannot be in it.
        patterns: What it looks like; each is searched in one sentence.
        needs: Patterns of which the passage must hold one.
        unless: Patterns any of which, in the passage, makes the phrase harmless.
        under: By kind, patterns of headings under which the phrase is defined or denied as a whole.
        severity: How much it weighs.
        say: What is wrong, in words.
        help: What to do instead.
    """

    id: str
    rule: str
    section: str
    scope: Scope
    words: tuple[str, ...]
    patterns: tuple[re.Pattern[str], ...]
    needs: tuple[re.Pattern[str], ...]
    unless: tuple[re.Pattern[str], ...]
    under: Mapping[Kind, tuple[re.Pattern[str], ...]]
    severity: Severity
    say: str
    help: str
    hit: tuple[str, ...]
    miss: tuple[str, ...]


@frozen
class KeyLine:
    """
    A key that must not hold a value.

    Attributes:
        keys: Names, letters and digits alone, in lower case.
        value: What sort of value makes it a breach: `any`, `number`, `material` (a list, a mapping or a long text), `text`.
        matches: Pattern that a text value must match.
        below: Names of which one must stand above the key; empty: anywhere.
        outside: Names none of which may stand above the key.
        beside: Names of which `enough` must stand beside the key.
        tables: Whether it counts as the head of a column too, in a table about subjects.
    """

    id: str
    rule: str
    section: str
    scope: Scope
    keys: frozenset[str]
    value: str
    matches: re.Pattern[str] | None
    below: frozenset[str]
    outside: frozenset[str]
    beside: frozenset[str]
    enough: int
    tables: bool
    say: str
    help: str
    hit: tuple[str, ...]
    miss: tuple[str, ...]


@frozen
class RedLines:
    """All phrases and keys."""

    phrases: tuple[Phrase, ...]
    keys: tuple[KeyLine, ...]


@frozen
class Hit:
    """A red line that was crossed, and where."""

    line: Phrase | KeyLine
    passage: Passage
    offset: int = 0

    @property
    def pointer(self) -> str:
        """JSON Pointer of the place; empty in prose."""
        return self.passage.pointer


@cache
def red_lines() -> RedLines:
    """
    Load the shipped red lines.

    Raises:
        PolicyError: The file is unreadable.
    """
    source = content_source()
    parts = cast(dict[str, str], source["parts"])
    return RedLines(
        phrases=tuple(_phrase(item, parts) for item in source["phrases"]),
        keys=tuple(_key_line(item, parts) for item in source["keys"]),
    )


def said(file: TextFile) -> Iterator[Hit]:
    """Every phrase that a file asserts."""
    lowered = file.lowered
    # Without an escape, what a file says stands in its bytes.
    escaped = "\\" in lowered or "&" in lowered
    phrases = [
        phrase
        for phrase in red_lines().phrases
        if file.kind in phrase.scope and (escaped or any(word in lowered for word in phrase.words))
    ]
    if not phrases:
        return
    for passage in file.passages:
        yield from said_in(passage, phrases, file.kind)


def said_in(passage: Passage, phrases: Sequence[Phrase], kind: Kind) -> Iterator[Hit]:
    """Every one of the phrases that a passage asserts."""
    plain = passage.plain
    lowered = plain.lower()
    wanted = [
        phrase
        for phrase in phrases
        if any(word in lowered for word in phrase.words)
        and not _is_defined(phrase, passage, kind)
        and (not phrase.needs or any(pattern.search(plain) for pattern in phrase.needs))
        and not any(pattern.search(plain) for pattern in phrase.unless)
    ]
    if not wanted:
        return
    for start in range(0, max(1, len(plain)), MAX_PIECE_CHARACTERS - _PIECE_OVERLAP_CHARACTERS):
        for sentence in sentences(plain[start : start + MAX_PIECE_CHARACTERS]):
            for phrase in wanted:
                for pattern in phrase.patterns:
                    found = next(
                        (
                            match
                            for match in pattern.finditer(sentence.text)
                            if not is_denied(sentence, match.start(), match.end(), passage.lead)
                        ),
                        None,
                    )
                    if found is not None:
                        yield Hit(line=phrase, passage=passage, offset=start + sentence.start + found.start())
                        break


def keyed(nodes: Sequence[Node], kind: Kind) -> Iterator[Hit]:
    """Every key in a document that must not hold its value."""
    by_key = _key_lines(kind)
    for node in nodes:
        for line in by_key.get(plain_key(node.key), ()):
            if _holds(line, node):
                yield Hit(line=line, passage=Passage(text=node.key, pointer=node.pointer))


def tabled(tables: Sequence[Table], kind: Kind) -> Iterator[Hit]:
    """Every cell of a table about subjects that a record must not hold under the head of its column."""
    by_key = _key_lines(kind)
    for table in tables:
        heads = [plain_key(head) for head in table.rows[0]] if table.rows else []
        if not _SUBJECT_COLUMNS & set(heads):
            continue
        for row in table.rows[1:]:
            beside: dict[str, Json] = {head: _cell_value(cell) for head, cell in zip(heads, row, strict=False)}
            for head, value in beside.items():
                node = Node(pointer="", key=head, value=value, beside=beside, above=())
                for line in by_key.get(head, ()):
                    if line.tables and value != "" and _holds(line, node):
                        yield Hit(line=line, passage=Passage(text=head, line=table.line))


def _cell_value(cell: str) -> Json:
    text = cell.strip("*_` ")
    return Decimal(text) if _NUMBER.fullmatch(text) else text


@cache
def _key_lines(kind: Kind) -> Mapping[str, Sequence[KeyLine]]:
    by_key: dict[str, list[KeyLine]] = {}
    for line in red_lines().keys:
        for key in line.keys if kind in line.scope else ():
            by_key.setdefault(key, []).append(line)
    return by_key


@lru_cache(maxsize=16_384)
def plain_key(key: str) -> str:
    """A key's letters and digits in lower case, so that spelling variants meet."""
    return "".join(character for character in key.casefold() if character.isalnum())


def is_material(value: Json) -> bool:
    """Whether a value can be material itself: a list, a mapping, or a text too long for a reference."""
    if isinstance(value, str):
        return len(value) > _REFERENCE_CHARACTERS or "\n" in value.strip()
    return isinstance(value, dict | list) and bool(value)


def _holds(line: KeyLine, node: Node) -> bool:
    above = {plain_key(key) for key in node.above}
    if (line.below and not above & line.below) or above & line.outside:
        return False
    if line.beside and len({plain_key(key) for key in node.beside} & line.beside) < line.enough:
        return False
    value = node.value
    if line.matches is not None and not (
        isinstance(value, str) and line.matches.search(value[:_PIECE_OVERLAP_CHARACTERS])
    ):
        return False
    match line.value:
        case "material":
            return is_material(value)
        case "text":
            return isinstance(value, str)
        case "number":
            return not isinstance(value, bool | str) and value is not None and value not in ([], {})
        case _:
            return value is not None


def _is_defined(phrase: Phrase, passage: Passage, kind: Kind) -> bool:
    patterns = phrase.under.get(kind, ())
    return any(pattern.search(heading) for pattern in patterns for heading in passage.headings)


def _phrase(item: Mapping[str, Any], parts: Mapping[str, str]) -> Phrase:
    return Phrase(
        id=item["id"],
        rule=item["rule"],
        section=item["section"],
        scope=_scope(item),
        words=tuple(item["words"]),
        patterns=_patterns(item["patterns"], parts),
        needs=_patterns(item.get("needs", ()), parts),
        unless=_patterns(item.get("unless", ()), parts),
        under={Kind(kind): _patterns(headings, parts) for kind, headings in item.get("under", {}).items()},
        severity=Severity(item.get("severity", "error")),
        say=item["say"],
        help=item["help"],
        hit=tuple(item["hit"]),
        miss=tuple(item["miss"]),
    )


def _key_line(item: Mapping[str, Any], parts: Mapping[str, str]) -> KeyLine:
    matches = item.get("matches")
    return KeyLine(
        id=item["id"],
        rule=item["rule"],
        section=item["section"],
        scope=_scope(item),
        keys=frozenset(item["keys"]),
        value=item.get("value", "any"),
        matches=None if matches is None else _pattern(matches, parts),
        below=frozenset(item.get("below", ())),
        outside=frozenset(item.get("outside", ())),
        beside=frozenset(item.get("beside", ())),
        enough=item.get("enough", 1),
        tables=item.get("tables", False),
        say=item["say"],
        help=item["help"],
        hit=tuple(item["hit"]),
        miss=tuple(item["miss"]),
    )


def _scope(item: Mapping[str, Any]) -> Scope:
    only = item.get("only")
    return Scope(
        only=None if only is None else frozenset(map(Kind, only)), but=frozenset(map(Kind, item.get("but", ())))
    )


def _patterns(sources: Sequence[str], parts: Mapping[str, str]) -> tuple[re.Pattern[str], ...]:
    return tuple(_pattern(source, parts) for source in sources)


def _pattern(source: str, parts: Mapping[str, str]) -> re.Pattern[str]:
    """A pattern with its named parts put in (`<name>`) and each space standing for one to three."""
    for name, part in parts.items():
        source = source.replace(f"<{name}>", part)
    return lazy_pattern(source.replace(" ", _SPACE), re.IGNORECASE)
