"""What a change of the methodology text amounts to: the class computed from its wording (CHG-06)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache

from medgauge_registrar.classify.marks import Mark, marks_of
from medgauge_registrar.classify.respelling import respelt_words
from medgauge_registrar.classify.sections import AGGREGATION, TEXT, Section, sections
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.registry.methodology_text import wording

# Several times the length of the methodology; a longer text is not compared, and so counts as the heaviest class.
MOST_CHARACTERS = 500_000
# Differences named one by one; a reader who sees these can find the others.
MOST_REASONS = 12
# Where the agreement of two environments is spoken of: a number that comes there may set its threshold (section 8.5).
_ENVIRONMENTS = "8.5"
_SHOWN_CHARACTERS = 40


class ChangeClass(StrEnum):
    """What a change of wording amounts to, the lightest first."""

    NONE = "none"
    PATCH = "patch"
    MINOR = "minor"
    NON_COMPARABLE = "non-comparable"

    @property
    def weight(self) -> int:
        """Place in the order of the classes."""
        return list(ChangeClass).index(self)


@frozen
class Reason:
    """
    One difference that is no matter of wording.

    Attributes:
        line: Line it stands on, from 1: in the text after the change, or before it for what is gone.
        is_gone: Whether it stood in the text before and does not any more.
        words: What differs.
    """

    line: int
    is_gone: bool
    words: str


@frozen
class TextChange:
    """
    What a change of the text amounts to.

    Attributes:
        change_class: The heaviest class that any difference has.
        reasons: Differences that are more than wording, in the order of the lines; at most `MOST_REASONS`.
        left_out: How many more there are.
        rules: Numbers of the headings under which a rule of aggregation differs.
        environment_threshold: Whether a number came where the agreement of two environments is spoken of (NCN-16).
        chapters: Numbers of all headings under which anything but wording differs.
    """

    change_class: ChangeClass
    reasons: tuple[Reason, ...] = ()
    left_out: int = 0
    rules: frozenset[str] = frozenset()
    environment_threshold: bool = False
    chapters: frozenset[str] = frozenset()


@lru_cache(maxsize=4)
def classify_text_change(before: str, after: str) -> TextChange:
    """
    Compute the class of a change of the text.

    The version of the text itself, its day, and the rows of its change log play no part. What is left is `none` if it is the
    same, and else `patch` while only wording differs: layout, punctuation, letter case, mended spelling and, outside the
    rules of aggregation, words of sentences that require nothing. A number, a normative word, a sentence that requires
    something or holds a formula, a cell of a table, quoted code or an item of a list make it `minor`; any word of a rule of
    aggregation makes it `non-comparable`.

    Time grows with the length of the texts.

    Source:
        Methodology, preamble and sections 22 and 30; what a patch is, is an inference (CHG-06).
    """
    if before != after and max(len(before), len(after)) > MOST_CHARACTERS:
        words = f"the text has more than {MOST_CHARACTERS} characters, so its wording is not compared"
        return TextChange(
            change_class=ChangeClass.NON_COMPARABLE,
            reasons=(Reason(line=1, is_gone=False, words=words),),
            rules=frozenset({""}),
        )
    old_lines, new_lines = wording(before), wording(after)
    if [line for line in old_lines if line is not None] == [line for line in new_lines if line is not None]:
        return TextChange(change_class=ChangeClass.NONE)
    old, new = ("\n".join(line or "" for line in lines) for lines in (old_lines, new_lines))
    came: list[Mark] = []
    gone: list[Mark] = []
    rules: set[str] = set()
    old_marks, new_marks = map(_marks, _changed_sections(old, new))
    old_marks = _respelt(old_marks, new_marks, old, new)
    for part in (AGGREGATION, TEXT):
        part_gone, part_came = _differing(old_marks[part], new_marks[part])
        gone, came = gone + part_gone, came + part_came
        if part == AGGREGATION:
            rules = {mark.chapter for mark in (*part_gone, *part_came)}
    reasons = sorted(_reasons(gone, came), key=lambda reason: (reason.line, reason.is_gone, reason.words))
    threshold = any(mark.chapter == _ENVIRONMENTS and mark.kind == "number" for mark in came)
    heaviest = ChangeClass.NON_COMPARABLE if rules or threshold else ChangeClass.MINOR
    return TextChange(
        change_class=heaviest if reasons else ChangeClass.PATCH,
        reasons=tuple(reasons[:MOST_REASONS]),
        left_out=max(len(reasons) - MOST_REASONS, 0),
        rules=frozenset(rules),
        environment_threshold=threshold,
        chapters=frozenset(mark.chapter for mark in (*gone, *came)),
    )


def _changed_sections(old: str, new: str) -> tuple[list[Section], list[Section]]:
    """The sections of both texts without those that begin and end them alike."""
    before, after = list(sections(old)), list(sections(new))
    start, end = _alike([(s.chapter, s.lines) for s in before], [(s.chapter, s.lines) for s in after])
    return before[start : len(before) - end], after[start : len(after) - end]


def _alike(old: Sequence[object], new: Sequence[object]) -> tuple[int, int]:
    """How many items two sequences have in common at their beginning, and then at their end."""
    shorter = min(len(old), len(new))
    start = next((index for index in range(shorter) if old[index] != new[index]), shorter)
    left = shorter - start
    return start, next((index for index in range(left) if old[-1 - index] != new[-1 - index]), left)


def _marks(changed: Iterable[Section]) -> dict[str, list[Mark]]:
    found: dict[str, list[Mark]] = {AGGREGATION: [], TEXT: []}
    for section in changed:
        found[section.part].extend(marks_of(section))
    return found


def _respelt(
    marks: Mapping[str, Sequence[Mark]], other: Mapping[str, Sequence[Mark]], before: str, after: str
) -> dict[str, list[Mark]]:
    """The marks with words that were only spelt wrong put right, as the other text has them."""
    found = {part: list(own) for part, own in marks.items()}
    if all(list(map(_key, own)) == list(map(_key, other[part])) for part, own in found.items()):
        return found
    words = respelt_words(_words(before), _words(after))
    return {
        part: [mark._replace(text=words.get(mark.text, mark.text)) for mark in own] if words else own
        for part, own in found.items()
    }


def _words(text: str) -> Iterator[str]:
    """Every word of a text in lower case."""
    for piece in text.casefold().split():
        yield piece.strip("*_.,;:!?'\"’‘“”()[]-–—…`")


def _differing(old: Sequence[Mark], new: Sequence[Mark]) -> tuple[list[Mark], list[Mark]]:
    """Marks that are gone and marks that came; of a mere change of order, those that stand elsewhere now."""
    start, end = _alike([_key(mark) for mark in old], [_key(mark) for mark in new])
    gone, came = old[start : len(old) - end], new[start : len(new) - end]
    only_gone, only_came = _without_counterpart(gone, came), _without_counterpart(came, gone)
    return (only_gone, only_came) if only_gone or only_came else (list(gone), list(came))


def _key(mark: Mark) -> tuple[str, str]:
    """By what two marks are the same: a requirement that is quoted as code is none any more."""
    return mark.text, mark.kind


def _without_counterpart(own: Sequence[Mark], others: Iterable[Mark]) -> list[Mark]:
    left = Counter(map(_key, others))
    found = []
    for mark in own:
        if left[_key(mark)]:
            left[_key(mark)] -= 1
        else:
            found.append(mark)
    return found


def _reasons(gone: Iterable[Mark], came: Iterable[Mark]) -> Iterator[Reason]:
    """One reason a line and kind of mark."""
    for is_gone, marks in ((True, gone), (False, came)):
        grouped: dict[tuple[int, str], list[str]] = {}
        for mark in marks:
            grouped.setdefault((mark.line, mark.kind), []).append(mark.text)
        for (line, kind), texts in grouped.items():
            yield Reason(
                line=line, is_gone=is_gone, words=f"{kind} `{_shown(texts)}` {'is gone' if is_gone else 'is new'}"
            )


def _shown(texts: Sequence[str]) -> str:
    joined = " ".join(texts).replace("`", "'")
    return joined if len(joined) <= _SHOWN_CHARACTERS else f"{joined[: _SHOWN_CHARACTERS - 1]}…"
