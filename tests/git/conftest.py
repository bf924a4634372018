from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from medgauge_registrar.git.limits import Limits
from medgauge_registrar.git.repository import Repository
from support.repositories import MadeRepository


@pytest.fixture
def made(tmp_path: Path) -> MadeRepository:
    """An empty bare repository."""
    return MadeRepository(tmp_path / "made")


@pytest.fixture
def opened() -> Iterator[Callable[..., Repository]]:
    """Open repositories, with limits if wanted, and close them when the test ends."""
    repositories: list[Repository] = []

    def open_one(made: MadeRepository | Path, **limits: Any) -> Repository:
        folder = made.folder if isinstance(made, MadeRepository) else made
        repositories.append(Repository.open(folder, Limits(**limits)))
        return repositories[-1]

    yield open_one
    for repository in repositories:
        repository.close()
