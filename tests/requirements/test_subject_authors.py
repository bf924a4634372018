"""A warning where somebody approves a result of a harness or component that they wrote (ROLE-04, public sign)."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from medgauge_registrar.drafts.situation import Situation
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.git.write import NewCommit, create_repository, write_commits
from medgauge_registrar.inputs import Inputs
from medgauge_registrar.model.change import PathChange
from medgauge_registrar.model.decision import Decision
from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.model.pull import Commit, User
from medgauge_registrar.pipeline import Question, decide_question
from medgauge_registrar.requirements.subject_history import subjects_in_question
from medgauge_registrar.sandbox.cast import address
from medgauge_registrar.sandbox.edits import append
from medgauge_registrar.sandbox.material_results import RESULT_BASE, high, path_of, with_components
from support.memory_tree import memory_changes
from support.situations import situation
from support.snapshots import DIGEST, NOW, cast_roster, decided, edited, person, pull, review

HARNESS, SKILL = "hx-example-loop@0.1.0", "tl-example-skill@0.1.0"
REVIEWS = (review("results reviewer", number=1), review("maintainer", number=2))


def judged(authors: dict[str, tuple[User | None, ...]], *reviews: Any, edit: Any = None) -> Decision:
    """The decision on a result, whose subjects were written by some."""
    request = pull(*(reviews or REVIEWS))
    return decided(edit or high(), base=RESULT_BASE, request=request, subject_authors=authors)


def warned(decision: Decision) -> list[Finding]:
    """What the rule says."""
    return [finding for finding in decision.findings if finding.rule == "ROLE-04"]


@pytest.mark.parametrize(
    ("authors", "told"),
    [
        ({}, 0),
        ({HARNESS: (person("contributor"), None)}, 0),
        ({"hx-example-loop@0.2.0": (person("maintainer"),)}, 0),
        ({HARNESS: (person("contributor"), person("maintainer"))}, 1),
        ({HARNESS: (person("results reviewer"),)}, 1),
    ],
)
def test_an_author_of_the_harness_had_better_not_approve(authors: dict[str, Any], told: int) -> None:
    """It is a warning about the file, names nobody and decides nothing."""
    found = warned(judged(authors))
    assert [(one.severity, one.path) for one in found] == [(Severity.WARNING, path_of("example-model-1-high"))] * told
    assert all("example-person" not in one.message for one in found)
    assert judged(authors).state == judged({}).state


def test_an_author_of_a_component_had_better_not_approve() -> None:
    """Components are measured too."""
    edit = with_components("example-model-1-skill", SKILL)
    assert len(warned(judged({SKILL: (person("maintainer"),)}, edit=edit))) == 1


def test_whoever_holds_no_role_is_warned_alike() -> None:
    """The sign rests on approvals whatever the roles, so that it tells nothing about the roster."""
    authors = {HARNESS: (person("newcomer"),)}
    assert len(warned(judged(authors, *REVIEWS, review("newcomer", number=3)))) == 1


def test_an_objection_is_no_approval() -> None:
    """An author may say what is wrong."""
    authors = {HARNESS: (person("maintainer"),)}
    assert warned(judged(authors, review("maintainer", "CHANGES_REQUESTED", number=2))) == []


def test_only_results_ask_for_authors() -> None:
    """For nothing else is the history read."""
    step = situation(with_components("example-model-1-skill", SKILL), base=RESULT_BASE)
    assert subjects_in_question(step_changes(step), step.head) == {
        HARNESS: ("registry/harnesses/hx-example-loop/0.1.0.yaml",),
        SKILL: ("registry/tools/tl-example-skill/0.1.0.yaml",),
    }
    assert subjects_in_question(step_changes(situation(append("README.md", "\nWords.\n"))), step.head) == {}


def step_changes(step: Situation) -> tuple[PathChange, ...]:
    """The changes between two registries, as git has them."""
    return memory_changes(step.base.tree, step.head.tree)


@pytest.mark.parametrize(("author", "told"), [("maintainer", 1), ("newcomer", 0)])
def test_authors_are_read_from_the_history(tmp_path: Path, author: str, told: int) -> None:
    """The address that GitHub made for an account tells who wrote the harness."""
    folder = tmp_path / "registry.git"
    create_repository(folder)
    before = edited(*RESULT_BASE)
    after = edited(high(), base=before)
    added = {path: data for path, data in after.files.items() if path not in before.files}
    site = person("site")

    def commit(branch: str, parents: list[str], files: Mapping[str, bytes | None], by: str, at: int) -> NewCommit:
        return NewCommit(branch=branch, parents=parents, files=files, modes={}, author=address(by), at=at)

    write_commits(
        folder,
        [
            commit("main", [], dict(before.files), author, 1_790_000_000),
            commit("pull", ["main"], dict(added), "site", 1_790_000_060),
        ],
    )
    with Repository.open(folder) as repository:
        base, head = repository.resolve("main", "pull")
    request = pull(
        *(replace(one, commit=head) for one in REVIEWS),
        author=site,
        pushed_by=site,
        head_repo="example-organisation/registry",
        commits=(Commit(sha=head, author=site, committer=site, co_authors=()),),
    )
    inputs = Inputs(
        pull=request, pull_sha256=DIGEST, roster=cast_roster(), roster_digest=None, ledger=Ledger(), ledger_digest=None
    )
    decision = decide_question(Question(repository=folder, base=base, head=head, inputs=inputs, now=NOW))
    assert len(warned(decision)) == told
