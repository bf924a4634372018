"""Rules of voided task versions: whose error it was, which task, and what replaces it."""

from typing import Any

import pytest

from medgauge_registrar.checks import voids
from medgauge_registrar.checks.framework import RecordCheck
from medgauge_registrar.model.finding import Severity
from support.cases import Edit, as_is, fails, passes
from support.registries import (
    CARD,
    FROZEN,
    UNFROZEN,
    VOIDED,
    Files,
    base_registry,
    copied,
    edited,
    example,
    read,
    run_check,
    without,
    written,
)

LATER = "registry/benchmarks/bm-example-audit/versions/0.4.0.yaml"


def voided(*edits: dict[str, Any]) -> Edit:
    """Add a list with the given changes to one and the same entry."""
    entry = {
        "task_key": "tk-5rq4f5zr37e3@1.0.0",
        "attribution": "task",
        "reason_class": "key-error",
        "date": "2026-11-13",
        "replaced_in": None,
    }
    entries = [{**entry, **edit} for edit in edits]
    return lambda files: {
        **files, VOIDED: written({**example("voided-list", "example"), "voided": entries}),
    }  # fmt: skip


def later(task: str, **entry: Any) -> Edit:
    """A frozen version 0.4.0 that holds a task, and a list that says so."""

    def edit(files: Files) -> Files:
        tasks = read(files[FROZEN])["task_keys"]
        held = {
            subset: [key for key in keys if not key.startswith("tk-5rq4f5zr37e3")] for subset, keys in tasks.items()
        }
        held["holdout"] = [*held["holdout"], task]
        files = copied(files, FROZEN, LATER, {"/version": "0.4.0", "/task_keys": held})
        return voided({"replaced_in": "bm-example-audit@0.4.0", **entry})(files)

    return edit


@pytest.mark.parametrize(
    ("check", "edit"),
    [
        passes("SCHEMA-VOID-01", "an error in the key", voids.misattributed_error, voided({})),
        passes(
            "SCHEMA-VOID-01",
            "an error of the environment",
            voids.misattributed_error,
            voided({"attribution": "environment", "reason_class": "environment-error"}),
        ),
        passes("SCHEMA-VOID-01", "voided today", voids.misattributed_error, voided({"date": "2026-11-29"})),
        passes("SCHEMA-VOID-02", "a task of the version", voids.stray_void, voided({})),
        passes("SCHEMA-VOID-02", "two of them", voids.stray_void, voided({}, {"task_key": "tk-k9p34y6n3wd2@1.0.0"})),
        passes(
            "SCHEMA-VOID-02",
            "no version, which is ID-06",
            voids.stray_void,
            lambda files: without(voided({})(files), FROZEN),
        ),
        passes("SCHEMA-VOID-03", "no replacement yet", voids.early_replacement, voided({})),
        passes(
            "SCHEMA-VOID-03",
            "in a version that is being built",
            voids.early_replacement,
            voided({"replaced_in": "bm-example-audit@0.3.0"}),
        ),
        passes(
            "SCHEMA-VOID-03", "corrected in a later version", voids.early_replacement, later("tk-5rq4f5zr37e3@1.0.1")
        ),
        passes(
            "SCHEMA-VOID-03",
            "in a version that is not there, which is ID-06",
            voids.early_replacement,
            voided({"replaced_in": "bm-example-audit@0.9.0"}),
        ),
    ],
)
def test_void_is_let_pass(check: RecordCheck, edit: Edit) -> None:
    """What keeps the rule gives no finding."""
    assert run_check(check, edit(base_registry()), VOIDED) == []


@pytest.mark.parametrize(
    ("rule", "check", "edit", "pointer", "words"),
    [
        fails(
            "SCHEMA-VOID-01",
            "an error in the key laid on the environment",
            voids.misattributed_error,
            voided({"attribution": "environment"}),
            "/voided/0/attribution",
            "`attribution` is `environment`, and `key-error` is of the task",
        ),
        fails(
            "SCHEMA-VOID-01",
            "an error of the environment laid on the task",
            voids.misattributed_error,
            voided({"reason_class": "environment-error"}),
            "/voided/0/attribution",
            "is of the environment",
        ),
        fails(
            "SCHEMA-VOID-01",
            "voided ahead of today",
            voids.misattributed_error,
            voided({"date": "2026-11-30"}),
            "/voided/0/date",
            "`2026-11-30`",
        ),
        fails(
            "SCHEMA-VOID-02",
            "a task that the version does not hold",
            voids.stray_void,
            voided({"task_key": "tk-000000000000@1.0.0"}),
            "/voided/0/task_key",
            "no task version of `bm-example-audit@0.2.0`",
        ),
        fails(
            "SCHEMA-VOID-02",
            "another version of a task it holds",
            voids.stray_void,
            voided({"task_key": "tk-5rq4f5zr37e3@1.0.1"}),
            "/voided/0/task_key",
            "`tk-5rq4f5zr37e3@1.0.1` is no task version",
        ),
        fails(
            "SCHEMA-VOID-02",
            "two stories of one error",
            voids.stray_void,
            voided({}, {"reason_class": "check-error"}),
            "/voided/1/task_key",
            "voided already, at `/voided/0/task_key`",
        ),
        fails(
            "SCHEMA-VOID-02",
            "a version that is not frozen",
            voids.stray_void,
            lambda files: edited(
                voided({})(files), FROZEN, {"/frozen": False, "/frozen_on": None, "/hash_manifest": None}
            ),
            "/benchmark_version",
            "`bm-example-audit@0.2.0` is not frozen",
        ),
        *(
            fails(
                "SCHEMA-VOID-03",
                f"replaced in {target}",
                voids.early_replacement,
                voided({"replaced_in": target}),
                "/voided/0/replaced_in",
                f"`{target}` is no later version of `bm-example-audit`",
            )
            for target in ("bm-example-audit@0.2.0", "bm-example-audit@0.1.9", "bm-example-other@0.3.0")
        ),
        *(
            fails(
                "SCHEMA-VOID-03",
                f"a later version that holds {task}",
                voids.early_replacement,
                later(task),
                "/voided/0/replaced_in",
                words,
            )
            for task, words in (
                ("tk-5rq4f5zr37e3@1.0.0", "holds `tk-5rq4f5zr37e3@1.0.0`, expected a version of the task above"),
                ("tk-5rq4f5zr37e3@0.9.0", "holds `tk-5rq4f5zr37e3@0.9.0`"),
                ("tk-zzzzzzzzzzzz@1.0.1", "holds no version of `tk-5rq4f5zr37e3`"),
            )
        ),
    ],
)
def test_void_is_refused(rule: str, check: RecordCheck, edit: Edit, pointer: str, words: str) -> None:
    """What breaks the rule gives one finding at its place."""
    (found,) = run_check(check, edit(base_registry()), VOIDED)
    assert (found.rule, found.severity, found.path, found.pointer) == (rule, Severity.ERROR, VOIDED, pointer)
    assert words in found.message


def test_versions_of_tasks_are_numbers() -> None:
    """Version 1.0.10 of a task is above 1.0.9."""
    files = later("tk-5rq4f5zr37e3@1.0.10")(as_is(base_registry()))
    assert CARD in files
    assert run_check(voids.early_replacement, files, VOIDED) == []


@pytest.mark.parametrize(("check", "path"), [(voids.stray_void, FROZEN), (voids.early_replacement, UNFROZEN)])
def test_broken_version_is_left_to_its_own_error(check: RecordCheck, path: str) -> None:
    """Where a version is broken, the list is told nothing of it."""
    files = voided({"replaced_in": "bm-example-audit@0.3.0"})(base_registry())
    assert run_check(check, {**files, path: "{}"}, VOIDED) == []
