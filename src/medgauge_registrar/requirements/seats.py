"""Seat people in the seats of one row: as many as can be, under conditions on a person and between two seats."""

from bisect import bisect
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.roster import Role

# Whether a condition holds; null: it cannot be known.
Verdict: TypeAlias = bool | None
# How many conditions a seating leaves unknown, and who sits in the seats filled, in the order of these seats.
_Seating: TypeAlias = tuple[int, tuple[int, ...]]
# The scarcer standing first, so that the seat left open is the one that more people could take.
_DEMAND: Mapping[Role, int] = {role: place for place, role in enumerate(Role)}


@frozen
class Alone:
    """
    A condition on whoever sits in a seat of certain roles.

    Attributes:
        rule: Rule id (`ROLE-11`).
        roles: Seats that it governs.
        allows: Asked with an account id; the same answer each time.
    """

    rule: str
    roles: frozenset[Role]
    allows: Callable[[int], Verdict]


@frozen
class Together:
    """
    A condition between the holders of two seats.

    Attributes:
        rule: Rule id.
        first: Role of the one seat.
        second: Role of the other; where it is the same, each two such seats are asked both ways.
        allows: Asked with the account ids of the first's and the second's holder; the same answer each time.
    """

    rule: str
    first: Role
    second: Role
    allows: Callable[[int, int], Verdict]


@frozen
class Filling:
    """
    Who sits where.

    Attributes:
        holders: Account id by seat, in the order in which the seats were given; null: open.
        undecided: Rules, sorted, that cannot be known to hold for these people; the seats rest on them.
    """

    holders: tuple[int | None, ...]
    undecided: tuple[str, ...]


def fill_seats(
    seats: Sequence[Role],
    candidates: Mapping[int, frozenset[Role]],
    *,
    alone: Sequence[Alone] = (),
    together: Sequence[Together] = (),
) -> Filling:
    """
    Find a best seating: nobody in two seats, no condition broken.

    Best means, in this order: the most seats filled; the scarcer standing filled (roles in the order of `Role`); the fewest
    conditions unknown, so that people for whom all is known go before people for whom it is not; the lowest ids. So which
    seats are left open does not show what is known of anybody. The search is exact: a seating is found whenever there is
    one, and the order of arguments makes no difference.

    With one more candidate no fewer seats are filled. Without conditions between seats, and with all conditions known,
    every seat that was filled stays so.

    Args:
        seats: Roles asked for; a role can occur several times. A row has a handful: the cost doubles with each.
        candidates: By account id, the roles in which the person may sit.
        alone: Conditions on one seat's holder.
        together: Conditions between two seats' holders.
    """
    order = sorted(range(len(seats)), key=lambda seat: _DEMAND[seats[seat]])
    roles = [seats[seat] for seat in order]
    doubts = [
        {
            person: doubt
            for person in sorted(candidates)
            if role in candidates[person]
            and (doubt := _doubt([rule.allows(person) for rule in alone if role in rule.roles])) is not None
        }
        for role in roles
    ]
    unrelated = _unrelated_seatings(doubts)
    for size in range(len(roles), -1, -1):
        # In lexicographic order, so that the first has the scarcer standing.
        for pattern in combinations(range(len(roles)), size):
            if pattern not in unrelated:
                continue
            seating = _related_seating(pattern, roles, doubts, unrelated[pattern], together)
            if seating is None:
                continue
            sitting = {order[seat]: person for seat, person in zip(pattern, seating[1], strict=True)}
            return Filling(
                holders=tuple(sitting.get(seat) for seat in range(len(seats))),
                undecided=_undecided(seats, sitting, alone, together),
            )
    raise AssertionError("a seating that leaves all seats open breaks no condition")


def _doubt(verdicts: Sequence[Verdict]) -> int | None:
    """How many conditions are unknown; null if one is broken."""
    return None if False in verdicts else sum(verdict is None for verdict in verdicts)


def _unrelated_seatings(doubts: Sequence[Mapping[int, int]]) -> Mapping[tuple[int, ...], _Seating]:
    """
    Best seating of each set of seats that can be filled at once, regardless of conditions between seats.

    People are taken one by one, in the order of their ids, and either stay out or extend a set by one seat. Unlike
    augmenting paths this finds the fewest unknowns and the lowest ids in the same pass; its cost is linear in people.
    """
    best: dict[tuple[int, ...], _Seating] = {(): (0, ())}
    for person in sorted({person for seat in doubts for person in seat}):
        for pattern, (doubt, people) in list(best.items()):
            for seat, takers in enumerate(doubts):
                if person not in takers or seat in pattern:
                    continue
                place = bisect(pattern, seat)
                wider = (*pattern[:place], seat, *pattern[place:])
                seating = (doubt + takers[person], (*people[:place], person, *people[place:]))
                if wider not in best or seating < best[wider]:
                    best[wider] = seating
    return best


def _related_seating(
    pattern: tuple[int, ...],
    roles: Sequence[Role],
    doubts: Sequence[Mapping[int, int]],
    unrelated: _Seating,
    together: Sequence[Together],
) -> _Seating | None:
    """
    Best seating that fills exactly these seats under the conditions between them too; null if there is none.

    Tries people seat by seat, lowest ids first, and leaves a branch that cannot end in fewer unknowns than the best so
    far; `unrelated` is a bound that no seating can beat.
    """
    if not any(_asks(roles[one], roles[other], rule) for one, other in combinations(pattern, 2) for rule in together):
        return unrelated
    least = [min(doubts[seat].values()) for seat in pattern]
    best: _Seating | None = None

    def extend(people: tuple[int, ...], doubt: int) -> None:
        nonlocal best
        if best is not None and (best[0] == unrelated[0] or doubt + sum(least[len(people) :]) >= best[0]):
            return
        if len(people) == len(pattern):
            best = (doubt, people)
            return
        seat = pattern[len(people)]
        for person, own in doubts[seat].items():
            if person in people:
                continue
            shared = _doubt(
                [
                    verdict
                    for other, neighbour in zip(pattern, people, strict=False)
                    for rule in together
                    for verdict in _verdicts(rule, roles[other], neighbour, roles[seat], person)
                ]
            )
            if shared is not None:
                extend((*people, person), doubt + own + shared)

    extend((), 0)
    return best


def _asks(one: Role, other: Role, rule: Together) -> bool:
    """Whether a condition speaks of two seats of these roles."""
    return (one, other) in {(rule.first, rule.second), (rule.second, rule.first)}


def _verdicts(rule: Together, one: Role, holder: int, other: Role, neighbour: int) -> list[Verdict]:
    """What a condition says of two seats' holders: nothing, one verdict, or one each way for seats of one role."""
    return [
        *([rule.allows(holder, neighbour)] if (one, other) == (rule.first, rule.second) else []),
        *([rule.allows(neighbour, holder)] if (other, one) == (rule.first, rule.second) else []),
    ]


def _undecided(
    seats: Sequence[Role], sitting: Mapping[int, int], alone: Sequence[Alone], together: Sequence[Together]
) -> tuple[str, ...]:
    """Rules of which nothing can be known for the people in their seats."""
    unknown = {
        rule.rule
        for seat, person in sitting.items()
        for rule in alone
        if seats[seat] in rule.roles and rule.allows(person) is None
    }
    unknown |= {
        rule.rule
        for (one, holder), (other, neighbour) in combinations(sorted(sitting.items()), 2)
        for rule in together
        if None in _verdicts(rule, seats[one], holder, seats[other], neighbour)
    }
    return tuple(sorted(unknown))
