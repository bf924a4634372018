"""The decision: which state a pull request is in, and what each row lacks."""

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from medgauge_registrar.checks.run import check_reached
from medgauge_registrar.decide import Snapshot, decide
from medgauge_registrar.model.decision import (
    Decision,
    EvidenceState,
    RowState,
    SeatState,
    SetAside,
    State,
)
from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.model.pull import Pull, Review, User
from medgauge_registrar.model.roster import Person, Role, Roster, Term
from medgauge_registrar.report.comment import render_comment
from medgauge_registrar.report.document import decision_json
from medgauge_registrar.report.terminal import render_decision_text
from medgauge_registrar.requirements.evidence import Answer
from medgauge_registrar.sandbox.cast import CAST
from medgauge_registrar.sandbox.edits import Edit, append, copy, drop, mode, move, put, swap
from medgauge_registrar.sandbox.material import (
    CARD,
    CHARTER,
    FIRST_FROZEN,
    GUIDELINE,
    HARNESS,
    NEW_CAPABILITY,
    NEW_HARNESS,
    NEW_PRICES,
    NEW_STANDARD,
    OVERRIDE,
    REFERENCE,
    ROADMAP,
    SETTINGS,
    SIDECAR,
    TODAY,
    VOIDED,
)
from support.snapshots import (
    ARRIVED,
    HEAD,
    approvals,
    at,
    cast_roster,
    comment,
    commit,
    decided,
    errors,
    person,
    pull,
    review,
    row,
    snapshot,
)

README = append("README.md", "\nAn example line.\n")
LISTING = (
    swap(SIDECAR, "listing: unlisted", "listing: listed"),
    swap(SIDECAR, "last_reviewed: 2026-11-18", f"last_reviewed: {TODAY}"),
)
VOID = append(
    VOIDED,
    "  - task_key: tk-95b9ee0vbgi0@0.1.0\n    attribution: task\n    reason_class: key-error\n"
    f"    date: {TODAY}\n    replaced_in: null\n",
)
NEW_REFERENCE = copy(
    REFERENCE, "registry/references/gr-example-route/0.1.0.yaml", ("gr-example-unit", "gr-example-route")
)
REPRODUCTION = copy(
    "registry/reproductions/rp-example-laboratory-1.yaml",
    "registry/reproductions/rp-example-laboratory-2.yaml",
    ("rp-example-laboratory-1", "rp-example-laboratory-2"),
)


def seats(decision: Decision, name: str) -> list[str]:
    """The seats of a row, as `role state`."""
    return [f"{seat.role} {seat.state}" for seat in row(decision, name).seats]


def steps(decision: Decision, who: str) -> str:
    """What one role, or the author, is told to do."""
    return "\n".join(step.do for step in decision.next_steps if step.who == who)


def set_aside(decision: Decision) -> dict[int, SetAside]:
    """Why reviews do not count, by their id."""
    return {aside.review: aside.reason for aside in decision.set_aside}


def answering(monkeypatch: pytest.MonkeyPatch, **answers: str) -> None:
    """Let providers answer for rules in a fixed way, and no others answer at all."""
    providers = {
        rule.replace("_", "-"): lambda _, state=state: Answer(state=EvidenceState(state), message="as the test says")
        for rule, state in answers.items()
    }
    monkeypatch.setattr("medgauge_registrar.decide.PROVIDERS", providers)


# Rows and their people ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edits", "by", "name", "state"),
    [
        pytest.param([NEW_STANDARD], ["maintainer"], "M1", "approved", marks=pytest.mark.rule("DEC-03", "passes")),
        pytest.param([NEW_STANDARD], [], "M1", "pending", marks=pytest.mark.rule("DEC-03", "fails")),
        pytest.param([NEW_STANDARD], ["reviewer"], "M1", "pending", marks=pytest.mark.rule("DEC-03", "fails")),
        pytest.param([NEW_HARNESS], ["maintainer"], "M5", "approved", marks=pytest.mark.rule("DEC-07", "passes")),
        pytest.param([NEW_HARNESS], ["reviewer"], "M5", "pending", marks=pytest.mark.rule("DEC-07", "fails")),
        pytest.param([README], ["maintainer"], "M19", "approved", marks=pytest.mark.rule("DEC-20", "passes")),
        pytest.param([README], [], "M19", "pending", marks=pytest.mark.rule("DEC-20", "fails")),
        pytest.param([NEW_PRICES], ["maintainer"], "M13", "approved", marks=pytest.mark.rule("DEC-26", "passes")),
        pytest.param([NEW_PRICES], [], "M13", "pending", marks=pytest.mark.rule("DEC-26", "fails")),
        pytest.param([*CHARTER], ["maintainer", "second maintainer"], "M9", "approved"),
        pytest.param([*CHARTER], ["maintainer"], "M9", "pending"),
        pytest.param([*CHARTER], ["maintainer", "acceptor"], "M9", "pending"),
    ],
)
def test_a_row_is_met_by_its_people(edits: list[Edit], by: list[str], name: str, state: str) -> None:
    """The change is approved by exactly those whom its row names, and waits without them."""
    decision = decided(*edits, by=by)
    assert (decision.state, [found.id for found in decision.rows]) == (state, [name])
    filled = all(seat.state is SeatState.FILLED for seat in row(decision, name).seats)
    assert filled == (state == "approved")
    assert bool(decision.next_steps) == (state != "approved")


@pytest.mark.rule("DEC-13", "passes")
def test_one_approval_serves_several_rows() -> None:
    """Two maintainers meet a row of two and a row of one; nobody else is asked for."""
    decision = decided(*CHARTER, NEW_STANDARD, by=["maintainer", "second maintainer"])
    assert decision.state is State.APPROVED
    assert [found.id for found in decision.rows] == ["M1", "M9"]


@pytest.mark.rule("DEC-13", "fails")
def test_every_row_must_be_met() -> None:
    """One maintainer meets the row of one and not that of two; one more person is asked for, not two."""
    decision = decided(*CHARTER, NEW_STANDARD, by=["maintainer"])
    assert decision.state is State.PENDING
    assert (row(decision, "M1").state, row(decision, "M9").state) == (RowState.SATISFIED, RowState.PENDING)
    assert steps(decision, "maintainer") == "Review and approve the head (one person with this role)."
    nobody = decided(*CHARTER, NEW_STANDARD)
    assert steps(nobody, "maintainer") == "Review and approve the head (2 people with this role)."


@pytest.mark.rule("DEC-14", "passes")
def test_two_seats_take_two_people(monkeypatch: pytest.MonkeyPatch) -> None:
    """A results reviewer and a maintainer fill a row together."""
    answering(monkeypatch, NCN_08="satisfied", ROLE_18="satisfied")
    decision = decided(VOID, by=["results reviewer", "maintainer"])
    assert seats(decision, "M14") == ["results-reviewer filled", "maintainer filled"]


@pytest.mark.rule("DEC-14", "fails")
def test_one_person_fills_one_seat() -> None:
    """Whoever holds both roles of a row still sits once; a second person with either role completes it."""
    alone = decided(VOID, by=["two roles"])
    assert sorted(seat.rsplit(" ", 1)[1] for seat in seats(alone, "M14")) == ["filled", "open"]
    assert seats(decided(VOID, by=["two roles", "maintainer"]), "M14") == seats(
        decided(VOID, by=["results reviewer", "two roles"]), "M14"
    )


def test_an_extra_seat_comes_with_its_facet() -> None:
    """A baseline that arrives late asks for an acceptor too; a manifest or an identifier does not."""
    baseline = swap(FIRST_FROZEN, "expert_baseline: null", "expert_baseline: {experts: 2}")
    identifier = swap(FIRST_FROZEN, "persistent_identifier: null", "persistent_identifier: doi:10.0000/example.9")
    assert seats(decided(baseline), "M18") == ["maintainer open", "acceptor open"]
    assert seats(decided(baseline, identifier), "M18") == ["maintainer open", "acceptor open"]
    assert seats(decided(identifier), "M18") == ["maintainer open"]
    evidence = {item.id for item in row(decided(identifier), "M18").evidence}
    assert evidence == {"IMM-03"}
    assert {"ROLE-08", "ROLE-10"} <= {item.id for item in row(decided(baseline), "M18").evidence}


@pytest.mark.parametrize(
    ("edits", "rows"),
    [
        ([move(HARNESS, "docs/harness.yaml")], ["M5", "M19"]),
        ([move("README.md", "registry/README.md")], ["M19", "M20"]),
        ([move(SETTINGS, "docs/settings.yml")], ["M17", "M19"]),
    ],
)
def test_a_rename_triggers_the_rows_of_both_names(edits: list[Edit], rows: list[str]) -> None:
    """What leaves a kind answers to that kind's row, what arrives to the other's."""
    assert [found.id for found in decided(*edits).rows] == rows


@pytest.mark.rule("DEC-18", "fails")
def test_titles_and_labels_lift_no_row() -> None:
    """Neither words, labels nor branch names change what a change is."""
    quiet = decided(*CHARTER, request=pull(*approvals("maintainer")))
    loud = decided(
        *CHARTER,
        request=pull(
            *approvals("maintainer"),
            title="fix typo",
            body="Trivial. M9 does not apply.",
            labels=("typo", "skip-gate", "approved", "automerge"),
            head_ref="docs/typo",
        ),
    )
    assert quiet == loud
    assert (loud.state, [found.id for found in loud.rows]) == (State.PENDING, ["M9"])


def test_a_refused_row_is_refused_whoever_approves() -> None:
    """An unknown path under the registry stays blocked with every maintainer's approval."""
    note = put("registry/standards/notes.txt", "An example note.\n")
    decision = decided(note, by=["maintainer", "second maintainer", "third maintainer"])
    assert (decision.state, row(decision, "M20").state) == (State.BLOCKED, RowState.BLOCKED)
    assert errors(decision) == {"DEC-19"}


@pytest.mark.rule("DEC-28", "passes")
def test_no_override_no_row() -> None:
    """What touches no override is not asked about one."""
    assert "M15" not in {found.id for found in decided(NEW_STANDARD).rows}


@pytest.mark.rule("DEC-28", "fails")
def test_an_override_is_refused() -> None:
    """While no threshold is set no level can be overridden, whoever signs."""
    decision = decided(OVERRIDE, by=["maintainer", "second maintainer"])
    assert (decision.state, row(decision, "M15").state) == (State.BLOCKED, RowState.BLOCKED)
    assert seats(decision, "M15") == ["maintainer filled", "maintainer filled"]


# Who does not count ---------------------------------------------------------------------------------------------------

BOT = User(id=person("maintainer").id, login=person("maintainer").login, type="Bot")
MAINTAINER = person("maintainer")
AUTOMATON = User(id=9901, login="example-automaton[bot]", type="Bot")
DEPENDABOT = User(id=49699333, login="dependabot[bot]", type="Bot")


@pytest.mark.parametrize(
    ("reviews", "facts", "reason"),
    [
        pytest.param([review("maintainer")], {}, None, marks=pytest.mark.rule("DEC-15", "passes")),
        *(
            pytest.param([review("maintainer")], facts, reason, marks=pytest.mark.rule("DEC-15", "fails"))
            for facts, reason in (
                ({"author": MAINTAINER}, SetAside.AUTHOR),
                ({"commits": (commit("maintainer", "contributor"),)}, SetAside.AUTHOR),
                ({"commits": (commit("contributor", "maintainer"),)}, SetAside.COMMITTER),
                ({"commits": (commit("contributor", "contributor", "maintainer"),)}, SetAside.CO_AUTHOR),
                ({"pushed_by": MAINTAINER}, SetAside.PUSHER),
                ({"author": BOT, "triggered_by": MAINTAINER}, SetAside.AUTHOR),
                ({"triggered_by": MAINTAINER}, SetAside.TRIGGERER),
            )
        ),
        ([review(BOT)], {}, SetAside.BOT),
        ([review(None)], {}, SetAside.NO_ACCOUNT),
        ([review("newcomer")], {}, SetAside.NOT_COUNTED),
        ([review("reviewer")], {}, SetAside.NOT_COUNTED),
        pytest.param([review("maintainer", minute=0)], {}, None, marks=pytest.mark.rule("DEC-16", "passes")),
        *(
            pytest.param([one], facts, reason, marks=pytest.mark.rule("DEC-16", "fails"))
            for one, facts, reason in (
                (review("maintainer", minute=-1), {}, SetAside.BEFORE_HEAD),
                (review("maintainer"), {"seen_at": None}, SetAside.BEFORE_HEAD),
                (review("maintainer", minute=None), {}, SetAside.BEFORE_HEAD),
                (review("maintainer", commit="c3" * 20), {}, SetAside.NOT_ON_HEAD),
                (review("maintainer", commit=None), {}, SetAside.NOT_ON_HEAD),
                (review("maintainer", commit=HEAD[:12]), {}, SetAside.NOT_ON_HEAD),
                (review("maintainer", "DISMISSED"), {}, SetAside.DISMISSED),
            )
        ),
    ],
)
def test_an_approval_counts_or_is_set_aside(
    reviews: list[Review], facts: dict[str, Any], reason: SetAside | None
) -> None:
    """Whoever had a hand in the change, saw something else or is no person fills no seat; the reason is given."""
    decision = decided(NEW_STANDARD, request=pull(*reviews, **facts))
    assert (decision.state is State.APPROVED) == (reason is None)
    assert set_aside(decision) == ({} if reason is None else {100: reason})
    assert seats(decision, "M1") == [f"maintainer {'open' if reason else 'filled'}"]


@pytest.mark.parametrize(
    ("reviewers", "facts", "state", "kept"),
    [
        (["maintainer"], {"author": AUTOMATON}, State.PENDING, "missing"),
        (["maintainer"], {"pushed_by": AUTOMATON}, State.PENDING, "missing"),
        (["maintainer", "second maintainer"], {"author": AUTOMATON}, State.APPROVED, "satisfied"),
        (["maintainer"], {"author": DEPENDABOT, "pushed_by": DEPENDABOT}, State.APPROVED, "satisfied"),
    ],
)
def test_whoever_made_a_bot_open_a_change_does_not_approve_it_alone(
    reviewers: list[str], facts: dict[str, Any], state: State, kept: str
) -> None:
    """GitHub does not say at whose word a bot acts, so one approver too many is asked for, and why is told."""
    decision = decided(NEW_STANDARD, request=pull(*(review(name) for name in reviewers), **facts))
    assert decision.state is state
    assert [item.state for item in row(decision, "M1").separation if item.rule == "DEC-15"] == [kept]
    told = [finding.severity for finding in decision.findings if finding.rule == "DEC-15"]
    assert told == ([] if DEPENDABOT in facts.values() else [Severity.NOTICE])
    assert [step.who for step in decision.next_steps] == (["maintainer"] if state is State.PENDING else [])


def test_a_pure_update_from_the_base_keeps_approvals_and_makes_nobody_an_author() -> None:
    """An approval of an equivalent head counts, and the person who merged the base may approve."""
    earlier = "c3" * 20
    stale = review("maintainer", minute=-10, commit=earlier)
    assert decided(NEW_STANDARD, request=pull(stale), equivalent_heads=frozenset({earlier})).state is State.APPROVED
    assert decided(NEW_STANDARD, request=pull(stale)).state is State.PENDING
    update = commit("maintainer", "maintainer", None, sha="d4" * 20)
    request = pull(review("maintainer"), commits=(commit(), update))
    assert decided(NEW_STANDARD, request=request, updates_from_base={update.sha: "b1" * 20}).state is State.APPROVED
    assert set_aside(decided(NEW_STANDARD, request=request)) == {100: SetAside.AUTHOR}


@pytest.mark.parametrize(
    ("body", "edited", "state"),
    [
        (f"/confirm {HEAD}", False, "approved"),
        (f"/confirm {HEAD}", True, "pending"),
        (f"/confirm {HEAD[:12]}", False, "pending"),
        (f"/confirm {'c3' * 20}", False, "pending"),
        (f"> /confirm {HEAD}", False, "pending"),
        ("/confirm", False, "pending"),
    ],
)
def test_a_confirmation_renews_an_approval(body: str, edited: bool, state: str) -> None:
    """All digits of the head, in an unedited comment of the same account, and nothing less."""
    said = replace(comment("maintainer", body), edited=edited)
    stale = review("maintainer", minute=-10)
    assert decided(NEW_STANDARD, request=pull(stale, comments=(said,))).state == state
    assert decided(NEW_STANDARD, request=pull(comments=(said,))).state is State.PENDING


@pytest.mark.rule("ROLE-12", "passes")
@pytest.mark.rule("ROLE-13", "passes")
@pytest.mark.parametrize("name", ["reviewer", "acceptor", "maintainer"])
def test_standing_fills_a_reviewers_seat(name: str) -> None:
    """A standing reviewer, and whoever stands above one, may review a listing."""
    decision = decided(*LISTING, by=["reference engineer", name])
    assert seats(decision, "M2") == ["reference-engineer filled", "reviewer filled"]


@pytest.mark.rule("ROLE-12", "fails")
@pytest.mark.parametrize("name", ["results reviewer", "data steward"])
def test_other_roles_do_not_review(name: str) -> None:
    """The word in a role's name gives no standing."""
    decision = decided(*LISTING, by=["reference engineer", name])
    assert seats(decision, "M2") == ["reference-engineer filled", "reviewer open"]
    assert set_aside(decision) == {101: SetAside.NOT_COUNTED}


@pytest.mark.rule("ROLE-13", "fails")
@pytest.mark.parametrize(
    ("name", "role"), [("reviewer", "acceptor"), ("acceptor", "maintainer"), ("reviewer", "maintainer")]
)
def test_standing_does_not_reach_upward(name: str, role: str) -> None:
    """A lower step never sits in a higher one's seat."""
    baseline = swap(FIRST_FROZEN, "expert_baseline: null", "expert_baseline: {experts: 2}")
    decision = decided(baseline, by=[name])
    assert f"{role} open" in seats(decision, "M18")


def roster_of(*people: Person) -> Roster:
    """A roster of these alone."""
    return Roster(people=people)


@pytest.mark.parametrize(
    ("roster", "state"),
    [
        pytest.param(
            roster_of(Person(id=MAINTAINER.id, login="EXAMPLE-Person-01", roles=(Role.MAINTAINER,))),
            "approved",
            marks=pytest.mark.rule("ROLE-17", "passes"),
        ),
        pytest.param(
            roster_of(Person(id=1, login=MAINTAINER.login, roles=(Role.MAINTAINER,))),
            "pending",
            marks=pytest.mark.rule("ROLE-17", "fails"),
        ),
        pytest.param(
            roster_of(Person(id=MAINTAINER.id, login="example-person-99", roles=(Role.MAINTAINER,))),
            "pending",
            marks=pytest.mark.rule("ROLE-17", "fails"),
        ),
        pytest.param(Roster(), "pending", marks=pytest.mark.rule("ROLE-29", "fails")),
        *(
            pytest.param(
                roster_of(
                    Person(
                        id=MAINTAINER.id,
                        login=MAINTAINER.login,
                        roles=roles,
                        terms=(Term(role=Role.MAINTAINER, from_day=first, until=until),),
                    )
                ),
                state,
                marks=pytest.mark.rule("ROLE-14", "passes" if state == "approved" else "fails"),
            )
            for roles, first, until, state in (
                ((Role.MAINTAINER,), date(2026, 11, 29), date(2026, 11, 30), "approved"),
                ((Role.MAINTAINER,), date(2026, 1, 1), None, "approved"),
                ((Role.MAINTAINER,), date(2026, 1, 1), date(2026, 11, 29), "pending"),
                ((Role.MAINTAINER,), date(2026, 11, 30), None, "pending"),
                ((Role.REVIEWER,), date(2026, 1, 1), None, "pending"),
            )
        ),
    ],
)
def test_roles_come_from_the_roster_alone(roster: Roster, state: str) -> None:
    """Numeric id and login agree, letter case aside, and a term covers the day of the review and of the decision."""
    assert decided(NEW_STANDARD, by=["maintainer"], roster=roster).state == state


@pytest.mark.rule("ROLE-29", "passes")
def test_what_nobody_can_fill_waits() -> None:
    """The author is the only maintainer: it waits, and passes once somebody else holds the role."""
    author = roster_of(Person(id=MAINTAINER.id, login=MAINTAINER.login, roles=(Role.MAINTAINER,)))
    request = pull(*approvals("maintainer", "second maintainer"), author=MAINTAINER, labels=("bypass",))
    assert decided(NEW_STANDARD, request=request, roster=author).state is State.PENDING
    assert decided(NEW_STANDARD, request=request).state is State.APPROVED


@pytest.mark.parametrize(
    ("institution", "parties", "state"),
    [
        pytest.param(None, (), "satisfied", marks=pytest.mark.rule("ROLE-21", "passes")),
        pytest.param(
            "Another Laboratory", ("Third Laboratory",), "satisfied", marks=pytest.mark.rule("ROLE-21", "passes")
        ),
        pytest.param("EXAMPLE laboratory", (), "missing", marks=pytest.mark.rule("ROLE-21", "fails")),
        pytest.param(None, ("example laboratory",), "missing", marks=pytest.mark.rule("ROLE-21", "fails")),
    ],
)
def test_a_reproduction_is_approved_from_outside(institution: str | None, parties: tuple[str, ...], state: str) -> None:
    """Nobody of the organisation that ran it fills the seat; the output says no more than that."""
    known = Person(
        id=MAINTAINER.id, login=MAINTAINER.login, roles=(Role.MAINTAINER,), institution=institution, parties=parties
    )
    decision = decided(REPRODUCTION, by=["maintainer"], roster=roster_of(known))
    assert {item.rule: item.state for item in row(decision, "M1").separation}["ROLE-21"] == state
    assert (row(decision, "M1").state is RowState.SATISFIED) == (state == "satisfied")
    assert set_aside(decision) == ({} if state == "satisfied" else {100: SetAside.NOT_COUNTED})


def test_reproductions_of_two_organisations() -> None:
    """Each of the organisations in a pull request keeps its own people out."""
    other = put(
        "registry/reproductions/rp-example-laboratory-3.yaml",
        "organisation: Second Laboratory\nversion: not finished\n",
    )
    for institution in ("Example Laboratory", "Second Laboratory"):
        known = Person(id=MAINTAINER.id, login=MAINTAINER.login, roles=(Role.MAINTAINER,), institution=institution)
        decision = decided(REPRODUCTION, other, by=["maintainer"], roster=roster_of(known))
        assert seats(decision, "M1") == ["maintainer open"]


@pytest.mark.parametrize(
    ("edit", "unknown", "severity", "state"),
    [
        pytest.param(NEW_REFERENCE, False, None, "approved", marks=pytest.mark.rule("ROLE-23", "passes")),
        pytest.param(NEW_REFERENCE, True, "error", "blocked", marks=pytest.mark.rule("ROLE-23", "fails")),
        (NEW_STANDARD, True, "notice", "approved"),
        (NEW_STANDARD, False, None, "approved"),
    ],
)
def test_commits_without_an_account(edit: Edit, unknown: bool, severity: str | None, state: str) -> None:
    """Somebody unknown among the people of a commit stops a grading reference, and is only told elsewhere."""
    people = commit("contributor", None if unknown else "contributor")
    decision = decided(edit, request=pull(*approvals("maintainer"), commits=(people,)))
    told = [finding for finding in decision.findings if finding.rule == "ROLE-23"]
    assert [finding.severity for finding in told] == ([Severity(severity)] if severity else [])
    assert decision.state == state
    assert row(decision, "M1").state == ("blocked" if state == "blocked" else "satisfied")


# States ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DEC-17", "fails")
@pytest.mark.parametrize("first", [True, False])
def test_an_objection_by_a_needed_role_blocks(first: bool) -> None:
    """A maintainer's request for changes holds the merge, whoever else approves, before or after."""
    objection = review("second maintainer", "CHANGES_REQUESTED", number=1, minute=10 if first else 50)
    decision = decided(NEW_STANDARD, request=pull(review("maintainer"), objection))
    assert decision.state is State.BLOCKED
    assert row(decision, "M1").state is RowState.SATISFIED
    assert "request for changes" in steps(decision, "author")
    old = replace(objection, commit="c3" * 20, submitted_at=at(-600))
    assert decided(NEW_STANDARD, request=pull(review("maintainer"), old)).state is State.BLOCKED


@pytest.mark.rule("DEC-17", "passes")
@pytest.mark.parametrize("later", ["APPROVED", "DISMISSED"])
def test_an_objection_can_be_taken_back(later: str) -> None:
    """The latest opinion of the same account stands; what was only commented changes nothing."""
    objection = review("second maintainer", "CHANGES_REQUESTED", number=1, minute=10)
    again = review("second maintainer", later, number=2, minute=20)
    talk = review("second maintainer", "COMMENTED", number=3, minute=25)
    assert decided(NEW_STANDARD, request=pull(review("maintainer"), objection, again, talk)).state is State.APPROVED
    assert decided(NEW_STANDARD, request=pull(review("maintainer"), objection, talk)).state is State.BLOCKED


@pytest.mark.parametrize("name", ["newcomer", "reviewer", "results reviewer"])
def test_an_objection_without_a_needed_role_is_set_aside(name: str) -> None:
    """Whoever holds no role that this pull request needs cannot hold it."""
    decision = decided(NEW_STANDARD, request=pull(review("maintainer"), review(name, "CHANGES_REQUESTED", number=1)))
    assert decision.state is State.APPROVED
    assert set_aside(decision) == {1: SetAside.NOT_COUNTED}


@pytest.mark.parametrize(
    ("who", "body", "edited", "held"),
    [
        pytest.param(
            "newcomer", "/dispute An example reason.", False, False, marks=pytest.mark.rule("DISP-01", "passes")
        ),
        pytest.param(
            "data steward", "/dispute An example reason.", False, True, marks=pytest.mark.rule("DISP-01", "fails")
        ),
        ("maintainer", "/dispute", False, False),
        ("maintainer", "/dispute An example reason.", True, False),
        ("maintainer", "> /dispute An example reason.", False, False),
        ("maintainer", "I do not /dispute this.", False, False),
        ("contributor", "/dispute An example reason.", False, False),
    ],
)
def test_a_dispute_holds_the_merge(who: str, body: str, edited: bool, held: bool) -> None:
    """An unedited command with reasons, by anybody with a role, opens one; it stays open until three have voted."""
    said = replace(comment(who, body), edited=edited)
    decision = decided(NEW_STANDARD, request=pull(review("second maintainer"), comments=(said,)))
    assert decision.state is (State.PENDING if held else State.APPROVED)
    assert (decision.dispute is not None) == held
    if decision.dispute is not None:
        assert (decision.dispute.state, decision.dispute.votes, decision.dispute.outcome) == ("open", 0, None)
        assert "A dispute is open" in steps(decision, "maintainer")
        assert all(found.state is RowState.SATISFIED for found in decision.rows)


def test_a_draft_waits() -> None:
    """A draft is never approved, though all its rows are met, and its author is told."""
    decision = decided(NEW_STANDARD, request=pull(*approvals("maintainer"), draft=True))
    assert decision.state is State.PENDING
    assert all(found.state is RowState.SATISFIED for found in decision.rows)
    assert steps(decision, "author") == "Mark the pull request as ready for review."


DISPUTED = {"comments": (comment("third maintainer", "/dispute An example reason."),)}
OBJECTION = review("second maintainer", "CHANGES_REQUESTED", number=1)
BROKEN = append(GUIDELINE, "colour: blue\n")


@pytest.mark.parametrize(
    ("edits", "reviews", "facts", "state"),
    [
        ([NEW_STANDARD], approvals("maintainer"), {}, "approved"),
        ([NEW_STANDARD], approvals("maintainer"), {"draft": True}, "pending"),
        ([NEW_STANDARD], approvals("maintainer"), DISPUTED, "pending"),
        ([NEW_STANDARD], (), {}, "pending"),
        ([NEW_STANDARD], (), {"draft": True, **DISPUTED}, "pending"),
        ([NEW_STANDARD], (*approvals("maintainer"), OBJECTION), {}, "blocked"),
        ([NEW_STANDARD], (OBJECTION,), {"draft": True, **DISPUTED}, "blocked"),
        ([NEW_STANDARD, BROKEN], approvals("maintainer"), {}, "blocked"),
        ([NEW_STANDARD, BROKEN], (), {"draft": True, **DISPUTED}, "blocked"),
        ([BROKEN], (*approvals("maintainer"), OBJECTION), {"draft": True}, "blocked"),
        ([], (), {}, "approved"),
        ([], (), {"draft": True}, "pending"),
        ([], (), DISPUTED, "pending"),
        ([], (OBJECTION,), {}, "approved"),
    ],
)
def test_the_first_state_that_applies(
    edits: list[Edit], reviews: Sequence[Review], facts: dict[str, Any], state: str
) -> None:
    """Blocked goes before pending, and pending before approved."""
    assert decided(*edits, request=pull(*reviews, **facts)).state == state


def test_an_empty_change_is_proved_by_equal_trees() -> None:
    """Nothing changed and the trees are the same: approved without rows. If they are not, it waits."""
    decision = decided()
    assert (decision.state, decision.changes, decision.rows, decision.next_steps) == (State.APPROVED, (), (), ())
    assert decide(snapshot(merge_tree="e5" * 20)).state is State.PENDING
    assert decide(snapshot(NEW_STANDARD, changes=())).state is State.PENDING


@pytest.mark.rule("DEC-23", "fails")
@pytest.mark.parametrize(
    ("conflicts", "words"),
    [
        ((GUIDELINE,), "conflict in 1 file."),
        ((GUIDELINE, "README.md"), "conflict in 2 files."),
        ((), "conflict in a folder."),
    ],
)
def test_a_conflict_blocks(conflicts: tuple[str, ...], words: str) -> None:
    """With the base it cannot be merged, so nothing else is judged; it is never waved through for want of a path."""
    request = pull(*approvals("maintainer"))
    decision = decided(NEW_STANDARD, request=request, merge_tree=None, conflicts=conflicts)
    assert decision.state is State.BLOCKED
    assert [finding.path for finding in decision.findings] == sorted(conflicts or [None])
    assert errors(decision) == {"DEC-23"}
    assert steps(decision, "author") == f"Merge the base branch and resolve the {words}"
    assert decision.merge_tree is None
    for item in row(decision, "M1").evidence:
        assert item.state is EvidenceState.UNDECIDED
    assert row(decision, "M1").state is not RowState.SATISFIED
    assert not any("cannot decide" in step.do for step in decision.next_steps)


@pytest.mark.rule("DEC-23", "passes")
def test_a_branch_that_merges_is_judged_as_merged() -> None:
    """What the base brought in the meantime is part of what is judged."""
    late = put("registry/standards/std-example-new.yaml", "")
    taken = decided(NEW_STANDARD, by=["maintainer"])
    assert taken.state is State.APPROVED
    merged = decided(drop(GUIDELINE), NEW_STANDARD, base=[late], by=["maintainer"])
    assert merged.changes[-1].transition == "edit"
    assert "ID-06" in errors(merged)


# Evidence -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "row_state", "state"),
    [
        ("satisfied", "satisfied", "satisfied", "approved"),
        ("undecided", "satisfied", "pending", "pending"),
        ("satisfied", "undecided", "pending", "pending"),
        ("missing", "satisfied", "blocked", "blocked"),
        ("failed", "satisfied", "blocked", "blocked"),
        ("missing", "undecided", "blocked", "blocked"),
    ],
)
def test_evidence_of_the_author(
    monkeypatch: pytest.MonkeyPatch, first: str, second: str, row_state: str, state: str
) -> None:
    """What only the author can add blocks while it is missing; what cannot be decided is never good enough."""
    answering(monkeypatch, RFC_01=first, RFC_02=second, RFC_05="satisfied", IMM_16="satisfied")
    decision = decided(NEW_CAPABILITY, by=["maintainer", "second maintainer"])
    found = {item.id: item.state for item in row(decision, "M6").evidence}
    assert (found["RFC-01"], found["RFC-02"]) == (first, second)
    assert (row(decision, "M6").state, decision.state) == (row_state, state)
    assert ("M6: as the test says (RFC-01)" in steps(decision, "author")) == (first == "missing")
    assert ("cannot decide" in steps(decision, "maintainer")) == (state == "pending")


@pytest.mark.parametrize(
    ("given", "state"),
    [("satisfied", "approved"), ("missing", "pending"), ("undecided", "pending"), ("failed", "blocked")],
)
def test_evidence_that_others_bring(monkeypatch: pytest.MonkeyPatch, given: str, state: str) -> None:
    """What somebody else has to bring waits while it is missing, and says so."""
    answering(monkeypatch, SCHEMA_HX_02=given)
    decision = decided(NEW_HARNESS, by=["maintainer"])
    assert decision.state == state
    assert ("M5 still lacks evidence: as the test says (SCHEMA-HX-02)" in steps(decision, "maintainer")) == (
        given == "missing"
    )


def test_evidence_tells_every_message_of_its_rule() -> None:
    """What failed is told whole where it is little, and counted where it is much; what stands in the way is named."""
    path = "registry/standards/std-example-new.yaml"
    two = decided(NEW_STANDARD, append(path, "colour: blue\nshape: round\n"))
    told = {item.id: item.message for item in row(two, "M1").evidence}
    assert "`colour` is not known" in told["ENT-02"]
    assert "`shape` is not known" in told["ENT-02"]
    assert "not shown: ENT-02 stands in the way" in told.values()
    many = decided(NEW_STANDARD, append(path, "".join(f"colour-{number}: blue\n" for number in range(8))))
    told = {item.id: item.message for item in row(many, "M1").evidence}
    assert told["ENT-02"].endswith("; and 3 more below")
    assert told["ENT-02"].count("is not known") == 5


def test_evidence_without_an_answer_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that nothing here decides leaves its row pending, with every seat filled and nothing found."""
    answering(monkeypatch)
    decision = decided(NEW_CAPABILITY, by=["maintainer", "second maintainer"])
    assert decision.findings == ()
    assert {item.id: item.state for item in row(decision, "M6").evidence}["RFC-01"] is EvidenceState.UNDECIDED
    assert decision.state is State.PENDING


def test_a_finding_goes_before_any_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a check found wrong is failed, whatever a provider says of it."""
    answering(monkeypatch, ENT_02="satisfied", ID_06="satisfied")
    decision = decided(BROKEN, by=["maintainer"])
    states = {item.id: item.state for item in row(decision, "M1").evidence}
    assert states == {"ENT-02": EvidenceState.FAILED, "ID-06": EvidenceState.FAILED}


@pytest.mark.parametrize(
    "edit",
    [
        put("registry/standards/std-example-new.yaml", "version: 1.0\n"),
        put("registry/standards/std-example-new.yaml", "{}\n"),
        put("registry/standards/std-example-new.yaml", ""),
        put("registry/standards/std-example-new.yaml", "[1, 2]\n"),
    ],
)
def test_a_record_that_cannot_be_judged_shows_nothing(edit: Edit) -> None:
    """Unreadable or invalid content satisfies no rule that its content would have to show."""
    decision = decided(edit, by=["maintainer"])
    assert {item.state for item in row(decision, "M1").evidence} == {EvidenceState.FAILED}
    assert (row(decision, "M1").state, decision.state) == (RowState.BLOCKED, State.BLOCKED)


def test_what_a_change_breaks_elsewhere_counts_against_it() -> None:
    """The fault lies in a file that nobody touched, and the row of the change that caused it is blocked."""
    decision = decided(move(GUIDELINE, "docs/guideline.yaml"), by=["maintainer"])
    touched = {path for change in decision.changes for path in (change.path, change.previous_path)}
    assert any(finding.rule == "ID-06" and finding.path not in touched for finding in decision.findings)
    states = {item.id: item.state for item in row(decision, "M1").evidence}
    assert states["ID-06"] is EvidenceState.FAILED


def test_a_fault_counts_against_its_own_row() -> None:
    """Rows of other files of the same pull request are not blocked by it, and the pull request is."""
    decision = decided(README, append(ROADMAP, "colour: blue\n"), by=["maintainer"])
    assert (row(decision, "M19").state, row(decision, "M1").state) == (RowState.SATISFIED, RowState.BLOCKED)
    assert decision.state is State.BLOCKED


@pytest.mark.parametrize("path", [GUIDELINE, CARD])
def test_a_schema_answers_for_the_records_it_would_break(path: str) -> None:
    """What the trial found fails the schema's evidence, whether or not the record changes as well."""
    broken = Finding(
        rule="ENT-05",
        severity=Severity.ERROR,
        message="no longer valid",
        help="Loosen it.",
        source="section 16",
        path=path,
    )
    schema = swap("schemas/standard.schema.json", '"properties": {', '"properties":  {')
    edits = (schema, swap(GUIDELINE, "last_reviewed: 2026-11-03", f"last_reviewed: {TODAY}"))
    decision = decided(*edits, by=["maintainer", "second maintainer"], trial=(broken,))
    found = {item.id: item for item in row(decision, "M11").evidence}["ENT-05"]
    assert (found.state, found.message) == (EvidenceState.FAILED, "no longer valid")
    assert row(decision, "M11").state is RowState.BLOCKED
    fine = decided(*edits, by=["maintainer", "second maintainer"])
    assert {item.id: item.state for item in row(fine, "M11").evidence}["ENT-05"] is EvidenceState.SATISFIED


def test_combinations_are_refused() -> None:
    """What enforces the table and what it judges do not travel together, even as a move."""
    settings = swap(SETTINGS, "status_context: registrar", "status_context: gate")
    together = decided(settings, NEW_STANDARD, by=["maintainer", "second maintainer"])
    assert (together.state, errors(together)) == (State.BLOCKED, {"DEC-31"})
    moved = decided(move(SETTINGS, "docs/settings.yml"), NEW_STANDARD, by=["maintainer", "second maintainer"])
    assert (moved.state, errors(moved)) == (State.BLOCKED, {"DEC-31"})
    assert decided(settings, README, by=["maintainer", "second maintainer"]).state is State.APPROVED


def test_settings_that_are_no_file_are_refused() -> None:
    """Nobody can put a link in place of the settings."""
    link = (put(SETTINGS, "elsewhere.yml"), mode(SETTINGS, "120000"))
    decision = decided(*link, by=["maintainer", "second maintainer"])
    assert (decision.state, errors(decision)) == (State.BLOCKED, {"DEC-31"})
    assert decided(drop(SETTINGS), by=["maintainer", "second maintainer"]).state is State.APPROVED


CHARTER_LINE = "Version 0.1.0 · 2026-10-29"
WORDS = append("charter.md", "An example sentence.\n")


@pytest.mark.parametrize(
    ("edits", "broken"),
    [
        pytest.param(CHARTER, False, marks=pytest.mark.rule("DEC-11", "passes")),
        ([WORDS, swap("charter.md", CHARTER_LINE, f"Version 0.1.1 · {TODAY}")], False),
        *(
            pytest.param(edits, True, marks=pytest.mark.rule("DEC-11", "fails"))
            for edits in (
                [WORDS],
                [WORDS, swap("charter.md", CHARTER_LINE, f"Version 0.1.0 · {TODAY}")],
                [WORDS, swap("charter.md", CHARTER_LINE, f"Version 0.0.9 · {TODAY}")],
                [WORDS, swap("charter.md", CHARTER_LINE, f"Version 0.2 · {TODAY}")],
                [WORDS, swap("charter.md", CHARTER_LINE, TODAY)],
                [move("charter.md", "docs/charter.md")],
                [drop("charter.md")],
            )
        ),
    ],
)
def test_the_charter_raises_its_version(edits: list[Edit], broken: bool) -> None:
    """Every change of it raises its version line, and it stays where it is; two maintainers do not make up for that."""
    decision = decided(*edits, by=["maintainer", "second maintainer"])
    assert ("DEC-11" in errors(decision)) == broken
    assert decision.state is (State.BLOCKED if broken else State.APPROVED)


# Nothing closed is told -----------------------------------------------------------------------------------------------


def renderings(decision: Decision) -> str:
    """Everything that any output says."""
    return "\n".join((decision_json(decision), render_comment(decision), render_decision_text(decision)))


@pytest.mark.rule("ROLE-16", "passes")
def test_a_seat_is_filled_or_open() -> None:
    """Who fills a seat makes no difference to any output: two rosters that lead to the same seats say the same."""
    roles = dict(CAST)
    one = decided(NEW_STANDARD, by=["maintainer", "newcomer"])
    assert json.loads(decision_json(one))["rows"][0]["seats"] == [{"role": "maintainer", "state": "filled"}]
    swapped = Roster(
        people=tuple(
            Person(id=person(name).id, login=person(name).login, roles=tuple(Role(role) for role in roles[other]))
            for name, other in (
                ("maintainer", "maintainer"),
                ("second maintainer", "acceptor"),
                ("acceptor", "reviewer"),
            )
        )
    )
    assert renderings(decided(NEW_STANDARD, by=["maintainer", "newcomer"], roster=swapped)) == renderings(one)


@pytest.mark.rule("ROLE-16", "fails")
def test_no_output_names_a_person() -> None:
    """Neither account, institution nor party of anybody appears, whatever is filled, open, set aside or objected to."""
    secret = Roster(
        people=tuple(
            replace(known, institution="Example Secret Institution", parties=("Example Secret Party",))
            for known in cast_roster().people
        )
    )
    for edits, reviews in (
        ([NEW_STANDARD], approvals("maintainer", "reviewer", "newcomer")),
        ([REPRODUCTION], approvals("maintainer")),
        ([*CHARTER], (review("maintainer", minute=-5), OBJECTION)),
        ([VOID], approvals("two roles")),
    ):
        told = renderings(decided(*edits, request=pull(*reviews, **DISPUTED), roster=secret))
        assert "Secret" not in told
        for name in CAST:
            assert person(name).login not in told
            assert not re.search(rf"\b{person(name).id}\b", told)


# Properties -----------------------------------------------------------------------------------------------------------

CHANGES: list[tuple[Edit, ...]] = [
    (NEW_STANDARD,),
    (README,),
    CHARTER,
    (NEW_HARNESS,),
    LISTING,
    (VOID,),
    (NEW_PRICES,),
    (REPRODUCTION,),
    (swap(SETTINGS, "status_context: registrar", "status_context: gate"),),
    (drop("LICENSE"),),
    (BROKEN,),
    (),
]
ORDER = [State.BLOCKED, State.PENDING, State.APPROVED]


def scenes(count: int) -> Iterator[tuple[random.Random, Snapshot]]:
    """Random pull requests: one opinion a person, some of them stale, some by the people of the change."""
    for seed in range(count):
        chance = random.Random(seed)
        edits = [edit for group in chance.sample(CHANGES, chance.randint(1, 2)) for edit in group]
        names = chance.sample(list(CAST), chance.randint(0, 6))
        reviews = tuple(
            review(
                name,
                chance.choices(["APPROVED", "CHANGES_REQUESTED", "DISMISSED", "COMMENTED"], [8, 1, 1, 1])[0],
                number=100 + number,
                minute=chance.choice([-10, 0, 20, 40, None]) if chance.random() < 0.3 else 20 + number,
                commit=chance.choice([HEAD, HEAD, HEAD, "c3" * 20, None]) if chance.random() < 0.3 else HEAD,
            )
            for number, name in enumerate(names)
        )
        comments = tuple(
            comment(
                chance.choice(list(CAST)),
                chance.choice([f"/confirm {HEAD}", "/dispute", "Words.", f"/confirm {HEAD[:12]}"]),
                number=900 + number,
                minute=chance.randint(-20, 100),
            )
            for number in range(chance.choice([0, 0, 1, 2]))
        )
        people = chance.choices(["contributor", "maintainer", "site", None], [8, 1, 1, 1], k=2)
        request = pull(
            *reviews,
            comments=comments,
            commits=(commit(*people), commit("contributor", "contributor", sha="d4" * 20)),
            draft=chance.random() < 0.1,
            pushed_by=chance.choice([person("contributor"), person("second maintainer"), None]),
            seen_at=ARRIVED if chance.random() < 0.9 else None,
            labels=("a", "b"),
        )
        yield chance, snapshot(*edits, request=request, equivalent_heads=frozenset(chance.choice([[], ["c3" * 20]])))


def with_request(made: Snapshot, change: Callable[[Pull], Pull]) -> Decision:
    """The decision if the pull request were different."""
    return decide(replace(made, pull=change(made.pull)))


@pytest.fixture
def _checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the checks of the tree once for each pair of trees; reviews play no part in them."""
    found: dict[tuple[str, str], Any] = {}

    def once(context: Any, base: Any, changes: Any) -> Any:
        key = (base.tree.oid, context.registry.tree.oid)
        if key not in found:
            found[key] = check_reached(context, base, changes)
        return found[key]

    monkeypatch.setattr("medgauge_registrar.decide.check_reached", once)


@pytest.mark.usefixtures("_checked_once")
def test_properties_of_decisions() -> None:
    """
    Over random pull requests: more approval never does harm, less never helps, order is nothing, and approved means all.

    A state that is approved comes only with every seat filled, all evidence and separation satisfied and no error found.
    """
    seen = set()
    for chance, made in scenes(200):
        decision = decide(made)
        seen.add(decision.state)
        if decision.state is State.APPROVED:
            for found in decision.rows:
                assert found.state is RowState.SATISFIED
                assert all(seat.state is SeatState.FILLED for seat in found.seats)
                assert {item.state for item in (*found.evidence, *found.separation)} <= {EvidenceState.SATISFIED}
            assert errors(decision) == set()
            assert not made.pull.draft
            assert decision.next_steps == ()
        else:
            assert decision.next_steps
        silent = [
            name for name in CAST if person(name).id not in {said.user.id for said in made.pull.reviews if said.user}
        ]
        more = review(chance.choice(silent), number=500)
        better = with_request(made, lambda before, more=more: replace(before, reviews=(*before.reviews, more)))
        assert ORDER.index(better.state) >= ORDER.index(decision.state)
        approving = [said for said in made.pull.reviews if said.state == "APPROVED"]
        if approving:
            gone = chance.choice(approving)
            worse = with_request(
                made, lambda before, gone=gone: replace(before, reviews=tuple(r for r in before.reviews if r != gone))
            )
            assert ORDER.index(worse.state) <= ORDER.index(decision.state)

        def shuffled(items: Sequence[Any], chance: random.Random = chance) -> tuple[Any, ...]:
            return tuple(chance.sample(list(items), len(items)))

        mixed = replace(
            made,
            changes=shuffled(made.changes),
            roster=Roster(people=shuffled(made.roster.people)),
            pull=replace(
                made.pull,
                reviews=shuffled(made.pull.reviews),
                comments=shuffled(made.pull.comments),
                commits=shuffled(made.pull.commits),
                labels=shuffled(made.pull.labels),
            ),
        )
        assert decide(mixed) == decision
        assert decide(made) == decision
    assert seen == {State.BLOCKED, State.PENDING, State.APPROVED}
