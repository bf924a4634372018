"""What `registrar explain` and the pages in `docs/` say of every rule and row."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from medgauge_registrar.catalogue import GROUPS, entries, explain, row_guide, rows_page, rules_page
from medgauge_registrar.data import FOLDER
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.policy.load import shipped_table
from medgauge_registrar.registry.reader import Syntax, read_document

DOCS = Path(__file__).parents[1] / "docs"
UPDATE = bool(os.environ.get("REGISTRAR_UPDATE_GOLDEN"))


@pytest.mark.parametrize(("name", "page"), [("rules.md", rules_page), ("rows.md", rows_page)])
def test_pages_are_up_to_date(name: str, page: Callable[[], str]) -> None:
    """The committed page is what the catalogue says; `REGISTRAR_UPDATE_GOLDEN=1` writes it anew."""
    text = page()
    if UPDATE:
        (DOCS / name).write_text(text, encoding="utf-8")
    assert (DOCS / name).read_text(encoding="utf-8") == text


def test_every_rule_that_can_block_says_how_to_mend_a_breach() -> None:
    """Beside the examples stand words of advice."""
    bare = [
        entry.id
        for entry in entries()
        if entry.state == "enforced" and not entry.guide.partition("Passes: ")[0].strip()
    ]
    assert bare == []


def test_every_row_is_explained() -> None:
    """A row says what it asks for, why, how to mend it, and has examples."""
    for row in shipped_table().rows.values():
        told = explain(row.id.lower())
        assert told.startswith(f"{row.id}: {row.title}")
        for word in ("Approvals: ", "Evidence: ", "Separation: ", "Changes: ", "How to mend: ", "Passes: ", "Fails: "):
            assert word in row_guide(row), (row.id, word)
        assert row.because in told


def test_every_rule_is_explained() -> None:
    """Every id is found in any letter case; another one is refused with a hint."""
    for entry in entries():
        assert explain(f" {entry.id.lower()} ").startswith(f"{entry.id} ({entry.state}; ")
    with pytest.raises(PolicyError, match="`registrar rules` lists all"):
        explain("XX-99")


def test_every_rule_is_on_the_page_once() -> None:
    """The groups leave no rule out."""
    lines = rules_page().split("\n")
    for entry in entries():
        assert lines.count(f"### {entry.id}") == 1, entry.id
    assert [line for line in lines if line.startswith("## ")] == [f"## {title}" for title in GROUPS]


def test_guides_are_about_what_there_is() -> None:
    """No guide outlives its rule, and an example that passes comes with one that fails."""
    document = read_document((FOLDER / "guides.yml").read_bytes(), syntax=Syntax.YAML)
    assert not document.faults
    assert isinstance(document.value, list)
    known = {entry.id for entry in entries()} | set(shipped_table().rows)
    for guide in document.value:
        assert isinstance(guide, dict)
        assert guide["id"] in known
        assert guide.keys() <= {"id", "mend", "passes", "fails"}
        assert ("passes" in guide) is ("fails" in guide), guide
