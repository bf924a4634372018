"""Cases of rules, for the tests of the checks."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from support.registries import Files, base_registry

Edit = Callable[[Files], Files]


def passes(rule: str, what: str, *values: Any) -> Any:
    """A case in which a rule is kept."""
    return pytest.param(*values, id=f"{rule}: {what}", marks=pytest.mark.rule(rule, "passes"))


def fails(rule: str, what: str, *values: Any) -> Any:
    """A case in which a rule is broken; the rule is the first value of the case."""
    return pytest.param(rule, *values, id=f"{rule}: {what}", marks=pytest.mark.rule(rule, "fails"))


def base(edit: Edit | None = None) -> Files:
    """The base registry, edited."""
    files = base_registry()
    return edit(files) if edit else files


def as_is(files: Files) -> Files:
    """No edit."""
    return files


def adding(more: Mapping[str, str]) -> Edit:
    """Add files."""
    return lambda files: {**files, **more}
