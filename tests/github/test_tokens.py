"""Tokens that an App mints for one job: as few permissions as it needs, and another one for what is closed."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from medgauge_registrar.github.closed import ClosedFiles
from medgauge_registrar.github.job import Job, read_job
from medgauge_registrar.github.tokens import closed_client, registry_client
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.pull import User
from medgauge_registrar.policy.settings import ClosedSource
from medgauge_registrar.sandbox.cast import roster
from medgauge_registrar.sandbox.github.world import REGISTRY, GitHubSandbox
from support.live import person

PRIVATE = "example-organisation/private"
OWNER = User(id=1, login="example-owner", type="User")
ROSTER = json.dumps(roster()).encode()
SOURCE = ClosedSource(kind="repository", repository=PRIVATE, path="folder/roster.json")


@pytest.fixture(scope="module")
def key() -> rsa.RSAPrivateKey:
    """The App's key."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@pytest.fixture
def github(tmp_path: Path) -> Iterator[GitHubSandbox]:
    """A registry, and a private repository with the roster."""
    with GitHubSandbox(tmp_path) as world:
        first = world.commit({"README.md": b"Example.\n"}, by=OWNER, on=())
        world.push_branch(first, by=OWNER)
        private = world.host(PRIVATE, private=True)
        held = world.commit({SOURCE.path: ROSTER}, by=OWNER, on=(), repository=private)
        world.push_branch(held, by=OWNER, repository=private)
        yield world


def job(world: GitHubSandbox, **more: str) -> Job:
    environment = {
        "GITHUB_REPOSITORY": REGISTRY,
        "GITHUB_API_URL": world.api_url,
        "GITHUB_GRAPHQL_URL": world.graphql_url,
        "GITHUB_SERVER_URL": world.server_url,
        **more,
    }
    return read_job(environment)


@pytest.fixture
def app(github: GitHubSandbox, key: rsa.RSAPrivateKey) -> Job:
    """A job whose App is installed on both repositories."""
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    everything = {
        "contents": "read",
        "statuses": "write",
        "issues": "write",
        "pull_requests": "write",
        "metadata": "read",
    }
    made = github.add_app("example-registrar", public, permissions=everything, repositories=[REGISTRY, PRIVATE])
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    return job(github, REGISTRAR_APP_ID=str(made.id), REGISTRAR_APP_KEY=pem)


def minted(world: GitHubSandbox) -> list[dict[str, object]]:
    return [json.loads(one.body) for one in world.requests if one.target.endswith("/access_tokens")]


def test_the_token_of_the_registry_reaches_nothing_else(github: GitHubSandbox, app: Job) -> None:
    """One repository, and the permissions that publishing takes."""
    registry_client(app)
    assert minted(github) == [
        {
            "repositories": ["registry"],
            "permissions": {"contents": "read", "issues": "write", "pull_requests": "write", "statuses": "write"},
        }
    ]


def test_what_is_closed_is_read_with_a_token_of_its_own(github: GitHubSandbox, app: Job) -> None:
    """It reads one private repository and writes nowhere."""
    assert ClosedFiles(app).roster(SOURCE) == ROSTER
    assert minted(github) == [{"repositories": ["private"], "permissions": {"contents": "read"}}]


def test_a_token_that_died_is_minted_anew(github: GitHubSandbox, app: Job) -> None:
    """Once, on the first 401."""
    client = registry_client(app)
    github.tokens[client.token].expires_at = github.now
    assert client.call("GET", f"/repos/{REGISTRY}")["full_name"] == REGISTRY
    assert len(minted(github)) == 2


def test_the_token_of_the_registry_never_reads_the_roster(github: GitHubSandbox) -> None:
    """A workflow's token could not, and a person's must not be used for it."""
    with pytest.raises(ReadError, match="roster-token"):
        closed_client(job(github, REGISTRAR_TOKEN=github.token), PRIVATE)


def test_a_roster_token_reads_the_roster_at_one_commit(github: GitHubSandbox) -> None:
    """Resolved once a run, so that roster and ledger are of one state."""
    reader = github.add_token(person("maintainer"), permissions={"contents": "read"}, repositories=[PRIVATE])
    files = ClosedFiles(job(github, REGISTRAR_TOKEN=github.token, REGISTRAR_ROSTER_TOKEN=reader.value))
    assert files.roster(SOURCE) == files.roster(SOURCE) == ROSTER
    assert files.ledger(SOURCE) == ROSTER
    told = [one.target.split("/api/v3")[1] for one in github.requests]
    sha = github.sha("main", github.repository(PRIVATE))
    contents = f"/repos/{PRIVATE}/contents/folder/roster.json?ref={sha}"
    assert told == [f"/repos/{PRIVATE}/commits/HEAD", contents, contents]


@pytest.mark.parametrize(
    ("source", "more", "said"),
    [
        (ClosedSource(kind="secret"), {}, "input `roster` is empty"),
        (ClosedSource(kind="file", path="/nowhere/roster.yml"), {}, "No such file"),
        (SOURCE, {"REGISTRAR_ROSTER_TOKEN": "example-unknown"}, "401"),
        (ClosedSource(kind="repository", repository=PRIVATE, path="folder"), {}, "no regular file"),
        (ClosedSource(kind="repository", repository=PRIVATE, path="absent.yml"), {}, "404"),
        (ClosedSource(kind="teams", teams=(("maintainer", "absent"),)), {}, "a team of the roster is not there"),
    ],
    ids=["secret", "file", "token", "folder", "absent", "team"],
)
def test_a_named_source_that_cannot_be_read_is_an_error(
    github: GitHubSandbox, source: ClosedSource, more: dict[str, str], said: str
) -> None:
    """It never means that nobody holds a role."""
    reader = github.add_token(person("maintainer"), repositories=[PRIVATE, REGISTRY])
    tokens = {"REGISTRAR_TOKEN": github.token, "REGISTRAR_ROSTER_TOKEN": reader.value, **more}
    with pytest.raises(ReadError, match=said):
        ClosedFiles(job(github, **tokens)).roster(source)


def test_teams_give_each_member_the_roles_of_the_teams(github: GitHubSandbox) -> None:
    """Members of child teams too (A18); known by number."""
    github.add_team("maintainers", [person("maintainer")])
    github.add_team("small-team", [person("reviewer")], parent="maintainers")
    github.add_team("reviewers", [person("reviewer")])
    source = ClosedSource(kind="teams", teams=(("maintainer", "maintainers"), ("reviewer", "reviewers")))
    read = ClosedFiles(job(github, REGISTRAR_TOKEN=github.token, REGISTRAR_ROSTER_TOKEN=github.token)).roster(source)
    assert read is not None
    people = {item["id"]: item["roles"] for item in json.loads(read)["people"]}
    assert people == {person("maintainer").id: ["maintainer"], person("reviewer").id: ["maintainer", "reviewer"]}


def test_without_a_source_nobody_holds_a_role_and_a_given_ledger_counts(github: GitHubSandbox) -> None:
    """The policy has to name the roster; the ledger may just be given."""
    given = {"REGISTRAR_TOKEN": github.token, "REGISTRAR_ROSTER": "people: []", "REGISTRAR_LEDGER": "{}"}
    files = ClosedFiles(job(github, **given))
    assert (files.roster(ClosedSource()), files.ledger(ClosedSource())) == (None, b"{}")


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"GITHUB_REPOSITORY": "registry"},
        {"GITHUB_REPOSITORY": "a/b"},
        {"GITHUB_REPOSITORY": "a/b", "REGISTRAR_APP_ID": "1"},
        {"GITHUB_REPOSITORY": "a/b", "REGISTRAR_TOKEN": "x", "REGISTRAR_CHECK_RUN": "perhaps"},
        {"GITHUB_REPOSITORY": "a/b", "REGISTRAR_TOKEN": "x", "GITHUB_SERVER_URL": "http://example.org"},
    ],
)
def test_a_job_that_is_not_set_up_is_refused(environment: dict[str, str]) -> None:
    """Before anything is asked."""
    with pytest.raises(ReadError):
        read_job(environment)


def test_no_secret_of_a_job_is_ever_shown() -> None:
    """A value may end up in a traceback."""
    secrets = {
        name: f"secret-{name}" for name in ("TOKEN", "APP_KEY", "ROSTER", "ROSTER_TOKEN", "LEDGER", "DIGEST_KEY")
    }
    given = {f"REGISTRAR_{name}": value for name, value in secrets.items()}
    shown = repr(read_job({"GITHUB_REPOSITORY": "a/b", "REGISTRAR_APP_ID": "1", **given}))
    assert not [value for value in secrets.values() if value in shown]
    assert base64.b64encode(b"secret") not in shown.encode()
