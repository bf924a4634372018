"""What the rules of separation of a row may look at, and what they answer."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import TypeAlias

from medgauge_registrar.classify.classify import Classified
from medgauge_registrar.model.decision import EvidenceState
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.model.pull import Pull, User
from medgauge_registrar.model.roster import Role, Roster
from medgauge_registrar.policy.settings import Settings
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.requirements.attestations import Attestation
from medgauge_registrar.requirements.seats import Alone, Together

# Of two things known of one rule, the one further left counts.
_WORST_FIRST = (EvidenceState.FAILED, EvidenceState.UNDECIDED, EvidenceState.MISSING, EvidenceState.SATISFIED)


@frozen
class SeparationView:
    """
    What a rule of separation may look at.

    Attributes:
        seats: Seats of the row.
        own: Changes that trigger the row.
        changes: All changes of the pull request.
        pull: Public facts.
        base: The registry before.
        head: The registry after.
        settings: Settings of the registry.
        roster: Who holds which role, works where and belongs to which party.
        ledger: Closed facts.
        attested: What the accounts whose approval holds have attested.
        maintainers: Accounts whose approval holds and who were maintainers when they gave it, and still are.
        reference_authors: By grading-reference id, who wrote it over its whole history; null for somebody without a known
            account. An id that is absent was not looked up, so nothing is known of it.
    """

    seats: tuple[Role, ...]
    own: tuple[Classified, ...]
    changes: tuple[Classified, ...]
    pull: Pull
    base: Registry
    head: Registry
    settings: Settings
    roster: Roster = field(repr=False)
    ledger: Ledger = field(repr=False)
    attested: Mapping[int, frozenset[Attestation]] = field(repr=False)
    maintainers: frozenset[int] = field(repr=False)
    reference_authors: Mapping[str, tuple[User | None, ...]]


@frozen
class Separated:
    """
    What the rules of a row come to.

    Attributes:
        alone: Conditions on one seat's holder.
        together: Conditions between two seats' holders.
        known: State of each rule on which closed facts answer, whoever sits where. A rule that also has conditions is kept
            only if both say so; one with neither cannot be decided.
    """

    alone: tuple[Alone, ...] = ()
    together: tuple[Together, ...] = ()
    known: Mapping[str, EvidenceState] = field(default_factory=dict)


Separator: TypeAlias = Callable[[SeparationView], Separated]


def worst(states: Iterable[EvidenceState]) -> EvidenceState:
    """What is known of a rule of which several things are known; undecided if there are none."""
    return min(states, key=_WORST_FIRST.index, default=EvidenceState.UNDECIDED)


def joined(answers: Iterable[Separated]) -> Separated:
    """Put several answers together; of one rule the worst counts."""
    every = tuple(answers)
    rules = sorted({rule for answer in every for rule in answer.known})
    return Separated(
        alone=tuple(condition for answer in every for condition in answer.alone),
        together=tuple(condition for answer in every for condition in answer.together),
        known={rule: worst(answer.known[rule] for answer in every if rule in answer.known) for rule in rules},
    )
