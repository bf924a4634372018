"""What the doctor makes of GitHub's answers: a setting that weakens the gate is named, one that is not seen is a person's."""

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from medgauge_registrar.doctor.remote import Question, Seen, look_at_github
from medgauge_registrar.model.checkup import Item, Standing
from medgauge_registrar.model.errors import ReadError

BASE = "/repos/example-organisation/registry"
RULES = f"{BASE}/rules/branches/main?per_page=100"
PROTECTION = f"{BASE}/branches/main/protection"
ENVIRONMENTS = f"{BASE}/environments?per_page=100"
BRANCHES = f"{BASE}/environments/registrar/deployment-branch-policies?per_page=100"
SECRETS = f"{BASE}/environments/registrar/secrets?per_page=100"
EXPOSED = f"{BASE}/actions/secrets?per_page=100"
WORKFLOWS = f"{BASE}/actions/workflows?per_page=100"
PERMISSIONS = f"{BASE}/actions/permissions"
TOKENS = f"{BASE}/actions/permissions/workflow"
REPORTING = f"{BASE}/private-vulnerability-reporting"
APP = 4711
RULESET = json.loads((Path(__file__).parents[2] / "docs" / "ruleset.json").read_text(encoding="utf-8"))
QUESTION = Question(
    repository="example-organisation/registry",
    status_context="registrar",
    workflows=("gate.yml",),
    secrets=frozenset({"REGISTRAR_ROSTER"}),
    app_id=None,
    push_branches={"audit.yml": frozenset({"main"})},
)
GOOD: Mapping[str, tuple[int, Any]] = {
    BASE: (200, {"default_branch": "main"}),
    RULES: (200, RULESET["rules"]),
    PROTECTION: (404, {"message": "Branch not protected"}),
    ENVIRONMENTS: (
        200,
        {
            "total_count": 1,
            "environments": [
                {
                    "name": "registrar",
                    "deployment_branch_policy": {"protected_branches": False, "custom_branch_policies": True},
                }
            ],
        },
    ),
    BRANCHES: (200, {"total_count": 1, "branch_policies": [{"name": "main"}]}),
    SECRETS: (200, {"total_count": 1, "secrets": [{"name": "REGISTRAR_ROSTER"}]}),
    EXPOSED: (200, {"total_count": 1, "secrets": [{"name": "OTHER"}]}),
    WORKFLOWS: (200, {"total_count": 1, "workflows": [{"path": ".github/workflows/gate.yml", "state": "active"}]}),
    PERMISSIONS: (200, {"enabled": True}),
    TOKENS: (200, {"default_workflow_permissions": "read", "can_approve_pull_request_reviews": False}),
    REPORTING: (200, {"enabled": True}),
}
ALWAYS_BY_HAND = [
    "required status: anybody with write access can post it: enough only while all of them are trusted; else use an App",
    "branch main: that nobody stands on the list of those who may bypass its rules",
    "Actions: if `gate.yml` uses `pull_request_target`: that the Actions policy allows it there",
]


def looked(question: Question = QUESTION, *, edit: Callable[[dict[str, Any]], None] = lambda _: None) -> list[Item]:
    """Look at a registry in order, changed by `edit`; an answer that was not foreseen raises."""
    world = {path: list(answer) for path, answer in deepcopy(dict(GOOD)).items()}
    edit(world)
    return list(look_at_github(question, lambda path: Seen(*world[path])))


def told(items: list[Item], standing: Standing) -> list[str]:
    return [f"{item.about}: {item.said}" for item in items if item.standing is standing]


def rule(world: dict[str, Any], kind: str) -> dict[str, Any]:
    found: dict[str, Any] = next(item for item in world[RULES][1] if item["type"] == kind)
    return found


def without(kind: str) -> Callable[[dict[str, Any]], None]:
    def edit(world: dict[str, Any]) -> None:
        world[RULES][1].remove(rule(world, kind))

    return edit


def answer(path: str, *, status: int = 200, **change: Any) -> Callable[[dict[str, Any]], None]:
    def edit(world: dict[str, Any]) -> None:
        world[path] = [status, {**world[path][1], **change} if status == 200 else {"message": "Not Found"}]

    return edit


def test_the_ruleset_of_the_documentation_is_good() -> None:
    """With the rules that the README imports, nothing is wrong and three things remain for a person."""
    found = looked()
    assert told(found, Standing.WRONG) == []
    assert told(found, Standing.BY_HAND) == ALWAYS_BY_HAND


def other_environment(world: dict[str, Any]) -> None:
    world[ENVIRONMENTS][1]["environments"][0]["name"] = "production"


def open_environment(world: dict[str, Any]) -> None:
    world[ENVIRONMENTS][1]["environments"][0]["deployment_branch_policy"] = None


def protected_environment(world: dict[str, Any]) -> None:
    """Every protected branch, and who may push there can make one."""
    world[ENVIRONMENTS][1]["environments"][0]["deployment_branch_policy"] = {
        "protected_branches": True,
        "custom_branch_policies": False,
    }


def wide_environment(world: dict[str, Any]) -> None:
    world[BRANCHES][1]["branch_policies"].append({"name": "release/*"})


def exposed_secret(world: dict[str, Any]) -> None:
    world[EXPOSED][1]["secrets"] = [{"name": "REGISTRAR_ROSTER"}]


def loose(world: dict[str, Any]) -> None:
    rule(world, "required_status_checks")["parameters"]["strict_required_status_checks_policy"] = False


def other_status(world: dict[str, Any]) -> None:
    rule(world, "required_status_checks")["parameters"]["required_status_checks"] = [{"context": "registrar/main"}]


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (without("pull_request"), "branch main: can be changed without a pull request"),
        (without("non_fast_forward"), "branch main: allows force pushes"),
        (without("deletion"), "branch main: allows deletion"),
        (other_status, "branch main: does not require the status `registrar: main`"),
        (loose, "branch main: merges what was decided before it moved on"),
        (other_environment, "environment registrar: is not there; the first run would make one that every branch may use"),
        (open_environment,
         "environment registrar: may be used by more than `main`: whoever can push there can read its secrets"),
        (protected_environment,
         "environment registrar: may be used by more than `main`: whoever can push there can read its secrets"),
        (wide_environment,
         "environment registrar: may be used by more than `main`: whoever can push there can read its secrets"),
        (answer(SECRETS, secrets=[], total_count=0), "environment registrar: has no secret `REGISTRAR_ROSTER`"),
        (exposed_secret, "secrets of the repository: `REGISTRAR_ROSTER` can be read by every branch with a workflow"),
        (answer(WORKFLOWS, workflows=[], total_count=0), "gate.yml: is not known to GitHub"),
        (answer(WORKFLOWS, workflows=[{"path": ".github/workflows/gate.yml", "state": "disabled_inactivity"}]),
         "gate.yml: is `disabled_inactivity`"),
        (answer(PERMISSIONS, enabled=False), "Actions: are off"),
        (answer(TOKENS, default_workflow_permissions="write"), "Actions: give every workflow a token that writes"),
        (answer(TOKENS, can_approve_pull_request_reviews=True), "Actions: may approve pull requests"),
        (answer(REPORTING, enabled=False), "reporting: there is no private way to report closed material"),
    ],
)  # fmt: skip
def test_a_setting_that_weakens_the_gate_is_wrong(edit: Callable[[dict[str, Any]], None], said: str) -> None:
    """One setting changed, one finding, with what to do."""
    found = looked(edit=edit)
    assert told(found, Standing.WRONG) == [said]
    assert all(item.cure for item in found if item.standing is Standing.WRONG)


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (answer(ENVIRONMENTS, status=403), "environment registrar: that it is there and that only `main` may use it"),
        (answer(ENVIRONMENTS, total_count=101), "environment registrar: that it is there and that only `main` may use it"),
        (answer(BRANCHES, status=403), "environment registrar: that only `main` is on the list of its branches"),
        (answer(SECRETS, status=403),
         "environment registrar: that the secrets of the gate are kept there, and none of them beside the repository's own"),
        (answer(EXPOSED, status=403),
         "environment registrar: that the secrets of the gate are kept there, and none of them beside the repository's own"),
        (answer(WORKFLOWS, status=403), "workflows: that none of them is disabled"),
        (answer(PERMISSIONS, status=403),
         "Actions: that workflow permissions are *Read*, and that Actions may not approve pull requests"),
        (answer(TOKENS, status=404),
         "Actions: that workflow permissions are *Read*, and that Actions may not approve pull requests"),
        (answer(REPORTING, status=404), "reporting: that private vulnerability reporting is on"),
    ],
)  # fmt: skip
def test_what_the_token_may_not_see_is_for_a_person(edit: Callable[[dict[str, Any]], None], said: str) -> None:
    """A refusal is never taken for a fault, nor for all being well."""
    found = looked(edit=edit)
    assert told(found, Standing.WRONG) == []
    assert sorted(told(found, Standing.BY_HAND)) == sorted([*ALWAYS_BY_HAND, said])


@pytest.mark.parametrize("status", [403, 404])
def test_a_rule_may_hide_in_the_older_protection(status: int) -> None:
    """While that cannot be seen, a rule that the rulesets lack is nothing that the doctor knows to be wrong."""

    def edit(world: dict[str, Any]) -> None:
        world[RULES] = [200, []]
        world[PROTECTION] = [status, {"message": "Not Found"}]

    found = looked(edit=edit)
    assert told(found, Standing.WRONG) == []
    seen = [said for said in told(found, Standing.BY_HAND) if "as far as the token sees" in said]
    assert len(seen) == 5


def test_the_older_protection_counts() -> None:
    """A branch that is protected the older way is as good."""

    def edit(world: dict[str, Any]) -> None:
        world[RULES] = [200, []]
        world[PROTECTION] = [
            200,
            {
                "required_pull_request_reviews": {"required_approving_review_count": 0},
                "allow_force_pushes": {"enabled": False},
                "allow_deletions": {"enabled": False},
                "required_status_checks": {
                    "strict": True,
                    "checks": [{"context": "registrar: main", "app_id": None}],
                },
            },
        ]

    found = looked(edit=edit)
    assert told(found, Standing.WRONG) == []
    assert told(found, Standing.BY_HAND) == ALWAYS_BY_HAND


def test_the_older_protection_can_lack_everything() -> None:
    """Each part is judged for itself."""

    def edit(world: dict[str, Any]) -> None:
        world[RULES] = [200, []]
        world[PROTECTION] = [200, {"allow_force_pushes": {"enabled": True}, "allow_deletions": {"enabled": True}}]

    assert len(told(looked(edit=edit), Standing.WRONG)) == 5


def test_a_merge_queue_makes_up_for_loose_checks() -> None:
    """Every group is decided anew, so the branch need not be up to date."""

    def edit(world: dict[str, Any]) -> None:
        loose(world)
        world[RULES][1].append({"type": "merge_queue", "parameters": {}})

    assert told(looked(edit=edit), Standing.WRONG) == []


@pytest.mark.parametrize(
    ("source", "said", "standing"),
    [
        (APP, "`registrar: main` is required, from the gate's App alone", Standing.GOOD),
        (15368, "`registrar: main` is required, but not from the gate's App, so others can post it", Standing.WRONG),
        (None, "`registrar: main` is required, but not from the gate's App, so others can post it", Standing.WRONG),
    ],
)
def test_source_of_the_status(source: int | None, said: str, standing: Standing) -> None:
    """Where the gate has an App, the status has to be the App's."""

    def edit(world: dict[str, Any]) -> None:
        check = rule(world, "required_status_checks")["parameters"]["required_status_checks"][0]
        if source is not None:
            check["integration_id"] = source

    question = Question(**{**{name: getattr(QUESTION, name) for name in QUESTION.__slots__}, "app_id": APP})
    assert f"required status: {said}" in told(looked(question, edit=edit), standing)


def test_a_required_status_is_known_in_any_letter_case() -> None:
    """GitHub takes it for the gate's."""

    def edit(world: dict[str, Any]) -> None:
        rule(world, "required_status_checks")["parameters"]["required_status_checks"][0]["context"] = "Registrar: MAIN"

    assert "required status: `registrar: main` is required" in told(looked(edit=edit), Standing.GOOD)


def test_a_default_branch_of_another_name() -> None:
    """Workflows that a push wakes have to name it, and so has the context."""

    def edit(world: dict[str, Any]) -> None:
        world[BASE] = [200, {"default_branch": "a/b"}]
        world[f"{BASE}/rules/branches/a%2Fb?per_page=100"] = world.pop(RULES)
        world[f"{BASE}/branches/a%2Fb/protection"] = world.pop(PROTECTION)
        world[BRANCHES][1]["branch_policies"] = [{"name": "a/b"}]

    assert told(looked(edit=edit), Standing.WRONG) == [
        "audit.yml: is not woken by pushes to `a/b`",
        "branch a/b: does not require the status `registrar: a/b`",
    ]


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_repository_that_cannot_be_read(status: int) -> None:
    """Nothing is said of settings that nobody saw."""
    with pytest.raises(ReadError, match=f"example-organisation/registry: GitHub answered {status}"):
        looked(edit=answer(BASE, status=status))


@pytest.mark.parametrize("path", [BASE, RULES, ENVIRONMENTS, SECRETS, WORKFLOWS, PERMISSIONS, TOKENS, REPORTING])
def test_an_answer_of_another_form(path: str) -> None:
    """A change of GitHub's is an error, never a clean bill."""

    def edit(world: dict[str, Any]) -> None:
        world[path] = [200, {"something": "else"}]

    with pytest.raises(ReadError, match="not of the documented form"):
        looked(edit=edit)
