"""Which roles a person holds, and which seats a role gives the standing to sit in."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime

from medgauge_registrar.model.pull import User
from medgauge_registrar.model.roster import Person, Role, Roster
from medgauge_registrar.requirements.commands import PERSON

# Standing is a ladder, highest first: a higher step may sit in a lower one's seat (ROLE-13). No other role is on it.
LADDER = (Role.MAINTAINER, Role.ACCEPTOR, Role.REVIEWER)
_SUFFICES: Mapping[Role, tuple[Role, ...]] = {role: LADDER[: step + 1] for step, role in enumerate(LADDER)}


def holds(
    roster: Roster, user: User, role: Role, at_times: Iterable[datetime], *, under_any_login: bool = False
) -> bool:
    """
    Whether an account may act in a role at all of the given times.

    The roster's entry is found by numeric id, and its login must be the account's, letter case aside: an id whose login
    differs was renamed or mistyped, and does not count (A13, A14). That is right for what opens the merge; what holds it, an
    objection or a dispute, must not end with a change of name. A role counts if the entry lists it and, where
    `terms` name it, one of them covers every time. A higher step of standing counts for a lower one; it then has to be
    held in the same way itself.

    Args:
        roster: Everybody with a role; its ids are distinct.
        user: The account; only persons hold roles.
        role: The role to act in.
        at_times: Aware datetimes, the review's and now; days are UTC.
        under_any_login: Take the numeric id alone, for what holds the merge.

    Source:
        Sections 20 and 21; rules ROLE-12, ROLE-13, ROLE-14.
    """
    days = [time.astimezone(UTC).date() for time in at_times]
    return user.type == PERSON and any(
        person.id == user.id
        and (under_any_login or person.login.casefold() == user.login.casefold())
        and any(_held(person, enough, days) for enough in _SUFFICES.get(role, (role,)))
        for person in roster.people
    )


def has_role(roster: Roster, user: User, at_times: Iterable[datetime]) -> bool:
    """Whether an account, whatever its login, has any role at all of the given times: enough to hold a merge."""
    times = tuple(at_times)
    return any(holds(roster, user, role, times, under_any_login=True) for role in Role)


def _held(person: Person, role: Role, days: list[date]) -> bool:
    """Whether a person has exactly this role on all days, within one term where terms name it."""
    if role not in person.roles:
        return False
    terms = [term for term in person.terms if term.role is role]
    return not terms or any(
        all(term.from_day <= day and (term.until is None or day < term.until) for day in days) for term in terms
    )
