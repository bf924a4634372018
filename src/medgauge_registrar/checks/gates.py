"""Gate evidence of frozen versions, as results meet it later (GATE-04)."""

from collections.abc import Iterator

from medgauge_registrar.checks.benchmark_records import path_of_reference
from medgauge_registrar.checks.fields import mapping
from medgauge_registrar.checks.framework import Context, Problem, Reach, record_check
from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.records import Record


@record_check(
    "GATE-04",
    section="11.3",
    kinds={Kind.RES},
    reach=Reach.REFERENCES,
    watches={(Kind.BM_VERSION, "gate_evidence")},
)
def run_before_its_prediction(record: Record, context: Context) -> Iterator[Problem]:
    """
    The pass rates of a version were predicted on a day before the first run of any result on it.

    A prediction written down once figures are known predicts nothing. Days alone are on record, so the run begins on a later
    one. Correct a mistyped day; a run that came first is not filed.

    Passes: gate 4 of 2026-11-17 and first_run_at: 2026-11-23T08:00:00Z
    Fails: gate 4 of 2026-11-23 and first_run_at: 2026-11-23T08:00:00Z
    """
    version = context.registry.valid_record(path_of_reference(record["benchmark_version"], context.registry))
    if version is None:
        return
    predicted, first = mapping(mapping(version["gate_evidence"]).get("4")).get("date"), str(record["first_run_at"])
    # A version without the record is not frozen, which SCHEMA-RES-13 tells.
    if isinstance(predicted, str) and predicted >= first[:10]:
        yield Problem(
            message=f"the first run began at `{first}`, and `{record['benchmark_version']}` has its prediction of `{predicted}`",
            help="Correct the time that is wrong; runs made before the prediction cannot be filed.",
            pointer="/first_run_at",
        )
