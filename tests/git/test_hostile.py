"""Nothing in a repository, in anybody's settings or in the environment runs a program or changes an answer."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from medgauge_registrar.git.repository import Merge, Repository
from medgauge_registrar.git.worktree import WorkTree
from medgauge_registrar.model.change import Status
from support.memory_tree import MemoryTree
from support.repositories import MadeRepository, git

Opener = Callable[..., Repository]

LONG = "".join(f"line {number}\n" for number in range(20))
ROOT = {"a": "1\n", "old.yaml": LONG}
BASE = {"a": "2\n", "old.yaml": LONG, "base": "id: one\n"}
ATTRIBUTES = "* merge=evil diff=evil filter=evil text eol=crlf ident\n"
HEAD = {"a": "3\n", "new.yaml": LONG + "more\n", ".gitattributes": ATTRIBUTES}


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    """A file that any program started by the repository would make."""
    return tmp_path / "ran"


@pytest.fixture
def hostile(tmp_path: Path, marker: Path) -> MadeRepository:
    """A repository whose every setting that can name a program names one."""
    made = MadeRepository(tmp_path / "hostile", bare=False)
    root = made.commit(ROOT)
    made.commit(BASE, root)
    made.commit(HEAD, root, branch="head")
    made.git("symbolic-ref", "HEAD", "refs/heads/head")
    made.git("reset", "-q", "--hard")
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{marker}'\n")
    program.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "reference-transaction", "post-checkout", "fsmonitor-watchman"):
        (hooks / name).symlink_to(program)
        (made.git_dir / "hooks" / name).unlink(missing_ok=True)
        (made.git_dir / "hooks" / name).symlink_to(program)
    settings = {
        "alias.rev-parse": f"!{program}",
        "alias.ls-files": f"!{program}",
        "core.alternateRefsCommand": str(program),
        "core.askPass": str(program),
        "core.attributesFile": str(made.folder / ".gitattributes"),
        "core.editor": str(program),
        "core.fsmonitor": str(program),
        "core.hooksPath": str(hooks),
        "core.pager": str(program),
        "core.sshCommand": str(program),
        "credential.helper": str(program),
        "diff.evil.command": str(program),
        "diff.evil.textconv": str(program),
        "diff.external": str(program),
        "extensions.partialClone": "evil",
        "filter.evil.clean": str(program),
        "filter.evil.process": str(program),
        "filter.evil.smudge": str(program),
        "gpg.program": str(program),
        "merge.evil.driver": f"{program} %O %A %B",
        "pager.rev-parse": str(program),
        "protocol.ext.allow": "always",
        "remote.evil.promisor": "true",
        "remote.evil.url": f"ext::{program}",
        "uploadpack.packObjectsHook": str(program),
    }
    made.git("config", "core.repositoryFormatVersion", "1")
    for name, value in settings.items():
        made.git("config", name, value)
    (made.git_dir / "info" / "attributes").write_text(ATTRIBUTES)
    return made


def read_everything(repository: Repository) -> tuple[Merge, list[str]]:
    """Use every command there is."""
    base, head = repository.resolve("main", "head")
    common = repository.merge_base(base, head)
    assert len(repository.commits(common, head)) == 1
    tree = repository.tree(head)
    assert tree.read("new.yaml") == (LONG + "more\n").encode()
    assert list(tree.mentions("", ["line 3"])) == ["new.yaml"]
    changes = repository.changes(common, head)
    assert [(c.status, c.path) for c in changes] == [
        (Status.ADDED, ".gitattributes"),
        (Status.MODIFIED, "a"),
        (Status.RENAMED, "new.yaml"),
    ]
    work = WorkTree.open(repository)
    assert [path for path, _ in work.walk("")] == [path for path, _ in tree.walk("")]
    # Git wrote these files with the attributes in force; they are read as they lie, and no filter is asked.
    assert work.read("a") == b"3\r\n"
    return repository.merge(base, head), [c.path for c in changes]


def test_no_setting_or_attribute_runs_a_program(hostile: MadeRepository, marker: Path, opened: Opener) -> None:
    """Drivers, filters, hooks, monitors, aliases and helpers stay files."""
    merge, _ = read_everything(opened(hostile))
    assert merge == Merge(tree_oid=None, conflicts=("a",))
    assert not marker.exists()


def test_the_marker_works(hostile: MadeRepository, marker: Path) -> None:
    """Plain git does run the programs, so the test before can fail."""
    (hostile.folder / "a").write_text("changed")
    hostile.git("status", status=None)
    assert marker.exists()


def test_a_missing_object_is_not_fetched(hostile: MadeRepository, marker: Path, opened: Opener) -> None:
    """A partial clone whose remote is a program does not start it, neither there nor from our own directory."""
    repository = opened(hostile)
    missing = "12" * 20
    for revision in (missing, f"{missing}^0", f"main~1^{{/{missing}}}"):
        with pytest.raises(Exception, match="names no commit"):
            repository.resolve(revision)
    blob = hostile.oid("main:base")
    hostile.remove_object(blob)
    with pytest.raises(Exception, match=f"object {blob} is missing"):
        repository.tree(*repository.resolve("main")).read("base")
    assert not marker.exists()


@pytest.mark.parametrize("where", ["tree", "info", "settings"])
def test_attributes_do_not_decide_a_merge(made: MadeRepository, opened: Opener, where: str, tmp_path: Path) -> None:
    """`merge=union` never conflicts, so whoever could set it could merge anything."""
    attributes = "* merge=union\n"
    extra = {".gitattributes": attributes} if where == "tree" else {}
    if where == "info":
        (made.git_dir / "info" / "attributes").write_text(attributes)
    if where == "settings":
        (tmp_path / "attributes").write_text(attributes)
        made.git("config", "core.attributesFile", str(tmp_path / "attributes"))
    root = made.commit({"a": "1\n", **extra})
    base = made.commit({"a": "2\n", **extra}, root)
    head = made.commit({"a": "3\n", **extra}, root)
    assert opened(made).merge(base, head) == Merge(tree_oid=None, conflicts=("a",))


def test_environment_of_the_caller_is_not_inherited(
    hostile: MadeRepository, marker: Path, tmp_path: Path, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither variables nor the settings in a home folder matter."""
    expected = read_everything(opened(hostile))
    program = str(tmp_path / "program")
    other = MadeRepository(tmp_path / "other")
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / ".gitconfig").write_text(
        f"[core]\n\tfsmonitor = {program}\n\tquotePath = true\n[diff]\n\trenames = copies\n"
    )
    (tmp_path / "home" / ".config" / "git").mkdir(parents=True)
    (tmp_path / "home" / ".config" / "git" / "attributes").write_text("* merge=union -diff\n")
    (tmp_path / "home" / ".config" / "git" / "ignore").write_text("*\n")
    for name, value in {
        "HOME": str(tmp_path / "home"),
        "XDG_CONFIG_HOME": str(tmp_path / "home" / ".config"),
        "GIT_DIR": str(other.folder),
        "GIT_WORK_TREE": str(tmp_path),
        "GIT_INDEX_FILE": str(tmp_path / "index"),
        "GIT_OBJECT_DIRECTORY": str(other.folder / "objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(other.folder / "objects"),
        "GIT_NAMESPACE": "other",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "diff.external",
        "GIT_CONFIG_VALUE_0": program,
        "GIT_CONFIG_PARAMETERS": f"'core.fsmonitor'='{program}'",
        "GIT_EXTERNAL_DIFF": program,
        "GIT_PAGER": program,
        "GIT_SSH_COMMAND": program,
        "GIT_TRACE": str(tmp_path / "trace"),
        "GIT_TRACE2_EVENT": str(tmp_path / "trace"),
        "GIT_DEFAULT_HASH": "sha256",
        "GIT_ICASE_PATHSPECS": "1",
    }.items():
        monkeypatch.setenv(name, value)
    assert read_everything(opened(hostile)) == expected
    assert not marker.exists()
    assert not (tmp_path / "trace").exists()


def test_replaced_objects_are_not_seen(made: MadeRepository, opened: Opener) -> None:
    """`git replace` would show another commit under the same id."""
    root = made.commit({"a": "1"})
    good = made.commit({"a": "2"}, root)
    other = made.commit({"a": "3"})
    made.git("replace", good, other)
    made.git("update-ref", "refs/heads/main", good)
    assert made.git("show", f"{good}:a") == "3"
    repository = opened(made)
    assert repository.resolve("main", "main~1") == (good, root)
    assert repository.tree(good).oid == MemoryTree({"a": "2"}).oid
    assert repository.merge_base(root, good) == root


def test_grafts_are_not_seen(made: MadeRepository, opened: Opener) -> None:
    """`info/grafts` would give a commit other parents."""
    root = made.commit({"a": "1"})
    middle = made.commit({"a": "2"}, root)
    head = made.commit({"a": "3"}, middle)
    (made.git_dir / "info" / "grafts").write_text(f"{head} {root}\n")
    assert made.oid("main~1") == root
    repository = opened(made)
    assert repository.resolve("main~1") == (middle,)
    assert repository.commits(root, head) == (head, middle)


def test_a_lying_commit_graph_is_not_seen(made: MadeRepository, opened: Opener) -> None:
    """Parents are read from the commits themselves."""
    root = made.commit({"a": "1"})
    middle = made.commit({"a": "2"}, root)
    head = made.commit({"a": "3"}, middle)
    (made.git_dir / "info" / "grafts").write_text("")
    made.git("commit-graph", "write", "--reachable")
    graph = made.git_dir / "objects" / "info" / "commit-graph"
    rows = sorted([root, middle, head])
    data = bytearray(graph.read_bytes())
    # Of each row of 36 bytes, 20 are the tree and the next 4 the place of the first parent.
    start = data.rindex(bytes.fromhex(made.oid(f"{rows[0]}^{{tree}}"))) + 36 * rows.index(head) + 20
    assert int.from_bytes(data[start : start + 4]) == rows.index(middle)
    data[start : start + 4] = rows.index(root).to_bytes(4)
    graph.chmod(0o644)
    graph.write_bytes(data)
    assert made.git("rev-list", head).split() == [head, root]
    repository = opened(made)
    assert repository.commits(root, head) == (head, middle)
    assert repository.resolve("main~1") == (middle,)


def test_words_and_folders_are_no_options_and_no_patterns(made: MadeRepository, opened: Opener, marker: Path) -> None:
    """Whatever stands in a search is looked for as it stands."""
    files = {"--open/x": f"--open-files-in-pager=touch {marker}", ":(top)/x": "top", "a*/x": "star", "ab/x": "star"}
    tree = opened(made).tree(made.commit(files))
    assert list(tree.mentions("--open", [f"--open-files-in-pager=touch {marker}"])) == ["--open/x"]
    assert list(tree.mentions(":(top)", ["top"])) == [":(top)/x"]
    assert list(tree.mentions("a*", ["star"])) == ["a*/x"]
    assert list(tree.mentions("", ["-e", "s.ar"])) == []
    assert not marker.exists()


def test_no_revision_runs_a_program(made: MadeRepository, opened: Opener, marker: Path, tmp_path: Path) -> None:
    """Neither is a revision an option."""
    made.commit({"a": "1"})
    repository = opened(made)
    for revision in (f"--upload-pack=touch {marker}", f"--output={marker}", f"-O{marker}", "--git-dir", "--all"):
        with pytest.raises(Exception, match="names no commit"):
            repository.resolve(revision)
    assert not marker.exists()
    assert git(tmp_path, "-C", str(made.folder), "status", "--short", status=128) == ""
    assert os.listdir(made.folder / "refs" / "heads") == ["main"]
