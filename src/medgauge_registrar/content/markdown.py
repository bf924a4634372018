"""Markdown as a reader sees it: headings with their anchors, links, passages of prose, raw HTML and code."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from medgauge_registrar.content.passages import Passage
from medgauge_registrar.content.slugs import Slugs
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.patterns import lazy_pattern

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# Bounds within which the parser's cost stays in proportion to the text; anything beyond is not scanned, and said so.
MAX_TEXT_CHARACTERS = 2_000_000
MAX_BLOCK_CHARACTERS = 20_000
MAX_LEVELS = 24
# Openings of links, images, emphasis and HTML that one block may hold: each may be tried up to the end of its block.
MAX_OPENINGS = 2_000
_OPENING = lazy_pattern(r"[\[<*_`~!]")
_HTML_ANCHOR = lazy_pattern(
    r"<[a-zA-Z][a-zA-Z0-9]{0,20}\s[^<>]{0,300}?\b(?:id|name)\s{0,3}=\s{0,3}[\"']?([A-Za-z0-9_:.-]{1,200})"
)
_FRONT_MATTER = "---"


@frozen
class Link:
    """A link or image: where it leads as written (percent-encoded by nobody but the author), and in which line."""

    target: str
    line: int
    image: bool = False


@frozen
class Block:
    """A piece of code or raw HTML with the line it begins in and the words after its fence."""

    text: str
    line: int
    info: str = ""
    illustration: bool = False


@frozen
class Table:
    """A table: its cells row by row, the header first, with the line it begins in and the heading above it."""

    rows: tuple[tuple[str, ...], ...]
    line: int
    near: str = ""


@frozen
class Markdown:
    """
    A parsed text.

    Attributes:
        anchors: Names that a link into this text may lead to.
        links: Links and images.
        passages: Prose, block by block.
        code: Fenced and indented code.
        html: Raw HTML, block and inline.
        tables: Tables.
        refusal: Why the text, or a part of it, could not be parsed within bounds; null if all of it was.
        refusal_line: Line of that part.
    """

    anchors: frozenset[str] = frozenset()
    links: tuple[Link, ...] = ()
    passages: tuple[Passage, ...] = ()
    code: tuple[Block, ...] = ()
    html: tuple[Block, ...] = ()
    tables: tuple[Table, ...] = ()
    refusal: str | None = None
    refusal_line: int = 1


@lru_cache(maxsize=64)
def parse_markdown(text: str) -> Markdown:
    """
    Parse CommonMark with GitHub's tables and strike-through.

    A text beyond the bounds gives a `Markdown` with a refusal and whatever could still be told; nothing in it raises.

    Source:
        CommonMark 0.31; GitHub Flavored Markdown.
    """
    if len(text) > MAX_TEXT_CHARACTERS:
        return Markdown(refusal=f"has {len(text):,} characters; expected at most {MAX_TEXT_CHARACTERS:,}")
    reader = _Reader()
    try:
        reader.read(_parser().parse(_without_front_matter(text), reader.definitions))
    except RecursionError:
        reader.refuse("is nested too deeply", 1)
    return reader.result()


@lru_cache(maxsize=1)
def _parser() -> "MarkdownIt":
    # Imported on first use: only pull requests that touch a Markdown file pay for it.
    from markdown_it import MarkdownIt

    # The inline rule is run block by block below, so that no block beyond the bounds reaches it.
    class Parser(MarkdownIt):
        """Shows every target as it was written: a dangerous one is to be seen, not dropped."""

        def validateLink(self, url: str) -> bool:  # noqa: N802, ARG002 - the library's name and signature
            return True

        def normalizeLink(self, url: str) -> str:  # noqa: N802 - the library's name
            return url

    parser = Parser("commonmark", {"maxNesting": 4 * MAX_LEVELS}).enable(["table", "strikethrough"])
    return parser.disable(["inline"], ignoreInvalid=True)


def _without_front_matter(text: str) -> str:
    """The text with an article's head block blanked, so that line numbers stay those of the file."""
    lines = text.split("\n")
    if lines[0] != _FRONT_MATTER or _FRONT_MATTER not in lines[1:]:
        return text
    end = lines.index(_FRONT_MATTER, 1)
    return "\n".join([*("" for _ in lines[: end + 1]), *lines[end + 1 :]])


@dataclass(slots=True)
class _Reader:
    """Collects what the parser's tokens say."""

    definitions: dict[str, Any] = field(default_factory=dict)
    slugs: Slugs = field(default_factory=Slugs)
    anchors: set[str] = field(default_factory=set)
    links: list[Link] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    code: list[Block] = field(default_factory=list)
    html: list[Block] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    refusal: str | None = None
    refusal_line: int = 1
    headings: list[tuple[int, str]] = field(default_factory=list)
    lead: str = ""
    last: str = ""
    header: list[str] = field(default_factory=list)
    row: list[str] = field(default_factory=list)
    rows: list[tuple[str, ...]] = field(default_factory=list)
    table_line: int = 1
    list_leads: list[str] = field(default_factory=list)

    def refuse(self, why: str, line: int) -> None:
        if self.refusal is None:
            self.refusal, self.refusal_line = why, line

    def result(self) -> Markdown:
        return Markdown(
            anchors=frozenset(self.anchors),
            links=tuple(self.links),
            passages=tuple(self.passages),
            code=tuple(self.code),
            html=tuple(self.html),
            tables=tuple(self.tables),
            refusal=self.refusal,
            refusal_line=self.refusal_line,
        )

    def read(self, tokens: Sequence["Token"]) -> None:
        heading_level, cell, line = 0, False, 1
        for token in tokens:
            line = token.map[0] + 1 if token.map else line
            if token.level > MAX_LEVELS:
                self.refuse(f"nests lists and quotations more than {MAX_LEVELS} deep", line)
            match token.type:
                case "heading_open":
                    heading_level = int(token.tag[1:])
                case "heading_close":
                    heading_level = 0
                case "bullet_list_open" | "ordered_list_open":
                    self.list_leads.append(self.last if self.last.rstrip().endswith(":") else "")
                case "bullet_list_close" | "ordered_list_close":
                    self.list_leads.pop()
                case "table_open":
                    self.rows, self.header, self.table_line = [], [], line
                case "tr_open":
                    self.row = []
                case "tr_close":
                    self.rows.append(tuple(self.row))
                    self.header = self.header or self.row
                case "table_close":
                    self.tables.append(Table(rows=tuple(self.rows), line=self.table_line, near=self._near()))
                case "th_open" | "td_open":
                    cell = True
                case "th_close" | "td_close":
                    cell = False
                case "fence" | "code_block":
                    self.code.append(
                        Block(text=token.content, line=line, info=token.info.strip(), illustration=self._labelled())
                    )
                case "html_block":
                    self._html(token.content, line)
                case "inline":
                    self._inline(token.content, line, heading_level=heading_level, cell=cell)

    def _near(self) -> str:
        return f"{self.headings[-1][1] if self.headings else ''}\n{self.last}"

    def _labelled(self) -> bool:
        """Whether the words just above call what follows an illustration that is made up."""
        return any(word in self._near().casefold() for word in ("synthetic", "invented", "illustration"))

    def _html(self, content: str, line: int) -> None:
        self.html.append(Block(text=content, line=line))
        if len(content) <= MAX_BLOCK_CHARACTERS:
            self.anchors.update(found[1] for found in _HTML_ANCHOR.finditer(content))

    def _inline(self, content: str, line: int, *, heading_level: int, cell: bool) -> None:
        if len(content) > MAX_BLOCK_CHARACTERS:
            self.refuse(f"has a block of {len(content):,} characters; expected at most {MAX_BLOCK_CHARACTERS:,}", line)
            return
        if sum(1 for _ in _OPENING.finditer(content)) > MAX_OPENINGS:
            self.refuse(f"has a block with more than {MAX_OPENINGS:,} marks such as brackets and asterisks", line)
            return
        children: list[Token] = []
        _parser().inline.parse(content, _parser(), self.definitions, children)
        text = self._children(children, line)
        if cell:
            self.row.append(text)
        if heading_level:
            self.anchors.add(self.slugs.add(text))
            self.headings = [item for item in self.headings if item[0] < heading_level]
            self.headings.append((heading_level, text))
        column = len(self.row) - 1
        column_head = self.header[column] if cell and self.header and column < len(self.header) else ""
        self.passages.append(
            Passage(
                text=text,
                line=line,
                headings=tuple(title for _, title in self.headings),
                lead=next((lead for lead in reversed(self.list_leads) if lead), "") or column_head,
            )
        )
        if not cell:
            self.last = text

    def _children(self, children: Sequence["Token"], line: int) -> str:
        """The words of a block as they are read, one line of the file to a line."""
        said: list[str] = []
        for child in children:
            match child.type:
                case "text" | "code_inline":
                    said.append(child.content)
                case "softbreak" | "hardbreak":
                    said.append("\n")
                case "html_inline":
                    self._html(child.content, line + "".join(said).count("\n"))
                case "link_open":
                    target = str(child.attrs.get("href", ""))
                    self.links.append(Link(target=target, line=line + "".join(said).count("\n")))
                case "image":
                    target = str(child.attrs.get("src", ""))
                    self.links.append(Link(target=target, line=line + "".join(said).count("\n"), image=True))
                    said.append(child.content)
        return "".join(said)


def inline_links(text: str) -> Iterator[Link]:
    """Links in a single line of text, such as a field of a record."""
    yield from parse_markdown(text).links
