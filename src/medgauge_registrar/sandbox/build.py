"""The registry of the demonstration in git, and each of its pull requests as files that `registrar decide` reads."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from medgauge_registrar.git.write import NewCommit, create_repository, write_commits
from medgauge_registrar.sandbox.case import Case, Linked, Review
from medgauge_registrar.sandbox.cases import BASE_MOVES, CASES
from medgauge_registrar.sandbox.cast import account, address, roster
from medgauge_registrar.sandbox.edits import Workspace, swap
from medgauge_registrar.sandbox.github.objects import GitStore
from medgauge_registrar.sandbox.material import SETTINGS
from medgauge_registrar.sandbox.settings_trial import settings_on_trial
from medgauge_registrar.starter import starter_files

REGISTRY = "example-organisation/registry"
START = datetime(2026, 11, 29, 8, 0, tzinfo=UTC)
CREATED, ARRIVED = START + timedelta(hours=1), START + timedelta(hours=2)
NOW = START + timedelta(hours=8)
FORK = "example-fork/registry"
# Who wrote what the registry began with, its grading references among it.
_FOUNDER = "author of references"
_MESSAGE = "registrar demonstration"


def build(folder: Path, *, tried: bytes | None = None) -> None:
    """
    Write the repository, a pull file for every case, the roster, and the ledgers of cases that have one.

    Args:
        folder: An empty folder.
        tried: Settings that the base branch takes on once every pull request is open; null: it keeps its own.

    Raises:
        PolicyError: The settings could not be used in a registry.
        ReadError: Git refused.
    """
    repository = folder / "registry.git"
    create_repository(repository)
    base = Workspace(files=starter_files())
    # A registry that names no roster has nobody who could approve.
    swap(SETTINGS, "roster:\n  source: none", "roster:\n  source: secret")(base)
    moved = Workspace(files=dict(base.files))
    for edit in BASE_MOVES:
        edit(moved)
    at = START
    commits = [
        _commit("main", [], Workspace(files={}), base, at, _FOUNDER),
        # Branches that start here see the base move on without them.
        _commit("old", ["main"], base, base, at + timedelta(minutes=1), _FOUNDER),
        _commit("main", ["old"], base, moved, at + timedelta(minutes=2), _FOUNDER),
    ]
    for number, case in enumerate(CASES, start=1):
        commits += _branch(number, case, base if case.from_old_base else moved)
    if tried is not None:
        trial = Workspace(files=moved.files | {SETTINGS: settings_on_trial(moved.files[SETTINGS], tried)})
        commits.append(_commit("main", ["main"], moved, trial, at + timedelta(minutes=3), _FOUNDER))
    write_commits(repository, commits)
    for name in ("pulls", "ledgers"):
        (folder / name).mkdir()
    _write(folder / "roster.json", roster())
    store = GitStore(repository)
    main = store.commit_at("refs/heads/main")
    for number, case in enumerate(CASES, start=1):
        head = store.commit_at(head_ref(number))
        shas = [commit.sha for commit in store.between(main.sha, head.sha)]
        _write(folder / "pulls" / f"{number}.json", pull_facts(number, case, head.sha, shas))
        if case.ledger is not None:
            _write(folder / "ledgers" / f"{number}.json", case.ledger)


def head_ref(number: int) -> str:
    """Where the head of a pull request lies."""
    return f"refs/pull/{number}/head"


def replaced_ref(number: int) -> str:
    """Where the head lies that a forced push replaced, of a case that has one."""
    return f"refs/sandbox/replaced/{number}"


def pull_facts(number: int, case: Case, head_sha: str, shas: Sequence[str]) -> dict[str, Any]:
    """The pull file of a case."""
    author = account(case.author)
    # GitHub shows whoever wrote a commit as a user, a bot as well.
    writer = {**author, "type": "User"}
    return {
        "number": number,
        "title": case.pull_title or case.title,
        "body": case.body,
        "draft": case.draft,
        "labels": [],
        "created_at": written(opened_at(case)),
        "base": {"ref": "main", "repo": REGISTRY},
        "head": {
            "ref": case.branch or f"pull-{number}",
            "repo": FORK if case.in_fork else REGISTRY,
            "seen_at": written(ARRIVED),
            "pushed_by": author,
        },
        "author": author,
        "triggered_by": None,
        "commits": [
            {
                "sha": sha,
                "author": writer,
                "committer": writer,
                "co_authors": [account(name) for name in case.co_authors],
            }
            for sha in shas
        ],
        "reviews": [
            {
                "id": own_id(number, index),
                "user": account(review.by),
                "state": review.state,
                # GitHub moves the commit of a review along with the branch, so a stale one may name the head.
                "commit": head_sha,
                "submitted_at": written(reviewed_at(index, review)),
                "body": review.body,
            }
            for index, review in enumerate(case.reviews, start=1)
        ],
        "comments": [
            {
                "id": own_id(number, index),
                "user": account(said.by),
                "body": said.body,
                "created_at": written(said_at(index)),
                "edited": said.edited,
                **({"edited_at": written(said_at(index)), "edited_by": account(said.by)} if said.edited else {}),
            }
            for index, said in enumerate(case.comments, start=1)
        ],
        "deleted_comments": [],
        "issues": [
            {
                "number": issue_number(number, issue),
                "title": issue.title,
                "body": issue.body,
                "labels": list(issue.labels),
                "user": account(issue.by),
                "created_at": written(CREATED - timedelta(days=issue.days_before)),
                "edited_at": None,
                "state": "open",
            }
            for issue in case.issues
        ],
    }


def own_id(number: int, index: int) -> int:
    """The id of a pull request's review or comment."""
    return 1_000_000 + number * 1000 + index


def issue_number(number: int, issue: Linked) -> int:
    """The number of an issue that is linked to a pull request; none of them is a pull request's."""
    return 10_000 + number * 10 + issue.number


def opened_at(case: Case) -> datetime:
    """When a pull request was opened: as its head arrived, unless there was another head before."""
    return CREATED if case.replaced else ARRIVED


def reviewed_at(index: int, review: Review) -> datetime:
    """When a review was given."""
    return ARRIVED + timedelta(minutes=-30 if review.before_push else 30 + index)


def said_at(index: int) -> datetime:
    """When a comment was written; they come after the reviews."""
    return ARRIVED + timedelta(minutes=90 + index)


def written(moment: datetime) -> str:
    """A time as a pull file holds it."""
    return moment.isoformat().replace("+00:00", "Z")


def _branch(number: int, case: Case, source: Workspace) -> Iterator[NewCommit]:
    """The commits of a case; those of a head that was replaced come first, under a name that nobody fetches."""
    start = "old" if case.from_old_base else "main"
    # No two branches with the same commits: those would share their status.
    at = START + timedelta(minutes=10, seconds=number)
    for name, steps in ((replaced_ref(number), case.replaced), (head_ref(number), case.commits)):
        before, parent = source, start
        for step, edits in enumerate(steps):
            after = Workspace(files=dict(before.files), modes=dict(before.modes))
            for edit in edits:
                edit(after)
            when = case.dated or at + timedelta(minutes=step)
            yield _commit(name, [parent], before, after, when, case.author, case.co_authors)
            before, parent = after, name


def _commit(
    name: str,
    parents: Sequence[str],
    before: Workspace,
    after: Workspace,
    at: datetime,
    author: str,
    co_authors: Sequence[str] = (),
) -> NewCommit:
    """The commit that turns one set of files into another."""
    changed: dict[str, bytes | None] = {
        path: contents
        for path, contents in after.files.items()
        if before.files.get(path) != contents or before.modes.get(path) != after.modes.get(path)
    }
    changed |= dict.fromkeys(before.files.keys() - after.files.keys())
    trailers = "".join(f"\nCo-authored-by: {address(name)}" for name in co_authors)
    return NewCommit(
        branch=name,
        parents=parents,
        files=changed,
        modes=after.modes,
        author=address(author),
        at=int(at.timestamp()),
        message=f"{_MESSAGE}\n{trailers}" if trailers else _MESSAGE,
    )


def _write(path: Path, value: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
