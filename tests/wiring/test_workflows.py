"""The workflows of a new registry: which events wake what, what each may do, and that none runs what a pull request brings."""

import re
from typing import Any

import pytest
from ruamel.yaml import YAML

from medgauge_registrar import __version__
from medgauge_registrar.classify.classify import classify
from medgauge_registrar.git.changes import compare
from medgauge_registrar.model.change import Kind
from medgauge_registrar.policy.load import load_policy
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.registry.sources import tree_schemas
from medgauge_registrar.starter import UNNAMED_ACTION, WORKFLOWS, starter_files
from support.memory_tree import MemoryTree

NAMES = ["audit", "gate", "gate-anchor", "gate-queue-anchor", "validate"]
PULL_REQUEST_TYPES = [
    "opened", "synchronize", "closed", "reopened", "edited", "ready_for_review", "converted_to_draft", "labeled",
    "unlabeled",
]  # fmt: skip
OPTIONAL = re.compile(r"^  # (  types: .*|pull_request_target:)$", re.MULTILINE)


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    files = starter_files()
    return {
        path.removeprefix(f"{WORKFLOWS}/"): data.decode() for path, data in files.items() if path.startswith(WORKFLOWS)
    }


@pytest.fixture(scope="module")
def workflows(texts: dict[str, str]) -> dict[str, Any]:
    return {name.removesuffix(".yml"): YAML(typ="safe").load(text) for name, text in texts.items()}


def jobs(workflow: Any) -> Any:
    assert len(workflow["jobs"]) == 1
    return next(iter(workflow["jobs"].values()))


def test_the_files(texts: dict[str, str], workflows: dict[str, Any]) -> None:
    """Each file bears the name of its workflow, by which `workflow_run` knows it."""
    assert set(texts) == {f"{name}.yml" for name in NAMES}
    assert {name: workflow["name"] for name, workflow in workflows.items()} == {name: name for name in NAMES}


def test_events_that_the_pull_request_itself_governs(workflows: dict[str, Any]) -> None:
    """These files come from the pull request or the merge group; what they do, anybody may do."""
    assert workflows["validate"]["on"] == {"pull_request": None}
    assert workflows["gate-anchor"]["on"] == {
        "pull_request": {"types": PULL_REQUEST_TYPES},
        "pull_request_review": {"types": ["submitted", "edited", "dismissed"]},
    }
    assert workflows["gate-queue-anchor"]["on"] == {"merge_group": {"types": ["checks_requested"]}}


def test_events_of_the_gate(workflows: dict[str, Any]) -> None:
    """All of these run the file of the default branch; a finished run wakes the gate whatever its conclusion."""
    on = workflows["gate"]["on"]
    assert set(on) == {"workflow_run", "issue_comment", "schedule", "workflow_dispatch", "push"}
    assert on["workflow_run"] == {"workflows": ["gate-anchor", "validate", "gate-queue-anchor"], "types": ["completed"]}
    assert on["issue_comment"] == {"types": ["created", "edited", "deleted"]}
    assert len(on["schedule"]) == 1
    assert on["workflow_dispatch"]["inputs"].keys() == {"pull"}
    assert on["push"] == {
        "branches": ["main"],
        "paths": [".github/registrar.yml", ".github/workflows/gate.yml", "schemas/**"],
    }


def test_the_sweep_comes_every_quarter_of_an_hour(workflows: dict[str, Any]) -> None:
    """A lost event delays a decision by fifteen minutes at most."""
    minutes, *rest = workflows["gate"]["on"]["schedule"][0]["cron"].split()
    times = [int(minute) for minute in minutes.split(",")]
    assert rest == ["*"] * 4
    assert {(later - earlier) % 60 for earlier, later in zip(times, [*times[1:], times[0]], strict=True)} == {15}


def test_the_fast_path_is_an_option(texts: dict[str, str]) -> None:
    """Taking two comment signs away adds `pull_request_target` for the same happenings as the anchor, and nothing else."""
    plain = YAML(typ="safe").load(texts["gate.yml"])
    fast = YAML(typ="safe").load(OPTIONAL.sub(r"  \1", texts["gate.yml"]))
    assert fast["on"].pop("pull_request_target") == {"types": PULL_REQUEST_TYPES}
    assert fast == plain


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("validate", {"contents": "read"}),
        ("gate-anchor", None),
        ("gate-queue-anchor", None),
        ("gate", {"contents": "read", "issues": "read", "pull-requests": "write", "statuses": "write"}),
        ("audit", {"contents": "write", "issues": "read", "pull-requests": "read"}),
    ],
)
def test_permissions(workflows: dict[str, Any], name: str, expected: Any) -> None:
    """A job has what it needs and no more; only the one that keeps the record may write to the repository (R7)."""
    assert workflows[name]["permissions"] == {}
    assert jobs(workflows[name]).get("permissions") == expected


def test_secrets_stay_in_the_environment(texts: dict[str, str], workflows: dict[str, Any]) -> None:
    """Only jobs whose file comes from the default branch name a secret, and they take it from the environment."""
    assert {name for name, text in texts.items() if "secrets." in text} == {"audit.yml", "gate.yml"}
    for name in ("audit", "gate"):
        assert jobs(workflows[name])["environment"] == {"name": "registrar", "deployment": False}


def test_nothing_privileged_is_checked_out_or_scripted(workflows: dict[str, Any]) -> None:
    """The jobs that hold secrets consist of the action alone (C1)."""
    for name in ("audit", "gate"):
        assert [step.get("uses") for step in jobs(workflows[name])["steps"]] == [UNNAMED_ACTION]


def test_anchors_do_nothing(workflows: dict[str, Any]) -> None:
    """They exist to be followed."""
    for name in ("gate-anchor", "gate-queue-anchor"):
        assert jobs(workflows[name])["steps"] == [{"name": "Do nothing", "shell": "bash", "run": ":"}]


def test_actions_are_pinned(texts: dict[str, str]) -> None:
    """Every action is named by a full SHA, with its version beside it; the registrar's is that of this package."""
    uses = [line.strip() for text in texts.values() for line in text.splitlines() if " uses: " in line]
    assert len(uses) == 4
    for line in uses:
        assert re.fullmatch(r"uses: [\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line), line
    assert {line.partition(" # ")[2] for line in uses if UNNAMED_ACTION in line} == {f"v{__version__}"}


@pytest.mark.parametrize("name", ["gate", "audit"])
def test_a_running_decision_is_never_cancelled(workflows: dict[str, Any], name: str) -> None:
    """Ruling R6. The limit is the job's, so that a run whose condition fails cannot replace one that waits."""
    assert "concurrency" not in workflows[name]
    assert jobs(workflows[name])["concurrency"]["cancel-in-progress"] is False


def test_runs_of_one_pull_request_wait_for_each_other(workflows: dict[str, Any]) -> None:
    """The key is head repository and branch, or the number where an event tells only that (R6)."""
    key = jobs(workflows["gate"])["concurrency"]["group"]
    for part in (
        "github.event.workflow_run.head_repository.full_name, github.event.workflow_run.head_branch",
        "github.event.pull_request.head.repo.full_name, github.event.pull_request.head.ref",
        "github.event.issue.number || inputs.pull || 'sweep'",
    ):
        assert part in key


def test_a_pull_request_that_touches_them_is_the_maintainers_business(texts: dict[str, str]) -> None:
    """An edited anchor could silence the gate, so every one of these files is infrastructure and asks for row M17."""
    files = {f"{WORKFLOWS}/{name}": text.encode() for name, text in texts.items()}
    policy = load_policy(None)
    nothing = MemoryTree({})
    head = MemoryTree(files)
    schemas = tree_schemas(nothing)
    base, changed = (Registry(tree, policy.layout, schemas) for tree in (nothing, head))
    found = classify(compare(nothing, head), base=base, head=changed, table=policy.table)
    assert {item.change.path: (item.change.kind, item.change.rows) for item in found} == dict.fromkeys(
        files, (Kind.INFRA, ("M17",))
    )


def test_the_action_can_be_named() -> None:
    """`--action` puts the pinned action into every file that uses it and leaves no stand-in behind."""
    named = f"somebody/gate@{'1' * 40}"
    files = starter_files(action=named)
    assert sum(named.encode() in data for data in files.values()) == 3
    assert [path for path, data in files.items() if UNNAMED_ACTION.encode() in data] == []
