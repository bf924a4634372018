"""What people see on a pull request after a run, and that a second run changes nothing."""

from pathlib import Path

import pytest

from medgauge_registrar.model.decision import State
from medgauge_registrar.sandbox.edits import append
from support.fake_github import FakeGitHub

README = append("README.md", "\nAn example line.\n")


@pytest.fixture
def world(tmp_path: Path) -> FakeGitHub:
    """A registry with pull request 7, which edits the README."""
    return FakeGitHub(tmp_path, README)


def settle(world: FakeGitHub, **fields: object):
    with world.gate(**fields) as gate:
        return gate.settle(7)


def test_an_approved_pull_request_gets_a_comment_and_at_last_a_success(world: FakeGitHub) -> None:
    """The merge opens only when all else is written."""
    world.review("maintainer")
    settled = settle(world)
    assert settled.decision is not None
    assert settled.decision.state is State.APPROVED, settled
    assert settled.published
    assert [(path.split("/")[1], body.get("state")) for _, path, body in world.writes] == [
        ("statuses", "pending"),
        ("issues", None),
        ("statuses", "success"),
    ]
    assert len(world.own_comments()) == 1
    assert settled.comment_url == f"{settled.url}#issuecomment-4000000000"


def test_a_usual_pull_request_is_read_in_three_requests(world: FakeGitHub) -> None:
    """One query, the arrival of the head, and the query again before anything is posted."""
    settle(world)
    world.requests.clear()
    settle(world)
    assert len(world.requests) == 3, world.requests


def test_a_second_run_writes_nothing(world: FakeGitHub) -> None:
    """Comment and status stand already."""
    settle(world)
    world.writes.clear()
    settled = settle(world)
    assert settled.published
    assert world.writes == []
