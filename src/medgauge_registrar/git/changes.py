"""The paths in which two trees differ, and which of them are renames."""

from collections.abc import Iterable, Mapping, Sequence

from medgauge_registrar.model.change import PathChange, Status
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.tree import FILE_MODES, Entry, Tree


@frozen
class Difference:
    """
    One path in which two trees differ.

    Attributes:
        path: The path.
        before: Mode and object before, null for an addition.
        after: Mode and object after, null for a removal.
    """

    path: str
    before: Entry | None
    after: Entry | None


def settle(differences: Sequence[Difference], alike: Mapping[str, str] | None = None) -> tuple[PathChange, ...]:
    """
    Turn differences into changes, joining the two halves of each rename.

    Args:
        differences: Every path at most once.
        alike: Old name of each new name, for renames whose contents changed too. Equal halves are joined first.

    Returns:
        Changes sorted by path.
    """
    by_path = {difference.path: difference for difference in differences}
    old_names = same_contents(differences)
    for path, previous in (alike or {}).items():
        if path not in old_names and previous not in old_names.values():
            old_names[path] = previous
    moved_away = set(old_names.values())
    changes = []
    for path, difference in sorted(by_path.items()):
        if path in moved_away:
            continue
        previous_path = old_names.get(path)
        before = difference.before if previous_path is None else by_path[previous_path].before
        status = _status(difference) if previous_path is None else Status.RENAMED
        changes.append(
            PathChange(path=path, previous_path=previous_path, status=status, before=before, after=difference.after)
        )
    return tuple(changes)


def same_contents(differences: Iterable[Difference]) -> dict[str, str]:
    """
    Join removals and additions of the same object.

    Where several fit, the removal with the same file name is taken, else the first by path; so the outcome depends on
    the two trees alone, not on the version of git.

    Returns:
        Old name of each new name.
    """
    removed: dict[tuple[str, str], list[str]] = {}
    added: list[tuple[str, tuple[str, str]]] = []
    for difference in sorted(differences, key=lambda d: d.path):
        if difference.after is None and difference.before is not None:
            removed.setdefault(_sameness(difference.before), []).append(difference.path)
        elif difference.before is None and difference.after is not None:
            added.append((difference.path, _sameness(difference.after)))
    old_names: dict[str, str] = {}
    for path, key in added:
        if candidates := removed.get(key):
            name = path.rpartition("/")[2]
            chosen = next((old for old in candidates if old.rpartition("/")[2] == name), candidates[0])
            candidates.remove(chosen)
            old_names[path] = chosen
    return old_names


def lone_halves(differences: Sequence[Difference]) -> tuple[list[tuple[str, Entry]], list[tuple[str, Entry]]]:
    """Removed files, and added files, that have no half with the same contents."""
    old_names = same_contents(differences)
    joined = {*old_names, *old_names.values()}
    removed: list[tuple[str, Entry]] = []
    added: list[tuple[str, Entry]] = []
    for difference in differences:
        if difference.path not in joined:
            if difference.after is None and difference.before is not None and difference.before.mode in FILE_MODES:
                removed.append((difference.path, difference.before))
            elif difference.before is None and difference.after is not None and difference.after.mode in FILE_MODES:
                added.append((difference.path, difference.after))
    return removed, added


def compare(before: Tree, after: Tree) -> tuple[PathChange, ...]:
    """
    Compare two trees of any sort by walking both; renames are those with equal contents.

    Returns:
        Changes sorted by path.

    Raises:
        ReadError: A tree cannot be read.
    """
    old = dict(before.walk(""))
    new = dict(after.walk(""))
    paths = [path for path in old.keys() | new.keys() if old.get(path) != new.get(path)]
    return settle([Difference(path=path, before=old.get(path), after=new.get(path)) for path in paths])


def _status(difference: Difference) -> Status:
    if difference.before is None:
        return Status.ADDED
    return Status.REMOVED if difference.after is None else Status.MODIFIED


def _sameness(entry: Entry) -> tuple[str, str]:
    # A file may gain or lose its executable bit on the way; a link is no file even if the bytes agree.
    return ("file" if entry.mode in FILE_MODES else entry.mode, entry.oid)
