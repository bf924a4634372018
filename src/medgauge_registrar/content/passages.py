"""Passages of prose, their sentences, and whether a sentence asserts what it says or denies it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from medgauge_registrar.patterns import lazy_pattern

# Typographic variants are read as their plain twins; each is one character, so places stay.
_PLAIN = str.maketrans("’‘“”‐‑−\xa0\u202f\n\t", "''\"\"---    ")


@dataclass(frozen=True, kw_only=True, slots=True)
class Passage:
    """
    One block of prose.

    Attributes:
        text: Its words.
        line: Line in the file of its first word; 0 if only the pointer tells the place.
        headings: Headings it stands under, outermost first.
        lead: What introduces it: the line before a list that ends in a colon, or the head of a table's column.
        pointer: JSON Pointer of the value it is, in a record.
    """

    text: str
    line: int = 0
    headings: tuple[str, ...] = ()
    lead: str = ""
    pointer: str = ""

    @property
    def plain(self) -> str:
        """The words on one line, quotes and hyphens made plain; as long as `text`."""
        if self.text.isascii():
            return self.text.replace("\n", " ").replace("\t", " ")
        return self.text.translate(_PLAIN)

    def line_of(self, offset: int) -> int:
        """Line in the file of a character of the text."""
        return self.line + self.text.count("\n", 0, offset)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sentence:
    """One sentence of a passage: where it begins and ends in it, and what follows it."""

    start: int
    end: int
    text: str
    following: str


_END = lazy_pattern(r"[.!?;](?:[\"')\]]{0,2})(?= {1,3}[\"'(\[]{0,2}[A-Z0-9\u00a7*]|;? {0,3}$|(?<=;) )")
_ABBREVIATED = lazy_pattern(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|no|nos|sec|app|ref|refs|fig|approx|dr|mr|mrs|ms|prof|st|al)"
    r"|\b(?-i:(?:^|[A-Z]\.? |[A-Z][a-z]{1,8}\.? )[A-Z]))\.$",
    re.IGNORECASE,
)

# Grammar of denial. A cue denies what follows it in its sentence, unless something between the two turns it again.
_CUE = lazy_pattern(
    r"\b(?:no|not|never|neither|nor|none|nothing|nobody|nowhere|cannot|without|don't|doesn't|isn't|aren't|wasn't|won't|can't"
    r"|mustn't|mayn't|refus(?:e|es|ed|ing|al)|forbid(?:s|den)?|forbade|prohibit(?:s|ed)?|exclud(?:e|es|ed)|avoid(?:s|ed)?"
    r"|reject(?:s|ed)?|disclaim(?:s|ed)?|refrain(?:s|ed)? from|rather than|whether)\b(?! (?:only|just|merely|simply|least)\b)",
    re.I,
)
_TURN = lazy_pattern(
    r"\b(?:but|however|although|though|because|since|yet|which|who|therefore|hence|only|merely|doubt|unless|except|whereas"
    r"|while|surpris\w{0,6}|wonder|secret|coincidence|den(?:y|ies|ied)|disput\w{0,5}|question|long until|sooner)\b",
    re.I,
)
_DENIED_AFTER = lazy_pattern(
    r"[\"')\]]{0,3},? {0,2}(?:by MedGauge )?(?:(?:is|are|was|were|does|do|did|can|may|must|will|shall|should|would|has|have)"
    r" (?:therefore |thus |still )?(?:not|never|no)\b|(?:is|are|was|were) (?:refused|forbidden|prohibited|excluded|wrong|false"
    r"|untrue|misleading|ruled out)\b|: no\b)",
    re.I,
)
# The same inside a phrase, whose gaps may hold any word; one at its beginning belongs to it.
_INNER_CUE = lazy_pattern(
    r"(?<=[\w,] )(?:not|never|no|neither|nor)\b(?! (?:only|just|merely|simply|exceed|be reproduced)\b)", re.IGNORECASE
)
# The phrase is talked about, not said.
_MENTIONED = lazy_pattern(
    r"(?:a|an|any|no|every|each|the) (?:[a-z]{1,20} ){0,2}(?:claim|statement|sentence|phrase|wording|words?|term|reading)\b",
    re.I,
)
_JUDGED = lazy_pattern(r"\b(?:is|are|would|needs?|must|may|stands?|counts?)\b", re.I)
_ANSWER_NO = lazy_pattern(r" {0,3}(?:no|never)\b", re.I)
MAX_CUE_DISTANCE_CHARACTERS = 240


def sentences(plain: str) -> Iterator[Sentence]:
    """Cut a passage into sentences; a semicolon parts them too."""
    start = 0
    for found in _END.finditer(plain):
        end = found.end()
        if plain[found.start()] == "." and _ABBREVIATED.search(plain, max(0, end - 12), end):
            continue
        yield Sentence(start=start, end=end, text=plain[start:end], following=plain[end : end + 20])
        start = end
    if plain[start:].strip():
        yield Sentence(start=start, end=len(plain), text=plain[start:], following="")


def is_denied(sentence: Sentence, start: int, end: int, lead: str = "") -> bool:
    """
    Whether what a sentence says between two of its characters is denied or only mentioned there.

    Args:
        sentence: The sentence.
        start: First character of what is said, counted in the sentence.
        end: Character after its last.
        lead: What introduces the passage; a cue in it denies the items it introduces.
    """
    text = sentence.text
    before = text[max(0, start - MAX_CUE_DISTANCE_CHARACTERS) : start]
    if _denies(before) or _INNER_CUE.search(text, start + 1, end) or _DENIED_AFTER.match(text, end):
        return True
    if text.rstrip().endswith("?") and _ANSWER_NO.match(sentence.following):
        return True
    opening = _MENTIONED.match(text.lstrip(" *\"'(-"))
    if opening and _JUDGED.search(text, end):
        return True
    return bool(lead) and _denies(lead[-MAX_CUE_DISTANCE_CHARACTERS:].rstrip(" :"))


def _denies(words: str) -> bool:
    """Whether a cue stands in these words with nothing behind it that turns its sense."""
    cues = [cue.end() for cue in _CUE.finditer(words)]
    return bool(cues) and _TURN.search(words, cues[-1]) is None
