"""Each row of the decision table is met by the demonstration's pull request for it, and by no fewer people."""

import json
from pathlib import Path
from typing import Any

import pytest

from medgauge_registrar.inputs import read_inputs
from medgauge_registrar.model.decision import Decision, RowState, State
from medgauge_registrar.pipeline import Question, decide_question
from medgauge_registrar.policy.load import shipped_table
from medgauge_registrar.sandbox.cases import CASES
from medgauge_registrar.sandbox.demo import NOW, build

# The rule that each row follows.
RULES = {
    "M1": "DEC-03", "M2": "DEC-04", "M3": "DEC-05", "M4": "DEC-06", "M5": "DEC-07", "M6": "DEC-08", "M6a": "DEC-30",
    "M7": "DEC-09", "M8": "DEC-10", "M9": "DEC-11", "M11": "DEC-24", "M12": "DEC-25", "M13": "DEC-26", "M14": "DEC-27",
    "M16": "DEC-29", "M19": "DEC-20",
}  # fmt: skip
# Refused whatever comes: no level can be overridden while none is issued, and no path may be of no kind.
NEVER = {"M15", "M20"}
ROWS = [row for row in shipped_table().rows if row not in NEVER]


def marked(outcome: str) -> list[Any]:
    """Every row, as a case of its rule."""
    return [
        pytest.param(row, id=row, marks=[pytest.mark.rule(RULES[row], outcome)] if row in RULES else []) for row in ROWS
    ]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository, pull files and roster of the demonstration."""
    folder = tmp_path_factory.mktemp("demo")
    build(folder)
    return folder


def number_of(row: str) -> int:
    """Number of a pull request that triggers a row, the fewer others the better, and is approved."""
    numbered = [
        (len(case.rows), number)
        for number, case in enumerate(CASES, start=1)
        if row in case.rows and case.expected is State.APPROVED
    ]
    return min(numbered)[1]


def decided(demo: Path, number: int, scratch: Path, *, without: int | None = None) -> Decision:
    """The decision on a pull request of the demonstration, perhaps without one of its reviews."""
    facts = json.loads((demo / "pulls" / f"{number}.json").read_text(encoding="utf-8"))
    if without is not None:
        del facts["reviews"][without]
    pull = scratch / "pull.json"
    pull.write_text(json.dumps(facts), encoding="utf-8")
    ledger = demo / "ledgers" / f"{number}.json"
    inputs = read_inputs(pull, demo / "roster.json", ledger if ledger.exists() else None, digest_key=None)
    question = Question(repository=demo / "registry.git", base="main", head=f"pull-{number}", inputs=inputs, now=NOW)
    return decide_question(question)


@pytest.mark.parametrize("row", marked("passes"))
def test_a_row_can_be_met(demo: Path, tmp_path: Path, row: str) -> None:
    """With everything that it asks for the pull request is approved, and every row of it is satisfied."""
    decision = decided(demo, number_of(row), tmp_path)
    assert decision.state is State.APPROVED
    assert {found.id: found.state for found in decision.rows}[row] is RowState.SATISFIED


@pytest.mark.parametrize("row", marked("fails"))
def test_a_row_needs_every_one_of_its_people(demo: Path, tmp_path: Path, row: str) -> None:
    """Without the last of its approvals the same pull request is not approved."""
    number = number_of(row)
    decision = decided(demo, number, tmp_path, without=len(CASES[number - 1].reviews) - 1)
    assert decision.state is not State.APPROVED
    assert any(found.state is not RowState.SATISFIED for found in decision.rows)
    assert decision.next_steps


def test_rows_that_nothing_meets() -> None:
    """No pull request of the demonstration that triggers one of them is approved."""
    for row in NEVER:
        states = {case.expected for case in CASES if row in case.rows}
        assert states == {State.BLOCKED}
