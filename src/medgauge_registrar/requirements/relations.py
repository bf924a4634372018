"""Conditions on who may sit where, from what the registry, the roster, the ledger and the approvers say."""

from collections.abc import Iterable, Mapping

from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.model.pull import User
from medgauge_registrar.model.roster import Role, Roster
from medgauge_registrar.requirements.attestations import Attestation, Claim
from medgauge_registrar.requirements.seats import Alone, Verdict


def not_among(rule: str, roles: frozenset[Role], people: frozenset[int], *, complete: bool) -> Alone:
    """
    Keep some people out of some seats.

    Args:
        rule: Rule id.
        roles: Seats to keep them out of.
        people: Account ids.
        complete: Whether these are all; if not, it cannot be known of anybody else that they are none of them.
    """

    def allows(person: int) -> Verdict:
        if person in people:
            return False
        return True if complete else None

    return Alone(rule=rule, roles=roles, allows=allows)


def not_author_of_reference(authors: Iterable[User | None]) -> Alone:
    """
    Keep the authors of a grading reference from vouching for its clause (ROLE-11).

    Args:
        authors: Of the file over its whole history, renames followed; null for an author without a known account. A
            file without any author was not looked up, so nothing is known.
    """
    named = tuple(authors)
    return not_among(
        "ROLE-11",
        frozenset({Role.REVIEWER, Role.REFERENCE_ENGINEER}),
        frozenset(author.id for author in named if author is not None),
        complete=bool(named) and None not in named,
    )


def not_submitter(subjects: Iterable[str], ledger: Ledger) -> Alone:
    """
    Keep whoever submitted a subject from computing or accepting its scores (ROLE-04).

    Args:
        subjects: Model names, harness and tool references of the result records; without any, nothing is known.
        ledger: Closed facts; a subject that it does not name leaves it unknown who submitted it.
    """
    facts = [ledger.subjects.get(subject) for subject in subjects]
    return not_among(
        "ROLE-04",
        frozenset({Role.RESULTS_REVIEWER, Role.MAINTAINER}),
        frozenset(person for fact in facts if fact is not None for person in fact.submitters),
        complete=bool(facts) and None not in facts,
    )


def not_of_parties(
    rule: str, roles: frozenset[Role], roster: Roster, parties: frozenset[str], *, complete: bool
) -> Alone:
    """
    Keep people who belong to certain parties out of some seats.

    Args:
        rule: Rule id.
        roles: Seats to keep them out of.
        roster: Says who belongs to which party; an entry without parties belongs to none.
        parties: Names, compared without regard to letter case.
        complete: Whether these are all the parties concerned.
    """
    folded = {party.casefold() for party in parties}
    members = frozenset(
        person.id for person in roster.people if not folded.isdisjoint(party.casefold() for party in person.parties)
    )
    return not_among(rule, roles, members, complete=complete)


def freeze_separation(
    version: str, package_sha256: str, ledger: Ledger, attested: Mapping[int, frozenset[Attestation]]
) -> tuple[Alone, ...]:
    """
    Keep builders, key experts and acceptor of a benchmark version apart (ROLE-01, ROLE-06).

    If the ledger knows this version with this package, it decides. Otherwise the maintainer seated has to attest the
    separation and the acceptor seated that only the package was received; without these it cannot be known. Whoever the
    ledger names as builder or key expert of the version, with whatever package, never accepts it.

    Args:
        version: `bm-…@x.y.z`.
        package_sha256: Digest of the package that the version file pins.
        ledger: Closed facts.
        attested: From `attestations`.
    """
    facts = ledger.benchmark_versions.get(version)
    known = facts is not None and facts.package_sha256 == package_sha256
    involved = frozenset() if facts is None else facts.builders | facts.key_experts
    apart = facts is not None and not (
        facts.builders & facts.key_experts or facts.builders & facts.acceptors or facts.key_experts & facts.acceptors
    )

    def attests(person: int, claim: Claim) -> Verdict:
        wanted = Attestation(claim=claim, version=version, package_sha256=package_sha256)
        return True if wanted in attested.get(person, frozenset()) else None

    def verified(person: int) -> Verdict:
        return apart if known else attests(person, Claim.SEPARATION)

    def independent(person: int) -> Verdict:
        if person in involved:
            return False
        return True if known else attests(person, Claim.PACKAGE_ONLY)

    return (
        Alone(rule="ROLE-01", roles=frozenset({Role.MAINTAINER}), allows=verified),
        Alone(rule="ROLE-06", roles=frozenset({Role.ACCEPTOR}), allows=independent),
    )
