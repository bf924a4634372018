"""Findings where GitHub shows them: workflow commands in a log, annotations of a check run."""

from collections.abc import Iterable
from typing import Any

from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.report.escape import command_data, command_property, shorten, visible
from medgauge_registrar.report.withhold import public_findings
from medgauge_registrar.report.words import SEVERITIES, count

# GitHub Actions, "Annotations": so many of each level are shown a step.
_SHOWN_A_LEVEL = 10
# GitHub REST API, "Create a check run": 50 annotations a request, 255 characters a title, 64 KB a message.
_BATCH = 50
_TITLE_CHARACTERS = 255
_TEXT_CHARACTERS = 4_000
_LEVELS = {Severity.ERROR: "failure", Severity.WARNING: "warning", Severity.NOTICE: "notice"}


def workflow_commands(findings: Iterable[Finding]) -> str:
    """
    One workflow command a finding, in file order; a last line where GitHub will not show them all.

    Source:
        GitHub Actions, "Workflow commands": `::error file=…,line=…,col=…,title=…::message`.
    """
    public = public_findings(findings)
    lines = [_command(finding) for finding in public]
    for severity in SEVERITIES:
        number = sum(finding.severity is severity for finding in public)
        if number > _SHOWN_A_LEVEL:
            found = count(number, severity.value)
            lines.append(f"GitHub shows {_SHOWN_A_LEVEL} of {found} beside the change; this log holds every one.")
    return "".join(f"{line}\n" for line in lines)


def annotations(findings: Iterable[Finding]) -> list[list[dict[str, Any]]]:
    """
    Annotations for a check run, in file order, in batches of at most 50; no batch when there is nothing to annotate.

    Findings without a file (closed material, the pull request as a whole) cannot be annotated: GitHub asks for a path.
    They stand in the summary of the check run.
    """
    made = [_annotation(finding, finding.path) for finding in public_findings(findings) if finding.path is not None]
    return [made[start : start + _BATCH] for start in range(0, len(made), _BATCH)]


def _command(finding: Finding) -> str:
    properties = {
        "file": finding.path,
        "line": finding.line,
        "col": finding.column if finding.line is not None else None,
        "title": finding.rule,
    }
    shown = ",".join(
        f"{name}={command_property(str(value))}" for name, value in properties.items() if value is not None
    )
    return f"::{finding.severity.value} {shown}::{command_data(_text(finding))}"


def _annotation(finding: Finding, path: str) -> dict[str, Any]:
    line = finding.line or 1  # GitHub asks for a line; the file as a whole is annotated at its first
    annotation: dict[str, Any] = {"path": visible(path), "start_line": line, "end_line": line}
    if finding.line is not None and finding.column is not None:
        annotation |= {"start_column": finding.column, "end_column": finding.column}
    return annotation | {
        "annotation_level": _LEVELS[finding.severity],
        "title": shorten(visible(finding.rule), _TITLE_CHARACTERS),
        "message": _text(finding),
    }


def _text(finding: Finding) -> str:
    """Message and help on lines of their own; nothing foreign can add a line."""
    parts = (finding.message, finding.help)
    return "\n".join(visible(shorten(part, _TEXT_CHARACTERS)) for part in parts if part)
