"""Decision notes as git keeps them, and who brought each of them there."""

import re
from collections.abc import Collection, Iterator, Mapping

from medgauge_registrar.git.authorship import account_of
from medgauge_registrar.git.objects import decoded
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.pull import User
from medgauge_registrar.model.tree import FILE_MODES, Entry

NOTES_REF = "refs/notes/registrar"
_RAW = re.compile(r":[0-7]{6} [0-7]{6} [0-9a-f]+ ([0-9a-f]+) [A-Z]")


@frozen
class Writing:
    """A commit of the notes that brought a note, and the account that GitHub made its author's address for."""

    commit: str
    author: User | None


@frozen
class StoredNote:
    """
    What stands at one commit.

    Attributes:
        data: The note; null if it is no regular file, or if two stand at the commit.
        writings: Commits that brought exactly these bytes there, newest first.
    """

    data: bytes | None
    writings: tuple[Writing, ...]


def note_path(commit: str) -> str:
    """Where the note of a commit lies in the tree of the notes; git reads any such division."""
    return f"{commit[:2]}/{commit[2:]}"


def read_notes(repository: Repository, tip: str, commits: Collection[str]) -> Mapping[str, StoredNote]:
    """
    Read the notes of some commits.

    Args:
        repository: Where they are.
        tip: Commit that the reference of the notes names.
        commits: Commits that may have one.

    Returns:
        Each note by its commit.

    Raises:
        ReadError: An object is missing or a limit is passed.
    """
    tree = repository.tree(tip)
    wanted: dict[str, list[tuple[str, Entry]]] = {}
    for path, entry in tree.walk(""):
        commit = path.replace("/", "")
        if commit in commits:
            wanted.setdefault(commit, []).append((path, entry))
    single = {commit: found[0] for commit, found in wanted.items() if len(found) == 1}
    contents = dict(tree.read_many(pair for pair in single.values() if pair[1].mode in FILE_MODES))
    brought = _writings(repository, tip, set(single.values()))
    return {
        commit: StoredNote(
            data=contents.get(found[0][0]) if commit in single else None,
            writings=tuple(brought.get((found[0][0], found[0][1].oid), ())),
        )
        for commit, found in wanted.items()
    }


def _writings(
    repository: Repository, tip: str, pairs: Collection[tuple[str, Entry]]
) -> Mapping[tuple[str, str], list[Writing]]:
    """By path and content, the commits that brought it, newest first."""
    wanted = {(path, entry.oid) for path, entry in pairs}
    answer = repository.log(
        "--first-parent", "-m", "--root", "--raw", "--no-abbrev", "--no-renames", "-z", "--format=%H%x00%ae", tip
    )
    found: dict[tuple[str, str], list[Writing]] = {}
    for writing, path, oid in _entries(answer):
        if (path, oid) in wanted:
            found.setdefault((path, oid), []).append(writing)
    return found


def _entries(answer: bytes) -> Iterator[tuple[Writing, str, str]]:
    """Take the answer of `git log -z --raw` apart; no field can hold a NUL, so none can be taken for another."""
    parts = iter([decoded(part).lstrip("\n") for part in answer.split(b"\0")])
    writing: Writing | None = None
    for part in parts:
        if (match := _RAW.fullmatch(part)) is not None and writing is not None:
            yield writing, next(parts, ""), match[1]
        elif part:
            writing = Writing(commit=part, author=account_of(next(parts, "")))
