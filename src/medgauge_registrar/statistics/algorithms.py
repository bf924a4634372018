"""The one table of statistical algorithms: what a pin `name@version` runs. Entries are added, never changed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from medgauge_registrar.statistics import (
    difficulty_function_0_1_0,
    intervals_0_1_0,
    letter_display_0_1_0,
    paired_test_0_1_0,
    row_order_0_1_0,
)
from medgauge_registrar.statistics.difficulty_function_0_1_0 import Classification, Components
from medgauge_registrar.statistics.paired_test_0_1_0 import Pair
from medgauge_registrar.statistics.row_order_0_1_0 import Place
from medgauge_registrar.statistics.values import Column, Estimate, Figure


@dataclass(frozen=True, kw_only=True, slots=True)
class Intervals:
    """
    Intervals, bounds and the digits of every figure.

    Attributes:
        digits: Decimal places of every published share, mean, rate, interval end and efficiency figure.
        quantile_rule: Rule by which quantiles are read, as the benchmark version has to state it.
        resamples: Resamples of a bootstrap, as the benchmark version has to state them.
        proportion: Share of tasks from (passed, n).
        lower_bound: One-sided lower bound from (passed, n).
        claimable_lower_bound: Bound of a passed exam from n and, if not `digits`, the decimal places.
        bound_reaches: Whether the unrounded claimable bound of n tasks reaches a threshold.
        rates: Means or rates over the same tasks from columns and seed.
    """

    digits: int
    quantile_rule: str
    resamples: int
    proportion: Callable[[int, int], Estimate]
    lower_bound: Callable[[int, int], Figure]
    claimable_lower_bound: Callable[..., Figure]
    bound_reaches: Callable[[int, Fraction], bool]
    rates: Callable[[Sequence[Column], int], tuple[Estimate, ...]]


@dataclass(frozen=True, kw_only=True, slots=True)
class PairedTest:
    """
    Test of every pair of rows of one board.

    Attributes:
        digits: Decimal places of a published probability.
        alpha: Largest adjusted probability at which two rows count as different.
        compare: All pairs from the passed tasks of each row as bits, and the number of tasks.
    """

    digits: int
    alpha: Fraction
    compare: Callable[[Sequence[int], int], tuple[Pair, ...]]


@dataclass(frozen=True, kw_only=True, slots=True)
class LetterDisplay:
    """
    Compact letters.

    Attributes:
        letters: Letters of each row from the number of rows and the pairs that differ.
    """

    letters: Callable[[int, Iterable[tuple[int, int]]], tuple[tuple[str, ...], ...]]


@dataclass(frozen=True, kw_only=True, slots=True)
class RowOrder:
    """
    Order of a board.

    Attributes:
        cost_digits: Decimal places of a published cost per success.
        primary: Order by PASS^3, in which letters are given.
        by_cost: The same with rows of one class reordered by cost per success.
    """

    cost_digits: int
    primary: Callable[[Sequence[Place]], tuple[Place, ...]]
    by_cost: Callable[[Sequence[Place]], tuple[Place, ...]]


@dataclass(frozen=True, kw_only=True, slots=True)
class DifficultyFunction:
    """
    Class of a task.

    Attributes:
        count_bands: Bands of each counted component.
        yes_points: Points of a yes, for each question.
        classes: Class, lowest and highest score.
        holdout_entry_class: Lowest class of a holdout task.
        classify: Class from components.
    """

    count_bands: Mapping[str, tuple[tuple[int, int | None, int], ...]]
    yes_points: Mapping[str, int]
    classes: tuple[tuple[int, int, int], ...]
    holdout_entry_class: int
    classify: Callable[[Components], Classification]


Algorithm = Intervals | PairedTest | LetterDisplay | RowOrder | DifficultyFunction

ALGORITHMS: Mapping[str, Algorithm] = {
    "intervals@0.1.0": Intervals(
        digits=intervals_0_1_0.DIGITS,
        quantile_rule=intervals_0_1_0.QUANTILE_RULE,
        resamples=intervals_0_1_0.RESAMPLES,
        proportion=intervals_0_1_0.proportion,
        lower_bound=intervals_0_1_0.lower_bound,
        claimable_lower_bound=intervals_0_1_0.claimable_lower_bound,
        bound_reaches=intervals_0_1_0.bound_reaches,
        rates=intervals_0_1_0.rates,
    ),
    "paired-test@0.1.0": PairedTest(
        digits=paired_test_0_1_0.DIGITS, alpha=paired_test_0_1_0.ALPHA, compare=paired_test_0_1_0.compare
    ),
    "letter-display@0.1.0": LetterDisplay(letters=letter_display_0_1_0.letters),
    "row-order@0.1.0": RowOrder(
        cost_digits=row_order_0_1_0.COST_DIGITS, primary=row_order_0_1_0.primary, by_cost=row_order_0_1_0.by_cost
    ),
    "difficulty-function@0.1.0": DifficultyFunction(
        count_bands=difficulty_function_0_1_0.COUNT_BANDS,
        yes_points=difficulty_function_0_1_0.YES_POINTS,
        classes=difficulty_function_0_1_0.CLASSES,
        holdout_entry_class=difficulty_function_0_1_0.HOLDOUT_ENTRY_CLASS,
        classify=difficulty_function_0_1_0.classify,
    ),
}
"""Every published version, executable for as long as a record cites it (section 3.2, G6)."""


class UnknownAlgorithmError(LookupError):
    """A pin names no algorithm of the kind asked for."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pins:
    """
    What a benchmark version pins at its freeze.

    Attributes:
        intervals: Pin of the intervals.
        paired_test: Pin of the paired test.
        letter_display: Pin of the letters.
        seed: Published seed.
        quantile_rule: Published quantile rule.
        resamples: Published number of resamples.
        row_order: Pin of the row order, which versions of the first methodology do not spell out.
    """

    intervals: str
    paired_test: str
    letter_display: str
    seed: int
    quantile_rule: str
    resamples: int
    row_order: str = "row-order@0.1.0"


_Kind = TypeVar("_Kind", Intervals, PairedTest, LetterDisplay, RowOrder, DifficultyFunction)


def algorithm(pin: str, kind: type[_Kind]) -> _Kind:
    """
    Look a pinned algorithm up.

    Args:
        pin: `name@version`.
        kind: What it is needed for.

    Raises:
        UnknownAlgorithmError: There is no such version, or it is for something else.
    """
    found = ALGORITHMS.get(pin)
    if not isinstance(found, kind):
        known = ", ".join(f"`{name}`" for name, entry in ALGORITHMS.items() if isinstance(entry, kind))
        raise UnknownAlgorithmError(f"`{pin}` is no published algorithm here; published are {known}")
    return found


def pinned_intervals(pins: Pins) -> Intervals:
    """
    Look the pinned intervals up and hold the published parameters against them.

    Raises:
        UnknownAlgorithmError: The pin names none, or the quantile rule or the number of resamples is not its own.
    """
    found = algorithm(pins.intervals, Intervals)
    for name, stated, fixed in (
        ("quantile_rule", pins.quantile_rule, found.quantile_rule),
        ("resamples", pins.resamples, found.resamples),
    ):
        if stated != fixed:
            raise UnknownAlgorithmError(f"`{name}` is `{stated}`; `{pins.intervals}` fixes `{fixed}`")
    return found
