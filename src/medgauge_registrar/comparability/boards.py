"""Boards: every frozen benchmark version has one, and its figures stand on it."""

from collections.abc import Iterator

from medgauge_registrar.classify.transitions import is_frozen
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.registry.records import Record, Registry, version_key


@frozen
class Boards:
    """
    The boards there are.

    Attributes:
        versions: Frozen benchmark versions, as `bm-…@x.y.z`.
        unclear: Paths of versions that break their schema or cannot be read, so that nobody can tell.
    """

    versions: frozenset[str]
    unclear: tuple[str, ...]


def all_boards(registry: Registry) -> Boards:
    """Every board of a registry."""
    folder = registry.layout.folder(Kind.BM_VERSION)
    paths = (path for path, _ in registry.tree.walk(folder) if registry.layout.place(path).kind is Kind.BM_VERSION)
    return _boards(registry, paths)


def boards_of(registry: Registry, family: str) -> Boards:
    """The boards of one family."""
    versions = registry.versions(Kind.BM_VERSION, bm=family)
    return _boards(registry, (registry.path_of(Kind.BM_VERSION, bm=family, version=version) for version in versions))


def frozen_before(record: Record, boards: Boards) -> str | None:
    """
    Version of the family that a frozen version follows; null if it is the first.

    It is the one it names in `supersedes`, else the highest frozen one below it, else the highest frozen one.
    """
    own = record.place.version or ""
    others = sorted(
        (version for name in boards.versions if (version := name.partition("@")[2]) != own), key=version_key
    )
    if not others:
        return None
    if record["supersedes"] in others:
        return str(record["supersedes"])
    below = [version for version in others if version_key(version) < version_key(own)]
    return (below or others)[-1]


def _boards(registry: Registry, paths: Iterator[str]) -> Boards:
    versions, unclear = set[str](), list[str]()
    for path in paths:
        record = registry.valid_record(path)
        if record is None:
            unclear.append(path)
        elif is_frozen(record.document.value):
            versions.add(record.place.object)
    return Boards(versions=frozenset(versions), unclear=tuple(unclear))
