"""What the matcher should find, by trying everybody in every seat; slow, short and without a thought of its own."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations, product

from medgauge_registrar.model.roster import Role
from medgauge_registrar.requirements.seats import Alone, Together


def unknowns(
    seats: Sequence[Role],
    candidates: Mapping[int, frozenset[Role]],
    alone: Sequence[Alone],
    together: Sequence[Together],
    holders: Sequence[int | None],
) -> int | None:
    """How many conditions are unknown in a seating; null if somebody sits wrongly or a condition is broken."""
    sitting = [(role, holder) for role, holder in zip(seats, holders, strict=True) if holder is not None]
    people = [holder for _, holder in sitting]
    if len(set(people)) != len(people) or any(role not in candidates[holder] for role, holder in sitting):
        return None
    verdicts = [rule.allows(holder) for role, holder in sitting for rule in alone if role in rule.roles]
    verdicts += [
        rule.allows(one, other)
        for (role, one), (second, other) in permutations(sitting, 2)
        for rule in together
        if (role, second) == (rule.first, rule.second)
    ]
    return None if False in verdicts else verdicts.count(None)


def best(
    seats: Sequence[Role],
    candidates: Mapping[int, frozenset[Role]],
    alone: Sequence[Alone],
    together: Sequence[Together],
) -> tuple[int, int]:
    """
    The most seats that can be filled, and the fewest unknown conditions with which that can be done.

    Where not all can be filled, the scarcer standing is, whatever is known of whoever sits there.
    """
    scarcest = sorted(range(len(seats)), key=lambda seat: list(Role).index(seats[seat]))
    found = []
    for holders in product([None, *candidates], repeat=len(seats)):
        doubt = unknowns(seats, candidates, alone, together, holders)
        if doubt is not None:
            taken = [place for place, seat in enumerate(scarcest) if holders[seat] is not None]
            found.append((-len(taken), taken, doubt))
    size, _, doubt = min(found)
    return -size, doubt


_LADDER = [Role.REVIEWER, Role.ACCEPTOR, Role.MAINTAINER]


def serves(asked: Role, seat: Role) -> bool:
    """Whether a person asked for one role may sit in a seat."""
    return asked == seat or (asked in _LADDER and seat in _LADDER and _LADDER.index(asked) > _LADDER.index(seat))


def people_suffice(asked: Sequence[Role], rows: Iterable[Sequence[Role]]) -> bool:
    """Whether these people can fill all of the open seats of each row."""
    return all(
        any(
            all(serves(person, seat) for person, seat in zip(order, row, strict=False))
            for order in permutations(asked, len(row))
        )
        for row in rows
    )
