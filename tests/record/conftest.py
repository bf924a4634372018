"""A registry with pull requests that can be decided for real."""

import json
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from medgauge_registrar.inputs import Inputs, inputs_of
from medgauge_registrar.sandbox.cast import account, roster
from medgauge_registrar.sandbox.edits import Edit, append
from support.recording import PULL
from support.repositories import MadeRepository
from support.snapshots import edited

KEY = b"example key of digests"
LEDGER: dict[str, Any] = {"canaries": {"key": "example key of canaries", "digests": ["1" * 64]}}


class Registry:
    """A repository with the starter registry as `main`, and what a gate of it holds."""

    def __init__(self, folder: Path) -> None:
        """Make it."""
        self.made = MadeRepository(folder / "made")
        self.made.commit(edited().files)
        self.folder = folder
        self.roster = self.written("roster.json", roster())
        self.ledger = self.written("ledger.json", LEDGER)

    def written(self, name: str, value: Any) -> Path:
        """A file beside the repository."""
        path = self.folder / name
        path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
        return path

    def branch(self, name: str, *edits: Edit, at: str = "main") -> str:
        """A branch of one commit; without edits it adds a line to the README."""
        workspace = edited(*(edits or (append("README.md", f"\nAn example of {name}.\n"),)))
        return self.made.commit(workspace.files, self.made.oid(at), branch=name)

    def facts(self, head: str, *, number: int = 7, by: tuple[str, ...] = ("maintainer", "second maintainer")) -> Any:
        """The facts of a pull request from a head, approved by some."""
        facts = deepcopy(PULL)
        facts["number"] = number
        facts["commits"][0] |= {"sha": head, "committer": facts["author"]}
        facts["reviews"] = [
            {
                "id": 100 + index,
                "user": account(name),
                "state": "APPROVED",
                "commit": head,
                "submitted_at": "2026-11-29T11:00:00Z",
                "body": "Looks right.",
            }
            for index, name in enumerate(by)
        ]
        return facts

    def inputs(self, facts: Mapping[str, Any], base: str | None = None) -> Inputs:
        """The facts beside roster and ledger, which are the same at every commit."""
        return inputs_of(dict(facts), self.roster, self.ledger, digest_key=KEY, source=self.roster)


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    """A registry of the test's own."""
    return Registry(tmp_path)
