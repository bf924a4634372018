"""The class of a change of the methodology text, computed from its wording."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge_registrar.classify.marks import NUMBER_WORDS, REQUIRING, marks_of
from medgauge_registrar.classify.respelling import is_one_slip, respelt_words
from medgauge_registrar.classify.sections import sections
from medgauge_registrar.classify.text_change import (
    MOST_CHARACTERS,
    MOST_REASONS,
    ChangeClass,
    classify_text_change,
)
from medgauge_registrar.registry.methodology_text import wording
from medgauge_registrar.starter import starter_files
from support.fuzz import fuzz

NONE, PATCH, MINOR, BREAKING = ChangeClass
BASE = """# Example methodology

Version 0.1.0 · 2026-10-29

Cite as: Example Initiative. Example Methodology, version 0.1.0 (2026).

## 1. Position

What a system produces is measured. Version 0.1.0 sets no threshold.
A reviewer must look at each record. A record may be kept.

- one item
- another item

| Role | People |
|---|---|
| Maintainer | two |

The score is s = passed / m; see `gr-example@0.1.0`.

## 5. Composition

### 5.4 Benchmark version

Figures of a subset are means over its tasks, the frozn ones.

### 8.5 Agreement

Not judged yet. Nothing is frozen here.

## Appendix A

### A.1 difficulty-function@0.1.0

| breadth | 1–5 → 0 |

## Appendix D: Change log

| Version | Date | Change |
|---|---|---|
| 0.1.0 | 2026-10-29 | First version. |
"""


def changed(old: str, new: str) -> str:
    """The text with one place changed."""
    assert old in BASE
    return BASE.replace(old, new, 1)


@pytest.mark.parametrize(
    ("what", "after", "expected"),
    [
        ("nothing", BASE, NONE),
        ("a row of the log", f"{BASE}| 0.1.1 | 2026-11-29 | All must change, 5 times. |\n", NONE),
        (
            "version and day alone",
            BASE.replace("Version 0.1.0 ·", "Version 0.2.0 ·")
            .replace("2026-10-29\n\nCite", "2027-01-29\n\nCite")
            .replace("version 0.1.0 (2026)", "version 0.2.0 (2027)")
            .replace("Version 0.1.0 sets", "Version 0.2.0 sets"),
            NONE,
        ),
        ("words of a plain sentence", changed("What a system produces", "What systems produce"), PATCH),
        ("a plain sentence more", changed("is measured.", "is measured. It counts."), PATCH),
        ("a line broken elsewhere", changed("What a system produces", "What a system\nproduces"), PATCH),
        ("a comma", changed("a system produces is", "a system produces, is"), PATCH),
        ("emphasis", changed("measured", "*measured*"), PATCH),
        ("spelling of a rule", changed("frozn", "frozen"), PATCH),
        ("a rule in other letter case", changed("Figures of", "FIGURES of"), PATCH),
        ("the dashes of a table", changed("|---|---|\n| Maintainer", "|:--|--:|\n| Maintainer"), PATCH),
        ("a blank in a cell", changed("| Maintainer | two |", "|  Maintainer|two  |"), PATCH),
        ("a number", changed("is measured.", "is measured 3 times."), MINOR),
        ("a number word", changed("is measured.", "is measured twice."), MINOR),
        ("a letter that stands for a quantity", changed("s = passed", "q = passed"), MINOR),
        ("must", changed("A record may be kept", "A record must be kept"), MINOR),
        ("never", changed("A record may be kept", "A record is never kept"), MINOR),
        ("a word of a requirement", changed("A reviewer must", "A maintainer must"), MINOR),
        ("a denial", changed("is measured.", "is not measured."), MINOR),
        ("a formula", changed("passed / m", "passed + m"), MINOR),
        ("a formula turned round", changed("s = passed / m", "s = m / passed"), MINOR),
        ("a quantity of a formula", changed("s = passed", "s = listed"), MINOR),
        ("a cell of a table", changed("| Maintainer |", "| Acceptor |"), MINOR),
        ("a row of a table", changed("| Maintainer | two |", "| Maintainer | two |\n| Acceptor | some |"), MINOR),
        ("an item of a list", changed("- another item\n", "- another item\n- a further item\n"), MINOR),
        ("quoted code", changed("`gr-example@0.1.0`", "`gr-sample@0.1.0`"), MINOR),
        ("a version of something else", changed("gr-example@0.1.0", "gr-example@0.2.0"), MINOR),
        ("code in a block", changed("## 5. Comp", "```\nx\n```\n\n## 5. Comp"), MINOR),
        ("a word of a rule", changed("are means over", "are medians over"), BREAKING),
        ("a sentence of a rule", changed("### 5.4 Benchmark version\n", "### 5.4 Benchmark version\n\nAlike.\n"), BREAKING),
        ("a band of the function", changed("1–5 → 0", "1–6 → 0"), BREAKING),
        ("a heading of a rule", changed("### 5.4", "### 5.5"), BREAKING),
        ("a number where environments are compared", changed("Not judged yet.", "Not judged below 0.05."), BREAKING),
        ("words where environments are compared", changed("Not judged yet.", "Not judged for now."), PATCH),
        ("everything gone", "", BREAKING),
    ],
)  # fmt: skip
def test_class_of_a_change(what: str, after: str, expected: ChangeClass) -> None:
    """The heaviest difference decides; version, day and change log play no part."""
    assert classify_text_change(BASE, after).change_class is expected, what


def test_reasons_name_lines_and_pieces() -> None:
    """What is new is told by its line after the change, what is gone by its line before it."""
    found = classify_text_change(BASE, changed("A record may be kept", "A record must be kept twice"))
    assert [(reason.line, reason.is_gone, reason.words) for reason in found.reasons] == [
        (10, False, "normative word `must` is new"),
        (10, False, "number `twice` is new"),
        (10, True, "normative word `may` is gone"),
    ]
    assert found.chapters == {"1"}
    assert found.rules == frozenset()


def test_reasons_of_rules_name_their_headings() -> None:
    """The headings of changed rules are told, so that it is known which notice they take."""
    found = classify_text_change(BASE, BASE.replace("1–5 → 0", "1–6 → 0").replace("means", "medians"))
    assert found.rules == {"5.4", "appendix a.1"}
    assert not found.environment_threshold
    assert classify_text_change(BASE, changed("Not judged yet.", "At most 0.05.")).environment_threshold


def test_a_change_of_order_is_told() -> None:
    """Two rules in the other order are the same words and another text."""
    found = classify_text_change("## 5 A\n\nOne two.\n", "## 5 A\n\nTwo one.\n")
    assert found.change_class is BREAKING
    assert found.reasons


def test_many_differences_are_counted() -> None:
    """The first differences are told one by one, the others are counted."""
    after = BASE + "".join(f"\n{number}\n" for number in range(50))
    found = classify_text_change(BASE, after)
    assert len(found.reasons) == MOST_REASONS
    assert found.left_out == 50 - MOST_REASONS


def test_a_text_of_hostile_size_breaks_comparison() -> None:
    """A text far longer than any methodology is not compared, and so counts as the heaviest class."""
    found = classify_text_change(BASE, BASE + "a" * MOST_CHARACTERS)
    assert found.change_class is BREAKING
    assert "not compared" in found.reasons[0].words


@pytest.mark.parametrize(
    "after",
    [
        "",
        "\x00",
        "|",
        "||||",
        "# ",
        "```",
        "~~~\n" * 3,
        "Version",
        *(sign * 10_000 for sign in ("a", "| ", "\n", "-", ". ", ".*")),
    ],
)
def test_hostile_texts_are_classified(after: str) -> None:
    """Whatever a text holds or lacks, there is a class."""
    assert classify_text_change(BASE, after).change_class in ChangeClass
    assert classify_text_change(after, BASE).change_class in ChangeClass


def test_every_part_of_the_starter_text_is_seen() -> None:
    """A number put anywhere into the stand-in text, past rows of its log aside, is no patch."""
    lines = starter_files()["methodology/text.md"].decode().split("\n")
    log = next(index for index, line in enumerate(lines) if line.startswith("# Appendix D"))
    for index in range(5, log, 7):
        after = [*lines[:index], f"{lines[index]} 77", *lines[index + 1 :]]
        assert classify_text_change("\n".join(lines), "\n".join(after)).change_class in {MINOR, BREAKING}, lines[index]


# Properties ------------------------------------------------------------------------------------------------------------

words = st.sampled_from(
    ["word", "words", "wrd", "must", "never", "may", "not", "two", "3", "0.5", "x", "=", "|", "`a`", "- item", "## 5 A", "## 1 B",
     "# Appendix D", "", ".", "\n", "```", "Version 0.1.0 · 2026-10-29", "| Version | Date |", "|---|---|", "| 0.1.0 | x |"]
)  # fmt: skip
texts = st.lists(st.tuples(words, st.sampled_from([" ", "\n", "\n\n"])), max_size=14).map(
    lambda parts: "".join(word + end for word, end in parts)
)


def pieces(text: str, kinds: set[str]) -> list[str]:
    """Marks of some kinds in a text, without what its versions leave behind."""
    prose = "\n".join(line or "" for line in wording(text))
    return [mark.text for section in sections(prose) for mark in marks_of(section) if mark.kind in kinds]


@fuzz(5_000)
@given(texts | st.text(max_size=200), texts | st.text(max_size=200))
def test_a_patch_changes_no_number_and_no_requirement(before: str, after: str) -> None:
    """A change that counts as a patch, or as none, leaves every number, formula and normative word where it was."""
    found = classify_text_change(before, after)
    if found.change_class in {NONE, PATCH}:
        kinds = {"number", "normative word", "formula", "list item"}
        assert pieces(before, kinds) == pieces(after, kinds)
        quoted = [
            [one for one in pieces(text, {"table cell", "code word"}) if not one.isalpha()] for text in (before, after)
        ]
        assert quoted[0] == quoted[1]
        assert not found.reasons
    else:
        assert found.reasons


@fuzz(5_000)
@given(texts)
def test_a_text_beside_itself(text: str) -> None:
    """Nothing changes where nothing changed."""
    assert classify_text_change(text, text).change_class is NONE


# Spelling --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "other", "slip"),
    [
        ("frozn", "frozen", True),
        ("frozzen", "frozen", True),
        ("frozan", "frozen", True),
        ("frozne", "frozen", True),
        ("frozen", "frozen", False),
        ("mean", "median", False),
        ("frzoen", "frozen", True),
        ("xrozen", "frozen", False),
        ("minimum", "maximum", False),
        ("fro", "frozen", False),
    ],
)
def test_slips(word: str, other: str, slip: bool) -> None:
    """One letter added, left out, changed or swapped with its neighbour, never the first."""
    assert is_one_slip(word, other) is slip
    assert is_one_slip(other, word) is slip


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (["frozn", "frozen"], ["frozen", "frozen"], {"frozn": "frozen"}),
        (["frozn"], ["frozen"], {}),
        (["frozn", "frozen"], ["frozn", "frozen"], {}),
        (["frozn", "frozn", "frozen"], ["frozen", "frozen"], {}),
        (["mast", "must"], ["must", "must"], {}),
        (["tree", "three"], ["three", "three"], {}),
        (["abc", "abcd"], ["abcd", "abcd"], {}),
        (["words", "wordy", "wordx"], ["words", "wordy", "words"], {}),
    ],
)
def test_respelt_words(before: list[str], after: list[str], expected: dict[str, str]) -> None:
    """Only a word that is gone everywhere becomes one that was there, and that nobody could mistake for another."""
    assert respelt_words(before, after) == expected


def test_words_that_require_or_count_are_never_spellings() -> None:
    """No word that requires, limits or counts is taken for a slip of another."""
    for word in sorted(REQUIRING | NUMBER_WORDS):
        assert respelt_words([f"{word}x", word], [word, word]) == {}
