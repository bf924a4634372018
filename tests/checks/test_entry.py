"""The entry standard: what every record, schema and folder owes."""

import json
from importlib.resources import files as resources
from typing import Any, cast

import pytest

from medgauge_registrar.checks import entry
from medgauge_registrar.checks.catalogue import COVERED_BY, RULES_BY_CHECK, RULES_BY_SCHEMA
from medgauge_registrar.checks.framework import Check
from medgauge_registrar.checks.run import check_reached, check_tree
from medgauge_registrar.checks.schema_rules import SCHEMA_RULES
from medgauge_registrar.classify.classify import classify
from medgauge_registrar.content.redlines import plain_key
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.policy.load import shipped_table
from medgauge_registrar.registry.openness import open_places
from medgauge_registrar.registry.reader import Syntax, read_document
from medgauge_registrar.registry.schemas import SchemaSet, shipped_schema_files, shipped_schemas
from support.cases import Edit, adding, as_is, fails, passes
from support.memory_tree import memory_changes
from support.registries import (
    ABSENT,
    ARTICLE,
    CAPABILITY,
    EXAMPLES,
    RESULT,
    STANDARD,
    Files,
    base_registry,
    context_of,
    edited,
    layout,
    read,
    refused_at,
    registry_of,
    run_check,
    schema_files,
    written,
)

SCHEMA = "schemas/example.schema.json"
PAGE = "articles/2026-11-20-example.html"


def closed(**properties: Any) -> dict[str, Any]:
    """A closed object."""
    return {"type": "object", "additionalProperties": False, "properties": properties}


# Through the runner, which decides what can be said of a record at all -----------------------------------------------


@pytest.mark.rule("ENT-02", "passes")
@pytest.mark.rule("ENT-09", "passes")
@pytest.mark.rule("ENT-11", "passes")
def test_base_registry_is_without_fault() -> None:
    """The registry of these tests, schemas and all, keeps every rule."""
    found = check_tree(context_of(base_registry() | schema_files()))
    assert [item for item in found if item.severity is Severity.ERROR] == []


@pytest.mark.parametrize(
    ("rule", "edit", "pointer", "words"),
    [
        fails("ENT-02", "another type", lambda files: edited(files, STANDARD, {"/public": None}), "/public", "`true` or `false`"),
        fails("ENT-02", "an unknown field", lambda files: edited(files, STANDARD, {"/notes": "x"}), "/notes", "not known"),
        fails("ENT-09", "two documents", lambda files: {**files, STANDARD: files[STANDARD] + "---\na: 1\n"}, None, "document"),
        fails("ENT-09", "an unquoted version of two parts", adding({STANDARD: "version: 1.0\n"}), None, "`1.0`"),
        fails("ENT-09", "a key that comes twice", adding({STANDARD: "id: a\nid: b\n"}), None, "`id`"),
    ],
)  # fmt: skip
def test_broken_record_is_found_by_the_runner(rule: str, edit: Edit, pointer: str | None, words: str) -> None:
    """A record that cannot be read, or breaks its schema, is reported at its place, and nothing is said of its content."""
    found = [item for item in check_tree(context_of(edit(base_registry()))) if item.path == STANDARD]
    assert {item.rule for item in found} == {rule}
    assert words in found[0].message
    assert found[0].line is not None
    if pointer is not None:
        assert found[0].pointer == pointer


@pytest.mark.parametrize("text", ["{}", "a: *b"], ids=["schema", "syntax"])
@pytest.mark.parametrize("path", [path for path in sorted(base_registry()) if layout().place(path).is_record])
def test_broken_record_is_an_error_at_its_own_path_alone(path: str, text: str) -> None:
    """However many records name it, one that is broken leaves them without an error."""
    base, context = registry_of(base_registry()), context_of({**base_registry(), path: text})
    changes = classify(
        memory_changes(base.tree, context.registry.tree), base=base, head=context.registry, table=shipped_table()
    )
    found = check_reached(context, base, [item.change for item in changes])
    assert {item.path for item in found if item.severity is Severity.ERROR} == {path}


@pytest.mark.rule("ENT-11", "fails")
def test_kind_without_a_schema_is_refused() -> None:
    """Records of a kind that the base has no schema for are each refused."""
    sources = {name: data for name, data in shipped_schema_files().items() if name != "standard"}
    context = context_of(base_registry(), schemas=SchemaSet(sources, label="schemas"))
    found = [item for item in check_tree(context) if item.rule == "ENT-11"]
    assert [item.path for item in found] == [
        STANDARD,
        "registry/standards/std-example-international-guideline.yaml",
    ]
    assert all("`schemas/standard.schema.json`" in item.message for item in found)


# One check at a time -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("check", "edit", "path"),
    [
        passes("ENT-06", "no such key", entry.written_evidence_state, as_is, CAPABILITY),
        passes("ENT-07", "a result without a position", entry.hand_typed_board, as_is, RESULT),
        passes("ENT-08", "the published schemas", entry.open_schema, adding(schema_files()), None),
        passes("ENT-10", "an article", entry.rendered_page, as_is, ARTICLE),
        passes("ENT-10", "a page outside the registry", entry.rendered_page, adding({"docs/index.html": "<p>"}), "docs/index.html"),
    ],
)  # fmt: skip
def test_kept_rule_gives_nothing(check: Check, edit: Edit, path: str | None) -> None:
    """What keeps the rule gives no finding."""
    assert run_check(check, edit(base_registry()), path) == []


@pytest.mark.parametrize(
    ("rule", "check", "edit", "path", "words"),
    [
        *(
            fails(
                "ENT-06",
                f"the key {key}",
                entry.written_evidence_state,
                lambda files, key=key: edited(files, CAPABILITY, {f"/{key}": "measured"}),
                CAPABILITY,
                f"`{key}` is derived",
            )
            for key in ("evidence_state", "evidence-state", "EvidenceState", "state_of_evidence")
        ),
        fails(
            "ENT-06",
            "the key inside a field",
            entry.written_evidence_state,
            lambda files: edited(files, CAPABILITY, {"/definition/evidence_state": "measured"}),
            CAPABILITY,
            "`evidence_state` is derived",
        ),
        *(
            fails(
                "ENT-07",
                f"the key {key}",
                entry.hand_typed_board,
                lambda files, key=key: edited(files, RESULT, {f"/{key}": 1}),
                RESULT,
                f"`{key}` is computed",
            )
            for key in ("board", "board_position", "groupLetters", "rank")
        ),
        fails(
            "ENT-08",
            "an open object",
            entry.open_schema,
            adding({SCHEMA: written(closed(place={"type": "object", "properties": {}}))}),
            None,
            "`/properties/place` describes an object and is not closed",
        ),
        fails(
            "ENT-08",
            "a field of any value",
            entry.open_schema,
            adding({SCHEMA: written(closed(place={"description": "Anything."}))}),
            None,
            "`/properties/place` admits any value",
        ),
        fails("ENT-10", "a rendered article", entry.rendered_page, adding({PAGE: "<p>"}), PAGE, "is a rendered page"),
        fails(
            "ENT-10",
            "a rendered page in the registry",
            entry.rendered_page,
            adding({"registry/standards/INDEX.HTM": "<p>"}),
            "registry/standards/INDEX.HTM",
            "is a rendered page",
        ),
    ],
)
def test_broken_rule_gives_one_finding(rule: str, check: Check, edit: Edit, path: str | None, words: str) -> None:
    """What breaks the rule gives one finding, at the file, which says what was found."""
    (found,) = run_check(check, edit(base_registry()), path)
    assert (found.rule, found.path) == (rule, path or SCHEMA)
    assert words in found.message


def test_no_schema_has_a_key_that_is_refused() -> None:
    """A field that a schema asks for is never refused as derived."""
    for name, schema in ((name, shipped_schemas().schema(name)) for name in shipped_schemas().names):
        pending: list[Any] = [schema]
        while pending:
            node = pending.pop()
            if isinstance(node, dict):
                for key in node.get("properties", {}):
                    assert plain_key(key) not in entry._EVIDENCE_STATE | entry._DERIVED, (name, key)
                pending.extend(node.values())
            elif isinstance(node, list):
                pending.extend(node)


# Open schemas --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "schema",
    [
        closed(a={"type": "string"}),
        {"type": "object", "unevaluatedProperties": False, "properties": {"a": {"$ref": "#/$defs/a"}}},
        closed(
            a={"type": "object", "additionalProperties": {"type": "integer"}, "propertyNames": {}, "maxProperties": 9}
        ),
        {**closed(a={"enum": ["x"]}), "if": {"properties": {"a": {}}}, "then": {"properties": {"a": {}}}},
        {"$id": "https://example.org/0.1.0/a.schema.json", "$defs": {"a": {"type": "string"}}},
        closed(a={"allOf": [{"$ref": "#/$defs/a"}, {"properties": {"b": {}}}]}),
    ],
)
def test_closed_schema(schema: Any) -> None:
    """Closed objects, maps with bounds, and schemas that only narrow others are closed."""
    assert list(open_places(schema)) == []


@pytest.mark.parametrize(
    ("schema", "places"),
    [
        (True, [""]),
        ({"type": "object"}, [""]),
        ({"title": "Example", "properties": {"a": {"type": "string"}}}, [""]),
        ({"type": "object", "additionalProperties": True}, [""]),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, [""]),
        (closed(a={}), ["/properties/a"]),
        (closed(a=True), ["/properties/a"]),
        (closed(a={"minLength": 1}), ["/properties/a"]),
        (closed(a={"type": ["object", "null"]}), ["/properties/a"]),
        (closed(a={"type": "array", "items": {"type": "object"}}), ["/properties/a/items"]),
        (closed(a={"type": "array", "prefixItems": [{"type": "object"}]}), ["/properties/a/prefixItems/0"]),
        (closed(a={"anyOf": [{"type": "object"}, {"type": "null"}]}), ["/properties/a/anyOf/0"]),
        ({**closed(), "$defs": {"a/b": {"type": "object"}}}, ["/$defs/a~1b"]),
        ({**closed(), "patternProperties": {"^a$": {"type": "object"}}}, ["/patternProperties/^a$"]),
    ],
)
def test_open_schema(schema: Any, places: list[str]) -> None:
    """Each place that admits what it does not name is found."""
    assert [place for place, _ in open_places(schema)] == places


# Tables --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", SCHEMA_RULES)
def test_schema_rule_refuses_its_examples(rule: str) -> None:
    """Each rule that a schema decides has defects under its id among that schema's examples; each is reported as ENT-02."""
    name = SCHEMA_RULES[rule].schema
    assert SCHEMA_RULES[rule].line.endswith(".")
    document = read_document((EXAMPLES / name / "invalid.yaml").read_bytes(), syntax=Syntax.YAML)
    defects: Any = [defect for defect in cast(list[Any], document.value) if defect["rule"] == rule]
    assert defects
    first = min((EXAMPLES / name / "valid").iterdir())
    for defect in defects:
        fields = read(EXAMPLES / name / "valid" / defect["base"] if "base" in defect else first)
        changes = {item["path"]: item.get("value", ABSENT) for item in defect["change"]}
        broken = read(edited({"example": written(fields)}, "example", changes)["example"])
        problems = shipped_schemas().problems(name, broken)
        assert (defect["expect"]["pointer"], defect["expect"]["keyword"]) in refused_at(problems)


def test_rules_are_decided_in_one_place() -> None:
    """No rule is decided by a schema and by a check, or covered by others as well."""
    assert not RULES_BY_CHECK & RULES_BY_SCHEMA
    assert not COVERED_BY.keys() & (RULES_BY_CHECK | RULES_BY_SCHEMA)


def test_covering_rules_exist() -> None:
    """A rule that others cover names rules of the catalogue, and says why they do."""
    data = resources("medgauge_registrar.data").joinpath("rules.yml").read_bytes()
    known = {item["id"] for item in cast(list[Any], read_document(data, syntax=Syntax.YAML).value)}
    assert {rule for covered in COVERED_BY.values() for rule in covered.by} | COVERED_BY.keys() <= known
    assert all(covered.by and covered.because.endswith(".") for covered in COVERED_BY.values())


def test_helper_writes_what_it_reads() -> None:
    """The helper of these tests keeps a record's values, decimals among them."""
    files: Files = edited(base_registry(), RESULT, {})
    assert json.loads(files[RESULT]) == json.loads(base_registry()[RESULT])
