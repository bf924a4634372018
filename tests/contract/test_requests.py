"""What the product sends while it works: every REST request and every query, held against GitHub's own descriptions."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from graphql import build_schema, parse, validate

from contract.judge import faults_of_request, operation_of
from contract.material import graphql_schema
from medgauge_registrar import cli
from medgauge_registrar.doctor.remote import Question, Seen, look_at_github
from medgauge_registrar.github.client import open_client
from medgauge_registrar.live.record import run_record
from medgauge_registrar.sandbox.github import events
from medgauge_registrar.sandbox.github.world import ACTIONS_BOT, REGISTRY
from support.live import NUMBER, LiveWorld, live_world, person

pytestmark = pytest.mark.long


def decides(world: LiveWorld) -> None:
    """Twice with another verdict, so that comment, status and check run are made and changed; a command is answered."""
    comment = world.github.comment(NUMBER, "/recheck", by=person("contributor"))
    world.act("issue_comment", events.issue_comment(world.github, comment), REGISTRAR_CHECK_RUN="true")
    world.review("maintainer")
    world.wake(REGISTRAR_CHECK_RUN="true")
    world.sweep()


def decides_on_a_forced_push_to_a_fork_that_went_away(world: LiveWorld) -> None:
    world.github.push(
        NUMBER, world.github.commit({"docs/other.md": b"x\n"}, by=person("contributor")), by=person("contributor")
    )
    world.wake()
    world.github.delete_fork("example-fork/registry")
    world.wake()


def decides_a_group_of_the_queue(world: LiveWorld) -> None:
    world.review("maintainer")
    entry = world.github.enqueue(NUMBER)
    world.act("merge_group", events.merge_group(world.github, entry))


def follows_a_run(world: LiveWorld) -> None:
    world.act("workflow_run", events.workflow_run(world.github, NUMBER, path=".github/workflows/gate-anchor.yml"))


def records_and_audits(world: LiveWorld) -> None:
    world.review("maintainer")
    before = world.github.sha("main")
    world.github.merge(NUMBER, by=person("maintainer"))
    payload = events.push(world.github, before, by=person("maintainer"))
    assert run_record(world.environment("push", payload)) == 0
    with pytest.MonkeyPatch.context() as patch:
        for name, value in world.environment().items():
            patch.setenv(name, value)
        repository = str(world.github.registry.store.path)
        cli.main(["audit", f"{before}..main", "--repo", repository, "--gate", str(ACTIONS_BOT.id)])


def examines_the_settings(world: LiveWorld) -> None:
    settings = world.github.registry.settings
    policy = {"protected_branches": False, "custom_branch_policies": True}
    settings.environments = [{"name": "registrar", "deployment_branch_policy": policy}]
    client = open_client(world.github.token, api_url=world.github.api_url, graphql_url=world.github.graphql_url)

    def get(path: str) -> Seen:
        answer = client.rest("GET", path)
        return Seen(answer.status, answer.data)

    question = Question(
        repository=REGISTRY,
        status_context="registrar",
        workflows=("gate.yml",),
        secrets=frozenset(),
        app_id=None,
        push_branches={},
    )
    assert list(look_at_github(question, get))


@pytest.mark.parametrize(
    ("work", "least"),
    [
        (decides, 10),
        (decides_on_a_forced_push_to_a_fork_that_went_away, 6),
        (decides_a_group_of_the_queue, 4),
        (follows_a_run, 5),
        (records_and_audits, 8),
        (examines_the_settings, 6),
    ],
)
def test_everything_that_is_sent_is_described(tmp_path: Path, work: Callable[[LiveWorld], Any], least: int) -> None:
    with live_world(tmp_path) as world:
        work(world)
        sent = [one for one in world.github.requests if one.is_api]
        assert all(one.status for one in sent)
    real = build_schema(graphql_schema(), assume_valid=True)
    faults = []
    for one in sent:
        if one.target.endswith("/graphql"):
            asked = json.loads(one.body)["query"]
            faults += [error.message for error in validate(real, parse(asked))]
        elif one.method == "GET":
            faults += [] if operation_of("GET", one.target) else [f"GET {one.target} is not described"]
        else:
            body = json.loads(one.body) if one.body else None
            faults += [
                f"{one.method} {one.target}: {fault}" for fault in faults_of_request(one.method, one.target, body)
            ]
    assert faults == []
    assert len(sent) >= least, [f"{one.method} {one.target}" for one in sent]
