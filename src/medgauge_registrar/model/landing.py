"""How a change reached the default branch."""

from enum import StrEnum

from medgauge_registrar.model.frozen import frozen


class Method(StrEnum):
    """
    The way a pull request was merged, as far as the commits themselves tell.

    A merge queue merges each pull request of its group by one of these, so its commits look no different. Of a pull request with
    one commit a squash and a rebase look alike; both are called `squash`.
    """

    MERGE = "merge"
    SQUASH = "squash"
    REBASE = "rebase"
    FAST_FORWARD = "fast-forward"


@frozen
class Step:
    """One commit of the first-parent history; `parents` in their order."""

    sha: str
    tree: str
    parents: tuple[str, ...]


@frozen
class Landing:
    """
    The commits by which one pull request reached the default branch.

    Attributes:
        method: How.
        base: What the branch was before; null if the first commit has no parent.
        steps: The commits, oldest first, each the first parent of the next; never empty.
    """

    method: Method
    base: str | None
    steps: tuple[Step, ...]

    @property
    def commit(self) -> str:
        """The last commit, by which the note is found."""
        return self.steps[-1].sha

    @property
    def tree(self) -> str:
        """What the branch held afterwards."""
        return self.steps[-1].tree


def landing_of(steps: tuple[Step, ...], head: str | None) -> Landing:
    """
    Tell how a pull request landed.

    Args:
        steps: Its commits on the default branch, oldest first.
        head: Its head when it was merged.
    """
    first, last = steps[0], steps[-1]
    if last.sha == head:
        method = Method.FAST_FORWARD
    elif len(steps) == 1 and len(last.parents) == 2 and last.parents[1] == head:
        method = Method.MERGE
    elif len(steps) == 1:
        method = Method.SQUASH
    else:
        method = Method.REBASE
    return Landing(method=method, base=first.parents[0] if first.parents else None, steps=steps)
