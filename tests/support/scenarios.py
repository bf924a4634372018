"""Scenarios: the folders of `tests/scenarios/` made into pull requests, and read as strictly as records are."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from medgauge_registrar.inputs import to_ledger
from medgauge_registrar.model.decision import Decision
from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.model.pull import Comment, Commit, Issue, Pull, Review, User
from medgauge_registrar.registry.reader import LIMITS, Syntax, read_document
from medgauge_registrar.sandbox.cast import LEDGER
from medgauge_registrar.sandbox.edits import Edit, Workspace
from support.snapshots import HEAD, approvals, at, comment, decided, person, pull, review

SCENARIOS = Path(__file__).parents[1] / "scenarios"
FOLDERS = sorted(folder for folder in SCENARIOS.iterdir() if folder.is_dir())
CASE_KEYS = {"shows", "state", "rules", "set_aside", "ledger", "copy", "replace", "remove", "move", "pull"}
PULL_KEYS = {
    "number", "author", "committer", "co_authors", "pushed_by", "triggered_by", "in_fork", "draft", "body",
    "approved_by", "reviews", "comments", "issues",
}  # fmt: skip
REVIEW_KEYS = {"by", "state", "minute", "commit", "body"}
COMMENT_KEYS = {"by", "body", "minute"}
ISSUE_KEYS = {"number", "title", "body"}
# A case may name hostile files, so it takes any character, as a pull file does.
LIMITS_OF_A_CASE = replace(LIMITS, foreign_text=True)
# Accounts outside the cast, by the names the cases use.
OUTSIDERS: Mapping[str, User] = {
    "automation": User(id=9901, login="example-automation[bot]", type="Bot"),
    "maintainer, renamed": User(id=person("maintainer").id, login="example-person-renamed", type="User"),
    "new owner of the maintainer's login": User(id=9902, login=person("maintainer").login, type="User"),
}
# Who wrote the grading references of the starter registry.
REFERENCE_AUTHORS = {name: (person("author of references"),) for name in ("gr-example-dose", "gr-example-unit")}


def case_of(folder: Path) -> Mapping[str, Any]:
    """The facts of a scenario, free of misspelt keys."""
    document = read_document((folder / "case.yml").read_bytes(), syntax=Syntax.YAML, limits=LIMITS_OF_A_CASE)
    assert not document.faults, document.faults
    return known(document.value, CASE_KEYS)


@cache
def decision_of(folder: Path) -> Decision:
    """The decision on a scenario."""
    case = case_of(folder)
    return decided(
        overlay(folder / "head"),
        changes(case),
        request=pull_of(known(case.get("pull", {}), PULL_KEYS)),
        base=(overlay(folder / "base"),),
        ledger=to_ledger(dict(LEDGER)) if case.get("ledger", False) else Ledger(),
        reference_authors=REFERENCE_AUTHORS,
    )


def known(value: Any, keys: set[str]) -> Mapping[str, Any]:
    """A mapping with no other keys than these."""
    assert isinstance(value, dict)
    assert value.keys() <= keys, value.keys() - keys
    return value


def overlay(folder: Path) -> Edit:
    """The files of a folder, written over those that are there."""

    def edit(workspace: Workspace) -> None:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                workspace.files[path.relative_to(folder).as_posix()] = path.read_bytes()

    return edit


def changes(case: Mapping[str, Any]) -> Edit:
    """What the branch does besides: copies of files, texts replaced in them, files taken away or moved."""

    def edit(workspace: Workspace) -> None:
        files = workspace.files
        for new, old in case.get("copy", {}).items():
            files[new] = files[old]
        for item in case.get("replace", []):
            old, new = item["from"].encode(), item["to"].encode()
            places = [path for path in files if fnmatchcase(path, item["in"])]
            assert places
            assert all(old in files[path] for path in places), item
            files.update({path: files[path].replace(old, new) for path in places})
        for path in case.get("remove", []):
            del files[path]
        for old, new in case.get("move", {}).items():
            files[new] = files.pop(old)

    return edit


def account(name: str | None) -> User | None:
    """Somebody of the cast, an outsider, or an account that no longer exists."""
    return None if name is None else OUTSIDERS.get(name) or person(name)


def pull_of(facts: Mapping[str, Any]) -> Pull:
    """
    The pull request of a scenario.

    Minutes count from the arrival of the head; reviews come half an hour after it, comments an hour, unless told otherwise.
    """
    author = facts.get("author", "contributor")
    return pull(
        *approvals(*facts.get("approved_by", [])),
        *_reviews(facts.get("reviews", [])),
        number=facts.get("number", 7),
        body=facts.get("body", ""),
        draft=facts.get("draft", False),
        author=account(author),
        pushed_by=account(facts.get("pushed_by", author)),
        triggered_by=account(facts.get("triggered_by")),
        head_repo="example-fork/registry" if facts.get("in_fork", True) else "example-organisation/registry",
        commits=(
            Commit(
                sha=HEAD,
                author=account(author),
                committer=account(facts.get("committer", author)),
                co_authors=tuple(account(name) for name in facts.get("co_authors", [])),
            ),
        ),
        comments=_comments(facts.get("comments", [])),
        issues=_issues(facts.get("issues", [])),
    )


def _reviews(items: Sequence[Any]) -> tuple[Review, ...]:
    return tuple(
        review(
            account(item["by"]),
            item.get("state", "APPROVED"),
            number=200 + index,
            minute=item.get("minute", 30 + index),
            commit=item.get("commit", HEAD),
            body=item.get("body", ""),
        )
        for index, item in enumerate(known(item, REVIEW_KEYS) for item in items)
    )


def _comments(items: Sequence[Any]) -> tuple[Comment, ...]:
    return tuple(
        comment(item["by"], item["body"], minute=item.get("minute", 60 + index), number=900 + index)
        for index, item in enumerate(known(item, COMMENT_KEYS) for item in items)
    )


def _issues(items: Sequence[Any]) -> tuple[Issue, ...]:
    """Requests for comment, opened three weeks before the head arrived."""
    return tuple(
        Issue(
            number=item["number"],
            title=item["title"],
            body=item["body"],
            labels=("request-for-comment",),
            user=person("contributor"),
            created_at=at(0) - timedelta(days=21),
            state="open",
        )
        for item in (known(item, ISSUE_KEYS) for item in items)
    )
