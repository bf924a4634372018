"""Which requests for changes hold the merge."""

from collections.abc import Iterable
from datetime import datetime

from medgauge_registrar.model.roster import Role, Roster
from medgauge_registrar.requirements.opinions import Objection
from medgauge_registrar.requirements.standing import holds


def standing_objections(
    objections: Iterable[Objection], roster: Roster, needed: frozenset[Role], now: datetime
) -> tuple[Objection, ...]:
    """
    Keep the objections of people who hold a role that the pull request needs, by review id.

    What keeps an approval from a seat (a closed fact, a relation to another seat) is no reason to ignore an objection:
    only the role counts, and the account is known by its numeric id alone. Objections of bots and of whoever opened the
    pull request never get here.

    Args:
        objections: From `collect_opinions`; one without a time is judged by the roles held now.
        roster: Everybody with a role.
        needed: Roles of all seats of all rows.
        now: Aware UTC datetime.

    Source:
        Section 22; rule DEC-17.
    """
    return tuple(
        sorted(
            (
                objection
                for objection in objections
                if any(
                    holds(roster, objection.user, role, (objection.submitted_at or now, now), under_any_login=True)
                    for role in needed
                )
            ),
            key=lambda objection: objection.review,
        )
    )
