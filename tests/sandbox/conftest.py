"""A small registry on an embedded GitHub."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from medgauge_registrar.sandbox.github.world import GitHubSandbox
from support.embedded import AUTHOR, FOUNDER, Ask, Reply


@pytest.fixture
def world(tmp_path: Path) -> Iterator[GitHubSandbox]:
    """A registry with one commit and one pull request, number 1."""
    with GitHubSandbox(tmp_path) as found:
        first = found.commit({"README.md": b"An example.\n"}, by=FOUNDER, on=())
        found.push_branch(first, by=FOUNDER)
        head = found.commit({"docs/note.md": b"A note.\n"}, by=AUTHOR)
        found.add_pull(head, by=AUTHOR)
        yield found


@pytest.fixture
def ask(world: GitHubSandbox) -> Ask:
    """Speak to it over HTTP, as the token that may do everything unless another is given."""

    def send(
        method: str,
        target: str,
        body: Any = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        credential = world.token if token is None else token
        address = target if target.startswith("http") else f"{world.api_url}{target}"
        request = Request(
            address,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={**({"Authorization": f"Bearer {credential}"} if credential else {}), **(headers or {})},
        )
        try:
            with urlopen(request) as answer:
                data, status, found = answer.read(), answer.status, dict(answer.headers)
        except HTTPError as error:
            with error:
                data, status, found = error.read(), error.code, dict(error.headers)
        return Reply(status=status, data=json.loads(data) if data[:1] in {b"{", b"["} else data, headers=found)

    return send


@pytest.fixture
def query(world: GitHubSandbox, ask: Ask) -> Callable[..., Any]:
    """Ask over GraphQL; gives the whole answer."""

    def send(text: str, **variables: Any) -> Any:
        return ask("POST", world.graphql_url, {"query": text, "variables": variables}).data

    return send
