"""Cases of rules, for the tests of the checks."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from medgauge_registrar.model.finding import Finding
from support.registries import Files, run_changes

Edit = Callable[[Files], Files]


def passes(rule: str, what: str, *values: Any) -> Any:
    """A case in which a rule is kept."""
    return pytest.param(*values, id=f"{rule}: {what}", marks=pytest.mark.rule(rule, "passes"))


def fails(rule: str, what: str, *values: Any) -> Any:
    """A case in which a rule is broken; the rule is the first value of the case."""
    return pytest.param(rule, *values, id=f"{rule}: {what}", marks=pytest.mark.rule(rule, "fails"))


def as_is(files: Files) -> Files:
    """No edit."""
    return files


def adding(more: Mapping[str, str]) -> Edit:
    """Add files."""
    return lambda files: {**files, **more}


def run_steps(before: Mapping[str, str], after: Mapping[str, str]) -> list[Finding]:
    """What the rules of identifiers, versions, entries and immutability find in a step between two sets of files."""
    return of(("ID", "VER", "ENT", "IMM"), run_changes(before, after))


def of(prefixes: Iterable[str], found: Iterable[Finding]) -> list[Finding]:
    """The findings of some families of rules (`ID`, `VER`), so that a test of one family outlives additions to another."""
    families = frozenset(prefixes)
    return [finding for finding in found if finding.rule.rpartition("-")[0] in families]
