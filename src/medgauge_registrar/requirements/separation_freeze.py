"""Separation at the freeze of a benchmark version: builders, key experts, acceptor, authors of references, parties, applicants."""

from collections.abc import Iterator

from medgauge_registrar.model.change import Kind, Transition
from medgauge_registrar.model.decision import EvidenceState
from medgauge_registrar.model.ledger import VersionFacts
from medgauge_registrar.model.pull import User
from medgauge_registrar.model.roster import Role, Roster
from medgauge_registrar.registry.records import Record
from medgauge_registrar.requirements.measured import Measured, measured_on, members
from medgauge_registrar.requirements.reference_history import summarised_references
from medgauge_registrar.requirements.relations import freeze_separation, not_among
from medgauge_registrar.requirements.seats import Alone, Verdict
from medgauge_registrar.requirements.separation_view import Separated, SeparationView, joined
from medgauge_registrar.requirements.vouching import answered

_RULES = ("ROLE-01", "ROLE-02", "ROLE-03", "ROLE-06", "ROLE-07", "ROLE-18")
# Experts who set the key of a task (gate 3).
_KEY_EXPERTS = 2


def freeze(view: SeparationView) -> Separated:
    """
    Keep apart whom section 20 keeps apart, for every version that is frozen.

    The ledger decides what it knows of the version and of this very package. What it does not know the seated maintainer
    attests, beside the seated acceptor's word to have received the package alone. What neither tells stays undecided, and
    what the ledger contradicts is refused, whatever anybody attests.

    Source:
        Sections 11.3 (gates 3, 6, 9), 20 and 25.6; rules ROLE-01, ROLE-02, ROLE-03, ROLE-06, ROLE-07, ROLE-18.
    """
    return joined(_version(record, view) for record in _frozen_here(view))


def reference_verdict(
    authors: tuple[User | None, ...], tested_by: frozenset[int] | None, builders: frozenset[int] | None
) -> Verdict:
    """
    Whether no author of a grading reference builds a task that tests it (ROLE-02).

    Args:
        authors: Over its whole history, null for somebody unknown; empty: not looked up.
        tested_by: Builders of tasks that test the reference, of whatever version; null: not on record.
        builders: Builders of the version in question; null: not on record.
    """
    named = {author.id for author in authors if author is not None}
    everybody = bool(authors) and None not in authors
    if tested_by is not None and tested_by & named:
        return False
    known = [people for people in (tested_by, builders) if people is not None]
    if not known:
        return None
    suspects = frozenset.intersection(*known)
    # A builder of the version need not have built those of its tasks that test the reference.
    return True if not suspects or (everybody and not suspects & named) else None


def _frozen_here(view: SeparationView) -> Iterator[Record | None]:
    """Versions that this pull request freezes; null for one that breaks its schema."""
    for item in view.own:
        if item.change.kind is Kind.BM_VERSION and item.change.transition is Transition.FREEZE:
            yield view.head.valid_record(item.change.path)


def _version(record: Record | None, view: SeparationView) -> Separated:
    if record is None:
        return Separated(known=dict.fromkeys(_RULES, EvidenceState.UNDECIDED))
    version, package = record.place.object, str(record["package_sha256"])
    facts = view.ledger.benchmark_versions.get(version)
    # What the ledger says of another package still keeps people out, and proves nothing of anybody.
    proof = facts if facts is not None and facts.package_sha256 == package else None
    measured = measured_on(record.place.id or "", view.base, view.head, view.ledger)
    seats = freeze_separation(version, package, view.ledger, view.attested)
    apart = _kept_apart(facts)
    verdicts = {
        "ROLE-02": _references(record, proof, view),
        "ROLE-03": _parties(facts, proof, measured),
        "ROLE-07": _institutions(facts, proof, view.roster),
        "ROLE-18": _applicants(facts, proof, measured),
    }
    return joined(
        [
            # Nobody could vouch for what the ledger contradicts, so it is told as such and leaves no seat open.
            Separated(alone=seats)
            if apart
            else Separated(
                alone=tuple(condition for condition in seats if condition.rule != "ROLE-01"),
                known={"ROLE-01": EvidenceState.FAILED},
            ),
            *(answered(rule, verdict, [(version, package)], view.attested) for rule, verdict in verdicts.items()),
            Separated(alone=(_no_applicant(view, measured),)),
        ]
    )


def _kept_apart(facts: VersionFacts | None) -> bool:
    """Whether nobody stands on two sides of a version's facts; no facts contradict nothing."""
    return facts is None or not (
        facts.builders & facts.key_experts or facts.builders & facts.acceptors or facts.key_experts & facts.acceptors
    )


def _references(record: Record, proof: VersionFacts | None, view: SeparationView) -> Verdict:
    names = {reference.partition("@")[0] for reference in summarised_references(record)}
    return _all(
        reference_verdict(
            view.reference_authors.get(name, ()),
            view.ledger.tested_by_builders.get(name),
            None if proof is None else proof.builders,
        )
        for name in sorted(names)
    )


def _parties(facts: VersionFacts | None, proof: VersionFacts | None, measured: Measured) -> Verdict:
    """Whether no measured party gave a holdout task (ROLE-03)."""
    gave = frozenset() if facts is None else frozenset(party.casefold() for party in facts.holdout_parties)
    if gave & measured.parties:
        return False
    return True if proof is not None and (not gave or measured.parties_known) else None


def _institutions(facts: VersionFacts | None, proof: VersionFacts | None, roster: Roster) -> Verdict:
    """Whether those who set a key come from different institutions (ROLE-07)."""
    if facts is None or not facts.key_experts:
        return None
    at_work = {person.id: person.institution.casefold() for person in roster.people if person.institution}
    known = [at_work[expert] for expert in facts.key_experts if expert in at_work]
    if len(facts.key_experts) < _KEY_EXPERTS or (len(known) == len(facts.key_experts) and len(set(known)) == 1):
        return False
    # Which two of several set one key is closed, so only all different ones prove it.
    return True if proof is not None and len(set(known)) == len(facts.key_experts) else None


def _applicants(facts: VersionFacts | None, proof: VersionFacts | None, measured: Measured) -> Verdict:
    """Whether no applicant built a task (ROLE-18)."""
    if facts is not None and facts.builders & measured.submitters:
        return False
    return True if proof is not None and measured.submitters_known else None


def _no_applicant(view: SeparationView, measured: Measured) -> Alone:
    """No applicant to a round of the family, and nobody of a measured party, sits in any seat (ROLE-18)."""
    barred = measured.submitters | members(view.roster, measured.parties)
    return not_among("ROLE-18", frozenset({Role.ACCEPTOR, Role.MAINTAINER}), barred, complete=True)


def _all(verdicts: Iterator[Verdict]) -> Verdict:
    """Whether all hold: one that does not decides, and one that is unknown leaves the rest unknown."""
    every = tuple(verdicts)
    return False if False in every else None if None in every else True
