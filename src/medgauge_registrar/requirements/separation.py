"""Which conditions of separation a row puts on its seats."""

from collections.abc import Iterable, Sequence

from medgauge_registrar.classify.classify import Classified
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.roster import Role, Roster
from medgauge_registrar.policy.table import TableRow
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.requirements.relations import not_among
from medgauge_registrar.requirements.seats import Alone


def conditions(
    row: TableRow, seats: Sequence[Role], changes: Iterable[Classified], head: Registry, roster: Roster
) -> tuple[Alone, ...]:
    """
    Conditions that hold inside the matching of one row.

    Args:
        row: Row of the table.
        seats: Its seats.
        changes: The changes that triggered it.
        head: The registry after the change.
        roster: Who belongs to which institution and party.
    """
    if "ROLE-21" not in row.separation or not seats:
        return ()
    organisations = {
        str(record["organisation"]).casefold()
        for item in changes
        if item.change.kind is Kind.RP
        and (record := head.record(item.change.path)) is not None
        and record["organisation"] is not None
    }
    if not organisations:
        return ()
    named = frozenset(
        person.id
        for person in roster.people
        if not organisations.isdisjoint(name.casefold() for name in (person.institution or "", *person.parties))
    )
    return (not_among("ROLE-21", frozenset(seats), named, complete=True),)
