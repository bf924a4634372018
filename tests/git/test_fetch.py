"""Objects from a server: checked as they come, with a token that stands nowhere, and nothing checked out."""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from medgauge_registrar.git import fetch
from medgauge_registrar.git.fetch import Mirror
from medgauge_registrar.git.limits import MAX_BLOB_BYTES
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.model.errors import ReadError
from support.repositories import MadeRepository

TOKEN = "example-secret-token"


@pytest.fixture
def made(tmp_path: Path) -> MadeRepository:
    """A server's repository with two branches that leave `main`."""
    repository = MadeRepository(tmp_path / "server.git")
    first = repository.commit({"README.md": "One.\n"})
    for name in ("one", "two"):
        repository.commit({"README.md": "One.\n", f"{name}.md": "More.\n"}, first, branch=name)
    repository.commit({"README.md": "Another.\n"}, first, branch="clash-1")
    repository.commit({"README.md": "Yet another.\n"}, first, branch="clash-2")
    repository.git("config", "uploadpack.allowFilter", "true")
    return repository


@pytest.fixture
def mirror(made: MadeRepository) -> Iterator[Mirror]:
    """A mirror of it."""
    with Mirror(f"file://{made.folder}", lambda: TOKEN) as found:
        yield found


def test_references_come_with_their_history_and_say_what_they_name(made: MadeRepository, mirror: Mirror) -> None:
    """Branches, the default one, or a commit by its id."""
    one = made.oid("one")
    made.git("update-ref", "refs/pull/7/head", one)
    assert mirror.fetch("refs/pull/7/head", "refs/heads/main", "HEAD", one) == (
        one,
        made.oid("main"),
        made.oid("main"),
        one,
    )
    with Repository.open(mirror.path) as repository:
        assert repository.tree(one).read("one.md") == b"More.\n"


def test_what_is_fetched_anew_is_what_is_there_now(made: MadeRepository, mirror: Mirror) -> None:
    """A forced push too."""
    made.git("update-ref", "refs/pull/7/head", made.oid("one"))
    mirror.fetch("refs/pull/7/head")
    made.git("update-ref", "refs/pull/7/head", made.oid("two"))
    assert mirror.fetch("refs/pull/7/head") == (made.oid("two"),)


@pytest.mark.parametrize(
    "reference",
    ["main", "--upload-pack=touch /tmp/x", "refs/heads/a:refs/heads/b", "refs/heads/*", "refs/heads/a b", "a1" * 19],
)
def test_only_full_names_are_asked_for(mirror: Mirror, reference: str) -> None:
    """No option, pattern or second half of a refspec gets through."""
    with pytest.raises(ReadError, match="neither a full name"):
        mirror.fetch(reference)


def test_a_reference_that_is_not_there_is_an_error(mirror: Mirror) -> None:
    """And may be there the next time."""
    with pytest.raises(ReadError, match="fetch failed") as caught:
        mirror.fetch("refs/heads/absent")
    assert caught.value.may_pass_later


def test_the_token_stands_on_no_command_line_and_in_no_file(mirror: Mirror, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git gets it through its environment, for this server alone."""
    told: list[tuple[Any, dict[str, Any]]] = []
    run = fetch.run
    monkeypatch.setattr(fetch, "run", lambda *args, **more: told.append((args, more)) or run(*args, **more))
    mirror.fetch("refs/heads/main")
    ((arguments, more),) = told
    basic = base64.b64encode(f"x-access-token:{TOKEN}".encode()).decode()
    assert not any(secret in f"{arguments} {more['place']}" for secret in (TOKEN, basic))
    assert basic in str(more)
    files = [path for path in mirror.path.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if any(secret.encode() in path.read_bytes() for secret in (TOKEN, basic))]


@pytest.mark.parametrize("url", ["ext::sh -c true", "ssh://example.org/a", "/tmp/a", "git@example.org:a/b"])
def test_no_other_protocol_is_spoken(url: str) -> None:
    """A helper could run anything."""
    with pytest.raises(ReadError, match="no address to fetch from"):
        Mirror(url, lambda: "")


def test_a_malformed_object_is_refused(made: MadeRepository, mirror: Mirror) -> None:
    """Two entries of one name may be read one way here and another way there."""
    blob = made.blob(b"x")
    tree = made.tree([("100644", b"a", blob), ("100644", b"a", blob)])
    made.git("update-ref", "refs/pull/7/head", made.commit_tree(tree))
    with pytest.raises(ReadError, match="fetch failed"):
        mirror.fetch("refs/pull/7/head")


def test_a_huge_file_stays_where_it_is(made: MadeRepository, mirror: Mirror) -> None:
    """It would be refused in any case; reading it is an error."""
    large = made.commit({"large": b"\0" * (MAX_BLOB_BYTES + 2)}, made.oid("main"), branch="large")
    mirror.fetch("refs/heads/large")
    with Repository.open(mirror.path) as repository, pytest.raises(ReadError, match="missing"):
        repository.tree(large).read("large")


def test_heads_are_merged_one_after_the_other(made: MadeRepository, mirror: Mirror) -> None:
    """Each on what those before it gave, as the queue does."""
    base, *heads = mirror.fetch("refs/heads/main", "refs/heads/one", "refs/heads/two")
    first, second = mirror.join(base, heads)
    with Repository.open(mirror.path) as repository:
        assert repository.tree(first).oid == repository.tree(heads[0]).oid
        assert sorted(repository.tree(second).listing("")) == ["README.md", "one.md", "two.md"]
        assert repository.merge_base(second, heads[1]) == heads[1]


def test_heads_that_clash_are_an_error(mirror: Mirror) -> None:
    """The queue is built anew without one of them."""
    base, *heads = mirror.fetch("refs/heads/main", "refs/heads/clash-1", "refs/heads/clash-2")
    with pytest.raises(ReadError, match="does not merge"):
        mirror.join(base, heads)


def test_nothing_is_left_behind(made: MadeRepository) -> None:
    """The folder goes with the mirror."""
    with Mirror(f"file://{made.folder}", lambda: "") as mirror:
        mirror.fetch("HEAD")
    assert not mirror.path.exists()
