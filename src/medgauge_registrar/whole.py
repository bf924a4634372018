"""`registrar check`: the build checks over a commit, a work tree, or what changed between two commits."""

import os
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, date, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path

from medgauge_registrar.checks.changes import check_changes
from medgauge_registrar.checks.content_branch import check_branch
from medgauge_registrar.checks.framework import Context
from medgauge_registrar.checks.run import check_reached, check_tree
from medgauge_registrar.classify.classify import classify
from medgauge_registrar.git.changes import compare
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.git.worktree import WorkTree
from medgauge_registrar.model.finding import Finding
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.tree import Tree
from medgauge_registrar.policy.load import Policy, tree_policy
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.registry.schemas import SchemaSet, shipped_schemas
from medgauge_registrar.registry.sources import FOLDER, tree_schemas

# Files from which a second process pays for its start.
PARALLEL_FROM_FILES = 1_000
MAX_PROCESSES = 8


@frozen
class Scope:
    """
    What to check.

    Attributes:
        repository: Folder of the repository.
        revision: Commit to check; null: the work tree.
        base: Commit to compare with; null: check everything.
        shard: Part to check, from 0, and the number of parts.
        latest_day: A day that is not in the future anywhere.
    """

    repository: Path
    revision: str | None
    base: str | None
    shard: tuple[int, int]
    latest_day: date


def today_anywhere() -> date:
    """The day it is where the day begins first (UTC+14)."""
    return (datetime.now(UTC) + timedelta(hours=14)).date()


def check(scope: Scope) -> list[Finding]:
    """
    Run the build checks.

    Raises:
        ReadError: The repository could not be read whole.
        PolicyError: The settings of the registry are unusable.
    """
    if scope.base is not None:
        return _check_change(scope)
    _, shards = scope.shard
    processes = _processes(scope) if shards == 1 else 1
    if processes == 1:
        return _check_part(scope)
    parts = [
        Scope(
            repository=scope.repository,
            revision=scope.revision,
            base=None,
            shard=(part, processes),
            latest_day=scope.latest_day,
        )
        for part in range(processes)
    ]
    with ProcessPoolExecutor(processes, mp_context=get_context("fork")) as pool:
        found = {finding for part in pool.map(_check_part, parts) for finding in part}
    return sorted(found, key=lambda finding: finding.order)


def _processes(scope: Scope) -> int:
    """How many processes are worth it; counted before any is started, with the repository closed again."""
    with Repository.open(scope.repository) as repository:
        tree = tree_at(repository, scope.revision)
        files = sum(1 for _ in tree.walk(""))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MAX_PROCESSES) if files >= PARALLEL_FROM_FILES else 1


def _check_part(scope: Scope) -> list[Finding]:
    shard, shards = scope.shard
    with Repository.open(scope.repository) as repository:
        tree = tree_at(repository, scope.revision)
        policy = tree_policy(tree)
        return check_tree(_context(tree, policy, schemas_of(tree), scope.latest_day), shard=shard, shards=shards)


def _check_change(scope: Scope) -> list[Finding]:
    assert scope.base is not None
    with Repository.open(scope.repository) as repository:
        (base_sha,) = repository.resolve(scope.base)
        tip = repository.tree(base_sha)
        policy = tree_policy(tip)
        schemas = schemas_of(tip)
        # What the base did since is not the author's doing, so the change begins where the two histories part.
        (head_sha,) = repository.resolve(scope.revision or "HEAD")
        merge_base = repository.merge_base(base_sha, head_sha)
        base_tree = repository.tree(merge_base)
        if scope.revision is None:
            tree: Tree = WorkTree.open(repository)
            changes = compare(base_tree, tree)
        else:
            tree = repository.tree(head_sha)
            changes = repository.changes(base_tree.oid, tree.oid)
        base = Registry(base_tree, policy.layout, schemas)
        context = _context(tree, policy, schemas, scope.latest_day)
        classified = classify(changes, base=base, head=context.registry, table=policy.table)
        meaning = tuple(item.change for item in classified)
        branch = repository.branch(repository.commits(merge_base, head_sha), [tip, tree])
        found = {
            *check_branch(context, branch),
            *check_reached(context, base, meaning),
            *check_changes(context, base, meaning),
        }
        return sorted(found, key=lambda finding: finding.order)


def _context(tree: Tree, policy: Policy, schemas: SchemaSet, latest_day: date) -> Context:
    return Context(registry=Registry(tree, policy.layout, schemas), settings=policy.settings, latest_day=latest_day)


def tree_at(repository: Repository, revision: str | None) -> Tree:
    """
    The tree of a commit; for null the work tree.

    Raises:
        ReadError: There is no such commit, or the work tree cannot be read.
    """
    if revision is None:
        return WorkTree.open(repository)
    return repository.tree(repository.resolve(revision)[0])


def schemas_of(tree: Tree) -> SchemaSet:
    """The schemas the tree publishes; the shipped ones for a tree that publishes none."""
    return tree_schemas(tree) if tree.names(FOLDER) else shipped_schemas()
