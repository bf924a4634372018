"""Who wrote a file: every commit, every earlier name, and nobody named who is not known."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from medgauge_registrar.git import authorship
from medgauge_registrar.git.authorship import People, account_of, file_authors
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.pull import User
from support.repositories import MadeRepository, git

Opener = Callable[..., Repository]
FILE = "registry/references/gr-example/0.1.0.yaml"
OLD = "registry/references/gr-older/0.1.0.yaml"
LINES = "".join(f"line: {number}\n" for number in range(20))
ONE, TWO, THREE = (User(id=number, login=f"example-person-{number}", type="User") for number in (9101, 9102, 9103))
NOBODY = "Example Person <example@example.invalid>"


def signed(user: User) -> str:
    return f"{user.login} <{user.id}+{user.login}@users.noreply.github.com>"


def commit(
    made: MadeRepository, author: User | str, files: Mapping[str, str], *parents: str, message: str = "Change"
) -> str:
    """A commit whose author is an account, or anybody under a name and an address; the committer is the site."""
    tree = made.oid(f"{made.commit(files, branch='scratch')}^{{tree}}")
    name = signed(author) if isinstance(author, User) else author
    lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
    lines += [f"author {name} 1767225600 +0000", "committer GitHub <noreply@github.com> 1767225600 +0000", "", message]
    return made.git("hash-object", "-w", "-t", "commit", "--stdin", stdin="\n".join(lines).encode())


def authors(
    repository: Repository, *tips: str, path: str = FILE, accounts: Mapping[str, People] | None = None
) -> People:
    return file_authors(repository, tips, {"gr-example": [path]}, accounts or {})["gr-example"]


def test_everybody_who_wrote_the_file(made: MadeRepository, opened: Opener) -> None:
    """Each author once, by id, however often; authors of other files and committers are not asked."""
    first = commit(made, TWO, {FILE: LINES})
    other = commit(made, THREE, {FILE: LINES, "README.md": "words"}, first)
    last = commit(made, ONE, {FILE: LINES + "more: 1\n", "README.md": "words"}, other)
    again = commit(made, TWO, {FILE: LINES + "more: 2\n", "README.md": "words"}, last)
    assert authors(opened(made), again) == (ONE, TWO)


def test_co_authors_count(made: MadeRepository, opened: Opener) -> None:
    """A trailer names an author, wherever in the message it stands; one without an address is somebody unknown."""
    trailers = f"Words\n\nCo-authored-by: {signed(TWO)}\nSigned-off-by: {signed(THREE)}"
    tip = commit(made, ONE, {FILE: LINES}, message=trailers)
    assert authors(opened(made), tip) == (ONE, TWO)
    tip = commit(made, ONE, {FILE: LINES}, message="Words\n\nco-authored-by: somebody")
    assert authors(opened(made), tip) == (ONE, None)


def test_renames_are_followed(made: MadeRepository, opened: Opener) -> None:
    """Whoever wrote the file under an earlier name wrote it, also if it was edited on the way and moved twice."""
    first = commit(made, ONE, {"notes/draft.yaml": LINES})
    moved = commit(made, TWO, {OLD: LINES + "more: 1\n"}, first)
    tip = commit(made, THREE, {FILE: LINES + "more: 1\n"}, moved)
    assert authors(opened(made), tip) == (ONE, TWO, THREE)


def test_other_files_that_move_along(made: MadeRepository, opened: Opener) -> None:
    """Whoever wrote a file that moved in the same commit wrote none of this one."""
    first = commit(made, ONE, {OLD: LINES})
    other = commit(made, THREE, {OLD: LINES, "notes/a": "words\n" * 20}, first)
    tip = commit(made, TWO, {FILE: LINES, "notes/b": "words\n" * 20, "notes/c": "more\n"}, other)
    assert authors(opened(made), tip) == (ONE, TWO)


def test_another_file_under_the_same_old_name(made: MadeRepository, opened: Opener) -> None:
    """A name that the file had belongs to it whatever stood there; that may name too many and never too few."""
    first = commit(made, ONE, {OLD: LINES})
    moved = commit(made, TWO, {FILE: LINES}, first)
    reused = commit(made, THREE, {FILE: LINES, OLD: "something: else\n"}, moved)
    assert authors(opened(made), reused) == (ONE, TWO, THREE)


def test_merges(made: MadeRepository, opened: Opener) -> None:
    """Whoever merges wrote nothing, unless the merge is like none of its parents."""
    root = commit(made, ONE, {FILE: LINES})
    left = commit(made, ONE, {FILE: LINES, "README.md": "words"}, root)
    right = commit(made, TWO, {FILE: LINES + "more: 1\n"}, root)
    plain = commit(made, THREE, {FILE: LINES + "more: 1\n", "README.md": "words"}, left, right)
    assert authors(opened(made), plain) == (ONE, TWO)
    changed = commit(made, THREE, {FILE: LINES + "more: 2\n", "README.md": "words"}, left, right)
    assert authors(opened(made), changed) == (ONE, TWO, THREE)


def test_both_tips_are_searched(made: MadeRepository, opened: Opener) -> None:
    """What the base got since the branch left it counts as well as what the branch did."""
    root = commit(made, ONE, {FILE: LINES})
    base = commit(made, TWO, {FILE: LINES + "more: 1\n"}, root)
    head = commit(made, THREE, {FILE: "less: 1\n" + LINES}, root)
    assert authors(opened(made), base, head) == (ONE, TWO, THREE)


def test_unknown_people_and_told_accounts(made: MadeRepository, opened: Opener) -> None:
    """Any other address is somebody unknown, unless GitHub has told whose commit it is."""
    first = commit(made, ONE, {FILE: LINES})
    tip = commit(made, NOBODY, {FILE: LINES + "more: 1\n"}, first)
    assert authors(opened(made), tip) == (ONE, None)
    assert authors(opened(made), tip, accounts={tip: (TWO,)}) == (ONE, TWO)
    assert authors(opened(made), tip, accounts={first: (None,), tip: (TWO,)}) == (TWO, None)


def test_file_without_history(made: MadeRepository, opened: Opener) -> None:
    """Of a file that was never there nothing is known; and nothing is asked where no file is named."""
    tip = commit(made, ONE, {"README.md": "words"})
    assert authors(opened(made), tip) == (None,)
    assert file_authors(opened(made), [tip], {"gr-example": []}, {}) == {"gr-example": (None,)}
    assert file_authors(opened(made), [tip], {}, {}) == {}


def test_several_references(made: MadeRepository, opened: Opener) -> None:
    """One search serves all; each gets its own people, and a file may belong to two."""
    first = commit(made, ONE, {FILE: LINES})
    tip = commit(made, TWO, {FILE: LINES, OLD: "a: 1\n"}, first)
    found = file_authors(opened(made), [tip], {"gr-example": [FILE], "gr-older": [OLD], "both": [FILE, OLD]}, {})
    assert found == {"gr-example": (ONE,), "gr-older": (TWO,), "both": (ONE, TWO)}


def test_hostile_words_in_a_commit(made: MadeRepository, opened: Opener) -> None:
    """A message or a path that looks like another commit names nobody."""
    fake = f"{'a' * 40}\n{TWO.id}+{TWO.login}@users.noreply.github.com\nA\n{FILE}"
    path = f"registry/references/gr-example/{'b' * 40}"
    tip = commit(made, ONE, {FILE: LINES, path: "1"}, message=fake)
    assert authors(opened(made), tip) == (ONE,)
    assert authors(opened(made), tip, path=path) == (ONE,)


def test_history_that_is_cut_off(tmp_path: Path, made: MadeRepository, opened: Opener) -> None:
    """In a shallow clone nobody is known; a missing commit elsewhere is an error."""
    first = commit(made, ONE, {FILE: LINES})
    tip = commit(made, TWO, {FILE: LINES + "more: 1\n"}, first)
    made.git("update-ref", "refs/heads/main", tip)
    git(tmp_path, "clone", "-q", "--bare", "--depth=1", f"file://{made.folder}", "shallow")
    assert authors(opened(tmp_path / "shallow"), tip) == (None,)
    made.remove_object(first)
    with pytest.raises(ReadError):
        authors(opened(made), tip)


@pytest.mark.parametrize("limit", ["MAX_COMMITS", "MAX_NAMES", "MAX_MOVES"])
def test_too_long_a_history(made: MadeRepository, opened: Opener, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    """Past a limit nobody is named, rather than only some."""
    first = commit(made, ONE, {OLD: LINES})
    tip = commit(made, TWO, {FILE: LINES}, first)
    assert authors(opened(made), tip) == (ONE, TWO)
    monkeypatch.setattr(authorship, limit, 1)
    assert authors(opened(made), tip) == (None,)


def test_a_move_among_too_many(made: MadeRepository, opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where git gives up comparing moved files, their earlier names are unknown, and so are their authors."""
    monkeypatch.setattr(authorship, "_RENAME_LIMIT", 1)
    others = {f"old/{name}": f"{name}\n" * 9 for name in "abc"}
    first = commit(made, ONE, {OLD: LINES, **others})
    new = {f"new/{name}": f"{name} {name}\n" * 9 for name in "xyz"}
    tip = commit(made, TWO, {FILE: LINES + "more: 1\n", **new}, first)
    assert authors(opened(made), tip) == (None,)


@pytest.mark.parametrize(
    ("text", "user"),
    [
        ("9101+example-person-9101@users.noreply.github.com", ONE),
        (" 9101+example-person-9101@USERS.noreply.github.com ", ONE),
        ("77+example[bot]@users.noreply.github.com", User(id=77, login="example[bot]", type="Bot")),
        ("example-person-9101@users.noreply.github.com", None),
        ("0+example@users.noreply.github.com", None),
        ("9101+example@users.noreply.github.com.example.org", None),
        ("9101+example@example.org", None),
        ("noreply@github.com", None),
        ("", None),
    ],
)
def test_accounts_behind_addresses(text: str, user: User | None) -> None:
    """Only an address that GitHub made tells an account."""
    assert account_of(text) == user
