"""Steps between versions of the methodology, and how far a change has to go."""

import pytest

from medgauge_registrar.classify.text_change import ChangeClass
from medgauge_registrar.comparability.steps import Step, declared_step, needed_step, next_version


@pytest.mark.parametrize(
    ("before", "after", "step"),
    [
        ("0.1.0", "0.1.0", Step.NONE),
        ("0.1.0", "0.1.1", Step.PATCH),
        ("0.9.9", "0.10.0", Step.MINOR),
        ("0.9.9", "1.0.0", Step.MAJOR),
        ("1.2.3", "2.0.4", Step.MAJOR),
        ("0.10.0", "0.9.0", Step.LOWERED),
        ("1.0.0", "0.9.9", Step.LOWERED),
    ],
)
def test_declared_step(before: str, after: str, step: Step) -> None:
    """The first part that rises tells the step; numbers are compared, not texts."""
    assert declared_step(before, after) is step


@pytest.mark.parametrize(
    ("computed", "below", "from_one"),
    [
        (ChangeClass.NONE, Step.NONE, Step.NONE),
        (ChangeClass.PATCH, Step.PATCH, Step.PATCH),
        (ChangeClass.MINOR, Step.MINOR, Step.MINOR),
        (ChangeClass.NON_COMPARABLE, Step.MINOR, Step.MAJOR),
    ],
)
def test_needed_step(computed: ChangeClass, below: Step, from_one: Step) -> None:
    """Below 1.0.0 what breaks comparison takes a minor version, from it on a major one."""
    assert (needed_step(computed, "0.9.9"), needed_step(computed, "1.0.0")) == (below, from_one)


@pytest.mark.parametrize(
    ("step", "after"),
    [
        (Step.NONE, "0.9.9"),
        (Step.PATCH, "0.9.10"),
        (Step.MINOR, "0.10.0"),
        (Step.MAJOR, "1.0.0"),
        (Step.LOWERED, "0.9.9"),
    ],
)
def test_next_version(step: Step, after: str) -> None:
    """One such step above a version, whose declared step it then is."""
    assert next_version("0.9.9", step) == after
    assert declared_step("0.9.9", after) is (Step.NONE if step is Step.LOWERED else step)
