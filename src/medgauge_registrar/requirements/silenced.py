"""Words of people that somebody else changed or deleted: they may have held the merge (DISP-01)."""

from collections.abc import Iterator
from datetime import datetime

from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.pull import Pull, ReviewState, User
from medgauge_registrar.model.roster import Roster
from medgauge_registrar.requirements.commands import PERSON, Command, commands
from medgauge_registrar.requirements.disputes import OPINIONS, Proceedings
from medgauge_registrar.requirements.standing import has_role


@frozen
class _Change:
    """Words of somebody that are no longer what they were: whose, since when, and by whose hand; null: nobody knows whose."""

    whose: User
    at: datetime
    by: User | None


def silenced_words(pull: Pull, head_sha: str, roster: Roster, found: Proceedings, now: datetime) -> Iterator[Finding]:
    """
    Say so while a word that may have been a dispute or a vote is gone by somebody else's hand.

    What stood there is not told. So whoever wrote it has to speak again, by a review, or by a `/dispute`, `/vote` or `/confirm`
    that counts; or somebody else with a role, who neither opened, pushed, changed nor approved anything here, has to say by
    `/confirm` that the head may be merged all the same. It is asked of everybody's words: were it asked of role holders alone,
    changing a comment would tell who is one.

    Args:
        pull: Public facts.
        head_sha: Commit under evaluation.
        roster: Everybody with a role.
        found: What became of the commands of disputes.
        now: Aware UTC datetime.

    Source:
        Section 22; inferred.
    """
    if any(
        not _spoke_again(change, pull, head_sha, found) and not _confirmed(change, pull, head_sha, roster, now)
        for change in _changes(pull)
    ):
        yield Finding(
            rule="DISP-01",
            severity=Severity.ERROR,
            message="somebody's words were changed or deleted by somebody else; they may have disputed this",
            help="Whoever wrote them disputes or votes again, or reviews, or comments `/confirm` and the full head SHA; or "
            "somebody with a role who neither opened, pushed, changed nor approved anything here comments that; or the change "
            "is proposed anew.",
            source="section 22",
        )


def are_words_silenced(pull: Pull) -> bool:
    """Whether anybody's words were changed or deleted by somebody else, so that a `/confirm` may be about them."""
    return any(True for _ in _changes(pull))


def _changes(pull: Pull) -> Iterator[_Change]:
    for comment in pull.comments:
        if comment.user is not None and comment.edited_at is not None and not _same(comment.user, comment.edited_by):
            yield _Change(whose=comment.user, at=comment.edited_at, by=comment.edited_by)
    for deleted in pull.deleted_comments:
        if deleted.user is not None and not _same(deleted.user, deleted.deleted_by):
            yield _Change(whose=deleted.user, at=deleted.deleted_at, by=deleted.deleted_by)


def _spoke_again(change: _Change, pull: Pull, head_sha: str, found: Proceedings) -> bool:
    """Whether whoever wrote the words has spoken since; a bot has nothing to say."""
    if change.whose.type != PERSON:
        return True
    counted = [command for command, refusal in found.refusals if refusal is None]
    counted += _confirmations(pull, head_sha)
    return any(command.user.id == change.whose.id and command.created_at > change.at for command in counted) or any(
        _same(change.whose, review.user)
        and review.state in OPINIONS
        and review.submitted_at is not None
        and review.submitted_at > change.at
        for review in pull.reviews
    )


def _confirmed(change: _Change, pull: Pull, head_sha: str, roster: Roster, now: datetime) -> bool:
    approvers = [review.user for review in pull.reviews if review.state is ReviewState.APPROVED]
    people = (change.by, change.whose, pull.author, pull.triggered_by, *pull.movers, *approvers)
    involved = {person.id for person in people if person is not None}
    return change.by is not None and any(
        command.created_at > change.at
        and command.user.id not in involved
        and has_role(roster, command.user, (command.created_at, now))
        for command in _confirmations(pull, head_sha)
    )


def _confirmations(pull: Pull, head_sha: str) -> list[Command]:
    return [
        command for command in commands(pull.comments) if command.name == "confirm" and command.arguments == (head_sha,)
    ]


def _same(user: User, other: User | None) -> bool:
    return other is not None and other.id == user.id
