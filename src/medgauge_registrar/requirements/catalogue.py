"""Rules that the decision itself enforces, beyond any single check; their code is named beside each."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class DecisionRule:
    """
    One rule of the decision stage.

    Attributes:
        section: Sections it rests on.
        line: What it asks, in one sentence.
        where: Module that holds it.
        guide: An example that passes and one that fails.
    """

    section: str
    line: str
    where: str
    guide: str
    state: str = "enforced"


DECISION_RULES: Mapping[str, DecisionRule] = {
    "DEC-03": DecisionRule(
        section="22",
        line="A registry record needs its schema and reference checks and one maintainer.",
        where="data/policy.yml, row M1",
        guide="Passes: a valid standard approved by a maintainer\nFails: the same without an approval",
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
        where="requirements/opinions.py",
        guide="Passes: an approval by a maintainer who wrote none of it\nFails: an approval by a co-author",
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
    "DISP-01": DecisionRule(
        section="22",
        line="An open dispute holds the merge.",
        where="requirements/disputes.py",
        guide="Passes: no dispute\nFails: somebody with a role comments `/dispute` and reasons",
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
