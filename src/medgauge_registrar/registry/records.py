"""A registry at one commit: records by path, read on demand, with their place in the layout."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Document, Json
from medgauge_registrar.model.tree import FILE_MODES, Entry, Tree
from medgauge_registrar.registry.layout import Layout, Place
from medgauge_registrar.registry.reader import Syntax, read_document
from medgauge_registrar.registry.schemas import SCHEMA_NAMES, SchemaSet

_Found = TypeVar("_Found")

# Parsed records kept at once; a scan of a large registry must not hold them all.
CACHED_RECORDS = 5_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """One record file, read."""

    path: str
    place: Place
    document: Document = field(repr=False)
    _known: dict[object, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, question: str, under: object, work: Callable[[], _Found]) -> _Found:
        """The answer to a question about the record under some rules, worked out once and kept for as long as the record is."""
        asked = (question, under)
        if asked not in self._known:
            self._known[asked] = work()
        found: _Found = self._known[asked]
        return found

    @property
    def kind(self) -> Kind:
        """Kind the path stands for."""
        return self.place.kind

    @property
    def readable(self) -> bool:
        """Whether the file could be read as a record at all."""
        return not self.document.faults

    @property
    def fields(self) -> dict[str, Json]:
        """Top-level fields; empty if the record is no mapping."""
        return self.document.value if isinstance(self.document.value, dict) else {}

    def __getitem__(self, name: str) -> Json:
        """A top-level field; null if absent."""
        return self.fields.get(name)


class Registry:
    """
    The records of one tree.

    Args:
        tree: The tree they stand in.
        layout: Where each kind lives.
        schemas: The schemas that decide (those of the base).
    """

    def __init__(self, tree: Tree, layout: Layout, schemas: SchemaSet) -> None:
        self.tree = tree
        self.layout = layout
        self.schemas = schemas
        self._records: OrderedDict[str, Record | None] = OrderedDict()

    def record(self, path: str) -> Record | None:
        """Read a record; null if the tree has no regular file there. An unreadable one carries its faults."""
        if self.remembers(path):
            return self._records[path]
        entry = self.tree.entry(path)
        data = self.tree.read(path) if entry is not None and entry.mode in FILE_MODES else None
        record = None if data is None else self.parse(self.layout.place(path), data)
        self.keep(path, record)
        return record

    def valid_record(self, path: str) -> Record | None:
        """A record that is there, was read and keeps its schema; null otherwise."""
        record = self.record(path)
        return record if record is not None and self.is_valid(record) else None

    def is_valid(self, record: Record) -> bool:
        """Whether a record was read and keeps the schema of its kind."""
        return record.once("is valid", self.schemas, lambda: self._is_valid(record))

    def _is_valid(self, record: Record) -> bool:
        if not record.readable:
            return False
        name = SCHEMA_NAMES.get(record.kind)
        return name is not None and name in self.schemas and self.schemas.is_valid(name, record.document.value)

    def parse(self, place: Place, data: bytes) -> Record:
        """Read the bytes of a record file."""
        syntax = Syntax.JSON if place.path.endswith(".json") else Syntax.YAML
        return Record(path=place.path, place=place, document=read_document(data, syntax=syntax))

    def remembers(self, path: str) -> bool:
        """Whether a record was read lately; being asked for counts as being read."""
        if path in self._records:
            self._records.move_to_end(path)
            return True
        return False

    def keep(self, path: str, record: Record | None) -> None:
        """Remember a record that was read in passing."""
        self._records[path] = record
        if len(self._records) > CACHED_RECORDS:
            self._records.popitem(last=False)

    def has(self, path: str) -> bool:
        """Whether a regular file stands at a path."""
        entry = self.tree.entry(path)
        return entry is not None and entry.mode in FILE_MODES

    def path_of(self, kind: Kind, **fields: str) -> str:
        """Path of an object (`Layout.path`)."""
        return self.layout.path(kind, **fields)

    def names(self, folder: str) -> Sequence[tuple[str, Entry]]:
        """Names in one folder."""
        return self.tree.names(folder)

    def versions(self, kind: Kind, **fields: str) -> tuple[str, ...]:
        """Versions that an object has a file for, lowest first."""
        folder = self.layout.path(kind, version="0.0.0", **fields).rpartition("/")[0]
        found = [
            place.version
            for name, _ in self.tree.names(folder)
            if (place := self.layout.place(f"{folder}/{name}")).kind is kind and place.version is not None
        ]
        return tuple(sorted(found, key=version_key))

    def places(self) -> Iterator[tuple[Place, Entry]]:
        """Every file of the tree with what it stands for, in git's order."""
        for path, entry in self.tree.walk(""):
            yield self.layout.place(path), entry


def version_key(version: str) -> tuple[int, ...]:
    """Sort key of a version: numbers, not text, so that 0.10.0 follows 0.9.0 (VER-02)."""
    return tuple(int(part) for part in version.split("."))
