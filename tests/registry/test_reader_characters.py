"""Bytes and characters: what is read is what is seen."""

import sys
import unicodedata
from dataclasses import replace

import pytest

from medgauge_registrar.model.document import Json
from medgauge_registrar.registry.reader import LIMITS, Syntax
from support.reading import accepted, place, read, refused

YAML, JSON = Syntax.YAML, Syntax.JSON
BOTH = pytest.mark.parametrize("syntax", [YAML, JSON])


@BOTH
def test_a_byte_order_mark_is_refused(syntax: Syntax) -> None:
    """Parsers disagree about a byte order mark."""
    fault = refused(b'\xef\xbb\xbf{"a": 1}', syntax)
    assert place(fault) == (1, 1, None)
    assert "byte order mark" in fault.message
    assert "without BOM" in fault.help


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32"])
@BOTH
def test_other_encodings_are_refused(syntax: Syntax, encoding: str) -> None:
    """Only UTF-8 is read."""
    assert "UTF-8" in read('{"a": "é"}'.encode(encoding), syntax).faults[0].help or "U+0000" in str(
        read('{"a": "é"}'.encode(encoding), syntax).faults
    )


@pytest.mark.parametrize("text", ['{"a": 1,\r\n"b": 2}\r\n', '{"a": 1,\n"b": 2}\r\n', '{"a": 1,\r"b": 2}'])
@BOTH
def test_carriage_returns_are_refused(syntax: Syntax, text: str) -> None:
    """Line ends are LF alone; one fault tells of all."""
    fault = refused(text, syntax)
    assert "carriage return" in fault.message
    assert "eol=lf" in fault.help
    assert accepted(text.replace("\r\n", "\n").replace("\r", "\n"), syntax) == {"a": 1, "b": 2}


@BOTH
def test_an_lfs_pointer_is_refused_as_such(syntax: Syntax) -> None:
    """The pointer is no record, and says so instead of failing as YAML."""
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 12\n"
    assert "LFS pointer" in refused(pointer, syntax).message


def test_a_record_that_speaks_of_lfs_is_accepted() -> None:
    """Only the exact first line of a pointer makes one."""
    assert accepted("version: https://git-lfs.github.com/spec/v1\n") == {
        "version": "https://git-lfs.github.com/spec/v1"
    }


@pytest.mark.parametrize(
    ("data", "byte", "line", "column"),
    [
        (b"\xff", 0, 1, 1),
        (b'["\xc3\xa9\n\xc3\xa9", "\xc3"]', 11, 2, 6),
        (b'"\xed\xa0\x80"', 1, 1, 2),
        (b'"\xc0\x80"', 1, 1, 2),
    ],
)
@BOTH
def test_bytes_that_are_not_utf8_are_refused(syntax: Syntax, data: bytes, byte: int, line: int, column: int) -> None:
    """The byte offset is told, and the place in characters."""
    fault = refused(data, syntax)
    assert f"byte {byte} " in fault.message
    assert place(fault) == (line, column, None)


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x1b", "\x7f", "\x85", "\x0c"])
@BOTH
def test_control_characters_are_refused(syntax: Syntax, character: str) -> None:
    """Control characters are refused raw, with the byte offset, and as escapes."""
    fault = refused(f'{{"é": "{character}"}}', syntax)
    assert place(fault) == (1, 8, None)
    assert "at byte 8" in fault.message
    assert place(refused(f'{{"a": "\\u{ord(character):04x}"}}', syntax)) == (1, 7, "/a")


def test_tabs_are_refused_in_yaml_and_separate_in_json() -> None:
    """YAML readers disagree about tabs; JSON's do not, and an escaped tab is text to all."""
    assert place(refused("a:\n\tb: 1\n")) == (2, 1, None)
    assert place(refused("a: 'x\ty'\n")) == (1, 6, None)
    assert accepted('{\t"a":\t1}', JSON) == {"a": 1}
    for syntax in Syntax:
        assert accepted('"x\\ty"', syntax) == "x\ty"


def _unseen() -> list[str]:
    return [
        chr(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in {"Cf", "Zl", "Zp"}
        or (unicodedata.category(chr(code)) == "Cc" and code not in (9, 10))
    ]


@BOTH
def test_every_character_that_is_not_seen_is_refused(syntax: Syntax) -> None:
    """Format characters, separators and controls are refused, raw and escaped, in keys and in texts."""
    unseen = _unseen()
    assert {"\u200b", "\u200e", "\u202e", "\u2066", "\u061c", "\ufeff", "\u00ad"} <= set(unseen)
    for character in unseen:
        assert read(f'"x{character}"', syntax).faults, f"U+{ord(character):04X}"
        if syntax is YAML:
            escape = f"\\U{ord(character):08X}"
        else:
            units = character.encode("utf-16-be")
            escape = "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))
        assert read(f'"x{escape}"', syntax).faults, escape
        assert read(f'{{"x{escape}": 1}}', syntax).faults, escape


@pytest.mark.parametrize("escape", ["\\r", "\\b", "\\f"])
@BOTH
def test_short_escapes_of_control_characters_are_refused(syntax: Syntax, escape: str) -> None:
    """Of the escapes with a letter, only those for LF and tab may stand in a text."""
    assert place(refused(f'["x{escape}"]', syntax)) == (1, 2, "/0")
    assert accepted('["\\n\\t"]', syntax) == ["\n\t"]


@pytest.mark.parametrize("character", ["\ufe0f", "\u034f", "\u3164", "\u180b", "\U000e0100", "\ufffe", "\U0010ffff"])
@BOTH
def test_other_characters_that_draw_nothing_are_refused(syntax: Syntax, character: str) -> None:
    """Variation selectors, fillers and noncharacters can hide text as well as format characters can."""
    assert f"U+{ord(character):04X}" in refused(f'"x{character}"', syntax).message


@pytest.mark.parametrize("text", ["é", "日本語", "😀", "ß", "Ω≥½", "עברית", "\ue000", "\u3000"])
@BOTH
def test_characters_that_are_seen_are_accepted(syntax: Syntax, text: str) -> None:
    """Any script, raw or escaped."""
    assert accepted(f'"{text}"', syntax) == text
    assert accepted(f'"{text}"'.encode(), syntax) == text


def test_escapes_in_json_are_told_from_escaped_backslashes() -> None:
    """An escaped backslash before `u200b` makes no hidden character; a surrogate pair makes one character."""
    assert accepted('"\\\\u200b \\ud83d\\ude00"', JSON) == "\\u200b 😀"
    assert place(refused('["\\ud83d"]', JSON)) == (1, 2, "/0")


def test_a_message_never_repeats_a_hidden_character() -> None:
    """Faults name what they must not show."""
    for syntax in Syntax:
        fault = refused('{"\\u202ea": 1}', syntax)
        assert "U+202E" in fault.message
        assert "\u202e" not in fault.message


def test_foreign_text_may_hold_what_people_write() -> None:
    """Inputs that quote comments take any character by escape, and hidden ones raw; records do not."""
    limits = replace(LIMITS, foreign_text=True)
    assert accepted('{"body": "a\\r\\nb\\u0000\u200d\\u202e"}', JSON, limits) == {"body": "a\r\nb\x00\u200d\u202e"}
    assert accepted('body: "a\\r\\nb\\0\u200d\\u202e"\n', YAML, limits) == {"body": "a\r\nb\x00\u200d\u202e"}
    assert refused('["\\ud800"]', JSON, limits).pointer == "/0"
    assert "carriage return" in refused("a: 1\r\n", YAML, limits).message
    assert "byte order mark" in refused("\ufeff{}", JSON, limits).message
    assert place(refused("a: x\u2028y\n", YAML, limits)) == (1, 5, None)


@pytest.mark.parametrize("text", ["", "\n", "  \n\n", "# only a comment\n", "%\n"])
def test_an_empty_file_is_refused(text: str) -> None:
    """A file without a record is a fault in YAML; JSON knows no empty text either."""
    assert place(refused(text))[:2] == (1, 1)
    assert refused(text, JSON).position is not None


@pytest.mark.parametrize(("text", "value"), [("null", None), ("[]", []), ("{}", {}), ('""', ""), ("0", 0)])
@BOTH
def test_the_smallest_records_are_accepted(syntax: Syntax, text: str, value: Json) -> None:
    """Anything that is a value can be read; the schema says whether it is a record."""
    assert accepted(text, syntax) == value
