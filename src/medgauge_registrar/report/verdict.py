"""What is missing, in a few words: the first line of the comment and the description of the status."""

from collections.abc import Iterable, Iterator

from medgauge_registrar.model.decision import (
    Decision,
    Evidence,
    EvidenceState,
    Row,
    RowState,
    SeatState,
    Separation,
    State,
)
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.report.escape import shorten
from medgauge_registrar.report.words import count, count_places, in_ranges, role_name

_IDS_NAMED = 4
_ROLES_NAMED = 4
_STEP_CHARACTERS = 160


def reasons(decision: Decision) -> tuple[str, ...]:
    """
    Why the state is what it is, most urgent first; at least one reason.

    The parts are plain text and may hold foreign text: escape them for the place they go to.
    """
    match decision.state:
        case State.APPROVED:
            return tuple(_approved(decision))
        case State.ERROR:
            return (_first_step(decision, with_role=False) or "an input could not be read whole",)
        case State.BLOCKED:
            blocking = list(_blocking(decision)) or [_first_step(decision) or "see the rows"]
            return (*blocking, *_waiting(decision))
        case State.PENDING:
            return tuple(_waiting(decision)) or (_first_step(decision) or "see the rows",)


def rows_satisfied(decision: Decision) -> str:
    """How many rows are satisfied: `all 3 rows satisfied`, `1 of 2 rows satisfied`."""
    satisfied = sum(row.state is RowState.SATISFIED for row in decision.rows)
    of_how_many = (
        "all " if satisfied == len(decision.rows) > 1 else "" if satisfied == len(decision.rows) else f"{satisfied} of "
    )
    return f"{of_how_many}{count(len(decision.rows), 'row')} satisfied"


def has_conflict(decision: Decision) -> bool:
    """Whether there is no merge result to judge although everything could be read."""
    return decision.state is State.BLOCKED and decision.merge_tree is None


def has_error(decision: Decision) -> bool:
    """Whether anything found is an error."""
    return any(finding.severity is Severity.ERROR for finding in decision.findings)


def is_owed(evidence: Evidence) -> bool:
    """Whether evidence is missing that only the author can add: it blocks rather than waits."""
    return evidence.state is EvidenceState.MISSING and evidence.by_author


def waits_for_seat(row: Row, separation: Separation) -> bool:
    """Whether a rule of separation waits for nothing but an open seat, of which the report tells already."""
    return separation.state is EvidenceState.MISSING and any(seat.state is SeatState.OPEN for seat in row.seats)


def wants_spare(row: Row, separation: Separation) -> bool:
    """Whether a rule of separation is missing although every seat is filled, since one of the approvers may not count."""
    return separation.state is EvidenceState.MISSING and not waits_for_seat(row, separation)


def _approved(decision: Decision) -> Iterator[str]:
    if not decision.changes and not decision.rows:
        yield "merging this changes nothing"
        return
    yield rows_satisfied(decision)
    if decision.findings:
        yield f"{count_places(decision.findings)} to read"


def _blocking(decision: Decision) -> Iterator[str]:
    if has_conflict(decision):
        yield "conflict with the base branch"
    errors = [finding for finding in decision.findings if finding.severity is Severity.ERROR]
    if errors:
        yield count_places(errors)
    failed = _rules_in(decision, EvidenceState.FAILED)
    if failed:
        yield f"failed: {_named(failed)}"
    owed = [one.id for row in decision.rows for one in row.evidence if is_owed(one)]
    if owed:
        yield f"missing from the author: {_named(owed)}"


def _waiting(decision: Decision) -> Iterator[str]:
    if decision.dispute and decision.dispute.state == "open":
        yield f"open dispute with {count(decision.dispute.votes, 'vote')} so far"
    needed = _open_seats(decision)
    if needed:
        seats = [count(number, role_name(shorten(role, 60))) for role, number in needed.items()]
        more = [f"{len(seats) - _ROLES_NAMED} more roles"] if len(seats) > _ROLES_NAMED else []
        yield "needs " + ", ".join(seats[:_ROLES_NAMED] + more)
    spare = [one.rule for row in decision.rows for one in row.separation if wants_spare(row, one)]
    if spare:
        yield f"needs a spare approver: {_named(spare)}"
    missing = [rule for rule in _rules_in(decision, EvidenceState.MISSING) if rule not in spare]
    if missing:
        yield f"evidence missing: {_named(missing)}"
    undecided = _rules_in(decision, EvidenceState.UNDECIDED)
    if undecided:
        yield f"undecided: {_named(undecided)}"


def _open_seats(decision: Decision) -> dict[str, int]:
    """Open seats by role: the most any one row lacks, since one approval serves several rows."""
    needed: dict[str, int] = {}
    for row in decision.rows:
        open_roles = [seat.role for seat in row.seats if seat.state is SeatState.OPEN]
        for role in open_roles:
            needed[role] = max(needed.get(role, 0), open_roles.count(role))
    return needed


def _rules_in(decision: Decision, state: EvidenceState) -> list[str]:
    """Ids of evidence and of separation in a state, without what the author owes and what an open seat stands for."""
    rules: list[str] = []
    for row in decision.rows:
        rules += [one.id for one in row.evidence if one.state is state and not is_owed(one)]
        rules += [one.rule for one in row.separation if one.state is state and not waits_for_seat(row, one)]
    return rules


def _named(rules: Iterable[str]) -> str:
    names = in_ranges(dict.fromkeys(shorten(rule, 60) for rule in rules))
    more = f" and {len(names) - _IDS_NAMED} more" if len(names) > _IDS_NAMED else ""
    return ", ".join(names[:_IDS_NAMED]) + more


def _first_step(decision: Decision, *, with_role: bool = True) -> str:
    if not decision.next_steps:
        return ""
    step = decision.next_steps[0]
    role = f"{role_name(shorten(step.who, 60))} → " if with_role else ""
    return role + shorten(step.do, _STEP_CHARACTERS)
