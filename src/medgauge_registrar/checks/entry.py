"""The entry standard (ENT-*): what every record owes, whatever its kind."""

from collections.abc import Iterator
from functools import lru_cache

from medgauge_registrar.checks.framework import (
    Context,
    Problem,
    RecordCheck,
    path_check,
    problem_of,
    record_check,
    tree_check,
)
from medgauge_registrar.content.redlines import plain_key
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json
from medgauge_registrar.model.tree import FILE_MODES, Entry
from medgauge_registrar.registry.layout import RECORD_KINDS, Place
from medgauge_registrar.registry.openness import open_places
from medgauge_registrar.registry.reader import Syntax, read_document
from medgauge_registrar.registry.records import Record
from medgauge_registrar.registry.schemas import SCHEMA_NAMES, SUFFIX
from medgauge_registrar.registry.sources import FOLDER

# Keys by which a derived quantity could be written into a source by hand, in any spelling.
_EVIDENCE_STATE = frozenset({"evidencestate", "stateofevidence"})
_DERIVED = frozenset({"board", "boardposition", "groupletters", "rank", "ranking", "leaderboard"})
_RENDERED = (".html", ".htm", ".xhtml")


@record_check("ENT-09", section="16", kinds=RECORD_KINDS)
def unreadable_record(record: Record, _: Context) -> Iterator[Problem]:
    """
    A record file is one strict document that every reader understands alike.

    Tags, anchors, duplicate keys, foreign encodings and ambiguous words such as an unquoted `no` or `1.0` read
    differently from tool to tool, so the file that was approved would not be the file that is used. Mend the place that
    is named.

    Passes: version: 0.1.0
    Fails: version: 1.0
    """
    for fault in record.document.faults:
        yield problem_of(fault)


@record_check("ENT-02", section="16, 18", kinds=RECORD_KINDS)
def schema_breach(record: Record, context: Context) -> Iterator[Problem]:
    """
    Every record keeps the published JSON Schema of its kind.

    A record that breaks its schema does not exist for the site. Add, correct or remove the field that is named; the
    schema's own description says what belongs there.

    Passes: {"id": "std-example", "version": "0.1.0", …}
    Fails: {"id": "std-example", "version": "one"}
    """
    for problem in context.registry.schemas.problems(SCHEMA_NAMES[record.kind], record.document.value):
        described = f" {problem.described}" if problem.described else ""
        field = f"`{problem.pointer}`: " if problem.pointer else ""
        yield Problem(message=f"{field}{problem.message}", help=f"{problem.help}{described}", pointer=problem.pointer)


@record_check("ENT-11", section="12.1, 16", kinds=RECORD_KINDS)
def missing_schema(record: Record, _: Context) -> Iterator[Problem]:
    """
    Every kind of record has a published schema in the registry.

    Without one nothing says what such a record must contain, so it cannot be let in. Add the schema first, in a pull
    request of its own.

    Passes: schemas/standard.schema.json beside registry/standards/
    Fails: registry/standards/ without it
    """
    name = SCHEMA_NAMES[record.kind]
    yield Problem(
        message=f"the base branch has no `schemas/{name}{SUFFIX}` to hold this record against",
        help="Add the schema in a pull request of its own; the record follows once it is merged.",
    )


@record_check("ENT-06", section="16", kinds=RECORD_KINDS, needs_valid=False)
def written_evidence_state(record: Record, _: Context) -> Iterator[Problem]:
    """
    No source states an evidence state; it is derived when the site is built.

    A typed evidence state could say what no result supports. Remove the key, in whatever spelling.

    Passes: a capability without the key
    Fails: evidence_state: proven
    """
    for pointer, key in _keys_named(_EVIDENCE_STATE, record):
        yield Problem(
            message=f"`{key}` is derived when the site is built and never written",
            help="Remove the key.",
            pointer=pointer,
        )


@record_check("ENT-07", section="Axiom 6, 14.1", kinds=RECORD_KINDS, needs_valid=False)
def hand_typed_board(record: Record, _: Context) -> Iterator[Problem]:
    """
    No source holds a rank, a board position or group letters; they are computed from all records.

    Such figures move whenever a row joins, so a typed one is wrong sooner or later. Remove the key.

    Passes: a result record without a board position
    Fails: rank: 1
    """
    for pointer, key in _keys_named(_DERIVED, record):
        yield Problem(
            message=f"`{key}` is computed from all records and never written",
            help="Remove the key.",
            pointer=pointer,
        )


@tree_check("ENT-08", section="23", kinds={Kind.SCHEMA})
def open_schema(context: Context) -> Iterator[Problem]:
    """
    Every object that a schema describes is closed: a field it does not name is refused.

    An open object lets in what nobody reviewed, personal data and typed-in figures among it. Put
    `additionalProperties: false` (or `unevaluatedProperties: false`) on the object; where keys are free, bound them with
    `propertyNames` and `maxProperties` and give their values a schema.

    Passes: {"type": "object", "properties": {…}, "additionalProperties": false}
    Fails: {"type": "object", "properties": {…}}
    """
    tree = context.registry.tree
    schemas = [(path, entry) for path, entry in tree.walk(FOLDER) if path.endswith(SUFFIX) and entry.mode in FILE_MODES]
    for path, data in tree.read_many(schemas):
        document = read_document(data, syntax=Syntax.JSON)
        # A schema that cannot be read is reported under VER-06.
        for pointer, why in open_places(document.value) if not document.faults else ():
            yield Problem(
                message=f"`{pointer or '/'}` {why}",
                help="Close it with `additionalProperties: false`, or say what it may hold.",
                path=path,
                position=document.position(pointer),
            )


@path_check("ENT-10", section="15")
def rendered_page(place: Place, _: Entry) -> Iterator[Problem]:
    """
    No page of the website is kept among what the website is built from.

    Pages are made from records and articles; a page that is kept as a source would go stale and could say what no record
    says. Remove the file and change the record or article behind it.

    Passes: articles/2026-11-20-example.md
    Fails: articles/2026-11-20-example.html
    """
    if place.kind not in {Kind.OTHER, Kind.INFRA} and place.path.casefold().endswith(_RENDERED):
        yield Problem(
            message=f"`{place.path}` is a rendered page, and pages are built, never kept",
            help="Remove it, and change the record or article it was made from.",
        )


# The runner itself decides when these apply: before anything else can be said of a record.
READING_CHECKS: tuple[RecordCheck, ...] = (
    schema_breach,  # ENT-02
    unreadable_record,  # ENT-09
    missing_schema,  # ENT-11
)


def _keys_named(names: frozenset[str], record: Record) -> Iterator[tuple[str, str]]:
    """Every key of a record that is one of these in some spelling, with its JSON Pointer."""
    # Nearly every record has none, so their places are asked for last.
    spelled = record.once("derived keys", None, lambda: _derived_keys(record.document.value))
    for pointer, key in _places(record.document.value) if spelled else ():
        if key in spelled and plain_key(key) in names:
            yield pointer, key


def _derived_keys(value: Json) -> frozenset[str]:
    """Keys of a record, as they are spelled, under which a derived quantity would stand."""
    found: set[str] = set()
    pending = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            found |= _derived_of(tuple(node))
        items = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        pending += [item for item in items if isinstance(item, (dict, list))]
    return frozenset(found)


# The records of a kind repeat their keys.
@lru_cache(maxsize=1024)
def _derived_of(keys: tuple[str, ...]) -> frozenset[str]:
    return frozenset(key for key in keys if plain_key(key) in _EVIDENCE_STATE | _DERIVED)


def _places(value: Json) -> Iterator[tuple[str, str]]:
    """Every key of a record with its JSON Pointer."""
    pending: list[tuple[str, Json]] = [("", value)]
    while pending:
        place, node = pending.pop()
        if isinstance(node, dict):
            for key, item in node.items():
                below = f"{place}/{key.replace('~', '~0').replace('/', '~1')}"
                yield below, key
                pending.append((below, item))
        elif isinstance(node, list):
            pending.extend((f"{place}/{index}", item) for index, item in enumerate(node))
