"""Rules of standards: what they refuse, and what they let pass."""

from collections.abc import Mapping
from typing import Any

import pytest

from medgauge_registrar.checks import standards
from medgauge_registrar.model.finding import Severity
from support.cases import fails, passes
from support.registries import STANDARD, base_registry, edited, run_check


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
