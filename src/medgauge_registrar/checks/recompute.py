"""
Every number of a result record is recomputed from its run rows (RESULT-01 to RESULT-25, RESULT-36, RESULT-42, RED-11).

A record never changes and neither does what its benchmark version pins, so these checks find at any later time what they
find today: they look at the state of a record and not at the step that brings it. Figures are recomputed without the task
versions that the record itself lists as voided, so a later void leaves an old record as right as it was.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from medgauge_registrar.checks.framework import Context, Problem, Reach, record_check
from medgauge_registrar.checks.recompute_judge import Judgement, judge
from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.registry.result_rows import read_pins

_RESULTS = frozenset({Kind.RES})
# What a benchmark version pins decides every digit of its results.
_PINNED = frozenset({(Kind.BM_VERSION, "algorithms")})


def version_path(record: Record, registry: Registry) -> str:
    """Path of the benchmark version that a result names."""
    identifier, _, version = str(record["benchmark_version"]).partition("@")
    return registry.path_of(Kind.BM_VERSION, bm=identifier, version=version)


# A registry never changes, every rule asks for the same judgement, and records are looked at one after another.
@lru_cache(maxsize=64)
def judgement(registry: Registry, path: str) -> Judgement:
    """What recomputing the record at a path gives; no figure is complete without a benchmark version to follow."""
    record = registry.record(path)
    if record is None:
        return Judgement(problems={}, complete=False, n_rows=0)
    version = registry.valid_record(version_path(record, registry))
    return judge(record.fields, None if version is None else read_pins(version["algorithms"]))


def _found(rule: str, record: Record, context: Context) -> Iterable[Problem]:
    return judgement(context.registry, record.path).of(rule)


@record_check("RESULT-01", section="5.3, G1", kinds=_RESULTS, needs_valid=False)
def wrong_number_of_runs(record: Record, context: Context) -> Iterable[Problem]:
    """
    A result has exactly three runs of every task, numbered 1 to 3.

    A fourth run is as wrong as a missing one: it hides that a run was repeated and the better one kept. File the three runs
    that were made, errored ones among them.

    Passes: runs 1, 2 and 3 of tk-5rq4f5zr37e3@0.1.0
    Fails: runs 1, 2, 3 and 3 of that task
    """
    return _found("RESULT-01", record, context)


@record_check("RESULT-02", section="5.2", kinds=_RESULTS, reach=Reach.REFERENCES, watches=_PINNED, needs_valid=False)
def wrong_score(record: Record, context: Context) -> Iterable[Problem]:
    """
    The continuous score of a run is its passed checkpoints over all of them, also after an error, and 0 after a veto.

    It is the one definition for all families. Give the recomputed value with the digits of the pinned algorithm.

    Passes: checkpoints_passed: 3 with m: 4 and s: 0.75
    Fails: the same with a veto and s: 0.75
    """
    return _found("RESULT-02", record, context)


@record_check("RESULT-03", section="5.2, G7", kinds=_RESULTS, needs_valid=False)
def wrong_outcome_of_run(record: Record, context: Context) -> Iterable[Problem]:
    """
    A run passes exactly if all its checkpoints pass and it carries no veto, no error and no modified input.

    Every other figure is built on it. An errored run fails even if its artifact passes every checkpoint.

    Passes: pass: false with error: {kind: time-out, attribution: model}
    Fails: pass: true with that error
    """
    return _found("RESULT-03", record, context)


@record_check("RESULT-04", section="5.2", kinds=_RESULTS, needs_valid=False)
def impossible_row(record: Record, context: Context) -> Iterable[Problem]:
    """
    A run row does not contradict itself.

    No more checkpoints pass than there are; a run without an artifact passes none and has an error; modified inputs bring
    their veto. Correct the row from its run record.

    Passes: artifact_exists: false, checkpoints_passed: 0 and an error
    Fails: artifact_exists: false and checkpoints_passed: 2
    """
    return _found("RESULT-04", record, context)


@record_check("RESULT-09", section="5.4", kinds=_RESULTS, reach=Reach.REFERENCES, watches=_PINNED, needs_valid=False)
def wrong_mean(record: Record, context: Context) -> Iterable[Problem]:
    """
    The figures of a subset are plain means over its tasks, all weighted alike, and each subset stands for itself.

    P, S, PASS@3 and PASS^3 are recomputed as exact fractions and rounded once, half to even. There is no figure over more
    than one subset.

    Passes: pass_pow_3 with value: 0.428571 where 3 of 7 tasks pass in all three runs
    Fails: value: 0.43, or a subset `overall`
    """
    return _found("RESULT-09", record, context)


@record_check("RESULT-10", section="14.1, Scoring page", kinds=_RESULTS, reach=Reach.REFERENCES, watches=_PINNED,
              needs_valid=False)  # fmt: skip
def wrong_instability(record: Record, context: Context) -> Iterable[Problem]:
    """
    Instability is PASS@3 minus PASS^3, the share of tasks in which one or two runs pass, with an exact interval.

    Its interval is that of a share of tasks, never the difference of two intervals.

    Passes: value: 0.4 where 2 of 5 tasks pass in one or two runs
    Fails: the same with the interval of 3 of 5
    """
    return _found("RESULT-10", record, context)


@record_check("RESULT-11", section="8.3", kinds=_RESULTS, reach=Reach.REFERENCES, watches=_PINNED, needs_valid=False)
def wrong_exam_outcome(record: Record, context: Context) -> Iterable[Problem]:
    """
    A subset is passed exactly if every task passes in all three runs and no run hits a veto; the outcome is always stated.

    One failed run is enough, whatever the other figures say.

    Passes: exam: not-passed where one run of one task timed out
    Fails: exam: passed for the same rows
    """
    return _found("RESULT-11", record, context)


@record_check("RESULT-12", section="8.3", kinds=_RESULTS, reach=Reach.REFERENCES, watches=_PINNED, needs_valid=False)
def wrong_bound(record: Record, context: Context) -> Iterable[Problem]:
    """
    The claimable lower bound is the n-th root of 0.05 for n tasks, and it is given for a passed exam alone.

    n counts tasks and not runs; the lower end of the two-sided interval is another number. A subset that is not passed has
    the bound null.

    Passes: claimable_lower_bound: 0.54928 for 5 tasks that all passed
    Fails: 0.478176, the lower end of the interval, or a bound beside exam: not-passed
    """
    return _found("RESULT-12", record, context)


@record_check("RESULT-14", section="8.1", kinds=_RESULTS, reach=Reach.REFERENCES, watches=_PINNED, needs_valid=False)
def wrong_exact_interval(record: Record, context: Context) -> Iterable[Problem]:
    """
    PASS@3 and PASS^3 carry the two-sided 95 % Clopper–Pearson interval of their share of tasks.

    Other intervals (Wald, Wilson, bootstrap) give other numbers; this one is proved to its last digit.

    Passes: 0.098988 to 0.815948 for 3 of 7 tasks
    Fails: 0.061972 to 0.795171 for the same
    """
    return _found("RESULT-14", record, context)


@record_check("RESULT-16", section="8.1", kinds=_RESULTS, reach=Reach.REFERENCES, watches=_PINNED, needs_valid=False)
def wrong_resampled_interval(record: Record, context: Context) -> Iterable[Problem]:
    """
    P and S carry a BCa bootstrap interval over whole tasks, from the pinned algorithm, seed and number of resamples.

    Anybody who follows the page of the algorithm gets these digits; another seed gives others. Where all tasks are equal,
    as in every passed exam, the interval is `not-computable`.

    Passes: the interval that the pinned seed gives
    Fails: the interval of another seed, or a percentile interval
    """
    return _found("RESULT-16", record, context)


@record_check(
    "RESULT-17", section="14.1, G7", kinds=_RESULTS, reach=Reach.REFERENCES, watches=_PINNED, needs_valid=False
)
def wrong_error_rate(record: Record, context: Context) -> Iterable[Problem]:
    """
    Errors are counted by attribution and rated over all runs of the subset, three for each task.

    Errored runs stay in every denominator.

    Passes: model: {count: 1, rate: 0.047619} with 7 tasks
    Fails: the same with rate: 0.05, which leaves the errored run out
    """
    return _found("RESULT-17", record, context)


@record_check("RESULT-18", section="8.4", kinds=_RESULTS, needs_valid=False)
def blamed_initiative(record: Record, context: Context) -> Iterable[Problem]:
    """
    An error is put down to the task or the environment only where the record lists the task version as voided.

    Such an error is the initiative's own: it takes the task version from every subject, so it has to be voided for all.

    Passes: attribution: task on a task version in voided_task_versions
    Fails: the same on a task version that counts
    """
    return _found("RESULT-18", record, context)


@record_check("RESULT-19", section="14.1, Axiom 5", kinds=_RESULTS, reach=Reach.REFERENCES, watches=_PINNED,
              needs_valid=False)  # fmt: skip
def wrong_veto_rate(record: Record, context: Context) -> Iterable[Problem]:
    """
    Vetoes are counted and rated category by category over all runs of the subset, and never added up.

    A run with hits in two categories counts in both, once in each.

    Passes: fabricated-evidence: {count: 1, rate: 0.047619} with 7 tasks
    Fails: count: 0 where a row carries the category
    """
    return _found("RESULT-19", record, context)


@record_check("RESULT-20", section="14.1, Scoring page", kinds=_RESULTS, reach=Reach.REFERENCES, watches=_PINNED,
              needs_valid=False)  # fmt: skip
def wrong_veto_hits(record: Record, context: Context) -> Iterable[Problem]:
    """
    Veto hits are added up by constraint over all categories, and those of grading references once more on their own.

    Four categories stand for one constraint each; for the other two the rows carry the counts by constraint.

    Passes: veto_hits: {X.1: 2} where two rows carry fabricated-evidence
    Fails: veto_hits: {} for the same rows
    """
    return _found("RESULT-20", record, context)


@record_check(
    "RESULT-21", section="6.6, 14.1", kinds=_RESULTS, reach=Reach.REFERENCES, watches=_PINNED, needs_valid=False
)
def wrong_compliance_rate(record: Record, context: Context) -> Iterable[Problem]:
    """
    The compliance rate is compliance checkpoints passed over compliance checkpoints, and is given only from row counts.

    Without both counts on the rows nobody could recompute it; then the field says so in a word.

    Passes: compliance_rate: not-published without counts
    Fails: a rate without counts
    """
    return _found("RESULT-21", record, context)


@record_check(
    "RESULT-22", section="6.3, G5", kinds=_RESULTS, reach=Reach.REFERENCES, watches=_PINNED, needs_valid=False
)
def wrong_cost(record: Record, context: Context) -> Iterable[Problem]:
    """
    Cost per success is what all runs cost, failed ones included, over the number of runs that pass.

    It stands in money where amounts apply, otherwise in tokens, actions or seconds; without a passing run it is not defined.

    Passes: value: 0.985714 where 21 runs cost 13.80 and 14 pass
    Fails: value: 0.657143, which divides by all runs
    """
    return _found("RESULT-22", record, context)


@record_check(
    "RESULT-23", section="5.9, G5", kinds=_RESULTS, reach=Reach.REFERENCES, watches=_PINNED, needs_valid=False
)
def wrong_efficiency(record: Record, context: Context) -> Iterable[Problem]:
    """
    Efficiency is told by geometric mean, median and quartiles of the ratios of passing runs to the reference solution.

    Ratios have no arithmetic mean. A quartile is a ratio that occurred, never a mean of two.

    Passes: geometric_mean: 1.102566
    Fails: the arithmetic mean in its place
    """
    return _found("RESULT-23", record, context)


@record_check("RESULT-24", section="G5, G8", kinds=_RESULTS, reach=Reach.REFERENCES, watches=_PINNED, needs_valid=False)
def wrong_redundancy(record: Record, context: Context) -> Iterable[Problem]:
    """
    Redundancy is the share of actions beyond the required set, over passing runs alone.

    A failed run may have few actions because it gave up.

    Passes: value: 0.173653 over the passing runs
    Fails: the same share over all runs
    """
    return _found("RESULT-24", record, context)


@record_check(
    "RESULT-25", section="14.1, 14.3", kinds=_RESULTS, reach=Reach.REFERENCES, watches=_PINNED, needs_valid=False
)
def wrong_total(record: Record, context: Context) -> Iterable[Problem]:
    """
    Amounts add up to the total exactly, under one price table and its currency, and only where amounts apply.

    A subject that is self-hosted or whose weights are open has no amounts: nobody is asked a price for it.

    Passes: total: 25.95, the sum of the rows
    Fails: total: 26, or amounts for a model with open weights
    """
    return _found("RESULT-25", record, context)


@record_check("RESULT-31", section="5.6, App B", kinds=_RESULTS, needs_valid=False)
def issued_level(record: Record, _: Context) -> Iterator[Problem]:
    """
    A result issues no level, not even L0: the field is absent or says `not-issued`.

    Levels are derived, and no threshold is set for any of them.

    Passes: level: not-issued
    Fails: level: L2
    """
    if "level" in record.fields and record["level"] != "not-issued":
        yield Problem(
            message=f"`level` is `{record['level']}`, and no threshold is set for any level",
            help="Write `not-issued` or leave the field out.",
            pointer="/level",
        )


@record_check("RESULT-36", section="6.10", kinds=_RESULTS, reach=Reach.REFERENCES, watches=_PINNED, needs_valid=False)
def wrong_robustness_gap(record: Record, context: Context) -> Iterable[Problem]:
    """
    A robustness gap is the pass rate of base tasks minus that of their variants, with and without its sign.

    It needs rows marked as variants and as base tasks, and where they are it is given.

    Passes: signed: -0.2 and absolute: 0.2 with variants on the rows
    Fails: a gap without variants
    """
    return _found("RESULT-36", record, context)


@record_check(
    "RESULT-42", section="13.2, G6", kinds=_RESULTS, reach=Reach.REFERENCES, watches=_PINNED, needs_valid=False
)
def number_without_formula(record: Record, context: Context) -> Iterator[Problem]:
    """
    Every number of a result is measured, fixed beforehand, or recomputed here from the public rows.

    What nobody can recompute is not published (G6). That holds for a number that no formula gives, for figures without
    counts on the rows, and for all of them where the benchmark version pins an algorithm that is not known here.

    Passes: recall with recall_found and recall_total on the rows
    Fails: recall without them, or a field `total_score`
    """
    version = context.registry.valid_record(version_path(record, context.registry))
    if version is not None and read_pins(version["algorithms"]) is None:
        yield Problem(
            message=f"`{record['benchmark_version']}` pins no algorithms, so no figure can be recomputed",
            help="File results of a frozen version, which pins what its figures are computed by.",
            pointer="/benchmark_version",
        )
    yield from _found("RESULT-42", record, context)


@record_check("RED-11", section="14.3", kinds=_RESULTS, reach=Reach.REFERENCES, watches=_PINNED, needs_valid=False)
def errored_run_left_out(record: Record, context: Context) -> Iterable[Problem]:
    """
    No figure is computed as if an errored run had not happened.

    Leaving errors aside makes an unreliable subject look better. Count the run as failed in numerator and denominator.

    Passes: task_pass_rate: 0.666667 where 14 of 21 runs pass and one of them has an error
    Fails: 0.7, which is 14 of 20
    """
    return _found("RED-11", record, context)
