"""The checks of content, in the order of the rule catalogue."""

from medgauge_registrar.checks import (
    content_boundary,
    content_build,
    content_claims,
    content_classes,
    content_contributors,
    content_never,
)
from medgauge_registrar.checks.framework import ChangeCheck, FileCheck, RecordCheck

FILE_CHECKS: tuple[FileCheck, ...] = (
    content_claims.closed_pass_rate,  # RESULT-37
    content_never.issued_level,  # RED-01
    content_classes.class_without_components,  # RED-03
    content_never.unmeasured_baseline,  # RED-04
    content_never.single_run_score,  # RED-05
    content_never.pooled_subsets,  # RED-06
    content_never.combined_dimensions,  # RED-07
    content_never.joined_families,  # RED-08
    content_never.ranked_actions,  # RED-09
    content_never.amount_for_open_weights,  # RED-10
    content_never.producer_in_grade,  # RED-13
    content_never.autonomy_span,  # RED-14
    content_never.judged_env_delta,  # RED-15
    content_never.bare_lower_bound,  # RED-16
    content_never.presented_as_pass,  # RED-17
    content_never.harness_delta_line,  # RED-18
    content_never.result_on_card,  # RED-19
    content_never.result_in_text,  # RED-20
    content_never.percentile_or_rank,  # RED-21
    content_boundary.case_material,  # BND-01
    content_boundary.answer_material,  # BND-02
    content_boundary.run_material,  # BND-03
    content_boundary.tied_task,  # BND-04
    content_boundary.key_material,  # BND-05
    content_boundary.checkpoint_detail,  # BND-06
    content_boundary.role_record,  # BND-07
    content_boundary.guessable_manifest,  # BND-08
    content_boundary.task_package,  # BND-09
    content_boundary.canary,  # BND-10
    content_boundary.calibration_material,  # BND-12
    content_boundary.unreadable_content,  # BND-13
    content_build.foreign_script,  # BLD-01
    content_build.misplaced_title,  # BLD-02
    content_build.broken_link,  # BLD-03
    content_build.unknown_number,  # BLD-04
    content_build.unscanned_text,  # BLD-05
    content_build.unsafe_rendering,  # BLD-06
    content_build.schema_without_section,  # BLD-08
    content_claims.claimed_endorsement,  # CLM-01
    content_claims.claimed_regulatory_basis,  # CLM-02
    content_claims.misnamed_initiative,  # CLM-03
    content_claims.figure_without_version,  # CLM-04
    content_claims.metrological_claim,  # CLM-05
    content_claims.level_as_grade,  # CLM-06
    content_claims.called_anonymised,  # CLM-07
    content_claims.claimed_conformity,  # CLM-08
    content_claims.compared_with_people,  # CLM-09
    content_claims.unproven_validity,  # CLM-10
    content_claims.compared_versions,  # CLM-11
    content_claims.harness_as_failure,  # CLM-12
    content_claims.unpaired_effect,  # CLM-13
    content_claims.claimed_reliability,  # CLM-14
    content_boundary.answer_correction,  # NEV-01
    content_contributors.outside_score,  # NEV-03
    content_contributors.origin_identity,  # NEV-04
    content_boundary.identifiable_person,  # NEV-05
    content_contributors.foreign_licence_file,  # NEV-06
    content_contributors.used_for_training,  # NEV-07
)
CLOSED_CHECKS: tuple[FileCheck, ...] = tuple(check for check in FILE_CHECKS if check.closed)
CONTENT_RECORD_CHECKS: tuple[RecordCheck, ...] = (content_never.telling_distribution,)  # RED-12
# Of one step, or too slow for every file of a registry: detectors of languages and of credentials.
CONTENT_CHANGE_CHECKS: tuple[ChangeCheck, ...] = (
    content_never.amount_of_open_result,  # RED-10
    content_build.other_language,  # BLD-01
    content_boundary.credential,  # NEV-05
    content_contributors.altered_licence,  # NEV-06
)
