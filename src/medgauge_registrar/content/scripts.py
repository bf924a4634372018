"""Which characters English text may hold (BLD-01), from tables of our own: Python's grow, and a verdict must not."""

from collections.abc import Iterator

from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.registry.characters import CONTROLS, UNSEEN

# Latin with diacritics, Greek, and the signs of typesetting and mathematics. Left out on purpose: full-width and
# mathematical letters, Roman numerals, circled letters and small capitals, which draw a Latin letter and are none.
_ALLOWED = (
    "\t\n\r\x20-\x7e\xa0-\xac\xae-\u024f"
    "\u02bc\u02c6-\u02dd"  # apostrophe and spacing accents
    "\u0300-\u0345\u0350-\u0362"  # combining accents (p̂)
    "\u0370-\u03ff\u1e00-\u1eff"  # Greek; Latin of Vietnamese and transliterations
    "\u2010-\u2027\u202f-\u205f\u2070-\u209f\u20a0-\u20cf"  # dashes, quotes, super- and subscripts, currencies
    "\u2100-\u2129\u212c-\u215f\u2189-\u245f"  # letterlike signs and fractions (not Kelvin and Angstrom), arrows, signs
    "\u2500-\u2bff"  # boxes, shapes, symbols, more mathematics
    "\U0001f300-\U0001f64f\U0001f680-\U0001f6ff\U0001f900-\U0001faff"  # pictographs
)
_UNFIT = lazy_pattern(f"[^{_ALLOWED}]")
_UNSEEN = lazy_pattern(f"[{CONTROLS}{UNSEEN}]")
# A pictograph may ask to be drawn in colour.
_PRESENTATION = lazy_pattern("(?<=[\u2300-\u2bff\U0001f300-\U0001faff])\ufe0f")
# Three accents on one letter are no spelling of any name.
_STACKED = lazy_pattern("[\u0300-\u036f]{3}")
# Greek letters that draw like Latin ones, inside a word of Latin letters.
_TWINS = (
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf\u03bd\u03c1\u03f2\u03f3"
)
_LATIN = "A-Za-z0-9"
_DISGUISED = lazy_pattern(f"[{_LATIN}_-][{_TWINS}]|[{_TWINS}][{_LATIN}_-]")
_FOREIGN_RUN = 40


@frozen
class Foreign:
    """Characters that do not belong into English text: where the run begins, how long it is, and of what sort."""

    offset: int
    characters: str
    sort: str


def foreign_characters(text: str) -> Iterator[Foreign]:
    """
    Find what is no English text by script alone, with certainty.

    Returns:
        Runs of letters of another script (`script`), characters that draw nothing or turn the text around them
        (`unseen`), and letters that only look like Latin ones inside a Latin word (`disguised`), in order.
    """
    if is_plain(text):
        return
    text = _PRESENTATION.sub(" ", text)
    end = 0
    for found in _UNFIT.finditer(text):
        if found.start() < end:
            continue
        end = found.end()
        while end < len(text) and end - found.start() < _FOREIGN_RUN and _UNFIT.match(text, end):
            end += 1
        sort = "unseen" if _UNSEEN.match(found[0]) else "script"
        yield Foreign(offset=found.start(), characters=text[found.start() : end], sort=sort)
    for pattern in (_DISGUISED, _STACKED):
        for found in pattern.finditer(text):
            yield Foreign(offset=found.start(), characters=found[0], sort="disguised")


def is_plain(text: str) -> bool:
    """Whether a text is visible ASCII, of which nothing needs to be asked."""
    return text.isascii() and text.replace("\n", "").replace("\t", "").replace("\r", "").isprintable()
