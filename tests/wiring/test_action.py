"""`action.yml`: what it takes, what it gives, and that nothing of an event or a checkout can reach a shell or an import."""

import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
HASHED = re.compile(r"--hash=sha256:[0-9a-f]{64}")


@pytest.fixture(scope="module")
def action() -> Any:
    return YAML(typ="safe").load((ROOT / "action.yml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def steps(action: Any) -> dict[str, Any]:
    return {step["id"]: step for step in action["runs"]["steps"]}


def test_every_input_is_described_and_has_a_default(action: Any) -> None:
    """A workflow may leave every input out, and a reader learns what each is for."""
    assert action["inputs"]
    for name, given in action["inputs"].items():
        assert len(given["description"]) > 20, name
        assert isinstance(given["default"], str), name
        assert "required" not in given, name


def test_outputs_are_those_of_the_run(action: Any) -> None:
    """State, decision and address of the comment come from the step that decides."""
    assert {name: given["value"] for name, given in action["outputs"].items()} == {
        "state": "${{ steps.run.outputs.state }}",
        "decision": "${{ steps.run.outputs.decision }}",
        "comment-url": "${{ steps.run.outputs.comment-url }}",
    }
    assert all(given["description"] for given in action["outputs"].values())


def test_no_script_holds_an_expression(steps: dict[str, Any]) -> None:
    """Whatever an input says, it is the value of a variable and never part of a script (C2)."""
    assert list(steps) == ["install", "run"]
    assert [name for name, step in steps.items() if "${{" in step["run"]] == []


def test_every_input_reaches_the_run_as_one_variable(action: Any, steps: dict[str, Any]) -> None:
    """No input is forgotten, and none goes by the names that GitHub gives to inputs of another kind of action."""
    passed = steps["run"]["env"]
    for name in action["inputs"]:
        assert (
            sum(re.search(rf"\binputs\.{name}\b(?!-)(?! ==)", value) is not None for value in passed.values()) == 1
        ), name
    assert all(name.startswith("REGISTRAR_") for name in passed)


def test_an_app_goes_before_the_token_of_the_job(steps: dict[str, Any]) -> None:
    """The default of `token` is never empty, so it is withheld where an App is named."""
    assert steps["run"]["env"]["REGISTRAR_TOKEN"] == "${{ inputs.app-id == '' && inputs.token || '' }}"


def test_the_installation_sees_no_secret(steps: dict[str, Any]) -> None:
    """Tokens, roster and ledger are there only once every wheel is in place."""
    assert "env" not in steps["install"]


def test_installs_locked_wheels_and_nothing_else(action: Any, steps: dict[str, Any]) -> None:
    """Every package is named with its hash, none is built, and no other action is needed."""
    assert all("uses" not in step for step in action["runs"]["steps"])
    script = steps["install"]["run"].replace("\\\n", " ")
    installs = [line for line in script.splitlines() if "pip install" in line]
    assert len(installs) == 2
    for line in installs:
        assert {"--require-hashes", "--only-binary", "--no-deps"} <= set(line.split()), line
    locks = re.findall(r"\$GITHUB_ACTION_PATH/(requirements/[a-z]+\.lock)", script)
    assert locks == ["requirements/setup.lock", "requirements/run.lock"]
    for lock in locks:
        packages = re.split(r"^(?=[a-z])", (ROOT / lock).read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
        assert packages
        assert [package for package in packages if not HASHED.search(package)] == []


def test_a_checkout_lends_python_no_module(steps: dict[str, Any]) -> None:
    """A `pip.py` or `uv.toml` at the top of a hostile checkout is not looked at: each start of Python is isolated."""
    assert steps["install"]["working-directory"] == "${{ runner.temp }}"
    assert "--no-config" in steps["install"]["run"]
    for step in steps.values():
        starts = re.findall(r'(?:^python3|^exec "\$REGISTRAR_PYTHON")(.*)$', step["run"], flags=re.MULTILINE)
        assert len(starts) == 1
        assert starts[0].startswith(" -I -m ")
