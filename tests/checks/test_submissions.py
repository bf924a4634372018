"""Task submissions: the form stays narrow, and no filled one comes in."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from medgauge_registrar.checks import submissions
from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.report.withhold import public_findings
from support.cases import Edit, fails, passes
from support.content import scan
from support.registries import (
    EXAMPLES,
    STANDARD,
    Files,
    base_registry,
    example,
    read,
    run_changes,
    run_check,
    schema_files,
    without,
    written,
)

FORM = "schemas/task-submission.schema.json"
COMMON = "schemas/common.schema.json"
ITEMS = "/properties/checks/items"
FILLED = (EXAMPLES / "task-submission" / "valid" / "complete.yaml").read_text(encoding="utf-8")


def registry() -> Files:
    """The base registry with its schemas."""
    return {**base_registry(), **schema_files()}


def form(change: Callable[[Any], object], path: str = FORM) -> Edit:
    """Change a schema."""

    def edit(files: Files) -> Files:
        schema = json.loads(files[path])
        change(schema)
        return {**files, path: json.dumps(schema, indent=2)}

    return edit


def filed(path: str, text: str) -> list[Finding]:
    """What is found of this kind where a file comes in."""
    return [found for found in scan(path, text) if found.rule == "BND-09"]


@pytest.mark.parametrize(
    "edit",
    [
        passes("SCHEMA-TSUB-01", "the published form", lambda files: files),
        passes("SCHEMA-TSUB-01", "no schemas of its own", lambda files: without(files, *schema_files())),
        passes(
            "SCHEMA-TSUB-01",
            "a narrower form",
            form(lambda schema: schema["properties"].pop("variant_relation")),
        ),
        passes(
            "SCHEMA-TSUB-01",
            "a definition that the form does not use",
            form(lambda schema: schema["$defs"].update(author={"type": "string", "maxLength": 9000}), COMMON),
        ),
    ],
)
def test_narrow_form_is_let_pass(edit: Edit) -> None:
    """The form as published, and a narrower one, give no finding."""
    assert run_check(submissions.widened_form, edit(registry())) == []


def _text(length: int) -> dict[str, Any]:
    return {"description": "x", "type": "string", "maxLength": length}


@pytest.mark.parametrize(
    ("rule", "edit", "words"),
    [
        fails("SCHEMA-TSUB-01", "no form", lambda files: without(files, FORM), "there is no"),
        fails("SCHEMA-TSUB-01", "a form nobody can read", lambda files: {**files, FORM: "[]"}, "cannot be read"),
        fails("SCHEMA-TSUB-01", "a form with a fault", lambda files: {**files, FORM: "{"}, "cannot be read"),
        fails(
            "SCHEMA-TSUB-01",
            "an item more",
            form(lambda schema: schema["properties"].update(remarks=_text(100))),
            "`/properties/remarks` is no item",
        ),
        fails(
            "SCHEMA-TSUB-01",
            "a field for the origin of a check",
            form(lambda schema: schema["$defs"]["check"]["properties"].update(submitted_by=_text(100))),
            "`/$defs/check` has a field `submitted_by`",
        ),
        fails(
            "SCHEMA-TSUB-01",
            "a field for the origin in what the form refers to",
            form(lambda schema: schema["$defs"]["verifier"]["properties"].update(author=_text(100)), COMMON),
            "`/properties/verifier` has a field `author`",
        ),
        fails(
            "SCHEMA-TSUB-01",
            "a field for the origin under a condition",
            form(lambda schema: schema.update(allOf=[{"properties": {"hospital": True}}])),
            "`/allOf/0` has a field `hospital`",
        ),
        fails(
            "SCHEMA-TSUB-01",
            "fields by a pattern",
            form(lambda schema: schema.update(patternProperties={"^x-": _text(100)})),
            "admits fields by a pattern",
        ),
        fails(
            "SCHEMA-TSUB-01",
            "a text of many lines",
            form(lambda schema: schema["$defs"]["check"]["properties"]["rule"].update({"$ref": "common.schema.json#/$defs/text"})),
            "`/$defs/check/properties/rule` takes texts of more than 300 characters",
        ),
        fails(
            "SCHEMA-TSUB-01",
            "a text without an end",
            form(lambda schema: schema["properties"]["variant_relation"]["properties"].update(kind={"type": "string"})),
            "`/properties/variant_relation/properties/kind` takes texts",
        ),
        fails(
            "SCHEMA-TSUB-01",
            "a line that grew longer in the shared definitions",
            form(lambda schema: schema["$defs"]["line"].update(maxLength=4000), COMMON),
            "takes texts of more than 300 characters",
        ),
        fails(
            "SCHEMA-TSUB-01",
            "a reference that leads nowhere",
            form(lambda schema: schema["properties"]["family"].update({"$ref": "common.schema.json#/$defs/nothing"})),
            "`/properties/family` refers to `common.schema.json#/$defs/nothing`, which is not there",
        ),
        fails(
            "SCHEMA-TSUB-01",
            "a declaration that may be false",
            form(lambda schema: schema["properties"]["declarations"]["properties"].update(
                no_origin_identifier={"description": "x", "type": "boolean"})),
            "`/properties/declarations/properties/no_origin_identifier` is not required to be true",
        ),
        fails(
            "SCHEMA-TSUB-01",
            "a declaration that may be left out",
            form(lambda schema: schema["properties"]["declarations"]["required"].remove("no_origin_identifier")),
            "`/properties/declarations/properties/no_origin_identifier` is not required to be true",
        ),
        fails(
            "SCHEMA-TSUB-01",
            "a declaration more",
            form(lambda schema: schema["properties"]["declarations"]["properties"].update(
                permission_of_the_ward={"description": "x", "const": True})),
            "`/properties/declarations/properties/permission_of_the_ward` is no declaration",
        ),
        fails(
            "SCHEMA-TSUB-01",
            "declarations that may be left out",
            form(lambda schema: schema["required"].remove("declarations")),
            "`/required` does not ask for `declarations`",
        ),
        fails(
            "SCHEMA-TSUB-01",
            "an open form",
            form(lambda schema: schema.pop("additionalProperties")),
            "`/` is not closed",
        ),
        fails(
            "SCHEMA-TSUB-01",
            "an open object inside",
            form(lambda schema: schema["$defs"]["check"].update(additionalProperties=True)),
            "`/$defs/check` describes an object and is not closed",
        ),
    ],
)  # fmt: skip
def test_wider_form_is_refused(rule: str, edit: Edit, words: str) -> None:
    """Whatever opens the form is found in its file."""
    found = run_check(submissions.widened_form, edit(registry()))
    assert {(one.rule, one.severity, one.path) for one in found} == {(rule, Severity.ERROR, FORM)}
    assert any(words in one.message for one in found)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        passes("BND-09", "the empty form", "schemas/copy.schema.json", schema_files()[FORM]),
        passes("BND-09", "the empty form in YAML, in another folder", "docs/form.yaml", schema_files()[FORM]),
        passes("BND-09", "a record that is valid", STANDARD.replace("guideline", "other"), written({
            **example("standard", "guideline"), "id": "std-example-other",
        })),
        passes("BND-09", "settings with labels", "notes/settings.yaml", "labels: {bug: red}\ndeclarations: []\n"),
        passes("BND-09", "a text about the form", "docs/form.md", "labels: …\nmaterials_hash: …\nseeded_defects: …\n"),
        passes("BND-09", "a document that cannot be read", "notes/broken.yaml", "labels: [\n"),
        passes("BND-09", "another document", "notes/list.json", "[1, 2, {\"a\": null}]"),
    ],
)  # fmt: skip
def test_other_file_is_let_in(path: str, text: str) -> None:
    """Forms, records, settings and texts give no finding."""
    assert filed(path, text) == []


@pytest.mark.parametrize(
    ("rule", "path", "text"),
    [
        fails("BND-09", "in a folder of its own", "submissions/task.yaml", FILLED),
        fails("BND-09", "among the schemas", "schemas/example.yml", FILLED),
        fails("BND-09", "in the place of a record", STANDARD.replace("guideline", "other"), FILLED),
        fails("BND-09", "as JSON", "task.JSON", written(read(FILLED))),
        fails("BND-09", "inside another document", "notes/all.json", written({"tasks": [{"task": read(FILLED)}]})),
        fails("BND-09", "with other words for the labels", "task.yaml", FILLED.replace("T1: short", "T1: brief")),
        fails("BND-09", "a part of it", "task.yaml", "labels: {T1: short}\nmaterials_hash: abc\nseeded_defects: []\n"),
        fails("BND-09", "in YAML that no strict reader takes", "task.yaml", f"x: &x 1\ny: *x\n{FILLED}"),
        fails("BND-09", "cut off in the middle", "task.json", written(read(FILLED))[:-20]),
    ],
)  # fmt: skip
def test_filled_submission_is_refused(rule: str, path: str, text: str) -> None:
    """A filled form is found wherever it lies, and the finding quotes nothing of it."""
    (found,) = filed(path, text)
    assert (found.rule, found.severity) == (rule, Severity.ERROR)
    assert "`" not in found.message + found.help
    (public,) = public_findings([found])
    assert (public.path, public.line, public.column, public.pointer) == (None, None, None, None)
    assert (public.message, public.help) == (found.message, found.help)


def test_submission_that_leaves_is_not_found() -> None:
    """Taking a filled form out of the tree is no new exposure."""
    files = {**registry(), "task.yaml": FILLED}
    assert "BND-09" not in {found.rule for found in run_changes(files, registry())}
