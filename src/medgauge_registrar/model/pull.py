"""Public facts of one pull request, as the `--pull` file and GitHub give them."""

from datetime import datetime
from enum import StrEnum

from medgauge_registrar.model.frozen import frozen


@frozen
class User:
    """An account. `type` is GitHub's (`User`, `Bot`, `Organization`, …); only `User` is a person."""

    id: int
    login: str
    type: str


class ReviewState(StrEnum):
    """GitHub's review states."""

    APPROVED = "APPROVED"
    CHANGES_REQUESTED = "CHANGES_REQUESTED"
    COMMENTED = "COMMENTED"
    DISMISSED = "DISMISSED"
    PENDING = "PENDING"


@frozen
class Review:
    """
    One review. `commit` is the head it names (null: none); times are aware UTC datetimes.

    Attributes:
        dismissed_state: What a dismissed review said before; null: not told.
        dismissed_by: Who dismissed it; null: nobody who is known.
    """

    id: int
    user: User | None
    state: ReviewState
    commit: str | None
    submitted_at: datetime | None
    body: str
    dismissed_state: ReviewState | None = None
    dismissed_by: User | None = None


@frozen
class Comment:
    """
    One conversation comment.

    Attributes:
        edited_at: When it was last edited; null: never, or not told.
        edited_by: Who did; null: nobody who is known.
    """

    id: int
    user: User | None
    body: str
    created_at: datetime
    edited: bool
    edited_at: datetime | None = None
    edited_by: User | None = None


@frozen
class DeletedComment:
    """A conversation comment that is gone: whose it was, and when and by whom it was deleted; null: nobody who is known."""

    user: User | None
    deleted_at: datetime
    deleted_by: User | None


@frozen
class Commit:
    """One commit of the branch with the accounts GitHub maps its people to; null: no account."""

    sha: str
    author: User | None
    committer: User | None
    co_authors: tuple[User | None, ...]


@frozen
class Issue:
    """One linked issue of this repository; `edited_at` is null if its words are those it was opened with."""

    number: int
    title: str
    body: str
    labels: tuple[str, ...]
    user: User | None
    created_at: datetime
    state: str
    edited_at: datetime | None = None


@frozen
class EarlierHead:
    """A commit that was the head before, and when it became so."""

    sha: str
    seen_at: datetime


def names_no_commit(sha: str) -> bool:
    """Whether an id is all zeros, as GitHub tells of a branch that was not there before, or is no longer after."""
    return not sha.strip("0")


@frozen
class Move:
    """A move of the head's branch: who made it, the commit before (zeros: none), and the one after."""

    by: User
    before: str
    after: str


@frozen
class Pull:
    """
    One pull request.

    Attributes:
        base_ref: Name of the base branch.
        base_repo: `owner/name` of the registry.
        head_ref: Name of the head branch.
        head_repo: `owner/name` the branch lives in; null for a deleted fork.
        seen_at: When this pull request's head ref became its present commit, by the server's clock; null: unknown.
        pushed_by: Who moved it there; null: unknown.
        earlier_heads: Heads before the present one, newest first, as far as they are known without a gap; null: nothing is known.
        moves: Every move that made the branch what it is, newest first; null: one may be left out; none: they are not told, and
            `pushed_by` alone is known.
        triggered_by: The person behind a pull request that a bot opened; null: nobody else.
        deleted_comments: Comments that were deleted, as far as that is told.
    """

    number: int
    title: str
    body: str
    draft: bool
    labels: tuple[str, ...]
    created_at: datetime
    base_ref: str
    base_repo: str
    head_ref: str
    head_repo: str | None
    seen_at: datetime | None
    pushed_by: User | None
    author: User | None
    triggered_by: User | None
    commits: tuple[Commit, ...]
    reviews: tuple[Review, ...]
    comments: tuple[Comment, ...]
    issues: tuple[Issue, ...]
    earlier_heads: tuple[EarlierHead, ...] | None = None
    moves: tuple[Move, ...] | None = ()
    deleted_comments: tuple[DeletedComment, ...] = ()

    @property
    def movers(self) -> tuple[User, ...]:
        """Everybody who is known to have moved the branch."""
        people = (self.pushed_by, *(move.by for move in self.moves or ()))
        return tuple(dict.fromkeys(person for person in people if person is not None))
