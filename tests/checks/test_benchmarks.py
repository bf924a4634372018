"""Rules of benchmark cards and versions: what they refuse, what they let pass, and what they only tell."""

from collections.abc import Mapping
from typing import Any

import pytest

from medgauge_registrar.checks import benchmark_families, benchmarks, difficulty_functions
from medgauge_registrar.checks.framework import RecordCheck
from medgauge_registrar.model.finding import Severity
from support.cases import Edit, as_is, fails, passes
from support.registries import (
    ABSENT,
    CARD,
    FROZEN,
    FUNCTION,
    RESULT,
    ROUND,
    UNFROZEN,
    Files,
    base_registry,
    context_of,
    copied,
    edited,
    example,
    read,
    run_check,
    without,
    written,
)
from support.steps import run_step

NEXT = "registry/benchmarks/bm-example-audit/versions/0.4.0.yaml"
LATER_FUNCTION = "methodology/difficulty-function/0.2.0.yaml"
KEYS: dict[str, list[str]] = read(base_registry()[FROZEN])["task_keys"]
NEW_KEY = "tk-0vq2m8x4t1ha@0.1.0"
TWO_AND_TWO = {"1": 0, "2": 2, "3": 2, "4": 0}
HIGH_RISK = {"/label_distribution/T10": {"low": 2, "high": 4}}


def change(path: str, changes: Mapping[str, Any]) -> Edit:
    """Change one record."""
    return lambda files: edited(files, path, changes)


def next_version(changes: Mapping[str, Any]) -> Edit:
    """Add a frozen version 0.4.0 with the same tasks, changed."""
    return lambda files: copied(files, FROZEN, NEXT, {"/version": "0.4.0", "/hash_manifest": None, **changes})


def function(changes: Mapping[str, Any], path: str = FUNCTION) -> Edit:
    """Change the difficulty function, or a later one that is added."""
    later = {LATER_FUNCTION: written(example("difficulty-function", "later"))}
    return lambda files: edited({**files, **later}, path, changes)


# One state at a time -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("check", "edit", "path"),
    [
        passes("SCHEMA-BM-01", "card and versions agree", benchmark_families.incomplete_card, as_is, CARD),
        passes(
            "SCHEMA-BM-01",
            "a citation of one of the versions",
            benchmark_families.incomplete_card,
            lambda files: edited(
                files,
                CARD,
                {
                    "/citation/version": "0.2.0",
                    "/citation/text": "(bm-example-audit), version 0.2.0. https://example.org/bm-example-audit/",
                },
            ),
            CARD,
        ),
        passes(
            "SCHEMA-BM-02",
            "a figure under a reported dimension",
            benchmarks.metric_of_absent_dimension,
            change(CARD, {"/metrics_reported": [{"name": "compliance_rate", "dimension": "M6"}]}),
            CARD,
        ),
        passes("SCHEMA-BM-03", "components are recorded", benchmarks.class_without_components, as_is, FROZEN),
        passes("SCHEMA-BM-03", "no classes", benchmarks.class_without_components, as_is, UNFROZEN),
        passes("SCHEMA-BM-04", "classes 2 and 3", benchmark_families.task_below_entry_class, as_is, FROZEN),
        passes(
            "SCHEMA-BM-04",
            "an earlier version keeps what it froze with",
            benchmark_families.task_below_entry_class,
            change(CARD, {"/holdout_entry_class": 3}),
            FROZEN,
        ),
        passes(
            "SCHEMA-BM-04",
            "the next version keeps the higher class",
            benchmark_families.task_below_entry_class,
            lambda files: edited(
                next_version({"/class_distribution/holdout": {"1": 0, "2": 0, "3": 4, "4": 0}})(files),
                CARD,
                {"/holdout_entry_class": 3},
            ),
            NEXT,
        ),
        passes("SCHEMA-BM-05", "all sums agree", benchmarks.unbalanced_counts, as_is, FROZEN),
        passes("SCHEMA-BM-05", "a draft without counts", benchmarks.unbalanced_counts, as_is, UNFROZEN),
        passes(
            "SCHEMA-BM-05",
            "several modalities a task",
            benchmarks.unbalanced_counts,
            change(FROZEN, {"/label_distribution/T4": {"text": 6, "imaging": 6, "speech": 1}}),
            FROZEN,
        ),
        passes("SCHEMA-BM-06", "every task is covered", benchmarks.uncovered_label, as_is, FROZEN),
        passes(
            "SCHEMA-BM-06",
            "a system whose name begins alike",
            benchmarks.uncovered_label,
            change(FROZEN, {"/label_distribution/T8": {"None of the above standard": 6}}),
            FROZEN,
        ),
        passes("SCHEMA-BM-08", "a whole function", difficulty_functions.unusable_difficulty_function, as_is, FROZEN),
        passes("SCHEMA-BM-08", "that function", difficulty_functions.unusable_difficulty_function, as_is, FUNCTION),
        passes(
            "SCHEMA-BM-08",
            "a later function with labels",
            difficulty_functions.unusable_difficulty_function,
            function({}, LATER_FUNCTION),
            LATER_FUNCTION,
        ),
        passes("SCHEMA-BM-09", "fewer than all tasks", benchmarks.implausible_reference_count, as_is, FROZEN),
        passes(
            "SCHEMA-BM-09",
            "all tasks",
            benchmarks.implausible_reference_count,
            change(FROZEN, {"/reference_summary/0/tasks": 6}),
            FROZEN,
        ),
        passes("SCHEMA-BM-10", "a manifest beside holdout tasks", benchmarks.holdout_without_manifest, as_is, FROZEN),
        passes("SCHEMA-BM-10", "a holdout result with it", benchmarks.holdout_without_manifest, as_is, RESULT),
        passes(
            "SCHEMA-BM-10",
            "no manifest yet, and no holdout result",
            benchmarks.holdout_without_manifest,
            lambda files: edited(edited(files, FROZEN, {"/hash_manifest": None}), RESULT, {"/subsets/holdout": ABSENT}),
            RESULT,
        ),
        passes("SCHEMA-BM-11", "measured in the past", benchmarks.baseline_before_measurement, as_is, FROZEN),
        passes("SCHEMA-BM-11", "measured today", benchmarks.baseline_before_measurement,
               change(FROZEN, {"/expert_baseline/measured_on": "2026-11-29"}), FROZEN),
        passes("SCHEMA-BM-12", "figures of subsets that hold tasks", benchmarks.figures_of_empty_subset, as_is, RESULT),
        passes("SCHEMA-BM-12", "holdout and calibration tasks", benchmarks.figures_of_empty_subset, as_is, FROZEN),
        passes("SCHEMA-BM-12", "a draft", benchmarks.figures_of_empty_subset, as_is, UNFROZEN),
        passes(
            "SCHEMA-BM-13",
            "30 and 5 tasks",
            benchmarks.few_tasks,
            change(FROZEN, {"/subsets": {"dev": 1, "holdout": 30, "calibration": 5}}),
            FROZEN,
        ),
        passes("SCHEMA-BM-13", "a draft", benchmarks.few_tasks, as_is, UNFROZEN),
        passes("SCHEMA-BM-14", "a check on a field of the card", benchmarks.unfounded_check, as_is, CARD),
        passes(
            "SCHEMA-BM-14",
            "a check of a version on a reference it tests",
            benchmarks.unfounded_check,
            lambda files: edited(files, FROZEN, {"/checks": read(files[CARD])["checks"]}),
            FROZEN,
        ),
        passes("SCHEMA-BM-15", "three subsets apart", benchmark_families.task_in_two_places, as_is, FROZEN),
        passes("SCHEMA-BM-15", "the same subsets again", benchmark_families.task_in_two_places, next_version({}), NEXT),
        passes(
            "SCHEMA-BM-15",
            "a holdout task becomes a calibration task",
            benchmark_families.task_in_two_places,
            next_version({"/task_keys/calibration": KEYS["holdout"][:2], "/task_keys/holdout": [NEW_KEY]}),
            NEXT,
        ),
        passes("SCHEMA-BM-16", "no high-risk task", benchmark_families.missing_unsafe_advice_veto, as_is, CARD),
        passes(
            "SCHEMA-BM-16",
            "high-risk tasks and the veto",
            benchmark_families.missing_unsafe_advice_veto,
            lambda files: edited(
                edited(files, FROZEN, HIGH_RISK), CARD, {"/scoring/vetoes": ["X.1", "X.4", "unsafe-advice"]}
            ),
            CARD,
        ),
        passes("SCHEMA-BM-19", "calibration tasks", benchmark_families.family_without_calibration, as_is, CARD),
        passes(
            "SCHEMA-BM-19",
            "nothing frozen yet",
            benchmark_families.family_without_calibration,
            lambda files: without(files, FROZEN),
            CARD,
        ),
        passes("SCHEMA-BM-21", "the same classes again", benchmark_families.moved_class, next_version({}), NEXT),
        passes("SCHEMA-BM-21", "no earlier version", benchmark_families.moved_class, as_is, FROZEN),
        passes(
            "SCHEMA-BM-21",
            "other classes under another function",
            benchmark_families.moved_class,
            next_version(
                {
                    "/difficulty_function": "difficulty-function@0.2.0",
                    "/class_distribution/holdout": {"1": 0, "2": 4, "3": 0, "4": 0},
                }
            ),
            NEXT,
        ),
        passes(
            "SCHEMA-BM-21",
            "one task replaced, one class moved",
            benchmark_families.moved_class,
            next_version(
                {
                    "/task_keys/holdout/0": NEW_KEY,
                    "/class_distribution/holdout": {"1": 0, "2": 1, "3": 3, "4": 0},
                }
            ),
            NEXT,
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
            "SCHEMA-BM-01",
            "a version file that the card leaves out",
            benchmark_families.incomplete_card,
            change(CARD, {"/versions": ["bm-example-audit@0.2.0"]}),
            CARD,
            "/versions",
            "`bm-example-audit@0.3.0` has a file",
        ),
        fails(
            "SCHEMA-BM-01",
            "a version of another family",
            benchmark_families.incomplete_card,
            change(CARD, {"/versions/-": "bm-example-other@0.1.0"}),
            CARD,
            "/versions/2",
            "no version of `bm-example-audit`",
        ),
        fails(
            "SCHEMA-BM-01",
            "a citation of another family",
            benchmark_families.incomplete_card,
            change(
                CARD,
                {
                    "/citation/id": "bm-example-other",
                    "/citation/text": "bm-example-other 1.2.0 https://example.org/bm-example-audit/",
                },
            ),
            CARD,
            "/citation/id",
            "names `bm-example-other`",
        ),
        fails(
            "SCHEMA-BM-01",
            "a citation of no version there is",
            benchmark_families.incomplete_card,
            change(
                CARD,
                {
                    "/citation/version": "7.0.0",
                    "/citation/text": "bm-example-audit 7.0.0 https://example.org/bm-example-audit/",
                },
            ),
            CARD,
            "/citation/version",
            "names version `7.0.0`",
        ),
        fails(
            "SCHEMA-BM-01",
            "a citation whose text lacks the address",
            benchmark_families.incomplete_card,
            change(CARD, {"/citation/text": "Example Audit (bm-example-audit), version 1.2.0."}),
            CARD,
            "/citation/text",
            "does not contain its url",
        ),
        fails(
            "SCHEMA-BM-02",
            "a figure under a dimension that does not apply",
            benchmarks.metric_of_absent_dimension,
            change(CARD, {"/metrics_reported": [{"name": "precision", "dimension": "M7"}]}),
            CARD,
            "/metrics_reported/0/dimension",
            "`precision` stands under M7",
        ),
        fails(
            "SCHEMA-BM-03",
            "classes without a word on components",
            benchmarks.class_without_components,
            lambda files: edited(
                files,
                UNFROZEN,
                {
                    "/components_recorded": ABSENT,
                    "/class_distribution": read(files[FROZEN])["class_distribution"],
                },
            ),
            UNFROZEN,
            "/class_distribution",
            "`components_recorded` is not `true`",
        ),
        fails(
            "SCHEMA-BM-04",
            "a task below the family's entry class",
            benchmark_families.task_below_entry_class,
            lambda files: edited(next_version({})(files), CARD, {"/holdout_entry_class": 3}),
            NEXT,
            "/class_distribution/holdout/2",
            "2 holdout tasks are of class 2, and tasks enter from class 3 on",
        ),
        fails(
            "SCHEMA-BM-05",
            "one task key too few",
            benchmarks.unbalanced_counts,
            change(FROZEN, {"/task_keys/holdout/0": ABSENT}),
            FROZEN,
            "/task_keys/holdout",
            "`holdout` lists 3 task keys, and there are 4 tasks",
        ),
        fails(
            "SCHEMA-BM-05",
            "one class too many",
            benchmarks.unbalanced_counts,
            change(FROZEN, {"/class_distribution/calibration/3": 1}),
            FROZEN,
            "/class_distribution/calibration",
            "add up to 3, and there are 2 tasks",
        ),
        fails(
            "SCHEMA-BM-05",
            "omics labels above the number of tasks",
            benchmarks.unbalanced_counts,
            change(FROZEN, {"/label_distribution/T5": {"none": 6, "one-layer": 1}}),
            FROZEN,
            "/label_distribution/T5",
            "T5 add up to 7, and there are 6 tasks",
        ),
        fails(
            "SCHEMA-BM-05",
            "labels below the number of tasks",
            benchmarks.unbalanced_counts,
            change(FROZEN, {"/label_distribution/T1": {"short": 5}}),
            FROZEN,
            "/label_distribution/T1",
            "T1 add up to 5",
        ),
        fails(
            "SCHEMA-BM-05",
            "one modality on more tasks than there are",
            benchmarks.unbalanced_counts,
            change(FROZEN, {"/label_distribution/T8": {"Example standard A/B": 7}}),
            FROZEN,
            "/label_distribution/T8/Example standard A~1B",
            "is carried by 7",
        ),
        fails(
            "SCHEMA-BM-06",
            "a modality for some of the tasks",
            benchmarks.uncovered_label,
            change(FROZEN, {"/label_distribution/T4": {"text": 3, "imaging": 2}}),
            FROZEN,
            "/label_distribution/T4",
            "cover at most 5 of 6 tasks",
        ),
        fails(
            "SCHEMA-BM-06",
            "a region that does not apply",
            benchmarks.uncovered_label,
            change(FROZEN, {"/label_distribution/T8": {"Example standard": 5, "Not applicable": 1}}),
            FROZEN,
            "/label_distribution/T8/Not applicable",
            "always required",
        ),
        fails(
            "SCHEMA-BM-08",
            "a version on a function with a gap",
            difficulty_functions.unusable_difficulty_function,
            function({"/components/0/bands/1/from": 7}),
            FROZEN,
            "/difficulty_function",
            "is not complete",
        ),
        fails(
            "SCHEMA-BM-08",
            "a gap between bands",
            difficulty_functions.unusable_difficulty_function,
            function({"/components/2/bands/0/to": 2}, LATER_FUNCTION),
            LATER_FUNCTION,
            "/components/2/bands/0/to",
            "ends at `2`, expected 3",
        ),
        fails(
            "SCHEMA-BM-08",
            "a last band that is closed",
            difficulty_functions.unusable_difficulty_function,
            function({"/components/2/bands/1/to": 9}, LATER_FUNCTION),
            LATER_FUNCTION,
            "/components/2/bands/1/to",
            "expected null",
        ),
        fails(
            "SCHEMA-BM-08",
            "a band that ends before it begins",
            difficulty_functions.unusable_difficulty_function,
            function({"/components/2/bands/0/to": 0, "/components/2/bands/1/from": 1}, LATER_FUNCTION),
            LATER_FUNCTION,
            "/components/2/bands/0/to",
            "from 1 ends at 0",
        ),
        fails(
            "SCHEMA-BM-08",
            "classes with an overlap",
            difficulty_functions.unusable_difficulty_function,
            function({"/classes/2/from": 1}, LATER_FUNCTION),
            LATER_FUNCTION,
            "/classes/2",
            "expected to begin at 2",
        ),
        fails(
            "SCHEMA-BM-08",
            "classes that end too early",
            difficulty_functions.unusable_difficulty_function,
            function({"/classes/3/to": 3}, LATER_FUNCTION),
            LATER_FUNCTION,
            "/classes",
            "end at 3 points, and the components give 0 to 4",
        ),
        fails(
            "SCHEMA-BM-08",
            "a feature that is scored twice",
            difficulty_functions.unusable_difficulty_function,
            function({"/components/0/name": "horizon"}, LATER_FUNCTION),
            LATER_FUNCTION,
            "/components/1/name",
            "`horizon` is scored more than once",
        ),
        fails(
            "SCHEMA-BM-08",
            "other points in the first function",
            difficulty_functions.unusable_difficulty_function,
            function({"/components/3/answers": {"absent": 1, "present": 0}}),
            FUNCTION,
            "/components",
            "`planted-content` is not that of Appendix A.1",
        ),
        fails(
            "SCHEMA-BM-08",
            "other cut points in the first function",
            difficulty_functions.unusable_difficulty_function,
            function({"/classes/0/to": 3, "/classes/1/from": 4}),
            FUNCTION,
            "/classes",
            "not those of Appendix A.1",
        ),
        fails(
            "SCHEMA-BM-09",
            "more tasks than there are",
            benchmarks.implausible_reference_count,
            change(FROZEN, {"/reference_summary/0/tasks": 7}),
            FROZEN,
            "/reference_summary/0/tasks",
            "is tested by 7 tasks, and the version has 6",
        ),
        fails(
            "SCHEMA-BM-09",
            "one reference twice",
            benchmarks.implausible_reference_count,
            change(FROZEN, {"/reference_summary/-": {"grading_reference": "gr-example-dose@0.1.0", "tasks": 1}}),
            FROZEN,
            "/reference_summary/1/grading_reference",
            "more than one entry",
        ),
        fails(
            "SCHEMA-BM-10",
            "a holdout result before the manifest",
            benchmarks.holdout_without_manifest,
            change(FROZEN, {"/hash_manifest": None}),
            RESULT,
            "/subsets/holdout",
            "has no hash manifest",
        ),
        fails(
            "SCHEMA-BM-10",
            "a manifest of no tasks",
            benchmarks.holdout_without_manifest,
            change(FROZEN, {"/subsets/holdout": 0}),
            FROZEN,
            "/hash_manifest",
            "no holdout task",
        ),
        fails(
            "SCHEMA-BM-11",
            "measured tomorrow",
            benchmarks.baseline_before_measurement,
            change(FROZEN, {"/expert_baseline/measured_on": "2026-11-30"}),
            FROZEN,
            "/expert_baseline/measured_on",
            "`2026-11-30`",
        ),
        fails(
            "SCHEMA-BM-12",
            "figures of a subset without tasks",
            benchmarks.figures_of_empty_subset,
            change(FROZEN, {"/subsets/holdout": 0}),
            RESULT,
            "/subsets/holdout",
            "has no holdout task",
        ),
        fails(
            "SCHEMA-BM-14",
            "a field outside the artifact",
            benchmarks.unfounded_check,
            change(CARD, {"/checks/0/field": "verdicts[].colour"}),
            CARD,
            "/checks/0/field",
            "`verdicts[].colour`, which `artifact_fields` does not list",
        ),
        fails(
            "SCHEMA-BM-14",
            "a reference that the card says is not cited",
            benchmarks.unfounded_check,
            change(CARD, {"/grading_references": "none-cited"}),
            CARD,
            "/checks/0/provenance",
            "`grading_references` does not name",
        ),
        fails(
            "SCHEMA-BM-14",
            "a reference that the version does not test",
            benchmarks.unfounded_check,
            lambda files: edited(
                files, FROZEN, {"/checks": read(files[CARD])["checks"], "/reference_summary": []}
            ),
            FROZEN,
            "/checks/0/provenance",
            "`reference_summary` does not name",
        ),
        fails(
            "SCHEMA-BM-15",
            "a task in two subsets",
            benchmark_families.task_in_two_places,
            change(FROZEN, {"/task_keys/dev/-": KEYS["holdout"][0]}),
            FROZEN,
            "/task_keys/holdout/0",
            "stands at `/task_keys/dev/0` already",
        ),
        fails(
            "SCHEMA-BM-15",
            "two versions of a task",
            benchmark_families.task_in_two_places,
            change(FROZEN, {"/task_keys/holdout/-": KEYS["holdout"][0].replace("@1.0.0", "@1.1.0")}),
            FROZEN,
            f"/task_keys/holdout/{len(KEYS['holdout'])}",
            "stands at `/task_keys/holdout/0` already",
        ),
        fails(
            "SCHEMA-BM-15",
            "a calibration task that enters the holdout subset",
            benchmark_families.task_in_two_places,
            next_version({"/task_keys/holdout/0": KEYS["calibration"][0], "/task_keys/calibration/0": NEW_KEY}),
            NEXT,
            "/task_keys/holdout/0",
            "calibration task of `bm-example-audit@0.2.0`",
        ),
        fails(
            "SCHEMA-BM-16",
            "high-risk tasks without the veto",
            benchmark_families.missing_unsafe_advice_veto,
            change(FROZEN, HIGH_RISK),
            CARD,
            "/scoring/vetoes",
            "has 4 high-risk tasks",
        ),
        fails(
            "SCHEMA-BM-21",
            "other classes of the same tasks",
            benchmark_families.moved_class,
            next_version({"/class_distribution/holdout": {"1": 0, "2": 3, "3": 1, "4": 0}}),
            NEXT,
            "/class_distribution/holdout",
            "shared with `bm-example-audit@0.2.0`",
        ),
        fails(
            "SCHEMA-BM-21",
            "one task replaced, two classes moved",
            benchmark_families.moved_class,
            next_version(
                {
                    "/task_keys/holdout/0": NEW_KEY,
                    "/class_distribution/holdout": {"1": 0, "2": 0, "3": 4, "4": 0},
                }
            ),
            NEXT,
            "/class_distribution/holdout",
            "cannot have the same classes",
        ),
        fails(
            "SCHEMA-BM-21",
            "classes that change as tasks move to another subset",
            benchmark_families.moved_class,
            next_version(
                {
                    "/task_keys": {"dev": KEYS["holdout"], "holdout": [], "calibration": KEYS["calibration"]},
                    "/class_distribution/dev": {"1": 4, "2": 0, "3": 0, "4": 0},
                    "/class_distribution/holdout": {"1": 0, "2": 0, "3": 0, "4": 0},
                }
            ),
            NEXT,
            "/class_distribution",
            "cannot have the same classes",
        ),
    ],
)  # fmt: skip
def test_record_is_refused(rule: str, check: RecordCheck, edit: Edit, path: str, pointer: str, words: str) -> None:
    """What breaks the rule gives one error at its place, which says what was found."""
    (found,) = run_check(check, edit(base_registry()), path)
    assert (found.rule, found.severity, found.path, found.pointer) == (rule, Severity.ERROR, path, pointer)
    assert words in found.message


@pytest.mark.parametrize(
    ("rule", "check", "edit", "path", "pointer", "words"),
    [
        fails(
            "SCHEMA-BM-12",
            "no holdout task",
            benchmarks.figures_of_empty_subset,
            change(FROZEN, {"/subsets/holdout": 0}),
            FROZEN,
            "/subsets/holdout",
            "without a row on the board",
        ),
        fails(
            "SCHEMA-BM-12",
            "no calibration task",
            benchmarks.figures_of_empty_subset,
            change(FROZEN, {"/subsets/calibration": 0}),
            FROZEN,
            "/subsets/calibration",
            "not level L0",
        ),
        fails(
            "SCHEMA-BM-13",
            "29 holdout tasks",
            benchmarks.few_tasks,
            change(FROZEN, {"/subsets": {"dev": 1, "holdout": 29, "calibration": 5}}),
            FROZEN,
            "/subsets/holdout",
            "about 30",
        ),
        fails(
            "SCHEMA-BM-13",
            "4 calibration tasks",
            benchmarks.few_tasks,
            change(FROZEN, {"/subsets": {"dev": 1, "holdout": 30, "calibration": 4}}),
            FROZEN,
            "/subsets/calibration",
            "about 5",
        ),
        fails(
            "SCHEMA-BM-19",
            "a frozen version and no calibration task",
            benchmark_families.family_without_calibration,
            change(FROZEN, {"/subsets/calibration": 0}),
            CARD,
            "/versions",
            "no version of the family",
        ),
    ],
)  # fmt: skip
def test_record_is_remarked_on(rule: str, check: RecordCheck, edit: Edit, path: str, pointer: str, words: str) -> None:
    """What is only told gives a notice, which blocks nothing."""
    (found,) = run_check(check, edit(base_registry()), path)
    assert (found.rule, found.severity, found.path, found.pointer) == (rule, Severity.NOTICE, path, pointer)
    assert words in found.message


def test_a_frozen_version_has_tasks() -> None:
    """A version cannot be frozen empty, whatever else is wrong with it."""
    files = edited(base_registry(), FROZEN, {"/subsets": {"dev": 0, "holdout": 0, "calibration": 0}})
    found = run_check(benchmarks.unbalanced_counts, files, FROZEN)
    assert "/subsets" in {finding.pointer for finding in found}


def test_absent_records_are_left_to_the_rule_of_references() -> None:
    """Where a record that is named does not exist, ID-06 says so and these rules are silent."""
    files = without(base_registry(), FROZEN, FUNCTION)
    assert run_check(benchmarks.holdout_without_manifest, files, RESULT) == []
    assert run_check(benchmarks.figures_of_empty_subset, files, RESULT) == []
    files = without(next_version({})(base_registry()), CARD, FUNCTION)
    assert run_check(benchmark_families.task_below_entry_class, files, NEXT) == []
    assert run_check(difficulty_functions.unusable_difficulty_function, files, NEXT) == []


def test_a_draft_may_have_used_a_calibration_task() -> None:
    """Only a frozen version makes the keys of its calibration tasks known."""
    files = next_version({"/task_keys/holdout/0": NEW_KEY})(base_registry())
    drafted = {"dev": [], "holdout": [], "calibration": [NEW_KEY]}
    files = edited(files, UNFROZEN, {"/task_keys": drafted})
    assert run_check(benchmark_families.task_in_two_places, files, NEXT) == []


# Steps ---------------------------------------------------------------------------------------------------------------


def before_the_manifest() -> Files:
    """The base registry without the manifest."""
    return edited(base_registry(), FROZEN, {"/hash_manifest": None})


@pytest.mark.rule("SCHEMA-BM-10", "passes")
def test_a_manifest_comes_with_its_round() -> None:
    """A manifest may arrive once the protocol of its round lists the version."""
    assert run_step(benchmarks.manifest_without_its_round, before_the_manifest(), base_registry()) == []


@pytest.mark.parametrize(
    ("rule", "edit"),
    [
        fails("SCHEMA-BM-10", "no such round", lambda files: without(files, ROUND)),
        fails("SCHEMA-BM-10", "a round that cannot be judged", lambda files: {**files, ROUND: "{}"}),
        fails(
            "SCHEMA-BM-10",
            "a round of another version",
            change(ROUND, {"/benchmark_versions/0/benchmark_version": "bm-example-audit@0.3.0"}),
        ),
    ],
)  # fmt: skip
def test_a_manifest_does_not_come_without_its_round(rule: str, edit: Edit) -> None:
    """Without a registered round of this version it is too early for the digests."""
    (found,) = run_step(benchmarks.manifest_without_its_round, before_the_manifest(), edit(base_registry()))
    assert (found.rule, found.path, found.pointer) == (rule, FROZEN, "/hash_manifest/released_with")
    assert "no protocol" in found.message


def test_a_manifest_that_stays_is_not_asked_for_its_round_again() -> None:
    """Another late field of the same version says nothing of the manifest."""
    after = without(edited(base_registry(), FROZEN, {"/expert_baseline": None}), ROUND)
    assert run_step(benchmarks.manifest_without_its_round, base_registry(), after) == []


def test_today_is_today_anywhere() -> None:
    """The day is given from outside, as the latest that any time zone has."""
    files = edited(base_registry(), FROZEN, {"/expert_baseline/measured_on": "2026-11-30"})
    tomorrow = context_of(files, latest_day=context_of(files).latest_day.replace(day=30))
    assert run_check(benchmarks.baseline_before_measurement, files, FROZEN, context=tomorrow) == []
