"""`registrar doctor`: looks at files, roster and, with a token, at GitHub."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from medgauge_registrar.doctor.files import look_at_settings, look_at_workflows, push_branches, workflow_names
from medgauge_registrar.doctor.people import look_at_roster
from medgauge_registrar.doctor.remote import Question, Seen, look_at_github
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.inputs import ledger_from, read_roster, roster_from
from medgauge_registrar.model.checkup import Item, by_hand, good, wrong
from medgauge_registrar.model.errors import PolicyError, ReadError
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.roster import Roster
from medgauge_registrar.model.tree import Tree
from medgauge_registrar.policy.load import tree_policy
from medgauge_registrar.policy.settings import ClosedSource, Settings
from medgauge_registrar.whole import tree_at

if TYPE_CHECKING:
    from medgauge_registrar.github.job import Job

_TOKENS = ("REGISTRAR_TOKEN", "REGISTRAR_APP_ID")
_NEEDED = "until it can be read the gate decides nothing"


@frozen
class Examination:
    """
    What to look at.

    Attributes:
        repository: Clone of the registry.
        revision: Commit to look at; null: the work tree.
        roster: The roster; null: the one that the settings name, as far as the environment gives access to it.
        now: Terms of the roster are judged at this time; aware.
        environment: As a job of the gate has it; with a token in it, GitHub is looked at too.
    """

    repository: Path
    revision: str | None
    roster: Path | None
    now: datetime
    environment: Mapping[str, str]


def examine(examination: Examination) -> list[Item]:
    """
    Look at everything that can be seen.

    Raises:
        PolicyError: Settings or roster cannot be used.
        ReadError: Repository or GitHub could not be read.
    """
    return list(_items(examination))


def _items(examination: Examination) -> Iterator[Item]:
    job = _job(examination.environment)
    with Repository.open(examination.repository) as repository:
        tree = tree_at(repository, examination.revision)
        policy = tree_policy(tree)
        yield from look_at_settings(policy.settings)
        yield from look_at_workflows(tree)
        if job is not None:
            yield from _github(job, policy.settings, tree)
        else:
            yield by_hand(
                "GitHub", "its settings: they are looked at where `REGISTRAR_TOKEN` and `GITHUB_REPOSITORY` are set"
            )
    yield from _ledger(job, policy.settings, examination.environment)
    if examination.roster is not None:
        yield from look_at_roster(read_roster(examination.roster), policy.table, examination.now)
        return
    found = _roster(job, policy.settings, examination.environment)
    if isinstance(found, Roster):
        yield good("roster", "can be read")
        yield from look_at_roster(found, policy.table, examination.now)
    elif found is not None:
        yield found
    else:
        yield by_hand("roster", "that it has people for every row: `--roster FILE` tells which it can never fill")


def _job(environment: Mapping[str, str]) -> "Job | None":
    if not any(environment.get(name) for name in _TOKENS):
        return None
    from medgauge_registrar.github.job import read_job

    return read_job(environment)


def _github(job: "Job", settings: Settings, tree: Tree) -> Iterator[Item]:
    from medgauge_registrar.github.tokens import registry_client

    client = registry_client(job)

    def get(path: str) -> Seen:
        answer = client.rest("GET", path)
        return Seen(answer.status, answer.data)

    question = Question(
        repository=job.repository,
        status_context=settings.status_context,
        workflows=workflow_names(),
        secrets=_secrets(job, settings),
        app_id=int(job.app_id) if job.app_id.isdecimal() else None,
        push_branches=push_branches(tree),
    )
    yield from look_at_github(question, get)


def _secrets(job: "Job", settings: Settings) -> frozenset[str]:
    """Names of the secrets without which the gate cannot do what the settings say."""
    needed = {"REGISTRAR_APP_KEY"} if job.app_id else set()
    kinds = {"roster": settings.roster.kind, "ledger": settings.ledger.kind}
    needed |= {f"REGISTRAR_{name.upper()}" for name, kind in kinds.items() if kind == "secret"}
    if not job.app_id and {"repository", "teams"} & set(kinds.values()):
        needed.add("REGISTRAR_ROSTER_TOKEN")
    return frozenset(needed)


def _roster(job: "Job | None", settings: Settings, environment: Mapping[str, str]) -> Roster | Item | None:
    """The roster that the settings name; what keeps it from being read; null if nobody may look."""
    if job is None or settings.roster.kind == "none" or _is_unseen(settings.roster, "REGISTRAR_ROSTER", environment):
        return None
    from medgauge_registrar.github.closed import ClosedFiles

    try:
        data = ClosedFiles(job).roster(settings.roster)
        return None if data is None else roster_from(data)
    except (PolicyError, ReadError) as error:
        return wrong("roster", f"cannot be used: {error}", _NEEDED)


def _ledger(job: "Job | None", settings: Settings, environment: Mapping[str, str]) -> Iterator[Item]:
    """Whether the ledger can be read; nothing if there is none, or if nobody may look."""
    if job is None or _is_unseen(settings.ledger, "REGISTRAR_LEDGER", environment):
        return
    from medgauge_registrar.github.closed import ClosedFiles

    try:
        data = ClosedFiles(job).ledger(settings.ledger)
        if data is not None:
            ledger_from(data)
            yield good("ledger", "can be read")
    except (PolicyError, ReadError) as error:
        yield wrong("ledger", f"cannot be used: {error}", _NEEDED)


def _is_unseen(source: ClosedSource, variable: str, environment: Mapping[str, str]) -> bool:
    """A job of the gate has the variable of a secret, if only an empty one; a person at a terminal does not see secrets."""
    return source.kind == "secret" and variable not in environment
