"""What the commits of a branch introduce, against each of their parents."""

from dataclasses import replace
from pathlib import Path

import pytest

from medgauge_registrar.git import history
from medgauge_registrar.git.limits import DEFAULT_LIMITS
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.model.errors import ReadError
from support.repositories import MadeRepository


@pytest.fixture
def made(tmp_path: Path) -> MadeRepository:
    return MadeRepository(tmp_path / "repository.git")


def brought(made: MadeRepository, base: str, head: str) -> dict[str, list[bytes]]:
    with Repository.open(made.folder) as repository:
        found = repository.introduced(repository.commits(repository.merge_base(base, head), head))
        contents: dict[str, list[bytes]] = {}
        for path, data in repository.contents(found.files):
            contents.setdefault(path, []).append(data)
        return {path: sorted(data) for path, data in contents.items()}


def test_every_version_is_found(made: MadeRepository) -> None:
    """Each content that a commit gives a path counts once, whatever later commits make of it."""
    base = made.commit({"a": "0"})
    one = made.commit({"a": "1", "b": "x"}, base, branch="change")
    two = made.commit({"a": "2"}, one, branch="change")
    three = made.commit({"a": "1"}, two, branch="change")
    assert brought(made, base, three) == {"a": [b"1", b"2"], "b": [b"x"]}


def test_merges_of_the_base_bring_nothing(made: MadeRepository) -> None:
    """What came in from the base is not the branch's own, what the merge itself adds is."""
    base = made.commit({"a": "0"})
    change = made.commit({"a": "0", "own": "1"}, base, branch="change")
    moved = made.commit({"a": "9", "new": "9"}, base)
    merge = made.commit({"a": "9", "new": "9", "own": "1", "evil": "!"}, change, moved, branch="change")
    assert brought(made, moved, merge) == {"own": [b"1"], "evil": [b"!"]}


def test_unrelated_root_counts_whole(made: MadeRepository) -> None:
    """A commit without parents brings all that it holds."""
    base = made.commit({"a": "0"})
    root = made.commit({"b": "1"}, branch="root")
    merge = made.commit({"a": "0", "b": "1"}, base, root, branch="change")
    assert brought(made, base, merge) == {"b": [b"1"]}


def test_messages_come_in_order(made: MadeRepository) -> None:
    """Each commit's message is given, the newest first as the commits are listed."""
    base = made.commit({"a": "0"})
    one = made.commit({"a": "1"}, base, branch="change", message="One")
    two = made.commit({"a": "2"}, one, branch="change", message="Two\n\nMore")
    with Repository.open(made.folder) as repository:
        found = repository.introduced([two, one])
    assert found.messages == ("Two\n\nMore", "One")


def test_links_and_submodules_are_left_to_others(made: MadeRepository) -> None:
    """Only regular files have contents of their own."""
    base = made.commit({"a": "0"})
    head = made.commit({"a": "0", "link": "a"}, base, branch="change", modes={"link": "120000"})
    assert brought(made, base, head) == {}


def test_too_many_changes_are_an_error(made: MadeRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    """A branch that changes too much over all its commits is not looked at in part."""
    monkeypatch.setattr(history, "MAX_DIFFERENCES", 3)
    base = made.commit({"a": "0"})
    head = base
    for number in range(4):
        head = made.commit({"a": str(number + 1)}, head, branch="change")
    with pytest.raises(ReadError, match="squash or split"):
        brought(made, base, head)


def test_too_many_bytes_are_an_error(made: MadeRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sizes are added up before any content is read."""
    monkeypatch.setattr(history, "MAX_CONTENTS_BYTES", 3)
    base = made.commit({"a": "0"})
    head = made.commit({"a": "1234"}, base, branch="change")
    with pytest.raises(ReadError, match="too large"):
        brought(made, base, head)


def test_large_message_is_an_error(made: MadeRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    """A commit that is larger than any message is refused before it is read."""
    monkeypatch.setattr(history, "MAX_COMMIT_BYTES", 300)
    base = made.commit({"a": "0"})
    head = made.commit({"a": "1"}, base, branch="change", message="x" * 400)
    with pytest.raises(ReadError, match="shorten the messages"):
        brought(made, base, head)


def test_one_large_file_is_an_error(made: MadeRepository) -> None:
    """The bound on a single file holds for contents of the past as well."""
    base = made.commit({"a": "0"})
    head = made.commit({"a": "1" * 2_000}, base, branch="change")
    with Repository.open(made.folder, replace(DEFAULT_LIMITS, blob_bytes=1_000)) as repository:
        found = repository.introduced([head])
        with pytest.raises(ReadError, match="too large"):
            list(repository.contents(found.files))
