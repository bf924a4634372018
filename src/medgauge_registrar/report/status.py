"""The description of the commit status."""

from medgauge_registrar.model.decision import Decision, State
from medgauge_registrar.report.escape import shorten, visible
from medgauge_registrar.report.verdict import reasons
from medgauge_registrar.report.withhold import public_decision
from medgauge_registrar.report.words import VERDICTS

# Gravest first.
URGENCY = (State.ERROR, State.BLOCKED, State.PENDING, State.APPROVED)
LIMIT_CHARACTERS = 140  # GitHub REST API, "Create a commit status"


def status_description(decision: Decision) -> str:
    """
    What is missing, in one line of at most 140 characters; reasons that do not fit are counted.

    GitHub shows it as plain text and beside the state, which is therefore named only where its own word is vague.
    """
    parts = [visible(reason) for reason in reasons(public_decision(decision))]
    if decision.state is State.ERROR:
        parts[0] = f"{VERDICTS[State.ERROR].lower()}: {parts[0]}"
    for kept in range(len(parts), 0, -1):
        more = [f"{len(parts) - kept} more"] if kept < len(parts) else []
        line = "; ".join(parts[:kept] + more)
        if len(line) <= LIMIT_CHARACTERS:
            return line
    return shorten(line, LIMIT_CHARACTERS)
