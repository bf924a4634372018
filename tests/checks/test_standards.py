"""Rules of standards: what they refuse, and what they let pass."""

from collections.abc import Mapping
from typing import Any

import pytest

from medgauge_registrar.checks import standards
from medgauge_registrar.model.finding import Severity
from support.cases import fails, passes
from support.registries import CARD, STANDARD, TOOL, base_registry, edited, example, run_check, written
from support.steps import run_step

FORMAT = {"/title": "Example task format"}
SKILL = "registry/tools/tl-example-skill/0.1.0.yaml"
PLAIN = "registry/tools/tl-example-prompt/0.1.0.yaml"


@pytest.mark.parametrize(
    "changes",
    [
        passes("SCHEMA-STD-02", "a confirmed edition", {}),
        passes("SCHEMA-STD-02", "no edition", {"/publisher_version": "unconfirmed", "/source_check/outcome": "not-confirmed"}),
        passes("SCHEMA-STD-02", "looked at today", {"/source_check/date": "2026-11-29"}),
    ],
)  # fmt: skip
def test_standard_is_let_pass(changes: Mapping[str, Any]) -> None:
    """A standard that keeps the rule gives no finding."""
    assert run_check(standards.unconfirmed_edition, edited(base_registry(), STANDARD, changes), STANDARD) == []


@pytest.mark.parametrize(
    ("rule", "changes", "pointer", "words"),
    [
        fails("SCHEMA-STD-02", "the word in capitals", {"/publisher_version": "Unconfirmed"}, "/publisher_version",
              "is `Unconfirmed`, expected an edition or the word `unconfirmed`"),
        fails("SCHEMA-STD-02", "another word", {"/publisher_version": "n/a"}, "/publisher_version", "is `n/a`"),
        fails("SCHEMA-STD-02", "no word at all", {"/publisher_version": "-"}, "/publisher_version", "is `-`"),
        fails("SCHEMA-STD-02", "looked at tomorrow", {"/source_check/date": "2026-11-30"}, "/source_check/date",
              "on `2026-11-30`"),
    ],
)  # fmt: skip
def test_standard_is_refused(rule: str, changes: Mapping[str, Any], pointer: str, words: str) -> None:
    """What breaks the rule gives one error at its place, which says what was found."""
    (found,) = run_check(standards.unconfirmed_edition, edited(base_registry(), STANDARD, changes), STANDARD)
    assert (found.rule, found.severity, found.pointer) == (rule, Severity.ERROR, pointer)
    assert words in found.message


def following(path: str, field: str, words: str) -> tuple[dict[str, str], dict[str, str]]:
    """A registry with a standard for an example, before and after a record comes that says what it follows."""
    before = edited(base_registry(), STANDARD, FORMAT)
    record = {CARD: ("benchmark-card", "with-references"), TOOL: ("tool", "server"), SKILL: ("tool", "skill")}
    made = example(*record.get(path, ("tool", "prompt")))
    made["id"] = path.split("/")[2]
    made[field] = words
    before.pop(path, None)
    return before, {**before, path: written(made)}


@pytest.mark.parametrize(
    ("path", "field", "words"),
    [
        passes("SCHEMA-STD-05", "the title with more words", CARD, "task_format", "Example task format, one folder a task"),
        passes("SCHEMA-STD-05", "how the title begins", CARD, "task_format", "example task"),
        passes("SCHEMA-STD-05", "the identifier", TOOL, "protocol", "std-example-guideline over HTTP"),
        passes("SCHEMA-STD-05", "a prompt, which has no specification", PLAIN, "protocol", "text put before the task"),
    ],
)  # fmt: skip
def test_format_is_registered(path: str, field: str, words: str) -> None:
    """What a record follows can be looked up."""
    assert run_step(standards.unregistered_format, *following(path, field, words)) == []


@pytest.mark.parametrize(
    ("rule", "path", "field", "words"),
    [
        fails("SCHEMA-STD-05", "a format of one's own", CARD, "task_format", "A format of our own"),
        fails("SCHEMA-STD-05", "half a word of a title", CARD, "task_format", "Example tas"),
        fails("SCHEMA-STD-05", "a letter", TOOL, "protocol", "E"),
        fails("SCHEMA-STD-05", "an identifier that goes on", TOOL, "protocol", "std-example-guideline-2"),
        fails("SCHEMA-STD-05", "a skill without its specification", SKILL, "protocol", "Example Skills"),
    ],
)  # fmt: skip
def test_format_is_not_registered(rule: str, path: str, field: str, words: str) -> None:
    """What a record follows stands nowhere."""
    (found,) = run_step(standards.unregistered_format, *following(path, field, words))
    assert (found.rule, found.severity, found.path, found.pointer) == (rule, Severity.ERROR, path, f"/{field}")
    assert f"`{words}`, which names no entry" in found.message


def test_format_that_stays_is_not_asked_about() -> None:
    """Only a change of the field has to name an entry."""
    before, after = following(CARD, "task_format", "A format of our own")
    changed = edited(after, CARD, {"/scenario": "Another scenario."})
    assert run_step(standards.unregistered_format, after, changed) == []
    assert before != after
