"""Results: one that is right to the last digit, and siblings that are wrong in one number, one row or one person."""

from collections.abc import Mapping
from typing import Any

from medgauge_registrar.model.decision import State
from medgauge_registrar.sandbox.case import Case, Review
from medgauge_registrar.sandbox.cast import LEDGER, account
from medgauge_registrar.sandbox.edits import Edit, put
from medgauge_registrar.sandbox.material import MAINTAINER
from medgauge_registrar.sandbox.material_results import (
    OPEN_MODEL,
    high,
    path_of,
    result,
    with_components,
    with_run_again,
    without_run,
)

HIGH = path_of("example-model-1-high")
REVIEWED = (Review(by="results reviewer"), MAINTAINER)
ERRORED = "tk-spzh8rzhqmoe@0.2.0"
VETOED = '"checkpoints_passed": 9, "m": 10, "s": 0, "pass": false, "veto_categories": ["fabricated-evidence"]'


def _facts(submitters: tuple[str, ...] = ("vendor",), gave: tuple[str, ...] = ()) -> Mapping[str, Any]:
    """The ledger of the demonstration with other submitters of the model, and parties that gave holdout tasks."""
    model = {"submitters": [account(name)["id"] for name in submitters], "party": "Example Vendor"}
    versions = {name: {**facts, "holdout_parties": list(gave)} for name, facts in LEDGER["benchmark_versions"].items()}
    return {**LEDGER, "benchmark_versions": versions, "subjects": {**LEDGER["subjects"], "Example Model 1": model}}


def _wrong(title: str, *edits: Edit, errors: tuple[str, ...], rows: tuple[str, ...] = ("M4",)) -> Case:
    """A result that nobody's approval helps."""
    return Case(
        title=title,
        rows=rows,
        commits=(edits,),
        reviews=REVIEWED,
        author="site",
        in_fork=False,
        ledger=LEDGER,
        expected=State.BLOCKED,
        errors=errors,
    )


RIGHT = Case(
    title="Add a result record",
    rows=("M4",),
    commits=((high(),),),
    reviews=REVIEWED,
    author="site",
    in_fork=False,
    ledger=LEDGER,
    expected=State.APPROVED,
)

RESULTS: tuple[Case, ...] = (
    RIGHT,
    Case(
        title="A result with one component more than its control",
        rows=("M4",),
        commits=((with_components("example-model-1-skill", "tl-example-skill@0.1.0"),),),
        reviews=REVIEWED,
        author="site",
        in_fork=False,
        ledger=LEDGER,
        expected=State.APPROVED,
    ),
    _wrong(
        "A result with the lower end of the interval for its claimable bound",
        high(('"claimable_lower_bound": 0.54928', '"claimable_lower_bound": 0.478176')),
        errors=("RESULT-12",),
    ),
    _wrong(
        "A result with PASS^3 rounded up",
        high(('"pass_pow_3": {"value": 0.428571', '"pass_pow_3": {"value": 0.43')),
        errors=("RESULT-09",),
    ),
    _wrong(
        "A result with a BCa interval from another seed",
        high(('"lower": 0.721429, "upper": 0.964286', '"lower": 0.72381, "upper": 0.964286')),
        errors=("RESULT-16",),
    ),
    _wrong(
        "A result whose errored run was dropped",
        high(('"compared": 315, "equal": 315', '"compared": 307, "equal": 307')),
        without_run(ERRORED, 3),
        errors=("RESULT-01",),
    ),
    _wrong(
        "A result whose error rate leaves the errored run out",
        high(('"model": {"count": 1, "rate": 0.047619}', '"model": {"count": 1, "rate": 0.05}')),
        errors=("RESULT-17", "RED-11"),
    ),
    _wrong("A result that keeps the score of a run with a veto", high((VETOED, VETOED.replace('"s": 0,', '"s": 0.9,'))),
           errors=("RESULT-02",)),
    _wrong(
        "A result with a fourth run",
        high(('"compared": 315, "equal": 315', '"compared": 323, "equal": 323')),
        with_run_again(ERRORED, 2),
        errors=("RESULT-01", "ID-13"),
    ),
    _wrong(
        "A result that counts an errored run as passed",
        high(('"checkpoints_passed": 0, "m": 8, "s": 0, "pass": false', '"checkpoints_passed": 0, "m": 8, "s": 0, "pass": true')),
        errors=("RESULT-03",),
    ),
    _wrong(
        "A result that gives amounts for open weights",
        OPEN_MODEL,
        result(
            "example-model-2",
            ('"model": "Example Model 1"', '"model": "Example Model 2"'),
            ("example-model-1-2026-10-01", "example-model-2-2026-10-01"),
        ),
        errors=("RESULT-25", "RED-10"),
        rows=("M1", "M4"),
    ),
    _wrong(
        "A result with two components more than its control",
        with_components("example-model-1-both", "tl-example-skill@0.1.0", "tl-example-prompt@0.1.0"),
        errors=("SCHEMA-RES-05",),
    ),
    _wrong(
        "A result that adds its subsets up",
        high(('"subsets": {\n', '"subsets": {\n    "overall": {"n_tasks": 17, "exam": "not-passed"},\n')),
        errors=("ENT-02", "RESULT-09", "RED-06"),
    ),
    _wrong("A result that issues a level", high(('"level": "not-issued"', '"level": "L1"')),
           errors=("ENT-02", "RESULT-31", "RED-01")),
    _wrong(
        "A result whose re-grade differs in one checkpoint",
        high(('"equal": 315', '"equal": 314')),
        errors=("CHK-02",),
    ),
    Case(
        title="A right result from a fork",
        rows=("M4",),
        commits=((high(),),),
        reviews=REVIEWED,
        author="site",
        ledger=LEDGER,
        expected=State.BLOCKED,
        errors=("ROLE-19",),
        unsatisfied=("ROLE-19",),
    ),
    Case(
        title="A right result that somebody else filed",
        rows=("M4",),
        commits=((high(),),),
        reviews=REVIEWED,
        ledger=LEDGER,
        in_fork=False,
        expected=State.BLOCKED,
        errors=("ROLE-19",),
        unsatisfied=("ROLE-19",),
    ),
    Case(
        title="A right result without the closed facts of separation",
        rows=("M4",),
        commits=((high(),),),
        reviews=REVIEWED,
        author="site",
        in_fork=False,
        expected=State.PENDING,
        unsatisfied=("ROLE-03", "ROLE-04", "ROLE-18"),
    ),
    Case(
        title="A right result, approved by somebody who submitted its model",
        rows=("M4",),
        commits=((high(),),),
        reviews=REVIEWED,
        author="site",
        in_fork=False,
        ledger=_facts(submitters=("results reviewer",)),
        expected=State.PENDING,
        unsatisfied=("ROLE-04", "ROLE-18", "CHK-10"),
    ),
    Case(
        title="A right result of a party that gave holdout tasks of the family",
        rows=("M4",),
        commits=((high(),),),
        reviews=REVIEWED,
        author="site",
        in_fork=False,
        ledger=_facts(gave=("Example Vendor",)),
        expected=State.BLOCKED,
        unsatisfied=("ROLE-03",),
    ),
    Case(
        title="A round report with a number typed by hand",
        rows=("M16",),
        commits=(
            (
                put(
                    "rounds/example-round-1/report.md",
                    "# Report\n\nRegistered at <https://osf.io/xmpl1>.\n\n| result | PASS^3 |\n|---|---|\n| example | 0.43 |\n",
                ),
            ),
        ),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("SCHEMA-ROUND-03",),
    ),
)  # fmt: skip
