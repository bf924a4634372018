"""Steps are judged once, under both names of a moved file, and told in file order."""

from support.cases import run_steps
from support.registries import (
    FROZEN,
    HARNESS,
    RESULT,
    STANDARD,
    TEXT,
    base_registry,
    edited,
    methodology_text,
    moved,
    rules,
    without,
)


def test_nothing_changed() -> None:
    """Equal trees give no finding."""
    assert run_steps(base_registry(), base_registry()) == []


def test_first_commit_of_a_registry() -> None:
    """A registry that appears as a whole breaks no rule of change."""
    assert run_steps({}, base_registry()) == []


def test_moved_file_is_judged_as_what_it_was() -> None:
    """Moving an immutable file out of the registry removes it from where it stood."""
    (found,) = run_steps(base_registry(), moved(base_registry(), RESULT, "docs/result.json"))
    assert (found.rule, found.path) == ("IMM-05", RESULT)


def test_moved_file_is_judged_as_what_it_becomes() -> None:
    """A file that moves into the registry enters it, and owes what a new entry owes."""
    entry = edited(base_registry(), STANDARD, {"/id": "std-example-new", "/introduced_in": "0.9.0"})[STANDARD]
    before = base_registry() | {"docs/new.yaml": entry}
    (found,) = run_steps(before, moved(before, "docs/new.yaml", "registry/standards/std-example-new.yaml"))
    assert (found.rule, found.path) == ("VER-04", "registry/standards/std-example-new.yaml")


def test_edit_hidden_beside_a_new_version_is_found() -> None:
    """A legitimate new version does not cover an edit of the old one."""
    files = edited(base_registry(), HARNESS, {"/runtime": "Another loop."})
    files[HARNESS.replace("0.1.0", "0.2.0")] = edited(base_registry(), HARNESS, {"/version": "0.2.0"})[HARNESS]
    assert rules(run_steps(base_registry(), files)) == {"IMM-04"}


def test_removal_of_a_file_that_cannot_be_read() -> None:
    """What stood at the base counts by its path, readable or not."""
    before = base_registry() | {FROZEN: "{", STANDARD: "{"}
    found = run_steps(before, without(before, FROZEN, STANDARD))
    assert [(item.rule, item.path) for item in found] == [("IMM-07", FROZEN), ("IMM-07", STANDARD)]


def test_findings_stand_in_file_order() -> None:
    """Several faults are told at once, by file and place."""
    files = edited(base_registry(), FROZEN, {"/verifier/version": "0.3.0", "/frozen": False})
    files = edited(files, STANDARD, {"/title": "Another title"})
    files[TEXT] = methodology_text("0.2.0", rows=(("0.2.0", "2026-11-20", "Second version."),))
    found = run_steps(base_registry(), files)
    assert [item.rule for item in found] == ["IMM-06", "IMM-11", "IMM-02", "IMM-01", "VER-03"]
    assert [item.path for item in found] == sorted(str(item.path) for item in found)
