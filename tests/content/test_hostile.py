"""Whatever somebody sends, a scan ends in findings, within bounds and without an exception."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge_registrar.content.markdown import MAX_BLOCK_CHARACTERS, parse_markdown
from medgauge_registrar.content.textfile import MAX_BYTES
from support.content import rules_of, scan

ARTICLE = "articles/2026-11-20-example.md"
PATHS = (
    ARTICLE, "docs/a.yaml", "docs/a.json", "docs/a.txt", "docs/a.csv", "docs/a.svg", "methodology/text.md", "LICENSE-X",
    "registry/standards/std-example.yaml", "registry/benchmarks/bm-example/versions/0.1.0.yaml", "schemas/a.schema.json",
)  # fmt: skip


@pytest.mark.parametrize(
    ("path", "content", "expected"),
    [
        pytest.param(ARTICLE, b"caf\xe9 in Latin-1\n", {"BLD-01", "BLD-05"}, id="no UTF-8"),
        pytest.param(ARTICLE, "\ufefftext\n".encode("utf-16"), {"BND-13"}, id="UTF-16"),
        pytest.param(ARTICLE, "word " * (MAX_BYTES // 5 + 10), {"BLD-05"}, id="too many bytes"),
        pytest.param("docs/a.txt", b"x" * 10 * 2**20, {"BLD-05"}, id="ten megabytes"),
        pytest.param(ARTICLE, "x" * 1_000_000, {"BLD-05"}, id="a line of a million characters"),
        pytest.param(ARTICLE, "some words\n" * 5_000, {"BLD-05"}, id="a paragraph of thousands of lines"),
        pytest.param(ARTICLE, "> " * 500 + "deep\n", {"BLD-05"}, id="deep quotations"),
        pytest.param(ARTICLE, "".join(" " * 2 * n + "- a\n" for n in range(200)), {"BLD-05"}, id="deep lists"),
        pytest.param(ARTICLE, "[" * 15_000 + "\n", {"BLD-05"}, id="open brackets"),
        pytest.param(ARTICLE, "[a](<b" * 3_000 + "\n", {"BLD-05"}, id="open links"),
        pytest.param(ARTICLE, "*a _b " * 3_000 + "\n", {"BLD-05"}, id="open emphasis"),
        pytest.param(ARTICLE, "<a " * 6_000 + "\n", {"BLD-05"}, id="open elements"),
        pytest.param(ARTICLE, "<div " + "x" * 3_000 + "\n", {"BLD-06"}, id="an element without an end"),
        pytest.param(ARTICLE, "text \x1b[31m red\n", {"BLD-01"}, id="terminal escapes"),
        pytest.param("docs/a.json", "[\n" * 100_000, set(), id="deep JSON"),
        pytest.param("docs/a.yaml", "a: " * 100_000, {"BLD-05"}, id="hostile YAML"),
        pytest.param("docs/a\x01\u202eb.md", "Text.\n", {"BLD-01"}, id="control characters in the name"),
        pytest.param("docs/a\udc80b.md", "Text.\n", {"BLD-01"}, id="a name that is no UTF-8"),
    ],
)
def test_ends_in_findings(path: str, content: bytes | str, expected: set[str]) -> None:
    """The scan says what is out of bounds."""
    assert rules_of(scan(path, content), errors_only=True) == expected


def test_unscanned_text_is_no_way_in() -> None:
    """A text that cannot be scanned whole is still scanned for what stays closed."""
    assert rules_of(scan(ARTICLE, "> " * 100 + "deep\n\nDOB: 1961-03-12\n")) >= {"BLD-05", "NEV-05"}


def calls(action: Callable[[], object]) -> int:
    """How many calls of Python functions something makes."""
    count = 0

    def seen(_: FrameType, event: str, __: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(seen)
    try:
        action()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    "unit",
    [
        "word ", "[a](b) ", "*a* ", "`a` ", "<b>a</b> ", "![a](b) ", "a_b_ ", "\\* ", "&amp; ", "| a ", "# a\n\n", "- a\n",
        "> a\n\n", "1. a\n", "[a]: b\n\n",
    ],
)  # fmt: skip
def test_parsing_costs_in_proportion(unit: str) -> None:
    """Twice the text takes about twice the calls, up to the largest block that is parsed."""
    parse_markdown("warm up")
    size = min(MAX_BLOCK_CHARACTERS // 4, 4_000)
    one, two = (unit * (size // len(unit)), unit * (2 * size // len(unit)))
    parse_markdown.cache_clear()
    assert calls(lambda: parse_markdown(two)) <= 2.5 * calls(lambda: parse_markdown(one)) + 500


WORDS = st.sampled_from(
    [
        "MedGauge", "certified by", "not", "L3", "the model", "tk-596lguax1dxn", "gr-example", "| a | b |\n|---|---|\n",
        "```yaml\n", "```\n", "<script>", "](", "[", "#", "- ", "> ", "\n", "\n\n", ": ", "{", "}", "'", '"', "answer_key",
        "labels", "@", "://", "=", "0.5", "section ", "\\u0041",
    ]
)  # fmt: skip
TEXTS = st.lists(st.one_of(WORDS, st.text(max_size=8)), max_size=60).map("".join)


@given(path=st.sampled_from(PATHS), text=TEXTS)
def test_no_text_raises(path: str, text: str) -> None:
    """Texts of telling words and of any characters are scanned to the end."""
    assert isinstance(scan(path, text), list)


@given(path=st.sampled_from(PATHS), data=st.binary(max_size=300))
def test_no_bytes_raise(path: str, data: bytes) -> None:
    """So is any run of bytes."""
    assert isinstance(scan(path, data), list)
