"""A dispute holds the merge from the comment that opens it (DISP-01)."""

from datetime import datetime

from medgauge_registrar.model.decision import Dispute
from medgauge_registrar.model.pull import Pull
from medgauge_registrar.model.roster import Role, Roster
from medgauge_registrar.requirements.commands import commands
from medgauge_registrar.requirements.standing import holds


def open_dispute(pull: Pull, roster: Roster, now: datetime) -> Dispute | None:
    """
    Find the dispute that holds a pull request.

    Anybody with a role may open one by an unedited `/dispute` comment. Votes are not counted here, so a dispute stays
    open; nothing but an outcome would end it.
    """
    for command in commands(pull.comments):
        if command.name == "dispute" and any(
            holds(roster, command.user, role, (command.created_at, now)) for role in Role
        ):
            return Dispute(state="open", votes=0, outcome=None)
    return None
