"""Words of people with a role that somebody else changed or deleted: they may have held the merge (DISP-01)."""

from collections.abc import Iterator
from datetime import datetime

from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.model.pull import Pull, User
from medgauge_registrar.model.roster import Roster
from medgauge_registrar.requirements.commands import commands
from medgauge_registrar.requirements.disputes import OPINIONS, Proceedings
from medgauge_registrar.requirements.standing import has_role


def silenced_words(pull: Pull, roster: Roster, found: Proceedings, now: datetime) -> Iterator[Finding]:
    """
    Say so while a word that may have been a dispute or a vote is gone by somebody else's hand.

    What stood there is not told, so whoever wrote it has to speak again: by a review, or by a `/dispute`, `/vote` or
    `/confirm` that counts. Comments of people without a role hold nothing, and nothing is held by somebody who has lost theirs.

    Args:
        pull: Public facts.
        roster: Everybody with a role.
        found: What became of the commands of disputes.
        now: Aware UTC datetime.

    Source:
        Section 22; inferred.
    """
    if any(not _spoke_again(user, at, pull, found) for user, at in _changed(pull) if has_role(roster, user, (at, now))):
        yield Finding(
            rule="DISP-01",
            severity=Severity.ERROR,
            message="words of somebody with a role were changed or deleted by somebody else; they may have disputed this",
            help="Whoever wrote them disputes or votes again, or says by a new review, or by `/confirm` and the full head SHA, "
            "that nothing of theirs stands against it.",
            source="section 22",
        )


def _changed(pull: Pull) -> Iterator[tuple[User, datetime]]:
    """Whose words were changed by others, and when last."""
    for comment in pull.comments:
        if comment.user is not None and comment.edited_at is not None and not _same(comment.user, comment.edited_by):
            yield comment.user, comment.edited_at
    for deleted in pull.deleted_comments:
        if deleted.user is not None and not _same(deleted.user, deleted.deleted_by):
            yield deleted.user, deleted.deleted_at


def _spoke_again(user: User, since: datetime, pull: Pull, found: Proceedings) -> bool:
    counted = [command for command, refusal in found.refusals if refusal is None]
    counted += [command for command in commands(pull.comments) if command.name == "confirm"]
    return any(command.user.id == user.id and command.created_at > since for command in counted) or any(
        _same(user, review.user)
        and review.state in OPINIONS
        and review.submitted_at is not None
        and review.submitted_at > since
        for review in pull.reviews
    )


def _same(user: User, other: User | None) -> bool:
    return other is not None and other.id == user.id
