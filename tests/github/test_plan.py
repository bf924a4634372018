"""What is missing on GitHub after a decision: planned as values, and nothing if all is there."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from medgauge_registrar.github.facts import OwnComment, OwnStatus, Reading
from medgauge_registrar.github.plan import (
    CreateComment,
    DeleteComment,
    EditComment,
    React,
    ReportCheck,
    SetStatus,
    Write,
    context_of,
    failure_status,
    plan,
    verdict_status,
)
from medgauge_registrar.model.answer import CommandAnswer
from medgauge_registrar.model.decision import State
from support.decisions import decision
from support.snapshots import HEAD, at

URL = "https://github.example/example-organisation/registry/pull/7"
BODY = "Example · decided at `2026-11-29T12:00:00Z` · more\n"
CONTEXT = context_of("registrar", "main", "main")


def reading(**fields: Any) -> Reading:
    usual: dict[str, Any] = {
        "number": 7,
        "state": "OPEN",
        "head_sha": HEAD,
        "base_ref": "main",
        "base_sha": HEAD,
        "default_branch": "main",
        "facts": {},
        "viewer": 1,
        "comments": (),
        "statuses": (),
        "answered": frozenset(),
        "siblings": (),
        "forced": (),
        "floor": at(0),
    }
    return Reading(**{**usual, **fields})


def planned(state: State, there: Reading | None = None, **fields: Any) -> tuple[Write, ...]:
    made = replace(decision(), state=state)
    there = there or reading()
    return plan(verdict_status(made, there, context=CONTEXT, pull_url=URL), there, body=BODY, **fields)


def status_in(writes: Sequence[Write]) -> SetStatus:
    (status,) = (write for write in writes if isinstance(write, SetStatus))
    return status


@pytest.mark.parametrize(
    ("state", "shown"),
    [(State.APPROVED, "success"), (State.PENDING, "pending"), (State.BLOCKED, "failure"), (State.ERROR, "error")],
)
def test_each_verdict_has_its_status(state: State, shown: str) -> None:
    """On the head, under a context that names the base branch, with a link that names the pull request."""
    status = status_in(planned(state))
    assert (status.sha, status.context, status.state, status.target_url) == (HEAD, "registrar: main", shown, URL)
    assert 0 < len(status.description) <= 140


def test_no_two_branches_share_a_context_whatever_the_letter_case() -> None:
    """GitHub takes contexts that differ in case alone for one, and a branch may be called `MAIN`; no ref holds a blank."""
    assert CONTEXT == "registrar: main"
    assert context_of("registrar", "MAIN", "main") == "registrar: MAIN (71769aa301d7f724)"
    branches = ("main", "MAIN", "Main", "next", "Next", "maİn", "next/main")
    for default in ("main", "next"):
        contexts = {context_of("registrar", branch, default).casefold() for branch in branches}
        assert len(contexts) == len(branches)


def test_a_status_is_known_again_in_any_letter_case() -> None:
    """It is one to GitHub, so it is not said twice, and a success in it is not that of another context."""
    for state in (State.PENDING, State.APPROVED):
        said = status_in(planned(state))
        there = reading(
            comments=(OwnComment(id=1, body=BODY),),
            statuses=(
                OwnStatus(context="Registrar: MAIN", state=said.state, description=said.description, target_url=URL),
            ),
        )
        assert planned(state, there) == ()


def test_what_opens_the_merge_comes_last_and_what_shuts_it_first() -> None:
    """Whatever fails in between leaves it shut."""
    assert isinstance(planned(State.APPROVED)[-1], SetStatus)
    assert isinstance(planned(State.BLOCKED)[0], SetStatus)


def test_nothing_is_planned_where_all_is_there() -> None:
    """The time of the decision alone changes nothing."""
    status = status_in(planned(State.PENDING))
    there = reading(
        comments=(OwnComment(id=1, body=BODY.replace("12:00", "11:00").replace("\n", "\r\n")),),
        statuses=(OwnStatus(context=CONTEXT, state="pending", description=status.description, target_url=URL),),
    )
    assert planned(State.PENDING, there) == ()


def test_a_success_elsewhere_is_taken_back_first() -> None:
    """Only where it names this pull request; and not twice."""

    def said(context: str, state: str, url: str = URL) -> OwnStatus:
        return OwnStatus(context=context, state=state, description="x", target_url=url)

    there = reading(
        statuses=(
            said("registrar: old", "success", URL.upper()),
            said("registrar: next", "success", URL.replace("/7", "/17")),
            said("gate: main", "pending"),
            said(CONTEXT, "success"),
        )
    )
    for state in (State.APPROVED, State.BLOCKED):
        first, *rest = planned(state, there)
        assert isinstance(first, SetStatus)
        assert (first.context, first.state) == ("registrar: old", "pending")
        assert first.description == "holds no longer: the pull request is decided as `registrar: main` now"
        assert {write.context for write in rest if isinstance(write, SetStatus)} == {CONTEXT}


def test_one_comment_is_kept_and_the_others_go() -> None:
    """The oldest; it is edited only if it says something else."""
    there = reading(comments=(OwnComment(id=1, body="Old"), OwnComment(id=2, body=BODY), OwnComment(id=3, body=BODY)))
    writes = planned(State.PENDING, there)
    assert EditComment(comment=1, body=BODY) in writes
    assert [write.comment for write in writes if isinstance(write, DeleteComment)] == [2, 3]
    assert CreateComment(pull=7, body=BODY) not in writes


def test_siblings_never_open_the_merge() -> None:
    """They share every status of the commit."""
    there = reading(siblings=(8, 9))
    status = status_in(planned(State.APPROVED, there))
    assert status.state == "pending"
    assert "#8, #9" in status.description
    assert status_in(planned(State.BLOCKED, there)).state == "failure"


def test_each_comment_with_commands_gets_one_reaction() -> None:
    """Refused if any of them is; and none where there is one already."""

    def answer(comment: int, accepted: bool) -> CommandAnswer:
        return CommandAnswer(comment=comment, command="recheck", accepted=accepted, why="example")

    given = [answer(1, True), answer(2, True), answer(2, False), answer(3, True)]
    writes = planned(State.PENDING, reading(answered=frozenset({3})), answers=given)
    reactions = [write for write in writes if isinstance(write, React)]
    assert reactions == [React(comment=1, content="+1"), React(comment=2, content="confused")]


def test_a_failure_says_so_in_one_line() -> None:
    """Whatever the message holds."""
    status = failure_status(HEAD, CONTEXT, "first\n##[command]" + "x" * 500, URL)
    assert status.state == "error"
    assert len(status.description) <= 140
    assert "\n" not in status.description


def test_a_report_is_known_again_by_what_it_says() -> None:
    """Not by when it was made."""

    def report(summary: str) -> ReportCheck:
        return ReportCheck(sha=HEAD, name="x", conclusion="neutral", title="x", summary=summary, batches=())

    assert report(BODY).digest == report(BODY.replace("12:00", "13:00")).digest
    assert report(BODY).digest != report(BODY + "more").digest
