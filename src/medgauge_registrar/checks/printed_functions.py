"""Difficulty functions as Appendix A prints them (CHG-07)."""

import re
from collections.abc import Iterator, Mapping

from medgauge_registrar.checks.fields import mapping
from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, change_check
from medgauge_registrar.classify.marks import marks_of
from medgauge_registrar.classify.sections import Section, sections
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json, Position
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.registry.methodology_text import text_path, wording
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.registry.references import select

_APPENDIX = "appendix a"
_CLASS = lazy_pattern(r"class\s{1,4}([1-4])\s{0,4}=\s{0,4}([0-9]{1,6})\s{0,4}[–-]\s{0,4}([0-9]{1,6})", re.IGNORECASE)


@change_check("CHG-07", section="App A", kinds={Kind.METH, Kind.DFN})
def misprinted_function(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    Appendix A prints every published difficulty function as it is, and what it printed stays.

    Classes of frozen tasks rest on the numbers that stand there. A new function comes with a section of its own in Appendix A,
    whose table and cut points are those of its file; former sections are left alone.

    Passes: a section `A.2 difficulty-function@0.2.0` with the bands of the new file
    Fails: another band in the section of difficulty-function@0.1.0
    """
    current = text_path(context.registry.layout)
    if changed.place.path == current and changed.rewritten:
        yield from _altered(changed.base, context.registry)
    elif changed.place.kind is Kind.DFN and changed.enters and changed.after is not None:
        yield from _unlike(changed.after, context.registry, current)


def _altered(base: Registry, head: Registry) -> Iterator[Problem]:
    """Printed functions that the text no longer prints as it did."""
    before, after = (_printed(registry) for registry in (base, head))
    for version in base.versions(Kind.DFN):
        name = f"difficulty-function@{version}"
        old, new = ([mark.text for one in text.get(name, ()) for mark in marks_of(one)] for text in (before, after))
        if old and old != new:
            yield Problem(
                message=f"Appendix A prints `{name}` otherwise than before",
                help="Put its section back as it was; other points or cut points are a new version with its own section.",
                position=_at(after.get(name, ())),
            )


def _unlike(function: Record, head: Registry, path: str) -> Iterator[Problem]:
    """Where Appendix A and the file of a new function part."""
    found = _printed(head).get(function.place.object, ())
    if not found:
        yield Problem(
            message=f"Appendix A has no section whose heading names `{function.place.object}`",
            help="Print the function there, with a table of component, measure and points, and its cut points.",
            path=path,
        )
        return
    lines = [line for section in found for line in section.lines]
    printed = dict(_rows(lines))
    for pointer, item in select(function.document.value, "components/*"):
        component = mapping(item)
        wanted, name = _points(component), str(component.get("name"))
        shown = printed.get(name)
        if wanted and shown != _plain(wanted):
            yield Problem(
                message=f"Appendix A prints `{shown or 'nothing'}` for `{name}`, and the file gives `{wanted}`",
                help="Make the two agree.",
                pointer=pointer,
            )
    cuts = [tuple(map(int, match.groups())) for match in _CLASS.finditer(" ".join(lines))]
    classes = [mapping(item) for _, item in select(function.document.value, "classes/*")]
    if cuts != [(one.get("class"), one.get("from"), one.get("to")) for one in classes]:
        wanted = "; ".join(f"class {one.get('class')} = {one.get('from')}–{one.get('to')}" for one in classes)
        yield Problem(
            message=f"Appendix A does not print the cut points of the file, `{wanted}`",
            help="Write them below the table in this form.",
            pointer="/classes",
        )


def _printed(registry: Registry) -> Mapping[str, tuple[Section, ...]]:
    """Sections of Appendix A by the function that their heading names."""
    data = registry.tree.read(text_path(registry.layout)) or b""
    try:
        text = "\n".join(line or "" for line in wording(data.decode("utf-8")))
    except UnicodeDecodeError:
        return {}
    found: dict[str, tuple[Section, ...]] = {}
    for section in sections(text):
        if section.chapter.startswith(_APPENDIX):
            for name in re.findall(r"difficulty-function@[0-9.]*[0-9]", section.title):
                found[name] = (*found.get(name, ()), section)
    return found


def _rows(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Name and points of every component in a table."""
    for line in lines:
        cells = [cell.strip(" \t*_`") for cell in line.strip().strip("|").split("|")]
        if len(cells) > 1:
            yield "-".join(cells[0].casefold().split()), _plain(cells[-1])


def _points(component: Mapping[str, Json]) -> str:
    """The points of a component as Appendix A writes them; empty for one that is only recorded."""
    if "bands" in component:
        bands = (mapping(item) for _, item in select(dict(component), "bands/*"))
        return "; ".join(f"{_band(band.get('from'), band.get('to'))} → {band.get('points')}" for band in bands)
    if "answers" in component:
        answers = mapping(component["answers"])
        return f"no → {answers.get('absent')}; yes → {answers.get('present')}"
    values = (mapping(item) for _, item in select(dict(component), "values/*"))
    return "; ".join(f"{value.get('value')} → {value.get('points')}" for value in values)


def _band(start: Json, end: Json) -> str:
    if end is None:
        return f"{start} or more"
    return f"{start}" if start == end else f"{start}–{end}"


def _plain(cell: str) -> str:
    """A cell with one way of writing dashes, arrows and spaces."""
    return " ".join(cell.casefold().replace("->", "→").replace("-", "–").split())


def _at(found: tuple[Section, ...]) -> Position | None:
    return Position(line=found[0].first_line, column=1) if found else None
