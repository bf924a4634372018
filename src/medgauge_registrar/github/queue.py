"""The merge queue of a branch, as far as a group of it needs to be known."""

from medgauge_registrar.github.client import Client
from medgauge_registrar.github.facts import OwnStatus, own_statuses, there
from medgauge_registrar.github.queries import QUEUE
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.frozen import frozen

_MAX_PAGES = 20


@frozen
class Entry:
    """A place in the queue: the commit that GitHub made for it with our statuses on it, and the pull request with its head."""

    group_sha: str | None
    statuses: tuple[OwnStatus, ...]
    number: int
    head_sha: str


@frozen
class Queue:
    """Tip of the branch, the repository's default branch, and the entries that wait to be merged, first one first."""

    base_sha: str
    default_branch: str
    entries: tuple[Entry, ...]

    def up_to(self, group_sha: str) -> tuple[Entry, ...]:
        """The entries that a group holds: its own and all before it; none if it has left the queue."""
        for place, entry in enumerate(self.entries, start=1):
            if entry.group_sha == group_sha:
                return self.entries[:place]
        return ()


def read_queue(client: Client, repository: str, base_ref: str) -> Queue:
    """
    Read the merge queue of a branch; one without a queue has an empty one.

    Raises:
        ReadError: The branch is not there, or its queue could not be read whole.
    """
    owner, _, name = repository.partition("/")
    place = {"owner": owner, "name": name, "branch": base_ref}
    entries: list[tuple[int, Entry]] = []
    after: str | None = None
    for _ in range(_MAX_PAGES):
        answered = client.graphql(QUEUE, {**place, "after": after})
        answer = answered["repository"]
        if answer is None or answer["ref"] is None:
            raise ReadError(f"there is no branch {base_ref}, or the token may not see it")
        default = there(answer["defaultBranchRef"], "default branch")["name"]
        if answer["mergeQueue"] is None:
            return Queue(base_sha=str(answer["ref"]["target"]["oid"]), default_branch=str(default), entries=())
        try:
            page, viewer = answer["mergeQueue"]["entries"], int(answered["viewer"]["databaseId"])
            entries += [
                (
                    int(node["position"]),
                    Entry(
                        group_sha=commit["oid"] if (commit := node["headCommit"]) is not None else None,
                        statuses=own_statuses(commit["status"], viewer) if commit is not None else (),
                        number=int(node["pullRequest"]["number"]),
                        head_sha=str(node["pullRequest"]["headRefOid"]),
                    ),
                )
                for node in page["nodes"]
            ]
            if not page["pageInfo"]["hasNextPage"]:
                in_order = sorted(entries, key=lambda entry: entry[0])
                return Queue(
                    base_sha=str(answer["ref"]["target"]["oid"]),
                    default_branch=str(default),
                    entries=tuple(entry for _, entry in in_order),
                )
            after = page["pageInfo"]["endCursor"]
        except (KeyError, TypeError, ValueError) as error:
            raise ReadError("the merge queue is not of the documented form", may_pass_later=True) from error
    raise ReadError("the merge queue is too long")
