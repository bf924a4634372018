"""Whole runs over HTTP and git against an embedded GitHub: an event in, comment and status out."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from medgauge_registrar import cli
from medgauge_registrar.github.plan import MAX_REACTIONS, context_of
from medgauge_registrar.github.read import MAX_STATUSES
from medgauge_registrar.inputs import read_inputs
from medgauge_registrar.live import action, gate
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.pipeline import Question, decide_question
from medgauge_registrar.report.comment import COMMENT_MARKER
from medgauge_registrar.report.document import decision_json
from medgauge_registrar.report.summary import BUDGET_BYTES
from medgauge_registrar.sandbox.edits import put, swap
from medgauge_registrar.sandbox.github.faults import Fault
from medgauge_registrar.sandbox.github.values import CommitStatus
from medgauge_registrar.sandbox.github.world import ACTIONS_BOT
from support.live import CONTEXT, NUMBER, README, SETTINGS, LiveWorld, live_world, person
from support.snapshots import ARRIVED, at


@pytest.fixture
def world(tmp_path: Path) -> Iterator[LiveWorld]:
    """A registry with pull request 7, which edits the README."""
    with live_world(tmp_path) as found:
        yield found


def commented(body: str, *, action: str = "created", kind: str = "User", **changes: Any) -> dict[str, Any]:
    """The payload of a comment on pull request 7."""
    return {
        "action": action,
        "issue": {"number": NUMBER, "pull_request": {}},
        "comment": {"id": 1, "body": body, "user": {"type": kind}},
        **changes,
    }


def test_the_life_of_a_pull_request(world: LiveWorld) -> None:
    """It waits for a review, is approved, and falls back when the approval is dismissed; with one comment throughout."""
    assert world.wake() == 0
    assert world.state(world.head()) == "pending"
    (first,) = world.own_comments()
    assert "maintainer" in first
    world.review("maintainer")
    assert world.wake() == 0
    assert world.state(world.head()) == "success"
    world.github.registry.pulls[NUMBER].reviews[0].state = "DISMISSED"
    assert world.wake() == 0
    assert world.state(world.head()) == "pending"
    assert len(world.own_comments()) == 1
    assert world.own_comments() != [first]


def test_a_usual_pull_request_is_read_in_three_requests_and_one_more_before_a_success(world: LiveWorld) -> None:
    """The facts, the arrival of the head, room for statuses, and the facts again; all else is written."""
    world.wake()
    world.review("maintainer")
    world.sent()
    assert world.wake() == 0
    assert [line.split("?")[0].removeprefix("POST /api/v3/repos/example-organisation") for line in world.sent()] == [
        "POST /api/graphql",
        "GET /api/v3/repos/example-fork/registry/activity",
        f"GET /api/v3/repos/example-organisation/registry/commits/{world.head()}/statuses",
        f"PATCH /api/v3/repos/example-organisation/registry/issues/comments/{world.own_comment_id()}",
        "POST /api/graphql",
        f"/registry/statuses/{world.head()}",
    ]
    world.github.registry.pulls[NUMBER].reviews[0].state = "DISMISSED"
    assert world.wake() == 0
    assert [line.split("?")[0].removeprefix("POST /api/v3/repos/example-organisation") for line in world.sent()] == [
        "POST /api/graphql",
        "GET /api/v3/repos/example-fork/registry/activity",
        "POST /api/graphql",
        f"/registry/statuses/{world.head()}",
        f"PATCH /api/v3/repos/example-organisation/registry/issues/comments/{world.own_comment_id()}",
    ]


def test_a_second_run_with_nothing_new_writes_nothing(world: LiveWorld) -> None:
    """Nor does it read again what it would only have to before it writes."""
    world.review("maintainer")
    world.wake()
    before = [*world.github.statuses(world.head())]
    world.sent()
    assert world.wake() == 0
    assert [line.split("?")[0] for line in world.sent()] == [
        "POST /api/graphql",
        "GET /api/v3/repos/example-fork/registry/activity",
    ]
    assert [*world.github.statuses(world.head())] == before


def crowd(world: LiveWorld, sha: str, number: int, context: str = "other") -> None:
    """Let somebody with write access post statuses on a commit."""
    one = CommitStatus(
        id=1,
        context=context,
        state="pending",
        description="",
        target_url=None,
        creator=person("newcomer"),
        created_at=at(1),
    )
    world.github.registry.statuses.setdefault(sha, []).extend([one] * number)


@pytest.mark.parametrize(("number", "state"), [(MAX_STATUSES - 1, "success"), (MAX_STATUSES, "failure")])
def test_a_commit_with_hardly_room_for_a_refusal_gets_no_success(world: LiveWorld, number: int, state: str) -> None:
    """GitHub would refuse every later status of the context, and the success would stand for ever."""
    world.review("maintainer")
    crowd(world, world.head(), number, CONTEXT)
    world.wake()
    said = world.github.statuses(world.head())[0]
    assert said.state == state
    if state == "failure":
        assert said.description is not None
        assert said.description.endswith("push a new commit")
        assert f"**The merge stays shut all the same:** {said.description}." in world.own_comments()[0]
        before = world.github.statuses(world.head())
        assert world.wake() == 0
        assert world.github.statuses(world.head()) == before
        world.github.push(NUMBER, world.commit(README, put("a.md", "A.\n")), by=person("contributor"), at=at(90))
        world.review("maintainer", minute=100)
        assert world.wake() == 0
        assert world.state(world.head()) == "success"


def test_a_success_that_was_drowned_is_not_said_again_without_room(world: LiveWorld) -> None:
    """The latest of the context is no longer ours, so it would be posted anew; it is refused while there is room for that."""
    world.review("maintainer")
    world.wake()
    crowd(world, world.head(), MAX_STATUSES, CONTEXT.upper())
    assert world.wake() == 0
    assert world.github.statuses(world.head())[0].state == "failure"


def test_a_success_that_is_drowned_while_a_run_goes_on_is_not_said_again_without_room(
    world: LiveWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the run began there was nothing to open; what it finds missing later it has to ask for anew."""
    world.review("maintainer")
    world.wake()
    world.github.comment(NUMBER, "/recheck", by=person("newcomer"), at=at(60))
    planned = gate.plan

    def drowned(*args: Any, **kwargs: Any) -> Any:
        found = planned(*args, **kwargs)
        if len(world.github.statuses(world.head())) < MAX_STATUSES:
            crowd(world, world.head(), MAX_STATUSES, CONTEXT)
        return found

    monkeypatch.setattr(gate, "plan", drowned)
    assert world.wake() == 0
    assert world.github.statuses(world.head())[0].state == "failure"


def test_an_error_that_lasts_is_said_once(world: LiveWorld) -> None:
    """GitHub takes a thousand statuses of one context on a commit, and the sweep comes every quarter of an hour."""
    for _ in range(2):
        assert world.wake(REGISTRAR_ROSTER="") == 0
    assert [one.state for one in world.github.statuses(world.head())] == ["error", "pending"]
    world.github.faults.add(Fault(path="graphql", times=None))
    for _ in range(2):
        assert world.wake() == 0
    assert [one.state for one in world.github.statuses(world.head())] == ["error", "error", "pending"]


def test_offline_and_live_decide_alike_byte_for_byte(world: LiveWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    """The facts that were read, written to a pull file, give the same decision."""
    told: list[dict[str, Any]] = []
    made = gate.pull_file
    monkeypatch.setattr(gate, "pull_file", lambda *facts: told.append(made(*facts)) or told[-1])
    monkeypatch.setattr(gate, "utc_now", lambda: at(120))
    world.review("maintainer")
    world.wake()
    live = (world.folder / f"registrar-decision-{NUMBER}.json").read_text(encoding="utf-8")
    for name, value in (("pull.json", told[0]), ("roster.json", json.loads(world.environment()["REGISTRAR_ROSTER"]))):
        (world.folder / name).write_text(json.dumps(value), encoding="utf-8")
    inputs = read_inputs(world.folder / "pull.json", world.folder / "roster.json", None, digest_key=None)
    question = Question(
        repository=world.github.registry.store.path, base="main", head=world.head(), inputs=inputs, now=at(120)
    )
    assert decision_json(decide_question(question)) == live


def test_outputs_and_summary_are_left_for_the_job(world: LiveWorld) -> None:
    """State, decision and the address of the comment; the summary holds the report."""
    world.wake()
    outputs = dict(line.split("=", 1) for line in world.output.read_text(encoding="utf-8").splitlines())
    assert outputs["state"] == "pending"
    assert json.loads(Path(outputs["decision"]).read_text(encoding="utf-8"))["pull"] == NUMBER
    assert re.fullmatch(rf"{world.github.server_url}/[\w/-]+/pull/7#issuecomment-\d+", outputs["comment-url"])
    assert "maintainer" in world.summary.read_text(encoding="utf-8")


def test_an_approval_from_before_a_forced_push_does_not_count(world: LiveWorld) -> None:
    """GitHub moves the review to the new head; the time of its arrival gives it away (A2)."""
    world.review("maintainer")
    other = world.commit(README, put("docs/more.md", "More.\n"))
    world.github.push(NUMBER, other, by=person("contributor"), at=at(60), moves_reviews=True)
    assert world.wake() == 0
    assert world.state(other) == "pending"
    assert "before" in world.own_comments()[0]


def test_an_update_from_the_base_keeps_an_approval_of_the_head_before(world: LiveWorld) -> None:
    """The same change on a newer base, and both heads known to have followed one another (DEC-16)."""
    world.review("maintainer")
    moved = world.commit(put("docs/base.md", "Base.\n"), by="maintainer")
    world.github.push_branch(moved, by=person("maintainer"))
    update = world.github.commit({"docs/base.md": b"Base.\n"}, by=person("contributor"), on=[world.head(), moved])
    world.github.push(NUMBER, update, by=person("contributor"), at=at(60))
    assert world.wake() == 0
    assert world.state(update) == "success"


def test_an_update_keeps_nothing_if_nobody_knows_when_the_head_before_arrived(world: LiveWorld) -> None:
    """The review may have been moved from anywhere."""
    world.review("maintainer")
    moved = world.commit(put("docs/base.md", "Base.\n"), by="maintainer")
    world.github.push_branch(moved, by=person("maintainer"))
    update = world.github.commit({"docs/base.md": b"Base.\n"}, by=person("contributor"), on=[world.head(), moved])
    world.github.push(NUMBER, update, by=person("contributor"), at=at(60))
    fork = world.github.repository("example-fork/registry")
    del fork.activity[0]
    assert world.wake() == 0
    assert world.state(update) == "pending"


def test_a_deleted_fork_needs_a_confirmation_with_all_digits(world: LiveWorld) -> None:
    """Nobody knows when the head arrived, nor who pushed it; each approver says which one was meant, and one is spare."""
    world.github.now = at(60)
    world.review("maintainer")
    world.github.delete_fork("example-fork/registry")
    assert world.wake() == 0
    assert world.state(world.head()) == "pending"
    world.github.comment(NUMBER, f"/confirm {world.head()}", by=person("maintainer"), at=at(90))
    assert world.act("issue_comment", commented(f"/confirm {world.head()}")) == 0
    assert world.state(world.head()) == "pending"
    world.review("second maintainer")
    world.github.comment(NUMBER, f"/confirm {world.head()}", by=person("second maintainer"), at=at(90))
    assert world.wake() == 0
    assert world.state(world.head()) == "success"


def test_a_pushed_head_without_activity_is_known_by_our_own_status(world: LiveWorld) -> None:
    """The status names this pull request, and nothing was forced since; it does not say who pushed."""
    world.github.repository("example-fork/registry").activity.clear()
    world.wake()
    assert world.state(world.head()) == "pending"
    world.github.now = at(180)
    world.review("maintainer", minute=150)
    world.wake()
    assert world.state(world.head()) == "pending"
    assert "it is not known who pushed" in world.own_comments()[0]
    world.review("second maintainer", minute=150)
    world.wake()
    assert world.state(world.head()) == "success"


def test_whoever_ever_pushed_to_the_branch_does_not_approve_it(world: LiveWorld) -> None:
    """Whatever names the commits bear, and whoever pushed after (DEC-15)."""
    theirs = world.commit(README, put("docs/more.md", "More.\n"), on=world.head())
    world.github.push(NUMBER, theirs, by=person("maintainer"), at=at(5))
    last = world.commit(README, put("docs/more.md", "More.\n"), put("docs/last.md", "Last.\n"), on=theirs)
    world.github.push(NUMBER, last, by=person("contributor"), at=at(10))
    world.review("maintainer")
    assert world.wake() == 0
    assert world.state(last) == "pending"
    world.review("second maintainer")
    assert world.wake() == 0
    assert world.state(last) == "success"


def test_a_status_of_somebody_else_tells_nothing_of_an_arrival(world: LiveWorld) -> None:
    """Whoever may write statuses could date a head back."""
    world.github.repository("example-fork/registry").activity.clear()
    world.github.registry.statuses[world.head()] = [
        CommitStatus(
            id=1,
            context=CONTEXT,
            state="pending",
            description="",
            target_url=f"{world.github.server_url}/example-organisation/registry/pull/7",
            creator=person("newcomer"),
            created_at=at(1),
        )
    ]
    world.review("maintainer")
    assert world.wake() == 0
    assert world.state(world.head()) == "pending"


@pytest.mark.parametrize("automatic", [False, True], ids=["by a person", "by GitHub"])
def test_a_retarget_asks_for_new_approvals_under_a_new_context(world: LiveWorld, automatic: bool) -> None:
    """The status names the base branch, and what was approved was the change against the old one (A16)."""
    world.review("maintainer")
    world.wake()
    world.github.push_branch(world.github.sha("main"), by=person("maintainer"), branch="next")
    world.github.retarget(NUMBER, "next", by=person("contributor"), automatic=automatic)
    assert world.wake() == 0
    assert world.state(world.head(), context_of("registrar", "next", "main")) == "pending"


def test_a_branch_that_differs_in_letter_case_alone_opens_nothing(world: LiveWorld) -> None:
    """An empty change against `MAIN` is approved, and GitHub would take its status for that of `main`."""
    same = world.commit(README)
    world.github.push_branch(same, by=person("newcomer"), branch="MAIN")
    world.github.add_pull(world.head(), by=person("newcomer"), number=8, base="MAIN", created_at=at(60))
    assert world.wake() == 0
    assert world.wake(8) == 0
    assert world.state(world.head()) == "pending"
    contexts = {one.context for one in world.github.statuses(world.head())}
    assert contexts == {CONTEXT, context_of("registrar", "MAIN", "main")}


def test_two_branches_that_differ_in_letter_case_alone_have_one_set_of_siblings(world: LiveWorld) -> None:
    """Nothing rests on the digest alone."""
    world.review("maintainer")
    world.github.push_branch(world.github.sha("main"), by=person("newcomer"), branch="MAIN")
    world.github.add_pull(world.head(), by=person("newcomer"), number=8, base="MAIN", created_at=at(20))
    assert world.wake() == 0
    assert world.state(world.head()) == "pending"
    assert "**The merge stays shut all the same:** shares its head with" in world.own_comments()[0]


@pytest.mark.parametrize("unreadable", [False, True], ids=["read", "hardly read"])
def test_an_error_against_another_branch_is_said_under_its_own_context(world: LiveWorld, unreadable: bool) -> None:
    """The same that its verdicts have; one that is there in another letter case is that one."""
    world.github.push_branch(world.github.sha("main"), by=person("maintainer"), branch="next")
    world.github.retarget(NUMBER, "next", by=person("contributor"))
    context = context_of("registrar", "next", "main")
    if unreadable:
        world.github.faults.add(Fault(path="graphql", times=None))
    else:
        world.github.faults.add(Fault(path="git-upload-pack", method="POST", times=None))
    assert world.wake() == 0
    assert [(one.context, one.state) for one in world.github.statuses(world.head())] == [(context, "error")]
    world.github.registry.statuses[world.head()][0].context = context.upper()
    for _ in range(2):
        assert world.wake() == 0
    assert [one.context for one in world.github.statuses(world.head())] == [context.upper()]


def test_an_error_is_said_once_on_a_context_that_has_two_spellings(world: LiveWorld) -> None:
    """The older one is there, the other is that of the settings; GitHub has one for both."""
    moved = world.commit(swap(SETTINGS, "status_context: registrar", "status_context: Gate"), by="maintainer")
    world.github.push_branch(moved, by=person("maintainer"))
    world.wake()
    for one in world.github.registry.statuses[world.head()]:
        one.context = "gate: main"
    before = len(world.github.statuses(world.head()))
    for _ in range(2):
        assert world.wake(REGISTRAR_ROSTER="") == 0
    assert len(world.github.statuses(world.head())) == before + 1


def test_a_success_that_was_taken_back_in_another_spelling_is_not_taken_back_again(world: LiveWorld) -> None:
    """Where hardly anything can be read the newest of a context counts as well."""
    world.review("maintainer")
    world.wake()
    world.github.close(NUMBER)
    world.wake()
    newest = world.github.registry.statuses[world.head()][-1]
    newest.context = CONTEXT.upper()
    world.github.faults.add(Fault(path="graphql", times=None))
    assert world.wake() == 0
    assert world.github.statuses(world.head())[0] == newest


def test_a_success_does_not_wait_under_the_old_base_for_the_way_back(world: LiveWorld) -> None:
    """What is said against the change meanwhile would be said under another context."""
    world.review("maintainer")
    world.wake()
    world.github.push_branch(world.github.sha("main"), by=person("maintainer"), branch="next")
    world.github.retarget(NUMBER, "next", by=person("contributor"))
    assert world.wake() == 0
    assert world.state(world.head()) == "pending"
    before = world.github.statuses(world.head())
    assert world.wake() == 0
    assert world.github.statuses(world.head()) == before


def test_a_success_does_not_outlive_the_name_of_the_status(world: LiveWorld) -> None:
    """A rule of the branch that still asks for the old name would take it."""
    world.review("maintainer")
    world.wake()
    moved = world.commit(swap(SETTINGS, "status_context: registrar", "status_context: gate"), by="maintainer")
    world.github.push_branch(moved, by=person("maintainer"))
    assert world.wake() == 0
    assert (world.state(world.head()), world.state(world.head(), "gate: main")) == ("pending", "success")


@pytest.mark.parametrize("unreadable", [False, True], ids=["read", "hardly read"])
def test_a_closed_pull_request_keeps_no_success(world: LiveWorld, unreadable: bool) -> None:
    """It would hold on the day it is opened again, whatever was said meanwhile."""
    world.review("maintainer")
    world.wake()
    world.github.close(NUMBER)
    if unreadable:
        world.github.faults.add(Fault(path="graphql", times=None))
    for _ in range(2):
        assert world.wake() == 0
    states = [(one.state, one.description) for one in world.github.statuses(world.head())]
    assert states[0] == ("pending", "holds no longer: the pull request is closed")
    assert [state for state, _ in states] == ["pending", "success", "pending"]


@pytest.mark.parametrize("unreadable", [False, True], ids=["read", "hardly read"])
def test_a_merged_pull_request_keeps_its_success(world: LiveWorld, unreadable: bool) -> None:
    """It tells why the merge was allowed, and nothing can be merged by it again."""
    world.review("maintainer")
    world.wake()
    world.github.merge(NUMBER, by=person("maintainer"))
    if unreadable:
        world.github.faults.add(Fault(path="graphql", times=None))
    assert world.wake() == 0
    assert world.state(world.head()) == "success"


def test_a_success_that_a_closed_pull_request_cannot_lose_leaves_a_red_job(
    world: LiveWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    """Somebody has to see to it."""
    world.review("maintainer")
    world.wake()
    world.github.close(NUMBER)
    world.github.faults.add(Fault(path="/statuses/", method="POST", status=403, times=None))
    assert world.wake() == 3
    assert "the status cannot be set" in capsys.readouterr().err


def test_the_success_of_another_pull_request_is_shut_before_anything_is_decided(world: LiveWorld) -> None:
    """It was approved for the other one, by others, at another time."""
    world.review("maintainer")
    world.wake()
    first = world.head()
    world.github.push(NUMBER, world.commit(README, put("a.md", "A.\n")), by=person("contributor"), at=at(90))
    world.github.add_pull(first, by=person("newcomer"), number=8, created_at=at(100), pushed_at=at(100))
    world.github.faults.add(Fault(path="/activity", status=502, times=None))
    assert world.wake(8) == 0
    assert [one.state for one in world.github.statuses(first)] == ["error", "pending", "success", "pending"]


def test_two_pull_requests_with_one_head_open_the_merge_for_neither(world: LiveWorld) -> None:
    """Statuses belong to a commit; the second would profit from the approvals of the first."""
    world.review("maintainer")
    world.github.add_pull(world.head(), by=person("newcomer"), number=8, created_at=ARRIVED, pushed_at=ARRIVED)
    assert world.wake() == 0
    (latest, *_) = world.github.statuses(world.head())
    assert latest.state == "pending"
    assert latest.description is not None
    assert "#8" in latest.description


def test_a_success_that_somebody_else_set_is_replaced(world: LiveWorld) -> None:
    """Whoever may write statuses can use our context; only our own word counts as said."""
    world.wake()
    said = world.github.statuses(world.head())[0]
    forged = CommitStatus(
        id=1,
        context=CONTEXT,
        state="pending",
        description=said.description,
        target_url=said.target_url,
        creator=person("newcomer"),
        created_at=at(125),
    )
    world.github.registry.statuses[world.head()].append(forged)
    assert world.wake() == 0
    assert world.github.statuses(world.head())[0].creator == ACTIONS_BOT


def test_an_error_is_said_on_contexts_of_this_base_alone(world: LiveWorld) -> None:
    """Statuses of other gates on the same commit are not ours to change; a success of ours elsewhere holds no longer."""
    for context in ("build: main", "registrar: next"):
        world.github.registry.statuses.setdefault(world.head(), []).append(
            CommitStatus(
                id=1,
                context=context,
                state="success",
                description="Fine",
                target_url=f"{world.github.server_url}/example-organisation/registry/pull/7"
                if context.startswith("registrar")
                else "https://example.org/build/7",
                creator=ACTIONS_BOT if context.startswith("registrar") else person("newcomer"),
                created_at=at(1),
            )
        )
    world.github.faults.add(Fault(path="graphql", times=None))
    assert world.wake() == 0
    assert {one.context: one.state for one in reversed(world.github.statuses(world.head()))} == {
        "build: main": "success",
        "registrar: next": "pending",
        CONTEXT: "error",
    }


def test_a_head_that_moves_before_it_is_fetched_is_decided_itself(
    world: LiveWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read does not belong to what was fetched (A20)."""
    fetch = gate.Mirror.fetch
    first = world.head()

    def late(self: gate.Mirror, *references: str) -> tuple[str, ...]:
        if world.head() == first:
            world.github.push(NUMBER, world.commit(README, put("a.md", "A.\n")), by=person("contributor"), at=at(90))
        return fetch(self, *references)

    monkeypatch.setattr(gate.Mirror, "fetch", late)
    assert world.wake() == 0
    assert world.github.statuses(first) == ()
    assert world.state(world.head()) == "pending"


def test_what_git_gives_has_to_be_what_the_interface_tells(world: LiveWorld) -> None:
    """Else one commit would be decided and another one get the verdict; nothing is said of either."""
    world.review("maintainer")
    other = world.commit(put("a.md", "A.\n"))
    world.github.registry.store.update_ref(f"refs/pull/{NUMBER}/head", other)
    assert world.wake() == 0
    assert [one.state for one in world.github.statuses(world.head())] == ["error"]
    assert world.github.statuses(other) == ()
    assert world.own_comments() == []


def test_the_summary_of_the_job_never_grows_over_its_limit(world: LiveWorld) -> None:
    """GitHub drops a longer one whole (C16)."""
    world.summary.write_text("x" * (BUDGET_BYTES - 10), encoding="utf-8")
    assert world.wake() == 0
    assert world.summary.stat().st_size <= BUDGET_BYTES


@pytest.mark.parametrize("state", ["closed", "merged"])
def test_a_closed_pull_request_is_left_alone(world: LiveWorld, state: str, capsys: pytest.CaptureFixture[str]) -> None:
    """There is nothing to decide, and nothing is written."""
    if state == "closed":
        world.github.close(NUMBER)
    else:
        world.github.merge(NUMBER, by=person("maintainer"))
    assert world.wake() == 0
    assert f"is {state}" in capsys.readouterr().out
    assert world.state(world.head()) is None


def test_an_absent_pull_request_is_an_error(world: LiveWorld, capsys: pytest.CaptureFixture[str]) -> None:
    """A number that names nothing leaves a red job."""
    assert world.wake(99) == 3
    assert "99" in capsys.readouterr().err


def test_an_objection_on_the_second_page_holds_the_merge(world: LiveWorld) -> None:
    """Lists are read to their end, whatever they hold (A10)."""
    world.review("maintainer")
    for _ in range(100):
        world.review("newcomer", "COMMENTED")
    world.review("second maintainer", "CHANGES_REQUESTED")
    assert world.wake() == 0
    assert world.state(world.head()) == "failure"


def test_a_draft_is_never_approved(world: LiveWorld) -> None:
    """Whatever the approvals (A19)."""
    world.review("maintainer")
    world.github.registry.pulls[NUMBER].draft = True
    world.wake()
    assert world.state(world.head()) == "pending"


def test_the_comment_of_somebody_else_with_our_marker_is_left_alone(world: LiveWorld) -> None:
    """Marker and author together make it ours (C13)."""
    world.github.comment(NUMBER, f"{COMMENT_MARKER}\nApproved!", by=person("newcomer"), at=at(1))
    world.wake()
    assert [one.body for one in world.github.comments(NUMBER) if one.user == person("newcomer")] == [
        f"{COMMENT_MARKER}\nApproved!"
    ]
    assert len(world.own_comments()) == 1


def test_another_workflow_of_the_same_account_keeps_its_comment(world: LiveWorld) -> None:
    """All workflows of a repository share one account; the marker tells ours."""
    world.github.comment(NUMBER, "The site was built.", by=ACTIONS_BOT, at=at(1))
    world.wake()
    world.wake()
    bodies = world.own_comments()
    assert bodies[0] == "The site was built."
    assert [COMMENT_MARKER in body for body in bodies] == [False, True]


def test_repeated_comments_are_folded_into_the_oldest(world: LiveWorld) -> None:
    """What a race or a lost answer left behind goes (C12)."""
    world.wake()
    (first,) = world.own_comments()
    world.github.comment(NUMBER, first, by=ACTIONS_BOT)
    world.wake()
    assert len(world.own_comments()) == 1


def test_commands_are_answered_once_by_a_reaction_and_by_the_role_it_takes(world: LiveWorld) -> None:
    """`/recheck` is granted to anybody, a vote is not; the comment says whose vote would count."""
    world.github.comment(NUMBER, "/recheck", by=person("newcomer"), at=at(5))
    asked = world.github.comment(NUMBER, "/vote uphold for good reasons", by=person("newcomer"), at=at(6))
    known = world.github.comment(NUMBER, "/explain ID-06", by=person("newcomer"), at=at(7))
    world.act("issue_comment", commented("/recheck"))
    reactions = [[one.content for one in comment.reactions] for comment in world.github.comments(NUMBER)[:3]]
    assert reactions == [["+1"], ["confused"], ["+1"]]
    (body,) = world.own_comments()
    assert f"#issuecomment-{asked.id}" in body
    assert f"#issuecomment-{known.id}" in body
    assert "ID-06 (enforced" in body
    world.sent()
    world.act("issue_comment", commented("/recheck"))
    assert not [line for line in world.sent() if "POST" in line and "graphql" not in line]


def test_a_flood_of_commands_is_answered_a_part_a_run(world: LiveWorld) -> None:
    """Each answer is a request, and the verdict waits for them."""
    for _ in range(MAX_REACTIONS + 5):
        world.github.comment(NUMBER, "/recheck", by=person("newcomer"), at=at(5))
    answered = []
    for _ in range(3):
        assert world.wake() == 0
        answered.append(sum("/reactions" in line for line in world.sent()))
    assert answered == [MAX_REACTIONS, 5, 0]


def test_a_comment_without_a_command_wakes_nothing(world: LiveWorld) -> None:
    """Not one request is sent."""
    assert world.act("issue_comment", commented("Looks good to me.")) == 0
    assert world.sent() == []


def test_a_finished_run_leads_to_every_pull_request_of_its_head(world: LiveWorld) -> None:
    """For a fork the payload names none; commit and branch do (C5)."""
    run = {
        "event": "pull_request_review",
        "head_sha": world.head(),
        "head_branch": "pull-7",
        "head_repository": {"full_name": "example-fork/registry"},
        "pull_requests": [],
    }
    assert world.act("workflow_run", {"repository": {"id": 1}, "workflow_run": run}) == 0
    assert world.state(world.head()) == "pending"


def test_a_finished_run_leads_to_a_fork_s_pull_request_that_was_closed(world: LiveWorld) -> None:
    """The list of a commit leaves closed ones out; that of the branch has them, and those of other heads are no matter."""
    world.review("maintainer")
    world.wake()
    world.github.close(NUMBER)
    elsewhere = world.open(put("docs/second.md", "Second.\n"), number=8, head_ref="pull-7")
    world.github.close(8)
    run = {
        "event": "pull_request",
        "head_sha": world.head(),
        "head_branch": "pull-7",
        "head_repository": {"full_name": "example-fork/registry"},
        "pull_requests": [],
    }
    world.sent()
    assert world.act("workflow_run", {"repository": {"id": 1}, "workflow_run": run}) == 0
    assert (world.state(world.head()), world.state(elsewhere)) == ("pending", None)
    assert len([line for line in world.sent() if "graphql" in line]) == 1


def test_the_sweep_decides_all_that_is_open(world: LiveWorld, capsys: pytest.CaptureFixture[str]) -> None:
    """And says in one line each what became of it."""
    second = world.open(put("docs/second.md", "Second.\n"), number=8)
    assert world.sweep() == 0
    assert world.state(world.head()) == world.state(second) == "pending"
    assert capsys.readouterr().out.count("Pull request") == 2


def test_the_sweep_takes_back_the_success_of_a_closed_pull_request(
    world: LiveWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing woke the gate when it was closed: the anchor of a newcomer's fork waits for leave to run. Once is enough."""
    world.review("maintainer")
    world.wake()
    merged = world.open(put("docs/second.md", "Second.\n"), number=8)
    world.review("maintainer", number=8)
    world.wake(8)
    world.github.merge(8, by=person("maintainer"))
    world.github.close(NUMBER)
    capsys.readouterr()
    assert world.sweep() == 0
    assert (world.state(world.head()), world.state(merged)) == ("pending", "success")
    assert world.sweep() == 0
    assert capsys.readouterr().out.count("is closed") == 1


def test_a_list_of_closed_pull_requests_that_cannot_be_read_leaves_a_red_job(
    world: LiveWorld, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The open ones are decided all the same, and no failure is taken for an empty list."""

    def broken(*_: object) -> tuple[int, ...]:
        raise ReadError("example")

    monkeypatch.setattr(action, "closed_with_success", broken)
    assert world.sweep() == 3
    assert world.state(world.head()) == "pending"
    assert "kept a success could not be found out: example" in capsys.readouterr().err


def test_the_sweep_can_be_told_which(world: LiveWorld) -> None:
    """The others are not even read."""
    second = world.open(put("docs/second.md", "Second.\n"), number=8)
    assert world.sweep(8) == 0
    assert (world.state(world.head()), world.state(second)) == (None, "pending")


def test_one_pull_request_that_cannot_be_decided_does_not_stop_the_others(world: LiveWorld) -> None:
    """Its status is an error, theirs are decided."""
    second = world.open(put("docs/second.md", "Second.\n"), number=8)
    world.github.faults.add(Fault(path="git-upload-pack", method="POST", times=1))
    assert world.sweep() == 0
    assert {world.state(world.head()), world.state(second)} == {"error", "pending"}


class TestBadInput:
    def test_settings_that_do_not_parse_are_an_error_on_the_status(self, world: LiveWorld) -> None:
        """Nothing is decided by rules that nobody can read."""
        world.review("maintainer")
        broken = world.github.commit({SETTINGS: b"status_context: [\n"}, by=person("maintainer"))
        world.github.push_branch(broken, by=person("maintainer"))
        assert world.wake() == 0
        (latest, *_) = world.github.statuses(world.head())
        assert (latest.context, latest.state) == (CONTEXT, "error")
        assert "registrar.yml" in (latest.description or "")

    def test_a_roster_that_is_named_and_not_given_is_an_error(self, world: LiveWorld) -> None:
        """A named source that cannot be read never means that nobody holds a role."""
        world.review("maintainer")
        assert world.wake(REGISTRAR_ROSTER="") == 0
        assert world.state(world.head()) == "error"

    @pytest.mark.parametrize(
        ("kept", "status"),
        [
            ("secret", 200),
            ("file\n  path: /nowhere/example.json", 200),
            ("repository\n  repository: example-organisation/closed\n  path: example.json", 200),
            ("repository\n  repository: example-organisation/closed\n  path: example.json", 403),
        ],
    )
    def test_a_roster_that_cannot_be_read_is_told_in_the_same_words_whatever_the_cause(
        self,
        world: LiveWorld,
        kept: str,
        status: int,
        capsys: pytest.CaptureFixture[str],
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        """Everybody sees them, and the cause would tell of what is closed; `doctor` tells it to those who run it."""
        moved = world.commit(swap(SETTINGS, "source: secret", f"source: {kept}"), by="maintainer")
        world.github.push_branch(moved, by=person("maintainer"))
        if status != 200:
            world.github.faults.add(Fault(path="/example-organisation/closed/", status=status, times=None))
        assert world.wake(REGISTRAR_ROSTER="", REGISTRAR_ROSTER_TOKEN=world.github.token) == 0
        said = "roster or ledger could not be read; `registrar doctor` says why"
        assert world.github.statuses(world.head())[0].description == f"could not be decided: {said}"
        assert capsys.readouterr().err == f"Pull request 7: {said}\n"
        assert caplog.text == ""

    @pytest.mark.parametrize("queued", [False, True], ids=["pull request", "group"])
    def test_no_branch_but_the_default_one_says_where_the_roster_is(self, world: LiveWorld, queued: bool) -> None:
        """Anybody who can push makes a branch, and its settings could name any file that our tokens can read."""
        own = json.dumps({"people": [{"id": person("newcomer").id, "login": "x", "roles": ["maintainer"]}]})
        (world.folder / "own.json").write_text(own, encoding="utf-8")
        kept = f"source: file\n  path: {world.folder}/own.json"
        moved = world.commit(swap(SETTINGS, "source: secret", kept), by="newcomer")
        world.github.push_branch(moved, by=person("newcomer"), branch="mine")
        head = world.github.commit({"docs/more.md": b"More.\n"}, by=person("contributor"), on="mine")
        world.github.add_pull(
            head, by=person("contributor"), number=8, base="mine", created_at=ARRIVED, pushed_at=ARRIVED
        )
        sha, context = head, context_of("registrar", "mine", "main")
        if queued:
            sha = world.github.enqueue(8).head_sha

        def decided() -> str | None:
            assert world.sweep() == 0 if queued else world.wake(8) == 0
            return world.state(sha, context)

        world.review("newcomer", number=8)
        assert decided() == "pending"
        world.review("maintainer", number=8)
        assert decided() == "success"

    def test_a_broken_roster_is_an_error_that_repeats_nothing_of_it(self, world: LiveWorld) -> None:
        """What it holds is closed."""
        assert world.wake(REGISTRAR_ROSTER='{"people": [{"login": "example-secret-person"}]}') == 0
        (latest, *_) = world.github.statuses(world.head())
        assert latest.state == "error"
        assert "example-secret-person" not in (latest.description or "")

    def test_a_token_that_is_refused_leaves_a_red_job(
        self, world: LiveWorld, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """It could not even read; the message says what to see to."""
        assert world.wake(REGISTRAR_TOKEN="example-unknown") == 3
        said = capsys.readouterr().err
        assert "401" in said
        assert "example-unknown" not in said

    def test_a_token_that_may_not_write_leaves_a_red_job(self, world: LiveWorld) -> None:
        """A status that cannot be set is told by the job itself."""
        reader = world.github.add_token(person("newcomer"), permissions={"contents": "read", "pull_requests": "read"})
        assert world.wake(REGISTRAR_TOKEN=reader.value) == 3
        assert world.state(world.head()) is None

    @pytest.mark.parametrize(
        ("event", "payload", "said"),
        [
            ("deployment", {}, "none that is acted on"),
            ("pull_request_target", {}, "not as GitHub documents"),
            ("issue_comment", {"issue": 3}, "not as GitHub documents"),
            ("workflow_dispatch", {"inputs": {"pull": "seven"}}, "expected the number"),
        ],
    )
    def test_an_event_that_cannot_be_read_is_refused(
        self, world: LiveWorld, event: str, payload: dict[str, Any], said: str
    ) -> None:
        """With a message, and without a request."""
        with pytest.raises(ReadError, match=said):
            world.act(event, payload)
        assert world.sent() == []

    def test_without_a_token_nothing_starts(self, world: LiveWorld) -> None:
        """The message names the input."""
        with pytest.raises(ReadError, match="token"):
            world.wake(REGISTRAR_TOKEN="")

    def test_a_token_goes_to_no_address_in_the_clear(self, world: LiveWorld) -> None:
        """Only https, or this machine."""
        with pytest.raises(ReadError, match="no address to send a token to"):
            world.wake(GITHUB_API_URL="http://example.org")

    def test_a_fault_of_ours_is_no_verdict(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """One line with kind and place, nothing of its text, and exit status 3."""

        def broken(*_: object) -> int:
            raise KeyError("example-secret-person")

        monkeypatch.setattr(action, "run_action", broken)
        assert cli.main(["action"]) == 3
        told = capsys.readouterr()
        assert re.fullmatch(
            r"registrar: internal error \(KeyError at test_action\.py:\d+\); please report it\n", told.err
        )
        assert told.out == ""


class TestMergeQueue:
    def test_a_group_is_decided_on_the_tree_that_it_would_merge(self, world: LiveWorld) -> None:
        """Every pull request in it, and the status is on the commit of the group."""
        world.review("maintainer")
        world.open(put("docs/second.md", "Second.\n"), number=8)
        world.review("maintainer", number=8)
        world.github.enqueue(NUMBER)
        entry = world.github.enqueue(8)
        assert world.act("workflow_run", self.woken(entry)) == 0
        assert world.state(entry.head_sha) == "success"
        world.sent()
        assert world.act("workflow_run", self.woken(entry)) == 0
        assert not [line for line in world.sent() if "/statuses/" in line]

    def test_a_group_whose_commit_is_crowded_gets_no_success(self, world: LiveWorld) -> None:
        """As with the head of a pull request."""
        world.review("maintainer")
        entry = world.github.enqueue(NUMBER)
        crowd(world, entry.head_sha, MAX_STATUSES)
        for _ in range(2):
            assert world.act("workflow_run", self.woken(entry)) == 0
        assert [one.state for one in world.github.statuses(entry.head_sha)][:2] == ["failure", "pending"]

    def test_a_group_of_another_branch_has_that_branch_s_context(self, world: LiveWorld) -> None:
        """Statuses of the queue are told apart as those of pull requests are."""
        world.github.push_branch(world.github.sha("main"), by=person("maintainer"), branch="MAIN")
        world.github.retarget(NUMBER, "MAIN", by=person("contributor"))
        entry = world.github.enqueue(NUMBER)
        assert world.act("workflow_run", self.woken(entry)) == 0
        assert world.state(entry.head_sha) is None
        assert world.state(entry.head_sha, context_of("registrar", "MAIN", "main")) == "pending"

    def test_a_group_whose_queue_cannot_be_read_is_an_error_wherever_its_status_may_be(self, world: LiveWorld) -> None:
        """Which branch is the default one was not read either."""
        world.review("maintainer")
        entry = world.github.enqueue(NUMBER)
        assert world.act("workflow_run", self.woken(entry)) == 0
        world.github.faults.add(Fault(path="graphql", times=None))
        assert world.act("workflow_run", self.woken(entry)) == 0
        assert (
            world.state(entry.head_sha) == world.state(entry.head_sha, context_of("registrar", "main", "")) == "error"
        )

    def test_one_without_approval_shuts_the_group(self, world: LiveWorld) -> None:
        """Whichever place it has."""
        world.open(put("docs/second.md", "Second.\n"), number=8)
        world.review("maintainer", number=8)
        world.github.enqueue(NUMBER)
        entry = world.github.enqueue(8)
        assert world.act("workflow_run", self.woken(entry)) == 0
        (latest, *_) = world.github.statuses(entry.head_sha)
        assert latest.state == "pending"
        assert (latest.description or "").startswith("#7: ")

    def test_a_group_whose_tree_is_another_is_an_error(self, world: LiveWorld) -> None:
        """What would be merged is not what was decided."""
        world.review("maintainer")
        entry = world.github.enqueue(NUMBER)
        entry.head_sha = world.github.commit(
            {"docs/smuggled.md": b"More.\n"}, by=person("newcomer"), on=[entry.head_sha]
        )
        assert world.act("workflow_run", self.woken(entry)) == 0
        assert world.state(entry.head_sha) == "error"

    def test_a_pull_request_that_moved_since_it_was_queued_is_an_error(self, world: LiveWorld) -> None:
        """The group holds another head than the one that would be decided."""
        world.review("maintainer")
        entry = world.github.enqueue(NUMBER)
        world.github.push(NUMBER, world.commit(README, put("a.md", "A.\n")), by=person("contributor"), at=at(90))
        world.review("maintainer", minute=100)
        assert world.act("workflow_run", self.woken(entry)) == 0
        assert world.state(entry.head_sha) == "error"

    def test_the_sweep_decides_groups_whose_event_was_lost(self, world: LiveWorld) -> None:
        """A queue never waits for ever."""
        world.review("maintainer")
        entry = world.github.enqueue(NUMBER)
        assert world.sweep() == 0
        assert world.state(entry.head_sha) == "success"

    def test_a_group_that_has_left_the_queue_gets_nothing(self, world: LiveWorld) -> None:
        """Its commit will not be merged."""
        entry = world.github.enqueue(NUMBER)
        world.github.registry.queue.clear()
        assert world.act("workflow_run", self.woken(entry)) == 0
        assert world.state(entry.head_sha) is None

    @staticmethod
    def woken(entry: Any) -> dict[str, Any]:
        """The run that follows the queue's own."""
        return {
            "repository": {"id": 1},
            "workflow_run": {
                "event": "merge_group",
                "head_sha": entry.head_sha,
                "head_branch": entry.ref.removeprefix("refs/heads/"),
                "head_repository": None,
                "pull_requests": [],
            },
        }


def test_the_context_follows_the_settings_of_the_base(world: LiveWorld) -> None:
    """The name is the registry's to choose."""
    moved = world.commit(swap(SETTINGS, "status_context: registrar", "status_context: gate"), by="maintainer")
    world.github.push_branch(moved, by=person("maintainer"))
    world.wake()
    assert world.state(world.head(), "gate: main") == "pending"


def test_a_check_run_shows_every_finding_once(world: LiveWorld) -> None:
    """In batches of 50, and not again for the same findings."""
    broken = {f"registry/standards/std-example-{number}.yaml": b"id: [\n" for number in range(60)}
    head = world.github.commit(broken, by=person("contributor"))
    world.github.add_pull(head, by=person("contributor"), number=8, created_at=ARRIVED, pushed_at=ARRIVED)
    for _ in range(2):
        assert world.wake(8, REGISTRAR_CHECK_RUN="true") == 0
    (run,) = world.github.registry.check_runs.values()
    assert len(run.annotations) >= 60
    assert run.conclusion == "failure"


def test_the_command_reads_the_environment(monkeypatch: pytest.MonkeyPatch, world: LiveWorld) -> None:
    """The command hands it over."""
    for name, value in world.environment("schedule", {}).items():
        monkeypatch.setenv(name, value)
    assert cli.main(["action"]) == 0
    assert world.state(world.head()) == "pending"


def test_the_sweep_says_when_a_review_of_the_methodology_is_due(
    world: LiveWorld, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A year after the newest row of the change log; a sweep of some pull requests only does not look (CHG-09)."""
    monkeypatch.setattr(gate, "utc_now", lambda: at(0))
    assert world.sweep() == 0
    assert "review of the methodology" not in capsys.readouterr().out
    later = at(0).replace(year=at(0).year + 2)
    monkeypatch.setattr(gate, "utc_now", lambda: later)
    assert world.sweep() == 0
    assert "CHG-09: a review of the methodology is due" in capsys.readouterr().out
    assert world.sweep(NUMBER) == 0
    assert "review of the methodology" not in capsys.readouterr().out


def test_nothing_closed_leaves_the_gate(world: LiveWorld, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither in a request, nor in the log, nor in a file of the job: no login beside a role, no closed fact (ROLE-16)."""
    people = [
        {"id": 9002, "login": "example-person-01", "roles": ["reviewer"], "institution": "Example Closed Institute"},
        {"id": 8888, "login": "example-absent-person", "roles": ["maintainer"], "parties": ["Example Closed Party"]},
    ]
    ledger = {"subjects": {"Example Closed Subject": {"submitters": [777_777], "party": "Example Closed Party"}}}
    world.review("maintainer")
    world.github.comment(NUMBER, "/vote uphold for good reasons", by=person("newcomer"), at=at(6))
    secrets = {"REGISTRAR_ROSTER": json.dumps({"people": people}), "REGISTRAR_LEDGER": json.dumps(ledger)}
    assert world.wake(REGISTRAR_CHECK_RUN="true", **secrets) == 0
    assert world.wake(REGISTRAR_LEDGER='{"subjects": "Example Closed Subject"}') == 0
    told = capsys.readouterr()
    written = [path.read_bytes() for path in (world.output, world.summary, *world.folder.glob("registrar-*"))]
    shown = b"\n".join([told.out.encode(), told.err.encode(), *written, *(one.body for one in world.github.requests)])
    for closed in ("example-person-01", "example-absent-person", "8888", "777777", "Closed", world.github.token):
        assert closed.encode() not in shown, closed


def test_whoever_may_write_cannot_take_an_objection_from_another(world: LiveWorld) -> None:
    """A dismissed request for changes holds until its reviewer speaks; a dismissed approval is void (DEC-17)."""
    world.review("maintainer")
    world.review("second maintainer", "CHANGES_REQUESTED")
    approval, objection = world.github.registry.pulls[NUMBER].reviews
    world.github.dismiss(objection, by=person("newcomer"), at=at(40))
    assert world.wake() == 0
    assert world.state(world.head()) == "failure"
    world.review("second maintainer", minute=50)
    world.github.dismiss(approval, by=person("newcomer"), at=at(55))
    assert world.wake() == 0
    assert world.state(world.head()) == "success"
    assert "dismissed" in world.own_comments()[0]


def test_whoever_may_write_cannot_take_a_dispute_from_another(world: LiveWorld) -> None:
    """Edited or deleted, it holds the merge until whoever opened it says where they stand (DISP-01)."""
    world.review("maintainer")
    opened = world.github.comment(NUMBER, "/dispute Not so.", by=person("second maintainer"), at=at(40))
    world.github.edit_comment(opened.id, "Thanks.", by=person("newcomer"), at=at(41))
    assert world.wake() == 0
    assert world.state(world.head()) == "failure"
    confirmed = f"/confirm {world.head()}"
    world.github.comment(NUMBER, confirmed, by=person("second maintainer"), at=at(50))
    assert world.wake() == 0
    assert world.state(world.head()) == "success"
    world.github.delete_comment(opened.id, by=person("newcomer"), at=at(60))
    assert world.wake() == 0
    assert world.state(world.head()) == "failure"


def test_comments_of_ours_that_are_deleted_hold_nothing(world: LiveWorld) -> None:
    """Repeated ones are folded into the oldest by the gate itself, and that is no fact."""
    world.review("maintainer")
    world.wake()
    world.github.comment(NUMBER, f"{COMMENT_MARKER}\nAgain.", by=ACTIONS_BOT)
    assert world.wake() == 0
    assert len(world.own_comments()) == 1
    assert world.state(world.head()) == "success"
