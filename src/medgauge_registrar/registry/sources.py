"""The schemas of a registry, read from a tree as they are asked for."""

from collections.abc import Iterator, Mapping

from medgauge_registrar.model.tree import FILE_MODES, Tree
from medgauge_registrar.registry.schemas import SUFFIX, SchemaSet

FOLDER = "schemas"


class TreeSchemas(Mapping[str, bytes]):
    """Schema sources by name; each is read from the tree when it is first wanted."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._paths = {
            name.removesuffix(SUFFIX): f"{FOLDER}/{name}"
            for name, entry in tree.names(FOLDER)
            if name.endswith(SUFFIX) and entry.mode in FILE_MODES
        }

    def __getitem__(self, name: str) -> bytes:
        """Contents of one schema file."""
        data = self._tree.read(self._paths[name])
        assert data is not None
        return data

    def __contains__(self, name: object) -> bool:
        """Whether there is a schema of that name; nothing is read."""
        return name in self._paths

    def __iter__(self) -> Iterator[str]:
        """Names of the schemas."""
        return iter(sorted(self._paths))

    def __len__(self) -> int:
        """How many there are."""
        return len(self._paths)


def tree_schemas(tree: Tree) -> SchemaSet:
    """The schemas that a tree publishes."""
    return SchemaSet(TreeSchemas(tree), label=FOLDER)
