"""When the head of a pull request became its present commit, and who moved it there, by what GitHub's servers say."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.pull import names_no_commit

Value = dict[str, Any]


@frozen
class Move:
    """A move of the head's branch: the commit before and after, when, and the account that made it (as a pull file writes it)."""

    before: str
    after: str
    at: datetime
    by: Value | None


@frozen
class Arrival:
    """
    Since when a commit has been the head.

    Attributes:
        at: When it became the head; null: unknown.
        by: Who moved the head there; null: unknown.
        earlier: The heads before it with the time each arrived, newest first, as far as they are known without a gap.
        moves: Every move that made the branch what it is, newest first; null where one or its maker may be left out.
    """

    at: datetime | None = None
    by: Value | None = None
    earlier: tuple[tuple[str, datetime], ...] = ()
    moves: tuple[Move, ...] | None = None


def arrival_of(
    head_sha: str,
    *,
    moves: Sequence[Move],
    forced: Sequence[Move],
    told: Sequence[datetime],
    opened: datetime,
    floor: datetime,
    cut_off: bool = False,
) -> Arrival:
    """
    Find out when the present head arrived.

    A commit may have been the head before, and GitHub may move reviews along with a branch; so only the last arrival
    counts. The list of moves is taken only if it ends at the present head: where it lags behind, an older arrival of the
    same commit would be taken for the last. Next best is a forced push that the pull request's timeline names, then a
    status of our own that names this pull request, if nothing was forced since.

    Args:
        head_sha: The present head.
        moves: Moves of the branch, newest first.
        forced: Forced pushes in the timeline of the pull request, newest first; what was there before is unknown.
        told: When our own statuses that name this pull request were set on the head.
        opened: When the pull request was opened.
        floor: When the pull request was opened or last got another base branch: nothing arrived on it before that.
        cut_off: Whether there may be older moves than those given.
    """
    if moves and moves[0].after == head_sha:
        return Arrival(
            at=max(moves[0].at, floor),
            by=moves[0].by,
            earlier=tuple(_earlier(moves, floor)),
            moves=_making(moves, opened, cut_off=cut_off),
        )
    if forced and forced[0].after == head_sha:
        return Arrival(at=max(forced[0].at, floor), by=forced[0].by)
    last_forced = forced[0].at if forced else floor
    seen = [moment for moment in told if moment > last_forced]
    return Arrival(at=max(min(seen), floor)) if seen else Arrival()


def _earlier(moves: Sequence[Move], floor: datetime) -> Iterator[tuple[str, datetime]]:
    for later, move in pairwise(moves):
        if later.before != move.after or later.at <= floor:
            return
        yield move.after, max(move.at, floor)


def _making(moves: Sequence[Move], opened: datetime, *, cut_off: bool) -> tuple[Move, ...] | None:
    """
    The moves that made a branch what it is, newest first, back to the one that made it; null if one may be left out.

    What was pushed before the pull request was opened is a part of it as well. A branch made after that was there before.
    """
    chain: list[Move] = []
    for move in moves:
        if chain and _made(chain[-1]) and chain[-1].at <= opened:
            break
        if chain and chain[-1].before != move.after:
            return None
        chain.append(move)
    first = chain[-1]
    whole = first.at <= opened and (_made(first) or not cut_off)
    return tuple(chain) if whole and all(move.by is not None for move in chain) else None


def _made(move: Move) -> bool:
    return names_no_commit(move.before)
