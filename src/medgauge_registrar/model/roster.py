"""Who may act in which role: closed facts that never reach an output beside a name."""

from datetime import date
from enum import StrEnum

from medgauge_registrar.model.frozen import frozen


class Role(StrEnum):
    """The roles of section 20, with the standing of section 21 that decides seats."""

    MAINTAINER = "maintainer"
    REFERENCE_ENGINEER = "reference-engineer"
    TASK_BUILDER = "task-builder"
    EXPERT_REVIEWER = "expert-reviewer"
    ACCEPTOR = "acceptor"
    DATA_STEWARD = "data-steward"
    RESULTS_REVIEWER = "results-reviewer"
    REPRODUCER = "reproducer"
    REVIEWER = "reviewer"
    CONTRIBUTOR = "contributor"


@frozen
class Term:
    """A span in which a role is held: `from_day` ≤ day < `until` (null: open end)."""

    role: Role
    from_day: date
    until: date | None


@frozen
class Person:
    """One entry of the roster, known by numeric account id."""

    id: int
    login: str
    roles: tuple[Role, ...]
    institution: str | None = None
    parties: tuple[str, ...] = ()
    terms: tuple[Term, ...] = ()


@frozen
class Roster:
    """Everybody with a role. An empty roster means that nobody holds any."""

    people: tuple[Person, ...] = ()
