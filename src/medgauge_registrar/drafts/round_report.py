"""`registrar draft round-report`: the report of a round with every derived figure in it, so that nobody types one."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from medgauge_registrar.checks.fields import count, mapping
from medgauge_registrar.checks.round_report_tables import Planned, harness_pairs, paired_difference
from medgauge_registrar.checks.round_reports import planned_versions
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.opened import registry_at
from medgauge_registrar.registry.derived import UnderivableError
from medgauge_registrar.registry.derived_cells import RESULT, Cells, cells, selected
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.statistics.values import Subset

# Columns that stand in one table, so that none becomes too wide to read.
_GROUPS: Mapping[str, tuple[str, ...]] = {
    "Exam and order": (
        "position", "letters", "vetoed", "n_tasks", "exam", "claimable_lower_bound", "pass_pow_3", "pass_at_3", "instability",
    ),
    "Completion": ("task_pass_rate", "s"),
    "Runs with a veto, by category": ("veto_rate_by_category", "compliance_rate"),
    "Runs with an error, by attribution": ("errors_by_attribution",),
    "Cost and efficiency": ("M3", "amounts"),
    "Other dimensions": ("M5", "M7", "M8", "M10"),
}  # fmt: skip


def draft_round_report(name: str, repository: Path) -> str:
    """
    Draft the report of a round.

    Args:
        name: Name of the round, its folder under `rounds/`.
        repository: The registry; its work tree is read.

    Raises:
        PolicyError: There is no such round, or its figures cannot be derived.
        ReadError: The repository cannot be read.
    """
    with registry_at(repository, None) as registry:
        protocol = registry.valid_record(registry.path_of(Kind.ROUND, name=name))
        if protocol is None:
            raise PolicyError(f"there is no valid protocol of a round `{name}`")
        return round_report(protocol, registry)


def round_report(protocol: Record, registry: Registry) -> str:
    """
    The report as Markdown; what only closed records hold is left as a question mark.

    Raises:
        PolicyError: The figures of a planned version cannot be derived.
    """
    try:
        planned = list(planned_versions(protocol, registry))
    except UnderivableError as error:
        raise PolicyError(f"{error}; run `registrar check`") from None
    link = mapping(protocol["registration"]).get("link")
    lines = [
        f"# Report of {protocol['id']}",
        "",
        f"Registered before the first run: <{link}>. Persistent identifier: pending.",
        "",
        "A claimable lower bound is on a task of this kind passing three times in a row, not on a single run. The tasks were "
        "built to specification and screened by difficulty class, not drawn from practice. No run was repeated and none was "
        "removed; where task versions were voided, those remain whose failures were the subjects' own.",
    ]
    for version in planned:
        lines += ["", f"## {version.derived.version}", *_version(version)]
    return "\n".join(lines) + "\n"


def _version(planned: Planned) -> Iterator[str]:
    derived = planned.derived
    for subset in Subset:
        table = cells(derived, subset)
        rows = [row for result in planned.of_round if (row := table.row(result.id)) is not None]
        if rows:
            yield from ("", f"### {subset.value.capitalize()}")
            yield from _subset(f"figures {derived.version} {subset}", table, rows)
    yield from _by_class(planned)
    for first, second in harness_pairs(planned.of_round):
        yield from ("", f"### {first.record['harness']} and {second.record['harness']}", "")
        found = paired_difference(first, second, planned, Subset.HOLDOUT)
        yield f"<!-- harness-delta {derived.version} holdout -->"
        yield from _table(("first", "second", *found), [(first.id, second.id, *found.values())])
    if derived.voided:
        yield from ("", "### Voided task versions", "", f"<!-- voided {derived.version} -->")
        yield from _table(("task_key", "attribution"), sorted(derived.voided.items()))
    agreement = planned.version["expert_agreement_ac1"]
    yield from ("", "### Audit of keys", "", f"<!-- key-audit {derived.version} -->")
    yield from _table(("share_changed", "agreement_ac1"), [("?", "?" if agreement is None else str(agreement))])


def _subset(mark: str, table: Cells, rows: Sequence[Mapping[str, str]]) -> Iterator[str]:
    for title, groups in _GROUPS.items():
        columns = selected(table.columns, *groups)
        if columns:
            yield from ("", f"{title}:", "", f"<!-- {mark} -->")
            yield from _table((RESULT, *columns), [(row[RESULT], *(row[name] for name in columns)) for row in rows])


def _by_class(planned: Planned) -> Iterator[str]:
    held = mapping(mapping(planned.version["class_distribution"]).get(Subset.HOLDOUT))
    rows = [
        (result.id, level, str(count(held[level])), "?", tier, str(predicted))
        for result in planned.of_round
        if result.subset(Subset.HOLDOUT) is not None
        for (tier, level), predicted in planned.predictions.items()
        if count(held.get(level))
    ]
    if rows:
        yield from ("", "### By difficulty class", "")
        yield "Measured on the closed side, since the class of a task is closed. Keep the tier of each subject."
        yield from ("", f"<!-- by-class {planned.derived.version} holdout -->")
        yield from _table(("result", "class", "tasks", "measured", "tier", "predicted"), rows)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(columns) + " |"
    yield "|" + "---|" * len(columns)
    for row in rows:
        yield "| " + " | ".join(row) + " |"
