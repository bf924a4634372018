"""
YAML as records are usually written, line by line: four times as fast as libyaml, and only where nothing can be meant otherwise.

Read are mappings and lists in block style whose keys and values stand on one line each, plain or in quotes without escapes,
lists and mappings in brackets on one line, and folded or literal texts without blank lines. Whatever else a line holds, the
file is left to `yaml_reader`, which alone judges. Tests hold that both build the same value of any text that is read here.
"""

import re
from decimal import Decimal

from medgauge_registrar.model.document import Json
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.registry.limits import Limits
from medgauge_registrar.registry.scalars import PlainScalars, ScalarError, names_version, plain_scalars

# Indentation, `- ` of an item, key with its value, or value alone.
_LINE = lazy_pattern(r"( *)(- )?(?:([A-Za-z_][A-Za-z0-9_-]{0,99}):(?: (.*))?|(.*))")
# Characters that libyaml takes for line ends or refuses.
_ODD = lazy_pattern("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
# A plain value begins in no way that could be an indicator.
_BEGINNINGS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789(")
_ITEM = r"[A-Za-z0-9][A-Za-z0-9_.@/+-]*(?: [A-Za-z0-9_.@/+-]+)*"
_FLOW_LIST = lazy_pattern(rf"\[{_ITEM}(?:, {_ITEM})*\]")
_FLOW_MAPPING = lazy_pattern(rf"\{{[A-Za-z_][A-Za-z0-9_-]*: {_ITEM}(?:, [A-Za-z_][A-Za-z0-9_-]*: {_ITEM})*\}}")
_SINGLE_QUOTED = lazy_pattern(r"'[^']*'")
_DOUBLE_QUOTED = lazy_pattern(r'"[^"\\]*"')
_BLOCK_TEXTS = {">-": (" ", ""), ">": (" ", "\n"), "|-": ("\n", ""), "|": ("\n", "\n")}
# Files of more characters may pass a limit of the number of nodes or the length of a text; they are few.
_MOST_CHARACTERS = 100_000




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
    if 2 * len(text) > min(limits.node_count, limits.scalar_characters) or not text.endswith("\n"):
        return None
    if not text.isascii() and _ODD.search(text):
        return None
    try:
        return _mapping(text.split("\n"), limits)
    except (_OtherwiseError, ScalarError):
        return None


def _mapping(lines: list[str], limits: Limits) -> dict[str, Json]:
    # One flat loop, as in `yaml_reader`, for the same reason.
    scalars = plain_scalars(limits)
    split = _LINE.fullmatch
    root: dict[str, Json] = {}
    # What is being filled: its indentation, a mapping or a list, and the key that the list stands under.
    indent, mapping, items, label = 0, root, _NO_ITEMS, ""
    outer: list[tuple[int, dict[str, Json], list[Json], str]] = []
    waits: str | None = None  # a key whose value begins on the next line
    place, end = 0, len(lines)
    while place < end:
        line = lines[place]
        place += 1
        if not line:
            continue
        found = split(line)
        assert found is not None
        spaces, dash, key, value, bare = found.groups()
        column = len(spaces)
        if key is None and dash is None:
            if bare.startswith("#"):
                continue
            raise _OtherwiseError
        if waits is not None:
            if len(outer) + 2 > limits.depth_levels or column < indent or (column == indent and dash is None):
                raise _OtherwiseError
            outer.append((indent, mapping, items, label))
            if dash is None:
                mapping[waits] = mapping = {}
                items = _NO_ITEMS
            else:
                mapping[waits] = items = []
                label = waits
        ...
    return root
