"""The methodology text cut at its headings; every line of prose belongs to the nearest heading above it."""

import re
from collections.abc import Iterator, Sequence

from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.patterns import lazy_pattern

AGGREGATION, TEXT = "aggregation", "text"
# Headings whose lines state how results are aggregated, when a level is issued, or where difficulty classes begin.
# 5.1 defines the checkpoint, 5.9 scale types, 8.5 and 8.6 guidance: they state no rule of aggregation (inference).
_AGGREGATION = lazy_pattern(
    r"(?:3\.2|5\.[2-8]|8\.[1-4])(?:\.[0-9]+)*|[58]|6(?:\.[0-9]+)*|appendix\s+[ab](?:\.[0-9]+)*", re.IGNORECASE
)
_NUMBER = lazy_pattern(
    r"(?:section\s+|§\s*)?([0-9]+(?:\.[0-9]+)*|appendix\s+[a-z](?:\.[0-9]+)*|[ab](?:\.[0-9]+)+)\b", re.IGNORECASE
)
# Source: CommonMark 0.31, "Setext headings", "Fenced code blocks".
_UNDERLINE = lazy_pattern(r" {0,3}(=+|-+)[ \t]*")
_NO_PARAGRAPH = lazy_pattern(r" {4}|\t| {0,3}(?:[#>|]|[-*+][ \t]|[0-9]{1,9}[.)][ \t]|$)")
_OPENS = lazy_pattern(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_CLOSES = lazy_pattern(r" {0,3}(`{3,}|~{3,})[ \t]*")
_DEEPEST_HEADING = 6
_WIDEST_INDENT = 3


@frozen
class Section:
    """
    A heading and the lines below it, or the lines above the first heading.

    Attributes:
        chapter: Number of the nearest numbered heading, such as `5.4` or `appendix a.1`; empty where there is none.
        title: Words of the heading; empty above the first one.
        first_line: Line at which it begins, from 1.
        lines: Its lines, the heading first, without carriage returns.
    """

    chapter: str
    title: str
    first_line: int
    lines: tuple[str, ...]

    @property
    def part(self) -> str:
        """`aggregation` if it states how figures are formed, levels are issued or classes begin (DEC-09), else `text`."""
        return AGGREGATION if _AGGREGATION.fullmatch(self.chapter) else TEXT


def sections(text: str) -> Iterator[Section]:
    """Cut a text before each heading; takes time in proportion to its length, whatever it holds."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    chapter, title, first, fence = "", "", 0, Fence()
    for index, line in enumerate(lines):
        if fence.hides(line):
            continue
        found = _heading(line, lines[index + 1] if index + 1 < len(lines) else "")
        if found is None:
            continue
        yield Section(chapter=chapter, title=title, first_line=first + 1, lines=tuple(lines[first:index]))
        level, title = found
        first = index
        number = _NUMBER.match(title.lstrip(" \t*_"))
        chapter = _chapter(number[1]) if number else "" if level <= 2 else chapter
    yield Section(chapter=chapter, title=title, first_line=first + 1, lines=tuple(lines[first:]))


def atx_heading(line: str) -> tuple[int, str] | None:
    """
    Level and title of a heading marked by `#`; null for any other line.

    Source:
        CommonMark 0.31, "ATX headings". By hand, since a pattern for it takes cubic time on lines of blanks and marks.
    """
    unindented = line.lstrip(" ")
    after = unindented.lstrip("#")
    level = len(unindented) - len(after)
    if len(line) - len(unindented) > _WIDEST_INDENT or not 1 <= level <= _DEEPEST_HEADING:
        return None
    if after and after[0] not in " \t":
        return None
    title = after.strip(" \t")
    open_ended = title.rstrip("#")
    # Closing marks count as such only after a blank, or where they are all there is.
    closed = not open_ended or open_ended[-1] in " \t"
    return level, open_ended.rstrip(" \t") if closed else title


class Fence:
    """Follows the fences of quoted code down a text."""

    def __init__(self) -> None:
        self._mark = ""

    def hides(self, line: str) -> bool:
        """Whether a line is quoted code, or a fence around it; to be asked for one line after the other."""
        if self._mark:
            closes = _CLOSES.fullmatch(line)
            self._mark = "" if closes and closes[1].startswith(self._mark) else self._mark
            return True
        opens = _OPENS.match(line)
        self._mark = opens[1] if opens else ""
        return opens is not None


def _heading(line: str, below: str) -> tuple[int, str] | None:
    """Level and title of a heading; null for any other line."""
    if atx := atx_heading(line):
        return atx
    if (underline := _UNDERLINE.fullmatch(below)) and not _NO_PARAGRAPH.match(line):
        return 1 if underline[1][0] == "=" else 2, line.strip()
    return None


def _chapter(number: str) -> str:
    """In small letters, `A.1` brought under its appendix."""
    words = " ".join(number.casefold().split())
    return f"appendix {words}" if words[0].isalpha() and not words.startswith("appendix") else words


def without_blank_end(lines: Sequence[str]) -> Sequence[str]:
    """Lines up to the last one with words on it: blank lines before a heading belong to nobody."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    return lines[:end]
