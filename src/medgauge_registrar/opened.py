"""One registry to look at: that of a commit, or of the work tree."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from medgauge_registrar.git.repository import Repository
from medgauge_registrar.policy.load import tree_policy
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.whole import schemas_of, tree_at


@contextmanager
def registry_at(repository: Path, revision: str | None) -> Iterator[Registry]:
    """
    Open the registry of a commit; for null that of the work tree.

    Raises:
        ReadError: The repository, the commit or the work tree cannot be read.
        PolicyError: The settings of the registry are unusable.
    """
    with Repository.open(repository) as opened:
        tree = tree_at(opened, revision)
        yield Registry(tree, tree_policy(tree).layout, schemas_of(tree))
