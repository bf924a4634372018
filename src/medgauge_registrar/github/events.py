"""From an event to what it asks for: which pull requests to decide anew, and nothing else of what the payload says."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.requirements.commands import PERSON, command_lines

_SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_QUEUE_REF = re.compile(r"(?:refs/heads/)?gh-readonly-queue/(?P<base>.+)/pr-[0-9]+-[0-9a-f]{40,64}")
_BRANCHES = "refs/heads/"


@frozen
class Nothing:
    """There is nothing to do, and why."""

    why: str


@frozen
class Pulls:
    """Pull requests named by number."""

    numbers: tuple[int, ...]


@frozen
class Hints:
    """
    What a finished run lets guess of its pull request; each guess is checked against the API.

    Attributes:
        numbers: Numbers in the payload; empty for a fork.
        head_sha: Commit that the run was for.
        head_repo: `owner/name` of the branch; null if it is gone.
        head_ref: The branch; null if unknown.
    """

    numbers: tuple[int, ...]
    head_sha: str
    head_repo: str | None
    head_ref: str | None


@frozen
class AllOpen:
    """All open pull requests, or those against one branch."""

    base_ref: str | None = None


@frozen
class Group:
    """A group of the merge queue: the commit that GitHub made of it, and the branch it merges to."""

    head_sha: str
    base_ref: str


@frozen
class Merged:
    """
    A push to the default branch.

    Attributes:
        branch: The branch.
        before: Where it stood; null if it is new.
        after: Where it stands.
    """

    branch: str
    before: str | None
    after: str


Wake = Nothing | Pulls | Hints | AllOpen | Group
Payload = Mapping[str, Any]


def wake(event: str, payload: Payload) -> Wake:
    """
    Say what an event asks for.

    Args:
        event: Its name.
        payload: What GitHub sent with it.

    Raises:
        ReadError: The event is none that is acted on, or its payload is not as documented.

    Source:
        GitHub Actions, "Events that trigger workflows".
    """
    read = _EVENTS.get(event)
    if read is None:
        known = ", ".join(sorted(_EVENTS))
        raise ReadError(f"event `{_shown(event)}` is none that is acted on; start this on {known}")
    try:
        return read(payload)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ReadError(f"the payload of `{event}` is not as GitHub documents it ({type(error).__name__})") from None


def merged(event: str, payload: Payload) -> Merged | Nothing:
    """
    Say what a push did to the default branch.

    Raises:
        ReadError: The event is no push, or its payload is not as documented.

    Source:
        GitHub, "Webhook events and payloads": push.
    """
    if event != "push":
        raise ReadError(f"event `{_shown(event)}` moves no branch; start this on push")
    try:
        branch = str(payload["repository"]["default_branch"])
        if payload["ref"] != f"{_BRANCHES}{branch}" or payload["deleted"]:
            return Nothing(why="the push did not move the default branch")
        before, after = _sha(payload["before"]), _sha(payload["after"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ReadError(f"the payload of `push` is not as GitHub documents it ({type(error).__name__})") from None
    # Of a new branch, GitHub gives zeros for where it stood.
    return Merged(branch=branch, before=before if before.strip("0") else None, after=after)


def _pull_request(payload: Payload) -> Wake:
    return Pulls(numbers=(_number(payload["pull_request"]["number"]),))


def _pull_request_unprivileged(payload: Payload) -> Wake:
    """GitHub gives these events a token that cannot write where the branch is in a fork."""
    head, base = (payload["pull_request"][side]["repo"] for side in ("head", "base"))
    if head is None or head["id"] != base["id"]:
        return Nothing(why="this event cannot write for a branch of a fork; the run that follows it decides")
    return _pull_request(payload)


def _issue_comment(payload: Payload) -> Wake:
    issue, comment = payload["issue"], payload["comment"]
    if issue.get("pull_request") is None:
        return Nothing(why="the comment is on an issue, not on a pull request")
    number = _number(issue["number"])
    user = comment["user"]
    if user is not None and user["type"] != PERSON:
        return Nothing(why="bots give no commands")
    # What an edit took away may have counted until now.
    before = payload.get("changes", {}).get("body", {}).get("from", "")
    if not any(True for body in (comment["body"], before) for _ in command_lines(body or "")):
        return Nothing(why="the comment holds no command")
    return Pulls(numbers=(number,))


def _workflow_run(payload: Payload) -> Wake:
    run = payload["workflow_run"]
    head_sha = _sha(run["head_sha"])
    branch, head = run["head_branch"], run["head_repository"]
    if run["event"] == "merge_group":
        return _group(head_sha, str(branch))
    here = payload["repository"]["id"]
    numbers = {_number(item["number"]) for item in run["pull_requests"] if item["base"]["repo"]["id"] == here}
    return Hints(
        numbers=tuple(sorted(numbers)),
        head_sha=head_sha,
        head_repo=str(head["full_name"]) if head is not None else None,
        head_ref=str(branch) if branch else None,
    )


def _merge_group(payload: Payload) -> Wake:
    if payload["action"] != "checks_requested":
        return Nothing(why="the group has left the merge queue")
    group = payload["merge_group"]
    return _group(_sha(group["head_sha"]), str(group["head_ref"]))


def _group(head_sha: str, ref: str) -> Wake:
    found = _QUEUE_REF.fullmatch(ref)
    if found is None:
        raise ReadError(f"`{_shown(ref)}` is no branch of the merge queue (`gh-readonly-queue/BASE/pr-N-SHA`)")
    return Group(head_sha=head_sha, base_ref=found["base"])


def _workflow_dispatch(payload: Payload) -> Wake:
    asked = str((payload.get("inputs") or {}).get("pull") or "").strip()
    if not asked:
        return AllOpen()
    if not asked.isdecimal():
        raise ReadError(f"input `pull` is `{_shown(asked)}`; expected the number of a pull request, or nothing for all")
    return Pulls(numbers=(_number(int(asked)),))


def _push(payload: Payload) -> Wake:
    ref = str(payload["ref"])
    if payload.get("deleted") or not ref.startswith(_BRANCHES):
        return Nothing(why="the push moved no branch")
    return AllOpen(base_ref=ref.removeprefix(_BRANCHES))


_EVENTS: Mapping[str, Callable[[Payload], Wake]] = {
    "issue_comment": _issue_comment,
    "merge_group": _merge_group,
    "pull_request": _pull_request_unprivileged,
    "pull_request_review": _pull_request_unprivileged,
    "pull_request_target": _pull_request,
    "push": _push,
    "schedule": lambda _: AllOpen(),
    "workflow_dispatch": _workflow_dispatch,
    "workflow_run": _workflow_run,
}


def _number(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(value)
    return value


def _sha(value: Any) -> str:
    if not _SHA.fullmatch(value):
        raise ValueError(value)
    return str(value)


def _shown(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)[:100].replace("`", "'")
