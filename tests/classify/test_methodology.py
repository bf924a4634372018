"""Which part of the methodology text a change touches: the nearest heading above each changed line decides."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge_registrar.classify.methodology import touched_parts
from medgauge_registrar.starter import starter_files
from support.fuzz import fuzz

BOTH, AGGREGATION, TEXT = {"aggregation", "text"}, {"aggregation"}, {"text"}
# Sections that state how results are aggregated, when a level is issued, or where difficulty classes begin.
RULES = [
    "3.2", "5", "5.2", "5.3", "5.4", "5.5", "5.6", "5.7", "5.8", "6", *(f"6.{number}" for number in range(1, 12)),
    "8", "8.1", "8.2", "8.3", "8.4", "Appendix A", "A.1", "A.2", "Appendix B", "B.1",
]  # fmt: skip
OTHERS = [
    "1", "2", "3", "3.1", "4", "4.1", "4.2", "4.3", "5.1", "5.9", "7", "8.5", "8.6", "9", "10", "11.4", "12", "15", "16",
    "22", "29", "30", "35", "52", "56", "60", "Appendix C", "Appendix D", "C.1",
]  # fmt: skip


def section(number: str, level: int | None = None, lines: str = "Words.") -> str:
    """A section with some lines under its heading."""
    marks = "#" * (level or (3 if "." in number else 2))
    return f"{marks} {number} Example\n\n{lines}\n\n"


def text(**lines: str) -> str:
    """A text of many sections; the words of some of them may be given, by number with `_` for the dot and the blank."""
    numbers = ["3", "3.1", "3.2", "4", "4.1", "5", "5.1", "5.4", "5.9", "6", "6.11", "7", "8", "8.3", "8.5", "9"]
    every = [*numbers, "Appendix A", "A.1", "Appendix B", "Appendix C", "Appendix D"]
    return "# Methodology\n\n" + "".join(
        section(number, lines=lines.get("s" + re.sub("[. ]", "_", number), "Words.")) for number in every
    )


BASE = text()


@pytest.mark.parametrize(
    ("number", "touched"), [*((number, AGGREGATION) for number in RULES), *((number, TEXT) for number in OTHERS)]
)
@pytest.mark.parametrize("level", [2, 3, 4])
def test_a_line_belongs_to_the_section_above_it(number: str, touched: set[str], level: int) -> None:
    """A changed line, an added one and a removed one each count for the section they stand in, at any heading level."""
    before = f"# Title\n\n{section(number, level)}## 99 After\n\nWords.\n"
    for lines in ("Other words.", "Words.\nMore words.", ""):
        after = f"# Title\n\n{section(number, level, lines)}## 99 After\n\nWords.\n"
        assert touched_parts(before, after) == touched
        assert touched_parts(after, before) == touched


@pytest.mark.parametrize(
    "heading",
    [
        "## 5.4 Example", "### 5.4. Example", "   ## 5.4 Example", "##\t5.4 Example", "## 5.4 Example ##", "## **5.4 Example**",
        "## Section 5.4: example", "## § 5.4 Example", "## §5.4 Example", "###### 5.4", "## 5.4.1 Example", "## 5.4.1.2",
        "## 6.3.1 Example", "## 8.2.1 Example", "## 3.2.1 Example", "# APPENDIX A: Example", "## appendix b", "## a.1 Example",
        "## A.1.2 Example", "## Appendix A.1 Example", "## 5.4 Example\r", "5.4 Example\n-----------", "5.4 Example\n===",
        "5.4 Example\n   -  ", "## 5. Example",
    ],
)  # fmt: skip
def test_headings_in_other_dress(heading: str) -> None:
    """Emphasis, closing marks, indentation, an underline, words before the number: still the heading of that section."""
    before = f"# Title\n\n{heading}\n\nWords.\n"
    assert touched_parts(before, before.replace("Words", "Other words")) == AGGREGATION


@pytest.mark.parametrize(
    "heading",
    [
        "##5.4 Example", "    ## 5.4 Example", "\t## 5.4 Example", "####### 5.4 Example", "5.4 Example", "> ## 5.4 Example",
        "- 5.4 Example\n---", "| 5.4 |\n---", "\n---", "## Appendix AB", "## 5x", "## 15.4 Example", "## 5.1.4 Example",
        "## 8.5.1 Example", "## 5.10 Example", "#", "## Example 5.4",
    ],
)  # fmt: skip
def test_lines_that_are_no_heading_of_a_rule(heading: str) -> None:
    """What Markdown takes for a paragraph, a quotation, a list, code or another section leaves the section as it is."""
    before = f"# Title\n\n## 4 Example\n\n{heading}\n\nWords.\n"
    assert touched_parts(before, before.replace("Words", "Other words")) == TEXT


@pytest.mark.parametrize(
    ("what", "after", "touched"),
    [
        ("nothing", BASE, TEXT),
        ("two parts", text(s5_4="Other.", s7="Other."), BOTH),
        ("two rules", text(s3_2="Other.", sAppendix_B="Other."), AGGREGATION),
        ("a rule's heading reworded", BASE.replace("### 5.4 Example", "### 5.4 Other"), AGGREGATION),
        ("another heading reworded", BASE.replace("## 7 Example", "## 7 Other"), TEXT),
        ("the title", BASE.replace("# Methodology", "# Other"), TEXT),
        ("a rule turned into another section", BASE.replace("### 5.4 Example", "### 5.1 Example"), BOTH),
        ("another section turned into a rule", BASE.replace("## 7 Example", "## 6 Example"), BOTH),
        ("a heading taken away, so that its lines join a rule", BASE.replace("## 7 Example\n", ""), BOTH),
        ("a rule's heading taken away, so that its lines leave it", BASE.replace("### 3.2 Example\n", ""), BOTH),
        ("an unnumbered chapter put over the lines of a rule", text(s6="## Example\n\nWords."), BOTH),
        ("an unnumbered paragraph heading within a rule", text(s6="#### Example\n\nWords."), AGGREGATION),
        ("an underline that makes a chapter of a rule's words", text(s6="Words.\n---"), BOTH),
        ("a line moved from one rule to the next", text(s5_4="", s8_3="Words.\n\nWords."), AGGREGATION),
        ("a line moved out of a rule", text(s6="", s7="Words.\n\nWords."), BOTH),
        ("a section of its own put between two rules", BASE.replace("## 8 ", section("7.5") + "## 8 "), TEXT),
        ("a rule put between two sections", BASE.replace("## 9 ", section("8.4") + "## 9 "), AGGREGATION),
        ("a rule taken away", BASE.replace(section("8.3"), ""), AGGREGATION),
        (
            "two rules in the other order",
            BASE.replace(section("5.4"), "").replace("## 7", section("5.4") + "## 7"),
            AGGREGATION,
        ),
        ("another section moved", BASE.replace(section("7"), "").replace("## 4 ", section("7") + "## 4 "), TEXT),
        ("a blank line before a heading", BASE.replace("## 7", "\n## 7"), TEXT),
        (
            "a blank line inside a rule",
            text(s6="Words.\n\n\nWords.").replace("Words.\n\n\nWords.", "Wor\n\nds."),
            AGGREGATION,
        ),
        ("a blank line inside another section", BASE.replace("## 9 Example\n", "## 9 Example\n\n"), TEXT),
        ("a paragraph of a rule cut in two", BASE.replace("### 5.4 Example\n", "### 5.4 Example\n\n"), TEXT),
        ("every line end", BASE.replace("\n", "\r\n"), TEXT),
        ("a rule's punctuation", text(s5_4="Words…"), TEXT),
        ("a rule's letter case and emphasis", text(s5_4="**WORDS.**"), TEXT),
        ("a rule made a quotation", text(s5_4="> Words."), AGGREGATION),
        ("a rule made a comment that nobody sees", text(s5_4="<!-- Words. -->"), AGGREGATION),
        ("a rule struck out", text(s5_4="~~Words.~~"), AGGREGATION),
        ("a rule's heading moved down a level", BASE.replace("### 5.4 Example", "#### 5.4 Example"), AGGREGATION),
        ("no line break at the end", BASE.rstrip("\n"), TEXT),
        ("all gone", "", BOTH),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 70 else "",
)
def test_changes_of_a_whole_text(what: str, after: str, touched: set[str]) -> None:
    """Headings may move, come, go and change their number: whoever's lines differ is touched, from both sides."""
    assert touched_parts(BASE, after) == touched
    assert touched_parts(after, BASE) == touched


@pytest.mark.parametrize(
    ("quoted", "under"),
    [
        ("```\n# 9 No heading\n```", AGGREGATION),
        ("~~~\n# 9 No heading\n~~~", AGGREGATION),
        ("````\n```\n# 9 No heading\n````", AGGREGATION),
        ("```\n# 9 No heading\n~~~\n```", AGGREGATION),
        ("```\n```python\n# 9 No heading\n```", AGGREGATION),
        ("```text\n# 9 No heading\n   ```   ", AGGREGATION),
        ("```\n9 No heading\n---\n```", AGGREGATION),
        ("```\n# 9 No heading", AGGREGATION),
        ("``` a `b` ```\n# 9 A heading", TEXT),
        ("``\n# 9 A heading", TEXT),
        ("    ```\n# 9 A heading", TEXT),
        ("```\n```\n# 9 A heading", TEXT),
    ],
)
def test_quoted_code_holds_no_headings(quoted: str, under: set[str]) -> None:
    """A fence hides the headings within it, and only a fence of its own kind and length ends it."""
    before = f"## 5.4 Example\n\n{quoted}\n\nWords.\n"
    assert touched_parts(before, before.replace("Words", "Other words")) == under
    assert "aggregation" in touched_parts(before, before.replace("## 5.4", "## 5.5"))


def test_fences_around_a_rule_do_not_hide_it() -> None:
    """Whoever turns a rule into quoted code has changed the rule."""
    assert (
        touched_parts(BASE, BASE.replace("## 6 Example\n", "```\n## 6 Example\n").replace("## 7 ", "```\n## 7 "))
        == BOTH
    )


def test_large_texts() -> None:
    """The work grows with the text, not with its square: tens of thousands of like lines on either side are no burden."""
    many, more = "Words.\n" * 20_000, "Words.\nMore.\n" * 10_000
    assert touched_parts(section("5.4", lines=many), section("5.4", lines=more)) == AGGREGATION
    assert touched_parts(section("7", lines=many), section("7", lines=more)) == TEXT
    headings = "".join(section(str(number % 10)) for number in range(2_000))
    assert touched_parts(headings, headings.replace("## 5 ", "## 4 ")) == BOTH


def test_the_starter_text_has_both_parts() -> None:
    """Every heading of the stand-in text is known to be a rule of aggregation or not."""
    starter = starter_files()["methodology/text.md"].decode()
    headings = re.findall(r"^(#{1,3} .*)$", starter, re.MULTILINE)
    assert len(headings) > 90
    for heading in headings:
        found = re.match(r"#+ (?:((?:Appendix )?[0-9A-Z][0-9.]*)[ :.]|)", heading)
        number = found[1].rstrip(".") if found and found[1] else ""
        expected = AGGREGATION if number in RULES else TEXT
        assert touched_parts(starter, starter.replace(f"{heading}\n", f"{heading}\n\nMore words.\n", 1)) == expected, (
            heading
        )


lines = st.lists(
    st.sampled_from(
        ["## 5.4 A", "## 4 B", "# C", "### 6.1 D", "#### E", "words", "more", "", "```", "~~~", "---", "===", "    x"]
    ),
    max_size=12,
).map("\n".join)


@fuzz(5_000)
@given(lines | st.text(), lines | st.text())
def test_any_two_texts(before: str, after: str) -> None:
    """There is always an answer, and a text beside itself has no changed rule."""
    touched = touched_parts(before, after)
    assert touched
    assert touched <= BOTH
    assert touched_parts(before, before) == TEXT


def test_spelling_of_a_rule_put_right() -> None:
    """A word that stands nowhere else becomes one that does: wording. The other way round nobody can tell what was meant."""
    before, after = (text(s5_4=f"A {word} version.", s7="What is frozen stays.") for word in ("frozn", "frozen"))
    assert touched_parts(before, after) == TEXT
    assert touched_parts(after, before) == AGGREGATION


def test_a_heading_line_of_hostile_length() -> None:
    """A line of a hundred thousand blanks and marks takes no longer than another one of that length."""
    for line in (
        "# " + " " * 100_000 + "x",
        "# " + "#" * 100_000 + "x",
        "# " + " #" * 50_000,
        "#" * 100_000,
        " " * 100_000 + "#",
    ):
        before = f"## 5.4 Example\n\n{line}\n\nWords.\n"
        assert touched_parts(before, before.replace("Words", "Other words"))


@fuzz(5_000)
@given(lines, lines)
def test_a_new_rule_is_never_overlooked(before: str, after: str) -> None:
    """Words put under a heading of a rule are seen, whatever stands around it."""
    # A fence or an underline left open before it could make code or a title of what follows, so the rule comes first.
    old = f"## 6.1 Rule\n\nwords\n\n## 7 Other\n\n{before}"
    new = f"## 6.1 Rule\n\nother words\n\n## 7 Other\n\n{after}"
    assert "aggregation" in touched_parts(old, new)
