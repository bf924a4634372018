"""A result record as the statistics see it: its run rows, what its benchmark version pins, what it lists as voided."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from medgauge_registrar.model.document import Json
from medgauge_registrar.statistics.algorithms import Pins
from medgauge_registrar.statistics.values import (
    Attribution,
    Counts,
    Quantity,
    RunError,
    RunRow,
    Subset,
    Tally,
)

# The two fields of a row that make one pair of counts.
TALLY_FIELDS: Mapping[Tally, tuple[str, str]] = {
    Tally.COMPLIANCE: ("compliance_passed", "compliance_total"),
    Tally.RECALL: ("recall_found", "recall_total"),
    Tally.PRECISION: ("precision_true", "precision_listed"),
    Tally.EVIDENCE_ERROR: ("evidence_errors", "evidence_total"),
    Tally.ABSTENTION: ("abstained", "abstainable"),
    Tally.OVER_ABSTENTION: ("over_abstained", "decidable"),
    Tally.SCOPE: ("scope_passed", "scope_m"),
}
REFERENCE_FIELDS: Mapping[Quantity, str] = {
    Quantity.STEPS: "reference_steps",
    Quantity.TOKENS: "reference_tokens",
}

_SUBSETS: Mapping[str, Subset] = {subset.value: subset for subset in Subset}
_ATTRIBUTIONS: Mapping[str, Attribution] = {side.value: side for side in Attribution}
_QUANTITIES = tuple(Quantity)
_TALLIES = tuple((tally, *pair) for tally, pair in TALLY_FIELDS.items())
_NOTHING: dict[str, Any] = {}
_TYPES: dict[str, type] = {
    **dict.fromkeys(("task_key", "subset"), str),
    **dict.fromkeys(("artifact_exists", "inputs_modified"), bool),
    **dict.fromkeys(("run", "checkpoints_passed", "m", "required_actions", "variant"), int),
    **dict.fromkeys((name for pair in TALLY_FIELDS.values() for name in pair), int),
    **dict.fromkeys(REFERENCE_FIELDS.values(), int),
    **dict.fromkeys((quantity.value for quantity in Quantity), int),
    **dict.fromkeys(("reference_vetoes", "unsafe_advice_vetoes", "recall_by_type", "failures"), dict),
    "veto_categories": list,
}


class _UnreadableError(Exception):
    """A row is not of the shape that its schema asks for."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadRows:
    """
    The run rows of one record.

    Attributes:
        rows: Those that could be read, in the order of the file.
        places: Place in the list `runs` of each of them.
        unread: Places of those that could not; the schema says what is wrong with them.
    """

    rows: tuple[RunRow, ...]
    places: tuple[int, ...]
    unread: tuple[int, ...]

    @property
    def whole(self) -> bool:
        """Whether there are rows and all of them could be read, so that figures can be computed."""
        return bool(self.rows) and not self.unread


def read_rows(record: Mapping[str, Json]) -> ReadRows:
    """Read the run rows of a record, whether or not it keeps its schema."""
    listed = record.get("runs")
    rows, places, unread = [], [], []
    for place, item in enumerate(listed if isinstance(listed, list) else ()):
        try:
            rows.append(_row(item))
            places.append(place)
        except _UnreadableError:
            unread.append(place)
    return ReadRows(rows=tuple(rows), places=tuple(places), unread=tuple(unread))


def voided_keys(record: Mapping[str, Json]) -> dict[str, str]:
    """Task versions that a record lists as voided when it was made, with the attribution that it gives."""
    listed = record.get("voided_task_versions")
    return dict(_voided(listed if isinstance(listed, list) else ()))


def listed_voids(voided_list: Mapping[str, Json]) -> dict[str, str]:
    """Task versions on the voided list of a benchmark version, with their attribution."""
    listed = voided_list.get("voided")
    return dict(_voided(listed if isinstance(listed, list) else ()))


def frozen_tasks(version: Mapping[str, Json]) -> dict[str, str]:
    """Task versions that a benchmark version lists, with the subset of each."""
    keys = version.get("task_keys")
    return {
        key: subset
        for subset, listed in (keys.items() if isinstance(keys, dict) else ())
        for key in (listed if isinstance(listed, list) else ())
        if isinstance(key, str)
    }


def read_pins(algorithms: Json) -> Pins | None:
    """What a benchmark version pins; null if it does not pin everything."""
    pinned = algorithms if isinstance(algorithms, dict) else {}
    names = [pinned.get(name) for name in ("intervals", "paired_test", "letter_display", "quantile_rule")]
    numbers = [pinned.get(name) for name in ("seed", "resamples")]
    intervals, paired_test, letter_display, quantile_rule = (name if isinstance(name, str) else None for name in names)
    seed, resamples = (_whole(number) for number in numbers)
    if intervals is None or paired_test is None or letter_display is None or quantile_rule is None:
        return None
    if seed is None or resamples is None:
        return None
    return Pins(
        intervals=intervals,
        paired_test=paired_test,
        letter_display=letter_display,
        seed=seed,
        quantile_rule=quantile_rule,
        resamples=resamples,
    )


def _voided(entries: Iterable[Json]) -> Iterable[tuple[str, str]]:
    for entry in entries:
        fields = entry if isinstance(entry, dict) else {}
        if isinstance(key := fields.get("task_key"), str):
            yield key, str(fields.get("attribution"))


def _row(item: Json) -> RunRow:
    """
    Read one row.

    Raises:
        _UnreadableError: It is not of the shape that its schema asks for.
    """
    if not isinstance(item, dict):
        raise _UnreadableError
    # A record has thousands of rows, so the types of all fields are looked at in one pass.
    for name, value in item.items():
        if name in _TYPES and type(value) is not _TYPES[name]:
            raise _UnreadableError
    fields: dict[str, Any] = item
    try:
        tallies = {
            tally: _pair(fields[counted], fields[total])
            for tally, counted, total in _TALLIES
            if counted in fields or total in fields
        }
        return RunRow(
            task=fields["task_key"],
            subset=_SUBSETS[fields["subset"]],
            run=fields["run"],
            checkpoints_passed=fields["checkpoints_passed"],
            m=fields["m"],
            artifact_exists=fields["artifact_exists"],
            inputs_modified=fields["inputs_modified"],
            veto_categories=_texts(fields["veto_categories"]),
            reference_vetoes=_counts(fields.get("reference_vetoes", _NOTHING)),
            unsafe_advice_vetoes=_counts(fields.get("unsafe_advice_vetoes", _NOTHING)),
            error=_error(fields["error"]),
            amount=_amount(fields["amount"]),
            tallies=tallies,
            recall_by_type=_recall_by_type(fields.get("recall_by_type", _NOTHING)),
            spent={quantity: fields[quantity] for quantity in _QUANTITIES if quantity in fields},
            reference={quantity: fields[name] for quantity, name in REFERENCE_FIELDS.items() if name in fields},
            required_actions=fields.get("required_actions"),
            variant=bool(fields["variant"]) if "variant" in fields else None,
            failures=_counts(fields["failures"]) if "failures" in fields else None,
        )
    except KeyError:
        raise _UnreadableError from None


def _whole(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _texts(listed: list[Json]) -> tuple[str, ...]:
    if listed and any(not isinstance(name, str) for name in listed):
        raise _UnreadableError
    return tuple(str(name) for name in listed)


def _counts(value: dict[str, Any]) -> dict[str, int]:
    for number in value.values():
        if type(number) is not int:
            raise _UnreadableError
    return value


def _error(value: Json) -> RunError | None:
    if value is None:
        return None
    kind, attribution = (value.get("kind"), value.get("attribution")) if isinstance(value, dict) else (None, None)
    if not isinstance(kind, str) or not isinstance(attribution, str) or attribution not in _ATTRIBUTIONS:
        raise _UnreadableError
    return RunError(kind=kind, attribution=_ATTRIBUTIONS[attribution])


def _amount(value: Json) -> Decimal | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise _UnreadableError
    return Decimal(value)


@lru_cache(maxsize=4096)
def _pair(counted: int, total: int) -> Counts:
    # A record repeats a few pairs thousands of times.
    return Counts(counted=counted, total=total)


def _recall_by_type(value: dict[str, Any]) -> dict[str, Counts]:
    found = {}
    for name, counts in value.items():
        parts = (counts.get("found"), counts.get("total")) if isinstance(counts, dict) else (None, None)
        if type(parts[0]) is not int or type(parts[1]) is not int:
            raise _UnreadableError
        found[name] = _pair(parts[0], parts[1])
    return found
