"""Disputes: who opened one, which votes count, and what they come to (DISP-01, DISP-02, DISP-03)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.pull import Pull, ReviewState, User
from medgauge_registrar.model.roster import Role, Roster
from medgauge_registrar.requirements.commands import Command, commands
from medgauge_registrar.requirements.measured import Measured, members
from medgauge_registrar.requirements.movers import movers
from medgauge_registrar.requirements.standing import has_role, holds

VOTES = 3
OPINIONS = frozenset({ReviewState.APPROVED, ReviewState.CHANGES_REQUESTED, ReviewState.DISMISSED})


class Choice(StrEnum):
    """How somebody votes: for the disputed change as it is, or against it."""

    UPHOLD = "uphold"
    OVERTURN = "overturn"


class Refusal(StrEnum):
    """Why a command of a dispute does not count. What depends on roster or ledger has one answer for all cases."""

    NO_REASONS = "give your reasons on the same line"
    NO_CHOICE = "say `/vote uphold` or `/vote overturn`, and your reasons"
    NOT_COUNTED = "not counted"
    NO_DISPUTE = "no dispute is open"
    SETTLED = "the dispute is settled"
    AUTHOR = "whoever pushed or opened this does not vote on it"
    REVIEWED = "whoever has approved, or asked for changes, does not vote"
    DISPUTES = "whoever disputes does not vote, and whoever voted does not dispute"


# Why a vote is refused where no dispute is open, or none can be seen any more.
_UNSEEN = frozenset({Refusal.NO_DISPUTE, Refusal.SETTLED})


@frozen
class Round:
    """
    One dispute from its opening to its third vote.

    Attributes:
        opened_at: When it was opened; who may vote is judged by the roles of that time.
        votes: The one vote of each voter.
        settled_at: When the third voter voted; null before.
    """

    opened_at: datetime
    votes: Mapping[int, Choice] = field(default_factory=dict, repr=False)
    settled_at: datetime | None = None

    @property
    def counts(self) -> tuple[int, int]:
        """Votes to uphold and to overturn."""
        given = list(self.votes.values())
        return given.count(Choice.UPHOLD), given.count(Choice.OVERTURN)

    @property
    def overturned(self) -> bool:
        """Whether the majority voted against the change; only once it is settled."""
        uphold, overturn = self.counts
        return self.settled_at is not None and overturn > uphold


@frozen
class Proceedings:
    """
    What became of disputes on one pull request.

    Attributes:
        rounds: Oldest first; the last one counts, those before it are settled.
        disputed: Whether somebody opened a dispute, rather than votes being cast on an outcome that is published here.
        voter: Lowest standing of a voter.
        refusals: For each `/dispute` and `/vote` in the order given: null if it counted, else why it did not.
    """

    rounds: tuple[Round, ...] = ()
    disputed: bool = False
    voter: Role = Role.ACCEPTOR
    refusals: tuple[tuple[Command, Refusal | None], ...] = field(default=(), repr=False)

    @property
    def current(self) -> Round | None:
        """The dispute that counts; null if there is none."""
        return self.rounds[-1] if self.rounds else None

    @property
    def voters(self) -> frozenset[int]:
        """Accounts whose vote counts or counted."""
        return frozenset(voter for one in self.rounds for voter in one.votes)


def proceedings(
    pull: Pull,
    roster: Roster,
    measured: Measured | None,
    *,
    publishes: bool,
    voter: Role = Role.ACCEPTOR,
    updates_from_base: Mapping[str, str] = MappingProxyType({}),
) -> Proceedings:
    """
    Follow the commands of a dispute, oldest first.

    Anybody with a role opens a dispute by `/dispute` and reasons. With that the electorate is fixed: whoever then had the
    standing that the table asks for, neither opened nor pushed this, and is no approver, objector, disputant or of a measured
    party. Names on commits are anybody's word and take away nobody's vote. A second dispute joins the one that is open: it
    brings nothing but one more disputant. Of each voter the last vote counts until the third voter has voted; then the dispute
    is settled, and only a head that arrived since can be disputed anew.

    Others than its author can edit or delete a comment, and so can an author who has lost. A vote to which no dispute can be seen
    therefore belongs to the last comment before it by somebody with a role that has been changed or deleted since.

    Where the branch publishes the outcome of a dispute that nobody opened here, votes are taken from the opening of the pull
    request on.

    Args:
        pull: The public facts.
        roster: Who holds which role, and belongs to which party.
        measured: What the changes are about; null where that was not looked up, since nobody disputes or votes.
        publishes: Whether the branch publishes an outcome.
        voter: Lowest standing of a voter; whoever stands higher votes as well.
        updates_from_base: See `movers`.

    Source:
        Sections 20 and 22; who votes and by what majority is inferred.
    """
    people = (pull.author, pull.triggered_by, *movers(pull, updates_from_base))
    authors = frozenset(person.id for person in people if person is not None)
    given = [command for command in commands(pull.comments) if command.name in {"dispute", "vote"}]
    disputed = False
    rounds: list[Round] = []
    disputants: set[int] = set()
    refusals: list[tuple[Command, Refusal | None]] = []
    if publishes and given:
        rounds.append(Round(opened_at=pull.created_at))
    for command in given:
        if command.name == "dispute":
            refusal = _refused_dispute(command, rounds if disputed else [], roster, pull)
            if refusal is None:
                if not disputed or rounds[-1].settled_at is not None:
                    rounds = [*(rounds if disputed else []), Round(opened_at=command.created_at)]
                    disputants = set()
                disputed = True
                disputants.add(command.user.id)
        else:
            refusal = _refused_vote(command, rounds, disputants, authors, pull, roster, measured, voter)
            opening = _gone(command, pull, roster) if refusal in _UNSEEN and (disputed or not rounds) else None
            if opening is not None and _refused_dispute(opening, rounds, roster, pull) is None:
                reopened = [*rounds, Round(opened_at=opening.created_at)]
                refusal = _refused_vote(command, reopened, {opening.user.id}, authors, pull, roster, measured, voter)
                if refusal is None:
                    rounds, disputants, disputed = reopened, {opening.user.id}, True
            if refusal is None:
                rounds[-1] = _voted(rounds[-1], command)
        refusals.append((command, refusal))
    return Proceedings(rounds=tuple(rounds), disputed=disputed, voter=voter, refusals=tuple(refusals))


def mentions_dispute(pull: Pull) -> bool:
    """Whether anybody disputes or votes at all."""
    return any(command.name in {"dispute", "vote"} for command in commands(pull.comments))


def _gone(vote: Command, pull: Pull, roster: Roster) -> Command | None:
    """The dispute that somebody may have opened before a vote, in a comment that no longer says so; null if there is none."""
    found = [
        Command(name="dispute", arguments=("",), user=comment.user, comment=comment.id, created_at=comment.created_at)
        for comment in pull.comments
        if comment.user is not None
        and comment.edited_at is not None
        and comment.created_at <= vote.created_at <= comment.edited_at
    ]
    found += [
        Command(name="dispute", arguments=("",), user=deleted.user, comment=0, created_at=vote.created_at)
        for deleted in pull.deleted_comments
        if deleted.user is not None and deleted.deleted_at >= vote.created_at
    ]
    known = [opening for opening in found if has_role(roster, opening.user, (opening.created_at,))]
    return max(known, key=lambda opening: (opening.created_at, opening.comment), default=None)


def _refused_dispute(command: Command, rounds: Sequence[Round], roster: Roster, pull: Pull) -> Refusal | None:
    if not command.arguments:
        return Refusal.NO_REASONS
    if not has_role(roster, command.user, (command.created_at,)):
        return Refusal.NOT_COUNTED
    current = rounds[-1] if rounds else None
    if current is None:
        return None
    if current.settled_at is None:
        return Refusal.DISPUTES if command.user.id in current.votes else None
    # What was settled stays settled, unless something else has come in since.
    arrived = pull.seen_at
    return None if arrived is None or current.settled_at < arrived <= command.created_at else Refusal.SETTLED


def _refused_vote(
    command: Command,
    rounds: Sequence[Round],
    disputants: Collection[int],
    authors: frozenset[int],
    pull: Pull,
    roster: Roster,
    measured: Measured | None,
    least: Role,
) -> Refusal | None:
    if len(command.arguments) < 1 or command.arguments[0] not in set(Choice):
        return Refusal.NO_CHOICE
    if len(command.arguments) < 2:
        return Refusal.NO_REASONS
    if not rounds:
        return Refusal.NO_DISPUTE
    current, voter = rounds[-1], command.user
    if current.settled_at is not None:
        return Refusal.SETTLED
    if voter.id in authors:
        return Refusal.AUTHOR
    if voter.id in disputants:
        return Refusal.DISPUTES
    if any(
        review.user is not None
        and review.user.id == voter.id
        and review.state in OPINIONS
        and (review.submitted_at is None or review.submitted_at <= command.created_at)
        for review in pull.reviews
    ):
        return Refusal.REVIEWED
    standing = holds(roster, voter, least, (current.opened_at,))
    return None if standing and _independent(voter, roster, measured) else Refusal.NOT_COUNTED


def _voted(current: Round, command: Command) -> Round:
    votes = {**current.votes, command.user.id: Choice(command.arguments[0])}
    return replace(current, votes=votes, settled_at=command.created_at if len(votes) == VOTES else None)


def _independent(voter: User, roster: Roster, measured: Measured | None) -> bool:
    """Whether somebody is known to belong to no party that the matter measures."""
    if measured is None or voter.id in measured.submitters | members(roster, measured.parties):
        return False
    belongs = any(person.id == voter.id and person.parties for person in roster.people)
    return measured.parties_known or not belongs
