"""Seat the approvals of a pull request in the rows that it triggers; all that the decision learns of people."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from types import MappingProxyType

from medgauge_registrar.model.decision import EvidenceState, Seat, SeatState, Separation, SetAside, SetAsideReview
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.pull import Pull
from medgauge_registrar.model.roster import Role, Roster
from medgauge_registrar.requirements.objections import standing_objections
from medgauge_registrar.requirements.opinions import collect_opinions
from medgauge_registrar.requirements.seats import Alone, Filling, Together, fill_seats
from medgauge_registrar.requirements.standing import LADDER, holds


@frozen
class RowNeed:
    """
    The seats that one triggered row asks for, and the conditions on who sits in them.

    A condition that governs no seat of the row could never fail, so it is refused as a mistake (`ValueError`).
    """

    id: str
    seats: tuple[Role, ...]
    alone: tuple[Alone, ...] = ()
    together: tuple[Together, ...] = ()

    def __post_init__(self) -> None:
        for condition in self.conditions:
            if not _governed(condition, self.seats):
                roles = ", ".join(self.seats) or "none"
                raise ValueError(f"{self.id} {condition.rule}: governs no seat of the row, which has {roles}")

    @property
    def conditions(self) -> tuple[Alone | Together, ...]:
        """All conditions, of either kind."""
        return (*self.alone, *self.together)


@frozen
class SeatedRow:
    """
    How far the seats of one row are filled.

    Attributes:
        id: Row.
        seats: In the order asked for; filled seats may still rest on what is `undecided` below.
        separation: Each rule of the row's conditions once, sorted: satisfied by the people seated, missing while a seat
            that it governs is open, else undecided.
        holders: Account id by seat, null for an open one; never for an output.
    """

    id: str
    seats: tuple[Seat, ...]
    separation: tuple[Separation, ...]
    holders: tuple[int | None, ...] = field(repr=False)

    @property
    def satisfied(self) -> bool:
        """Whether every seat is filled by people for whom every rule is known to hold."""
        return all(seat.state is SeatState.FILLED for seat in self.seats) and all(
            rule.state is EvidenceState.SATISFIED for rule in self.separation
        )


@frozen
class Seating:
    """
    Who has approved, row by row, and what did not count.

    Attributes:
        rows: In the order given.
        open_seats: The fewest further approvals that could fill all open seats, by role; a role occurs once a person.
        standing_objections: How many objections hold the merge.
        set_aside: Reviews that do not count, by review id.
        unknown_commit_accounts: Commits, sorted, whose people are not all known to GitHub (ROLE-23).
    """

    rows: tuple[SeatedRow, ...]
    open_seats: tuple[Role, ...]
    standing_objections: int
    set_aside: tuple[SetAsideReview, ...]
    unknown_commit_accounts: tuple[str, ...]


def seat_rows(
    pull: Pull,
    head_sha: str,
    roster: Roster,
    now: datetime,
    rows: Sequence[RowNeed],
    *,
    equivalent_heads: frozenset[str] = frozenset(),
    unchanged_since: datetime | None = None,
    updates_from_base: Mapping[str, str] = MappingProxyType({}),
    voters: frozenset[int] = frozenset(),
) -> Seating:
    """
    Fill the seats of every row from the approvals that hold for the head.

    Within a row a person sits once; the same approval serves every row. An approval that could sit in no seat of any
    row is set aside as `not-counted`, whatever the cause in roster or ledger; one that is merely not needed is not. An
    objection whose author holds no needed role is `not-counted` too.

    Args:
        pull: The public facts.
        head_sha: Commit under evaluation.
        roster: Everybody with a role.
        now: Aware UTC datetime.
        rows: The triggered rows.
        equivalent_heads: See `collect_opinions`.
        unchanged_since: See `collect_opinions`.
        updates_from_base: See `collect_opinions`.
        voters: Whose vote in a dispute about this counts; who votes on the matter does not approve it.

    Source:
        Sections 20 to 22; rules DEC-13 to DEC-17, DISP-03.
    """
    opinions = collect_opinions(
        pull,
        head_sha,
        equivalent_heads=equivalent_heads,
        unchanged_since=unchanged_since,
        updates_from_base=updates_from_base,
    )
    needed = frozenset(role for row in rows for role in row.seats)
    candidates = {
        approval.user.id: frozenset(
            role
            for role in needed
            if approval.user.id not in voters and holds(roster, approval.user, role, (approval.submitted_at, now))
        )
        for approval in opinions.approvals
    }
    seated = tuple(_seat(row, candidates) for row in rows)
    standing = standing_objections(opinions.objections, roster, needed, now)
    uncounted = [
        *(
            approval.review
            for approval in opinions.approvals
            if not any(_could_sit(row, approval.user.id, candidates) for row in rows)
        ),
        *(objection.review for objection in opinions.objections if objection not in standing),
    ]
    set_aside = [
        *opinions.set_aside,
        *(SetAsideReview(review=review, reason=SetAside.NOT_COUNTED) for review in uncounted),
    ]
    return Seating(
        rows=seated,
        open_seats=smallest_open_set(
            [seat.role for seat in row.seats if seat.state is SeatState.OPEN] for row in seated
        ),
        standing_objections=len(standing),
        set_aside=tuple(sorted(set_aside, key=lambda aside: aside.review)),
        unknown_commit_accounts=opinions.unknown_commit_accounts,
    )


def smallest_open_set(rows: Iterable[Iterable[str]]) -> tuple[Role, ...]:
    """
    The fewest people, by role, who could fill the open seats of all rows, each row on its own.

    A role is needed as often as the row that needs it most asks for it. On the ladder of standing those asked for a
    higher seat in one row serve for a lower one in another, so only the rest is asked for there.

    Args:
        rows: Roles of the open seats, by row.

    Returns:
        Roles in the order of `Role`; a role occurs once for each person.
    """
    counts = [Counter(Role(role) for role in row) for row in rows]
    asked = {role: max((count[role] for count in counts), default=0) for role in Role}
    above = 0
    for step, role in enumerate(LADDER, start=1):
        from_here_up = max((sum(count[higher] for higher in LADDER[:step]) for count in counts), default=0)
        asked[role] = max(from_here_up - above, 0)
        above += asked[role]
    return tuple(role for role in Role for _ in range(asked[role]))


def _seat(row: RowNeed, candidates: Mapping[int, frozenset[Role]]) -> SeatedRow:
    """Fill one row as far as possible."""
    filling = fill_seats(row.seats, candidates, alone=row.alone, together=row.together)
    rules = sorted({condition.rule for condition in row.conditions})
    return SeatedRow(
        id=row.id,
        seats=tuple(
            Seat(role=role, state=SeatState.OPEN if holder is None else SeatState.FILLED)
            for role, holder in zip(row.seats, filling.holders, strict=True)
        ),
        separation=tuple(Separation(rule=rule, state=_state(rule, row, filling)) for rule in rules),
        holders=filling.holders,
    )


def _could_sit(row: RowNeed, person: int, candidates: Mapping[int, frozenset[Role]]) -> bool:
    """Whether a person would fill a seat of the row if nobody else had approved."""
    return person in fill_seats(row.seats, {person: candidates[person]}, alone=row.alone).holders


def _state(rule: str, row: RowNeed, filling: Filling) -> EvidenceState:
    """Whether a rule is known to hold for the people seated."""
    governed = {
        seat for condition in row.conditions if condition.rule == rule for seat in _governed(condition, row.seats)
    }
    if any(filling.holders[seat] is None for seat in governed):
        return EvidenceState.MISSING
    return EvidenceState.UNDECIDED if rule in filling.undecided else EvidenceState.SATISFIED


def _governed(condition: Alone | Together, seats: Sequence[Role]) -> tuple[int, ...]:
    """Places of the seats that a condition speaks of; none if it could never be asked."""
    if isinstance(condition, Alone):
        return tuple(place for place, role in enumerate(seats) if role in condition.roles)
    pair = Counter((condition.first, condition.second))
    if pair - Counter(seats):
        return ()
    return tuple(place for place, role in enumerate(seats) if role in pair)
