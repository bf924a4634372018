"""The author's own files: tracked or not ignored, through no link, as they lie on disk."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from medgauge_registrar.git.limits import Limits
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.git.worktree import WorkTree
from medgauge_registrar.model.change import Status
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.tree import Entry
from support.memory_tree import MemoryTree, memory_changes
from support.repositories import MadeRepository

Opener = Callable[..., Repository]


@pytest.fixture
def made(tmp_path: Path) -> MadeRepository:
    """A work tree with a few tracked files, nothing changed."""
    made = MadeRepository(tmp_path / "made", bare=False)
    made.commit({"a": "1", "d/b": "2", "d/e/c": "3", ".gitignore": "*.tmp\n/ignored/\n"})
    made.git("reset", "-q", "--hard")
    return made


def paths(tree: WorkTree) -> list[str]:
    return [path for path, _ in tree.walk("")]


def test_edits_additions_and_deletions_count_as_they_lie(made: MadeRepository, opened: Opener) -> None:
    """What would be committed now, staged or not; ignored files are not there."""
    (made.folder / "a").write_text("edited")
    (made.folder / "new").write_text("untracked")
    (made.folder / "x.tmp").write_text("ignored")
    (made.folder / "ignored").mkdir()
    (made.folder / "ignored" / "y").write_text("ignored")
    (made.folder / "d" / "b").unlink()
    (made.folder / "d" / "e" / "c").chmod(0o755)
    (made.folder / "empty").mkdir()
    repository = opened(made)
    tree = WorkTree.open(repository)
    expected = MemoryTree(
        {".gitignore": "*.tmp\n/ignored/\n", "a": "edited", "d/e/c": "3", "new": "untracked"}, {"d/e/c": "100755"}
    )
    assert tree.oid == expected.oid
    assert list(tree.walk("")) == list(expected.walk(""))
    assert tree.read("d/b") is None
    assert tree.read("x.tmp") is None
    assert tree.entry("empty") is None
    changes = memory_changes(repository.tree(*repository.resolve("main")), tree)
    assert [(c.status, c.path) for c in changes] == [
        (Status.MODIFIED, "a"),
        (Status.REMOVED, "d/b"),
        (Status.MODIFIED, "d/e/c"),
        (Status.ADDED, "new"),
    ]


def test_a_tracked_file_stays_though_ignored(made: MadeRepository, opened: Opener) -> None:
    """Ignoring is for files that git does not know."""
    (made.folder / ".gitignore").write_text("*\n")
    assert paths(WorkTree.open(opened(made))) == [".gitignore", "a", "d/b", "d/e/c"]


def test_the_whole_work_tree_is_read_from_any_folder_in_it(made: MadeRepository, opened: Opener) -> None:
    """Paths begin at its top."""
    assert paths(WorkTree.open(opened(made.folder / "d"))) == [".gitignore", "a", "d/b", "d/e/c"]


def test_links_are_entries_and_lead_nowhere(made: MadeRepository, opened: Opener, tmp_path: Path) -> None:
    """Neither a link nor a folder that became one shows what lies behind it."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "b").write_text("secret")
    (tmp_path / "outside" / "e").mkdir()
    (tmp_path / "outside" / "e" / "c").write_text("secret")
    (made.folder / "d" / "b").unlink()
    (made.folder / "d" / "e" / "c").unlink()
    (made.folder / "d" / "e").rmdir()
    (made.folder / "d").rmdir()
    (made.folder / "d").symlink_to(tmp_path / "outside")
    (made.folder / "link").symlink_to(tmp_path / "outside" / "b")
    (made.folder / "a").unlink()
    (made.folder / "a").symlink_to("nowhere")
    tree = WorkTree.open(opened(made))
    assert paths(tree) == [".gitignore", "a", "d", "link"]
    target = MemoryTree({"l": str(tmp_path / "outside")}, {"l": "120000"}).entry("l")
    assert tree.entry("d") == target
    for path in ("a", "d", "link", "d/b", "d/e/c"):
        assert tree.read(path) is None
    assert list(tree.mentions("", ["secret"])) == []


def test_a_folder_that_becomes_a_link_later_is_not_followed(
    made: MadeRepository, opened: Opener, tmp_path: Path
) -> None:
    """The check is made where the file is opened, not only where it is listed."""
    tree = WorkTree.open(opened(made))
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "b").write_text("secret")
    (made.folder / "d").rename(tmp_path / "away")
    (made.folder / "d").symlink_to(tmp_path / "outside")
    (made.folder / "a").unlink()
    (made.folder / "a").symlink_to(tmp_path / "outside" / "b")
    for path in ("d/b", "a"):
        with pytest.raises(ReadError, match=f"`{path}` cannot be read: .*run again when the work tree is at rest"):
            tree.read(path)


def test_a_file_that_changes_between_two_looks_is_an_error(made: MadeRepository, opened: Opener) -> None:
    """Entry and contents must belong together; what was read for the entry is handed out once."""
    tree = WorkTree.open(opened(made))
    entries = list(tree.walk(""))
    before = (made.folder / "d" / "b").read_bytes()
    (made.folder / "d" / "b").write_text("changed meanwhile")
    assert dict(tree.read_many(entries))["d/b"] == before
    with pytest.raises(ReadError, match="`d/b` changed while it was read: run again"):
        list(tree.read_many(entries))


def test_a_pipe_is_no_file_and_is_not_waited_for(made: MadeRepository, opened: Opener) -> None:
    """In the place of a tracked file it is an error, whenever it gets there; beside them git does not see it."""
    os.mkfifo(made.folder / "pipe")
    tree = WorkTree.open(opened(made))
    assert paths(tree) == [".gitignore", "a", "d/b", "d/e/c"]
    (made.folder / "a").unlink()
    os.mkfifo(made.folder / "a")
    assert tree.read("a") is not None
    with pytest.raises(ReadError, match="`a` is no longer a regular file"):
        tree.read("a")
    with pytest.raises(ReadError, match="`a` is no file, folder or link"):
        WorkTree.open(opened(made))


def test_git_folders_are_never_read(made: MadeRepository, opened: Opener) -> None:
    """Not the repository's own, and none inside the tree."""
    (made.folder / "d" / ".GIT").mkdir()
    (made.folder / "d" / ".GIT" / "config").write_text("x")
    tree = WorkTree.open(opened(made))
    assert tree.entry(".git") is None
    assert paths(tree) == [".gitignore", "a", "d/b", "d/e/c"]


def test_submodules_are_entries(made: MadeRepository, opened: Opener, tmp_path: Path) -> None:
    """A tracked one has its commit; a repository that is not yet added has none to show; neither is looked into."""
    made.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},module")
    (made.folder / "module").mkdir()
    (made.folder / "module" / "inside").write_text("x")
    made.git("update-index", "--add", "--cacheinfo", f"160000,{'2' * 40},deleted")
    inner = MadeRepository(made.folder / "d" / "inner", bare=False)
    inner.commit({"x": "1"})
    tree = WorkTree.open(opened(made))
    assert paths(tree) == [".gitignore", "a", "d/b", "d/e/c", "d/inner", "module"]
    assert tree.entry("module") == Entry(mode="160000", oid="1" * 40)
    assert tree.entry("d/inner") == Entry(mode="160000", oid="0" * 40)
    assert tree.read("module") is None
    assert tree.entry("module/inside") is None


def test_a_file_that_gave_way_to_a_folder(made: MadeRepository, opened: Opener) -> None:
    """The files in the folder are there, the file is not; and the other way round."""
    (made.folder / "a").unlink()
    (made.folder / "a").mkdir()
    (made.folder / "a" / "new").write_text("x")
    (made.folder / "d" / "e" / "c").unlink()
    (made.folder / "d" / "e").rmdir()
    (made.folder / "d" / "e").write_text("now a file")
    assert paths(WorkTree.open(opened(made))) == [".gitignore", "a/new", "d/b", "d/e"]


def test_an_unmerged_file_is_read_as_it_lies(made: MadeRepository, opened: Opener) -> None:
    """Each path comes once, with its conflict marks."""
    base = made.commit({"a": "2"}, made.oid("main"))
    made.commit({"a": "3"}, made.oid("main~1"), branch="side")
    made.git("reset", "-q", "--hard", base)
    made.git("merge", "side", status=1)
    tree = WorkTree.open(opened(made))
    assert paths(tree) == ["a"]
    assert (tree.read("a") or b"").startswith(b"<<<<<<<")


def test_large_files_are_refused(made: MadeRepository, opened: Opener) -> None:
    """The limit itself is still allowed."""
    (made.folder / "a").write_bytes(b"x" * 101)
    assert WorkTree.open(opened(made, blob_bytes=101)).read("a") == b"x" * 101
    with pytest.raises(ReadError, match="`a` is too large: more than 100 bytes"):
        WorkTree.open(opened(made, blob_bytes=100)).read("a")


def test_a_bare_repository_has_none(tmp_path: Path, opened: Opener) -> None:
    """The message says what to give instead."""
    with pytest.raises(ReadError, match="has no work tree: give a revision"):
        WorkTree.open(opened(MadeRepository(tmp_path / "bare")))


def test_a_sparse_work_tree_is_an_error(made: MadeRepository, opened: Opener) -> None:
    """Files that are left out on purpose are not deleted."""
    made.git("sparse-checkout", "set", "--no-cone", "/a")
    with pytest.raises(ReadError, match=r"left out of this sparse work tree.*git sparse-checkout disable"):
        WorkTree.open(opened(made))


def test_a_linked_work_tree_has_its_own_files(made: MadeRepository, opened: Opener, tmp_path: Path) -> None:
    """Index and files are those of the linked tree."""
    made.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    (tmp_path / "linked" / "new").write_text("x")
    assert paths(WorkTree.open(opened(tmp_path / "linked"))) == [".gitignore", "a", "d/b", "d/e/c", "new"]
    assert paths(WorkTree.open(opened(made))) == [".gitignore", "a", "d/b", "d/e/c"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every folder")
def test_a_folder_that_cannot_be_opened_is_an_error(made: MadeRepository, opened: Opener) -> None:
    """Its files are not absent."""
    (made.folder / "closed").mkdir(mode=0)
    with pytest.raises(ReadError, match=r"could not open directory .*see that every folder can be opened"):
        WorkTree.open(opened(made))


def test_nothing_is_read_before_it_is_asked_for(made: MadeRepository, opened: Opener) -> None:
    """Looking one file up leaves the others alone."""
    (made.folder / "a").write_bytes(b"x" * 101)
    tree = WorkTree.open(opened(made, blob_bytes=100))
    assert tree.read("d/b") == b"2"
    assert tree.entry("d/e/c") == MemoryTree({"c": "3"}).entry("c")
    with pytest.raises(ReadError, match="too large"):
        tree.entry("a")
    assert Limits().blob_bytes == 32 * 1024 * 1024
