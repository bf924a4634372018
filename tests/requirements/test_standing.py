"""A role counts for the right account, at the right time, and for the seats its standing gives."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from medgauge_registrar.model.roster import Person, Role, Roster, Term
from medgauge_registrar.requirements.standing import holds
from requirements.build import BOT, at, roster, user

NOON = datetime(2026, 6, 10, 12, 0, tzinfo=UTC)
DAY = NOON.date()


def on_terms(*terms: tuple[Role, date, date | None], roles: tuple[Role, ...] = (Role.REVIEWER,)) -> Roster:
    """Person 5 with these roles and terms."""
    return Roster(
        people=(
            Person(
                id=5,
                login="example-person-5",
                roles=roles,
                terms=tuple(Term(role=role, from_day=start, until=end) for role, start, end in terms),
            ),
        )
    )


@pytest.mark.parametrize("held", list(Role))
def test_seats_that_a_role_gives_standing_for(held: Role) -> None:
    """A maintainer accepts and reviews, an acceptor reviews; every other role is itself alone."""
    also = {Role.MAINTAINER: {Role.ACCEPTOR, Role.REVIEWER}, Role.ACCEPTOR: {Role.REVIEWER}}.get(held, set())
    may = {role for role in Role if holds(roster({5: [held]}), user(5), role, (at(0),))}
    assert may == {held} | also


def test_empty_roster() -> None:
    """Nobody holds anything."""
    assert not any(holds(Roster(), user(5), role, (at(0),)) for role in Role)


@pytest.mark.parametrize(
    ("login", "counts"),
    [("example-person-5", True), ("Example-PERSON-5", True), ("example-person-6", False), ("", False)],
)
def test_login_must_be_the_roster_s(login: str, counts: bool) -> None:
    """Letter case aside: an id under another login was renamed or mistyped."""
    account = replace(user(5), login=login)
    assert holds(roster({5: [Role.REVIEWER]}), account, Role.REVIEWER, (at(0),)) is counts


def test_login_alone_is_nobody() -> None:
    """A login registered anew belongs to another id."""
    assert not holds(roster({5: [Role.REVIEWER]}), user(6, login="example-person-5"), Role.REVIEWER, (at(0),))


def test_only_persons_hold_roles() -> None:
    """A bot on the roster still is a bot."""
    listed = Roster(people=(Person(id=BOT.id, login=BOT.login, roles=(Role.MAINTAINER,)),))
    assert not holds(listed, BOT, Role.MAINTAINER, (at(0),))
    assert holds(listed, replace(BOT, type="User"), Role.MAINTAINER, (at(0),))


@pytest.mark.parametrize(
    ("start", "end", "counts"),
    [
        (DAY, None, True),
        (DAY + timedelta(days=1), None, False),
        (DAY, DAY + timedelta(days=1), True),
        (DAY - timedelta(days=1), DAY, False),
        (DAY - timedelta(days=9), DAY + timedelta(days=9), True),
    ],
)
def test_term_edges(start: date, end: date | None, counts: bool) -> None:
    """The first day is in, the last is out."""
    assert holds(on_terms((Role.REVIEWER, start, end)), user(5), Role.REVIEWER, (NOON,)) is counts


def test_one_term_covers_both_days() -> None:
    """A term that ended between review and now, or one that began, does not count; nor do two with a gap or a seam."""
    review, now = NOON, NOON + timedelta(days=10)
    mid = DAY + timedelta(days=5)

    def counts(*terms: tuple[Role, date, date | None]) -> bool:
        return holds(on_terms(*terms), user(5), Role.REVIEWER, (review, now))

    assert counts((Role.REVIEWER, DAY, None))
    assert not counts((Role.REVIEWER, DAY, mid))
    assert not counts((Role.REVIEWER, mid, None))
    assert not counts((Role.REVIEWER, DAY, mid), (Role.REVIEWER, mid, None))
    assert counts((Role.REVIEWER, DAY, mid), (Role.REVIEWER, DAY, DAY + timedelta(days=11)))


def test_days_are_utc() -> None:
    """Half past one in a zone two hours ahead is still the day before."""
    early = datetime(2026, 6, 10, 1, 30, tzinfo=timezone(timedelta(hours=2)))
    assert not holds(on_terms((Role.REVIEWER, DAY, None)), user(5), Role.REVIEWER, (early,))
    assert holds(on_terms((Role.REVIEWER, DAY - timedelta(days=1), None)), user(5), Role.REVIEWER, (early,))


def test_a_term_needs_its_role_and_a_role_without_terms_needs_none() -> None:
    """Terms limit the roles they name; they give none."""
    other = (Role.DATA_STEWARD, DAY + timedelta(days=5), None)
    assert holds(on_terms(other), user(5), Role.REVIEWER, (NOON,))
    assert not holds(on_terms((Role.REVIEWER, DAY, None), roles=()), user(5), Role.REVIEWER, (NOON,))


def test_higher_standing_is_held_on_its_own_terms() -> None:
    """A maintainer whose term is over sits as reviewer only if they are one still."""
    past = (Role.MAINTAINER, DAY - timedelta(days=9), DAY)
    assert not holds(on_terms(past, roles=(Role.MAINTAINER,)), user(5), Role.REVIEWER, (NOON,))
    assert holds(on_terms(past, roles=(Role.MAINTAINER, Role.REVIEWER)), user(5), Role.REVIEWER, (NOON,))
    lapsed = (Role.REVIEWER, DAY - timedelta(days=9), DAY)
    assert holds(on_terms(lapsed, roles=(Role.MAINTAINER, Role.REVIEWER)), user(5), Role.REVIEWER, (NOON,))
