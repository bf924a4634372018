"""An objection holds the merge if its author holds a role that the pull request needs."""

from dataclasses import replace
from datetime import date

import pytest

from medgauge_registrar.model.roster import Role, Roster, Term
from medgauge_registrar.requirements.objections import standing_objections
from medgauge_registrar.requirements.opinions import Objection
from requirements.build import NOW, at, roster, user

OBJECTION = Objection(user=user(5), review=1, submitted_at=at(0))


def stands(people: Roster, *needed: Role, objection: Objection = OBJECTION) -> bool:
    return standing_objections([objection], people, frozenset(needed), NOW) == (objection,)


@pytest.mark.parametrize(
    ("held", "needed", "holds"),
    [
        ([Role.MAINTAINER], [Role.MAINTAINER], True),
        ([Role.MAINTAINER], [Role.REVIEWER], True),
        ([Role.ACCEPTOR], [Role.REVIEWER, Role.REFERENCE_ENGINEER], True),
        ([Role.REVIEWER], [Role.MAINTAINER], False),
        ([Role.MAINTAINER], [Role.RESULTS_REVIEWER], False),
        ([Role.EXPERT_REVIEWER], [Role.REVIEWER], False),
        ([Role.MAINTAINER], [], False),
        ([], [Role.MAINTAINER], False),
    ],
)
def test_needed_roles(held: list[Role], needed: list[Role], holds: bool) -> None:
    """Cumulative standing included."""
    assert stands(roster({5: held}), *needed) is holds


def test_a_change_of_login_takes_no_objection_back_and_an_unknown_account_has_none() -> None:
    """The numeric id says who objects; whoever holds no role holds no merge."""
    people = roster({5: [Role.MAINTAINER]})
    renamed = replace(OBJECTION, user=user(5, login="somebody-else"))
    assert stands(people, Role.MAINTAINER, objection=renamed)
    assert not stands(people, Role.MAINTAINER, objection=replace(OBJECTION, user=user(6)))


def test_lapsed_role() -> None:
    """An objection lapses with the role; without a time only the present role is asked for."""
    person = roster({5: [Role.MAINTAINER]}).people[0]
    began = Roster(people=(replace(person, terms=(Term(role=Role.MAINTAINER, from_day=NOW.date(), until=None),)),))
    over = Roster(
        people=(replace(person, terms=(Term(role=Role.MAINTAINER, from_day=date(2020, 1, 1), until=NOW.date()),)),)
    )
    earlier = replace(OBJECTION, submitted_at=at(-3000))
    assert not stands(over, Role.MAINTAINER, objection=earlier)
    assert not stands(began, Role.MAINTAINER, objection=earlier)
    assert stands(began, Role.MAINTAINER, objection=replace(OBJECTION, submitted_at=None))


def test_by_review_id() -> None:
    """In whatever order they come."""
    people = roster({5: [Role.MAINTAINER], 6: [Role.MAINTAINER]})
    other = Objection(user=user(6), review=2, submitted_at=at(-5))
    for order in ([OBJECTION, other], [other, OBJECTION]):
        assert standing_objections(order, people, frozenset({Role.MAINTAINER}), NOW) == (OBJECTION, other)
