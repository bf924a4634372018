"""The pure decision: a snapshot of trees, pull-request facts, policy, people and time gives one verdict."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime, timedelta

from medgauge_registrar import __version__
from medgauge_registrar.checks.changes import check_changes
from medgauge_registrar.checks.content_branch import check_branch
from medgauge_registrar.checks.framework import Context
from medgauge_registrar.checks.run import check_reached
from medgauge_registrar.classify.classify import Classified, classify, rows_triggered
from medgauge_registrar.content.canaries import Canaries
from medgauge_registrar.model.answer import CommandAnswer
from medgauge_registrar.model.branch import Branch
from medgauge_registrar.model.change import Kind, PathChange
from medgauge_registrar.model.decision import Decision, Digests, EvidenceState, Row, RowState, State
from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.model.pull import Pull, User
from medgauge_registrar.model.roster import Roster
from medgauge_registrar.model.tree import Tree
from medgauge_registrar.policy.combinations import refused_combinations
from medgauge_registrar.policy.load import Policy
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.registry.schemas import SchemaSet
from medgauge_registrar.requirements.answers import answers
from medgauge_registrar.requirements.approvals import Seating, seat_rows
from medgauge_registrar.requirements.authorship import unknown_authors
from medgauge_registrar.requirements.automation import hidden_hand
from medgauge_registrar.requirements.builders import builder_vouches
from medgauge_registrar.requirements.disputes import mentions_dispute, proceedings
from medgauge_registrar.requirements.matters import measured_in
from medgauge_registrar.requirements.opinions import Opinions, collect_opinions
from medgauge_registrar.requirements.origin import foreign_results
from medgauge_registrar.requirements.outcomes import Standing, standing_of
from medgauge_registrar.requirements.providers import PROVIDERS
from medgauge_registrar.requirements.requests import request_notices
from medgauge_registrar.requirements.rows import Scene, ask, evaluate
from medgauge_registrar.requirements.silenced import silenced_words
from medgauge_registrar.requirements.steps import next_steps
from medgauge_registrar.requirements.subject_authors import authors_vouch

# A day that has begun anywhere on earth is not in the future (UTC+14).
_FURTHEST_AHEAD = timedelta(hours=14)


@frozen
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
        unchanged_since: Since when every head has carried that change; null: unknown.
        updates_from_base: Commits that only merge the base, each with the head that it was merged into.
        digests: Of the inputs.
        now: Aware UTC datetime.
        reference_authors: By grading-reference id, who wrote it over its whole history (`git/authorship.py`).
        subject_authors: By reference, who wrote the harness and tool versions that results measure.
        branch: What the branch has shown besides the merge result (BND-11).
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
    updates_from_base: Mapping[str, str]
    digests: Digests
    now: datetime
    reference_authors: Mapping[str, tuple[User | None, ...]] = field(default_factory=dict)
    subject_authors: Mapping[str, tuple[User | None, ...]] = field(default_factory=dict)
    branch: Branch = field(default=Branch(), repr=False)
    unchanged_since: datetime | None = None


def decide(snapshot: Snapshot) -> Decision:
    """
    Decide one pull request.

    Promises the same decision for the same snapshot, and `approved` only if every row that the change triggers is
    satisfied and nothing was found wrong.

    Raises:
        ReadError: A tree could not be read whole; no verdict is made of it.
    """
    seen = _seen(snapshot)
    whole = _judged(snapshot, seen)
    hidden = hidden_hand(snapshot.pull, _own_accord(snapshot.policy, seen.classified), snapshot.updates_from_base)
    if hidden is None:
        return whole
    approvers = {approval.user.id for approval in _opinions(snapshot).approvals}
    parts = [_judged(_without(person, snapshot), seen) for person in sorted(approvers)]
    return _holding_without_any(whole, parts, hidden)


@frozen
class _Seen:
    """What a decision rests on whoever has approved: the registry before and after, the changes, and what is wrong."""

    base: Registry
    head: Registry
    classified: tuple[Classified, ...]
    findings: tuple[Finding, ...]


def _seen(snapshot: Snapshot) -> _Seen:
    base, head, classified = _classified(snapshot)
    context = Context(
        registry=head,
        settings=snapshot.policy.settings,
        latest_day=(snapshot.now + _FURTHEST_AHEAD).date(),
        canaries=Canaries(key=snapshot.ledger.canary_key, digests=snapshot.ledger.canary_digests),
    )
    findings = _findings(snapshot, context, base, classified)
    return _Seen(base=base, head=head, classified=classified, findings=findings)


def _judged(snapshot: Snapshot, seen: _Seen) -> Decision:
    """The decision with the people who have spoken."""
    table, classified = snapshot.policy.table, seen.classified
    triggered = [table.rows[row] for row in rows_triggered(classified, table)]
    scene = _scene(snapshot, seen.base, seen.head, classified)
    asked = [ask(row, scene) for row in triggered]
    seating = seat_rows(
        snapshot.pull,
        snapshot.head_sha,
        snapshot.roster,
        snapshot.now,
        [need for need, _ in asked],
        equivalent_heads=snapshot.equivalent_heads,
        unchanged_since=snapshot.unchanged_since,
        updates_from_base=snapshot.updates_from_base,
        voters=scene.proceedings.voters,
    )
    standing = standing_of(
        scene.proceedings,
        snapshot.pull.number,
        seen.head,
        refuses=table.overturned_is_refused and any(item.change.kind is not Kind.DISPUTE for item in classified),
    )
    findings = _sorted(
        [
            *seen.findings,
            *unknown_authors(seating.unknown_commit_accounts, classified),
            *foreign_results(snapshot.pull, snapshot.policy.settings, classified),
            *_of_people(snapshot.head_sha, scene, seating, standing),
        ]
    )
    rows = tuple(
        evaluate(row, seated, rules, findings, scene)
        for row, seated, (_, rules) in zip(triggered, seating.rows, asked, strict=True)
    )
    return Decision(
        state=_state(snapshot, findings, rows, seating, standing),
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
        dispute=standing.dispute,
        next_steps=next_steps(
            findings=findings,
            rows=rows,
            seating=seating,
            conflicts=snapshot.conflicts if snapshot.merge_tree is None else None,
            draft=snapshot.pull.draft,
            dispute=standing.dispute,
            voter=table.voter,
        ),
    )


def _without(person: int, snapshot: Snapshot) -> Snapshot:
    """The same, had somebody not spoken; words of theirs that are gone still hold what they hold."""
    pull = snapshot.pull
    return replace(
        snapshot,
        pull=replace(
            pull,
            reviews=tuple(review for review in pull.reviews if review.user is None or review.user.id != person),
            comments=tuple(comment for comment in pull.comments if comment.user is None or comment.user.id != person),
        ),
    )


def _holding_without_any(whole: Decision, parts: Sequence[Decision], hidden: Finding) -> Decision:
    """The decision where any one of the approvers may stand behind the change: it holds if it does without each of them."""
    holding = {row.id for row in whole.rows} - {
        row.id for part in parts for row in part.rows if row.state is not RowState.SATISFIED
    }
    rows = tuple(row if row.id in holding else _lacking_a_spare(row, hidden.rule) for row in whole.rows)
    approved = whole.state is State.APPROVED and all(part.state is State.APPROVED for part in parts)
    return replace(
        whole,
        state=State.PENDING if whole.state is State.APPROVED and not approved else whole.state,
        rows=rows,
        findings=_sorted([*whole.findings, hidden]),
        next_steps=tuple(dict.fromkeys(step for decision in (whole, *parts) for step in decision.next_steps)),
    )


def _lacking_a_spare(row: Row, rule: str) -> Row:
    separation = tuple(
        replace(item, state=EvidenceState.MISSING)
        if item.rule == rule and item.state is EvidenceState.SATISFIED
        else item
        for item in row.separation
    )
    return replace(row, state=RowState.PENDING if row.state is RowState.SATISFIED else row.state, separation=separation)


def command_answers(snapshot: Snapshot) -> tuple[CommandAnswer, ...]:
    """
    Answer every command that people gave in the conversation.

    Raises:
        ReadError: A tree could not be read whole.
    """
    scene = _scene(snapshot, *_classified(snapshot))
    return answers(snapshot.pull, snapshot.head_sha, scene.proceedings, scene.approvals)


def _classified(snapshot: Snapshot) -> tuple[Registry, Registry, tuple[Classified, ...]]:
    """The registry before and after, and what changes between them, in the order of the paths."""
    layout, table = snapshot.policy.layout, snapshot.policy.table
    base, head = (Registry(tree, layout, snapshot.schemas) for tree in (snapshot.base, snapshot.merged))
    return base, head, classify(snapshot.changes, base=base, head=head, table=table)


def _own_accord(policy: Policy, classified: Sequence[Classified]) -> frozenset[int]:
    """Bots that need nobody's word for what they changed; the site's accounts for what they are there for."""
    of_the_site = {item.change.kind for item in classified} <= policy.table.filed_by_the_site
    return policy.table.own_accord | (policy.settings.site_identities if of_the_site else frozenset())


def _scene(snapshot: Snapshot, base: Registry, head: Registry, classified: Sequence[Classified]) -> Scene:
    """What all rows are judged by."""
    # Whom the change is about is looked up only where somebody votes on it: it may take many records.
    disputed = mentions_dispute(snapshot.pull)
    return Scene(
        pull=snapshot.pull,
        base=base,
        head=head,
        changes=tuple(classified),
        settings=snapshot.policy.settings,
        roster=snapshot.roster,
        ledger=snapshot.ledger,
        reference_authors=snapshot.reference_authors,
        subject_authors=snapshot.subject_authors,
        approvals=_opinions(snapshot).approvals,
        proceedings=proceedings(
            snapshot.pull,
            snapshot.roster,
            measured_in(classified, base, head, snapshot.ledger) if disputed else None,
            publishes=any(item.change.kind is Kind.DISPUTE for item in classified),
            voter=snapshot.policy.table.voter,
            updates_from_base=snapshot.updates_from_base,
        ),
        trial=snapshot.trial,
        merges=snapshot.merge_tree is not None,
        providers=PROVIDERS,
        now=snapshot.now,
    )


def _opinions(snapshot: Snapshot) -> Opinions:
    return collect_opinions(
        snapshot.pull,
        snapshot.head_sha,
        equivalent_heads=snapshot.equivalent_heads,
        unchanged_since=snapshot.unchanged_since,
        updates_from_base=snapshot.updates_from_base,
    )


def _of_people(head_sha: str, scene: Scene, seating: Seating, standing: Standing) -> Iterator[Finding]:
    """What requests, votes and the people seated give cause to say; nothing of a branch that does not merge."""
    if not scene.merges:
        return
    yield from request_notices(scene.pull, scene.settings, scene.base, scene.head, scene.changes)
    yield from builder_vouches(scene, seating.rows)
    yield from authors_vouch(scene)
    yield from silenced_words(scene.pull, head_sha, scene.roster, scene.proceedings, scene.now)
    if standing.finding is not None:
        yield standing.finding


def _findings(
    snapshot: Snapshot, context: Context, base: Registry, classified: Sequence[Classified]
) -> tuple[Finding, ...]:
    """Everything that is wrong with the merge result, or with the step to it; of a conflict that, and what was shown."""
    shown = check_branch(context, snapshot.branch)
    if snapshot.merge_tree is None:
        return _sorted([*(_conflict(path) for path in snapshot.conflicts or (None,)), *shown])
    changes = tuple(item.change for item in classified)
    return _sorted(
        [
            *shown,
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


def _state(
    snapshot: Snapshot,
    findings: Sequence[Finding],
    rows: Sequence[Row],
    seating: Seating,
    standing: Standing,
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
    held = snapshot.pull.draft or standing.held
    return State.APPROVED if satisfied and not held else State.PENDING


def _sorted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(set(findings), key=lambda finding: finding.order))
