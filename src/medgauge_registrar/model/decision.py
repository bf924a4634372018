"""The verdict on one pull request: all that any output may say."""

from datetime import datetime
from enum import StrEnum

from medgauge_registrar.model.change import Change
from medgauge_registrar.model.finding import Finding
from medgauge_registrar.model.frozen import frozen


class State(StrEnum):
    """The verdict; the first of these that applies."""

    ERROR = "error"
    BLOCKED = "blocked"
    PENDING = "pending"
    APPROVED = "approved"


class RowState(StrEnum):
    """How far one decision row is."""

    SATISFIED = "satisfied"
    PENDING = "pending"
    BLOCKED = "blocked"


class SeatState(StrEnum):
    """Whether somebody counted sits in a seat."""

    FILLED = "filled"
    OPEN = "open"


class EvidenceState(StrEnum):
    """What is known of one piece of evidence; `undecided` is never good enough."""

    SATISFIED = "satisfied"
    MISSING = "missing"
    FAILED = "failed"
    UNDECIDED = "undecided"


class SetAside(StrEnum):
    """Why a review does not count. Whatever depends on roster or ledger is `not-counted`."""

    NOT_ON_HEAD = "not-on-head"
    BEFORE_HEAD = "before-head"
    SUPERSEDED = "superseded"
    DISMISSED = "dismissed"
    AUTHOR = "author"
    COMMITTER = "committer"
    CO_AUTHOR = "co-author"
    PUSHER = "pusher"
    TRIGGERER = "triggerer"
    BOT = "bot"
    NO_ACCOUNT = "no-account"
    NOT_COUNTED = "not-counted"


@frozen
class Seat:
    """One approval a row asks for, by role; never a person."""

    role: str
    state: SeatState


@frozen
class Suggestion:
    """
    Text that would bring what is missing, ready to be pasted.

    Attributes:
        path: File it belongs to.
        how: What to do with it, in words that follow the path: `new file`, `add to the table of Appendix D`.
        text: The text.
    """

    path: str
    how: str
    text: str


@frozen
class Evidence:
    """
    One piece of evidence a row asks for.

    Attributes:
        id: Rule id.
        by_author: Whether only the author can add it, so that its absence blocks rather than waits.
        suggestion: What would bring it; for readers of the comment, and no part of the decision document.
    """

    id: str
    state: EvidenceState
    message: str
    by_author: bool = False
    suggestion: Suggestion | None = None


@frozen
class Separation:
    """One rule of separation and whether it is known to hold."""

    rule: str
    state: EvidenceState


@frozen
class Row:
    """One row of the decision table as this pull request meets it."""

    id: str
    state: RowState
    because: str
    source: str
    seats: tuple[Seat, ...]
    evidence: tuple[Evidence, ...]
    separation: tuple[Separation, ...]


@frozen
class SetAsideReview:
    """A review that does not count, with the reason."""

    review: int
    reason: SetAside


@frozen
class Dispute:
    """An open or settled dispute."""

    state: str
    votes: int
    outcome: str | None


@frozen
class NextStep:
    """What has to happen next; `who` is `author` or a role."""

    who: str
    do: str


@frozen
class Digests:
    """SHA-256 of what was decided on; the closed ones are keyed, or null."""

    policy: str
    roster: str | None
    ledger: str | None
    inputs: str


@frozen
class Decision:
    """The verdict with everything that led to it."""

    state: State
    pull: int
    base_sha: str | None
    head_sha: str | None
    merge_base: str | None
    merge_tree: str | None
    digests: Digests
    decided_at: datetime
    registrar_version: str
    changes: tuple[Change, ...]
    rows: tuple[Row, ...]
    findings: tuple[Finding, ...]
    set_aside: tuple[SetAsideReview, ...]
    dispute: Dispute | None
    next_steps: tuple[NextStep, ...]
