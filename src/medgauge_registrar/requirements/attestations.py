"""What approvers attest about a benchmark version in the approval itself."""

from collections.abc import Iterable, Mapping
from enum import StrEnum

from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.requirements.commands import command_lines
from medgauge_registrar.requirements.opinions import Approval

_NUMBER = r"(?:0|[1-9][0-9]*)"
_VERSION = lazy_pattern(rf"bm-[a-z0-9]+(?:-[a-z0-9]+)*@{_NUMBER}\.{_NUMBER}\.{_NUMBER}")
_SHA256 = lazy_pattern(r"[0-9a-f]{64}")


class Claim(StrEnum):
    """What is attested: that the roles were kept apart (gate 9), or that only the package was received (gate 6)."""

    SEPARATION = "separation"
    PACKAGE_ONLY = "package-only"


@frozen
class Attestation:
    """
    One attestation; it speaks for one package of one version and for nothing else.

    Attributes:
        claim: What is attested.
        version: `bm-…@x.y.z`.
        package_sha256: Digest of the package, lower-case hexadecimal.
    """

    claim: Claim
    version: str
    package_sha256: str


def attestations(approvals: Iterable[Approval]) -> Mapping[int, frozenset[Attestation]]:
    """
    Read `/attest separation|package-only <bm@version> <sha256>` lines from approvals that hold for the head.

    Args:
        approvals: From `collect_opinions`, so that what is stale, dismissed or an author's attests nothing. Their
            bodies are as written: whoever reads reviews leaves that of an edited one empty, since it may be somebody
            else's text (A17).

    Returns:
        By account id; accounts that attest nothing are absent. A line that is not exactly of this form is talk. Whether
        the account sits in the seat that may attest is for the matching to say.

    Source:
        Section 11.3, gates 6 and 9; rules ROLE-01, ROLE-06.
    """
    found: dict[int, frozenset[Attestation]] = {}
    for approval in approvals:
        given = frozenset(
            Attestation(claim=Claim(words[1]), version=words[2], package_sha256=words[3])
            for words in command_lines(approval.body)
            if len(words) == 4
            and words[0] == "attest"
            and words[1] in set(Claim)
            and _VERSION.fullmatch(words[2])
            and _SHA256.fullmatch(words[3])
        )
        if given:
            found[approval.user.id] = given
    return found
