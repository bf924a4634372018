"""The prediction of a version comes before any run on it (GATE-04)."""

import pytest

from medgauge_registrar.checks.gates import run_before_its_prediction
from support.cases import fails, passes
from support.registries import FROZEN, RESULT, Files, base_registry, edited, run_check


@pytest.mark.parametrize("files", [passes("GATE-04", "predicted a week before", base_registry())])
def test_a_run_after_its_prediction(files: Files) -> None:
    """The day of gate 4 lies before that of the first run."""
    assert run_check(run_before_its_prediction, files, RESULT) == []


@pytest.mark.parametrize(
    ("rule", "files"),
    [
        fails(
            "GATE-04",
            "predicted on the day of the run",
            edited(base_registry(), FROZEN, {"/gate_evidence/4/date": "2026-11-10"}),
        ),
        fails(
            "GATE-04",
            "run before the prediction",
            edited(base_registry(), RESULT, {"/first_run_at": "2026-11-01T08:00:00Z"}),
        ),
    ],
)
def test_a_run_that_came_too_early(rule: str, files: Files) -> None:
    """It is told at the time of the run."""
    (found,) = run_check(run_before_its_prediction, files, RESULT)
    assert (found.rule, found.pointer) == (rule, "/first_run_at")


def test_a_version_that_cannot_be_judged() -> None:
    """It is told as such, and by nothing else."""
    files = edited(base_registry(), FROZEN, {"/gate_evidence/4/date": "soon"})
    assert run_check(run_before_its_prediction, files, RESULT) == []
