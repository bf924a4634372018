"""Roster and ledger from where the base policy says they are kept; no message repeats anything of what they hold."""

import base64
import json
from collections import defaultdict
from pathlib import Path
from typing import Any
from urllib.parse import quote

from medgauge_registrar.github.client import Client, path_of, repository_path
from medgauge_registrar.github.job import Job
from medgauge_registrar.github.queries import TEAM
from medgauge_registrar.github.tokens import closed_client, teams_client
from medgauge_registrar.inputs import MAX_INPUT_BYTES
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.policy.settings import ClosedSource

_MAX_PAGES = 100


class ClosedFiles:
    """
    Reads roster and ledger once a run, each named source at most once.

    A repository is resolved to a commit first, so that both are read at the same one.
    """

    def __init__(self, job: Job) -> None:
        """Take the job; nothing is read yet."""
        self._job = job
        self._read: dict[tuple[str, ClosedSource], bytes | None] = {}
        self._commits: dict[tuple[str, str | None], str] = {}
        self._clients: dict[str, Client] = {}

    def roster(self, source: ClosedSource) -> bytes | None:
        """
        The roster; null if the policy names none.

        Raises:
            ReadError: The named source could not be read.
        """
        return self._once("roster", source, self._job.roster)

    def ledger(self, source: ClosedSource) -> bytes | None:
        """
        The ledger; null if there is none. Without a source in the policy, the secret counts if it is given.

        Raises:
            ReadError: The named source could not be read.
        """
        if source.kind == "none" and self._job.ledger.strip():
            source = ClosedSource(kind="secret")
        return self._once("ledger", source, self._job.ledger)

    def _once(self, name: str, source: ClosedSource, secret: str) -> bytes | None:
        if (name, source) not in self._read:
            self._read[name, source] = self._load(name, source, secret)
        return self._read[name, source]

    def _load(self, name: str, source: ClosedSource, secret: str) -> bytes | None:
        match source.kind:
            case "none":
                return None
            case "secret":
                if not secret.strip():
                    raise ReadError(
                        f"the {name} is named as a secret, and input `{name}` is empty; give the secret to the action"
                    )
                return secret.encode()
            case "file":
                return _file(name, source.path)
            case "repository":
                return self._of_repository(name, source)
            case _:
                return self._of_teams(source)

    def _of_repository(self, name: str, source: ClosedSource) -> bytes:
        try:
            client = self._clients.setdefault(source.repository, closed_client(self._job, source.repository))
            place = (source.repository, source.ref)
            if place not in self._commits:
                commit = client.call("GET", repository_path(source.repository, "commits", source.ref or "HEAD"))
                self._commits[place] = str(commit["sha"])
            path = path_of(*source.path.split("/")).removeprefix("/")
            found = client.call(
                "GET", f"{repository_path(source.repository, 'contents')}/{path}?ref={quote(self._commits[place])}"
            )
            # A folder comes as a list, a link or a submodule as another type, and a larger file without its contents.
            regular = isinstance(found, dict) and found["type"] == "file" and found["encoding"] == "base64"
            content = base64.b64decode(found["content"]) if regular else None
        except ReadError as error:
            raise ReadError(f"the {name} cannot be read: {error}", may_pass_later=error.may_pass_later) from None
        except (KeyError, TypeError, ValueError):
            raise ReadError(f"the {name} cannot be read: GitHub's answer is not of the documented form") from None
        if content is None:
            raise ReadError(f"the {name} cannot be read: it is no regular file of at most 1 MB")
        return content

    def _of_teams(self, source: ClosedSource) -> bytes:
        """The members of each team, those of child teams included; a team that cannot be seen is an error, not empty."""
        organization = self._job.repository.partition("/")[0]
        client = teams_client(self._job)
        roles: dict[int, list[str]] = defaultdict(list)
        logins: dict[int, str] = {}
        for role, slug in source.teams:
            for member in _members(client, organization, slug):
                logins[member["databaseId"]] = member["login"]
                roles[member["databaseId"]].append(role)
        people = [{"id": number, "login": logins[number], "roles": sorted(roles[number])} for number in sorted(roles)]
        return json.dumps({"people": people}).encode()


def _members(client: Client, organization: str, slug: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    after: str | None = None
    for _ in range(_MAX_PAGES):
        answer = client.graphql(TEAM, {"organization": organization, "team": slug, "after": after})
        team = (answer.get("organization") or {}).get("team")
        if team is None:
            raise ReadError(
                "a team of the roster is not there, or the token may not see it (permission `members: read`)"
            )
        try:
            page = team["members"]
            found += [{"databaseId": int(node["databaseId"]), "login": node["login"]} for node in page["nodes"]]
            if not page["pageInfo"]["hasNextPage"]:
                return found
            after = page["pageInfo"]["endCursor"]
        except (KeyError, TypeError):
            raise ReadError("a team of the roster is not of the documented form") from None
    raise ReadError("a team of the roster is too large")


def _file(name: str, path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(MAX_INPUT_BYTES + 1)
    except OSError as error:
        raise ReadError(f"the {name} file that the policy names: {error.strerror or 'cannot be read'}") from None
