"""Plain text for a terminal or a log: `--format text`."""

from collections.abc import Iterable, Iterator

from medgauge_registrar.model.decision import Decision, EvidenceState, Row
from medgauge_registrar.model.finding import Finding
from medgauge_registrar.report.document import utc_time
from medgauge_registrar.report.escape import terminal
from medgauge_registrar.report.verdict import reasons
from medgauge_registrar.report.withhold import public_decision, public_findings
from medgauge_registrar.report.words import (
    SET_ASIDE,
    VERDICTS,
    count,
    count_places,
    in_ranges,
    place,
    role_name,
    section,
    what_changed,
)


def render_findings_text(findings: Iterable[Finding]) -> str:
    """Findings in file order, each with its help, and how many there are: what `check` prints."""
    public = public_findings(findings)
    return _lines([*_finding_lines(public), count_places(public) or "no findings"])


def render_decision_text(decision: Decision) -> str:
    """
    The whole decision: verdict, next steps, rows, findings, what was set aside, changes.

    Raises:
        ValueError: `decided_at` has no time zone.
    """
    return _lines(_decision_lines(public_decision(decision)))


def _lines(lines: Iterable[str]) -> str:
    # Whole lines are made safe: a command can also arise where two harmless parts meet.
    return "".join(f"{terminal(line)}\n" for line in lines)


def _decision_lines(decision: Decision) -> Iterator[str]:
    yield f"{VERDICTS[decision.state]}: {'; '.join(reasons(decision))}"
    if decision.next_steps:
        yield from ("", "What has to happen next")
        for step in decision.next_steps:
            yield f"  {role_name(step.who)}: {step.do}"
    if decision.dispute:
        outcome = f", outcome: {decision.dispute.outcome}" if decision.dispute.outcome else ""
        yield from ("", f"Dispute {decision.dispute.state}, {count(decision.dispute.votes, 'vote')}{outcome}")
    if decision.rows:
        yield from ("", "Rows of the decision table")
        for row in decision.rows:
            yield from _row_lines(row)
    if decision.findings:
        yield from ("", f"Findings: {count_places(decision.findings)}")
        yield from _finding_lines(decision.findings)
    if decision.set_aside:
        yield from ("", "Reviews set aside")
        for review in decision.set_aside:
            yield f"  {review.review}: {SET_ASIDE[review.reason]}"
    if decision.changes:
        yield from ("", "Changes")
        for change in decision.changes:
            old = f"{change.previous_path} -> " if change.previous_path is not None else ""
            rows = ", ".join(change.rows) or "no row"
            yield f"  {old}{change.path}: {what_changed(change)} ({rows})"
    yield ""
    base, head = decision.base_sha or "unknown", decision.head_sha or "unknown"
    yield f"pull request {decision.pull}, head {head}, base {base}"
    yield f"medgauge-registrar {decision.registrar_version}, decided at {utc_time(decision.decided_at)}"


def _row_lines(row: Row) -> Iterator[str]:
    yield f"  {row.id} {row.state.value} ({section(row.source)}): {row.because}"
    for seat in row.seats:
        yield f"    seat {role_name(seat.role)}: {seat.state.value}"
    satisfied = []
    for evidence in row.evidence:
        if evidence.state is EvidenceState.SATISFIED:
            satisfied.append(evidence.id)
        else:
            yield f"    {evidence.state.value} {evidence.id}: {evidence.message}"
    for separation in row.separation:
        if separation.state is EvidenceState.SATISFIED:
            satisfied.append(separation.rule)
        else:
            yield f"    {separation.state.value} {separation.rule}: separation of duties"
    if satisfied:
        yield f"    satisfied {', '.join(in_ranges(satisfied))}"


def _finding_lines(findings: Iterable[Finding]) -> Iterator[str]:
    for finding in findings:
        where = "" if finding.path is None else f"{place(finding, finding.path)} "
        severity = "" if finding.severity.value == "error" else f"{finding.severity.value}: "
        yield f"{where}{finding.rule}: {severity}{finding.message}"
        if finding.help:
            yield f"  help: {finding.help}"
