"""Payloads of events, held against GitHub's description of its webhooks."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from contract.material import webhooks
from medgauge_registrar.sandbox.github import events
from medgauge_registrar.sandbox.github.world import GitHubSandbox
from support.embedded import AUTHOR, FOUNDER, REVIEWER

pytestmark = pytest.mark.long

Make = Callable[[GitHubSandbox], dict[str, Any]]
ANCHOR = ".github/workflows/gate-anchor.yml"


def pushed(world: GitHubSandbox) -> dict[str, Any]:
    before = world.sha("main")
    world.push_branch(world.commit({"README.md": b"x\n"}, by=FOUNDER), by=FOUNDER)
    return events.push(world, before, by=FOUNDER)


def edited_comment(world: GitHubSandbox) -> dict[str, Any]:
    comment = world.comment(1, "/recheck", by=AUTHOR)
    world.edit_comment(comment.id, "Nothing.", by=AUTHOR)
    return events.issue_comment(world, comment, "edited", before="/recheck")


@pytest.fixture
def world(tmp_path: Path) -> Any:
    with GitHubSandbox(tmp_path) as found:
        found.push_branch(found.commit({"README.md": b"An example.\n"}, by=FOUNDER, on=()), by=FOUNDER)
        found.add_pull(found.commit({"docs/note.md": b"A note.\n"}, by=AUTHOR), by=AUTHOR, body="A text.")
        yield found


def breaches(name: str, payload: dict[str, Any]) -> list[str]:
    described = webhooks()
    schema = described["webhooks"][name]["post"]["requestBody"]["content"]["application/json"]["schema"]
    registry: Registry[Any] = Registry().with_resource(
        "urn:hooks", Resource(contents=described, specification=DRAFT202012)
    )
    rooted = {"$ref": f"urn:hooks{schema['$ref']}"} if "$ref" in schema else schema
    errors = Draft202012Validator(rooted, registry=registry).iter_errors(payload)
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in errors]


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("pull-request-opened", lambda world: events.pull_request(world, 1, "opened")),
        ("pull-request-ready-for-review", lambda world: events.pull_request(world, 1, "ready_for_review")),
        ("issue-comment-created", lambda world: events.issue_comment(world, world.comment(1, "/recheck", by=AUTHOR))),
        ("issue-comment-edited", edited_comment),
        ("merge-group-checks-requested", lambda world: events.merge_group(world, world.enqueue(1))),
        ("workflow-run-completed", lambda world: events.workflow_run(world, 1, path=ANCHOR)),
        ("push", pushed),
        ("workflow-dispatch", lambda world: events.workflow_dispatch(world, {"pull": "1"}, by=REVIEWER)),
    ],
)
def test_payloads_are_as_described(world: GitHubSandbox, name: str, make: Make) -> None:
    payload = make(world)
    assert breaches(name, payload) == []
    assert breaches(name, payload | {"repository": "example-organisation/registry"}) != []
