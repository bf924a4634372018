"""The workflows of a registry and the composite action, run for real: statuses and comments land on the embedded GitHub."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from medgauge_registrar.sandbox.edits import append
from support.act import Workflows, copy_action
from support.live import CONTEXT, NUMBER, LiveWorld, live_world, person

pytestmark = pytest.mark.long

NOTE = append("README.md", "\nAnother example line.\n")


@pytest.fixture(scope="module")
def action(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_action(tmp_path_factory.mktemp("action"))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[LiveWorld]:
    """Pull request 7 edits the README and has its approval."""
    with live_world(tmp_path / "github") as found:
        found.review("maintainer")
        yield found


@pytest.fixture
def workflows(world: LiveWorld, action: Path, tmp_path: Path) -> Workflows:
    return Workflows(world, action, tmp_path / "run")


def finished(world: LiveWorld, name: str, event: str, **more: Any) -> dict[str, Any]:
    """The payload that follows a run for pull request 7, which comes from a fork, as GitHub sends it: without a number."""
    pull = world.github.registry.pulls[NUMBER]
    run = {
        "name": name,
        "event": event,
        "conclusion": "success",
        "head_sha": pull.head_sha,
        "head_branch": pull.head_ref,
        "head_repository": {"full_name": pull.head_repo},
        "pull_requests": [],
        **more,
    }
    return {"action": "completed", "workflow_run": run}


def commented(body: str, **more: Any) -> dict[str, Any]:
    return {
        "action": "created",
        "issue": {"number": NUMBER, "pull_request": {"url": "https://example.org"}},
        "comment": {"id": 1, "body": body, "user": {"login": "example", "type": "User"}},
        **more,
    }


def assert_approved(world: LiveWorld, sha: str) -> None:
    """Pending first, then success; one comment that says so."""
    assert [one.state for one in reversed(world.github.statuses(sha)) if one.context == CONTEXT] == [
        "pending",
        "success",
    ]
    (comment,) = world.own_comments()
    assert "Approved" in comment


@pytest.mark.parametrize("event", ["pull_request", "pull_request_review"])
def test_workflow_run_after_the_anchor(world: LiveWorld, workflows: Workflows, event: str) -> None:
    """The anchor does nothing, on either event; the gate that follows finds the pull request of a fork and decides it."""
    head = world.head()
    anchor = workflows.run("gate-anchor", event, {"action": "edited", "pull_request": {"number": NUMBER}})
    assert anchor.status == 0, anchor.log
    assert world.sent() == []
    gate = workflows.run("gate", "workflow_run", finished(world, "gate-anchor", event))
    assert gate.status == 0, gate.log
    assert_approved(world, head)
    assert re.search(r"set-output:: state=approved", gate.log)
    assert re.search(rf"set-output:: comment-url=\S+/pull/{NUMBER}#issuecomment-", gate.log)
    assert re.search(rf"set-output:: decision=\S+/registrar-decision-{NUMBER}\.json", gate.log)


def test_a_failed_or_held_run_wakes_the_gate_too(world: LiveWorld, workflows: Workflows) -> None:
    """Whatever became of the run that is followed says nothing."""
    gate = workflows.run(
        "gate", "workflow_run", finished(world, "validate", "pull_request", conclusion="action_required")
    )
    assert gate.status == 0, gate.log
    assert_approved(world, world.head())


def test_issue_comment_with_a_command(world: LiveWorld, workflows: Workflows) -> None:
    """A command in any line of a comment decides anew."""
    gate = workflows.run("gate", "issue_comment", commented("Thank you.\r\n/recheck"))
    assert gate.status == 0, gate.log
    assert_approved(world, world.head())


def test_issue_comment_that_lost_its_command(world: LiveWorld, workflows: Workflows) -> None:
    """An edit can take a vote away, so what stood there counts."""
    edit = {"action": "edited", "changes": {"body": {"from": "/recheck"}}}
    gate = workflows.run("gate", "issue_comment", commented("Never mind.", **edit))
    assert gate.status == 0, gate.log
    assert_approved(world, world.head())


@pytest.mark.parametrize(
    "payload",
    [
        commented("Talk of and/or, with a/slash."),
        {**commented("/recheck"), "issue": {"number": NUMBER}},
        {
            **commented("/recheck"),
            "comment": {"id": 1, "body": "/recheck", "user": {"login": "example[bot]", "type": "Bot"}},
        },
    ],
    ids=["talk", "on an issue", "by a bot"],
)
def test_issue_comment_that_is_no_command(world: LiveWorld, workflows: Workflows, payload: dict[str, Any]) -> None:
    """The job is skipped before anything is installed or asked."""
    gate = workflows.run("gate", "issue_comment", payload)
    assert gate.status == 0, gate.log
    assert "Main Install" not in gate.log
    assert world.sent() == []


def test_pull_request_target_where_it_is_allowed(world: LiveWorld, workflows: Workflows) -> None:
    """The fast path decides the pull request that the event names."""
    workflows.allow_the_fast_path()
    pull = world.github.registry.pulls[NUMBER]
    head = {"sha": pull.head_sha, "ref": pull.head_ref, "repo": {"full_name": pull.head_repo}}
    payload = {"action": "opened", "number": NUMBER, "pull_request": {"number": NUMBER, "head": head}}
    gate = workflows.run("gate", "pull_request_target", payload)
    assert gate.status == 0, gate.log
    assert_approved(world, world.head())


def test_merge_group(world: LiveWorld, workflows: Workflows) -> None:
    """The anchor of the queue does nothing; the gate that follows decides the group on its own commit."""
    entry = world.github.enqueue(NUMBER)
    group = {
        "head_sha": entry.head_sha,
        "head_ref": entry.ref,
        "base_sha": entry.base_sha,
        "base_ref": "refs/heads/main",
    }
    anchor = workflows.run("gate-queue-anchor", "merge_group", {"action": "checks_requested", "merge_group": group})
    assert anchor.status == 0, anchor.log
    assert world.sent() == []
    branch = entry.ref.removeprefix("refs/heads/")
    of_registry = {"full_name": world.github.registry.full_name}
    run = {"head_sha": entry.head_sha, "head_branch": branch, "head_repository": of_registry}
    gate = workflows.run("gate", "workflow_run", finished(world, "gate-queue-anchor", "merge_group", **run))
    assert gate.status == 0, gate.log
    assert world.state(entry.head_sha) == "success"


def test_schedule(world: LiveWorld, workflows: Workflows) -> None:
    """The sweep decides every open pull request."""
    other = world.open(NOTE, number=8)
    gate = workflows.run("gate", "schedule", {"schedule": "4,19,34,49 * * * *"})
    assert gate.status == 0, gate.log
    assert_approved(world, world.head())
    assert world.state(other) == "pending"
    assert "state=pending" in gate.log


def test_workflow_dispatch(world: LiveWorld, workflows: Workflows) -> None:
    """Only the pull request that was named is decided."""
    other = world.open(NOTE, number=8)
    gate = workflows.run("gate", "workflow_dispatch", {"inputs": {"pull": "8"}})
    assert gate.status == 0, gate.log
    assert world.state(other) == "pending"
    assert world.github.statuses(world.head()) == ()


def test_push_that_changed_the_settings(world: LiveWorld, workflows: Workflows) -> None:
    """What is open against the branch is decided anew."""
    tip = world.github.sha("main")
    gate = workflows.run("gate", "push", {"ref": "refs/heads/main", "before": tip, "after": tip, "deleted": False})
    assert gate.status == 0, gate.log
    assert_approved(world, world.head())


def test_push_that_merged_is_recorded(world: LiveWorld, workflows: Workflows) -> None:
    """The audit workflow writes the note of the decision that brought the merge."""
    before = world.github.sha("main")
    merge = world.github.merge(NUMBER, by=person("maintainer"))
    payload = {"ref": "refs/heads/main", "before": before, "after": merge, "deleted": False}
    audit = workflows.run("audit", "push", payload)
    assert audit.status == 0, audit.log
    notes = world.github.notes()
    assert set(notes) == {merge}
    assert json.loads(notes[merge])["decision"]["state"] == "approved"


def test_an_app_speaks_for_the_gate(world: LiveWorld, workflows: Workflows) -> None:
    """With an App the token of the job is not used, though it is there: comment and status are the App's."""
    key = generate_private_key(public_exponent=65537, key_size=2048)
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    may = {"contents": "read", "issues": "write", "metadata": "read", "pull_requests": "write", "statuses": "write"}
    app = world.github.add_app("example-gate", public, permissions=may, repositories=[world.github.registry.full_name])
    payload = finished(world, "gate-anchor", "pull_request")
    gate = workflows.run("gate", "workflow_run", payload, app_id=str(app.id), REGISTRAR_APP_KEY=private)
    assert gate.status == 0, gate.log
    assert [one.user for one in world.github.comments(NUMBER)] == [app.bot]
    assert world.state(world.head()) == "success"
    assert {one.login for one in world.github.requests if one.is_api} <= {app.bot.login, app.slug, None}


def test_a_verdict_that_cannot_be_published_is_a_red_run(world: LiveWorld, workflows: Workflows) -> None:
    """Exit status 3 of the action becomes a failed job."""
    gate = workflows.run("gate", "workflow_run", finished(world, "validate", "pull_request"), GITHUB_TOKEN="wrong")
    assert gate.status == 1
    assert world.github.statuses(world.head()) == ()
    assert "::error" in gate.log or "registrar:" in gate.log


def test_secrets_stay_out_of_the_log(world: LiveWorld, workflows: Workflows) -> None:
    """Neither the token nor anybody's role is printed."""
    gate = workflows.run("gate", "workflow_run", finished(world, "validate", "pull_request"))
    assert gate.status == 0, gate.log
    assert world.github.token not in gate.log
    assert "example-person" not in gate.log


def test_validate_annotates_what_the_pull_request_breaks(workflows: Workflows, world: LiveWorld) -> None:
    """The build checks of the merge result, without a token or a secret; errors make the run red."""
    broken = b"id: std-example-broken\n"
    pull_request = {"action": "opened", "pull_request": {"number": NUMBER}}
    commit_merge(workflows, {"registry/standards/std-example-broken.yaml": broken})
    ran = workflows.run("validate", "pull_request", pull_request)
    assert ran.status == 1, ran.log
    assert "std-example-broken.yaml" in ran.log
    assert "ENT-02" in ran.log
    assert world.sent() == []


def test_a_hostile_checkout_lends_the_action_nothing(workflows: Workflows) -> None:
    """Modules and configurations at the top of the checkout, by the names that the action uses, are never looked at."""
    mark = workflows.folder / "pwned"
    code = f"open({str(mark)!r}, 'w')\nraise SystemExit('pwned')\n".encode()
    names = ("pip", "uv", "venv", "site", "sitecustomize", "json", "argparse", "medgauge_registrar", "yaml")
    hostile = {f"{name}.py": code for name in names} | {
        "medgauge_registrar/__init__.py": code,
        "uv.toml": b"not a configuration",
        "pyproject.toml": b"not a configuration",
        "pip.conf": b"[global]\nindex-url = https://example.invalid/\n",
    }
    commit_merge(workflows, hostile)
    ran = workflows.run("validate", "pull_request", {"action": "opened", "pull_request": {"number": NUMBER}})
    assert "Main Run" in ran.log
    assert "pwned" not in ran.log
    assert not mark.exists()
    assert ran.status == 0, ran.log


def commit_merge(workflows: Workflows, files: dict[str, bytes]) -> None:
    """Make HEAD of the checkout the merge commit that GitHub makes for an event `pull_request`."""
    workflows.git("switch", "--quiet", "--create", "topic")
    for path, data in files.items():
        workflows.put(path, data)
    workflows.git("add", "--all", "--force")
    workflows.git("commit", "--quiet", "--message", "Change")
    workflows.git("switch", "--quiet", "main")
    workflows.git("merge", "--quiet", "--no-ff", "--message", "Merge", "topic")
