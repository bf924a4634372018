"""What is answered to a command that somebody gave in a comment."""

from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.roster import Role


@frozen
class CommandAnswer:
    """
    The answer to one command.

    Attributes:
        comment: Id of the comment that holds it.
        command: The command without its slash.
        accepted: Whether it counts.
        why: What it does, or why it does not count; names nobody.
        role: The role by which it would have counted, where a role is what may be missing.
        subject: What it asks to explain, as written.
    """

    comment: int
    command: str
    accepted: bool
    why: str
    role: Role | None = None
    subject: str | None = None
