"""Whose authors a decision has to know: grading references that are listed, or that a freeze rests on."""

from collections.abc import Iterable, Mapping

from medgauge_registrar.classify.transitions import is_frozen
from medgauge_registrar.model.change import Kind, PathChange
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.registry.references import select


def references_in_question(
    changes: Iterable[PathChange], base: Registry, head: Registry
) -> Mapping[str, tuple[str, ...]]:
    """
    Find the grading references whose authors matter to a pull request.

    Args:
        changes: Raw changes from the base to the merge result.
        base: The registry before.
        head: The registry after.

    Returns:
        By id, sorted, the paths of all versions of the reference: a later version is mostly an earlier one's text.

    Source:
        Sections 11.3 (gate 9), 20 and 22; rules ROLE-02, ROLE-11.
    """
    wanted = {name for change in changes for name in _named(head.layout.place(change.path).kind, change, base, head)}
    return {name: _paths(name, base, head) for name in sorted(wanted)}


def summarised_references(version: Record) -> tuple[str, ...]:
    """References that the public summary of a benchmark version names, as `gr-…@x.y.z`."""
    named = select(version.document.value, "reference_summary/*/grading_reference")
    return tuple(value for _, value in named if isinstance(value, str))


def _named(kind: Kind, change: PathChange, base: Registry, head: Registry) -> set[str]:
    record = head.record(change.path) if kind in {Kind.LIFECYCLE, Kind.BM_VERSION} else None
    if record is None:
        return set()
    if kind is Kind.LIFECYCLE:
        name = record.place.id or ""
        return {name} if name.startswith("gr-") and record["listing"] == "listed" else set()
    before = base.record(change.path)
    if not is_frozen(record.document.value) or (before is not None and is_frozen(before.document.value)):
        return set()
    # A name that could lead out of its folder is no identifier, and is told by the schema.
    return {name for one in summarised_references(record) if "/" not in (name := one.partition("@")[0])}


def _paths(name: str, base: Registry, head: Registry) -> tuple[str, ...]:
    return tuple(
        sorted(
            {
                registry.path_of(Kind.GR, gr=name, version=version)
                for registry in (base, head)
                for version in registry.versions(Kind.GR, gr=name)
            }
        )
    )
