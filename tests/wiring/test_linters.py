"""The linters, as they are configured here, see what they are there for: a workflow made dangerous is refused."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from medgauge_registrar.starter import WORKFLOWS, starter_files

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
CHECKOUT = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1"
PRIVILEGED = """\
name: privileged
on:
  {event}:
permissions: {{}}
jobs:
  job:
    name: Job
    runs-on: ubuntu-latest
    timeout-minutes: 5
    steps:
      - name: Check out
        uses: {checkout}
        with:
          ref: {ref}
          persist-credentials: false
"""


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    """A new registry with our configuration of jactionlint."""
    for path, data in starter_files().items():
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    shutil.copy2(ROOT / ".github" / "jactionlint.yaml", tmp_path / ".github")
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    return tmp_path


def found(registry: Path, *command: str) -> tuple[int, str]:
    """What a linter says of the registry."""
    path = {"PATH": f"{BIN}:/usr/bin:/bin"}
    done = subprocess.run(
        [BIN / command[0], *command[1:]], cwd=registry, env=path, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


def jactionlint(registry: Path) -> tuple[int, str]:
    return found(registry, "jactionlint", "--strict-exit", "--oneline", "--no-color")


def zizmor(registry: Path) -> tuple[int, str]:
    return found(
        registry, "zizmor", "--offline", "--no-progress", "--quiet", "--pedantic", "--format", "plain", ".github"
    )


def test_templates_are_clean(registry: Path) -> None:
    """Neither has anything to say of the workflows as they are written."""
    assert jactionlint(registry) == (0, "")
    assert zizmor(registry)[0] == 0


@pytest.mark.parametrize(
    ("event", "ref"),
    [
        ("pull_request_target", "${{ github.event.pull_request.head.sha }}"),
        ("workflow_run", "${{ github.event.workflow_run.head_sha }}"),
    ],
)
def test_a_checkout_of_the_head_is_refused(registry: Path, event: str, ref: str) -> None:
    """
    Even if nothing visibly runs what was checked out.

    jactionlint 2.3 sees none under `issue_comment`, nor in a job with both an environment and a condition, as the gate's is:
    `test_nothing_privileged_is_checked_out_or_scripted` holds the templates to it, and the doctor a registry's own files.
    """
    text = PRIVILEGED.format(event=event, ref=ref, checkout=CHECKOUT)
    (registry / WORKFLOWS / "own.yml").write_text(text, encoding="utf-8")
    status, told = jactionlint(registry)
    assert status == 1
    assert "[untrusted-checkout]" in told


def test_a_title_in_a_script_is_refused(registry: Path) -> None:
    """Both see an expression that lets a pull request write a shell script."""
    path = registry / WORKFLOWS / "gate-anchor.yml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('run: ":"', "run: echo ${{ github.event.pull_request.title }}"), encoding="utf-8")
    assert "[template-injection]" in zizmor(registry)[1]
    assert jactionlint(registry)[0] == 1


def test_the_privileged_trigger_is_ignored_by_name_only(registry: Path) -> None:
    """The one exception stands beside the events that it is about; without it zizmor speaks."""
    path = registry / WORKFLOWS / "gate.yml"
    text = path.read_text(encoding="utf-8")
    assert text.count("zizmor: ignore") == 1
    path.write_text(text.replace("zizmor: ignore[dangerous-triggers]", ""), encoding="utf-8")
    status, told = zizmor(registry)
    assert status != 0
    assert told.count("[dangerous-triggers]") == 2
