"""What lies in the registry: its settings, and its workflows held against those that `registrar init` writes."""

from collections.abc import Iterator, Mapping

from medgauge_registrar.doctor.workflow import UnreadableWorkflowError, Workflow, read_workflow
from medgauge_registrar.model.checkup import Item, by_hand, good, wrong
from medgauge_registrar.model.tree import Tree
from medgauge_registrar.policy.load import SETTINGS_PATH
from medgauge_registrar.policy.settings import Settings
from medgauge_registrar.starter import UNNAMED_ACTION, WORKFLOWS, starter_files

ENVIRONMENT = "registrar"
_GATE, _QUEUE = "gate.yml", "gate-queue-anchor.yml"
# Beyond those of the template, these events run a file as the default branch has it, and the gate knows what to do.
_ALSO = {_GATE: {"pull_request_target"}}
_WRITES = {"*", "statuses", "checks", "contents", "actions"}
_LEVELS = ("none", "read", "write")
_WRITE = _LEVELS.index("write")


def look_at_settings(settings: Settings) -> Iterator[Item]:
    """Whether the settings, which can be read, let anybody approve anything."""
    if settings.roster.kind == "none":
        yield wrong(
            SETTINGS_PATH,
            "`roster` names no source, so nobody holds a role and nothing can be approved",
            "name where the roster is kept, such as `source: secret`",
        )
    else:
        yield good(SETTINGS_PATH, f"the roster is kept as `{settings.roster.kind}`")
    if settings.gate_account is None:
        yield by_hand(
            SETTINGS_PATH,
            "whether `registrar audit` is to count the gate's notes: it counts none while `gate_account` is not set",
            "set it to the id of the gate's bot account",
        )


def look_at_workflows(tree: Tree) -> Iterator[Item]:
    """
    Hold the workflows of a registry against the templates, by what they mean: comments, names of steps and hours may differ.

    Raises:
        ReadError: The tree could not be read.
    """
    templates = _templates()
    for name, template in templates.items():
        data = tree.read(f"{WORKFLOWS}/{name}")
        if data is None:
            needed = "needed with a merge queue; " if name == _QUEUE else ""
            yield wrong(name, "is not there", f"{needed}take it from a registry that `registrar init` writes")
            continue
        try:
            found = read_workflow(data)
        except UnreadableWorkflowError:
            yield wrong(name, "is no workflow that can be read", "compare it with the one that `registrar init` writes")
            continue
        faults = list(_faults(name, found, template))
        yield from faults or [good(name, "does what the template does, and no more")]
    yield from _others(tree, templates)


def workflow_names() -> tuple[str, ...]:
    """Files of the workflows that a registry should have."""
    return tuple(_templates())


def push_branches(tree: Tree) -> Mapping[str, frozenset[str]]:
    """
    For each of our workflows that pushes wake, the branches that it names; one that names none is woken by all.

    Raises:
        ReadError: The tree could not be read.
    """
    found = {}
    for name in workflow_names():
        try:
            workflow = read_workflow(tree.read(f"{WORKFLOWS}/{name}") or b"")
        except UnreadableWorkflowError:
            continue
        branches = workflow.events.get("push", {}).get("branches")
        if branches is not None:
            found[name] = branches
    return found


def _templates() -> Mapping[str, Workflow]:
    return {
        path.removeprefix(f"{WORKFLOWS}/"): read_workflow(data)
        for path, data in starter_files().items()
        if path.startswith(f"{WORKFLOWS}/")
    }


def _faults(name: str, found: Workflow, template: Workflow) -> Iterator[Item]:
    if found.name != template.name:
        yield wrong(
            name, f"is called `{found.name}`; `{_GATE}` follows `{template.name}`", f"name it `{template.name}`"
        )
    yield from _events(name, found, template)
    yield from _permissions(name, found, template)
    if UNNAMED_ACTION in found.uses:
        yield wrong(
            name,
            "still has the stand-in for the action",
            f"replace `{UNNAMED_ACTION}` by the action's repository and the full SHA of a release",
        )
    for use in found.unpinned:
        yield wrong(name, f"`{use}` is not pinned, so others can change what runs", "name the full SHA of a release")
    if template.secrets:
        yield from _privileged(name, found)


def _events(name: str, found: Workflow, template: Workflow) -> Iterator[Item]:
    for event, filters in template.events.items():
        if event not in found.events:
            yield wrong(name, f"is not woken by `{event}`", "add the event as the template has it")
            continue
        for word in ("types", "workflows"):
            # An event without types has GitHub's default ones, so a filter that is gone is as wrong as one that lacks a word.
            lacking = filters.get(word, frozenset()) - found.events[event].get(word, frozenset())
            if lacking:
                listed = ", ".join(f"`{item}`" for item in sorted(lacking))
                yield wrong(name, f"`{event}` lacks {word} {listed}", "add them as the template has them")
    if template.secrets:
        for event in sorted(found.events.keys() - template.events.keys() - _ALSO.get(name, set())):
            yield wrong(
                name, f"`{event}` wakes a job that holds secrets", "take the event away; the template does without it"
            )


def _permissions(name: str, found: Workflow, template: Workflow) -> Iterator[Item]:
    allowed = template.permissions or {}
    if found.permissions is None:
        yield wrong(
            name,
            "a job does not say what it may, so it may what the repository's settings say",
            "write `permissions: {}` at the top, and what a job needs beside the job",
        )
        return
    for scope, level in sorted(found.permissions.items()):
        if level > allowed.get(scope, 0):
            yield wrong(
                name,
                f"may `{scope}: {_LEVELS[level]}`, and needs `{_LEVELS[allowed.get(scope, 0)]}`",
                "give it what the template gives it",
            )


def _privileged(name: str, found: Workflow) -> Iterator[Item]:
    if any(use.startswith("actions/checkout@") for use in found.uses):
        yield wrong(
            name, "checks something out beside secrets", "take the step away; the gate reads git objects itself"
        )
    if found.runs or len(found.uses) > 1:
        yield by_hand(name, "has steps beside the registrar's: see that none runs what a pull request brings")
    if found.environments != {ENVIRONMENT}:
        yield wrong(
            name,
            f"takes secrets from elsewhere than the environment `{ENVIRONMENT}`",
            f"write `environment: {ENVIRONMENT}` at the job, and keep the secrets there",
        )
    if found.cancels:
        yield wrong(
            name,
            "lets a newer run cancel one that is running",
            "write `cancel-in-progress: false`; waiting ones may go",
        )


def _others(tree: Tree, templates: Mapping[str, Workflow]) -> Iterator[Item]:
    """Workflows of the registry's own that could post the gate's status or move a branch."""
    able = []
    for name in tree.listing(WORKFLOWS):
        if name in templates or not name.endswith((".yml", ".yaml")):
            continue
        try:
            permissions = read_workflow(tree.read(f"{WORKFLOWS}/{name}") or b"").permissions
        except UnreadableWorkflowError:
            permissions = None
        if permissions is None or any(permissions.get(scope) == _WRITE for scope in _WRITES):
            able.append(name)
    if able:
        yield by_hand(
            WORKFLOWS,
            f"{', '.join(f'`{name}`' for name in sorted(able))} may write: without an App as the status's source, any of "
            "them could post it",
        )
