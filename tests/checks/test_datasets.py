"""Rules of dataset cards: what they refuse, and what they let pass."""

import pytest

from medgauge_registrar.checks import datasets
from medgauge_registrar.model.finding import Severity
from support.registries import DATASET, base_registry, example, run_check, written

TRAINING = "registry/datasets/ds-example-training.yaml"


def compared_on(day: str) -> dict[str, str]:
    """The base registry with a training set that was compared on a day."""
    card = example("dataset-card", "training")
    card["similarity_check"]["date"] = day
    return {**base_registry(), TRAINING: written(card)}


@pytest.mark.rule("SCHEMA-DS-04", "passes")
def test_a_comparison_that_was_made_is_let_pass() -> None:
    """A training set compared no later than today, and a set for evaluation, give no finding."""
    assert run_check(datasets.uncompared_training_set, compared_on("2026-11-29"), TRAINING) == []
    assert run_check(datasets.uncompared_training_set, base_registry(), DATASET) == []


@pytest.mark.rule("SCHEMA-DS-04", "fails")
def test_a_comparison_that_lies_ahead_is_refused() -> None:
    """A day that has not come stands for no comparison."""
    (found,) = run_check(datasets.uncompared_training_set, compared_on("2026-11-30"), TRAINING)
    assert (found.rule, found.severity, found.pointer) == ("SCHEMA-DS-04", Severity.ERROR, "/similarity_check/date")
    assert "`2026-11-30`" in found.message
