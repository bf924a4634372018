"""The default branch, commit by commit, held against the decision notes."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from medgauge_registrar.git.landing import first_parents
from medgauge_registrar.git.notes import NOTES_REF, StoredNote, read_notes
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.model.audit import Audit, Audited, AuditState
from medgauge_registrar.model.decision import State
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.landing import Step, landing_of
from medgauge_registrar.policy.load import tree_policy
from medgauge_registrar.record.note import Note, parse_note

# Of some commits, those that GitHub says it signed itself.
SignedByGitHub = Callable[[Collection[str]], Collection[str]]

_DEFAULT_BRANCH = "refs/remotes/origin/HEAD"
_NOBODY_TO_ASK = (
    "who signed the notes can be told by GitHub alone: set REGISTRAR_TOKEN to a token that may read the repository, and "
    "GITHUB_REPOSITORY to its `owner/name`"
)
_NO_GATE = "which account the gate writes as is not known: give its numeric id with --gate, or set `gate_account` in the settings"
_NO_NOTES = f"no notes are here: `git fetch origin {NOTES_REF}:{NOTES_REF}` brings them"


@frozen
class Question:
    """
    What to audit.

    Attributes:
        repository: Holds the branch and its notes.
        range: `A..B` for what `B` got since `A`, one revision for its whole history; null: the default branch.
        gate: Numeric id of the account that the gate writes as; null: as the settings of before the range say, or else of its end.
        signed_by_github: Asks GitHub; null where no token is at hand.
    """

    repository: Path
    range: str | None
    gate: int | None
    signed_by_github: SignedByGitHub | None


def audit(question: Question) -> Audit:
    """
    Say of every commit of the first-parent history whether an approved decision brought it.

    A note counts if a commit that its gate made, and that GitHub signed, put it there; if what it says of the history is so;
    and if the tree that landed is the tree that was decided on.

    Raises:
        PolicyError: The range is none, or the settings are unusable.
        ReadError: The repository could not be read whole, or GitHub not asked.
    """
    with Repository.open(question.repository) as repository:
        tip, since = _ends(repository, question.range)
        steps = first_parents(repository, tip, since)
        gate = question.gate or _gate(repository, tip, since)
        notes = repository.find(NOTES_REF)
        stored = read_notes(repository, notes, frozenset(step.sha for step in steps)) if notes is not None else {}
    signed = _signed(stored, gate, question.signed_by_github)
    hints = [
        hint
        for hint, holds in (
            (_NO_NOTES, notes is None),
            (_NO_GATE, gate is None),
            (_NOBODY_TO_ASK, question.signed_by_github is None and bool(stored)),
        )
        if holds
    ]
    return Audit(commits=tuple(_walk(steps, stored, gate, signed)), hints=tuple(hints))


def _gate(repository: Repository, tip: str, since: str | None) -> int | None:
    """The gate by the settings of before the range: what is audited does not choose its auditor, unless nothing stood there."""
    named = (
        tree_policy(repository.tree(commit)).settings.gate_account for commit in (since, tip) if commit is not None
    )
    return next((account for account in named if account is not None), None)


def _ends(repository: Repository, named: str | None) -> tuple[str, str | None]:
    """The commits between which to walk."""
    if named is None:
        tip = repository.find(_DEFAULT_BRANCH)
        return (tip or repository.resolve("HEAD")[0]), None
    first, dots, last = named.partition("..")
    if last.startswith(".") or (dots and not (first and last)):
        raise PolicyError(f"`{named}` is no range; expected `A..B`, or one revision")
    if not dots:
        return repository.resolve(first)[0], None
    since, tip = repository.resolve(first, last)
    return tip, since


def _signed(stored: Mapping[str, StoredNote], gate: int | None, ask: SignedByGitHub | None) -> Collection[str] | None:
    """The gate's own commits of the notes that GitHub signed; null if nobody could be asked."""
    own = {writing.commit for note in stored.values() for writing in note.writings if _is_gate(writing.author, gate)}
    if ask is None:
        return None
    return ask(sorted(own)) if own else ()


def _is_gate(author: Any, gate: int | None) -> bool:
    return author is not None and author.id == gate and author.type == "Bot"


def _walk(
    steps: Sequence[Step],
    stored: Mapping[str, StoredNote],
    gate: int | None,
    signed: Collection[str] | None,
) -> Iterator[Audited]:
    """Judge the commits, newest first; a note also speaks for the commits before its own that it names."""
    index = 0
    while index < len(steps):
        found = stored.get(steps[index].sha)
        if found is None:
            yield _not(steps[index], "no decision note stands at it")
            index += 1
            continue
        note = parse_note(found.data) if found.data is not None else "it is no regular file, or stands there twice"
        if isinstance(note, str):
            yield _not(steps[index], f"its decision note cannot be read: {note}")
            index += 1
            continue
        covered = steps[index : index + len(note.landed["commits"])]
        fault = _fault(note, covered)
        if fault is not None:
            # What the note says of other commits is worth no more than what it says of this one.
            yield _not(steps[index], fault, note)
            index += 1
            continue
        state, because = _standing(found, gate, signed)
        for step in covered:
            yield _audited(step, state, because, note)
        index += len(covered)


def _fault(note: Note, covered: Sequence[Step]) -> str | None:
    """Why a note speaks for none of these commits (newest first); null if it does."""
    landed, decision = note.landed, note.decision
    if [step.sha for step in reversed(covered)] != landed["commits"]:
        return "its decision note names other commits than those of the branch"
    landing = landing_of(tuple(reversed(covered)), decision["head_sha"])
    if landing.method != landed["method"]:
        return f"its decision note says `{landed['method']}`, but the commits are those of `{landing.method}`"
    if landed["base"] != landing.base or decision["base_sha"] != landing.base:
        return "it was decided for another state of the branch"
    if decision["state"] != State.APPROVED:
        return f"its decision was `{decision['state']}`"
    if landing.tree != landed["tree"] or landing.tree != decision["merge_tree"]:
        return "another tree landed than the one that was decided on"
    return None


def _standing(found: StoredNote, gate: int | None, signed: Collection[str] | None) -> tuple[AuditState, str]:
    """Whether the gate itself wrote a note."""
    if gate is None:
        return AuditState.UNDECIDED, "whether the gate wrote its decision note is not known"
    own = [writing.commit for writing in found.writings if _is_gate(writing.author, gate)]
    if not own:
        return AuditState.NOT_APPROVED, "its decision note was not written by the gate"
    if signed is None:
        return AuditState.UNDECIDED, "whether GitHub signed its decision note is not known"
    if not any(commit in signed for commit in own):
        return AuditState.NOT_APPROVED, "its decision note bears the gate's name and is not signed by GitHub"
    return AuditState.APPROVED, ""


def _not(step: Step, because: str, note: Note | None = None) -> Audited:
    return _audited(step, AuditState.NOT_APPROVED, because, note)


def _audited(step: Step, state: AuditState, because: str, note: Note | None) -> Audited:
    return Audited(
        sha=step.sha,
        state=state,
        pull=note.decision["pull"] if note is not None else None,
        method=note.landed["method"] if note is not None else None,
        because=because,
    )
