"""The effect of a component, recomputed from its runs and those of its control (RESULT-26)."""

from collections.abc import Iterator, Sequence

from medgauge_registrar.checks.framework import Context, Problem, Reach, record_check
from medgauge_registrar.checks.recompute import judgement, version_path
from medgauge_registrar.checks.recompute_compare import differences
from medgauge_registrar.checks.recompute_judge import wrong_figure
from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.registry.result_figures import Expected, estimate
from medgauge_registrar.registry.result_rows import read_pins, read_rows, voided_keys
from medgauge_registrar.statistics import figures
from medgauge_registrar.statistics.algorithms import Pins, UnknownAlgorithmError, pinned_intervals
from medgauge_registrar.statistics.differences import Part, paired_column
from medgauge_registrar.statistics.explain import faults
from medgauge_registrar.statistics.figures import TaskRuns
from medgauge_registrar.statistics.values import Subset

_PARTS = {"on_scope": Part.SCOPE, "outside_scope": Part.OUTSIDE}


@record_check(
    "RESULT-26",
    section="10.2, Scoring page",
    kinds={Kind.RES},
    reach=Reach.REFERENCES,
    watches={(Kind.BM_VERSION, "algorithms"), (Kind.RES, "runs"), (Kind.RES, "voided_task_versions")},
    needs_valid=False,
)
def wrong_effect(record: Record, context: Context) -> Iterator[Problem]:
    """
    The effect of a component is the paired difference in pass rate over the tasks it shares with its control.

    It is taken task by task, on the declared scope and outside it apart, and never as the difference of two intervals. Both
    records carry the counts of the scope on their rows, and both cover the same tasks once the voided ones are left out.

    Passes: on_scope with value: 0.2 where 3 more of 15 runs pass every checkpoint of the scope
    Fails: the difference of the two pass rates over the whole artifact in its place
    """
    yield from judgement(context.registry, record.path).of("RESULT-26")
    if "effect" not in record.fields:
        return
    version = context.registry.valid_record(version_path(record, context.registry))
    pins = None if version is None else read_pins(version["algorithms"])
    control = control_of(record, context.registry)
    # Without a control SCHEMA-RES-05 has said so, and without usable pins RESULT-42.
    if control is None or pins is None:
        return
    try:
        expected, tasks = component_effect(record, control, pins)
    except UnknownAlgorithmError:
        return
    except ValueError as error:
        yield Problem(
            message=f"the effect cannot be recomputed: {error}",
            help="Mend that, or leave `effect` out; without a usable pair no effect is published.",
            pointer="/effect",
        )
        return
    for wrong in differences(record["effect"], expected, "/effect"):
        subset = wrong.pointer.split("/")[2] if wrong.pointer.count("/") > 1 else ""
        yield wrong_figure(wrong, [task for task in tasks if task.subset == subset], pins)[1]


def component_effect(record: Record, control: Record, pins: Pins) -> tuple[dict[str, Expected], Sequence[TaskRuns]]:
    """
    Recompute the effect of the component that a record has and its control lacks.

    Returns:
        The field `effect`, and the tasks of the record that it rests on.

    Raises:
        ValueError: The rows of one of the two cannot be used, the tasks differ, or counts of the scope are missing.
        UnknownAlgorithmError: A pin cannot be followed.
    """
    intervals = pinned_intervals(pins)
    voided = voided_keys(record.fields).keys() | voided_keys(control.fields).keys()
    with_it, without = ([task for task in _tasks(result) if task.task not in voided] for result in (record, control))
    expected: dict[str, Expected] = {}
    for subset in Subset:
        own = [task for task in with_it if task.subset is subset]
        other = [task for task in without if task.subset is subset]
        if own or other:
            columns = [paired_column(own, other, part) for part in _PARTS.values()]
            found = intervals.rates(columns, pins.seed)
            expected[subset.value] = {name: estimate(rate) for name, rate in zip(_PARTS, found, strict=True)}
    return expected, with_it


def _tasks(result: Record) -> tuple[TaskRuns, ...]:
    """
    Tasks of a record.

    Raises:
        ValueError: Its rows cannot be used.
    """
    read = read_rows(result.fields)
    tasks = figures.by_task(read.rows)
    if not read.whole or faults(tasks):
        raise ValueError(f"the rows of `{result.place.id}` cannot be used")
    return tasks


def control_of(record: Record, registry: Registry) -> Record | None:
    """The control that a result names, on the same benchmark version; null without a valid one."""
    identifier, _, version = str(record["benchmark_version"]).partition("@")
    path = registry.path_of(Kind.RES, bm=identifier, version=version, res=str(record["paired_with"]))
    return registry.valid_record(path)
