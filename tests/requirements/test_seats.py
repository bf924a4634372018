"""Seats are filled as far as can be, under every condition, and always in the same way."""

import random
from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement

import pytest

from medgauge_registrar.model.roster import Role
from medgauge_registrar.requirements.approvals import smallest_open_set
from medgauge_registrar.requirements.seats import Alone, Filling, Together, Verdict, fill_seats
from requirements.oracle import best, people_suffice, unknowns

ACCEPTOR, MAINTAINER, REVIEWER = Role.ACCEPTOR, Role.MAINTAINER, Role.REVIEWER
RESULTS, ENGINEER = Role.RESULTS_REVIEWER, Role.REFERENCE_ENGINEER


def people(**roles: Sequence[Role]) -> dict[int, frozenset[Role]]:
    """Candidates: `p5=[...]` is account 5."""
    return {int(name[1:]): frozenset(held) for name, held in roles.items()}


def barred(role: Role, verdicts: Mapping[int, Verdict], rule: str = "ROLE-06") -> Alone:
    """A condition on one role; who is not named is allowed."""
    return Alone(rule=rule, roles=frozenset({role}), allows=lambda person: verdicts.get(person, True))


def related(first: Role, second: Role, verdicts: Mapping[tuple[int, int], Verdict]) -> Together:
    """A condition between two roles; which pair is not named is allowed."""
    return Together(rule="PAIR", first=first, second=second, allows=lambda one, other: verdicts.get((one, other), True))


def filled(filling: Filling) -> int:
    return sum(holder is not None for holder in filling.holders)


def test_two_people_fill_two_seats() -> None:
    """Each sits where they can."""
    filling = fill_seats([ACCEPTOR, MAINTAINER], people(p5=[ACCEPTOR], p4=[MAINTAINER]))
    assert filling == Filling(holders=(5, 4), undecided=())


def test_one_person_with_two_roles_leaves_a_seat_open() -> None:
    """Nobody sits twice; the scarcer standing is filled, so that the open seat is the one more people could take."""
    filling = fill_seats([ACCEPTOR, MAINTAINER], people(p5=[ACCEPTOR, MAINTAINER]))
    assert filling.holders == (None, 5)


def test_greedy_seating_would_starve_a_seat() -> None:
    """First come, first seated would put 4 in the maintainer's seat and leave 5 nothing to sit in."""
    candidates = people(p4=[RESULTS, MAINTAINER], p5=[MAINTAINER])
    assert fill_seats([MAINTAINER, RESULTS], candidates).holders == (5, 4)
    assert fill_seats([RESULTS, MAINTAINER], candidates).holders == (4, 5)


def test_chain_of_moves() -> None:
    """The last to come makes everybody else move on."""
    candidates = people(p1=[MAINTAINER, ACCEPTOR], p2=[ACCEPTOR, REVIEWER], p3=[REVIEWER, RESULTS], p4=[MAINTAINER])
    assert filled(fill_seats([MAINTAINER, ACCEPTOR, REVIEWER, RESULTS], candidates)) == 4


def test_condition_moves_a_person_to_another_seat() -> None:
    """A builder cannot accept, but can be the maintainer while the other maintainer accepts."""
    candidates = people(p4=[ACCEPTOR, MAINTAINER], p5=[ACCEPTOR, MAINTAINER])
    rule = barred(ACCEPTOR, {4: False})
    assert fill_seats([ACCEPTOR, MAINTAINER], candidates, alone=[rule]).holders == (5, 4)
    rule = barred(ACCEPTOR, {4: False, 5: False})
    assert fill_seats([ACCEPTOR, MAINTAINER], candidates, alone=[rule]).holders == (None, 4)


def test_condition_between_seats_is_part_of_the_search() -> None:
    """The only pair that may sit together is found, though it has the highest ids."""
    candidates = people(p1=[ACCEPTOR], p2=[ACCEPTOR], p3=[MAINTAINER], p4=[MAINTAINER])
    rule = related(ACCEPTOR, MAINTAINER, {(1, 3): False, (1, 4): False, (2, 3): False})
    assert fill_seats([ACCEPTOR, MAINTAINER], candidates, together=[rule]).holders == (2, 4)
    rule = related(ACCEPTOR, MAINTAINER, {(one, other): False for one in (1, 2) for other in (3, 4)})
    assert fill_seats([ACCEPTOR, MAINTAINER], candidates, together=[rule]).holders == (None, 3)


def test_condition_between_seats_of_one_role_is_asked_both_ways() -> None:
    """Who sits in the first of two equal seats is chance, so one refusal is enough."""
    candidates = people(p1=[MAINTAINER], p2=[MAINTAINER], p3=[MAINTAINER])
    rule = related(MAINTAINER, MAINTAINER, {(2, 1): False})
    assert fill_seats([MAINTAINER, MAINTAINER], candidates, together=[rule]).holders == (1, 3)


def test_the_known_go_before_the_unknown() -> None:
    """Of two who could sit, the one for whom all is known does; the unknown one only if there is nobody else."""
    rule = barred(ACCEPTOR, {1: None})
    both = fill_seats([ACCEPTOR], people(p1=[ACCEPTOR], p2=[ACCEPTOR]), alone=[rule])
    assert both == Filling(holders=(2,), undecided=())
    alone = fill_seats([ACCEPTOR], people(p1=[ACCEPTOR]), alone=[rule])
    assert alone == Filling(holders=(1,), undecided=("ROLE-06",))


def test_open_seats_show_nothing_of_what_is_known() -> None:
    """Somebody who could sit in either seat sits in the scarcer one, also where less is known of them there."""
    either = {1: frozenset({ACCEPTOR, MAINTAINER})}
    for verdict in (True, None):
        known = Alone(rule="ROLE-01", roles=frozenset({MAINTAINER}), allows=lambda _, verdict=verdict: verdict)
        assert fill_seats([ACCEPTOR, MAINTAINER], either, alone=[known]).holders == (None, 1)


def test_unknown_relations_are_named() -> None:
    """A seating that rests on a relation nobody knows says so, and a known pair is preferred to it."""
    candidates = people(p1=[ACCEPTOR], p2=[MAINTAINER], p3=[MAINTAINER])
    unknown = related(ACCEPTOR, MAINTAINER, {(1, 2): None, (1, 3): None})
    assert fill_seats([ACCEPTOR, MAINTAINER], candidates, together=[unknown]) == Filling(
        holders=(1, 2), undecided=("PAIR",)
    )
    known = related(ACCEPTOR, MAINTAINER, {(1, 2): None})
    assert fill_seats([ACCEPTOR, MAINTAINER], candidates, together=[known]) == Filling(holders=(1, 3), undecided=())


def test_no_seats_and_nobody() -> None:
    """A row without seats is filled by nobody; nobody fills no seat."""
    assert fill_seats([], people(p1=[MAINTAINER])) == Filling(holders=(), undecided=())
    assert fill_seats([MAINTAINER], {}) == Filling(holders=(None,), undecided=())


def test_dozens_of_candidates() -> None:
    """Four related seats and forty people, of whom one pair alone may sit together in the first two."""
    everybody = {number: frozenset({MAINTAINER, ACCEPTOR, REVIEWER, RESULTS}) for number in range(1, 41)}
    rule = Together(rule="PAIR", first=ACCEPTOR, second=MAINTAINER, allows=lambda one, other: (one, other) == (40, 39))
    filling = fill_seats([ACCEPTOR, MAINTAINER, REVIEWER, RESULTS], everybody, together=[rule])
    assert filling.holders[:2] == (40, 39)
    assert filled(filling) == 4


class Case:
    """A random row: seats, candidates and both kinds of condition, small enough to try everything."""

    def __init__(self, chance: random.Random, *, relations: bool, answers: Sequence[Verdict]) -> None:
        pool = chance.sample([MAINTAINER, ACCEPTOR, REVIEWER, RESULTS], 3)
        self.seats = [chance.choice(pool) for _ in range(chance.choice([1, 2, 2, 3, 3, 4]))]
        numbers = chance.sample(range(1, 30), chance.choice([0, 1, 2, 3, 3, 4]))
        self.candidates = {number: frozenset(role for role in pool if chance.random() < 0.6) for number in numbers}
        self.alone = [
            barred(chance.choice(pool), {number: chance.choice(answers) for number in numbers}, rule=f"ALONE-{place}")
            for place in range(chance.choice([0, 1, 2]))
        ]
        pairs = [(one, other) for one in numbers for other in numbers]
        self.together = [
            related(chance.choice(pool), chance.choice(pool), {pair: chance.choice(answers) for pair in pairs})
            for _ in range(chance.choice([0, 1, 1, 2]) if relations else 0)
        ]

    def fill(self) -> Filling:
        return fill_seats(self.seats, self.candidates, alone=self.alone, together=self.together)


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_trying_everything(seed: int) -> None:
    """On 20,000 random rows the seating is one, fills the most seats, and leaves the least unknown."""
    chance = random.Random(seed)
    sizes = set()
    for _ in range(5_000):
        case = Case(chance, relations=True, answers=[True, True, True, False, None])
        filling = case.fill()
        doubt = unknowns(case.seats, case.candidates, case.alone, case.together, filling.holders)
        assert doubt is not None
        assert (filled(filling), doubt) == best(case.seats, case.candidates, case.alone, case.together)
        assert (doubt == 0) == (filling.undecided == ())
        sizes.add((filled(filling), len(case.seats)))
    assert {(0, 1), (1, 2), (2, 2), (3, 3), (2, 3), (4, 4)} <= sizes


def test_order_of_arguments_makes_no_difference() -> None:
    """Seats, people and conditions in any order: the same people sit in the same roles."""
    chance = random.Random(11)
    for _ in range(2_000):
        case = Case(chance, relations=True, answers=[True, True, False, None])
        first = case.fill()
        seats = chance.sample(case.seats, len(case.seats))
        candidates = dict(chance.sample(list(case.candidates.items()), len(case.candidates)))
        again = fill_seats(
            seats,
            candidates,
            alone=chance.sample(case.alone, len(case.alone)),
            together=chance.sample(case.together, len(case.together)),
        )
        assert again.undecided == first.undecided
        assert sorted(zip(seats, again.holders, strict=True), key=str) == sorted(
            zip(case.seats, first.holders, strict=True), key=str
        )


def test_one_more_candidate_closes_no_seat() -> None:
    """With all conditions known and none between seats, a filled seat stays filled when somebody joins."""
    chance = random.Random(12)
    grown = 0
    for _ in range(2_500):
        case = Case(chance, relations=False, answers=[True, True, False])
        if not case.candidates:
            continue
        after = case.fill()
        case.candidates.pop(chance.choice(list(case.candidates)))
        before = case.fill()
        assert all(now is not None or then is None for then, now in zip(before.holders, after.holders, strict=True))
        grown += filled(after) > filled(before)
    assert grown > 250


def test_one_more_candidate_never_lowers_the_number_of_filled_seats() -> None:
    """Whatever the conditions; which seats these are may change where two seats' holders must agree."""
    chance = random.Random(13)
    for _ in range(2_000):
        case = Case(chance, relations=True, answers=[True, False, None])
        if not case.candidates:
            continue
        after = case.fill()
        case.candidates.pop(chance.choice(list(case.candidates)))
        assert filled(case.fill()) <= filled(after)


@pytest.mark.parametrize(
    ("rows", "asked"),
    [
        ([], []),
        ([[]], []),
        ([[MAINTAINER], [MAINTAINER]], [MAINTAINER]),
        ([[MAINTAINER, MAINTAINER], [MAINTAINER, RESULTS]], [MAINTAINER, MAINTAINER, RESULTS]),
        ([[REVIEWER], [MAINTAINER]], [MAINTAINER]),
        ([[REVIEWER, ENGINEER], [ACCEPTOR]], [ENGINEER, ACCEPTOR]),
        ([[ACCEPTOR, MAINTAINER], [REVIEWER]], [MAINTAINER, ACCEPTOR]),
    ],
)
def test_smallest_open_set(rows: list[list[Role]], asked: list[Role]) -> None:
    """One person serves every row, and a higher standing serves for a lower one elsewhere."""
    assert smallest_open_set(rows) == tuple(asked)


def test_smallest_open_set_is_smallest_and_asks_for_no_higher_standing_than_needed() -> None:
    """On random rows the people asked for suffice, fewer do not, and no one of them could be of lower standing."""
    chance = random.Random(14)
    roles = [MAINTAINER, ACCEPTOR, REVIEWER, RESULTS]
    ladder = roles[:3]
    for _ in range(300):
        rows = [[chance.choice(roles) for _ in range(chance.randint(0, 2))] for _ in range(chance.randint(1, 3))]
        asked = smallest_open_set(rows)
        assert people_suffice(asked, rows)
        if asked:
            assert not any(
                people_suffice(fewer, rows) for fewer in combinations_with_replacement(roles, len(asked) - 1)
            )
        for place, role in enumerate(asked):
            for lower in ladder[ladder.index(role) + 1 :] if role in ladder else []:
                assert not people_suffice((*asked[:place], lower, *asked[place + 1 :]), rows)
