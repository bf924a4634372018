"""Every REST route of the embedded GitHub, held against GitHub's OpenAPI description."""

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from contract.judge import broken_places, faults_of_answer, faults_of_request, waivers
from contract.material import exchanges
from medgauge_registrar.sandbox.github.calls import ROUTES, Refused
from medgauge_registrar.sandbox.github.world import GitHubSandbox
from support.embedded import AUTHOR, FOUNDER, REVIEWER

pytestmark = pytest.mark.long

REPO = "/repos/example-organisation/registry"
ONE = {"path": "README.md", "start_line": 1, "end_line": 1, "annotation_level": "failure", "message": "An example."}


@dataclass
class Talk:
    """A conversation with the embedded GitHub, every answer of which is judged."""

    world: GitHubSandbox
    faults: list[str]
    seen: set[tuple[str, str]]

    def __call__(self, method: str, target: str, body: Any = None, *, token: str | None = None) -> Any:
        request = Request(
            f"{self.world.api_url}{target}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {token or self.world.token}"},
        )
        try:
            with urlopen(request) as answer:
                status, data = answer.status, answer.read()
        except HTTPError as error:
            with error:
                status, data = error.code, error.read()
        value = json.loads(data) if data else None
        self.faults += [
            f"{method} {target} → {status}: {fault}" for fault in faults_of_answer(method, target, status, value)
        ]
        if body is not None and status < 400:
            self.faults += [f"{method} {target} asked: {fault}" for fault in faults_of_request(method, target, body)]
        if status < 400:
            run, _, _ = ROUTES.find(method, target.partition("?")[0])
            self.seen.add((method, run.__name__))
        return value


def reading(talk: Talk) -> None:
    head = talk.world.registry.pulls[1].head_sha
    person = talk.world.add_token(REVIEWER).value
    for target in (
        "", "/pulls?state=all", "/pulls/1", "/pulls/2", "/pulls/3", "/pulls/1/files", "/pulls/1/commits", "/pulls/1/reviews",
        f"/commits/{head}", f"/commits/{head}/pulls", f"/commits/{head}/statuses", f"/commits/{head}/status",
        f"/commits/{head}/check-runs", "/commits", "/activity", "/activity?ref=main&per_page=1", "/compare/main...refs/pull/1/head",
        "/issues/1", "/issues/9", "/issues/1/comments", "/contents/README.md", "/contents/docs?ref=refs/pull/1/head",
        "/contents/link", "/git/matching-refs/heads", "/git/ref/heads/main", f"/git/commits/{head}", "/git/trees/main?recursive=1",
        "/rules/branches/main", "/branches/main", "/branches/main/protection", "/actions/permissions",
        "/actions/permissions/workflow", "/actions/secrets", "/actions/workflows", "/private-vulnerability-reporting",
        "/environments/gate/secrets", "/environments", "/environments/gate", "/environments/gate/deployment-branch-policies",
        f"/collaborators/{REVIEWER.login}/permission",
    ):  # fmt: skip
        talk("GET", f"{REPO}{target}")
    for target in (
        "/rate_limit", f"/users/{AUTHOR.login}", "/orgs/example-organisation/teams", "/orgs/example-organisation/teams/maintainers",
        "/orgs/example-organisation/teams/maintainers/members",
        f"/orgs/example-organisation/teams/maintainers/memberships/{REVIEWER.login}",
    ):  # fmt: skip
        talk("GET", target)
    talk("GET", "/user", token=person)
    for comment in talk.world.comments(1):
        talk("GET", f"{REPO}/issues/comments/{comment.id}")


def writing(talk: Talk) -> None:
    head = talk.world.registry.pulls[1].head_sha
    for state in ("pending", "success"):
        talk(
            "POST",
            f"{REPO}/statuses/{head}",
            {"state": state, "context": "registrar/main", "description": "An example"},
        )
    talk("GET", f"{REPO}/commits/{head}/statuses")
    talk("GET", f"{REPO}/commits/{head}/status")
    comment = talk("POST", f"{REPO}/issues/1/comments", {"body": "Words"})
    place = f"{REPO}/issues/comments/{comment['id']}"
    talk("PATCH", place, {"body": "Other words"})
    reaction = talk("POST", f"{place}/reactions", {"content": "eyes"})
    talk("POST", f"{place}/reactions", {"content": "eyes"})
    talk("GET", f"{place}/reactions")
    talk("DELETE", f"{place}/reactions/{reaction['id']}")
    talk("DELETE", place)
    run = talk("POST", f"{REPO}/check-runs", {"name": "registrar", "head_sha": head, "status": "in_progress"})
    output = {"title": "An example", "summary": "A summary", "annotations": [ONE]}
    talk("PATCH", f"{REPO}/check-runs/{run['id']}", {"conclusion": "failure", "external_id": "1", "output": output})
    talk("GET", f"{REPO}/check-runs/{run['id']}")
    talk("GET", f"{REPO}/check-runs/{run['id']}/annotations")
    talk("GET", f"{REPO}/commits/{head}/check-runs")


def git_data(talk: Talk) -> None:
    head = talk.world.registry.pulls[1].head_sha
    blob = talk("POST", f"{REPO}/git/blobs", {"content": base64.b64encode(b"{}").decode(), "encoding": "base64"})
    talk("GET", f"{REPO}/git/blobs/{blob['sha']}")
    entry = {"path": head, "mode": "100644", "type": "blob", "sha": blob["sha"]}
    tree = talk("POST", f"{REPO}/git/trees", {"tree": [entry]})
    commits = [
        talk("POST", f"{REPO}/git/commits", {"message": "A note", "tree": tree["sha"], "parents": parents})["sha"]
        for parents in ([], [head])
    ]
    talk("POST", f"{REPO}/git/refs", {"ref": "refs/notes/registrar", "sha": commits[0]})
    talk("PATCH", f"{REPO}/git/refs/notes/registrar", {"sha": commits[1], "force": True})
    talk("DELETE", f"{REPO}/git/refs/notes/registrar")


def an_app_and_its_tokens(talk: Talk) -> None:
    import jwt
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    public = key.public_key().public_bytes(serialization.Encoding.PEM, form).decode()
    app = talk.world.add_app(
        "example-gate", public, permissions={"statuses": "write"}, repositories=[talk.world.registry.full_name]
    )
    word = jwt.encode({"iss": str(app.id), "exp": talk.world.now + timedelta(minutes=5)}, key, algorithm="RS256")
    talk("GET", "/app", token=word)
    talk("GET", f"{REPO}/installation", token=word)
    talk("GET", f"/app/installations/{app.installation_id}", token=word)
    place = f"/app/installations/{app.installation_id}/access_tokens"
    minted = talk("POST", place, {"repositories": ["registry"], "permissions": {"statuses": "write"}}, token=word)
    head = talk.world.registry.pulls[1].head_sha
    status = talk("POST", f"{REPO}/statuses/{head}", {"state": "success"}, token=minted["token"])
    assert status["creator"]["login"] == "example-gate[bot]"
    assert "may not" not in str(talk("POST", place, {"permissions": {"contents": "write"}}, token=word))


def refusals(talk: Talk) -> None:
    head = talk.world.registry.pulls[1].head_sha
    talk("GET", f"{REPO}/pulls/99")
    talk("POST", f"{REPO}/git/refs", {"ref": "refs/heads/main", "sha": head})
    talk("GET", "/user", token="wrong")


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    """Every route used, on a registry where everything has happened that they show."""
    with GitHubSandbox(tmp_path_factory.mktemp("contract")) as world:
        first = world.commit(
            {"README.md": b"An example.\n", "link": b"README.md", ".github/workflows/gate.yml": b"on: {}\n"},
            by=FOUNDER,
            on=(),
            modes={"link": "120000"},
        )
        world.push_branch(first, by=FOUNDER)
        for number in range(1, 4):
            head = world.commit({f"docs/note-{number}.md": b"A note.\n"}, by=AUTHOR)
            world.add_pull(
                head, by=AUTHOR, labels=["example"], body="A description.", head_repo=f"example-fork-{number}/registry"
            )
        world.review(1, by=REVIEWER, body="Fine.")
        world.review(1, by=None, state="COMMENTED")
        world.comment(1, "Words", by=AUTHOR)
        world.comment(1, "Gone", by=None)
        world.add_issue("A request", "A text.", by=AUTHOR, labels=["request-for-comment"], number=9)
        world.delete_fork("example-fork-2/registry")
        world.merge(3, by=REVIEWER)
        world.add_team("maintainers", [FOUNDER])
        world.add_team("new-maintainers", [REVIEWER], parent="maintainers")
        settings = world.registry.settings
        settings.protection = {
            "url": f"{world.api_url}{REPO}/branches/main/protection",
            "required_status_checks": {
                "strict": True,
                "contexts": ["registrar/main"],
                "contexts_url": f"{world.api_url}{REPO}/branches/main/protection/required_status_checks/contexts",
                "checks": [{"context": "registrar/main", "app_id": 1}],
            },
        }
        settings.rules = [
            {
                "type": "required_status_checks",
                "ruleset_source_type": "Repository",
                "ruleset_source": world.registry.full_name,
                "ruleset_id": 1,
                "parameters": {
                    "strict_required_status_checks_policy": False,
                    "required_status_checks": [{"context": "registrar/main", "integration_id": 1}],
                },
            }
        ]
        settings.environments = [
            {"name": "gate", "deployment_branch_policy": {"protected_branches": False, "custom_branch_policies": True}}
        ]
        settings.branch_policies = {"gate": ["main"]}
        settings.secrets = {"gate": ["EXAMPLE_KEY"], "": ["EXAMPLE"]}
        told = Talk(world, [], set())
        for part in (reading, writing, git_data, an_app_and_its_tokens, refusals):
            part(told)
        yield told


def test_every_route_was_held_against_its_description(talk: Talk) -> None:
    """A route that nothing above has used would be one that nobody has judged."""
    missing = sorted(
        f"{method} {run.__name__}" for method, run in ROUTES.every() if (method, run.__name__) not in talk.seen
    )
    assert missing == []
    assert not talk.faults, "\n".join(talk.faults)


def test_what_is_not_described_is_noticed(talk: Talk) -> None:
    """The judge does judge."""
    target = f"{REPO}/pulls/1"
    shown = talk("GET", target)
    assert faults_of_answer("GET", target, 200, {**shown, "number": "one"}) != []
    assert faults_of_answer("GET", target, 200, {name: value for name, value in shown.items() if name != "head"}) != []
    assert faults_of_answer("GET", target, 201, shown) != []
    assert faults_of_answer("GET", f"{REPO}/nothing-of-the-kind", 200, {}) != []
    assert faults_of_request("POST", f"{REPO}/statuses/{'0' * 40}", {"state": "approved"}) != []
    with pytest.raises(Refused):
        ROUTES.find("GET", f"{REPO}/nothing-of-the-kind")


def test_every_waiver_is_needed_by_what_github_really_answered() -> None:
    """A recorded answer breaks the description in that very place."""
    needed = {
        waiver
        for exchange in exchanges()
        if exchange.status == 200 and any(waiver.covers(exchange.method, exchange.path) for waiver in waivers())
        for place in broken_places(exchange.method, exchange.path, exchange.status, exchange.data)
        for waiver in waivers()
        if waiver.covers(exchange.method, exchange.path) and re.fullmatch(waiver.place, place)
    }
    assert set(waivers()) == needed
