"""What is read line by line is what libyaml's events make of it; everything else is left to them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge_registrar.data import FOLDER
from medgauge_registrar.model.document import Json
from medgauge_registrar.registry import yaml_lines, yaml_reader
from medgauge_registrar.registry.limits import LIMITS, Limits, Syntax
from medgauge_registrar.registry.survey import DoubtError
from medgauge_registrar.registry.text import decode
from support.fuzz import fuzz

STARTER = sorted((FOLDER / "starter" / "registry").rglob("*.yaml"))
RECORD = """\
# yaml-language-server: $schema=x
id: gr-example-1
version: 0.1.0
check_date: null
veto: false
count: 12
share: 0.25
link: https://example.org/a#b
title: 'Twice: quoted'
note: "an example"
condition: >-
  the first line
  the second: line
literal: |
  # one

capabilities: [X.1, X.2]
empty: []
source: {date: 2026-11-02, outcome: confirmed}
"1": [[x, [w]], {b: [1], "2": {}}, 'v']
path: "a\\\\b"
plain: x # a comment

rows:
- task: tk-1
  runs:
    - 1
    - {attempt: 2, passed: true}
  text: >
    folded
- plain words
items:
  - >-
    of a list
  - - nested
last:
  deeper:
    end: true
"""
# Signs with which one reading turns into another.
FRAGMENTS = st.sampled_from(
    [
        *":#-[]{}'\"|>&*!%@?,\n ~=<.0",
        *("  ", "- ", ": ", " #", ":\n", "\n\n", "\n  ", "\n- ", "---\n", "...\n", "? ", "<<: ", "\n# x\n", ">-\n", "|\n"),
        *("no", "y", "null", "true", "1.0", "010", "1:20", "0x1F", "1e3", "2026-11-29T10:00:00Z", "version: 1.0\n", "é", "\x85"),
        *("a: ", "a: b\n", "id: again\n", "[a, b]", "{a: b, a: c}", "{a: b}", "'", "''", "\\n", "(x)", "a\u2028b", "\u00a0"),
    ]
)  # fmt: skip
EDITS = st.lists(st.tuples(st.integers(0, len(RECORD)), st.integers(0, 6), FRAGMENTS), min_size=1, max_size=4)
VALUES = st.sampled_from(
    [
        "x",
        "x w",
        "1",
        "1.5",
        "~",
        "'x'",
        '"x"',
        '"x": ',
        '["x": ]',
        '{a: "x": }',
        "[x, 1]",
        "{a: x, b: 1.5}",
        "[]",
        ">-",
        "|",
        ">",
        "# x",
        "x # w",
        "x: w",
        "- x",
    ]
)


@st.composite
def lines(draw: st.DrawFn) -> str:
    """Lines that often fit together: keys that differ, and steps of indentation."""
    depth, rows = 0, []
    for number in range(draw(st.integers(1, 7))):
        depth = max(0, depth + draw(st.sampled_from([0, 0, 0, 1, -1])))
        odd = draw(st.sampled_from(["", "", "", "", "", " "]))
        dash = draw(st.sampled_from(["", "", "", "- "]))
        key = draw(
            st.sampled_from(
                [f"k{number}: ", f"k{number}: ", f"k{number}: ", f'"k{number}": '] * 2
                + [f"k{number}:"] * 3
                + ["", "k0: ", "no: ", "version: "]
            )
        )
        rows.append("  " * depth + odd + dash + key + ("" if key.endswith(":") else draw(VALUES)) + "\n")
        if key.endswith(":") or rows[-1].endswith((">-\n", "|\n", ">\n")):
            depth += draw(st.sampled_from([1, 1, 1, 0]))
    return "".join(rows)


def both(text: str, limits: Limits = LIMITS) -> tuple[Json, Json]:
    """What either reader makes of a text; null where it has a doubt or leaves it alone."""
    data = text.encode("utf-8", "surrogatepass")
    clean, faults = decode(data, Syntax.YAML, limits)
    if faults:
        return None, None
    try:
        strict = yaml_reader.parse(data, limits)
    except DoubtError:
        strict = None
    return yaml_lines.parse(clean, limits), strict


def agree(text: str) -> bool:
    """Hold the one against the other; returns whether the text was read line by line."""
    plain, strict = both(text)
    assert plain is None or repr(plain) == repr(strict), text
    return plain is not None


@pytest.mark.parametrize("path", STARTER, ids=lambda path: path.name)
def test_records_of_the_starter_are_read_alike(path: Path) -> None:
    agree(path.read_text(encoding="utf-8"))


def test_most_records_are_read_line_by_line() -> None:
    """Otherwise all of this would be for nothing."""
    assert sum(agree(path.read_text(encoding="utf-8")) for path in STARTER) > len(STARTER) / 2


def test_the_example_is_read_but_for_the_list_in_a_list() -> None:
    assert not agree(RECORD)
    assert agree(RECORD.replace("- - nested", "- nested"))


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\n",
        "a:\n  b: x\nc: w\n",
        "a:\n- x\n- w\nb: z\n",
        "a:\n  - b: x\n    c:\n    - w\n  - d: z\n",
        "a: >-\n  x\n  w\n\n\nb: z\n",
        "a: |\n  x\n# c\nb: z\n",
        "a: >\n  x\n",
        "a: [x]\n",
        "a: x:w\nb: x#w\nc: (x) w\n",
        "a: ' # '\nb: \": \"\n",
        "\n# x\n\na: x\n  # w\nb: z\n",
        "a: {}\nb: []\n",
        "a: größe\n",
        "a: -1\nb: -0.5\nc: [-1, 2]\n",
        "a: x # w\nb: [x] # w\nc: 1# 2\n",
        "a: [[x, [w]], {b: [1], c: {}}, []]\n",
        '"1": x\n"no": {"2": w, b: 1}\n',
        'a: "x \\\\ w \\" z"\nb: ["\\\\d", \'\\d\']\n',
        "a: .gitignore\nb: (x)\nc: /x/\n",
    ],
)
def test_what_is_read_here(text: str) -> None:
    assert agree(text)


@pytest.mark.parametrize(
    "text",
    [
        "a: x\n  w\n",
        "a: x\n  w: z\n",
        "a:\n",
        "a:\nb: x\n",
        "a: x\na: w\n",
        "a: {b: x, b: w}\n",
        "no: x\n",
        "null: x\n",
        "a: no\n",
        "a: [no]\n",
        "version: 1.0\n",
        "a: {version: 1.0}\n",
        "versions: [1.0]\n",
        "versions:\n- 1.0\n",
        "a: x: w\n",
        "a: x:\n",
        "a: x \n",
        "a:  x\n",
        "a:x\n",
        "a: &b x\n",
        "a: *b\n",
        "a: !!str x\n",
        "a: 'x''w'\n",
        'a: "x\\ny"\n',
        "a: [x,\n  w]\n",
        "a: >2\n    x\n",
        "a: >-\n  x\n\n  w\n",
        "a: >-\n  x\n    w\n",
        "a: >-\n  x\n w\n",
        "a: |\n  x\n   \nb: w\n",
        "a: |\n\n  x\n",
        "a: |\n",
        "a: |\nb: x\n",
        "a:\n  b: x\n c: w\n",
        " a: x\nb: w\n",
        "a:\n  - x\n - w\n",
        "- x\n",
        "x\n",
        "--- \na: x\n",
        "a: x\n...\n",
        "a: x\n---\nb: w\n",
        "%YAML 1.2\n---\na: x\n",
        "? a\n: x\n",
        "<<: {a: x}\n",
        "a: x",
        "# x\n",
        "   \na: x\n",
        "a: - 1\n",
        "a: [- 1]\n",
        "a: [x ]\n",
        "a: [x,w]\n",
        "a: [x, w\n",
        "a: [x, ]\n",
        "a: [, x]\n",
        "a: [a: b]\n",
        "a: {b}\n",
        "a: {b: }\n",
        "a: [x] w\n",
        "a: {'b': x}\n",
        'a: "x\\tw"\n',
        'a: "x\\\n',
        '"a": x\na: w\n',
        "a: {version: [1.0]}\n",
        'a: "x": \n',
        'version: "0.1.0": \n',
        'a:\n- "x": \n',
        'a: ["x": ]\n',
        'a: ["x": , w]\n',
        'a: {b: "x": , c: w}\n',
        "a: " + "[" * 21 + "]" * 21 + "\n",
        "a:\n  - - x\n",
    ],
)
def test_what_is_left_to_libyaml(text: str) -> None:
    assert not agree(text)


@pytest.mark.parametrize("limits", [Limits(depth_levels=2), Limits(scalar_characters=10), Limits(node_count=8)])
def test_limits_hold(limits: Limits) -> None:
    """What is past a limit is refused by the reader that can say so."""
    text = "a:\n  b:\n    c: 123456789012\n"
    assert both(text)[0] is not None
    assert both(text, limits) == (None, None)


def test_the_deepest_that_is_read_is_within_the_limit() -> None:
    deepest = max(levels for levels in range(1, 70) if both(nested(levels))[0] is not None)
    assert both(nested(deepest))[1] is not None
    assert deepest >= LIMITS.depth_levels - 22


def nested(levels: int) -> str:
    """A list in brackets within so many mappings."""
    return "".join(f"{'  ' * level}a:\n" for level in range(levels - 1)) + f"{'  ' * (levels - 1)}a: [x]\n"


@fuzz(50_000)
@given(edits=EDITS)
def test_any_edit_is_read_alike(edits: list[tuple[int, int, str]]) -> None:
    """Wherever a record is spoilt, nothing is read here that libyaml would read differently or refuse."""
    text = RECORD.replace("- - nested", "- nested")
    for at, length, fragment in edits:
        text = text[:at] + fragment + text[at + length :]
    agree(text)


@fuzz(50_000)
@given(text=lines())
def test_any_lines_are_read_alike(text: str) -> None:
    """Nor do lines that fit together in any way."""
    agree(text)


@fuzz(25_000)
@given(fragments=st.lists(FRAGMENTS, max_size=12))
def test_any_fragments_are_read_alike(fragments: list[str]) -> None:
    """Nor do signs in any order."""
    agree("a: x\n" + "".join(fragments) + "\n")
