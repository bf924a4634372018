"""Rules on listings, freezes, separation, requests for comment and disputes that the decision stage enforces."""

from collections.abc import Mapping

from medgauge_registrar.requirements.decision_rule import DecisionRule

_FREEZE, _FREEZE_SIDES = "requirements/freeze.py", "requirements/separation_freeze.py"
_REQUESTS, _OUTCOMES = "requirements/requests.py", "requirements/outcomes.py"


def _gate(line: str, passes: str, fails: str) -> DecisionRule:
    return DecisionRule(section="11.3", line=line, where=_FREEZE, guide=f"Passes: {passes}\nFails: {fails}")


GOVERNANCE_RULES: Mapping[str, DecisionRule] = {
    "DEC-04": DecisionRule(
        section="4.1, 22, 23",
        line="A reference is listed once its clause was checked, an alternative passed, and a frozen version uses it.",
        where="requirements/listing.py",
        guide="Passes: a day of the check, a record of the alternative, and a frozen version that names the reference\n"
        "Fails: a reference that no frozen version names",
    ),
    "DEC-05": DecisionRule(
        section="11.3, 22",
        line="A freeze needs all eleven gates, an independent acceptor and one maintainer.",
        where="data/policy.yml, row M3",
        guide="Passes: eleven gates, an acceptor's and a maintainer's approval\nFails: the same with the acceptor's seat open",
    ),
    "DEC-08": DecisionRule(
        section="22",
        line="A capability is added, retired or merged under a request for comment with three parts, by two maintainers.",
        where="data/policy.yml, row M6",
        guide="Passes: a new capability, its request, two maintainers\nFails: the same without the request",
    ),
    "DEC-12": DecisionRule(
        section="22",
        line="A disputed change waits for three independent votes and their published outcome; votes never stand in for approvals.",
        where=_OUTCOMES,
        guide="Passes: three votes, an outcome with their counts, and the row's own approvals\n"
        "Fails: three votes and no approval of the row",
    ),
    "DEC-30": DecisionRule(
        section="22",
        line="Changing what a capability means, or bringing back a retired one, is asked for like an addition.",
        where="data/policy.yml, row M6a",
        guide="Passes: another definition under a request, by two maintainers\nFails: the same by one maintainer",
    ),
    "ROLE-01": DecisionRule(
        section="11.3, 20",
        line="Builder, key experts and acceptor of a version are different people: the ledger shows it, or the seated maintainer "
        "attests it.",
        where=_FREEZE_SIDES,
        guide="Passes: a ledger on which nobody stands on two sides; or `/attest separation` in the maintainer's approval\n"
        "Fails: a ledger that names a key expert as builder",
    ),
    "ROLE-02": DecisionRule(
        section="11.3, 20",
        line="Who wrote a grading reference, over its whole history, builds no task that tests it.",
        where="requirements/separation_listing.py, requirements/separation_freeze.py",
        guide="Passes: no author of the reference among the builders\nFails: a ledger that names an author among them",
    ),
    "ROLE-03": DecisionRule(
        section="20, 23",
        line="A party that is measured on a family gives no holdout task to it, whichever of the two came first.",
        where=_FREEZE_SIDES,
        guide="Passes: holdout tasks of nobody who is measured\nFails: a ledger in which the vendor of a measured model gave some",
    ),
    "ROLE-06": DecisionRule(
        section="11.3",
        line="The acceptor built nothing of the version and received only the package, as ledger or acceptor say.",
        where=_FREEZE_SIDES,
        guide="Passes: `/attest package-only` for this version and package\nFails: an acceptor whom the ledger names as a builder",
    ),
    "ROLE-07": DecisionRule(
        section="11.3",
        line="Those who set a key come from different institutions, as ledger and roster show or the seated maintainer attests.",
        where=_FREEZE_SIDES,
        guide="Passes: two key experts of two institutions\nFails: two key experts of one institution",
    ),
    "ROLE-08": DecisionRule(
        section="11.5",
        line="Experts of a baseline built nothing of the version and set none of its keys: the ledger shows it, or the acceptor "
        "attests it.",
        where="requirements/separation_baseline.py",
        guide="Passes: `/attest separation` in the seated acceptor's approval\nFails: an approval that attests nothing",
    ),
    "ROLE-10": DecisionRule(
        section="11.3",
        line="An acceptor who took no part in the version confirms that the experts of a baseline were qualified and separate.",
        where="requirements/separation_baseline.py",
        guide="Passes: the seated acceptor attests it\nFails: an acceptor whom the ledger names as a builder",
    ),
    "ROLE-11": DecisionRule(
        section="22, 23",
        line="Nobody who ever wrote a reference, in any version or under any earlier path, approves its listing.",
        where="git/authorship.py, requirements/separation_listing.py",
        guide="Passes: an engineer and a reviewer who wrote none of it\nFails: an engineer who wrote an earlier version",
    ),
    "ROLE-18": DecisionRule(
        section="20, 25.6",
        line="No applicant to a round of a family, and nobody of a measured party, decides on it or builds its tasks.",
        where="requirements/separation_freeze.py, requirements/separation_measured.py",
        guide="Passes: approvers who applied for nothing\nFails: a maintainer whom the ledger names as a submitter",
    ),
    "ROLE-22": DecisionRule(
        section="5.7, App B",
        line="A level override is approved by nobody of a measured party.",
        where="requirements/separation_measured.py",
        guide="Passes: maintainers of no party\nFails: a maintainer of the vendor's party",
    ),
    "ROLE-28": DecisionRule(
        section="11.3, 20",
        line="A maintainer who built tasks of a version had better leave its freeze to another.",
        where="requirements/builders.py",
        guide="Passes: a maintainer who took no part\nFails: a maintainer whom the ledger names as a builder (a notice)",
        state="informs",
    ),
    "RFC-01": DecisionRule(
        section="22, 30",
        line="The pull request rests on a request for comment that a person opened before it, or that is merged as a file.",
        where=_REQUESTS,
        guide="Passes: a linked issue with the label, opened by a person the week before\nFails: a sentence in the description",
    ),
    "RFC-02": DecisionRule(
        section="22",
        line="A request about a capability outlines a gradable task, the form of the evidence and an outside anchor.",
        where=_REQUESTS,
        guide="Passes: the three headed parts, each with words\nFails: the part `Outside anchor` left empty",
    ),
    "RFC-03": DecisionRule(
        section="22",
        line="The request names every object and section that changes.",
        where=_REQUESTS,
        guide="Passes: a request that names D.2\nFails: a request that names another capability (a notice)",
        state="informs",
    ),
    "RFC-04": DecisionRule(
        section="22, 30",
        line="A request was open for the days that the settings ask for.",
        where=_REQUESTS,
        guide="Passes: opened 20 days before\nFails: opened the day before (a notice)",
        state="informs",
    ),
    "RFC-05": DecisionRule(
        section="22",
        line="One request that serves capabilities and the text together names something of each.",
        where=_REQUESTS,
        guide="Passes: a request that names D.2 and section 5.4\nFails: a request that names D.2 alone",
    ),
    "DISP-02": DecisionRule(
        section="22",
        line="A dispute is settled by the votes of three different people; of each the last one before the third voter counts.",
        where="requirements/disputes.py",
        guide="Passes: `/vote uphold` or `/vote overturn`, with reasons, by three people\nFails: two voters, one of them twice",
    ),
    "DISP-03": DecisionRule(
        section="20, 22",
        line="Only those vote who had the standing of an acceptor when the dispute was opened and are independent of the matter.",
        where="requirements/disputes.py",
        guide="Passes: three maintainers who neither opened, pushed, approved nor objected\nFails: a vote by whoever approved",
    ),
    "DISP-04": DecisionRule(
        section="22",
        line="The outcome is published with its reasons and the counts of the votes, and stays as it was published.",
        where=_OUTCOMES,
        guide="Passes: a file that says 2 to 1 after two votes to uphold and one to overturn\nFails: a file that says 3 to 0",
    ),
    "GATE-01": _gate(
        "Gate 1 is on record no later than the freeze: the reference solution scores full marks.",
        "a record of the week before", "a record of the day after",
    ),
    "GATE-02": _gate(
        "Gate 2 is on record no later than the freeze: constructed wrong artifacts fail.",
        "a record of the week before", "a record of the day after",
    ),
    "GATE-03": _gate(
        "Gate 3 is on record no later than the freeze: two expert keys and the key card.",
        "a record of the week before", "a record of the day after",
    ),
    "GATE-05": _gate(
        "Gate 5 is on record, the pinned function is whole, and holdout tasks keep the entry class.",
        "a published function and classes from 2 on", "a function that is not published",
    ),
    "GATE-06": _gate(
        "Gate 6 is on record, and an acceptor who built nothing of the version approves.",
        "an acceptor's approval that attests the package", "the acceptor's seat open",
    ),
    "GATE-07": _gate(
        "Gate 7 is on record, and every reference that the summary names is registered and clause-checked.",
        "a reference with the day of its check", "a reference that nobody checked",
    ),
    "GATE-08": _gate(
        "Gate 8 is on record, and the card says on what basis materials are de-identified.",
        "a card that says all material is synthetic", "a record of the day after the freeze",
    ),
    "GATE-09": _gate(
        "Gate 9 is on record, and nothing known contradicts the separation of roles.",
        "a maintainer who attests it", "a ledger that names one person on two sides",
    ),
    "GATE-10": _gate(
        "Gate 10 is on record no later than the freeze: a correct answer written differently passes.",
        "a record of the week before", "a record of the day after",
    ),
    "GATE-11": _gate(
        "Gate 11 is on record; it may be deferred while the level rules set no threshold.",
        "deferred under level rules without thresholds", "deferred under level rules with one",
    ),
    "GATE-12": _gate(
        "All gates belong to one package, whose digest the acceptor signed or the ledger holds.",
        "the digest that the acceptor attests", "a ledger that names another package",
    ),
    "GATE-13": _gate(
        "The acceptance came after gates 1 to 10 and no later than the freeze.",
        "gates, acceptance and freeze one day after another", "a gate of the day after the acceptance",
    ),
}  # fmt: skip
