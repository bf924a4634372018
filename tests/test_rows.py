"""Each row of the decision table is met by the demonstration's pull request for it, and by no fewer people."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from medgauge_registrar.inputs import read_inputs
from medgauge_registrar.model.decision import Decision, RowState, State
from medgauge_registrar.pipeline import Question, decide_question
from medgauge_registrar.policy.load import shipped_table
from medgauge_registrar.sandbox.build import NOW, build, head_ref
from medgauge_registrar.sandbox.cases import CASES

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


@cache
def as_made(demo: Path, number: int) -> Decision:
    """The decision on a pull request of the demonstration."""
    return decided(demo, number, demo / "pulls" / f"{number}.json")


def otherwise(demo: Path, number: int, scratch: Path, change: Callable[[list[dict[str, Any]]], Any]) -> Decision:
    """The decision on a pull request of the demonstration with other reviews."""
    facts = json.loads((demo / "pulls" / f"{number}.json").read_text(encoding="utf-8"))
    change(facts["reviews"])
    pull = scratch / "pull.json"
    pull.write_text(json.dumps(facts), encoding="utf-8")
    return decided(demo, number, pull)


def decided(demo: Path, number: int, pull: Path) -> Decision:
    """The decision on a branch of the demonstration."""
    ledger = demo / "ledgers" / f"{number}.json"
    inputs = read_inputs(pull, demo / "roster.json", ledger if ledger.exists() else None, digest_key=None)
    question = Question(repository=demo / "registry.git", base="main", head=head_ref(number), inputs=inputs, now=NOW)
    return decide_question(question)


@pytest.mark.parametrize("row", marked("passes"))
def test_a_row_can_be_met(demo: Path, row: str) -> None:
    """With everything that it asks for the pull request is approved, and every row of it is satisfied."""
    decision = as_made(demo, number_of(row))
    assert decision.state is State.APPROVED
    assert {found.id: found.state for found in decision.rows}[row] is RowState.SATISFIED


@pytest.mark.parametrize("row", marked("fails"))
def test_a_row_needs_every_one_of_its_people(demo: Path, tmp_path: Path, row: str) -> None:
    """Without the last of its approvals the same pull request is not approved."""
    number = number_of(row)
    decision = otherwise(demo, number, tmp_path, lambda reviews: reviews.pop())
    assert decision.state is not State.APPROVED
    assert any(found.state is not RowState.SATISFIED for found in decision.rows)
    assert decision.next_steps


def test_rows_that_nothing_meets() -> None:
    """No pull request of the demonstration that triggers one of them is approved."""
    for row in NEVER:
        states = {case.expected for case in CASES if row in case.rows}
        assert states == {State.BLOCKED}


@pytest.mark.parametrize(
    ("submitted_at", "state"),
    [
        pytest.param("2026-11-29T10:31:00Z", "satisfied", marks=pytest.mark.rule("CHK-10", "passes")),
        pytest.param("2026-11-29T09:31:00Z", "missing", marks=pytest.mark.rule("CHK-10", "fails")),
    ],
)
def test_the_checklist_is_signed_after_the_last_push(demo: Path, tmp_path: Path, submitted_at: str, state: str) -> None:
    """A results reviewer answers for the record as it is now, so an approval from before the head arrived does not count."""
    number = number_of("M4")
    place = next(place for place, review in enumerate(CASES[number - 1].reviews) if review.by == "results reviewer")
    decision = otherwise(demo, number, tmp_path, lambda reviews: reviews[place].update(submitted_at=submitted_at))
    (row,) = [found for found in decision.rows if found.id == "M4"]
    assert {item.id: item.state for item in row.evidence}["CHK-10"] == state
    assert (decision.state is State.APPROVED) == (state == "satisfied")


# Evidence and separation that the demonstration shows on either side, by the row that asks for it.
ASKED = [
    ("M4", "ROLE-04"), ("M4", "ROLE-19"), ("M4", "CHK-03"), ("M4", "CHK-06"), ("M4", "CHK-08"), ("M7", "CHG-05"), ("M8", "CHG-01"),
    ("M8", "CHG-02"), ("M11", "CHG-08"),
]  # fmt: skip
BROKEN = [
    (rule, number)
    for rule in ("CHG-01", "CHG-02", "CHG-05", "CHG-08", "ROLE-04")
    for number in [number for number, case in enumerate(CASES, start=1) if rule in case.unsatisfied][:1]
]


def known(decision: Decision) -> dict[tuple[str, str], str]:
    """What is known of each piece of evidence and rule of separation, by row and rule."""
    told = {(row.id, item.id): item.state.value for row in decision.rows for item in row.evidence}
    return told | {(row.id, item.rule): item.state.value for row in decision.rows for item in row.separation}


@pytest.mark.parametrize(
    ("row", "rule"), [pytest.param(row, rule, marks=pytest.mark.rule(rule, "passes")) for row, rule in ASKED]
)
def test_what_a_row_asks_for_is_satisfied(demo: Path, row: str, rule: str) -> None:
    """The pull request that meets the row keeps the rule."""
    assert known(as_made(demo, number_of(row)))[row, rule] == "satisfied"


@pytest.mark.parametrize(
    ("rule", "number"),
    [pytest.param(rule, number, marks=pytest.mark.rule(rule, "fails")) for rule, number in BROKEN],
)
def test_what_a_row_asks_for_is_not_satisfied(demo: Path, rule: str, number: int) -> None:
    """A pull request that was made to break the rule does, and is not approved."""
    decision = as_made(demo, number)
    states = {state for (_, asked), state in known(decision).items() if asked == rule}
    assert states
    assert "satisfied" not in states
    assert decision.state is not State.APPROVED
