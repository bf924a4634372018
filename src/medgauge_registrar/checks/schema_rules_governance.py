"""Rules on roles and disputes without a check of their own (groups B and H)."""

from collections.abc import Mapping

from medgauge_registrar.checks.schema_rules import Covered, SchemaRule

SCHEMA_RULES_B: Mapping[str, SchemaRule] = {
    "ROLE-09": SchemaRule(
        section="11.5", schema="benchmark-version", line="An expert baseline states at least two experts for every task."
    ),
}  # fmt: skip

COVERED_BH: Mapping[str, Covered] = {
    "ROLE-05": Covered(
        by=("RED-13",),
        because="Grades and run rows are closed objects, and a field that tells the producer is refused in them by name.",
    ),
    "ROLE-20": Covered(
        by=("ROLE-19", "NEV-03"),
        because="Only the site files records, and figures that were computed elsewhere are refused.",
    ),
    "ROLE-27": Covered(
        by=("ROLE-03", "ROLE-04", "ROLE-18"),
        because="Measured parties give no holdout tasks, compute no scores and approve nothing about themselves.",
    ),
    "ROLE-30": Covered(
        by=("GATE-03",),
        because="What the experts of a key card are is on record behind gate 3, which the acceptor re-reads before approving.",
    ),
    "DISP-05": Covered(
        by=("BND-01", "BND-02", "BND-03", "BND-04", "BND-05", "BND-06", "BND-07", "BND-10"),
        because="An outcome is a file like any other, and every file is scanned for what stays closed.",
    ),
}
