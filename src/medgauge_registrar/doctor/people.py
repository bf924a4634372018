"""Which rows a roster can never fill, by row id alone."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from medgauge_registrar.model.checkup import Item, by_hand, good, wrong
from medgauge_registrar.model.pull import User
from medgauge_registrar.model.roster import Role, Roster
from medgauge_registrar.policy.table import DecisionTable
from medgauge_registrar.requirements.commands import PERSON
from medgauge_registrar.requirements.seats import fill_seats
from medgauge_registrar.requirements.standing import holds


def look_at_roster(roster: Roster, table: DecisionTable, now: datetime) -> Iterator[Item]:
    """Whether every row finds somebody for each seat, if none of them has written the change."""
    rows = unfillable_rows(roster, table, now)
    if rows:
        yield wrong(
            "roster",
            f"can never fill these rows: {', '.join(rows)}",
            "add people or roles; until then no pull request that triggers one of them can be approved",
        )
    else:
        yield good("roster", "has people for every seat of every row, at least where none of them is the author")
    if bare := [row for row in unfillable_rows(roster, table, now, spare=True) if row not in rows]:
        yield by_hand(
            "roster",
            f"has nobody to spare in these rows: {', '.join(bare)}",
            "what a bot opened or pushed waits there for ever; let people open such pull requests, or add people",
        )


def unfillable_rows(roster: Roster, table: DecisionTable, now: datetime, *, spare: bool = False) -> tuple[str, ...]:
    """
    Ids of the rows that have a seat which stays open whatever happens, in the table's order.

    A row that asks for another seat of some changes is among them only if it cannot be filled without that seat.

    Args:
        roster: Who holds which role.
        table: The decision table.
        now: Terms are judged at this time; aware.
        spare: Whether a row has to be filled whichever one person is left out.
    """
    standing = {
        person.id: frozenset(_roles(roster, User(id=person.id, login=person.login, type=PERSON), now))
        for person in roster.people
    }
    casts = [standing]
    if spare:
        casts = [{other: roles for other, roles in standing.items() if other != person} for person in standing]
    return tuple(
        row.id
        for row in sorted(table.rows.values(), key=lambda row: row.order)
        if any(None in fill_seats(row.seats, cast).holders for cast in casts)
    )


def _roles(roster: Roster, user: User, now: datetime) -> Iterable[Role]:
    return (role for role in Role if holds(roster, user, role, [now]))
