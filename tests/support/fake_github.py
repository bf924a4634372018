"""
GitHub as plain values below the client: every request is answered from one world, and each write is kept.

A request that nobody planned for fails the test.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from medgauge_registrar.github.client import Client
from medgauge_registrar.sandbox.cast import account
from medgauge_registrar.sandbox.edits import Edit, swap
from support.repositories import MadeRepository
from support.snapshots import ARRIVED, at, edited

REPOSITORY = "example-organisation/registry"
FORK = "example-fork/registry"
BOT = {"__typename": "Bot", "login": "example-registrar", "databaseId": 4242}
SETTINGS = ".github/registrar.yml"
NUMBER = 7
Values = dict[str, Any]
Fault = Callable[[str, str], tuple[int, Mapping[str, str], str] | None]


@dataclass(kw_only=True)
class FakePull:
    """One pull request of the world."""

    number: int
    head_sha: str
    branch: str
    author: str = "contributor"
    base_ref: str = "main"
    state: str = "OPEN"
    draft: bool = False
    reviews: list[Values] = field(default_factory=list)
    timeline: list[Values] = field(default_factory=list)
    activity: list[Values] | None = field(default_factory=list)
    head_repo: str | None = FORK


class FakeGitHub:
    """The world, and the transport that answers for it."""

    def __init__(self, folder: Path, *edits: Edit) -> None:
        """A registry with one pull request, number 7, that makes some edits."""
        self.made = MadeRepository(folder / f"{REPOSITORY}.git")
        self.start = swap(SETTINGS, "source: none", "source: secret")
        self.base = self.made.commit(edited(self.start).files)
        self.folder = folder
        self.pulls: dict[int, FakePull] = {}
        self.comments: list[Values] = []
        self.statuses: list[Values] = []
        self.issues: list[Values] = []
        self.requests: list[str] = []
        self.faults: list[Fault] = []
        if edits:
            self.open(*edits)

    def open(self, *edits: Edit, number: int = NUMBER, **facts: Any) -> FakePull:
        """Open a pull request from a branch of its own."""
        branch = f"topic-{number}"
        head = self.made.commit(edited(self.start, *edits).files, self.base, branch=branch)
        pull = FakePull(number=number, head_sha=head, branch=branch, **facts)
        self.pulls[number] = pull
        if pull.activity is not None:
            pull.activity.append(self.move("0" * 40, head, ARRIVED, pull.author))
        self.made.git("update-ref", f"refs/pull/{number}/head", head)
        return pull

    @staticmethod
    def move(before: str, after: str, moment: datetime, by: str) -> Values:
        """One entry of an activity list."""
        return {"before": before, "after": after, "timestamp": _time(moment), "actor": account(by)}

    def review(self, by: str, state: str = "APPROVED", *, minute: float = 30, commit: str | None = None) -> Values:
        """Review pull request 7 on its head."""
        made = {
            "fullDatabaseId": str(3_000_000_000 + len(self.pulls[NUMBER].reviews)),
            "author": actor(by),
            "state": state,
            "commit": {"oid": commit or self.pulls[NUMBER].head_sha},
            "submittedAt": _time(at(minute)),
            "lastEditedAt": None,
            "body": "",
        }
        self.pulls[NUMBER].reviews.append(made)
        return made

    def comment(self, by: Values | str, body: str, *, minute: float = 60, edited_at: str | None = None) -> Values:
        """Comment on pull request 7."""
        made = {
            "fullDatabaseId": str(4_000_000_000 + len(self.comments)),
            "author": actor(by) if isinstance(by, str) else by,
            "body": body,
            "createdAt": _time(at(minute)),
            "lastEditedAt": edited_at,
            "editor": None,
            "reactionGroups": [],
        }
        self.comments.append(made)
        return made

    def client(self) -> Client:
        """A client of this world."""
        return Client(lambda _: self, "", graphql_url="/graphql")

    def send(self, method: str, url: str, body: Any, headers: Mapping[str, str]) -> tuple[int, Mapping[str, str], str]:
        """Answer one request."""
        name = f"{method} {url}"
        if url == "/graphql":
            name = re.search(r"query (\w+)", body["query"])[1]  # type: ignore[index]
        self.requests.append(name)
        for fault in self.faults:
            if (answer := fault(name, url)) is not None:
                return answer
        if url == "/graphql":
            return 200, {}, json.dumps({"data": self._query(name, body["variables"])})
        status, data = self._rest(method, url, body)
        return status, {}, json.dumps(data)

    def _query(self, name: str, variables: Values) -> Values:
        match name:
            case "Pull":
                pull = self.pulls.get(variables["number"])
                node = None if pull is None else self._pull(pull)
                return {"viewer": BOT, "repository": {"pullRequest": node}}
            case "OpenPulls":
                numbers = [
                    {
                        "number": pull.number,
                        "baseRefName": pull.base_ref,
                        "isInMergeQueue": False,
                    }
                    for pull in self.pulls.values()
                    if pull.state == "OPEN" and variables["base"] in {None, pull.base_ref}
                ]
                return {"repository": {"pullRequests": page(numbers)}}
        raise AssertionError(f"unplanned query {name}")

    def _pull(self, pull: FakePull) -> Values:
        shas = self.made.git("rev-list", f"main..{pull.head_sha}").split()
        person = actor(pull.author)
        commit = {"authors": {**page([{"user": person}])}, "committer": {"user": person}}
        latest = {one["context"]: one for one in self.statuses if one["sha"] == pull.head_sha}
        return {
            "number": pull.number,
            "title": "Example",
            "body": "",
            "state": pull.state,
            "isDraft": pull.draft,
            "createdAt": _time(ARRIVED),
            "author": person,
            "baseRefName": pull.base_ref,
            "baseRef": {"target": {"oid": self.made.oid(pull.base_ref)}},
            "baseRepository": {"defaultBranchRef": {"name": "main"}},
            "headRefName": pull.branch,
            "headRefOid": pull.head_sha,
            "headRepository": {"nameWithOwner": pull.head_repo} if pull.head_repo is not None else None,
            "labels": page([]),
            "commits": page([{"commit": {"oid": sha, **commit}} for sha in shas]),
            "reviews": page(pull.reviews),
            "comments": page(self.comments),
            "closingIssuesReferences": page(self.issues),
            "timelineItems": page(pull.timeline),
            "tip": {
                "nodes": [
                    {
                        "commit": {
                            "oid": pull.head_sha,
                            "status": {"contexts": [_context(one) for one in latest.values()]} if latest else None,
                            "associatedPullRequests": page(
                                [
                                    {
                                        "number": other.number,
                                        "state": other.state,
                                        "baseRefName": other.base_ref,
                                        "headRefOid": other.head_sha,
                                        "repository": {"nameWithOwner": REPOSITORY},
                                    }
                                    for other in self.pulls.values()
                                    if other.head_sha == pull.head_sha
                                ]
                            ),
                        }
                    }
                ]
            },
        }

    def _rest(self, method: str, url: str, body: Values | None) -> tuple[int, Any]:
        here = f"/repos/{REPOSITORY}"
        if method == "GET":
            return self._get(url, here)
        raise AssertionError(f"unplanned {method} {url}")

    def _get(self, url: str, here: str) -> tuple[int, Any]:
        if found := re.fullmatch(r"/repos/([\w-]+/[\w-]+)/activity\?ref=refs%2Fheads%2F([\w-]+)&per_page=100", url):
            pull = next(one for one in self.pulls.values() if one.branch == found[2] and one.head_repo == found[1])
            return (404, {"message": "Not Found"}) if pull.activity is None else (200, pull.activity)
        if found := re.fullmatch(rf"{here}/commits/(\w+)/statuses\?per_page=100", url):
            told = [one for one in reversed(self.statuses) if one["sha"] == found[1]]
            return 200, [{**one, "creator": {"id": one["creator"]["databaseId"]}} for one in told]
        raise AssertionError(f"unplanned GET {url}")


def actor(name: str) -> Values:
    """Somebody of the cast as GraphQL shows an account."""
    known = account(name)
    return {"__typename": known["type"], "login": known["login"], "databaseId": known["id"]}


def page(nodes: Sequence[Any]) -> Values:
    """A list that fits on one page."""
    return {"nodes": list(nodes), "pageInfo": {"hasNextPage": False, "endCursor": None}}


def _context(status: Values) -> Values:
    return {
        "context": status["context"],
        "state": status["state"].upper(),
        "description": status["description"],
        "targetUrl": status["target_url"],
        "creator": status["creator"],
    }


def _time(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")
