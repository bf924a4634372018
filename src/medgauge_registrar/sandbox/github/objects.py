"""Git objects of a bare repository, read and written as GitHub's git data API asks for it."""

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from medgauge_registrar.git.command import failure, git_dir, output, run
from medgauge_registrar.git.limits import DEFAULT_LIMITS
from medgauge_registrar.git.process import HERMETIC
from medgauge_registrar.model.frozen import frozen

_FIELDS = ("%H", "%T", "%P", "%an", "%ae", "%aI", "%cn", "%ce", "%cI", "%B")
_FORMAT = "--format=tformat:" + "%x00".join(_FIELDS) + "%x00"


@frozen
class Signature:
    """Who and when, as a commit says it; nobody checked it. `date` is ISO 8601 with its zone."""

    name: str
    email: str
    date: str


@frozen
class CommitObject:
    """One commit."""

    sha: str
    tree: str
    parents: tuple[str, ...]
    author: Signature
    committer: Signature
    message: str


@frozen
class ChangedFile:
    """One path that two trees differ in; `status` is GitHub's word for it."""

    path: str
    status: str
    sha: str


@frozen
class TreeItem:
    """One entry of a tree."""

    mode: str
    kind: str
    sha: str
    path: str


_ABSENT = "0" * 40
_SHA = re.compile(r"[0-9a-f]{40}")
_STATUS = {"A": "added", "M": "modified", "D": "removed", "T": "changed"}


class GitStore:
    """
    The object store of one bare repository.

    Objects never change, so what was read once is remembered; refs are read anew each time.
    """

    def __init__(self, path: Path) -> None:
        """Take the path of the bare repository."""
        self.path = path
        self._commits: dict[str, CommitObject] = {}
        self._kinds: dict[str, str] = {}
        self.changed = lru_cache(maxsize=256)(self._changed)
        self.merge_base = lru_cache(maxsize=1024)(self._merge_base)
        self.merge_tree = lru_cache(maxsize=1024)(self._merge_tree)

    def refs(self, prefix: str = "refs/") -> dict[str, str]:
        """Every ref below a prefix and the object it names."""
        rows = self._text("for-each-ref", "--format=%(refname) %(objectname)", prefix.rstrip("/")).splitlines()
        return dict(row.split(" ", 1) for row in rows)

    def ref(self, name: str) -> str | None:
        """The object that a ref (`refs/heads/main`) names; null if there is none."""
        try:
            # Most refs lie in a file of their own; starting git only to read it would take a hundred times as long.
            return (self.path / name).read_text(encoding="ascii").strip()
        except OSError:
            return self.refs(name).get(name)

    def resolve(self, revision: str) -> str | None:
        """The commit that a ref or an id names; null if there is none."""
        if revision in self._commits:
            return revision
        if revision.startswith("refs/heads/"):
            return self.ref(revision)
        completed = self._quiet("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        return completed.strip() or None

    def oid(self, revision: str) -> str:
        """The id of whatever an expression names."""
        return self._text("rev-parse", "--verify", "--end-of-options", revision).strip()

    def kind(self, name: str) -> str | None:
        """`blob`, `tree`, `commit` or `tag`, of an id or of an expression; null for an object that is not here."""
        if name in self._commits:
            return "commit"
        if name not in self._kinds:
            found = self._quiet("cat-file", "-t", name).strip()
            if not found or not _SHA.fullmatch(name):
                return found or None
            self._kinds[name] = found
        return self._kinds[name]

    def commit(self, sha: str) -> CommitObject:
        """One commit."""
        if sha not in self._commits:
            self._commits |= {found.sha: found for found in self._log("--all", sha)}
        return self._commits[sha]

    def commit_at(self, ref: str) -> CommitObject:
        """
        The commit that a ref names.

        Raises:
            KeyError: There is no such ref.
        """
        sha = self.ref(ref)
        if sha is None:
            raise KeyError(ref)
        return self.commit(sha)

    def between(self, base: str, head: str) -> tuple[CommitObject, ...]:
        """The commits of `head` that `base` lacks, each after those that it builds on."""
        known = self._ancestors(base)
        found: dict[str, CommitObject] = {}
        waiting = [head]
        while waiting:
            sha = waiting[-1]
            commit = self.commit(sha)
            missing = [parent for parent in commit.parents if parent not in known and parent not in found]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if sha not in known:
                found[sha] = commit
        return tuple(found.values())

    def is_ancestor(self, sha: str, of: str) -> bool:
        """Whether a commit builds on another, or is it."""
        return sha in self._ancestors(of)

    def update_ref(self, ref: str, sha: str | None) -> None:
        """Point a ref at an object, or delete it."""
        if sha is None:
            self._text("update-ref", "-d", ref)
        elif self.ref(ref) != sha:
            self._text("update-ref", ref, sha)

    def tree(self, treeish: str, *, recursive: bool = False) -> tuple[TreeItem, ...]:
        """The entries of a tree; with `recursive`, of every folder in it too, folders included."""
        flags = ("-r", "-t") if recursive else ()
        data = self._output("ls-tree", "-z", *flags, "--end-of-options", treeish)
        items = []
        for row in data.split(b"\0"):
            if row:
                facts, _, path = row.partition(b"\t")
                mode, kind, sha = facts.decode("ascii").split(" ")
                items.append(TreeItem(mode=mode, kind=kind, sha=sha, path=path.decode("utf-8", "surrogateescape")))
        return tuple(items)

    def entry(self, commit: str, path: str) -> TreeItem | None:
        """The entry of a path in the tree of a commit; null if it is not there."""
        folder, _, name = path.rpartition("/")
        if folder and self._quiet("cat-file", "-t", f"{commit}:{folder}").strip() != "tree":
            return None
        items = self.tree(f"{commit}:{folder}")
        return next((item for item in items if item.path == name), None)

    def blob(self, sha: str) -> bytes:
        """The bytes of a blob."""
        return self._output("cat-file", "blob", sha)

    def write_blob(self, data: bytes) -> str:
        """Store bytes."""
        return self._fed(("hash-object", "-w", "--stdin"), data)

    def write_tree(self, base: str | None, entries: Sequence[tuple[str, str, str | None]]) -> str:
        """Store a tree: `base` with some paths (mode, path, object; null: taken away) set in it."""
        rows = [
            f"{mode if sha else '0'} {sha or _ABSENT}\t{path}\0".encode("utf-8", "surrogateescape")
            for mode, path, sha in entries
        ]
        with tempfile.TemporaryDirectory() as folder:
            index = {**HERMETIC, "GIT_INDEX_FILE": f"{folder}/index"}
            self._fed(("read-tree", base) if base else ("read-tree", "--empty"), b"", index)
            self._fed(("update-index", "-z", "--index-info"), b"".join(rows), index)
            return self._fed(("write-tree",), b"", index)

    def write_commit(
        self, *, tree: str, parents: Sequence[str], message: str, author: Signature, committer: Signature
    ) -> str:
        """Store a commit."""
        lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
        lines += [f"author {_stamped(author)}", f"committer {_stamped(committer)}", "", message]
        return self._fed(("hash-object", "-t", "commit", "-w", "--stdin"), "\n".join(lines).encode())

    def history(self, tip: str) -> tuple[CommitObject, ...]:
        """Every commit that a commit builds on, newest first, itself among them."""
        return tuple(self._log(tip))

    def _merge_tree(self, ours: str, theirs: str) -> str | None:
        """The tree that merging two commits gives; null if they conflict."""
        written = self._quiet("merge-tree", "--write-tree", "--no-messages", ours, theirs).splitlines()
        return written[0] if len(written) == 1 else None

    def _ancestors(self, tip: str) -> set[str]:
        found: set[str] = set()
        waiting = [tip]
        while waiting:
            sha = waiting.pop()
            if sha not in found:
                found.add(sha)
                waiting += self.commit(sha).parents
        return found

    def _merge_base(self, one: str, other: str) -> str | None:
        return self._quiet("merge-base", one, other).strip() or None

    def _changed(self, before: str, after: str) -> tuple[ChangedFile, ...]:
        data = self._output("diff-tree", "-r", "-z", "--no-renames", before, after).split(b"\0")
        files = []
        for facts, path in zip(data[::2], data[1::2], strict=False):
            _, _, _, sha, status = facts.decode("ascii").split(" ")
            name = path.decode("utf-8", "surrogateescape")
            files.append(ChangedFile(path=name, status=_STATUS[status[0]], sha=sha))
        return tuple(files)

    def _log(self, *arguments: str) -> Iterator[CommitObject]:
        words = self._output("log", _FORMAT, *arguments, "--").decode("utf-8", "replace").split("\0")
        for start in range(0, len(words) - 1, len(_FIELDS)):
            sha, tree, parents, an, ae, ad, cn, ce, cd, message = words[start : start + len(_FIELDS)]
            yield CommitObject(
                sha=sha.lstrip("\n"),
                tree=tree,
                parents=tuple(parents.split()),
                author=Signature(name=an, email=ae, date=ad),
                committer=Signature(name=cn, email=ce, date=cd),
                message=message.rstrip("\n"),
            )

    def _output(self, *arguments: str) -> bytes:
        return output(arguments, limits=DEFAULT_LIMITS, place=git_dir(self.path))

    def _text(self, *arguments: str) -> str:
        return self._output(*arguments).decode("utf-8", "surrogateescape")

    def _quiet(self, *arguments: str) -> str:
        """What git says where failing is an answer too."""
        completed = run(arguments, limits=DEFAULT_LIMITS, place=git_dir(self.path))
        return completed.stdout.decode("utf-8", "surrogateescape")

    def _fed(self, arguments: Sequence[str], data: bytes, environment: Mapping[str, str] | None = None) -> str:
        completed = run(arguments, limits=DEFAULT_LIMITS, place=git_dir(self.path), environment=environment, data=data)
        if completed.status != 0:
            raise failure(arguments[0], completed)
        return completed.stdout.decode("ascii").strip()


def _stamped(signature: Signature) -> str:
    """A signature as a commit object holds it."""
    when = datetime.fromisoformat(signature.date)
    return f"{signature.name} <{signature.email}> {int(when.timestamp())} {when.strftime('%z') or '+0000'}"
