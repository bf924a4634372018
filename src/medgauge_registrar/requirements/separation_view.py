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
        known: State of each rule on which closed facts answer, whoever sits where; told only of a row whose seats are
            filled. A rule that also has conditions is kept only if both say so; one with neither cannot be decided.
        asked: Rules of which closed facts may say nothing at all; whether they do is closed as well.
        public: State of each rule on which public facts answer.
    """

    alone: tuple[Alone, ...] = ()
    together: tuple[Together, ...] = ()
    known: Mapping[str, EvidenceState] = field(default_factory=dict)
    asked: frozenset[str] = frozenset()
    public: Mapping[str, EvidenceState] = field(default_factory=dict)


Separator: TypeAlias = Callable[[SeparationView], Separated]


def worst(states: Iterable[EvidenceState]) -> EvidenceState:
    """What is known of a rule of which several things are known; undecided if there are none."""
    return min(states, key=_WORST_FIRST.index, default=EvidenceState.UNDECIDED)


def joined(answers: Iterable[Separated]) -> Separated:
    """Put several answers together; of one rule the worst counts."""
    every = tuple(answers)
    return Separated(
        alone=tuple(condition for answer in every for condition in answer.alone),
        together=tuple(condition for answer in every for condition in answer.together),
        known=_worst_of_each(answer.known for answer in every),
        asked=frozenset(rule for answer in every for rule in answer.asked),
        public=_worst_of_each(answer.public for answer in every),
    )


def states(by_seat: Mapping[str, EvidenceState], rules: Separated, *, filled: bool) -> Mapping[str, EvidenceState]:
    """
    What is known of each rule of separation of a row.

    Anybody can open a pull request, and by what it holds ask the ledger a question. So people who count have to fill every seat
    before it is answered; until then all that could rest on closed facts is missing, whatever it is.

    Args:
        by_seat: What the people seated come to under the conditions on them.
        rules: What the rules of the row come to.
        filled: Whether every seat of the row is filled.

    Source:
        Section 20; rule ROLE-16.
    """
    if filled:
        found = _worst_of_each([by_seat, rules.known])
    else:
        found = dict.fromkeys(sorted(by_seat.keys() | rules.known.keys() | rules.asked), EvidenceState.MISSING)
    return _worst_of_each([found, rules.public])


def hands(pull: Pull) -> tuple[User, ...]:
    """Who opened, triggered and pushed a pull request, as far as GitHub tells; commits name whomever their writer pleases."""
    return tuple(person for person in (pull.author, pull.triggered_by, *pull.movers) if person is not None)


def _worst_of_each(answers: Iterable[Mapping[str, EvidenceState]]) -> Mapping[str, EvidenceState]:
    every = tuple(answers)
    rules = sorted({rule for answer in every for rule in answer})
    return {rule: worst(answer[rule] for answer in every if rule in answer) for rule in rules}
