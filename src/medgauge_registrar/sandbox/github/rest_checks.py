"""REST: commit statuses and check runs."""

from datetime import datetime
from typing import Any

from medgauge_registrar.sandbox.github.calls import ROUTES, Answer, Call, Refused
from medgauge_registrar.sandbox.github.values import CheckRun, CommitStatus

_REPO = "/repos/{owner}/{repo}"
_RUN = _REPO + "/check-runs/{id}"
_STATES = ("error", "failure", "pending", "success")
_CONCLUSIONS = ("action_required", "cancelled", "failure", "neutral", "success", "skipped", "stale", "timed_out")
_MAX_DESCRIPTION_CHARACTERS = 140
_MAX_STATUSES = 1000
_MAX_ANNOTATIONS = 50
_MAX_TEXT_CHARACTERS = 65_535
_LEVELS = ("notice", "warning", "failure")


@ROUTES.add("POST", _REPO + "/statuses/{sha}", "statuses:write")
def create_status(call: Call) -> Answer:
    """
    Set a status.

    Source:
        GitHub REST API, "Create a commit status": 1,000 a commit and context; descriptions end at 140 characters; contexts
        that differ in letter case alone are one.
    """
    sha, state = call.names["sha"], call.field("state", str)
    if call.hosted.store.resolve(sha) != sha:
        raise Refused(422, f"No commit found for SHA: {sha}")
    if state not in _STATES:
        raise _invalid("Status", "state", "state is not included in the list")
    description = call.field("description", str, needed=False)
    if description is not None and len(description) > _MAX_DESCRIPTION_CHARACTERS:
        raise _invalid("Status", "description", "description is too long (maximum is 140 characters)")
    context = call.field("context", str, needed=False) or "default"
    kept = call.hosted.statuses.setdefault(sha, [])
    if sum(status.context.casefold() == context.casefold() for status in kept) >= _MAX_STATUSES:
        raise _invalid("Status", "base", "This SHA and context has reached the maximum number of statuses.")
    assert call.token is not None
    made = CommitStatus(
        id=call.world.new_id(),
        context=context,
        state=state,
        description=description,
        target_url=call.field("target_url", str, needed=False),
        creator=call.token.viewer,
        created_at=call.world.now,
        app_slug=call.token.app_slug,
    )
    kept.append(made)
    return Answer(status=201, data=call.world.shapes.status(call.hosted, sha, made))


@ROUTES.add("GET", _REPO + "/commits/{sha}/statuses", "statuses:read")
def statuses(call: Call) -> Answer:
    """Every status ever set, newest first."""
    sha = _sha(call)
    found = list(reversed(call.hosted.statuses.get(sha, [])))
    return call.page(found, lambda status: call.world.shapes.status(call.hosted, sha, status))


@ROUTES.add("GET", _REPO + "/commits/{sha}/status", "statuses:read")
def combined_status(call: Call) -> Answer:
    """The newest status of every context, and what they come to."""
    sha = _sha(call)
    latest = call.hosted.latest_statuses(sha)
    states = {status.state for status in latest}
    worst = (
        "failure" if states & {"error", "failure"} else "pending" if "pending" in states or not states else "success"
    )
    address = f"{call.world.api_url}/repos/{call.hosted.full_name}/commits/{sha}"
    return Answer(
        data={
            "state": worst,
            "statuses": [call.world.shapes.status(call.hosted, sha, status) for status in latest],
            "sha": sha,
            "total_count": len(latest),
            "repository": call.world.shapes.repository(call.hosted),
            "commit_url": address,
            "url": f"{address}/status",
        }
    )


@ROUTES.add("POST", _REPO + "/check-runs", "checks:write")
def create_check_run(call: Call) -> Answer:
    """Start a check run; only an App may."""
    sha = call.field("head_sha", str)
    if call.hosted.store.resolve(sha) != sha:
        raise Refused(422, f"No commit found for SHA: {sha}")
    assert call.token is not None
    run = CheckRun(
        id=call.world.new_id(),
        name=call.field("name", str),
        head_sha=sha,
        app_slug=call.token.app_slug or "github-actions",
        status="queued",
        conclusion=None,
        started_at=call.world.now,
        completed_at=None,
        external_id="",
        details_url=None,
    )
    _update(call, run)
    call.hosted.check_runs[run.id] = run
    return Answer(status=201, data=call.world.shapes.check_run(call.hosted, run))


@ROUTES.add("PATCH", _RUN, "checks:write")
def update_check_run(call: Call) -> Answer:
    """Change a check run; annotations are added to those it has."""
    run = _run(call)
    _update(call, run)
    return Answer(data=call.world.shapes.check_run(call.hosted, run))


@ROUTES.add("GET", _RUN, "checks:read")
def check_run(call: Call) -> Answer:
    """One check run."""
    return Answer(data=call.world.shapes.check_run(call.hosted, _run(call)))


@ROUTES.add("GET", _RUN + "/annotations", "checks:read")
def annotations(call: Call) -> Answer:
    """Its annotations."""
    run = _run(call)
    page = f"{call.world.server_url}/{call.hosted.full_name}/blob/{run.head_sha}"

    def show(item: dict[str, Any]) -> dict[str, Any]:
        optional = dict.fromkeys(("start_column", "end_column", "title", "raw_details"))
        return optional | item | {"blob_href": f"{page}/{item['path']}"}

    return call.page(run.annotations, show)


@ROUTES.add("GET", _REPO + "/commits/{sha}/check-runs", "checks:read")
def check_runs(call: Call) -> Answer:
    """The check runs of a commit; of one name and App the latest, unless all are asked for."""
    sha, name = _sha(call), call.query.get("check_name")
    found = [run for run in call.hosted.check_runs.values() if run.head_sha == sha and name in {None, run.name}]
    if call.query.get("filter", "latest") == "latest":
        found = list({(run.app_slug, run.name): run for run in found}.values())
    return call.page(found, lambda run: call.world.shapes.check_run(call.hosted, run), within="check_runs")


def _update(call: Call, run: CheckRun) -> None:
    status, conclusion = (call.field(name, str, needed=False) for name in ("status", "conclusion"))
    if conclusion is not None:
        if conclusion not in _CONCLUSIONS:
            raise _invalid("CheckRun", "conclusion", f"{conclusion} is not a member of the list")
        run.conclusion, run.status, run.completed_at = conclusion, "completed", call.world.now
    elif status == "completed":
        raise _invalid("CheckRun", "conclusion", "conclusion is missing")
    elif status is not None:
        run.status = status
    run.name = call.field("name", str, needed=False) or run.name
    run.external_id = call.field("external_id", str, needed=False) or run.external_id
    run.details_url = call.field("details_url", str, needed=False) or run.details_url
    started = call.field("started_at", str, needed=False)
    if started is not None:
        run.started_at = datetime.fromisoformat(started)
    output = call.field("output", dict, needed=False)
    if output is not None:
        _write(run, output)


def _write(run: CheckRun, output: dict[str, Any]) -> None:
    added = output.get("annotations", [])
    if len(added) > _MAX_ANNOTATIONS:
        raise Refused(422, 'Invalid request.\n\nNo subschema in "anyOf" matched.\nmore than 50 annotations were given.')
    for item in added:
        if not {"path", "start_line", "end_line", "annotation_level", "message"} <= item.keys():
            raise Refused(422, "Invalid request.\n\nAn annotation lacks a field that it needs.")
        if item["annotation_level"] not in _LEVELS or item["end_line"] < item["start_line"]:
            raise Refused(422, "Invalid request.\n\nAn annotation is wrong.")
    for name in ("summary", "text"):
        if len(output.get(name) or "") > _MAX_TEXT_CHARACTERS:
            raise _invalid("CheckRun", name, f"{name} exceeds a maximum of {_MAX_TEXT_CHARACTERS} characters")
    if not isinstance(output.get("summary"), str) or not isinstance(output.get("title"), str):
        raise Refused(422, 'Invalid request.\n\n"summary" and "title" weren\'t supplied.')
    run.title, run.summary, run.text = output["title"], output["summary"], output.get("text")
    run.annotations += added


def _run(call: Call) -> CheckRun:
    found = call.hosted.check_runs.get(call.number("id"))
    if found is None:
        raise Refused(404)
    return found


def _sha(call: Call) -> str:
    found = call.hosted.store.resolve(call.names["sha"])
    if found is None:
        raise Refused(422, f"No commit found for SHA: {call.names['sha']}")
    return found


def _invalid(resource: str, field: str, message: str) -> Refused:
    error = {"resource": resource, "code": "custom", "field": field, "message": message}
    return Refused(422, "Validation Failed", errors=[error])
