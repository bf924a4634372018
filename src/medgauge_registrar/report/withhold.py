"""Closed material stays closed: what a report may say about a finding or a piece of evidence."""

import re
from collections.abc import Iterable
from dataclasses import replace

from medgauge_registrar.model.decision import Decision, Evidence, Row
from medgauge_registrar.model.finding import Finding
from medgauge_registrar.patterns import lazy_pattern

# The rules on the public/closed boundary, on canaries, on keys of tasks and on identifiers: a place or a value would lead
# straight to the material.
_CLOSED = ("BND-", "NEV-01", "NEV-05")
_VALUES = lazy_pattern(r"`.*`|`[^`]*$", re.DOTALL)
_WITHHELD = "(withheld)"


def public_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """
    Findings as any output may show them, in file order.

    Those on the public/closed boundary lose path, line, column, pointer and every value in backticks, and so does whatever
    else was found in the same file: it would show where to look, and may quote the material. They are sorted afterwards: a
    position between two files would give the path away.
    """
    found = tuple(findings)
    withheld = _withheld(found)
    public = (_public_finding(finding) if finding in withheld else finding for finding in found)
    return tuple(sorted(public, key=lambda finding: finding.order))


def public_decision(decision: Decision) -> Decision:
    """A decision whose findings and evidence carry nothing closed."""
    # Evidence that failed repeats the messages of its findings.
    repeated = frozenset((finding.rule, finding.message) for finding in _withheld(decision.findings))
    return replace(
        decision,
        findings=public_findings(decision.findings),
        rows=tuple(_public_row(row, repeated) for row in decision.rows),
    )


def withholds(decision: Decision) -> bool:
    """Whether the decision holds anything that is not shown."""
    return bool(_withheld(decision.findings))


def _withheld(findings: Iterable[Finding]) -> frozenset[Finding]:
    """Findings on the boundary, and all others in the files that these are in."""
    found = tuple(findings)
    paths = {finding.path for finding in found if finding.rule.startswith(_CLOSED) and finding.path is not None}
    return frozenset(finding for finding in found if finding.rule.startswith(_CLOSED) or finding.path in paths)


def _public_finding(finding: Finding) -> Finding:
    return Finding(
        rule=finding.rule,
        severity=finding.severity,
        message=_without_values(finding.message),
        help=_without_values(finding.help),
        source=finding.source,
    )


def _public_row(row: Row, repeated: frozenset[tuple[str, str]]) -> Row:
    return replace(row, evidence=tuple(_public_evidence(evidence, repeated) for evidence in row.evidence))


def _public_evidence(evidence: Evidence, repeated: frozenset[tuple[str, str]]) -> Evidence:
    quotes = any(rule == evidence.id and message in evidence.message for rule, message in repeated)
    if evidence.id.startswith(_CLOSED) or quotes:
        return replace(evidence, message=_without_values(evidence.message), suggestion=None)
    return evidence


def _without_values(text: str) -> str:
    """Drop all from the first backtick to the last, so that a value with a backtick inside leaves nothing behind."""
    return _VALUES.sub(_WITHHELD, text)
