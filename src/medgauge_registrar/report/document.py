"""The decision and the findings as JSON, in the shape and key order of `schemas/decision.schema.json`."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from medgauge_registrar.model.change import Change
from medgauge_registrar.model.decision import Decision, Row
from medgauge_registrar.model.finding import Finding
from medgauge_registrar.report.escape import json_text
from medgauge_registrar.report.withhold import public_decision, public_findings


def decision_document(decision: Decision) -> dict[str, Any]:
    """
    The decision as plain values.

    Lists keep the order of the decision; findings are in file order and carry nothing closed.

    Raises:
        ValueError: `decided_at` has no time zone.
    """
    decision = public_decision(decision)
    digests, dispute = decision.digests, decision.dispute
    return {
        "state": decision.state.value,
        "pull": decision.pull,
        "base_sha": decision.base_sha,
        "head_sha": decision.head_sha,
        "merge_base": decision.merge_base,
        "merge_tree": decision.merge_tree,
        "digests": {
            "policy": digests.policy,
            "roster": digests.roster,
            "ledger": digests.ledger,
            "inputs": digests.inputs,
        },
        "decided_at": utc_time(decision.decided_at),
        "registrar_version": decision.registrar_version,
        "changes": [_change(change) for change in decision.changes],
        "rows": [_row(row) for row in decision.rows],
        "findings": [_finding(finding) for finding in decision.findings],
        "set_aside": [{"review": review.review, "reason": review.reason.value} for review in decision.set_aside],
        "dispute": dispute and {"state": dispute.state, "votes": dispute.votes, "outcome": dispute.outcome},
        "next_steps": [{"who": step.who, "do": step.do} for step in decision.next_steps],
    }


def decision_json(decision: Decision) -> str:
    """The decision document as text: equal decisions give equal bytes."""
    return json_text(decision_document(decision))


def findings_document(findings: Iterable[Finding]) -> str:
    """What `check --format json` prints: `{"findings": [...]}`, in file order."""
    return json_text({"findings": [_finding(finding) for finding in public_findings(findings)]})


def utc_time(moment: datetime) -> str:
    """
    RFC 3339 in UTC with `Z`.

    Raises:
        ValueError: The time has no zone, so the moment it means is unknown.
    """
    if moment.tzinfo is None:
        raise ValueError(f"{moment.isoformat()} has no time zone; times of a decision are aware, in UTC")
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _change(change: Change) -> dict[str, Any]:
    return {
        "path": change.path,
        "previous_path": change.previous_path,
        "status": change.status.value,
        "kind": change.kind.value,
        "object": change.object,
        "transition": change.transition.value,
        "rows": list(change.rows),
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        "id": row.id,
        "state": row.state.value,
        "because": row.because,
        "source": row.source,
        "seats": [{"role": seat.role, "state": seat.state.value} for seat in row.seats],
        "evidence": [
            {"id": evidence.id, "state": evidence.state.value, "message": evidence.message} for evidence in row.evidence
        ],
        "separation": [{"rule": rule.rule, "state": rule.state.value} for rule in row.separation],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "path": finding.path,
        "line": finding.line,
        "column": finding.column,
        "pointer": finding.pointer,
        "message": finding.message,
        "help": finding.help,
        "source": finding.source,
    }
