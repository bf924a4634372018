"""The facts of one pull request, in one GraphQL request while it is of usual size: all of them or an error."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import quote

from medgauge_registrar.github.arrival import Arrival, Move, arrival_of
from medgauge_registrar.github.client import Client, RefusedError, repository_path
from medgauge_registrar.github.queries import LISTS, MORE, OPEN_PULLS, PULL
from medgauge_registrar.inputs import parse_time
from medgauge_registrar.model.errors import PolicyError, ReadError
from medgauge_registrar.report.comment import COMMENT_MARKER

Value = dict[str, Any]
# How often a list may turn the page; a comment storm ends in an error, not in a run without end.
_MAX_PAGES = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnStatus:
    """A status that we set on the head: its context and what it says."""

    context: str
    state: str
    description: str
    target_url: str


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnComment:
    """A comment of ours that carries our marker."""

    id: int
    body: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """
    One pull request as it stands.

    Attributes:
        number: Its number.
        state: `OPEN`, `CLOSED` or `MERGED`.
        head_sha: Its head.
        base_ref: Its base branch.
        base_sha: Tip of that branch.
        facts: Public facts in the form of a pull file, but for the arrival of the head.
        viewer: Numeric id of the account that we act as.
        comments: Our own, oldest first.
        statuses: Our own on the head, the latest of each context.
        answered: Comments that we have answered by a reaction.
        siblings: Other open pull requests with the same head and the same base branch.
        forced: Forced pushes, newest first.
        floor: When it was opened, or last got another base branch.
    """

    number: int
    state: str
    head_sha: str
    base_ref: str
    base_sha: str
    facts: Value = field(repr=False)
    viewer: int
    comments: tuple[OwnComment, ...]
    statuses: tuple[OwnStatus, ...]
    answered: frozenset[int]
    siblings: tuple[int, ...]
    forced: tuple[Move, ...]
    floor: datetime

    def same_facts(self, other: "Reading") -> bool:
        """Whether nothing that a decision depends on has changed."""
        return self._decided_on() == other._decided_on()

    def _decided_on(self) -> tuple[object, ...]:
        return (
            self.state,
            self.head_sha,
            self.base_ref,
            self.base_sha,
            self.facts,
            self.siblings,
            self.forced,
            self.floor,
        )


def read_pull(client: Client, repository: str, number: int) -> Reading:
    """
    Read a pull request.

    Raises:
        ReadError: It is not there, or it could not be read whole.
    """
    owner, _, name = repository.partition("/")
    place = {"owner": owner, "name": name, "number": number}
    try:
        answer = client.graphql(PULL, place)
        found = _there(answer["repository"], f"repository {repository}")["pullRequest"]
        node = _there(found, f"pull request {number} of {repository}")
        lists = {item: _whole(client, place, item, node[item]) for item in LISTS}
        return _reading(node, lists, viewer=_id(answer["viewer"]), repository=repository)
    except (KeyError, TypeError, ValueError, AttributeError, PolicyError) as error:
        raise ReadError(
            f"pull request {number}: GitHub's answer is not of the documented form ({type(error).__name__})",
            may_pass_later=True,
        ) from error


def read_arrival(client: Client, repository: str, reading: Reading) -> Arrival:
    """
    Find out when the head arrived; see `arrival_of`.

    A repository that is gone or that the token may not see leaves the time unknown, which keeps no approval. The list of
    moves is read to its first page only: what is older is unknown.

    Raises:
        ReadError: GitHub gave no answer.
    """
    head_repo = reading.facts["head"]["repo"]
    moves = _moves(client, head_repo, reading.facts["head"]["ref"]) if head_repo is not None else ()
    known = arrival_of(reading.head_sha, moves=moves, forced=reading.forced, told=(), floor=reading.floor)
    if known.at is not None:
        return known
    told = _told(client, repository, reading)
    return arrival_of(reading.head_sha, moves=(), forced=reading.forced, told=told, floor=reading.floor)


def pull_file(reading: Reading, arrival: Arrival) -> Value:
    """The facts as a pull file holds them (`pull.schema.json`)."""
    head = {
        **reading.facts["head"],
        "seen_at": _written(arrival.at) if arrival.at is not None else None,
        "pushed_by": arrival.by,
        "earlier": [{"sha": sha, "seen_at": _written(at)} for sha, at in arrival.earlier],
    }
    return {**reading.facts, "head": head}


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where a pull request stands when no more of it can be read: head, base branch, and contexts of statuses that name it."""

    is_open: bool
    head_sha: str
    base_ref: str
    contexts: tuple[str, ...]


def read_place(client: Client, repository: str, number: int) -> Place:
    """
    Find the head of a pull request, where reading all of it has failed.

    Raises:
        ReadError: That could not be read either.
    """
    pull = client.call("GET", repository_path(repository, "pulls", number))
    try:
        head_sha, base_ref = str(pull["head"]["sha"]), str(pull["base"]["ref"])
        statuses = client.pages(repository_path(repository, "commits", head_sha, "statuses") + "?per_page=100")
        contexts = {str(item["context"]) for item in statuses if _names(item["target_url"], repository, number)}
        is_open = pull["state"] == "open"
    except (KeyError, TypeError) as error:
        raise ReadError(f"pull request {number} is not of the documented form") from error
    return Place(is_open=is_open, head_sha=head_sha, base_ref=base_ref, contexts=tuple(sorted(contexts)))


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenPull:
    """One open pull request in the list of all: its number, its base branch, and whether it waits in the merge queue."""

    number: int
    base_ref: str
    queued: bool


def open_pulls(client: Client, repository: str, base_ref: str | None = None) -> tuple[OpenPull, ...]:
    """
    All open pull requests, or those against one branch, by number.

    Raises:
        ReadError: The list could not be read whole.
    """
    owner, _, name = repository.partition("/")
    found: list[OpenPull] = []
    after: str | None = None
    for _ in range(_MAX_PAGES):
        answer = client.graphql(OPEN_PULLS, {"owner": owner, "name": name, "base": base_ref, "after": after})
        try:
            page = _there(answer["repository"], f"repository {repository}")["pullRequests"]
            found += [
                OpenPull(
                    number=int(node["number"]), base_ref=str(node["baseRefName"]), queued=node["isInMergeQueue"] is True
                )
                for node in page["nodes"]
            ]
            if not page["pageInfo"]["hasNextPage"]:
                return tuple(sorted(found, key=lambda pull: pull.number))
            after = page["pageInfo"]["endCursor"]
        except (KeyError, TypeError) as error:
            raise ReadError("the list of open pull requests is not of the documented form") from error
    raise ReadError(f"more than {_MAX_PAGES} pages of open pull requests; name some with --pull")


def pulls_at(client: Client, repository: str, head_sha: str, head_repo: str | None, head_ref: str | None) -> set[int]:
    """
    Numbers of open pull requests that a commit or a branch leads to.

    Raises:
        ReadError: GitHub gave no answer.
    """
    found: set[int] = set()
    try:
        found |= _open_numbers(
            client.pages(repository_path(repository, "commits", head_sha, "pulls") + "?per_page=100")
        )
    except RefusedError as error:
        # A commit that this repository does not have leads nowhere.
        if error.status not in {404, 422}:
            raise
    if head_repo is not None and head_ref is not None:
        head = quote(f"{head_repo.partition('/')[0]}:{head_ref}", safe="")
        found |= _open_numbers(
            client.pages(repository_path(repository, "pulls") + f"?state=open&per_page=100&head={head}")
        )
    return found


def _whole(client: Client, place: Mapping[str, Any], name: str, first: Value) -> list[Any]:
    """All items of a list, to its last page."""
    page, nodes = first, list(first["nodes"])
    for _ in range(_MAX_PAGES):
        if not page["pageInfo"]["hasNextPage"]:
            if None in nodes:
                raise ReadError(f"GitHub left a gap in the list `{name}`; run again", may_pass_later=True)
            return nodes
        answer = client.graphql(MORE[name], {**place, "after": page["pageInfo"]["endCursor"]})
        page = answer["repository"]["pullRequest"][name]
        nodes += page["nodes"]
    raise ReadError(f"the pull request has more than {_MAX_PAGES} pages of `{name}`: too large; open it anew")


def _reading(node: Value, lists: Mapping[str, list[Any]], *, viewer: int, repository: str) -> Reading:
    (tip,) = (item["commit"] for item in node["tip"]["nodes"])
    head_sha, base_ref = str(node["headRefOid"]), str(node["baseRefName"])
    if tip["oid"] != head_sha:
        raise ReadError("the head moved while it was read; run again", may_pass_later=True)
    base = _there(node["baseRef"], f"base branch {base_ref}")
    own, others = _own_comments(lists["comments"], viewer)
    events = node["timelineItems"]["nodes"]
    created_at = parse_time(node["createdAt"])
    retargets = [parse_time(event["createdAt"]) for event in events if event["__typename"] == "BaseRefChangedEvent"]
    head_repo = node["headRepository"]
    facts: Value = {
        "number": node["number"],
        "title": node["title"],
        "body": node["body"],
        "draft": node["isDraft"],
        "labels": [item["name"] for item in lists["labels"]],
        "created_at": _written(created_at),
        "base": {"ref": base_ref, "repo": repository},
        "head": {"ref": node["headRefName"], "repo": head_repo["nameWithOwner"] if head_repo is not None else None},
        "author": _user(node["author"]),
        # GitHub does not say who made a bot open a pull request; the people of its commits are excluded in any case.
        "triggered_by": None,
        "commits": [_commit(item["commit"]) for item in lists["commits"]],
        "reviews": [_review(item) for item in lists["reviews"]],
        "comments": others,
        "issues": [
            _issue(item)
            for item in lists["closingIssuesReferences"]
            if str(item["repository"]["nameWithOwner"]).casefold() == repository.casefold()
        ],
    }
    return Reading(
        number=int(node["number"]),
        state=str(node["state"]),
        head_sha=head_sha,
        base_ref=base_ref,
        base_sha=str(base["target"]["oid"]),
        facts=facts,
        viewer=viewer,
        comments=own,
        statuses=own_statuses(tip["status"], viewer),
        answered=frozenset(
            int(item["fullDatabaseId"])
            for item in lists["comments"]
            if any(group["viewerHasReacted"] for group in item["reactionGroups"] or ())
        ),
        siblings=_siblings(tip["associatedPullRequests"], facts, head_sha),
        forced=tuple(
            sorted(
                (_forced(event) for event in events if event["__typename"] == "HeadRefForcePushedEvent"),
                key=lambda move: move.at,
                reverse=True,
            )
        ),
        floor=max([created_at, *retargets]),
    )


def _own_comments(nodes: Iterable[Value], viewer: int) -> tuple[tuple[OwnComment, ...], list[Value]]:
    """Our comments, known by author and marker, oldest first; and everybody else's as a pull file writes them."""
    own, others = [], []
    for node in nodes:
        user, number = _user(node["author"]), int(node["fullDatabaseId"])
        if user is not None and user["id"] == viewer and COMMENT_MARKER in node["body"]:
            own.append(OwnComment(id=number, body=node["body"]))
            continue
        others.append(
            {
                "id": number,
                "user": user,
                "body": node["body"],
                "created_at": _time(node["createdAt"]),
                "edited": node["lastEditedAt"] is not None,
            }
        )
    return tuple(sorted(own, key=lambda comment: comment.id)), others


def own_statuses(status: Value | None, viewer: int) -> tuple[OwnStatus, ...]:
    """Our own among the latest statuses of a commit, one a context."""
    return tuple(
        OwnStatus(
            context=item["context"],
            state=str(item["state"]).lower(),
            description=item["description"] or "",
            target_url=item["targetUrl"] or "",
        )
        for item in (status["contexts"] if status is not None else ())
        if (creator := _user(item["creator"])) is not None and creator["id"] == viewer
    )


def _siblings(associated: Value, facts: Value, head_sha: str) -> tuple[int, ...]:
    if associated["pageInfo"]["hasNextPage"]:
        raise ReadError("the head belongs to more than a hundred pull requests: too many; push a commit of its own")
    base = facts["base"]
    return tuple(
        sorted(
            int(item["number"])
            for item in associated["nodes"]
            if item["state"] == "OPEN"
            and item["number"] != facts["number"]
            and item["headRefOid"] == head_sha
            and item["baseRefName"] == base["ref"]
            and str(item["repository"]["nameWithOwner"]).casefold() == base["repo"].casefold()
        )
    )


def _commit(commit: Value) -> Value:
    authors = commit["authors"]
    if authors["pageInfo"]["hasNextPage"]:
        raise ReadError(f"commit {commit['oid']} names too many authors; split it")
    people = [_user(item["user"]) for item in authors["nodes"]]
    committer = commit["committer"]
    return {
        "sha": commit["oid"],
        "author": people[0] if people else None,
        "committer": _user(committer["user"]) if committer is not None else None,
        "co_authors": people[1:],
    }


def _review(review: Value) -> Value:
    return {
        "id": int(review["fullDatabaseId"]),
        "user": _user(review["author"]),
        "state": review["state"],
        "commit": review["commit"]["oid"] if review["commit"] is not None else None,
        "submitted_at": _time(review["submittedAt"]) if review["submittedAt"] is not None else None,
        "body": review["body"],
    }


def _issue(issue: Value) -> Value:
    if issue["labels"]["pageInfo"]["hasNextPage"]:
        raise ReadError(f"issue {issue['number']} has more than a hundred labels; take some away")
    return {
        "number": issue["number"],
        "title": issue["title"],
        "body": issue["body"],
        "labels": [label["name"] for label in issue["labels"]["nodes"]],
        "user": _user(issue["author"]),
        "created_at": _time(issue["createdAt"]),
        "state": str(issue["state"]).lower(),
    }


def _user(actor: Value | None) -> Value | None:
    """An account; null for a deleted one, and for one of a kind that has no number to be known by."""
    if actor is None or actor.get("databaseId") is None:
        return None
    # GitHub maps a bot's e-mail address to a `User` whose login says that it is none.
    kind = "Bot" if actor["login"].endswith("[bot]") else actor["__typename"]
    return {"id": _id(actor), "login": actor["login"], "type": kind}


def _id(actor: Value) -> int:
    return int(actor["databaseId"])


def _forced(event: Value) -> Move:
    after = event["afterCommit"]
    return Move(
        before="",
        after=after["oid"] if after is not None else "",
        at=parse_time(event["createdAt"]),
        by=_user(event["actor"]),
    )


def _moves(client: Client, repository: str, branch: str) -> tuple[Move, ...]:
    """The latest moves of a branch, newest first; none if its repository is gone or hidden."""
    path = repository_path(repository, "activity") + f"?ref={quote(f'refs/heads/{branch}', safe='')}&per_page=100"
    try:
        found = client.call("GET", path)
    except RefusedError as error:
        if error.status in {403, 404} and not error.may_pass_later:
            return ()
        raise
    try:
        return tuple(
            Move(
                before=str(item["before"]),
                after=str(item["after"]),
                at=parse_time(item["timestamp"]),
                by=_rest_user(item["actor"]),
            )
            for item in found
        )
    except (KeyError, TypeError, ValueError, PolicyError) as error:
        raise ReadError("the activity of the head's repository is not of the documented form") from error


def _told(client: Client, repository: str, reading: Reading) -> list[datetime]:
    """When we set statuses on the head that name this pull request."""
    path = repository_path(repository, "commits", reading.head_sha, "statuses") + "?per_page=100"
    try:
        return [
            parse_time(item["created_at"])
            for item in client.pages(path)
            if item["creator"] is not None
            and item["creator"]["id"] == reading.viewer
            and _names(item["target_url"], repository, reading.number)
        ]
    except (KeyError, TypeError, PolicyError) as error:
        raise ReadError("the statuses of the head are not of the documented form") from error


def _names(target_url: str | None, repository: str, number: int) -> bool:
    """Whether a status of ours is about a pull request."""
    return (target_url or "").casefold().endswith(f"/{repository}/pull/{number}".casefold())


def _rest_user(user: Value | None) -> Value | None:
    return None if user is None else {"id": int(user["id"]), "login": user["login"], "type": user["type"]}


def _open_numbers(pulls: Iterable[Value]) -> set[int]:
    try:
        return {int(pull["number"]) for pull in pulls if pull["state"] == "open"}
    except (KeyError, TypeError) as error:
        raise ReadError("a list of pull requests is not of the documented form") from error


def _there(value: Value | None, what: str) -> Value:
    if value is None:
        raise ReadError(f"there is no {what}, or the token may not see it")
    return value


def _time(text: str) -> str:
    return _written(parse_time(text))


def _written(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")
