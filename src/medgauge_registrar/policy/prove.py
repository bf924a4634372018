"""Proof, at load, that the decision table leaves no change without a row and never contradicts itself."""

from collections.abc import Iterator, Mapping

from medgauge_registrar.model.change import Kind, Transition
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.policy.table import DecisionTable, TableRow

Universe = Mapping[Kind, Mapping[Transition, tuple[str, ...]]]


def prove(table: DecisionTable, universe: Universe) -> None:
    """
    Show that a table is whole.

    Args:
        table: The decision table.
        universe: Every transition a kind can make, and the facets it can carry there.

    Raises:
        PolicyError: A change has no row, a refused row shares a change with another row, a trigger can never match, a seat
            or piece of evidence waits for a facet that the row never sees, or a row that refuses nothing asks for neither a
            seat nor evidence.
    """
    faults = [
        *_gaps(table, universe),
        *_contradictions(table, universe),
        *_dead_triggers(table, universe),
        *_dead_conditions(table, universe),
        *_idle(table),
    ]
    if faults:
        raise PolicyError("decision table: " + "; ".join(faults))


def _cases(universe: Universe) -> Iterator[tuple[Kind, Transition, frozenset[str]]]:
    for kind in Kind:
        for transition, facets in universe.get(kind, {}).items():
            for facet in facets or ("",):
                yield kind, transition, frozenset({facet}) - {""}


def _name(kind: Kind, transition: Transition, facets: frozenset[str]) -> str:
    return f"`{kind}` {transition}" + "".join(f" ({facet})" for facet in facets)


def _gaps(table: DecisionTable, universe: Universe) -> Iterator[str]:
    for kind in Kind:
        if kind not in universe:
            yield f"kind `{kind}` has no transitions"
    for case in _cases(universe):
        if not table.rows_of(*case):
            yield f"{_name(*case)} triggers no row; add a trigger"


def _contradictions(table: DecisionTable, universe: Universe) -> Iterator[str]:
    for case in _cases(universe):
        rows = [table.rows[row] for row in table.rows_of(*case)]
        if len(rows) > 1 and any(row.refused for row in rows):
            yield f"{_name(*case)} is refused by one row and admitted by another ({', '.join(row.id for row in rows)})"


def _dead_triggers(table: DecisionTable, universe: Universe) -> Iterator[str]:
    for row in table.rows.values():
        for trigger in row.triggers:
            possible = universe.get(trigger.kind, {})
            for transition in sorted(trigger.transitions):
                if transition not in possible:
                    yield f"{row.id} waits for `{trigger.kind}` {transition}, which never happens"
                elif trigger.facet is not None and trigger.facet not in possible[transition]:
                    yield f"{row.id} waits for facet `{trigger.facet}` of `{trigger.kind}` {transition}, which never occurs"


def _dead_conditions(table: DecisionTable, universe: Universe) -> Iterator[str]:
    for row in table.rows.values():
        seen = {
            facet
            for trigger in row.triggers
            for transition in trigger.transitions
            for facet in universe.get(trigger.kind, {}).get(transition, ())
            if trigger.facet in {None, facet}
        }
        asked = [(f"seat `{extra.role}`", extra.facets) for extra in row.extra_seats]
        asked += [(f"evidence {need.id}", need.facets) for need in row.evidence]
        for what, facets in asked:
            for facet in sorted(facets - seen):
                yield f"{row.id} asks for {what} where facet `{facet}` occurs, which no change of the row has"


def _idle(table: DecisionTable) -> Iterator[str]:
    for row in table.rows.values():
        if _asks_nothing(row):
            yield f"{row.id} asks for no seat and no evidence, so it would always be satisfied"


def _asks_nothing(row: TableRow) -> bool:
    return not row.refused and not row.seats and not row.evidence
