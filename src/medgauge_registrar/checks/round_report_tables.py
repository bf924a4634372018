"""What is wrong with the tables of a round report, by rule: every number in them is derived, not typed."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import combinations, pairwise

from medgauge_registrar.checks.fields import count, mapping
from medgauge_registrar.checks.framework import Problem
from medgauge_registrar.model.document import Json, Position
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.registry.derived import Derived, DerivedResult
from medgauge_registrar.registry.derived_cells import LETTERS, POSITION, RESULT, VETOED, cells
from medgauge_registrar.registry.records import Record
from medgauge_registrar.registry.report_tables import ReportTable
from medgauge_registrar.statistics import figures
from medgauge_registrar.statistics.algorithms import pinned_intervals
from medgauge_registrar.statistics.differences import paired_column
from medgauge_registrar.statistics.figures import TaskRuns
from medgauge_registrar.statistics.values import Subset

Told = Iterator[tuple[str, Problem]]

REPORT = "SCHEMA-ROUND-03"
_RULE_OF = {LETTERS: "RESULT-29", POSITION: "RESULT-30", VETOED: "RESULT-40"}
_DELTA_COLUMNS = ("first", "second", "value", "lower", "upper")
_CLASS_COLUMNS = ("result", "class", "tasks", "measured", "tier", "predicted")
_AUDIT_COLUMNS = ("share_changed", "agreement_ac1")
_VOID_COLUMNS = ("task_key", "attribution")


@frozen
class Planned:
    """
    One benchmark version of a round.

    Attributes:
        derived: What follows from all its results.
        version: Its record.
        predictions: Predicted PASS^3 by tier and class, as the protocol registered it.
        of_round: Its results that belong to the round.
    """

    derived: Derived
    version: Record
    predictions: Mapping[tuple[str, str], Json]
    of_round: tuple[DerivedResult, ...]

    def tasks(self, result: DerivedResult, subset: Subset) -> tuple[TaskRuns, ...]:
        """Tasks of a result that count, in one subset."""
        rows = (row for row in result.rows if row.subset is subset and row.task not in self.derived.voided)
        return figures.by_task(rows)


def wrong(message: str, advice: str, line: int | None, severity: Severity = Severity.ERROR) -> Problem:
    """A problem at a line of a report."""
    position = None if line is None else Position(line=line, column=1)
    return Problem(message=message, help=advice, position=position, severity=severity)


def figures_table(table: ReportTable, planned: Planned, subset: Subset) -> Told:
    """Compare a table of figures, cell by cell."""
    derived = cells(planned.derived, subset)
    advice = (
        f"Take it from `registrar board {planned.derived.version} --format csv`, or from the records of other subsets."
    )
    for column in table.columns:
        if column not in derived.columns:
            on_board = column in _RULE_OF and subset is not Subset.HOLDOUT
            told = (
                "board figures come from the holdout subset alone" if on_board else "no figure of that name is derived"
            )
            rule = "RESULT-40" if on_board else REPORT
            yield rule, wrong(f"the column `{column}`: {told}", "Take the column out or correct its name.", table.line)
    names = {result.id for result in planned.of_round}
    for line, row in table.rows:
        name = row.get(RESULT, "")
        own = derived.row(name)
        if name not in names or own is None:
            message = f"`{name}` is no result of this round with tasks in `{subset}`"
            yield REPORT, wrong(message, "Name a result of the round in the column `result`.", line)
            continue
        for column in table.columns:
            if column in own and not same(row[column], own[column]):
                message = f"`{column}` of `{name}` is `{row[column]}`, derived `{own[column]}`"
                yield _RULE_OF.get(column, REPORT), wrong(message, advice, line)


def missing_figures(tables: Sequence[tuple[ReportTable, Subset]], planned: Planned) -> Told:
    """Tell which figures of which results no table of figures holds."""
    for subset in Subset:
        derived = cells(planned.derived, subset)
        for result in planned.of_round:
            if derived.row(result.id) is None:
                continue
            held = {
                column
                for table, own in tables
                if own is subset
                for _, row in table.rows
                if row.get(RESULT) == result.id
                for column in table.columns
            }
            lacking = [column for column in derived.columns if column not in held]
            if lacking:
                shown = ", ".join(f"`{column}`" for column in lacking[:8])
                more = f" and {len(lacking) - 8} more" if len(lacking) > 8 else ""
                yield (
                    REPORT,
                    wrong(
                        f"no table of `{planned.derived.version}` `{subset}` holds {shown}{more} of `{result.id}`",
                        f"Add a table under `<!-- figures {planned.derived.version} {subset} -->` with these columns.",
                        None,
                    ),
                )


def harness_delta_table(table: ReportTable, planned: Planned, subset: Subset) -> Told:
    """Compare paired differences between two harness versions with one model."""
    yield from _columns("RESULT-33", table, _DELTA_COLUMNS)
    for line, row in table.rows:
        first, second = (planned.derived.result(row.get(name, "")) for name in ("first", "second"))
        if first is None or second is None or not _one_model_two_harnesses(first, second):
            message = (
                f"`{row.get('first')}` and `{row.get('second')}` are no results of one model in two harness versions"
            )
            yield (
                "RESULT-33",
                wrong(message, "Name two results of this version that differ in the harness alone.", line),
            )
            continue
        try:
            derived = paired_difference(first, second, planned, subset)
        except ValueError as error:
            yield "RESULT-33", wrong(str(error), "Compare results over the same tasks.", line)
            continue
        for name, wanted in derived.items():
            if not same(row.get(name, ""), wanted):
                message = (
                    f"`{name}` is `{row.get(name)}`, derived `{wanted}`: mean over tasks of P of second minus first"
                )
                yield "RESULT-33", wrong(message, "Give the paired difference with its BCa interval.", line)


def missing_deltas(tables: Sequence[ReportTable], planned: Planned) -> Told:
    """Tell which pairs of one model in two harness versions no table compares."""
    compared = {frozenset((row.get("first"), row.get("second"))) for table in tables for _, row in table.rows}
    for first, second in harness_pairs(planned.of_round):
        if {first.id, second.id} not in compared:
            message = f"`{first.id}` and `{second.id}` are one model in two harness versions, and are not compared"
            advice = f"Add a table under `<!-- harness-delta {planned.derived.version} holdout -->`."
            yield REPORT, wrong(message, advice, None)


def harness_pairs(results: Sequence[DerivedResult]) -> Iterator[tuple[DerivedResult, DerivedResult]]:
    """Pairs of results of one model in two harness versions, both without components."""
    return ((one, other) for one, other in combinations(results, 2) if _one_model_two_harnesses(one, other))


def paired_difference(first: DerivedResult, second: DerivedResult, planned: Planned, subset: Subset) -> dict[str, str]:
    """
    Mean over the tasks of P of the second result minus P of the first, with its interval, as cells.

    Raises:
        ValueError: The two do not cover the same tasks.

    Source:
        Sections 10 and 25.5.
    """
    column = paired_column(planned.tasks(second, subset), planned.tasks(first, subset))
    (found,) = pinned_intervals(planned.derived.pins).rates([column], planned.derived.pins.seed)
    return {
        name: "not-computable" if figure.value is None else f"{figure.value:f}"
        for name, figure in (("value", found.value), ("lower", found.low), ("upper", found.high))
    }


def class_table(table: ReportTable, planned: Planned, subset: Subset) -> Told:
    """
    Look at figures by difficulty class.

    The class of a task is closed, so the measured figures cannot be recomputed one by one; what has to add up does.
    """
    yield from _columns(REPORT, table, _CLASS_COLUMNS)
    held = mapping(mapping(planned.version["class_distribution"]).get(subset))
    by_result: dict[str, list[tuple[int, str, Fraction, int]]] = {}
    for line, row in table.rows:
        level, tasks, measured = row.get("class", ""), row.get("tasks", ""), _share(row.get("measured", ""))
        if tasks != str(count(held.get(level))) or not count(held.get(level)):
            message = (
                f"class {level or 'without a number'} has {count(held.get(level))} tasks, and the row says `{tasks}`"
            )
            yield REPORT, wrong(message, "Give the number that the frozen version publishes.", line)
            continue
        passed = None if measured is None else round(measured * int(tasks))
        if measured is None or passed is None or not _is_share(measured, passed, int(tasks)):
            message = f"`measured` is `{row.get('measured')}`, which is no share of {tasks} tasks with 6 places"
            yield REPORT, wrong(message, "Give the share of the tasks of the class that pass in all three runs.", line)
            continue
        predicted = planned.predictions.get((row.get("tier", ""), level))
        if predicted is None or not same(row.get("predicted", ""), f"{predicted}"):
            message = f"the protocol predicts `{predicted}` for class {level} and tier `{row.get('tier')}`"
            yield REPORT, wrong(message, "Give what the protocol registered before the runs.", line)
        by_result.setdefault(row.get("result", ""), []).append((line, level, measured, passed))
    for name, entries in by_result.items():
        yield from _adds_up(name, entries, held, planned, subset)
        yield from _rises(name, entries)


def missing_classes(tables: Sequence[tuple[ReportTable, Subset]], planned: Planned) -> Told:
    """Tell which results are not told by difficulty class, where the version records classes."""
    if planned.version["class_distribution"] is None:
        return
    told = {row.get("result") for table, subset in tables if subset is Subset.HOLDOUT for _, row in table.rows}
    for result in planned.of_round:
        if result.subset(Subset.HOLDOUT) is not None and result.id not in told:
            message = f"`{result.id}` is not told by difficulty class, measured beside predicted"
            advice = f"Add a table under `<!-- by-class {planned.derived.version} holdout -->`."
            yield REPORT, wrong(message, advice, None)


def audit_table(table: ReportTable, planned: Planned) -> Told:
    """Look at the audit of keys: both figures come from closed records, so only their ranges can be told."""
    yield from _columns(REPORT, table, _AUDIT_COLUMNS)
    for line, row in table.rows:
        changed, agreement = _share(row.get("share_changed", "")), _share(row.get("agreement_ac1", ""))
        if changed is None or not 0 <= changed <= 1:
            message = f"`share_changed` is `{row.get('share_changed')}`, expected a share from 0 to 1"
            yield "RESULT-41", wrong(message, "Give the share of keys that the audit changed.", line, Severity.NOTICE)
        if agreement is None or not -1 <= agreement <= 1:
            message = f"`agreement_ac1` is `{row.get('agreement_ac1')}`, expected a number from -1 to 1"
            yield "RESULT-41", wrong(message, "Give Gwet's AC1 of the two keys.", line, Severity.NOTICE)
        stated = planned.version["expert_agreement_ac1"]
        if stated is not None and not same(row.get("agreement_ac1", ""), f"{stated}"):
            message = f"`agreement_ac1` is `{row.get('agreement_ac1')}`, and the version says `{stated}`"
            yield "RESULT-41", wrong(message, "Give the value of the frozen version.", line, Severity.NOTICE)


def void_table(tables: Sequence[ReportTable], planned: Planned) -> Told:
    """Compare the voided task versions that a report lists with those of the voided list."""
    for table in tables:
        yield from _columns(REPORT, table, _VOID_COLUMNS)
    listed = {row.get("task_key", ""): row.get("attribution", "") for table in tables for _, row in table.rows}
    if listed != dict(planned.derived.voided):
        line = tables[0].line if tables else None
        odd = sorted(listed.items() ^ planned.derived.voided.items())
        message = (
            f"the voided task versions of `{planned.derived.version}` are not those of its list, such as `{odd[0][0]}`"
        )
        yield REPORT, wrong(message, f"List them under `<!-- voided {planned.derived.version} -->` as they are.", line)


def same(found: str, wanted: str) -> bool:
    """Whether a cell says what is derived: numbers as decimals, words as they are."""
    try:
        return Decimal(found) == Decimal(wanted)
    except InvalidOperation:
        return found == wanted


def _columns(rule: str, table: ReportTable, wanted: Sequence[str]) -> Told:
    if table.columns != tuple(wanted):
        message = f"the columns are {', '.join(f'`{name}`' for name in table.columns)}"
        yield rule, wrong(message, f"Write the columns {', '.join(f'`{name}`' for name in wanted)}.", table.line)


def _one_model_two_harnesses(first: DerivedResult, second: DerivedResult) -> bool:
    one, other = first.record, second.record
    same_model = (one["model"], one["snapshot_fingerprint"]) == (other["model"], other["snapshot_fingerprint"])
    return same_model and one["harness"] != other["harness"] and not (first.components or second.components)


def _adds_up(
    name: str,
    entries: Sequence[tuple[int, str, Fraction, int]],
    held: Mapping[str, Json],
    planned: Planned,
    subset: Subset,
) -> Told:
    result = next((result for result in planned.of_round if result.id == name), None)
    line = entries[0][0]
    if result is None:
        yield REPORT, wrong(f"`{name}` is no result of this round", "Name a result of the round.", line)
        return
    levels = sorted(level for _, level, _, _ in entries)
    needed = sorted(level for level, tasks in held.items() if count(tasks))
    if levels != needed:
        message = f"`{name}` is told for the classes {', '.join(levels)}, and `{subset}` has {', '.join(needed)}"
        yield REPORT, wrong(message, "Give one row for each class that has tasks.", line)
        return
    passed, total = sum(entry[3] for entry in entries), figures.tasks_passed(planned.tasks(result, subset))
    # A voided task version leaves its class, and which class that is stays closed.
    if not planned.derived.voided and passed != total:
        message = f"the classes of `{name}` come to {passed} passed tasks, and its rows to {total}"
        yield REPORT, wrong(message, "Correct the figures by class; every task is in one class.", line)


def _rises(name: str, entries: Sequence[tuple[int, str, Fraction, int]]) -> Told:
    ordered = sorted(entries, key=lambda entry: entry[1])
    for (_, lower, before, _), (line, higher, after, _) in pairwise(ordered):
        if after > before:
            message = f"PASS^3 of `{name}` rises from class {lower} to class {higher}"
            advice = "Say so in the report; it changes no class."
            yield "RESULT-35", wrong(message, advice, line, Severity.NOTICE)


def _share(cell: str) -> Fraction | None:
    try:
        value = Decimal(cell)
    except InvalidOperation:
        return None
    return Fraction(value) if value.is_finite() else None


def _is_share(measured: Fraction, passed: int, tasks: int) -> bool:
    return 0 <= passed <= tasks and abs(Fraction(passed, tasks) - measured) <= Fraction(1, 2_000_000)
