"""Rules of one result: its times, its subject in service, its vetoes and its terms."""

from collections.abc import Mapping

import pytest

from medgauge_registrar.checks import results
from medgauge_registrar.checks.framework import ChangeCheck, RecordCheck
from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.policy.settings import Settings
from support.cases import Edit, as_is, fails, passes
from support.registries import (
    CARD,
    FROZEN,
    HARNESS_STATE,
    RESULT,
    ROUND,
    TOOL_STATE,
    Files,
    base_registry,
    context_of,
    edited,
    read,
    run_changes,
    run_check,
    without,
)
from support.steps import only

HIT = {"/runs/0/veto_categories": ["corrected-value"]}
REFERENCE_HIT = {"/runs/0/veto_categories": ["reference-level"], "/runs/0/reference_vetoes": {"X.6": 1}}
DEPRECATED = {"ground": "maintainer-request", "date": "2026-11-09"}


def arrive(
    check: ChangeCheck,
    after: Mapping[str, str],
    *,
    before: Mapping[str, str] | None = None,
    settings: Settings | None = None,
) -> list[Finding]:
    """What one check finds where a result comes in."""
    with only(check):
        base = without(after, RESULT) if before is None else before
        return run_changes(base, after, context=context_of(after, settings=settings))


def result(changes: Mapping[str, object]) -> Edit:
    """Change the result."""
    return lambda files: edited(files, RESULT, changes)


@pytest.mark.parametrize(
    ("check", "edit"),
    [
        passes("SCHEMA-RES-04", "registered days before the first run", results.late_registration, as_is),
        passes(
            "SCHEMA-RES-04",
            "registered a part of a second before",
            results.late_registration,
            result({"/protocol/registered_at": "2026-11-10T08:00:00Z", "/first_run_at": "2026-11-10T08:00:00.5Z"}),
        ),
        passes("SCHEMA-RES-04", "dated on the day of the run", results.late_registration, result({"/date": "2026-11-10"})),
        passes("SCHEMA-RES-10", "hits in a category of the card", results.foreign_veto, as_is),
        passes(
            "SCHEMA-RES-10",
            "a category that the card has taken up",
            results.foreign_veto,
            lambda files: edited(
                edited(files, RESULT, HIT), CARD, {"/scoring/vetoes": ["X.1", "X.3", "X.4"]}
            ),
        ),
        passes(
            "SCHEMA-RES-10",
            "a veto of a grading reference where the card applies them",
            results.foreign_veto,
            lambda files: edited(
                edited(files, RESULT, {**REFERENCE_HIT, "/assertion_veto_hits": {"X.6": 1}}),
                CARD,
                {"/scoring/reference_level_veto": "applied"},
            ),
        ),
        passes("SCHEMA-RES-10", "no card, which is ID-06", results.foreign_veto, lambda files: without(files, CARD)),
        passes("SCHEMA-RES-12", "the same subject in both places", results.disagreeing_conditions, as_is),
        passes("SCHEMA-RES-13", "the registered and pinned terms", results.foreign_terms, as_is),
        passes(
            "SCHEMA-RES-13",
            "the second of two settings that were registered",
            results.foreign_terms,
            lambda files: edited(two_settings(files), RESULT, {"/fixed_conditions/reasoning_setting": "high"}),
        ),
        passes(
            "SCHEMA-RES-13",
            "amounts that do not apply name no table",
            results.foreign_terms,
            lambda files: edited(free_of_charge(files), ROUND, {"/price_table": "0.2.0"}),
        ),
        passes("SCHEMA-RES-13", "no protocol, which is ID-06", results.foreign_terms, lambda files: without(files, ROUND)),
    ],
)  # fmt: skip
def test_result_is_let_pass(check: RecordCheck, edit: Edit) -> None:
    """What keeps the rule gives no finding."""
    assert run_check(check, edit(base_registry()), RESULT) == []


@pytest.mark.parametrize(
    ("rule", "check", "edit", "pointer", "words"),
    [
        fails(
            "SCHEMA-RES-04",
            "registered at the very moment of the first run",
            results.late_registration,
            result({"/protocol/registered_at": "2026-11-10T08:00:00Z"}),
            "/first_run_at",
            "expected after the registration of the protocol at `2026-11-10T08:00:00Z`",
        ),
        fails(
            "SCHEMA-RES-04",
            "registered a part of a second too late",
            results.late_registration,
            result({"/protocol/registered_at": "2026-11-10T08:00:00.5Z"}),
            "/first_run_at",
            "`2026-11-10T08:00:00Z`",
        ),
        fails(
            "SCHEMA-RES-04",
            "dated before the first run",
            results.late_registration,
            result({"/date": "2026-11-09"}),
            "/date",
            "before the first run",
        ),
        fails(
            "SCHEMA-RES-04",
            "dated ahead of today",
            results.late_registration,
            result({"/date": "2026-11-30"}),
            "/date",
            "begun nowhere on Earth",
        ),
        fails(
            "SCHEMA-RES-10",
            "a hit in a run under a veto of no card",
            results.foreign_veto,
            result(HIT),
            "/runs/0/veto_categories/0",
            "`corrected-value`, which the card of `bm-example-audit` does not apply",
        ),
        fails(
            "SCHEMA-RES-10",
            "a hit in a rate under a veto of no card",
            results.foreign_veto,
            result({"/subsets/holdout/veto_rate_by_category/inputs-modified/count": 1}),
            "/subsets/holdout/veto_rate_by_category/inputs-modified",
            "`inputs-modified`",
        ),
        fails(
            "SCHEMA-RES-10",
            "the same in many runs is told once",
            results.foreign_veto,
            result({**HIT, "/runs/1/veto_categories": ["corrected-value"]}),
            "/runs/0/veto_categories/0",
            "`corrected-value` at 2 places",
        ),
        fails(
            "SCHEMA-RES-10",
            "hits of grading references where none are vetoes",
            results.foreign_veto,
            result({"/assertion_veto_hits": {"X.6": 1}}),
            "/assertion_veto_hits",
            "applies no veto of grading references",
        ),
        *(
            fails(
                "SCHEMA-RES-12",
                f"another {pointer}",
                results.disagreeing_conditions,
                result({pointer: value}),
                pointer,
                f"`{value}`",
            )
            for pointer, value in (
                ("/fixed_conditions/harness", "hx-example@0.2.0"),
                ("/fixed_conditions/model_and_version/model", "Example Model B"),
                ("/fixed_conditions/service_snapshot/value", "example-model-a-2026-11"),
            )
        ),
        fails(
            "SCHEMA-RES-13",
            "a version that is not frozen",
            results.foreign_terms,
            lambda files: edited(files, FROZEN, {"/frozen": False, "/frozen_on": None, "/hash_manifest": None}),
            "/benchmark_version",
            "is not frozen",
        ),
        fails(
            "SCHEMA-RES-13",
            "a number of resamples that the version does not pin",
            results.foreign_terms,
            lambda files: edited(files, FROZEN, {"/algorithms/resamples": 20000}),
            "/algorithms/resamples",
            "`10000`, and `bm-example-audit@0.2.0` pins `20000`",
        ),
        fails(
            "SCHEMA-RES-13",
            "a seed that the protocol does not register",
            results.foreign_terms,
            lambda files: edited(files, ROUND, {"/benchmark_versions/0/algorithms/seed": 7}),
            "/algorithms/seed",
            "`20260101`, and the protocol of `example-round-1` says `7`",
        ),
        fails(
            "SCHEMA-RES-13",
            "a verifier that the protocol does not register",
            results.foreign_terms,
            lambda files: edited(files, ROUND, {"/benchmark_versions/0/verifier/version": "0.1.0"}),
            "/verifier/version",
            "`0.1.0`",
        ),
        fails(
            "SCHEMA-RES-13",
            "another registration",
            results.foreign_terms,
            result({"/protocol/link": "https://osf.io/other"}),
            "/protocol/link",
            "`https://osf.io/other`",
        ),
        fails(
            "SCHEMA-RES-13",
            "another checklist",
            results.foreign_terms,
            result({"/verification/checklist_version": "0.2.0"}),
            "/verification/checklist_version",
            "registers `0.1.0`",
        ),
        fails(
            "SCHEMA-RES-13",
            "another price table",
            results.foreign_terms,
            result({"/amounts/price_table": "0.2.0"}),
            "/amounts/price_table",
            "registers `0.1.0`",
        ),
        fails(
            "SCHEMA-RES-13",
            "a budget that was not registered",
            results.foreign_terms,
            result({"/fixed_conditions/budget/step_limit": 80}),
            "/fixed_conditions/budget",
            "is another value, and the protocol",
        ),
    ],
)  # fmt: skip
def test_result_is_refused(rule: str, check: RecordCheck, edit: Edit, pointer: str, words: str) -> None:
    """What breaks the rule gives one finding at its place, which says what was found."""
    (found,) = run_check(check, edit(base_registry()), RESULT)
    assert (found.rule, found.severity, found.path, found.pointer) == (rule, Severity.ERROR, RESULT, pointer)
    assert words in found.message


@pytest.mark.parametrize(
    ("check", "edit", "settings"),
    [
        passes("SCHEMA-RES-07", "harness and tool in service", results.inactive_subject, as_is, None),
        passes(
            "SCHEMA-RES-07",
            "a tool of which nothing was recorded since it was registered",
            results.inactive_subject,
            lambda files: without(files, TOOL_STATE),
            None,
        ),
        passes(
            "SCHEMA-RES-07",
            "deprecated after the first run",
            results.inactive_subject,
            lambda files: edited(
                files, HARNESS_STATE, {"/status": "deprecated", "/deprecation": {**DEPRECATED, "date": "2026-11-12"}}
            ),
            None,
        ),
        passes("SCHEMA-RES-09", "a run of the site", results.closed_submission, as_is, None),
        passes(
            "SCHEMA-RES-09",
            "runs of a party once submissions are open",
            results.closed_submission,
            result({"/run_mode": "submitted-run-regrading"}),
            Settings(submissions_open=True),
        ),
    ],
)  # fmt: skip
def test_result_is_let_in(check: ChangeCheck, edit: Edit, settings: Settings | None) -> None:
    """A result that keeps the rule when it comes gives no finding."""
    assert arrive(check, edit(base_registry()), settings=settings) == []


@pytest.mark.parametrize(
    ("rule", "check", "edit", "pointer", "words"),
    [
        fails(
            "SCHEMA-RES-07",
            "a harness without a record of its life",
            results.inactive_subject,
            lambda files: without(files, HARNESS_STATE),
            "/harness",
            "no valid lifecycle record",
        ),
        fails(
            "SCHEMA-RES-07",
            "a harness that is only registered",
            results.inactive_subject,
            lambda files: edited(files, HARNESS_STATE, {"/status": "registered"}),
            "/harness",
            "registered and not active",
        ),
        fails(
            "SCHEMA-RES-07",
            "a harness that was never checked before it was deprecated",
            results.inactive_subject,
            lambda files: edited(
                files, HARNESS_STATE, {"/status": "deprecated", "/adapter_check": None, "/deprecation": DEPRECATED}
            ),
            "/harness",
            "had not passed its adapter check",
        ),
        fails(
            "SCHEMA-RES-07",
            "an adapter check after the first run",
            results.inactive_subject,
            lambda files: edited(files, HARNESS_STATE, {"/adapter_check/date": "2026-11-11"}),
            "/harness",
            "on `2026-11-10`, the day of the first run",
        ),
        fails(
            "SCHEMA-RES-07",
            "a harness deprecated before the first run",
            results.inactive_subject,
            lambda files: edited(files, HARNESS_STATE, {"/status": "deprecated", "/deprecation": DEPRECATED}),
            "/harness",
            "deprecated on `2026-11-09`",
        ),
        fails(
            "SCHEMA-RES-07",
            "a tool deprecated before the first run",
            results.inactive_subject,
            lambda files: edited(files, TOOL_STATE, {"/status": "deprecated", "/deprecation": DEPRECATED}),
            "/fixed_conditions/tool_permissions_and_list/tools/0",
            "deprecated on `2026-11-09`",
        ),
        fails(
            "SCHEMA-RES-07",
            "a tool whose record cannot be judged",
            results.inactive_subject,
            lambda files: {**files, TOOL_STATE: "{}"},
            "/fixed_conditions/tool_permissions_and_list/tools/0",
            "breaks its schema",
        ),
        fails(
            "SCHEMA-RES-09",
            "runs of a party while submissions are closed",
            results.closed_submission,
            result({"/run_mode": "submitted-run-regrading"}),
            "/run_mode",
            "submissions are not open",
        ),
    ],
)  # fmt: skip
def test_result_is_kept_out(rule: str, check: ChangeCheck, edit: Edit, pointer: str, words: str) -> None:
    """A result that breaks the rule when it comes gives one finding at its place."""
    (found,) = arrive(check, edit(base_registry()))
    assert (found.rule, found.severity, found.path, found.pointer) == (rule, Severity.ERROR, RESULT, pointer)
    assert words in found.message


@pytest.mark.parametrize("check", [results.inactive_subject, results.closed_submission])
def test_old_result_is_not_asked_again(check: ChangeCheck) -> None:
    """What was let in stays when the harness is deprecated or submissions are closed later, and when it is taken out."""
    submitted = edited(base_registry(), RESULT, {"/run_mode": "submitted-run-regrading"})
    later = edited(submitted, HARNESS_STATE, {"/status": "deprecated", "/deprecation": DEPRECATED})
    assert arrive(check, later, before=submitted) == []
    assert arrive(check, without(later, RESULT), before=later) == []


def test_every_difference_is_told() -> None:
    """A result under terms that were not registered is told all of them in one go."""
    files = edited(
        base_registry(), RESULT, {"/verification/checklist_version": "0.2.0", "/protocol/link": "https://osf.io/other"}
    )
    pointers = [found.pointer for found in run_check(results.foreign_terms, files, RESULT)]
    assert sorted(map(str, pointers)) == ["/protocol/link", "/verification/checklist_version"]


def two_settings(files: Files) -> Files:
    """A protocol that plans the subject under two settings."""
    (subject,) = read(files[ROUND])["subjects"]
    other = {**subject, "fixed_conditions": {**subject["fixed_conditions"], "reasoning_setting": "high"}}
    return edited(files, ROUND, {"/subjects": [subject, other]})


def free_of_charge(files: Files) -> Files:
    """A result whose amounts do not apply."""
    cost = {"value": 1200, "unit": "tokens"}
    return edited(
        files,
        RESULT,
        {
            "/amounts": "not-applicable",
            "/dimensions/M3/holdout/cost_per_success": cost,
            "/dimensions/M3/calibration/cost_per_success": cost,
        },
    )


@pytest.mark.parametrize(
    ("check", "path"),
    [(results.foreign_veto, CARD), (results.foreign_terms, FROZEN), (results.foreign_terms, ROUND)],
)
def test_broken_record_is_left_to_its_own_error(check: RecordCheck, path: str) -> None:
    """Where a named record is broken, the result is told nothing of it."""
    assert run_check(check, {**base_registry(), path: "{}"}, RESULT) == []
