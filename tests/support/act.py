"""
Workflows run for real: `act` in host mode, against an embedded GitHub.

Not proved by it: `permissions`, the branch of an environment, and concurrency, which only GitHub enforces.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from medgauge_registrar.sandbox.cast import roster
from medgauge_registrar.starter import UNNAMED_ACTION, WORKFLOWS, starter_files
from support.live import LiveWorld

ROOT = Path(__file__).parents[2]
OPTIONAL = re.compile(r"^  # (  types: .*|pull_request_target:)$", re.MULTILINE)
# Newer than the schema that act holds workflows against.
UNKNOWN_TO_ACT = "\n      deployment: false"
LIMIT_SECONDS = 300


class Ran(NamedTuple):
    """What a workflow came to: its exit status, and everything that was printed."""

    status: int
    log: str


def copy_action(folder: Path) -> Path:
    """The action as a release has it: what git tracks, and nothing that lies about."""
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        check=True,
    ).stdout.decode()
    for name in listed.rstrip("\0").split("\0"):
        if name.startswith(("src/", "schemas/", "requirements/")) or name in {
            "action.yml",
            "LICENSE",
            "pyproject.toml",
        }:
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
    return folder


class Workflows:
    """A checkout of a registry in which workflows run, as the default branch of the embedded GitHub has them."""

    def __init__(self, world: LiveWorld, action: Path, folder: Path) -> None:
        """Lay the files of the starter out; `action` stands for the published one."""
        self.world = world
        self.action = action
        self.folder = folder
        self.checkout = folder / "checkout"
        self.checkout.mkdir(parents=True)
        for path, data in starter_files().items():
            self.put(path, data)
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("remote", "add", "origin", f"{world.github.server_url}/{world.github.registry.full_name}.git")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "Start the registry")

    def git(self, *arguments: str) -> None:
        """Run git in the checkout."""
        somebody = ("-c", "user.name=Example", "-c", "user.email=example@example.org")
        subprocess.run(["git", "-C", str(self.checkout), *somebody, *arguments], check=True, capture_output=True)

    def put(self, path: str, data: bytes) -> None:
        """Write a file of the checkout; workflows lose what act does not know."""
        target = self.checkout / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.startswith(f"{WORKFLOWS}/"):
            data = data.replace(UNKNOWN_TO_ACT.encode(), b"")
        target.write_bytes(data)

    def allow_the_fast_path(self) -> None:
        """Take the comment signs before `pull_request_target` away."""
        path = self.checkout / WORKFLOWS / "gate.yml"
        path.write_text(OPTIONAL.sub(r"  \1", path.read_text(encoding="utf-8")), encoding="utf-8")

    def run(
        self, name: str, event: str, payload: Mapping[str, Any] | None = None, *, app_id: str = "", **secrets: str
    ) -> Ran:
        """Run one workflow because of one event; `app_id` is the variable of the registry, if it has one."""
        github = self.world.github
        file = self.folder / "event.json"
        about = {"id": github.registry.id, "full_name": github.registry.full_name, "default_branch": "main"}
        file.write_text(json.dumps({"repository": about, **(payload or {})}), encoding="utf-8")
        given = {"GITHUB_TOKEN": github.token, "REGISTRAR_ROSTER": json.dumps(roster()), **secrets}
        variables = {
            "GITHUB_API_URL": github.api_url,
            "GITHUB_GRAPHQL_URL": github.graphql_url,
            "GITHUB_SERVER_URL": github.server_url,
            "GITHUB_REPOSITORY": github.registry.full_name,
        }
        done = subprocess.run(
            [
                Path(sys.executable).with_name("act"), event,
                "--workflows", f"{WORKFLOWS}/{name}.yml",
                "--eventpath", file,
                "--platform", "ubuntu-latest=-self-hosted",
                "--local-repository", f"{UNNAMED_ACTION}={self.action}",
                "--action-offline-mode",
                "--action-cache-path", self.folder / "act",
                "--no-cache-server",
                *(("--var", f"REGISTRAR_APP_ID={app_id}") if app_id else ()),
                *(word for name in given for word in ("--secret", name)),
                *(word for name, value in variables.items() for word in ("--env", f"{name}={value}")),
            ],
            cwd=self.checkout,
            env={**os.environ, **given, "HOME": str(self.folder)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LIMIT_SECONDS,
            check=False,
        )  # fmt: skip
        return Ran(done.returncode, done.stdout)
