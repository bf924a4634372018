"""Tokens: the one that was given, or one that the App mints for this job and for as little as it needs."""

from collections.abc import Mapping

from medgauge_registrar.github.client import Client, open_app_client, open_client, repository_path
from medgauge_registrar.github.job import Job
from medgauge_registrar.model.errors import ReadError

REGISTRY_PERMISSIONS: Mapping[str, str] = {
    "contents": "read",
    "issues": "write",
    "pull_requests": "write",
    "statuses": "write",
}
CLOSED_PERMISSIONS: Mapping[str, str] = {"contents": "read"}


def registry_client(job: Job, *, more: Mapping[str, str] | None = None) -> Client:
    """
    The client for the registry.

    Args:
        job: The job.
        more: Permissions that an App's token needs beside the usual ones, such as `{"contents": "write"}`.

    Raises:
        ReadError: No token could be minted.
    """
    wanted = {**REGISTRY_PERMISSIONS, **({"checks": "write"} if job.check_run else {}), **(more or {})}
    return _client(job, job.token, job.repository, wanted)


def closed_client(job: Job, repository: str) -> Client:
    """
    The client for the private repository that holds roster or ledger; it never uses the token of the registry.

    Raises:
        ReadError: There is no token of its own, or none could be minted.
    """
    if not job.roster_token and not job.app_id:
        raise ReadError(
            "roster or ledger lie in another repository, and there is no token for it: give the action its input `roster-token`"
        )
    return _client(job, job.roster_token, repository, CLOSED_PERMISSIONS)


def teams_client(job: Job) -> Client:
    """
    The client that reads the members of teams.

    Raises:
        ReadError: There is no token that could, or none could be minted.
    """
    if not job.roster_token and not job.app_id:
        raise ReadError(
            "the token of a workflow cannot read teams: give the action its input `roster-token`, or an App"
        )
    return _client(job, job.roster_token, job.repository, {"members": "read"})


def _client(job: Job, token: str, repository: str, permissions: Mapping[str, str]) -> Client:
    def mint() -> str:
        app = open_app_client(job.app_id, job.app_key, api_url=job.api_url, graphql_url=job.graphql_url)
        installation = app.call("GET", repository_path(repository, "installation"))
        name = repository.partition("/")[2]
        minted = app.call(
            "POST",
            f"/app/installations/{int(installation['id'])}/access_tokens",
            {"repositories": [name], "permissions": dict(permissions)},
        )
        return str(minted["token"])

    if token:
        return open_client(token, api_url=job.api_url, graphql_url=job.graphql_url)
    return open_client(mint(), api_url=job.api_url, graphql_url=job.graphql_url, renew=mint)
