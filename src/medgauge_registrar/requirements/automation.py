"""Bots that opened or pushed a change at the word of a person nobody can name."""

from collections.abc import Collection, Iterator

from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.model.pull import Pull
from medgauge_registrar.requirements.commands import PERSON


def hidden_hand(pull: Pull, own_accord: Collection[int]) -> bool:
    """
    Whether somebody unnamed may stand behind a change, and so among those who approve it.

    GitHub shows a bot as the author of what it opens, and not who made it do so.

    Args:
        pull: Public facts.
        own_accord: Ids of bots at whose back nobody stands.
    """
    return pull.triggered_by is None and any(
        account is not None and account.type != PERSON and account.id not in own_accord
        for account in (pull.author, pull.pushed_by)
    )


def hidden_hand_notice() -> Iterator[Finding]:
    """Say why a change of a bot's needs an approval more."""
    yield Finding(
        rule="DEC-15",
        severity=Severity.NOTICE,
        message="a bot opened or pushed this, and GitHub does not tell at whose word; whoever it was may be among the approvers, "
        "so every row has to stay filled whichever one of them is left out",
        help="Let one person more approve for each role, or open the pull request from an account of your own.",
        source="sections 11.3, 20",
    )
