"""Which parts of the methodology text a change touches: the heading above each changed line decides (DEC-09)."""

from medgauge_registrar.classify.sections import AGGREGATION, TEXT, sections, without_blank_end
from medgauge_registrar.classify.text_change import classify_text_change


def touched_parts(before: str, after: str) -> frozenset[str]:
    """
    Name the decision rows' parts that a change of the text touches.

    A line belongs to the nearest heading above it, and a heading to itself. The lines of each part are compared as they
    follow one another; so a line whose heading changed is touched even if its own words are not, and moving a section
    touches its part. Blank lines before a heading belong to nobody. A rule of which only the wording differs (layout,
    punctuation, letter case, mended spelling) counts as text: no number can follow from that (inference).

    Returns:
        `aggregation` if any changed line stands, or stood, under a heading of section 3.2, 5, 6 or 8 or of Appendix A or
        B and says something else; `text` if any other line changed, or if no line of either part did.
    """
    old, new = _lines_by_part(before), _lines_by_part(after)
    touched = {part for part in old if old[part] != new[part]}
    if AGGREGATION in touched and not classify_text_change(before, after).rules:
        touched = {TEXT}
    return frozenset(touched or {TEXT})


def _lines_by_part(text: str) -> dict[str, list[str]]:
    parts: dict[str, list[str]] = {AGGREGATION: [], TEXT: []}
    for section in sections(text):
        parts[section.part] += without_blank_end(section.lines)
    return parts
