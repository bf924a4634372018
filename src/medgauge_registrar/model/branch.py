"""What a pull request has shown besides its merge result: earlier contents, messages, names and its own words."""

from collections.abc import Callable, Iterator
from dataclasses import field

from medgauge_registrar.model.frozen import frozen


def _nothing() -> Iterator[tuple[str, bytes]]:
    return iter(())


@frozen
class Branch:
    """
    Everything that was pushed or written with a pull request and is not in the merge result.

    Attributes:
        words: Title, body and branch name.
        messages: Message of each commit.
        names: Paths that any commit of the branch adds or changes.
        contents: Reads, one by one, the files that a commit introduced and the merge result does not hold, with their paths.
    """

    words: tuple[str, ...] = field(default=(), repr=False)
    messages: tuple[str, ...] = field(default=(), repr=False)
    names: tuple[str, ...] = field(default=(), repr=False)
    contents: Callable[[], Iterator[tuple[str, bytes]]] = field(default=_nothing, repr=False, compare=False)
