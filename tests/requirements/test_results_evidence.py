"""Row M4: a result is approved if it was recomputed as a whole, reviewed, and kept apart from whoever submitted its subject."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from medgauge_registrar.inputs import to_ledger
from medgauge_registrar.model.decision import Decision, EvidenceState, RowState, State
from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.model.pull import Move, Pull, User
from medgauge_registrar.model.roster import Roster
from medgauge_registrar.sandbox.cast import LEDGER, account
from medgauge_registrar.sandbox.edits import Edit, drop, swap
from medgauge_registrar.sandbox.material_results import RESULT, RESULT_BASE, high, path_of, without_run
from support.snapshots import approvals, cast_roster, commit, decided, errors, person, pull, row

HIGH = path_of("example-model-1-high")
REGISTRY = "example-organisation/registry"
BOTH = ("results reviewer", "maintainer")
SATISFIED, FAILED = EvidenceState.SATISFIED, EvidenceState.FAILED
MISSING, UNDECIDED = EvidenceState.MISSING, EvidenceState.UNDECIDED


def filed(*names: str, **changes: Any) -> Pull:
    """A pull request of the site on a branch of the registry, approved by some of the cast."""
    site = {
        "author": person("site"),
        "pushed_by": person("site"),
        "commits": (commit("site", "site"),),
        "head_repo": REGISTRY,
    }
    return pull(*approvals(*names), **{**site, **changes})


def _move(by: str) -> Move:
    """Somebody of the cast moves the branch."""
    return Move(by=person(by), before="b" * 40, after="c" * 40)


def facts(**changes: Any) -> Ledger:
    """The ledger of the demonstration, with other entries in it."""
    return to_ledger({**LEDGER, **changes})


def judged(
    *edits: Edit, request: Pull | None = None, ledger: Ledger | None = None, roster: Roster | None = None
) -> Decision:
    """The decision on a result of the second round; `edits` come after it."""
    people = {} if roster is None else {"roster": roster}
    return decided(
        *(edits or (high(),)),
        request=request or filed(*BOTH),
        base=RESULT_BASE,
        ledger=ledger if ledger is not None else facts(),
        **people,
    )


def evidence(decision: Decision) -> Mapping[str, EvidenceState]:
    """State of each piece of evidence of row M4."""
    return {item.id: item.state for item in row(decision, "M4").evidence}


def separation(decision: Decision) -> Mapping[str, EvidenceState]:
    """State of each rule of separation of row M4."""
    return {item.rule: item.state for item in row(decision, "M4").separation}


def test_everything_holds() -> None:
    """A right record of the site, reviewed by two who have nothing to do with it, is approved."""
    decision = judged()
    assert errors(decision) == set()
    assert (decision.state, row(decision, "M4").state) == (State.APPROVED, RowState.SATISFIED)
    assert set(evidence(decision).values()) == set(separation(decision).values()) == {SATISFIED}
    told = {item.id: item.message for item in row(decision, "M4").evidence}
    assert told["RESULT-16"] == "recomputed from 51 run rows"
    assert told["CHK-03"] == "51 runs, each error with its attribution"
    assert told["CHK-06"] == "price table 0.1.0"


@pytest.mark.parametrize(
    ("edits", "failed"),
    [
        ((high(('"n_tasks": 7', '"n_tasks": 8')),), {"RESULT-09"}),
        ((high(('"claimable_lower_bound": 0.54928', '"claimable_lower_bound": 0.5')),), {"RESULT-12"}),
        ((high(('"equal": 315', '"equal": 300')),), {"CHK-02"}),
        ((high(('"sampled_tasks": 2', '"sampled_tasks": 1')),), {"CHK-07"}),
        ((high(('"CHK-01": {"holds": true, "date": "2026-11-22"}', '"CHK-01": {"holds": true, "date": "2026-11-21"}')),),
         {"CHK-01"}),
        ((high(('"CHK-09": {"holds": true, "version": "0.1.0"}', '"CHK-09": {"holds": true, "version": "0.2.0"}')),),
         {"CHK-09"}),
    ],
)  # fmt: skip
def test_wrong_number_fails_its_evidence(edits: tuple[Edit, ...], failed: set[str]) -> None:
    """A finding of a rule fails the evidence of that rule, and blocks the row."""
    decision = judged(*edits)
    assert {rule for rule, state in evidence(decision).items() if state is FAILED} == failed
    assert row(decision, "M4").state is RowState.BLOCKED


def test_figures_that_could_not_be_computed_are_not_said_to_be_right() -> None:
    """With a run missing, no figure of its subset was compared, so none of them is satisfied."""
    decision = judged(high(), without_run("tk-spzh8rzhqmoe@0.2.0", 3))
    states = evidence(decision)
    assert all(
        states[rule] is FAILED for rule in ("RESULT-01", "RESULT-09", "RESULT-11", "RESULT-16", "RED-11", "CHK-03")
    )


def test_broken_record_fails_everything() -> None:
    """A record that breaks its schema shows nothing."""
    decision = judged(high(('"run_mode": "site-run"', '"run_mode": "elsewhere"')))
    assert set(evidence(decision).values()) - {MISSING} == {FAILED}


def test_removed_record_fails_everything_that_it_would_have_shown() -> None:
    """Nothing is recomputed where nothing is left."""
    decision = judged(drop(RESULT))
    states = evidence(decision)
    assert states["RESULT-09"] is states["CHK-03"] is states["CHK-06"] is states["CHK-08"] is FAILED
    assert decision.state is State.BLOCKED


@pytest.mark.parametrize(
    ("names", "state"),
    [(BOTH, SATISFIED), (("maintainer",), MISSING), (("results reviewer",), SATISFIED), ((), MISSING)],
)
def test_checklist_is_applied_by_a_results_reviewer(names: tuple[str, ...], state: EvidenceState) -> None:
    """CHK-10 is the approval of the results reviewer on this head; without it the row waits."""
    decision = judged(request=filed(*names))
    assert evidence(decision)["CHK-10"] is state
    assert row(decision, "M4").state is (RowState.SATISFIED if names == BOTH else RowState.PENDING)


# Where the record comes from --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"head_repo": "example-fork/registry"}, "the branch lies in another repository"),
        ({"head_repo": None}, "the branch lies in another repository"),
        ({"author": account("contributor")}, "the pull request was opened by another account"),
        ({"author": None}, "the pull request was opened by another account"),
        ({"pushed_by": account("contributor")}, "the branch was pushed by another account"),
        ({"moves": (_move("site"), _move("contributor"), _move("site"))}, "the branch was pushed by another account"),
        ({"commits": (commit("contributor", "site"),)}, "1 of 1 commits name another account"),
        ({"commits": (commit("site", "contributor"),)}, "1 of 1 commits name another account"),
        ({"commits": (commit("site", "site", "contributor"),)}, "1 of 1 commits name another account"),
        (
            {"commits": (commit("site", "site"), commit(None, "site", sha="c" * 40))},
            "1 of 2 commits name another account",
        ),
    ],
)
def test_result_comes_from_the_site(changes: Mapping[str, Any], words: str) -> None:
    """Whatever is not the site's is told, and the row is blocked."""
    people = {name: User(**value) if isinstance(value, dict) else value for name, value in changes.items()}
    decision = judged(request=filed(*BOTH, **people))
    assert separation(decision)["ROLE-19"] is FAILED
    (finding,) = [finding for finding in decision.findings if finding.rule == "ROLE-19"]
    assert (finding.path, words in finding.message) == (HIGH, True)
    assert decision.state is State.BLOCKED
    # It is GitHub that tells, so no step speaks of a closed record.
    assert not any("closed record" in step.do for step in decision.next_steps)


def test_letter_case_of_a_repository_plays_no_part() -> None:
    """GitHub's names of repositories differ in letter case alone from no other."""
    assert separation(judged(request=filed(*BOTH, head_repo=REGISTRY.upper())))["ROLE-19"] is SATISFIED


def test_unknown_pusher_leaves_the_origin_open() -> None:
    """The names on commits can be forged, so without the pusher nothing is known."""
    decision = judged(request=filed(*BOTH, pushed_by=None))
    assert separation(decision)["ROLE-19"] is UNDECIDED
    assert decision.state is State.PENDING


def test_a_branch_that_the_site_alone_moved_is_the_sites() -> None:
    """Every move back to the first one counts, and a gap among them leaves the origin open."""
    assert separation(judged(request=filed(*BOTH, moves=(_move("site"), _move("site")))))["ROLE-19"] is SATISFIED
    decision = judged(request=filed(*BOTH, "second maintainer", moves=None))
    assert separation(decision)["ROLE-19"] is UNDECIDED
    assert decision.state is State.PENDING


def test_registry_without_site_accounts_takes_no_result() -> None:
    """An empty list of site identities lets nobody in."""
    decision = decided(high(), request=filed(*BOTH), base=(RESULT_BASE[1],), ledger=facts())
    assert separation(decision)["ROLE-19"] is FAILED


# Who is kept apart ------------------------------------------------------------------------------------------------------


def subject(*submitters: str, party: str = "Example Vendor") -> dict[str, Any]:
    """Facts about one subject."""
    return {"submitters": [account(name)["id"] for name in submitters], "party": party}


def with_subject(name: str, **changes: Any) -> Ledger:
    """The ledger with other facts about one subject."""
    return facts(subjects={**LEDGER["subjects"], name: {**LEDGER["subjects"][name], **changes}})


def test_nothing_is_known_without_a_ledger() -> None:
    """Three rules stay undecided, and the result waits."""
    decision = judged(ledger=Ledger())
    known = separation(decision)
    assert {rule for rule, state in known.items() if state is UNDECIDED} == {"ROLE-03", "ROLE-04", "ROLE-18"}
    assert (decision.state, row(decision, "M4").state) == (State.PENDING, RowState.PENDING)


@pytest.mark.parametrize("name", ["results reviewer", "maintainer"])
def test_whoever_submitted_the_model_does_not_approve(name: str) -> None:
    """The seat stays open for somebody else, who then fills it."""
    ledger = with_subject("Example Model 1", submitters=[account(name)["id"]])
    assert separation(judged(ledger=ledger))["ROLE-04"] is MISSING
    other = {"results reviewer": "two roles", "maintainer": "second maintainer"}[name]
    decision = judged(ledger=ledger, request=filed(*BOTH, other))
    assert decision.state is State.APPROVED


def test_whoever_submitted_the_model_does_not_file_it() -> None:
    """A submitter among those who wrote the record is no seat to leave open; it fails."""
    ledger = with_subject("Example Model 1", submitters=[account("site")["id"]])
    assert separation(judged(ledger=ledger))["ROLE-04"] is FAILED


def test_subject_that_the_ledger_does_not_know_leaves_it_open() -> None:
    """Facts about the model alone do not tell who submitted the harness."""
    subjects = {name: known for name, known in LEDGER["subjects"].items() if not name.startswith("hx-")}
    known = separation(judged(ledger=facts(subjects=subjects)))
    assert known["ROLE-04"] is known["ROLE-18"] is UNDECIDED


@pytest.mark.parametrize("version", ["bm-example-handover@0.1.0", "bm-example-handover@0.2.0"])
def test_measured_party_gave_no_holdout_task(version: str) -> None:
    """A party behind the subject that gave a holdout task of any frozen version of the family fails the row."""
    versions = {**LEDGER["benchmark_versions"]}
    versions[version] = {**versions[version], "holdout_parties": ["EXAMPLE VENDOR"]}
    decision = judged(ledger=facts(benchmark_versions=versions))
    assert separation(decision)["ROLE-03"] is FAILED
    assert decision.state is State.BLOCKED


def test_other_parties_may_have_given_holdout_tasks() -> None:
    """Tasks of somebody who is not measured are as good as any."""
    versions = {
        name: {**known, "holdout_parties": ["Example Clinic"]} for name, known in LEDGER["benchmark_versions"].items()
    }
    assert judged(ledger=facts(benchmark_versions=versions)).state is State.APPROVED


def test_facts_about_another_package_prove_nothing() -> None:
    """What the ledger says of a version counts for the package that the version pins."""
    versions = {**LEDGER["benchmark_versions"]}
    versions["bm-example-handover@0.2.0"] = {**versions["bm-example-handover@0.2.0"], "package_sha256": "0" * 64}
    known = separation(judged(ledger=facts(benchmark_versions=versions)))
    assert known["ROLE-03"] is known["ROLE-18"] is UNDECIDED


def test_applicant_to_the_round_does_not_approve() -> None:
    """Somebody of a party that has another subject in the round stays out of the seats as well."""
    ledger = with_subject("Example Model 2", submitters=[account("results reviewer")["id"]], party="Example Laboratory")
    assert separation(judged(ledger=ledger))["ROLE-18"] is MISSING
    people = tuple(
        replace(known, parties=("example laboratory",)) if known.id == account("maintainer")["id"] else known
        for known in cast_roster().people
    )
    apart = with_subject("Example Model 2", submitters=[], party="Example Laboratory")
    decision = judged(ledger=apart, roster=Roster(people=people))
    assert separation(decision)["ROLE-18"] is MISSING
    assert decision.state is State.PENDING


def test_applicant_to_the_round_built_no_task() -> None:
    """A builder of the family who submitted a subject of the round fails the row."""
    ledger = with_subject("Example Model 2", submitters=[account("builder")["id"]])
    assert separation(judged(ledger=ledger))["ROLE-18"] is FAILED


def test_unreadable_record_leaves_separation_open() -> None:
    """Who is measured cannot be told of a record that breaks its schema."""
    known = separation(judged(high(('"run_mode": "site-run"', '"run_mode": "elsewhere"'))))
    assert known["ROLE-03"] is known["ROLE-04"] is known["ROLE-18"] is UNDECIDED


def test_two_results_are_kept_apart_each_on_its_own() -> None:
    """One record that cannot be judged keeps the row from being satisfied by the other."""
    other = swap(RESULT, '"run_mode": "site-run"', '"run_mode": "elsewhere"')
    assert judged(high(), other).state is State.BLOCKED
