"""A registry on an embedded GitHub, with people of the cast, for runs over real HTTP and real git."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from medgauge_registrar.live.action import run_action, run_sweep
from medgauge_registrar.model.pull import User
from medgauge_registrar.sandbox.cast import account, roster
from medgauge_registrar.sandbox.edits import Edit, append, swap
from medgauge_registrar.sandbox.github.world import ACTIONS_BOT, REGISTRY, GitHubSandbox
from support.snapshots import ARRIVED, at, edited

SETTINGS = ".github/registrar.yml"
README = append("README.md", "\nAn example line.\n")
CONTEXT = "registrar: main"
NUMBER = 7
_SECRET = swap(SETTINGS, "source: none", "source: secret")


def person(name: str) -> User:
    """Somebody of the cast."""
    return User(**account(name))


class LiveWorld:
    """The embedded GitHub with a starter registry and pull request 7, which edits the README."""

    def __init__(self, github: GitHubSandbox, folder: Path) -> None:
        """Found the registry; its roster is a secret of the job."""
        self.github = github
        self.folder = folder
        self.start = edited(_SECRET)
        first = github.commit(dict(self.start.files), by=person("author of references"), on=())
        github.push_branch(first, by=person("author of references"), at=ARRIVED - timedelta(days=1))
        self.output, self.summary = folder / "output", folder / "summary"

    def open(self, *edits: Edit, number: int = NUMBER, by: str = "contributor", **facts: Any) -> str:
        """Open a pull request whose head arrived at `ARRIVED`; returns its head."""
        head = self.commit(*edits, by=by)
        usual = {"created_at": ARRIVED, "pushed_at": ARRIVED}
        self.github.add_pull(head, by=person(by), number=number, **{**usual, **facts})
        return head

    def commit(self, *edits: Edit, by: str = "contributor", on: str | list[str] = "main") -> str:
        """Commit some edits of the starter registry."""
        changed = edited(_SECRET, *edits)
        files: dict[str, bytes | None] = {
            path: contents for path, contents in changed.files.items() if self.start.files.get(path) != contents
        }
        files |= dict.fromkeys(self.start.files.keys() - changed.files.keys())
        return self.github.commit(files, by=person(by), on=on)

    def review(
        self, by: str, state: str = "APPROVED", *, number: int = NUMBER, minute: float = 30, **facts: Any
    ) -> None:
        """Review a pull request, half an hour after its head arrived."""
        self.github.review(number, by=person(by), state=state, at=at(minute), **facts)

    def environment(self, event: str = "", payload: Mapping[str, Any] | None = None, **more: str) -> dict[str, str]:
        """The environment of a job that an event woke."""
        path = self.folder / "event.json"
        path.write_text(json.dumps(payload or {}), encoding="utf-8")
        return {
            "PATH": os.environ["PATH"],
            "GITHUB_REPOSITORY": REGISTRY,
            "GITHUB_API_URL": self.github.api_url,
            "GITHUB_GRAPHQL_URL": self.github.graphql_url,
            "GITHUB_SERVER_URL": self.github.server_url,
            "GITHUB_EVENT_NAME": event,
            "GITHUB_EVENT_PATH": str(path),
            "GITHUB_OUTPUT": str(self.output),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "RUNNER_TEMP": str(self.folder),
            "REGISTRAR_TOKEN": self.github.token,
            "REGISTRAR_ROSTER": json.dumps(roster()),
            **more,
        }

    def act(self, event: str, payload: Mapping[str, Any], **more: str) -> int:
        """Run the action on an event; gives its exit status."""
        return run_action(self.environment(event, payload, **more))

    def wake(self, number: int = NUMBER, **more: str) -> int:
        """Run the action because a pull request was pushed to."""
        return self.act("pull_request_target", {"action": "synchronize", "pull_request": {"number": number}}, **more)

    def sweep(self, *numbers: int, **more: str) -> int:
        """Run the sweep; gives its exit status."""
        return run_sweep(numbers, self.environment(**more))

    def state(self, sha: str, context: str = CONTEXT) -> str | None:
        """State of the latest status of a context."""
        return next((one.state for one in self.github.statuses(sha) if one.context == context), None)

    def own_comments(self, number: int = NUMBER) -> list[str]:
        """Bodies of our comments."""
        return [one.body for one in self.github.comments(number) if one.user == ACTIONS_BOT]

    def own_comment_id(self, number: int = NUMBER) -> int:
        """Id of our one comment."""
        (found,) = (one.id for one in self.github.comments(number) if one.user == ACTIONS_BOT)
        return found

    def head(self, number: int = NUMBER) -> str:
        """Head of a pull request."""
        return self.github.registry.pulls[number].head_sha

    def sent(self) -> list[str]:
        """Requests of the interfaces since the last look, by method and address; those of git left out."""
        told = [f"{one.method} {one.target}" for one in self.github.requests if one.is_api]
        self.github.requests.clear()
        return told


@contextmanager
def live_world(folder: Path, *edits: Edit, now: datetime | None = None) -> Iterator[LiveWorld]:
    """The world with pull request 7, which edits the README unless told otherwise."""
    with GitHubSandbox(folder, now=now or at(120)) as github:
        world = LiveWorld(github, folder)
        world.open(*(edits or (README,)))
        yield world
