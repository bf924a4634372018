"""Rows of the decision table as a pull request meets them: seats and conditions asked for, then evidence and state."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from datetime import datetime

from medgauge_registrar.classify.classify import Classified
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.decision import Evidence, EvidenceState, Row, RowState, SeatState, Separation
from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.model.pull import Pull, User
from medgauge_registrar.model.roster import Role, Roster
from medgauge_registrar.policy.settings import Settings
from medgauge_registrar.policy.table import TableRow
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.requirements.approvals import RowNeed, SeatedRow
from medgauge_registrar.requirements.attestations import attestations
from medgauge_registrar.requirements.disputes import Proceedings
from medgauge_registrar.requirements.evidence import EvidenceView, Provider, judge, unjudged
from medgauge_registrar.requirements.opinions import Approval
from medgauge_registrar.requirements.separation import separated
from medgauge_registrar.requirements.separation_view import Separated, SeparationView, states
from medgauge_registrar.requirements.standing import holds
from medgauge_registrar.words import sections

# Rules of separation that a row asks for only where one of its changes calls for them.
_CONDITIONAL = frozenset({("M1", "ROLE-02"), ("M1", "ROLE-21")})


@frozen
class Scene:
    """
    What all rows of one pull request are judged by.

    Attributes:
        pull: Public facts.
        base: The registry before.
        head: The registry after.
        changes: All changes.
        settings: Settings of the registry.
        roster: Who holds which role, works where and belongs to which party.
        ledger: Closed facts.
        reference_authors: Who wrote the grading references in question, by id.
        subject_authors: Who wrote the harness and tool versions that results measure, by reference.
        approvals: Those that hold for the head, whatever the roles of the people.
        proceedings: What became of disputes.
        trial: What a change of schemas would break.
        merges: Whether there is a merge result; without one no evidence is judged.
        providers: Who answers for which rule's evidence.
        now: Aware UTC datetime.
    """

    pull: Pull
    base: Registry
    head: Registry
    changes: tuple[Classified, ...]
    settings: Settings
    roster: Roster = field(repr=False)
    ledger: Ledger = field(repr=False)
    reference_authors: Mapping[str, tuple[User | None, ...]] = field(repr=False)
    subject_authors: Mapping[str, tuple[User | None, ...]] = field(repr=False)
    approvals: tuple[Approval, ...] = field(repr=False)
    proceedings: Proceedings
    trial: tuple[Finding, ...]
    merges: bool
    providers: Mapping[str, Provider]
    now: datetime


def ask(row: TableRow, scene: Scene) -> tuple[RowNeed, Separated]:
    """The seats of a row with the conditions on who sits in them, and what closed facts say whoever does."""
    own = _own(row, scene)
    found = frozenset(facet for item in own for facet in item.facets)
    seats: tuple[Role, ...] = (*row.seats, *(extra.role for extra in row.extra_seats if extra.facets & found))
    view = SeparationView(
        seats=seats,
        own=own,
        changes=scene.changes,
        pull=scene.pull,
        base=scene.base,
        head=scene.head,
        settings=scene.settings,
        roster=scene.roster,
        ledger=scene.ledger,
        attested=attestations(scene.approvals),
        maintainers=frozenset(
            approval.user.id
            for approval in scene.approvals
            if holds(scene.roster, approval.user, Role.MAINTAINER, (approval.submitted_at, scene.now))
        ),
        reference_authors=scene.reference_authors,
    )
    rules = separated(row.id, view)
    return RowNeed(id=row.id, seats=seats, alone=rules.alone, together=rules.together), rules


def evaluate(row: TableRow, seated: SeatedRow, rules: Separated, findings: Sequence[Finding], scene: Scene) -> Row:
    """
    Judge one row.

    Args:
        row: Row of the table.
        seated: How far its seats are filled.
        rules: What its rules of separation come to, from `ask`.
        findings: Everything that was found.
        scene: What all rows are judged by.
    """
    own = _own(row, scene)
    found = frozenset(facet for item in own for facet in item.facets)
    faults = _faults(own, findings, scene)
    filled = all(seat.state is SeatState.FILLED for seat in seated.seats)
    by_seat = {item.rule: item.state for item in seated.separation}
    # Authors, committers, pushers and triggerers never enter the matching, so a filled seat keeps the rule.
    by_seat["DEC-15"] = EvidenceState.SATISFIED
    known = states(by_seat, rules, filled=filled)
    view = EvidenceView(
        pull=scene.pull,
        base=scene.base,
        head=scene.head,
        changes=scene.changes,
        own=own,
        settings=scene.settings,
        ledger=scene.ledger if filled else None,
        seated=seated,
        separation=known,
        attested=frozenset(one for given in attestations(scene.approvals).values() for one in given),
        proceedings=scene.proceedings,
        now=scene.now,
    )
    needs = [need for need in row.evidence if not need.facets or need.facets & found]
    if scene.merges:
        evidence = tuple(judge(need, faults, view, scene.providers) for need in needs)
    else:
        evidence = tuple(unjudged(need, "not judged while the branch conflicts with its base") for need in needs)
    separation = tuple(
        Separation(rule=rule, state=known.get(rule, EvidenceState.UNDECIDED))
        for rule in row.separation
        if rule in known or (row.id, rule) not in _CONDITIONAL
    )
    return Row(
        id=row.id,
        state=_row_state(row, seated, evidence, separation, faults),
        because=row.because,
        source=sections(row.section),
        seats=seated.seats,
        evidence=evidence,
        separation=separation,
    )


def _own(row: TableRow, scene: Scene) -> tuple[Classified, ...]:
    return tuple(item for item in scene.changes if row.id in item.change.rows)


def _faults(own: Iterable[Classified], findings: Iterable[Finding], scene: Scene) -> list[Finding]:
    """
    Findings that count against a row: at its own changes, at no file, and at files that nothing in the branch touches.

    The last are what the branch breaks elsewhere; whose change did it cannot be told, so they count against every row. A
    schema answers for every record that it no longer admits.
    """
    paths, touched = _paths(own), _paths(scene.changes)
    by_schema = set(scene.trial) if any(item.change.kind is Kind.SCHEMA for item in own) else set()
    return [
        finding
        for finding in findings
        if finding.path is None or finding.path in paths or finding.path not in touched or finding in by_schema
    ]


def _paths(changes: Iterable[Classified]) -> set[str]:
    return {path for item in changes for path in (item.change.path, item.change.previous_path or item.change.path)}


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
