"""Which rule each figure of a result belongs to, how it follows from the rows in words, and the rows that decide it."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.statistics import figures
from medgauge_registrar.statistics.algorithms import Pins
from medgauge_registrar.statistics.explain import explain_run
from medgauge_registrar.statistics.figures import TaskRuns
from medgauge_registrar.statistics.values import RUNS_PER_TASK, RunRow, Subset

SUBSETS = frozenset(Subset)
# Rows named in one message; a reader who sees these can find the others.
SHOWN_ROWS = 3
_SUBSET, _ANY = "<subset>", "*"


@frozen
class Told:
    """
    What a formula may speak of.

    Attributes:
        tasks: Counted tasks of the subset that the figure is about; of all subsets for a figure of the whole record.
        last: Last step of the pointer, where the figure is one of several of its kind.
        pins: What the benchmark version pins.
    """

    tasks: Sequence[TaskRuns]
    last: str
    pins: Pins

    @property
    def n(self) -> int:
        """Tasks."""
        return len(self.tasks)


@frozen
class Formula:
    """
    One figure, or a group of figures that follow in the same way.

    Attributes:
        path: Steps of the pointer; `<subset>` stands for the name of a subset, `*` for any step.
        rule: Rule that it is recomputed under.
        words: How it follows from the rows, with the counts of this record.
        leaves: Numbers below the path, as further steps; empty: the path itself is the number.
    """

    path: str
    rule: str
    words: Callable[[Told], str]
    leaves: tuple[str, ...] = ("",)

    @property
    def steps(self) -> tuple[str, ...]:
        """The path step by step."""
        return tuple(self.path.split("/"))


def formula(pointer: str) -> Formula | None:
    """The formula of a figure, by the longest path that leads to it; null for what no formula covers."""
    steps = tuple(pointer.removeprefix("/").split("/"))
    fitting = [entry for entry in FORMULAS if _leads_to(entry.steps, steps)]
    return max(fitting, key=lambda entry: len(entry.steps), default=None)


# Records hold their figures under the same few hundred pointers.
@lru_cache(maxsize=4096)
def is_figure(pointer: str) -> bool:
    """Whether a number at this pointer is one that a formula recomputes."""
    steps = tuple(pointer.removeprefix("/").split("/"))
    return any(
        _leads_to((*entry.steps, *filter(None, leaf.split("/"))), steps, whole=True)
        for entry in FORMULAS
        for leaf in entry.leaves
    )


def _leads_to(path: Sequence[str], steps: Sequence[str], *, whole: bool = False) -> bool:
    if len(path) > len(steps) or (whole and len(path) < len(steps)):
        return False
    return all(
        step in SUBSETS if wanted == _SUBSET else wanted in {_ANY, step}
        for wanted, step in zip(path, steps, strict=False)
    )


def rows_in_words(texts: Iterator[str]) -> str:
    """The first few texts in one clause, and that there are more; empty without any."""
    shown = list(islice(texts, SHOWN_ROWS + 1))
    more = "; and more" if len(shown) > SHOWN_ROWS else ""
    return "; ".join(shown[:SHOWN_ROWS]) + more


def _with_rows(words: str, texts: Iterator[str]) -> str:
    rows = rows_in_words(texts)
    return f"{words}: {rows}" if rows else words


def failing_runs(tasks: Sequence[TaskRuns]) -> Iterator[str]:
    """Every run that does not pass, with the first reason why."""
    for row in figures.all_runs(tasks):
        if not figures.passes(row):
            yield next(reason.text for reason in explain_run(row) if reason.rule == "RESULT-03")


def _runs(told: Told, hit: Callable[[RunRow], bool]) -> Iterator[str]:
    return (f"{row.task} run {row.run}" for row in figures.all_runs(told.tasks) if hit(row))


def _exam(told: Told) -> str:
    words = "passed exactly if every task passes in all three runs, which no run with a veto or an error does"
    return _with_rows(words, failing_runs(told.tasks))


def _bound(told: Told) -> str:
    return f"the n-th root of 0.05 for n = {told.n} tasks (not runs), given for a passed exam alone and otherwise null"


def _passed(told: Told) -> str:
    words = f"{figures.tasks_passed(told.tasks)} of {told.n} tasks pass in all three runs"
    return _with_rows(words, failing_runs(told.tasks))


def _passed_once(told: Told) -> str:
    words = f"{figures.tasks_passed_once(told.tasks)} of {told.n} tasks pass in at least one run"
    return _with_rows(words, (f"{task.task} passes in none" for task in told.tasks if not task.passing))


def _unstable(told: Told) -> str:
    words = f"in {figures.tasks_unstable(told.tasks)} of {told.n} tasks one or two runs pass, PASS@3 minus PASS^3"
    texts = (f"{t.task} passes in {t.passing}" for t in told.tasks if 0 < t.passing < RUNS_PER_TASK)
    return _with_rows(words, texts)


def _exact_interval(count: Callable[[Sequence[TaskRuns]], int]) -> Callable[[Told], str]:
    def words(told: Told) -> str:
        return f"the two-sided 95 % Clopper–Pearson interval of {count(told.tasks)} of {told.n} tasks"

    return words


def _pass_rate(told: Told) -> str:
    passing = sum(task.passing for task in told.tasks)
    words = f"{passing} of {RUNS_PER_TASK * told.n} runs pass, every task weighted alike"
    return _with_rows(words, failing_runs(told.tasks))


def _score(told: Told) -> str:
    words = "the mean over tasks of the mean of s, where a run with a veto counts 0"
    return _with_rows(words, _runs(told, lambda row: bool(row.veto_categories)))


def _bca(told: Told) -> str:
    return (
        f"the 95 % BCa interval of `{told.pins.intervals}` over {told.n} tasks, each drawn with its runs, "
        f"{told.pins.resamples} resamples from seed {told.pins.seed}; not computable where all tasks are equal"
    )


def _errors(told: Told) -> str:
    words = f"runs with an error attributed to `{told.last}`, and their share of all {RUNS_PER_TASK * told.n} runs"
    hits = _runs(told, lambda row: row.error is not None and row.error.attribution == told.last)
    return _with_rows(words, hits)


def _vetoes(told: Told) -> str:
    words = f"runs with a veto of `{told.last}`, and their share of all {RUNS_PER_TASK * told.n} runs"
    return _with_rows(words, _runs(told, lambda row: told.last in row.veto_categories))


def _hits(told: Told) -> str:
    words = "hits of the rows by constraint, X.1 to X.4 from their categories, the others from the counts of the row"
    return _with_rows(words, _runs(told, lambda row: bool(row.veto_categories)))


def _assertion_hits(told: Told) -> str:
    words = "hits of grading references in the rows, by constraint"
    return _with_rows(words, _runs(told, lambda row: bool(row.reference_vetoes)))


def _cost(told: Told) -> str:
    passing = sum(task.passing for task in told.tasks)
    return f"what all {RUNS_PER_TASK * told.n} runs cost, failed ones included, over the {passing} that pass"


def _rate_of(what: str) -> Callable[[Told], str]:
    return lambda _: f"{what}, added up over all runs of the subset; only from counts on the rows"


def _effect(told: Told) -> str:
    return (
        f"the mean over {told.n} tasks shared with the control of the difference in pass rate, runs that pass every "
        f"checkpoint of the part here minus those there, with its BCa interval from seed {told.pins.seed}"
    )


def _plain(words: str) -> Callable[[Told], str]:
    return lambda _: words


def _n_tasks(told: Told) -> str:
    return f"task versions with rows in the subset, without those that the record lists as voided: {told.n}"


_INTERVAL = ("lower", "upper")
_RATE = ("value", "interval/lower", "interval/upper")
_SHARE = ("count", "rate")
_U = f"subsets/{_SUBSET}"
_D = f"dimensions/{{}}/{_SUBSET}"
_RATIOS = ("geometric_mean", "median", "quartiles/lower", "quartiles/upper")

FORMULAS: tuple[Formula, ...] = (
    Formula(path=_U, rule="RESULT-09", words=_plain("a subset with tasks has its own figures, one without has none"), leaves=()),
    Formula(path=f"{_U}/n_tasks", rule="RESULT-09", words=_n_tasks),
    Formula(path=f"{_U}/exam", rule="RESULT-11", words=_exam, leaves=()),
    Formula(path=f"{_U}/claimable_lower_bound", rule="RESULT-12", words=_bound),
    Formula(path=f"{_U}/pass_at_3", rule="RESULT-09", words=_passed_once, leaves=("value",)),
    Formula(path=f"{_U}/pass_at_3/interval", rule="RESULT-14", words=_exact_interval(figures.tasks_passed_once),
            leaves=_INTERVAL),
    Formula(path=f"{_U}/pass_pow_3", rule="RESULT-09", words=_passed, leaves=("value",)),
    Formula(path=f"{_U}/pass_pow_3/interval", rule="RESULT-14", words=_exact_interval(figures.tasks_passed),
            leaves=_INTERVAL),
    Formula(path=f"{_U}/instability", rule="RESULT-10", words=_unstable, leaves=("value",)),
    Formula(path=f"{_U}/instability/interval", rule="RESULT-10", words=_exact_interval(figures.tasks_unstable),
            leaves=_INTERVAL),
    Formula(path=f"{_U}/task_pass_rate", rule="RESULT-09", words=_pass_rate, leaves=("value",)),
    Formula(path=f"{_U}/task_pass_rate/interval", rule="RESULT-16", words=_bca, leaves=_INTERVAL),
    Formula(path=f"{_U}/s", rule="RESULT-09", words=_score, leaves=("value",)),
    Formula(path=f"{_U}/s/interval", rule="RESULT-16", words=_bca, leaves=_INTERVAL),
    Formula(path=f"{_U}/errors_by_attribution/{_ANY}", rule="RESULT-17", words=_errors, leaves=_SHARE),
    Formula(path=f"{_U}/veto_rate_by_category/{_ANY}", rule="RESULT-19", words=_vetoes, leaves=_SHARE),
    Formula(path=f"{_U}/compliance_rate", rule="RESULT-21",
            words=_rate_of("compliance checkpoints passed over compliance checkpoints"), leaves=_RATE),
    Formula(path=_D.format("M3"), rule="RESULT-22", leaves=(),
            words=_plain("a subset with tasks has its own cost and efficiency, one without has none")),
    Formula(path=_D.format("M3") + "/cost_per_success", rule="RESULT-22", words=_cost, leaves=("value",)),
    Formula(path=_D.format("M3") + "/efficiency", rule="RESULT-23", leaves=(),
            words=_plain("ratios to the reference solution over passing runs alone, for each quantity that all of them carry")),
    Formula(path=_D.format("M3") + f"/efficiency/{_ANY}", rule="RESULT-23", leaves=_RATIOS,
            words=_plain("geometric mean, median and quartiles of the ratios of passing runs; each quartile is one of them")),
    Formula(path=_D.format("M5"), rule="RESULT-24",
            words=_rate_of("over passing runs, actions beyond the required set over actions"),
            leaves=tuple(f"redundancy/{leaf}" for leaf in _RATE)),
    Formula(path="dimensions/M5", rule="RESULT-24", words=_rate_of("actions beyond the required set over actions"), leaves=()),
    Formula(path=_D.format("M7"), rule="RESULT-42",
            words=_rate_of("defects found over seeded, true findings over reported, wrong evidence over evidence given"),
            leaves=(
                *(f"{name}/{leaf}" for name in ("recall", "precision", "evidence_error_rate") for leaf in _RATE),
                *(f"recall_by_type/{_ANY}/{leaf}" for leaf in _RATE),
            )),
    Formula(path="dimensions/M7", rule="RESULT-42", words=_rate_of("recall, precision and evidence errors"), leaves=()),
    Formula(path=_D.format("M8"), rule="RESULT-42",
            words=_rate_of("undecidable and decidable points left undecided over such points"),
            leaves=tuple(f"{name}/{leaf}" for name in ("abstention", "over_abstention") for leaf in _RATE)),
    Formula(path="dimensions/M8", rule="RESULT-42", words=_rate_of("abstention and over-abstention"), leaves=()),
    Formula(path=_D.format("M10"), rule="RESULT-36", leaves=("robustness_gap/signed", "robustness_gap/absolute"),
            words=_plain("pass rate of base tasks minus that of their variants, with and without its sign, without an interval")),
    Formula(path="dimensions/M10", rule="RESULT-36", leaves=(),
            words=_plain("a robustness gap rests on rows marked as variants and as base tasks")),
    Formula(path="veto_hits", rule="RESULT-20", words=_hits, leaves=(_ANY,)),
    Formula(path="assertion_veto_hits", rule="RESULT-20", words=_assertion_hits, leaves=(_ANY,)),
    Formula(path="failure_attribution", rule="RESULT-42", leaves=(_ANY,),
            words=_plain("causes added up over the rows; not published unless every failed run carries its counts")),
    Formula(path=f"effect/{_SUBSET}", rule="RESULT-26", words=_effect,
            leaves=tuple(f"{part}/{leaf}" for part in ("on_scope", "outside_scope") for leaf in _RATE)),
    Formula(path="amounts", rule="RESULT-25", leaves=("total",),
            words=_plain("the exact sum of the amounts of the rows, or not applicable where no row carries one")),
)  # fmt: skip
"""Every figure of a record."""
