"""Closed material: no output tells where it is or what it says."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from medgauge_registrar.model.decision import Decision, Evidence, EvidenceState, RowState
from medgauge_registrar.model.finding import Finding
from medgauge_registrar.report.comment import render_comment
from medgauge_registrar.report.document import decision_json, findings_document
from medgauge_registrar.report.github import annotations, workflow_commands
from medgauge_registrar.report.sarif import render_sarif
from medgauge_registrar.report.status import status_description
from medgauge_registrar.report.summary import render_summary
from medgauge_registrar.report.terminal import render_decision_text, render_findings_text
from medgauge_registrar.report.withhold import public_decision, public_findings
from support import decisions

SECRET = decisions.finding(
    rule="BND-10",
    message="`s3cret` and `an`other s3cret` were found",
    help="remove `s3cret` and report it in private",
    path="zz/s3cret.txt",
    line=3141,
    column=5926,
    pointer="/s3cret",
)
# Another rule in the file of the secret, whose words would lead there.
BESIDE = decisions.finding(
    rule="ENT-02",
    message="`s3cret` is not known",
    help="take `s3cret` out",
    path="zz/s3cret.txt",
    line=3141,
    column=5926,
    pointer="/s3cret",
)
RENDER_DECISION: list[Callable[[Decision], str]] = [
    render_comment,
    render_summary,
    decision_json,
    render_decision_text,
    status_description,
]
RENDER_FINDINGS: list[Callable[[Iterable[Finding]], Any]] = [
    findings_document,
    render_findings_text,
    render_sarif,
    workflow_commands,
    annotations,
]


def _closed(text: object) -> list[str]:
    return [part for part in ("s3cret", "3141", "5926", "zz/") if part in str(text)]


@pytest.mark.parametrize("render", RENDER_DECISION)
def test_no_rendering_of_a_decision_leads_to_closed_material(render: Callable[[Decision], str]) -> None:
    """Path, line, column, pointer and value of a finding or of evidence on the boundary appear nowhere."""
    evidence = (
        Evidence(id="BND-08", state=EvidenceState.FAILED, message="`s3cret` is an answer"),
        Evidence(id="ENT-02", state=EvidenceState.FAILED, message=BESIDE.message),
    )
    decision = replace(
        decisions.blocked(),
        changes=(),
        rows=(decisions.row(state=RowState.BLOCKED, evidence=evidence),),
        findings=(decisions.finding(), SECRET, BESIDE),
    )
    text = render(decision)
    assert _closed(text) == []
    assert "BND" in text or "3 errors" in text


@pytest.mark.parametrize("render", RENDER_FINDINGS)
def test_no_rendering_of_findings_leads_to_closed_material(render: Callable[[Iterable[Finding]], Any]) -> None:
    """The same for findings alone; where a path is needed, the finding is left to the summary."""
    text = render([decisions.finding(), BESIDE, SECRET])
    assert _closed(text) == []
    assert "ID-06" in str(text)


def test_closed_finding_keeps_rule_and_words_of_ours() -> None:
    """What remains says what to do; all between the first and the last backtick is withheld."""
    (public,) = public_findings([SECRET])
    assert (public.rule, public.source, public.path, public.line) == ("BND-10", "section 18", None, None)
    assert public.message == "(withheld) were found"
    assert public.help == "remove (withheld) and report it in private"


def test_single_backtick_withholds_the_rest() -> None:
    """A value that was cut has no closing backtick."""
    (public,) = public_findings([replace(SECRET, message="found `s3cret")])
    assert public.message == "found (withheld)"


def test_order_does_not_betray_the_path() -> None:
    """The finding moves to the front instead of standing between its neighbours."""
    around = [decisions.finding(path="zz/a"), SECRET, decisions.finding(path="zz/zz")]
    assert [one.rule for one in public_findings(around)] == ["BND-10", "ID-06", "ID-06"]


def test_open_finding_is_untouched() -> None:
    """Every other rule shows place and values."""
    assert public_findings([decisions.finding()]) == (decisions.finding(),)


def test_finding_beside_a_closed_one_keeps_rule_and_words_of_ours() -> None:
    """Whatever is found in a file with a closed finding says neither where nor what; its rule and weight stay."""
    public = {finding.rule: finding for finding in public_findings([BESIDE, SECRET])}["ENT-02"]
    assert public == Finding(
        rule="ENT-02",
        severity=BESIDE.severity,
        message="(withheld) is not known",
        help="take (withheld) out",
        source=BESIDE.source,
    )


def test_finding_in_another_file_is_untouched() -> None:
    """A closed finding withholds its own file; a file beside it shows place and values."""
    beside = replace(BESIDE, path="zz/s3cret.txt.yaml")
    assert beside in public_findings([beside, SECRET])


def test_closed_finding_without_a_path_withholds_itself_alone() -> None:
    """A finding of the whole tree has no path either, and is none of its neighbours."""
    of_the_tree = replace(BESIDE, path=None)
    assert of_the_tree in public_findings([of_the_tree, replace(SECRET, path=None)])


def test_evidence_is_withheld_where_it_repeats_a_finding_beside_a_closed_one() -> None:
    """The same words in the evidence of that rule lose their values; those of another finding keep them."""
    said = (BESIDE.message, "`value` is not known", f"`value` is missing; {BESIDE.message}")
    evidence = tuple(Evidence(id="ENT-02", state=EvidenceState.FAILED, message=message) for message in said)
    row = decisions.row(state=RowState.BLOCKED, evidence=evidence)
    decision = replace(decisions.blocked(), rows=(row,), findings=(BESIDE, SECRET))
    (public,) = public_decision(decision).rows
    assert [item.message for item in public.evidence] == [
        "(withheld) is not known",
        "`value` is not known",
        "(withheld) is not known",
    ]
