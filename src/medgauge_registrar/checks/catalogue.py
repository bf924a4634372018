"""
Every check there is, in the order of the rule catalogue; the one place to look up what is enforced.

A rule has at most one check of a state and one of a step. Both carry its id; the first is the one that explains it.
"""

from medgauge_registrar.checks import (
    agreement,
    articles,
    benchmark_families,
    benchmarks,
    capabilities,
    charter,
    checklist,
    datasets,
    difficulty_functions,
    disputes,
    enforcement,
    entry,
    gates,
    grading_references,
    harnesses,
    identifiers,
    immutability,
    models,
    notice_coverage,
    notices,
    overrides,
    prices,
    printed_functions,
    recompute,
    recompute_effects,
    recompute_family,
    redirects,
    reproductions,
    result_pairs,
    results,
    retirement,
    roadmap,
    round_reports,
    rounds,
    schema_trial,
    standards,
    submissions,
    text_classes,
    text_history,
    tools,
    versions,
    voids,
)
from medgauge_registrar.checks.content_branch import closed_elsewhere
from medgauge_registrar.checks.content_catalogue import CONTENT_CHANGE_CHECKS, CONTENT_RECORD_CHECKS, FILE_CHECKS
from medgauge_registrar.checks.entry import READING_CHECKS
from medgauge_registrar.checks.framework import (
    BranchCheck,
    ChangeCheck,
    Check,
    RecordCheck,
    TreeCheck,
)
from medgauge_registrar.checks.paths import FOLDER_CHECKS, PATH_CHECKS
from medgauge_registrar.checks.unchecked import COVERED_BY, SCHEMA_RULES

__all__ = [
    "BRANCH_CHECKS",
    "CHANGE_CHECKS",
    "CHECKS",
    "COVERED_BY",
    "FILE_CHECKS",
    "FOLDER_CHECKS",
    "PATH_CHECKS",
    "READING_CHECKS",
    "RECORD_CHECKS",
    "RULES_BY_CHECK",
    "RULES_BY_SCHEMA",
    "SCHEMA_RULES",
    "TREE_CHECKS",
    "TRIAL_CHECKS",
    "rule_ids",
]

RECORD_CHECKS: tuple[RecordCheck, ...] = (
    identifiers.unresolved_reference,  # ID-06
    identifiers.tangled_redirect,  # ID-08
    identifiers.misnamed_file,  # ID-09
    identifiers.telling_task_key,  # ID-11
    identifiers.repeated_run,  # ID-13
    versions.misordered_dates,  # VER-05
    versions.later_price_table,  # VER-12
    versions.foreign_verifier,  # VER-13
    versions.foreign_methodology,  # VER-14
    entry.written_evidence_state,  # ENT-06
    entry.hand_typed_board,  # ENT-07
    immutability.pending_identifier,  # IMM-19
    benchmark_families.incomplete_card,  # SCHEMA-BM-01
    benchmarks.metric_of_absent_dimension,  # SCHEMA-BM-02
    benchmarks.class_without_components,  # SCHEMA-BM-03
    benchmark_families.task_below_entry_class,  # SCHEMA-BM-04
    benchmarks.unbalanced_counts,  # SCHEMA-BM-05
    benchmarks.uncovered_label,  # SCHEMA-BM-06
    difficulty_functions.unusable_difficulty_function,  # SCHEMA-BM-08
    benchmarks.implausible_reference_count,  # SCHEMA-BM-09
    benchmarks.holdout_without_manifest,  # SCHEMA-BM-10
    benchmarks.baseline_before_measurement,  # SCHEMA-BM-11
    benchmarks.figures_of_empty_subset,  # SCHEMA-BM-12
    benchmarks.few_tasks,  # SCHEMA-BM-13
    benchmarks.unfounded_check,  # SCHEMA-BM-14
    benchmark_families.task_in_two_places,  # SCHEMA-BM-15
    benchmark_families.missing_unsafe_advice_veto,  # SCHEMA-BM-16
    benchmark_families.family_without_calibration,  # SCHEMA-BM-19
    benchmark_families.moved_class,  # SCHEMA-BM-21
    grading_references.closed_source,  # SCHEMA-GR-03
    grading_references.veto_without_checked_clause,  # SCHEMA-GR-04
    grading_references.origin_in_reference,  # SCHEMA-GR-06
    grading_references.unnamed_side,  # SCHEMA-GR-07
    grading_references.unchecked_reference_in_use,  # SCHEMA-GR-08
    grading_references.copied_clause,  # SCHEMA-GR-09
    grading_references.advisory_veto,  # SCHEMA-GR-10
    grading_references.foreign_layer,  # SCHEMA-GR-11
    capabilities.foreign_component,  # SCHEMA-CAP-04
    harnesses.unproven_adapter,  # SCHEMA-HX-05
    harnesses.undefined_slot,  # SCHEMA-HX-07
    harnesses.unmeasured_environment,  # SCHEMA-HX-08
    tools.unvalidated_skill,  # SCHEMA-TL-03
    tools.untested_tool,  # SCHEMA-TL-04
    standards.unconfirmed_edition,  # SCHEMA-STD-02
    datasets.uncompared_training_set,  # SCHEMA-DS-04
    models.unlisted_snapshot,  # SCHEMA-MODEL-03
    result_pairs.repeated_identity,  # SCHEMA-RES-03
    results.late_registration,  # SCHEMA-RES-04
    result_pairs.unequal_pair,  # SCHEMA-RES-05
    results.foreign_veto,  # SCHEMA-RES-10
    results.disagreeing_conditions,  # SCHEMA-RES-12
    results.foreign_terms,  # SCHEMA-RES-13
    reproductions.disagreeing_difference,  # SCHEMA-RP-05
    reproductions.foreign_tasks,  # SCHEMA-RP-06
    overrides.signature_over_other_content,  # SCHEMA-LO-02
    roadmap.told_result,  # SCHEMA-RM-01
    prices.second_rate,  # SCHEMA-PRICE-02
    voids.misattributed_error,  # SCHEMA-VOID-01
    voids.stray_void,  # SCHEMA-VOID-02
    voids.early_replacement,  # SCHEMA-VOID-03
    rounds.unsound_protocol,  # SCHEMA-ROUND-01
    rounds.unplanned_result,  # SCHEMA-ROUND-02
    notices.unsound_notice,  # SCHEMA-NOTICE-01
    redirects.redirect_from_living_card,  # SCHEMA-REDIR-01
    disputes.outcome_ahead_of_its_day,  # SCHEMA-DISP-01
    recompute.wrong_number_of_runs,  # RESULT-01
    recompute.wrong_score,  # RESULT-02
    recompute.wrong_outcome_of_run,  # RESULT-03
    recompute.impossible_row,  # RESULT-04
    recompute_family.moved_checkpoints,  # RESULT-05
    recompute_family.foreign_task_set,  # RESULT-06
    recompute.wrong_mean,  # RESULT-09
    recompute.wrong_instability,  # RESULT-10
    recompute.wrong_exam_outcome,  # RESULT-11
    recompute.wrong_bound,  # RESULT-12
    recompute.wrong_exact_interval,  # RESULT-14
    recompute.wrong_resampled_interval,  # RESULT-16
    recompute.wrong_error_rate,  # RESULT-17
    recompute.blamed_initiative,  # RESULT-18
    recompute.wrong_veto_rate,  # RESULT-19
    recompute.wrong_veto_hits,  # RESULT-20
    recompute.wrong_compliance_rate,  # RESULT-21
    recompute.wrong_cost,  # RESULT-22
    recompute.wrong_efficiency,  # RESULT-23
    recompute.wrong_redundancy,  # RESULT-24
    recompute.wrong_total,  # RESULT-25
    recompute_effects.wrong_effect,  # RESULT-26
    recompute.issued_level,  # RESULT-31
    checklist.impossible_difference,  # RESULT-32
    recompute.wrong_robustness_gap,  # RESULT-36
    recompute_family.empty_or_repeated_digest,  # RESULT-39
    recompute.number_without_formula,  # RESULT-42
    recompute.errored_run_left_out,  # RED-11
    checklist.incomplete_regrade,  # CHK-02
    checklist.baseless_difference,  # CHK-04
    checklist.foreign_run_records,  # CHK-05
    checklist.thin_sample,  # CHK-07
    gates.run_before_its_prediction,  # GATE-04
    *CONTENT_RECORD_CHECKS,
)

CHANGE_CHECKS: tuple[ChangeCheck, ...] = (
    charter.charter_version_not_raised,  # DEC-11
    enforcement.unusable_settings,  # DEC-31
    enforcement.roster_in_the_open,  # ROLE-15
    identifiers.reused_identifier,  # ID-07
    identifiers.lost_redirect,  # ID-08
    identifiers.taken_run,  # ID-13
    versions.lowered_version,  # VER-02
    versions.unraised_version,  # VER-03
    versions.unknown_introduction,  # VER-04
    versions.moved_dates,  # VER-05
    immutability.edited_frozen_version,  # IMM-01
    immutability.unfrozen_version,  # IMM-02
    immutability.rewritten_late_field,  # IMM-03
    immutability.edited_component_version,  # IMM-04
    immutability.altered_result,  # IMM-05
    text_history.lost_methodology_version,  # IMM-06
    immutability.removed_entry,  # IMM-07
    immutability.altered_difficulty_function,  # IMM-08
    immutability.edited_algorithm,  # IMM-09
    immutability.edited_price_table,  # IMM-10
    text_history.rewritten_change_log,  # IMM-11
    immutability.shortened_voided_list,  # IMM-12
    immutability.altered_notice,  # IMM-13
    immutability.outdated_pin,  # IMM-14
    retirement.groundless_deprecation,  # IMM-15
    retirement.unfounded_retirement,  # IMM-16
    immutability.moved_immutable_file,  # IMM-21
    benchmarks.manifest_without_its_round,  # SCHEMA-BM-10
    grading_references.veto_turned_on_in_place,  # SCHEMA-GR-05
    capabilities.unfounded_capability,  # SCHEMA-CAP-05
    standards.unregistered_format,  # SCHEMA-STD-05
    models.model_without_result,  # SCHEMA-MODEL-01
    results.inactive_subject,  # SCHEMA-RES-07
    results.closed_submission,  # SCHEMA-RES-09
    prices.price_without_vendor,  # SCHEMA-PRICE-03
    rounds.rewritten_protocol,  # SCHEMA-ROUND-01
    rounds.subject_without_result,  # SCHEMA-ROUND-02
    notices.notice_of_nothing,  # SCHEMA-NOTICE-01
    recompute_family.unlisted_void,  # RESULT-06
    recompute_family.unreported_veto,  # RESULT-19
    recompute_family.priced_open_subject,  # RESULT-25
    checklist.unproven_harness,  # CHK-01
    checklist.foreign_checklist,  # CHK-09
    round_reports.unsound_report,  # SCHEMA-ROUND-03
    round_reports.foreign_letters,  # RESULT-29
    round_reports.foreign_order,  # RESULT-30
    round_reports.wrong_harness_delta,  # RESULT-33
    round_reports.rising_with_class,  # RESULT-35
    round_reports.board_beyond_holdout,  # RESULT-40
    round_reports.implausible_audit,  # RESULT-41
    *CONTENT_CHANGE_CHECKS,
    notice_coverage.veto_without_new_version,  # NCN-05
    notice_coverage.check_changed_without_new_version,  # NCN-06
    notice_coverage.mixed_price_tables,  # NCN-12
    notice_coverage.renamed_card_under_old_version,  # NCN-15
    notice_coverage.wanting_notice,  # NCN-21
    notice_coverage.notice_beside_deletion,  # NCN-22
    notice_coverage.stray_notice,  # NCN-23
    text_classes.understated_change,  # CHG-06
    printed_functions.misprinted_function,  # CHG-07
    text_classes.schemas_left_behind,  # CHG-10
    text_classes.misdated_log_row,  # CHG-11
    text_classes.disputes_to_review,  # DISP-06
)

TREE_CHECKS: tuple[TreeCheck, ...] = (
    agreement.foreign_schema_version,  # VER-06
    agreement.disagreeing_versions,  # VER-07
    articles.unsound_article,  # VER-10
    entry.open_schema,  # ENT-08
    capabilities.circular_dependency,  # SCHEMA-CAP-03
    overrides.groundless_override,  # SCHEMA-LO-01
    submissions.widened_form,  # SCHEMA-TSUB-01
    text_classes.overdue_review,  # CHG-09
)

# Run in a process of their own, with the schemas of the head.
TRIAL_CHECKS: tuple[TreeCheck, ...] = (schema_trial.broken_records,)  # ENT-05

BRANCH_CHECKS: tuple[BranchCheck, ...] = (closed_elsewhere,)  # BND-11


def _one_a_rule() -> tuple[Check, ...]:
    every: tuple[Check, ...] = (
        *READING_CHECKS, *RECORD_CHECKS, *FILE_CHECKS, *TREE_CHECKS, *TRIAL_CHECKS, *PATH_CHECKS, *FOLDER_CHECKS,
        *BRANCH_CHECKS, *CHANGE_CHECKS,
    )  # fmt: skip
    first: dict[str, Check] = {}
    for check in every:
        first.setdefault(check.rule, check)
    return tuple(first.values())


# One check a rule, the one whose documentation explains the rule.
CHECKS: tuple[Check, ...] = _one_a_rule()
RULES_BY_CHECK: frozenset[str] = frozenset(check.rule for check in CHECKS)
RULES_BY_SCHEMA: frozenset[str] = frozenset(SCHEMA_RULES)


def rule_ids() -> tuple[str, ...]:
    """Ids of all rules that a check of its own or a schema enforces, sorted."""
    return tuple(sorted(RULES_BY_CHECK | RULES_BY_SCHEMA))
