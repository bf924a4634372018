"""What a walk over the default branch found of each commit."""

from enum import StrEnum

from medgauge_registrar.model.frozen import frozen


class AuditState(StrEnum):
    """Whether a commit reached the branch by an approved decision; `undecided` is never good enough."""

    APPROVED = "approved"
    NOT_APPROVED = "not-approved"
    UNDECIDED = "undecided"


@frozen
class Audited:
    """
    One commit of the first-parent history.

    Attributes:
        pull: Pull request of the decision note that covers it; null if there is none.
        method: How that pull request was merged.
        because: Why it is not approved, or not known to be; empty if it is.
    """

    sha: str
    state: AuditState
    pull: int | None = None
    method: str | None = None
    because: str = ""


@frozen
class Audit:
    """
    All commits of a range.

    Attributes:
        commits: Newest first.
        hints: What to do so that more can be known.
    """

    commits: tuple[Audited, ...]
    hints: tuple[str, ...] = ()
