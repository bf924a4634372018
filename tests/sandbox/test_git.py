"""The embedded GitHub serves real git: fetches work, with the credential that is needed, and nothing is pushed."""

import os
import subprocess
from pathlib import Path

import pytest

from medgauge_registrar.sandbox.github.world import GitHubSandbox
from support.embedded import FOUNDER


def fetch(
    world: GitHubSandbox, into: Path, *refs: str, token: str | None, name: str = "example-organisation/registry"
) -> str:
    """Fetch refs as a client would; returns what git complained about."""
    subprocess.run(["git", "init", "--quiet", "--bare", str(into)], check=True)
    header = {} if token is None else {"GIT_CONFIG_VALUE_0": f"Authorization: bearer {token}"}
    environment = {
        "PATH": os.environ["PATH"],
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_CONFIG_COUNT": "1" if header else "0",
        "GIT_CONFIG_KEY_0": "http.extraheader",
        **header,
    }
    command = ["git", "-C", str(into), "-c", "fetch.fsckObjects=true", "fetch", "--quiet", "--no-tags"]
    command += ["--filter=blob:limit=1m", f"{world.server_url}/{name}.git", *refs]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False).stderr


def fetched(into: Path, ref: str) -> str:
    return subprocess.run(
        ["git", "-C", str(into), "rev-parse", ref], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_the_head_of_a_pull_request_is_fetched_with_its_base(world: GitHubSandbox, tmp_path: Path) -> None:
    into = tmp_path / "client"
    assert (
        fetch(world, into, "+refs/heads/main:refs/heads/main", "+refs/pull/1/head:refs/heads/pull", token=world.token)
        == ""
    )
    assert fetched(into, "main") == world.sha("main")
    assert fetched(into, "pull") == world.registry.pulls[1].head_sha


def test_a_commit_is_fetched_by_its_id(world: GitHubSandbox, tmp_path: Path) -> None:
    head = world.registry.pulls[1].head_sha
    assert fetch(world, tmp_path / "client", f"{head}:refs/heads/pull", token=world.token) == ""


def test_a_public_repository_asks_nobody_who_they_are(world: GitHubSandbox, tmp_path: Path) -> None:
    assert fetch(world, tmp_path / "client", "refs/heads/main", token=None) == ""


def test_a_wrong_credential_is_refused_even_where_none_is_needed(world: GitHubSandbox, tmp_path: Path) -> None:
    assert "could not read Username" in fetch(world, tmp_path / "client", "refs/heads/main", token="wrong")


@pytest.mark.parametrize(("reaches", "refused"), [(("example-organisation/closed",), False), ((), True)])
def test_a_private_repository_needs_a_token_that_reaches_it(
    world: GitHubSandbox, tmp_path: Path, reaches: tuple[str, ...], refused: bool
) -> None:
    closed = world.host("example-organisation/closed", private=True)
    first = world.commit({"roster.json": b"{}\n"}, by=FOUNDER, on=(), repository=closed)
    world.push_branch(first, by=FOUNDER, repository=closed)
    token = world.add_token(FOUNDER, repositories=reaches).value
    complaint = fetch(world, tmp_path / "client", "refs/heads/main", token=token, name="example-organisation/closed")
    assert ("not found" in complaint) is refused


def test_nothing_is_pushed(world: GitHubSandbox, tmp_path: Path) -> None:
    into = tmp_path / "client"
    fetch(world, into, "+refs/heads/main:refs/heads/main", token=world.token)
    push = [
        "git",
        "-C",
        str(into),
        "push",
        f"{world.server_url}/example-organisation/registry.git",
        "main:refs/heads/other",
    ]
    pushed = subprocess.run(
        push, env={"PATH": os.environ["PATH"], "GIT_TERMINAL_PROMPT": "0"}, capture_output=True, check=False
    )
    assert pushed.returncode != 0
    assert "refs/heads/other" not in world.registry.store.refs()
