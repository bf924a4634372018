"""What GitHub tells about the settings of a registry; what the token may not see is left for a person to check."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import quote

from medgauge_registrar.doctor.files import ENVIRONMENT
from medgauge_registrar.model.checkup import Item, by_hand, good, wrong
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.starter import WORKFLOWS

# Id of the App as which every workflow's own token speaks (GitHub Actions).
_EVERY_WORKFLOW = 15368
_FOUND = 200
_PAGE_SIZE = 100
_PAGE = f"per_page={_PAGE_SIZE}"
# What GitHub says of a branch to those who may see its protection, where there is none.
_UNPROTECTED = "Branch not protected"
_Rules: TypeAlias = Mapping[str, Sequence[Mapping[str, Any]]]


class Seen(NamedTuple):
    """An answer of the REST API: status and body."""

    status: int
    data: Any


Get = Callable[[str], Seen]


@frozen
class Question:
    """
    Which registry, and what is expected of it.

    Attributes:
        repository: `owner/name`.
        status_context: Name of the gate's status, without the branch.
        workflows: Files of the workflows that should be active.
        secrets: Names of the secrets that the settings need.
        app_id: The gate's App; null: it speaks with the token of the job.
        push_branches: For each workflow that a push wakes, the branches that it names.
    """

    repository: str
    status_context: str
    workflows: tuple[str, ...]
    secrets: frozenset[str]
    app_id: int | None
    push_branches: Mapping[str, frozenset[str]]


def look_at_github(question: Question, get: Get) -> Iterator[Item]:
    """
    Look at branch rules, environment, workflows and Actions settings.

    Args:
        question: Which registry.
        get: Sends a GET to a path below the API's address.

    Raises:
        ReadError: The repository itself cannot be read, or an answer is not of the documented form.

    Source:
        GitHub REST API: "Get a repository", "Get rules for a branch", "Get branch protection", "List environments",
        "List repository workflows", "Get GitHub Actions permissions for a repository".
    """
    base = f"/repos/{'/'.join(quote(part, safe='') for part in question.repository.split('/'))}"
    repository = get(base)
    if repository.status != _FOUND:
        raise ReadError(
            f"{question.repository}: GitHub answered {repository.status}; see to the name and to the token's permissions"
        )
    try:
        branch = str(repository.data["default_branch"])
        for name, branches in question.push_branches.items():
            if branch not in branches:
                yield wrong(name, f"is not woken by pushes to `{branch}`", f"write `branches: [{branch}]` under `push`")
        yield from _branch(question, base, branch, get)
        yield from _environment(question, base, branch, get)
        yield from _workflows(question, base, get)
        yield from _actions(base, get)
        yield from _reporting(base, get)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ReadError(
            f"{question.repository}: an answer of GitHub is not of the documented form ({type(error).__name__})"
        ) from None


def _branch(question: Question, base: str, branch: str, get: Get) -> Iterator[Item]:
    about, context = f"branch {branch}", f"{question.status_context}: {branch}"
    rules, whole = _rules(base, branch, get)

    def lacking(said: str, cure: str) -> Item:
        # The older protection of a branch is shown to administrators alone, and may hold what the rulesets lack.
        return wrong(about, said, cure) if whole else by_hand(about, f"as far as the token sees, it {said}", cure)

    yield from _required(context, question.app_id, rules, lacking)
    if "pull_request" not in rules:
        yield lacking("can be changed without a pull request", "add the rule *Require a pull request*")
    for rule, words in (("non_fast_forward", "force pushes"), ("deletion", "deletion")):
        if rule not in rules:
            yield lacking(f"allows {words}", f"add the rule that blocks {words}")
    if "merge_queue" in rules:
        yield good(about, "has a merge queue: every group is decided anew")
    elif any(rule["strict"] for rule in rules.get("required_status_checks", ())):
        yield good(about, "merges only what is up to date with it")
    else:
        yield lacking(
            "merges what was decided before it moved on",
            "require branches to be up to date before merging, or a merge queue",
        )
    yield by_hand(about, "that nobody stands on the list of those who may bypass its rules")


def _required(context: str, app_id: int | None, rules: _Rules, lacking: Callable[[str, str], Item]) -> Iterator[Item]:
    about = "required status"
    sources = [
        check["source"]
        for rule in rules.get("required_status_checks", ())
        for check in rule["checks"]
        if check["context"].casefold() == context.casefold()
    ]
    if not sources:
        yield lacking(
            f"does not require the status `{context}`", "add it to the rules; the list has it once the gate ran"
        )
    elif app_id is None:
        anybody = "any workflow" if _EVERY_WORKFLOW in sources else "anybody with write access"
        yield good(about, f"`{context}` is required")
        yield by_hand(about, f"{anybody} can post it: enough only while all of them are trusted; else use an App")
    elif app_id in sources:
        yield good(about, f"`{context}` is required, from the gate's App alone")
    else:
        yield wrong(
            about,
            f"`{context}` is required, but not from the gate's App, so others can post it",
            "name the App as the source of the status",
        )


def _rules(base: str, branch: str, get: Get) -> tuple[_Rules, bool]:
    """Rules of rulesets and of the older branch protection by type, and whether these are all."""
    at = quote(branch, safe="")
    found: dict[str, list[Mapping[str, Any]]] = {}
    rulesets = get(f"{base}/rules/branches/{at}?{_PAGE}")
    if rulesets.status == _FOUND:
        for rule in rulesets.data:
            found.setdefault(rule["type"], []).append(_ruleset_rule(rule))
    protection = get(f"{base}/branches/{at}/protection")
    if protection.status == _FOUND:
        for kind, told in _protection_rules(protection.data):
            found.setdefault(kind, []).append(told)
    none = protection.data.get("message") == _UNPROTECTED
    whole = rulesets.status == _FOUND and len(rulesets.data) < _PAGE_SIZE and (protection.status == _FOUND or none)
    return found, whole


def _ruleset_rule(rule: Mapping[str, Any]) -> Mapping[str, Any]:
    if rule["type"] != "required_status_checks":
        return {}
    parameters = rule["parameters"]
    return {
        "strict": parameters["strict_required_status_checks_policy"],
        "checks": [
            {"context": check["context"], "source": check.get("integration_id")}
            for check in parameters["required_status_checks"]
        ],
    }


def _protection_rules(protection: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if protection.get("required_pull_request_reviews"):
        yield "pull_request", {}
    for name, kind in (("allow_force_pushes", "non_fast_forward"), ("allow_deletions", "deletion")):
        if not (protection.get(name) or {}).get("enabled"):
            yield kind, {}
    required = protection.get("required_status_checks")
    if required:
        yield (
            "required_status_checks",
            {
                "strict": required["strict"],
                "checks": [
                    {"context": check["context"], "source": check.get("app_id")} for check in required.get("checks", [])
                ],
            },
        )


def _environment(question: Question, base: str, branch: str, get: Get) -> Iterator[Item]:
    about = f"environment {ENVIRONMENT}"
    listed = _listed(get(f"{base}/environments?{_PAGE}"), "environments")
    if listed is None:
        yield by_hand(about, f"that it is there and that only `{branch}` may use it")
        return
    found = [item for item in listed if item["name"].casefold() == ENVIRONMENT]
    if not found:
        yield wrong(
            about,
            "is not there; the first run would make one that every branch may use",
            f"make it under *Settings → Environments* and limit it to `{branch}`",
        )
        return
    policy = found[0].get("deployment_branch_policy")
    names: list[str] | None = None
    if policy is not None and policy["custom_branch_policies"]:
        path = f"{base}/environments/{ENVIRONMENT}/deployment-branch-policies?{_PAGE}"
        branches = _listed(get(path), "branch_policies")
        if branches is None:
            yield by_hand(about, f"that only `{branch}` is on the list of its branches")
            return
        names = [str(item["name"]) for item in branches]
    if names == [branch]:
        yield good(about, f"only `{branch}` may use it")
    else:
        yield wrong(
            about,
            f"may be used by more than `{branch}`: whoever can push there can read its secrets",
            f"choose *Selected branches* and name `{branch}` alone",
        )
    yield from _secrets(question, base, about, get)


def _secrets(question: Question, base: str, about: str, get: Get) -> Iterator[Item]:
    inside = _listed(get(f"{base}/environments/{ENVIRONMENT}/secrets?{_PAGE}"), "secrets")
    outside = _listed(get(f"{base}/actions/secrets?{_PAGE}"), "secrets")
    if inside is None or outside is None:
        yield by_hand(
            about, "that the secrets of the gate are kept there, and none of them beside the repository's own"
        )
        return
    there = {item["name"] for item in inside}
    exposed = sorted(item["name"] for item in outside if item["name"].startswith("REGISTRAR_"))
    for name in sorted(question.secrets - there - set(exposed)):
        yield wrong(about, f"has no secret `{name}`", "add it there; the settings of the registry ask for it")
    for name in exposed:
        yield wrong(
            "secrets of the repository",
            f"`{name}` can be read by every branch with a workflow",
            f"move it into the environment `{ENVIRONMENT}`",
        )


def _workflows(question: Question, base: str, get: Get) -> Iterator[Item]:
    listed = _listed(get(f"{base}/actions/workflows?{_PAGE}"), "workflows")
    if listed is None:
        yield by_hand("workflows", "that none of them is disabled")
        return
    states = {item["path"]: item["state"] for item in listed}
    for name in question.workflows:
        state = states.get(f"{WORKFLOWS}/{name}")
        if state is None:
            yield wrong(name, "is not known to GitHub", "merge it into the default branch")
        elif state != "active":
            yield wrong(
                name, f"is `{state}`", "enable it on the Actions page; GitHub stops schedules after 60 quiet days"
            )


def _actions(base: str, get: Get) -> Iterator[Item]:
    permissions = get(f"{base}/actions/permissions")
    workflow = get(f"{base}/actions/permissions/workflow")
    if permissions.status == _FOUND and not permissions.data["enabled"]:
        yield wrong("Actions", "are off", "turn them on")
    if workflow.status == _FOUND:
        if workflow.data["default_workflow_permissions"] != "read":
            yield wrong("Actions", "give every workflow a token that writes", "set workflow permissions to *Read*")
        if workflow.data["can_approve_pull_request_reviews"]:
            yield wrong("Actions", "may approve pull requests", "turn it off; the gate counts no bot, GitHub would")
    if not permissions.status == workflow.status == _FOUND:
        yield by_hand("Actions", "that workflow permissions are *Read*, and that Actions may not approve pull requests")
    yield by_hand("Actions", "if `gate.yml` uses `pull_request_target`: that the Actions policy allows it there")


def _reporting(base: str, get: Get) -> Iterator[Item]:
    reporting = get(f"{base}/private-vulnerability-reporting")
    if reporting.status == _FOUND and reporting.data["enabled"]:
        yield good("reporting", "closed material that got out can be reported in private")
    elif reporting.status == _FOUND:
        yield wrong("reporting", "there is no private way to report closed material", "turn private reporting on")
    else:
        yield by_hand("reporting", "that private vulnerability reporting is on")


def _listed(seen: Seen, key: str) -> Sequence[Mapping[str, Any]] | None:
    """The items of a list; null if it cannot be seen, or not whole."""
    if seen.status != _FOUND or seen.data["total_count"] > len(seen.data[key]):
        return None
    items: Sequence[Mapping[str, Any]] = seen.data[key]
    return items
