"""The names that GitHub gives to headings, so that a link can lead to one."""

import unicodedata

from medgauge_registrar.patterns import lazy_pattern

# Everything but letters, marks, digits, connectors, hyphens and spaces goes.
_KEPT_CATEGORIES = ("L", "M", "N", "Pc")
_SPACE = lazy_pattern(r" ")


def slug(heading: str) -> str:
    """
    Anchor of a heading, before repetitions are numbered.

    Source:
        GitHub's `html-pipeline`, TableOfContentsFilter: lower case, punctuation dropped, each space a hyphen.
    """
    lowered = heading.strip().lower()
    kept = (
        character
        for character in lowered
        if character in "- " or unicodedata.category(character).startswith(_KEPT_CATEGORIES)
    )
    return _SPACE.sub("-", "".join(kept))


class Slugs:
    """Anchors of one text: a repeated one gets `-1`, `-2`, … as on GitHub."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def add(self, heading: str) -> str:
        """Anchor of the next heading."""
        base = slug(heading)
        anchor, count = base, self._seen.get(base, -1) + 1
        if count:
            anchor = f"{base}-{count}"
        self._seen[base] = count
        self._seen.setdefault(anchor, 0)
        return anchor
