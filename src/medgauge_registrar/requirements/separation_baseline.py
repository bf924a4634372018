"""Separation behind an expert baseline that is added to a frozen version (ROLE-08, ROLE-10)."""

from medgauge_registrar.classify.classify import Classified
from medgauge_registrar.model.decision import EvidenceState
from medgauge_registrar.model.ledger import VersionFacts
from medgauge_registrar.model.roster import Role
from medgauge_registrar.requirements.attestations import Attestation, Claim
from medgauge_registrar.requirements.seats import Alone, Verdict
from medgauge_registrar.requirements.separation_view import Separated, SeparationView, joined
from medgauge_registrar.requirements.vouching import answered

FACET = "baseline"


def baseline(view: SeparationView) -> Separated:
    """
    Have an acceptor confirm that the experts of a baseline were qualified and separate.

    The seated acceptor attests the separation for the version and its package. Where the ledger names the baseline's experts
    it answers for them; where it names the acceptor as the one of this package, the approval is the confirmation. Whoever
    built the version or set its keys confirms nothing.

    Source:
        Sections 11.3 (gate 11) and 11.5; rules ROLE-08, ROLE-10.
    """
    return joined(_version(item, view) for item in view.own if FACET in item.facets)


def _version(item: Classified, view: SeparationView) -> Separated:
    record = view.head.valid_record(item.change.path)
    if record is None:
        return Separated(known=dict.fromkeys(("ROLE-08", "ROLE-10"), EvidenceState.UNDECIDED))
    version, package = record.place.object, str(record["package_sha256"])
    facts = view.ledger.benchmark_versions.get(version)
    proof = facts if facts is not None and facts.package_sha256 == package else None
    wanted = Attestation(claim=Claim.SEPARATION, version=version, package_sha256=package)

    def confirms(person: int) -> Verdict:
        if facts is not None and person in facts.builders | facts.key_experts:
            return False
        on_record = proof is not None and person in proof.acceptors
        return True if on_record or wanted in view.attested.get(person, frozenset()) else None

    return joined(
        [
            Separated(alone=(Alone(rule="ROLE-10", roles=frozenset({Role.ACCEPTOR}), allows=confirms),)),
            answered("ROLE-08", _experts(facts, proof), [(version, package)], view.attested, seat=Role.ACCEPTOR),
        ]
    )


def _experts(facts: VersionFacts | None, proof: VersionFacts | None) -> Verdict:
    """Whether the experts of the baseline built nothing of the version and set none of its keys."""
    if facts is None or facts.baseline_experts is None:
        return None
    if facts.baseline_experts & (facts.builders | facts.key_experts):
        return False
    return True if proof is not None else None
