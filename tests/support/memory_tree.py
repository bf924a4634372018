"""
Trees held in memory, for tests of stages that ask for a `Tree`.

Ids, order and modes are git's own, so a `MemoryTree` equals the `GitTree` of a commit with the same files.
"""

from collections.abc import Mapping

from medgauge_registrar.git.changes import compare
from medgauge_registrar.git.listed import ListedTree
from medgauge_registrar.model.change import PathChange
from medgauge_registrar.model.tree import Tree

NO_MODES: Mapping[str, str] = {}


class MemoryTree(ListedTree):
    """
    A tree of given files.

    A file of mode `120000` holds the target of a link, one of mode `160000` the hexadecimal commit of a submodule.
    """

    def __init__(
        self,
        files: Mapping[str, bytes | str],
        modes: Mapping[str, str] = NO_MODES,
        *,
        object_format: str = "sha1",
    ) -> None:
        """
        Hold the files.

        Args:
            files: Contents by path; text is encoded as UTF-8.
            modes: Modes other than `100644`, by path.
            object_format: `sha1` or `sha256`.

        Raises:
            ValueError: A path has an empty part, is a file and a folder at once, or has a mode but no contents.
        """
        if wrong := [path for path in files if "" in path.split("/")] + sorted(modes.keys() - files.keys()):
            raise ValueError(f"not a path of this tree: {wrong[0]!r}")
        self._files = {path: data.encode() if isinstance(data, str) else data for path, data in files.items()}
        super().__init__({path: modes.get(path, "100644") for path in files}, object_format)

    def _contents(self, path: str) -> bytes:
        return self._files[path]


def memory_changes(before: Tree, after: Tree) -> tuple[PathChange, ...]:
    """
    The changes between two trees, as `Repository.changes` gives them.

    Renames are only those with equal contents; git also finds some whose contents are much alike.
    """
    return compare(before, after)
