"""Changed paths to changes: one kind, one transition and the decision rows for each, from content alone."""

from collections.abc import Iterable, Iterator, Sequence

from medgauge_registrar.classify.transitions import facets, text_facets, transition
from medgauge_registrar.content.textfile import is_opaque
from medgauge_registrar.model.change import Change, Kind, PathChange, Status
from medgauge_registrar.model.document import Json
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.policy.table import DecisionTable
from medgauge_registrar.registry.layout import Place
from medgauge_registrar.registry.records import Registry


@frozen
class Classified:
    """A change and the facets that led to its rows."""

    change: Change
    facets: frozenset[str]


def classify(
    changes: Sequence[PathChange], *, base: Registry, head: Registry, table: DecisionTable
) -> tuple[Classified, ...]:
    """
    Give every changed path its meaning, in the order of the paths.

    A file that was moved to where it is of another kind is two changes: what it was is removed, and what it becomes is
    new. So nothing is let in by a move that would not be let in as a new file. Any other renamed path is judged under
    both names.

    Args:
        changes: Raw changes from the base to the merge result.
        base: The registry before.
        head: The registry after.
        table: The decision table.

    Raises:
        ReadError: A file could not be read.
    """
    apart = sorted((half for change in changes for half in _apart(change, head)), key=lambda change: change.path)
    return tuple(_classified(change, base, head, table) for change in apart)


def rows_triggered(changes: Iterable[Classified], table: DecisionTable) -> tuple[str, ...]:
    """Ids of all rows that any change triggers, in the table's order."""
    hit = {row for classified in changes for row in classified.change.rows}
    return tuple(sorted(hit, key=lambda row: table.rows[row].order))


def _apart(change: PathChange, head: Registry) -> Iterator[PathChange]:
    """The change itself, or the two halves of a rename after which the file is of another kind."""
    if change.previous_path is None:
        yield change
        return
    if head.layout.place(change.previous_path).kind is head.layout.place(change.path).kind:
        yield change
        return
    yield PathChange(
        path=change.previous_path, previous_path=None, status=Status.REMOVED, before=change.before, after=None
    )
    yield PathChange(path=change.path, previous_path=None, status=Status.ADDED, before=None, after=change.after)


def _classified(change: PathChange, base: Registry, head: Registry, table: DecisionTable) -> Classified:
    place = head.layout.place(change.path)
    old_place = head.layout.place(change.previous_path or change.path)
    what = transition(change, place, _value(base, old_place), _value(head, place))
    found = _facets(change, place, base, head)
    rows = set(table.rows_of(place.kind, what, found))
    if change.status is Status.RENAMED:
        rows |= set(table.rows_of(old_place.kind, what, _facets(change, old_place, base, head)))
    return Classified(
        change=Change(
            path=change.path,
            previous_path=change.previous_path,
            status=change.status,
            kind=place.kind,
            object=place.object,
            transition=what,
            rows=tuple(sorted(rows, key=lambda row: table.rows[row].order)),
            before=change.before,
            after=change.after,
        ),
        facets=found,
    )


def _facets(change: PathChange, place: Place, base: Registry, head: Registry) -> frozenset[str]:
    before = _value(base, head.layout.place(change.previous_path or change.path))
    after = _value(head, head.layout.place(change.path))
    what = transition(change, place, before, after)
    if place.kind is Kind.METH:
        return text_facets(what, _text(base, change.path), _text(head, change.path))
    if place.kind is Kind.OTHER and head.has(place.path) and is_opaque(head.tree.read(place.path) or b""):
        return frozenset({"opaque"})  # what no scan can read is looked at by two (BND-13)
    return facets(change, place, what, before, after)


def _value(registry: Registry, place: Place) -> Json:
    """The record at a place; null if it is none, is absent or cannot be read."""
    record = registry.record(place.path) if place.is_record else None
    return record.document.value if record is not None and record.readable else None


def _text(registry: Registry, path: str) -> str | None:
    """A prose file; null if it is absent or no UTF-8."""
    data = registry.tree.read(path) if registry.has(path) else None
    try:
        return None if data is None else data.decode("utf-8")
    except UnicodeDecodeError:
        return None
