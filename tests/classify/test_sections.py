"""Cutting the methodology text at its headings."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge_registrar.classify.sections import Fence, atx_heading, sections
from support.fuzz import fuzz

# What CommonMark 0.31 says of such headings, as one pattern: plain to read, and cubic on hostile lines.
_BY_PATTERN = re.compile(r" {0,3}(#{1,6})(|[ \t].*?)(?:[ \t]+#*)?[ \t]*")


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("# A", (1, "A")),
        ("###### A", (6, "A")),
        ("   ## A  ", (2, "A")),
        ("##\tA", (2, "A")),
        ("## A ##", (2, "A")),
        ("## A #b", (2, "A #b")),
        ("## A#", (2, "A#")),
        ("##", (2, "")),
        ("## ##", (2, "")),
        ("####### A", None),
        ("##A", None),
        ("    # A", None),
        ("\t# A", None),
        ("A", None),
        ("", None),
    ],
)
def test_headings_of_marks(line: str, heading: tuple[int, str] | None) -> None:
    """One to six marks, a blank, the title, and perhaps closing marks after a blank."""
    assert atx_heading(line) == heading


@fuzz(20_000)
@given(st.text(alphabet="# \ta`", max_size=12))
def test_headings_by_hand_and_by_pattern(line: str) -> None:
    """By hand the same lines are headings, of the same level and title, as by the pattern of CommonMark."""
    match = _BY_PATTERN.fullmatch(line)
    assert atx_heading(line) == (None if match is None else (len(match[1]), match[2].strip(" \t")))


def test_sections_know_their_place() -> None:
    """Each section has its chapter, its title and the number of its first line; above the first heading there is neither."""
    found = list(sections("Front.\n\n## 5. Rules\nA.\n\n### Notes\nB.\n\nAppendix  a\n=====\n\n## A.1 Table\n"))
    assert [(one.chapter, one.title, one.first_line, one.part) for one in found] == [
        ("", "", 1, "text"),
        ("5", "5. Rules", 3, "aggregation"),
        ("5", "Notes", 6, "aggregation"),
        ("appendix a", "Appendix  a", 9, "aggregation"),
        ("appendix a.1", "A.1 Table", 12, "aggregation"),
    ]


def test_fences_are_followed_line_by_line() -> None:
    """The fence itself is hidden with what it quotes, and only one of its own kind and length ends it."""
    fence = Fence()
    lines = ["a", "~~~~", "b", "~~~", "```", "~~~~~", "c"]
    assert [fence.hides(line) for line in lines] == [False, True, True, True, True, True, False]
