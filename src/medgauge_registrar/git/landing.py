"""The first-parent history of a branch: what it was, commit by commit."""

from medgauge_registrar.git.messages import shown
from medgauge_registrar.git.objects import decoded
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.landing import Step

# A registry of decades; beyond them a range has to be named.
MAX_STEPS = 200_000


def first_parents(repository: Repository, tip: str, since: str | None, *, most: int = MAX_STEPS) -> tuple[Step, ...]:
    """
    Walk a branch back along first parents.

    Args:
        repository: Where the history is.
        tip: Commit to begin with.
        since: Commit to end before; null: walk to the root.
        most: Commits that may be met.

    Returns:
        The commits, newest first.

    Raises:
        ReadError: `since` is not met on the way, there are too many commits, or history is missing.
    """
    if tip == since:
        return ()
    found = _walk(repository, tip, since, most + 1)
    if len(found) > most:
        raise ReadError(f"more than {most} commits lie before {tip}: name a shorter range")
    if since is not None and (not found or since not in found[-1].parents[:1]):
        raise ReadError(
            f"`{shown(since)}` is not in the first-parent history of {tip}: the branch was moved, or another one was named"
        )
    return found


def latest_first_parents(repository: Repository, tip: str, most: int) -> tuple[Step, ...]:
    """
    The last commits of a branch along first parents, newest first; not more than so many.

    Raises:
        ReadError: History is missing.
    """
    return _walk(repository, tip, None, most)


def _walk(repository: Repository, tip: str, since: str | None, most: int) -> tuple[Step, ...]:
    left_out = (f"^{since}",) if since is not None else ()
    answer = repository.log("--first-parent", "-z", "--format=%H%x00%T%x00%P", f"--max-count={most}", tip, *left_out)
    fields = [decoded(part) for part in answer.split(b"\0")]
    return tuple(
        Step(sha=sha, tree=tree, parents=tuple(parents.split()))
        for sha, tree, parents in zip(fields[0:-1:3], fields[1::3], fields[2::3], strict=False)
    )
