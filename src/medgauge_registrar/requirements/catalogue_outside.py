"""Rules that no input of the gate can decide, each with the reason."""

from collections.abc import Mapping

from medgauge_registrar.requirements.decision_rule import DecisionRule


def _outside(section: str, line: str, reason: str) -> DecisionRule:
    return DecisionRule(section=section, line=line, where="nowhere", guide=reason, state="outside")


OUTSIDE_RULES: Mapping[str, DecisionRule] = {
    "ROLE-24": _outside(
        "21",
        "Standing is confirmed in the private repository by a set number of people.",
        "It happens where this gate does not look; what it sees is the roster that comes of it. A roster in the open is "
        "refused (ROLE-15).",
    ),
    "ROLE-25": _outside(
        "21",
        "A new acceptor first repeats the gate runs of the calibration pack with matching outcomes.",
        "The runs are closed; an acceptor stands in the roster once they matched.",
    ),
    "ROLE-26": _outside(
        "20",
        "A dataset card has a data steward among its authors or approvers.",
        "To say that it has none would say of everybody who wrote or approved it that they lack a role (ROLE-16), so nothing "
        "is said; a dataset card is approved by a maintainer.",
    ),
    "RESULT-34": _outside(
        "App A",
        "A task's class follows from the points and bands of the published function, and the class distribution agrees with that.",
        "The components of a task are closed; builder and acceptor compute its class on the closed side (gate 5). What is public "
        "of it is held elsewhere: the function is whole (SCHEMA-BM-08), classes are stated with recorded components alone and add "
        "up (SCHEMA-BM-03, SCHEMA-BM-05), and no holdout task is below the entry class (SCHEMA-BM-04). The checkpoints of a task, "
        "which run rows show, leave every class possible.",
    ),
    "BLD-07": _outside(
        "18",
        "Every page of the site names the registry commit that it was built from.",
        "Pages are built from a commit once it is merged, by another program, and are no file of the registry (ENT-10).",
    ),
    "BLD-09": _outside(
        "17",
        "Beyond the build checks above, editorial rules and evidence grades are left to reviewers and are not enforced.",
        "The methodology says of them that there are some and not what they are, so reviewers apply them.",
    ),
    "BLD-10": _outside(
        "18",
        "Links to other sites are not part of the build checks; a check of them may only inform.",
        "What another site answers changes from hour to hour, so a decision could not be made anew; the gate asks none. Links "
        "inside the registry are held by BLD-03.",
    ),
}
