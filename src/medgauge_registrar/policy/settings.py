"""What a registry may tune; everything else is fixed by the decision table."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """
    What a registry may tune (`.github/registrar.yml`).

    Attributes:
        status_context: Name of the commit status.
        roster: Where the roster is kept: `secret`, `file`, `repository`, `teams` or `none`.
        site_identities: Numeric account ids that may author result records (ROLE-19).
        submissions_open: Whether results may be submitted at all (SCHEMA-RES-09).
        medical_practice_capabilities: Capabilities a scenario may be composed of; empty: any of domain D.
        private_channel: Where a possible exposure is reported; null: the registry's security policy.
    """

    status_context: str = "registrar"
    roster: str = "none"
    site_identities: frozenset[int] = frozenset()
    submissions_open: bool = False
    medical_practice_capabilities: frozenset[str] = frozenset()
    private_channel: str | None = None
