"""Trees read from git objects."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from medgauge_registrar.git.changes import Difference
from medgauge_registrar.git.command import failure, git_dir, run
from medgauge_registrar.git.limits import Limits
from medgauge_registrar.git.messages import shown
from medgauge_registrar.git.objects import decoded, encoded
from medgauge_registrar.git.store import NO_NAMES_AT_ALL, TreeStore
from medgauge_registrar.git.words import checked_words
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.tree import FILE_MODES, FOLDER_MODE, Entry

_READ_AHEAD = 64
_SIZES_AT_ONCE = 512
_WORDS_A_GREP = 500
_FOLDERS_REMEMBERED = 5_000


class GitTree:
    """A tree object; implements `Tree`. Valid while its repository is open."""

    def __init__(self, store: TreeStore, git_directory: Path, oid: str) -> None:
        """Name the tree; nothing is read yet."""
        self._store = store
        self._git_directory = git_directory
        self._oid = oid
        self._folders: dict[str, str | None] = {"": oid}

    @property
    def oid(self) -> str:
        """Hexadecimal id of the tree object."""
        return self._oid

    def entry(self, path: str) -> Entry | None:
        """Look a path up; the empty path is the tree itself."""
        if not path:
            return Entry(mode=FOLDER_MODE, oid=self._oid)
        if path.startswith("/"):
            return None
        above, _, name = path.rpartition("/")
        folder = self._folders[above] if above in self._folders else self._folder(above)
        return self._store.entries(folder).get(name) if folder is not None else None

    def _folder(self, path: str) -> str | None:
        """Id of a folder; null if there is none. Those met first are remembered."""
        oid = self._oid
        folder = ""
        for name in path.split("/"):
            folder = f"{folder}/{name}" if folder else name
            if folder in self._folders:
                below = self._folders[folder]
            else:
                found = self._store.entries(oid).get(name)
                below = found.oid if found is not None and found.mode == FOLDER_MODE else None
                if len(self._folders) < _FOLDERS_REMEMBERED:
                    self._folders[folder] = below
            if below is None:
                return None
            oid = below
        return oid

    def names(self, folder: str) -> Sequence[tuple[str, Entry]]:
        """List the names in one folder, in git's order; empty if there is no such folder."""
        found = self.entry(folder)
        if found is None or found.mode != FOLDER_MODE:
            return ()
        return tuple(self._store.entries(found.oid).items())

    def listing(self, folder: str) -> Collection[str]:
        """The names alone; empty if there is no such folder."""
        found = self.entry(folder)
        return self._store.entries(found.oid).names if found is not None and found.mode == FOLDER_MODE else ()

    def walk(self, folder: str) -> Iterator[tuple[str, Entry]]:
        """
        List everything below a folder that is no folder itself, in git's order.

        Raises:
            ReadError: An object is missing or a limit is passed. Every visit counts, also of a subtree seen before.
        """
        meter = _Meter(self._oid, self._store.limits)
        stack = [(folder + "/" if folder else "", self.names(folder), 0)]
        while stack:
            prefix, rows, start = stack.pop()
            for index in range(start, len(rows)):
                name, entry = rows[index]
                path = prefix + name
                meter.count(1, path)
                if entry.mode != FOLDER_MODE:
                    meter.length(path)
                    yield path, entry
                    continue
                meter.enter(path, len(stack) + 2)
                if not self._store.holds(entry.oid):
                    following = (e.oid for _, e in islice(rows, index, None) if e.mode == FOLDER_MODE)
                    self._store.load(list(islice(following, _READ_AHEAD)))
                stack += [(prefix, rows, index + 1), (path + "/", tuple(self._store.entries(entry.oid).items()), 0)]
                break

    def paths(self, folder: str) -> Iterator[str]:
        """The paths of `walk` alone."""
        return (path for path, _ in self.walk(folder))

    def read(self, path: str) -> bytes | None:
        """Contents of a regular file; null if there is none, or if the path is a folder, a link or a submodule."""
        entry = self.entry(path)
        if entry is None:
            return None
        return next((data for _, data in self._store.read([(path, entry)])), None)

    def read_many(self, entries: Iterable[tuple[str, Entry]]) -> Iterator[tuple[str, bytes]]:
        """Contents of many files, in the order given; entries that are no regular files are left out."""
        return self._store.read(entries)

    def mentions(self, folder: str, words: Sequence[str]) -> Sequence[str]:
        """
        Paths of regular files below a folder whose bytes contain any of the words, in git's order.

        Raises:
            ReadError: An object is missing or a limit is passed.
            ValueError: A word is empty or has a line break or NUL.
        """
        wanted = checked_words(words)
        files = [(path, entry) for path, entry in self.walk(folder) if entry.mode in FILE_MODES]
        if not wanted or not files:
            return ()
        # Git reads a blob whole to search it, so sizes come first here too.
        for start in range(0, len(files), _SIZES_AT_ONCE):
            self._store.sizes(files[start : start + _SIZES_AT_ONCE])
        found: set[str] = set()
        for start in range(0, len(wanted), _WORDS_A_GREP):
            found.update(self._grep(folder, wanted[start : start + _WORDS_A_GREP]))
        return sorted(found, key=encoded)

    def _grep(self, folder: str, words: Sequence[str]) -> Iterator[str]:
        patterns = [argument for word in words for argument in ("-e", word)]
        below = ["--", folder] if folder else []
        arguments = ["grep", "-l", "-z", "-F", "-a", "--no-color", "--no-textconv", *patterns, self._oid, *below]
        answer = run(arguments, limits=self._store.limits, place=git_dir(self._git_directory))
        # Git grep goes on after an object it cannot read, and only says so on standard error.
        if answer.status not in (0, 1) or answer.stderr:
            raise failure("grep", answer)
        prefix = len(self._oid) + 1
        return (decoded(row[prefix:]) for row in answer.stdout.split(b"\0")[:-1])


def differences(store: TreeStore, before: str | None, after: str) -> list[Difference]:
    """
    Compare two tree objects, reading only the folders in which they differ.

    Git's own comparison collects all paths before it prints the first, so it cannot be stopped by their number.

    Args:
        store: Where both are read.
        before: Id of a tree object; null stands for an empty one.
        after: Id of a tree object.

    Returns:
        Every path that is no folder and differs, in no particular order.

    Raises:
        ReadError: An object is missing or a limit is passed.
    """
    found: list[Difference] = []
    meter = _Meter(after, store.limits)
    stack: list[tuple[str, str | None, str | None, int]] = [("", before, after, 1)]
    while stack:
        prefix, old_folder, new_folder, depth = stack.pop()
        missing = [oid for oid in (old_folder, new_folder) if oid is not None and not store.holds(oid)]
        if missing:
            waiting = (oid for _, *oids, _ in reversed(stack) for oid in oids if oid is not None)
            store.load([*missing, *islice(waiting, _READ_AHEAD)])
        old = store.entries(old_folder) if old_folder is not None else NO_NAMES_AT_ALL
        new = store.entries(new_folder) if new_folder is not None else NO_NAMES_AT_ALL
        meter.count(len(old) + len(new), prefix)
        for name in sorted(old.may_differ(new)):
            was, is_now = old.get(name), new.get(name)
            if was == is_now:
                continue  # two spellings of one mode
            path = prefix + name
            old_below, was = (was.oid, None) if was is not None and was.mode == FOLDER_MODE else (None, was)
            new_below, is_now = (
                (is_now.oid, None) if is_now is not None and is_now.mode == FOLDER_MODE else (None, is_now)
            )
            if was is not None or is_now is not None:
                meter.length(path)
                found.append(Difference(path=path, before=was, after=is_now))
                if len(found) > store.limits.changed_paths:
                    limit = store.limits.changed_paths
                    raise ReadError(f"more than {limit} paths are changed: too large; split the change")
            if old_below is not None or new_below is not None:
                meter.enter(path, depth + 1)
                stack.append((path + "/", old_below, new_below, depth + 1))
    return found


class _Meter:
    """Counts what a walk has seen, so that a tree that holds one subtree many times ends in an error."""

    def __init__(self, oid: str, limits: Limits) -> None:
        self._oid = oid
        self._limits = limits
        self._seen = 0

    def count(self, names: int, path: str) -> None:
        self._seen += names
        if self._seen > self._limits.tree_entries:
            raise self._too_large(f"more than {self._limits.tree_entries} names", path)

    def length(self, path: str) -> None:
        limit = self._limits.path_bytes
        if len(path) * 4 > limit and len(encoded(path)) > limit:
            raise self._too_large(f"a path of more than {limit} bytes", path)

    def enter(self, path: str, depth: int) -> None:
        self.length(path)
        if depth > self._limits.tree_depth:
            raise self._too_large(f"more than {self._limits.tree_depth} folders inside each other", path)

    def _too_large(self, what: str, path: str) -> ReadError:
        near = shown(path[:80])
        return ReadError(f"tree {self._oid} has {what}: too large; look for a folder that repeats itself near `{near}`")
