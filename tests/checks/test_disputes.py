"""Rules of dispute outcomes."""

import pytest

from medgauge_registrar.checks import disputes
from medgauge_registrar.model.finding import Severity
from support.cases import fails, passes
from support.registries import DISPUTE, base_registry, edited, run_check


@pytest.mark.parametrize(
    "day",
    [
        passes("SCHEMA-DISP-01", "a day that has passed", "2026-11-21"),
        passes("SCHEMA-DISP-01", "today", "2026-11-29"),
    ],
)
def test_outcome_is_let_pass(day: str) -> None:
    """An outcome of today or before gives no finding."""
    files = edited(base_registry(), DISPUTE, {"/date": day})
    assert run_check(disputes.outcome_ahead_of_its_day, files, DISPUTE) == []


@pytest.mark.parametrize(
    ("rule", "day"),
    [fails("SCHEMA-DISP-01", "tomorrow", "2026-11-30"), fails("SCHEMA-DISP-01", "next year", "2027-01-01")],
)
def test_outcome_is_refused(rule: str, day: str) -> None:
    """An outcome ahead of its votes is found."""
    files = edited(base_registry(), DISPUTE, {"/date": day})
    (found,) = run_check(disputes.outcome_ahead_of_its_day, files, DISPUTE)
    assert (found.rule, found.severity, found.path, found.pointer) == (rule, Severity.ERROR, DISPUTE, "/date")
    assert f"`{day}`" in found.message
