"""Opening repositories, naming commits, history and merges."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from medgauge_registrar.git import command
from medgauge_registrar.git.process import HERMETIC, Process
from medgauge_registrar.git.repository import Merge, Repository
from medgauge_registrar.model.errors import ReadError
from support.memory_tree import MemoryTree
from support.repositories import MadeRepository, git

Opener = Callable[..., Repository]


def fork(made: MadeRepository, base_files: dict[str, str], head_files: dict[str, str]) -> tuple[str, str]:
    """Two commits whose common parent has files `a` and `b` of one line `1`."""
    root = made.commit({"a": "1\n", "b": "1\n"})
    return made.commit(base_files, root), made.commit(head_files, root, branch="head")


# Opening


@pytest.mark.parametrize("inside", [".", "folder", ".git"])
def test_opens_a_work_tree_from_any_folder_in_it(tmp_path: Path, opened: Opener, inside: str) -> None:
    """The repository is found upward from the folder, as git finds it."""
    made = MadeRepository(tmp_path / "made", bare=False)
    commit = made.commit({"folder/a": "1"})
    made.git("reset", "-q", "--hard")
    assert opened(made.folder / inside).resolve("main") == (commit,)


def test_opens_a_linked_work_tree(tmp_path: Path, opened: Opener) -> None:
    """A linked work tree has its own HEAD and shares the objects."""
    made = MadeRepository(tmp_path / "made", bare=False)
    first = made.commit({"a": "1"})
    second = made.commit({"a": "2"}, first)
    made.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"), first)
    repository = opened(tmp_path / "linked")
    assert repository.resolve("HEAD", "main") == (first, second)
    assert repository.tree(second).read("a") == b"2"


def test_follows_borrowed_objects(tmp_path: Path, made: MadeRepository, opened: Opener) -> None:
    """Objects that the repository itself borrows are found, also where their path needs quoting."""
    commit = made.commit({"a": "1"})
    odd = tmp_path / 'odd "name"\tÄ#'
    shutil.move(made.folder, odd)
    git(tmp_path, "clone", "-q", "--bare", "--shared", str(odd), "#borrower")
    assert not list((tmp_path / "#borrower" / "objects").glob("??/*"))
    assert opened(tmp_path / "#borrower").tree(commit).read("a") == b"1"


def test_refuses_a_path_with_a_line_break(tmp_path: Path) -> None:
    """Git prints paths line by line, so such a path could be taken for another."""
    made = MadeRepository(tmp_path / "line\nbreak")
    with pytest.raises(ReadError, match="without line breaks"):
        Repository.open(made.folder)


def test_refuses_what_is_no_repository(tmp_path: Path) -> None:
    """The message names the folder."""
    (tmp_path / "plain").mkdir()
    with pytest.raises(ReadError, match=r"plain` is not in a git repository: name a clone"):
        Repository.open(tmp_path / "plain")
    with pytest.raises(ReadError, match=r"absent` is not a folder"):
        Repository.open(tmp_path / "absent")


def test_a_repository_that_git_cannot_open_is_an_error(made: MadeRepository) -> None:
    """The message quotes git, on one line."""
    (made.git_dir / "config").write_text("[core\n")
    with pytest.raises(ReadError, match=r"git rev-parse failed with status 128: `fatal: bad config line 1.*git status"):
        Repository.open(made.folder)


def test_no_room_for_temporary_files_is_an_error(
    made: MadeRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no fault of the contributor."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "absent"))
    with pytest.raises(
        ReadError, match=r"no temporary folder could be made \(No such file or directory\): see to TMPDIR"
    ):
        Repository.open(made.folder)


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MadeRepository:
    """A repository of another user, and a home folder without settings."""
    made = MadeRepository(tmp_path / "foreign", bare=False)
    made.commit({"a": "1"})
    made.git("reset", "-q", "--hard")
    if os.geteuid() == 0:
        for path in (made.folder, made.git_dir):
            os.chown(path, 65534, 65534)
    else:
        monkeypatch.setitem(HERMETIC, "GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")  # type: ignore[call-overload]
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL"):
        monkeypatch.delenv(name, raising=False)
    return made


def test_refuses_a_repository_of_another_owner(foreign: MadeRepository) -> None:
    """It is no empty repository but an error, with the very command that mends it."""
    expected = rf"belongs to another user.*git config --global --add safe\.directory {foreign.folder}`"
    with pytest.raises(ReadError, match=expected):
        Repository.open(foreign.folder)


@pytest.mark.parametrize(
    "settings", ["[safe]\n\tdirectory = {path}\n", "[safe]\n\tdirectory = *\n\tdirectory = {path}\n"]
)
def test_accepts_another_owner_whom_the_user_trusts(
    foreign: MadeRepository, tmp_path: Path, opened: Opener, settings: str
) -> None:
    """The user's own settings may name exactly that folder."""
    (tmp_path / "home" / ".gitconfig").write_text(settings.format(path=foreign.folder))
    repository = opened(foreign)
    assert repository.tree(*repository.resolve("main")).read("a") == b"1"


@pytest.mark.parametrize(
    "settings",
    [
        "[safe]\n\tdirectory = *\n",
        "[safe]\n\tdirectory = {path}/\n\tdirectory = {parent}/*\n",
        "[safe]\n\tdirectory = {path}\n\tdirectory =\n",
    ],
)
def test_refuses_another_owner_trusted_by_pattern_or_no_more(
    foreign: MadeRepository, tmp_path: Path, settings: str
) -> None:
    """`*` trusts everything, so it is not honoured; an empty value takes back what stands before it."""
    (tmp_path / "home" / ".gitconfig").write_text(settings.format(path=foreign.folder, parent=foreign.folder.parent))
    with pytest.raises(ReadError, match="belongs to another user"):
        Repository.open(foreign.folder)


def test_unreadable_settings_of_the_user_are_an_error(foreign: MadeRepository, tmp_path: Path) -> None:
    """Whether the user trusts the folder cannot be known."""
    (tmp_path / "home" / ".gitconfig").write_text("[safe\n")
    with pytest.raises(ReadError, match="global git settings could not be read"):
        Repository.open(foreign.folder)


# Naming commits


def test_resolves_branches_tags_ids_and_expressions(made: MadeRepository, opened: Opener) -> None:
    """Whatever git can name, peeled to its commit."""
    first = made.commit({"a": "1"})
    second = made.commit({"a": "2"}, first)
    made.git("tag", "-a", "-m", "Tag", "v1", first)
    tag = made.oid("v1")
    repository = opened(made)
    asked = ("main", "v1", second, "main~1", tag, "refs/heads/main", first[:12])
    assert repository.resolve(*asked) == (second, first, second, first, first, second, first)
    assert repository.resolve("HEAD") == (second,)
    assert repository.resolve() == ()


@pytest.mark.parametrize(
    "revision",
    [
        "nope",
        "",
        "main..other",
        "^main",
        "--all",
        "-h",
        "main other",
        "main\nmain",
        "main\0",
        "main:a",
        "@{nope",
        "0" * 40,
    ],
)
def test_unknown_revision_is_named(made: MadeRepository, opened: Opener, revision: str) -> None:
    """Ranges, options and files are no commits, alone or beside a good revision."""
    made.commit({"a": "1"})
    repository = opened(made)
    for asked in ([revision], ["main", revision], [revision, "main"]):
        with pytest.raises(ReadError, match="names no commit") as caught:
            repository.resolve(*asked)
        assert str(caught.value).startswith(f"`{revision.encode('unicode_escape').decode()}` names no commit")
        assert "\n" not in str(caught.value)


def test_a_blob_id_is_no_commit(made: MadeRepository, opened: Opener) -> None:
    """An id of something else is as unknown as one of nothing."""
    made.commit({"a": "1"})
    with pytest.raises(ReadError, match="names no commit"):
        opened(made).resolve(made.oid("main:a"))


@pytest.mark.parametrize("text", ["main", "--all", "0" * 39, "0" * 41, "A" * 40, "0" * 39 + "\n"])
def test_everything_else_takes_full_ids_only(made: MadeRepository, opened: Opener, text: str) -> None:
    """No name or option reaches a git command by another way than `resolve`."""
    commit = made.commit({"a": "1"})
    repository = opened(made)
    for call in (
        lambda: repository.merge_base(commit, text),
        lambda: repository.commits(text, commit),
        lambda: repository.merge(text, commit),
        lambda: repository.changes(commit, text),
        lambda: repository.tree(text),
    ):
        with pytest.raises(ReadError, match="no full sha1 object id"):
            call()


# History


def test_merge_base_and_commits_of_a_fork(made: MadeRepository, opened: Opener) -> None:
    """The author's commits are those since the branch left the base."""
    root = made.commit({"a": "1"})
    base = made.commit({"a": "2"}, root)
    one = made.commit({"b": "1"}, root, branch="head")
    two = made.commit({"b": "2"}, one, branch="head")
    repository = opened(made)
    assert repository.merge_base(base, two) == root
    assert repository.commits(root, two) == (two, one)
    assert repository.merge_base(root, two) == root
    assert repository.commits(two, two) == ()


def test_of_several_merge_bases_the_first_id_is_taken(made: MadeRepository, opened: Opener) -> None:
    """A criss-cross history gives the same answer either way round."""
    root = made.commit({"a": "1"})
    left = made.commit({"a": "2"}, root, branch="left")
    right = made.commit({"a": "1", "b": "1"}, root, branch="right")
    one = made.commit({"a": "2", "b": "1"}, left, right, branch="one")
    two = made.commit({"a": "2", "b": "1", "c": "1"}, right, left, branch="two")
    repository = opened(made)
    assert len(made.git("merge-base", "--all", one, two).split()) == 2
    assert repository.merge_base(one, two) == repository.merge_base(two, one) == min(left, right)


def test_unrelated_histories_are_an_error(made: MadeRepository, opened: Opener) -> None:
    """No common ancestor is never an empty left side of a comparison."""
    one, two = made.commit({"a": "1"}), made.commit({"a": "2"}, branch="other")
    repository = opened(made)
    for call in (repository.merge_base, repository.merge):
        with pytest.raises(ReadError, match="unrelated histories"):
            call(one, two)


def test_shallow_clone_is_an_error_with_its_cure(made: MadeRepository, tmp_path: Path, opened: Opener) -> None:
    """History that is cut off before the commits meet is never taken for a root."""
    base, head = fork(made, {"a": "2\n", "b": "1\n"}, {"a": "1\n", "b": "2\n"})
    git(tmp_path, "clone", "-q", "--bare", "--depth=1", "--no-single-branch", f"file://{made.folder}", "shallow")
    repository = opened(tmp_path / "shallow")
    assert repository.resolve("main", head) == (base, head)
    for call in (repository.merge_base, repository.merge, repository.commits):
        with pytest.raises(ReadError, match=r"shallow clone.*git fetch --unshallow.*fetch-depth: 0"):
            call(base, head)
    with pytest.raises(ReadError, match=r"names no commit.*shallow.*--unshallow"):
        repository.resolve("0" * 40)


def test_missing_commit_is_an_error_with_its_cure(made: MadeRepository, opened: Opener) -> None:
    """A commit lost from a whole clone is said to be missing."""
    base, head = fork(made, {"a": "2\n", "b": "1\n"}, {"a": "1\n", "b": "2\n"})
    made.remove_object(made.oid("main~1"))
    repository = opened(made)
    with pytest.raises(ReadError, match=r"history is incomplete.*fetch the whole history"):
        repository.merge_base(base, head)
    with pytest.raises(ReadError, match=r"fetch the whole history"):
        repository.commits(base, head)


def test_too_many_commits_are_an_error(made: MadeRepository, opened: Opener) -> None:
    """The limit itself is still allowed."""
    commits = [made.commit({"a": "0"})]
    for number in range(1, 4):
        commits.append(made.commit({"a": str(number)}, commits[-1]))
    assert len(opened(made, commits=3).commits(commits[0], commits[-1])) == 3
    with pytest.raises(ReadError, match="more than 2 commits: too large"):
        opened(made, commits=2).commits(commits[0], commits[-1])


# Merges


def test_clean_merge(made: MadeRepository, opened: Opener) -> None:
    """The merged tree has both sides' changes, and is written outside the repository."""
    base, head = fork(made, {"a": "2\n", "b": "1\n"}, {"a": "1\n", "b": "2\n", "c": "1\n"})
    before = sorted(made.folder.rglob("*"))
    repository = opened(made)
    assert repository.tree(base).read("b") == b"1\n"
    merge = repository.merge(base, head)
    assert merge == Merge(tree_oid=MemoryTree({"a": "2\n", "b": "2\n", "c": "1\n"}).oid, conflicts=())
    assert merge.tree_oid is not None
    assert repository.tree(merge.tree_oid).read("b") == b"2\n"
    assert [c.path for c in repository.changes(repository.tree(base).oid, merge.tree_oid)] == ["b", "c"]
    assert sorted(made.folder.rglob("*")) == before


def test_merge_without_a_process_where_one_side_has_not_moved(
    made: MadeRepository, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unmoved base takes the head's tree; a head that is merged already changes nothing."""
    root = made.commit({"a": "1"})
    head = made.commit({"a": "2"}, root)
    repository = opened(made)
    repository.merge_base(root, head)
    repository.merge_base(head, root)
    monkeypatch.setattr("medgauge_registrar.git.repository.run", None)
    tree = made.oid(f"{head}^{{tree}}")
    assert repository.merge(root, head) == repository.merge(head, root) == Merge(tree_oid=tree, conflicts=())


@pytest.mark.parametrize(
    ("base_files", "head_files", "conflicts"),
    [
        ({"a": "2\n", "b": "2\n"}, {"a": "3\n", "b": "3\n"}, ("a", "b")),
        ({"a": "1\n", "b": "1\n", "new\n→": "2"}, {"a": "1\n", "b": "1\n", "new\n→": "3"}, ("new\n→",)),
        ({"b": "1\n"}, {"a": "2\n", "b": "1\n"}, ("a",)),
    ],
    ids=["edit/edit", "add/add", "delete/edit"],
)
def test_conflicts_name_their_paths(
    made: MadeRepository,
    opened: Opener,
    base_files: dict[str, str],
    head_files: dict[str, str],
    conflicts: tuple[str, ...],
) -> None:
    """A merge with conflicts has no tree."""
    base, head = fork(made, base_files, head_files)
    assert opened(made).merge(base, head) == Merge(tree_oid=None, conflicts=conflicts)


def test_equal_additions_merge_cleanly(made: MadeRepository, opened: Opener) -> None:
    """The same new file on both sides is no conflict."""
    files = {"a": "1\n", "b": "1\n", "new": "2"}
    base, head = fork(made, files, {**files, "other": "3"})
    assert opened(made).merge(base, head).conflicts == ()


def test_merge_that_lacks_an_object_is_an_error(made: MadeRepository, opened: Opener) -> None:
    """It is neither clean nor a conflict."""
    base, head = fork(made, {"a": "2\n", "b": "1\n"}, {"a": "3\n", "b": "1\n"})
    made.remove_object(made.oid(f"{head}:a"))
    with pytest.raises(ReadError, match=r"`a` cannot be read: object [0-9a-f]{40} is missing"):
        opened(made).merge(base, head)


def test_merge_that_lacks_an_object_of_the_base_is_an_error(made: MadeRepository, opened: Opener) -> None:
    """What git finds missing on the way is an error too."""
    base, head = fork(made, {"a": "2\n", "b": "1\n"}, {"a": "3\n", "b": "1\n"})
    made.remove_object(made.oid(f"{base}:a"))
    with pytest.raises(ReadError, match=r"git merge-tree failed.*fetch the whole history"):
        opened(made).merge(base, head)


def test_merge_of_a_blob_too_large_is_an_error(made: MadeRepository, opened: Opener) -> None:
    """Git would read it whole; sizes come first."""
    base, head = fork(made, {"a": "2\n", "b": "1\n"}, {"a": "1\n", "b": "2" * 101})
    with pytest.raises(ReadError, match=r"`b` .* is too large: 101 bytes, at most 100"):
        opened(made, blob_bytes=100).merge(base, head)


# Cost


def test_an_ordinary_decision_starts_few_processes(
    made: MadeRepository, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six with named revisions and a moved base; five with ids."""
    base, head = fork(made, {"a": "2\n", "b": "1\n"}, {"a": "1\n", "b": "2\n", "c": "1\n"})
    started: list[str] = []

    class Counted(Process):
        def __init__(self, arguments: tuple[str, ...], **options: object) -> None:
            started.append(arguments[0])
            super().__init__(arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(command, "Process", Counted)
    monkeypatch.setattr("medgauge_registrar.git.catfile.Process", Counted)

    def decide(*revisions: str) -> None:
        repository = opened(made)
        old, new = repository.resolve(*revisions)
        common = repository.merge_base(old, new)
        assert repository.commits(common, new) == (head,)
        merged = repository.merge(old, new).tree_oid
        assert merged is not None
        for change in repository.changes(repository.tree(old).oid, merged):
            assert repository.tree(merged).read(change.path) is not None

    decide("main", "head")
    assert sorted(started) == ["cat-file", "merge-base", "merge-tree", "rev-list", "rev-parse", "rev-parse"]
    started.clear()
    decide(base, head)
    assert sorted(started) == ["cat-file", "merge-base", "merge-tree", "rev-list", "rev-parse"]
