"""What rendered content must not carry (BLD-06): scripts, remote images, frames, event handlers, data addresses."""

import re
from collections.abc import Iterator
from html import unescape

from medgauge_registrar.content.textfile import TextFile
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.patterns import lazy_pattern

_ELEMENT = lazy_pattern(
    r"<\s{0,3}/?\s{0,3}(script|iframe|frame|frameset|object|embed|applet|form|input|button|link|meta|base|style|video|audio|source"
    r"|track|picture|portal|template|svg|math|foreignobject|use|animate|set)\b",
    re.I,
)
_HANDLER = lazy_pattern(r"<[a-z][^<>]{0,2000}?[\s/\"']on[a-z]{3,30}\s{0,5}=", re.I)
_STYLE_LOAD = lazy_pattern(
    r"<[a-z][^<>]{0,2000}?\bstyle\s{0,3}=[^<>]{0,1000}?(?:url\s{0,3}\(|expression\s{0,3}\(|@import)", re.I
)
_IMAGE = lazy_pattern(
    r"<\s{0,3}img\b[^<>]{0,2000}?\b(?:src|srcset)\s{0,3}=\s{0,3}[\"']?\s{0,3}([^\s\"'<>]{1,500})", re.I
)
_UNCLOSED = lazy_pattern(r"<[a-z!/][^<>]{2000}", re.I)
_REMOTE = lazy_pattern(r"(?:[a-z][a-z0-9+.-]{0,20}:)?//|[a-z][a-z0-9+.-]{1,20}:", re.I)
_DANGEROUS = lazy_pattern(r"\s{0,5}(?:javascript|vbscript|data|file|blob|filesystem|about)\s{0,5}:", re.I)
_DATA_IN_TEXT = lazy_pattern(r"\bdata:[a-z]{1,20}/[a-z0-9.+-]{1,60};base64,[A-Za-z0-9+/=]{16}", re.I)
_SCRIPT_IN_TEXT = lazy_pattern(
    r"<\s{0,3}(?:script|iframe|object|embed)\b[^<>]{0,500}>|<\s{0,3}meta\b[^<>]{0,300}http-equiv", re.I
)
_ADDRESS = lazy_pattern(r"\b(?:href|src|action)\s{0,3}=\s{0,3}[\"']?([^\s\"'<>]{1,500})", re.I)
_FILLER = lazy_pattern(r"[\x00-\x20\x7f-\xa0]")
_MARKUP_SUFFIXES = (".svg", ".xml", ".xhtml", ".html", ".htm")


@frozen
class Fault:
    """Something that rendered content must not carry: what, and where."""

    what: str
    line: int = 0
    pointer: str = ""


def unrenderable(file: TextFile) -> Iterator[Fault]:
    """
    Find what would run, load or track when a file is rendered.

    Source:
        Methodology, section 18 (no scripts, no third-party resources, no tracking).
    """
    if file.is_markdown:
        for block in file.markdown.html:
            for what, offset in _in_html(block.text):
                yield Fault(what=what, line=block.line + block.text.count("\n", 0, offset))
        for link in file.markdown.links:
            target = _FILLER.sub("", unescape(link.target))
            if _DANGEROUS.match(target):
                yield Fault(what=f"an address of the scheme `{target.split(':', 1)[0].lower()}:`", line=link.line)
            elif link.image and _REMOTE.match(target):
                yield Fault(what="an image that is loaded from elsewhere", line=link.line)
    elif file.suffix in _MARKUP_SUFFIXES:
        for what, offset in _in_html(file.text):
            if what != "the element `svg`":
                yield Fault(what=what, line=file.text.count("\n", 0, offset) + 1)
    elif file.document is not None and ("<" in file.text or "data:" in file.text or "\\u003" in file.text.lower()):
        for node in file.nodes:
            if isinstance(node.value, str) and (_SCRIPT_IN_TEXT.search(node.value) or _HANDLER.search(node.value)):
                yield Fault(what="an element that would run when it is rendered", pointer=node.pointer)
            elif isinstance(node.value, str) and _DATA_IN_TEXT.search(node.value):
                yield Fault(what="a data address with content in it", pointer=node.pointer)


def _in_html(text: str) -> Iterator[tuple[str, int]]:
    for found in _ELEMENT.finditer(text):
        yield f"the element `{found[1].lower()}`", found.start()
    for pattern, what in (
        (_HANDLER, "an event handler"),
        (_STYLE_LOAD, "a style that loads something"),
        (_UNCLOSED, "an element that is not closed"),
    ):
        if first := pattern.search(text):
            yield what, first.start()
    for found in _ADDRESS.finditer(text):
        target = _FILLER.sub("", unescape(found[1]))
        if _DANGEROUS.match(target):
            yield f"an address of the scheme `{target.split(':', 1)[0].lower()}:`", found.start()
    for found in _IMAGE.finditer(text):
        if _REMOTE.match(found[1]):
            yield "an image that is loaded from elsewhere", found.start()
