"""What a refusal says: the place, the value found, what was expected and when, and what to do."""

import json
from typing import Any

import pytest

from medgauge_registrar.registry.schema_words import SchemaProblem
from medgauge_registrar.registry.schemas import SchemaSet, shipped_schemas

CLOSED = {"type": "object", "additionalProperties": False}


def refusals(schema: dict[str, Any], value: Any) -> list[SchemaProblem]:
    """What is said of a value that breaks a schema."""
    sources = {"example": json.dumps({"$id": "https://example.org/example.schema.json", **schema}).encode()}
    return list(SchemaSet(sources, label="schemas").problems("example", value))


def told(schema: dict[str, Any], value: Any) -> list[tuple[str, str]]:
    return [(problem.pointer, problem.message) for problem in refusals(schema, value)]


def test_unknown_keys_are_named_one_by_one_where_they_stand() -> None:
    """Each unknown key has a problem of its own, at the key and not at the object around it."""
    schema = {**CLOSED, "properties": {"a": {**CLOSED, "properties": {"b": {}}}}}
    assert told(schema, {"a": {"c": 1, "d/e": 2}, "f": 3}) == [
        ("/a/c", "`c` is not known here; known fields here are `b`"),
        ("/a/d~1e", "`d/e` is not known here; known fields here are `b`"),
        ("/f", "`f` is not known here; known fields here are `a`"),
    ]


def test_a_key_that_a_pattern_admits_is_known() -> None:
    """Of several keys only those that nothing admits are named."""
    schema = {**CLOSED, "properties": {"a": {}}, "patternProperties": {"^x-": {}}}
    assert told(schema, {"a": 1, "x-b": 2, "c": 3}) == [("/c", "`c` is not known here; known fields here are `a`")]


def test_names_of_fields_are_refused_where_they_stand() -> None:
    """A name that a list or a form of names refuses is no different from an unknown key."""
    assert told({"propertyNames": {"enum": ["b", "a"]}}, {"c": 1}) == [
        ("/c", "`c` is not known here; known fields here are `a`, `b`")
    ]
    assert told({"propertyNames": {"pattern": "^[a-z]$"}}, {"C": 1}) == [
        ("/C", "as the name of a field found `C`, which does not have the form `^[a-z]$`")
    ]


@pytest.mark.parametrize(
    ("asked", "value", "words"),
    [
        ({"required": ["s"], "properties": {"s": {"const": "on"}}}, {"s": "on"}, ", since `s` is `on`"),
        ({"properties": {"s": {"enum": ["on", "up"]}}}, {"s": "up"}, ", since `s` is `on` or `up`"),
        ({"properties": {"s": {"not": {"const": "on"}}}}, {"s": "up"}, ", since `s` is not `on`"),
        ({"properties": {"s": {"type": "string", "pattern": "^o"}}}, {"s": "on"}, ", since `s` has the form `^o`"),
        ({"properties": {"s": {"type": "string"}}}, {"s": "on"}, ", since `s` is a text"),
        ({"properties": {"s": {"minItems": 1}}}, {"s": [1]}, ", since `s` is not empty"),
        ({"properties": {"s": {"contains": {"const": "on"}}}}, {"s": ["on"]}, ", since `s` holds `on`"),
        ({"properties": {"s": {"properties": {"t": {"const": 1}}}}}, {"s": {"t": 1}}, ", since `s.t` is `1`"),
        ({"properties": {"s": {"const": 1}, "t": {"const": 2}}}, {"s": 1, "t": 2}, ", since `s` is `1` and `t` is `2`"),
        ({"required": ["s"]}, {"s": 1}, ", since `s` is given"),
        ({"not": {"required": ["s"]}}, {}, ", since `s` is missing"),
        (True, {}, ""),
        # Half a condition would mislead.
        ({"properties": {"s": {"const": 1}}, "anyOf": [True]}, {"s": 1}, ""),
    ],
)  # fmt: skip
def test_a_condition_is_told(asked: dict[str, Any], value: Any, words: str) -> None:
    """What only some records owe is said with the reason why this one does."""
    assert told({"if": asked, "then": {"required": ["x"]}}, value) == [("", f"`x` is missing{words}")]
    assert told({"allOf": [{"if": asked, "then": {"required": ["x"]}}]}, {**value, "x": 1}) == []


def test_the_other_branch_is_told_too() -> None:
    """What is asked for unless a condition holds says so; of conditions inside one another the nearest counts."""
    inner = {"if": {"required": ["t"]}, "then": {"required": ["x"]}}
    schema = {
        "if": {"properties": {"s": {"const": "on"}}},
        "then": inner,
        "else": {"properties": {"d": {"type": "null"}}},
    }
    assert told(schema, {"s": "off", "d": {"a": 1}}) == [
        ("/d", "found a mapping of 1 field, expected `null`, unless `s` is `on`")
    ]
    assert told(schema, {"s": "on", "t": 1}) == [("", "`x` is missing, since `t` is given")]


@pytest.mark.parametrize(
    ("schema", "value", "message", "advice"),
    [
        ({"minLength": 1, "pattern": "^[a-z]"}, "", "found an empty text, expected some words", "Write what belongs here"),
        ({"minLength": 3}, "ab", "found `ab`, expected at least 3 characters", "Add what is missing"),
        ({"maxItems": 1}, [1, 2], "found a list of 2, expected at most 1 item", "Shorten it"),
        ({"minProperties": 2}, {"a": 1}, "found a mapping of 1 field, expected at least 2 fields", "Add"),
        ({"type": "string"}, 1, "found `1`, expected a text", "Put it in quotation marks"),
        ({"type": "string"}, None, "found `null`, expected a text", "Write a value of that type"),
        ({"type": ["object", "null"]}, "", "found an empty text, expected a mapping or `null`", "Write a value"),
        ({"contains": {"const": "a"}}, ["b"], "found a list of 1, expected one item that is `a`", "Add that item"),
        ({"not": {"const": "a"}}, "a", "found `a`, which may not stand here", "Write another value"),
        ({"not": True}, 1, "1 should not be valid under True", "Compare the value with the schema"),
        ({"contains": False}, [1], "found a list of 1, expected one item that the schema asks for", "Add that item"),
        ({"not": {"required": ["a"]}}, {"a": 1}, "`a` may not stand here", "Remove the field"),
        ({"not": {"anyOf": [{"required": ["b"]}, {"required": ["a"]}]}}, {"a": 1}, "`a` may not stand here", "Remove"),
    ],
)  # fmt: skip
def test_value_and_expectation_are_told(schema: dict[str, Any], value: Any, message: str, advice: str) -> None:
    """Each keyword says what was found, what was expected, and what to do."""
    (problem,) = refusals(schema, value)
    assert problem.message == message
    assert problem.help.startswith(advice)


def test_formats_that_only_the_fast_validator_knows_are_told_beside_others() -> None:
    """A registry's schema may ask for a format that the shipped ones never use; it is asserted all the same."""
    schema = {"properties": {"a": {"format": "email"}, "b": {"type": "string"}, "c": {"format": "date"}}}
    assert told(schema, {"a": "x", "b": 1, "c": "2026-02-30"}) == [
        ("/b", "found `1`, expected a text"),
        ("/c", "found `2026-02-30`, which is no valid date"),
        ("/a", '"x" is not a "email"'),
    ]
    assert told(schema, {"a": "x"}) == [("/a", '"x" is not a "email"')]


def test_every_condition_of_the_shipped_schemas_can_be_said() -> None:
    """No shipped schema asks for something under a condition that readers are not told, but for alternatives."""
    from medgauge_registrar.registry.schema_words import _clauses

    silent = {
        name
        for name in shipped_schemas().names
        for condition in conditions(shipped_schemas().schema(name))
        if not _clauses(condition, "it")
    }
    assert silent == {"benchmark-card"}


def conditions(node: Any) -> list[dict[str, Any]]:
    if isinstance(node, list):
        return [found for item in node for found in conditions(item)]
    if not isinstance(node, dict):
        return []
    own = [node["if"]] if isinstance(node.get("if"), dict) else []
    return own + [found for item in node.values() for found in conditions(item)]
