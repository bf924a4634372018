"""Rules of evaluation rounds: a sound protocol that stays, and results that were planned."""

from collections.abc import Mapping

import pytest

from medgauge_registrar.checks import rounds
from medgauge_registrar.checks.framework import RecordCheck
from medgauge_registrar.model.finding import Severity
from support.cases import Edit, as_is, fails, passes
from support.registries import FROZEN, RESULT, ROUND, Files, base_registry, edited, read, run_check, without
from support.steps import run_step

REPORT = "rounds/example-round-1/report.md"
PREDICTIONS = "/benchmark_versions/0/predicted_pass_pow_3"
NEW_REGISTRATION = {"link": "https://osf.io/xmpl2", "registered_at": "2026-11-06T12:00:00Z"}


def protocol(changes: Mapping[str, object]) -> Edit:
    """Change the protocol."""
    return lambda files: edited(files, ROUND, changes)


def with_subject(files: Files) -> Files:
    """Plan a second subject: the same model with a component."""
    (subject,) = read(files[ROUND])["subjects"]
    return edited(files, ROUND, {"/subjects/-": {**subject, "components": ["tl-example-read-file@0.1.0"]}})


def reported(files: Files) -> Files:
    """Add the report of the round."""
    return {**files, REPORT: "# Report\n\nA stand-in for tests.\n"}


@pytest.mark.parametrize(
    "edit",
    [
        passes("SCHEMA-ROUND-01", "the pins of a frozen version", as_is),
        passes(
            "SCHEMA-ROUND-01",
            "a second tier",
            lambda files: edited(files, ROUND, {
                PREDICTIONS: [
                    {"difficulty_class": level, "model_tier": tier, "value": 0.5}
                    for tier in ("tier-1", "tier-2") for level in (2, 3)
                ],
            }),
        ),
        passes("SCHEMA-ROUND-01", "a version that is not there, which is ID-06", lambda files: without(files, FROZEN)),
    ],
)  # fmt: skip
def test_protocol_is_let_pass(edit: Edit) -> None:
    """A protocol that agrees with itself and with its versions gives no finding."""
    assert run_check(rounds.unsound_protocol, edit(base_registry()), ROUND) == []


@pytest.mark.parametrize(
    ("rule", "edit", "pointer", "words"),
    [
        fails(
            "SCHEMA-ROUND-01",
            "registered ahead of today",
            protocol({"/registration/registered_at": "2026-12-05T12:00:00Z"}),
            "/registration/registered_at",
            "`2026-12-05T12:00:00Z`",
        ),
        fails(
            "SCHEMA-ROUND-01",
            "conditions of another harness",
            protocol({"/subjects/0/fixed_conditions/harness": "hx-example@0.2.0"}),
            "/subjects/0/fixed_conditions/harness",
            "`hx-example@0.2.0`",
        ),
        fails(
            "SCHEMA-ROUND-01",
            "conditions of another model",
            protocol({"/subjects/0/fixed_conditions/model_and_version/model": "Example Model B"}),
            "/subjects/0/fixed_conditions/model_and_version/model",
            "`Example Model B`",
        ),
        fails(
            "SCHEMA-ROUND-01",
            "a version that is not frozen",
            protocol({"/benchmark_versions/0/benchmark_version": "bm-example-audit@0.3.0"}),
            "/benchmark_versions/0/benchmark_version",
            "`bm-example-audit@0.3.0` is not frozen",
        ),
        *(
            fails("SCHEMA-ROUND-01", f"another {field}", protocol({f"/benchmark_versions/0/{place}": value}),
                  f"/benchmark_versions/0/{field}", f"`{field}` differs")
            for field, place, value in (
                ("algorithms", "algorithms/seed", 7),
                ("difficulty_function", "difficulty_function", "difficulty-function@0.2.0"),
                ("verifier", "verifier/version", "0.1.0"),
            )
        ),
        fails(
            "SCHEMA-ROUND-01",
            "a class without a prediction",
            protocol({PREDICTIONS: [{"difficulty_class": 2, "model_tier": "tier-1", "value": 0.5}]}),
            PREDICTIONS,
            "class 3 has holdout tasks, and nothing is predicted of it for `tier-1`",
        ),
        fails(
            "SCHEMA-ROUND-01",
            "two predictions of one class",
            protocol({f"{PREDICTIONS}/-": {"difficulty_class": 3, "model_tier": "example-tier", "value": 0.75}}),
            f"{PREDICTIONS}/2",
            "class 3 of `example-tier` is predicted more than once",
        ),
    ],
)  # fmt: skip
def test_protocol_is_refused(rule: str, edit: Edit, pointer: str, words: str) -> None:
    """What a protocol gets wrong is told at its place."""
    (found,) = run_check(rounds.unsound_protocol, edit(base_registry()), ROUND)
    assert (found.rule, found.severity, found.path, found.pointer) == (rule, Severity.ERROR, ROUND, pointer)
    assert words in found.message


@pytest.mark.parametrize(
    "after",
    [
        passes("SCHEMA-ROUND-01", "the same protocol", as_is),
        passes(
            "SCHEMA-ROUND-01",
            "registered anew",
            lambda files: edited(with_subject(files), ROUND, {"/registration": NEW_REGISTRATION}),
        ),
        passes("SCHEMA-ROUND-01", "a report beside it", reported),
        passes("SCHEMA-ROUND-01", "the same terms in other words of YAML", lambda files: {**files, ROUND: f"{files[ROUND]}\n"}),
    ],
)  # fmt: skip
def test_protocol_may_change(after: Edit) -> None:
    """A protocol changes together with its registration."""
    assert run_step(rounds.rewritten_protocol, base_registry(), after(base_registry())) == []


@pytest.mark.parametrize(
    ("rule", "after", "pointer"),
    [
        fails("SCHEMA-ROUND-01", "a subject more", with_subject, "/subjects"),
        fails("SCHEMA-ROUND-01", "other prices", protocol({"/price_table": "0.2.0"}), "/price_table"),
    ],
)  # fmt: skip
def test_protocol_may_not_change_alone(rule: str, after: Edit, pointer: str) -> None:
    """Other terms under the old time stamp are found."""
    (found,) = run_step(rounds.rewritten_protocol, base_registry(), after(base_registry()))
    assert (found.rule, found.severity, found.path, found.pointer) == (rule, Severity.ERROR, ROUND, pointer)
    assert "under a registration that stayed the same" in found.message


@pytest.mark.parametrize(
    "edit",
    [
        passes("SCHEMA-ROUND-02", "a planned subject on a planned version", as_is),
        passes("SCHEMA-ROUND-02", "one subject of two", with_subject),
        passes("SCHEMA-ROUND-02", "no protocol, which is ID-06", lambda files: without(files, ROUND)),
    ],
)  # fmt: skip
def test_planned_result_is_let_pass(edit: Edit) -> None:
    """A result that its round planned gives no finding."""
    assert run_check(rounds.unplanned_result, edit(base_registry()), RESULT) == []


@pytest.mark.parametrize(
    ("rule", "edit", "words"),
    [
        fails(
            "SCHEMA-ROUND-02",
            "another harness version",
            lambda files: edited(files, RESULT, {"/harness": "hx-example@0.2.0"}),
            "plans no subject `Example Model A` in `hx-example@0.2.0`",
        ),
        fails(
            "SCHEMA-ROUND-02",
            "a component that was not planned",
            lambda files: edited(files, RESULT, {
                "/components": ["tl-example-read-file@0.1.0"], "/paired_with": "res-example-audit-0-2-0-other",
            }),
            "in `hx-example@0.1.0` with `tl-example-read-file@0.1.0`",
        ),
        fails(
            "SCHEMA-ROUND-02",
            "a version that was not planned",
            protocol({"/benchmark_versions/0/benchmark_version": "bm-example-audit@0.3.0"}),
            "does not plan `bm-example-audit@0.2.0`",
        ),
    ],
)  # fmt: skip
def test_unplanned_result_is_refused(rule: str, edit: Edit, words: str) -> None:
    """A result that its round did not plan is refused."""
    (found,) = run_check(rounds.unplanned_result, edit(base_registry()), RESULT)
    assert (found.rule, found.severity, found.path, found.pointer) == (rule, Severity.ERROR, RESULT, "/round")
    assert words in found.message


@pytest.mark.parametrize(
    "after",
    [
        passes("SCHEMA-ROUND-02", "a result for each subject", reported),
        passes("SCHEMA-ROUND-02", "no report yet", with_subject),
        passes("SCHEMA-ROUND-02", "a report without a protocol", lambda files: without(reported(files), ROUND)),
    ],
)  # fmt: skip
def test_report_is_complete(after: Edit) -> None:
    """A report with all its results is not spoken of."""
    assert run_step(rounds.subject_without_result, base_registry(), after(base_registry())) == []


@pytest.mark.parametrize(
    ("rule", "after", "words"),
    [
        fails(
            "SCHEMA-ROUND-02",
            "a subject that has no result",
            lambda files: with_subject(reported(files)),
            "with `tl-example-read-file@0.1.0` on `bm-example-audit@0.2.0`",
        ),
        fails(
            "SCHEMA-ROUND-02",
            "a result of another round",
            lambda files: edited(reported(files), RESULT, {
                "/round": "example-round-2", "/fixed_conditions/reasoning_setting": "as in example-round-1",
            }),
            "`Example Model A` in `hx-example@0.1.0` on `bm-example-audit@0.2.0`",
        ),
    ],
)  # fmt: skip
def test_missing_result_is_pointed_out(rule: str, after: Edit, words: str) -> None:
    """A planned subject without a result is mentioned, and nothing is held up."""
    (found,) = run_step(rounds.subject_without_result, base_registry(), after(base_registry()))
    assert (found.rule, found.severity, found.path) == (rule, Severity.NOTICE, REPORT)
    assert words in found.message


@pytest.mark.parametrize(
    ("check", "of", "path"), [(rounds.unsound_protocol, ROUND, FROZEN), (rounds.unplanned_result, RESULT, ROUND)]
)
def test_broken_record_is_left_to_its_own_error(check: RecordCheck, of: str, path: str) -> None:
    """Where a named record is broken, the one that names it is told nothing."""
    assert run_check(check, {**base_registry(), path: "{}"}, of) == []
