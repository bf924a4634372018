"""Whatever the bytes: the reader answers, its two passes agree, and both syntaxes carry the same values."""

import json
from collections.abc import Iterator
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge_registrar.model.document import Document, Json
from medgauge_registrar.registry import json_reader, yaml_reader
from medgauge_registrar.registry.canonical import canonical_json
from medgauge_registrar.registry.characters import unfit_in_value
from medgauge_registrar.registry.reader import LIMITS, Syntax, read_document
from medgauge_registrar.registry.survey import member
from support.fuzz import fuzz
from support.reading import read

BOTH = pytest.mark.parametrize("syntax", list(Syntax))

YAML_RECORD = """\
# an example
id: bm-example
version: 0.1.0
introduced: 2026-11-29
title: "An example: quoted"
share: 0.25
subsets: {dev: 3, holdout: 0}
tags: [one, 'two', ~]
notes: |
  first line
  second line
rows:
  - task: tk-1@0.1.0
    passes: [true, false]
  - task: tk-2@0.1.0
    passes: []
text: >-
  folded
  text
"""
JSON_RECORD = """\
{
  "id": "res-example", "version": "0.1.0", "share": 0.25, "count": -3, "p": 1e-5,
  "rows": [{"task": "tk-1@0.1.0", "passes": [true, false, null]}, {}, []],
  "text": "a \\"quoted\\" \\\\ \\u00e9 \\ud83d\\ude00"
}
"""
FRAGMENTS = st.sampled_from(
    [
        *"[]{}:,-?&*!|>'\"%@`#\\\n\t \r\x00~=<>.0189eEyn_+",
        *(
            "- ",
            ": ",
            "? ",
            "<<: ",
            "&a ",
            "*a",
            "!!str ",
            "! ",
            "---\n",
            "...\n",
            "%YAML 1.2\n",
            "no",
            "0x1F",
            "1e3",
            "010",
        ),
        *(
            "1_0",
            "1:20",
            ".nan",
            "NaN",
            "-Infinity",
            "2026-11-29T10:00:00Z",
            "1.0",
            "9" * 20,
            "1." + "1" * 40,
            "1.0e+999",
        ),
        *(
            "\ufeff",
            "\u200b",
            "\u202e",
            "\u2028",
            "\x85",
            "é",
            "😀",
            "\\ud800",
            "\\u200b",
            "\\x00",
            "\\U0001F600",
            "true",
            "null",
        ),
        *("version: 1.0\n", '"version": 1.0,', "a: 1\n", '"id": 1,', "[" * 70, "]" * 70, '{"a":' * 70, "- " * 70),
    ]
)
EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 12), FRAGMENTS | st.text(max_size=3)), min_size=1, max_size=5
)


def fit(text: str) -> bool:
    """Whether a record may hold a text."""
    return not unfit_in_value(foreign_text=False).search(text)


def edited(text: str, edits: list[tuple[float, int, str]]) -> str:
    """Replace some characters, each place given as a share of the text."""
    for share, length, fragment in edits:
        at = int(share * len(text))
        text = text[:at] + fragment + text[at + length :]
    return text


def judge(data: bytes, syntax: Syntax) -> Document:
    """Read anything; what every answer must keep."""
    document = read_document(data, syntax=syntax)
    assert isinstance(document, Document)
    assert document.value is None or not document.faults
    for fault in document.faults:
        assert "could not be read" not in fault.message
        assert fit(fault.message + fault.help)
        assert not {"\n", "\t"} & set(fault.message + fault.help)
        assert fault.position is not None or "not listed" in fault.message or "bytes" in fault.message
    if not document.faults:
        assert set(document.locate()) == set(pointers(document.value, ""))
        # The slow pass finds nothing where the fast one had no doubt.
        text = data.decode()
        survey = yaml_reader.survey(data, LIMITS) if syntax is Syntax.YAML else json_reader.survey(text, LIMITS)
        assert survey.faults == ()
        assert canonical_json(document.value)
    return document


def pointers(value: Json, pointer: str) -> Iterator[str]:
    """Every JSON Pointer of a value."""
    yield pointer
    if isinstance(value, dict):
        for key, child in value.items():
            yield from pointers(child, member(pointer, key))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from pointers(child, f"{pointer}/{index}")


# Twice 25,000: each property of the reader is asked of both syntaxes.
@BOTH
@fuzz(25_000)
@given(data=st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_answered(syntax: Syntax, data: bytes) -> None:
    """No bytes make the reader raise or give up without a reason."""
    judge(data, syntax)


@BOTH
@fuzz(25_000)
@given(fragments=st.lists(FRAGMENTS, max_size=40))
def test_any_row_of_fragments_is_answered(syntax: Syntax, fragments: list[str]) -> None:
    """Nor do the signs of the syntax in any order."""
    judge("".join(fragments).encode(), syntax)


@BOTH
@fuzz(25_000)
@given(record=st.sampled_from([YAML_RECORD, JSON_RECORD]), edits=EDITS)
def test_any_edit_of_a_record_is_answered(syntax: Syntax, record: str, edits: list[tuple[float, int, str]]) -> None:
    """Nor do records with a few places spoilt."""
    judge(edited(record, edits).encode("utf-8", "surrogatepass"), syntax)


@fuzz(5_000)
@given(edits=EDITS)
def test_json_is_accepted_only_if_the_library_accepts_it(edits: list[tuple[float, int, str]]) -> None:
    """Strictness only takes away: what is read equals what the standard library reads."""
    text = edited(JSON_RECORD, edits).encode("utf-8", "replace").decode()
    document = judge(text.encode(), Syntax.JSON)
    if not document.faults:
        assert same(document.value, json.loads(text, parse_float=Decimal))


TEXTS = st.text(max_size=12).filter(fit) | st.sampled_from(
    ["no", "1.0", "<<", "~", "", "a/b~c", ": ", " #", "- ", "x\ny\t", "'"]
)
NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(-9e15, 9e15).filter(lambda x: x == 0 or abs(x) > 1e-90)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda children: st.lists(children, max_size=4) | st.dictionaries(TEXTS, children, max_size=4),
    max_leaves=20,
)


def exact(value: object) -> Json:
    """The value as the reader must give it: floats as the decimals that the library writes for them."""
    if isinstance(value, float):
        return Decimal(repr(value))
    if isinstance(value, list):
        return [exact(item) for item in value]
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    assert value is None or isinstance(value, bool | int | str)
    return value


def same(left: Json, right: Json) -> bool:
    """Whether two values are equal in type as well, members in the same order."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict) and isinstance(right, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right, strict=True))
    return left == right


def as_yaml(value: Json, indent: int = 0) -> str:
    """Write a value in block style, all texts in double quotes."""
    margin = "\n" + "  " * indent
    if isinstance(value, dict) and value:
        return "".join(f"{margin}{quoted(key)}: {as_yaml(item, indent + 1)}" for key, item in value.items())
    if isinstance(value, list) and value:
        return "".join(f"{margin}- {as_yaml(item, indent + 1)}" for item in value)
    if isinstance(value, Decimal):
        digits = f"{value:f}"
        return digits if "." in digits else f"{digits}.0"
    return quoted(value) if isinstance(value, str) else json.dumps(value)


def quoted(text: str) -> str:
    """A text in double quotes, in the escapes that JSON and YAML share."""
    return json.dumps(text, ensure_ascii=False)


@fuzz(5_000)
@given(value=VALUES, ascii_only=st.booleans(), indent=st.none() | st.integers(0, 2))
def test_what_the_library_writes_as_json_is_read_back(value: object, ascii_only: bool, indent: int | None) -> None:
    """Values keep their types, digits and order."""
    document = read(json.dumps(value, ensure_ascii=ascii_only, indent=indent), Syntax.JSON)
    assert document.faults == ()
    assert same(document.value, exact(value))


@fuzz(5_000)
@given(value=VALUES)
def test_both_syntaxes_carry_the_same_values(value: object) -> None:
    """A value written as YAML is read as the value written as JSON, and has the same digest and pointers."""
    expected = exact(value)
    document = read(as_yaml(expected) + "\n", Syntax.YAML)
    assert document.faults == ()
    assert same(document.value, expected)
    assert canonical_json(document.value) == canonical_json(expected)
    assert set(document.locate()) == set(pointers(expected, ""))


@BOTH
@fuzz(5_000)
@given(value=VALUES)
def test_places_point_at_what_they_name(syntax: Syntax, value: object) -> None:
    """At the place of a member stands its key; at the place of an item its value begins."""
    text = json.dumps(value, ensure_ascii=False, indent=1) if syntax is Syntax.JSON else as_yaml(exact(value)) + "\n"
    document = read(text, syntax)
    lines = text.split("\n")
    for pointer, child in nodes(document.value, ""):
        at = document.locate()[pointer]
        rest = lines[at.line - 1][at.column - 1 :]
        assert rest.startswith(child), (pointer, at)


def nodes(value: Json, pointer: str) -> Iterator[tuple[str, str]]:
    """Pointers of a value's members and of the texts in its lists, with the signs that must stand there."""
    if isinstance(value, dict):
        for key, child in value.items():
            yield member(pointer, key), quoted(key)
            yield from nodes(child, member(pointer, key))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            if isinstance(child, str):
                yield f"{pointer}/{index}", quoted(child)
            yield from nodes(child, f"{pointer}/{index}")


@fuzz(5_000)
@given(value=VALUES, data=st.data())
def test_a_digest_does_not_depend_on_the_order_of_keys(value: object, data: st.DataObject) -> None:
    """Canonical JSON is read back as the value, and shuffled members are spelt alike."""
    expected = exact(value)
    spelling = canonical_json(expected)
    assert canonical_json(read(spelling, Syntax.JSON).value) == spelling
    if isinstance(expected, dict):
        keys = data.draw(st.permutations(list(expected)))
        assert canonical_json({key: expected[key] for key in keys}) == spelling
