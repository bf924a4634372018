"""Foreign text in each place it may be shown in."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from medgauge_registrar.report import escape

TEXT = st.text() | st.text(alphabet="`|<>&[]()!*_~$#@:/\\-.0aAghw \n\r\t\u200b\u202e\udc80\u0301☃")
PROPERTY = settings(deadline=None, max_examples=60)
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ☃ é", "plain ☃ é"),
        ("a\nb\r\tc\x00\x1b[31m\x7f\x9b", r"a\u000ab\u000d\u0009c\u0000\u001b[31m\u007f\u009b"),
        ("gpj\u202e.exe\u2066\u200e\u061c", r"gpj\u202e.exe\u2066\u200e\u061c"),
        ("no\xa0break\u200b\u2028\ufeff\u3164\ufe0f", r"no\u00a0break\u200b\u2028\ufeff\u3164\ufe0f"),
        ("caf\udce9", r"caf\udce9"),
        ("tag\U000e0041\U0010ffff", r"tag\U000e0041\U0010ffff"),
        ("e\u0301\u0323", "e\u0301\u0323"),
        ("e" + "\u0301" * 4, "e\u0301\u0301" + r"\u0301\u0301"),
        ("\u0301x", r"\u0301x"),
        ("##[add-mask]x", r"#\u0023[add-mask]x"),
    ],
)
def test_every_character_has_a_shape(text: str, shown: str) -> None:
    """Controls, bidirectional and invisible characters, undecodable bytes and towers of marks become escapes."""
    assert escape.visible(text) == shown


@PROPERTY
@given(TEXT)
def test_visible_text_is_one_encodable_line(text: str) -> None:
    """Whatever comes in, one line of UTF-8 comes out, and showing it again changes nothing."""
    shown = escape.visible(text)
    assert f"x{shown}x".encode().decode().splitlines() == [f"x{shown}x"]
    assert escape.visible(shown) == shown


@pytest.mark.parametrize(
    ("limit", "shortened"),
    [(60, "x" * 60), (59, "x" * 37 + "… (23 more characters)"), (40, "x" * 18 + "… (42 more characters)")],
)
def test_shortened_text_says_how_much_is_left_out(limit: int, shortened: str) -> None:
    """A text at the limit is whole; one over it ends with the number of characters left out."""
    assert escape.shorten("x" * 60, limit) == shortened


@PROPERTY
@given(st.text(max_size=300), st.integers(40, 200))
def test_shortened_text_keeps_its_limit_and_counts_right(text: str, limit: int) -> None:
    """The note is part of the limit, and its number plus what is shown is the whole."""
    shortened = escape.shorten(text, limit)
    assert len(shortened) <= limit
    if shortened != text:
        note = re.fullmatch(r"(.*)… \(([0-9]+) more characters\)", shortened, re.DOTALL)
        assert note is not None
        assert text.startswith(note[1])
        assert len(note[1]) + int(note[2]) == len(text)


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a*b_c~d[e](f)", r"a\*b\_c\~d\[e\](f)"),
        ("<b> & | ` $x$", "&lt;b&gt; &amp; &#124; &#96; &#36;x&#36;"),
        ("@someone @org/team a@b.example", "@&#8203;someone @&#8203;org/team a@&#8203;b.example"),
        ("fixes #12, owner/name#3, # 4", "fixes #&#8203;12, owner/name#&#8203;3, # 4"),
        ("GH-12 gh-3 CVE-2026-1", "GH-&#8203;12 gh-&#8203;3 CVE-&#8203;2026-1"),
        ("deadbee abcdef 1234567", "deadbe&#8203;e abcdef 123456&#8203;7"),
        ("https://x.example www.x.example", "https:&#8203;//x.example www&#8203;.x.example"),
        ("done :tada: at 12:30", "done :&#8203;tada: at 12:30"),
    ],
)
def test_text_neither_formats_nor_links(text: str, escaped: str) -> None:
    """Markdown signs are escaped, and what GitHub links afterwards is broken by an invisible character."""
    assert escape.markdown_text(text) == escaped


@PROPERTY
@given(TEXT)
def test_text_is_shown_literally(text: str) -> None:
    """Read as Markdown, the escaped text is one run of text that equals the visible original."""
    (_, inline, _) = MARKDOWN.parse(f"x{escape.markdown_text(text)}x")
    assert inline.children is not None
    assert {child.type for child in inline.children} == {"text"}
    read = "".join(child.content for child in inline.children)
    assert read.replace("\u200b", "") == f"x{escape.visible(text)}x"


@PROPERTY
@given(TEXT)
def test_code_is_shown_literally(text: str) -> None:
    """Read as Markdown, a code span is exactly one, whatever stands beside it, and holds the visible text."""
    (_, inline, _) = MARKDOWN.parse(f"x {escape.markdown_code(text)} `y`")
    assert inline.children is not None
    code = [child.content for child in inline.children if child.type == "code_inline"]
    assert code[-1] == "y"
    if text:
        (shown, _) = code
        assert shown.replace(r"\u0060", "`").replace(r"\u0020", " ") == escape.visible(text).replace(
            r"\u0060", "`"
        ).replace(r"\u0020", " ")


def test_code_shows_outer_spaces_and_emptiness() -> None:
    """A stray space at an end is seen, an empty value says so."""
    assert escape.markdown_code(" a b  ") == r"`\u0020a b\u0020\u0020`"
    assert escape.markdown_code("  ") == r"`\u0020\u0020`"
    assert escape.markdown_code("") == "(empty)"


@PROPERTY
@given(TEXT, TEXT)
def test_table_cells_stay_in_their_columns(code: str, text: str) -> None:
    """Neither code nor text adds a cell, a row or a tag to a table."""
    line = f"| {escape.markdown_code_cell(code)} | {escape.markdown_text(text)} | end |"
    tokens = MARKDOWN.parse(f"| a | b | c |\n| --- | --- | --- |\n{line}\n")
    cells = [tokens[at + 1] for at, token in enumerate(tokens) if token.type == "td_open"]
    assert len(cells) == 3
    assert cells[2].content == "end"
    assert {child.type for cell in cells for child in cell.children or []} <= {"text", "code_inline"}


@pytest.mark.parametrize(
    ("message", "escaped"),
    [
        ("`a` names `b`, *not* c", r"`a` names `b`, \*not\* c"),
        ("`a``b`", "`a`&#8203;`b`"),
        ("`a` and ` alone", "`a` and &#96; alone"),
        ("", ""),
        ("``", "&#96;&#96;"),
    ],
)
def test_values_of_a_message_become_code(message: str, escaped: str) -> None:
    """Pairs of backticks mark values; a stray one is shown."""
    assert escape.markdown_message(message) == escaped


@PROPERTY
@given(TEXT)
def test_message_holds_text_and_code_only(message: str) -> None:
    """No message makes anything but text and code, and none of its text would be linked."""
    (_, inline, _) = MARKDOWN.parse(f"x {escape.markdown_message(message)}")
    assert {child.type for child in inline.children or []} <= {"text", "code_inline"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error::x", r"\u003a:error::x"),
        ("  ::error::x", r"  \u003a:error::x"),
        ("a::error::x", "a::error::x"),
        ("##[error]x", r"#\u0023[error]x"),
        ("\x1b]0;title\x07", r"\u001b]0;title\u0007"),
    ],
)
def test_terminal_text_gives_no_commands(text: str, shown: str) -> None:
    """Neither the terminal nor the log of a workflow obeys foreign text."""
    assert escape.terminal(text) == shown


@pytest.mark.parametrize(
    ("text", "data", "shown_property"),
    [
        ("100% sure", "100%25 sure", "100%25 sure"),
        ("a\nb", "a%0Ab", r"a\u000ab"),
        ("a\r\nb", r"a\u000d%0Ab", r"a\u000d\u000ab"),
        ("a:b,c", "a:b,c", "a%3Ab%2Cc"),
        ("%0A::error::", "%250A::error::", "%250A%3A%3Aerror%3A%3A"),
    ],
)
def test_workflow_command_parts(text: str, data: str, shown_property: str) -> None:
    """Line ends, percent signs and, in properties, separators are escaped."""
    assert escape.command_data(text) == data
    assert escape.command_property(text) == shown_property


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("registry/a b#?.yaml", "registry/a%20b%23%3F.yaml"),
        ("c:/x", "c%3A/x"),
        ("ünï", "%C3%BCn%C3%AF"),
        ("caf\udce9", "caf%E9"),
        ("odd\ud800", "odd%ED%A0%80"),
    ],
)
def test_uri_path_is_relative_and_encoded(path: str, uri: str) -> None:
    """Bytes that are no UTF-8 keep their value; nothing reads as a scheme, query or fragment."""
    assert escape.uri_path(path) == uri


def test_sarif_text_holds_no_link() -> None:
    """An embedded link would be shown as one by a viewer."""
    assert escape.sarif_text("see [this](https://x.example)\n") == r"see [this] (https://x.example)\u000a"


@PROPERTY
@given(st.dictionaries(st.text(), TEXT | st.lists(st.integers() | st.none())))
def test_json_means_the_same_and_can_be_encoded(value: dict[str, object]) -> None:
    """Escapes change the bytes, never the value."""
    written = escape.json_text(value)
    assert json.loads(written.encode()) == value
    assert "##[" not in written


def test_json_bytes() -> None:
    """Letters stay, what cannot be seen or encoded is escaped, and the text ends with a line end."""
    assert escape.json_text({"é": ["\udc80\u202e##["]}) == '{\n  "é": [\n    "\\udc80\\u202e#\\u0023["\n  ]\n}\n'


def test_json_refuses_what_json_has_no_word_for() -> None:
    """A number that is none is a fault of ours."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        escape.json_text(float("nan"))
