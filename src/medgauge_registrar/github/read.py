"""The facts of one pull request, in one GraphQL request while it is of usual size: all of them or an error."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote

from medgauge_registrar.github.arrival import Arrival, Move, arrival_of
from medgauge_registrar.github.client import Client, RefusedError, repository_path
from medgauge_registrar.github.facts import (
    OwnStatus,
    Reading,
    Value,
    account_id,
    own_statuses,
    reading_of,
    there,
    written,
)
from medgauge_registrar.github.queries import CLOSED_PULLS, LISTS, MORE, OPEN_PULLS, PULL
from medgauge_registrar.inputs import parse_time
from medgauge_registrar.model.errors import PolicyError, ReadError
from medgauge_registrar.model.frozen import frozen

# How often a list may turn the page; a comment storm ends in an error, not in a run without end.
_MAX_PAGES = 100
_PAGE = 100
# With these on a commit success is no longer posted on it: a later refusal has to find room, whoever fills it meanwhile.
MAX_STATUSES = 800


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
        found = there(answer["repository"], f"repository {repository}")["pullRequest"]
        node = there(found, f"pull request {number} of {repository}")
        lists = {item: _whole(client, place, item, node[item]) for item in LISTS}
        return reading_of(node, lists, viewer=account_id(answer["viewer"]), repository=repository)
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
    opened = parse_time(reading.facts["created_at"])
    known = arrival_of(
        reading.head_sha,
        moves=moves,
        forced=reading.forced,
        told=(),
        opened=opened,
        floor=reading.floor,
        cut_off=len(moves) >= _PAGE,
    )
    if known.at is not None:
        return known
    told = _told(client, repository, reading)
    return arrival_of(reading.head_sha, moves=(), forced=reading.forced, told=told, opened=opened, floor=reading.floor)


def pull_file(reading: Reading, arrival: Arrival) -> Value:
    """The facts as a pull file holds them (`pull.schema.json`)."""
    head = {
        **reading.facts["head"],
        "seen_at": written(arrival.at) if arrival.at is not None else None,
        "pushed_by": arrival.by,
        "earlier": [{"sha": sha, "seen_at": written(at)} for sha, at in arrival.earlier],
        "moves": (
            [{"by": move.by, "before": move.before, "after": move.after} for move in arrival.moves]
            if arrival.moves is not None
            else None
        ),
    }
    return {**reading.facts, "head": head}


@frozen
class Place:
    """
    Where a pull request stands when no more of it can be read.

    `state` is as in a `Reading`; `statuses` are those on its head that name it, one a context.
    """

    number: int
    state: str
    head_sha: str
    base_ref: str
    default_branch: str
    statuses: tuple[OwnStatus, ...]


def read_place(client: Client, repository: str, number: int) -> Place:
    """
    Find the head of a pull request, where reading all of it has failed.

    Raises:
        ReadError: That could not be read either.
    """
    pull = client.call("GET", repository_path(repository, "pulls", number))
    try:
        head_sha, base_ref = str(pull["head"]["sha"]), str(pull["base"]["ref"])
        default_branch = str(pull["base"]["repo"]["default_branch"])
        path = repository_path(repository, "commits", head_sha, "statuses") + "?per_page=100"
        latest: dict[str, OwnStatus] = {}
        for item in client.pages(path):
            if _names(item["target_url"], repository, number):
                status = OwnStatus(
                    context=item["context"],
                    state=item["state"],
                    description=item["description"] or "",
                    target_url=item["target_url"],
                )
                latest.setdefault(status.context.casefold(), status)
        state = "MERGED" if pull["merged"] else str(pull["state"]).upper()
    except (KeyError, TypeError) as error:
        raise ReadError(f"pull request {number} is not of the documented form") from error
    return Place(
        number=number,
        state=state,
        head_sha=head_sha,
        base_ref=base_ref,
        default_branch=default_branch,
        statuses=tuple(latest.values()),
    )


def is_crowded(client: Client, repository: str, sha: str) -> bool:
    """
    Whether a commit has nearly as many statuses as GitHub takes, so that a success might be the last word.

    A context holds no more than the commit does, so one page tells it: the one that only a crowded commit has.

    Raises:
        ReadError: GitHub gave no answer.

    Source:
        GitHub REST API, "Create a commit status": at most 1,000 a commit and context.
    """
    path = repository_path(repository, "commits", sha, "statuses")
    beyond = client.call("GET", f"{path}?per_page={_PAGE}&page={MAX_STATUSES // _PAGE + 1}")
    if not isinstance(beyond, list):
        raise ReadError("the statuses of the head are not of the documented form")
    return bool(beyond)


@frozen
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
            page = there(answer["repository"], f"repository {repository}")["pullRequests"]
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


def closed_with_success(client: Client, repository: str) -> tuple[int, ...]:
    """
    Of the hundred closed pull requests that were touched last those whose head has a success of ours that names them, by number.

    Raises:
        ReadError: The list could not be read.
    """
    owner, _, name = repository.partition("/")
    answer = client.graphql(CLOSED_PULLS, {"owner": owner, "name": name})
    try:
        viewer = account_id(answer["viewer"])
        tips = [
            (int(node["number"]), item["commit"]["status"])
            for node in there(answer["repository"], f"repository {repository}")["pullRequests"]["nodes"]
            for item in node["commits"]["nodes"]
        ]
        return tuple(
            sorted(
                number
                for number, status in tips
                if any(
                    said.state == "success" and _names(said.target_url, repository, number)
                    for said in own_statuses(status, viewer)
                )
            )
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ReadError("the list of closed pull requests is not of the documented form") from error


def pulls_at(client: Client, repository: str, head_sha: str, head_repo: str | None, head_ref: str | None) -> set[int]:
    """
    Numbers of pull requests that a commit or a branch leads to: open ones, and those that were closed at this head without a merge.

    Raises:
        ReadError: GitHub gave no answer.
    """
    found: set[int] = set()
    try:
        found |= _unmerged(
            client.pages(repository_path(repository, "commits", head_sha, "pulls") + "?per_page=100"), head_sha
        )
    except RefusedError as error:
        # A commit that this repository does not have leads nowhere.
        if error.status not in {404, 422}:
            raise
    if head_repo is not None and head_ref is not None:
        head = quote(f"{head_repo.partition('/')[0]}:{head_ref}", safe="")
        # The list of a commit leaves out what is closed.
        found |= _unmerged(
            client.pages(repository_path(repository, "pulls") + f"?state=all&per_page=100&head={head}"), head_sha
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


def _moves(client: Client, repository: str, branch: str) -> tuple[Move, ...]:
    """The latest moves of a branch, newest first; none if its repository is gone or hidden."""
    path = repository_path(repository, "activity") + f"?ref={quote(f'refs/heads/{branch}', safe='')}&per_page={_PAGE}"
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


def _unmerged(pulls: Iterable[Value], head_sha: str) -> set[int]:
    try:
        return {
            int(pull["number"])
            for pull in pulls
            if pull["state"] == "open" or (pull["merged_at"] is None and pull["head"]["sha"] == head_sha)
        }
    except (KeyError, TypeError) as error:
        raise ReadError("a list of pull requests is not of the documented form") from error
