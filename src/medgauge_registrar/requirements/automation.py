"""Changes behind which somebody may stand whom nobody can name, and who may therefore be among the approvers."""

from collections.abc import Collection, Iterator, Mapping

from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.model.pull import Pull, User
from medgauge_registrar.requirements.commands import PERSON
from medgauge_registrar.requirements.movers import movers

_AT_WHOSE_WORD = ", and GitHub does not tell at whose word"


def hidden_hand(pull: Pull, own_accord: Collection[int], updates_from_base: Mapping[str, str]) -> Finding | None:
    """
    Say so if somebody unnamed may have opened, pushed or written a change.

    GitHub shows a bot as the author of what it does, and not who made it do so. Whoever is named as co-author is not asked
    about: such a line is anybody's word.

    Args:
        pull: Public facts.
        own_accord: Ids of bots at whose back nobody stands.
        updates_from_base: See `movers`.

    Returns:
        A notice; null if everybody is known.
    """
    named = pull.triggered_by is not None and pull.triggered_by.type == PERSON
    found = next(_hidden(pull, own_accord, updates_from_base), None) if not named else None
    if pull.moves is None and found is None:
        found = (
            "it is not known who pushed all of this",
            ", unless it is proposed anew from a branch that GitHub tells of, or `/recheck` finds it out in some minutes",
        )
    if found is None:
        return None
    what, instead = found
    return Finding(
        rule="DEC-15",
        severity=Severity.NOTICE,
        message=f"{what}; whoever it was may be among the approvers, so every row has to hold whichever one of them is left out",
        help=f"A person more has to approve for each role{instead}.",
        source="sections 11.3, 20",
    )


def _hidden(pull: Pull, own_accord: Collection[int], updates_from_base: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    def is_led(user: User | None) -> bool:
        return user is not None and user.type != PERSON and user.id not in own_accord

    if is_led(pull.author):
        yield f"a bot opened this{_AT_WHOSE_WORD}", ", unless the pull request is opened from an account of a person"
    if any(is_led(person) for person in movers(pull, updates_from_base)):
        yield (
            f"a bot pushed to the branch{_AT_WHOSE_WORD}",
            ", unless the branch is pushed by accounts of persons alone",
        )
    if any(
        is_led(person)
        for commit in pull.commits
        if commit.sha not in updates_from_base
        for person in (commit.author, commit.committer)
    ):
        yield f"a bot wrote a part of this{_AT_WHOSE_WORD}", ", unless the commits are made anew by a person"
