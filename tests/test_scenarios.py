"""
Pull requests as cases: each folder of `tests/scenarios/` is one, from its files to the comment that the bot writes.

    case.yml        what it shows, the verdict and the rules that must come of it, and the facts of the pull request
    base/           files the base branch has beyond, or other than, the starter registry
    head/           files that the branch adds or changes
    decision.json   the decision that must come
    comment.md      the comment that must come

Files too long to be read again (results, the text, all schemas) are changed by `copy` and `replace` of the case instead.
`REGISTRAR_UPDATE_GOLDEN=1` writes the last two anew; read the difference before committing it.
"""

import json
import os
from pathlib import Path

import pytest

from medgauge_registrar.model.decision import RowState
from medgauge_registrar.policy.load import shipped_table
from medgauge_registrar.report.comment import render_comment
from medgauge_registrar.report.document import decision_json
from support.scenarios import FOLDERS, case_of, decision_of

# Refused whatever comes: no path may be of no kind, and no level is issued while no threshold is set.
NEVER_SATISFIED = {"M15", "M20"}


def golden(path: Path, text: str) -> str:
    """What must come; written first if asked for."""
    if os.environ.get("REGISTRAR_UPDATE_GOLDEN"):
        path.write_bytes(text.encode())
    return path.read_bytes().decode()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_scenario(folder: Path) -> None:
    """The decision and the comment are those that stand beside the case."""
    decision = decision_of(folder)
    assert decision_json(decision) == golden(folder / "decision.json", decision_json(decision))
    assert render_comment(decision) == golden(folder / "comment.md", render_comment(decision))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_scenario_shows_what_it_says(folder: Path) -> None:
    """
    Verdict, reviews set aside and rules are those of the case, which no update of the golden files touches.

    The rules said to fail are all those of errors, and of evidence or separation that is neither satisfied nor waiting for a
    seat; one said to pass is satisfied evidence or separation.
    """
    case = case_of(folder)
    assert isinstance(case["shows"], str)
    told = json.loads(decision_json(decision_of(folder)))
    assert told["state"] == case["state"]
    assert [aside["reason"] for aside in told["set_aside"]] == case.get("set_aside", [])
    errors = {finding["rule"] for finding in told["findings"] if finding["severity"] == "error"}
    evidence = {(item["id"], item["state"]) for row in told["rows"] for item in row["evidence"]}
    separation = {(item["rule"], item["state"]) for row in told["rows"] for item in row["separation"]}
    unmet = {rule for rule, state in evidence if state != "satisfied"}
    unmet |= {rule for rule, state in separation if state in {"failed", "undecided"}}
    rules = case.get("rules", {})
    assert rules.keys() <= {"fails", "passes"}
    assert sorted(rules.get("fails", [])) == sorted(errors | unmet)
    assert (
        set(rules.get("passes", [])) <= {rule for rule, state in evidence | separation if state == "satisfied"} - unmet
    )


def test_every_row_is_satisfied_in_a_scenario() -> None:
    """Whatever the decision table lets pass is seen passing; the rows that it never lets pass are seen refused."""
    rows = [row for folder in FOLDERS for row in decision_of(folder).rows]
    satisfied = {row.id for row in rows if row.state is RowState.SATISFIED}
    assert satisfied == shipped_table().rows.keys() - NEVER_SATISFIED
    assert {row.id for row in rows} >= NEVER_SATISFIED
