"""What every `Tree` promises, kept by all three kinds of it."""

import os
from collections.abc import Iterator

import pytest

from medgauge_registrar.git.repository import Repository
from medgauge_registrar.git.worktree import WorkTree
from medgauge_registrar.model.tree import FILE_MODES, Entry, Tree
from support.memory_tree import MemoryTree
from support.repositories import MadeRepository

SUBMODULE = {"sha1": "1" * 40, "sha256": "1" * 64}
FILES: dict[str, bytes | str] = {
    "README.md": "read me\n",
    "a": "file a\n",
    "a.b": "sorts before the folder of the same start\n",
    "a-folder/x": "x\n",
    "b/c/d/e.yaml": "id: deep\n",
    "b/c/d-e": "",
    "b/c.yaml": "id: shallow\n",
    "b/run.sh": "#!/bin/sh\n",
    "b/link": "../README.md",
    "-dash": "-dash\n",
    "line\nbreak\ttab \"quotes\" 'single' -> arrow \\ back": "odd\n",
    "b\udcff\udcfe": "no UTF-8 in the name\n",
    "größe/日本": "names beyond ASCII\n",
    "binary": b"\0\xff one word \0\n\r\n",
    "module": "",
}
MODES = {"b/run.sh": "100755", "b/link": "120000", "module": "160000"}


def files_for(object_format: str) -> dict[str, bytes | str]:
    return {**FILES, "module": SUBMODULE[object_format]}


@pytest.fixture(scope="module", params=["sha1", "sha256"])
def object_format(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def made_here(tmp_path_factory: pytest.TempPathFactory, object_format: str) -> MadeRepository:
    made = MadeRepository(tmp_path_factory.mktemp(object_format), bare=False, object_format=object_format)
    made.commit(files_for(object_format), modes=MODES)
    made.git("reset", "-q", "--hard")
    return made


@pytest.fixture(scope="module", params=["git", "work tree", "memory"])
def tree(request: pytest.FixtureRequest, made_here: MadeRepository, object_format: str) -> Iterator[Tree]:
    with Repository.open(made_here.folder) as repository:
        if request.param == "git":
            yield repository.tree(*repository.resolve("main"))
        elif request.param == "work tree":
            yield WorkTree.open(repository)
        else:
            yield MemoryTree(files_for(object_format), MODES, object_format=object_format)


def test_id_is_that_of_git(tree: Tree, made_here: MadeRepository) -> None:
    """The id of a tree is the id of the tree object that git makes of its files."""
    assert tree.oid == made_here.oid("main^{tree}")


def test_walk_lists_what_git_lists(tree: Tree, made_here: MadeRepository) -> None:
    """`walk` gives modes, ids, paths and order of `git ls-tree -r`."""
    expected = []
    for row in made_here.git("ls-tree", "-r", "-z", "main").split("\0")[:-1]:
        meta, path = row.split("\t", 1)
        mode, _, oid = meta.split(" ")
        expected.append((path, Entry(mode=mode, oid=oid)))
    assert list(tree.walk("")) == expected
    assert [path for path, _ in tree.walk("")] == sorted(FILES, key=os.fsencode)


@pytest.mark.parametrize("folder", ["", "b", "b/c", "a", "absent"])
def test_paths_are_those_of_walk(tree: Tree, folder: str) -> None:
    """`paths` gives what `walk` gives, without the entries."""
    assert list(tree.paths(folder)) == [path for path, _ in tree.walk(folder)]


def test_names_are_those_of_git(tree: Tree, made_here: MadeRepository) -> None:
    """`names` gives modes, ids, names and order of `git ls-tree`, folders among them."""
    for folder in ("", "b", "b/c", "größe"):
        place = f"main:{folder}"
        rows = [row.split("\t", 1) for row in made_here.git("ls-tree", "-z", place).split("\0")[:-1]]
        expected = [(name, Entry(mode=meta.split(" ")[0], oid=meta.split(" ")[2])) for meta, name in rows]
        assert list(tree.names(folder)) == expected


@pytest.mark.parametrize("path", [*sorted(FILES), "b", "b/c", "a-folder"])
def test_entry_is_that_of_git(tree: Tree, made_here: MadeRepository, path: str) -> None:
    """`entry` finds files, links, submodules and folders."""
    entry = tree.entry(path)
    assert entry is not None
    assert entry.oid == made_here.oid(f"main:{path}")
    assert entry.mode == MODES.get(path, "100644" if path in FILES else "040000")


def test_root_is_the_empty_path(tree: Tree) -> None:
    """The empty path names the tree itself."""
    assert tree.entry("") == Entry(mode="040000", oid=tree.oid)


@pytest.mark.parametrize("path", ["no", "a/x", "b/", "/a", "b//c", "B", "README.md/", ".", "..", "b/../a", "module/x"])
def test_absent_is_null(tree: Tree, path: str) -> None:
    """What is not there has no entry, no contents, no names and nothing below it."""
    assert tree.entry(path) is None
    assert tree.read(path) is None
    assert list(tree.names(path)) == []
    assert list(tree.walk(path)) == []
    assert list(tree.mentions(path, ["e"])) == []


def test_a_file_is_no_folder(tree: Tree) -> None:
    """A file has no names and nothing below it."""
    assert list(tree.names("a")) == []
    assert list(tree.walk("a")) == []
    assert list(tree.mentions("a", ["file"])) == []


def test_reads_regular_files_only(tree: Tree) -> None:
    """Links, submodules and folders have no contents to read; no link is followed."""
    for path, contents in FILES.items():
        expected = contents.encode() if isinstance(contents, str) else contents
        assert tree.read(path) == (None if MODES.get(path, "100644") not in FILE_MODES else expected)
    assert tree.read("b") is None
    assert tree.read("") is None


def test_reads_many_in_the_order_given(tree: Tree) -> None:
    """`read_many` keeps the order, repeats what is asked twice, and leaves out what is no regular file."""
    entries = list(tree.walk(""))[::-1] * 2
    got = list(tree.read_many(iter(entries)))
    assert got == [(path, tree.read(path)) for path, entry in entries if entry.mode in FILE_MODES]
    assert list(tree.read_many([])) == []


def test_reading_may_stop_early_and_interleave(tree: Tree) -> None:
    """Readers that are left, or that take turns, do not get one another's answers."""
    entries = list(tree.walk(""))
    left = tree.read_many(entries)
    assert next(left)[0] == "-dash"
    one, two = tree.read_many(entries), tree.read_many(reversed(entries))
    files = [path for path, entry in entries if entry.mode in FILE_MODES]
    for forward, backward in zip(files, reversed(files), strict=True):
        assert next(one) == (forward, tree.read(forward))
        assert tree.entry(backward) is not None
        assert next(two) == (backward, tree.read(backward))


@pytest.mark.parametrize(
    ("folder", "words", "expected"),
    [
        ("", ["id: "], ["b/c.yaml", "b/c/d/e.yaml"]),
        ("b/c", ["id: "], ["b/c/d/e.yaml"]),
        ("b", ["deep", "#!"], ["b/c/d/e.yaml", "b/run.sh"]),
        ("", ["-dash"], ["-dash"]),
        ("", ["one word"], ["binary"]),
        ("", ["ID: "], []),
        ("", ["i.: "], []),
        ("", ["README"], []),
        ("", [], []),
        ("größe", ["ASCII"], ["größe/日本"]),
        ("", ["\udcff one"], ["binary"]),
        ("", ["odd", "no UTF"], ["b\udcff\udcfe", "line\nbreak\ttab \"quotes\" 'single' -> arrow \\ back"]),
    ],
)
def test_mentions(tree: Tree, folder: str, words: list[str], expected: list[str]) -> None:
    """Words are bytes, not patterns; links are not searched; the order is git's."""
    assert list(tree.mentions(folder, words)) == expected


@pytest.mark.parametrize("word", ["", "two\nlines", "nul\0"])
def test_mentions_refuses_words_that_match_everything_or_nothing(tree: Tree, word: str) -> None:
    """An empty word, or one with a line break, is a fault of the caller."""
    with pytest.raises(ValueError, match="cannot search"):
        tree.mentions("", ["fine", word])


def test_empty_tree(made_here: MadeRepository, object_format: str) -> None:
    """A tree without files is a tree."""
    oid = made_here.git("hash-object", "-t", "tree", "--stdin")
    commit = made_here.commit_tree(made_here.git("mktree"))
    with Repository.open(made_here.folder) as repository:
        for tree in (repository.tree(commit), MemoryTree({}, object_format=object_format)):
            assert tree.oid == oid
            assert list(tree.walk("")) == []
            assert list(tree.names("")) == []
            assert list(tree.mentions("", ["a"])) == []
