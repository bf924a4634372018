"""Which parts of the methodology text a change touches: the heading above each changed line decides (DEC-09)."""

import re
from collections.abc import Iterator, Sequence

# Headings whose lines state how results are aggregated, when a level is issued, or where difficulty classes begin.
_AGGREGATION = re.compile(
    r"(?:3\.2|5\.[2-8]|8\.[1-4])(?:\.[0-9]+)*|[58]|6(?:\.[0-9]+)*|appendix\s+[ab](?:\.[0-9]+)*", re.IGNORECASE
)
# 5.1 defines the checkpoint, 5.9 scale types, 8.5 and 8.6 guidance: they state no rule of aggregation (inference).
_NUMBER = re.compile(
    r"(?:section\s+|§\s*)?([0-9]+(?:\.[0-9]+)*|appendix\s+[a-z](?:\.[0-9]+)*|[ab](?:\.[0-9]+)+)\b", re.IGNORECASE
)
# Source: CommonMark 0.31, "ATX headings", "Setext headings", "Fenced code blocks".
_ATX_HEADING = re.compile(r" {0,3}(#{1,6})(|[ \t].*?)(?:[ \t]+#*)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")
_NO_PARAGRAPH = re.compile(r" {4}|\t| {0,3}(?:[#>|]|[-*+][ \t]|[0-9]{1,9}[.)][ \t]|$)")
_OPENS = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_CLOSES = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*")


def touched_parts(before: str, after: str) -> frozenset[str]:
    """
    Name the decision rows' parts that a change of the text touches.

    A line belongs to the nearest heading above it, and a heading to itself. The lines of each part are compared as they
    follow one another; so a line whose heading changed is touched even if its own words are not, and moving a section
    touches its part. Blank lines before a heading belong to nobody.

    Returns:
        `aggregation` if any changed line stands, or stood, under a heading of section 3.2, 5, 6 or 8 or of Appendix A or
        B; `text` if any stands elsewhere, or if no line of either part changed.
    """
    old, new = _lines_by_part(before), _lines_by_part(after)
    return frozenset(part for part in old if old[part] != new[part]) or frozenset({"text"})


def _lines_by_part(text: str) -> dict[str, list[str]]:
    parts: dict[str, list[str]] = {"aggregation": [], "text": []}
    for part, section in _sections(text.split("\n")):
        while section and not section[-1].strip():
            section.pop()
        parts[part] += section
    return parts


def _sections(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Cut a text before each heading; every section with the part it belongs to."""
    chapter, part, fence = "", "text", ""
    section: list[str] = []
    for index, line in enumerate(lines):
        bare = line.removesuffix("\r")
        heading = None
        if fence:
            closes = _CLOSES.fullmatch(bare)
            fence = "" if closes and closes[1].startswith(fence) else fence
        elif opens := _OPENS.match(bare):
            fence = opens[1]
        else:
            heading = _heading(bare, lines[index + 1].removesuffix("\r") if index + 1 < len(lines) else "")
        if heading is not None:
            yield part, section
            section = []
            level, title = heading
            number = _NUMBER.match(title.lstrip(" \t*_"))
            chapter = _chapter(number[1]) if number else "" if level <= 2 else chapter
            part = "aggregation" if _AGGREGATION.fullmatch(chapter) else "text"
        section.append(line)
    yield part, section


def _heading(line: str, below: str) -> tuple[int, str] | None:
    """Level and title of a heading; null for any other line."""
    if atx := _ATX_HEADING.fullmatch(line):
        return len(atx[1]), atx[2]
    if (underline := _UNDERLINE.fullmatch(below)) and not _NO_PARAGRAPH.match(line):
        return 1 if underline[1][0] == "=" else 2, line.strip()
    return None


def _chapter(number: str) -> str:
    """Bring `A.1` under its appendix."""
    return f"appendix {number}" if number[0].isalpha() and not number.lower().startswith("appendix") else number
