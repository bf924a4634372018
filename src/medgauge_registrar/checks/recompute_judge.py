"""Recompute one record from its rows: everything that is wrong, by rule, and whether every figure could be computed."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import lcm

from medgauge_registrar.checks.fields import mapping
from medgauge_registrar.checks.framework import Problem
from medgauge_registrar.checks.recompute_compare import Wrong, differences, numbers_without_formula
from medgauge_registrar.checks.recompute_dropped import dropped_errors
from medgauge_registrar.checks.recompute_formulas import SUBSETS, Told, formula
from medgauge_registrar.checks.recompute_rows import row_problems, veto_rates
from medgauge_registrar.model.document import Json
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.registry.result_figures import Expected, result_figures
from medgauge_registrar.registry.result_rows import read_rows, voided_keys
from medgauge_registrar.statistics import figures
from medgauge_registrar.statistics.algorithms import Intervals, Pins, UnknownAlgorithmError, pinned_intervals
from medgauge_registrar.statistics.explain import faults
from medgauge_registrar.statistics.figures import TaskRuns
from medgauge_registrar.statistics.summary import summarise_tasks
from medgauge_registrar.statistics.values import RunRow, Subset

# A record beyond these is refused rather than recomputed: hostile sizes must not keep the gate busy for hours. Work is
# counted in machine words touched by the resampling; 2 thousand million take some ten seconds.
MOST_ROWS = 30_000
MOST_WORK = 2_000_000_000
_WORD_BITS = 48
# Problems of one rule that are told one by one; the rest are counted.
MOST_PROBLEMS = 50
FILL = "`registrar draft result-summary` fills every figure from the rows."


@frozen
class Judgement:
    """
    What recomputing a record gave.

    Attributes:
        problems: What is wrong, by rule.
        complete: Whether every figure of the record was recomputed.
        n_rows: Run rows of the record.
    """

    problems: Mapping[str, tuple[Problem, ...]]
    complete: bool
    n_rows: int

    def of(self, rule: str) -> tuple[Problem, ...]:
        """What is wrong under one rule."""
        return self.problems.get(rule, ())


@frozen
class _Case:
    """
    A record whose figures are recomputed.

    Attributes:
        record: Its fields.
        rows: Rows of the subsets that no row spoils.
        tasks: Their tasks.
        voided: Task versions that it lists as voided.
        spoilt: Subsets in which a row keeps figures from being computed.
    """

    record: Mapping[str, Json]
    rows: tuple[RunRow, ...]
    tasks: tuple[TaskRuns, ...]
    voided: frozenset[str]
    spoilt: frozenset[Subset]

    def counted(self, subset: str | None) -> tuple[TaskRuns, ...]:
        """Tasks of a subset that it does not list as voided; of all subsets for null."""
        return tuple(
            task for task in self.tasks if subset in {None, task.subset.value} and task.task not in self.voided
        )

    def kept(self, stored: Json) -> Json:
        """A mapping by subset without the subsets that cannot be compared."""
        if not isinstance(stored, dict):
            return stored
        return {name: value for name, value in stored.items() if name not in self.spoilt}


def judge(record: Mapping[str, Json], pins: Pins | None) -> Judgement:
    """
    Recompute every figure of a record.

    Rows that break a rule spoil the figures of their subset; the other subsets are compared all the same, so that one pass
    tells everything that is wrong.

    Args:
        record: Fields of the record, whether or not it keeps its schema.
        pins: What its benchmark version pins; null if that cannot be told.
    """
    found: dict[str, list[Problem]] = defaultdict(list)
    for rule, problem in _foreign_numbers(record):
        found[rule].append(problem)
    read = read_rows(record)
    n_rows = len(read.rows) + len(read.unread)
    complete = False
    if n_rows > MOST_ROWS:
        found["RESULT-42"].append(_too_large(f"the record has {n_rows} rows, and at most {MOST_ROWS} are recomputed"))
    else:
        intervals, unknown = _pinned(pins)
        found["RESULT-42"] += unknown
        tasks = figures.by_task(read.rows)
        reasons = faults(tasks)
        for rule, problem in row_problems(record, read, reasons, intervals):
            found[rule].append(problem)
        if pins is not None and intervals is not None and read.whole:
            faulty = {reason.task for reason in reasons}
            spoilt = frozenset(row.subset for row in read.rows if row.task in faulty)
            voided = frozenset(voided_keys(record))
            case = _Case(
                record=record,
                rows=tuple(row for row in read.rows if row.subset not in spoilt),
                tasks=tuple(task for task in tasks if task.subset not in spoilt),
                voided=voided,
                spoilt=spoilt,
            )
            complete = not spoilt
            for rule, problem in _figure_problems(case, pins, intervals):
                found[rule].append(problem)
    return Judgement(
        problems={rule: tuple(_shortened(problems)) for rule, problems in found.items() if problems},
        # A record that is too large for its figures to be computed has the problem that says so.
        complete=complete and not any(problem.pointer == "/runs" for problem in found["RESULT-42"]),
        n_rows=n_rows,
    )


def wrong_figure(wrong: Wrong, tasks: Sequence[TaskRuns], pins: Pins) -> tuple[str, Problem]:
    """Rule and problem of one figure that is not what the rows give."""
    steps, entry = wrong.pointer[1:].split("/"), formula(wrong.pointer)
    words = "every figure follows from the rows"
    if entry is not None:
        words = entry.words(Told(tasks=tasks, last=steps[len(entry.steps) - 1], pins=pins))
    problem = Problem(
        message=f"`{'/'.join(steps)}` is {wrong.found}, recomputed {wrong.wanted}: {words}",
        help=FILL,
        pointer=wrong.pointer,
    )
    return "RESULT-42" if entry is None else entry.rule, problem


def _foreign_numbers(record: Mapping[str, Json]) -> Iterator[tuple[str, Problem]]:
    for pointer in numbers_without_formula(record):
        pooled = pointer.startswith("/subsets/") and pointer.count("/") == 2
        if pooled:
            message = "there are the subsets dev, holdout and calibration, each apart, and no figure over more than one"
        else:
            message = "no formula gives this number from the public rows, so nobody could recompute it"
        problem = Problem(message=message, help="Take it out.", pointer=pointer)
        yield "RESULT-09" if pooled else "RESULT-42", problem


def _pinned(pins: Pins | None) -> tuple[Intervals | None, list[Problem]]:
    """The pinned algorithm of the intervals, or what keeps it from being run."""
    if pins is None:
        return None, []
    try:
        return pinned_intervals(pins), []
    except UnknownAlgorithmError as error:
        problem = Problem(
            message=f"no figure can be recomputed as the benchmark version pins it: {error}",
            help="Only a new benchmark version can pin other algorithms; a record cannot mend this.",
            pointer="/algorithms",
        )
        return None, [problem]


def _too_large(message: str) -> Problem:
    return Problem(message=message, help="Correct the rows; no figure was recomputed.", pointer="/runs")


def _shortened(problems: Sequence[Problem]) -> Iterator[Problem]:
    yield from problems[:MOST_PROBLEMS]
    if (rest := len(problems) - MOST_PROBLEMS) > 0:
        yield Problem(message=f"and {rest} more of this kind", help=problems[0].help, pointer="/runs")


def _figure_problems(case: _Case, pins: Pins, intervals: Intervals) -> Iterator[tuple[str, Problem]]:
    """What is wrong with the stored figures."""
    if _work(case, pins) > MOST_WORK:
        message = "the rows hold so many checkpoints or counts that no figure is recomputed"
        yield "RESULT-42", _too_large(message)
        return
    categories = sorted({name for rates in veto_rates(case.record) for name in rates})
    summary = summarise_tasks(case.tasks, pins=pins, voided=case.voided, veto_categories=categories)
    expected = result_figures(summary, case.rows, _units(case.record))
    for wrong in _wrong(case, {**expected, "subsets": _asked_vetoes(case, expected["subsets"])}):
        subset = next((name for name in wrong.pointer.split("/") if name in SUBSETS), None)
        yield wrong_figure(wrong, case.counted(subset), pins)
    for name in Subset:
        if tasks := case.counted(name):
            for problem in dropped_errors(case.record, tasks, name, intervals.digits):
                yield "RED-11", problem


def _asked_vetoes(case: _Case, expected: Expected) -> Expected:
    """
    The figures of the subsets without rates of vetoes that nothing hit and that the subset does not list.

    Which categories have to be listed is for the card to say (`unreported_veto`).
    """
    if not isinstance(expected, dict):
        return expected
    found: dict[str, Expected] = {}
    for name, figures_ in expected.items():
        own = figures_ if isinstance(figures_, dict) else {}
        stored = mapping(mapping(mapping(case.record.get("subsets")).get(name)).get("veto_rate_by_category"))
        rates = own.get("veto_rate_by_category")
        listed = {
            category: rate
            for category, rate in (rates.items() if isinstance(rates, dict) else ())
            if category in stored or (isinstance(rate, dict) and rate["count"])
        }
        found[name] = {**own, "veto_rate_by_category": listed}
    return found


def _wrong(case: _Case, expected: Mapping[str, Expected]) -> Iterator[Wrong]:
    """Differences of whatever can be compared: everything, or the subsets that no row spoils."""
    stored = case.record
    yield from differences(case.kept(stored.get("subsets")), expected["subsets"], "/subsets")
    dimensions = expected["dimensions"]
    assert isinstance(dimensions, dict)
    for name, figure in dimensions.items():
        # A word for the whole dimension says nothing of some of its subsets.
        if isinstance(figure, dict) or not case.spoilt:
            found = case.kept(mapping(stored.get("dimensions")).get(name))
            yield from differences(found, figure, f"/dimensions/{name}")
    for name in ("veto_hits", "assertion_veto_hits", "failure_attribution", "amounts"):
        if not case.spoilt:
            yield from differences(_amount_alone(stored.get(name)), expected[name], f"/{name}")


def _amount_alone(stored: Json) -> Json:
    """Currency and price table are no figures; other checks look at them."""
    if isinstance(stored, dict):
        return {name: value for name, value in stored.items() if name not in {"currency", "price_table"}}
    return stored


def _units(record: Mapping[str, Json]) -> dict[str, Json]:
    """Unit of the cost per success, by subset."""
    efficiency = mapping(mapping(record.get("dimensions")).get("M3"))
    return {name: mapping(mapping(own).get("cost_per_success")).get("unit") for name, own in efficiency.items()}


def _work(case: _Case, pins: Pins) -> int:
    """Machine words that the resampling of the largest subset touches; an estimate, for rows without faults."""
    return max(_work_of(case.counted(subset), pins) for subset in Subset)


def _work_of(tasks: Sequence[TaskRuns], pins: Pins) -> int:
    """
    Estimate the work of one subset.

    Each sum over tasks takes as many bits as its largest term and the number of tasks; scores are added over the least common
    multiple of all numbers of checkpoints.
    """
    largest: dict[str, int] = defaultdict(int)
    for row in figures.all_runs(tasks):
        for tally, counts in row.tallies.items():
            if counts.total > largest[tally]:
                largest[tally] = counts.total
        for finding, counts in row.recall_by_type.items():
            if counts.total > largest[finding]:
                largest[finding] = counts.total
        for quantity, spent in row.spent.items():
            if spent > largest[quantity]:
                largest[quantity] = spent
    checkpoints = lcm(*{task.m for task in tasks}).bit_length()
    bits = checkpoints + sum(2 * (total.bit_length() + len(tasks).bit_length()) for total in largest.values())
    return len(tasks) * pins.resamples * (1 + bits // _WORD_BITS)
