"""Decision notes on GitHub: written through the API, so that GitHub signs them; and asked who signed them."""

from base64 import b64encode
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Protocol
from urllib.parse import quote

from medgauge_registrar.git.notes import NOTES_REF, note_path
from medgauge_registrar.git.objects import object_id
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.frozen import frozen

# Objects that one query may name; GitHub bounds the nodes of a query, and the time it takes.
_COMMITS_A_QUERY = 50


class Client(Protocol):
    """What is asked of GitHub here; `github.client.Client` keeps it."""

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Send one REST request that has to succeed, and take its data."""

    def graphql(self, query: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        """Ask one query."""


@frozen
class Tip:
    """Where the notes stand: the commit that their reference names, and its tree."""

    commit: str
    tree: str


@frozen
class Written:
    """The commit that now holds the notes, and whether GitHub signed it; unsigned notes count for nothing."""

    commit: str
    signed: bool


def write_notes(client: Client, repository: str, tip: Tip | None, notes: Mapping[str, bytes]) -> Written:
    """
    Add notes in one commit, on top of what was read.

    The reference is only ever moved forward from `tip`: if somebody else moved it, GitHub refuses, and nothing is lost.
    No author is given, since GitHub signs for an App only what it names itself. Nothing is sent twice.

    Args:
        client: GitHub, with a token of the gate's App.
        repository: `owner/name`.
        tip: Where the notes stood when they were read; null if there were none.
        notes: Notes by commit.

    Raises:
        ReadError: GitHub refused, did not answer, or keeps other bytes than were sent.

    Source:
        GitHub REST API, "Git database"; "Displaying verification statuses": signature verification for bots.
    """
    place = f"/repos/{quote(repository)}/git"
    entries = [
        {"path": note_path(commit), "mode": "100644", "type": "blob", "sha": _blob(client, place, data)}
        for commit, data in sorted(notes.items())
    ]
    base = {"base_tree": tip.tree} if tip is not None else {}
    tree = client.call("POST", f"{place}/trees", {**base, "tree": entries})
    made = client.call(
        "POST",
        f"{place}/commits",
        {
            "message": f"Record {len(notes)} decision{'s' if len(notes) > 1 else ''}",
            "tree": _sha(tree),
            "parents": [tip.commit] if tip is not None else [],
        },
    )
    commit = _sha(made)
    if tip is None:
        client.call("POST", f"{place}/refs", {"ref": NOTES_REF, "sha": commit})
    else:
        client.call("PATCH", f"{place}/{NOTES_REF}", {"sha": commit, "force": False})
    verification = made.get("verification")
    return Written(commit=commit, signed=isinstance(verification, dict) and verification.get("verified") is True)


def signed_by_github(client: Client, repository: str, commits: Collection[str]) -> frozenset[str]:
    """
    Of some commits, those that GitHub signed itself and whose signature is valid.

    Raises:
        ReadError: GitHub did not answer whole.

    Source:
        GitHub GraphQL API, `GitSignature.wasSignedByGitHub`, `GitSignature.isValid`.
    """
    owner, _, name = repository.partition("/")
    found: set[str] = set()
    wanted = sorted(commits)
    for start in range(0, len(wanted), _COMMITS_A_QUERY):
        batch = wanted[start : start + _COMMITS_A_QUERY]
        data = client.graphql(_query(len(batch)), {"owner": owner, "name": name, **dict(_numbered(batch))})
        objects = data.get("repository")
        if not isinstance(objects, dict):
            raise ReadError(f"GitHub shows no repository `{repository}` to this token; see to its permissions")
        found.update(sha for key, sha in _numbered(batch) if _is_signed(objects.get(key), sha))
    return frozenset(found)


def _blob(client: Client, place: str, data: bytes) -> str:
    """Bring one note to GitHub, as it is."""
    sha = _sha(client.call("POST", f"{place}/blobs", {"content": b64encode(data).decode(), "encoding": "base64"}))
    if sha != object_id("blob", data, "sha256" if len(sha) == 64 else "sha1"):
        raise ReadError("GitHub keeps another text than the note that was sent; run again", may_pass_later=True)
    return sha


def _sha(data: Any) -> str:
    if not isinstance(data, dict) or not isinstance(data.get("sha"), str):
        raise ReadError("GitHub answered a write without the id of what was written; run again", may_pass_later=True)
    return str(data["sha"])


def _query(count: int) -> str:
    arguments = "".join(f", $c{index}: GitObjectID!" for index in range(count))
    fields = "".join(
        f" c{index}: object(oid: $c{index}) {{ oid ... on Commit {{ signature {{ isValid wasSignedByGitHub }} }} }}"
        for index in range(count)
    )
    return (
        f"query($owner: String!, $name: String!{arguments}) {{ repository(owner: $owner, name: $name) {{{fields} }} }}"
    )


def _numbered(batch: Sequence[str]) -> Iterator[tuple[str, str]]:
    return ((f"c{index}", sha) for index, sha in enumerate(batch))


def _is_signed(item: Any, sha: str) -> bool:
    signature = item.get("signature") if isinstance(item, dict) and item.get("oid") == sha else None
    return (
        isinstance(signature, dict) and signature.get("isValid") is True and signature.get("wasSignedByGitHub") is True
    )
