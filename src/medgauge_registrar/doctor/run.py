"""`registrar doctor`: looks at files, roster and, with a token, at GitHub."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from medgauge_registrar.doctor.files import look_at_settings, look_at_workflows
from medgauge_registrar.doctor.people import look_at_roster
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.inputs import read_roster
from medgauge_registrar.model.checkup import Item, by_hand
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.policy.load import tree_policy
from medgauge_registrar.whole import tree_at


@frozen
class Examination:
    """
    What to look at.

    Attributes:
        repository: Clone of the registry.
        revision: Commit to look at; null: the work tree.
        roster: The roster; null: there is none at hand.
        now: Terms of the roster are judged at this time; aware.
    """

    repository: Path
    revision: str | None
    roster: Path | None
    now: datetime


def examine(examination: Examination) -> list[Item]:
    """
    Look at everything that can be seen.

    Raises:
        PolicyError: Settings or roster cannot be used.
        ReadError: The repository could not be read.
    """
    return list(_items(examination))


def _items(examination: Examination) -> Iterator[Item]:
    with Repository.open(examination.repository) as repository:
        tree = tree_at(repository, examination.revision)
        policy = tree_policy(tree)
        yield from look_at_settings(policy.settings)
        yield from look_at_workflows(tree)
    if examination.roster is not None:
        yield from look_at_roster(read_roster(examination.roster), policy.table, examination.now)
    else:
        yield by_hand(
            "roster", "that it has people for every row: `registrar doctor --roster FILE` tells which it cannot fill"
        )
