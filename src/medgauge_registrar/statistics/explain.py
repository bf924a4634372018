"""Why rows cannot be used, and why a figure is what it is, as structured reasons."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from decimal import Decimal
from itertools import chain

from medgauge_registrar.statistics.figures import TaskRuns, counted_checkpoints, passes
from medgauge_registrar.statistics.values import (
    FIXED_TALLIES,
    INITIATIVE_SIDE,
    RUNS_PER_TASK,
    Reason,
    RunRow,
    Tally,
    WhyNot,
)

LARGEST_M = 1_000
LARGEST_AMOUNT = Decimal("1E+12")
FINEST_AMOUNT_EXPONENT = -12
"""Bounds of our own, far beyond any task or price, so that a hostile number cannot make exact arithmetic endless."""

_RUN_NUMBERS = list(range(1, RUNS_PER_TASK + 1))


IN_WORDS = {
    WhyNot.NO_TASKS: "there is no task to compute it from",
    WhyNot.ALL_TASKS_EQUAL: "all tasks are equal, so drawing them again can show no spread",
    WhyNot.NOT_PASSED: "the exam is not passed, and only a passed one supports a bound",
    WhyNot.NO_PASSING_RUN: "no run passes",
    WhyNot.NO_AMOUNTS: "no run carries an amount",
    WhyNot.AMOUNTS_INCOMPLETE: "some runs carry an amount and some do not",
    WhyNot.NO_COUNTS: "no run carries the counts it is made of",
    WhyNot.COUNTS_INCOMPLETE: "some runs carry the counts it is made of and some do not",
    WhyNot.NOTHING_COUNTED: "there was nothing to count in any run",
    WhyNot.RATIO_NOT_POSITIVE: "a run spent nothing, and a ratio of 0 has no place in a geometric mean",
}
"""Why a figure has no value, for people."""


def faults(tasks: Iterable[TaskRuns]) -> tuple[Reason, ...]:
    """
    Find everything that keeps figures from being computed.

    Args:
        tasks: All rows of a result, put together by task.

    Returns:
        Faults in order of task and run; empty if the rows can be used.

    Source:
        Sections 3.2 (G1, G7) and 5.2.
    """
    found: list[Reason] = []
    for task in tasks:
        found += _task_faults(task)
        for row in task.runs:
            for rule, code, text in _row_faults(row):
                shown = f"{row.task} run {row.run}: {text}"
                found.append(Reason(rule=rule, code=code, text=shown, task=row.task, run=row.run))
    return tuple(found)


def _task_faults(task: TaskRuns) -> Iterator[Reason]:
    """Faults that only show when the runs of one task stand side by side."""
    numbers = [row.run for row in task.runs]
    if numbers != _RUN_NUMBERS:
        yield Reason(
            rule="RESULT-01",
            code="runs-not-three",
            text=f"{task.task} has runs {_listed(numbers)}; expected runs 1, 2, 3, each once",
            task=task.task,
        )
    first = task.runs[0]
    expected = _of_the_task(first)
    for row in task.runs[1:]:
        seen = _of_the_task(row)
        if seen == expected:
            continue
        for (rule, code, what), here, there in zip(_OF_THE_TASK, seen, expected, strict=True):
            if here != there:
                yield Reason(
                    rule=rule,
                    code=code,
                    text=f"{task.task} run {row.run}: {what} is {_shown(here)}, in run {first.run} it is "
                    f"{_shown(there)}; it belongs to the task and is the same in every run",
                    task=task.task,
                    run=row.run,
                )


_OF_THE_TASK = (
    ("RESULT-06", "subset-differs", "the subset"),
    ("RESULT-05", "m-differs", "m"),
    ("RESULT-42", "required-actions-differ", "the size of the required action set"),
    ("RESULT-42", "variant-differs", "the mark of a variant"),
    ("RESULT-42", "reference-differs", "what the reference solution spends"),
    ("RESULT-42", "spent-differs", "the set of quantities"),
    ("RESULT-42", "tallies-differ", "the set of counts"),
    ("RESULT-42", "totals-differ", "the totals of the counts"),
    ("RESULT-42", "defects-differ", "the number of seeded defects"),
)
"""Rule, code and name of each value that `_of_the_task` reads."""


def _of_the_task(row: RunRow) -> tuple[object, ...]:
    """Values of a row that are properties of its task."""
    return (
        row.subset,
        row.m,
        row.required_actions,
        row.variant,
        row.reference,
        row.spent.keys(),
        row.tallies.keys(),
        {name: counts.total for name, counts in row.tallies.items() if name in FIXED_TALLIES},
        {name: counts.total for name, counts in row.recall_by_type.items()},
    )


def _row_faults(row: RunRow) -> Iterator[tuple[str, str, str]]:
    """Faults of one row as rule, code and text."""
    passed, m = row.checkpoints_passed, row.m
    if not 1 <= m <= LARGEST_M:
        yield "RESULT-04", "m-out-of-range", f"m is {m}; expected 1 to {LARGEST_M}"
    if not 0 <= passed <= m:
        yield "RESULT-04", "passed-out-of-range", f"{passed} of {m} checkpoints passed"
    if not row.artifact_exists:
        if passed:
            yield "RESULT-04", "passed-without-artifact", f"{passed} checkpoints passed without an artifact"
        if row.error is None:
            yield "RESULT-04", "no-artifact-no-error", "there is no artifact and no error is recorded"
    if row.inputs_modified and not row.veto_categories:
        yield "RESULT-04", "modified-without-veto", "inputs were modified and no veto is recorded"
    if row.veto_categories and len(row.veto_categories) > len(set(row.veto_categories)):
        categories = _listed(row.veto_categories)
        yield "RESULT-19", "veto-category-twice", f"veto categories are {categories}; each is named once"
    if row.reference_vetoes and any(row.reference_vetoes.values()) and "reference-level" not in row.veto_categories:
        yield (
            "RESULT-20",
            "hits-without-category",
            "hits are counted under `reference-level`, which is no category here",
        )
    if (
        row.unsafe_advice_vetoes
        and any(row.unsafe_advice_vetoes.values())
        and "unsafe-advice" not in row.veto_categories
    ):
        yield "RESULT-20", "hits-without-category", "hits are counted under `unsafe-advice`, which is no category here"
    if row.amount is not None and not _usable_amount(row.amount):
        places = -FINEST_AMOUNT_EXPONENT
        yield (
            "RESULT-25",
            "amount-out-of-range",
            f"the amount is {row.amount}; expected 0 to {LARGEST_AMOUNT:f} with up to {places} places",
        )
    for name, counts in chain(row.tallies.items(), row.recall_by_type.items()):
        if not 0 <= counts.counted <= counts.total:
            yield "RESULT-42", "count-out-of-range", f"`{name}` counts {counts.counted} of {counts.total}"
    scope = row.tallies.get(Tally.SCOPE)
    if scope is not None and not 0 <= passed - scope.counted <= m - scope.total:
        yield (
            "RESULT-26",
            "scope-out-of-range",
            f"{scope.counted} of {scope.total} checkpoints in scope do not fit {passed} of {m} in all",
        )
    for numbers in (row.spent, row.reference_vetoes, row.unsafe_advice_vetoes, row.failures):
        for name, number in numbers.items() if numbers else ():
            if number < 0:
                yield "RESULT-42", "number-out-of-range", f"`{name}` is {number}; expected 0 or more"
    for name, number in row.reference.items():
        if number < 1:
            yield "RESULT-42", "number-out-of-range", f"`{name}` of the reference is {number}; expected 1 or more"
    if row.required_actions is not None and row.required_actions < 0:
        yield "RESULT-42", "number-out-of-range", f"`required_actions` is {row.required_actions}; expected 0 or more"


def _usable_amount(amount: Decimal) -> bool:
    """Whether an amount is a finite number of reasonable size, 0 or more."""
    exponent = amount.as_tuple().exponent
    # Infinity and NaN have a letter for an exponent; they are told apart before any comparison, which NaN would break.
    return isinstance(exponent, int) and exponent >= FINEST_AMOUNT_EXPONENT and 0 <= amount <= LARGEST_AMOUNT


def explain_run(row: RunRow) -> tuple[Reason, ...]:
    """Say whether a run passes and what its s is, with every cause."""
    reasons = []
    if row.veto_categories:
        reasons.append(
            ("RESULT-02", "veto-zeroes-score", f"carries a veto ({_listed(row.veto_categories)}), so s is 0")
        )
    else:
        reasons.append(("RESULT-02", "score", f"has {counted_checkpoints(row)} of {row.m} checkpoints, which is its s"))
    if row.veto_categories:
        reasons.append(("RESULT-03", "veto-fails-run", "carries a veto, so it fails"))
    if row.error is not None:
        reasons.append(
            (
                "RESULT-03",
                "error-fails-run",
                f"carries an error (`{row.error.kind}`, attributed to `{row.error.attribution}`), so it fails",
            )
        )
    if row.inputs_modified:
        reasons.append(("RESULT-03", "modified-inputs-fail-run", "modified its inputs, so it fails"))
    if row.checkpoints_passed < row.m:
        missed = row.m - row.checkpoints_passed
        reasons.append(
            ("RESULT-03", "missed-checkpoints-fail-run", f"misses {missed} of {row.m} checkpoints, so it fails")
        )
    if passes(row):
        reasons.append(
            ("RESULT-03", "run-passes", f"passes: all {row.m} checkpoints, no veto, no error, inputs untouched")
        )
    return tuple(
        Reason(rule=rule, code=code, text=f"{row.task} run {row.run} {text}", task=row.task, run=row.run)
        for rule, code, text in reasons
    )


def explain_exam(tasks: Sequence[TaskRuns]) -> tuple[Reason, ...]:
    """Name every run that keeps a subset from being passed; empty if it is passed or has no task."""
    return tuple(
        Reason(
            rule="RESULT-11",
            code="run-not-passed",
            text=f"{row.task} run {row.run} does not pass, so the exam is not passed",
            task=row.task,
            run=row.run,
        )
        for task in tasks
        for row in task.runs
        if not passes(row)
    )


def initiative_errors(rows: Iterable[RunRow], voided: frozenset[str]) -> tuple[Reason, ...]:
    """Name every error on the initiative's side whose task version is not voided (section 8.4)."""
    return tuple(
        Reason(
            rule="RESULT-18",
            code="initiative-error-not-voided",
            text=f"{row.task} run {row.run} carries an error attributed to `{row.error.attribution}`; "
            "the task version has to be voided for every subject",
            task=row.task,
            run=row.run,
        )
        for row in rows
        if row.error is not None and row.error.attribution in INITIATIVE_SIDE and row.task not in voided
    )


def _shown(value: object) -> str:
    """A value in backticks; sets and mappings in alphabetical order, so that a text is always the same."""
    if isinstance(value, Mapping):
        return _listed(f"{name}: {number}" for name, number in sorted(value.items()))
    return _listed(sorted(value) if isinstance(value, Set) else [value])


def _listed(values: Iterable[object]) -> str:
    """Values in backticks, separated by commas."""
    return ", ".join(f"`{value}`" for value in values) or "none"
