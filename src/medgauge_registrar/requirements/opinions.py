"""The one opinion of each account on a pull request, and whether it holds for the head under evaluation."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import field
from datetime import UTC, datetime
from types import MappingProxyType

from medgauge_registrar.model.decision import SetAside, SetAsideReview
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.pull import Commit, Pull, Review, ReviewState, User
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.requirements.commands import PERSON, Command, commands
from medgauge_registrar.requirements.movers import movers

# Reviews that change what an account thinks, by how much they hold a merge back; all others are talk (A3).
_WEIGHT: Mapping[ReviewState, int] = {
    ReviewState.APPROVED: 0,
    ReviewState.DISMISSED: 1,
    ReviewState.CHANGES_REQUESTED: 2,
}
_FULL_SHA = lazy_pattern(r"[0-9a-f]{40}|[0-9a-f]{64}")
_BEFORE_ALL = datetime.min.replace(tzinfo=UTC)


@frozen
class Approval:
    """An approval that holds for the head, by an account that is not excluded; its role is not asked here."""

    user: User
    review: int
    submitted_at: datetime
    body: str = field(repr=False)


@frozen
class Objection:
    """
    A request for changes that its account has not taken back; it holds whatever head it was made on.

    Who may write to a repository may dismiss any review. That takes nothing back unless it was the reviewer's own doing.
    """

    user: User
    review: int
    submitted_at: datetime | None


@frozen
class Opinions:
    """
    What the accounts think.

    Attributes:
        approvals: By review id.
        objections: By review id.
        set_aside: Every other review that bears an opinion, with the reason, by review id.
        unknown_commit_accounts: Commits, sorted, of which GitHub knows no account for the author, the committer or a
            co-author: nobody can be excluded for these, which ROLE-23 has to judge.
    """

    approvals: tuple[Approval, ...]
    objections: tuple[Objection, ...]
    set_aside: tuple[SetAsideReview, ...]
    unknown_commit_accounts: tuple[str, ...]


@frozen
class _Head:
    """The head under evaluation, with what an approval must stand up to."""

    sha: str
    seen_at: datetime | None
    unchanged_since: datetime | None
    equivalents: frozenset[str]
    confirmations: tuple[Command, ...]


def collect_opinions(
    pull: Pull,
    head_sha: str,
    *,
    equivalent_heads: frozenset[str] = frozenset(),
    unchanged_since: datetime | None = None,
    updates_from_base: Mapping[str, str] = MappingProxyType({}),
) -> Opinions:
    """
    Take the latest opinion of each account and set aside every review that does not count.

    An account is its numeric id; neither its login nor GitHub's `author_association` says anything (A11 to A14). The
    order is that of `submitted_at`, then of the review id. Where a time is missing the order is unknown, and the
    opinion of the account that holds the merge back most is taken.

    An approval holds if it was given on the head when the head was here, or on an equivalent head, or if its account
    has confirmed it. GitHub can move the commit of a review to a new head, so the commit alone proves nothing (A2).

    Where several reasons apply, the first of these is given: `no-account`, `bot`, `author`, `committer`, `co-author`,
    `pusher`, `triggerer` (no new review would cure it); `superseded`, `dismissed`; `not-on-head`, `before-head` (a new
    review cures it).

    Args:
        pull: The public facts.
        head_sha: Commit under evaluation.
        equivalent_heads: Earlier heads of this pull request on which the author's change is the same; for a review on
            one of them the arrival of the present head does not matter.
        unchanged_since: Since when each head of this pull request has carried the author's change of the present one,
            by the server's clock; null: only `seen_at` is known. It bounds reviews on equivalent heads too, whose
            commit GitHub may have moved as well, and keeps those that it moved from an equivalent head to this one.
        updates_from_base: Commits proved to be clean merges of the base, each with the head that it was merged into; they make
            nobody an author, nor whoever moved the branch by them alone a pusher.

    Source:
        GitHub REST API, "List reviews for a pull request"; rules DEC-15, DEC-16.
    """
    commits = [commit for commit in pull.commits if commit.sha not in updates_from_base]
    excluded = _excluded_accounts(pull, commits, movers(pull, updates_from_base))
    openers = _first_reason([(SetAside.AUTHOR, pull.author), (SetAside.TRIGGERER, pull.triggered_by)])
    head = _Head(
        sha=head_sha,
        seen_at=pull.seen_at,
        unchanged_since=unchanged_since,
        equivalents=equivalent_heads,
        confirmations=tuple(command for command in commands(pull.comments) if command.name == "confirm"),
    )
    approvals: list[Approval] = []
    objections: list[Objection] = []
    set_aside: list[SetAsideReview] = []
    by_account: dict[int, list[tuple[User, Review]]] = defaultdict(list)
    # Pages of a list that grows while it is read overlap, so that one review may arrive twice.
    for review in dict.fromkeys(pull.reviews):
        if _said(review) not in _WEIGHT:
            continue
        if review.user is None:
            set_aside.append(SetAsideReview(review=review.id, reason=SetAside.NO_ACCOUNT))
        elif review.user.type != PERSON:
            set_aside.append(SetAsideReview(review=review.id, reason=SetAside.BOT))
        else:
            by_account[review.user.id].append((review.user, review))

    for account, own in by_account.items():
        latest = _latest([review for _, review in own])
        for user, review in own:
            objects = _said(review) is ReviewState.CHANGES_REQUESTED
            # Who opened the pull request can close it or make it a draft, so an objection of theirs adds nothing, and
            # GitHub takes none. All other exclusions rest on commit lines that anybody can forge, or on a push: they
            # may keep an approval from counting, but must never silence an objection (F8).
            reason = (openers if objects else excluded).get(account)
            if reason is None and review is not latest:
                reason = SetAside.SUPERSEDED
            if reason is None and _said(review) is ReviewState.DISMISSED:
                reason = SetAside.DISMISSED
            if reason is not None:
                set_aside.append(SetAsideReview(review=review.id, reason=reason))
            elif objects:
                objections.append(Objection(user=user, review=review.id, submitted_at=review.submitted_at))
            else:
                held = _held(user, review, head)
                if isinstance(held, Approval):
                    approvals.append(held)
                else:
                    set_aside.append(SetAsideReview(review=review.id, reason=held))

    return Opinions(
        approvals=tuple(sorted(approvals, key=lambda approval: approval.review)),
        objections=tuple(sorted(objections, key=lambda objection: objection.review)),
        set_aside=tuple(sorted(set_aside, key=lambda aside: aside.review)),
        unknown_commit_accounts=tuple(sorted({commit.sha for commit in commits if None in _people(commit)})),
    )


def _said(review: Review) -> ReviewState:
    """What a review says; a request for changes that somebody else dismissed still is one."""
    own = review.user is not None and review.dismissed_by is not None and review.user.id == review.dismissed_by.id
    objected = review.state is ReviewState.DISMISSED and review.dismissed_state is ReviewState.CHANGES_REQUESTED
    return ReviewState.CHANGES_REQUESTED if objected and not own else review.state


def _latest(reviews: list[Review]) -> Review:
    """The opinion that stands; if any time is missing, the one that holds the merge back most."""
    if any(review.submitted_at is None for review in reviews):
        return max(reviews, key=lambda review: (_WEIGHT[_said(review)], review.id))
    return max(reviews, key=lambda review: (review.submitted_at or _BEFORE_ALL, review.id))


def _held(user: User, review: Review, head: _Head) -> Approval | SetAside:
    """The approval, if it holds for the head; else why it does not."""
    submitted_at = review.submitted_at
    if submitted_at is None:
        return SetAside.BEFORE_HEAD if review.commit == head.sha else SetAside.NOT_ON_HEAD
    if not _confirmed(user, submitted_at, head):
        if review.commit == head.sha:
            since = head.unchanged_since or head.seen_at
        elif review.commit in head.equivalents:
            since = head.unchanged_since or _BEFORE_ALL
        else:
            return SetAside.NOT_ON_HEAD
        if since is None or submitted_at < since:
            return SetAside.BEFORE_HEAD
    return Approval(user=user, review=review.id, submitted_at=submitted_at, body=review.body)


def _confirmed(user: User, submitted_at: datetime, head: _Head) -> bool:
    """
    Whether the account has renewed its approval for exactly this head: `/confirm` and all digits of the head.

    All digits can be named only by somebody who has that very commit before them, whatever its arrival: they cannot be
    known before it exists, and no second commit with the same ones can be made. Of a few digits neither is true. So the
    comment proves sight even where it is unknown when the head arrived; it only has to come after what it renews.
    """
    return _FULL_SHA.fullmatch(head.sha) is not None and any(
        command.user.id == user.id
        and command.arguments == (head.sha,)
        and command.created_at > submitted_at
        and (head.seen_at is None or command.created_at >= head.seen_at)
        for command in head.confirmations
    )


def _excluded_accounts(pull: Pull, commits: list[Commit], pushers: Iterable[User]) -> Mapping[int, SetAside]:
    """
    Accounts whose approval cannot count, with the first reason.

    A commit names its people without proof, which is enough to exclude somebody and never to credit them (F8). The
    account with which GitHub commits what is edited on its pages is excluded like any other; it reviews nothing.
    """
    return _first_reason(
        [
            (SetAside.AUTHOR, pull.author),
            *((SetAside.AUTHOR, commit.author) for commit in commits),
            *((SetAside.COMMITTER, commit.committer) for commit in commits),
            *((SetAside.CO_AUTHOR, person) for commit in commits for person in commit.co_authors),
            *((SetAside.PUSHER, person) for person in pushers),
            (SetAside.TRIGGERER, pull.triggered_by),
        ]
    )


def _first_reason(reasons: Iterable[tuple[SetAside, User | None]]) -> Mapping[int, SetAside]:
    """The first reason given for each known account."""
    first: dict[int, SetAside] = {}
    for reason, user in reasons:
        if user is not None:
            first.setdefault(user.id, reason)
    return first


def _people(commit: Commit) -> tuple[User | None, ...]:
    """Everybody a commit names."""
    return (commit.author, commit.committer, *commit.co_authors)
