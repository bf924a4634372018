"""
What becomes of a run when GitHub fails it: never an approval, never an old success left standing, never a second comment.

Every request of a usual run meets every failure in the long tests; the usual tests take a sample.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from urllib3 import Retry

from medgauge_registrar.git import fetch
from medgauge_registrar.github import client
from medgauge_registrar.live import gate
from medgauge_registrar.live.action import run_action
from medgauge_registrar.sandbox.edits import put
from medgauge_registrar.sandbox.github.faults import Fault, too_fast
from support.failures import FAILURES
from support.live import NUMBER, README, LiveWorld, live_world, person
from support.snapshots import at

PERSISTENT: Mapping[str, Any] = {"times": None}
# The requests of a first run on an approved pull request, in order.
REQUESTS: Mapping[str, Mapping[str, Any]] = {
    "facts": {"path": "graphql", "nth": 1},
    "advertisement": {"path": "info/refs"},
    "objects": {"path": "git-upload-pack$", "method": "POST"},
    "waiting": {"path": "/statuses/", "method": "POST", "nth": 1},
    "arrival": {"path": "/activity"},
    "room": {"path": "/commits/[0-9a-f]+/statuses"},
    "comment": {"path": "/issues/7/comments", "method": "POST"},
    "comments": {"path": "graphql", "nth": 2},
    "facts again": {"path": "graphql", "nth": 3},
    "verdict": {"path": "/statuses/", "method": "POST", "nth": 2},
}
ADDRESSES = {
    "facts": "POST /api/graphql",
    "facts again": "POST /api/graphql",
    "comments": "POST /api/graphql",
    "waiting": "POST /api/v3/repos/example-organisation/registry/statuses/",
    "verdict": "POST /api/v3/repos/example-organisation/registry/statuses/",
    "arrival": "GET /api/v3/repos/example-fork/registry/activity",
    "room": "GET /api/v3/repos/example-organisation/registry/commits/",
    "comment": "POST /api/v3/repos/example-organisation/registry/issues/7/comments",
}
SAMPLE = [
    ("facts", "502"),
    ("advertisement", "reset"),
    ("objects", "truncated"),
    ("waiting", "403"),
    ("arrival", "404"),
    ("arrival", "malformed"),
    ("room", "malformed"),
    ("room", "404"),
    ("facts again", "time-out"),
    ("comment", "502 although it was done"),
    ("verdict", "500"),
]
_EVERY = [
    pytest.param(request, failure, marks=() if (request, failure) in SAMPLE else pytest.mark.long)
    for request, failure in product(REQUESTS, FAILURES)
]


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveWorld]:
    """An approved pull request; nobody waits long."""
    monkeypatch.setattr(Retry, "sleep", lambda *_: None)
    with live_world(tmp_path) as found:
        found.review("maintainer")
        yield found


@pytest.fixture
def impatient() -> Iterator[pytest.MonkeyPatch]:
    """What shortens the wait for an answer that never comes."""
    with pytest.MonkeyPatch.context() as patch:
        yield patch


def order(world: LiveWorld, impatient: pytest.MonkeyPatch, request: str, failure: str, **more: Any) -> None:
    """Let a request fail, and all of its kind after it."""
    if failure == "time-out":
        impatient.setattr(client, "TIMEOUT_SECONDS", 2)
        impatient.setattr(fetch, "FETCH_SECONDS", 3.0)
    world.github.faults.add(Fault(**{**PERSISTENT, **REQUESTS[request], **FAILURES[failure], **more}))


def test_these_are_the_requests_of_a_usual_run(world: LiveWorld) -> None:
    """So that none is forgotten here."""
    assert world.wake() == 0
    sent = world.sent()
    named = [name for name in REQUESTS if name in ADDRESSES]
    assert len(sent) == len(named)
    assert all(line.startswith(ADDRESSES[name]) for line, name in zip(sent, named, strict=True)), sent


@pytest.mark.parametrize(("request_name", "failure"), _EVERY)
def test_a_request_that_keeps_failing_never_approves(
    world: LiveWorld, impatient: pytest.MonkeyPatch, request_name: str, failure: str
) -> None:
    """The status says `error` or stays shut, and a run without a fault mends everything."""
    order(world, impatient, request_name, failure)
    status = world.wake()
    state = world.state(world.head())
    written_after_all = request_name == "verdict" and (
        "done" in FAILURES[failure] or failure in {"malformed", "truncated"}
    )
    if not written_after_all:
        assert state != "success"
    # Without the list of moves the arrival is unknown, which is no failure; everything else is told or leaves a red job.
    if status == 0:
        assert state == "error" or (request_name == "arrival" and failure in {"403", "404"} and state == "pending")
    else:
        assert status == 3
    assert len(world.own_comments()) <= 1
    world.github.faults.clear()
    impatient.undo()
    # What was unknown may only be known later than the approval; it is given once more.
    world.github.now = world.github.now.replace(hour=world.github.now.hour + 1)
    world.review("maintainer", minute=200)
    assert world.wake() == 0
    assert world.state(world.head()) == "success"
    assert len(world.own_comments()) == 1


@pytest.mark.parametrize(("request_name", "failure"), _EVERY)
def test_an_old_success_never_outlives_its_approval(
    world: LiveWorld, impatient: pytest.MonkeyPatch, request_name: str, failure: str
) -> None:
    """Dismissed after the success; only where statuses themselves cannot be set does it stand, and the job is red."""
    assert world.wake() == 0
    assert world.state(world.head()) == "success"
    world.github.registry.pulls[NUMBER].reviews[0].state = "DISMISSED"
    # Nothing is created this time: all is read again at once, the comment is edited, and the first status says the verdict.
    spoilt = {
        "waiting": {"nth": 1},
        "verdict": {"nth": 1},
        "comment": {"path": "/issues/comments/", "method": "PATCH"},
        "facts again": {"nth": 2},
    }
    order(world, impatient, request_name, failure, **spoilt.get(request_name, {}))
    status = world.wake()
    if world.state(world.head()) == "success":
        assert status == 3
        assert request_name in {"waiting", "verdict"}
    assert len(world.own_comments()) == 1


@pytest.mark.parametrize("done", [False, True])
def test_no_write_is_ever_sent_twice(world: LiveWorld, impatient: pytest.MonkeyPatch, done: bool) -> None:
    """A write that failed may have happened: PyGithub's own retry made three comments of one."""
    order(world, impatient, "comment", "502", done=done)
    world.wake()
    assert sum("/issues/7/comments" in line and line.startswith("POST") for line in world.sent()) == 1


def test_a_reading_request_is_sent_again(world: LiveWorld, impatient: pytest.MonkeyPatch) -> None:
    """A trouble that passes costs nothing but time."""
    order(world, impatient, "arrival", "502", times=2)
    assert world.wake() == 0
    assert world.state(world.head()) == "success"


def test_nobody_waits_an_hour_for_a_limit(world: LiveWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next sweep comes sooner; waits are capped whatever GitHub says."""
    waited: list[float] = []
    monkeypatch.undo()
    monkeypatch.setattr("urllib3.util.retry.time.sleep", waited.append)
    world.github.faults.add(too_fast(status=429, retry_after_seconds=3600, path="/activity", times=2))
    assert world.wake() == 0
    assert waited
    assert max(waited) <= client.MAX_WAIT_SECONDS


def test_two_runs_at_once_leave_one_comment_and_the_right_status(
    world: LiveWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both find no comment and write one; each looks again, and the oldest stays (C12)."""
    both_have_read = Barrier(2, timeout=60)
    planned = gate.plan
    statuses: list[int] = []

    def meet(*args: Any, **kwargs: Any) -> Any:
        both_have_read.wait()
        return planned(*args, **kwargs)

    monkeypatch.setattr(gate, "plan", meet)
    environment = world.environment("schedule", {})
    runs = [Thread(target=lambda: statuses.append(run_action(environment))) for _ in range(2)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert statuses == [0, 0]
    assert len(world.own_comments()) == 1
    assert world.state(world.head()) == "success"


def test_an_objection_that_comes_while_the_comment_is_written_is_never_overtaken(
    world: LiveWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Comment and reactions may take minutes; what opens the merge rests on what is read after them."""
    applied = gate.apply

    def slowly(*args: Any) -> Any:
        done = applied(*args)
        if len(world.github.registry.pulls[NUMBER].reviews) == 1:
            world.review("second maintainer", "CHANGES_REQUESTED")
        return done

    monkeypatch.setattr(gate, "apply", slowly)
    assert world.wake() == 0
    assert [one.state for one in world.github.statuses(world.head())] == ["failure", "pending"]
    (comment,) = world.own_comments()
    assert "Blocked" in comment


def test_a_head_that_moves_meanwhile_is_decided_itself(world: LiveWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is posted for what it was decided on; the run begins anew with the new head (A20)."""
    first = world.head()
    decided = gate.decide_and_answer

    def push(question: Any) -> Any:
        if world.head() == first:
            world.github.push(
                NUMBER, world.commit(README, put("docs/more.md", "More.\n")), by=person("contributor"), at=at(90)
            )
        return decided(question)

    monkeypatch.setattr(gate, "decide_and_answer", push)
    assert world.wake() == 0
    assert [one.state for one in world.github.statuses(first)] == ["pending"]
    assert world.state(world.head()) == "pending"
    assert "set aside" in world.own_comments()[0]
