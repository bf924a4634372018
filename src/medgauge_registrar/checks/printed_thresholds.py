"""Level thresholds as Appendix B prints them, beside those of the level rules (`agreement.py`)."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal

from medgauge_registrar.checks.fields import mapping
from medgauge_registrar.checks.framework import Problem
from medgauge_registrar.classify.sections import Section, sections
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Position
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.registry.methodology_text import table_cells, text_path
from medgauge_registrar.registry.records import Registry, version_key
from medgauge_registrar.registry.schemas import as_number

_APPENDIX = "appendix b"
_LEVEL = lazy_pattern(r"L[0-5]")
# A share, as a fraction or in per cent; a version is neither.
_SHARE = lazy_pattern(r"(?<![\w.])(?:(0?\.[0-9]{1,12}|1\.0{1,12})|([0-9]{1,3}(?:\.[0-9]{1,10})?) {0,2}%)(?!\.?[0-9])")


def misprinted_thresholds(registry: Registry) -> Iterator[Problem]:
    """
    Levels whose threshold in the table of Appendix B is not that of the newest level rules, or stands in one of them alone.

    Programs read the file and people read the table, so a level would be issued by another bound than the text promises. The
    column is the one whose heading names the threshold; without it, or without rules that can be read, nothing is said.

    Source:
        Methodology, Appendix B and section 29.
    """
    versions = registry.versions(Kind.LVL)
    path = registry.path_of(Kind.LVL, version=max(versions, key=version_key)) if versions else None
    rules = None if path is None else registry.valid_record(path)
    if rules is None:
        return
    for level, (line, printed) in _printed(registry).items():
        threshold = as_number(mapping(mapping(rules["levels"]).get(level)).get("threshold"))
        if (threshold is None and not printed) or threshold in printed:
            continue
        text = " and ".join(f"`{share}`" for share in sorted(printed)) or "none"
        yield Problem(
            message=f"Appendix B gives {text} as the threshold of `{level}`, and `{path}` gives {_shown(threshold)}",
            help="Make the two agree; a threshold that changes comes with new level rules.",
            path=text_path(registry.layout),
            position=Position(line=line, column=1),
        )


def _printed(registry: Registry) -> Mapping[str, tuple[int, frozenset[Decimal]]]:
    """By level, the line of its row in a table of Appendix B and the shares in the column of thresholds."""
    data = registry.tree.read(text_path(registry.layout)) or b""
    found: dict[str, tuple[int, frozenset[Decimal]]] = {}
    for section in sections(data.decode("utf-8", "replace")):
        if section.chapter.startswith(_APPENDIX):
            found.update(_rows(section))
    return found


def _rows(section: Section) -> Iterator[tuple[str, tuple[int, frozenset[Decimal]]]]:
    column: int | None = None
    for line, text in enumerate(section.lines, start=section.first_line):
        cells = table_cells(text) if text.strip().startswith("|") else ()
        heads = [index for index, cell in enumerate(cells) if "threshold" in cell.casefold()]
        level = _LEVEL.fullmatch(cells[0].strip("*_` ")) if cells else None
        if level and column is not None and column < len(cells):
            yield level[0], (line, frozenset(map(_share, _SHARE.finditer(cells[column]))))
        elif level is None and column is None and heads:
            column = heads[0]
        elif not cells:
            column = None


def _share(found: re.Match[str]) -> Decimal:
    return Decimal(found[1]) if found[1] else Decimal(found[2]).scaleb(-2)


def _shown(threshold: Decimal | None) -> str:
    return "none" if threshold is None else f"`{threshold}`"
