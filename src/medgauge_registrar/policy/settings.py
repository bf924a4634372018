"""What a registry may tune; everything else is fixed by the decision table."""

from datetime import date

from medgauge_registrar.model.frozen import frozen


@frozen
class ContentException:
    """
    One line that a reviewed entry lets stand; no entry reaches the public/closed boundary.

    Attributes:
        rule: Rule whose finding is set aside.
        path: File it stands in.
        line_sha256: SHA-256 of the line without the space around it, so that an edit of the line ends the exception.
        until: Last day on which it counts.
    """

    rule: str
    path: str
    line_sha256: str
    until: date


@frozen
class ClosedSource:
    """
    Where roster or ledger are kept.

    Attributes:
        kind: `secret`, `file`, `repository`, `teams` or `none`.
        path: Path of the file, on the runner or in the repository.
        repository: `owner/name` of the private repository.
        ref: Branch of it; null: its default branch.
        teams: Role and team slug, by role.
    """

    kind: str = "none"
    path: str = ""
    repository: str = ""
    ref: str | None = None
    teams: tuple[tuple[str, str], ...] = ()


@frozen
class Settings:
    """
    What a registry may tune (`.github/registrar.yml`).

    Attributes:
        status_context: Name of the commit status.
        roster: Where the roster is kept.
        ledger: Where the ledger is kept.
        site_identities: Numeric account ids that may author result records (ROLE-19).
        gate_account: Numeric id of the bot account that the gate writes as; null: not said, so no decision note counts.
        submissions_open: Whether results may be submitted at all (SCHEMA-RES-09).
        medical_practice_capabilities: Capabilities a scenario may be composed of; empty: any of domain D.
        private_channel: Where a possible exposure is reported; null: the registry's security policy.
        content_exceptions: Lines that a content rule lets stand, each reviewed and for a time.
        request_label: Label that marks an issue as a request for comment.
        request_days: Days that a request for comment should have been open; a shorter one is only mentioned.
        review_months: Months between two reviews of the methodology.
    """

    status_context: str = "registrar"
    roster: ClosedSource = ClosedSource()
    ledger: ClosedSource = ClosedSource()
    site_identities: frozenset[int] = frozenset()
    gate_account: int | None = None
    submissions_open: bool = False
    medical_practice_capabilities: frozenset[str] = frozenset()
    private_channel: str | None = None
    request_label: str = "request-for-comment"
    request_days: int = 14
    review_months: int = 12
    content_exceptions: tuple[ContentException, ...] = ()
