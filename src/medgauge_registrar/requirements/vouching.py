"""What a maintainer vouches for where the ledger does not know it."""

from collections.abc import Iterable, Mapping

from medgauge_registrar.model.decision import EvidenceState
from medgauge_registrar.model.roster import Role
from medgauge_registrar.requirements.attestations import Attestation, Claim
from medgauge_registrar.requirements.seats import Alone, Verdict
from medgauge_registrar.requirements.separation_view import Separated


def answered(
    rule: str,
    verdict: Verdict,
    packages: Iterable[tuple[str, str]],
    attested: Mapping[int, frozenset[Attestation]],
    *,
    seat: Role = Role.MAINTAINER,
) -> Separated:
    """
    Answer a rule from closed facts, or leave it to whoever sits in a seat to attest the separation.

    Args:
        rule: Rule id.
        verdict: What the closed facts say; null: they do not tell.
        packages: Benchmark versions (`bm-…@x.y.z`) concerned, each with the digest of its package; the attestation has to
            name every one of them. Without any nothing can be attested.
        attested: What the accounts whose approval holds have attested.
        seat: The seat whose holder attests.

    Source:
        Section 11.3, gate 9, and section 20.
    """
    if verdict is not None:
        return Separated(known={rule: EvidenceState.SATISFIED if verdict else EvidenceState.FAILED})
    wanted = {
        Attestation(claim=Claim.SEPARATION, version=version, package_sha256=sha256) for version, sha256 in packages
    }

    def attests(person: int) -> Verdict:
        return True if wanted and wanted <= attested.get(person, frozenset()) else None

    return Separated(alone=(Alone(rule=rule, roles=frozenset({seat}), allows=attests),))
