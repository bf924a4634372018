"""`registrar demo`: a real repository with pull requests for every row, decided by the code that decides real ones."""

import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markdown import Markdown
from rich.panel import Panel
from rich.progress import track
from rich.table import Table

from medgauge_registrar.git.repository import Repository
from medgauge_registrar.git.write import NewCommit, create_repository, write_commits
from medgauge_registrar.inputs import read_inputs
from medgauge_registrar.model.decision import Decision, EvidenceState, State
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.pipeline import Question, decide_question
from medgauge_registrar.report.comment import render_comment
from medgauge_registrar.report.document import decision_json
from medgauge_registrar.sandbox.case import Case
from medgauge_registrar.sandbox.cases import BASE_MOVES, CASES
from medgauge_registrar.sandbox.cast import account, address, roster
from medgauge_registrar.sandbox.edits import Workspace
from medgauge_registrar.starter import starter_files

REGISTRY = "example-organisation/registry"
START = datetime(2026, 11, 29, 8, 0, tzinfo=UTC)
NOW = START + timedelta(hours=8)
# Who wrote what the registry began with, its grading references among it.
_FOUNDER = "author of references"
_TAG = lazy_pattern(r"</?(?:details|summary|sub|b|br)\b[^>]*>|<!--.*?-->", re.DOTALL)
_SIGNS = {State.APPROVED: "green", State.PENDING: "yellow", State.BLOCKED: "red", State.ERROR: "magenta"}


@frozen
class Outcome:
    """A case, how it was decided, and what of the expectation is not met (empty: all is)."""

    number: int
    case: Case
    decision: Decision
    unmet: str


def run_demo(*, only: int | None, keep: Path | None) -> int:
    """
    Build the registry, decide every pull request and show the comments.

    Args:
        only: Number of the one pull request to decide; null: all.
        keep: Folder to leave repository, pull files and roster in; null: a temporary one.

    Returns:
        0 if every pull request was decided as expected, else 1.

    Raises:
        PolicyError: There is no pull request of that number, or the folder is not empty.
        ReadError: Git refused.
    """
    console = Console()
    numbered = [(number, case) for number, case in enumerate(CASES, start=1) if only in {None, number}]
    if not numbered:
        raise PolicyError(f"there is no demonstration pull request {only}; they are 1 to {len(CASES)}")
    with _folder(keep) as folder:
        console.print(f"Building a registry with {len(CASES)} pull requests in git …")
        build(folder)
        outcomes = [
            _decide(folder, number, case)
            for number, case in track(numbered, description="Deciding", console=console, transient=True)
        ]
        for outcome in outcomes:
            console.print(_panel(outcome))
        console.print(_table(outcomes))
        if keep is not None:
            console.print(f"Kept in {folder}: registry.git, pulls/N.json, roster.json, ledgers/N.json", soft_wrap=True)
    wrong = [outcome for outcome in outcomes if outcome.unmet]
    console.print(
        f"{len(outcomes) - len(wrong)} of {len(outcomes)} pull requests decided as expected.",
        style="green" if not wrong else "red",
    )
    return 1 if wrong else 0


def build(folder: Path) -> None:
    """Write the repository, a pull file for every case, the roster, and the ledgers of cases that have one."""
    repository = folder / "registry.git"
    create_repository(repository)
    base = Workspace(files=starter_files())
    moved = Workspace(files=dict(base.files))
    for edit in BASE_MOVES:
        edit(moved)
    at = int(START.timestamp())
    commits = [
        _commit("main", [], Workspace(files={}), base, at, _FOUNDER),
        # Branches that start here see the base move on without them.
        _commit("old", ["main"], base, base, at + 60, _FOUNDER),
        _commit("main", ["old"], base, moved, at + 120, _FOUNDER),
    ]
    for number, case in enumerate(CASES, start=1):
        source = base if case.from_old_base else moved
        parent = "old" if case.from_old_base else "main"
        for step, edits in enumerate(case.commits):
            workspace = Workspace(files=dict(source.files), modes=dict(source.modes))
            for edit in edits:
                edit(workspace)
            branch = f"pull-{number}"
            commits.append(_commit(branch, [parent], source, workspace, at + 600 + step * 60, case.author))
            source, parent = workspace, branch
    write_commits(repository, commits)
    for name in ("pulls", "ledgers"):
        (folder / name).mkdir()
    _write(folder / "roster.json", roster())
    with Repository.open(repository) as opened:
        for number, case in enumerate(CASES, start=1):
            base_sha, head_sha = opened.resolve("main", f"pull-{number}")
            shas = opened.commits(opened.merge_base(base_sha, head_sha), head_sha)
            _write(folder / "pulls" / f"{number}.json", pull_facts(number, case, head_sha, shas))
            if case.ledger is not None:
                _write(folder / "ledgers" / f"{number}.json", case.ledger)


def pull_facts(number: int, case: Case, head_sha: str, shas: Sequence[str]) -> dict[str, Any]:
    """The pull file of a case."""
    arrived = START + timedelta(hours=2)
    reviews = []
    for index, review in enumerate(case.reviews, start=1):
        minutes = -30 if review.before_push else 30 + index
        reviews.append(
            {
                "id": number * 100 + index,
                "user": {**account(review.by), "type": review.account_type},
                "state": review.state,
                # GitHub moves the commit of a review along with the branch, so a stale one may name the head.
                "commit": head_sha,
                "submitted_at": _time(arrived + timedelta(minutes=minutes)),
                "body": review.body,
            }
        )
    author = account(case.author)
    created = START + timedelta(hours=1)
    return {
        "number": number,
        "title": case.pull_title or case.title,
        "body": case.body,
        "draft": case.draft,
        "labels": [],
        "created_at": _time(created),
        "base": {"ref": "main", "repo": REGISTRY},
        "head": {
            "ref": f"pull-{number}",
            "repo": "example-fork/registry" if case.in_fork else REGISTRY,
            "seen_at": _time(arrived),
            "pushed_by": author,
        },
        "author": author,
        "triggered_by": None,
        "commits": [
            {
                "sha": sha,
                "author": author,
                "committer": author,
                "co_authors": [account(name) for name in case.co_authors],
            }
            for sha in shas
        ],
        "reviews": reviews,
        "comments": [
            {
                "id": number * 100 + 50 + index,
                "user": account(said.by),
                "body": said.body,
                "created_at": _time(arrived + timedelta(minutes=90 + index)),
                "edited": said.edited,
            }
            for index, said in enumerate(case.comments)
        ],
        "issues": [
            {
                "number": issue.number,
                "title": issue.title,
                "body": issue.body,
                "labels": list(issue.labels),
                "user": {**account(issue.by), "type": issue.account_type},
                "created_at": _time(created - timedelta(days=issue.days_before)),
                "state": "open",
            }
            for issue in case.issues
        ],
    }


def _decide(folder: Path, number: int, case: Case) -> Outcome:
    ledger = folder / "ledgers" / f"{number}.json" if case.ledger is not None else None
    inputs = read_inputs(folder / "pulls" / f"{number}.json", folder / "roster.json", ledger, digest_key=None)
    decision = decide_question(
        Question(repository=folder / "registry.git", base="main", head=f"pull-{number}", inputs=inputs, now=NOW)
    )
    return Outcome(number=number, case=case, decision=decision, unmet=_unmet(case, decision))


def _unmet(case: Case, decision: Decision) -> str:
    """Say what a decision lacks of what its case expects."""
    if decision.state is not case.expected:
        return f"state {decision.state}"
    rows = {row.id for row in decision.rows}
    if not set(case.rows) <= rows:
        return f"rows {', '.join(sorted(rows)) or 'none'}"
    errors = {finding.rule for finding in decision.findings if finding.severity is Severity.ERROR}
    if errors != set(case.errors):
        return f"errors {', '.join(sorted(errors)) or 'none'}"
    reasons = {aside.reason for aside in decision.set_aside}
    if not set(case.set_aside) <= reasons:
        return f"set aside {', '.join(sorted(reasons)) or 'none'}"
    kept = {item.id for row in decision.rows for item in row.evidence if item.state is EvidenceState.SATISFIED}
    kept |= {item.rule for row in decision.rows for item in row.separation if item.state is EvidenceState.SATISFIED}
    if wrongly := sorted(kept & set(case.unsatisfied)):
        return f"satisfied {', '.join(wrongly)}"
    shown = decision_json(decision) + render_comment(decision)
    # What must not be shown is not shown here either.
    return "closed words in an output" if any(words in shown for words in case.closed) else ""


def _panel(outcome: Outcome) -> Panel:
    readable = _TAG.sub("", render_comment(outcome.decision))
    return Panel(
        Markdown(readable, hyperlinks=False),
        title=f"Pull request {outcome.number}: {outcome.case.title}",
        border_style=_SIGNS[outcome.decision.state],
    )


def _table(outcomes: Sequence[Outcome]) -> Table:
    table = Table(title="Expected against decided")
    for heading in ("#", "row", "pull request", "expected", "decided", ""):
        table.add_column(heading)
    for outcome in outcomes:
        errors = ", ".join(outcome.case.errors)
        expected = f"{outcome.case.expected}" + (f" ({errors})" if errors else "")
        decided = outcome.unmet or outcome.decision.state.value
        table.add_row(
            str(outcome.number),
            ", ".join(outcome.case.rows),
            outcome.case.title,
            expected,
            decided + _waits_for(outcome.decision),
            "✗" if outcome.unmet else "✓",
            style="red" if outcome.unmet else None,
        )
    return table


def _waits_for(decision: Decision) -> str:
    """Rules that a pending decision waits for because they cannot be decided yet."""
    if decision.state is not State.PENDING:
        return ""
    waiting = [item.id for row in decision.rows for item in row.evidence if item.state is EvidenceState.UNDECIDED]
    waiting += [item.rule for row in decision.rows for item in row.separation if item.state is EvidenceState.UNDECIDED]
    return f": waits for {', '.join(dict.fromkeys(waiting))}" if waiting else ""


def _commit(
    branch: str, parents: Sequence[str], before: Workspace, after: Workspace, at: int, author: str
) -> NewCommit:
    """The commit that turns one set of files into another."""
    changed: dict[str, bytes | None] = {
        path: contents
        for path, contents in after.files.items()
        if before.files.get(path) != contents or before.modes.get(path) != after.modes.get(path)
    }
    changed |= dict.fromkeys(before.files.keys() - after.files.keys())
    return NewCommit(branch=branch, parents=parents, files=changed, modes=after.modes, author=address(author), at=at)


def _write(path: Path, value: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _time(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        if keep.exists() and any(keep.iterdir()):
            raise PolicyError(f"`{keep}` is not empty; name a new folder")
        keep.mkdir(parents=True, exist_ok=True)
        yield keep
        return
    folder = Path(tempfile.mkdtemp(prefix="registrar-demo-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
