"""A tree made of a list of paths, for files that are not git objects."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from medgauge_registrar.git.messages import shown
from medgauge_registrar.git.objects import encoded, object_id, order_key, tree_id
from medgauge_registrar.git.words import checked_words
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.tree import FILE_MODES, FOLDER_MODE, GITLINK_MODE, Entry

# Contents that were read for an id are kept for the next reader, up to this size in all.
MAX_KEPT_BYTES = 32 * 2**20


class ListedTree(ABC):
    """
    A tree with git's ids, order and modes over files kept elsewhere; implements `Tree`.

    Ids are computed when they are first asked for, so looking a file up reads that file alone.
    """

    def __init__(self, modes: Mapping[str, str], object_format: str) -> None:
        """
        Arrange the paths in folders.

        Args:
            modes: Mode of every file, symbolic link and submodule, by path.
            object_format: `sha1` or `sha256`.

        Raises:
            ValueError: A path is a file and a folder at once.
        """
        self._modes = dict(modes)
        self._object_format = object_format
        self._entries: dict[str, Entry] = {}
        self._kept: dict[str, bytes] = {}
        self._kept_bytes = 0
        children: dict[str, dict[str, bool]] = {"": {}}
        for path in self._modes:
            is_folder = False
            while path:
                folder, _, name = path.rpartition("/")
                known = children.setdefault(folder, {})
                if known.setdefault(name, is_folder) != is_folder:
                    raise ValueError(f"{path!r} is a file and a folder at once")
                if not folder:
                    break
                path, is_folder = folder, True
        self._folders = {folder: _in_order(names) for folder, names in children.items()}

    @abstractmethod
    def _contents(self, path: str) -> bytes:
        """Bytes of a file, target of a symbolic link, or hexadecimal id of a submodule."""

    @property
    def oid(self) -> str:
        """The id that git would give the tree."""
        return self._folder_entry("").oid

    @property
    def file_count(self) -> int:
        """How many files, links and submodules there are; none of them is read for it."""
        return len(self._modes)

    def entry(self, path: str) -> Entry | None:
        """Look a path up; the empty path is the tree itself."""
        if path in self._folders:
            return self._folder_entry(path)
        return self._file_entry(path) if path in self._modes else None

    def names(self, folder: str) -> Sequence[tuple[str, Entry]]:
        """List the names in one folder, in git's order; empty if there is no such folder."""
        return tuple(self._children(folder))

    def listing(self, folder: str) -> Collection[str]:
        """The names alone; empty if there is no such folder."""
        return tuple(self._folders.get(folder, ()))

    def paths(self, folder: str) -> Iterator[str]:
        """List everything below a folder that is no folder itself, in git's order; nothing is read for it."""
        prefix = encoded(folder) + b"/" if folder else b""
        return (path for path in sorted(self._modes, key=encoded) if encoded(path).startswith(prefix))

    def walk(self, folder: str) -> Iterator[tuple[str, Entry]]:
        """List the same, with what stands at each path."""
        return ((path, self._file_entry(path)) for path in self.paths(folder))

    def read(self, path: str) -> bytes | None:
        """Contents of a regular file; null if there is none, or if the path is a folder, a link or a submodule."""
        if self._modes.get(path) not in FILE_MODES:
            return None
        kept = self._kept.pop(path, None)
        if kept is None:
            return self._contents(path)
        self._kept_bytes -= len(kept)
        return kept

    def read_many(self, entries: Iterable[tuple[str, Entry]]) -> Iterator[tuple[str, bytes]]:
        """
        Contents of many files, in the order given; entries that are no regular files are left out.

        Raises:
            ReadError: A file is not what the entry says.
        """
        for path, entry in entries:
            if entry.mode in FILE_MODES:
                data = self.read(path)
                if data is None or object_id("blob", data, self._object_format) != entry.oid:
                    raise ReadError(f"`{shown(path)}` changed while it was read: run again", may_pass_later=True)
                yield path, data

    def mentions(self, folder: str, words: Sequence[str]) -> Sequence[str]:
        """
        Paths of regular files below a folder whose bytes contain any of the words, in git's order.

        Raises:
            ValueError: A word is empty or has a line break or NUL.
        """
        wanted = [encoded(word) for word in checked_words(words)]
        if not wanted:
            return ()
        found = []
        for path in self.paths(folder):
            data = self.read(path)
            if data is not None and any(word in data for word in wanted):
                found.append(path)
        return found

    def _children(self, folder: str) -> Iterator[tuple[str, Entry]]:
        for name in self._folders.get(folder, ()):
            path = f"{folder}/{name}" if folder else name
            yield name, self._folder_entry(path) if path in self._folders else self._file_entry(path)

    def _folder_entry(self, folder: str) -> Entry:
        if folder not in self._entries:
            oid = tree_id(self._children(folder), self._object_format)
            self._entries[folder] = Entry(mode=FOLDER_MODE, oid=oid)
        return self._entries[folder]

    def _file_entry(self, path: str) -> Entry:
        if path not in self._entries:
            mode, data = self._modes[path], self._contents(path)
            oid = data.decode("ascii") if mode == GITLINK_MODE else object_id("blob", data, self._object_format)
            self._entries[path] = Entry(mode=mode, oid=oid)
            if self._kept_bytes + len(data) <= MAX_KEPT_BYTES:
                self._kept[path] = data
                self._kept_bytes += len(data)
        return self._entries[path]


def _in_order(names: Mapping[str, bool]) -> list[str]:
    return sorted(names, key=lambda name: order_key(name, folder=names[name]))
