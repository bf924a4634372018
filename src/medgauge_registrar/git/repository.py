"""A repository, read without ever running what is in it."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from medgauge_registrar.git.catfile import CatFile
from medgauge_registrar.git.changes import lone_halves, settle
from medgauge_registrar.git.command import failure, git_dir, output, run
from medgauge_registrar.git.history import Introduced, contents, introduced
from medgauge_registrar.git.limits import DEFAULT_LIMITS, Limits
from medgauge_registrar.git.messages import complaint, shown
from medgauge_registrar.git.objects import decoded
from medgauge_registrar.git.place import Place, build_bare, locate
from medgauge_registrar.git.process import Completed
from medgauge_registrar.git.store import TreeStore
from medgauge_registrar.git.trees import GitTree, differences
from medgauge_registrar.model.branch import Branch
from medgauge_registrar.model.change import PathChange
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.tree import FILE_MODES, Entry, Tree
from medgauge_registrar.patterns import lazy_pattern

_OID = {"sha1": lazy_pattern(r"[0-9a-f]{40}"), "sha256": lazy_pattern(r"[0-9a-f]{64}")}
_DEEPEN = "run `git fetch --unshallow` (in a workflow: `fetch-depth: 0` of actions/checkout)"
_ALIKE = (
    "diff-tree",
    "-r",
    "-z",
    "-M50%",
    "-l400",
    "--diff-filter=R",
    "--name-status",
    "--no-ext-diff",
    "--no-textconv",
)


class UnrelatedHistoriesError(ReadError):
    """Two commits have no common ancestor."""


@frozen
class Merge:
    """
    What merging two commits gives.

    Attributes:
        tree_oid: The merged tree; null if the merge conflicts.
        conflicts: Paths in conflict, sorted. May be empty in a conflict that is about folders rather than files.
    """

    tree_oid: str | None
    conflicts: tuple[str, ...]


class Repository:
    """
    A git repository, opened for reading; close it, or use it in a `with`.

    Everything but the meaning of revision names is read through a bare directory of our own that borrows the objects,
    so no setting, attribute, hook, replacement or graft is in force. Trees are valid until it is closed. Not for use
    from several threads.
    """

    def __init__(self, place: Place, limits: Limits) -> None:
        """Set up the directory; use `open`."""
        self.place = place
        self.limits = limits
        try:
            self._folder = tempfile.TemporaryDirectory(prefix="registrar-git-")
            self._bare = Path(self._folder.name)
            build_bare(self._bare, place)
        except OSError as error:
            raise ReadError(
                f"no temporary folder could be made ({error.strerror}): see to TMPDIR and its space"
            ) from error
        self._cat_file = CatFile(self._bare, limits)
        self._store = TreeStore(self._cat_file, place.object_format, limits)
        self._merge_bases: dict[tuple[str, str], str] = {}

    @classmethod
    def open(cls, path: Path, limits: Limits = DEFAULT_LIMITS) -> Self:
        """
        Open the repository that a folder lies in.

        Raises:
            ReadError: No repository, or one that git does not trust.
        """
        return cls(locate(path, limits), limits)

    def close(self) -> None:
        """End the processes and remove the directory."""
        self._cat_file.close()
        self._folder.cleanup()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def resolve(self, *revisions: str) -> tuple[str, ...]:
        """
        The commits that revisions name, as full object ids.

        Full ids are looked up; other names cost one process together.

        Raises:
            ReadError: A revision names no commit here; the message says which.
        """
        named = [revision for revision in revisions if not self._is_oid(revision)]
        found = dict(zip(named, self._parse_revisions(named), strict=True))
        full = [revision for revision in revisions if revision not in found]
        for revision, header in zip(full, self._cat_file.headers(f"{oid}^{{commit}}" for oid in full), strict=True):
            if header is None:
                raise self._unknown(revision)
            found[revision] = header.oid
        return tuple(found[revision] for revision in revisions)

    def find(self, reference: str) -> str | None:
        """
        The commit that a full reference name (`refs/…`) names; null if there is no such reference.

        Raises:
            ReadError: Git failed, or the reference names no commit.
        """
        place = git_dir(self.place.git_dir)
        answer = run(("show-ref", "--verify", "--quiet", "--", reference), limits=self.limits, place=place)
        if answer.status == 1 and not answer.stderr:
            return None
        return self.resolve(reference)[0]

    def merge_base(self, base: str, head: str) -> str:
        """
        The best common ancestor of two commits; of several, the first by object id.

        Raises:
            UnrelatedHistoriesError: There is none.
            ReadError: History is missing.
        """
        pair = (self._oid(base), self._oid(head))
        if pair not in self._merge_bases:
            answer = run(("merge-base", "--all", *pair), limits=self.limits, place=git_dir(self._bare))
            # Before git 2.44 a missing commit looks like "none" but for the words on standard error.
            if answer.status not in (0, 1) or answer.stderr:
                raise self._cut_history("merge-base", answer)
            if answer.status == 1:
                raise UnrelatedHistoriesError(
                    f"{base} and {head} have unrelated histories: no commit is an ancestor of both; "
                    "start the branch from the registry's own history"
                )
            self._merge_bases[pair] = min(answer.stdout.decode("ascii").split())
        return self._merge_bases[pair]

    def commits(self, merge_base: str, head: str) -> tuple[str, ...]:
        """
        The commits of a change: ancestors of the head, itself included, that are no ancestors of the merge base.

        Raises:
            ReadError: Too many, or history is missing.
        """
        count = self.limits.commits + 1
        arguments = ("rev-list", f"--max-count={count}", self._oid(head), f"^{self._oid(merge_base)}")
        answer = run(arguments, limits=self.limits, place=git_dir(self._bare))
        if answer.status != 0 or answer.stderr:
            raise self._cut_history("rev-list", answer)
        commits = tuple(answer.stdout.decode("ascii").split())
        if len(commits) == count:
            limit = self.limits.commits
            raise ReadError(f"{merge_base}..{head} has more than {limit} commits: too large; split the change")
        return commits

    def merges(self, merge_base: str, head: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """
        The commits of a change that have several parents, each with its parents in their order.

        Raises:
            ReadError: History is missing.
        """
        arguments = ("rev-list", "--parents", "--min-parents=2", self._oid(head), f"^{self._oid(merge_base)}")
        answer = run(arguments, limits=self.limits, place=git_dir(self._bare))
        if answer.status != 0 or answer.stderr:
            raise self._cut_history("rev-list", answer)
        lines = [line.split() for line in answer.stdout.decode("ascii").splitlines()]
        return tuple((commit, tuple(parents)) for commit, *parents in lines)

    def log(self, *arguments: str) -> bytes:
        """
        What `git log` says, its warnings left aside.

        Raises:
            ReadError: History is missing, or git was too slow or said too much.
        """
        answer = run(("log", *arguments), limits=self.limits, place=git_dir(self._bare))
        if answer.status != 0 or "error:" in answer.stderr:
            raise self._cut_history("log", answer)
        return answer.stdout

    def introduced(self, commits: Sequence[str]) -> Introduced:
        """
        All that the commits of a branch add or change, also what later ones take away again.

        Raises:
            ReadError: Too much, or an object is missing.
        """
        return introduced(self._cat_file, self._store, self.tree, [self._oid(sha) for sha in commits])

    def branch(self, commits: Sequence[str], known: Sequence[Tree], words: Sequence[str] = ()) -> Branch:
        """
        What a branch has shown besides what stands at its end.

        Args:
            commits: Commits of the branch.
            known: Trees whose contents are looked at in any case.
            words: What people wrote about it.

        Raises:
            ReadError: Too much, or an object is missing; contents are read when they are asked for.
        """
        brought = self.introduced(commits)
        gone = [pair for pair in brought.files if all(tree.entry(pair[0]) != pair[1] for tree in known)]
        return Branch(
            words=tuple(words),
            messages=brought.messages,
            names=tuple(sorted({path for path, _ in brought.files})),
            contents=lambda: self.contents(gone),
        )

    def contents(self, files: Sequence[tuple[str, Entry]]) -> Iterator[tuple[str, bytes]]:
        """
        Contents of files that stand in no tree at hand, their sizes first.

        Raises:
            ReadError: Too large, or an object is missing.
        """
        return contents(self._store, files)

    def merge(self, base: str, head: str) -> Merge:
        """
        Merge two commits as the platform would, without a work tree and without attributes.

        Raises:
            ReadError: The commits cannot be merged for want of objects, common history or time.
        """
        common = self.merge_base(base, head)
        if common in (base, head):
            return Merge(tree_oid=self.tree(head if common == base else base).oid, conflicts=())
        # What the head brings is measured before git merges it: git itself knows no bounds.
        brought = differences(self._store, self.tree(common).oid, self.tree(head).oid)
        self._store.sizes([(d.path, d.after) for d in brought if d.after is not None and d.after.mode in FILE_MODES])
        arguments = ("merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", base, head)
        answer = run(arguments, limits=self.limits, place=git_dir(self._bare))
        if answer.status not in (0, 1) or "error:" in answer.stderr:
            raise failure("merge-tree", answer)
        oid, *paths = (decoded(field) for field in answer.stdout.split(b"\0")[:-1])
        if answer.status == 1:
            return Merge(tree_oid=None, conflicts=tuple(sorted(set(paths))))
        return Merge(tree_oid=self._oid(oid), conflicts=())

    def changes(self, before: str, after: str) -> tuple[PathChange, ...]:
        """
        The paths in which two trees differ, sorted.

        A removal and an addition are a rename if their contents are equal, or by half or more alike as git counts it.

        Raises:
            ReadError: Too many paths, a missing object, or too slow.
        """
        before, after = self.tree(before).oid, self.tree(after).oid
        if before == after:
            return ()
        found = differences(self._store, before, after)
        if not found:
            raise ReadError(f"trees {before} and {after} differ, but in no path: one is malformed (see `git fsck`)")
        removed, added = lone_halves(found)
        if not removed or not added:
            return settle(found)
        # Git reads these blobs whole to compare them, so their sizes come first.
        self._store.sizes([*removed, *added])
        fields = output((*_ALIKE, before, after), limits=self.limits, place=git_dir(self._bare)).split(b"\0")[:-1]
        names = [decoded(field) for field in fields]
        return settle(found, dict(zip(names[2::3], names[1::3], strict=True)))

    def tree(self, oid: str) -> GitTree:
        """
        The tree of a commit, or a tree by its own id.

        Raises:
            ReadError: There is no such object.
        """
        (header,) = self._cat_file.headers([f"{self._oid(oid)}^{{tree}}"])
        if header is None:
            raise ReadError(f"{oid} names no tree here; fetch the whole history of both commits")
        return GitTree(self._store, self._bare, header.oid)

    def _parse_revisions(self, revisions: Sequence[str]) -> list[str]:
        """Ask the repository itself, since only it knows its names."""
        place = git_dir(self.place.git_dir)
        for revision in revisions:
            if not revision or "\0" in revision:
                raise self._unknown(revision)
        if len(revisions) > 1:
            wanted = [f"{revision}^{{commit}}" for revision in revisions]
            answer = run(("rev-parse", "--revs-only", "--end-of-options", *wanted), limits=self.limits, place=place)
            oids = decoded(answer.stdout).split("\n")[:-1]
            if answer.status == 0 and len(oids) == len(wanted) and all(self._is_oid(oid) for oid in oids):
                return oids
        # One by one, to learn which of them is unknown.
        oids = []
        for revision in revisions:
            arguments = ("rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}")
            answer = run(arguments, limits=self.limits, place=place)
            oid = decoded(answer.stdout).removesuffix("\n")
            if answer.status != 0 or not self._is_oid(oid):
                raise self._unknown(revision)
            oids.append(oid)
        return oids

    def _unknown(self, revision: str) -> ReadError:
        more = f"; the clone is shallow, so {_DEEPEN}" if self.place.shallow else "; if it is elsewhere, fetch it first"
        return ReadError(
            f"`{shown(revision)}` names no commit in `{shown(str(self.place.git_dir))}`: "
            f"give a branch, a tag or a commit id that `git rev-parse` knows{more}"
        )

    def _cut_history(self, command: str, answer: Completed) -> ReadError:
        if answer.status in (0, 1, 128) and self.place.shallow:
            return ReadError(f"shallow clone: the history of the two commits is cut off before they meet; {_DEEPEN}")
        if answer.status in (0, 1):
            said = complaint(answer.stderr)
            return ReadError(f"the history is incomplete: `{said}`; fetch the whole history of both commits")
        return failure(command, answer)

    def _is_oid(self, text: str) -> bool:
        return _OID[self.place.object_format].fullmatch(text) is not None

    def _oid(self, text: str) -> str:
        if not self._is_oid(text):
            raise ReadError(f"`{shown(text)}` is no full {self.place.object_format} object id: resolve it first")
        return text
