"""Whose authors a decision has to know: the harness and tool versions that results measure."""

from collections.abc import Iterable, Mapping

from medgauge_registrar.checks.fields import texts
from medgauge_registrar.model.change import Kind, PathChange
from medgauge_registrar.registry.records import Record, Registry


def subjects_in_question(changes: Iterable[PathChange], head: Registry) -> Mapping[str, tuple[str, ...]]:
    """
    Find the harness and tool versions behind the results of a pull request.

    Returns:
        By reference (`hx-…@x.y.z`), sorted, the path of its file.

    Source:
        Section 20 and Axiom 6; rule ROLE-04 (inferred).
    """
    paths = [change.path for change in changes if head.layout.place(change.path).kind is Kind.RES]
    records = [record for path in paths if (record := head.valid_record(path)) is not None]
    named = {reference for record in records for reference in subjects_of(record)}
    return {reference: (_path(reference, head),) for reference in sorted(named)}


def subjects_of(result: Record) -> tuple[str, ...]:
    """What a result measures beside the model: its harness and components, each as `hx-…@x.y.z` or `tl-…@x.y.z`."""
    return (str(result["harness"]), *texts(result["components"]))


def _path(reference: str, registry: Registry) -> str:
    name, _, version = reference.partition("@")
    kind, field = (Kind.HX, "hx") if name.startswith("hx-") else (Kind.TL, "tl")
    return registry.path_of(kind, **{field: name, "version": version})
