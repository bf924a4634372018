"""Plain values for these tests: synthetic people, reviews, comments and pull requests."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from medgauge_registrar.model.pull import Comment, Commit, Move, Pull, Review, ReviewState, User
from medgauge_registrar.model.roster import Person, Role, Roster

HEAD = "a1" * 20
OLD = "b2" * 20
AUTHOR = 1
START = datetime(2026, 11, 29, 10, 0, tzinfo=UTC)


def at(minutes: int) -> datetime:
    """A time, in minutes after the head arrived."""
    return START + timedelta(minutes=minutes)


NOW = at(600)


def user(number: int, *, login: str | None = None, kind: str = "User") -> User:
    """An account."""
    return User(id=number, login=login or f"example-person-{number}", type=kind)


BOT = user(900, login="example-bot[bot]", kind="Bot")


def review(
    number: int,
    who: int | User | None,
    state: ReviewState = ReviewState.APPROVED,
    *,
    commit: str | None = HEAD,
    minute: int | None = 10,
    body: str = "",
    dismissed: tuple[ReviewState, int | None] | None = None,
) -> Review:
    """A review; `minute` counts from the arrival of the head, `dismissed` tells what it said before, and who dismissed it."""
    return Review(
        id=number,
        user=user(who) if isinstance(who, int) else who,
        state=state,
        commit=commit,
        submitted_at=None if minute is None else at(minute),
        body=body,
        dismissed_state=None if dismissed is None else dismissed[0],
        dismissed_by=None if dismissed is None or dismissed[1] is None else user(dismissed[1]),
    )


def comment(number: int, who: int | User | None, body: str, *, minute: int = 20, edited: bool = False) -> Comment:
    """A comment."""
    return Comment(
        id=number,
        user=user(who) if isinstance(who, int) else who,
        body=body,
        created_at=at(minute),
        edited=edited,
    )


def commit(
    sha: str = HEAD,
    *,
    author: int | None = AUTHOR,
    committer: int | None = AUTHOR,
    co_authors: Iterable[int | None] = (),
) -> Commit:
    """A commit by its account ids."""
    return Commit(
        sha=sha,
        author=None if author is None else user(author),
        committer=None if committer is None else user(committer),
        co_authors=tuple(None if person is None else user(person) for person in co_authors),
    )


def move(who: int | User, before: str, after: str) -> Move:
    """A move of the branch."""
    return Move(by=user(who) if isinstance(who, int) else who, before=before, after=after)


PULL = Pull(
    number=7,
    title="An example",
    body="",
    draft=False,
    labels=(),
    created_at=at(-100),
    base_ref="main",
    base_repo="example/registry",
    head_ref="example",
    head_repo="example/fork",
    seen_at=START,
    pushed_by=user(AUTHOR),
    author=user(AUTHOR),
    triggered_by=None,
    commits=(commit(),),
    reviews=(),
    comments=(),
    issues=(),
)


def pull(*reviews: Review, **changes: object) -> Pull:
    """A pull request by person 1 whose head arrived at minute 0, with these reviews."""
    return replace(PULL, reviews=reviews, **changes)  # type: ignore[arg-type]  # keyword names are the fields'


def roster(roles: Mapping[int, Iterable[Role]]) -> Roster:
    """A roster by account id."""
    return Roster(
        people=tuple(
            Person(id=number, login=f"example-person-{number}", roles=tuple(held)) for number, held in roles.items()
        )
    )
