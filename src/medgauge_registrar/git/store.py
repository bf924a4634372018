"""Tree objects and blobs of one repository, read on demand and with their sizes first."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from operator import lt

from medgauge_registrar.git.catfile import CatFile, Header
from medgauge_registrar.git.limits import Limits
from medgauge_registrar.git.messages import shown
from medgauge_registrar.git.objects import decoded
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.tree import FILE_MODES, FOLDER_MODE, GITLINK_MODE, SYMLINK_MODE, Entry
from medgauge_registrar.patterns import lazy_pattern

# Mode, name and raw object id of every row: three lists cost less than one of triples, which the collector of garbage minds.
_OID_BYTES = {"sha1": 20, "sha256": 32}
_COLUMNS = {
    form: (
        lazy_pattern(rb"([0-7]{1,6}) [^\0]+\0.{%d}" % size, re.DOTALL),
        lazy_pattern(rb"[0-7]{1,6} ([^\0]+)\0.{%d}" % size, re.DOTALL),
        lazy_pattern(rb"[0-7]{1,6} [^\0]+\0(.{%d})" % size, re.DOTALL),
    )
    for form, size in _OID_BYTES.items()
}
_MODES = {
    b"100644": "100644",
    b"100755": "100755",
    b"120000": SYMLINK_MODE,
    b"160000": GITLINK_MODE,
    b"40000": FOLDER_MODE,
}
_NO_NAMES = frozenset({b".", b".."})
_HELD_ENTRIES = 500_000
_AHEAD_BYTES = 1024 * 1024
_BATCH = 512
_BATCH_BYTES = 16 * 1024 * 1024


class TreeNames(Mapping[str, Entry]):
    """
    The names in one tree object, in git's order.

    A folder may hold a hundred thousand names of which one is wanted, so an `Entry` is made when it is asked for.
    """

    def __init__(self, oids: dict[str, bytes], usual_mode: bytes, other_modes: dict[str, bytes]) -> None:
        """Take the raw object id by name, the mode that most have, and the modes of those that have another."""
        self.oids = oids
        self._usual_mode = usual_mode
        self._other_modes = other_modes

    def __getitem__(self, name: str) -> Entry:
        """The entry of a name."""
        raw, mode = self.oids[name], self._other_modes.get(name, self._usual_mode)
        return Entry(mode=_MODES.get(mode) or _canonical(mode), oid=raw.hex())

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self.oids)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.oids)

    def may_differ(self, other: "TreeNames") -> set[str]:
        """Names of which either tree has another entry, and perhaps some that only spell the same mode in two ways."""
        if self._usual_mode != other._usual_mode and self.oids and other.oids:
            return {*self.oids, *other.oids}
        others = {name for name, _ in self._other_modes.items() ^ other._other_modes.items()}
        return others | {name for name, _ in self.oids.items() ^ other.oids.items()}


NO_NAMES_AT_ALL = TreeNames({}, b"", {})


class TreeStore:
    """Tree objects and blobs of one repository, shared by all its trees."""

    def __init__(self, cat_file: CatFile, object_format: str, limits: Limits) -> None:
        """Take the reader that all answers come from."""
        self.cat_file = cat_file
        self.limits = limits
        self._columns = _COLUMNS[object_format]
        self._oid_bytes = _OID_BYTES[object_format]
        self._held: dict[str, TreeNames] = {}
        self._held_entries = 0

    def holds(self, oid: str) -> bool:
        """Whether a tree object is at hand."""
        return oid in self._held

    def entries(self, oid: str) -> TreeNames:
        """
        Names in a tree object, in git's order.

        Raises:
            ReadError: The object is missing, too large, or not a well-formed tree.
        """
        if oid not in self._held:
            self.load([oid])
        return self._held[oid]

    def load(self, oids: Sequence[str]) -> None:
        """
        Read tree objects in one go: the first one always, the others ahead of need while they are small.

        Raises:
            ReadError: An object is missing, too large, or not a well-formed tree.
        """
        wanted = list(dict.fromkeys(oid for oid in oids if oid not in self._held))
        chosen: list[str] = []
        ahead = 0
        for oid, header in zip(wanted, self.cat_file.headers(wanted), strict=True):
            size = _checked(oid, header, kind="tree", limit=self.limits.tree_bytes)
            ahead += size if chosen else 0
            # Large ones would push one another out before they are used, and be read over and over.
            if ahead > _AHEAD_BYTES:
                break
            chosen.append(oid)
        for question in self.cat_file.ask(chosen, contents=True):
            data = self.cat_file.answer(question).contents
            if data is None:
                raise _missing(question.name)
            self._hold(question.name, self._parse(question.name, data))

    def read(self, entries: Iterable[tuple[str, Entry]]) -> Iterator[tuple[str, bytes]]:
        """
        Contents of many files in the order given; entries that are no regular files are left out.

        Raises:
            ReadError: A blob is missing or too large.
        """
        files = (pair for pair in entries if pair[1].mode in FILE_MODES)
        while batch := list(islice(files, _BATCH)):
            yield from self._read_batch(batch, self.sizes(batch))

    def sizes(self, files: Sequence[tuple[str, Entry]]) -> list[int]:
        """
        Sizes of blobs, in bytes.

        Raises:
            ReadError: A blob is missing or too large; the message names its path.
        """
        headers = self.cat_file.headers(entry.oid for _, entry in files)
        return [
            _checked(entry.oid, header, kind="blob", limit=self.limits.blob_bytes, path=path)
            for (path, entry), header in zip(files, headers, strict=True)
        ]

    def _read_batch(self, files: Sequence[tuple[str, Entry]], sizes: Sequence[int]) -> Iterator[tuple[str, bytes]]:
        start = 0
        while start < len(files):
            end, total = start + 1, sizes[start]
            while end < len(files) and total + sizes[end] <= _BATCH_BYTES:
                total += sizes[end]
                end += 1
            questions = self.cat_file.ask((entry.oid for _, entry in files[start:end]), contents=True)
            for (path, _), question in zip(files[start:end], questions, strict=True):
                data = self.cat_file.answer(question).contents
                if data is None:
                    raise _missing(question.name, path)
                # Whoever holds the list of questions must not hold all contents with it.
                question.contents = None
                yield path, data
            start = end

    def _hold(self, oid: str, entries: TreeNames) -> None:
        self._held[oid] = entries
        self._held_entries += len(entries)
        while self._held_entries > _HELD_ENTRIES and len(self._held) > 1:
            self._held_entries -= len(self._held.pop(next(iter(self._held))))

    def _parse(self, oid: str, data: bytes) -> TreeNames:
        """Take a tree object apart; whole lists at a time, because one folder may hold very many names."""
        modes, names, raws = (column.findall(data) for column in self._columns)
        if not names:
            if data:
                raise _malformed(oid)
            return NO_NAMES_AT_ALL
        kinds = set(modes)
        folders = {mode for mode in kinds if (_MODES.get(mode) or _canonical(mode)) == FOLDER_MODE}
        # Folders sort as if a slash ended their name.
        keys = (
            [name + b"/" if mode in folders else name for mode, name in zip(modes, names, strict=True)]
            if folders
            else names
        )
        joined = b"\0".join(names)
        length = len(b" ".join(modes)) + 1 + len(joined) + 1 + self._oid_bytes * len(names)
        oids = dict(zip(decoded(joined).split("\0"), raws, strict=True))
        sound = (
            length == len(data)
            and len(oids) == len(names)
            and all(map(lt, keys, islice(keys, 1, None)))
            and b"/" not in joined
            and _NO_NAMES.isdisjoint(names)
        )
        if not sound:
            raise _malformed(oid)
        usual = max(kinds, key=modes.count)
        others = {name: mode for name, mode in zip(oids, modes, strict=True) if mode != usual} if len(kinds) > 1 else {}
        return TreeNames(oids, usual, others)


def _canonical(mode: bytes) -> str:
    """The mode that git makes of an unusual one (`100664` of old versions), so that tree and diff agree."""
    number = int(mode, 8)
    kind = number & 0o170000
    if kind == 0o100000:
        return "100755" if number & 0o100 else "100644"
    return {0o120000: SYMLINK_MODE, 0o040000: FOLDER_MODE}.get(kind, GITLINK_MODE)


def _checked(oid: str, header: Header | None, *, kind: str, limit: int, path: str = "") -> int:
    if header is None:
        raise _missing(oid, path)
    if header.kind == kind and header.size <= limit:
        return header.size
    what = f"`{shown(path)}` ({kind} {oid})" if path else f"{kind} {oid}"
    if header.kind != kind:
        raise ReadError(f"{what} is a {header.kind}: the repository is damaged, clone it anew")
    raise ReadError(f"{what} is too large: {header.size} bytes, at most {limit} are read; shorten it")


def _missing(oid: str, path: str = "") -> ReadError:
    where = f"`{shown(path)}` cannot be read: " if path else ""
    return ReadError(f"{where}object {oid} is missing; fetch without a filter, the whole history of both commits")


def _malformed(oid: str) -> ReadError:
    return ReadError(f"tree {oid} is malformed (modes, names or their order; see `git fsck`): make the commit anew")
