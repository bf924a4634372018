"""Frozen values that the statistics read and return; nothing here computes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

RUNS_PER_TASK = 3
"""Runs of every task for every subject (section 3.2, G1)."""


class Subset(StrEnum):
    """The three subsets of a benchmark version; they are never pooled (section 5.4)."""

    DEV = "dev"
    HOLDOUT = "holdout"
    CALIBRATION = "calibration"


class Attribution(StrEnum):
    """Whose error a failed run is; the last two are the initiative's own (section 3.2, G7)."""

    MODEL = "model"
    AGENT = "agent"
    HARNESS = "harness"
    APPLICATION = "application"
    SERVICE_PROVIDER = "service-provider"
    TASK = "task"
    ENVIRONMENT = "environment"


INITIATIVE_SIDE = frozenset({Attribution.TASK, Attribution.ENVIRONMENT})
"""Attributions that void the task version for every subject (section 8.4)."""


class Tally(StrEnum):
    """Pairs of counts that a run row may carry for the dimensions M6 to M8 and for a component's scope."""

    COMPLIANCE = "compliance"
    RECALL = "recall"
    PRECISION = "precision"
    EVIDENCE_ERROR = "evidence-error"
    ABSTENTION = "abstention"
    OVER_ABSTENTION = "over-abstention"
    SCOPE = "scope"


FIXED_TALLIES = frozenset({Tally.COMPLIANCE, Tally.RECALL, Tally.ABSTENTION, Tally.OVER_ABSTENTION, Tally.SCOPE})
"""Tallies whose total is a property of the task, so that it is the same in every run."""


class Quantity(StrEnum):
    """What a run may spend besides money."""

    ACTIONS = "actions"
    STEPS = "steps"
    TOKENS = "tokens"
    SECONDS = "seconds"


class WhyNot(StrEnum):
    """Why a figure has no value. A figure is never left out and never written as 0 instead."""

    NO_TASKS = "no-tasks"
    ALL_TASKS_EQUAL = "all-tasks-equal"
    NOT_PASSED = "not-passed"
    NO_PASSING_RUN = "no-passing-run"
    NO_AMOUNTS = "no-amounts"
    AMOUNTS_INCOMPLETE = "amounts-incomplete"
    NO_COUNTS = "no-counts"
    COUNTS_INCOMPLETE = "counts-incomplete"
    NOTHING_COUNTED = "nothing-counted"
    RATIO_NOT_POSITIVE = "ratio-not-positive"


class Exam(StrEnum):
    """Outcome of one subset (section 8.3)."""

    PASSED = "passed"
    NOT_PASSED = "not-passed"
    NOT_APPLICABLE = "not-applicable"


@dataclass(frozen=True, kw_only=True, slots=True)
class RunError:
    """
    An error of one run.

    Attributes:
        kind: What happened, in the words of the record (`time-out`, `empty-answer`, …).
        attribution: Whose error it is.
    """

    kind: str
    attribution: Attribution


@dataclass(frozen=True, kw_only=True, slots=True)
class Counts:
    """How many of `total` things are counted."""

    counted: int
    total: int


@dataclass(frozen=True, kw_only=True, slots=True)
class RunRow:
    """
    One run of one task, as the public record carries it. What the record claims about `s` and `pass` is not here.

    Attributes:
        task: Task version (`tk-…@x.y.z`).
        subset: Subset the task belongs to.
        run: Number of the run, from 1.
        checkpoints_passed: Checkpoints that passed, before any veto is applied.
        m: Checkpoints of the task.
        artifact_exists: Whether the run left an artifact.
        inputs_modified: Whether the inputs differ after the run.
        veto_categories: Categories of the vetoes hit, each once.
        reference_vetoes: Reference-level vetoes by constraint.
        unsafe_advice_vetoes: Vetoes for unsafe advice by constraint.
        error: Error of the run; null if there was none.
        amount: Money spent, in the currency of the record's price table; null where amounts do not apply.
        tallies: Pairs of counts, for those that the task supports.
        recall_by_type: Seeded defects found and present, by class.
        spent: What the run spent besides money.
        reference: What the reference solution spends, where ratios are reported.
        required_actions: Size of the required action set; null where the task has none.
        variant: True for a perturbation variant, false for a base task that has some, null for every other task.
        failures: Failures by cause; null where the row carries none.
    """

    task: str
    subset: Subset
    run: int
    checkpoints_passed: int
    m: int
    artifact_exists: bool = True
    inputs_modified: bool = False
    veto_categories: tuple[str, ...] = ()
    reference_vetoes: Mapping[str, int] = field(default_factory=dict)
    unsafe_advice_vetoes: Mapping[str, int] = field(default_factory=dict)
    error: RunError | None = None
    amount: Decimal | None = None
    tallies: Mapping[Tally, Counts] = field(default_factory=dict)
    recall_by_type: Mapping[str, Counts] = field(default_factory=dict)
    spent: Mapping[Quantity, int] = field(default_factory=dict)
    reference: Mapping[Quantity, int] = field(default_factory=dict)
    required_actions: int | None = None
    variant: bool | None = None
    failures: Mapping[str, int] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """
    One published number, or the reason why there is none; exactly one of the two is null.

    Attributes:
        value: The number with exactly the digits that its algorithm fixes.
        why_not: Why it cannot be computed.
    """

    value: Decimal | None
    why_not: WhyNot | None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.why_not is None):
            raise ValueError(
                f"a figure has a value or a reason, not both and not neither: {self.value}, {self.why_not}"
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class Estimate:
    """A figure with the two ends of its 95 % interval."""

    value: Figure
    low: Figure
    high: Figure


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """
    One quantity over tasks, as whole numbers: its figure is the sum of the numerators over that of the denominators.

    A mean over tasks has one and the same denominator everywhere.

    Attributes:
        numerators: One number a task, tasks in byte order of their keys.
        denominators: As many numbers, each above 0.
    """

    numerators: tuple[int, ...]
    denominators: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Share:
    """A count, what it is counted among, and the quotient."""

    name: str
    count: int
    of: int
    rate: Figure


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """A difference of two shares, with its sign and without (section 5.9)."""

    signed: Figure
    absolute: Figure
    n_tasks: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Reason:
    """
    Why a figure is what it is, or why rows cannot be used.

    Attributes:
        rule: Id of the rule it follows from.
        code: What kind of reason, for programs.
        text: The same for people: the values seen.
        task: Task version it is about, if it is about one.
        run: Number of the run it is about, if it is about one.
    """

    rule: str
    code: str
    text: str
    task: str | None = None
    run: int | None = None


class UnfitRowsError(ValueError):
    """
    Rows from which no figure may be computed.

    Args:
        reasons: Every fault found, in the order of task and run.
        result: Id of the result they belong to, where several are read.
    """

    def __init__(self, reasons: tuple[Reason, ...], result: str | None = None) -> None:
        shown = "; ".join(reason.text for reason in reasons[:5]) + ("; …" if len(reasons) > 5 else "")
        super().__init__(shown if result is None else f"{result}: {shown}")
        self.reasons = reasons
        self.result = result
