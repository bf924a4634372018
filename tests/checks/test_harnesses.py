"""Rules of harness versions and their lifecycle records: what they refuse, and what they let pass."""

from collections.abc import Mapping
from typing import Any

import pytest

from medgauge_registrar.checks import harnesses
from medgauge_registrar.checks.framework import RecordCheck
from medgauge_registrar.model.finding import Severity
from support.cases import Edit, as_is, fails, passes
from support.registries import FROZEN, HARNESS, HARNESS_STATE, TOOL_STATE, base_registry, edited, run_check, without

PENDING = {"/status": "registered", "/adapter_check": None, "/second_environment": "pending"}
SECOND_SLOT = {"name": "judge", "purpose": "reads what the first one wrote"}


def change(path: str, changes: Mapping[str, Any]) -> Edit:
    """Change one record."""
    return lambda files: edited(files, path, changes)


@pytest.mark.parametrize(
    ("check", "edit", "path"),
    [
        passes("SCHEMA-HX-05", "full marks on a calibration task", harnesses.unproven_adapter, as_is, HARNESS_STATE),
        passes("SCHEMA-HX-05", "not tried yet", harnesses.unproven_adapter, change(HARNESS_STATE, PENDING), HARNESS_STATE),
        passes("SCHEMA-HX-05", "a tool, which has no adapter", harnesses.unproven_adapter, as_is, TOOL_STATE),
        passes("SCHEMA-HX-07", "the one slot is required", harnesses.undefined_slot, as_is, HARNESS),
        passes(
            "SCHEMA-HX-07",
            "a second slot that may stay empty",
            harnesses.undefined_slot,
            change(HARNESS, {"/model_slots/-": SECOND_SLOT}),
            HARNESS,
        ),
        passes("SCHEMA-HX-08", "with and without its sign", harnesses.unmeasured_environment, as_is, HARNESS_STATE),
        passes(
            "SCHEMA-HX-08", "pending", harnesses.unmeasured_environment, change(HARNESS_STATE, PENDING), HARNESS_STATE
        ),
        passes(
            "SCHEMA-HX-08",
            "a difference of thirty digits",
            harnesses.unmeasured_environment,
            lambda files: {
                **files, HARNESS_STATE: files[HARNESS_STATE].replace("-0.2", "-0.200000000000000000000000000001")
                .replace('"absolute": 0.2', '"absolute": 0.200000000000000000000000000001'),
            },
            HARNESS_STATE,
        ),
    ],
)  # fmt: skip
def test_record_is_let_pass(check: RecordCheck, edit: Edit, path: str) -> None:
    """A record that keeps the rule gives no finding."""
    assert run_check(check, edit(base_registry()), path) == []


@pytest.mark.parametrize(
    ("rule", "check", "edit", "path", "pointer", "words"),
    [
        fails(
            "SCHEMA-HX-05",
            "no calibration task to be checked on",
            harnesses.unproven_adapter,
            change(FROZEN, {"/subsets/calibration": 0}),
            HARNESS_STATE,
            "/adapter_check/calibration",
            "`bm-example-audit@0.2.0`, which has no calibration task",
        ),
        fails(
            "SCHEMA-HX-05",
            "a check that lies ahead",
            harnesses.unproven_adapter,
            change(HARNESS_STATE, {"/adapter_check/date": "2026-11-30"}),
            HARNESS_STATE,
            "/adapter_check/date",
            "made on `2026-11-30`",
        ),
        fails(
            "SCHEMA-HX-07",
            "a slot that the harness does not have",
            harnesses.undefined_slot,
            change(HARNESS, {"/requires/model_slots/-": "judge"}),
            HARNESS,
            "/requires/model_slots/1",
            "`judge` is required, and the slots are `main`",
        ),
        fails(
            "SCHEMA-HX-07",
            "one slot, two descriptions",
            harnesses.undefined_slot,
            change(HARNESS, {"/model_slots/-": {**SECOND_SLOT, "name": "main"}}),
            HARNESS,
            "/model_slots/1/name",
            "`main` is described twice",
        ),
        fails(
            "SCHEMA-HX-08",
            "two differences",
            harnesses.unmeasured_environment,
            change(HARNESS_STATE, {"/second_environment/env_delta/absolute": 0.1}),
            HARNESS_STATE,
            "/second_environment/env_delta/absolute",
            "-0.2 with its sign and 0.1 without",
        ),
        fails(
            "SCHEMA-HX-08",
            "two differences that part in the last of thirty digits",
            harnesses.unmeasured_environment,
            lambda files: {**files, HARNESS_STATE: files[HARNESS_STATE].replace("-0.2", "-0.200000000000000000000000000001")},
            HARNESS_STATE,
            "/second_environment/env_delta/absolute",
            "with its sign and 0.2 without",
        ),
        fails(
            "SCHEMA-HX-08",
            "a measurement that lies ahead",
            harnesses.unmeasured_environment,
            change(HARNESS_STATE, {"/second_environment/date": "2026-11-30"}),
            HARNESS_STATE,
            "/second_environment/date",
            "measured on `2026-11-30`",
        ),
    ],
)  # fmt: skip
def test_record_is_refused(rule: str, check: RecordCheck, edit: Edit, path: str, pointer: str, words: str) -> None:
    """What breaks the rule gives one error at its place, which says what was found."""
    (found,) = run_check(check, edit(base_registry()), path)
    assert (found.rule, found.severity, found.path, found.pointer) == (rule, Severity.ERROR, path, pointer)
    assert words in found.message


def test_a_version_that_is_absent_is_left_to_the_rule_of_references() -> None:
    """Where the benchmark version does not exist, ID-06 says so."""
    assert run_check(harnesses.unproven_adapter, without(base_registry(), FROZEN), HARNESS_STATE) == []
