"""What one pull request of the demonstration is made of, and what has to become of it."""

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Any

from medgauge_registrar.model.decision import SetAside, State
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.sandbox.edits import Edit


@frozen
class Review:
    """A review by somebody of the cast; `before_push` was given before the head arrived."""

    by: str
    state: str = "APPROVED"
    before_push: bool = False
    body: str = ""


@frozen
class Said:
    """A comment by somebody of the cast; they come one minute after the other, after the reviews."""

    by: str
    body: str
    edited: bool = False


@frozen
class Linked:
    """A linked issue; `days_before` counts from the opening of the pull request."""

    number: int
    title: str
    body: str
    labels: tuple[str, ...] = ("request-for-comment",)
    by: str = "contributor"
    days_before: int = 20


@frozen
class Case:
    """
    One pull request and what has to become of it.

    Attributes:
        title: What it shows.
        rows: Rows it must trigger.
        commits: Edits of each commit.
        expected: The verdict.
        errors: Rules of exactly the error findings that must come.
        set_aside: Reasons that must be among those of reviews set aside.
        pull_title: Title of the pull request, where it differs from that of the case.
        body: Description of the pull request.
        ledger: Closed facts at hand; null: none.
        unsatisfied: Rules of evidence or separation that must not be satisfied, for a case that is not approved.
        from_old_base: Branch off before the base moved.
        closed: Words that no output about the case may show.
        in_fork: The branch lies in a fork rather than in the registry itself.
        branch: Name of the branch; null: one made of the number.
        replaced: Edits of each commit of a head that a forced push replaced; reviews from before the push approved it.
        dated: Date that every commit claims; null: an hour at which it may have been made.
        inert: Words of the pull request that must stand nowhere in what the gate writes.
    """

    title: str
    rows: tuple[str, ...]
    commits: tuple[tuple[Edit, ...], ...]
    expected: State
    reviews: tuple[Review, ...] = ()
    errors: tuple[str, ...] = ()
    set_aside: tuple[SetAside, ...] = ()
    author: str = "contributor"
    co_authors: tuple[str, ...] = ()
    draft: bool = False
    pull_title: str = ""
    body: str = ""
    comments: tuple[Said, ...] = ()
    issues: tuple[Linked, ...] = ()
    ledger: Mapping[str, Any] | None = field(default=None, repr=False)
    unsatisfied: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    from_old_base: bool = False
    in_fork: bool = True
    branch: str | None = None
    replaced: tuple[tuple[Edit, ...], ...] = ()
    dated: datetime | None = None
    inert: tuple[str, ...] = ()
