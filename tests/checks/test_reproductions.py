"""Rules of reproductions: one difference told twice, on calibration tasks alone."""

import pytest

from medgauge_registrar.checks import reproductions
from medgauge_registrar.checks.framework import RecordCheck
from medgauge_registrar.model.finding import Severity
from support.cases import Edit, fails, passes
from support.registries import FROZEN, REPRODUCTION, Files, base_registry, edited, run_check, without


def delta(signed: float, absolute: float, n_tasks: int = 2) -> Edit:
    """Change the difference."""
    return lambda files: edited(
        files, REPRODUCTION, {"/env_delta": {"signed": signed, "absolute": absolute, "n_tasks": n_tasks}}
    )


def unfrozen(files: Files) -> Files:
    """A version that tells no number of tasks yet."""
    return edited(
        delta(0, 0, 1)(files), FROZEN, {"/frozen": False, "/frozen_on": None, "/hash_manifest": None, "/subsets": None}
    )


@pytest.mark.parametrize(
    ("check", "edit"),
    [
        passes(
            "SCHEMA-RP-05", "worse in the second environment", reproductions.disagreeing_difference, delta(-0.5, 0.5)
        ),
        passes(
            "SCHEMA-RP-05", "better in the second environment", reproductions.disagreeing_difference, delta(0.5, 0.5)
        ),
        passes("SCHEMA-RP-05", "no difference", reproductions.disagreeing_difference, delta(0, 0)),
        passes("SCHEMA-RP-06", "every calibration task", reproductions.foreign_tasks, delta(0, 0, 2)),
        passes("SCHEMA-RP-06", "some of them", reproductions.foreign_tasks, delta(0, 0, 1)),
        passes(
            "SCHEMA-RP-06",
            "a version that is not there, which is ID-06",
            reproductions.foreign_tasks,
            lambda files: without(files, FROZEN),
        ),
    ],
)
def test_reproduction_is_let_pass(check: RecordCheck, edit: Edit) -> None:
    """What keeps the rule gives no finding."""
    assert run_check(check, edit(base_registry()), REPRODUCTION) == []


@pytest.mark.parametrize(
    ("rule", "check", "edit", "pointer", "words"),
    [
        fails(
            "SCHEMA-RP-05",
            "a size that is another number",
            reproductions.disagreeing_difference,
            delta(-0.5, 0.05),
            "/env_delta/absolute",
            "`absolute` is `0.05`, and `signed` is `-0.5`",
        ),
        fails(
            "SCHEMA-RP-05",
            "no size beside a difference",
            reproductions.disagreeing_difference,
            delta(0.5, 0),
            "/env_delta/absolute",
            "`signed` is `0.5`",
        ),
        fails(
            "SCHEMA-RP-06",
            "more tasks than the subset has",
            reproductions.foreign_tasks,
            delta(0, 0, 3),
            "/env_delta/n_tasks",
            "`n_tasks` is `3`, and `bm-example-audit@0.2.0` has 2 calibration tasks",
        ),
        fails(
            "SCHEMA-RP-06",
            "a version without a calibration subset",
            reproductions.foreign_tasks,
            unfrozen,
            "/env_delta/n_tasks",
            "has 0 calibration tasks",
        ),
    ],
)
def test_reproduction_is_refused(rule: str, check: RecordCheck, edit: Edit, pointer: str, words: str) -> None:
    """What breaks the rule gives one finding at its place."""
    (found,) = run_check(check, edit(base_registry()), REPRODUCTION)
    assert (found.rule, found.severity, found.path, found.pointer) == (rule, Severity.ERROR, REPRODUCTION, pointer)
    assert words in found.message


def test_broken_version_is_left_to_its_own_error() -> None:
    """Where the version is broken, the reproduction is told nothing of it."""
    files = delta(0, 0, 3)(base_registry())
    assert run_check(reproductions.foreign_tasks, {**files, FROZEN: "{}"}, REPRODUCTION) == []
