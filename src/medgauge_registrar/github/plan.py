"""What has to be written to GitHub, as values: a decision and what is there already, to the writes that are missing."""

import hashlib
import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import field, replace
from itertools import islice
from typing import Any

from medgauge_registrar.github.facts import OwnComment, OwnStatus, Reading
from medgauge_registrar.model.answer import CommandAnswer
from medgauge_registrar.model.decision import Decision, State
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.report.comment import timeless
from medgauge_registrar.report.escape import shorten, visible
from medgauge_registrar.report.status import LIMIT_CHARACTERS, status_description

SUCCESS, PENDING, FAILURE, ERROR = "success", "pending", "failure", "error"
STATES = {State.APPROVED: SUCCESS, State.PENDING: PENDING, State.BLOCKED: FAILURE, State.ERROR: ERROR}
ACCEPTED, REFUSED = "+1", "confused"
# Each is a request. A conversation of nothing but commands must not hold a run up; the next one answers what is left.
MAX_REACTIONS = 20
# So many that no spelling of a branch can be found that has the digest of another one.
_DIGEST_CHARACTERS = 16


@frozen
class SetStatus:
    """Set a commit status."""

    sha: str
    context: str
    state: str
    description: str
    target_url: str


@frozen
class CreateComment:
    """Write the comment for the first time."""

    pull: int
    body: str = field(repr=False)


@frozen
class EditComment:
    """Bring the comment up to date."""

    comment: int
    body: str = field(repr=False)


@frozen
class DeleteComment:
    """Take a comment of ours away that another one repeats."""

    comment: int


@frozen
class React:
    """Answer a comment by a reaction."""

    comment: int
    content: str


@frozen
class ReportCheck:
    """Show findings beside the change; `batches` holds at most 50 annotations each."""

    sha: str
    name: str
    conclusion: str
    title: str
    summary: str = field(repr=False)
    batches: tuple[tuple[dict[str, Any], ...], ...] = field(repr=False)

    @property
    def digest(self) -> str:
        """What tells one report from another, so that nothing is shown twice."""
        said = [self.conclusion, self.title, timeless(self.summary), self.batches]
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


Write = SetStatus | CreateComment | EditComment | DeleteComment | React | ReportCheck


def context_of(name: str, base_ref: str, default_branch: str) -> str:
    """
    The context of the status. It names the base branch: after a change of base the old status satisfies nothing.

    GitHub takes contexts that differ in letter case alone for one, and anybody who may push can make such a branch. So every
    branch but the default one adds a digest of its ref, and no two share a context. No ref holds a blank, so none feigns a digest.

    Args:
        name: Of the status, in the settings of the base branch.
        base_ref: The base branch.
        default_branch: The repository's default branch.

    Source:
        Statuses belong to a commit, not to a pull request (palantir/policy-bot, "status checks"). GitHub REST API, "Create a commit
        status": `context` is case-insensitive.
    """
    if base_ref == default_branch:
        return f"{name}: {base_ref}"
    digest = hashlib.sha256(f"refs/heads/{base_ref}".encode()).hexdigest()[:_DIGEST_CHARACTERS]
    return f"{name}: {base_ref} ({digest})"


def plan(
    verdict: SetStatus,
    reading: Reading,
    *,
    body: str,
    answers: Sequence[CommandAnswer] = (),
    check: ReportCheck | None = None,
) -> tuple[Write, ...]:
    """
    Plan all writes for one decision; nothing if everything is there already.

    A status that opens the merge comes last, any other first: whatever fails in between leaves the merge shut. A success that
    names this pull request under another context, of another base or an older setting, is taken back.

    Args:
        verdict: The status that says what was decided; it names the pull request by its address.
        reading: The pull request as it stands now.
        body: The comment.
        answers: To the commands of the conversation.
        check: What a check run shows; null: none.
    """
    status = tuple(missing_status(verdict, reading.statuses))
    why = f"the pull request is decided as `{verdict.context}` now"
    shut = outdated(reading.statuses, reading.head_sha, verdict.target_url, kept={verdict.context}, why=why)
    others: list[Write] = [*plan_comment(reading.number, reading.comments, body)]
    others += [] if check is None else [check]
    others += _reactions(answers, reading.answered)
    opens = any(opens_the_merge(write) for write in status)
    return (*shut, *others, *status) if opens else (*shut, *status, *others)


def opens_the_merge(write: Write) -> bool:
    """Whether a write is the status that lets a pull request be merged."""
    return isinstance(write, SetStatus) and write.state == SUCCESS


def verdict_status(
    decision: Decision, reading: Reading, *, context: str, pull_url: str, crowded: bool = False
) -> SetStatus:
    """
    The status that says the verdict.

    Two pull requests with one head and one base share every status; none of them may open the merge for the other.

    Args:
        decision: What was decided.
        reading: The pull request as it stands now.
        context: Context of the status.
        pull_url: Address of the pull request.
        crowded: Whether the head has too many statuses for a success; see `without_room`.
    """
    state, description = STATES[decision.state], status_description(decision)
    if reading.siblings and state == SUCCESS:
        named = ", ".join(f"#{number}" for number in reading.siblings[:3])
        state, description = PENDING, f"shares its head with {named}: close one of them, or push a commit of its own"
    verdict = SetStatus(
        sha=reading.head_sha, context=context, state=state, description=description, target_url=pull_url
    )
    return without_room(verdict) if crowded else verdict


def without_room(status: SetStatus) -> SetStatus:
    """The status of a commit that takes hardly any more: never a success, which nothing could take back."""
    description = "approved, but this commit has nearly as many statuses as GitHub takes: push a new commit"
    return replace(status, state=FAILURE, description=description) if opens_the_merge(status) else status


def failure_status(sha: str, context: str, message: str, url: str) -> SetStatus:
    """The status that says that there is no verdict, and why."""
    description = shorten(f"could not be decided: {visible(message)}", LIMIT_CHARACTERS)
    return SetStatus(sha=sha, context=context, state=ERROR, description=description, target_url=url)


def missing_status(wanted: SetStatus, there: Sequence[OwnStatus]) -> Iterator[SetStatus]:
    """The status, unless we have set it already."""
    says = (wanted.state, wanted.description, wanted.target_url)
    if not any(
        is_same_context(status.context, wanted.context)
        and (status.state, status.description, status.target_url) == says
        for status in there
    ):
        yield wanted


def is_same_context(one: str, other: str) -> bool:
    """Whether GitHub takes two contexts for one."""
    return one.casefold() == other.casefold()


def outdated(
    there: Sequence[OwnStatus], sha: str, pull_url: str, *, kept: Collection[str], why: str
) -> Iterator[SetStatus]:
    """
    Take back what still opens the merge for this pull request.

    Args:
        there: Our statuses on its head.
        sha: The head.
        pull_url: Address of the pull request; a status that names another one is that one's matter.
        kept: Contexts that are settled otherwise, in any letter case.
        why: Why a success holds no longer.
    """
    folded = {context.casefold() for context in kept}
    for status in there:
        if status.state == SUCCESS and status.names(pull_url) and status.context.casefold() not in folded:
            description = shorten(f"holds no longer: {why}", LIMIT_CHARACTERS)
            yield SetStatus(
                sha=sha, context=status.context, state=PENDING, description=description, target_url=pull_url
            )


def plan_comment(pull: int, own: Sequence[OwnComment], body: str) -> Iterator[Write]:
    """One comment with this body: the oldest of ours stays, further ones go."""
    if not own:
        yield CreateComment(pull=pull, body=body)
        return
    kept, *repeated = own
    if timeless(kept.body) != timeless(body):
        yield EditComment(comment=kept.id, body=body)
    for comment in repeated:
        yield DeleteComment(comment=comment.id)


def _reactions(answers: Sequence[CommandAnswer], answered: frozenset[int]) -> Iterator[Write]:
    """One reaction a comment, refused if any command in it is; the oldest first, and no more than a run takes."""
    accepted: dict[int, bool] = {}
    for answer in answers:
        accepted[answer.comment] = accepted.get(answer.comment, True) and answer.accepted
    unanswered = (comment for comment in accepted if comment not in answered)
    for comment in islice(unanswered, MAX_REACTIONS):
        yield React(comment=comment, content=ACCEPTED if accepted[comment] else REFUSED)
