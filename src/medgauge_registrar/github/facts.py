"""The facts of one pull request as values, from the nodes that GitHub's GraphQL interface gives."""

from collections.abc import Iterable, Mapping
from dataclasses import field
from datetime import datetime
from typing import Any

from medgauge_registrar.github.arrival import Move
from medgauge_registrar.inputs import parse_time
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.report.comment import COMMENT_MARKER

Value = dict[str, Any]
# By a person, or by GitHub itself where the base branch was deleted after its own merge.
_RETARGETS = {"BaseRefChangedEvent", "AutomaticBaseChangeSucceededEvent"}


@frozen
class OwnStatus:
    """A status that we set on the head: its context and what it says."""

    context: str
    state: str
    description: str
    target_url: str

    def names(self, pull_url: str) -> bool:
        """Whether it is about the pull request at an address."""
        return self.target_url.casefold() == pull_url.casefold()


@frozen
class OwnComment:
    """A comment of ours that carries our marker."""

    id: int
    body: str


@frozen
class Reading:
    """
    One pull request as it stands.

    Attributes:
        number: Its number.
        state: `OPEN`, `CLOSED` or `MERGED`.
        head_sha: Its head.
        base_ref: Its base branch.
        base_sha: Tip of that branch.
        default_branch: The repository's default branch.
        facts: Public facts in the form of a pull file, but for the arrival of the head.
        viewer: Numeric id of the account that we act as.
        comments: Our own, oldest first.
        statuses: Our own on the head, the latest of each context.
        answered: Comments that we have answered by a reaction.
        siblings: Other open pull requests with the same head and the same base branch, letter case aside.
        forced: Forced pushes, newest first.
        floor: When it was opened, or last got another base branch.
    """

    number: int
    state: str
    head_sha: str
    base_ref: str
    base_sha: str
    default_branch: str
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
            self.default_branch,
            self.facts,
            self.siblings,
            self.forced,
            self.floor,
        )


def reading_of(node: Value, lists: Mapping[str, list[Any]], *, viewer: int, repository: str) -> Reading:
    """
    Build the reading of a pull request.

    Args:
        node: The pull request.
        lists: Its lists, each of them whole, by name.
        viewer: Numeric id of the account that we act as.
        repository: `owner/name` of the registry.

    Raises:
        ReadError: It cannot be told whole.
        KeyError: The node is not of the documented form; so are `TypeError`, `ValueError`, `AttributeError`, `PolicyError`.
    """
    (tip,) = (item["commit"] for item in node["tip"]["nodes"])
    head_sha, base_ref = str(node["headRefOid"]), str(node["baseRefName"])
    if tip["oid"] != head_sha:
        raise ReadError("the head moved while it was read; run again", may_pass_later=True)
    base = there(node["baseRef"], f"base branch {base_ref}")
    own, others = _own_comments(lists["comments"], viewer)
    events = lists["timelineItems"]
    dismissed = {
        int(event["review"]["fullDatabaseId"]): event
        for event in events
        if event["__typename"] == "ReviewDismissedEvent" and event["review"] is not None
    }
    created_at = parse_time(node["createdAt"])
    retargets = [parse_time(event["createdAt"]) for event in events if event["__typename"] in _RETARGETS]
    head_repo = node["headRepository"]
    facts: Value = {
        "number": node["number"],
        "title": node["title"],
        "body": node["body"],
        "draft": node["isDraft"],
        "labels": [item["name"] for item in lists["labels"]],
        "created_at": written(created_at),
        "base": {"ref": base_ref, "repo": repository},
        "head": {"ref": node["headRefName"], "repo": head_repo["nameWithOwner"] if head_repo is not None else None},
        "author": _user(node["author"]),
        # GitHub does not say who made a bot open a pull request; what a bot opened therefore needs a spare approver.
        "triggered_by": None,
        "commits": [_commit(item["commit"]) for item in lists["commits"]],
        "reviews": [_review(item, dismissed.get(int(item["fullDatabaseId"]))) for item in lists["reviews"]],
        "comments": others,
        "deleted_comments": [
            {
                "user": _user(event["deletedCommentAuthor"]),
                "deleted_at": _time(event["createdAt"]),
                "deleted_by": _user(event["actor"]),
            }
            for event in events
            if event["__typename"] == "CommentDeletedEvent"
            # Our own comment is no fact, and so is its end.
            and (event["deletedCommentAuthor"] is None or event["deletedCommentAuthor"].get("databaseId") != viewer)
        ],
        "issues": [
            _issue(item)
            for item in lists["closingIssuesReferences"]
            if str(item["repository"]["nameWithOwner"]).casefold() == repository.casefold()
        ],
    }
    default_branch = there(node["baseRepository"]["defaultBranchRef"], "default branch")["name"]
    return Reading(
        number=int(node["number"]),
        state=str(node["state"]),
        head_sha=head_sha,
        base_ref=base_ref,
        base_sha=str(base["target"]["oid"]),
        default_branch=str(default_branch),
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
                **_edit(node),
            }
        )
    return tuple(sorted(own, key=lambda comment: comment.id)), others


def _edit(comment: Value) -> Value:
    if comment["lastEditedAt"] is None:
        return {}
    return {"edited_at": _time(comment["lastEditedAt"]), "edited_by": _user(comment["editor"])}


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
            and str(item["baseRefName"]).casefold() == base["ref"].casefold()
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


def _review(review: Value, dismissal: Value | None) -> Value:
    told = (
        {
            "dismissed_state": dismissal["previousReviewState"],
            "dismissed_by": _user(dismissal["actor"]),
        }
        if dismissal is not None
        else {}
    )
    return {
        **told,
        "id": int(review["fullDatabaseId"]),
        "user": _user(review["author"]),
        "state": review["state"],
        "commit": review["commit"]["oid"] if review["commit"] is not None else None,
        "submitted_at": _time(review["submittedAt"]) if review["submittedAt"] is not None else None,
        # Others than its author can edit a review, and an edit does not show what stood there: it attests nothing (A17).
        "body": review["body"] if review["lastEditedAt"] is None else "",
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
        "edited_at": None if issue["lastEditedAt"] is None else _time(issue["lastEditedAt"]),
        "state": str(issue["state"]).lower(),
    }


def _user(actor: Value | None) -> Value | None:
    """An account; null for a deleted one, and for one of a kind that has no number to be known by."""
    if actor is None or actor.get("databaseId") is None:
        return None
    # GitHub maps a bot's e-mail address to a `User` whose login says that it is none.
    kind = "Bot" if actor["login"].endswith("[bot]") else actor["__typename"]
    return {"id": account_id(actor), "login": actor["login"], "type": kind}


def account_id(actor: Value) -> int:
    """Numeric id of an account."""
    return int(actor["databaseId"])


def _forced(event: Value) -> Move:
    after = event["afterCommit"]
    return Move(
        before="",
        after=after["oid"] if after is not None else "",
        at=parse_time(event["createdAt"]),
        by=_user(event["actor"]),
    )


def there(value: Value | None, what: str) -> Value:
    """
    What GitHub gave.

    Raises:
        ReadError: It gave nothing.
    """
    if value is None:
        raise ReadError(f"there is no {what}, or the token may not see it")
    return value


def _time(text: str) -> str:
    return written(parse_time(text))


def written(moment: datetime) -> str:
    """A time as a pull file writes it."""
    return moment.isoformat().replace("+00:00", "Z")
