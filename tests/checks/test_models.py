"""Rules of models: listed beside a result, with the snapshots that results name."""

import pytest

from medgauge_registrar.checks import models
from medgauge_registrar.model.finding import Severity
from support.cases import Edit, as_is, fails, passes
from support.registries import MODEL, RESULT, Files, base_registry, copied, edited, moved, run_check, without
from support.steps import run_step

NAME = "Example/Modèle B"
OTHER = "registry/models/Example%2FMod%C3%A8le%20B.yaml"
OTHER_RESULT = RESULT.replace("model-a", "model-b")
FINGERPRINT = {
    "/fixed_conditions/service_snapshot": {"kind": "fingerprint", "value": "fp-1"},
    "/snapshot_fingerprint": "fp-1",
}


def with_model(files: Files) -> Files:
    """Add a model."""
    return copied(files, MODEL, OTHER, {"/vendor_name": NAME})


def with_result(files: Files) -> Files:
    """Add a result of that model; its name is written with escapes."""
    added = copied(files, RESULT, OTHER_RESULT, {"/model": NAME})
    return {**added, OTHER_RESULT: added[OTHER_RESULT].replace(NAME, r"Example\/Mod\u00e8le B")}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        passes("SCHEMA-MODEL-01", "with its first result", as_is, lambda files: with_model(with_result(files))),
        passes("SCHEMA-MODEL-01", "after a result", with_result, lambda files: with_model(with_result(files))),
        passes("SCHEMA-MODEL-01", "an edit", as_is, lambda files: edited(without(files, RESULT), MODEL, {"/vendor": "Other"})),
        passes("SCHEMA-MODEL-01", "a model of a result there is", lambda files: without(files, MODEL), as_is),
    ],
)  # fmt: skip
def test_model_is_let_in(before: Edit, after: Edit) -> None:
    """A model that a result names may enter."""
    files = base_registry()
    assert run_step(models.model_without_result, before(files), after(files)) == []


@pytest.mark.parametrize(
    ("rule", "before", "after"),
    [
        fails("SCHEMA-MODEL-01", "no result names it", as_is, with_model),
        fails(
            "SCHEMA-MODEL-01",
            "a result of another model mentions it",
            as_is,
            lambda files: with_model(edited(files, RESULT, {"/fixed_conditions/reasoning_setting": NAME})),
        ),
        fails(
            "SCHEMA-MODEL-01",
            "its result breaks the schema",
            as_is,
            lambda files: edited(with_model(with_result(files)), OTHER_RESULT, {"/verification/state": "claimed"}),
        ),
        fails(
            "SCHEMA-MODEL-01",
            "an entry that was moved to another name",
            as_is,
            lambda files: edited(moved(files, MODEL, OTHER), OTHER, {"/vendor_name": NAME}),
        ),
    ],
)  # fmt: skip
def test_model_is_refused(rule: str, before: Edit, after: Edit) -> None:
    """A model that no result names is not listed."""
    files = base_registry()
    (found,) = run_step(models.model_without_result, before(files), after(files))
    assert (found.rule, found.severity, found.path) == (rule, Severity.ERROR, OTHER)
    assert f"`{NAME}`" in found.message


@pytest.mark.parametrize(
    "edit",
    [
        passes("SCHEMA-MODEL-03", "a listed snapshot", as_is),
        passes("SCHEMA-MODEL-03", "a fingerprint", lambda files: edited(files, RESULT, FINGERPRINT)),
        passes("SCHEMA-MODEL-03", "no entry, which is ID-06", lambda files: without(files, MODEL)),
    ],
)  # fmt: skip
def test_snapshot_is_let_pass(edit: Edit) -> None:
    """A snapshot that the entry lists, and a fingerprint, give no finding."""
    assert run_check(models.unlisted_snapshot, edit(base_registry()), RESULT) == []


@pytest.mark.parametrize(
    ("rule", "edit", "pointer", "words"),
    [
        fails(
            "SCHEMA-MODEL-03",
            "another snapshot",
            lambda files: edited(files, MODEL, {"/snapshots": ["example-model-a-2026-11"]}),
            "/fixed_conditions/service_snapshot/value",
            "`example-model-a-2026-10` is no snapshot",
        ),
    ],
)  # fmt: skip
def test_snapshot_is_refused(rule: str, edit: Edit, pointer: str, words: str) -> None:
    """A snapshot that the entry does not list is refused at its place."""
    (found,) = run_check(models.unlisted_snapshot, edit(base_registry()), RESULT)
    assert (found.rule, found.severity, found.path, found.pointer) == (rule, Severity.ERROR, RESULT, pointer)
    assert words in found.message
