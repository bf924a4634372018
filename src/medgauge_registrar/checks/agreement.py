"""The methodology version is the same wherever it is written (VER-06, VER-07)."""

from collections.abc import Iterator

from medgauge_registrar.checks.framework import Context, Problem, tree_check
from medgauge_registrar.checks.printed_thresholds import misprinted_thresholds
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Position
from medgauge_registrar.model.tree import FILE_MODES
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.registry.layout import VERSION
from medgauge_registrar.registry.methodology_text import MethodologyText, methodology_of, text_path
from medgauge_registrar.registry.reader import Syntax, read_document
from medgauge_registrar.registry.records import Registry, version_key
from medgauge_registrar.registry.schemas import SUFFIX
from medgauge_registrar.registry.sources import FOLDER

_VERSION_IN_ADDRESS = lazy_pattern(rf"/({VERSION})/")


@tree_check("VER-06", section="29", kinds={Kind.SCHEMA, Kind.METH})
def foreign_schema_version(context: Context) -> Iterator[Problem]:
    """
    The `$id` of every schema carries the version of the methodology in force.

    Schemas are published with the text and version with it; the address tells a reader by which rules a record was judged.
    Raise the version in all addresses together with the text.

    Passes: https://medgauge.org/schemas/0.1.0/standard.schema.json under methodology 0.1.0
    Fails: the same address under methodology 0.2.0
    """
    registry = context.registry
    version = methodology_of(registry.tree, registry.layout).version
    paths = [(path, entry) for path, entry in registry.tree.walk(FOLDER) if path.endswith(SUFFIX)]
    for path, data in registry.tree.read_many((path, entry) for path, entry in paths if entry.mode in FILE_MODES):
        document = read_document(data, syntax=Syntax.JSON)
        identifier = document.value.get("$id") if isinstance(document.value, dict) else None
        found = _VERSION_IN_ADDRESS.findall(identifier) if isinstance(identifier, str) else []
        if document.faults:
            yield Problem(
                message=f"the schema cannot be read: {document.faults[0].message}",
                help="Write plain JSON.",
                path=path,
                position=document.faults[0].position,
            )
        elif len(found) != 1:
            yield Problem(
                message=f"`$id` is `{identifier}`, expected an address with one version in it",
                help=f"Write an address such as `https://medgauge.org/schemas/{version or '0.1.0'}/{path.rpartition('/')[2]}`.",
                path=path,
                position=document.position("/$id"),
            )
        elif found[0] != version:
            yield Problem(
                message=f"`$id` carries version `{found[0]}`, and the methodology is at {_shown(version)}",
                help="Write the version of the methodology text into the address.",
                path=path,
                position=document.position("/$id"),
            )


@tree_check("VER-07", section="29, Preamble, App B", kinds={Kind.METH, Kind.SCHEMA, Kind.LVL})
def disagreeing_versions(context: Context) -> Iterator[Problem]:
    """
    Title line, citation, change log and level rules name one methodology version, and Appendix B the thresholds of the rules.

    A reader who cites the text must not find another version on the next page, nor another threshold than programs go by.
    Change all places together; a new version also takes a row in the change log and new level rules.

    Passes: Version 0.2.0 · 2026-11-29, cited as version 0.2.0, newest row 0.2.0
    Fails: Version 0.2.0 · 2026-11-29, cited as version 0.1.0
    """
    registry = context.registry
    path, text = text_path(registry.layout), methodology_of(registry.tree, registry.layout)
    if text.version is None or text.date is None:
        yield Problem(
            message="the text has no title line, or title lines that differ",
            help="Write one line `Version x.y.z · YYYY-MM-DD` at its top.",
            path=path,
            position=_at(text.title_line),
        )
        return
    if text.cited_version != text.version:
        yield Problem(
            message=f"the citation names {_shown(text.cited_version)}, and the title line `{text.version}`",
            help=f"Write a paragraph `Cite as: …, version {text.version} (…)`.",
            path=path,
            position=_at(text.citation_line or text.title_line),
        )
    if text.logged_version != text.version:
        yield Problem(
            message=f"the newest row of the change log is of {_shown(text.logged_version)}, and the title line `{text.version}`",
            help=f"Enter version `{text.version}` in the table of Appendix D, with columns Version, Date and Change.",
            path=path,
            position=_at(_newest_line(text)),
        )
    yield from _level_rules(registry, text.version)
    yield from misprinted_thresholds(registry)


def _level_rules(registry: Registry, version: str) -> Iterator[Problem]:
    versions = registry.versions(Kind.LVL)
    if not versions:
        return
    path = registry.path_of(Kind.LVL, version=max(versions, key=version_key))
    record = registry.record(path)
    found = None if record is None else record["methodology"]
    if found != version:
        yield Problem(
            message=f"the newest level rules belong to methodology {_shown(found)}, and the text is `{version}`",
            help=f"Add level rules for methodology `{version}` as a new file beside them.",
            path=path,
            position=None if record is None else record.document.position("/methodology"),
        )


def _newest_line(text: MethodologyText) -> int | None:
    rows = [row.line for row in text.change_log if row.version == text.logged_version]
    return rows[0] if rows else text.log_line or text.title_line


def _at(line: int | None) -> Position | None:
    return None if line is None else Position(line=line, column=1)


def _shown(version: object) -> str:
    return f"`{version}`" if isinstance(version, str) else "no version that can be read"
