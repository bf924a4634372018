"""Payloads of events say of the world what GitHub's say, and the product understands them."""

from collections.abc import Callable
from typing import Any

import pytest

from medgauge_registrar.github.events import AllOpen, Group, Hints, Pulls, Wake, wake
from medgauge_registrar.sandbox.github import events
from medgauge_registrar.sandbox.github.world import GitHubSandbox
from support.embedded import AUTHOR, FOUNDER

Make = Callable[[GitHubSandbox], Any]
ANCHOR = ".github/workflows/gate-anchor.yml"


@pytest.mark.parametrize(
    ("event", "make", "woken"),
    [
        ("pull_request_target", lambda world: events.pull_request(world, 1), Pulls(numbers=(1,))),
        (
            "issue_comment",
            lambda world: events.issue_comment(world, world.comment(1, "/recheck", by=AUTHOR)),
            Pulls(numbers=(1,)),
        ),
        (
            "issue_comment",
            lambda world: events.issue_comment(
                world, world.comment(1, "Nothing.", by=AUTHOR), "edited", before="/recheck"
            ),
            Pulls(numbers=(1,)),
        ),
        ("schedule", events.schedule, AllOpen()),
    ],
)
def test_the_product_understands(world: GitHubSandbox, event: str, make: Make, woken: Wake) -> None:
    assert wake(event, make(world)) == woken


def test_a_run_for_a_fork_names_no_pull_request(world: GitHubSandbox) -> None:
    """Its head alone leads to it."""
    payload = events.workflow_run(world, 1, path=ANCHOR)
    assert payload["workflow_run"]["pull_requests"] == []
    head = world.registry.pulls[1].head_sha
    assert wake("workflow_run", payload) == Hints(
        numbers=(), head_sha=head, head_repo="example-fork/registry", head_ref="pull-1"
    )


def test_a_run_for_a_branch_of_the_registry_names_its_pull_request(world: GitHubSandbox) -> None:
    head = world.commit({"other.md": b"x\n"}, by=AUTHOR)
    world.add_pull(head, by=AUTHOR, head_repo=world.registry.full_name)
    found = wake("workflow_run", events.workflow_run(world, 2, path=ANCHOR))
    assert isinstance(found, Hints)
    assert found.numbers == (2,)


@pytest.mark.parametrize("event", ["merge_group", "workflow_run"])
def test_a_group_of_the_queue(world: GitHubSandbox, event: str) -> None:
    """Told by itself, or by the run that it started."""
    entry = world.enqueue(1)
    payload = (
        events.merge_group(world, entry)
        if event == "merge_group"
        else events.workflow_run(world, 1, event="merge_group", path=ANCHOR)
    )
    found = wake(event, payload)
    assert isinstance(found, Group)
    assert (found.head_sha, found.base_ref) == (entry.head_sha, "main")


def test_a_push_says_whether_it_was_forced(world: GitHubSandbox) -> None:
    before = world.sha("main")
    world.push_branch(world.commit({"README.md": b"x\n"}, by=FOUNDER), by=FOUNDER)
    assert events.push(world, before, by=FOUNDER)["forced"] is False
    again = world.sha("main")
    world.push_branch(world.commit({"README.md": b"y\n"}, by=FOUNDER, on=before), by=FOUNDER)
    payload = events.push(world, again, by=FOUNDER)
    assert (payload["forced"], payload["after"]) == (True, world.sha("main"))
