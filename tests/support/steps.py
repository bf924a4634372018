"""Run one check of a step alone, the way a pull request runs them all."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from unittest.mock import patch

from medgauge_registrar.checks.framework import ChangeCheck
from medgauge_registrar.model.finding import Finding
from support.registries import run_changes


def run_step(check: ChangeCheck, before: Mapping[str, str], after: Mapping[str, str]) -> list[Finding]:
    """What one check finds in the step from one set of files to another."""
    with only(check):
        return run_changes(before, after)


@contextmanager
def only(check: ChangeCheck) -> Iterator[None]:
    """Let one check of a step be the only one there is."""
    selected = "medgauge_registrar.checks.changes.change_checks"
    with patch(selected, lambda kinds: (check,) if check.kinds & kinds else ()):
        yield
