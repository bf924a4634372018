"""The strict reader: structure, places, and that it fails closed."""

import subprocess
import sys

import pytest

from medgauge_registrar.model.document import Fault, Json, Position
from medgauge_registrar.registry import json_reader, yaml_reader
from medgauge_registrar.registry.reader import LIMITS, Syntax
from medgauge_registrar.registry.survey import DoubtError, Survey
from support.reading import accepted, place, read, refused

YAML, JSON = Syntax.YAML, Syntax.JSON
BOTH = pytest.mark.parametrize("syntax", [YAML, JSON])


@pytest.mark.parametrize(
    ("syntax", "text", "where", "lines"),
    [
        (YAML, "a: 1\nb: 2\na: 3\n", (3, 1, "/a"), ("line 1 ", "line 3 ")),
        (YAML, "x:\n  - {b: 1, b: 1}\n", (2, 12, "/x/0/b"), ("column 6", "column 12")),
        (YAML, 'a: 1\n"a": 2\n', (2, 1, "/a"), ("line 1 ", "line 2 ")),
        (JSON, '{"a": 1,\n "a": 1}', (2, 2, "/a"), ("line 1 ", "line 2 ")),
        (JSON, '[{"b/~": {}, "b/~": {}}]', (1, 14, "/0/b~1~0"), ("column 3", "column 14")),
        (JSON, '{"a": 1, "\\u0061": 2}', (1, 10, "/a"), ("column 2", "column 10")),
    ],
)
def test_a_key_that_stands_twice_is_refused(
    syntax: Syntax, text: str, where: tuple[int, int, str], lines: tuple[str, str]
) -> None:
    """No value overwrites another silently; both places are named."""
    fault = refused(text, syntax)
    assert place(fault) == where
    assert all(line in fault.message for line in lines)


@pytest.mark.parametrize(
    ("syntax", "text"), [(YAML, "a: {b: 1}\nc: {b: 1}\n"), (JSON, '{"a": {"b": 1}, "c": {"b": 1}}')]
)
def test_the_same_key_in_two_mappings_is_accepted(syntax: Syntax, text: str) -> None:
    """Keys are unique within their mapping only, and those that differ in case differ."""
    assert accepted(text, syntax) == {"a": {"b": 1}, "c": {"b": 1}}
    assert accepted('{"k": 1, "K": 2}', syntax) == {"k": 1, "K": 2}


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("a: &x 1\n", (1, 4, "/a")),
        ("a: *x\n", (1, 4, "/a")),
        ("&x a: 1\n", (1, 1, "/a")),
        ("a: !!str 1\n", (1, 4, "/a")),
        ("a: !secret 1\n", (1, 4, "/a")),
        ("a: ! 1\n", (1, 4, "/a")),
        ('a: ! "1"\n', (1, 4, "/a")),
        ("a: !!python/object/apply:os.getcwd []\n", (1, 4, "/a")),
        ("!!map {a: 1}\n", (1, 1, "")),
        ("a: !!set {}\n", (1, 4, "/a")),
    ],
)
def test_anchors_aliases_and_tags_are_refused(text: str, where: tuple[int, int, str]) -> None:
    """Values stand where they are meant and are what they look like."""
    assert place(refused(text)) == where


def test_an_alias_bomb_is_refused_unbuilt() -> None:
    """Ten lines that stand for a billion values are ten faulty lines."""
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10)
    )
    faults = read(bomb).faults
    assert [fault.pointer for fault in faults[:3]] == ["/a0", "/a1", "/a1/0"]
    assert len(faults) == LIMITS.fault_count + 1


def test_a_value_that_holds_itself_is_refused() -> None:
    """A self-referencing anchor is no exception."""
    assert [fault.pointer for fault in read("a: &a [*a]\n").faults] == ["/a", "/a/0"]


@pytest.mark.parametrize(
    "text", ["a: 'x & y * z ! &a *b !c'\n", "a: x & y*z!\n", 'a: "&x"\n', "a: |\n  &x\n  *y\n  !z\n"]
)
def test_signs_inside_text_are_accepted(text: str) -> None:
    """Ampersands, asterisks and exclamation marks are text where YAML takes them for text."""
    assert isinstance(accepted(text), dict)


@pytest.mark.parametrize("text", ["<<: {a: 1}\n", "b: &b {x: 1}\na: {<<: *b, y: 2}\n"])
def test_merge_keys_are_refused(text: str) -> None:
    """Readers merge differently, so nobody merges."""
    assert any("`<<` merges" in fault.message for fault in read(text).faults)
    assert accepted('"<<": 1\n') == {"<<": 1}


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("a: 1\n---\nb: 2\n", (2, 1, None)),
        ("a: 1\n---\n", (2, 1, None)),
        ("a: 1\n...\nb: 2\n", (3, 1, None)),
        ("--- a\n--- b\n", (2, 1, None)),
    ],
)
def test_a_second_yaml_document_is_refused(text: str, where: tuple[int, int, str | None]) -> None:
    """One file, one record; whatever follows is refused, even if empty."""
    assert place(refused(text)) == where


@pytest.mark.parametrize("text", ['{"a": 1}{}', '{"a": 1} x', "1 2", '{"a": 1},'])
def test_a_second_json_value_is_refused(text: str) -> None:
    """What follows the first value is refused."""
    assert "the end of the file" in refused(text, JSON).message


@pytest.mark.parametrize("text", ["---\na: 1\n", "a: 1\n...\n", "# comment\n---\na: 1\n...\n# comment\n", "a: 1"])
def test_one_yaml_document_is_accepted(text: str) -> None:
    """The marks around a single document, and comments, are allowed."""
    assert accepted(text) == {"a": 1}


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("%YAML 1.2\n---\na: 1\n", (1, 1, None)),
        ("# x\n%TAG ! tag:x,\n---\na: 1\n", (2, 1, None)),
        ("%FOO\n--- 1\n", (1, 1, None)),
        pytest.param("%TAG !a! x\n" * 50_000, (1, 1, None), id="many"),
    ],
)
def test_directives_are_refused(text: str, where: tuple[int, int, str | None]) -> None:
    """No line instructs the reader; thousands of them are told from the first."""
    assert place(refused(text)) == where


@pytest.mark.parametrize(
    ("text", "where", "noun"),
    [
        ("1: x\n", (1, 1, "/1"), "a number"),
        ("a:\n  1.5: x\n", (2, 3, "/a/1.5"), "a number"),
        ("true: x\n", (1, 1, "/true"), "a truth value"),
        ("~: x\n", (1, 1, "/~0"), "null"),
        ("?\n: x\n", (1, 2, "/"), "null"),
        ("? [a]\n: x\n", (1, 3, ""), "no text"),
        ("? {a: 1}\n: x\n", (1, 3, ""), "no text"),
        ("on: x\n", (1, 1, "/on"), "`true`"),
    ],
)
def test_keys_that_are_no_text_are_refused(text: str, where: tuple[int, int, str], noun: str) -> None:
    """Every key is a text to every reader."""
    fault = refused(text)
    assert place(fault) == where
    assert noun in fault.message


@pytest.mark.parametrize(
    ("text", "key"), [('"1": x\n', "1"), ("? a\n: x\n", "a"), ("2026-11-29: x\n", "2026-11-29"), ('"": x\n', "")]
)
def test_keys_that_are_text_are_accepted(text: str, key: str) -> None:
    """Quoted keys and plain dates are text."""
    assert accepted(text) == {key: "x"}


@pytest.mark.parametrize(
    ("syntax", "text"),
    [
        (YAML, "a: b: c\n"),
        (YAML, "a: [1, 2\n"),
        (YAML, "a: 'x\n"),
        (YAML, "a: 1\n b: 2\n"),
        (YAML, "a: @x\n"),
        (YAML, 'a: "\\ud800"\n'),
        (YAML, "a: !%C0%80 x\n"),
        (JSON, "{"),
        (JSON, "[1,]"),
        (JSON, '{"a" 1}'),
        (JSON, "{'a': 1}"),
        (JSON, '{"a": 1,}'),
        (JSON, '["a]'),
        (JSON, '["\\x"]'),
        (JSON, '["a\tb"]'),
        (JSON, "[01]"),
        (JSON, "[+1]"),
        (JSON, "[.5]"),
        (JSON, "[1.]"),
        (JSON, "[True]"),
        (JSON, "[nan]"),
        (JSON, "// x\n{}"),
    ],
)
def test_what_is_not_the_syntax_is_refused_at_its_place(syntax: Syntax, text: str) -> None:
    """A syntax error is one fault, with its place."""
    assert refused(text, syntax).position is not None


def test_faults_before_a_syntax_error_are_reported_with_it() -> None:
    """One run tells all that it can see."""
    messages = [fault.message for fault in read("a: no\nb: 1\nb: 2\nc: [\n").faults]
    assert ["`no`" in messages[0], "`b`" in messages[1], "not YAML" in messages[2]] == [True, True, True]
    messages = [fault.message for fault in read('{"a": NaN, "b": 1, "b": 2, ', JSON).faults]
    assert ["`NaN`" in messages[0], "`b`" in messages[1], "not JSON" in messages[2]] == [True, True, True]


YAML_PLACES = """\
# a comment
id: bm-example
a/b~c:
  - 1
  -   é: [x, {z: 2}]
"d e": |
  text
"""
JSON_PLACES = """
{"id": "bm-example",
  "a/b~c": [1,
    {"é": ["x", {"y": 2}]}],
  "d e" : "\\u0041"}
"""


@pytest.mark.parametrize(
    ("syntax", "text", "expected"),
    [
        (
            YAML,
            YAML_PLACES,
            {
                "": (2, 1),
                "/id": (2, 1),
                "/a~1b~0c": (3, 1),
                "/a~1b~0c/0": (4, 5),
                "/a~1b~0c/1": (5, 7),
                "/a~1b~0c/1/é": (5, 7),
                "/a~1b~0c/1/é/0": (5, 11),
                "/a~1b~0c/1/é/1": (5, 14),
                "/a~1b~0c/1/é/1/z": (5, 15),
                "/d e": (6, 1),
            },
        ),
        (
            JSON,
            JSON_PLACES,
            {
                "": (2, 1),
                "/id": (2, 2),
                "/a~1b~0c": (3, 3),
                "/a~1b~0c/0": (3, 13),
                "/a~1b~0c/1": (4, 5),
                "/a~1b~0c/1/é": (4, 6),
                "/a~1b~0c/1/é/0": (4, 12),
                "/a~1b~0c/1/é/1": (4, 17),
                "/a~1b~0c/1/é/1/y": (4, 18),
                "/d e": (5, 3),
            },
        ),
    ],
)
def test_every_node_has_its_place(syntax: Syntax, text: str, expected: dict[str, tuple[int, int]]) -> None:
    """A member stands at its key, an item at its value, the record at its first character."""
    document = read(text, syntax)
    assert document.faults == ()
    assert {pointer: (at.line, at.column) for pointer, at in document.locate().items()} == expected
    assert document.position("/id/absent/child") == document.position("/id")


def test_places_are_worked_out_once_and_cannot_be_changed() -> None:
    """Asking twice gives the same read-only mapping."""
    document = read("a: 1\n")
    assert document.locate() is document.locate()
    with pytest.raises(TypeError):
        document.locate()["/a"] = Position(line=9, column=9)  # type: ignore[index]  # the point of the test


def test_a_faulty_record_still_has_places() -> None:
    """What was surveyed up to the end can be located, the first of two equal keys included."""
    document = read("a: 1\nb:\n  - no\na: 2\n")
    assert document.locate()["/b/0"] == Position(line=3, column=5)
    assert document.locate()["/a"] == Position(line=1, column=1)


@pytest.mark.parametrize("error", [RuntimeError, RecursionError, MemoryError])
@BOTH
def test_a_failure_of_the_parser_is_a_fault(
    monkeypatch: pytest.MonkeyPatch, syntax: Syntax, error: type[Exception]
) -> None:
    """Whatever goes wrong inside shuts the gate and ends no run."""

    def fail(*_: object) -> Json:
        raise error

    monkeypatch.setattr(yaml_reader if syntax is YAML else json_reader, "parse", fail)
    assert "could not be read" in refused_without_reason("{}", syntax).message


@BOTH
def test_a_doubt_without_a_reason_is_a_fault(monkeypatch: pytest.MonkeyPatch, syntax: Syntax) -> None:
    """A file that was refused once is never accepted because nobody can say why."""

    def doubt(*_: object) -> Json:
        raise DoubtError

    module = yaml_reader if syntax is YAML else json_reader
    monkeypatch.setattr(module, "parse", doubt)
    monkeypatch.setattr(module, "survey", lambda *_: Survey(places={}, faults=()))
    assert "could not be read" in refused_without_reason("{}", syntax).message


def refused_without_reason(text: str, syntax: Syntax) -> Fault:
    document = read(text, syntax)
    assert document.value is None
    (fault,) = document.faults
    return fault


def test_json_is_read_without_loading_yaml() -> None:
    """A run over results alone does not pay for PyYAML."""
    program = (
        "import sys; from medgauge_registrar.registry.reader import Syntax, read_document; "
        "assert read_document(b'{}', syntax=Syntax.JSON).value == {}; sys.exit('yaml' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
