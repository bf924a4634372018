"""Tree objects and blobs of one repository, read on demand and with their sizes first."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, islice
from operator import lt

from medgauge_registrar.git.catfile import CatFile, Header
from medgauge_registrar.git.limits import Limits
from medgauge_registrar.git.messages import shown
from medgauge_registrar.git.objects import decoded, encoded
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.tree import FILE_MODES, FOLDER_MODE, GITLINK_MODE, SYMLINK_MODE, Entry
from medgauge_registrar.patterns import lazy_pattern

_OID_BYTES = {"sha1": 20, "sha256": 32}
# A whole row: mode, name and raw object id.
_ROW = {form: lazy_pattern(rb"[0-7]{1,6} [^\0]+\0.{%d}" % size, re.DOTALL) for form, size in _OID_BYTES.items()}
_MODES = {
    b"100644": "100644",
    b"100755": "100755",
    b"120000": SYMLINK_MODE,
    b"160000": GITLINK_MODE,
    b"40000": FOLDER_MODE,
}
_COMPARED_AT_ONCE = 64 * 1024
_LARGE_BYTES = 64 * 1024
_NO_NAMES = frozenset({b".", b".."})
_HELD_ENTRIES = 500_000
_AHEAD_BYTES = 1024 * 1024
_BATCH = 512
_BATCH_BYTES = 16 * 1024 * 1024


class TreeNames(Mapping[str, Entry]):
    """
    The names in one tree object, in git's order.

    A folder may hold a hundred thousand names of which few are wanted, so its rows stay as they are, and an `Entry` is made when
    it is asked for.
    """

    def __init__(self, data: bytes, rows: Sequence[bytes], ordered: Sequence[bytes], oid_bytes: int) -> None:
        """Take the object, its rows, and what git sorts them by: their names, those of folders with a slash behind."""
        self.data = data
        self.rows = rows
        self.ordered = ordered
        self._oid_bytes = oid_bytes

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All names, in git's order."""
        # No name holds a slash or NUL.
        return tuple(decoded(b"\0".join(self.ordered).replace(b"/", b"")).split("\0")) if self.ordered else ()

    def __getitem__(self, name: str) -> Entry:
        """The entry of a name."""
        sought = encoded(name)
        for key in (sought, sought + b"/"):
            place = self.place(key)
            if place is not None:
                return self._entry(self.rows[place])
        raise KeyError(name)

    def place(self, key: bytes) -> int | None:
        """Where a file of a name stands, or a folder, for a name with a slash behind; null if there is none."""
        place = bisect_left(self.ordered, key)
        return place if place < len(self.ordered) and self.ordered[place] == key else None

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self.names)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.rows)

    def may_differ(self, other: "TreeNames") -> set[str]:
        """Names of which either tree has another entry, and perhaps some that only spell the same mode in two ways."""
        before = _common(self.rows, other.rows)
        behind = min(_common(self.rows, other.rows, backwards=True), min(len(self), len(other)) - before)
        rows = set(self.rows[before : len(self) - behind])
        rows.symmetric_difference_update(other.rows[before : len(other) - behind])
        return {decoded(row[row.index(b" ") + 1 : row.index(b"\0")]) for row in rows}

    def _entry(self, row: bytes) -> Entry:
        mode = row[: row.index(b" ")]
        return Entry(mode=_MODES.get(mode) or _canonical(mode), oid=row[-self._oid_bytes :].hex())


NO_NAMES_AT_ALL = TreeNames(b"", (), (), 0)


def _common(one: Sequence[object], other: Sequence[object], *, backwards: bool = False) -> int:
    """How many items two sequences have in common from their start, or up to their end; compared many at a time."""
    length = min(len(one), len(other))
    known, size = 0, _COMPARED_AT_ONCE
    while known < length:
        size = min(size, length - known)
        if backwards:
            end, other_end = len(one) - known, len(other) - known
            same = one[end - size : end] == other[other_end - size : other_end]
        else:
            same = one[known : known + size] == other[known : known + size]
        if same:
            known += size
        elif size == 1:
            break
        else:
            size //= 2
    return known


class TreeStore:
    """Tree objects and blobs of one repository, shared by all its trees."""

    def __init__(self, cat_file: CatFile, object_format: str, limits: Limits) -> None:
        """Take the reader that all answers come from."""
        self.cat_file = cat_file
        self.limits = limits
        self._pattern = _ROW[object_format]
        self._oid_bytes = _OID_BYTES[object_format]
        self._held: dict[str, TreeNames] = {}
        self._held_entries = 0
        # The large tree that was read last: the next one is often the same folder in another commit.
        self._last = NO_NAMES_AT_ALL

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
            is_large = len(data) > _LARGE_BYTES
            found = self._parse(question.name, data, self._last if is_large else NO_NAMES_AT_ALL)
            self._hold(question.name, found)
            if is_large:
                self._last = found

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

    def _parse(self, oid: str, data: bytes, like: TreeNames) -> TreeNames:
        """
        Take a tree object apart; whole lists at a time, because one folder may hold very many names.

        Args:
            oid: Id of the object.
            data: The object.
            like: Another tree; what this one begins and ends with as that does is not taken apart again.
        """
        offsets = [0, *accumulate(map(len, like.rows))]
        first = bisect_right(offsets, _common(like.data, data)) - 1
        room = min(len(like.data), len(data)) - offsets[first]
        behind = min(_common(like.data, data, backwards=True), room)
        last = bisect_left(offsets, len(like.data) - behind)
        middle = self._take_apart(data[offsets[first] : len(data) - len(like.data) + offsets[last]])
        if middle is None:
            raise _malformed(oid)
        rows = [*like.rows[:first], *middle[0], *like.rows[last:]]
        ordered = [*like.ordered[:first], *middle[1], *like.ordered[last:]]
        found = TreeNames(data, rows, ordered, self._oid_bytes)
        # A file and a folder of one name need not stand side by side; most trees hold either files or folders.
        mixed = 0 < b"\0".join(ordered).count(b"/") < len(ordered)
        twins = mixed and any(
            found.place(key[:-1] if key.endswith(b"/") else key + b"/") is not None for key in middle[1]
        )
        if twins or not all(map(lt, ordered, islice(ordered, 1, None))):
            raise _malformed(oid)
        return found

    def _take_apart(self, data: bytes) -> tuple[list[bytes], list[bytes]] | None:
        """Rows of a whole tree or of a part, and what git sorts them by; null if they are none."""
        rows: list[bytes] = self._pattern.findall(data)
        if not rows:
            return None if data else ([], [])
        joined = b"".join([row[: -self._oid_bytes] for row in rows])
        mode = joined[: joined.index(b" ") + 1]
        # Folders sort as if a slash ended their name.
        if joined.count(b"\0" + mode) == len(rows) - 1:
            names = joined[len(mode) : -1].split(b"\0" + mode)
            ordered = [name + b"/" for name in names] if _is_folder(mode[:-1]) else names
        else:
            pairs = [head.split(b" ", 1) for head in joined[:-1].split(b"\0")]
            names = [name for _, name in pairs]
            folders = {found for found in {found for found, _ in pairs} if _is_folder(found)}
            ordered = [name + b"/" if found in folders else name for found, name in pairs]
        whole = len(joined) + self._oid_bytes * len(rows) == len(data)
        return (rows, ordered) if whole and b"/" not in joined and _NO_NAMES.isdisjoint(names) else None


def _is_folder(mode: bytes) -> bool:
    return (_MODES.get(mode) or _canonical(mode)) == FOLDER_MODE


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
