"""
Tables of a round report, and what each says it holds.

A table says so in a comment right above it: `<!-- figures bm-example@0.2.0 holdout -->`. Readers do not see it.
"""

from collections.abc import Iterator, Mapping, Sequence

from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.patterns import lazy_pattern

_MARK = lazy_pattern(r"\s*<!--\s*([a-z-]+)((?:\s+[^\s<>]+)*)\s*-->\s*")
_FENCE = lazy_pattern(r" {0,3}(`{3,}|~{3,})")
_CELL_END = lazy_pattern(r"(?<!\\)\|")
_RULE = lazy_pattern(r":?-+:?")
_NUMBER = lazy_pattern(r"[-+−]?[0-9]+(?:[.,][0-9]+)?\s*%?")


@frozen
class ReportTable:
    """
    One table.

    Attributes:
        mark: What it says it holds: a kind and its arguments; empty without a comment above it.
        line: Line of its heading, from 1.
        columns: Names of its columns.
        rows: Its rows, each with its line; a row has as many cells as there are columns, missing ones are empty.
    """

    mark: tuple[str, ...]
    line: int
    columns: tuple[str, ...]
    rows: tuple[tuple[int, Mapping[str, str]], ...]

    @property
    def numbers(self) -> Iterator[tuple[int, str]]:
        """Cells that hold nothing but a number, with their lines."""
        for line, row in self.rows:
            yield from ((line, cell) for cell in row.values() if _NUMBER.fullmatch(cell))


def report_tables(text: str) -> tuple[ReportTable, ...]:
    """Tables of a Markdown text, in its order; what stands in a code block is none."""
    found: list[ReportTable] = []
    mark: tuple[str, ...] = ()
    block: list[tuple[int, str]] = []
    for number, line in [*_outside_fences(text.split("\n")), (0, "")]:
        if line.lstrip().startswith("|"):
            block.append((number, line))
            continue
        if len(block) > 1 and all(_RULE.fullmatch(cell) for cell in _cells(block[1][1])):
            found.append(_table(mark, block))
        if block or line.strip():
            match = _MARK.fullmatch(line)
            mark = (match[1], *match[2].split()) if match else ()
        block = []
    return tuple(found)


def _table(mark: tuple[str, ...], block: Sequence[tuple[int, str]]) -> ReportTable:
    columns = _cells(block[0][1])
    rows = []
    for number, line in block[2:]:
        row = _cells(line)
        rows.append((number, dict(zip(columns, [*row, *[""] * len(columns)], strict=False))))
    return ReportTable(mark=mark, line=block[0][0], columns=tuple(columns), rows=tuple(rows))


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    parts = [part.strip() for part in _CELL_END.split(inner)]
    if parts and not parts[-1]:
        parts.pop()
    return [part.strip("`* ").replace("\\|", "|") for part in parts]


def _outside_fences(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    fence = ""
    for number, line in enumerate(lines, start=1):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence):
            fence = ""
        elif not fence:
            yield number, line
