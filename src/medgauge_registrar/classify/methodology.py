"""Which parts of the methodology text a change touches: the heading above each changed line decides (DEC-09)."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

# Headings whose lines state how results are aggregated, when a level is issued, or where difficulty classes begin.
_AGGREGATION = re.compile(
    r"(?:3\.2|5(?:\.[2-8])?|6(?:\.[0-9]+)?|8(?:\.[1-4])?|appendix\s+[ab](?:\.[0-9]+)?)", re.IGNORECASE
)
# 5.1 defines the checkpoint, 5.9 scale types, 8.5 and 8.6 guidance: they state no rule of aggregation (inference).
_ATX_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*")
_NUMBER = re.compile(
    r"(?:section\s+)?((?:[0-9]+(?:\.[0-9]+)*)|(?:appendix\s+[a-z](?:\.[0-9]+)?)|(?:[ab]\.[0-9]+))\b", re.IGNORECASE
)
_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")
# Pairs of differing lines beyond which a comparison costs too much; such a change counts as touching everything.
MAX_LINE_PAIRS = 4_000_000


def touched_parts(before: str, after: str) -> frozenset[str]:
    """
    Name the decision rows' parts that a change of the text touches.

    Returns:
        `aggregation` if any changed line stands under a heading of section 3.2, 5, 6 or 8 or of Appendix A or B,
        `text` if any stands elsewhere. A text too long to compare counts as both.
    """
    old, new = before.split("\n"), after.split("\n")
    old_parts, new_parts = _parts(old), _parts(new)
    head = _shared_lines(old, new)
    tail = _shared_lines(old[head:][::-1], new[head:][::-1])
    old, old_parts = old[head : len(old) - tail], old_parts[head : len(old) - tail]
    new, new_parts = new[head : len(new) - tail], new_parts[head : len(new) - tail]
    if len(old) * len(new) > MAX_LINE_PAIRS:
        return frozenset({"aggregation", "text"})
    touched: set[str] = set()
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        hunk = old_parts[i1:i2] + new_parts[j1:j2]
        # Blank lines between two parts belong to neither.
        marked = [part for part, line in zip(hunk, old[i1:i2] + new[j1:j2], strict=True) if line.strip()]
        touched.update(marked or hunk)
    return frozenset(touched) or frozenset({"text"})


def _shared_lines(one: Sequence[str], two: Sequence[str]) -> int:
    """Count the lines that two texts have in common from their beginning."""
    return next((index for index, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))


def _parts(lines: Sequence[str]) -> list[str]:
    """Name the part each line belongs to, a heading line to the part it opens."""
    parts: list[str] = []
    chapter, part, fence = "", "text", ""
    for line in lines:
        if fence_mark := _FENCE.match(line):
            mark = fence_mark.group(1)
            if not fence:
                fence = mark
            elif mark[0] == fence[0] and len(mark) >= len(fence):
                fence = ""
        elif not fence and (heading := _ATX_HEADING.fullmatch(line)):
            number = _NUMBER.match(heading.group(2))
            chapter = _chapter(number.group(1)) if number else ("" if len(heading.group(1)) <= 2 else chapter)
            part = "aggregation" if _AGGREGATION.fullmatch(chapter) else "text"
        parts.append(part)
    return parts


def _chapter(number: str) -> str:
    """Bring `A.1` under its appendix."""
    return f"appendix {number}" if number[0].isalpha() and not number.lower().startswith("appendix") else number
