"""
YAML as records are usually written, line by line: much faster than libyaml, and only where nothing else can be meant.

Read are mappings, and lists in them, in block style whose keys and values stand on one line each, plain or in quotes; lists and
mappings in brackets on one line; and folded or literal texts without blank lines within them. A file with anything else, such as a
list in a list, is left to `yaml_reader`, which alone refuses. Tests hold that both build the same value of whatever is read here.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import TypeAlias

from medgauge_registrar.model.document import Json
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.registry.limits import Limits
from medgauge_registrar.registry.scalars import PlainScalars, ScalarError, names_version, plain_scalars

# What a plain value begins with here: never an indicator.
_BEGINNING = r"(?:[^\W_]|[(./]|-(?=[0-9]))"
_KEY = r"""[A-Za-z_][A-Za-z0-9_-]{0,99}|"[^"\\\n]{0,99}\""""
_ITEM = r"(?:[^\W_.]|\.|-(?=[0-9]))[\w.@/+^-]*(?: [\w.@/+^-]+)*"
# Indentation, `- ` of an item, a key, and a plain value or whatever else there is.
_LINE = lazy_pattern(rf"^( *)(- )?(?:({_KEY}):(?:$| (?=[^ \n])))?(?:({_BEGINNING}[^:#\n]*(?<! ))$|(.*)$)", re.MULTILINE)
# Of a value in quotes or brackets; between two of them nothing stands.
_PIECES = lazy_pattern(rf"""[][{{}}]|, |(?:{_KEY}): |'[^']*'|"(?:[^"\\]|\\["\\])*"|{_ITEM}""")
_ESCAPED = lazy_pattern(r"\\(.)")
_SIGNS = frozenset({"", "]", "}", ", "})
# Brackets opened on one line, so that they are never too deep.
_MOST_BRACKETS = 20
_BEGINS = lazy_pattern(_BEGINNING)
# What joins the lines of a text, and what ends it.
_BLOCK_TEXTS = {">-": (" ", ""), ">": (" ", "\n"), "|-": ("\n", ""), "|": ("\n", "\n")}
# Characters that libyaml takes for line ends, or refuses.
_ODD = lazy_pattern("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")

# Around what is being filled: indentation, the mapping (null in a list), the items of the list, and the key it stands under.
_Around: TypeAlias = tuple[int, dict[str, Json] | None, list[Json], str]


class _OtherwiseError(Exception):
    """The file holds something that is not read here."""


def parse(text: str, limits: Limits) -> dict[str, Json] | None:
    """
    Build the value of a file that is written plainly.

    Args:
        text: The file; known to be clean text.
        limits: What it may hold.

    Returns:
        What `yaml_reader.parse` would build; null if the file is not for this reader.
    """
    # So no text is too long, no node too many, and brackets fit into what is opened.
    if limits.depth_levels < _MOST_BRACKETS + 2:
        return None
    if len(text) > min(limits.node_count // 2, limits.scalar_characters) or not text.endswith("\n"):
        return None
    if not text.isascii() and _ODD.search(text):
        return None
    try:
        return _build(text, limits)
    except (_OtherwiseError, ScalarError):
        return None


def _build(text: str, limits: Limits) -> dict[str, Json]:
    # One flat loop, as in `yaml_reader` and for the same reason.
    scalars = plain_scalars(limits)
    most_around = limits.depth_levels - 2 - _MOST_BRACKETS
    lines: list[tuple[str, str, str, str, str]] = _LINE.findall(text)
    raw = text.split("\n")
    root: dict[str, Json] = {}
    mapping: dict[str, Json] | None = root
    items: list[Json] = []
    indent, label = 0, ""
    around: list[_Around] = []
    waits: str | None = None  # a key whose value begins on the next line
    at = 0
    while at < len(lines):
        spaces, dash, key, plain, other = lines[at]
        at += 1
        if not (key or dash):
            if plain or (other and other[0] != "#") or (spaces and not other):
                raise _OtherwiseError
            continue
        column = len(spaces)

        if waits is not None and mapping is not None:
            # A list may stand as far out as its key.
            if len(around) > most_around or column < indent or (column == indent and not dash):
                raise _OtherwiseError
            around.append((indent, mapping, items, label))
            if dash:
                items = []
                mapping[waits], mapping, label = items, None, waits
            else:
                below: dict[str, Json] = {}
                mapping[waits] = mapping = below
            indent, waits = column, None
        elif column != indent or (mapping is None) is not bool(dash):
            while around and (column < indent or (column == indent and mapping is None and not dash)):
                indent, mapping, items, label = around.pop()
            if column != indent or (mapping is None) is not bool(dash):
                raise _OtherwiseError

        if mapping is None:
            if not key:
                if plain:
                    items.append(_plain(plain, label, scalars))
                elif other in _BLOCK_TEXTS:
                    block, at = _block_text(raw, at, indent, other)
                    items.append(block)
                else:
                    items.append(_value(other, label, scalars))
                continue
            if len(around) > most_around:
                raise _OtherwiseError
            around.append((indent, None, items, label))
            mapping = {}
            items.append(mapping)
            indent += 2
        name = _key(key, scalars)
        if name in mapping:
            raise _OtherwiseError
        if plain:
            mapping[name] = _plain(plain, name, scalars)
        elif not other:
            waits = name
        elif other in _BLOCK_TEXTS:
            mapping[name], at = _block_text(raw, at, indent, other)
        else:
            mapping[name] = _value(other, name, scalars)
    if waits is not None or not root:
        raise _OtherwiseError
    return root


def _value(text: str, label: str, scalars: PlainScalars) -> Json:
    """The value of what stands on one line; `label` is the key it stands under, through a list too."""
    if " #" in text and "'" not in text and '"' not in text:
        text = text.partition(" #")[0].rstrip(" ")
    if _BEGINS.match(text):
        if ": " in text or " #" in text or text[-1] in " :":
            raise _OtherwiseError
        return _plain(text, label, scalars)
    found = _PIECES.findall(text)
    if "".join(found) != text or found.count("[") + found.count("{") > _MOST_BRACKETS:
        raise _OtherwiseError
    pieces = iter(found)
    value = _bracketed(next(pieces, ""), pieces, label, scalars)
    if next(pieces, None) is not None:
        raise _OtherwiseError
    return value


def _bracketed(piece: str, pieces: Iterator[str], label: str, scalars: PlainScalars) -> Json:
    """The value that begins with a piece: in quotes, in brackets, or plain within them."""
    if piece == "[":
        items: list[Json] = []
        while (piece := next(pieces, "")) != "]" or items:
            items.append(_bracketed(piece, pieces, label, scalars))
            if (piece := next(pieces, "")) == "]":
                break
            if piece != ", ":
                raise _OtherwiseError
        return items
    if piece == "{":
        members: dict[str, Json] = {}
        while (piece := next(pieces, "")) != "}" or members:
            if not piece.endswith(": ") or (key := _key(piece[:-2], scalars)) in members:
                raise _OtherwiseError
            members[key] = _bracketed(next(pieces, ""), pieces, key, scalars)
            if (piece := next(pieces, "")) == "}":
                break
            if piece != ", ":
                raise _OtherwiseError
        return members
    if piece in _SIGNS or piece.endswith(": "):
        raise _OtherwiseError
    if piece[:1] == "'":
        return piece[1:-1]
    if piece[:1] == '"':
        return _ESCAPED.sub(r"\1", piece[1:-1])
    return _plain(piece, label, scalars)


def _key(text: str, scalars: PlainScalars) -> str:
    if text[0] == '"':
        return text[1:-1]
    if type(scalars[text]) is not str:
        raise _OtherwiseError
    return text


def _plain(text: str, label: str, scalars: PlainScalars) -> Json:
    value = scalars[text]
    if type(value) is Decimal and names_version(label):
        raise _OtherwiseError
    return value


def _block_text(lines: list[str], at: int, indent: int, sign: str) -> tuple[str, int]:
    """A folded or literal text from line `at` on, deeper than `indent`, and the line behind it."""
    inner = len(lines[at]) - len(lines[at].lstrip(" "))
    margin = " " * inner
    start = at
    while lines[at].startswith(margin) and lines[at]:
        # A line further in, or with space at its end, is not joined like the others.
        if lines[at][inner : inner + 1] in ("", " ") or lines[at][-1] == " ":
            raise _OtherwiseError
        at += 1
    behind = at
    while behind < len(lines) and not lines[behind]:
        behind += 1
    if inner <= indent or at == start or (behind < len(lines) and lines[behind].startswith(" " * (indent + 1))):
        raise _OtherwiseError
    joint, end = _BLOCK_TEXTS[sign]
    return joint.join([line[inner:] for line in lines[start:at]]) + end, at
