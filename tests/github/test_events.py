"""What each event asks for, and that nothing else of a payload is believed."""

from typing import Any

import pytest

from medgauge_registrar.github.events import AllOpen, Group, Hints, Nothing, Pulls, wake
from medgauge_registrar.model.errors import ReadError

SHA = "a1" * 20
HERE, FORK = {"id": 1, "full_name": "example-organisation/registry"}, {"id": 2, "full_name": "example-fork/registry"}


def pull(head: dict[str, Any] | None = FORK) -> dict[str, Any]:
    return {"action": "synchronize", "pull_request": {"number": 7, "head": {"repo": head}, "base": {"repo": HERE}}}


def comment(body: str, *, on_pull: bool = True, kind: str = "User", before: str | None = None) -> dict[str, Any]:
    issue: dict[str, Any] = {"number": 7, **({"pull_request": {}} if on_pull else {})}
    changes = {} if before is None else {"changes": {"body": {"from": before}}}
    return {"issue": issue, "comment": {"body": body, "user": {"type": kind}}, **changes}


def run(event: str = "pull_request", **fields: Any) -> dict[str, Any]:
    usual = {
        "event": event,
        "head_sha": SHA,
        "head_branch": "topic",
        "head_repository": FORK,
        "pull_requests": [],
        "conclusion": "action_required",
    }
    return {"repository": HERE, "workflow_run": {**usual, **fields}}


def test_a_pull_request_is_named_by_its_number() -> None:
    """Whatever branch it comes from; the event itself is privileged."""
    assert wake("pull_request_target", pull()) == Pulls(numbers=(7,))


@pytest.mark.parametrize("event", ["pull_request", "pull_request_review"])
def test_an_event_that_cannot_write_for_a_fork_is_left_to_the_relay(event: str) -> None:
    """For a branch of the registry itself it can."""
    assert wake(event, pull(HERE)) == Pulls(numbers=(7,))
    assert isinstance(wake(event, pull(FORK)), Nothing)
    assert isinstance(wake(event, pull(None)), Nothing)


def test_a_command_wakes() -> None:
    """One that an edit took away too: it may have counted until now (A17)."""
    assert wake("issue_comment", comment("Please.\n/recheck")) == Pulls(numbers=(7,))
    assert wake("issue_comment", comment("Never mind.", before=f"/confirm {SHA}")) == Pulls(numbers=(7,))


@pytest.mark.parametrize(
    "payload",
    [comment("Thanks!"), comment("> /recheck"), comment("/recheck", on_pull=False), comment("/recheck", kind="Bot")],
    ids=["talk", "quoted", "issue", "bot"],
)
def test_other_comments_do_not(payload: dict[str, Any]) -> None:
    """Our own comment among them, which an App's token would wake us with for ever."""
    assert isinstance(wake("issue_comment", payload), Nothing)


def test_a_finished_run_gives_hints_whatever_its_conclusion() -> None:
    """A run held back for a newcomer ends as `action_required`."""
    assert wake("workflow_run", run()) == Hints(
        numbers=(), head_sha=SHA, head_repo="example-fork/registry", head_ref="topic"
    )


def test_numbers_of_another_repository_are_no_hint() -> None:
    """A run in a fork may belong to a pull request of that fork."""
    items = [{"number": 7, "base": {"repo": HERE}}, {"number": 9, "base": {"repo": FORK}}]
    woken = wake("workflow_run", run(pull_requests=items, head_repository=None))
    assert woken == Hints(numbers=(7,), head_sha=SHA, head_repo=None, head_ref="topic")


@pytest.mark.parametrize("base", ["main", "release/1.0"])
def test_a_group_of_the_queue_is_known_by_its_branch(base: str) -> None:
    """Through the run that follows the queue's own, or directly."""
    ref = f"gh-readonly-queue/{base}/pr-7-{SHA}"
    direct = {"action": "checks_requested", "merge_group": {"head_sha": SHA, "head_ref": f"refs/heads/{ref}"}}
    assert wake("workflow_run", run("merge_group", head_branch=ref)) == Group(head_sha=SHA, base_ref=base)
    assert wake("merge_group", direct) == Group(head_sha=SHA, base_ref=base)
    assert isinstance(wake("merge_group", {**direct, "action": "destroyed"}), Nothing)


def test_a_group_on_any_other_branch_is_refused() -> None:
    """Anybody may name a branch as they like."""
    with pytest.raises(ReadError, match="no branch of the merge queue"):
        wake("workflow_run", run("merge_group", head_branch="topic"))


def test_all_open_pull_requests_by_schedule_or_by_hand() -> None:
    """A dispatch may name one."""
    assert wake("schedule", {}) == AllOpen()
    assert wake("workflow_dispatch", {"inputs": None}) == AllOpen()
    assert wake("workflow_dispatch", {"inputs": {"pull": " 7 "}}) == Pulls(numbers=(7,))


def test_a_moved_base_expires_every_verdict_on_it() -> None:
    """Two that were fine alone may be wrong together (F1)."""
    assert wake("push", {"ref": "refs/heads/main"}) == AllOpen(base_ref="main")
    assert isinstance(wake("push", {"ref": "refs/tags/v1"}), Nothing)
    assert isinstance(wake("push", {"ref": "refs/heads/main", "deleted": True}), Nothing)


@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("pull_request_target", {"pull_request": {"number": True}}),
        ("pull_request_target", {"pull_request": {"number": "7; rm -rf /"}}),
        ("pull_request_target", {"pull_request": None}),
        ("issue_comment", {"issue": {"number": 7, "pull_request": {}}, "comment": {"body": 3, "user": None}}),
        ("workflow_run", run(head_sha="main")),
        ("workflow_run", run(pull_requests=None)),
        ("workflow_dispatch", {"inputs": {"pull": "-1"}}),
        ("push", {}),
        ("unknown", {}),
        ("", {}),
    ],
)
def test_what_is_not_as_documented_is_an_error(event: str, payload: dict[str, Any]) -> None:
    """Never a guess."""
    with pytest.raises(ReadError):
        wake(event, payload)
