"""
Published schemas: how they are built, and what they accept and refuse.

Every file of `schemas/` but the shared definitions has a folder of its name here, with

- `valid/*.yaml|json`: records that are accepted, the first of which is complete;
- `invalid.yaml`: defects, each a list of changes to a valid record (`base`, by default the first one), the rule it
  breaks, and the place and keyword of the refusal.

Two validators must agree on all of it: `jsonschema`, which explains refusals, and `jsonschema-rs`, which is fast.
"""

from __future__ import annotations

import copy
import datetime
import functools
import json
import re
import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml
from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend
from referencing import Registry, Resource

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PUBLISHED = "https://medgauge.org/schemas/"

# Inputs and outputs of the program itself: no records, so no section of the methodology stands behind each field.
NOT_RECORDS = {"decision", "decision-note", "ledger", "policy", "pull", "registrar", "roster"}
ENVELOPE = {"version", "introduced_in", "introduced", "last_reviewed"}
ENVELOPED = {
    "benchmark-card", "benchmark-version", "capability", "dataset-card", "grading-reference", "harness",
    "level-override", "model", "reproduction", "result", "roadmap-item", "standard", "tool",
}  # fmt: skip
FORMATS = {"date": "2026-02-30", "date-time": "2026-02-30T00:00:00Z", "uri": "https://example.org/%zz"}

SCHEMAS: dict[str, Any] = {
    path.name.removesuffix(".schema.json"): json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "schemas").glob("*.schema.json"))
}
KINDS = sorted(set(SCHEMAS) - {"common"})


# Reading -------------------------------------------------------------------------------------------------------------


class CoreLoader(yaml.CSafeLoader):
    """YAML with the plain scalars of version 1.2 only, so that dates stay strings and shares stay exact."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - the name and form PyYAML looks for


for tag, pattern, first in (
    ("null", r"^(?:null|~|)$", ["n", "~", ""]),
    ("bool", r"^(?:true|false)$", ["t", "f"]),
    ("int", r"^-?[0-9]+$", list("-0123456789")),
    ("float", r"^-?[0-9]+\.[0-9]+$", list("-0123456789")),
):
    CoreLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern), first)
CoreLoader.add_constructor("tag:yaml.org,2002:float", lambda loader, node: Decimal(str(node.value)))


@functools.cache
def load(path: Path) -> Any:
    """Return the document of a YAML or JSON file, to be read only; numbers that are not whole are decimals."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        return json.loads(text, parse_float=Decimal)
    return yaml.load(text, CoreLoader)


def examples(folder: Path) -> list[Path]:
    """Return the YAML and JSON files of a folder by name."""
    return sorted(path for path in folder.glob("*") if path.suffix in {".yaml", ".json"})


# Validating ----------------------------------------------------------------------------------------------------------


def _pattern(_: Validator, pattern: str, instance: object, __: object) -> Iterator[ValidationError]:
    # In Python `$` also matches before a last line feed; in ECMA-262, which JSON Schema names, it does not.
    if isinstance(instance, str) and not re.search(re.sub(r"\$$", r"\\Z", pattern), instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


CHECKER = FormatChecker(formats=())


@CHECKER.checks("date", raises=ValueError)
def _date(value: object) -> bool:
    return not isinstance(value, str) or bool(datetime.date.fromisoformat(value))


@CHECKER.checks("date-time", raises=ValueError)
def _date_time(value: object) -> bool:
    return not isinstance(value, str) or bool(datetime.datetime.fromisoformat(value))


@CHECKER.checks("uri", raises=ValueError)
def _uri(value: object) -> bool:
    if not isinstance(value, str):
        return True
    return bool(urllib.parse.urlsplit(value).scheme) and not re.search(r"%(?![0-9A-Fa-f]{2})", value)


EcmaValidator: Any = extend(Draft202012Validator, {"pattern": _pattern})  # type: ignore[no-untyped-call] # its stub is untyped
REGISTRY: Registry[Any] = Registry().with_resources(
    (schema["$id"], Resource.from_contents(schema)) for schema in SCHEMAS.values()
)


@functools.cache
def explaining(name: str) -> Validator:
    """Return the validator that explains refusals."""
    validator: Validator = EcmaValidator(SCHEMAS[name], format_checker=CHECKER, registry=REGISTRY)
    return validator


@functools.cache
def fast(name: str) -> jsonschema_rs.Validator:
    """Return the fast validator: formats asserted, expressions in linear time, nothing fetched."""
    return jsonschema_rs.validator_for(
        SCHEMAS[name],
        validate_formats=True,
        ignore_unknown_formats=False,
        pattern_options=jsonschema_rs.RegexOptions(),
        registry=jsonschema_rs.Registry([(schema["$id"], schema) for schema in SCHEMAS.values()]),
        offline=True,
    )


def pointer(path: list[str | int]) -> str:
    """Return the JSON Pointer of a path."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def refusals(name: str, document: Any) -> list[set[tuple[str, str]]]:
    """
    Return what each of the two validators refuses: pairs of pointer and keyword.

    A name that an object may not have is refused by `propertyNames`, whatever keyword stands inside that.
    """
    explained, quick = set(), set()
    for error in explaining(name).iter_errors(document):
        named = "propertyNames" in error.absolute_schema_path
        keyword = "propertyNames" if named else str(error.absolute_schema_path[-1])
        explained.add((pointer(list(error.absolute_path)), keyword))
    for refusal in fast(name).iter_errors(document):
        named = isinstance(refusal.kind, jsonschema_rs.ValidationErrorKind.PropertyNames)
        keyword = "propertyNames" if named else str(refusal.schema_path[-1])
        quick.add((pointer(list(refusal.instance_path)), keyword))
    return [explained, quick]


# How the schemas are built -------------------------------------------------------------------------------------------

CONSTRAINTS = ("if", "then", "else", "not", "contains", "propertyNames")
IN_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
IN_MAPS = ("properties", "$defs", "patternProperties", "dependentSchemas")


def subschemas(schema: Any, place: str = "", declares: bool = True) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """
    Yield every schema inside a schema with its place and whether it declares a value.

    One that only narrows what another declares (under `if` or `contains`, or in `allOf` without a type) does not.
    """
    if not isinstance(schema, dict):
        return
    yield place, schema, declares
    for key, value in schema.items():
        if key in CONSTRAINTS:
            yield from subschemas(value, f"{place}/{key}", declares=False)
        elif key in {"items", "additionalProperties", "unevaluatedProperties"}:
            yield from subschemas(value, f"{place}/{key}", declares)
        elif key in IN_LISTS:
            for number, member in enumerate(value):
                typed = isinstance(member, dict) and "type" in member
                yield from subschemas(member, f"{place}/{key}/{number}", declares and typed)
        elif key in IN_MAPS:
            for name, member in value.items():
                yield from subschemas(member, f"{place}/{key}/{name}", declares)


def types(schema: dict[str, Any]) -> set[str]:
    """Return the types a schema names."""
    named = schema.get("type", [])
    return {named} if isinstance(named, str) else set(named)


def closed(schema: dict[str, Any]) -> bool:
    """Return whether an object admits only the names it lists, or only names of one form and no more than so many."""
    if schema.get("additionalProperties") is False or schema.get("unevaluatedProperties") is False:
        return True
    return isinstance(schema.get("additionalProperties"), dict) and {"propertyNames", "maxProperties"} <= set(schema)


def places(name: str, fault: Any) -> list[str]:
    """Return the places of all declaring schemas of a file that show a fault."""
    return [place for place, schema, declares in subschemas(SCHEMAS[name]) if declares and fault(schema)]


@pytest.mark.parametrize("name", SCHEMAS)
def test_schema_is_valid_and_named_after_its_file(name: str) -> None:
    """A schema obeys its meta-schema; its address ends with its file name, so that references also work on disk."""
    schema = SCHEMAS[name]
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    address = re.escape(PUBLISHED) + r"[0-9]+\.[0-9]+\.[0-9]+/" + re.escape(f"{name}.schema.json")
    assert re.fullmatch(address, schema["$id"])
    assert schema["title"]
    assert schema["description"]


def test_schemas_carry_one_methodology_version() -> None:
    """All addresses name the same methodology version (VER-06)."""
    assert len({schema["$id"].split("/")[4] for schema in SCHEMAS.values()}) == 1


@pytest.mark.parametrize("name", SCHEMAS)
def test_objects_are_closed_and_values_bounded(name: str) -> None:
    """No object takes unknown names (ENT-08), and no list or text is without an upper bound."""
    assert places(name, lambda schema: "object" in types(schema) and not closed(schema)) == []
    assert places(name, lambda schema: "properties" in schema and "object" not in types(schema)) == []
    assert places(name, lambda schema: "array" in types(schema) and "maxItems" not in schema) == []
    free = {"enum", "const", "maxLength"}
    assert places(name, lambda schema: "string" in types(schema) and not free & set(schema)) == []


@pytest.mark.parametrize("name", SCHEMAS)
def test_properties_are_described_with_their_section(name: str) -> None:
    """Each property says what it is and, in a record, which part of the methodology asks for it."""
    source = r".+\((?:[^()]*[ ,])?(?:[Ss]ections?|Appendix|Axioms?|[a-z]+ page)\b[^()]*\)\.?"
    form = r".+" if name in NOT_RECORDS else source
    bare = [
        f"{place}/properties/{key}"
        for place, schema, declares in subschemas(SCHEMAS[name])
        if declares
        for key, value in schema.get("properties", {}).items()
        if not re.fullmatch(form, value.get("description", ""), re.DOTALL)
    ]
    assert bare == []


@pytest.mark.parametrize("name", SCHEMAS)
def test_patterns_are_anchored_bounded_and_portable(name: str) -> None:
    """Every expression covers the whole text, has a bound, and reads alike in every engine, in linear time."""
    for place, schema, _ in subschemas(SCHEMAS[name]):
        if "pattern" not in schema:
            continue
        pattern = schema["pattern"]
        assert "maxLength" in schema, place
        assert re.fullmatch(r"\^.*\$", pattern), place
        assert not re.search(r"\(\?|\\[1-9bBdDsSwWzZAGpP]", pattern), f"{place}: not read alike by every engine"
        bare = re.sub(r"(\\.)|\[(?:\\.|[^\]\\])*\]", r"\1", pattern)
        for group in re.findall(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)[*+{]", bare):
            assert re.match(r"[-,/@:]|\\\.", group), f"{place}: a repeated group begins with its separator"
        re.compile(pattern)


@pytest.mark.parametrize("name", SCHEMAS)
def test_numbers_in_schemas_are_whole(name: str) -> None:
    """Readers give decimals, which no binary fraction equals: 0.05 as a schema holds it is not Decimal("0.05")."""
    assert not re.search(r"[:\[,] -?[0-9]+[.eE]", json.dumps(SCHEMAS[name]))


@pytest.mark.parametrize("name", SCHEMAS)
def test_formats_are_ones_that_both_validators_assert(name: str) -> None:
    """A format that a validator does not know would be ignored in silence."""
    used = {schema["format"] for _, schema, _ in subschemas(SCHEMAS[name]) if "format" in schema}
    assert used <= set(FORMATS)


@pytest.mark.parametrize(("form", "value"), FORMATS.items())
def test_formats_are_asserted(form: str, value: str) -> None:
    """Both validators refuse a value of the right shape that is still no date, time or address."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "format": form}
    assert [error.validator for error in EcmaValidator(schema, format_checker=CHECKER).iter_errors(value)] == ["format"]
    assert not jsonschema_rs.validator_for(schema, validate_formats=True).is_valid(value)


@pytest.mark.parametrize("name", sorted(ENVELOPED))
def test_registry_entries_carry_the_envelope(name: str) -> None:
    """Five things stand on every entry (ENT-01); a model's identifier is the vendor's name for it (ID-04)."""
    identifier = "vendor_name" if name == "model" else "id"
    assert ENVELOPE | {identifier} <= set(SCHEMAS[name]["required"])


# What the shared definitions accept and refuse -----------------------------------------------------------------------

DEFINITIONS: dict[str, dict[str, list[object]]] = load(HERE / "common" / "definitions.yaml")


@pytest.mark.parametrize("name", sorted(SCHEMAS["common"]["$defs"]))
def test_definition_accepts_and_refuses(name: str) -> None:
    """Each shared definition has values on both sides; one with fixed values accepts exactly these."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$ref": f"{SCHEMAS['common']['$id']}#/$defs/{name}",
    }
    explain = EcmaValidator(schema, format_checker=CHECKER, registry=REGISTRY)
    registry = jsonschema_rs.Registry([(SCHEMAS["common"]["$id"], SCHEMAS["common"])])
    quick = jsonschema_rs.validator_for(
        schema, validate_formats=True, pattern_options=jsonschema_rs.RegexOptions(), registry=registry, offline=True
    )
    values = SCHEMAS["common"]["$defs"][name].get("enum")
    fixed = {"accept": values, "refuse": ["", "unknown", 1.5, None, [values]]}
    cases = DEFINITIONS[name] if values is None else fixed
    assert cases["accept"]
    assert cases["refuse"]
    for value in cases["accept"]:
        assert (explain.is_valid(value), quick.is_valid(value)) == (True, True), value
    for value in cases["refuse"]:
        assert (explain.is_valid(value), quick.is_valid(value)) == (False, False), value


def test_definitions_without_fixed_values_have_examples() -> None:
    """No shared definition is untested, and no example outlives its definition."""
    assert set(DEFINITIONS) == {name for name, schema in SCHEMAS["common"]["$defs"].items() if "enum" not in schema}


# What the schemas accept and refuse ----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Defect:
    """One record that must be refused: the rule it breaks, and where and by what keyword that is seen."""

    schema: str
    label: str
    rule: str
    document: object
    expected: tuple[str, str]


def key_of(value: Any, step: str) -> Any:
    """Return the key or index that one step of a JSON Pointer means in a value; `-` is the end of a list."""
    if isinstance(value, dict):
        return step
    return len(value) if step == "-" else int(step)


def changed(document: Any, changes: list[dict[str, Any]]) -> Any:
    """Return a copy of a document with operations of JSON Patch (add, replace, remove) applied."""
    document = copy.deepcopy(document)
    for change in changes:
        *steps, last = [step.replace("~1", "/").replace("~0", "~") for step in change["path"].split("/")[1:]]
        parent = functools.reduce(lambda value, step: value[key_of(value, step)], steps, document)
        key = key_of(parent, last)
        if change["op"] == "add" and isinstance(parent, list):
            parent.insert(key, change["value"])
        elif change["op"] == "add":
            assert key not in parent, change
            parent[key] = change["value"]
        elif change["op"] == "replace":
            assert parent[key] != change["value"], change
            parent[key] = change["value"]
        else:
            assert change["op"] == "remove", change
            del parent[key]
    return document


def defects(name: str) -> Iterator[Defect]:
    """Yield the defects of one schema's folder."""
    folder = HERE / name
    for overlay in load(folder / "invalid.yaml"):
        base = folder / "valid" / overlay["base"] if "base" in overlay else examples(folder / "valid")[0]
        yield Defect(
            schema=name,
            label=f"{overlay['rule']}: {overlay['why']}",
            rule=overlay["rule"],
            document=changed(load(base), overlay["change"]),
            expected=(overlay["expect"]["pointer"], overlay["expect"]["keyword"]),
        )


FOLDERS = [name for name in KINDS if (HERE / name / "invalid.yaml").exists()]
ACCEPTED = [
    pytest.param(name, path, id=f"{name}/{path.name}") for name in FOLDERS for path in examples(HERE / name / "valid")
]
REFUSED = [pytest.param(case, id=f"{name}/{case.label}") for name in FOLDERS for case in defects(name)]
RULES = {rule["id"] for rule in load(ROOT / "src" / "medgauge_registrar" / "data" / "rules.yml")}


@pytest.mark.parametrize("name", KINDS)
def test_schema_has_examples_on_both_sides(name: str) -> None:
    """A schema without a record it accepts and one it refuses is not tested."""
    assert name in FOLDERS, f"write examples in tests/schemas/{name}/valid and tests/schemas/{name}/invalid.yaml"
    assert examples(HERE / name / "valid")
    assert list(defects(name))


def test_folders_belong_to_schemas() -> None:
    """A folder whose schema is gone or misspelt would never be read."""
    folders = {path.name for path in HERE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders <= {*KINDS, "common"}


@pytest.mark.parametrize(("name", "path"), ACCEPTED)
def test_valid_example_is_accepted(name: str, path: Path) -> None:
    """Both validators accept every valid example."""
    assert refusals(name, load(path)) == [set(), set()]


@pytest.mark.parametrize("case", REFUSED)
def test_defect_is_refused_where_it_stands(case: Defect) -> None:
    """Both validators refuse every defect, at the same place and by the same keyword, and it names a known rule."""
    explained, quick = refusals(case.schema, case.document)
    assert case.expected in explained
    assert case.expected in quick
    assert case.rule in RULES


def objects(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the path of every object in a document; of a list, its first member stands for the rest."""
    if isinstance(value, dict):
        yield path
        for key, member in value.items():
            yield from objects(member, (*path, key))
    elif isinstance(value, list):
        for number, member in enumerate(value[:1]):
            yield from objects(member, (*path, number))


@pytest.mark.parametrize(("name", "path"), ACCEPTED)
def test_unknown_field_is_refused_in_every_object(name: str, path: Path) -> None:
    """Whatever object of an example gets a field that nobody declared, the record is refused (ENT-08)."""
    document = copy.deepcopy(load(path))
    for place in list(objects(document)):
        altered = functools.reduce(lambda value, step: value[step], place, document)
        altered["undeclared_field"] = {"undeclared": True}
        assert not fast(name).is_valid(document), place
        del altered["undeclared_field"]
