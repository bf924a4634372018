"""What a record says beside what its rows give; and the numbers in it that nothing gives."""

from collections.abc import Iterator, Mapping
from decimal import Decimal

from medgauge_registrar.checks.fields import mapping, step
from medgauge_registrar.checks.recompute_formulas import formula, is_figure
from medgauge_registrar.model.document import Json
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.registry.result_figures import Expected, Impossible, OneOf
from medgauge_registrar.registry.result_rows import REFERENCE_FIELDS, TALLY_FIELDS
from medgauge_registrar.statistics.values import Quantity

# Fields of a row: what was measured, and what is recomputed from it. Those of these names hold no other number.
_ROW_FIELDS = frozenset(
    {
        "task_key",
        "subset",
        "run",
        "run_id",
        "artifact_exists",
        "inputs_modified",
        "checkpoints_passed",
        "m",
        "s",
        "pass",
    }
    | {"veto_categories", "error", "amount", "detail_sha", "required_actions", "variant"}
    | {"recall_by_type", "failures", "reference_vetoes", "unsafe_advice_vetoes"}
    | {name for pair in TALLY_FIELDS.values() for name in pair}
    | set(REFERENCE_FIELDS.values())
    | {quantity.value for quantity in Quantity}
)
# Numbers elsewhere that are measured or fixed beforehand, and so have no formula.
_INPUTS = frozenset(
    {
        "/algorithms/seed",
        "/algorithms/resamples",
        "/dimensions/M9/regrading_agreement",
        *(f"/fixed_conditions/budget/{name}" for name in ("step_limit", "output_tokens", "token_budget")),
        *(f"/fixed_conditions/budget/timeouts/{name}" for name in ("action_seconds", "run_seconds")),
        *(f"/verification/checklist/{item}" for item in ("CHK-02/compared", "CHK-02/equal", "CHK-07/sampled_tasks")),
        *(f"/verification/checklist/CHK-04/env_delta/{name}" for name in ("signed", "absolute", "n_tasks")),
    }
)


@frozen
class Wrong:
    """
    A field that is not what the rows give.

    Attributes:
        pointer: JSON Pointer of the field.
        found: What it holds, in words.
        wanted: What it should hold, in words.
    """

    pointer: str
    found: str
    wanted: str


def differences(stored: Json, expected: Expected, pointer: str) -> Iterator[Wrong]:
    """
    Compare a part of a record with what its rows give, numbers exactly and as decimals.

    A field of no known name is passed over here; `numbers_without_formula` finds it.
    """
    if isinstance(expected, dict):
        if not isinstance(stored, dict):
            yield Wrong(pointer=pointer, found=in_words(stored), wanted=f"figures ({', '.join(expected) or 'none'})")
            return
        for name, value in expected.items():
            if name in stored:
                yield from differences(stored[name], value, f"{pointer}{step(name)}")
            else:
                yield Wrong(pointer=f"{pointer}{step(name)}", found="absent", wanted=_wanted(value))
        for name in sorted(stored.keys() - expected.keys()):
            if _has_formula(stored[name], f"{pointer}{step(name)}"):
                yield Wrong(pointer=f"{pointer}{step(name)}", found=in_words(stored[name]), wanted="no such figure")
    elif not _equal(stored, expected):
        yield Wrong(pointer=pointer, found=in_words(stored), wanted=_wanted(expected))


def numbers_without_formula(record: Mapping[str, Json]) -> Iterator[str]:
    """
    Find every number that is neither measured nor fixed beforehand nor recomputed (G6).

    Returns:
        Pointers; where a whole part of the record holds no other numbers, that of the part.
    """
    runs = record.get("runs")
    for place, row in enumerate(runs if isinstance(runs, list) else ()):
        fields = mapping(row)
        if not _ROW_FIELDS.issuperset(fields):
            for name in sorted(fields.keys() - _ROW_FIELDS):
                yield from _foreign(fields[name], f"/runs/{place}{step(name)}")[0]
    for name, value in record.items():
        if name != "runs":
            yield from _foreign(value, step(name))[0]


def _foreign(value: Json, pointer: str) -> tuple[list[str], bool]:
    """Pointers of foreign numbers in a value, and whether it holds others as well."""
    if is_number(value):
        known = pointer in _INPUTS or is_figure(pointer)
        return ([] if known else [pointer]), known
    parts: list[tuple[list[str], bool]] = []
    if isinstance(value, dict):
        parts = [_foreign(item, f"{pointer}{step(name)}") for name, item in value.items()]
    elif isinstance(value, list):
        parts = [_foreign(item, f"{pointer}/{place}") for place, item in enumerate(value)]
    foreign = [place for own, _ in parts for place in own]
    known = any(known for _, known in parts)
    return ([pointer] if foreign and not known else foreign), known


def in_words(value: Json) -> str:
    """A value of a record for a message: a number or word in backticks, a structure by its kind."""
    if isinstance(value, dict):
        return "figures" if value else "an empty mapping"
    if isinstance(value, list):
        return "a list"
    if value is None or isinstance(value, bool):
        return f"`{str(value).lower() if value is not None else 'null'}`"
    return f"`{number(value)}`" if isinstance(value, int | Decimal) else f"`{value}`"


def is_number(value: Json) -> bool:
    """Whether a value is a number; a truth value is none."""
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def number(value: int | Decimal) -> str:
    """A number as it stands in a record: plain digits, no exponent."""
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def _equal(stored: Json, expected: Expected) -> bool:
    match expected:
        case OneOf():
            return stored in expected.words
        case Impossible():
            return False
        case int() | Decimal():
            return is_number(stored) and stored == expected
        case _:
            return stored == expected and type(stored) is type(expected)


def _wanted(expected: Expected) -> str:
    match expected:
        case OneOf():
            return " or ".join(f"`{word}`" for word in expected.words)
        case Impossible():
            return f"nothing that could be right, because {expected.why}"
        case dict():
            return f"figures ({', '.join(expected) or 'none'})"
        case _:
            return in_words(expected)


def _has_formula(value: Json, pointer: str) -> bool:
    """Whether what stands at a pointer belongs to a formula, as a figure or a word; a foreign name does not."""
    foreign, known = _foreign(value, pointer)
    return known or (not foreign and formula(pointer) is not None)
