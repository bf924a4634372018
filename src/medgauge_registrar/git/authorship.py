"""Who wrote a file, over its whole history and under every name it had."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from medgauge_registrar.git.objects import decoded
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.pull import User
from medgauge_registrar.patterns import lazy_pattern

# Beyond these nobody is named; what cannot be told whole is not told in part.
MAX_NAMES = 400
MAX_MOVES = 20
MAX_COMMITS = 2_000
# Of more unmatched files than this squared, removed times added, git compares none.
_RENAME_LIMIT = 400
# An address that GitHub gives to an account: its numeric id, its login at that time.
_NOREPLY = lazy_pattern(
    r"([1-9][0-9]{0,15})\+([A-Za-z0-9-]{1,39})(\[bot\])?@users\.noreply\.github\.com", re.IGNORECASE
)
_CO_AUTHOR = lazy_pattern(r"^[ \t]*co-authored-by[ \t]*:(.*)$", re.IGNORECASE | re.MULTILINE)
_ADDRESS = lazy_pattern(r"<([^<>]*)>")
_COMMIT = lazy_pattern(r"[0-9a-f]{40}|[0-9a-f]{64}")
_FIELDS = "--format=%H%x00%ae%x00%B"

People = tuple[User | None, ...]


@frozen
class _Touch:
    """A commit that wrote one of the files, with what it did to them; `people` as the commit itself names them."""

    sha: str
    people: People
    paths: Mapping[str, str]


def file_authors(
    repository: Repository,
    tips: Sequence[str],
    files: Mapping[str, Iterable[str]],
    accounts: Mapping[str, People],
) -> Mapping[str, People]:
    """
    Name the authors and co-authors of files over their whole history, renames followed.

    A commit's e-mail proves nothing, which is enough to keep somebody out of a seat and never to credit anybody. Only an
    address that GitHub made for an account tells the account; behind any other stands somebody unknown. Committers are not
    asked: on GitHub that is often the site itself. A merge counts only where it differs from all of its parents.

    Args:
        repository: Where the history is.
        tips: Commits whose ancestors are searched.
        files: Paths by the name under which the answer is given.
        accounts: People of commits whose accounts GitHub has told, by commit.

    Returns:
        The authors by name, each account once and in the order of its id, null at the end for anybody unknown. All unknown,
        where the history is cut off or too long to be read.

    Raises:
        ReadError: Git failed.
    """
    names: dict[str, set[str]] = {}
    for name, paths in files.items():
        for path in paths:
            names.setdefault(path, set()).add(name)
    touches = _history(repository, tips, names) if names and not repository.place.shallow else None
    if touches is None:
        return dict.fromkeys(files, (None,))
    authors: dict[str, list[User | None]] = {name: [] for name in files}
    for touch in touches:
        people = accounts.get(touch.sha, touch.people)
        for name in sorted({name for path in touch.paths for name in names[path]}):
            authors[name].extend(people)
    # A file without any author was not found in the history, so nothing is known of it.
    return {name: _each_once(found) if found else (None,) for name, found in authors.items()}


def account_of(address: str) -> User | None:
    """The account that GitHub made a no-reply address for; null for any other address."""
    match = _NOREPLY.fullmatch(address.strip())
    if match is None:
        return None
    number, login, bot = match.groups()
    return User(id=int(number), login=f"{login}{bot or ''}", type="Bot" if bot else "User")


def _history(repository: Repository, tips: Sequence[str], names: dict[str, set[str]]) -> list[_Touch] | None:
    """Commits that wrote any of the files; earlier names are added to `names`. Null if it is too long to be read."""
    for _ in range(MAX_MOVES):
        touches = _touches(repository, tips, sorted(names)) if len(names) <= MAX_NAMES else None
        earlier = None if touches is None else _earlier_names(repository, touches, names)
        if earlier is None or all(found <= names.get(path, set()) for path, found in earlier.items()):
            return None if earlier is None else touches
        for path, found in earlier.items():
            names.setdefault(path, set()).update(found)
    return None


def _touches(repository: Repository, tips: Sequence[str], paths: Sequence[str]) -> list[_Touch] | None:
    """Commits that wrote any of the paths; null if there are too many."""
    answer = repository.log(
        "--full-history", "-c", "--no-renames", "--name-status", "-z", _FIELDS, f"--max-count={MAX_COMMITS + 1}",
        *tips, "--", *paths,
    )  # fmt: skip
    commits = list(_commits(answer, fields=3))
    if len(commits) > MAX_COMMITS:
        return None
    return [
        _Touch(sha=sha, people=_people(address, message), paths={path: status for status, path, _ in changes})
        for (sha, address, message), changes in commits
        if changes
    ]


def _earlier_names(
    repository: Repository, touches: Iterable[_Touch], names: Mapping[str, set[str]]
) -> dict[str, set[str]] | None:
    """
    Names that the files had before a commit moved them, with the names under which the answer is given.

    Null if a commit moved so many files at once that git did not compare them.
    """
    moving = [touch.sha for touch in touches if "A" in touch.paths.values()]
    if not moving:
        return {}
    answer = repository.log(
        "--no-walk=unsorted",
        "-M50%",
        f"-l{_RENAME_LIMIT}",
        "--diff-filter=ADR",
        "--name-status",
        "-z",
        "--format=%H",
        *moving,
    )
    found: dict[str, set[str]] = {}
    for _, changes in _commits(answer, fields=1):
        unmatched = [status for status, _, _ in changes]
        if unmatched.count("A") * unmatched.count("D") > _RENAME_LIMIT**2:
            return None
        for status, old, new in changes:
            if status.startswith("R") and new in names:
                found.setdefault(old, set()).update(names[new])
    return found


def _commits(answer: bytes, *, fields: int) -> Iterator[tuple[tuple[str, ...], list[tuple[str, str, str]]]]:
    """
    Take the answer of `git log -z --name-status` apart: the fields of each commit, and its changes.

    A change is its status, the path, and the new path of a rename. No field can hold a NUL, so nothing that a commit says can
    be taken for anything else.
    """
    parts = [decoded(part) for part in answer.split(b"\0")]
    index, commit, changes = 0, tuple[str, ...](), list[tuple[str, str, str]]()
    while index < len(parts):
        part = parts[index].lstrip("\n")
        if _COMMIT.fullmatch(part):
            if commit:
                yield commit, changes
            commit, changes = (part, *parts[index + 1 : index + fields]), []
            index += fields
        elif part:
            renamed = part.startswith("R")
            changes.append((part, parts[index + 1], parts[index + 2] if renamed else ""))
            index += 3 if renamed else 2
        else:
            index += 1
    if commit:
        yield commit, changes


def _people(address: str, message: str) -> People:
    """Author and co-authors as a commit names them."""
    trailers = (match[1] for match in _CO_AUTHOR.finditer(message))
    addresses = [found[-1] if (found := _ADDRESS.findall(trailer)) else "" for trailer in trailers]
    return tuple(account_of(one) for one in (address, *addresses))


def _each_once(people: Iterable[User | None]) -> People:
    known: dict[int, User] = {}
    nameless = False
    for person in people:
        if person is None:
            nameless = True
        else:
            known.setdefault(person.id, person)
    return (*(known[number] for number in sorted(known)), *((None,) if nameless else ()))
