"""Rules on content that hold because others do."""

from collections.abc import Mapping

from medgauge_registrar.checks.schema_rules import Covered

COVERED_F: Mapping[str, Covered] = {
    "RED-02": Covered(
        by=("RED-01", "RESULT-31", "SCHEMA-LO-01"),
        because="No level is stated, issued or overridden while no threshold is set, whatever subsets a version has.",
    ),
    "BND-14": Covered(
        by=(
            "BND-01", "BND-02", "BND-03", "BND-04", "BND-05", "BND-06", "BND-07", "BND-08", "BND-09", "BND-10", "BND-11",
            "BND-12",
        ),
        because=(
            "Each of them calls a hit a possible exposure, quotes nothing, names the private channel, and says that a task which"
            " it shows may have to be retired."
        ),
    ),
    "NEV-02": Covered(
        by=("ROLE-03",), because="A freeze and a result ask of the ledger whether a measured party gave a holdout task."
    ),
}  # fmt: skip
