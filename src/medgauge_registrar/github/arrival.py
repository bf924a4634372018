"""When the head of a pull request became its present commit, and who moved it there, by what GitHub's servers say."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

from medgauge_registrar.model.frozen import frozen

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
    """

    at: datetime | None = None
    by: Value | None = None
    earlier: tuple[tuple[str, datetime], ...] = ()


def arrival_of(
    head_sha: str,
    *,
    moves: Sequence[Move],
    forced: Sequence[Move],
    told: Sequence[datetime],
    floor: datetime,
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
        floor: When the pull request was opened or last got another base branch: nothing arrived on it before that.
    """
    if moves and moves[0].after == head_sha:
        return Arrival(at=max(moves[0].at, floor), by=moves[0].by, earlier=tuple(_earlier(moves, floor)))
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
