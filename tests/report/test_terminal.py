"""Plain text for terminals and logs."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge_registrar.model.finding import Severity
from medgauge_registrar.report.terminal import render_decision_text, render_findings_text
from support import decisions

TEXT = st.text() | st.text(alphabet=":#[]error \n\r\x1b\x85\u2028%")


def test_findings_are_in_file_order_with_place_rule_and_help() -> None:
    """One line says where and what, the next how to mend it, the last how many there are."""
    findings = [
        decisions.finding(path="b.yaml", line=None, column=None),
        decisions.finding(path="a.yaml", line=3, column=None, severity=Severity.NOTICE, message="odd", help=""),
        decisions.finding(path=None, line=None, column=None, pointer=None, message="whole", help="do"),
    ]
    assert render_findings_text(findings) == (
        "ID-06: whole\n  help: do\n"
        "a.yaml:3 ID-06: notice: odd\n"
        "b.yaml /standard ID-06: `standard` names `std-beta`, which is not in the registry\n"
        "  help: add `registry/standards/std-beta.yaml` in this pull request, or correct the name\n"
        "2 errors, 1 notice in 2 files\n"
    )


def test_no_findings() -> None:
    """Silence would look like a run that did nothing."""
    assert render_findings_text([]) == "no findings\n"


@settings(deadline=None, max_examples=60)
@given(TEXT.filter(bool))
def test_foreign_text_gives_no_commands_and_no_lines(text: str) -> None:
    """Nothing foreign starts a line of its own, moves the cursor or speaks to the runner of a workflow."""
    decision = decisions.hostile(text)
    rendered = render_decision_text(decision) + render_findings_text(decision.findings)
    plain = decisions.hostile("x")  # as many lines as fields, whatever is in them
    assert rendered.count("\n") == (render_decision_text(plain) + render_findings_text(plain.findings)).count("\n")
    assert "##[" not in rendered
    for line in rendered.split("\n"):
        assert not line.lstrip().startswith("::")
        assert len(line.splitlines()) <= 1
        assert "\x1b" not in line


def test_path_that_reads_as_a_command_is_escaped() -> None:
    """A file may be called anything; at the start of a line its name is no command."""
    rendered = render_findings_text([replace(decisions.finding(), path="::set-env name=x::y")])
    assert rendered.startswith(r"\u003a:set-env name=x::y:12:11 ID-06: ")
