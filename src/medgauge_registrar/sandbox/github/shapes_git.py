"""Git objects as GitHub's REST interface shows them."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from medgauge_registrar.model.pull import User
from medgauge_registrar.sandbox.github.objects import CommitObject, Signature
from medgauge_registrar.sandbox.github.shapes import Json, Shapes, moment, node_id
from medgauge_registrar.sandbox.github.values import Hosted


class AllShapes(Shapes):
    """Everything that REST shows, git objects too."""

    def commit(self, hosted: Hosted, commit: CommitObject, people: Sequence[User | None]) -> Json:
        """A commit with the accounts that its addresses belong to: author, committer; null where none does."""
        author, committer = people
        return {
            "sha": commit.sha,
            "node_id": node_id("C", commit.sha),
            "commit": {
                "author": signature(commit.author),
                "committer": signature(commit.committer),
                "message": commit.message,
                "tree": {"sha": commit.tree, "url": self._git(hosted, "trees", commit.tree)},
                "url": self._git(hosted, "commits", commit.sha),
                "comment_count": 0,
                "verification": dict(UNSIGNED),
            },
            "url": f"{self.api_url}/repos/{hosted.full_name}/commits/{commit.sha}",
            "html_url": f"{self.server_url}/{hosted.full_name}/commit/{commit.sha}",
            "comments_url": f"{self.api_url}/repos/{hosted.full_name}/commits/{commit.sha}/comments",
            "author": self.user(author),
            "committer": self.user(committer),
            "parents": [
                {
                    "sha": parent,
                    "url": f"{self.api_url}/repos/{hosted.full_name}/commits/{parent}",
                    "html_url": f"{self.server_url}/{hosted.full_name}/commit/{parent}",
                }
                for parent in commit.parents
            ],
        }

    def git_commit(self, hosted: Hosted, commit: CommitObject, verification: Mapping[str, Any]) -> Json:
        """A commit as the git data interface shows it."""
        return {
            "sha": commit.sha,
            "node_id": node_id("C", commit.sha),
            "url": self._git(hosted, "commits", commit.sha),
            "html_url": f"{self.server_url}/{hosted.full_name}/commit/{commit.sha}",
            "author": signature(commit.author),
            "committer": signature(commit.committer),
            "tree": {"sha": commit.tree, "url": self._git(hosted, "trees", commit.tree)},
            "message": commit.message,
            "parents": [
                {
                    "sha": parent,
                    "url": self._git(hosted, "commits", parent),
                    "html_url": f"{self.server_url}/{hosted.full_name}/commit/{parent}",
                }
                for parent in commit.parents
            ],
            "verification": dict(verification),
        }

    def git_ref(self, hosted: Hosted, ref: str, sha: str, kind: str) -> Json:
        """A ref and what it points at."""
        return {
            "ref": ref,
            "node_id": node_id("REF", ref),
            "url": f"{self.api_url}/repos/{hosted.full_name}/git/{ref}",
            "object": {"sha": sha, "type": kind, "url": self._git(hosted, f"{kind}s", sha)},
        }

    def _git(self, hosted: Hosted, kind: str, sha: str) -> str:
        return f"{self.api_url}/repos/{hosted.full_name}/git/{kind}/{sha}"


UNSIGNED: Mapping[str, Any] = {
    "verified": False,
    "reason": "unsigned",
    "signature": None,
    "payload": None,
    "verified_at": None,
}
SIGNED: Mapping[str, Any] = {
    "verified": True,
    "reason": "valid",
    "signature": "-----BEGIN PGP SIGNATURE-----\n-----END PGP SIGNATURE-----",
    "payload": "",
    "verified_at": "2026-11-29T00:00:00Z",
}
"""GitHub signs what an App commits through its interface."""


def signature(found: Signature) -> Json:
    """Name, address and time of a commit, the time in UTC."""
    when = datetime.fromisoformat(found.date).astimezone(UTC)
    return {"name": found.name, "email": found.email, "date": moment(when)}
