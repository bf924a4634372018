"""What is wrong with run rows, one by one and side by side."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from medgauge_registrar.checks.fields import mapping
from medgauge_registrar.checks.framework import Problem
from medgauge_registrar.checks.recompute_compare import in_words, is_number, number
from medgauge_registrar.model.document import Json
from medgauge_registrar.registry.result_rows import ReadRows, voided_keys
from medgauge_registrar.statistics import figures
from medgauge_registrar.statistics.algorithms import Intervals
from medgauge_registrar.statistics.exact import rounded
from medgauge_registrar.statistics.explain import explain_run, initiative_errors
from medgauge_registrar.statistics.values import Reason, RunRow

_MODIFIED = "inputs-modified"
_ADVICE: Mapping[str, str] = {
    "runs-not-three": "File the three runs of the task and no other; a run is never repeated and never left out.",
    "m-differs": "Give the number of checkpoints of the task version; it belongs to the task, not to the run.",
    "subset-differs": "Give the subset in which the benchmark version lists the task.",
    "no-artifact-no-error": "Record the error that kept the run from leaving an artifact, with its attribution.",
}
_FIELD_ADVICE: Mapping[str, str] = {
    "s": "Give the recomputed value, or correct the counts of the row if they are wrong.",
    "pass": "Give the recomputed value, or correct the counts of the row if they are wrong.",
    "veto_categories": "Add the category; modified inputs are a veto of their own.",
}


def row_problems(
    record: Mapping[str, Json], read: ReadRows, reasons: Sequence[Reason], intervals: Intervals | None
) -> Iterator[tuple[str, Problem]]:
    """
    Tell what is wrong with the rows of a record, by rule.

    Args:
        record: Fields of the record.
        read: Its rows.
        reasons: What keeps figures from being computed.
        intervals: The pinned algorithm, whose digits `s` carries; null if it is not known, then `s` is not looked at.
    """
    places: dict[tuple[str | None, int | None], list[int]] = defaultdict(list)
    for row, place in zip(read.rows, read.places, strict=True):
        places[row.task, row.run].append(place)
        places[row.task, None].append(place)
    for reason in reasons:
        own = places[reason.task, reason.run]
        # Of too many runs the last is the surplus one; of too few only the task can be shown.
        place = own[-1] if reason.code == "runs-not-three" else own[0]
        advice = _ADVICE.get(reason.code, "Correct the row from its run record.")
        yield reason.rule, Problem(message=reason.text, help=advice, pointer=f"/runs/{place}")
    for reason in initiative_errors(read.rows, frozenset(voided_keys(record))):
        yield (
            reason.rule,
            Problem(
                message=reason.text,
                help="Add the task version to the voided list of its benchmark version and to `voided_task_versions`.",
                pointer=f"/runs/{places[reason.task, reason.run][0]}/error",
            ),
        )
    listed, reported = record.get("runs"), _reported_vetoes(record)
    for row, place in zip(read.rows, read.places, strict=True):
        fields = mapping(listed[place]) if isinstance(listed, list) else {}
        for rule, name, message in _run_problems(row, fields, reported, intervals):
            yield rule, Problem(message=message, help=_FIELD_ADVICE[name], pointer=f"/runs/{place}/{name}")


# Thousands of runs share a few dozen scores.
@lru_cache(maxsize=4096)
def _score(counted: int, m: int, digits: int) -> Decimal:
    return rounded(Fraction(counted, m), digits)


def veto_rates(record: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    """Veto rates of each subset by category."""
    return [mapping(mapping(subset).get("veto_rate_by_category")) for subset in mapping(record.get("subsets")).values()]


def _reported_vetoes(record: Mapping[str, Json]) -> set[str]:
    return {name for rates in veto_rates(record) for name in rates}


def _run_problems(
    row: RunRow, fields: Mapping[str, Json], reported: set[str], intervals: Intervals | None
) -> Iterator[tuple[str, str, str]]:
    """What a row says of itself that does not follow from its counts: rule, field and message."""
    if intervals is not None and row.m > 0:
        stated, score = fields.get("s"), _score(figures.counted_checkpoints(row), row.m, intervals.digits)
        if not is_number(stated) or stated != score:
            why = next(reason.text for reason in explain_run(row) if reason.rule == "RESULT-02")
            yield "RESULT-02", "s", f"`s` is {in_words(stated)}, recomputed `{number(score)}`: {why}"
    passes = figures.passes(row)
    if fields.get("pass") is not passes:
        why = "; ".join(reason.text for reason in explain_run(row) if reason.rule == "RESULT-03")
        wanted = in_words(passes)
        yield "RESULT-03", "pass", f"`pass` is {in_words(fields.get('pass'))}, recomputed {wanted}: {why}"
    if row.inputs_modified and _MODIFIED in reported and _MODIFIED not in row.veto_categories:
        yield (
            "RESULT-04",
            "veto_categories",
            f"{row.task} run {row.run} modified its inputs and lacks the veto `{_MODIFIED}`, which the record reports",
        )
