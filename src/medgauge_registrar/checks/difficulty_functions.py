"""Difficulty functions that can be used at all: published, whole and without gaps (SCHEMA-BM-08)."""

from collections.abc import Iterator, Mapping

from medgauge_registrar.checks.fields import count, mapping
from medgauge_registrar.checks.framework import Context, Problem, Reach, record_check
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json
from medgauge_registrar.registry.records import Record
from medgauge_registrar.registry.references import select
from medgauge_registrar.statistics import difficulty_function_0_1_0 as first_function


@record_check(
    "SCHEMA-BM-08",
    section="App A",
    kinds={Kind.BM_VERSION, Kind.DFN},
    reach=Reach.REFERENCES,
    watches={(Kind.DFN, "components"), (Kind.DFN, "classes")},
)
def unusable_difficulty_function(record: Record, context: Context) -> Iterator[Problem]:
    """
    A version rests on a difficulty function that is published whole: every count and every sum of points has its place.

    With a gap or an overlap a task would have no class, or two. Version 0.1.0 of the function has the points and cut points
    of Appendix A.1. Complete the bands and cut points before a version uses the function.

    Passes: bands 1–5, 6–12, 13 and more; classes 0–2, 3–4, 5–6, 7–9
    Fails: bands 1–5, 7–12, 13 and more
    """
    if record.kind is Kind.DFN:
        yield from _gaps(record)
        if record.place.version == "0.1.0":
            yield from _departures(record)
        return
    function = record["difficulty_function"]
    if isinstance(function, str):
        path = context.registry.path_of(Kind.DFN, version=function.partition("@")[2])
        # A function without a file is told by ID-06.
        published = context.registry.valid_record(path)
        if published is not None and any(True for _ in _gaps(published)):
            yield Problem(
                message=f"`{function}` is not complete, so no class follows from it",
                help=f"Complete `{path}` first.",
                pointer="/difficulty_function",
            )


def _gaps(function: Record) -> Iterator[Problem]:
    """Places where a count or a sum of points would lead nowhere, or to two places."""
    names, labels = set[str](), set[str]()
    lowest = highest = 0
    for pointer, item in select(function.document.value, "components/*"):
        component = mapping(item)
        for key, seen in (("name", names), ("label", labels)):
            value = component.get(key)
            if isinstance(value, str) and value in seen:
                yield Problem(
                    message=f"`{value}` is scored more than once",
                    help="Score each feature of a task once.",
                    pointer=f"{pointer}/{key}",
                )
            if isinstance(value, str):
                seen.add(value)
        yield from _uneven_bands(component, pointer)
        points = _points(component)
        lowest, highest = lowest + min(points), highest + max(points)
    yield from _uneven_classes(function, lowest, highest)


def _uneven_bands(component: Mapping[str, Json], pointer: str) -> Iterator[Problem]:
    bands = [mapping(band) for _, band in select(dict(component), "bands/*")]
    for index, band in enumerate(bands):
        is_last = index == len(bands) - 1
        upper = band.get("to")
        follows = None if is_last else count(bands[index + 1].get("from")) - 1
        if upper != follows:
            expected = "null, since no band follows" if is_last else f"{follows}, where the next band begins"
            yield Problem(
                message=f"the band from {band.get('from')} ends at `{_written(upper)}`, expected {expected}",
                help="Let the bands follow one another without gap or overlap, the last one open.",
                pointer=f"{pointer}/bands/{index}/to",
            )
        elif isinstance(upper, int) and upper < count(band.get("from")):
            yield Problem(
                message=f"the band from {band.get('from')} ends at {upper}",
                help="Let each band begin no later than it ends.",
                pointer=f"{pointer}/bands/{index}/to",
            )


def _uneven_classes(function: Record, lowest: int, highest: int) -> Iterator[Problem]:
    classes = [mapping(item) for _, item in select(function.document.value, "classes/*")]
    begins = lowest
    for index, item in enumerate(classes):
        ends = count(item.get("to"))
        if count(item.get("from")) != begins or ends < begins:
            yield Problem(
                message=f"class {item.get('class')} is {item.get('from')} to {ends} points, expected to begin at {begins}",
                help="Let the classes follow one another without gap or overlap.",
                pointer=f"/classes/{index}",
            )
        begins = ends + 1
    if begins != highest + 1:
        yield Problem(
            message=f"the classes end at {begins - 1} points, and the components give {lowest} to {highest}",
            help="Let the last class end at the highest sum.",
            pointer="/classes",
        )


def _departures(function: Record) -> Iterator[Problem]:
    """Where a file for version 0.1.0 is not the function of Appendix A.1."""
    expected: dict[str, object] = {**first_function.COUNT_BANDS, **first_function.YES_POINTS}
    components = [mapping(item) for _, item in select(function.document.value, "components/*")]
    found = {str(component.get("name")): _form(component) for component in components}
    for name in sorted(expected.keys() | found.keys()):
        if expected.get(name) != found.get(name):
            yield Problem(
                message=f"the component `{name}` is not that of Appendix A.1",
                help="Write version 0.1.0 as Appendix A.1 has it; publish another function under another version.",
                pointer="/components",
            )
    cuts = tuple(
        (mapping(item).get("class"), mapping(item).get("from"), mapping(item).get("to"))
        for _, item in select(function.document.value, "classes/*")
    )
    if cuts != first_function.CLASSES or function["holdout_entry_class"] != first_function.HOLDOUT_ENTRY_CLASS:
        yield Problem(
            message="cut points or holdout entry class are not those of Appendix A.1",
            help="Write version 0.1.0 as Appendix A.1 has it; publish another function under another version.",
            pointer="/classes",
        )


def _form(component: Mapping[str, Json]) -> object:
    """A component as Appendix A.1 is kept in code: its bands, or the points of a yes where a no has none."""
    if "bands" in component:
        bands = [mapping(band) for _, band in select(dict(component), "bands/*")]
        return tuple((band.get("from"), band.get("to"), band.get("points")) for band in bands)
    answers = mapping(component.get("answers"))
    return answers.get("present") if answers.get("absent") == 0 else None


def _points(component: Mapping[str, Json]) -> list[int]:
    """Points that a component can give; 0 alone for one that is only recorded."""
    given = [
        count(mapping(item).get("points"))
        for name in ("bands", "values")
        for _, item in select(dict(component), f"{name}/*")
    ]
    return given or [count(points) for points in mapping(component.get("answers")).values()] or [0]


def _written(value: Json) -> str:
    return "null" if value is None else str(value)
