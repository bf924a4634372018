"""A group of the merge queue: every pull request in it decided anew on the tree that the group would merge."""

from collections.abc import Sequence

from medgauge_registrar.git.repository import Repository
from medgauge_registrar.github.events import Group
from medgauge_registrar.github.facts import Reading
from medgauge_registrar.github.plan import (
    PENDING,
    STATES,
    SetStatus,
    context_of,
    failure_status,
    is_same_context,
    missing_status,
    opens_the_merge,
    without_room,
)
from medgauge_registrar.github.queue import Entry, Queue, read_queue
from medgauge_registrar.github.read import is_crowded, read_pull
from medgauge_registrar.github.write import set_status
from medgauge_registrar.live.gate import ATTEMPTS, IN_PROGRESS, Gate, Settled, verdict_line
from medgauge_registrar.model.decision import Decision, State
from medgauge_registrar.model.errors import ReadError, told
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.pipeline import Question, decide_question
from medgauge_registrar.policy.settings import Settings
from medgauge_registrar.report.escape import shorten
from medgauge_registrar.report.status import LIMIT_CHARACTERS, URGENCY, status_description
from medgauge_registrar.report.words import count


def settle_group(gate: Gate, group: Group) -> Settled:
    """
    Decide a group and set the status of its commit.

    Each pull request is decided on the base branch with all those merged that wait before it, and the tree of the group
    must be the one that comes of it. What goes wrong is part of the answer, never an exception.

    Source:
        GitHub, "Managing a merge queue": a group holds the changes of all entries before its own.
    """
    number = 0
    # Until the queue is read nobody knows which branch is the default one, and a failure is told on both.
    contexts = [context_of(Settings().status_context, group.base_ref, default) for default in ("", group.base_ref)]
    try:
        for _ in range(ATTEMPTS):
            queue = read_queue(gate.client, gate.job.repository, group.base_ref)
            entries = queue.up_to(group.head_sha)
            if not entries:
                return Settled(
                    number=0, published=True, message=f"group {group.head_sha[:12]} has left the merge queue"
                )
            number = entries[-1].number
            verdict = _decide(gate, group, queue, entries, contexts)
            if verdict is not None:
                return _publish(gate, group, verdict)
        changing = ReadError("the merge queue changes faster than it can be decided", may_pass_later=True)
        return _fail(gate, group, number, contexts, changing)
    except Exception as error:  # noqa: BLE001 - whatever happened, the group must not be left to merge
        return _fail(gate, group, number, contexts, error)


@frozen
class _Decided:
    """One pull request of the group and its verdict."""

    number: int
    decision: Decision


@frozen
class _Verdict:
    """The gravest verdict in a group, and the status that says so; null if it is there already."""

    gravest: _Decided
    status: SetStatus | None


def _decide(gate: Gate, group: Group, queue: Queue, entries: tuple[Entry, ...], contexts: list[str]) -> _Verdict | None:
    """The verdict on the group; null if something moved meanwhile. `contexts` becomes the one that is decided."""
    default, *fetched = gate.mirror.fetch(
        f"refs/heads/{queue.default_branch}",
        group.head_sha,
        f"refs/heads/{group.base_ref}",
        *(f"refs/pull/{entry.number}/head" for entry in entries),
    )
    heads = tuple(entry.head_sha for entry in entries)
    if fetched != [group.head_sha, queue.base_sha, *heads]:
        return None
    settings = gate.settings_at(queue.base_sha)
    context = context_of(settings.status_context, group.base_ref, queue.default_branch)
    contexts[:] = [context]
    if not any(is_same_context(status.context, context) for status in entries[-1].statuses):
        waiting = _status(gate, group, context, PENDING, IN_PROGRESS, entries[-1].number)
        set_status(gate.client, gate.job.repository, waiting)
    steps = gate.mirror.join(queue.base_sha, heads)
    with Repository.open(gate.mirror.path) as repository:
        if repository.tree(steps[-1]).oid != repository.tree(group.head_sha).oid:
            raise ReadError("the group's tree is not what its pull requests make of the base branch")
    readings = [_read(gate, entry) for entry in entries]
    sources = gate.settings_at(default)
    decided = []
    for reading, base in zip(readings, (queue.base_sha, *steps), strict=False):
        inputs = gate.inputs(gate.facts(reading), sources)
        question = Question(
            repository=gate.mirror.path, base=base, head=reading.head_sha, inputs=inputs, now=gate.now()
        )
        decided.append(_Decided(number=reading.number, decision=decide_question(question)))
    verdict = _verdict(gate, group, entries[-1], decided, context)
    unchanged = all(_read(gate, entry).same_facts(reading) for entry, reading in zip(entries, readings, strict=True))
    return verdict if unchanged else None


def _read(gate: Gate, entry: Entry) -> Reading:
    reading = read_pull(gate.client, gate.job.repository, entry.number)
    if reading.state != "OPEN" or reading.head_sha != entry.head_sha:
        raise ReadError(f"pull request {entry.number} is no longer what is in the queue", may_pass_later=True)
    return reading


def _verdict(gate: Gate, group: Group, last: Entry, decided: Sequence[_Decided], context: str) -> _Verdict:
    gravest = min(decided, key=lambda one: URGENCY.index(one.decision.state))
    state = gravest.decision.state
    if state is State.APPROVED:
        said = f"{count(len(decided), 'pull request')} approved on the merge result"
    else:
        said = shorten(f"#{gravest.number}: {status_description(gravest.decision)}", LIMIT_CHARACTERS)
    wanted = _status(gate, group, context, STATES[state], said, gravest.number)
    missing = next(missing_status(wanted, last.statuses), None)
    if (
        missing is not None
        and opens_the_merge(missing)
        and is_crowded(gate.client, gate.job.repository, group.head_sha)
    ):
        missing = next(missing_status(without_room(wanted), last.statuses), None)
    return _Verdict(gravest=gravest, status=missing)


def _publish(gate: Gate, group: Group, verdict: _Verdict) -> Settled:
    if verdict.status is not None:
        set_status(gate.client, gate.job.repository, verdict.status)
    number, decision = verdict.gravest.number, verdict.gravest.decision
    message = f"in group {group.head_sha[:12]}: {verdict_line(decision)}"
    return Settled(number=number, published=True, message=message, decision=decision, url=gate.pull_url(number))


def _fail(gate: Gate, group: Group, number: int, contexts: Sequence[str], error: Exception) -> Settled:
    message, url = told(error), gate.pull_url(number)
    refused = gate.set_all(failure_status(group.head_sha, context, message, url) for context in contexts)
    return Settled(number=number, published=not refused, message=f"{message}{refused}", failed=True, url=url)


def _status(gate: Gate, group: Group, context: str, state: str, description: str, number: int) -> SetStatus:
    return SetStatus(
        sha=group.head_sha, context=context, state=state, description=description, target_url=gate.pull_url(number)
    )
