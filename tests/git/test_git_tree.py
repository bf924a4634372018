"""What `GitTree` refuses: missing objects, malformed trees, and trees made to be large."""

from collections.abc import Callable

import pytest

from medgauge_registrar.git import store, trees
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.tree import Entry
from support.repositories import MadeRepository

Opener = Callable[..., Repository]


def bomb(made: MadeRepository, levels: int = 12, width: int = 10, leaf: str | None = None) -> str:
    """A dozen objects that stand for `width ** levels` files, or for as many empty folders."""
    tree = made.tree([] if leaf is None else [("100644", b"leaf", made.blob(leaf.encode()))])
    for _ in range(levels):
        tree = made.tree([("40000", f"{number:04}".encode(), tree) for number in range(width)])
    return tree


# Sizes


@pytest.mark.parametrize("leaf", [None, "1"], ids=["empty", "files"])
def test_a_tree_that_repeats_itself_hits_the_limit(made: MadeRepository, opened: Opener, leaf: str | None) -> None:
    """Every visit counts, so a walk ends though the objects are few, and though it finds no file at all."""
    tree = opened(made, tree_entries=50_000).tree(bomb(made, leaf=leaf))
    for call in (lambda: list(tree.walk("")), lambda: tree.mentions("", ["1"])):
        with pytest.raises(ReadError, match="more than 50000 names: too large"):
            call()
    assert tree.entry("/".join(["0003"] * 12)) is not None


@pytest.mark.parametrize(
    ("leaf", "message"), [("1", "more than 2000 paths are changed"), (None, "more than 50000 names: too large")]
)
def test_a_comparison_with_a_bomb_is_stopped(
    made: MadeRepository, opened: Opener, leaf: str | None, message: str
) -> None:
    """Git would compare for ever, and say nothing before the end."""
    repository = opened(made, tree_entries=50_000, changed_paths=2000)
    small, large = (
        made.tree([("40000", b"0000", made.tree([("100644", b"a", made.blob(b"1"))]))]),
        bomb(made, leaf=leaf),
    )
    for before, after in ((small, large), (large, small)):
        with pytest.raises(ReadError, match=message):
            repository.changes(before, after)


def test_a_bomb_is_never_merged(made: MadeRepository, opened: Opener) -> None:
    """What the head brings is measured before git merges it."""
    root = made.commit({"a": "1", "b": "1"})
    base = made.commit({"a": "2", "b": "1"}, root)
    head = made.commit_tree(bomb(made, leaf="1"), root)
    with pytest.raises(ReadError, match="more than 2000 paths are changed"):
        opened(made, changed_paths=2000).merge(base, head)


def test_walk_refuses_depth_and_length(made: MadeRepository, opened: Opener) -> None:
    """The limits themselves are still allowed."""
    deep = made.commit({"/".join("abcd"): "1"})
    assert [path for path, _ in opened(made, tree_depth=4).tree(deep).walk("")] == ["a/b/c/d"]
    with pytest.raises(ReadError, match="more than 3 folders inside each other"):
        list(opened(made, tree_depth=3).tree(deep).walk(""))
    long = made.commit({"é" * 10: "1"})
    assert len(list(opened(made, path_bytes=20).tree(long).walk(""))) == 1
    with pytest.raises(ReadError, match="a path of more than 19 bytes"):
        list(opened(made, path_bytes=19).tree(long).walk(""))


def test_sizes_come_before_contents(made: MadeRepository, opened: Opener) -> None:
    """A large blob is refused by name and size, and the reader goes on; the limit itself is allowed."""
    tree = opened(made, blob_bytes=100).tree(made.commit({"d/large": "1" * 101, "fits": "2" * 100}))
    entries = list(tree.walk(""))
    for call in (lambda: tree.read("d/large"), lambda: list(tree.read_many(entries)), lambda: tree.mentions("", ["1"])):
        with pytest.raises(ReadError, match=r"`d/large` \(blob [0-9a-f]{40}\) is too large: 101 bytes, at most 100"):
            call()
    assert tree.read("fits") == b"2" * 100


def test_large_tree_objects_are_refused(made: MadeRepository, opened: Opener) -> None:
    """One folder may not hold an unbounded number of names."""
    commit = made.commit({f"name-{number}": "1" for number in range(10)})
    size = int(made.git("cat-file", "-s", f"{commit}^{{tree}}"))
    assert len(opened(made, tree_bytes=size).tree(commit).names("")) == 10
    with pytest.raises(ReadError, match=rf"tree [0-9a-f]{{40}} is too large: {size} bytes"):
        opened(made, tree_bytes=size - 1).tree(commit).names("")


def test_reads_more_than_one_batch(made: MadeRepository, opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches are cut by count and by bytes, and nothing is lost at the cuts."""
    monkeypatch.setattr(store, "_BATCH", 7)
    monkeypatch.setattr(store, "_BATCH_BYTES", 25)
    monkeypatch.setattr(store, "_AHEAD_BYTES", 800)
    monkeypatch.setattr(store, "_HELD_ENTRIES", 3)
    monkeypatch.setattr(trees, "_READ_AHEAD", 2)
    monkeypatch.setattr(trees, "_SIZES_AT_ONCE", 3)
    files = {f"{number % 5}/{number}": b"x" * (number % 30) for number in range(100)}
    tree = opened(made).tree(made.commit(files))
    assert dict(tree.read_many(tree.walk(""))) == files
    assert list(tree.mentions("3", ["x"])) == sorted(path for path in files if path.startswith("3/") and files[path])


def test_many_words_are_searched_in_several_goes(
    made: MadeRepository, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No command line grows beyond bounds."""
    monkeypatch.setattr(trees, "_WORDS_A_GREP", 2)
    tree = opened(made).tree(made.commit({"a": "one", "b": "two", "c": "five", "d": "nine"}))
    assert list(tree.mentions("", ["five", "four", "one", "three", "two", "two"])) == ["a", "b", "c"]


# Missing and malformed objects


def test_missing_objects_are_errors(made: MadeRepository, opened: Opener) -> None:
    """A missing tree is no empty folder and a missing blob no absent file."""
    commit = made.commit({"d/a": "1", "e/b": "2", "f": "3"})
    blob, folder = made.oid(f"{commit}:e/b"), made.oid(f"{commit}:d")
    made.remove_object(blob)
    made.remove_object(folder)
    tree = opened(made).tree(commit)
    for call in (
        lambda: tree.entry("d/a"),
        lambda: tree.names("d"),
        lambda: tree.read("d/a"),
        lambda: list(tree.walk("")),
        lambda: tree.mentions("d", ["1"]),
    ):
        with pytest.raises(ReadError, match=f"object {folder} is missing; fetch without a filter"):
            call()
    for call in (
        lambda: tree.read("e/b"),
        lambda: list(tree.read_many(tree.walk("e"))),
        lambda: tree.mentions("e", ["2"]),
    ):
        with pytest.raises(ReadError, match=f"`e/b` cannot be read: object {blob} is missing"):
            call()
    assert tree.read("f") == b"3"


def test_a_search_that_loses_an_object_on_the_way_is_an_error(
    made: MadeRepository, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git goes on without the object and ends with success."""
    commit = made.commit({"a": "one", "b": "one"})
    made.remove_object(made.oid(f"{commit}:a"))
    monkeypatch.setattr(store.TreeStore, "sizes", lambda *_: [])
    with pytest.raises(ReadError, match="git grep failed"):
        opened(made).tree(commit).mentions("", ["one"])


def test_a_damaged_object_is_an_error_and_stays_one(made: MadeRepository, opened: Opener) -> None:
    """Git ends at damaged data; the next question starts it anew."""
    commit = made.commit({"a": "1", "b": "2"})
    blob = made.oid(f"{commit}:a")
    path = made.git_dir / "objects" / blob[:2] / blob[2:]
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-4] + b"\0\0\0\0")
    tree = opened(made).tree(commit)
    for _ in range(2):
        with pytest.raises(ReadError, match=r"(cat-file|object)"):
            tree.read("a")
    assert tree.read("b") == b"2"


def test_no_tree_of_that_id(made: MadeRepository, opened: Opener) -> None:
    """An unknown id, or that of a blob, has no tree."""
    commit = made.commit({"a": "1"})
    for oid in ("1" * 40, made.oid(f"{commit}:a")):
        with pytest.raises(ReadError, match=f"{oid} names no tree here"):
            opened(made).tree(oid)


def test_an_object_of_another_kind_is_an_error(made: MadeRepository, opened: Opener) -> None:
    """A tree may call a blob a folder and a commit a file."""
    commit = made.commit({"a": "1"})
    tree = opened(made).tree(made.tree([("100644", b"file", commit), ("40000", b"folder", made.oid(f"{commit}:a"))]))
    with pytest.raises(ReadError, match=f"`file` .blob {commit}. is a commit"):
        tree.read("file")
    with pytest.raises(ReadError, match="is a blob"):
        tree.names("folder")


@pytest.mark.parametrize(
    "names",
    [[b"b", b"a"], [b"a", b"a"], [b"."], [b".."], [b"a/b"], [b"a", b"a.b", b"a"]],
    ids=["order", "twice", "dot", "dots", "slash", "twice-apart"],
)
def test_malformed_trees_are_errors(made: MadeRepository, opened: Opener, names: list[bytes]) -> None:
    """Readers disagree about such trees, so none is judged."""
    blob = made.blob(b"1")
    tree = opened(made).tree(made.tree([("100644", name, blob) for name in names]))
    with pytest.raises(ReadError, match="is malformed"):
        tree.entry("a")


def test_a_name_that_is_file_and_folder_is_an_error(made: MadeRepository, opened: Opener) -> None:
    """Such rows are in order for git, and still one name twice."""
    folder, blob = made.tree([]), made.blob(b"1")
    tree = opened(made).tree(made.tree([("100644", b"a", blob), ("100644", b"a.b", blob), ("40000", b"a", folder)]))
    with pytest.raises(ReadError, match="is malformed"):
        tree.names("")


@pytest.mark.parametrize("data", [b"100644 a\0" + b"1" * 19, b"100644 \0" + b"1" * 20, b"x 100644 a\0" + b"1" * 20])
def test_bytes_that_are_no_tree_are_errors(made: MadeRepository, opened: Opener, data: bytes) -> None:
    """Every byte of a tree object must be accounted for."""
    oid = made.git("hash-object", "-w", "-t", "tree", "--literally", "--stdin", stdin=data)
    outer = made.tree([("40000", b"inner", oid)])
    with pytest.raises(ReadError, match="is malformed"):
        opened(made).tree(outer).names("inner")


@pytest.mark.parametrize(
    ("mode", "canonical"),
    [("100664", "100644"), ("100600", "100644"), ("100700", "100755"), ("120777", "120000"), ("040000", "040000")],
)
def test_unusual_modes_are_read_as_git_reads_them(
    made: MadeRepository, opened: Opener, mode: str, canonical: str
) -> None:
    """Tree and comparison must not disagree about what an entry is."""
    target = made.tree([]) if canonical == "040000" else made.blob(b"1")
    oid = made.tree([(mode, b"a", target)])
    assert made.git("ls-tree", oid).split(" ")[0] == canonical
    assert opened(made).tree(oid).entry("a") == Entry(mode=canonical, oid=target)


def test_a_closed_repository_answers_nothing(made: MadeRepository, opened: Opener) -> None:
    """What was not read before is an error, not absent."""
    repository = opened(made)
    tree = repository.tree(made.commit({"a": "1", "d/b": "2"}))
    reader = tree.read_many(tree.walk(""))
    assert next(reader) == ("a", b"1")
    repository.close()
    with pytest.raises(ReadError, match="open it anew"):
        next(reader)
