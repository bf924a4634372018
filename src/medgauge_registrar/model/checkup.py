"""One thing that `registrar doctor` looked at, and what became of it."""

from enum import StrEnum

from medgauge_registrar.model.frozen import frozen


class Standing(StrEnum):
    """What a look came to."""

    GOOD = "good"
    WRONG = "wrong"
    BY_HAND = "by hand"


@frozen
class Item:
    """
    One thing that was looked at.

    Attributes:
        about: File or setting.
        standing: What the look came to; what could not be seen is for a person to check.
        said: What was found, or what to look for.
        cure: What to do next; empty where nothing is to be done.
    """

    about: str
    standing: Standing
    said: str
    cure: str = ""


def good(about: str, said: str) -> Item:
    """As it should be."""
    return Item(about=about, standing=Standing.GOOD, said=said)


def wrong(about: str, said: str, cure: str) -> Item:
    """Something that lets the gate promise more than it keeps, or keeps it from working."""
    return Item(about=about, standing=Standing.WRONG, said=said, cure=cure)


def by_hand(about: str, said: str, cure: str = "") -> Item:
    """Something that only a person can see."""
    return Item(about=about, standing=Standing.BY_HAND, said=said, cure=cure)
