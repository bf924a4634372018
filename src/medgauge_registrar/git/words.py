"""What may be searched for in files."""

from collections.abc import Sequence


def checked_words(words: Sequence[str]) -> tuple[str, ...]:
    """
    The words without repetition, sorted.

    Raises:
        ValueError: A word is empty or has a line break or NUL: a search by lines would match everything or nothing.
    """
    for word in words:
        if not word or "\n" in word or "\0" in word:
            raise ValueError(f"cannot search for {word!r}: words are not empty and have no line break or NUL")
    return tuple(sorted(set(words)))
