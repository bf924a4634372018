"""What the doctor sees in the files: each template passes, and each way to weaken one is named."""

from collections.abc import Sequence

import pytest

from medgauge_registrar.doctor.files import look_at_settings, look_at_workflows
from medgauge_registrar.doctor.workflow import UnreadableWorkflowError, read_workflow
from medgauge_registrar.model.checkup import Item, Standing
from medgauge_registrar.policy.load import load_policy
from medgauge_registrar.starter import UNNAMED_ACTION, WORKFLOWS, starter_files
from support.memory_tree import MemoryTree

ACTION = f"somebody/gate@{'1' * 40}"
STEPS = "    steps:\n"
OWN = """\
name: own
on: push
permissions: {}
jobs:
  own:
    runs-on: ubuntu-latest
    steps: [{run: make}]
"""


def looked(name: str = "", old: str = "", new: str = "", **more: str) -> list[Item]:
    """Look at the templates with one text of one file replaced, and further files of the registry's own."""
    files = starter_files(action=ACTION)
    if name:
        path = f"{WORKFLOWS}/{name}.yml"
        text = files[path].decode()
        assert text.count(old) >= 1, old
        files[path] = text.replace(old, new).encode()
    files |= {f"{WORKFLOWS}/{own}.yml": text.encode() for own, text in more.items()}
    return list(look_at_workflows(MemoryTree(files)))


def told(items: Sequence[Item], standing: Standing = Standing.WRONG) -> list[str]:
    return [f"{item.about}: {item.said}" for item in items if item.standing is standing]


def test_templates_are_good() -> None:
    """With the action named, all five are, and nothing is left to a person."""
    assert [(item.about, item.standing) for item in looked()] == [
        (f"{name}.yml", Standing.GOOD) for name in ("audit", "gate-anchor", "gate-queue-anchor", "gate", "validate")
    ]


def test_the_stand_in_is_named() -> None:
    """As `registrar init` leaves them, three workflows still need the action."""
    found = list(look_at_workflows(MemoryTree(starter_files())))
    assert told(found) == [
        f"{name}.yml: still has the stand-in for the action" for name in ("audit", "gate", "validate")
    ]
    assert UNNAMED_ACTION in next(item.cure for item in found if item.standing is Standing.WRONG)


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("gate", "  issue_comment:\n    types: [created, edited, deleted]\n", "", "is not woken by `issue_comment`"),
        ("gate", "created, edited, deleted", "created", "`issue_comment` lacks types `deleted`, `edited`"),
        ("gate", "[gate-anchor, validate, gate-queue-anchor]", "[validate]",
         "`workflow_run` lacks workflows `gate-anchor`, `gate-queue-anchor`"),
        ("gate-anchor", ", dismissed", "", "`pull_request_review` lacks types `dismissed`"),
        ("gate-anchor", "    types: [submitted, edited, dismissed]\n", "",
         "`pull_request_review` lacks types `dismissed`, `edited`, `submitted`"),
        ("gate", "  schedule:\n", "  pull_request:\n  schedule:\n", "`pull_request` wakes a job that holds secrets"),
        ("audit", "  push:\n", "  pull_request_target:\n  push:\n",
         "`pull_request_target` wakes a job that holds secrets"),
        ("gate-anchor", "name: gate-anchor\n", "name: anchor\n", "is called `anchor`; `gate.yml` follows `gate-anchor`"),
        ("gate", "contents: read", "contents: write", "may `contents: write`, and needs `read`"),
        ("gate-anchor", "permissions: {}", "permissions: write-all", "may `*: write`, and needs `none`"),
        ("gate-anchor", "permissions: {}\n", "",
         "a job does not say what it may, so it may what the repository's settings say"),
        ("gate", ACTION, "somebody/gate@v1", "`somebody/gate@v1` is not pinned, so others can change what runs"),
        ("validate", "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1", "actions/checkout@v7",
         "`actions/checkout@v7` is not pinned, so others can change what runs"),
        ("gate", STEPS, f"{STEPS}      - uses: actions/checkout@{'1' * 40}\n", "checks something out beside secrets"),
        ("gate", "name: registrar\n", "name: production\n", "takes secrets from elsewhere than the environment `registrar`"),
        ("audit", "    environment:\n      name: registrar\n      deployment: false\n", "",
         "takes secrets from elsewhere than the environment `registrar`"),
        ("gate", "cancel-in-progress: false", "cancel-in-progress: true",
         "lets a newer run cancel one that is running"),
        ("gate", "permissions: {}", "permissions: [", "is no workflow that can be read"),
    ],
)  # fmt: skip
def test_a_weakened_workflow_is_wrong(name: str, old: str, new: str, said: str) -> None:
    """One fault, one finding with what to do; the other files stay good."""
    found = looked(name, old, new)
    assert told(found) == [f"{name}.yml: {said}"]
    assert all(item.cure for item in found if item.standing is Standing.WRONG)
    assert len(told(found, Standing.GOOD)) == 4


@pytest.mark.parametrize("name", ["audit", "gate-anchor", "gate-queue-anchor", "gate", "validate"])
def test_a_missing_workflow_is_wrong(name: str) -> None:
    """The anchor of the queue is asked for as well; its help says when it is needed."""
    files = starter_files(action=ACTION)
    del files[f"{WORKFLOWS}/{name}.yml"]
    found = list(look_at_workflows(MemoryTree(files)))
    assert told(found) == [f"{name}.yml: is not there"]
    assert any("merge queue" in item.cure for item in found) is (name == "gate-queue-anchor")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("gate", "4,19,34,49 * * * *", "*/10 * * * *"),
        ("gate", "branches: [main]", "branches: [trunk]"),
        ("gate", "  # pull_request_target:\n  #   types:", "  pull_request_target:\n    types:"),
        ("gate", "      pull-requests: write # to comment, and to answer commands\n", ""),
        ("gate", "name: Decide\n", "name: Judge\n"),
        ("validate", "timeout-minutes: 10", "timeout-minutes: 20"),
    ],
)
def test_what_a_registry_may_choose_is_good(name: str, old: str, new: str) -> None:
    """Hours, branches, the fast path, fewer permissions and names are the registry's own business."""
    assert told(looked(name, old, new)) == []


def test_further_steps_are_for_a_person_to_read() -> None:
    """A step beside the registrar's need not be wrong."""
    found = looked("gate", STEPS, f"{STEPS}      - run: date\n")
    assert told(found) == []
    assert told(found, Standing.BY_HAND) == [
        "gate.yml: has steps beside the registrar's: see that none runs what a pull request brings"
    ]


@pytest.mark.parametrize(
    ("own", "listed"),
    [
        (OWN, False),
        (OWN.replace("{}", "{statuses: write}"), True),
        (OWN.replace("{}", "{contents: write}"), True),
        (OWN.replace("{}", "{issues: write}"), False),
        (OWN.replace("{}", "write-all"), True),
        (OWN.replace("permissions: {}\n", ""), True),
        ("[", True),
    ],
)
def test_own_workflows_that_could_post_the_status(own: str, listed: bool) -> None:
    """A person has to know them, since without an App they share the gate's token."""
    found = told(looked(own=own), Standing.BY_HAND)
    assert found == (
        [".github/workflows: `own.yml` may write: without an App as the status's source, any of them could post it"]
        if listed
        else []
    )


def test_settings_without_a_roster_are_wrong() -> None:
    """As the starter has it nobody holds a role."""
    (found,) = look_at_settings(load_policy(b"gate_account: 1\n").settings)
    assert found.standing is Standing.WRONG
    assert "nobody holds a role" in found.said
    (found,) = look_at_settings(load_policy(b"gate_account: 1\nroster: {source: secret}\n").settings)
    assert found.standing is Standing.GOOD


def test_notes_of_a_gate_that_is_not_named() -> None:
    """The audit counts none of them, which a registry may not mind yet."""
    found = list(look_at_settings(load_policy(b"roster: {source: secret}\n").settings))
    assert [item.standing for item in found] == [Standing.GOOD, Standing.BY_HAND]
    assert "gate_account" in found[1].said


@pytest.mark.parametrize(
    "text", ["", "[]", "name: x", "on: push", "on: push\njobs: []", "on: push\njobs: {a: {permissions: x}}"]
)
def test_what_is_no_workflow(text: str) -> None:
    """Anything of another form is refused rather than half read."""
    with pytest.raises(UnreadableWorkflowError):
        read_workflow(text.encode())
