"""The review checklist of a result, as far as its public fields show it."""

from collections.abc import Mapping
from typing import Any

import pytest

from medgauge_registrar.checks import checklist
from medgauge_registrar.checks.framework import ChangeCheck, RecordCheck
from support.cases import Edit, as_is, fails, passes
from support.registries import ABSENT, HARNESS_STATE, RESULT, ROUND, Files, base_registry, edited, run_check, without
from support.results import with_rows
from support.steps import run_step

ITEMS = "/verification/checklist"
DELTA = f"{ITEMS}/CHK-04/env_delta"


def result(changes: Mapping[str, Any]) -> Edit:
    """Change the result."""
    return lambda files: edited(files, RESULT, changes)


def delta(signed: float, absolute: float, tasks: int = 2) -> Edit:
    """Give another difference between environments; the record has two calibration tasks, and both pass."""
    return result({DELTA: {"signed": signed, "absolute": absolute, "n_tasks": tasks}})


NO_CALIBRATION = with_rows(lambda rows: [row for row in rows if row["subset"] != "calibration"])


@pytest.mark.parametrize(
    ("check", "edit"),
    [
        passes("CHK-02", "every checkpoint compared and equal", checklist.incomplete_regrade, as_is),
        passes("CHK-02", "re-graded on the day of the record", checklist.incomplete_regrade,
               result({f"{ITEMS}/CHK-02/date": "2026-11-18"})),
        passes("CHK-04", "a difference over its calibration tasks", checklist.baseless_difference, as_is),
        passes("CHK-04", "no second environment", checklist.baseless_difference, result({DELTA: "not-used"})),
        passes("CHK-05", "the digest of the run records", checklist.foreign_run_records, as_is),
        passes("CHK-07", "one of six tasks", checklist.thin_sample, as_is),
        passes("CHK-07", "all tasks", checklist.thin_sample, result({f"{ITEMS}/CHK-07/sampled_tasks": 6})),
        passes("RESULT-32", "no difference", checklist.impossible_difference, as_is),
        passes("RESULT-32", "one task fewer in the second environment", checklist.impossible_difference, delta(-0.5, 0.5)),
        passes("RESULT-32", "a third of three tasks, to six places", checklist.impossible_difference,
               delta(-0.333333, 0.333333, 3)),
        passes("RESULT-32", "no second environment", checklist.impossible_difference, result({DELTA: "not-used"})),
    ],
)  # fmt: skip
def test_item_is_accepted(check: RecordCheck, edit: Edit) -> None:
    """An item that holds gives no finding."""
    assert run_check(check, edit(base_registry()), RESULT) == []


@pytest.mark.parametrize(
    ("rule", "check", "edit", "pointer", "words"),
    [
        fails("CHK-02", "one checkpoint differs", checklist.incomplete_regrade, result({f"{ITEMS}/CHK-02/equal": 71}),
              f"{ITEMS}/CHK-02/equal", "`equal` is 71, and the rows have 72 checkpoints"),
        fails("CHK-02", "not every checkpoint compared", checklist.incomplete_regrade,
              result({f"{ITEMS}/CHK-02/compared": 60}), f"{ITEMS}/CHK-02/compared", "`compared` is 60"),
        fails("CHK-02", "re-graded before the runs", checklist.incomplete_regrade,
              result({f"{ITEMS}/CHK-02/date": "2026-11-09"}), f"{ITEMS}/CHK-02/date", "expected from `2026-11-10`"),
        fails("CHK-02", "re-graded after the record", checklist.incomplete_regrade,
              result({f"{ITEMS}/CHK-02/date": "2026-11-19"}), f"{ITEMS}/CHK-02/date", "to `2026-11-18`"),
        fails("CHK-04", "no calibration task at all", checklist.baseless_difference, NO_CALIBRATION, f"{DELTA}/n_tasks",
              "`n_tasks` is 2, and the record has 0 calibration tasks"),
        fails("CHK-05", "other run records", checklist.foreign_run_records, result({f"{ITEMS}/CHK-05/hash": "0" * 64}),
              f"{ITEMS}/CHK-05/hash", "is not `run_records_hash`"),
        fails("CHK-07", "fewer than a tenth", checklist.thin_sample, with_rows(
            lambda rows: [{**row, "task_key": f"tk-{place // 3:012}@1.0.0"} for place, row in enumerate(rows * 2)]),
            f"{ITEMS}/CHK-07/sampled_tasks", "`sampled_tasks` is 1, expected 2 to 12 for 12 tasks"),
        fails("CHK-07", "runs counted as tasks", checklist.thin_sample, result({f"{ITEMS}/CHK-07/sampled_tasks": 18}),
              f"{ITEMS}/CHK-07/sampled_tasks", "expected 1 to 6"),
        fails("RESULT-32", "another absolute value", checklist.impossible_difference, delta(-0.5, 0.4),
              f"{DELTA}/absolute", "`absolute` is 0.4, and `signed` is -0.5"),
        fails("RESULT-32", "a difference of no tasks", checklist.impossible_difference, delta(-0.3, 0.3),
              f"{DELTA}/signed", "no difference of two shares of 2 tasks"),
        fails("RESULT-32", "more than all tasks", checklist.impossible_difference, delta(0.5, 0.5),
              f"{DELTA}/signed", "at the site 2 of 2 calibration tasks pass"),
    ],
)  # fmt: skip
def test_item_is_refused(rule: str, check: RecordCheck, edit: Edit, pointer: str, words: str) -> None:
    """An item that does not hold is told where."""
    (finding,) = run_check(check, edit(base_registry()), RESULT)
    assert (finding.rule, finding.pointer) == (rule, pointer)
    assert words in finding.message


def arriving(check: ChangeCheck, after: Files) -> list[tuple[str, str | None, str]]:
    """What a check finds where the result comes in."""
    return [(found.rule, found.pointer, found.message) for found in run_step(check, without(after, RESULT), after)]


@pytest.mark.parametrize(
    ("check", "edit"),
    [
        passes("CHK-01", "the adapter check of the version", checklist.unproven_harness, as_is),
        passes("CHK-09", "the registered version", checklist.foreign_checklist, as_is),
    ],
)
def test_new_result_is_accepted(check: ChangeCheck, edit: Edit) -> None:
    """A new result that keeps the rule gives no finding."""
    assert arriving(check, edit(base_registry())) == []


@pytest.mark.parametrize(
    ("rule", "check", "edit", "pointer", "words"),
    [
        fails("CHK-01", "no adapter check", checklist.unproven_harness,
              lambda files: edited(files, HARNESS_STATE, {"/adapter_check": None, "/status": "registered"}), "/harness",
              "no adapter check with full marks"),
        fails("CHK-01", "no lifecycle record", checklist.unproven_harness, lambda files: without(files, HARNESS_STATE),
              "/harness", "no adapter check with full marks"),
        fails("CHK-01", "a lifecycle record that cannot be read", checklist.unproven_harness,
              lambda files: edited(files, HARNESS_STATE, {"/status": "perhaps"}), "/harness", "cannot be judged"),
        fails("CHK-01", "a check of another day", checklist.unproven_harness, result({f"{ITEMS}/CHK-01/date": "2026-11-05"}),
              f"{ITEMS}/CHK-01/date", "the adapter check of `hx-example@0.1.0` is of `2026-11-06`"),
        fails("CHK-01", "a check after the record", checklist.unproven_harness,
              lambda files: edited(edited(files, HARNESS_STATE, {"/adapter_check/date": "2026-11-19"}), RESULT,
                                   {f"{ITEMS}/CHK-01/date": "2026-11-19"}),
              f"{ITEMS}/CHK-01/date", "after the record of `2026-11-18`"),
        fails("CHK-09", "another version in the item", checklist.foreign_checklist,
              result({f"{ITEMS}/CHK-09/version": "0.2.0"}), f"{ITEMS}/CHK-09/version", "the item names `0.2.0`"),
        fails("CHK-09", "another version in the protocol", checklist.foreign_checklist,
              lambda files: edited(files, ROUND, {"/checklist_version": "0.2.0"}), f"{ITEMS}/CHK-09/version",
              "the protocol registered `0.2.0`"),
        fails("CHK-09", "a protocol that cannot be read", checklist.foreign_checklist,
              lambda files: edited(files, ROUND, {"/subjects": ABSENT}), "/round", "cannot be judged"),
    ],
)  # fmt: skip
def test_new_result_is_refused(rule: str, check: ChangeCheck, edit: Edit, pointer: str, words: str) -> None:
    """A new result that breaks the rule is told where; one that stood before is left alone."""
    files = edit(base_registry())
    found = arriving(check, files)
    assert {name for name, _, _ in found} == {rule}
    assert any(place == pointer and words in message for _, place, message in found), found
    assert run_step(check, files, {**files, "README.md": "Other.\n"}) == []
