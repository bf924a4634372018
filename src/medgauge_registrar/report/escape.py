"""
Foreign text made safe for the place it is shown in; no other module of ours escapes anything.

Foreign is whatever a contributor, a registry file or a service can influence: paths, identifiers, values inside
messages. Each function here names one place; use the one for the place, and no text twice.
"""

import json
import re
from typing import Any
from urllib.parse import quote

from medgauge_registrar.patterns import lazy_pattern

# Characters without a shape of their own: controls, spaces other than U+0020, bidirectional and format characters,
# fillers, variation selectors, tags, private use, and the surrogates that stand for undecodable bytes of a path.
# A fixed list rather than `unicodedata`, whose answers differ between Python versions.
_SHAPELESS = lazy_pattern(
    "[\x00-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f"
    "\u205f-\u206f\u2800\u3000\u3164\ud800-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff]"
)
# Combining marks of any script: the first two sit on their letter, a tower of them covers neighbouring lines.
_MARK = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_STACKED = lazy_pattern(rf"^{_MARK}+|(?<={_MARK}{{2}}){_MARK}+")

# What GitHub turns into a link, a mention or an emoji after Markdown is parsed, so that no Markdown escape helps:
# only a character in between does. Foreign text holds no U+200B of its own by then, `visible` has shown it.
_BREAK = "\u200b"
_TRIGGERS = lazy_pattern(
    r"(?<=@)"  # accounts, teams, e-mail addresses, `user@sha`
    r"|(?<=\#)(?=[0-9])"  # #123, owner/repository#123
    r"|(?<=gh-)(?=[0-9])|(?<=ghsa-)|(?<=cve-)"
    r"|(?<=:)(?=//)|(?<=www)(?=\.)"
    r"|(?<=:)(?=[a-z0-9_+-]+:)",  # emoji short codes
    re.IGNORECASE,
)
_HEX_RUN = lazy_pattern(r"[0-9a-f]{6}(?=[0-9a-f])", re.IGNORECASE)  # a commit is linked from seven digits on

_MARKDOWN = str.maketrans(
    {
        "\\": r"\\",
        "*": r"\*",
        "_": r"\_",
        "[": r"\[",
        "]": r"\]",
        "~": r"\~",
        "`": "&#96;",
        "<": "&lt;",
        ">": "&gt;",
        "&": "&amp;",
        "|": "&#124;",
        "$": "&#36;",  # GitHub reads mathematics between dollar signs
        _BREAK: "&#8203;",
    }
)

_SPACE = r"\u0020"
_BACKTICKS = lazy_pattern("`+")
_BACKTICKED = lazy_pattern(r"`([^`]+)`")
_COMMAND_START = lazy_pattern(r"^(\s*):(?=:)")
_JSON_ESCAPED = lazy_pattern("[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")


def visible(text: str) -> str:
    r"""
    One line in which every character has a shape, and no workflow command inside.

    Line ends, control, bidirectional, invisible and undecodable characters appear as `\u` escapes.

    Source:
        GitHub runner, `ActionCommand`: `##[` is a command anywhere in a line of a log, and any text may get there.
    """
    if not (text.isascii() and text.isprintable()):
        text = _STACKED.sub(_as_escapes, _SHAPELESS.sub(_as_escapes, text))
    return text.replace("##[", r"#\u0023[")


def shorten(text: str, limit: int) -> str:
    """
    Cut a text to `limit` characters, the note on how many were left out included.

    Cut before escaping: a cut through an escape would change its meaning. Limits below 40 leave little but the note.
    """
    if len(text) <= limit:
        return text
    room = len(f"… ({len(text)} more characters)")
    kept = max(0, limit - room)
    return f"{text[:kept]}… ({len(text) - kept} more characters)"


def markdown_text(text: str) -> str:
    """Inline Markdown that shows the text literally, in a paragraph, list item, heading or table cell."""
    separated = _HEX_RUN.sub(rf"\g<0>{_BREAK}", _TRIGGERS.sub(_BREAK, visible(text)))
    return separated.translate(_MARKDOWN)


def markdown_code(text: str) -> str:
    r"""
    An inline code span holding the text; backticks and outer spaces appear as `\u` escapes.

    GitHub links nothing inside code. For table cells use `markdown_code_cell`.
    """
    shown = visible(text).replace("`", r"\u0060")
    inner = shown.lstrip(" ")
    before = len(shown) - len(inner)
    after = len(inner) - len(inner.rstrip(" "))
    inner = inner.rstrip(" ")
    # Markdown drops outer spaces, yet a stray space at an end is often the very fault.
    return f"`{before * _SPACE}{inner}{after * _SPACE}`" if shown else "(empty)"


def markdown_code_cell(text: str) -> str:
    """A code span for a table cell, where a pipe would end the cell even inside code."""
    return markdown_code(text).replace("|", r"\u007c")


def markdown_message(text: str) -> str:
    """
    A message of ours with foreign values in backticks: values become code spans, the rest literal text.

    A value that itself holds a backtick only shifts where code begins; every part is escaped either way.
    """
    # Adjacent code spans would melt into one run of backticks.
    parts = _BACKTICKED.split(text)
    shown = [markdown_code(part) if index % 2 else markdown_text(part) for index, part in enumerate(parts)]
    inner = [part or "&#8203;" for part in shown[1:-1]]
    return "".join([shown[0], *inner, shown[-1]]) if len(shown) > 1 else shown[0]


def markdown_fence(text: str, language: str = "") -> list[str]:
    """
    Lines of a code block that holds a text of several lines, its fence longer than any run of backticks inside.

    GitHub links nothing inside code. A character without a shape appears as an escape, so such a text cannot be pasted as it is.
    """
    lines = [visible(line) for line in text.rstrip("\n").split("\n")]
    longest = max((len(run) for line in lines for run in _BACKTICKS.findall(line)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{language}", *lines, fence]


def terminal(text: str) -> str:
    """
    One line for a terminal or a workflow log, without control characters and without workflow commands.

    Source:
        GitHub runner, `ActionCommand`: a line of a log that begins with `::` is a command.
    """
    return _COMMAND_START.sub(r"\1\\u003a", visible(text))


def command_data(text: str) -> str:
    """
    The message of a workflow command; its line ends become `%0A`.

    Source:
        GitHub Actions toolkit, `escapeData`.
    """
    shown = "\n".join(visible(line) for line in text.split("\n"))
    return shown.replace("%", "%25").replace("\n", "%0A")


def command_property(text: str) -> str:
    """
    A property value of a workflow command.

    Source:
        GitHub Actions toolkit, `escapeProperty`.
    """
    return command_data(visible(text)).replace(":", "%3A").replace(",", "%2C")


def uri_path(path: str) -> str:
    """A repository path as a relative URI; bytes that are no UTF-8 are percent-encoded as they are."""
    return quote(path_bytes(path), safe="/")


def path_bytes(path: str) -> bytes:
    """The bytes git knows a path by; surrogates stand for the bytes they were made from."""
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a surrogate that stands for no byte: cannot come from git, must not stop a report
        return path.encode("utf-8", "surrogatepass")


def sarif_text(text: str) -> str:
    """
    Plain text of a SARIF message that holds no embedded link.

    Source:
        SARIF 2.1.0, section 3.11.6, "Messages with embedded links".
    """
    return visible(text).replace("](", "] (")


def json_text(value: Any) -> str:
    """
    JSON with two spaces of indentation and a final line end; equal values give equal bytes.

    Letters stay readable; surrogates, invisible and bidirectional characters and `##[` (see `visible`) are written as
    escapes, so that the text can always be encoded and read; it means the same values.
    """
    written = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2)
    return _JSON_ESCAPED.sub(_as_escapes, written).replace("##[", r"#\u0023[") + "\n"


def _as_escapes(match: re.Match[str]) -> str:
    return "".join(f"\\u{ord(char):04x}" if char <= "\uffff" else f"\\U{ord(char):08x}" for char in match[0])
