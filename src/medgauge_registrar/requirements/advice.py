"""What whoever sits in a seat can say so that a rule need not stay undecided, and how a dispute goes on."""

from collections.abc import Iterable, Iterator, Mapping

from medgauge_registrar.model.decision import Dispute, EvidenceState, NextStep, Row
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.roster import Role
from medgauge_registrar.requirements.disputes import VOTES
from medgauge_registrar.requirements.outcomes import OPEN


@frozen
class _Cure:
    """Rules of a row that stay undecided for want of one thing; `do` says which, and who can bring it."""

    rules: frozenset[str]
    who: str
    do: str


_SEPARATION = "`/attest separation VERSION PACKAGE`, with the benchmark version and the SHA-256 of its package"
_CURES: Mapping[str, tuple[_Cure, ...]] = {
    "M2": (
        _Cure(
            rules=frozenset({"ROLE-02"}),
            who=Role.MAINTAINER.value,
            do="sit as the reviewer, and say in the approval, on a line for each frozen version that names the reference, "
            + _SEPARATION,
        ),
        _Cure(
            rules=frozenset({"ROLE-11"}),
            who=Role.MAINTAINER.value,
            do="whether an approver wrote the reference cannot be told, since its history names people without a known account",
        ),
    ),
    "M3": (
        _Cure(
            rules=frozenset({"ROLE-01", "ROLE-02", "ROLE-03", "ROLE-07", "ROLE-18", "GATE-09"}),
            who=Role.MAINTAINER.value,
            do=f"say in the approval, on a line of its own, {_SEPARATION}",
        ),
        _Cure(
            rules=frozenset({"ROLE-06", "GATE-06", "GATE-12"}),
            who=Role.ACCEPTOR.value,
            do="say in the approval, on a line of its own, `/attest package-only VERSION PACKAGE`, with the benchmark version "
            "and the SHA-256 of the package received",
        ),
    ),
    "M14": (
        _Cure(
            rules=frozenset({"ROLE-18"}),
            who=Role.MAINTAINER.value,
            do=f"say in the approval, on a line of its own, {_SEPARATION}",
        ),
    ),
    "M18": (
        _Cure(
            rules=frozenset({"ROLE-08", "ROLE-10"}),
            who=Role.ACCEPTOR.value,
            do=f"say in the approval, on a line of its own, {_SEPARATION}",
        ),
    ),
}


def attestations_wanted(row: Row) -> tuple[NextStep, ...]:
    """What people in the seats of a row can attest to decide what is undecided; empty if there is nothing."""
    undecided = _undecided(row)
    return tuple(
        NextStep(who=cure.who, do=f"{row.id}: {cure.do} ({', '.join(hit)}).")
        for cure in _CURES.get(row.id, ())
        if (hit := [rule for rule in undecided if rule in cure.rules])
    )


def beyond_attestation(row: Row) -> list[str]:
    """Rules of a row that nobody can decide by a word of theirs."""
    curable = {rule for cure in _CURES.get(row.id, ()) for rule in cure.rules}
    return [rule for rule in _undecided(row) if rule not in curable]


def contradicted(rows: Iterable[Row], told: frozenset[str]) -> Iterator[NextStep]:
    """
    What to do where closed facts contradict a rule of separation; which facts, nobody is told here.

    Args:
        rows: All rows.
        told: Rules that public facts contradict, which a finding tells.
    """
    for row in rows:
        rules = [item.rule for item in row.separation if item.state is EvidenceState.FAILED and item.rule not in told]
        if rules:
            yield NextStep(
                who=Role.MAINTAINER.value,
                do=f"{row.id}: the closed record contradicts {', '.join(rules)}; settle it where that record is kept. No "
                "approval lifts it.",
            )


def dispute_steps(dispute: Dispute | None, voter: Role) -> Iterator[NextStep]:
    """How an open dispute comes to an end; `voter` is the lowest standing of a voter."""
    if dispute is None or dispute.outcome is not None:
        return
    if dispute.state == OPEN:
        yield NextStep(
            who=Role.MAINTAINER.value, do="A dispute is open: the merge waits for three votes and a published outcome."
        )
        yield NextStep(
            who=voter.value,
            do=f"Vote if you are independent of the matter: `/vote uphold` or `/vote overturn` and your reasons, on one line "
            f"({dispute.votes} of {VOTES} votes so far).",
        )
    else:
        yield NextStep(
            who="author",
            do="The dispute is settled: publish its outcome in `disputes/`, with the counts and the reasons.",
        )


def _undecided(row: Row) -> list[str]:
    waiting = [item.id for item in row.evidence if item.state is EvidenceState.UNDECIDED]
    waiting += [item.rule for item in row.separation if item.state is EvidenceState.UNDECIDED]
    return list(dict.fromkeys(waiting))
