"""Rules of notices and change classes that hold because others do."""

from collections.abc import Mapping

from medgauge_registrar.checks.schema_rules import Covered

COVERED_CHANGES: Mapping[str, Covered] = {
    "NCN-02": Covered(
        by=("NCN-01",),
        because="A pin cannot change in a frozen version, so another function comes with a further version of the family.",
    ),
    "NCN-04": Covered(
        by=("NCN-20", "CHG-05"), because="The first asks for the notice, the second for the version of the text."
    ),
    "NCN-07": Covered(
        by=("IMM-01", "NCN-01"),
        because="A frozen version keeps its keys, so a corrected one comes with a further version of the family.",
    ),
    "NCN-13": Covered(
        by=("CLM-11",), because="It asks any table of two versions for the notice that they do not compare."
    ),
    "CHG-03": Covered(
        by=("VER-07", "CHG-02"), because="A new version needs its row; a row of a review alone raises no version."
    ),
    "CHG-04": Covered(
        by=("IMM-01", "IMM-14", "VER-14"),
        because="Pins of frozen versions stay, new ones take the newest rules, and results follow their version.",
    ),
}
