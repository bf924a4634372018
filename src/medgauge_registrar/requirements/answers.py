"""What to answer to each command of a conversation: whether it counts, and if not, why and for whom it would."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from medgauge_registrar.model.answer import CommandAnswer
from medgauge_registrar.model.pull import Comment, Pull
from medgauge_registrar.model.roster import Role
from medgauge_registrar.requirements.commands import ARGUMENTS, PERSON, command_lines
from medgauge_registrar.requirements.disputes import Proceedings, Refusal
from medgauge_registrar.requirements.opinions import Approval
from medgauge_registrar.requirements.silenced import are_words_silenced

# Told to everybody whose word depends on roster or ledger, so that the answer does not say which of them stood in the way.
_NOT_COUNTED: Mapping[str, str] = {
    "dispute": "not counted: a dispute is opened by somebody with a role",
    "vote": "not counted: a vote takes this standing or a higher one when the dispute was opened, and independence of the matter",
}
# Told to everybody, so that it does not say who has a role.
_ABOUT_WORDS = (
    "taken as your word on what was changed or deleted here, if you wrote that, or have a role and no part in this"
)
_USAGE: Mapping[str, str] = {
    "confirm": "write `/confirm` and all digits of the head",
    "recheck": "write `/recheck` alone on its line",
    "explain": "write `/explain` and the id of a rule or row",
    "dispute": "write `/dispute` and your reasons on the same line",
    "vote": "write `/vote uphold` or `/vote overturn` and your reasons on the same line",
    "attest": "attest in the review that approves, not in a comment",
}


def answers(
    pull: Pull, head_sha: str, proceedings: Proceedings, approvals: tuple[Approval, ...]
) -> tuple[CommandAnswer, ...]:
    """
    Answer every command of a conversation, oldest first.

    Words that are no command of ours, and the talk of bots and deleted accounts, get no answer.

    Args:
        pull: The public facts.
        head_sha: Commit under evaluation.
        proceedings: What became of disputes.
        approvals: Those that hold for the head.

    Source:
        Section 22; rule DEC-12.
    """
    told = defaultdict[int, list[Refusal | None]](list)
    for command, refusal in proceedings.refusals:
        told[command.comment].append(refusal)
    renewed = {approval.user.id for approval in approvals}
    silenced = are_words_silenced(pull)
    return tuple(
        answer
        for comment in sorted(pull.comments, key=lambda comment: (comment.created_at, comment.id))
        for answer in _comment(comment, head_sha, iter(told[comment.id]), renewed, silenced, proceedings.voter)
    )


def _comment(
    comment: Comment, head_sha: str, told: Iterator[Refusal | None], renewed: set[int], silenced: bool, voter: Role
) -> Iterator[CommandAnswer]:
    if comment.user is None or comment.user.type != PERSON:
        return
    for name, *arguments in command_lines(comment.body):
        if name not in _USAGE:
            continue
        fewest, most = ARGUMENTS.get(name, (0, -1))
        refused: str | None = None
        role: Role | None = None
        about_words = False
        if comment.edited:
            refused = "an edited comment carries no command; write a new one"
        elif len(arguments) < fewest or (most is not None and len(arguments) > most):
            refused = _USAGE[name]
        elif name in _NOT_COUNTED:
            refusal = next(told)
            refused = _of_dispute(name, refusal)
            role = None if refusal is not Refusal.NOT_COUNTED else voter if name == "vote" else Role.CONTRIBUTOR
        elif name == "confirm":
            about_words = silenced and comment.user.id not in renewed
            refused = _of_confirmation(arguments[0], head_sha, known=about_words or comment.user.id in renewed)
        yield CommandAnswer(
            comment=comment.id,
            command=name,
            accepted=refused is None,
            why=refused or (_ABOUT_WORDS if about_words else _DONE[name]),
            role=role,
            subject=arguments[0] if name == "explain" and refused is None else None,
        )


_DONE: Mapping[str, str] = {
    "confirm": "your approval holds for this head",
    "recheck": "everything is read anew",
    "explain": "see below",
    "dispute": "a dispute is open, and the merge waits; if one was open before, this joins it",
    "vote": "your vote counts; until the third voter has voted you may change it by voting again",
}


def _of_dispute(name: str, refusal: Refusal | None) -> str | None:
    if refusal is Refusal.NOT_COUNTED:
        return _NOT_COUNTED[name]
    if refusal in {Refusal.NO_REASONS, Refusal.NO_CHOICE}:
        return _USAGE[name]
    return None if refusal is None else refusal.value


def _of_confirmation(argument: str, head_sha: str, *, known: bool) -> str | None:
    if argument != head_sha:
        return f"this names another commit than the head; {_USAGE['confirm']}"
    return None if known else "there is no approval of yours to renew; review and approve instead"
