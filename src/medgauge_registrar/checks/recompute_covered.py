"""Rules of recomputation that hold because others do."""

from collections.abc import Mapping

from medgauge_registrar.checks.schema_rules import Covered

COVERED_E: Mapping[str, Covered] = {
    "RESULT-13": Covered(
        by=("RESULT-31", "SCHEMA-LO-01"),
        because="Only a level could rest on a bound beside a threshold, and none is issued or overridden while none is set.",
    ),
    "RESULT-07": Covered(
        by=("RESULT-09",),
        because="No record stores P or S of one task; the means that are stored are recomputed through them.",
    ),
    "RESULT-08": Covered(
        by=("RESULT-09",),
        because="No record stores pass@3 or pass^3 of one task; PASS@3 and PASS^3 are recomputed through them.",
    ),
    "RESULT-15": Covered(
        by=("RESULT-12", "RESULT-42"),
        because="On a passed subset it is the claimable bound, and anywhere else it has no field, so a number for it is refused.",
    ),
    "RESULT-27": Covered(
        by=("RESULT-29",),
        because="Letters are derived from the test of every pair, and are stored nowhere but in reports.",
    ),
    "RESULT-28": Covered(
        by=("RESULT-29",), because="Letters are derived from the adjusted pairs, and are stored nowhere but in reports."
    ),
    "RESULT-38": Covered(
        by=("RESULT-42", "SCHEMA-ROUND-03"),
        because="Records and reports hold the figures of one subset of one version under fixed names; no other is admitted.",
    ),
}
