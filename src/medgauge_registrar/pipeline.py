"""The stages around the pure decision, in order: read, decide, render."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from itertools import takewhile
from pathlib import Path

from medgauge_registrar import __version__
from medgauge_registrar.decide import Snapshot, command_answers, decide
from medgauge_registrar.git.authorship import People, file_authors
from medgauge_registrar.git.repository import Repository, UnrelatedHistoriesError
from medgauge_registrar.inputs import Inputs
from medgauge_registrar.model.answer import CommandAnswer
from medgauge_registrar.model.change import PathChange
from medgauge_registrar.model.decision import Decision, Digests, NextStep, State
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.finding import Finding
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.pull import Pull, ReviewState, names_no_commit
from medgauge_registrar.model.tree import Tree
from medgauge_registrar.policy.load import Policy, load_policy, tree_policy
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.registry.sources import FOLDER, tree_schemas
from medgauge_registrar.requirements.commands import gives_commands
from medgauge_registrar.requirements.reference_history import references_in_question
from medgauge_registrar.requirements.subject_history import subjects_in_question
from medgauge_registrar.trial import try_schemas

# Merges of one branch that are tried anew; the people of any further ones count as its authors.
MAX_MERGES_TRIED = 100
# Heads in a row that are compared with the present one; approvals of older ones have to be given anew.
MAX_HEADS_TRIED = 50


@frozen
class Question:
    """One pull request to decide: where, which revisions, with what facts, at what time (aware, UTC)."""

    repository: Path
    base: str
    head: str
    inputs: Inputs
    now: datetime


def decide_question(question: Question) -> Decision:
    """
    Decide one pull request from a git repository.

    What cannot be read whole gives a decision with state `error` and its reason as the next step, never a verdict.

    Raises:
        PolicyError: The settings on the base branch are unusable.
    """
    try:
        with Repository.open(question.repository) as repository:
            return decide(_read(repository, question))
    except ReadError as error:
        return _undecided(question, error)


def decide_and_answer(question: Question) -> tuple[Decision, tuple[CommandAnswer, ...]]:
    """
    Decide one pull request as `decide_question` does, and answer the commands of its conversation.

    Raises:
        PolicyError: The settings on the base branch are unusable.
    """
    try:
        with Repository.open(question.repository) as repository:
            snapshot = _read(repository, question)
            return decide(snapshot), command_answers(snapshot) if gives_commands(snapshot.pull.comments) else ()
    except ReadError as error:
        return _undecided(question, error), ()


def _read(repository: Repository, question: Question) -> Snapshot:
    """Gather everything the decision depends on."""
    pull = question.inputs.pull
    base_sha, head_sha = repository.resolve(question.base, question.head)
    merge_base = repository.merge_base(base_sha, head_sha)
    commits = repository.commits(merge_base, head_sha)
    _same_commits(pull, commits, base_sha, head_sha)
    base = repository.tree(base_sha)
    policy = tree_policy(base)
    merge = repository.merge(base_sha, head_sha)
    if merge.tree_oid is not None:
        merged: Tree = repository.tree(merge.tree_oid)
        changes = repository.changes(base.oid, merge.tree_oid)
    else:
        merged = repository.tree(head_sha)
        changes = repository.changes(repository.tree(merge_base).oid, merged.oid)
    schemas = tree_schemas(base)
    unchanged = _unchanged(repository, pull, base_sha, merge_base, head_sha, policy)
    registries = (Registry(base, policy.layout, schemas), Registry(merged, policy.layout, schemas))
    return Snapshot(
        base_sha=base_sha,
        head_sha=head_sha,
        merge_base=merge_base,
        base=base,
        merged=merged,
        merge_tree=merge.tree_oid,
        conflicts=merge.conflicts,
        changes=changes,
        pull=pull,
        policy=policy,
        schemas=schemas,
        trial=_trial(question.repository, base_sha, head_sha, changes) if merge.tree_oid else (),
        roster=question.inputs.roster,
        ledger=question.inputs.ledger,
        equivalent_heads=unchanged.heads,
        unchanged_since=unchanged.since,
        updates_from_base={
            **_moves_to_base(repository, pull, base_sha, commits),
            **_updates_from_base(repository, pull, base_sha, merge_base, head_sha),
        },
        digests=_digests(question, policy, base_sha, head_sha),
        now=question.now,
        reference_authors=_authors(
            repository, pull, (base_sha, head_sha), references_in_question(changes, *registries)
        ),
        subject_authors=_authors(repository, pull, (base_sha, head_sha), subjects_in_question(changes, registries[1])),
        # Where there is no merge result, all that the branch brought is looked at.
        branch=repository.branch(
            commits,
            [base] if merge.tree_oid is None else [base, merged],
            (pull.title, pull.body, pull.head_ref),
        ),
    )


def _same_commits(pull: Pull, commits: Sequence[str], base_sha: str, head_sha: str) -> None:
    """Hold the commits of the pull file against those of the branch: an author left out could approve the own change."""
    told, found = {commit.sha for commit in pull.commits}, set(commits)
    if told == found and len(pull.commits) == len(commits):
        return
    missing, foreign = sorted(found - told), sorted(told - found)
    what = (
        f"lacks {missing[0]}"
        if missing
        else f"names {foreign[0]}, which is not among them"
        if foreign
        else "repeats one"
    )
    raise ReadError(
        f"the pull file's commits are not those of {base_sha}..{head_sha}: it {what}; read the pull request again",
        may_pass_later=True,
    )


@frozen
class _Unchanged:
    """Earlier heads that carry the same change, and since when every head has carried it (null: unknown)."""

    heads: frozenset[str] = frozenset()
    since: datetime | None = None


def _unchanged(
    repository: Repository, pull: Pull, base_sha: str, merge_base: str, head_sha: str, policy: Policy
) -> _Unchanged:
    """Find the earlier heads whose change, path by path and blob by blob, is that of the present head (DEC-16)."""
    if not policy.table.update_from_base_keeps_approvals:
        return _Unchanged()
    branch = {commit.sha for commit in pull.commits} - {head_sha}
    own: list[tuple[PathChange, ...]] = []

    def is_same(sha: str) -> bool:
        if sha not in branch:
            return False
        own[:] = own or [_own_change(repository, merge_base, head_sha)]
        return own[0] == _own_change(repository, repository.merge_base(base_sha, sha), sha)

    if pull.earlier_heads is None:
        reviewed = {review.commit for review in pull.reviews if review.state is ReviewState.APPROVED and review.commit}
        return _Unchanged(heads=frozenset(sha for sha in sorted(reviewed) if is_same(sha)))
    # Only an approval from before the present head can profit, and only without a gap in what is known of the heads.
    seen_at = pull.seen_at
    if seen_at is None or not any(
        review.state is ReviewState.APPROVED and review.submitted_at is not None and review.submitted_at < seen_at
        for review in pull.reviews
    ):
        return _Unchanged()
    same = tuple(takewhile(lambda head: is_same(head.sha), pull.earlier_heads[:MAX_HEADS_TRIED]))
    return _Unchanged(heads=frozenset(head.sha for head in same), since=same[-1].seen_at) if same else _Unchanged()


def _moves_to_base(repository: Repository, pull: Pull, base_sha: str, commits: Sequence[str]) -> Mapping[str, str]:
    """
    What moves of the branch led to that brought nothing, with what was there before: a commit of the base branch, or no branch.

    So nobody counts as a pusher who made the branch, took it back to the base, or deleted it.
    """
    own = frozenset(commits)
    moves = [move for move in pull.moves or () if move.after not in own][:MAX_MERGES_TRIED]
    return {
        move.after: move.before
        for move in moves
        if names_no_commit(move.after) or _is_before(repository, move.after, base_sha)
    }


def _is_before(repository: Repository, sha: str, base_sha: str) -> bool:
    """Whether the base branch has a commit; one that is not here was dropped from the branch, and is taken for a foreign one."""
    try:
        return repository.merge_base(base_sha, sha) == sha
    except (ReadError, UnrelatedHistoriesError):
        return False


def _updates_from_base(
    repository: Repository, pull: Pull, base_sha: str, merge_base: str, head_sha: str
) -> Mapping[str, str]:
    """
    Commits that merge the base branch and nothing else, each with the head that it was merged into; they make nobody an author.

    Looked up only for commits that name a reviewer, or somebody without an account, and for those that a move of the branch
    led to: for no others does it matter.
    """
    reviewers = {review.user.id for review in pull.reviews if review.user is not None}
    wanted = {move.after for move in pull.moves or ()} | {
        commit.sha
        for commit in pull.commits
        if any(
            person is None or person.id in reviewers for person in (commit.author, commit.committer, *commit.co_authors)
        )
    }
    merges = [found for found in repository.merges(merge_base, head_sha) if found[0] in wanted] if wanted else []
    if not merges:
        return {}
    # What the base branch has is all that the head has and that is not among these.
    own = frozenset(repository.commits(base_sha, head_sha))
    return {
        sha: next((parent for parent in parents if parent in own), parents[0])
        for sha, parents in merges[:MAX_MERGES_TRIED]
        if _is_update_from_base(repository, sha, parents, own)
    }


def _is_update_from_base(repository: Repository, sha: str, parents: Sequence[str], own: frozenset[str]) -> bool:
    """Whether a commit is what git makes of its two parents, one of which the base branch has."""
    if len(parents) != 2 or own.issuperset(parents):
        return False
    try:
        merged = repository.merge(*parents)
    except UnrelatedHistoriesError:
        return False
    return merged.tree_oid == repository.tree(sha).oid


def _authors(
    repository: Repository, pull: Pull, tips: Sequence[str], files: Mapping[str, Sequence[str]]
) -> Mapping[str, People]:
    """Who wrote the files that matter, by the name they go under; GitHub has told the accounts of the branch alone."""
    accounts = {commit.sha: (commit.author, *commit.co_authors) for commit in pull.commits}
    return file_authors(repository, tips, files, accounts) if files else {}


def _own_change(repository: Repository, merge_base: str, head: str) -> tuple[PathChange, ...]:
    return repository.changes(repository.tree(merge_base).oid, repository.tree(head).oid)


def _trial(path: Path, base_sha: str, head_sha: str, changes: Sequence[PathChange]) -> tuple[Finding, ...]:
    """Try the head's schemas on every record, if it changes any."""
    names = [name for change in changes for name in (change.path, change.previous_path) if name is not None]
    touched = any(name.startswith(f"{FOLDER}/") for name in names)
    return try_schemas(path, base_sha, head_sha) if touched else ()


def _digests(question: Question, policy: Policy, base_sha: str, head_sha: str) -> Digests:
    facts = "\n".join((base_sha, head_sha, question.inputs.pull_sha256, policy.sha256, __version__))
    return Digests(
        policy=policy.sha256,
        roster=question.inputs.roster_digest,
        ledger=question.inputs.ledger_digest,
        inputs=sha256(facts.encode()).hexdigest(),
    )


def _undecided(question: Question, error: ReadError) -> Decision:
    """The decision that says why there is none."""
    again = " Running again may help." if error.may_pass_later else ""
    return Decision(
        state=State.ERROR,
        pull=question.inputs.pull.number,
        base_sha=_full(question.base),
        head_sha=_full(question.head),
        merge_base=None,
        merge_tree=None,
        digests=Digests(
            policy=load_policy(None).sha256,
            roster=question.inputs.roster_digest,
            ledger=question.inputs.ledger_digest,
            inputs=question.inputs.pull_sha256,
        ),
        decided_at=question.now,
        registrar_version=__version__,
        changes=(),
        rows=(),
        findings=(),
        set_aside=(),
        dispute=None,
        next_steps=(NextStep(who="maintainer", do=f"{error}.{again}"),),
    )


def _full(revision: str) -> str | None:
    """A revision if it is a full object id; any other name does not say which commit it meant."""
    is_id = len(revision) in {40, 64} and all(character in "0123456789abcdef" for character in revision)
    return revision if is_id else None
