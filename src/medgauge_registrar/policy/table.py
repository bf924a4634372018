"""The decision table as frozen values: rows, triggers, seats, evidence, and the kinds that may not travel together."""

from collections.abc import Mapping

from medgauge_registrar.model.change import Kind, Transition
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.roster import Role


@frozen
class Trigger:
    """One kind, some of its transitions and, where given, one facet; all must hold."""

    kind: Kind
    transitions: frozenset[Transition]
    facet: str | None

    def matches(self, kind: Kind, transition: Transition, facets: frozenset[str]) -> bool:
        """Whether a change is meant."""
        return kind is self.kind and transition in self.transitions and (self.facet is None or self.facet in facets)


@frozen
class EvidenceNeed:
    """
    One rule whose evidence a row asks for.

    Attributes:
        by_author: Only the author can add it, so its absence blocks rather than waits.
        facets: Asked for only where a change of the row has one of these facets; empty: always.
    """

    id: str
    by_author: bool
    facets: frozenset[str]


@frozen
class ExtraSeat:
    """A seat that a row asks for only where one of its changes has one of these facets."""

    role: Role
    facets: frozenset[str]


@frozen
class TableRow:
    """One row of the decision table; texts are the policy's own."""

    id: str
    title: str
    section: str
    basis: str
    because: str
    triggers: tuple[Trigger, ...]
    seats: tuple[Role, ...]
    extra_seats: tuple[ExtraSeat, ...]
    evidence: tuple[EvidenceNeed, ...]
    separation: tuple[str, ...]
    refused: bool

    @property
    def order(self) -> tuple[int, str]:
        """Sort key: M2 before M10, M5 before M5a."""
        digits = "".join(character for character in self.id if character.isdigit())
        return (int(digits), self.id)


@frozen
class Selector:
    """A kind, or a kind in one transition, as a combination rule names it."""

    kind: Kind
    transition: Transition | None

    def matches(self, kind: Kind, transition: Transition) -> bool:
        """Whether a change is meant."""
        return kind is self.kind and self.transition in {None, transition}


@frozen
class Combination:
    """Two groups of changes that may not share a pull request."""

    id: str
    rule: str
    section: str
    because: str
    one: tuple[Selector, ...]
    other: tuple[Selector, ...]
    same_version: bool
    help: str


@frozen
class DecisionTable:
    """
    All of the table.

    Attributes:
        rows: By id.
        combinations: Kinds that may not travel together.
        update_from_base_keeps_approvals: DEC-16's one exception.
        own_accord: Ids of bots at whose back nobody stands (DEC-15).
        filed_by_the_site: Kinds that accounts of the site file of their own accord (DEC-15).
        voter: Lowest standing of a voter when a dispute was opened.
        overturned_is_refused: Whether a change that lost its dispute is refused.
    """

    rows: Mapping[str, TableRow]
    combinations: tuple[Combination, ...]
    update_from_base_keeps_approvals: bool
    own_accord: frozenset[int]
    filed_by_the_site: frozenset[Kind]
    voter: Role
    overturned_is_refused: bool

    def rows_of(self, kind: Kind, transition: Transition, facets: frozenset[str]) -> tuple[str, ...]:
        """Ids of the rows that a change triggers, in the table's order."""
        hit = [
            row
            for row in self.rows.values()
            if any(trigger.matches(kind, transition, facets) for trigger in row.triggers)
        ]
        return tuple(row.id for row in sorted(hit, key=lambda row: row.order))
