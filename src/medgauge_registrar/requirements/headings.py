"""The headed sections of a Markdown text that somebody wrote into a form or a file."""

import re
from collections.abc import Iterator

from medgauge_registrar.classify.sections import atx_heading
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.patterns import lazy_pattern

# Source: CommonMark 0.31, "Setext headings", "Fenced code blocks".
_UNDERLINE = lazy_pattern(r" {0,3}(=+|-+)[ \t]*")
_OPENS = lazy_pattern(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_CLOSES = lazy_pattern(r" {0,3}(`{3,}|~{3,})[ \t]*")
_LINE_END = lazy_pattern(r"\r\n|\n|\r")
_COMMENT = lazy_pattern(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_NO_PARAGRAPH = lazy_pattern(r" {4}|\t| {0,3}(?:[#>|]|[-*+][ \t]|[0-9]{1,9}[.)][ \t]|$)")
_NUMBERING = lazy_pattern(r"\A(?:[0-9]+(?:\.[0-9]+)*[.)]?|[a-z][.)]) ")
# What a form or a person writes where there is nothing to say.
_NOTHING = frozenset({"no response", "none", "n a", "na", "not applicable", "tbd", "todo", "to be done", "to do"})


@frozen
class Section:
    """A heading, in plain words and small letters, and the text below it up to the next heading of its level or above."""

    title: str
    text: str

    @property
    def is_empty(self) -> bool:
        """Whether the text says nothing: no letter or digit but in headings, or one of the words for nothing."""
        said = "\n".join(line for line in self.text.split("\n") if not atx_heading(line))
        words = " ".join(re.findall(r"\w+", said.replace("_", " "))).casefold()
        return not words or words in _NOTHING


def sections(text: str) -> tuple[Section, ...]:
    """
    Take a Markdown text apart at its headings.

    Headings in code blocks and in HTML comments are none. A section holds the sections below it as well, so that a part may
    be divided further.
    """
    lines = _LINE_END.split(_COMMENT.sub("", text))
    headings = list(_headings(lines))
    return tuple(
        Section(
            title=title,
            text="\n".join(
                lines[
                    begins : next((line for line, _, other, _ in headings[index + 1 :] if other <= level), len(lines))
                ]
            ),
        )
        for index, (_, begins, level, title) in enumerate(headings)
    )


def plain(title: str) -> str:
    """A heading as it is compared: small letters, without emphasis, numbering and marks at its end."""
    bare = " ".join(re.sub(r"[*_`]", "", title).split()).casefold().rstrip(" :.?!")
    return _NUMBERING.sub("", bare)


def _headings(lines: list[str]) -> Iterator[tuple[int, int, int, str]]:
    """Line of each heading, line after it, level, title."""
    fence = ""
    for index, line in enumerate(lines):
        below = lines[index + 1] if index + 1 < len(lines) else ""
        if fence:
            closes = _CLOSES.fullmatch(line)
            fence = "" if closes and closes[1].startswith(fence) else fence
        elif opens := _OPENS.match(line):
            fence = opens[1]
        elif atx := atx_heading(line):
            yield index, index + 1, atx[0], plain(atx[1])
        elif (underline := _UNDERLINE.fullmatch(below)) and not _NO_PARAGRAPH.match(line):
            yield index, index + 2, 1 if underline[1][0] == "=" else 2, plain(line)
