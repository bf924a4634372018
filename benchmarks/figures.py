"""
Measure the figures of a result record and of a board against plain SciPy calls, in turn, in one process.

    python benchmarks/figures.py [--rounds 5]

1. record: a result of 300 tasks, every figure, against the SciPy calls for its six intervals alone.
2. board: 50 subjects on 180 tasks, 1,225 pairs, from run rows to ordered rows, against SciPy's test of every pair.

Results are compared before anything is timed. SciPy's import, some 0.6 s, is not counted against it. (The file is not
named after the package it measures: beside `run.py` that name would hide the standard library's.)
"""

import argparse
import gc
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import combinations

import numpy
from scipy import stats

from medgauge_registrar.statistics import clopper_pearson, paired_test_0_1_0, pcg64
from medgauge_registrar.statistics.algorithms import Pins
from medgauge_registrar.statistics.board import Board, BoardResult, board
from medgauge_registrar.statistics.figures import (
    by_task,
)
from medgauge_registrar.statistics.summary import SubsetSummary, summarise
from medgauge_registrar.statistics.values import Counts, Quantity, RunRow, Subset, Tally

PINS = Pins(
    intervals="intervals@0.1.0",
    paired_test="paired-test@0.1.0",
    letter_display="letter-display@0.1.0",
    seed=20261129,
    quantile_rule="hyndman-fan-1",
    resamples=10_000,
)


def run_rows(generator: random.Random, n_tasks: int, skill: float) -> tuple[RunRow, ...]:
    """Rows of one subject; a task has its own difficulty and between 4 and 15 checkpoints."""
    rows = []
    for task in range(n_tasks):
        m = 4 + task * 7 % 12
        chance = min(0.98, max(0.02, skill + generator.gauss(0, 0.2)))
        for run in (1, 2, 3):
            passes = generator.random() < chance
            rows.append(
                RunRow(
                    task=f"tk-{task:012d}@0.1.0",
                    subset=Subset.HOLDOUT,
                    run=run,
                    checkpoints_passed=m if passes else generator.randrange(m),
                    m=m,
                    amount=Decimal(generator.randrange(1, 900)) / 100,
                    tallies={Tally.RECALL: Counts(counted=generator.randrange(3), total=2)},
                    spent={Quantity.STEPS: generator.randrange(3, 30)},
                    reference={Quantity.STEPS: 9},
                )
            )
    return tuple(rows)


def cold(function: Callable[[], object]) -> Callable[[], object]:
    """The same function, forgetting first what earlier rounds computed."""

    def run() -> object:
        for cached in (clopper_pearson._lower_units, clopper_pearson._coefficient, paired_test_0_1_0._numerator):
            cached.cache_clear()
        return function()

    return run


def in_turn(cases: dict[str, Callable[[], object]], rounds: int, base: str) -> None:
    """Print medians of processor time, and the median of the ratios round by round; every case runs on one thread."""
    times: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(rounds):
        for name, case in cases.items():
            gc.collect()
            start = time.process_time()
            case()
            times[name].append(time.process_time() - start)
    for name, own in times.items():
        ratio = statistics.median(peer / mine for peer, mine in zip(times[base], own, strict=True))
        print(f"  {name:<58} {statistics.median(own) * 1000:9.1f} ms   {ratio:7.2f} x faster than {base}")


def scipy_record(rows: Sequence[RunRow]) -> list[tuple[float, float]]:
    """Intervals of the same six figures by SciPy, as its documentation shows them, and the efficiency summaries."""
    tasks: dict[str, list[RunRow]] = {}
    for row in rows:
        tasks.setdefault(row.task, []).append(row)
    n = len(tasks)
    passing = numpy.array([sum(row.checkpoints_passed == row.m for row in runs) for runs in tasks.values()])
    found = []
    for count in ((passing > 0).sum(), (passing == 3).sum(), ((passing > 0) & (passing < 3)).sum()):
        interval = stats.binomtest(int(count), n).proportion_ci(0.95, "exact")
        found.append((interval.low, interval.high))
    for values in (
        passing / 3,
        [sum(row.checkpoints_passed / row.m for row in runs) / 3 for runs in tasks.values()],
        [sum(row.tallies[Tally.RECALL].counted for row in runs) / 6 for runs in tasks.values()],
    ):
        interval = stats.bootstrap((values,), numpy.mean, n_resamples=10_000, method="BCa", rng=1).confidence_interval
        found.append((interval.low, interval.high))
    steps = [
        row.spent[Quantity.STEPS] / row.reference[Quantity.STEPS] for row in rows if row.checkpoints_passed == row.m
    ]
    stats.gmean(steps)
    numpy.quantile(steps, [0.25, 0.5, 0.75], method="inverted_cdf")
    return found


def record(rounds: int) -> None:
    """A result of 300 tasks."""
    rows = run_rows(random.Random(1), 300, 0.8)
    summary: SubsetSummary = summarise(rows, pins=PINS).subsets[0]
    ours = [
        (float(estimate.low.value or 0), float(estimate.high.value or 0))
        for estimate in (
            summary.pass_at_3,
            summary.pass_pow_3,
            summary.instability,
            summary.task_pass_rate,
            summary.s,
            summary.rates[Tally.RECALL],
        )
    ]
    for (name, tolerance), mine, theirs in zip(
        (
            ("pass_at_3", 1e-6),
            ("pass_pow_3", 1e-6),
            ("instability", 1e-6),
            ("task_pass_rate", 0.01),
            ("s", 0.01),
            ("recall", 0.01),
        ),
        ours,
        scipy_record(rows),
        strict=True,
    ):
        # Bootstrap ends of two generators differ by their noise, exact ones by their rounding.
        if max(abs(a - b) for a, b in zip(mine, theirs, strict=True)) > tolerance:
            sys.exit(f"{name}: {mine} here, {theirs} by SciPy")
    print("\nRecord of 300 tasks; intervals agree with SciPy's")
    columns = [[task.passing for task in by_task(rows)]]
    in_turn(
        {
            "SciPy, 3 exact and 3 BCa intervals": lambda: scipy_record(rows),
            "every figure of the record, the same intervals among them": cold(lambda: summarise(rows, pins=PINS)),
            "resampling alone, NumPy": lambda: pcg64.resampled_sums(columns, seed="x", resamples=10_000),
        },
        rounds,
        "SciPy, 3 exact and 3 BCa intervals",
    )
    in_turn(
        {
            "resampling alone, NumPy": lambda: pcg64.resampled_sums(columns, seed="x", resamples=10_000),
            "resampling alone, without NumPy": lambda: pcg64.sums_in_python(columns, seed="x", resamples=10_000),
        },
        2,
        "resampling alone, NumPy",
    )


def scipy_pairs(found: Board) -> list[float]:
    """Exact McNemar probability of every pair by SciPy's binomial test."""
    return [
        stats.binomtest(pair.first_only, both, 0.5).pvalue if (both := pair.first_only + pair.second_only) else 1.0
        for pair in found.pairs
    ]


def boards(rounds: int) -> None:
    """Fifty subjects on 180 tasks."""
    generator = random.Random(2)
    results = [
        BoardResult(id=f"res-{i:02}", rows=run_rows(generator, 180, 0.35 + 0.55 * i / 49), price_table="1.0.0")
        for i in range(50)
    ]
    found = board(results, pins=PINS)
    theirs = scipy_pairs(found)
    if max(abs(float(pair.p) - p) for pair, p in zip(found.pairs, theirs, strict=True)) > 1e-12:
        sys.exit("the probabilities of pairs differ")
    order = numpy.argsort(theirs, kind="stable")
    adjusted = numpy.minimum(
        1, numpy.maximum.accumulate(numpy.asarray(theirs)[order] * numpy.arange(len(theirs), 0, -1))
    )
    if max(abs(float(found.pairs[i].adjusted) - p) for i, p in zip(order, adjusted, strict=True)) > 1e-9:
        sys.exit("the adjusted probabilities differ")
    letters = dict(zip((row.id for row in found.rows), (set(row.letters) for row in found.rows), strict=True))
    for pair, (first, second) in zip(found.pairs, combinations(found.compared, 2), strict=True):
        if bool(letters[first] & letters[second]) is pair.different:
            sys.exit(f"the letters of {first} and {second} are wrong")
    different = sum(pair.different for pair in found.pairs)
    count = len(set().union(*letters.values()))
    print(
        f"\nBoard of 50 subjects, 180 tasks; {different} of {len(found.pairs)} pairs differ, {count} letters; as SciPy's"
    )
    passed = [sum(1 << i for i, task in enumerate(by_task(r.rows)) if task.passing == 3) for r in results]
    in_turn(
        {
            "SciPy, 1,225 binomial tests": lambda: scipy_pairs(found),
            "whole board from 27,000 run rows": cold(lambda: board(results, pins=PINS)),
            "1,225 tests with Holm alone": cold(lambda: paired_test_0_1_0.compare(passed, 180)),
        },
        rounds,
        "SciPy, 1,225 binomial tests",
    )


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    print(f"Python {sys.version.split()[0]}, NumPy {numpy.__version__}, {rounds} rounds in turn")
    record(rounds)
    boards(rounds)


if __name__ == "__main__":
    main()
