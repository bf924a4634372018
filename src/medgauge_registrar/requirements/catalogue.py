"""Rules that the decision itself enforces, beyond any single check; their code is named beside each."""

from collections.abc import Mapping

from medgauge_registrar.requirements.catalogue_changes import CHANGE_RULES
from medgauge_registrar.requirements.catalogue_governance import GOVERNANCE_RULES
from medgauge_registrar.requirements.catalogue_outside import OUTSIDE_RULES
from medgauge_registrar.requirements.decision_rule import DecisionRule

DECISION_RULES: Mapping[str, DecisionRule] = {
    **CHANGE_RULES,
    **GOVERNANCE_RULES,
    **OUTSIDE_RULES,
    "DEC-01": DecisionRule(
        section="22",
        line="Nothing reaches the default branch except through a merged pull request whose checks passed.",
        where="record/audit.py",
        guide="The branch is protected by the platform; `registrar audit` names every commit that came otherwise.\n"
        "Passes: a commit at which the gate's note on an approved decision stands\nFails: a commit that was pushed directly",
        state="informs",
    ),
    "DEC-03": DecisionRule(
        section="22",
        line="A registry record needs its schema and reference checks and one maintainer.",
        where="data/policy.yml, row M1",
        guide="Passes: a valid standard approved by a maintainer\nFails: the same without an approval",
    ),
    "DEC-06": DecisionRule(
        section="22, 25.4",
        line="A result comes from the site, is recomputed, passes the checklist, and has a results reviewer and a maintainer.",
        where="data/policy.yml, row M4",
        guide="Passes: a recomputed record of the site approved by both\nFails: the same approved by the reviewer alone",
    ),
    "DEC-07": DecisionRule(
        section="22, 24",
        line="Registering a harness, tool or component needs its schema, its scope and one maintainer.",
        where="data/policy.yml, row M5",
        guide="Passes: a new harness version approved by a maintainer\nFails: the same approved by a reviewer",
    ),
    "DEC-13": DecisionRule(
        section="22",
        line="A pull request of several kinds satisfies every row that it triggers; counts are not added across rows.",
        where="classify/classify.py",
        guide="Passes: charter and standard, two maintainers\nFails: charter and standard, one maintainer",
    ),
    "DEC-14": DecisionRule(
        section="22, 20",
        line="Within one row every seat is filled by another person.",
        where="requirements/seats.py",
        guide="Passes: an acceptor and a maintainer\nFails: one person who holds both roles",
    ),
    "DEC-15": DecisionRule(
        section="20, 11.3",
        line="Nobody who opened, wrote, committed, pushed or triggered the change fills a seat.",
        where="requirements/opinions.py, requirements/automation.py",
        guide="Passes: an approval by a maintainer who wrote none of it\n"
        "Fails: an approval by a co-author; the only approval of what a bot opened for somebody unnamed",
    ),
    "DEC-16": DecisionRule(
        section="22",
        line="An approval counts only for the content that it saw.",
        where="requirements/opinions.py",
        guide="Passes: an approval on the head, given after it arrived\nFails: an approval given before the last push",
    ),
    "DEC-17": DecisionRule(
        section="22",
        line="A standing request for changes by somebody whose role is needed holds the merge.",
        where="requirements/objections.py",
        guide="Passes: the objector approves later\nFails: a maintainer's request for changes stands",
    ),
    "DEC-18": DecisionRule(
        section="22",
        line="Kinds and rows come from paths and content before and after, never from titles or labels.",
        where="classify/transitions.py",
        guide="Passes: an edit of the charter titled `fix typo` is row M9\nFails: nothing a title says lifts a row",
    ),
    "DEC-20": DecisionRule(
        section="22",
        line="A path outside the registry that no kind claims needs one maintainer and is named.",
        where="data/policy.yml, row M19",
        guide="Passes: README.md approved by a maintainer\nFails: README.md without an approval",
    ),
    "DEC-21": DecisionRule(
        section="22",
        line="A pull request is judged by the table, schemas, settings and roster of the base, not by its own.",
        where="pipeline.py",
        guide="Passes: settings changed by two maintainers\nFails: settings that would lift a row do not lift it here",
    ),
    "DEC-22": DecisionRule(
        section="22",
        line="What cannot be read whole is never approved; the state is `error`.",
        where="pipeline.py",
        guide="Passes: all commits are told\nFails: the list of commits lacks one",
    ),
    "DEC-23": DecisionRule(
        section="22, G6",
        line="The merge result is judged, so two changes that are wrong together are found.",
        where="pipeline.py",
        guide="Passes: a branch that merges\nFails: a branch that conflicts with the base",
    ),
    "DEC-26": DecisionRule(
        section="29, 22",
        line="A new price table is a registry record; an edit of a published one is refused.",
        where="data/policy.yml, row M13",
        guide="Passes: price table 0.2.0 approved by a maintainer\nFails: the same without an approval",
    ),
    "DEC-28": DecisionRule(
        section="5.7, App B",
        line="A level override needs two maintainers, and is refused while no level threshold is set.",
        where="data/policy.yml, row M15",
        guide="Passes: nothing today\nFails: any level override",
    ),
    "CHK-03": DecisionRule(
        section="25.4",
        line="Every run is in the record, and every error has its attribution.",
        where="requirements/results_evidence.py",
        guide="Passes: three runs of each task\nFails: a task with two runs",
    ),
    "CHK-06": DecisionRule(
        section="25.4",
        line="Amounts rest on a price table of the registry, or the subject is marked as without amounts.",
        where="requirements/results_evidence.py",
        guide="Passes: price_table: 0.1.0, which is there\nFails: a price table that breaks its schema",
    ),
    "CHK-08": DecisionRule(
        section="25.4",
        line="The record states that no output contained a canary; the site looks for them, and only it can.",
        where="requirements/results_evidence.py",
        guide="Passes: holds: true\nFails: a record that does not state it",
    ),
    "CHK-10": DecisionRule(
        section="25.4",
        line="A results reviewer approved the record as it stands.",
        where="requirements/results_evidence.py",
        guide="Passes: an approval by a results reviewer on the head\nFails: an approval from before the last push",
    ),
    "DISP-01": DecisionRule(
        section="22",
        line="A dispute holds the merge until three have voted and the outcome is published; an overturned change does not merge.",
        where="requirements/outcomes.py",
        guide="Passes: no dispute\nFails: somebody with a role comments `/dispute` and reasons",
    ),
    "ROLE-04": DecisionRule(
        section="20, Axiom 6",
        line="Whoever submitted a subject neither files its record nor reviews or approves it; the ledger knows who that is.",
        where="requirements/separation_results.py",
        guide="Passes: approvers who submitted nothing of it\nFails: no ledger, so it stays undecided",
    ),
    "ROLE-12": DecisionRule(
        section="21, 22",
        line="A reviewer's seat is for reviewer standing; a results reviewer or expert reviewer has it not by that role.",
        where="requirements/standing.py",
        guide="Passes: a standing reviewer\nFails: a results reviewer in a reviewer's seat",
    ),
    "ROLE-13": DecisionRule(
        section="21",
        line="Standing adds up: a maintainer may sit as acceptor or reviewer, an acceptor as reviewer.",
        where="requirements/standing.py",
        guide="Passes: a maintainer in an acceptor's seat\nFails: a reviewer in an acceptor's seat",
    ),
    "ROLE-14": DecisionRule(
        section="21",
        line="A role counts only while its term covers both the review and the decision.",
        where="requirements/standing.py",
        guide="Passes: a term that covers both days\nFails: a term that ended yesterday",
    ),
    "ROLE-16": DecisionRule(
        section="12.1",
        line="No output says who holds a role, who lacks one, or any closed fact.",
        where="report/withhold.py",
        guide="Passes: `maintainer: filled`\nFails: no name stands beside a role in any rendering",
    ),
    "ROLE-17": DecisionRule(
        section="12.1, 22",
        line="Roles come from a private source alone; an account that the roster does not match holds none.",
        where="requirements/standing.py",
        guide="Passes: numeric id and login agree\nFails: the login agrees and the id does not",
    ),
    "ROLE-19": DecisionRule(
        section="Axiom 6, Reproducibility page",
        line="A result is opened, written and pushed by the site's own accounts, on a branch of the registry itself.",
        where="requirements/origin.py",
        guide="Passes: every commit by an account of `site_identities`\nFails: a branch of a fork",
    ),
    "ROLE-21": DecisionRule(
        section="26, 20",
        line="A reproduction record is approved by somebody outside the organisation that ran it.",
        where="requirements/separation.py",
        guide="Passes: an approver of another institution\nFails: an approver of the organisation itself",
    ),
    "ROLE-23": DecisionRule(
        section="23",
        line="Everybody acts in person: the people of every commit have an account.",
        where="requirements/authorship.py",
        guide="Passes: every commit maps to an account\nFails: a commit of a grading reference without one",
    ),
    "ROLE-29": DecisionRule(
        section="22",
        line="A pull request whose seats nobody can fill waits; nothing bypasses the table.",
        where="decide.py",
        guide="Passes: the seats are filled later\nFails: no roster, so the seats stay open",
    ),
}
