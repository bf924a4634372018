"""Which paths two trees differ in, and which of them are renames."""

from collections.abc import Callable, Mapping

import pytest

from medgauge_registrar.git.changes import Difference, settle
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.model.change import PathChange, Status
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.tree import Entry
from support.memory_tree import MemoryTree, memory_changes
from support.repositories import MadeRepository

Opener = Callable[..., Repository]
Files = Mapping[str, bytes | str]

LONG = "".join(f"line {number}\n" for number in range(20))
ODD = "a\nb\tc \"d\" 'e' -> f\\ \udcff"


def summary(changes: tuple[PathChange, ...]) -> list[tuple[str, ...]]:
    """Status and paths of changes."""
    return [
        (c.status.value, c.path) if c.previous_path is None else (c.status.value, c.previous_path, c.path)
        for c in changes
    ]


def changes_in_git(
    made: MadeRepository, opened: Opener, *trees: tuple[Files, Mapping[str, str]]
) -> tuple[PathChange, ...]:
    before, after = (made.oid(made.commit(files, modes=modes) + "^{tree}") for files, modes in trees)
    return opened(made).changes(before, after)


@pytest.mark.parametrize(
    ("before", "after", "before_modes", "after_modes", "expected"),
    [
        ({"a": "1"}, {"a": "1", "b": "2"}, {}, {}, [("added", "b")]),
        ({"a": "1", "b": "2"}, {"a": "1"}, {}, {}, [("removed", "b")]),
        ({"a": "1"}, {"a": "2"}, {}, {}, [("modified", "a")]),
        ({"a": "1"}, {"a": "1"}, {}, {"a": "100755"}, [("modified", "a")]),
        ({"a": "1"}, {"a": "1"}, {}, {"a": "120000"}, [("modified", "a")]),
        ({"a": "1"}, {"a": "1" * 40}, {}, {"a": "160000"}, [("modified", "a")]),
        ({}, {"s": "1" * 40}, {}, {"s": "160000"}, [("added", "s")]),
        ({"s": "1" * 40}, {"s": "2" * 40}, {"s": "160000"}, {"s": "160000"}, [("modified", "s")]),
        ({"l": "x"}, {"l": "y"}, {"l": "120000"}, {"l": "120000"}, [("modified", "l")]),
        ({"a": "1"}, {"a/b": "2"}, {}, {}, [("removed", "a"), ("added", "a/b")]),
        ({"a/b": "1"}, {"a": "2"}, {}, {}, [("added", "a"), ("removed", "a/b")]),
        ({"z": "0", ODD: "1"}, {"z": "0", ODD: "2"}, {}, {}, [("modified", ODD)]),
        ({"-rf": "1"}, {"-rf": "2"}, {}, {}, [("modified", "-rf")]),
        ({"old": "1"}, {"new": "1"}, {}, {}, [("renamed", "old", "new")]),
        ({"old": "1"}, {"new": "1"}, {}, {"new": "100755"}, [("renamed", "old", "new")]),
        ({"old": ""}, {"new": ""}, {}, {}, [("renamed", "old", "new")]),
        ({"old": "1"}, {ODD: "1"}, {}, {}, [("renamed", "old", ODD)]),
        ({"Name.yaml": "1"}, {"name.yaml": "1"}, {}, {}, [("renamed", "Name.yaml", "name.yaml")]),
        ({"l": "x"}, {"m": "x"}, {"l": "120000"}, {"m": "120000"}, [("renamed", "l", "m")]),
        ({"l": "x"}, {"m": "x"}, {"l": "120000"}, {}, [("removed", "l"), ("added", "m")]),
        ({"s": "1" * 40}, {"t": "1" * 40}, {"s": "160000"}, {"t": "160000"}, [("renamed", "s", "t")]),
        ({"a": "1"}, {"a": "1", "copy": "1"}, {}, {}, [("added", "copy")]),
        (
            {"x/one": "1", "x/two": "1", "y": "1"},
            {"z/two": "1", "z/a": "1"},
            {},
            {},
            [("removed", "y"), ("renamed", "x/one", "z/a"), ("renamed", "x/two", "z/two")],
        ),
        ({"a": "1", "b": "2"}, {"a": "2", "b": "1"}, {}, {}, [("modified", "a"), ("modified", "b")]),
    ],
)
def test_changes(
    made: MadeRepository,
    opened: Opener,
    before: Files,
    after: Files,
    before_modes: Mapping[str, str],
    after_modes: Mapping[str, str],
    expected: list[tuple[str, ...]],
) -> None:
    """Git and the comparison of trees in memory agree on statuses, old names, modes and ids."""
    found = changes_in_git(made, opened, (before, before_modes), (after, after_modes))
    assert summary(found) == expected
    old, new = MemoryTree(before, before_modes), MemoryTree(after, after_modes)
    assert memory_changes(old, new) == found
    for change in found:
        assert change.before == old.entry(change.previous_path or change.path) or change.status == Status.ADDED
        assert change.after == new.entry(change.path) or change.status == Status.REMOVED
        assert (change.before is None) == (change.status == Status.ADDED)
        assert (change.after is None) == (change.status == Status.REMOVED)


def test_a_rename_with_an_edit_is_found_if_half_is_alike(made: MadeRepository, opened: Opener) -> None:
    """Both entries stand in the one change."""
    before = {"old.yaml": LONG, "other": "1"}
    after = {"new.yaml": LONG + "one more\n", "other": "1"}
    (change,) = changes_in_git(made, opened, (before, {}), (after, {"new.yaml": "100755"}))
    assert change == PathChange(
        path="new.yaml",
        previous_path="old.yaml",
        status=Status.RENAMED,
        before=MemoryTree(before).entry("old.yaml"),
        after=MemoryTree(after, {"new.yaml": "100755"}).entry("new.yaml"),
    )


def test_a_file_too_little_alike_is_removed_and_added(made: MadeRepository, opened: Opener) -> None:
    """Under half alike is no rename."""
    found = changes_in_git(
        made, opened, ({"old": LONG, "x": "1"}, {}), ({"new": LONG[:20] + "other\n" * 40, "x": "1"}, {})
    )
    assert summary(found) == [("added", "new"), ("removed", "old")]


def test_equal_halves_are_joined_before_similar_ones(made: MadeRepository, opened: Opener) -> None:
    """A similar file never takes the place of an equal one."""
    before = {"a": LONG, "b": LONG + "b\n"}
    after = {"c": LONG + "c\n", "d": LONG}
    found = changes_in_git(made, opened, (before, {}), (after, {}))
    assert summary(found) == [("renamed", "b", "c"), ("renamed", "a", "d")]


def test_equal_trees_do_not_differ(made: MadeRepository, opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal ids prove an empty change without asking git."""
    tree = made.oid(made.commit({"a": "1"}) + "^{tree}")
    repository = opened(made)
    monkeypatch.setattr("medgauge_registrar.git.repository.differences", None)
    assert repository.changes(tree, tree) == ()


def test_from_and_to_the_empty_tree(made: MadeRepository, opened: Opener) -> None:
    """The empty tree is a tree like others, even if no repository stores it."""
    tree = made.oid(made.commit({"a": "1", "b/c": "2"}) + "^{tree}")
    empty = MemoryTree({}).oid
    repository = opened(made)
    assert summary(repository.changes(empty, tree)) == [("added", "a"), ("added", "b/c")]
    assert summary(repository.changes(tree, empty)) == [("removed", "a"), ("removed", "b/c")]


def test_sha256(tmp_path, opened: Opener) -> None:
    """Repositories with the longer ids work alike."""
    made = MadeRepository(tmp_path / "made", object_format="sha256")
    before = {"old": "1", "edit": "1", "similar": LONG}
    after = {"new": "1", "edit": "2", "alike": LONG + "x\n"}
    found = changes_in_git(made, opened, (before, {}), (after, {}))
    assert summary(found) == [("renamed", "similar", "alike"), ("modified", "edit"), ("renamed", "old", "new")]
    assert found[0].after == MemoryTree(after, object_format="sha256").entry("alike")


def test_twenty_thousand_paths_and_no_more(made: MadeRepository, opened: Opener) -> None:
    """The limit itself is still allowed; one path more is an error, not a shorter list."""
    files = {f"{number % 100}/{number}": "1" for number in range(20_000)}
    empty, full, over = (made.commit(f) for f in ({}, files, {**files, "more": "1"}))
    repository = opened(made)
    assert len(repository.changes(empty, full)) == 20_000
    with pytest.raises(ReadError, match="more than 20000 paths are changed: too large"):
        repository.changes(empty, over)
    with pytest.raises(ReadError, match="more than 20000 paths are changed: too large"):
        repository.changes(over, empty)


def test_missing_tree_is_an_error(made: MadeRepository, opened: Opener) -> None:
    """A comparison that cannot be made is no empty comparison."""
    before, after = made.commit({"d/a": "1"}), made.commit({"d/a": "2"})
    made.remove_object(made.oid(f"{after}:d"))
    with pytest.raises(ReadError, match=r"object [0-9a-f]{40} is missing; fetch without a filter"):
        opened(made).changes(before, after)


def test_missing_blob_is_an_error_where_it_must_be_read(made: MadeRepository, opened: Opener) -> None:
    """Telling a rename needs both blobs; an edit is known by its ids alone."""
    before, after = made.commit({"a": LONG, "e": "1"}), made.commit({"b": LONG + "x\n", "e": "2"})
    edited = made.commit({"a": LONG, "e": "2"})
    missing = made.oid(f"{after}:b")
    made.remove_object(missing)
    made.remove_object(made.oid(f"{edited}:e"))
    repository = opened(made)
    with pytest.raises(ReadError, match=f"`b` cannot be read: object {missing} is missing"):
        repository.changes(before, after)
    assert summary(repository.changes(before, edited)) == [("modified", "e")]


def test_blobs_too_large_to_compare_are_an_error(made: MadeRepository, opened: Opener) -> None:
    """Sizes come before contents."""
    before, after = made.commit({"a": "1" * 100}), made.commit({"b": "1" * 101})
    with pytest.raises(ReadError, match=r"`b` .* is too large: 101 bytes, at most 100"):
        opened(made, blob_bytes=100).changes(before, after)


def test_trees_that_differ_in_no_path_are_an_error(made: MadeRepository, opened: Opener) -> None:
    """An unusual spelling of a mode makes another tree of the same files; it is no empty change."""
    blob = made.blob(b"1")
    one, two = made.tree([("100644", b"a", blob)]), made.tree([("100664", b"a", blob)])
    with pytest.raises(ReadError, match="differ, but in no path"):
        opened(made).changes(one, two)


def test_a_malformed_tree_is_an_error(made: MadeRepository, opened: Opener) -> None:
    """No reader agrees with another about a name that comes twice."""
    one, two = made.blob(b"1"), made.blob(b"2")
    good = made.tree([("100644", b"z", one)])
    bad = made.tree([("100644", b"a", one), ("100644", b"a", two), ("100644", b"z", one)])
    repository = opened(made)
    for before, after in ((good, bad), (bad, good)):
        with pytest.raises(ReadError, match=f"tree {bad} is malformed"):
            repository.changes(before, after)


def test_changes_are_those_of_git(made: MadeRepository, opened: Opener) -> None:
    """Our own comparison of trees lists what `git diff-tree` lists."""
    before = {f"{n % 4}/{n % 3}/{n}": f"{n}" for n in range(60)} | {"x": "file x", "y/z": "in folder y", "4/a": "old"}
    after = {f"{n % 4}/{n % 3}/{n}": f"{n if n % 7 else n + 100}" for n in range(5, 60)} | {
        "x/y": "in x",
        "y": "as y",
        "5/a": "new",
    }
    trees = [made.commit(files) for files in (before, after)]
    rows = made.git("diff-tree", "-r", "-z", "--no-renames", "--name-status", *trees).split("\0")[:-1]
    letters = {"A": Status.ADDED, "D": Status.REMOVED, "M": Status.MODIFIED}
    expected = [(letters[letter].value, path) for letter, path in zip(rows[::2], rows[1::2], strict=True)]
    assert summary(opened(made).changes(*trees)) == sorted(expected, key=lambda row: row[1])


def test_an_inexact_rename_never_takes_a_half_twice() -> None:
    """What git pairs otherwise is left as a removal and an addition."""
    one, two = Entry(mode="100644", oid="1" * 40), Entry(mode="100644", oid="2" * 40)
    rows = [
        Difference(path="a", before=one, after=None),
        Difference(path="b", before=None, after=one),
        Difference(path="c", before=None, after=two),
    ]
    assert summary(settle(rows, {"b": "a", "c": "a"})) == [("renamed", "a", "b"), ("added", "c")]
