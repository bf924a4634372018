"""What a push brought to the default branch, made into decision notes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from medgauge_registrar.content.canaries import Canaries
from medgauge_registrar.git.landing import first_parents, latest_first_parents
from medgauge_registrar.git.notes import read_notes
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.inputs import Inputs
from medgauge_registrar.model.decision import State
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.landing import Landing, Step, landing_of
from medgauge_registrar.pipeline import Question, decide_question
from medgauge_registrar.record.note import Note, facts_at, note_bytes, parse_note, public_facts

# Facts of a pull request and the commit that it was merged onto, to the inputs of its decision.
Joined = Callable[[Mapping[str, Any], str], Inputs]

# Commits before a push that are looked at again, in case the job of an earlier push failed.
_LOOK_BACK = 20


@frozen
class MergedPull:
    """
    A merged pull request.

    Attributes:
        head: Its head when it was merged.
        commit: Commit that the base branch was moved to by the merge.
        merged_at: When; aware.
    """

    number: int
    head: str
    commit: str
    merged_at: datetime


class Platform(Protocol):
    """What is asked of GitHub about a push."""

    def merged_pulls(self, commit: str) -> Sequence[MergedPull]:
        """The pull requests into this branch that brought a commit."""

    def facts(self, number: int) -> Mapping[str, Any]:
        """The present facts of a pull request, as `pull.schema.json` has them; its head is in the repository afterwards."""


@frozen
class Push:
    """
    One push to the default branch.

    Attributes:
        repository: Holds the branch, the notes and, once their facts were read, the heads of pull requests.
        before: Where the branch stood; null if it is new.
        after: Where it stands.
        notes: Where the notes stand; null if there are none yet.
    """

    repository: Path
    before: str | None
    after: str
    notes: str | None


@frozen
class Left:
    """
    A commit that gets no note.

    Attributes:
        why: The reason.
        may_pass_later: Whether another run may do better.
    """

    commit: str
    why: str
    may_pass_later: bool = False


@frozen
class Planned:
    """
    What to write.

    Attributes:
        notes: New notes by commit.
        left: Commits that get none.
    """

    notes: Mapping[str, bytes]
    left: tuple[Left, ...]


def plan_notes(push: Push, platform: Platform, inputs: Joined) -> Planned:
    """
    Decide every pull request that a push merged, on what landed and at the time of its merge, and spell the notes.

    A note that is there stays: a second run plans nothing.

    Args:
        push: The push.
        platform: GitHub.
        inputs: Joins facts with the roster and the ledger that the settings at a commit name.

    Raises:
        ReadError: The history or GitHub could not be read whole.
    """
    steps = _open_steps(push)
    brought = {step.sha: tuple(platform.merged_pulls(step.sha)) for step in steps}
    notes: dict[str, bytes] = {}
    left = {step.sha: Left(commit=step.sha, why="no merged pull request brought it") for step in steps}
    for pull, landing in landings(steps, brought):
        for step in landing.steps:
            del left[step.sha]
        note = _note(push, pull, landing, facts_at(platform.facts(pull.number), pull.merged_at), inputs)
        if isinstance(note, bytes):
            notes[landing.commit] = note
        else:
            left[landing.commit] = note
    return Planned(notes=notes, left=tuple(left.values()))


def landings(
    steps: Sequence[Step], brought: Mapping[str, Sequence[MergedPull]]
) -> Iterator[tuple[MergedPull, Landing]]:
    """
    Tell which commits each pull request brought.

    One merged by rebase brought every commit before its last one that GitHub says is its own; any other brought one commit. A
    push of a merge queue holds several pull requests, one after the other.

    Args:
        steps: Commits of the first-parent history, oldest first.
        brought: By commit, the merged pull requests that GitHub says brought it.
    """
    free = 0
    for index, step in enumerate(steps):
        pull = next((pull for pull in brought[step.sha] if pull.commit == step.sha), None)
        if pull is None:
            continue
        first = index
        while first > free and _rebased(steps[first - 1], steps[first], brought, pull.number):
            first -= 1
        yield pull, landing_of(tuple(steps[first : index + 1]), pull.head)
        free = index + 1


def _rebased(earlier: Step, later: Step, brought: Mapping[str, Sequence[MergedPull]], number: int) -> bool:
    """Whether two neighbours came from the same rebase."""
    return (
        later.parents == (earlier.sha,)
        and len(earlier.parents) == 1
        and any(pull.number == number for pull in brought[earlier.sha])
    )


def _open_steps(push: Push) -> list[Step]:
    """Commits that no note speaks for yet, oldest first: those of the push, and earlier ones since notes are kept."""
    with Repository.open(push.repository) as repository:
        pushed = first_parents(repository, push.after, push.before)
        earlier = latest_first_parents(repository, push.before, _LOOK_BACK) if push.before is not None else ()
        commits = frozenset(step.sha for step in (*pushed, *earlier))
        known = read_notes(repository, push.notes, commits) if push.notes is not None else {}
    noted: set[str] = set(known)
    for stored in known.values():
        note = parse_note(stored.data) if stored.data is not None else None
        if isinstance(note, Note):
            noted.update(note.landed["commits"])
    since = max((index for index, step in enumerate(earlier) if step.sha in noted), default=0)
    return [step for step in reversed((*pushed, *earlier[:since])) if step.sha not in noted]


def _note(
    push: Push,
    pull: MergedPull,
    landing: Landing,
    facts: dict[str, Any],
    inputs: Joined,
) -> bytes | Left:
    """The note on one pull request; instead of one, why there is none yet."""
    if landing.base is None:
        return Left(commit=landing.commit, why="it has no parent, so there is nothing that it changed")
    joined = inputs(facts, landing.base)
    decision = decide_question(
        Question(repository=push.repository, base=landing.base, head=pull.head, inputs=joined, now=pull.merged_at)
    )
    if decision.state is State.ERROR:
        # A note is never replaced, so none is written that another run could do better.
        why = f"#{pull.number} could not be decided: {decision.next_steps[0].do}"
        return Left(commit=landing.commit, why=why, may_pass_later=True)
    canaries = Canaries(key=joined.ledger.canary_key, digests=joined.ledger.canary_digests)
    return note_bytes(landing, public_facts(facts, decision, canaries), decision)
