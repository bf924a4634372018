"""The job that runs us: what the environment of an Action says, read once."""

import json
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from medgauge_registrar.github.client import checked_address
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.frozen import frozen

MAX_EVENT_BYTES = 32 * 1024 * 1024
_TRUE, _FALSE = {"1", "true", "yes", "on"}, {"", "0", "false", "no", "off"}


@frozen
class Job:
    """
    One job of GitHub Actions.

    Attributes:
        repository: `owner/name` of the registry.
        api_url: REST API.
        graphql_url: GraphQL API.
        server_url: Where people look, and where git fetches from.
        event_name: Event that woke the job; empty outside of one.
        event_path: File with its payload.
        run_url: Page of this run; null outside of one.
        output: File that takes outputs of the step.
        summary: File that takes the summary of the step.
        temporary: Folder for files that may outlive the step.
        token: Token for the registry; empty if an App mints it.
        app_id: App that mints tokens; empty without one.
        app_key: Its private key.
        roster: The roster itself, from a secret.
        roster_token: Token that reads roster and ledger, and nothing else.
        ledger: The ledger itself, from a secret.
        digest_key: Key of the digests of roster and ledger; null: they are left out.
        check_run: Whether a check run shows the findings beside the change.
    """

    repository: str
    api_url: str
    graphql_url: str
    server_url: str
    event_name: str = ""
    event_path: Path | None = None
    run_url: str | None = None
    output: Path | None = None
    summary: Path | None = None
    temporary: Path | None = None
    token: str = field(default="", repr=False)
    app_id: str = ""
    app_key: str = field(default="", repr=False)
    roster: str = field(default="", repr=False)
    roster_token: str = field(default="", repr=False)
    ledger: str = field(default="", repr=False)
    digest_key: bytes | None = field(default=None, repr=False)
    check_run: bool = False


def read_job(environment: Mapping[str, str]) -> Job:
    """
    Read the environment of a job.

    Raises:
        ReadError: The repository or a token is not named, or an address or a switch cannot be used.

    Source:
        GitHub Actions, "Default environment variables".
    """
    repository = environment.get("GITHUB_REPOSITORY", "")
    if len([part for part in repository.split("/") if part]) != 2:
        raise ReadError("GITHUB_REPOSITORY names no `owner/name`; run this in a job of GitHub Actions, or set it")
    server_url = checked_address(environment.get("GITHUB_SERVER_URL") or "https://github.com").rstrip("/")
    token, app_id, app_key = (
        environment.get(name, "").strip() for name in ("REGISTRAR_TOKEN", "REGISTRAR_APP_ID", "REGISTRAR_APP_KEY")
    )
    if bool(app_id) != bool(app_key):
        raise ReadError("one of REGISTRAR_APP_ID and REGISTRAR_APP_KEY is set without the other; set both or neither")
    if not token and not app_id:
        raise ReadError(
            "no token: give the action its input `token`, or `app-id` and `app-key`; outside of an action set REGISTRAR_TOKEN"
        )
    run = environment.get("GITHUB_RUN_ID", "")
    return Job(
        repository=repository,
        api_url=checked_address(environment.get("GITHUB_API_URL") or "https://api.github.com").rstrip("/"),
        graphql_url=checked_address(environment.get("GITHUB_GRAPHQL_URL") or "https://api.github.com/graphql"),
        server_url=server_url,
        event_name=environment.get("GITHUB_EVENT_NAME", ""),
        event_path=_path(environment, "GITHUB_EVENT_PATH"),
        run_url=f"{server_url}/{repository}/actions/runs/{run}" if run.isdecimal() else None,
        output=_path(environment, "GITHUB_OUTPUT"),
        summary=_path(environment, "GITHUB_STEP_SUMMARY"),
        temporary=_path(environment, "RUNNER_TEMP"),
        token=token,
        app_id=app_id,
        app_key=app_key,
        roster=environment.get("REGISTRAR_ROSTER", ""),
        roster_token=environment.get("REGISTRAR_ROSTER_TOKEN", "").strip(),
        ledger=environment.get("REGISTRAR_LEDGER", ""),
        digest_key=environment.get("REGISTRAR_DIGEST_KEY", "").encode() or None,
        check_run=_switch(environment, "REGISTRAR_CHECK_RUN"),
    )


def read_payload(job: Job) -> dict[str, Any]:
    """
    Read the payload of the event.

    Raises:
        ReadError: There is none, or it is no JSON object.
    """
    if job.event_path is None:
        raise ReadError("GITHUB_EVENT_PATH is not set: there is no event to act on; `registrar sweep` needs none")
    try:
        with job.event_path.open("rb") as file:
            data = file.read(MAX_EVENT_BYTES + 1)
        payload = json.loads(data) if len(data) <= MAX_EVENT_BYTES else None
    except OSError as error:
        raise ReadError(f"the event file cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        payload = None
    if not isinstance(payload, dict):
        raise ReadError(f"the event file is no JSON object of at most {MAX_EVENT_BYTES} bytes")
    return payload


def _path(environment: Mapping[str, str], name: str) -> Path | None:
    return Path(environment[name]) if environment.get(name) else None


def _switch(environment: Mapping[str, str], name: str) -> bool:
    value = environment.get(name, "").strip().lower()
    if value not in _TRUE | _FALSE:
        raise ReadError(f"{name} is neither `true` nor `false`")
    return value in _TRUE
