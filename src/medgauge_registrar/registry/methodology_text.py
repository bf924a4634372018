"""What the methodology text says of itself: its version, its citation and its change log."""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.tree import Tree
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.registry.layout import VERSION, Layout
from medgauge_registrar.registry.records import version_key

_TITLE = lazy_pattern(rf"[\s>*_#]*Version\s+({VERSION})\s*·\s*([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})(?![0-9-]).*")
_CITATION = lazy_pattern(r"[\s>*_#]*Cite as\b.*", re.IGNORECASE)
_CITED = lazy_pattern(rf"\bversion\s+({VERSION})(?![0-9.]*[0-9])", re.IGNORECASE)
_HEADING = lazy_pattern(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_LOG_HEADING = lazy_pattern(r"[*_]*Appendix D\b.*", re.IGNORECASE)
_FENCE = lazy_pattern(r" {0,3}(`{3,}|~{3,})")
_RULE_CELL = lazy_pattern(r":?-+:?")
_CELL_END = lazy_pattern(r"(?<!\\)\|")
_YEAR = lazy_pattern(r"\([0-9]{4}\)")
_MARKS = " \t*_`"


@frozen
class LogRow:
    """
    One row of the change log.

    Attributes:
        version: Version it names; null if that cell holds no three-part version.
        date: Day it names, as ISO 8601; null if that cell holds no day of the calendar.
        cells: The row as written, without the space around each cell.
        line: Line in the text, from 1.
    """

    version: str | None
    date: str | None
    cells: tuple[str, ...]
    line: int


@frozen
class MethodologyText:
    """
    A methodology text, as far as programs read it.

    Attributes:
        version: Version of the title line `Version x.y.z · YYYY-MM-DD`; null if there is none, or several that differ.
        date: Day of the title line, under the same condition.
        title_line: Line of the first title line, from 1; null if there is none.
        cited_version: Version that the paragraph `Cite as …` names; null if there is none, or several that differ.
        citation_line: Line where that paragraph begins; null if there is none.
        change_log: Rows of the table under the heading of Appendix D, as they stand; empty if there is no such table.
        log_line: Line of that heading; null if there is none.

    Source:
        Methodology, title page and Appendix D.
    """

    version: str | None = None
    date: str | None = None
    title_line: int | None = None
    cited_version: str | None = None
    citation_line: int | None = None
    change_log: tuple[LogRow, ...] = ()
    log_line: int | None = None

    @property
    def logged_version(self) -> str | None:
        """Highest version that the change log names; rows may stand oldest or newest first."""
        versions = [row.version for row in self.change_log if row.version is not None]
        return max(versions, key=version_key, default=None)


def text_path(layout: Layout) -> str:
    """Path of the text in force."""
    return layout.path(Kind.METH)


def archive_path(layout: Layout, version: str) -> str:
    """Path at which a superseded version of the text is kept."""
    return layout.path(Kind.METH, version=version)


def methodology_of(tree: Tree, layout: Layout) -> MethodologyText:
    """
    Read the text in force in a tree; all fields are null or empty if there is none.

    Raises:
        ReadError: The tree could not be read.
    """
    return read_methodology(tree.read(text_path(layout)))


def read_methodology(data: bytes | None) -> MethodologyText:
    """Read a text; whatever it does not say plainly is null, bytes that are no UTF-8 say nothing."""
    if data is None:
        return MethodologyText()
    try:
        return read_text(data.decode("utf-8"))
    except UnicodeDecodeError:
        return MethodologyText()


def read_text(text: str) -> MethodologyText:
    """Read a text; whatever it does not say plainly is null."""
    lines = text.split("\n")
    prose = list(_outside_fences(lines))
    titles = [(number, match) for number, line in prose if (match := _TITLE.fullmatch(line))]
    citations = [number for number, line in prose if _CITATION.fullmatch(line)]
    log_line, rows = _change_log(prose)
    return MethodologyText(
        version=_only([match.group(1) for _, match in titles]),
        date=_only([match.group(2) for _, match in titles]),
        title_line=titles[0][0] if titles else None,
        cited_version=_only([version for number in citations for version in _cited(lines, number)]),
        citation_line=citations[0] if citations else None,
        change_log=rows,
        log_line=log_line,
    )


def wording(text: str) -> tuple[str | None, ...]:
    """
    The lines of a text without what its versions leave behind: the rest says the same as long as only the version moves.

    The day of its title line and the year of its citation are blanked, its own version is taken out wherever `version`
    stands before it, and null stands for every row of its change log.
    """
    read = read_text(text)
    lines = text.split("\n")
    for number, line in _outside_fences(lines):
        if title := _TITLE.fullmatch(line):
            lines[number - 1] = line[: title.start(2)] + line[title.end(2) :]
    if read.citation_line is not None:
        for index in range(read.citation_line - 1, len(lines)):
            if not lines[index].strip():
                break
            lines[index] = _YEAR.sub("()", lines[index])
    if read.version is not None:
        own = lazy_pattern(rf"\b(version\s+){re.escape(read.version)}(?![0-9.]*[0-9])", re.IGNORECASE)
        lines = [own.sub(r"\1", line) for line in lines]
    rows = {row.line for row in read.change_log}
    return tuple(None if number in rows else line for number, line in enumerate(lines, start=1))


def is_day(text: str) -> bool:
    """Whether a text is a day of the calendar, written `YYYY-MM-DD`."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def table_cells(line: str) -> tuple[str, ...]:
    """
    The cells of one row of a table.

    Source:
        GitHub Flavored Markdown, "Tables".
    """
    inner = line.strip().removeprefix("|")
    parts = _CELL_END.split(inner)
    if parts and not parts[-1].strip():
        parts.pop()
    return tuple(part.strip() for part in parts)


def _only(found: Sequence[str]) -> str | None:
    return found[0] if len(set(found)) == 1 else None


def _outside_fences(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Lines that are text and no quoted code, with their numbers."""
    fence = ""
    for number, line in enumerate(lines, start=1):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark.group(1)
        elif mark and mark.group(1)[0] == fence[0] and len(mark.group(1)) >= len(fence):
            fence = ""
        elif not fence:
            yield number, line


def _cited(lines: Sequence[str], number: int) -> Iterator[str]:
    """Versions that the paragraph beginning at a line names."""
    paragraph = []
    for line in lines[number - 1 :]:
        if not line.strip():
            break
        paragraph.append(line)
    yield from _CITED.findall(" ".join(paragraph))


def _change_log(prose: Sequence[tuple[int, str]]) -> tuple[int | None, tuple[LogRow, ...]]:
    """Line of the heading of Appendix D, and the rows of the first table under it."""
    start, level = None, 0
    section: list[tuple[int, str]] = []
    for number, line in prose:
        heading = _HEADING.match(line)
        if heading and start is None and _LOG_HEADING.fullmatch(line[heading.end() :].strip()):
            start, level = number, len(heading.group(1))
        elif heading and start is not None and len(heading.group(1)) <= level:
            break
        elif start is not None:
            section.append((number, line))
    return start, tuple(_rows(section))


def _rows(section: Sequence[tuple[int, str]]) -> Iterator[LogRow]:
    table: list[tuple[int, tuple[str, ...]]] = []
    for number, line in section:
        if line.strip().startswith("|"):
            table.append((number, table_cells(line)))
        elif table:
            break
    if len(table) < 2 or not all(_RULE_CELL.fullmatch(cell) for cell in table[1][1]):
        return
    names = [cell.strip(_MARKS).casefold() for cell in table[0][1]]
    if "version" not in names or "date" not in names:
        return
    for number, cells in table[2:]:
        version, day = (_cell(cells, names.index(name)) for name in ("version", "date"))
        yield LogRow(
            version=version if re.fullmatch(VERSION, version) else None,
            date=day if is_day(day) else None,
            cells=cells,
            line=number,
        )


def _cell(cells: Sequence[str], index: int) -> str:
    return cells[index].strip(_MARKS) if index < len(cells) else ""
