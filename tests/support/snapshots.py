"""
Pull requests in memory: all that one decision depends on, from a few edits of the starter registry.

The people are those of the demonstration, by the names it gives them (`maintainer`, `second maintainer`, …).
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from medgauge_registrar.decide import Snapshot, decide
from medgauge_registrar.inputs import to_roster
from medgauge_registrar.model.decision import Decision, Digests, Row
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.model.pull import Comment, Commit, Pull, Review, ReviewState, User
from medgauge_registrar.model.roster import Roster
from medgauge_registrar.policy.load import SETTINGS_PATH, load_policy
from medgauge_registrar.registry.schemas import SUFFIX, SchemaSet
from medgauge_registrar.sandbox.cast import account, roster
from medgauge_registrar.sandbox.edits import Edit, Workspace
from medgauge_registrar.starter import starter_files
from support.memory_tree import MemoryTree, memory_changes

HEAD, BASE = "a1" * 20, "b2" * 20
ARRIVED = datetime(2026, 11, 29, 10, 0, tzinfo=UTC)
NOW = ARRIVED + timedelta(hours=6)
SCHEMAS = "schemas/"
DIGEST = "0" * 64


def at(minutes: float) -> datetime:
    """A time, in minutes after the head arrived."""
    return ARRIVED + timedelta(minutes=minutes)


def person(name: str) -> User:
    """Somebody of the cast."""
    return User(**account(name))


def review(
    by: str | User | None,
    state: str = "APPROVED",
    *,
    number: int = 100,
    minute: float | None = 30,
    commit: str | None = HEAD,
    body: str = "",
) -> Review:
    """A review of the head, half an hour after it arrived unless told otherwise."""
    return Review(
        id=number,
        user=person(by) if isinstance(by, str) else by,
        state=ReviewState(state),
        commit=commit,
        submitted_at=None if minute is None else at(minute),
        body=body,
    )


def approvals(*names: str) -> tuple[Review, ...]:
    """One approval of the head by each of the cast named."""
    return tuple(review(name, number=100 + index, minute=30 + index) for index, name in enumerate(names))


def comment(by: str, body: str, *, minute: float = 60, number: int = 900) -> Comment:
    """An unedited comment."""
    return Comment(id=number, user=person(by), body=body, created_at=at(minute), edited=False)


def commit(
    author: str | None = "contributor",
    committer: str | None = "contributor",
    *co_authors: str | None,
    sha: str = HEAD,
) -> Commit:
    """A commit of the branch; null is somebody without an account."""
    known = {name: None if name is None else person(name) for name in (author, committer, *co_authors)}
    return Commit(
        sha=sha, author=known[author], committer=known[committer], co_authors=tuple(known[name] for name in co_authors)
    )


def pull(*reviews: Review, **changes: Any) -> Pull:
    """A pull request of the contributor with one commit of theirs, which arrived at minute 0."""
    made = Pull(
        number=7,
        title="An example",
        body="",
        draft=False,
        labels=(),
        created_at=at(-60),
        base_ref="main",
        base_repo="example-organisation/registry",
        head_ref="example",
        head_repo="example-fork/registry",
        seen_at=ARRIVED,
        pushed_by=person("contributor"),
        author=person("contributor"),
        triggered_by=None,
        commits=(commit(),),
        reviews=reviews,
        comments=(),
        issues=(),
    )
    return replace(made, **changes)


@cache
def cast_roster() -> Roster:
    """The roster of the demonstration."""
    return to_roster(roster())


@cache
def _starter() -> Mapping[str, bytes]:
    return starter_files()


def edited(*edits: Edit, base: Workspace | None = None) -> Workspace:
    """The starter registry, or another one, after some edits."""
    source = base or Workspace(files=dict(_starter()))
    workspace = Workspace(files=dict(source.files), modes=dict(source.modes))
    for edit in edits:
        edit(workspace)
    return workspace


def tree(workspace: Workspace) -> MemoryTree:
    """The files of a workspace as a tree; modes of files that are gone are forgotten."""
    return MemoryTree(
        workspace.files, {path: mode for path, mode in workspace.modes.items() if path in workspace.files}
    )


@cache
def _schema_set(files: tuple[tuple[str, bytes], ...]) -> SchemaSet:
    """Compiled once for all tests of the same schemas."""
    return SchemaSet(dict(files), label="schemas")


def schemas_of(workspace: Workspace) -> SchemaSet:
    """The schemas that a workspace publishes."""
    found = sorted((path, data) for path, data in workspace.files.items() if path.startswith(SCHEMAS))
    return _schema_set(tuple((path.removeprefix(SCHEMAS).removesuffix(SUFFIX), data) for path, data in found))


def snapshot(*edits: Edit, request: Pull | None = None, base: Iterable[Edit] = (), **fields: Any) -> Snapshot:
    """
    A pull request that makes these edits.

    Args:
        edits: What the branch does.
        request: The pull request; by default one nobody has looked at.
        base: What the base branch has beyond the starter registry.
        fields: Other fields of the snapshot, as they are.
    """
    before = edited(*base)
    after = edited(*edits, base=before)
    old, new = tree(before), tree(after)
    made = Snapshot(
        base_sha=BASE,
        head_sha=HEAD,
        merge_base=BASE,
        base=old,
        merged=new,
        merge_tree=new.oid,
        conflicts=(),
        changes=memory_changes(old, new),
        pull=request or pull(),
        policy=load_policy(before.files.get(SETTINGS_PATH)),
        schemas=schemas_of(before),
        trial=(),
        roster=cast_roster(),
        ledger=Ledger(),
        equivalent_heads=frozenset(),
        updates_from_base={},
        digests=Digests(policy=DIGEST, roster=None, ledger=None, inputs=DIGEST),
        now=NOW,
    )
    return replace(made, **fields)


def decided(*edits: Edit, by: Iterable[str] = (), request: Pull | None = None, **fields: Any) -> Decision:
    """The decision on a pull request that makes these edits and that some of the cast approved."""
    return decide(snapshot(*edits, request=request or pull(*approvals(*by)), **fields))


def row(decision: Decision, name: str) -> Row:
    """One row of a decision."""
    return next(row for row in decision.rows if row.id == name)


def errors(decision: Decision) -> set[str]:
    """Rules of the error findings."""
    return {finding.rule for finding in decision.findings if finding.severity is Severity.ERROR}
