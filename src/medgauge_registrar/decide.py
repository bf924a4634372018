"""The pure decision: a snapshot of trees, pull-request facts, policy, people and time gives one verdict."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from medgauge_registrar import __version__
from medgauge_registrar.checks.changes import check_changes
from medgauge_registrar.checks.framework import Context
from medgauge_registrar.checks.run import check_reached
from medgauge_registrar.classify.classify import Classified, classify, rows_triggered
from medgauge_registrar.model.change import Kind, PathChange
from medgauge_registrar.model.decision import (
    Decision,
    Digests,
    Dispute,
    Evidence,
    EvidenceState,
    Row,
    RowState,
    SeatState,
    Separation,
    State,
)
from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.model.pull import Pull, User
from medgauge_registrar.model.roster import Role, Roster
from medgauge_registrar.model.tree import Tree
from medgauge_registrar.policy.combinations import refused_combinations
from medgauge_registrar.policy.load import Policy
from medgauge_registrar.policy.table import TableRow
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.registry.schemas import SchemaSet
from medgauge_registrar.requirements.approvals import RowNeed, SeatedRow, Seating, seat_rows
from medgauge_registrar.requirements.attestations import Attestation, attestations
from medgauge_registrar.requirements.authorship import unknown_authors
from medgauge_registrar.requirements.disputes import open_dispute
from medgauge_registrar.requirements.evidence import EvidenceView, judge, unjudged
from medgauge_registrar.requirements.opinions import collect_opinions
from medgauge_registrar.requirements.providers import PROVIDERS
from medgauge_registrar.requirements.separation import separated
from medgauge_registrar.requirements.separation_view import Separated, SeparationView, worst
from medgauge_registrar.requirements.steps import next_steps

# A day that has begun anywhere on earth is not in the future (UTC+14).
_FURTHEST_AHEAD = timedelta(hours=14)
# Rules of separation that a row asks for only where one of its changes calls for them.
_CONDITIONAL = frozenset({"ROLE-21"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Snapshot:
    """
    Everything a decision depends on.

    Attributes:
        base_sha: Tip of the base branch.
        head_sha: Commit under evaluation.
        merge_base: Commit both descend from.
        base: Tree at the tip of the base branch.
        merged: Tree of the merge result; of the head where the two conflict.
        merge_tree: Object id of the merge result; null on a conflict.
        conflicts: Paths that do not merge.
        changes: Raw changes from the base to the merge result (from the merge base to the head on a conflict).
        pull: Public facts; its commits are exactly those from the merge base to the head.
        policy: Decision table, layout and settings of the base.
        schemas: Schemas of the base.
        trial: What a change of schemas would break (`ENT-05`); empty if no schema changes.
        roster: Who holds which role.
        ledger: Closed facts of separation.
        equivalent_heads: Earlier heads that carry the same change (a pure update from the base lies between).
        updates_from_base: Commits that only merge the base.
        digests: Of the inputs.
        now: Aware UTC datetime.
        reference_authors: By grading-reference id, who wrote it over its whole history (`git/authorship.py`).
    """

    base_sha: str
    head_sha: str
    merge_base: str
    base: Tree
    merged: Tree
    merge_tree: str | None
    conflicts: tuple[str, ...]
    changes: tuple[PathChange, ...]
    pull: Pull
    policy: Policy
    schemas: SchemaSet
    trial: tuple[Finding, ...]
    roster: Roster = field(repr=False)
    ledger: Ledger = field(repr=False)
    equivalent_heads: frozenset[str]
    updates_from_base: frozenset[str]
    digests: Digests
    now: datetime
    reference_authors: Mapping[str, tuple[User | None, ...]] = field(default_factory=dict)


def decide(snapshot: Snapshot) -> Decision:
    """
    Decide one pull request.

    Promises the same decision for the same snapshot, and `approved` only if every row that the change triggers is
    satisfied and nothing was found wrong.

    Raises:
        ReadError: A tree could not be read whole; no verdict is made of it.
    """
    table, layout = snapshot.policy.table, snapshot.policy.layout
    base = Registry(snapshot.base, layout, snapshot.schemas)
    head = Registry(snapshot.merged, layout, snapshot.schemas)
    context = Context(
        registry=head, settings=snapshot.policy.settings, latest_day=(snapshot.now + _FURTHEST_AHEAD).date()
    )
    changes = sorted(snapshot.changes, key=lambda change: change.path)
    classified = classify(changes, base=base, head=head, table=table)
    findings = _findings(snapshot, context, base, classified)
    triggered = [table.rows[row] for row in rows_triggered(classified, table)]
    attested = _attested(snapshot)
    seats = [_seats(row, classified) for row in triggered]
    apart = [
        _separated(row, own, classified, base, head, snapshot, attested)
        for row, own in zip(triggered, seats, strict=True)
    ]
    seating = seat_rows(
        snapshot.pull,
        snapshot.head_sha,
        snapshot.roster,
        snapshot.now,
        [
            RowNeed(id=row.id, seats=own, alone=rules.alone, together=rules.together)
            for row, own, rules in zip(triggered, seats, apart, strict=True)
        ],
        equivalent_heads=snapshot.equivalent_heads,
        updates_from_base=snapshot.updates_from_base,
    )
    findings = _sorted([*findings, *unknown_authors(seating.unknown_commit_accounts, classified)])
    rows = tuple(
        _row(row, seated, rules, classified, findings, snapshot, base, head)
        for row, seated, rules in zip(triggered, seating.rows, apart, strict=True)
    )
    dispute = open_dispute(snapshot.pull, snapshot.roster, snapshot.now)
    return Decision(
        state=_state(snapshot, findings, rows, seating, dispute),
        pull=snapshot.pull.number,
        base_sha=snapshot.base_sha,
        head_sha=snapshot.head_sha,
        merge_base=snapshot.merge_base,
        merge_tree=snapshot.merge_tree,
        digests=snapshot.digests,
        decided_at=snapshot.now,
        registrar_version=__version__,
        changes=tuple(item.change for item in classified),
        rows=rows,
        findings=findings,
        set_aside=seating.set_aside,
        dispute=dispute,
        next_steps=next_steps(
            findings=findings,
            rows=rows,
            seating=seating,
            conflicts=snapshot.conflicts if snapshot.merge_tree is None else None,
            draft=snapshot.pull.draft,
            dispute=dispute,
        ),
    )


def _findings(
    snapshot: Snapshot, context: Context, base: Registry, classified: Sequence[Classified]
) -> tuple[Finding, ...]:
    """Everything that is wrong with the merge result, or with the step to it; the conflicts alone if there are any."""
    if snapshot.merge_tree is None:
        return _sorted(_conflict(path) for path in snapshot.conflicts or (None,))
    changes = tuple(item.change for item in classified)
    return _sorted(
        [
            *check_reached(context, base, changes),
            *check_changes(context, base, changes),
            *refused_combinations(changes, snapshot.policy.table, snapshot.policy.layout),
            *snapshot.trial,
        ]
    )


def _conflict(path: str | None) -> Finding:
    """A path, or a folder that cannot be named, on which branch and base conflict."""
    what = f"`{path}`" if path is not None else "a folder"
    return Finding(
        rule="DEC-23",
        severity=Severity.ERROR,
        message=f"{what} changed on the base branch too, and the two changes conflict",
        help="Merge the base branch into this branch, resolve the conflict and push.",
        source="section 22",
        path=path,
    )


def _attested(snapshot: Snapshot) -> Mapping[int, frozenset[Attestation]]:
    """What the accounts whose approval holds for the head have attested in it."""
    opinions = collect_opinions(
        snapshot.pull,
        snapshot.head_sha,
        equivalent_heads=snapshot.equivalent_heads,
        updates_from_base=snapshot.updates_from_base,
    )
    return attestations(opinions.approvals)


def _seats(row: TableRow, classified: Iterable[Classified]) -> tuple[Role, ...]:
    """The seats that a row asks for, given its changes."""
    found = frozenset(facet for item in classified if row.id in item.change.rows for facet in item.facets)
    return (*row.seats, *(extra.role for extra in row.extra_seats if extra.facets & found))


def _separated(
    row: TableRow,
    seats: tuple[Role, ...],
    classified: Sequence[Classified],
    base: Registry,
    head: Registry,
    snapshot: Snapshot,
    attested: Mapping[int, frozenset[Attestation]],
) -> Separated:
    """What the rules of separation of a row come to."""
    view = SeparationView(
        seats=seats,
        own=tuple(item for item in classified if row.id in item.change.rows),
        changes=tuple(classified),
        pull=snapshot.pull,
        base=base,
        head=head,
        settings=snapshot.policy.settings,
        roster=snapshot.roster,
        ledger=snapshot.ledger,
        attested=attested,
        reference_authors=snapshot.reference_authors,
    )
    return separated(row.id, view)


def _row(
    row: TableRow,
    seated: SeatedRow,
    rules: Separated,
    classified: Sequence[Classified],
    findings: Sequence[Finding],
    snapshot: Snapshot,
    base: Registry,
    head: Registry,
) -> Row:
    """One row as the pull request meets it."""
    own = tuple(item for item in classified if row.id in item.change.rows)
    found = frozenset(facet for item in own for facet in item.facets)
    faults = _faults(own, classified, findings, snapshot)
    known = _separation_states(seated, rules)
    view = EvidenceView(
        pull=snapshot.pull,
        base=base,
        head=head,
        changes=tuple(classified),
        own=own,
        settings=snapshot.policy.settings,
        ledger=snapshot.ledger,
        seated=seated,
        separation=known,
        now=snapshot.now,
    )
    needs = [need for need in row.evidence if not need.facets or need.facets & found]
    if snapshot.merge_tree is None:
        evidence = tuple(unjudged(need, "not judged while the branch conflicts with its base") for need in needs)
    else:
        evidence = tuple(judge(need, faults, view, PROVIDERS) for need in needs)
    separation = tuple(_separation(rule, known) for rule in row.separation if rule in known or rule not in _CONDITIONAL)
    return Row(
        id=row.id,
        state=_row_state(row, seated, evidence, separation, faults),
        because=row.because,
        source=f"section {row.section}",
        seats=seated.seats,
        evidence=evidence,
        separation=separation,
    )


def _faults(
    own: Iterable[Classified], classified: Iterable[Classified], findings: Iterable[Finding], snapshot: Snapshot
) -> list[Finding]:
    """
    Findings that count against a row: at its own changes, at no file, and at files that nothing in the branch touches.

    The last are what the branch breaks elsewhere; whose change did it cannot be told, so they count against every row. A
    schema answers for every record that it no longer admits.
    """
    paths, touched = _paths(own), _paths(classified)
    by_schema = set(snapshot.trial) if any(item.change.kind is Kind.SCHEMA for item in own) else set()
    return [
        finding
        for finding in findings
        if finding.path is None or finding.path in paths or finding.path not in touched or finding in by_schema
    ]


def _paths(changes: Iterable[Classified]) -> set[str]:
    return {path for item in changes for path in (item.change.path, item.change.previous_path or item.change.path)}


def _separation_states(seated: SeatedRow, rules: Separated) -> Mapping[str, EvidenceState]:
    """What is known of each rule of separation of a row, from the people seated and from closed facts."""
    by_seat = {separation.rule: separation.state for separation in seated.separation}
    # Authors, committers, pushers and triggerers never enter the matching, so a filled seat keeps the rule.
    filled = all(seat.state is SeatState.FILLED for seat in seated.seats)
    by_seat["DEC-15"] = EvidenceState.SATISFIED if filled else EvidenceState.MISSING
    return {
        rule: worst(states[rule] for states in (by_seat, rules.known) if rule in states)
        for rule in sorted(by_seat.keys() | rules.known.keys())
    }


def _separation(rule: str, known: Mapping[str, EvidenceState]) -> Separation:
    return Separation(rule=rule, state=known.get(rule, EvidenceState.UNDECIDED))


def _row_state(
    row: TableRow,
    seated: SeatedRow,
    evidence: Sequence[Evidence],
    separation: Sequence[Separation],
    faults: Sequence[Finding],
) -> RowState:
    blocked = (
        row.refused
        or any(fault.severity is Severity.ERROR for fault in faults)
        or EvidenceState.FAILED in {*(item.state for item in evidence), *(item.state for item in separation)}
        or any(item.state is EvidenceState.MISSING and item.by_author for item in evidence)
    )
    if blocked:
        return RowState.BLOCKED
    complete = (
        all(seat.state is SeatState.FILLED for seat in seated.seats)
        and all(item.state is EvidenceState.SATISFIED for item in evidence)
        and all(item.state is EvidenceState.SATISFIED for item in separation)
    )
    return RowState.SATISFIED if complete else RowState.PENDING


def _state(
    snapshot: Snapshot,
    findings: Sequence[Finding],
    rows: Sequence[Row],
    seating: Seating,
    dispute: Dispute | None,
) -> State:
    """The verdict; the first that applies."""
    blocked = (
        snapshot.merge_tree is None
        or seating.standing_objections
        or any(finding.severity is Severity.ERROR for finding in findings)
        or any(row.state is RowState.BLOCKED for row in rows)
    )
    if blocked:
        return State.BLOCKED
    nothing_changed = not snapshot.changes and snapshot.merge_tree == snapshot.base.oid
    satisfied = all(row.state is RowState.SATISFIED for row in rows) and (bool(rows) or nothing_changed)
    held = snapshot.pull.draft or (dispute is not None and dispute.state == "open")
    return State.APPROVED if satisfied and not held else State.PENDING


def _sorted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(set(findings), key=lambda finding: finding.order))
