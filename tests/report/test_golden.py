"""
Every rendering of representative decisions, byte for byte.

Set `REGISTRAR_UPDATE_GOLDEN=1` to write the files anew, then read the difference.
"""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from medgauge_registrar.model.decision import Decision
from medgauge_registrar.report.comment import render_comment
from medgauge_registrar.report.document import decision_json, findings_document
from medgauge_registrar.report.github import workflow_commands
from medgauge_registrar.report.sarif import render_sarif
from medgauge_registrar.report.status import status_description
from medgauge_registrar.report.summary import render_summary
from medgauge_registrar.report.terminal import render_decision_text, render_findings_text
from support import decisions

GOLDEN = Path(__file__).parent / "golden"
CASES = ("approved", "pending", "blocked", "error", "empty", "conflict", "draft", "objection", "disputed", "settled")
Render = Callable[[Decision], str]

_comment = partial(render_comment, pull_url=decisions.PULL_URL)
_short_comment = partial(render_comment, pull_url=decisions.PULL_URL, budget_characters=12_000)


def _of_findings(render: Callable[..., str]) -> Render:
    return lambda decision: render(decision.findings)


FILES: dict[str, tuple[str, Render]] = {
    **{f"{case}.comment.md": (case, _comment) for case in (*CASES, "hostile")},
    "crowded.comment.md": ("crowded", _short_comment),
    **{f"{case}.decision.txt": (case, render_decision_text) for case in ("pending", "blocked", "error", "hostile")},
    **{f"{case}.decision.json": (case, decision_json) for case in ("pending", "blocked", "error", "hostile")},
    **{f"{case}.findings.txt": (case, _of_findings(render_findings_text)) for case in ("approved", "blocked")},
    **{f"{case}.findings.json": (case, _of_findings(findings_document)) for case in ("approved", "blocked")},
    **{f"{case}.sarif.json": (case, _of_findings(render_sarif)) for case in ("approved", "blocked", "hostile")},
    **{f"{case}.commands.txt": (case, _of_findings(workflow_commands)) for case in ("blocked", "hostile")},
    "blocked.summary.md": ("blocked", render_summary),
}


def _compare(name: str, text: str) -> None:
    file = GOLDEN / name
    if os.environ.get("REGISTRAR_UPDATE_GOLDEN") == "1":
        file.write_text(text, encoding="utf-8", newline="")
    assert text.encode() == file.read_bytes()


@pytest.mark.parametrize("name", FILES)
def test_rendering_equals_the_golden_file(name: str) -> None:
    """A change of any word or byte in an output shows up as a difference to review."""
    case, render = FILES[name]
    _compare(name, render(getattr(decisions, case)()))


def test_status_descriptions_equal_the_golden_file() -> None:
    """One line a decision, as it stands beside the status on GitHub."""
    lines = [f"{case}: {status_description(getattr(decisions, case)())}\n" for case in (*CASES, "crowded", "hostile")]
    _compare("status.txt", "".join(lines))


def test_every_golden_file_has_a_case() -> None:
    """No file is left behind that nothing compares."""
    assert {file.name for file in GOLDEN.iterdir()} == {*FILES, "status.txt"}
