"""`registrar draft result-summary`: fill in a result whatever its run rows decide, so that nobody can mistype it."""

import json
import os
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from medgauge_registrar.checks.fields import mapping
from medgauge_registrar.checks.recompute import version_path
from medgauge_registrar.checks.recompute_effects import component_effect, control_of
from medgauge_registrar.checks.recompute_family import void_path
from medgauge_registrar.checks.results import applied_vetoes
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.opened import registry_at
from medgauge_registrar.registry.record_json import record_json
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.registry.result_figures import Expected, Impossible, OneOf, result_figures
from medgauge_registrar.registry.result_rows import listed_voids, read_pins, read_rows, voided_keys
from medgauge_registrar.registry.schemas import shipped_schema_files
from medgauge_registrar.statistics import figures
from medgauge_registrar.statistics.algorithms import Pins, UnknownAlgorithmError, pinned_intervals
from medgauge_registrar.statistics.exact import rounded
from medgauge_registrar.statistics.summary import summarise
from medgauge_registrar.statistics.values import RunRow, UnfitRowsError

# Faults of rows told in one message.
_SHOWN = 20


def draft_result_summary(file: Path, repository: Path, *, write: bool) -> str:
    """
    Complete a result record.

    Args:
        file: The record; figures may be absent or wrong, rows have to be whole.
        repository: The registry whose work tree holds the benchmark version, its card and its voided list.
        write: Put the completed record in place of the file.

    Returns:
        The completed record, or with `write` a line that says so.

    Raises:
        PolicyError: The file or what it names is absent or unusable, or the rows cannot be used; the file stays as it was.
        ReadError: The repository cannot be read.
    """
    try:
        data = file.read_bytes()
    except OSError as error:
        raise PolicyError(f"{file}: {error.strerror or 'cannot be read'}; give a file that exists") from None
    with registry_at(repository, None) as registry:
        # The file may lie anywhere; a path of the right kind makes it be read as a result.
        path = registry.path_of(Kind.RES, bm="bm-draft", version="0.0.0", res="res-draft")
        record = registry.parse(registry.layout.place(path), data)
        if record.document.faults:
            fault = record.document.faults[0]
            place = f":{fault.position.line}:{fault.position.column}" if fault.position else ""
            raise PolicyError(f"{file}{place}: {fault.message}; {fault.help}")
        text = record_json(completed(record, registry))
    if not write:
        return text
    draft = file.with_name(f".{file.name}.draft")
    try:
        draft.write_text(text, encoding="utf-8")
        os.replace(draft, file)
    except OSError as error:
        raise PolicyError(f"{file}: cannot be written ({error.strerror})") from None
    return f"{file}: completed"


def completed(record: Record, registry: Registry) -> dict[str, Json]:
    """
    A record with every field that its rows decide, in the order of the schema.

    Where rows cannot tell which of several words is true, the word of the record stays.

    Raises:
        PolicyError: The benchmark version or its card is not there, or the rows cannot be used.
    """
    pins, categories = _followed(record, registry)
    fields = {"voided_task_versions": _known_voids(record, registry), **record.fields}
    filled = filled_record(fields, sorted(categories), pins)
    if "effect" in filled:
        filled["effect"] = _effect(record, registry, pins)
    return filled


def filled_record(
    fields: Mapping[str, Json], veto_categories: Sequence[str], pins: Pins | None = None
) -> dict[str, Json]:
    """
    Fill in what the rows alone decide; the effect of a component stays as it is.

    Args:
        fields: Fields of the record.
        veto_categories: Categories that its card applies.
        pins: What its benchmark version pins; null: what the record says of it.

    Raises:
        PolicyError: The rows cannot be used, or a pin cannot be followed.
    """
    followed = pins or read_pins(fields.get("algorithms"))
    if followed is None:
        raise PolicyError("the record pins no algorithms")
    read = read_rows(fields)
    if not read.whole:
        rows = ", ".join(str(place) for place in read.unread[:_SHOWN]) or "none is there"
        raise PolicyError(
            f"`{fields.get('id')}`: rows of `runs` that are not as the schema asks, counted from 0: {rows}"
        )
    try:
        digits = pinned_intervals(followed).digits
        summary = summarise(
            read.rows, pins=followed, voided=frozenset(voided_keys(fields)), veto_categories=veto_categories
        )
    except UnfitRowsError as error:
        told = [f"{reason.rule}: {reason.text}" for reason in error.reasons]
        more = f"\n  and {len(told) - _SHOWN} more" if len(told) > _SHOWN else ""
        raise PolicyError("the rows cannot be used:\n  " + "\n  ".join(told[:_SHOWN]) + more) from None
    except UnknownAlgorithmError as error:
        raise PolicyError(f"`{fields.get('benchmark_version')}`: {error}") from None
    filled, listed = dict(fields), fields["runs"]
    assert isinstance(listed, list)
    filled["runs"] = [_run(mapping(item), row, digits) for item, row in zip(listed, read.rows, strict=True)]
    for name, expected in result_figures(summary, read.rows, _units(fields)).items():
        filled[name] = _filled(expected, fields.get(name), keep=name in {"dimensions", "amounts"})
    dimensions = mapping(filled["dimensions"])
    # M2 before M10.
    filled["dimensions"] = {name: dimensions[name] for name in sorted(dimensions, key=lambda name: (len(name), name))}
    order = list(json.loads(shipped_schema_files()["result"])["properties"])
    return {name: filled[name] for name in sorted(filled, key=lambda name: (name not in order, _place(name, order)))}


def _place(name: str, order: Sequence[str]) -> int:
    return order.index(name) if name in order else 0


def _followed(record: Record, registry: Registry) -> tuple[Pins, frozenset[str]]:
    """What the benchmark version pins, and the vetoes that its card applies."""
    version = registry.valid_record(version_path(record, registry))
    if version is None:
        raise PolicyError(f"`{record['benchmark_version']}` is no valid benchmark version here; name it in the record")
    pins = read_pins(version["algorithms"])
    if pins is None:
        raise PolicyError(f"`{record['benchmark_version']}` pins no algorithms; it has to be frozen first")
    card = registry.valid_record(registry.path_of(Kind.BM_CARD, bm=version.place.id or ""))
    if card is None:
        raise PolicyError(f"the card of `{version.place.id}` is not there or breaks its schema")
    return pins, applied_vetoes(card)


def _known_voids(record: Record, registry: Registry) -> list[Json]:
    listed = registry.valid_record(void_path(record, registry))
    voids = {} if listed is None else listed_voids(listed.fields)
    return [{"task_key": task, "attribution": side} for task, side in voids.items()]


def _run(item: Mapping[str, Json], row: RunRow, digits: int) -> Json:
    """A row with its outcome and its score; both stand before the vetoes, where the schema has them."""
    derived: dict[str, Json] = {"s": _number(rounded(figures.score(row), digits)), "pass": figures.passes(row)}
    if derived.keys() <= item.keys():
        return {**item, **derived}
    whole: dict[str, Json] = {}
    for name, value in item.items():
        if name not in derived:
            whole[name] = value
        if name == "m":
            whole |= derived
    return whole


def _filled(expected: Expected, stored: Json, *, keep: bool) -> Json:
    """
    A field as it has to be.

    Args:
        expected: What the rows give.
        stored: What stands there; a word that may stay stays.
        keep: Whether fields that the rows do not decide stay at this level.

    Raises:
        PolicyError: No value would be right.
    """
    match expected:
        case OneOf():
            return stored if isinstance(stored, str) and stored in expected.words else expected.words[0]
        case Impossible():
            raise PolicyError(f"a figure cannot be computed, because {expected.why}")
        case dict():
            own = mapping(stored)
            filled = {name: _filled(value, own.get(name), keep=False) for name, value in expected.items()}
            return {**filled, **{name: value for name, value in own.items() if name not in filled}} if keep else filled
        case Decimal():
            return _number(expected)
        case _:
            return expected


def _number(value: Decimal) -> Json:
    return int(value) if value == int(value) else value


def _units(fields: Mapping[str, Json]) -> dict[str, Json]:
    efficiency = mapping(mapping(fields.get("dimensions")).get("M3"))
    return {name: mapping(mapping(own).get("cost_per_success")).get("unit") for name, own in efficiency.items()}


def _effect(record: Record, registry: Registry, pins: Pins) -> Json:
    control = control_of(record, registry)
    if control is None:
        raise PolicyError(f"`{record['paired_with']}` is no valid result on `{record['benchmark_version']}`")
    try:
        expected, _ = component_effect(record, control, pins)
    except ValueError as error:
        raise PolicyError(f"the effect cannot be computed: {error}") from None
    return _filled(expected, None, keep=False)
