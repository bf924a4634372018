"""One pull request on GitHub: read, decided, read again, and published; or an error that says why not."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Self

from medgauge_registrar.git.fetch import Mirror
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.github.closed import ClosedFiles
from medgauge_registrar.github.facts import Reading
from medgauge_registrar.github.job import Job
from medgauge_registrar.github.plan import (
    PENDING,
    SUCCESS,
    ReportCheck,
    SetStatus,
    Write,
    context_of,
    failure_status,
    is_same_context,
    missing_status,
    opens_the_merge,
    outdated,
    plan,
    verdict_status,
)
from medgauge_registrar.github.read import Place, is_crowded, pull_file, read_arrival, read_place, read_pull
from medgauge_registrar.github.tokens import registry_client
from medgauge_registrar.github.write import SUMMARY_CHARACTERS, apply, set_status
from medgauge_registrar.inputs import Inputs, inputs_from
from medgauge_registrar.model.answer import CommandAnswer
from medgauge_registrar.model.decision import Decision, State
from medgauge_registrar.model.errors import PolicyError, ReadError, told
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.pipeline import Question, decide_and_answer
from medgauge_registrar.policy.load import tree_policy
from medgauge_registrar.policy.settings import Settings
from medgauge_registrar.report.answers import answer_lines
from medgauge_registrar.report.comment import render_comment
from medgauge_registrar.report.github import annotations
from medgauge_registrar.report.status import status_description
from medgauge_registrar.report.summary import render_summary
from medgauge_registrar.report.words import VERDICTS

# How often one run begins anew because the pull request changed under it; a busy conversation is left to the next run.
ATTEMPTS = 3
IN_PROGRESS = "is being decided"
_OPEN, _MERGED = "OPEN", "MERGED"
_CONCLUSIONS = {State.APPROVED: "success", State.BLOCKED: "failure", State.ERROR: "failure", State.PENDING: "neutral"}


def utc_now() -> datetime:
    """The clock, to the second."""
    return datetime.now(UTC).replace(microsecond=0)


@frozen
class Settled:
    """
    What became of one pull request.

    Attributes:
        number: Its number.
        published: Whether GitHub shows what was found; a run that left something unpublished is red.
        message: One line for the log.
        failed: Whether that tells of something that went wrong.
        decision: The verdict; null if there is none.
        url: Address of the pull request.
        comment_url: Address of our comment; null if there is none.
    """

    number: int
    published: bool
    message: str
    failed: bool = False
    decision: Decision | None = None
    url: str = ""
    comment_url: str | None = None


class Gate:
    """
    Decides pull requests of one registry in one run; close it, or use it in a `with`.

    Objects, roster and ledger are read once a run.
    """

    def __init__(
        self, job: Job, *, now: Callable[[], datetime] | None = None, more: Mapping[str, str] | None = None
    ) -> None:
        """
        Open the registry.

        Args:
            job: The job.
            now: The clock; null: that of the machine.
            more: Permissions that an App's token needs beside the usual ones.

        Raises:
            ReadError: No token could be minted, or git refused.
        """
        self.job = job
        self.client = registry_client(job, more=more)
        self.mirror = Mirror(f"{job.server_url}/{job.repository}.git", lambda: self.client.token)
        self.closed = ClosedFiles(job)
        self.now = now or utc_now

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove what was fetched."""
        self.mirror.close()

    def settle(self, number: int) -> Settled:
        """Decide one pull request and publish the verdict; what goes wrong is part of the answer, never an exception."""
        try:
            reading = read_pull(self.client, self.job.repository, number)
        except Exception as error:  # noqa: BLE001 - one pull request must not keep the others from being decided
            return self._fail_unread(number, error)
        contexts = _contexts(reading)
        try:
            for _ in range(ATTEMPTS):
                if reading.state != _OPEN:
                    return self._leave(reading)
                drafted = self._draft(reading, contexts)
                if drafted is None:
                    reading = read_pull(self.client, self.job.repository, number)
                    continue
                writes = self._writes(drafted, reading)
                if any(map(opens_the_merge, writes)) and is_crowded(self.client, self.job.repository, reading.head_sha):
                    drafted = replace(drafted, crowded=True)
                    writes = self._writes(drafted, reading)
                if not writes:
                    return self._settled(drafted, reading, ())
                # A success rests on what is read after all else is written, however long that took.
                opens = any(map(opens_the_merge, writes))
                if opens:
                    apply(self.client, self.job.repository, writes[:-1], reading.comments)
                fresh = read_pull(self.client, self.job.repository, number)
                if fresh.same_facts(reading):
                    left = self._writes(drafted, fresh)
                    success = [write for write in left if opens_the_merge(write)]
                    if opens or not success:
                        return self._settled(drafted, fresh, success if opens else left)
                reading = fresh
            changing = ReadError("the pull request changes faster than it can be decided", may_pass_later=True)
            return self._fail(reading, contexts, changing)
        except Exception as error:  # noqa: BLE001 - whatever happened, the status must not stay as it was
            return self._fail(reading, contexts, error)

    def inputs(self, facts: Mapping[str, Any], settings: Settings) -> Inputs:
        """
        Join the facts of a pull request with roster and ledger.

        Args:
            facts: As a pull file has them.
            settings: Of the default branch. Those of any other may be anybody's, and would name any file that our tokens can read.

        Raises:
            ReadError: Roster or ledger could not be read. Everybody sees the message, so it says nothing of the cause.
            PolicyError: Roster or ledger break their schema.
        """
        try:
            roster, ledger = self.closed.roster(settings.roster), self.closed.ledger(settings.ledger)
        except ReadError as error:
            message = "roster or ledger could not be read; `registrar doctor` says why"
            raise ReadError(message, may_pass_later=error.may_pass_later) from None
        return inputs_from(dict(facts), roster, ledger, digest_key=self.job.digest_key)

    def facts(self, reading: Reading) -> Mapping[str, Any]:
        """
        The facts of a pull request as a pull file has them, the arrival of its head among them.

        Raises:
            ReadError: The arrival could not be read.
        """
        return pull_file(reading, read_arrival(self.client, self.job.repository, reading))

    def settings_at(self, commit: str) -> Settings:
        """
        The settings of the registry at a commit that was fetched.

        Raises:
            PolicyError: They are unusable.
            ReadError: The commit is not there.
        """
        with Repository.open(self.mirror.path) as repository:
            return tree_policy(repository.tree(commit)).settings

    def pull_url(self, number: int) -> str:
        """Address of a pull request."""
        return f"{self.job.server_url}/{self.job.repository}/pull/{number}"

    def set_all(self, statuses: Iterable[SetStatus]) -> str:
        """Set statuses, whatever becomes of each; what to add to a message if one is refused, else nothing."""
        refused = ""
        for status in statuses:
            try:
                set_status(self.client, self.job.repository, status)
            except ReadError as error:
                refused += f"; and the status cannot be set: {error}"
        return refused

    def _draft(self, reading: Reading, contexts: dict[str, str]) -> "_Draft | None":
        """
        Fetch and decide; null if head or base moved meanwhile.

        A head that has no status of ours yet, or another pull request's success, gets one first that shuts the merge; the context
        of the status joins `contexts` as soon as it is known.
        """
        head, base, default = self.mirror.fetch(
            f"refs/pull/{reading.number}/head",
            f"refs/heads/{reading.base_ref}",
            f"refs/heads/{reading.default_branch}",
        )
        if (head, base) != (reading.head_sha, reading.base_sha):
            return None
        settings = self.settings_at(base)
        context = context_of(settings.status_context, reading.base_ref, reading.default_branch)
        url = self.pull_url(reading.number)
        said = [status for status in reading.statuses if is_same_context(status.context, context)]
        if not said or any(status.state == SUCCESS and not status.names(url) for status in said):
            first = SetStatus(sha=head, context=context, state=PENDING, description=IN_PROGRESS, target_url=url)
            set_status(self.client, self.job.repository, first)
        contexts[context.casefold()] = context
        inputs = self.inputs(self.facts(reading), self.settings_at(default))
        question = Question(repository=self.mirror.path, base=base, head=head, inputs=inputs, now=self.now())
        decision, answers = decide_and_answer(question)
        return _Draft(decision=decision, answers=answers, context=context)

    def _writes(self, drafted: "_Draft", reading: Reading) -> tuple[Write, ...]:
        """What is missing on GitHub; nothing has to be read again if nothing is."""
        url, decision = self.pull_url(reading.number), drafted.decision
        told_too = answer_lines(drafted.answers, _explanations(drafted.answers), url)
        verdict = verdict_status(decision, reading, context=drafted.context, pull_url=url, crowded=drafted.crowded)
        held = verdict.description if decision.state is State.APPROVED and not opens_the_merge(verdict) else None
        return plan(
            verdict,
            reading,
            body=render_comment(decision, pull_url=url, answers=told_too, held=held),
            answers=drafted.answers,
            check=_check(decision, drafted.context, url) if self.job.check_run else None,
        )

    def _settled(self, drafted: "_Draft", reading: Reading, writes: Sequence[Write]) -> Settled:
        """Publish what is missing."""
        url = self.pull_url(reading.number)
        own = apply(self.client, self.job.repository, writes, reading.comments)
        return Settled(
            number=reading.number,
            published=True,
            message=verdict_line(drafted.decision),
            decision=drafted.decision,
            url=url,
            comment_url=f"{url}#issuecomment-{own}" if own is not None else None,
        )

    def _fail_unread(self, number: int, error: Exception) -> Settled:
        """Leave no old verdict standing although hardly anything could be read."""
        try:
            place = read_place(self.client, self.job.repository, number)
        except ReadError:
            return Settled(number=number, published=False, message=told(error), failed=True, url=self.pull_url(number))
        if place.state != _OPEN:
            return self._leave(place)
        return self._fail(place, _contexts(place), error)

    def _leave(self, there: Reading | Place) -> Settled:
        """Decide nothing about a pull request that is not open; on a closed one no success waits for it to be opened again."""
        message, url = f"is {there.state.lower()}: nothing to decide", self.pull_url(there.number)
        why = "the pull request is closed"
        shut = () if there.state == _MERGED else outdated(there.statuses, there.head_sha, url, kept=(), why=why)
        refused = self.set_all(shut)
        message += refused
        return Settled(number=there.number, published=not refused, message=message, failed=bool(refused), url=url)

    def _fail(self, there: Reading | Place, contexts: Mapping[str, str], error: Exception) -> Settled:
        """Leave no old verdict standing: every status of ours for this base becomes `error`, or one is set."""
        message, url = told(error), self.pull_url(there.number)
        usual = context_of(Settings().status_context, there.base_ref, there.default_branch)
        failed = sorted(contexts.values()) or [usual]
        wanted = [failure_status(there.head_sha, context, message, url) for context in failed]
        why = "the pull request could not be decided"
        shut = outdated(there.statuses, there.head_sha, url, kept=failed, why=why)
        refused = self.set_all([*(status for one in wanted for status in missing_status(one, there.statuses)), *shut])
        return Settled(number=there.number, published=not refused, message=f"{message}{refused}", failed=True, url=url)


@frozen
class _Draft:
    """A decision that is not published yet; `crowded`: its head was found to have no room for a success."""

    decision: Decision
    answers: tuple[CommandAnswer, ...]
    context: str
    crowded: bool = False


def verdict_line(decision: Decision) -> str:
    """The verdict with what is missing, for the log."""
    said = status_description(decision)
    return said if decision.state is State.ERROR else f"{VERDICTS[decision.state]}: {said}"


def _contexts(there: Reading | Place) -> dict[str, str]:
    """The contexts of our statuses that are about this base, by what GitHub takes for one."""
    base = context_of("", there.base_ref, there.default_branch).casefold()
    found = {status.context.casefold(): status.context for status in there.statuses}
    return {folded: context for folded, context in found.items() if folded.endswith(base)}


def _explanations(answers: Sequence[CommandAnswer]) -> dict[str, str]:
    subjects = [answer.subject for answer in answers if answer.subject is not None]
    found: dict[str, str] = {}
    if subjects:
        # It loads every check, which a pull request seldom needs.
        from medgauge_registrar.catalogue import explain

        for subject in subjects:
            with suppress(PolicyError):
                found[subject] = explain(subject)
    return found


def _check(decision: Decision, context: str, url: str) -> ReportCheck:
    return ReportCheck(
        sha=str(decision.head_sha),
        name=f"{context} (findings)",
        conclusion=_CONCLUSIONS[decision.state],
        title=VERDICTS[decision.state],
        summary=render_summary(decision, pull_url=url, budget_bytes=SUMMARY_CHARACTERS),
        batches=tuple(tuple(batch) for batch in annotations(decision.findings)),
    )
