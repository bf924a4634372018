"""What the commits of a branch introduce, one by one, whatever later commits take away again."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from medgauge_registrar.git.catfile import CatFile
from medgauge_registrar.git.store import TreeStore
from medgauge_registrar.git.trees import GitTree, differences
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.tree import FILE_MODES, Entry

# A commit is a few lines; larger ones, and many of them, are made to be slow.
MAX_COMMIT_BYTES = 256 * 1024
MAX_MESSAGES_BYTES = 16 * 1024 * 1024
# Paths that all commits together may change, and bytes that all contents together may have.
MAX_DIFFERENCES = 200_000
MAX_CONTENTS_BYTES = 256 * 1024 * 1024
_BATCH = 256


@frozen
class Introduced:
    """
    What commits bring.

    Attributes:
        messages: Message of each commit, in the order of the commits given; what is no UTF-8 is replaced.
        files: Every path with every content that a commit adds or changes, sorted, each pair once.
    """

    messages: tuple[str, ...]
    files: tuple[tuple[str, Entry], ...]


@frozen
class _Commit:
    tree: str
    parents: tuple[str, ...]
    message: str


def introduced(
    cat_file: CatFile, store: TreeStore, tree_of: Callable[[str], GitTree], commits: Sequence[str]
) -> Introduced:
    """
    Find all that commits add or change against each of their parents.

    What a merge takes over unchanged from one of its parents is not its own.

    Args:
        cat_file: Where commits are read.
        store: Where trees are read.
        tree_of: The tree of a commit by its id.
        commits: Full ids of the commits of a branch.

    Raises:
        ReadError: An object is missing or malformed, or a limit is passed.
    """
    parsed = dict(_commits(cat_file, commits))
    files: set[tuple[str, Entry]] = set()
    seen = 0
    for commit in parsed.values():
        # A parent outside of the branch is the base as it was merged: against it, only the branch's own work differs.
        parents = [tree_of(parent) for parent in sorted(commit.parents, key=lambda parent: parent in parsed)]
        brought = differences(store, parents[0].oid if parents else None, commit.tree)
        seen += len(brought)
        if seen > MAX_DIFFERENCES or len(files) > store.limits.changed_paths:
            raise ReadError(
                "the commits of the branch change too many paths to look at each: squash or split the change"
            )
        files.update(
            (difference.path, difference.after)
            for difference in brought
            if difference.after is not None
            and difference.after.mode in FILE_MODES
            and all(tree.entry(difference.path) != difference.after for tree in parents[1:])
        )
    return Introduced(
        messages=tuple(parsed[sha].message for sha in commits),
        files=tuple(sorted(files, key=lambda pair: (pair[0], pair[1].oid))),
    )


def contents(store: TreeStore, files: Sequence[tuple[str, Entry]]) -> Iterator[tuple[str, bytes]]:
    """
    Contents of files, their sizes first.

    Raises:
        ReadError: One is missing or too large, or all together are.
    """
    if sum(store.sizes(files)) > MAX_CONTENTS_BYTES:
        raise ReadError(
            f"the commits of the branch hold more than {MAX_CONTENTS_BYTES} bytes that were taken out again: too large; "
            "squash the branch"
        )
    return store.read(files)


def _commits(cat_file: CatFile, commits: Sequence[str]) -> Iterator[tuple[str, _Commit]]:
    total = 0
    for start in range(0, len(commits), _BATCH):
        batch = commits[start : start + _BATCH]
        for sha, header in zip(batch, cat_file.headers(batch), strict=True):
            if header is None or header.kind != "commit":
                raise ReadError(f"commit {sha} is missing: fetch the whole history of both commits")
            total += header.size
            if header.size > MAX_COMMIT_BYTES or total > MAX_MESSAGES_BYTES:
                raise ReadError(f"commit {sha} is too large: shorten the messages of the branch")
        for question in cat_file.ask(batch, contents=True):
            data = cat_file.answer(question).contents
            if data is None:
                raise ReadError(f"commit {question.name} is missing: fetch the whole history of both commits")
            yield question.name, _parsed(question.name, data)


def _parsed(sha: str, data: bytes) -> _Commit:
    head, _, message = data.partition(b"\n\n")
    fields: Mapping[str, list[str]] = {"tree": [], "parent": []}
    for line in head.split(b"\n"):
        name, _, value = line.partition(b" ")
        if name in {b"tree", b"parent"}:
            fields[name.decode()].append(value.decode("ascii", "replace"))
    if len(fields["tree"]) != 1:
        raise ReadError(f"commit {sha} is malformed (see `git fsck`): make it anew")
    return _Commit(tree=fields["tree"][0], parents=tuple(fields["parent"]), message=message.decode("utf-8", "replace"))
