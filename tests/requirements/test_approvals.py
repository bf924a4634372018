"""Approvals fill the seats of every row that a pull request triggers, and nothing says whose they are."""

import random
from dataclasses import replace
from datetime import date, timedelta

import pytest

from medgauge_registrar.model.decision import EvidenceState, SeatState, Separation, SetAside
from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.model.pull import Pull, ReviewState
from medgauge_registrar.model.roster import Role, Roster, Term
from medgauge_registrar.requirements.approvals import RowNeed, Seating, seat_rows
from medgauge_registrar.requirements.attestations import attestations
from medgauge_registrar.requirements.opinions import collect_opinions
from medgauge_registrar.requirements.relations import freeze_separation, not_among
from medgauge_registrar.requirements.seats import Alone, Together
from requirements.build import AUTHOR, HEAD, NOW, OLD, at, pull, review, roster, user

ACCEPTOR, MAINTAINER, REVIEWER = Role.ACCEPTOR, Role.MAINTAINER, Role.REVIEWER
RESULTS, ENGINEER = Role.RESULTS_REVIEWER, Role.REFERENCE_ENGINEER
CHANGES = ReviewState.CHANGES_REQUESTED
# Nobody knows person 8.
ROSTER = roster({2: [MAINTAINER], 3: [MAINTAINER], 4: [ACCEPTOR], 5: [REVIEWER], 6: [RESULTS], 7: [ENGINEER]})
M1 = RowNeed(id="M1", seats=(MAINTAINER,))
M2 = RowNeed(id="M2", seats=(ENGINEER, REVIEWER))
M3 = RowNeed(id="M3", seats=(ACCEPTOR, MAINTAINER))
M4 = RowNeed(id="M4", seats=(RESULTS, MAINTAINER))
M6 = RowNeed(id="M6", seats=(MAINTAINER, MAINTAINER))
OPEN, FILLED = SeatState.OPEN, SeatState.FILLED
REVIEWED = at(10)
LATER = REVIEWED + timedelta(days=5)


def seat(given: Pull, *rows: RowNeed, people: Roster = ROSTER) -> Seating:
    return seat_rows(given, HEAD, people, NOW, rows)


def approved_by(*people: int) -> Pull:
    """A pull request that these people have approved; review 10 + n is person n's."""
    return pull(*(review(10 + person, person) for person in people))


def states(seating: Seating) -> list[list[SeatState]]:
    return [[entry.state for entry in row.seats] for row in seating.rows]


def reasons(seating: Seating) -> dict[int, SetAside]:
    return {aside.review: aside.reason for aside in seating.set_aside}


@pytest.mark.parametrize(
    ("row", "people", "expected"),
    [
        (M1, [], [OPEN]),
        (M1, [2], [FILLED]),
        (M1, [4], [OPEN]),
        (M1, [AUTHOR], [OPEN]),
        (M2, [7, 5], [FILLED, FILLED]),
        (M2, [7, 4], [FILLED, FILLED]),
        (M2, [7, 2], [FILLED, FILLED]),
        (M2, [2, 5], [OPEN, FILLED]),
        (M2, [7, 6], [FILLED, OPEN]),
        (M3, [4, 2], [FILLED, FILLED]),
        (M3, [2, 3], [FILLED, FILLED]),
        (M3, [2], [OPEN, FILLED]),
        (M3, [4, 5], [FILLED, OPEN]),
        (M4, [6, 2], [FILLED, FILLED]),
        (M4, [2, 3], [OPEN, FILLED]),
        (M6, [2, 3], [FILLED, FILLED]),
        (M6, [2, 4], [FILLED, OPEN]),
    ],
)
def test_rows(row: RowNeed, people: list[int], expected: list[SeatState]) -> None:
    """Roles and cumulative standing decide; one person has one seat."""
    seating = seat(approved_by(*people), row)
    assert states(seating) == [expected]
    assert seating.rows[0].satisfied is (OPEN not in expected)


def test_same_approval_serves_every_row() -> None:
    """Counts are not added up across rows; each row is matched on its own."""
    seating = seat(approved_by(2, 6), M1, M4, M6)
    assert states(seating) == [[FILLED], [FILLED, FILLED], [FILLED, OPEN]]
    assert [row.id for row in seating.rows] == ["M1", "M4", "M6"]
    assert seating.open_seats == (MAINTAINER,)


@pytest.mark.parametrize(
    ("start", "until", "state"),
    [
        (REVIEWED.date(), None, FILLED),
        (REVIEWED.date() + timedelta(days=1), None, OPEN),
        (REVIEWED.date(), LATER.date(), OPEN),
        (REVIEWED.date(), LATER.date() + timedelta(days=1), FILLED),
    ],
)
def test_role_is_held_at_the_review_and_now(start: date, until: date | None, state: SeatState) -> None:
    """Neither a role that came after the approval counts, nor one that has gone since."""
    term = Term(role=MAINTAINER, from_day=start, until=until)
    people = Roster(people=(replace(ROSTER.people[0], terms=(term,)),))
    assert states(seat_rows(approved_by(2), HEAD, people, LATER, [M1])) == [[state]]


def test_account_under_a_new_login() -> None:
    """It is nobody until the roster says so; letter case is no new login."""
    renamed = pull(review(12, user(2, login="somebody-else")), review(13, user(3, login="EXAMPLE-person-3")))
    seating = seat(renamed, M1)
    assert seating.rows[0].holders == (3,)
    assert reasons(seating) == {12: SetAside.NOT_COUNTED}


def test_what_is_not_counted() -> None:
    """A stranger's and a useless approval are set aside; one that is merely not needed is not."""
    seating = seat(approved_by(2, 3, 5, 8), M1)
    assert reasons(seating) == {15: SetAside.NOT_COUNTED, 18: SetAside.NOT_COUNTED}
    seating = seat(approved_by(2, 5, 8), M1, M2)
    assert reasons(seating) == {18: SetAside.NOT_COUNTED}


def test_reasons_come_by_review_id() -> None:
    """Those that depend on closed facts stand among the others."""
    given = pull(review(3, 8), review(1, AUTHOR), review(2, 2, commit=OLD), review(4, 5, CHANGES))
    seating = seat(given, M1)
    assert [(aside.review, aside.reason) for aside in seating.set_aside] == [
        (1, SetAside.AUTHOR),
        (2, SetAside.NOT_ON_HEAD),
        (3, SetAside.NOT_COUNTED),
        (4, SetAside.NOT_COUNTED),
    ]


def test_objections() -> None:
    """An objection holds the merge where its author's role is needed, and takes the author's approval away."""
    given = pull(review(1, 2), review(2, 3), review(3, 3, CHANGES, minute=20), review(4, 5, CHANGES))
    seating = seat(given, M1)
    assert states(seating) == [[FILLED]]
    assert seating.standing_objections == 1
    assert reasons(seating) == {2: SetAside.SUPERSEDED, 4: SetAside.NOT_COUNTED}
    seating = seat(given, M1, M2)
    assert seating.standing_objections == 2
    assert reasons(seating) == {2: SetAside.SUPERSEDED}


def test_no_rows() -> None:
    """Nothing triggered: nothing to fill, nothing that counts."""
    seating = seat(pull(review(1, 2), review(2, 3, CHANGES)))
    assert (seating.rows, seating.open_seats, seating.standing_objections) == ((), (), 0)
    assert reasons(seating) == {1: SetAside.NOT_COUNTED, 2: SetAside.NOT_COUNTED}


def test_empty_roster_fills_nothing() -> None:
    """Without a roster nobody holds a role."""
    seating = seat(approved_by(2, 3), M6, people=Roster())
    assert states(seating) == [[OPEN, OPEN]]
    assert seating.open_seats == (MAINTAINER, MAINTAINER)


def without(*people: int, complete: bool = True) -> RowNeed:
    """The freeze, with these people known to have built the version."""
    return replace(M3, alone=(not_among("ROLE-06", frozenset({ACCEPTOR}), frozenset(people), complete=complete),))


def test_separation_is_part_of_the_seating() -> None:
    """A builder who accepts sits nowhere; a builder among the maintainers sits as maintainer, and another accepts."""
    seating = seat(approved_by(4, 2), without(4))
    assert states(seating) == [[OPEN, FILLED]]
    assert reasons(seating) == {14: SetAside.NOT_COUNTED}
    assert seating.rows[0].separation == (Separation(rule="ROLE-06", state=EvidenceState.MISSING),)
    seating = seat(approved_by(2, 3), without(2))
    assert seating.rows[0].holders == (3, 2)
    assert seating.rows[0].separation == (Separation(rule="ROLE-06", state=EvidenceState.SATISFIED),)
    assert seating.rows[0].satisfied


def test_what_cannot_be_known_is_undecided() -> None:
    """The seats are filled, and the row is not satisfied."""
    seating = seat(approved_by(4, 2), without(complete=False))
    assert states(seating) == [[FILLED, FILLED]]
    assert seating.rows[0].separation == (Separation(rule="ROLE-06", state=EvidenceState.UNDECIDED),)
    assert not seating.rows[0].satisfied
    assert reasons(seating) == {}


def test_two_conditions_of_one_rule() -> None:
    """Two versions frozen at once: the rule holds if it holds for both."""
    roles = frozenset({ACCEPTOR})
    known = not_among("ROLE-06", roles, frozenset(), complete=True)
    unknown = not_among("ROLE-06", roles, frozenset(), complete=False)
    seating = seat(approved_by(4, 2), replace(M3, alone=(known, unknown)))
    assert seating.rows[0].separation == (Separation(rule="ROLE-06", state=EvidenceState.UNDECIDED),)
    seating = seat(approved_by(4, 2), replace(M3, alone=(known, known)))
    assert seating.rows[0].satisfied


def test_relation_between_seats() -> None:
    """The pair that may sit together is found among all approvals."""
    relation = Together(
        rule="ROLE-99", first=ACCEPTOR, second=MAINTAINER, allows=lambda one, other: (one, other) == (3, 2)
    )
    row = replace(M3, together=(relation,))
    assert seat(approved_by(2, 3, 4), row).rows[0].holders == (3, 2)
    seating = seat(approved_by(2, 4), row)
    assert states(seating) == [[OPEN, FILLED]]
    assert seating.rows[0].separation == (Separation(rule="ROLE-99", state=EvidenceState.MISSING),)


def test_condition_that_governs_nothing_is_a_mistake() -> None:
    """A rule that could never be asked would pass for satisfied."""
    alone = Alone(rule="ROLE-06", roles=frozenset({ACCEPTOR}), allows=lambda person: False)
    with pytest.raises(ValueError, match="M1 ROLE-06: governs no seat of the row, which has maintainer"):
        replace(M1, alone=(alone,))
    with pytest.raises(ValueError, match="M10 ROLE-06: governs no seat of the row, which has none"):
        RowNeed(id="M10", seats=(), alone=(alone,))
    pair = Together(rule="ROLE-99", first=MAINTAINER, second=MAINTAINER, allows=lambda one, other: False)
    with pytest.raises(ValueError, match="M3 ROLE-99"):
        replace(M3, together=(pair,))
    assert replace(M6, together=(pair,)).conditions == (pair,)


SHA = "0f" * 32
VERSION = "bm-example-family@1.0.0"


def frozen(acceptor: str, maintainer: str, *, other: str = "") -> Seating:
    """A freeze without a ledger, approved by acceptor 4 and maintainers 2 and 3 with these words."""
    lines = {word: f"/attest {word} {VERSION} {SHA}" for word in ("separation", "package-only")} | {"": ""}
    given = pull(
        review(1, 4, body=lines[acceptor]), review(2, 2, body=lines[maintainer]), review(3, 3, body=lines[other])
    )
    attested = attestations(collect_opinions(given, HEAD).approvals)
    return seat(given, replace(M3, alone=freeze_separation(VERSION, SHA, Ledger(), attested)))


def test_attested_freeze() -> None:
    """The seated maintainer attests the separation and the seated acceptor the package; anything less is undecided."""
    undecided = EvidenceState.UNDECIDED
    assert frozen("package-only", "separation").rows[0].satisfied
    assert frozen("package-only", "", other="separation").rows[0].holders == (4, 3)
    for words in (("separation", "package-only"), ("package-only", ""), ("", "separation")):
        assert undecided in {rule.state for rule in frozen(*words).rows[0].separation}
    assert not frozen("package-only", "package-only").rows[0].satisfied
    crossed = frozen("", "package-only", other="separation").rows[0]
    assert (crossed.holders, crossed.satisfied) == ((2, 3), True)


def test_public_parts_name_nobody() -> None:
    """What can be printed of a seating holds neither ids nor logins."""
    many = {1000 + number: [MAINTAINER] for number in range(3)}
    given = pull(*(review(number, 1000 + number) for number in range(3)))
    seating = seat(given, M6, people=roster(many))
    assert seating.rows[0].holders == (1000, 1001)
    assert "100" not in repr(seating)
    assert "example-person" not in repr(seating)


def random_case(chance: random.Random) -> tuple[Pull, list[RowNeed], Roster]:
    """A pull request with approvals by some of eight people with random roles, and up to three rows."""
    pool = [MAINTAINER, ACCEPTOR, REVIEWER, RESULTS]
    people = roster({person: chance.sample(pool, chance.randint(0, 2)) for person in range(1, 9)})
    rows = []
    for place in range(chance.randint(1, 3)):
        seats = tuple(chance.choice(pool) for _ in range(chance.randint(1, 3)))
        barred = frozenset(chance.sample(range(1, 9), 2))
        rows.append(
            RowNeed(id=f"M{place}", seats=seats, alone=(not_among("ROLE-06", frozenset(seats), barred, complete=True),))
        )
    given = pull(
        *(
            review(
                person,
                person,
                chance.choice([ReviewState.APPROVED] * 4 + [CHANGES]),
                commit=chance.choice([HEAD, HEAD, HEAD, OLD]),
            )
            for person in chance.sample(range(1, 9), chance.randint(1, 8))
        )
    )
    return given, rows, people


def test_one_more_approval_closes_no_seat_and_one_fewer_fills_none() -> None:
    """In any row, whoever approves."""
    chance = random.Random(31)
    grown = 0
    for _ in range(1_000):
        given, rows, people = random_case(chance)
        taken = chance.choice(given.reviews)
        if taken.state is CHANGES:
            continue
        more = seat(given, *rows, people=people)
        fewer = seat(
            replace(given, reviews=tuple(entry for entry in given.reviews if entry is not taken)), *rows, people=people
        )
        pairs = [
            (before, after)
            for one, other in zip(states(fewer), states(more), strict=True)
            for before, after in zip(one, other, strict=True)
        ]
        assert (FILLED, OPEN) not in pairs
        grown += (OPEN, FILLED) in pairs
    assert grown > 100


def test_order_never_matters_and_nobody_sits_twice_in_a_row() -> None:
    """Reviews and rows in any order: the same seating; each person at most once in a row, never the author."""
    chance = random.Random(32)
    for _ in range(400):
        given, rows, people = random_case(chance)
        seating = seat(given, *rows, people=people)
        mixed = replace(given, reviews=tuple(chance.sample(given.reviews, len(given.reviews))))
        assert seat(mixed, *rows, people=people) == seating
        backwards = seat(given, *reversed(rows), people=people)
        assert (backwards.rows[::-1], backwards.set_aside) == (seating.rows, seating.set_aside)
        for row in seating.rows:
            seated = [holder for holder in row.holders if holder is not None]
            assert len(set(seated)) == len(seated)
            assert AUTHOR not in seated
