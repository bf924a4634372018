"""Planned writes, carried out one after the other; none is sent twice."""

from collections.abc import Iterable, Sequence

from medgauge_registrar.github.client import Client, RefusedError, path_of, repository_path
from medgauge_registrar.github.facts import OwnComment
from medgauge_registrar.github.plan import (
    CreateComment,
    DeleteComment,
    EditComment,
    React,
    ReportCheck,
    SetStatus,
    Write,
    plan_comment,
)
from medgauge_registrar.github.read import read_pull
from medgauge_registrar.model.errors import ReadError

# GitHub REST API, "Create a check run": a summary holds at most 65,535 characters.
SUMMARY_CHARACTERS = 60_000


def apply(client: Client, repository: str, writes: Iterable[Write], own: Sequence[OwnComment]) -> int | None:
    """
    Carry out planned writes in their order, up to the first that fails.

    Args:
        client: The registry's client.
        repository: `owner/name`.
        writes: What to write.
        own: Our comments before that, oldest first.

    Returns:
        Id of our comment; null if there is none.

    Raises:
        ReadError: GitHub refused a write, or whether it was carried out is unknown.
    """
    comment = own[0].id if own else None
    for write in writes:
        match write:
            case SetStatus():
                set_status(client, repository, write)
            case CreateComment():
                comment = _create_comment(client, repository, write)
            case EditComment():
                client.call(
                    "PATCH", repository_path(repository, "issues", "comments", write.comment), {"body": write.body}
                )
            case DeleteComment():
                _unless_gone(client, "DELETE", repository_path(repository, "issues", "comments", write.comment))
            case React():
                place = repository_path(repository, "issues", "comments", write.comment, "reactions")
                _unless_gone(client, "POST", place, {"content": write.content})
            case ReportCheck():
                _report_check(client, repository, write)
    return comment


def set_status(client: Client, repository: str, write: SetStatus) -> None:
    """
    Set one status.

    Raises:
        ReadError: GitHub refused it, or whether it is set is unknown.
    """
    client.call(
        "POST",
        repository_path(repository, "statuses", write.sha),
        {
            "state": write.state,
            "context": write.context,
            "description": write.description,
            "target_url": write.target_url,
        },
    )


def _create_comment(client: Client, repository: str, write: CreateComment) -> int | None:
    """Write the comment, and look whether another run has done so at the same time: the oldest stays."""
    client.call("POST", repository_path(repository, "issues", write.pull, "comments"), {"body": write.body})
    there = read_pull(client, repository, write.pull).comments
    return apply(client, repository, plan_comment(write.pull, there, write.body), there) if there else None


def _report_check(client: Client, repository: str, write: ReportCheck) -> None:
    known = client.call("GET", f"{repository_path(repository, 'commits', write.sha, 'check-runs')}{_query(write.name)}")
    try:
        if any(run["external_id"] == write.digest for run in known["check_runs"]):
            return
    except (KeyError, TypeError):
        raise ReadError("the check runs of the head are not of the documented form") from None
    method, place = "POST", repository_path(repository, "check-runs")
    fields: dict[str, object] = {
        "name": write.name,
        "head_sha": write.sha,
        "status": "completed",
        "conclusion": write.conclusion,
    }
    batches = write.batches or ((),)
    for index, batch in enumerate(batches, start=1):
        # The mark by which it is known again comes last, so that a report cut short is made anew.
        mark = {"external_id": write.digest} if index == len(batches) else {}
        output = {"title": write.title, "summary": write.summary, "annotations": list(batch)}
        made = client.call(method, place, {**fields, **mark, "output": output})
        if method == "POST":
            method, place, fields = "PATCH", repository_path(repository, "check-runs", int(made["id"])), {}


def _query(name: str) -> str:
    return f"?check_name={path_of(name).removeprefix('/')}&filter=latest&per_page=100"


def _unless_gone(client: Client, method: str, path: str, body: object = None) -> None:
    """A comment that is no longer there needs nothing."""
    try:
        client.call(method, path, body)
    except RefusedError as error:
        if error.status != 404:
            raise
