"""Benchmark cards and versions, each by itself or beside what it names (SCHEMA-BM-*)."""

from collections.abc import Iterator

from medgauge_registrar.checks.benchmark_records import SUBSETS, path_of_reference
from medgauge_registrar.checks.fields import count, lies_ahead, mapping, step, texts, total
from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, Reach, change_check, record_check
from medgauge_registrar.classify.transitions import is_frozen
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.registry.records import Record
from medgauge_registrar.registry.references import select

# Labels of which one task may carry several values (section 7).
_SEVERAL_VALUES = ("T4", "T8")
# How "it does not apply" is written, once letter case and punctuation are set aside.
_NOT_APPLICABLE = frozenset({"notapplicable", "na", "none"})
# Numbers of tasks from which on figures say something useful; guidance, never a condition (section 8.6).
_USEFUL = {"holdout": 30, "calibration": 5}


@record_check("SCHEMA-BM-02", section="6.11", kinds={Kind.BM_CARD})
def metric_of_absent_dimension(record: Record, _: Context) -> Iterator[Problem]:
    """
    A dimension that the tasks of a family cannot support is written `not-applicable`, and no figure stands under it.

    Left out or written as 0, it would read as a bad result; with a figure under it, the card contradicts itself. The schema
    asks for all ten dimensions. Report the dimension, or take the figure out.

    Passes: M7: reported, with precision under M7
    Fails: M7: not-applicable, with precision under M7
    """
    dimensions = mapping(record["dimensions"])
    for pointer, metric in select(record.document.value, "metrics_reported/*"):
        name, dimension = mapping(metric).get("name"), str(mapping(metric).get("dimension"))
        if dimensions.get(dimension) == "not-applicable":
            yield Problem(
                message=f"`{name}` stands under {dimension}, which the card says does not apply",
                help=f"Write `{dimension}: reported` if the tasks support it, otherwise take the figure out.",
                pointer=f"{pointer}/dimension",
            )


@record_check("SCHEMA-BM-03", section="11.4", kinds={Kind.BM_VERSION})
def class_without_components(record: Record, _: Context) -> Iterator[Problem]:
    """
    A version states difficulty classes only if the components they follow from are on record.

    A class that no recorded component supports is a guess. Record the components on the closed side and say so, or state no
    classes.

    Passes: components_recorded: true with a class distribution
    Fails: a class distribution without components_recorded: true
    """
    if record["class_distribution"] is not None and record["components_recorded"] is not True:
        yield Problem(
            message="classes are stated, and `components_recorded` is not `true`",
            help="Record the components of every task and write `components_recorded: true`, or take the classes out.",
            pointer="/class_distribution",
        )


@record_check("SCHEMA-BM-05", section="7, 11.4", kinds={Kind.BM_VERSION})
def unbalanced_counts(record: Record, _: Context) -> Iterator[Problem]:
    """
    Task keys, classes and labels of a version add up to the number of its tasks.

    Every task has one key, one class and, but for modalities (T4) and regions (T8), one value of each label, so any other
    sum means that a task was forgotten or counted twice. Correct the list or the number.

    Passes: dev: 5, five task keys under dev, and dev classes 2 + 2 + 1 + 0
    Fails: dev: 5, and dev classes 2 + 2 + 2 + 0
    """
    subsets = mapping(record["subsets"])
    if not subsets:
        return
    tasks = total(record["subsets"])
    if tasks == 0 and is_frozen(record.document.value):
        yield Problem(
            message="a frozen version has no tasks, expected at least 1",
            help="Freeze a version once it holds tasks.",
            pointer="/subsets",
        )
    for name in SUBSETS:
        held = count(subsets.get(name))
        keys, classes = mapping(record["task_keys"]).get(name), mapping(record["class_distribution"]).get(name)
        if isinstance(keys, list) and len(keys) != held:
            yield _sum_problem(f"`{name}` lists {len(keys)} task keys", held, f"/task_keys/{name}")
        if isinstance(classes, dict) and total(classes) != held:
            yield _sum_problem(
                f"the classes of `{name}` add up to {total(classes)}", held, f"/class_distribution/{name}"
            )
    for label, values in mapping(record["label_distribution"]).items():
        if label not in _SEVERAL_VALUES and total(values) != tasks:
            yield _sum_problem(
                f"the values of {label} add up to {total(values)}", tasks, f"/label_distribution/{label}"
            )
        for value, carried in mapping(values).items():
            if label in _SEVERAL_VALUES and count(carried) > tasks:
                pointer = f"/label_distribution/{label}{step(value)}"
                yield _sum_problem(f"`{value}` of {label} is carried by {count(carried)}", tasks, pointer)


@record_check("SCHEMA-BM-06", section="7", kinds={Kind.BM_VERSION})
def uncovered_label(record: Record, _: Context) -> Iterator[Problem]:
    """
    Every task carries every label, and the region (T8) always applies.

    Coverage cannot be read from a label that some tasks lack. The schema knows the values of the other labels; T8 names
    guidelines and coding systems freely, but never says that none applies. Add the missing values.

    Passes: 17 tasks, T4: {text: 17, structured-table: 9}
    Fails: T8: {not-applicable: 17}
    """
    tasks = total(record["subsets"])
    labels = mapping(record["label_distribution"])
    for label in _SEVERAL_VALUES:
        if label in labels and total(labels[label]) < tasks:
            yield Problem(
                message=f"the values of {label} cover at most {total(labels[label])} of {tasks} tasks",
                help="Count at least one value for every task.",
                pointer=f"/label_distribution/{label}",
            )
    for value in mapping(labels.get("T8")):
        if "".join(character for character in value.casefold() if character.isalnum()) in _NOT_APPLICABLE:
            yield Problem(
                message=f"T8 has the value `{value}`, and a region or standard is always required",
                help="Name the guideline or coding system that those tasks are graded against.",
                pointer=f"/label_distribution/T8{step(value)}",
            )


@record_check("SCHEMA-BM-09", section="14.2", kinds={Kind.BM_VERSION})
def implausible_reference_count(record: Record, _: Context) -> Iterator[Problem]:
    """
    The summary of references gives each one once, with a number of tasks that the version has, and names no task.

    It is the public side of a closed map, so its counts must be right and its form must leave the tasks unnamed, which the
    schema sees to. Correct the number or merge the entries.

    Passes: gr-example@0.1.0 tested by 9 of 17 tasks
    Fails: gr-example@0.1.0 tested by 18 of 17 tasks
    """
    tasks, seen = total(record["subsets"]), set[str]()
    for pointer, item in select(record.document.value, "reference_summary/*"):
        entry = mapping(item)
        reference = str(entry.get("grading_reference"))
        if reference in seen:
            yield Problem(
                message=f"`{reference}` has more than one entry",
                help="Keep one entry for each reference.",
                pointer=f"{pointer}/grading_reference",
            )
        seen.add(reference)
        if mapping(record["subsets"]) and count(entry.get("tasks")) > tasks:
            yield Problem(
                message=f"`{reference}` is tested by {count(entry.get('tasks'))} tasks, and the version has {tasks}",
                help="Count each task once.",
                pointer=f"{pointer}/tasks",
            )


@record_check(
    "SCHEMA-BM-10",
    section="12.1",
    kinds={Kind.BM_VERSION, Kind.RES},
    reach=Reach.REFERENCES,
    watches={(Kind.BM_VERSION, "hash_manifest")},
)
def holdout_without_manifest(record: Record, context: Context) -> Iterator[Problem]:
    """
    The digests of the holdout answers are public once a holdout result is, and only then have a meaning.

    The manifest shows later that no answer was changed after the runs. It arrives with the first round that runs the holdout
    subset of a frozen version, not before and not after. Release it in the same pull request as the first holdout result.

    Passes: a holdout result on a version with its hash_manifest
    Fails: a holdout result on a version whose hash_manifest is null
    """
    if record.kind is Kind.BM_VERSION:
        subsets = mapping(record["subsets"])
        if record["hash_manifest"] is not None and count(subsets.get("holdout")) == 0:
            yield Problem(
                message="there is a manifest of holdout answers, and the version has no holdout task",
                help="Take the manifest out, or correct the number of holdout tasks.",
                pointer="/hash_manifest",
            )
        return
    path = path_of_reference(record["benchmark_version"], context.registry)
    version = context.registry.valid_record(path)
    if "holdout" not in mapping(record["subsets"]):
        return
    if version is not None and version["hash_manifest"] is None:
        yield Problem(
            message=f"this result has holdout figures, and `{record['benchmark_version']}` has no hash manifest",
            help=f"Release the manifest of the holdout answers in `{path}` in this pull request.",
            pointer="/subsets/holdout",
        )


@change_check(holdout_without_manifest.rule, section="12.1", kinds={Kind.BM_VERSION})
def manifest_without_its_round(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A hash manifest arrives with a registered round that runs this version.

    Released earlier, it would give the digests away for guessing longer than needed. Name the round whose protocol lists the
    version, or wait for it.

    Passes: released_with: example-round-1, whose protocol lists the version
    Fails: released_with: example-round-2, which has no protocol
    """
    after = context.registry.valid_record(changed.change.path)
    if after is None or after.kind is not Kind.BM_VERSION or not mapping(after["hash_manifest"]):
        return
    if changed.before is not None and changed.before["hash_manifest"] == after["hash_manifest"]:
        return
    name = str(mapping(after["hash_manifest"]).get("released_with"))
    path = context.registry.path_of(Kind.ROUND, name=name)
    protocol = context.registry.valid_record(path)
    planned = [] if protocol is None else select(protocol.document.value, "benchmark_versions/*/benchmark_version")
    if after.place.object not in {version for _, version in planned}:
        yield Problem(
            message=f"the manifest is released with `{name}`, and no protocol at `{path}` lists `{after.place.object}`",
            help="Name the round that runs this version first, and register its protocol in this pull request or earlier.",
            pointer="/hash_manifest/released_with",
        )


@record_check("SCHEMA-BM-11", section="11.5", kinds={Kind.BM_VERSION})
def baseline_before_measurement(record: Record, context: Context) -> Iterator[Problem]:
    """
    Figures of the expert baseline are published all together, after they were measured.

    An expected value would be read as a measured one. The schema asks for all figures or none; the day of the measurement
    must have come. Leave the baseline null until then.

    Passes: measured_on: 2026-11-24, on 2026-11-29
    Fails: measured_on: 2027-01-01, on 2026-11-29
    """
    measured = mapping(record["expert_baseline"]).get("measured_on")
    if lies_ahead(measured, context):
        yield Problem(
            message=f"the baseline was measured on `{measured}`, and today is no later than `{context.latest_day}`",
            help="Write `expert_baseline: null` until the experts have been measured, or correct the day.",
            pointer="/expert_baseline/measured_on",
        )


@record_check(
    "SCHEMA-BM-12",
    section="8.3, App B, Clinical Temporal Audit page",
    kinds={Kind.BM_VERSION, Kind.RES},
    reach=Reach.REFERENCES,
    watches={(Kind.BM_VERSION, "subsets")},
)
def figures_of_empty_subset(record: Record, context: Context) -> Iterator[Problem]:
    """
    A version without holdout tasks has no board row, and one without calibration tasks no level L1; nothing stands in for them.

    A figure for a subset that holds no task has no tasks behind it. Report the subsets that the version has; for a frozen
    version the two consequences are recalled.

    Passes: dev figures alone, on a version with dev: 12, holdout: 0, calibration: 0
    Fails: holdout figures, on that version
    """
    if record.kind is Kind.BM_VERSION:
        yield from _consequences(record)
        return
    version = context.registry.valid_record(path_of_reference(record["benchmark_version"], context.registry))
    if version is None:
        return
    held = mapping(version["subsets"])
    for name in SUBSETS:
        if name in mapping(record["subsets"]) and count(held.get(name)) == 0:
            yield Problem(
                message=f"there are {name} figures, and `{record['benchmark_version']}` has no {name} task",
                help="Take the figures out.",
                pointer=f"/subsets/{name}",
            )


@record_check("SCHEMA-BM-13", section="8.6", kinds={Kind.BM_VERSION}, informs=True)
def few_tasks(record: Record, _: Context) -> Iterator[Problem]:
    """
    A small number of tasks never stands in the way of a version; it only limits what can be concluded.

    From about 30 holdout tasks on rows can be told apart usefully, and a calibration subset has at least 5. Nothing needs to
    be mended.

    Passes: holdout: 30, calibration: 5
    Fails: holdout: 7 (a notice)
    """
    if not is_frozen(record.document.value):
        return
    for name, useful in _USEFUL.items():
        held = count(mapping(record["subsets"]).get(name))
        if 0 < held < useful:
            yield Problem(
                message=f"`{name}` has {held} tasks; about {useful} are where conclusions begin to be useful",
                help="Nothing has to change; state figures with the number of tasks.",
                pointer=f"/subsets/{name}",
                severity=Severity.NOTICE,
            )


@record_check("SCHEMA-BM-14", section="4, 5.1", kinds={Kind.BM_CARD, Kind.BM_VERSION})
def unfounded_check(record: Record, _: Context) -> Iterator[Problem]:
    """
    A listed check has its eight elements: it reads one field of the artifact and rests on one reference that is cited here.

    A field outside the artifact contract cannot be read, and a reference that is not cited cannot be followed. The schema sees
    to the elements themselves. Add the field or the reference, or correct the check.

    Passes: field: verdicts[].code, which artifact_fields lists
    Fails: field: verdicts[].colour, which it does not list
    """
    is_card = record.kind is Kind.BM_CARD
    fields = {mapping(item).get("name") for _, item in select(record.document.value, "artifact_fields/*")}
    cited = set(texts(record["grading_references"]))
    if not is_card:
        cited = {str(name) for _, name in select(record.document.value, "reference_summary/*/grading_reference")}
    where = "grading_references" if is_card else "reference_summary"
    for pointer, item in select(record.document.value, "checks/*"):
        check = mapping(item)
        if is_card and check.get("field") not in fields:
            yield Problem(
                message=f"the check reads `{check.get('field')}`, which `artifact_fields` does not list",
                help="Add the field to the artifact contract, or correct its name.",
                pointer=f"{pointer}/field",
            )
        if (is_card or record[where] is not None) and check.get("provenance") not in cited:
            yield Problem(
                message=f"the check rests on `{check.get('provenance')}`, which `{where}` does not name",
                help="Cite the reference there, or correct the provenance.",
                pointer=f"{pointer}/provenance",
            )


def _sum_problem(found: str, expected: int, pointer: str) -> Problem:
    return Problem(
        message=f"{found}, and there are {expected} tasks",
        help="Correct the counts, or the number of tasks under `subsets`.",
        pointer=pointer,
    )


def _consequences(version: Record) -> Iterator[Problem]:
    """What a frozen version cannot report, because a subset is empty."""
    told = {
        "holdout": "results on it are published without a row on the board",
        "calibration": "level L1 cannot be computed on it, which is not level L0",
    }
    for name, consequence in told.items():
        if is_frozen(version.document.value) and count(mapping(version["subsets"]).get(name)) == 0:
            yield Problem(
                message=f"the version has no {name} task, so {consequence}",
                help="Nothing has to change; a later version may designate such tasks.",
                pointer=f"/subsets/{name}",
                severity=Severity.NOTICE,
            )
