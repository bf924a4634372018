"""Conditions on who may sit where answer yes, no, or that it cannot be known."""

from dataclasses import replace

import pytest

from medgauge_registrar.model.ledger import Ledger, SubjectFacts, VersionFacts
from medgauge_registrar.model.roster import Role, Roster
from medgauge_registrar.requirements.attestations import Attestation, Claim
from medgauge_registrar.requirements.relations import (
    freeze_separation,
    not_among,
    not_author_of_reference,
    not_of_parties,
    not_submitter,
)
from requirements.build import roster, user

SHA, OTHER_SHA = "0f" * 32, "1e" * 32
VERSION = "bm-example-family@1.0.0"
FACTS = VersionFacts(
    builders=frozenset({21, 22}),
    key_experts=frozenset({31, 32}),
    acceptors=frozenset({41}),
    package_sha256=SHA,
    holdout_parties=frozenset(),
)


def test_not_among() -> None:
    """Named people are out; everybody else is in only if all are named."""
    rule = not_among("ROLE-03", frozenset({Role.REVIEWER}), frozenset({5}), complete=True)
    assert (rule.rule, rule.roles, rule.allows(5), rule.allows(6)) == ("ROLE-03", {Role.REVIEWER}, False, True)
    rule = not_among("ROLE-03", frozenset({Role.REVIEWER}), frozenset({5}), complete=False)
    assert (rule.allows(5), rule.allows(6)) == (False, None)


def test_authors_of_a_reference() -> None:
    """An author nobody can name might be the one who vouches; a history without authors was not read."""
    rule = not_author_of_reference([user(5), user(6)])
    assert rule.roles == {Role.REVIEWER, Role.REFERENCE_ENGINEER}
    assert (rule.allows(5), rule.allows(7)) == (False, True)
    rule = not_author_of_reference([user(5), None])
    assert (rule.allows(5), rule.allows(7)) == (False, None)
    assert not_author_of_reference([]).allows(7) is None


def test_submitters() -> None:
    """Whoever submitted one of the subjects is out; a subject that the ledger lacks leaves the others unknown."""
    ledger = Ledger(
        subjects={
            "Example Model": SubjectFacts(submitters=frozenset({5}), party="example-party"),
            "hx-example@1.0.0": SubjectFacts(submitters=frozenset({6}), party="example-party"),
        }
    )
    rule = not_submitter(["Example Model", "hx-example@1.0.0"], ledger)
    assert rule.roles == {Role.RESULTS_REVIEWER, Role.MAINTAINER}
    assert [rule.allows(person) for person in (5, 6, 7)] == [False, False, True]
    rule = not_submitter(["Example Model", "tl-example@1.0.0"], ledger)
    assert [rule.allows(person) for person in (5, 6, 7)] == [False, None, None]
    assert not_submitter([], ledger).allows(7) is None
    assert not_submitter(["Example Model"], Ledger()).allows(7) is None


def test_measured_parties() -> None:
    """Membership is the roster's, whatever the letter case; parties not all known leave the rest unknown."""
    people = roster({5: [Role.MAINTAINER], 6: [Role.MAINTAINER]}).people
    members = Roster(people=(replace(people[0], parties=("Example Party", "other")), people[1]))
    seats = frozenset({Role.MAINTAINER})
    rule = not_of_parties("ROLE-22", seats, members, frozenset({"example party"}), complete=True)
    assert (rule.roles, rule.allows(5), rule.allows(6)) == (seats, False, True)
    rule = not_of_parties("ROLE-22", seats, members, frozenset({"third party"}), complete=True)
    assert (rule.allows(5), rule.allows(6)) == (True, True)
    rule = not_of_parties("ROLE-22", seats, members, frozenset({"example party"}), complete=False)
    assert (rule.allows(5), rule.allows(6)) == (False, None)


def verdicts(
    ledger: Ledger, attested: dict[int, frozenset[Attestation]], person: int
) -> tuple[bool | None, bool | None]:
    """For the maintainer's seat (ROLE-01) and for the acceptor's (ROLE-06)."""
    maintainer, acceptor = freeze_separation(VERSION, SHA, ledger, attested)
    assert (maintainer.rule, maintainer.roles) == ("ROLE-01", {Role.MAINTAINER})
    assert (acceptor.rule, acceptor.roles) == ("ROLE-06", {Role.ACCEPTOR})
    return maintainer.allows(person), acceptor.allows(person)


def claims(*given: Claim, version: str = VERSION, sha: str = SHA) -> dict[int, frozenset[Attestation]]:
    """What account 50 attests."""
    return {50: frozenset(Attestation(claim=claim, version=version, package_sha256=sha) for claim in given)}


def test_ledger_that_knows_the_package_decides() -> None:
    """Builders and key experts do not accept; nobody has to attest anything."""
    ledger = Ledger(benchmark_versions={VERSION: FACTS})
    assert verdicts(ledger, {}, 50) == (True, True)
    assert verdicts(ledger, {}, 21) == (True, False)
    assert verdicts(ledger, {}, 31) == (True, False)


@pytest.mark.parametrize(
    "facts",
    [
        replace(FACTS, key_experts=frozenset({21})),
        replace(FACTS, acceptors=frozenset({22})),
        replace(FACTS, acceptors=frozenset({31})),
    ],
)
def test_people_who_were_not_kept_apart(facts: VersionFacts) -> None:
    """If the ledger shows one person on two sides, no maintainer can vouch for the separation, whatever they attest."""
    ledger = Ledger(benchmark_versions={VERSION: facts})
    assert verdicts(ledger, claims(Claim.SEPARATION), 50)[0] is False


def test_without_a_ledger_each_seat_attests_its_own() -> None:
    """What nobody attests cannot be known; an attestation for another package or version is none."""
    assert verdicts(Ledger(), {}, 50) == (None, None)
    assert verdicts(Ledger(), claims(Claim.SEPARATION), 50) == (True, None)
    assert verdicts(Ledger(), claims(Claim.PACKAGE_ONLY), 50) == (None, True)
    both = (Claim.SEPARATION, Claim.PACKAGE_ONLY)
    assert verdicts(Ledger(), claims(*both), 51) == (None, None)
    assert verdicts(Ledger(), claims(*both, sha=OTHER_SHA), 50) == (None, None)
    assert verdicts(Ledger(), claims(*both, version="bm-example-family@1.0.1"), 50) == (None, None)


def test_ledger_that_knows_another_package() -> None:
    """It keeps out whom it names, and proves nothing of anybody else."""
    ledger = Ledger(benchmark_versions={VERSION: replace(FACTS, package_sha256=OTHER_SHA)})
    builder = {21: frozenset({Attestation(claim=Claim.PACKAGE_ONLY, version=VERSION, package_sha256=SHA)})}
    assert verdicts(ledger, builder, 21)[1] is False
    assert verdicts(ledger, {}, 50) == (None, None)
    assert verdicts(ledger, claims(Claim.SEPARATION, Claim.PACKAGE_ONLY), 50) == (True, True)
