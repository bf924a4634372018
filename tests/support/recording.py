"""Registries with pull requests that were merged in every way, their notes, and GitHub's git data API over a real repository."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from medgauge_registrar.git.notes import NOTES_REF, note_path
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.registry.canonical import canonical_json
from support.repositories import MadeRepository

GATE = 7001
GATE_ADDRESS = f"{GATE}+example-gate[bot]@users.noreply.github.com"
STRANGER_ADDRESS = "9002+example-person-2@users.noreply.github.com"
REPOSITORY = "example-organisation/registry"
PULL: dict[str, Any] = json.loads((Path(__file__).parent / "pull.json").read_text(encoding="utf-8"))
_DECISION = Path(__file__).parents[1] / "schemas" / "decision" / "valid" / "pending.json"


def decision(**changes: Any) -> dict[str, Any]:
    """An approved decision document, with other values in some fields."""
    document: dict[str, Any] = json.loads(_DECISION.read_text(encoding="utf-8"))
    return {**document, "state": "approved", **changes}


def note(
    made: MadeRepository, *commits: str, head: str | None = None, method: str = "squash", **changes: Any
) -> dict[str, Any]:
    """
    The note on commits that landed, with other values in some fields of the decision.

    Args:
        made: Where they are.
        commits: What reached the branch, oldest first.
        head: Head of the pull request.
        method: How it landed.
        changes: To the decision.
    """
    base = made.git("rev-parse", "--verify", "--quiet", f"{commits[0]}^1")
    tree = made.oid(f"{commits[-1]}^{{tree}}")
    told = {
        "pull": PULL["number"],
        "base_sha": base,
        "head_sha": head or "e5" * 20,
        "merge_base": base,
        "merge_tree": tree,
        **changes,
    }
    return {
        "landed": {"method": method, "base": base, "commits": list(commits), "tree": tree},
        "pull": PULL,
        "decision": decision(**told),
    }


def store(made: MadeRepository, notes: Mapping[str, Any], *, address: str = GATE_ADDRESS, flat: bool = False) -> str:
    """
    Add notes by one commit of somebody; the commit.

    Args:
        made: Where they go.
        notes: Values or bytes by commit.
        address: Whose commit it is.
        flat: Whether the notes lie in one folder, as `git notes` writes them at first.
    """
    blobs = {
        commit: made.blob(value if isinstance(value, bytes) else canonical_json(value))
        for commit, value in notes.items()
    }
    paths = {(commit if flat else note_path(commit)): blob for commit, blob in blobs.items()}
    tip = made.git("rev-parse", "--verify", "--quiet", NOTES_REF, status=None)
    rows = [f"M 100644 {blob} {path}\n" for path, blob in paths.items()]
    start = f"from {tip}\n" if tip else ""
    stream = f"commit {NOTES_REF}\ncommitter Example <{address}> 1800000000 +0000\ndata 4\nNote\n{start}{''.join(rows)}"
    made.git("fast-import", "--quiet", "--force", stdin=f"{stream}\n".encode())
    return made.oid(NOTES_REF)


def everything_signed(commits: Collection[str]) -> Collection[str]:
    """GitHub says of every commit that it signed it."""
    return commits


@dataclass
class GitData:
    """
    GitHub's git database over a real repository.

    Attributes:
        made: The repository.
        sent: Requests so far.
        before_reference: What happens just before a reference moves.
        signs: Whether it signs commits.
    """

    made: MadeRepository
    sent: list[tuple[str, str]] = field(default_factory=list)
    before_reference: Sequence[Any] = ()
    signs: bool = True

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Answer one request, or refuse it."""
        self.sent.append((method, path))
        what = path.removeprefix(f"/repos/{REPOSITORY}/git/")
        match method, what:
            case "POST", "blobs":
                assert body["encoding"] == "base64"
                return {"sha": self.made.blob(b64decode(body["content"]))}
            case "POST", "trees":
                return {"sha": self._tree(body.get("base_tree"), body["tree"])}
            case "POST", "commits":
                assert body.keys() == {"message", "tree", "parents"}
                parents = [word for parent in body["parents"] for word in ("-p", parent)]
                sha = self.made.git("commit-tree", body["tree"], "-m", body["message"], *parents)
                return {"sha": sha, "verification": {"verified": self.signs}}
            case "POST", "refs":
                return self._move(body["ref"], body["sha"], "")
            case "PATCH", _:
                assert body["force"] is False
                return self._move(what, body["sha"], self.made.git("rev-parse", f"{body['sha']}^1"))
        raise AssertionError(f"{method} {path} was not planned")

    def graphql(self, query: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        """No query belongs to a write."""
        raise AssertionError(query)

    def _tree(self, base: str | None, entries: Sequence[Mapping[str, str]]) -> str:
        index = ["-c", "core.bare=false"]
        self.made.git(*index, "read-tree", *([base] if base else ["--empty"]))
        rows = "".join(f"{entry['mode']} {entry['sha']}\t{entry['path']}\n" for entry in entries)
        self.made.git(*index, "update-index", "--index-info", stdin=rows.encode())
        return self.made.git(*index, "write-tree")

    def _move(self, reference: str, sha: str, expected: str) -> Any:
        for happen in self.before_reference:
            happen()
        present = self.made.git("rev-parse", "--verify", "--quiet", reference, status=None)
        if present != expected:
            raise ReadError("GitHub answered 422 `Update is not a fast forward`")
        self.made.git("update-ref", reference, sha)
        return {"ref": reference}
