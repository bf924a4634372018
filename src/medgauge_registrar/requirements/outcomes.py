"""Published outcomes of disputes, held against the votes (DISP-02, DISP-03, DISP-04)."""

from collections import Counter
from collections.abc import Iterator, Mapping

from medgauge_registrar.checks.fields import count, mapping
from medgauge_registrar.model.change import Change, Kind, Status
from medgauge_registrar.model.decision import Dispute, EvidenceState
from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.requirements.disputes import VOTES, Proceedings, Round
from medgauge_registrar.requirements.evidence import Answer, EvidenceView, Provider

OPEN, SETTLED = "open", "settled"


@frozen
class Standing:
    """
    How a dispute stands.

    Attributes:
        dispute: What a decision says of it; null if nobody opened one.
        held: Whether it holds the merge.
        finding: What is wrong, where the vote went against the change; null otherwise.
    """

    dispute: Dispute | None
    held: bool
    finding: Finding | None


def standing_of(found: Proceedings, number: int, head: Registry, *, refuses: bool) -> Standing:
    """
    Say how the disputes of a pull request stand.

    The merge is held until the third vote and until the outcome, with the same counts, is published in the merge result. An
    outcome never stands in for an approval; a change that was overturned does not merge as it is, whoever approves.

    Args:
        found: What became of the commands.
        number: Of the pull request.
        head: The registry after the change.
        refuses: Whether a change that lost its dispute is refused: something else than outcomes changes, and the table says so.

    Source:
        Section 22; rules DISP-01, DISP-04. That an overturned change is refused is inferred.
    """
    current = found.current
    if not found.disputed or current is None:
        return Standing(dispute=None, held=False, finding=None)
    settled = current.settled_at is not None
    published = settled and not Counter(one.counts for one in found.rounds) - Counter(_published(number, head))
    outcome = ("overturned" if current.overturned else "upheld") if published else None
    return Standing(
        dispute=Dispute(state=SETTLED if settled else OPEN, votes=len(current.votes), outcome=outcome),
        held=not published,
        finding=_overturned() if current.overturned and refuses else None,
    )


def votes_cast(view: EvidenceView) -> Answer:
    """Whether three votes stand behind each outcome that is published (DISP-02)."""
    if (several := _several(view)) is not None:
        return several
    current = view.proceedings.current
    votes = 0 if current is None else len(current.votes)
    if current is not None and current.settled_at is not None:
        return Answer(state=EvidenceState.SATISFIED, message="three votes were cast here")
    return Answer(state=EvidenceState.MISSING, message=f"{votes} of {VOTES} votes were cast on this pull request")


def independent_voters(view: EvidenceView) -> Answer:
    """Whether the three who voted are independent of the matter (DISP-03); others are never counted."""
    current = view.proceedings.current
    if current is not None and current.settled_at is not None:
        return Answer(state=EvidenceState.SATISFIED, message="only votes of independent people were counted")
    return Answer(state=EvidenceState.MISSING, message="three independent people have not voted yet")


def outcome_as_voted(view: EvidenceView) -> Answer:
    """Whether each outcome says what the votes came to, and stays as it was published (DISP-04)."""
    if (several := _several(view)) is not None:
        return several
    faults, rounds = list[str](), [one for one in view.proceedings.rounds if one.settled_at is not None]
    for change in _outcomes(view):
        record = view.head.valid_record(change.path)
        if change.status is not Status.ADDED:
            faults.append(f"`{change.path}` was published before and stays as it is")
        elif record is None:
            return Answer(state=EvidenceState.UNDECIDED, message=f"`{change.path}` breaks its schema or cannot be read")
        elif view.proceedings.disputed and record["pull_request"] != view.pull.number:
            faults.append(f"`{change.path}` is about pull request {record['pull_request']}, and the votes here are not")
        elif rounds and _counts(record) not in [one.counts for one in rounds]:
            faults.append(_differs(record, rounds))
    if faults:
        return Answer(state=EvidenceState.FAILED, message="; ".join(faults))
    if not rounds:
        return Answer(state=EvidenceState.MISSING, message="the outcome can be published once three votes are in")
    return Answer(state=EvidenceState.SATISFIED, message="outcome, counts and reasons are published as voted")


OUTCOMES: Mapping[str, Provider] = {
    "DISP-02": votes_cast,
    "DISP-03": independent_voters,
    "DISP-04": outcome_as_voted,
}


def _several(view: EvidenceView) -> Answer | None:
    """A refusal where one vote would have to serve several outcomes."""
    changed, rounds = len(list(_outcomes(view))), len(view.proceedings.rounds)
    if changed <= max(rounds, 1):
        return None
    return Answer(
        state=EvidenceState.FAILED, message=f"{changed} outcomes are published, and one vote decides one; split them"
    )


def _outcomes(view: EvidenceView) -> Iterator[Change]:
    return (item.change for item in view.own if item.change.kind is Kind.DISPUTE)


def _published(number: int, head: Registry) -> Iterator[tuple[int, int]]:
    """Counts of every outcome in the registry that is about a pull request."""
    for path, _ in head.tree.walk(head.layout.folder(Kind.DISPUTE)):
        record = head.valid_record(path) if head.layout.place(path).kind is Kind.DISPUTE else None
        if record is not None and record["pull_request"] == number:
            yield _counts(record)


def _counts(record: Record) -> tuple[int, int]:
    votes = mapping(record["votes"])
    return count(votes.get("uphold")), count(votes.get("overturn"))


def _differs(record: Record, rounds: list[Round]) -> str:
    uphold, overturn = _counts(record)
    cast = " or ".join(f"{one.counts[0]} to {one.counts[1]}" for one in rounds)
    return f"`{record.path}` says {uphold} to {overturn}, and the votes here are {cast} (uphold to overturn)"


def _overturned() -> Finding:
    return Finding(
        rule="DISP-01",
        severity=Severity.ERROR,
        message="a dispute went against this change, so it does not merge as it is",
        help="Publish the outcome alone, and propose what the reasons ask for; a later head can be disputed and upheld anew.",
        source="section 22",
    )
