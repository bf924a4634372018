"""Rules of paths: what they refuse, and what they let pass."""

import pytest

from medgauge_registrar.checks import paths
from medgauge_registrar.checks.run import check_reached, check_tree
from medgauge_registrar.classify.classify import classify
from medgauge_registrar.policy.load import shipped_table
from support.cases import as_is, fails, of, passes
from support.memory_tree import MemoryTree, memory_changes
from support.registries import STANDARD, base_registry, context_of, layout, registry_of, run_check

TARGET = "docs/example.md"


@pytest.mark.parametrize(
    "path",
    [
        *(passes("DEC-19", path, path) for path in base_registry()),
        passes("DEC-19", "a file of no kind outside the registry", "docs/example.md"),
        passes("DEC-19", "an issue form", ".github/ISSUE_TEMPLATE/example.yml"),
    ],
)
def test_known_path_is_let_pass(path: str) -> None:
    """Every file of a known kind, and any file outside the registry, may stand where it does."""
    assert run_check(paths.unclassified_path, {path: "x"}, path) == []


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        fails("DEC-19", "a note", "registry/standards/notes.txt"),
        fails("DEC-19", "a typed id in another folder", "registry/standards/ds-example.yaml"),
        fails("DEC-19", "a version of two parts", "registry/harnesses/hx-example/0.1.yaml"),
        fails("DEC-19", "a version with a leading zero", "registry/harnesses/hx-example/0.01.0.yaml"),
        fails("DEC-19", "another ending", "registry/standards/std-example.yml"),
        fails("DEC-19", "capital letters", "registry/standards/std-Example.yaml"),
        fails("DEC-19", "a folder that only looks like the registry", "Registry/standards/std-example.yaml"),
        fails("DEC-19", "a model name that is spelt otherwise than it must", "registry/models/Example%41.yaml"),
        fails("DEC-19", "a domain that is not known", "registry/capabilities/F.1.yaml"),
    ],
)
def test_unknown_path_is_refused(rule: str, path: str) -> None:
    """A file under the registry that no kind claims is refused, and so is a look-alike of a governed path."""
    (found,) = run_check(paths.unclassified_path, {path: "x"}, path)
    assert (found.rule, found.path) == (rule, path)
    assert f"`{path}`" in found.message


@pytest.mark.parametrize(
    ("edit", "folder"),
    [
        passes("ID-10", "names that differ", as_is, "registry/capabilities"),
        passes("ID-10", "one name in two folders", lambda files: {**files, "docs/a.md": "", "docs/b/a.md": ""}, "docs"),
    ],
)
def test_different_names_are_let_pass(edit: object, folder: str) -> None:
    """Names in one folder that stay apart when case is folded give no finding."""
    assert callable(edit)
    assert run_check(paths.folding_twins, edit(base_registry()), folder) == []


@pytest.mark.parametrize(
    ("rule", "one", "two", "folder"),
    [
        fails("ID-10", "letter case", "docs/Example.md", "docs/example.md", "docs"),
        fails("ID-10", "letter case of a folder", "docs/Guide/a.md", "docs/guide/b.md", "docs"),
        fails("ID-10", "composition", "docs/caf\u00e9.md", "docs/cafe\u0301.md", "docs"),
        fails("ID-10", "sharp s", "docs/STRASSE.md", "docs/stra\u00dfe.md", "docs"),
        fails("ID-10", "the top folder", "Notes.md", "notes.md", ""),
    ],
)
def test_folding_twins_are_refused(rule: str, one: str, two: str, folder: str) -> None:
    """Of two names that a file system may take for one, the second is reported with the first."""
    (found,) = run_check(paths.folding_twins, {one: "x", two: "x"}, folder)
    assert found.rule == rule
    assert {found.path} <= {path[: len(folder) + 1] + path[len(folder) + 1 :].split("/")[0] for path in (one, two)}
    assert "the same name" in found.message


@pytest.mark.parametrize(
    ("one", "two"),
    [("docs/Example.md", "docs/example.md"), ("docs/Guide/a.md", "docs/guide/a.md"), ("Notes.md", "notes.md")],
)
def test_whoever_was_there_first_keeps_the_name(one: str, two: str) -> None:
    """Of twins the one that a change brings is at fault, whichever of the two sorts first."""
    for old, new in ((one, two), (two, one)):
        base, head = registry_of({old: "x"}), context_of({old: "x", new: "y"})
        changes = classify(
            memory_changes(base.tree, head.registry.tree), base=base, head=head.registry, table=shipped_table()
        )
        found = [item for item in check_reached(head, base, [item.change for item in changes]) if item.rule == "ID-10"]
        (told,) = found
        assert new.startswith(told.path or "-")
        assert told.path is not None
        assert f"Give `{told.path.rpartition('/')[2]}` another name" in told.help


def test_a_fault_of_the_path_is_told_of_the_path() -> None:
    """A foreign letter in a file's name is no matter of any line in it."""
    path = "registry/standards/std-ex\u0430mple.yaml"
    found = [
        item for item in check_tree(context_of({path: "# A comment.\nid: std-example\n"})) if item.rule == "BLD-01"
    ]
    assert [(item.path, item.line, item.pointer) for item in found] == [(path, None, None)]
    assert found[0].message.startswith(f"in the path `{path}`: letters of another script stand here (U+0430)")
    assert "Rename" in found[0].help


@pytest.mark.parametrize(
    ("rule", "mode", "words"),
    [
        fails("ENT-09", "a symbolic link", "120000", "is a symbolic link"),
        fails("ENT-09", "a submodule", "160000", "is a submodule"),
        fails("ENT-09", "an executable record", "100755", "is a file of mode 100755"),
    ],
)
def test_irregular_file_is_refused(rule: str, mode: str, words: str) -> None:
    """A governed path holds a regular file; anything else would show readers another content than the checks see."""
    content = "0" * 40 if mode == "160000" else TARGET
    entry = MemoryTree({STANDARD: content}, {STANDARD: mode}).entry(STANDARD)
    assert entry is not None
    (problem,) = paths.irregular_file(layout().place(STANDARD), entry)
    assert words in problem.message
    assert rule == "ENT-09"


def test_link_outside_the_registry_is_let_pass() -> None:
    """A link among other files governs nothing here."""
    entry = MemoryTree({"docs/a.md": TARGET}, {"docs/a.md": "120000"}).entry("docs/a.md")
    assert entry is not None
    assert list(paths.irregular_file(layout().place("docs/a.md"), entry)) == []
    assert len(list(paths.irregular_file(layout().place("articles/2026-11-29-a.md"), entry))) == 1


def test_runner_applies_the_rules_of_paths() -> None:
    """A whole-tree run reports an unknown path, a rendered page and folding twins."""
    files = base_registry() | {
        "registry/standards/notes.txt": "x",
        "articles/example.html": "x",
        "docs/Example.md": "x",
        "docs/example.md": "x",
    }
    found = {(item.rule, item.path) for item in of(("DEC", "ENT", "ID"), check_tree(context_of(files)))}
    assert found == {
        ("DEC-19", "registry/standards/notes.txt"),
        ("ENT-10", "articles/example.html"),
        ("ID-10", "docs/example.md"),
    }
