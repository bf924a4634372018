"""The tree that other tests use refuses what no tree can hold."""

import pytest

from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.tree import Entry
from support.memory_tree import MemoryTree, memory_changes


@pytest.mark.parametrize("path", ["", "/a", "a/", "a//b"])
def test_refuses_paths_with_empty_parts(path: str) -> None:
    """A mistake in a test is an error, not a strange tree."""
    with pytest.raises(ValueError, match="not a path of this tree"):
        MemoryTree({path: "1"})


def test_refuses_modes_without_a_file() -> None:
    """A misspelt path would otherwise test nothing."""
    with pytest.raises(ValueError, match="not a path of this tree: 'b'"):
        MemoryTree({"a": "1"}, {"b": "100755"})


@pytest.mark.parametrize("paths", [("a", "a/b"), ("a/b", "a"), ("a/b/c", "a/b")])
def test_refuses_a_path_that_is_file_and_folder(paths: tuple[str, ...]) -> None:
    """Whatever the order they are given in."""
    with pytest.raises(ValueError, match="a file and a folder at once"):
        MemoryTree(dict.fromkeys(paths, "1"))


def test_refuses_entries_of_another_tree() -> None:
    """An entry that does not belong to the path is never answered with other contents."""
    tree = MemoryTree({"a": "1"})
    for path, oid in (("a", "1" * 40), ("b", tree.names("")[0][1].oid)):
        with pytest.raises(ReadError, match="changed while it was read"):
            list(tree.read_many([(path, Entry(mode="100644", oid=oid))]))


def test_equal_trees_do_not_differ() -> None:
    """An empty change is an empty tuple."""
    assert memory_changes(MemoryTree({"a/b": "1"}), MemoryTree({"a/b": b"1"})) == ()
