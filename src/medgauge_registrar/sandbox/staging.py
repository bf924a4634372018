"""The pull requests of the demonstration on an embedded GitHub: what people did there, in the order they did it."""

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

from medgauge_registrar.sandbox.build import (
    ARRIVED,
    CREATED,
    FORK,
    REGISTRY,
    head_ref,
    issue_number,
    opened_at,
    own_id,
    replaced_ref,
    reviewed_at,
    said_at,
)
from medgauge_registrar.sandbox.case import Case
from medgauge_registrar.sandbox.cast import CAST, user
from medgauge_registrar.sandbox.github.world import GitHubSandbox


def stage(world: GitHubSandbox, numbered: Iterable[tuple[int, Case]]) -> None:
    """Open each pull request on a world whose folder `build` has filled, with all that happened to it since."""
    for name in CAST:
        world.user(user(name))
    world.host(FORK, parent=REGISTRY)
    for number, case in numbered:
        _open(world, number, case)
        _discuss(world, number, case)


def world_in(folder: Path) -> GitHubSandbox:
    """An embedded GitHub over the registry that `build` wrote."""
    return GitHubSandbox(folder, registry=REGISTRY)


def _open(world: GitHubSandbox, number: int, case: Case) -> None:
    author = user(case.author)
    for issue in case.issues:
        world.add_issue(
            issue.title,
            issue.body,
            by=user(issue.by),
            number=issue_number(number, issue),
            labels=issue.labels,
            created_at=CREATED - timedelta(days=issue.days_before),
        )
    store = world.registry.store
    head = store.commit_at(head_ref(number)).sha
    first = store.commit_at(replaced_ref(number)).sha if case.replaced else head
    world.add_pull(
        first,
        by=author,
        number=number,
        title=case.pull_title or case.title,
        body=case.body,
        head_ref=case.branch or f"pull-{number}",
        head_repo=FORK if case.in_fork else REGISTRY,
        draft=case.draft,
        closes=[issue_number(number, issue) for issue in case.issues],
        created_at=opened_at(case),
    )
    for index, review in enumerate(case.reviews, start=1):
        if review.before_push:
            _review(world, number, case, index)
    if case.replaced:
        world.push(number, head, by=author, at=ARRIVED, moves_reviews=True)


def _discuss(world: GitHubSandbox, number: int, case: Case) -> None:
    for index, review in enumerate(case.reviews, start=1):
        if not review.before_push:
            _review(world, number, case, index)
    for index, said in enumerate(case.comments, start=1):
        comment = world.comment(number, said.body, by=user(said.by), at=said_at(index), id=own_id(number, index))
        if said.edited:
            world.edit_comment(comment.id, said.body, by=user(said.by), at=said_at(index))


def _review(world: GitHubSandbox, number: int, case: Case, index: int) -> None:
    review = case.reviews[index - 1]
    at = reviewed_at(index, review)
    world.review(number, by=user(review.by), state=review.state, body=review.body, at=at, id=own_id(number, index))
