"""One file as every content check sees it: bytes, text, Markdown, document and passages, each made once and on demand."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from medgauge_registrar.content.markdown import Markdown, parse_markdown
from medgauge_registrar.content.passages import Passage
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Document, Json
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.registry.layout import Place
from medgauge_registrar.registry.reader import Syntax, read_document

# Largest file that is not a record, and the longest line of one; the methodology text stays far below both.
MAX_BYTES = 2 * 2**20
MAX_LINE_CHARACTERS = 20_000
# Code blocks that are read as documents: as many and as large as an example needs.
MAX_BLOCKS, MAX_BLOCK_CHARACTERS = 50, 200_000
_SYNTAXES: Mapping[str, Syntax] = {".json": Syntax.JSON, ".yaml": Syntax.YAML, ".yml": Syntax.YAML}
_DOCUMENT_BLOCKS: Mapping[str, Syntax] = {"json": Syntax.JSON, "yaml": Syntax.YAML, "yml": Syntax.YAML}
_MARKDOWN = (".md", ".markdown")
_CONTROLS = lazy_pattern(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_LFS_POINTER = lazy_pattern(rb"version https://(?:git-lfs|hawser)\.github\.com/spec/")
_SNIFFED_BYTES = 8_192
_COMMENT = lazy_pattern(r"(?:^|(?<=\s))#[ \t]{0,3}(?=\S)")
_EDITOR_LINE = "yaml-language-server:"


@dataclass(frozen=True, kw_only=True, slots=True)
class Node:
    """A value of a document: its JSON Pointer, the key it stands under (the list's, for an item), and what holds it."""

    pointer: str
    key: str
    value: Json
    beside: Mapping[str, Json]
    above: tuple[str, ...]


class TextFile:
    """
    A file under scan.

    Args:
        place: What its path stands for.
        data: Its bytes, from anybody.
        document: The record that was read from it, where it is one.
    """

    def __init__(self, place: Place, data: bytes, document: Document | None = None) -> None:
        self.place = place
        self.data = data
        self._record = document

    @property
    def path(self) -> str:
        """Path in the registry."""
        return self.place.path

    @property
    def kind(self) -> Kind:
        """Kind of the path."""
        return self.place.kind

    @cached_property
    def suffix(self) -> str:
        """Last ending of the name, in lower case with its dot."""
        name = self.path.rpartition("/")[2]
        stem, dot, ending = name.rpartition(".")
        return f".{ending}".casefold() if stem and dot and ending else ""

    @cached_property
    def is_opaque(self) -> bool:
        """Whether the bytes are no text that a scan could read, or only point to such."""
        return is_opaque(self.data)

    @cached_property
    def refusal(self) -> tuple[str, int] | None:
        """Why the text cannot be scanned within bounds, and in which line; null if it can."""
        if self.is_opaque or self.place.is_record:
            return None  # the boundary, or the strict reader of records, refuses these
        if len(self.data) > MAX_BYTES:
            return f"has {len(self.data):,} bytes; expected at most {MAX_BYTES:,}", 1
        try:
            self.data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = self.data.count(b"\n", 0, error.start) + 1
            return f"is no UTF-8 at byte {error.start} (0x{self.data[error.start]:02X})", line
        for number, words in enumerate(self.lines, start=1):
            if len(words) > MAX_LINE_CHARACTERS:
                return f"has a line of {len(words):,} characters; expected at most {MAX_LINE_CHARACTERS:,}", number
        if self.is_markdown and self.markdown.refusal is not None:
            return self.markdown.refusal, self.markdown.refusal_line
        return None

    @cached_property
    def text(self) -> str:
        """The bytes as text, as far as they are any; empty for opaque and oversized files."""
        if self.is_opaque or (len(self.data) > MAX_BYTES and not self.place.is_record):
            return ""
        return self.data.decode("utf-8", "replace")

    @cached_property
    def lowered(self) -> str:
        """The text in lower case, to look for fragments in."""
        return self.text.lower()

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Lines of the text."""
        return tuple(self.text.split("\n"))

    @property
    def is_markdown(self) -> bool:
        """Whether the name says Markdown."""
        return self.suffix in _MARKDOWN

    @cached_property
    def markdown(self) -> Markdown:
        """The text parsed as Markdown; empty for other files, and where its lines are too long to try."""
        if not self.is_markdown or any(len(line) > MAX_LINE_CHARACTERS for line in self.lines):
            return Markdown()
        return parse_markdown(self.text)

    @cached_property
    def document(self) -> Document | None:
        """The document the file is; null if it is none, or has faults."""
        found = self._record
        if found is None and (syntax := _SYNTAXES.get(self.suffix)) is not None and self.text:
            found = read_document(self.data, syntax=syntax)
        return found if found is not None and not found.faults else None

    @cached_property
    def documents(self) -> tuple[tuple[Json, bool], ...]:
        """Every document in the file, code blocks of Markdown included, each with whether it is a labelled illustration."""
        found: list[tuple[Json, bool]] = []
        if self.document is not None:
            found.append((self.document.value, False))
        elif not self.is_markdown and self.text.lstrip()[:1] == "{":
            found += [(value, False) for value in _json_lines(self.lines)]
        for block in self.markdown.code[:MAX_BLOCKS]:
            if len(block.text) > MAX_BLOCK_CHARACTERS or ":" not in block.text:
                continue
            syntax = _DOCUMENT_BLOCKS.get(block.info.split(" ", 1)[0].casefold())
            for tried in (syntax,) if syntax else (Syntax.JSON, Syntax.YAML):
                parsed = read_document(block.text.encode(), syntax=tried)
                if not parsed.faults and isinstance(parsed.value, dict | list):
                    found.append((parsed.value, block.illustration))
                    break
        return tuple(found)

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """Every value of the file's own document, containers included, the outermost first."""
        return tuple(walk(self.document.value)) if self.document is not None else ()

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """Everything in the file that people read as prose."""
        if self.is_markdown:
            return self.markdown.passages
        if self.document is not None:
            texts = [
                Passage(text=node.value, pointer=node.pointer, headings=node.above)
                for node in self.nodes
                if isinstance(node.value, str) and " " in node.value
            ]
            return (*texts, *self._comments())
        return tuple(_paragraphs(self.lines))

    def _comments(self) -> Iterator[Passage]:
        if self.suffix not in {".yaml", ".yml"} or "#" not in self.text:
            return
        for number, line in enumerate(self.lines, start=1):
            # A hash inside a quoted text is read twice, as text and as a comment; that costs nothing.
            if "#" in line and _EDITOR_LINE not in line and (found := _COMMENT.search(line)):
                yield Passage(text=line[found.end() :], line=number)


def _json_lines(lines: tuple[str, ...]) -> Iterator[Json]:
    """The documents of a file that holds one a line, as far as they are looked at."""
    for line in [line for line in lines if line.strip()][:MAX_BLOCKS]:
        if len(line) <= MAX_BLOCK_CHARACTERS:
            parsed = read_document(line.encode("utf-8", "replace"), syntax=Syntax.JSON)
            if not parsed.faults:
                yield parsed.value


def is_opaque(data: bytes) -> bool:
    """Whether bytes are binary, or a pointer to a large file that is kept elsewhere."""
    return bool(_CONTROLS.search(data[:_SNIFFED_BYTES])) or b"\0" in data or _LFS_POINTER.match(data) is not None


def walk(value: Json) -> Iterator[Node]:
    """Every value below a document's root, with its key, its neighbours and the keys above it."""
    pending: list[tuple[str, str, Json, tuple[str, ...]]] = [("", "", value, ())]
    while pending:
        pointer, key, node, above = pending.pop()
        if isinstance(node, dict):
            below: list[tuple[str, str, Json, tuple[str, ...]]] = []
            inner = (*above, key) if key else above
            for name, item in node.items():
                place = f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"
                yield Node(pointer=place, key=name, value=item, beside=node, above=inner)
                if isinstance(item, dict | list):
                    below.append((place, name, item, inner))
            pending.extend(reversed(below))
        elif isinstance(node, list):
            for index, item in enumerate(node):
                if isinstance(item, str):
                    yield Node(pointer=f"{pointer}/{index}", key=key, value=item, beside={}, above=above)
            pending.extend(
                (f"{pointer}/{index}", key, item, above)
                for index, item in reversed(list(enumerate(node)))
                if isinstance(item, dict | list)
            )


def _paragraphs(lines: tuple[str, ...]) -> Iterator[Passage]:
    start, words = 1, list[str]()
    for number, line in enumerate((*lines, ""), start=1):
        if line.strip() and len(line) <= MAX_LINE_CHARACTERS:
            if not words:
                start = number
            words.append(line)
        elif words:
            yield Passage(text="\n".join(words), line=start)
            words = []
