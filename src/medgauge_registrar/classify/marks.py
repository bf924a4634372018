"""
Marks: what of the methodology text carries a requirement, a number or a formula, and so is no matter of wording.

Where a rule of aggregation stands every word is a mark. Elsewhere numbers, normative words, formulas, table cells, quoted
code and list items are, and all words of a sentence that states a requirement or a formula.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from medgauge_registrar.classify.sections import AGGREGATION, Fence, Section
from medgauge_registrar.patterns import lazy_pattern

# The preamble names must, never and may; shall and should say the same in other words.
REQUIRING = frozenset({"must", "never", "may", "shall", "should"})
# These turn what a sentence says round, or narrow it.
LIMITING = frozenset({"not", "no", "none", "cannot", "neither", "nor", "only", "unless", "except"})
NUMBER_WORDS = frozenset(
    {
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "half", "twice",
    }
)  # fmt: skip
# Words beside such a sign are the quantities that it relates.
_RELATIONS = frozenset("=≤≥<>±×÷∑√∧∨∈∉⊆⊇¬→⇒⇔≠≈∞∏∫")
_FORMULA_SIGNS = _RELATIONS | frozenset("^+−%$~/|")
# Signs of layout and punctuation; they may change without changing what is said.
_LAYOUT_SIGNS = frozenset("*_.,;:!?'\"’‘“”()-–—…·")
_PIECE = lazy_pattern(
    r"(?P<word>[^\W\d_]+)"
    r"|(?P<number>(?<![\w.])[-−+±]?[0-9]+(?:[.,][0-9]+)*|[0-9]+(?:[.,][0-9]+)*)"
    r"|(?P<sign>[^\s\w]|_)"
    r"|(?P<other>\w)"  # digits of other scripts, raised and lowered ones
)
_SENTENCE_END = lazy_pattern(r"(?<=[.!?])[\"”’)*_]*(?=\s+[^a-z\s]|\s*$)")
_LIST_ITEM = lazy_pattern(r"\s*(?:[-*+•]|[0-9]{1,9}[.)])\s+")
_ALWAYS_KEPT = frozenset({"number", "normative word", "formula", "table cell", "code word", "list item"})


# A tuple and no data class: a text has tens of thousands of marks.
class Mark(NamedTuple):
    """
    One piece of text that carries meaning by itself.

    Attributes:
        text: The piece, letter case aside.
        kind: What it is, in words.
        line: Line it stands on, from 1.
        chapter: Number of the heading above it; empty if none has one.
    """

    text: str
    kind: str
    line: int
    chapter: str


def marks_of(section: Section) -> Iterator[Mark]:
    """Marks of one section in the order of its text."""
    strict = section.part == AGGREGATION
    for sentence in _sentences(section, strict):
        whole = strict or any(piece.text in REQUIRING or piece.text in _RELATIONS for piece in sentence)
        yield from (piece for piece in sentence if whole or piece.kind in _ALWAYS_KEPT)


def _sentences(section: Section, strict: bool) -> Iterator[list[Mark]]:
    """All pieces of a section, sentence by sentence; a heading, a row of a table and a line of code stand alone."""
    fence = Fence()
    sentence: list[Mark] = []
    for number, line in enumerate(section.lines, start=section.first_line):
        pieces = _Pieces(line=number, chapter=section.chapter)
        alone = _standing_alone(line, pieces, fence, heading=number == section.first_line and bool(section.title))
        if alone is not None:
            yield sentence
            yield list(alone)
            sentence = []
            continue
        if item := _LIST_ITEM.match(line):
            yield sentence
            yield [Mark("•", "list item", number, section.chapter)]
            sentence = []
        *ended, rest = _SENTENCE_END.split(line[item.end() :] if item else line)
        for piece in ended:
            yield [*sentence, *pieces.of_prose(piece, strict)]
            sentence = []
        sentence += pieces.of_prose(rest, strict)
    yield sentence


def _standing_alone(line: str, pieces: "_Pieces", fence: Fence, *, heading: bool) -> Iterable[Mark] | None:
    """Pieces of a line that is no part of a sentence; null for one that is."""
    if fence.hides(line):
        return pieces.of(line, "code word")
    if "|" in line:
        # The dashes under the head of a table are layout.
        return pieces.of(line, "table cell") if line.strip(" \t|:-") else ()
    if heading or not line.strip():
        return pieces.of_prose(line, strict=True)
    return None


class _Pieces(NamedTuple):
    """Cuts what stands on one line into pieces."""

    line: int
    chapter: str

    def of_prose(self, text: str, strict: bool) -> Iterator[Mark]:
        """Pieces of prose, code spans told apart."""
        # A mark of quotation is layout, but not where a rule stands: a rule that is quoted may be one no more.
        prose = text if strict else text.lstrip(" >")
        for index, span in enumerate(prose.split("`")):
            yield from self.of(span, "code word" if index % 2 else "")

    def of(self, text: str, within: str) -> Iterator[Mark]:
        """Pieces of a text; what it stands in, if that decides what they are."""
        for match in _PIECE.finditer(text):
            piece = match.group()
            match match.lastgroup:
                case "word":
                    yield self._mark(piece.casefold(), within or _word_kind(piece))
                case "sign":
                    if within == "code word" or piece not in _LAYOUT_SIGNS:
                        yield self._mark(piece, within or ("formula" if piece in _FORMULA_SIGNS else "sign"))
                case _:
                    yield self._mark(piece.replace("−", "-"), within or "number")

    def _mark(self, text: str, kind: str) -> Mark:
        return Mark(text, kind, self.line, self.chapter)


def _word_kind(word: str) -> str:
    folded = word.casefold()
    if folded in REQUIRING or folded in LIMITING:
        return "normative word"
    if folded in NUMBER_WORDS:
        return "number"
    # A letter by itself stands for a quantity.
    return "formula" if len(word) == 1 and word != "a" else "word"
