"""The whole examination, against the embedded GitHub."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from medgauge_registrar.doctor.run import Examination, examine
from medgauge_registrar.model.checkup import Item, Standing
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.sandbox.edits import append
from support.live import SETTINGS, LiveWorld, live_world, person
from support.snapshots import NOW

RULESET = json.loads((Path(__file__).parents[2] / "docs" / "ruleset.json").read_text(encoding="utf-8"))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[LiveWorld]:
    """A starter registry whose roster is a secret of the job."""
    with live_world(tmp_path) as found:
        yield found


def examined(world: LiveWorld, **environment: str) -> list[Item]:
    return examine(
        Examination(
            repository=world.folder / "registry.git", revision="main", roster=None, now=NOW, environment=environment
        )
    )


def about(items: list[Item], standing: Standing) -> set[str]:
    return {item.about for item in items if item.standing is standing}


def protect(world: LiveWorld, **environment: Any) -> None:
    """Set everything as the documentation says."""
    settings = world.github.registry.settings
    settings.rules[:] = RULESET["rules"]
    policy = {"protected_branches": False, "custom_branch_policies": True}
    settings.environments[:] = [{"name": "registrar", "deployment_branch_policy": policy, **environment}]
    settings.branch_policies["registrar"] = ["main"]
    settings.secrets["registrar"] = ["REGISTRAR_ROSTER"]
    settings.private_reporting = True


def test_without_a_token_github_is_for_a_person(world: LiveWorld) -> None:
    """The files are looked at, and nothing is asked over the network."""
    found = examined(world)
    assert {"GitHub", "roster"} <= about(found, Standing.BY_HAND)
    assert world.sent() == []


def test_a_registry_set_up_as_the_documentation_says(world: LiveWorld) -> None:
    """Only the stand-in for the action is wrong; settings and roster are read, and nothing is written."""
    protect(world)
    found = examined(world, **world.environment())
    assert about(found, Standing.WRONG) == {"audit.yml", "gate.yml", "validate.yml"}
    assert {"required status", "environment registrar", "roster", "reporting"} <= about(found, Standing.GOOD)
    assert "workflows" not in about(found, Standing.BY_HAND)
    assert all(request.startswith("GET ") for request in world.sent())


def test_a_schedule_that_github_stopped_and_a_secret_in_the_open(world: LiveWorld) -> None:
    """Both are seen in what GitHub lists."""
    protect(world)
    settings = world.github.registry.settings
    settings.workflow_states[".github/workflows/gate.yml"] = "disabled_inactivity"
    settings.secrets[""] = ["REGISTRAR_ROSTER"]
    found = [f"{item.about}: {item.said}" for item in examined(world, **world.environment())]
    assert "gate.yml: is `disabled_inactivity`" in found
    assert "secrets of the repository: `REGISTRAR_ROSTER` can be read by every branch with a workflow" in found


def test_a_registry_without_settings(world: LiveWorld) -> None:
    """As GitHub makes it: no rule, no environment."""
    found = examined(world, **world.environment())
    assert {"branch main", "environment registrar"} <= about(found, Standing.WRONG)


def test_a_roster_that_cannot_be_read_is_wrong(world: LiveWorld) -> None:
    """The secret is named and empty, or is no roster; what it holds is not repeated."""
    for given in ("", '{"people": "example-secret"}'):
        found = examined(world, **world.environment(REGISTRAR_ROSTER=given))
        (told,) = [item for item in found if item.about == "roster" and item.standing is Standing.WRONG]
        assert "cannot be used" in told.said
        assert "example-secret" not in told.said


def test_a_ledger_is_looked_at_where_there_is_one(world: LiveWorld) -> None:
    """The gate says nothing of why it cannot be read; what it holds is not repeated here either."""
    assert "ledger" not in {item.about for item in examined(world, **world.environment())}
    sound = examined(world, **world.environment(REGISTRAR_LEDGER="{}"))
    assert "ledger" in about(sound, Standing.GOOD)
    broken = examined(world, **world.environment(REGISTRAR_LEDGER='{"subjects": "example-secret"}'))
    (told,) = [item for item in broken if item.about == "ledger"]
    assert told.standing is Standing.WRONG
    assert "example-secret" not in told.said


def test_a_named_ledger_that_is_a_secret_is_not_seen_at_a_terminal(world: LiveWorld) -> None:
    """Who has the variable sees that it is empty."""
    moved = world.commit(append(SETTINGS, "\nledger:\n  source: secret\n"), by="maintainer")
    world.github.push_branch(moved, by=person("maintainer"))
    assert "ledger" not in {item.about for item in examined(world, **world.environment())}
    assert "ledger" in about(examined(world, **world.environment(REGISTRAR_LEDGER="")), Standing.WRONG)


def test_a_secret_is_not_seen_at_a_terminal(world: LiveWorld) -> None:
    """Who looks without the gate's variables is asked to give the roster, and told nothing wrong of it."""
    environment = world.environment()
    del environment["REGISTRAR_ROSTER"]
    found = examined(world, **environment)
    assert "roster" in about(found, Standing.BY_HAND)
    assert "roster" not in about(found, Standing.WRONG)


def test_a_token_that_is_not_accepted(world: LiveWorld) -> None:
    """Nothing is said of settings that nobody saw."""
    with pytest.raises(ReadError, match="GitHub answered 401"):
        examined(world, **world.environment(REGISTRAR_TOKEN="wrong"))
