"""Rules of the reference registries that a schema decides: each has examples on both sides."""

from typing import Any, cast

import pytest

from medgauge_registrar.checks.schema_rules_registries import COVERED_D1_D8, SCHEMA_RULES_D1_D8
from medgauge_registrar.registry.reader import Syntax, read_document
from medgauge_registrar.registry.schemas import shipped_schemas
from support.cases import fails, passes
from support.registries import ABSENT, EXAMPLES, edited, read, refused_at, written

# Registries in the order of the catalogue.
REGISTRIES = ("BM", "GR", "CAP", "HX", "TL", "STD", "DS", "MODEL")


def defects_of(rule: str) -> list[Any]:
    """The examples that break a rule, as its schema's tests list them."""
    path = EXAMPLES / SCHEMA_RULES_D1_D8[rule].schema / "invalid.yaml"
    document = read_document(path.read_bytes(), syntax=Syntax.YAML)
    return [defect for defect in cast(list[Any], document.value) if defect["rule"] == rule]


@pytest.mark.parametrize("rule", [passes(rule, "valid examples", rule) for rule in SCHEMA_RULES_D1_D8])
def test_schema_accepts_valid_examples(rule: str) -> None:
    """Every valid example of the schema is accepted."""
    name = SCHEMA_RULES_D1_D8[rule].schema
    accepted = [
        path for path in (EXAMPLES / name / "valid").iterdir() if not shipped_schemas().problems(name, read(path))
    ]
    assert accepted
    assert len(accepted) == len(list((EXAMPLES / name / "valid").iterdir()))


@pytest.mark.parametrize("rule", [fails(rule, "every defect listed") for rule in SCHEMA_RULES_D1_D8])
def test_schema_refuses_defects(rule: str) -> None:
    """Every defect under the rule's id is refused at its place; there is at least one."""
    name = SCHEMA_RULES_D1_D8[rule].schema
    defects = defects_of(rule)
    assert defects
    first = min((EXAMPLES / name / "valid").iterdir())
    for defect in defects:
        fields = read(EXAMPLES / name / "valid" / defect["base"] if "base" in defect else first)
        changes = {item["path"]: item.get("value", ABSENT) for item in defect["change"]}
        broken = read(edited({"example": written(fields)}, "example", changes)["example"])
        assert defect["expect"]["pointer"] in dict(refused_at(shipped_schemas().problems(name, broken)))


def test_rules_stand_in_the_order_of_the_catalogue() -> None:
    """Registries in their order, numbers upwards, each line one sentence."""
    order = [rule.split("-") for rule in SCHEMA_RULES_D1_D8]
    assert order == sorted(order, key=lambda parts: (REGISTRIES.index(parts[1]), int(parts[2])))
    assert all(rule.line.endswith(".") and len(rule.line) <= 160 for rule in SCHEMA_RULES_D1_D8.values())
    assert not SCHEMA_RULES_D1_D8.keys() & COVERED_D1_D8.keys()
