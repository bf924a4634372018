"""Commands that people give in comments and reviews: one a line, nothing else on that line."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.pull import Comment, User
from medgauge_registrar.patterns import lazy_pattern

PERSON = "User"
# Fewest and most arguments of each comment command; null: as many as the person likes.
ARGUMENTS: Mapping[str, tuple[int, int | None]] = {
    "confirm": (1, 1),
    "recheck": (0, 0),
    "explain": (1, 1),
    "dispute": (0, None),
    "vote": (1, None),
}
_LINE_END = lazy_pattern(r"\r\n|\n|\r")
_COMMAND = lazy_pattern(r"/[a-z]+(?:[ \t]+[^ \t]+)*[ \t]*")
_FENCE = lazy_pattern(r" {0,3}(`{3,}|~{3,})(.*)")


@frozen
class Command:
    """
    One command as given.

    Attributes:
        name: Without the slash (`confirm`).
        arguments: The words after it, as written.
        user: The person who gave it.
        comment: Id of the comment that holds it.
        created_at: When the comment was written.
    """

    name: str
    arguments: tuple[str, ...]
    user: User
    comment: int
    created_at: datetime


def commands(comments: Iterable[Comment]) -> tuple[Command, ...]:
    """
    Read the commands of a conversation, oldest first.

    Only unedited comments of persons carry any: others than the author can edit a comment, and an edit shows neither
    whose it was nor what stood there before (A17). A bot repeats what people told it, and a deleted account cannot be
    asked. Unknown commands and wrong numbers of arguments are talk, not commands.
    """
    found = []
    for comment in sorted(comments, key=lambda comment: (comment.created_at, comment.id)):
        user = comment.user
        if user is None or user.type != PERSON or comment.edited:
            continue
        for name, *arguments in command_lines(comment.body):
            fewest, most = ARGUMENTS.get(name, (0, -1))
            if fewest <= len(arguments) and (most is None or len(arguments) <= most):
                found.append(
                    Command(
                        name=name,
                        arguments=tuple(arguments),
                        user=user,
                        comment=comment.id,
                        created_at=comment.created_at,
                    )
                )
    return tuple(found)


def gives_commands(comments: Iterable[Comment]) -> bool:
    """Whether any line of a conversation has the form of a command."""
    return any(True for comment in comments for _ in command_lines(comment.body))


def command_lines(body: str) -> Iterator[tuple[str, ...]]:
    """
    Split every line that is a command by itself into its words, the name first and without the slash.

    Quoted and indented lines are somebody else's words or an example, and so is a fenced block; what a HTML comment
    holds was never seen by a reader. None of these act. A fence or HTML comment left open hides all that follows.
    """
    fence, hidden = "", False
    for line in _LINE_END.split(body):
        edge = _FENCE.fullmatch(line)
        if hidden:
            hidden = "-->" not in line
        elif fence:
            if edge and edge[1].startswith(fence) and not edge[2].strip():
                fence = ""
        elif edge:
            fence = edge[1]
        elif "<!--" in line:
            hidden = "-->" not in line.rpartition("<!--")[2]
        elif _COMMAND.fullmatch(line):
            yield tuple(line[1:].split())
