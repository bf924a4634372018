"""Findings as SARIF 2.1.0, for code scanning and editors."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from medgauge_registrar import __version__
from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.report.escape import json_text, path_bytes, sarif_text, uri_path
from medgauge_registrar.report.withhold import public_findings

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTICE: "note"}
# The number is part of the name so that another recipe may stand beside this one (SARIF 2.1.0, section 3.27.17).
_FINGERPRINT = "registrarFinding/v1"


def sarif_document(findings: Iterable[Finding], *, descriptions: Mapping[str, str] | None = None) -> dict[str, Any]:
    """
    One run with the rules that were broken and the findings in file order.

    A finding without a file (closed material, the pull request as a whole) has no location.

    Args:
        findings: What was found; closed material in it is withheld.
        descriptions: One line on each rule, by rule id; rules without one carry their id alone.
    """
    public = public_findings(findings)
    rules = sorted({finding.rule for finding in public})
    repeated: Counter[str] = Counter()
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "medgauge-registrar",
                        "semanticVersion": __version__,
                        "rules": [_rule(rule, descriptions or {}) for rule in rules],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(finding, rules.index(finding.rule), repeated) for finding in public],
            }
        ],
    }


def render_sarif(findings: Iterable[Finding], *, descriptions: Mapping[str, str] | None = None) -> str:
    """The SARIF document as text: equal findings give equal bytes."""
    return json_text(sarif_document(findings, descriptions=descriptions))


def _rule(rule: str, descriptions: Mapping[str, str]) -> dict[str, Any]:
    described = {"shortDescription": {"text": sarif_text(descriptions[rule])}} if rule in descriptions else {}
    return {
        "id": rule,
        **described,
        "help": {"text": sarif_text(f"`registrar explain {rule}` shows what the rule asks for, why, and examples.")},
    }


def _result(finding: Finding, rule_index: int, repeated: Counter[str]) -> dict[str, Any]:
    # Neither line nor, where there is a pointer, wording: a finding keeps its identity when lines move above it.
    parts = [finding.rule, finding.path or "", finding.pointer or finding.message]
    same = hashlib.sha256(b"\0".join(map(path_bytes, parts))).hexdigest()
    repeated[same] += 1
    text = "\n".join(sarif_text(part) for part in (finding.message, finding.help) if part)
    return {
        "ruleId": finding.rule,
        "ruleIndex": rule_index,
        "level": _LEVELS[finding.severity],
        "message": {"text": text},
        "locations": [] if finding.path is None else [_location(finding, finding.path)],
        "partialFingerprints": {_FINGERPRINT: f"{same}:{repeated[same]}"},
        "properties": {"source": sarif_text(finding.source)},
    }


def _location(finding: Finding, path: str) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri_path(path), "uriBaseId": "%SRCROOT%"}}
    if finding.line is not None:
        column = {} if finding.column is None else {"startColumn": finding.column}
        physical["region"] = {"startLine": finding.line, **column}
    location: dict[str, Any] = {"physicalLocation": physical}
    if finding.pointer:
        location["logicalLocations"] = [{"fullyQualifiedName": sarif_text(finding.pointer)}]
    return location
