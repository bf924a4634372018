"""What has to happen next, and for whom: the author, or a role."""

from collections import Counter
from collections.abc import Iterator, Sequence

from medgauge_registrar.model.decision import (
    Dispute,
    EvidenceState,
    NextStep,
    Row,
    RowState,
    SetAside,
)
from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.model.roster import Role
from medgauge_registrar.requirements.advice import (
    attestations_wanted,
    beyond_attestation,
    contradicted,
    dispute_steps,
)
from medgauge_registrar.requirements.approvals import Seating

AUTHOR = "author"
_STALE = frozenset({SetAside.NOT_ON_HEAD, SetAside.BEFORE_HEAD})
_REVIEW_AGAIN = (
    " Reviews from before the latest push do not count: review again, or comment `/confirm` and the full head SHA."
)


def next_steps(
    *,
    findings: Sequence[Finding],
    rows: Sequence[Row],
    seating: Seating,
    conflicts: Sequence[str] | None,
    draft: bool,
    dispute: Dispute | None,
    voter: Role,
) -> tuple[NextStep, ...]:
    """List what is still to do, the author's part first; empty when nothing is."""
    return tuple(
        dict.fromkeys(
            [
                *_author(findings, rows, seating, conflicts, draft=draft),
                *_seats(seating),
                *_waiting(rows if conflicts is None else (), findings, dispute, voter),
            ]
        )
    )


def _author(
    findings: Sequence[Finding], rows: Sequence[Row], seating: Seating, conflicts: Sequence[str] | None, *, draft: bool
) -> Iterator[NextStep]:
    if conflicts is not None:
        files = "1 file" if len(conflicts) == 1 else f"{len(conflicts)} files" if conflicts else "a folder"
        yield NextStep(who=AUTHOR, do=f"Merge the base branch and resolve the conflict in {files}.")
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if errors and conflicts is None:
        rules = ", ".join(sorted({finding.rule for finding in errors}))
        count = "the error" if len(errors) == 1 else f"the {len(errors)} errors"
        yield NextStep(who=AUTHOR, do=f"Mend {count} listed below ({rules}).")
    for row in rows:
        for item in row.evidence:
            if item.by_author and item.state is EvidenceState.MISSING:
                yield NextStep(who=AUTHOR, do=f"{row.id}: {item.message} ({item.id}).")
    if seating.standing_objections:
        yield NextStep(who=AUTHOR, do="Answer the request for changes; its reviewer has to review again.")
    if draft:
        yield NextStep(who=AUTHOR, do="Mark the pull request as ready for review.")


def _seats(seating: Seating) -> Iterator[NextStep]:
    open_roles = Counter(seating.open_seats)
    for role in Role:
        if count := open_roles[role]:
            people = f"{count} people with this role" if count > 1 else "one person with this role"
            stale = any(aside.reason in _STALE for aside in seating.set_aside)
            yield NextStep(
                who=role.value, do=f"Review and approve the head ({people}).{_REVIEW_AGAIN if stale else ''}"
            )


def _waiting(
    rows: Sequence[Row], findings: Sequence[Finding], dispute: Dispute | None, voter: Role
) -> Iterator[NextStep]:
    yield from dispute_steps(dispute, voter)
    errors = (finding for finding in findings if finding.severity is Severity.ERROR)
    yield from contradicted(rows, frozenset(finding.rule for finding in errors))
    for row in rows:
        if row.state is not RowState.PENDING:
            continue
        yield from attestations_wanted(row)
        if waiting := beyond_attestation(row):
            yield NextStep(
                who=Role.MAINTAINER.value,
                do=f"{row.id} stays pending: this version of the registrar cannot decide {', '.join(waiting)} yet.",
            )
        lacking: dict[str, list[str]] = {}
        for item in row.evidence:
            if item.state is EvidenceState.MISSING and not item.by_author:
                lacking.setdefault(item.message, []).append(item.id)
        if lacking:
            told = "; ".join(f"{message} ({', '.join(ids)})" for message, ids in lacking.items())
            yield NextStep(who=Role.MAINTAINER.value, do=f"{row.id} still lacks evidence: {told}.")
