"""
Measure the check of a whole result record against plain SciPy calls for its intervals, in turn, in one process.

    python benchmarks/records.py [--tasks 300] [--rounds 7]

The record has one subset of 300 tasks (900 rows) with every figure that rows can carry but the gap of variants, which has no
interval. Checking it means what `check` does: strict parsing, its schema, and every rule of rows and figures with all
intervals recomputed from the rows. The peer reads the JSON and makes the SciPy calls for the same 14 intervals (3 exact, 11
BCa with 10,000 resamples, rates in vectorised form); it validates and compares nothing. Both have to agree first. Times are
of the processor, so that a busy machine does not count.
"""

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy
from scipy import stats

from medgauge_registrar.checks.catalogue import RECORD_CHECKS
from medgauge_registrar.checks.recompute_judge import judge
from medgauge_registrar.drafts.result_summary import filled_record
from medgauge_registrar.registry.reader import Syntax, read_document
from medgauge_registrar.registry.record_json import record_json
from medgauge_registrar.registry.result_rows import read_pins
from medgauge_registrar.registry.schemas import shipped_schemas
from medgauge_registrar.starter import starter_files
from medgauge_registrar.statistics import clopper_pearson

RESULT = "registry/results/bm-example-handover/0.2.0/res-example-handover-0-2-0-example-model-1.json"
CATEGORIES = ("corrected-value", "fabricated-evidence", "injected-instruction", "inputs-modified")
CALLS = ("pass_at_3", "pass_pow_3", "instability", "task_pass_rate", "s")
RATES = {
    "compliance_rate": ("compliance_passed", "compliance_total"),
    "recall": ("recall_found", "recall_total"),
    "precision": ("precision_true", "precision_listed"),
    "evidence_error_rate": ("evidence_errors", "evidence_total"),
    "abstention": ("abstained", "abstainable"),
    "over_abstention": ("over_abstained", "decidable"),
}
TYPES = ("omitted-change", "outdated-entry")


def record(tasks: int) -> bytes:
    """A record like the starter registry's, with this many holdout tasks and no others."""
    generator = random.Random(3)
    fields: Any = read_document(starter_files()[RESULT], syntax=Syntax.JSON).value
    template = fields["runs"][0]
    rows = []
    for task in range(tasks):
        m, skill = 4 + task * 7 % 12, generator.gauss(0.85, 0.15)
        for run in (1, 2, 3):
            passes = generator.random() < skill
            found = 3 if passes else generator.randrange(3)
            rows.append(
                {
                    **template,
                    "task_key": f"tk-{task:012}@0.1.0",
                    "subset": "holdout",
                    "run": run,
                    "run_id": f"{fields['id'].replace('res-', 'run-', 1)}-{task}-{run}",
                    "detail_sha": f"{task * 3 + run:064x}",
                    "m": m,
                    "checkpoints_passed": m if passes else generator.randrange(m),
                    "recall_found": found,
                    "recall_total": 3,
                    "precision_true": found,
                    "precision_listed": found + generator.randrange(2),
                    "evidence_errors": generator.randrange(2),
                    "evidence_total": 3,
                    "actions": generator.randrange(8, 30),
                    "required_actions": 7,
                    "steps": generator.randrange(5, 30),
                    "tokens": generator.randrange(900, 9000),
                    "reference_tokens": 2000,
                    "compliance_passed": 2 if passes else generator.randrange(3),
                    "compliance_total": 2,
                    "abstained": generator.randrange(3),
                    "abstainable": 2,
                    "over_abstained": generator.randrange(2),
                    "decidable": 4,
                    "recall_by_type": {
                        TYPES[0]: {"found": found // 2, "total": 2},
                        TYPES[1]: {"found": found - found // 2 - (found == 3), "total": 1},
                    },
                    "failures": {**template["failures"], "other": 0 if passes else 1},
                }
            )
    return record_json(filled_record({**fields, "runs": rows}, CATEGORIES)).encode()


def check(data: bytes) -> None:
    """What is done with a record that a pull request brings in."""
    document: Any = read_document(data, syntax=Syntax.JSON)
    if document.faults or not shipped_schemas().is_valid("result", document.value):
        sys.exit("the record is not valid")
    found = judge(document.value, read_pins(document.value["algorithms"]))
    if not found.complete or found.problems:
        sys.exit(f"the record is not right: {found.problems}")


def scipy_calls(data: bytes) -> dict[str, tuple[float, float]]:
    """The intervals of the same record by SciPy, as its documentation shows them."""
    by_task: dict[str, list[Any]] = {}
    for row in json.loads(data)["runs"]:
        by_task.setdefault(row["task_key"], []).append(row)
    runs = list(by_task.values())
    n, passing = len(runs), [sum(row["pass"] for row in task) for task in runs]
    found = {}
    counts = (sum(c > 0 for c in passing), sum(c == 3 for c in passing), sum(0 < c < 3 for c in passing))
    for name, count in zip(CALLS, counts, strict=False):
        interval = stats.binomtest(count, n).proportion_ci(0.95, "exact")
        found[name] = (interval.low, interval.high)
    means = [[c / 3 for c in passing], [sum(row["s"] for row in task) / 3 for task in runs]]
    for name, values in zip(CALLS[3:], means, strict=True):
        interval = stats.bootstrap((values,), numpy.mean, n_resamples=10_000, method="BCa", rng=1).confidence_interval
        found[name] = (interval.low, interval.high)
    pairs = {
        name: [[sum(row[field] for row in task) for task in runs] for field in pair] for name, pair in RATES.items()
    }
    kept = [[row for row in task if row["pass"]] for task in runs]
    actions = [[sum(row["actions"] for row in task) for task in kept if task]]
    beyond = [[sum(row["actions"] - row["required_actions"] for row in task) for task in kept if task]]
    pairs["redundancy"] = [*beyond, *actions]
    for name in TYPES:
        counts = [[row["recall_by_type"][name] for row in task] for task in runs]
        pairs[name] = [[sum(count[part] for count in task) for task in counts] for part in ("found", "total")]
    for name, (over, under) in pairs.items():
        interval = stats.bootstrap(
            (over, under), quotient, n_resamples=10_000, method="BCa", paired=True, vectorized=True, rng=1
        ).confidence_interval
        found[name] = (interval.low, interval.high)
    return found


def quotient(over: Any, under: Any, axis: int = -1) -> Any:
    """A rate over tasks."""
    return numpy.sum(over, axis=axis) / numpy.sum(under, axis=axis)


def agree(data: bytes) -> None:
    """Hold the stored intervals against SciPy's: exact ones to the last digit, resampled ones to the noise of 10,000 draws."""
    stored = json.loads(data)
    figures = stored["subsets"]["holdout"]
    dimensions = {
        **stored["dimensions"]["M5"]["holdout"],
        **stored["dimensions"]["M7"]["holdout"],
        **stored["dimensions"]["M7"]["holdout"]["recall_by_type"],
        **stored["dimensions"]["M8"]["holdout"],
    }
    for name, (low, high) in scipy_calls(data).items():
        interval = (figures.get(name) or dimensions[name])["interval"]
        tolerance = 1e-6 if name in CALLS[:3] else 0.01
        if max(abs(interval["lower"] - low), abs(interval["upper"] - high)) > tolerance:
            sys.exit(f"{name}: {interval} in the record, {(low, high)} by SciPy")


def in_turn(cases: dict[str, Callable[[], object]], rounds: int) -> None:
    """Print medians, and the median of the ratios round by round."""
    times: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(rounds):
        for name, case in cases.items():
            clopper_pearson._lower_units.cache_clear()
            clopper_pearson._coefficient.cache_clear()
            start = time.process_time()
            case()
            times[name].append(time.process_time() - start)
    base: Sequence[float] = next(iter(times.values()))
    for name, own in times.items():
        ratio = statistics.median(peer / mine for peer, mine in zip(base, own, strict=True))
        print(f"  {name:<62} {statistics.median(own) * 1000:8.1f} ms   {ratio:6.2f} x as fast as SciPy's calls")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    data = record(arguments.tasks)
    check(data)
    agree(data)
    rules = len({check.rule for check in RECORD_CHECKS if check.rule.startswith(("RESULT-", "RED-11"))})
    print(
        f"Record of {arguments.tasks} tasks, {len(data) // 1024} KiB; intervals agree with SciPy's; {rules} rules of figures"
    )
    document: Any = read_document(data, syntax=Syntax.JSON).value
    in_turn(
        {
            "SciPy: read JSON, 3 exact and 11 BCa intervals": lambda: scipy_calls(data),
            "registrar: parse, schema, recompute and compare every figure": lambda: check(data),
            "  of which reading and schema": lambda: shipped_schemas().is_valid(
                "result", read_document(data, syntax=Syntax.JSON).value
            ),
            "  of which recomputing": lambda: judge(document, read_pins(document["algorithms"])),
        },
        arguments.rounds,
    )


if __name__ == "__main__":
    main()
