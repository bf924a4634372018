"""Makers of run rows for the tests of the statistics."""

from collections.abc import Callable
from typing import Any

import pytest

from medgauge_registrar.statistics.algorithms import Pins
from medgauge_registrar.statistics.values import RunRow, Subset


def make_row(task: int | str = 1, run: int = 1, passed: int = 4, m: int = 4, **others: Any) -> RunRow:
    """A holdout row that passes unless told otherwise; a number names a task of that number."""
    name = task if isinstance(task, str) else f"tk-{task:012d}@0.1.0"
    return RunRow(**{"task": name, "subset": Subset.HOLDOUT, "run": run, "checkpoints_passed": passed, "m": m} | others)


def make_rows(passing: list[int], m: int = 4, **others: Any) -> tuple[RunRow, ...]:
    """Three rows for each task, as many of them passing as the list says; a failing row misses one checkpoint."""
    return tuple(
        make_row(task, run, passed=m if run <= count else m - 1, m=m, **others)
        for task, count in enumerate(passing, 1)
        for run in (1, 2, 3)
    )


@pytest.fixture
def row() -> Callable[..., RunRow]:
    """Make one row."""
    return make_row


@pytest.fixture
def rows() -> Callable[..., tuple[RunRow, ...]]:
    """Make the rows of tasks from their numbers of passing runs."""
    return make_rows


@pytest.fixture(scope="session")
def pins() -> Pins:
    """Pins of a version frozen under the first methodology."""
    return Pins(
        intervals="intervals@0.1.0",
        paired_test="paired-test@0.1.0",
        letter_display="letter-display@0.1.0",
        seed=20261129,
        quantile_rule="hyndman-fan-1",
        resamples=10_000,
    )
