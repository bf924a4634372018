"""Mended spelling: a word that stands nowhere else, put right by one that does."""

from collections import Counter
from collections.abc import Iterable, Mapping

from medgauge_registrar.classify.marks import LIMITING, NUMBER_WORDS, REQUIRING

# With more vanished words than this, a change is no longer a correction of spelling.
MOST_WORDS = 20
SHORTEST_WORD = 4
_FIXED = REQUIRING | LIMITING | NUMBER_WORDS


def respelt_words(before: Iterable[str], after: Iterable[str]) -> Mapping[str, str]:
    """
    Words of a text that were only spelt wrong, with the word that each became.

    A word counts as misspelt if it is gone from the text, and a word that was there already and begins with the same letter
    is one slip away (a letter too many, too few, wrong, or two in the other order) and took its place everywhere. Words that
    require, limit or count are never taken for a slip.

    Args:
        before: Every word of the text before, in lower case, as often as it occurs.
        after: Every word of the text after.
    """
    old, new = Counter(before), Counter(after)
    gone = [word for word in old if word not in new and len(word) >= SHORTEST_WORD]
    if len(gone) > MOST_WORDS:
        return {}
    found = {}
    for word in gone:
        near = [other for other in old if other in new and other not in _FIXED and is_one_slip(word, other)]
        if len(near) == 1 and word not in _FIXED and new[near[0]] >= old[near[0]] + old[word]:
            found[word] = near[0]
    return found


def is_one_slip(word: str, other: str) -> bool:
    """Whether two words with the same first letter differ by one letter added, left out, changed or swapped with the next."""
    if word[:1] != other[:1] or word == other or abs(len(word) - len(other)) > 1:
        return False
    start = next((at for at, (one, two) in enumerate(zip(word, other, strict=False)) if one != two), len(word))
    rest, wanted = word[start:], other[start:]
    swapped = rest[:2] == wanted[:2][::-1] and rest[2:] == wanted[2:]
    return swapped or rest[1:] == wanted or rest == wanted[1:] or rest[1:] == wanted[1:]
