"""A result record as the statistics see it: its run rows, what its benchmark version pins, what it lists as voided."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

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
    tallies = {}
    for tally, (counted, total) in TALLY_FIELDS.items():
        if counted in item or total in item:
            tallies[tally] = Counts(counted=_count(item, counted), total=_count(item, total))
    failures = item.get("failures")
    return RunRow(
        task=_text(item, "task_key"),
        subset=_subset(item),
        run=_count(item, "run"),
        checkpoints_passed=_count(item, "checkpoints_passed"),
        m=_count(item, "m"),
        artifact_exists=_flag(item, "artifact_exists"),
        inputs_modified=_flag(item, "inputs_modified"),
        veto_categories=_categories(item),
        reference_vetoes=_counts(item.get("reference_vetoes", {})),
        unsafe_advice_vetoes=_counts(item.get("unsafe_advice_vetoes", {})),
        error=_error(item),
        amount=_amount(item),
        tallies=tallies,
        recall_by_type=_recall_by_type(item),
        spent={quantity: _count(item, quantity.value) for quantity in Quantity if quantity.value in item},
        reference={quantity: _count(item, name) for quantity, name in REFERENCE_FIELDS.items() if name in item},
        required_actions=_count(item, "required_actions") if "required_actions" in item else None,
        variant=bool(_count(item, "variant")) if "variant" in item else None,
        failures=None if failures is None else _counts(failures),
    )


def _whole(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _count(item: Mapping[str, Json], name: str) -> int:
    value = _whole(item.get(name))
    if value is None:
        raise _UnreadableError
    return value


def _text(item: Mapping[str, Json], name: str) -> str:
    value = item.get(name)
    if not isinstance(value, str):
        raise _UnreadableError
    return value


def _flag(item: Mapping[str, Json], name: str) -> bool:
    value = item.get(name)
    if not isinstance(value, bool):
        raise _UnreadableError
    return value


def _subset(item: Mapping[str, Json]) -> Subset:
    try:
        return Subset(_text(item, "subset"))
    except ValueError:
        raise _UnreadableError from None


def _categories(item: Mapping[str, Json]) -> tuple[str, ...]:
    listed = item.get("veto_categories")
    if not isinstance(listed, list):
        raise _UnreadableError
    names = tuple(name for name in listed if isinstance(name, str))
    if len(names) < len(listed):
        raise _UnreadableError
    return names


def _counts(value: Json) -> dict[str, int]:
    if not isinstance(value, dict):
        raise _UnreadableError
    return {name: _count(value, name) for name in value}


def _error(item: Mapping[str, Json]) -> RunError | None:
    if "error" not in item:
        raise _UnreadableError
    value = item["error"]
    if value is None:
        return None
    if not isinstance(value, dict):
        raise _UnreadableError
    try:
        return RunError(kind=_text(value, "kind"), attribution=Attribution(_text(value, "attribution")))
    except ValueError:
        raise _UnreadableError from None


def _amount(item: Mapping[str, Json]) -> Decimal | None:
    if "amount" not in item:
        raise _UnreadableError
    value = item["amount"]
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise _UnreadableError
    return Decimal(value)


def _recall_by_type(item: Mapping[str, Json]) -> dict[str, Counts]:
    value = item.get("recall_by_type", {})
    if not isinstance(value, dict):
        raise _UnreadableError
    found = {}
    for name, counts in value.items():
        if not isinstance(counts, dict):
            raise _UnreadableError
        found[name] = Counts(counted=_count(counts, "found"), total=_count(counts, "total"))
    return found
