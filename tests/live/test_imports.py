"""What a run loads: PyGithub in its own room and on demand, and never the embedded GitHub."""

import json
import subprocess
import sys
from pathlib import Path

import medgauge_registrar
from support.live import live_world

SOURCE = Path(medgauge_registrar.__file__).parent
_RUN = """
import json, os, sys
from medgauge_registrar.live.action import run_action
status = run_action()
print(json.dumps([status, sorted(name for name in sys.modules if name.split(".")[0] in
    {"github", "graphql", "scipy", "numpy", "rich"} or name.startswith("medgauge_registrar.sandbox"))]))
"""


def test_a_run_never_loads_the_embedded_github(tmp_path: Path) -> None:
    """Nor anything else that it has no use for."""
    with live_world(tmp_path) as world:
        world.review("maintainer")
        event = {"action": "synchronize", "pull_request": {"number": 7}}
        environment = world.environment("pull_request_target", event)
        ran = subprocess.run([sys.executable, "-c", _RUN], capture_output=True, text=True, env=environment)
    status, loaded = json.loads(ran.stdout.splitlines()[-1])
    assert status == 0, ran.stderr
    assert "github.Requester" in loaded
    assert {name.split(".")[0] for name in loaded} == {"github"}


def test_pygithub_is_named_in_its_own_room_alone() -> None:
    """And there only within functions, so that reading the room's values loads nothing."""
    names = ("from github", "import github")
    for path in SOURCE.rglob("*.py"):
        lines = path.read_text(encoding="utf-8").splitlines()
        found = [line for line in lines if line.strip().startswith(names)]
        if path.parent.name != "github" or "sandbox" in path.relative_to(SOURCE).parts:
            assert not found, path
        assert not [line for line in found if not line.startswith(" ")], path


def test_deciding_offline_loads_nothing_of_it() -> None:
    """Start-up is part of the product."""
    code = (
        "import sys, medgauge_registrar.cli, medgauge_registrar.pipeline\n"
        "print([name for name in sys.modules if name == 'github' or 'registrar.github' in name or 'registrar.live' in name])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"
