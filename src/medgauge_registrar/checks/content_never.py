"""What is never reported (RED-*): phrases and keys that would say more than the measurement does."""

from collections.abc import Iterator, Mapping

from medgauge_registrar.checks.content_lines import crossed_lines
from medgauge_registrar.checks.fields import mapping, total
from medgauge_registrar.checks.framework import (
    ChangedRecord,
    Context,
    Problem,
    Reach,
    change_check,
    file_check,
    record_check,
)
from medgauge_registrar.content.textfile import TextFile
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.registry.layout import encode_model_name
from medgauge_registrar.registry.records import Record, version_key

# A distribution over fewer tasks than this leaves little to guess.
_FEW_TASKS = 5


@file_check("RED-01", section="14.3, App B")
def issued_level(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    Nothing says that a subject has a capability level while no threshold is set.

    A level would promise a bound that nobody has fixed. Say what the exam's outcome was; explaining what levels are is fine.

    Passes: No model has reached L3.
    Fails: The model reached L3 on temporal audit.
    """
    yield from crossed_lines(file, "RED-01")


@file_check("RED-04", section="14.3, 11.5")
def unmeasured_baseline(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    No figure of an expert baseline stands anywhere but beside the version on which it was measured.

    A figure that nobody measured reads like one that somebody did. Cite the frozen version whose record states it.

    Passes: The expert baseline has not been measured yet.
    Fails: The expert baseline is about 92 % for this family.
    """
    yield from crossed_lines(file, "RED-04")


@file_check("RED-05", section="14.3, 5.3")
def single_run_score(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    A single run is never shown as a score.

    One of three runs says little, and the best of them says less. Give figures over all runs.

    Passes: Single runs are never published as scores.
    Fails: Its best run scored 0.97.
    """
    yield from crossed_lines(file, "RED-05")


@file_check("RED-06", section="14.3, 5.4")
def pooled_subsets(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    No figure is pooled over the dev, holdout and calibration subsets.

    Tasks whose keys are open would lift the figure of those whose keys are closed. Give each subset its own.

    Passes: subsets: {holdout: {…}}
    Fails: subsets: {overall: {…}}
    """
    yield from crossed_lines(file, "RED-06")


@file_check("RED-07", section="14.3, 3.2")
def combined_dimensions(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    Dimensions are never added, averaged or weighted into one figure.

    A total hides what it is made of, safety among it. Report each dimension on its own.

    Passes: There is no overall score for any model.
    Fails: overall_score: 81
    """
    yield from crossed_lines(file, "RED-07")


@file_check("RED-08", section="14.3, 5.8")
def joined_families(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    No mean or total runs over task families or over benchmark versions.

    Families differ in what they ask and versions in their tasks, so such a figure is about nothing. Keep them apart.

    Passes: No figure is averaged across families.
    Fails: Pass rates averaged across versions rise.
    """
    yield from crossed_lines(file, "RED-08")


@file_check("RED-09", section="14.3, 3.2")
def ranked_actions(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    Action counts and redundancy are never ranked over harness versions.

    Each harness counts actions its own way. Report the figures without an order.

    Passes: The redundancy rate is compared only within one harness version.
    Fails: sort_by: redundancy_rate
    """
    yield from crossed_lines(file, "RED-09")


@file_check("RED-10", section="14.3")
def amount_for_open_weights(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    No amount of money is given for a subject that is self-hosted or whose weights are open.

    What such a run costs depends on who runs it. Write that amounts do not apply.

    Passes: amounts: not-applicable
    Fails: The open-weight model costs $0.12 a task.
    """
    yield from crossed_lines(file, "RED-10")


# A step and not a state: the weights of a model may be published after its results were.
@change_check("RED-10", section="14.3", kinds={Kind.RES})
def amount_of_open_result(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A new result states no amounts for a model that is self-hosted or whose weights are open.

    What such a run costs depends on who runs it. Write `not-applicable`, and null in the rows.

    Passes: amounts: not-applicable
    Fails: amounts: {total: 3, …} for a model with weights: open
    """
    record = changed.after
    if record is None or not changed.enters or not isinstance(record["amounts"], dict):
        return
    name = record["model"]
    if not isinstance(name, str):
        return
    path = context.registry.path_of(Kind.MODEL, model=encode_model_name(name))
    model = context.registry.valid_record(path)
    if model is None and context.registry.has(path):
        yield Problem(
            message=f"`{path}` breaks its schema or cannot be read, so whether `amounts` may state money is not known",
            help="Mend the record of the model first.",
            pointer="/amounts",
        )
    elif model is not None and (model["weights"] == "open" or model["access_route"] == "self-hosted"):
        what = "has open weights" if model["weights"] == "open" else "is self-hosted"
        yield Problem(
            message=f"`amounts` states money, and `{name}` {what}",
            help="Write `not-applicable`, and null as the amount of each run.",
            pointer="/amounts",
        )


@record_check("RED-12", section="12.1, 14.3", kinds={Kind.BM_VERSION}, reach=Reach.FAMILY)
def telling_distribution(record: Record, context: Context) -> Iterator[Problem]:
    """
    No distribution gives away the class or labels of a single task.

    A distribution over one task is that task's class; so is the difference between two versions that differ in one task.
    State no distribution for a subset of one task, and think twice where it has fewer than five.

    Passes: class_distribution: {holdout: {"2": 4, "3": 3}, …}
    Fails: class_distribution: {calibration: {"1": 1}, …}
    """
    for pointer, size in _distributions(record):
        if size == 1:
            yield Problem(
                message=f"`{pointer}` is a distribution over one task, and so states the label of that task",
                help="Take the distribution out, or let the subset have more tasks.",
                pointer=pointer,
            )
        elif 1 < size < _FEW_TASKS:
            yield Problem(
                message=f"`{pointer}` is a distribution over {size} tasks, which leaves little to guess",
                help="Let a maintainer decide whether it stays; more tasks hide each of them better.",
                pointer=pointer,
                severity=Severity.WARNING,
            )
    yield from _by_subtraction(record, context)


@file_check("RED-13", section="14.3, 3.1")
def producer_in_grade(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    A grade does not say who produced the artifact.

    The grader sees fields and never the producer, and its record shows that. Remove the key.

    Passes: {grade: pass, detail_sha: …}
    Fails: {grade: pass, producer: example-team}
    """
    yield from crossed_lines(file, "RED-13")


@file_check("RED-14", section="3.2")
def autonomy_span(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    Nothing states for how long or how many actions a system works alone.

    No such quantity is defined: actions are each harness's own. Name the autonomy class.

    Passes: autonomy_class: A2
    Fails: autonomy_span: 90
    """
    yield from crossed_lines(file, "RED-14")


@file_check("RED-15", section="8.5, 26")
def judged_env_delta(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    env_delta is stated and not judged while no threshold is set.

    A claim that two environments agree would need several hundred tasks. Give the difference with its sign and as an
    absolute value.

    Passes: env_delta was -0.03, absolute 0.03.
    Fails: env_delta is within the acceptable range.
    """
    yield from crossed_lines(file, "RED-15")


@file_check("RED-16", section="8.3")
def bare_lower_bound(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    A lower bound stands with its conditions, and is not read as the reliability of a run or of practice.

    It is about passing a task of this kind three times in a row, on independent tasks and without removals. Say so in the
    same paragraph.

    Passes: The lower bound is 0.902 for tasks of this kind, …
    Fails: Its claimable lower bound is 0.902.
    """
    yield from crossed_lines(file, "RED-16")


@file_check("RED-17", section="Scoring page")
def presented_as_pass(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    An exam that was not passed is not presented as a pass by its other figures.

    Diagnostic figures show where a subject lost and never add up to a pass. State the outcome.

    Passes: The subject did not pass the holdout subset.
    Fails: The model nearly passed the exam.
    """
    yield from crossed_lines(file, "RED-17")


@file_check("RED-18", section="13.2")
def harness_delta_line(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    harness_delta decides nothing.

    It is a measured difference between two harnesses. Report it and draw no line.

    Passes: The harness_delta between the two rows is 0.08.
    Fails: harness_delta_threshold: 0.1
    """
    yield from crossed_lines(file, "RED-18")


@file_check("RED-19", section="16, 3.1", kinds={Kind.BM_CARD})
def result_on_card(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    A benchmark card holds no result of its own.

    Results stand in records that the site verified; a number typed on a card has no run behind it. Remove it.

    Passes: results: none
    Fails: pass_rate: 0.84
    """
    yield from crossed_lines(file, "RED-19")


@file_check("RED-20", section="Preamble", kinds={Kind.METH}, informs=True)
def result_in_text(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    The methodology text holds no result.

    The text says how to measure and outlives every measurement. Somebody should look at a sentence that reads like one.

    Passes: A capability is retired when three frontier tiers reach …
    Fails: The best model reached 0.71 in the first round.
    """
    yield from crossed_lines(file, "RED-20")


@file_check("RED-21", section="5.6, App B, Scoring page")
def percentile_or_rank(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    Intervals are no percentile bootstrap, and thresholds are no ranks.

    The first covers badly with few tasks; the second would let a level depend on who else was measured.

    Passes: mean: bca-bootstrap
    Fails: mean: percentile-bootstrap
    """
    yield from crossed_lines(file, "RED-21")


def _distributions(record: Record) -> Iterator[tuple[str, int]]:
    for subset, classes in mapping(record["class_distribution"]).items():
        yield f"/class_distribution/{subset}", total(classes)
    labels = mapping(record["label_distribution"])
    sizes = [total(values) for values in labels.values()]
    if sizes:
        # Of every label each task has a value; several of them have more, so the least sum is the number of tasks.
        yield "/label_distribution", min(sizes)


def _by_subtraction(record: Record, context: Context) -> Iterator[Problem]:
    place, registry = record.place, context.registry
    if place.id is None or place.version is None or not _tells(record):
        return
    earlier = [
        version
        for version in registry.versions(Kind.BM_VERSION, bm=place.id)
        if version_key(version) < version_key(place.version)
    ]
    if not earlier:
        return
    before = registry.valid_record(registry.path_of(Kind.BM_VERSION, bm=place.id, version=earlier[-1]))
    if before is None or not _tells(before):
        return
    old, new = _tasks(before["task_keys"]), _tasks(record["task_keys"])
    added, gone = new - old, old - new
    if old and new and (added or gone) and len(added) <= 1 and len(gone) <= 1:
        yield Problem(
            message=f"the tasks differ from those of `{earlier[-1]}` in one, whose labels follow by subtraction",
            help="Let a maintainer decide whether both distributions may be public.",
            pointer="/task_keys",
            severity=Severity.WARNING,
        )


def _tells(record: Record) -> bool:
    return bool(mapping(record["class_distribution"]) or mapping(record["label_distribution"]))


def _tasks(keys: Json) -> frozenset[str]:
    subsets: Mapping[str, Json] = mapping(keys)
    return frozenset(
        key for found in subsets.values() if isinstance(found, list) for key in found if isinstance(key, str)
    )
