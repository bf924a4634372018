"""The effect of a component is recomputed from its runs and those of its control, task by task, inside and outside its scope."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from medgauge_registrar.checks import recompute_effects
from medgauge_registrar.model.finding import Finding
from support.cases import Edit, as_is, fails, passes
from support.registries import (
    ABSENT,
    FROZEN,
    RESULT,
    VOIDED,
    Files,
    base_registry,
    edited,
    registry_of,
    run_check,
    written,
)
from support.results import IDENTIFIER, Row, another, path_of, with_rows

NAME = "res-example-audit-0-2-0-with-skill"
PATH = path_of(NAME)
SKILL = "tl-example-skill@0.1.0"
PAIRED = {"/components": [SKILL], "/paired_with": IDENTIFIER, "/effect": {}}


def scoped(rows: list[Row]) -> list[Row]:
    """Three of four checkpoints lie in the scope; what is missed is missed there first."""
    return [{**row, "scope_m": 3, "scope_passed": max(0, row["checkpoints_passed"] - 1)} for row in rows]


def improved(rows: list[Row]) -> list[Row]:
    """All runs of the task that passed once without the component pass with it."""
    better = [
        {**row, "checkpoints_passed": row["m"], "error": None, "veto_categories": []}
        if row["task_key"].startswith("tk-p3e2z8iq9y7j")
        else row
        for row in rows
    ]
    return scoped(better)


def pair(edit: Edit = as_is, changes: Mapping[str, Any] = PAIRED) -> Files:
    """A control with counts of the scope, and a result with a component whose effect is filled in."""
    return edit(another(with_rows(scoped)(base_registry()), NAME, improved, changes))


def on_pair(changes: Mapping[str, Any]) -> Edit:
    """Change the result with the component."""
    return lambda files: edited(files, PATH, changes)


def unscoped(files: Files) -> Files:
    """Take the counts of the scope from the control."""
    return with_rows(lambda rows: [{k: v for k, v in row.items() if not k.startswith("scope")} for row in rows])(files)


def found(files: Files) -> list[Finding]:
    """What the check finds at the result with the component."""
    return run_check(recompute_effects.wrong_effect, files, PATH)


def test_effect_is_what_the_rows_give() -> None:
    """Two more of twelve holdout runs pass inside the scope and in all; calibration does not move."""
    effect = json.loads(pair()[PATH])["effect"]
    assert effect["holdout"]["on_scope"]["value"] == 0.166667
    assert effect["calibration"]["on_scope"] == {"value": 0, "interval": "not-computable"}
    assert list(effect["holdout"]) == ["on_scope", "outside_scope"]


@pytest.mark.parametrize(
    "edit",
    [
        passes("RESULT-26", "the effect that the rows give", as_is),
        passes("RESULT-26", "no effect at all", on_pair({"/effect": ABSENT})),
        passes("RESULT-26", "a control that is told by another rule", on_pair({"/paired_with": "res-example-audit-0-2-0-none"})),
        passes("RESULT-26", "a pin that is told by another rule", lambda files: edited(
            files, FROZEN, {"/algorithms/intervals": "intervals@9.0.0"})),
    ],
)  # fmt: skip
def test_effect_is_accepted(edit: Edit) -> None:
    """A right effect, or none, gives no finding."""
    assert found(edit(pair())) == []


@pytest.mark.rule("RESULT-26", "passes")
def test_scope_of_the_whole_artifact_leaves_nothing_outside() -> None:
    """Where every checkpoint lies in the scope, the effect outside is not defined, and the record keeps its schema."""
    whole = with_rows(
        lambda rows: [{**row, "scope_m": row["m"], "scope_passed": row["checkpoints_passed"]} for row in rows]
    )
    files = another(
        whole(base_registry()),
        NAME,
        lambda rows: [{**row, "scope_m": row["m"], "scope_passed": row["checkpoints_passed"]} for row in rows],
        PAIRED,
    )
    assert json.loads(files[PATH])["effect"]["holdout"]["outside_scope"] == {
        "value": "not-defined",
        "interval": "not-computable",
    }
    assert found(files) == []
    registry = registry_of(files)
    record = registry.record(PATH)
    assert record is not None
    assert registry.is_valid(record)


@pytest.mark.parametrize(
    ("rule", "edit", "pointer", "words"),
    [
        fails("RESULT-26", "the difference over the whole artifact", on_pair({"/effect/holdout/on_scope/value": 0.25}),
              "/effect/holdout/on_scope/value", "recomputed `0.166667`: the mean over 4 tasks shared with the control"),
        fails("RESULT-26", "two intervals subtracted", on_pair({"/effect/holdout/on_scope/interval/lower": -0.5}),
              "/effect/holdout/on_scope/interval/lower", "with its BCa interval from seed 20260101"),
        fails("RESULT-26", "the wrong sign", on_pair({"/effect/holdout/on_scope/value": -0.166667}),
              "/effect/holdout/on_scope/value", "is `-0.166667`"),
        fails("RESULT-26", "a subset left out", on_pair({"/effect/calibration": ABSENT}), "/effect/calibration", "is absent"),
        fails("RESULT-26", "no counts of the scope in the control", unscoped, "/effect",
              "carries no counts of the declared scope"),
        fails("RESULT-26", "a control with a task fewer", with_rows(lambda rows: rows[3:]), "/effect",
              "only one side has tk-5rq4f5zr37e3@1.0.0"),
        fails("RESULT-26", "a control whose rows cannot be used", with_rows(lambda rows: rows[1:]), "/effect",
              f"the rows of `{IDENTIFIER}` cannot be used"),
        fails("RESULT-26", "a scope beyond the task", with_rows(
            lambda rows: [{**rows[0], "scope_m": 9, "scope_passed": 9}, *rows[1:]], PATH), "/runs/0",
            "9 of 9 checkpoints in scope do not fit 4 of 4 in all"),
    ],
)  # fmt: skip
def test_effect_is_refused(rule: str, edit: Edit, pointer: str, words: str) -> None:
    """A wrong effect, or one that nobody can recompute, is told with the reason."""
    told = found(edit(pair()))
    assert {finding.rule for finding in told} == {rule}
    assert any(finding.pointer == pointer and words in finding.message for finding in told), told


@pytest.mark.rule("RESULT-26", "passes")
def test_tasks_voided_on_either_side_are_left_out_on_both() -> None:
    """A control made before a void and a result made after it are compared over what counts for both."""
    task = "tk-rkttnjfbf5jx@1.0.0"
    voids = {"task_key": task, "attribution": "task"}
    listed = {"benchmark_version": "bm-example-audit@0.2.0", "voided": [
        {**voids, "reason_class": "key-error", "date": "2026-11-19", "replaced_in": None}]}  # fmt: skip
    files = another(
        {**with_rows(scoped)(base_registry()), VOIDED: written(listed)},
        NAME,
        improved,
        {**PAIRED, "/voided_task_versions": [voids]},
    )
    assert found(files) == []
    assert json.loads(files[PATH])["effect"]["holdout"]["on_scope"]["value"] == 0.222222
    assert json.loads(files[RESULT])["subsets"]["holdout"]["n_tasks"] == 4
