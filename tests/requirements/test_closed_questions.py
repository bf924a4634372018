"""
Nobody can ask the ledger a question by opening a pull request.

Each question is a change that a stranger can make in a fork. Under ledgers that answer it in different ways, every output is the
same byte for byte until people who count have filled every seat of the row; then they differ, or the question would be none.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from medgauge_registrar.model.decision import Decision, EvidenceState, State
from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.report.comment import render_comment
from medgauge_registrar.report.document import decision_json
from medgauge_registrar.report.github import annotations, workflow_commands
from medgauge_registrar.report.sarif import render_sarif
from medgauge_registrar.report.status import status_description
from medgauge_registrar.report.summary import render_summary
from medgauge_registrar.report.terminal import render_decision_text
from medgauge_registrar.sandbox.edits import Edit, append, copy, swap
from medgauge_registrar.sandbox.material import (
    APART,
    FIRST_FROZEN,
    FREEZE,
    OVERRIDE,
    PACKAGE_ONLY,
    REFERENCE,
    TODAY,
    USED_SIDECAR,
    VOIDED,
)
from medgauge_registrar.sandbox.material_results import OPEN_MODEL, RESULT_BASE, high, result
from support.governance import AUTHORS, ids, ledger, roster_with
from support.snapshots import approvals, commit, decided, person, pull, review, row

FAILED, MISSING, UNDECIDED = EvidenceState.FAILED, EvidenceState.MISSING, EvidenceState.UNDECIDED
VERSION, FIRST = "bm-example-handover@0.3.0", "bm-example-handover@0.1.0"
MODEL_FILE = "registry/models/Example%20Model%201.yaml"
SIGNED = (review("acceptor", number=1, body=PACKAGE_ONLY), review("maintainer", number=2, body=APART))
RESULT_SEATS = approvals("results reviewer", "maintainer")
NEW_REFERENCE = copy(REFERENCE, REFERENCE.replace("0.1.0", "0.2.0"), ("version: 0.1.0", "version: 0.2.0"))
VOID = append(
    VOIDED,
    "  - task_key: tk-vlsi47wqal9v@0.1.0\n    attribution: task\n    reason_class: key-error\n"
    f"    date: {TODAY}\n    replaced_in: null\n",
)
# What a row's question has to find in the base: a result with its round, a reference that is not listed yet.
BASES: Mapping[str, tuple[Edit, ...]] = {
    "M2": (swap(USED_SIDECAR, "listing: listed", "listing: unlisted"),),
    "M4": RESULT_BASE,
}
BASELINE = swap(
    FIRST_FROZEN,
    "expert_baseline: null",
    "expert_baseline: {median_minutes: 24.5, pass_rate: 0.8, experts: 2, measured_on: 2026-11-26, record_ref: x}",
)


def subjects(*submitters: str, party: str = "Example Vendor") -> Ledger:
    """A ledger in which these people submitted the model."""
    own = {"Example Model 1": {"submitters": ids(*submitters), "party": party}}
    return ledger(subjects={**own, "hx-example-loop@0.1.0": {"submitters": [], "party": "Example Initiative"}})


def everywhere(**facts: Any) -> Ledger:
    """A ledger with these facts of every version of the family."""
    known = ledger()
    return Ledger(
        benchmark_versions={name: ledger(name, **facts).benchmark_versions[name] for name in known.benchmark_versions},
        subjects=known.subjects,
        tested_by_builders=known.tested_by_builders,
    )


def builders_of(reference: str, *builders: str) -> Ledger:
    """A ledger in which these people build the tasks that test a reference."""
    return ledger(references={reference: {"tested_by_builders": ids(*builders)}})


@dataclass(frozen=True)
class Question:
    """A change of a fork, the ledgers that answer the question in it, and who would have to stand behind it first."""

    row: str
    edits: tuple[Edit, ...]
    ledgers: tuple[Ledger, ...]
    seated: tuple[Any, ...]
    from_site: bool = False

    def decide(self, known: Ledger, *reviews: Any, **fields: Any) -> Decision:
        return decided(
            *self.edits,
            request=pull(*reviews, **fields),
            base=BASES.get(self.row, ()),
            ledger=known,
            reference_authors=AUTHORS,
            roster=roster_with(builder={"parties": ["Example Vendor"]}),
        )


# The fork asks of whoever opened it; the pull request of the site shows that the same facts decide.
QUESTIONS = {
    "ROLE-02 of a reference": Question(
        "M1",
        (NEW_REFERENCE,),
        (builders_of("gr-example-unit", "contributor"), builders_of("gr-example-unit", "builder"), Ledger()),
        approvals("maintainer"),
    ),
    "ROLE-02 of a listing": Question(
        "M2",
        (swap(USED_SIDECAR, "listing: unlisted", "listing: listed"),),
        (builders_of("gr-example-dose", "author of references"), ledger(), Ledger()),
        approvals("reference engineer", "reviewer"),
    ),
    "ROLE-02 of a freeze": Question(
        "M3", FREEZE, (builders_of("gr-example-dose", "author of references"), ledger(), Ledger()), SIGNED
    ),
    "ROLE-03 of a freeze": Question(
        "M3", FREEZE, (ledger(VERSION, holdout_parties=["Example Vendor"]), ledger(), Ledger()), SIGNED
    ),
    "ROLE-18 of a freeze": Question(
        "M3", FREEZE, (ledger(VERSION, builders=ids("vendor")), ledger(), Ledger()), SIGNED
    ),
    "ROLE-01 of a freeze": Question(
        "M3", FREEZE, (ledger(VERSION, acceptors=ids("builder")), ledger(), Ledger()), SIGNED
    ),
    "ROLE-07 of a freeze": Question(
        "M3", FREEZE, (ledger(VERSION, key_experts=ids("first expert")), ledger(), Ledger()), SIGNED
    ),
    "GATE-12 of a freeze": Question(
        "M3", FREEZE, (ledger(VERSION, package_sha256="ab" * 32), ledger(), Ledger()), SIGNED
    ),
    "ROLE-28 of a freeze": Question(
        "M3", FREEZE, (ledger(VERSION, builders=ids("builder", "maintainer")), ledger()), SIGNED
    ),
    "ROLE-03 of a result": Question(
        "M4", (high(),), (everywhere(holdout_parties=["Example Vendor"]), ledger(), Ledger()), RESULT_SEATS, True
    ),
    "ROLE-04 of a result": Question(
        "M4", (high(),), (subjects("site"), subjects("contributor"), ledger(), Ledger()), RESULT_SEATS, True
    ),
    "ROLE-18 of a result": Question(
        "M4", (high(),), (everywhere(builders=ids("vendor")), everywhere(builders=ids("builder")), Ledger()),
        RESULT_SEATS, True,
    ),
    "ROLE-18 of a void": Question(
        "M14", (VOID,), (ledger(), Ledger()), approvals("results reviewer", "maintainer")
    ),
    "ROLE-22 of an override": Question(
        "M15", (OVERRIDE,), (ledger(), Ledger()), approvals("maintainer", "second maintainer")
    ),
    "ROLE-08 of a baseline": Question(
        "M18",
        (BASELINE,),
        (
            ledger(FIRST, baseline_experts=ids("builder")),
            ledger(FIRST, baseline_experts=ids("contributor")),
            Ledger(),
        ),
        approvals("acceptor", "maintainer"),
    ),
}  # fmt: skip


def outputs(decision: Decision) -> Iterator[tuple[str, str]]:
    """Every form in which a decision is told; its state is the exit status."""
    yield "state", decision.state
    yield "document", decision_json(decision)
    yield "comment", render_comment(decision)
    yield "status", status_description(decision)
    yield "summary", render_summary(decision)
    yield "text", render_decision_text(decision)
    yield "sarif", render_sarif(decision.findings)
    yield "commands", workflow_commands(decision.findings)
    yield "annotations", repr(annotations(decision.findings))
    yield "value", repr(decision)


def told(question: Question, *reviews: Any, **fields: Any) -> set[tuple[tuple[str, str], ...]]:
    """What the outputs say under each of the ledgers, each different answer once."""
    return {tuple(outputs(question.decide(known, *reviews, **fields))) for known in question.ledgers}


def of_the_site() -> dict[str, Any]:
    """The facts of a pull request that the site opens from a branch of the registry."""
    return {
        "author": person("site"),
        "pushed_by": person("site"),
        "commits": (commit("site", "site"),),
        "head_repo": "example-organisation/registry",
    }


ASKED = [pytest.param(question, id=name) for name, question in QUESTIONS.items()]
FORGED = ("vendor", "builder", "author of references", "site", "maintainer")


@pytest.mark.rule("ROLE-16", "passes")
@pytest.mark.parametrize("question", ASKED)
def test_a_fork_is_told_nothing(question: Question) -> None:
    """Neither an approval of somebody without a role nor a forged co-author makes a difference under any ledger."""
    assert len(told(question)) == 1
    forged = (commit("contributor", "contributor", *FORGED),)
    assert len(told(question, *approvals("newcomer"), commits=forged)) == 1


@pytest.mark.parametrize("question", [one for one in ASKED if len(one.values[0].seated) > 1])
def test_one_approval_of_two_is_told_nothing(question: Question) -> None:
    """Somebody with one role alone cannot ask through an account without any; nor is anything told of the site's own."""
    attesting = review("maintainer", number=1, body=PACKAGE_ONLY)
    for one in (*question.seated, attesting):
        assert len(told(question, one)) == 1
        if question.from_site:
            assert len(told(question, one, **of_the_site())) == 1


@pytest.mark.rule("ROLE-16", "fails")
@pytest.mark.parametrize("question", ASKED)
def test_filled_seats_are_told(question: Question) -> None:
    """The first ledger's answer shows once every seat is filled; what contradicts a rule of separation then blocks."""
    fields = of_the_site() if question.from_site else {}
    assert len(told(question, *question.seated, **fields)) > 1


@pytest.mark.parametrize("name", [name for name in QUESTIONS if name.startswith(("ROLE-02", "ROLE-03", "ROLE-04"))])
def test_a_contradiction_blocks(name: str) -> None:
    """Nobody's approval lifts it."""
    question = QUESTIONS[name]
    fields = of_the_site() if question.from_site else {}
    decision = question.decide(question.ledgers[0], *question.seated, **fields)
    assert decision.state is State.BLOCKED
    assert {item.rule: item.state for item in row(decision, question.row).separation}[name[:7]] is FAILED


@pytest.mark.parametrize("question", [one for one in ASKED if one.values[0].from_site])
def test_a_result_from_elsewhere_is_told_nothing(question: Question) -> None:
    """It is refused whatever anybody approves, so nothing is asked of the ledger, nor whom it bars from the seats."""
    barring = (*question.ledgers, subjects("maintainer"), subjects("results reviewer", party="Another"))
    asked = Question(question.row, question.edits, barring, question.seated)
    assert len(told(asked, *question.seated)) == 1
    found = row(asked.decide(barring[0], *question.seated), "M4").separation
    assert {item.rule: item.state for item in found if item.rule in {"ROLE-03", "ROLE-04", "ROLE-18"}} == dict.fromkeys(
        ("ROLE-03", "ROLE-04", "ROLE-18"), UNDECIDED
    )


@pytest.mark.parametrize(
    ("gave", "vendor", "expected"),
    [
        ("Example Vendor", "Example Vendor", FAILED),
        ("Example Vendor", "Another", FAILED),
        ("Another", "Another", UNDECIDED),
        ("Another", "Example Vendor", EvidenceState.SATISFIED),
    ],
)
def test_a_vendor_is_what_the_base_says(gave: str, vendor: str, expected: EvidenceState) -> None:
    """A branch that writes another vendor neither asks about that party nor hides the one before."""
    known = everywhere(holdout_parties=[gave])
    harness = {name: one for name, one in known.subjects.items() if name != "Example Model 1"}
    facts = Ledger(benchmark_versions=known.benchmark_versions, subjects=harness)
    question = Question(
        "M4", (high(), swap(MODEL_FILE, "vendor: Example Vendor", f"vendor: {vendor}")), (facts,), RESULT_SEATS
    )
    if vendor == "Example Vendor":
        question = Question("M4", (high(),), (facts,), RESULT_SEATS)
    found = row(question.decide(facts, *RESULT_SEATS, **of_the_site()), "M4").separation
    assert {item.rule: item.state for item in found}["ROLE-03"] is expected


def test_a_model_that_is_new_has_the_vendor_that_comes_with_it() -> None:
    """There is no other to ask about, and it decides once the seats are filled."""
    known = everywhere(holdout_parties=["Example Vendor"])
    harness = {name: one for name, one in known.subjects.items() if name.startswith("hx-")}
    facts = Ledger(benchmark_versions=known.benchmark_versions, subjects=harness)
    new = result(
        "example-model-2",
        ('"model": "Example Model 1"', '"model": "Example Model 2"'),
        ("example-model-1-2026-10-01", "example-model-2-2026-10-01"),
    )
    question = Question("M4", (OPEN_MODEL, new), (facts,), RESULT_SEATS)
    for reviews, expected in ((RESULT_SEATS, FAILED), ((), MISSING)):
        found = row(question.decide(facts, *reviews, **of_the_site()), "M4").separation
        assert {item.rule: item.state for item in found}["ROLE-03"] is expected


def test_whoever_pushed_a_result_of_their_own() -> None:
    """Another account of the site than the one that opened it is asked as well."""
    sites = swap(".github/registrar.yml", "site_identities: [9013]", f"site_identities: [9013, {ids('vendor')[0]}]")
    request = pull(*RESULT_SEATS, **{**of_the_site(), "pushed_by": person("vendor")})
    decision = decided(high(), request=request, base=(*RESULT_BASE, sites), ledger=ledger())
    found = {item.rule: item.state for item in row(decision, "M4").separation}
    assert (found["ROLE-04"], found["ROLE-19"]) == (FAILED, EvidenceState.SATISFIED)
