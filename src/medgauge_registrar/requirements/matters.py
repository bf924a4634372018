"""What a pull request measures, for those who may not decide on their own matter (DISP-03)."""

from collections.abc import Iterable, Iterator

from medgauge_registrar.checks.families import family_of
from medgauge_registrar.classify.classify import Classified
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.requirements.measured import Measured, measured_by, measured_on

_SUBJECTS = frozenset({Kind.RES, Kind.RP, Kind.LO, Kind.ROUND})
_FAMILIES = frozenset({Kind.BM_CARD, Kind.BM_VERSION, Kind.VOID})


def measured_in(changes: Iterable[Classified], base: Registry, head: Registry, ledger: Ledger) -> Measured:
    """
    Whom a pull request is about: subjects of its records, and of the families it touches; models, harnesses and tools by
    themselves.

    Source:
        Section 20; rule DISP-03 (inferred).
    """
    every = tuple(changes)
    places = [head.layout.place(item.change.path) for item in every]
    families = {family for place in places if place.kind in _FAMILIES and (family := family_of(place))}
    about = [
        measured_by(_records(every, base, head), base, head, ledger, named=_named(every)),
        *(measured_on(family, base, head, ledger) for family in sorted(families)),
    ]
    return Measured(
        parties=frozenset(party for one in about for party in one.parties),
        submitters=frozenset(person for one in about for person in one.submitters),
        parties_known=all(one.parties_known for one in about),
        submitters_known=all(one.submitters_known for one in about),
    )


def _records(changes: Iterable[Classified], base: Registry, head: Registry) -> Iterator[Record | None]:
    """Records that name what is measured, as they are, or were where they are gone."""
    for item in changes:
        place = head.layout.place(item.change.path)
        if place.kind in _SUBJECTS and place.is_record:
            registry = head if item.change.after is not None else base
            record = registry.record(item.change.path)
            yield record if record is not None and record.readable else None


def _named(changes: Iterable[Classified]) -> tuple[frozenset[str], frozenset[str]]:
    """Models, and harness and tool versions, that change themselves."""
    every = tuple(changes)
    return (
        frozenset(item.change.object for item in every if item.change.kind is Kind.MODEL),
        frozenset(item.change.object for item in every if item.change.kind in {Kind.HX, Kind.TL}),
    )
