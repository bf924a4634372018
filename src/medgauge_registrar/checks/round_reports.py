"""Reports of evaluation rounds: what they have to hold, and that every figure is the derived one (SCHEMA-ROUND-03 and others)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from medgauge_registrar.checks.fields import mapping
from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, change_check
from medgauge_registrar.checks.named import undecided
from medgauge_registrar.checks.results import applied_vetoes
from medgauge_registrar.checks.round_report_tables import (
    REPORT,
    Planned,
    Told,
    audit_table,
    class_table,
    figures_table,
    harness_delta_table,
    missing_classes,
    missing_deltas,
    missing_figures,
    void_table,
    wrong,
)
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.registry.derived import UnderivableError, derive
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.registry.references import select
from medgauge_registrar.registry.report_tables import ReportTable, report_tables
from medgauge_registrar.registry.result_figures import CATEGORIES
from medgauge_registrar.statistics.values import Subset

_SUBSET_TABLES = frozenset({"figures", "harness-delta", "by-class"})
_VERSION_TABLES = frozenset({"voided", "key-audit"})
_IDENTIFIERS = ("doi:", "https://doi.org/", "https://osf.io/")


@change_check("SCHEMA-ROUND-03", section="25.5", kinds={Kind.ROUND})
def unsound_report(changed: ChangedRecord, context: Context) -> Iterable[Problem]:
    """
    A round report cites its registered protocol, holds every figure of every result of the round, and types none by hand.

    Each table of figures says in a comment above it which version and subset it is about, and its columns have the names that
    `registrar board --format csv` gives them; `docs/round-reports.md` shows one. A number in any other table is refused.

    Passes: a table under `<!-- figures bm-example@0.2.0 holdout -->` with the derived values
    Fails: `pass_pow_3.value` rounded to two places, or a result of the round that is left out
    """
    return _told(REPORT, changed, context)


@change_check("RESULT-29", section="8.2", kinds={Kind.ROUND})
def foreign_letters(changed: ChangedRecord, context: Context) -> Iterable[Problem]:
    """
    Group letters in a report are those of the board: two rows share one exactly if they do not differ.

    Every pair is compared on the same tasks by the exact McNemar test, adjusted over all pairs by Holm's method. Letters move
    when a result joins, so take them from `registrar board` when the report is written.

    Passes: letters `a b` where the board gives `a b`
    Fails: letters read from overlapping intervals
    """
    return _told("RESULT-29", changed, context)


@change_check("RESULT-30", section="Scoring page", kinds={Kind.ROUND})
def foreign_order(changed: ChangedRecord, context: Context) -> Iterable[Problem]:
    """
    Positions in a report are those of the board: by PASS^3, then by cost among neighbours with equal letters.

    Vetoes never enter the order, and rows with other letters are not exchanged for cost.

    Passes: position 2 where the board gives 2
    Fails: position 1 for a cheaper row with other letters
    """
    return _told("RESULT-30", changed, context)


@change_check("RESULT-33", section="25.5", kinds={Kind.ROUND})
def wrong_harness_delta(changed: ChangedRecord, context: Context) -> Iterable[Problem]:
    """
    A harness difference compares the pass rate of one model in two harness versions task by task, with its interval.

    It is never the difference of two intervals, and never a line to pass.

    Passes: value: 0.1 where the mean over tasks of P(second) - P(first) is 0.1
    Fails: the same for results of two models
    """
    return _told("RESULT-33", changed, context)


@change_check("RESULT-35", section="6.4, 11.4", kinds={Kind.ROUND}, informs=True)
def rising_with_class(changed: ChangedRecord, context: Context) -> Iterable[Problem]:
    """
    PASS^3 does not rise from one difficulty class to the next; where it does, the comment says so.

    It never changes a class: classes come from the structure of the tasks alone.

    Passes: 0.7 in class 2 and 0.5 in class 3
    Fails: 0.5 in class 2 and 0.7 in class 3
    """
    return _told("RESULT-35", changed, context)


@change_check("RESULT-40", section="5.4, Scoring page", kinds={Kind.ROUND})
def board_beyond_holdout(changed: ChangedRecord, context: Context) -> Iterable[Problem]:
    """
    Position and letters stand with holdout figures alone, and a row with a veto is marked.

    Passes: a column vetoed with `yes` for a result with a veto in the holdout subset
    Fails: `no` for it, or a column position for the dev subset
    """
    return _told("RESULT-40", changed, context)


@change_check("RESULT-41", section="9, 12.4", kinds={Kind.ROUND}, informs=True)
def implausible_audit(changed: ChangedRecord, context: Context) -> Iterable[Problem]:
    """
    The share of changed keys lies between 0 and 1, and the agreement of experts between -1 and 1.

    Both come from closed records; the agreement is that of the frozen version where it gives one.

    Passes: share_changed: 0.05 and agreement_ac1: 0.91
    Fails: share_changed: 5
    """
    return _told("RESULT-41", changed, context)


def _told(rule: str, changed: ChangedRecord, context: Context) -> Sequence[Problem]:
    place = changed.place
    if place.kind is not Kind.ROUND or place.is_record or not (changed.enters or changed.rewritten):
        return ()
    return _problems(context.registry, place.path, place.id or "").get(rule, ())


# A registry never changes, and every rule asks about the same report.
@lru_cache(maxsize=8)
def _problems(registry: Registry, path: str, name: str) -> Mapping[str, tuple[Problem, ...]]:
    found: dict[str, list[Problem]] = defaultdict(list)
    for rule, problem in _judged(registry, path, name):
        found[rule].append(problem)
    return {rule: tuple(problems) for rule, problems in found.items()}


def _judged(registry: Registry, path: str, name: str) -> Told:
    protocol_path = registry.path_of(Kind.ROUND, name=name)
    protocol = registry.valid_record(protocol_path)
    if protocol is None:
        if not registry.has(protocol_path):
            yield (
                REPORT,
                wrong(f"there is no protocol at `{protocol_path}`", "Register the round before it runs.", None),
            )
        yield from ((REPORT, problem) for problem in undecided(protocol_path, registry))
        return
    try:
        text = (registry.tree.read(path) or b"").decode("utf-8")
    except UnicodeDecodeError:
        yield REPORT, wrong("the report is not UTF-8", "Save it as UTF-8.", None)
        return
    link = mapping(protocol["registration"]).get("link")
    if str(link) not in text:
        yield (
            REPORT,
            wrong(f"the report does not cite its registered protocol, `{link}`", "Cite it by its address.", None),
        )
    if not any(mark in text.replace(str(link), "") for mark in _IDENTIFIERS):
        message = "the report names no persistent identifier of its own"
        yield REPORT, wrong(message, "Enter it once it is minted.", None, Severity.NOTICE)
    tables = report_tables(text)
    versions = [
        str(version) for _, version in select(protocol.document.value, "benchmark_versions/*/benchmark_version")
    ]
    yield from _stray_tables(tables, versions)
    for version in versions:
        try:
            planned = planned_version(version, protocol, registry)
        except UnderivableError as error:
            yield REPORT, wrong(f"nothing can be derived for `{version}`: {error}", "Mend that first.", None)
            continue
        yield from _version_problems([table for table in tables if _about(table) == version], planned)


def _about(table: ReportTable) -> str | None:
    """Benchmark version that a table of figures is about; empty if its comment names none, null for any other table."""
    if table.mark[:1] and table.mark[0] in _SUBSET_TABLES | _VERSION_TABLES:
        return table.mark[1] if len(table.mark) > 1 else ""
    return None


def _stray_tables(tables: Sequence[ReportTable], versions: Sequence[str]) -> Told:
    """Tables whose numbers nobody could hold against anything."""
    for table in tables:
        version = _about(table)
        first = next(table.numbers, None)
        if version is None and first is not None:
            line, number = first
            message = f"the table holds `{number}` and does not say what it is derived from"
            advice = "Put a comment above the table, such as `<!-- figures bm-example@0.2.0 holdout -->`."
            yield REPORT, wrong(message, advice, line)
        elif version is not None and version not in versions:
            message = f"the table is about `{version}`, and the protocol of the round plans {', '.join(versions)}"
            yield REPORT, wrong(message, "Name a benchmark version of the round after the kind of table.", table.line)


def planned_versions(protocol: Record, registry: Registry) -> Iterator[Planned]:
    """
    Every benchmark version of a round.

    Raises:
        UnderivableError: A record that is needed cannot be used.
    """
    for _, version in select(protocol.document.value, "benchmark_versions/*/benchmark_version"):
        yield planned_version(str(version), protocol, registry)


def planned_version(version: str, protocol: Record, registry: Registry) -> Planned:
    """
    Gather one benchmark version of a round.

    Raises:
        UnderivableError: A record that is needed cannot be used.
    """
    identifier, _, number = version.partition("@")
    card = registry.valid_record(registry.path_of(Kind.BM_CARD, bm=identifier))
    applied = frozenset[str]() if card is None else applied_vetoes(card)
    derived = derive(registry, version, tuple(name for name in CATEGORIES if name in applied))
    record = registry.valid_record(registry.path_of(Kind.BM_VERSION, bm=identifier, version=number))
    assert record is not None
    predictions: dict[tuple[str, str], Json] = {}
    for _, entry in select(protocol.document.value, "benchmark_versions/*"):
        if mapping(entry).get("benchmark_version") == version:
            for _, predicted in select(entry, "predicted_pass_pow_3/*"):
                fields = mapping(predicted)
                key = (str(fields.get("model_tier")), str(fields.get("difficulty_class")))
                predictions[key] = fields.get("value")
    return Planned(
        derived=derived,
        version=record,
        predictions=predictions,
        of_round=tuple(result for result in derived.results if result.record["round"] == protocol["id"]),
    )


def _version_problems(tables: Sequence[ReportTable], planned: Planned) -> Iterator[tuple[str, Problem]]:
    by_kind: dict[str, list[tuple[ReportTable, Subset]]] = defaultdict(list)
    for table in tables:
        kind, subset = table.mark[0], table.mark[2] if len(table.mark) > 2 else ""
        if kind in _SUBSET_TABLES and subset not in set(Subset):
            message = f"the comment names no subset, found `{subset}`"
            yield REPORT, wrong(message, "Write dev, holdout or calibration after the version.", table.line)
        elif kind in _SUBSET_TABLES:
            by_kind[kind].append((table, Subset(subset)))
    for table, subset_ in by_kind["figures"]:
        yield from figures_table(table, planned, subset_)
    yield from missing_figures(by_kind["figures"], planned)
    for table, subset_ in by_kind["harness-delta"]:
        yield from harness_delta_table(table, planned, subset_)
    yield from missing_deltas([table for table, _ in by_kind["harness-delta"]], planned)
    for table, subset_ in by_kind["by-class"]:
        yield from class_table(table, planned, subset_)
    yield from missing_classes(by_kind["by-class"], planned)
    yield from void_table([table for table in tables if table.mark[0] == "voided"], planned)
    audits = [table for table in tables if table.mark[0] == "key-audit"]
    for table in audits:
        yield from audit_table(table, planned)
    if not audits:
        message = f"the audit of keys of `{planned.derived.version}` is not told"
        yield REPORT, wrong(message, f"Add a table under `<!-- key-audit {planned.derived.version} -->`.", None)
