"""Rules of grading references: what they refuse, what they let pass, and what they only tell."""

from collections.abc import Mapping
from typing import Any

import pytest

from medgauge_registrar.checks import grading_references
from medgauge_registrar.checks.framework import RecordCheck
from medgauge_registrar.model.finding import Severity
from support.cases import Edit, as_is, fails, passes
from support.registries import (
    CAPABILITY,
    CARD,
    FROZEN,
    REFERENCE,
    STANDARD,
    TOOL_STATE,
    UNFROZEN,
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
from support.steps import run_step

STATE = "registry/lifecycle/gr/gr-example-dose@0.1.0.yaml"
VETO = "registry/references/gr-example-dose/0.2.0.yaml"
VETO_STATE = "registry/lifecycle/gr/gr-example-dose@0.2.0.yaml"
FORMULARY = "registry/standards/std-example-formulary.yaml"
NEXT = "registry/benchmarks/bm-example-audit/versions/0.4.0.yaml"
LONG = "The clause goes on and on, and somebody copied it as it stands, word for word, to the very end."


def change(path: str, changes: Mapping[str, Any]) -> Edit:
    """Change one record."""
    return lambda files: edited(files, path, changes)


def with_veto(veto: Mapping[str, Any] | None = None, state: Mapping[str, Any] | None = None) -> Edit:
    """Add a reference with a veto and disagreeing sources, and its lifecycle record."""
    more = {
        VETO: written({**example("grading-reference", "role-bound-veto"), **(veto or {})}),
        VETO_STATE: written({**example("lifecycle", "reference-listed"), **(state or {})}),
        FORMULARY: written(example("standard", "unconfirmed")),
    }
    return lambda files: {**files, **more}


def checked(files: Files) -> Files:
    """The clause of the reference that the frozen version uses was checked."""
    return edited(files, REFERENCE, {"/check_date": "2026-11-02"})


@pytest.mark.parametrize(
    ("check", "edit", "path"),
    [
        passes("SCHEMA-GR-03", "a public standard", grading_references.closed_source, as_is, REFERENCE),
        passes("SCHEMA-GR-03", "two public sources", grading_references.closed_source, with_veto(), VETO),
        passes("SCHEMA-GR-04", "a veto on a checked clause", grading_references.veto_without_checked_clause, with_veto(), VETO),
        passes("SCHEMA-GR-04", "the day repeated", grading_references.veto_without_checked_clause, with_veto(), VETO_STATE),
        passes(
            "SCHEMA-GR-04",
            "a later check",
            grading_references.veto_without_checked_clause,
            with_veto(state={"check_date": "2026-11-20"}),
            VETO_STATE,
        ),
        passes("SCHEMA-GR-04", "no veto, no check", grading_references.veto_without_checked_clause, as_is, STATE),
        passes("SCHEMA-GR-04", "a tool", grading_references.veto_without_checked_clause, as_is, TOOL_STATE),
        passes("SCHEMA-GR-06", "a rule in plain words", grading_references.origin_in_reference, as_is, REFERENCE),
        passes(
            "SCHEMA-GR-06",
            "a versioned name and a rate",
            grading_references.origin_in_reference,
            change(REFERENCE, {"/condition": "As gr-example-unit@0.1.0 says, at 5 @ 10 per hour."}),
            REFERENCE,
        ),
        passes("SCHEMA-GR-07", "the followed source is given", grading_references.unnamed_side, with_veto(), VETO),
        passes("SCHEMA-GR-07", "sources that agree", grading_references.unnamed_side, as_is, REFERENCE),
        passes(
            "SCHEMA-GR-08", "a checked clause", grading_references.unchecked_reference_in_use, checked, FROZEN
        ),
        passes(
            "SCHEMA-GR-08",
            "a check in the lifecycle record",
            grading_references.unchecked_reference_in_use,
            lambda files: edited(
                edited(files, REFERENCE, {"/check_date": None}), STATE, {"/check_date": "2026-11-02"}
            ),
            FROZEN,
        ),
        passes("SCHEMA-GR-08", "a draft", grading_references.unchecked_reference_in_use, as_is, UNFROZEN),
        passes(
            "SCHEMA-GR-08",
            "a broken lifecycle record, which has an error of its own",
            grading_references.unchecked_reference_in_use,
            lambda files: {**edited(files, REFERENCE, {"/check_date": None}), STATE: "{}"},
            FROZEN,
        ),
        passes("SCHEMA-GR-09", "own words", grading_references.copied_clause, as_is, REFERENCE),
        passes(
            "SCHEMA-GR-09",
            "a short quotation",
            grading_references.copied_clause,
            change(REFERENCE, {"/rule": 'The unit is "mg" or "mL".'}),
            REFERENCE,
        ),
        passes("SCHEMA-GR-10", "a veto that must", grading_references.advisory_veto, with_veto(), VETO),
        passes("SCHEMA-GR-10", "an advice without veto", grading_references.advisory_veto, as_is, REFERENCE),
        passes("SCHEMA-GR-11", "the layer of its capability", grading_references.foreign_layer, as_is, REFERENCE),
        passes(
            "SCHEMA-GR-11",
            "the layer of one of two capabilities",
            grading_references.foreign_layer,
            lambda files: edited(
                edited(files, CAPABILITY, {"/layer": "capability"}), REFERENCE, {"/capabilities": ["D.1", "X.1"]}
            ),
            REFERENCE,
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
            "SCHEMA-GR-03",
            "a standard that is not public",
            grading_references.closed_source,
            change(STANDARD, {"/public": False}),
            REFERENCE,
            "/standard",
            "`std-example-guideline` is not public",
        ),
        fails(
            "SCHEMA-GR-03",
            "one of the sources",
            grading_references.closed_source,
            lambda files: edited(with_veto()(files), FORMULARY, {"/public": False}),
            VETO,
            "/sources/1/standard",
            "`std-example-formulary` is not public",
        ),
        fails(
            "SCHEMA-GR-04",
            "a check that lies ahead",
            grading_references.veto_without_checked_clause,
            with_veto({"check_date": "2026-11-30"}),
            VETO,
            "/check_date",
            "checked on `2026-11-30`",
        ),
        fails(
            "SCHEMA-GR-04",
            "a check taken back",
            grading_references.veto_without_checked_clause,
            with_veto(state={"check_date": None, "listing": "unlisted"}),
            VETO_STATE,
            "/check_date",
            "is `null`, and the veto rests on the check of `2026-11-09`",
        ),
        fails(
            "SCHEMA-GR-04",
            "an earlier check",
            grading_references.veto_without_checked_clause,
            with_veto(state={"check_date": "2026-11-08"}),
            VETO_STATE,
            "/check_date",
            "is `2026-11-08`",
        ),
        fails(
            "SCHEMA-GR-06",
            "an address",
            grading_references.origin_in_reference,
            change(REFERENCE, {"/condition": "As example-person-1@example.org saw it."}),
            REFERENCE,
            "/condition",
            "an address, an account or a number of a person",
        ),
        fails(
            "SCHEMA-GR-06",
            "an account",
            grading_references.origin_in_reference,
            change(REFERENCE, {"/locator": "section 4, found by @example-person-1"}),
            REFERENCE,
            "/locator",
            "an address, an account or a number of a person",
        ),
        fails(
            "SCHEMA-GR-06",
            "the number of a researcher, among the sources",
            grading_references.origin_in_reference,
            lambda files: edited(with_veto()(files), VETO, {"/sources/0/position": "See 0000-0000-0000-000X."}),
            VETO,
            "/sources/0/position",
            "an address, an account or a number of a person",
        ),
        fails(
            "SCHEMA-GR-07",
            "a followed source that is not given",
            grading_references.unnamed_side,
            with_veto({"standard": "std-example-international-guideline"}),
            VETO,
            "/sources",
            "`std-example-international-guideline` is followed",
        ),
        fails(
            "SCHEMA-GR-08",
            "a clause that nobody checked",
            grading_references.unchecked_reference_in_use,
            change(REFERENCE, {"/check_date": None}),
            FROZEN,
            "/reference_summary/0/grading_reference",
            "the clause of `gr-example-dose@0.1.0` was not checked",
        ),
        fails(
            "SCHEMA-GR-08",
            "no lifecycle record either",
            grading_references.unchecked_reference_in_use,
            lambda files: edited(without(files, STATE), REFERENCE, {"/check_date": None}),
            FROZEN,
            "/reference_summary/0/grading_reference",
            "was not checked",
        ),
    ],
)  # fmt: skip
def test_record_is_refused(rule: str, check: RecordCheck, edit: Edit, path: str, pointer: str, words: str) -> None:
    """What breaks the rule gives one error at its place, which says what was found."""
    (found,) = run_check(check, edit(base_registry()), path)
    assert (found.rule, found.severity, found.path, found.pointer) == (rule, Severity.ERROR, path, pointer)
    assert words in found.message


@pytest.mark.parametrize(
    ("rule", "check", "edit", "path", "pointer", "severity"),
    [
        fails(
            "SCHEMA-GR-09",
            "a long quotation",
            grading_references.copied_clause,
            change(REFERENCE, {"/condition": f"The text says: “{LONG}”"}),
            REFERENCE,
            "/condition",
            Severity.NOTICE,
        ),
        fails(
            "SCHEMA-GR-09",
            "a rule of many sentences",
            grading_references.copied_clause,
            change(REFERENCE, {"/rule": " ".join([LONG] * 7)}),
            REFERENCE,
            "/rule",
            Severity.NOTICE,
        ),
        fails(
            "SCHEMA-GR-10",
            "a veto that should",
            grading_references.advisory_veto,
            with_veto({"polarity": "should-not"}),
            VETO,
            "/polarity",
            Severity.WARNING,
        ),
        fails(
            "SCHEMA-GR-11",
            "another layer",
            grading_references.foreign_layer,
            change(CAPABILITY, {"/layer": "capability"}),
            REFERENCE,
            "/layer",
            Severity.NOTICE,
        ),
    ],
)  # fmt: skip
def test_record_is_remarked_on(
    rule: str, check: RecordCheck, edit: Edit, path: str, pointer: str, severity: Severity
) -> None:
    """What is only told gives a notice or a warning, which blocks nothing."""
    (found,) = run_check(check, edit(base_registry()), path)
    assert check.informs
    assert (found.rule, found.severity, found.path, found.pointer) == (rule, severity, path, pointer)


def test_absent_records_are_left_to_the_rule_of_references() -> None:
    """Where a record that is named does not exist, ID-06 says so and these rules are silent."""
    files = without(base_registry(), STANDARD, CAPABILITY, REFERENCE)
    assert run_check(grading_references.closed_source, with_veto()(without(files, STANDARD)), VETO) == []
    assert run_check(grading_references.foreign_layer, with_veto({"capabilities": ["X.3"]})(files), VETO) == []
    assert run_check(grading_references.unchecked_reference_in_use, files, FROZEN) == []
    assert run_check(grading_references.veto_without_checked_clause, files, STATE) == []


# Steps ---------------------------------------------------------------------------------------------------------------

APPLIED = {"/scoring/reference_level_veto": "applied"}


def with_next_version(files: Files, notice: str | None, *, frozen: bool = True) -> Files:
    """Add the next version, which supersedes none so that the schema asks for no notice."""
    if frozen:
        return copied(files, FROZEN, NEXT, {"/version": "0.4.0", "/notice": notice, "/hash_manifest": None})
    return copied(files, UNFROZEN, NEXT, {"/version": "0.4.0"})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        passes(
            "SCHEMA-GR-05",
            "with a new version and its notice",
            as_is,
            lambda files: edited(with_next_version(files, "2026-11-28-example-veto"), CARD, APPLIED),
        ),
        passes(
            "SCHEMA-GR-05",
            "nothing is frozen yet",
            lambda files: without(files, FROZEN),
            lambda files: edited(without(files, FROZEN), CARD, APPLIED),
        ),
        passes("SCHEMA-GR-05", "applied before", change(CARD, APPLIED), change(CARD, {**APPLIED, "/title": "Example"})),
        passes("SCHEMA-GR-05", "turned off", change(CARD, APPLIED), as_is),
    ],
)  # fmt: skip
def test_step_is_let_pass(before: Edit, after: Edit) -> None:
    """A step that keeps the rule gives no finding."""
    files = base_registry()
    assert run_step(grading_references.veto_turned_on_in_place, before(files), after(files)) == []


@pytest.mark.parametrize(
    ("rule", "before", "after"),
    [
        fails("SCHEMA-GR-05", "in place", as_is, change(CARD, APPLIED)),
        fails(
            "SCHEMA-GR-05",
            "a new version without a notice",
            as_is,
            lambda files: edited(with_next_version(files, None), CARD, APPLIED),
        ),
        fails(
            "SCHEMA-GR-05",
            "a new version that is not frozen",
            as_is,
            lambda files: edited(with_next_version(files, None, frozen=False), CARD, APPLIED),
        ),
        fails(
            "SCHEMA-GR-05",
            "a version that cannot be shown to be open",
            lambda files: {**files, FROZEN: "{}"},
            lambda files: edited({**files, FROZEN: "{}"}, CARD, APPLIED),
        ),
        fails(
            "SCHEMA-GR-05",
            "a new version of another family",
            as_is,
            lambda files: edited(
                {
                    **files,
                    "registry/benchmarks/bm-example-other/versions/0.1.0.yaml": written(
                        {**read(files[FROZEN]), "id": "bm-example-other", "notice": "2026-11-28-example-veto"}
                    ),
                },
                CARD,
                APPLIED,
            ),
        ),
    ],
)  # fmt: skip
def test_step_is_refused(rule: str, before: Edit, after: Edit) -> None:
    """A veto that is turned on for results that were graded without it is refused at its place."""
    files = base_registry()
    (found,) = run_step(grading_references.veto_turned_on_in_place, before(files), after(files))
    assert (found.rule, found.path, found.pointer) == (rule, CARD, "/scoring/reference_level_veto")
    assert found.severity is Severity.ERROR
