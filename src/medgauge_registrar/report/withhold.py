"""Closed material stays closed: what a report may say about a finding or a piece of evidence."""

import re
from collections.abc import Iterable
from dataclasses import replace

from medgauge_registrar.model.decision import Decision, Evidence, Row
from medgauge_registrar.model.finding import Finding

# The rules on the public/closed boundary and on canaries: a place or a value would lead straight to the material.
_CLOSED = "BND-"
_VALUES = re.compile(r"`.*`|`[^`]*$", re.DOTALL)
_WITHHELD = "(withheld)"


def public_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """
    Findings as any output may show them, in file order.

    Those on the public/closed boundary lose path, line, column, pointer and every value in backticks. They are sorted
    afterwards: a position between two files would give the path away.
    """
    return tuple(sorted(map(_public_finding, findings), key=lambda finding: finding.order))


def public_decision(decision: Decision) -> Decision:
    """A decision whose findings and evidence carry nothing closed."""
    return replace(
        decision, findings=public_findings(decision.findings), rows=tuple(_public_row(row) for row in decision.rows)
    )


def _public_finding(finding: Finding) -> Finding:
    if not finding.rule.startswith(_CLOSED):
        return finding
    return Finding(
        rule=finding.rule,
        severity=finding.severity,
        message=_without_values(finding.message),
        help=_without_values(finding.help),
        source=finding.source,
    )


def _public_row(row: Row) -> Row:
    return replace(row, evidence=tuple(_public_evidence(evidence) for evidence in row.evidence))


def _public_evidence(evidence: Evidence) -> Evidence:
    if not evidence.id.startswith(_CLOSED):
        return evidence
    return replace(evidence, message=_without_values(evidence.message))


def _without_values(text: str) -> str:
    """Drop all from the first backtick to the last, so that a value with a backtick inside leaves nothing behind."""
    return _VALUES.sub(_WITHHELD, text)
