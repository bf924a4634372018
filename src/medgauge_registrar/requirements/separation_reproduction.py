"""A reproduction is approved by somebody outside the organisation that ran it (ROLE-21)."""

from medgauge_registrar.model.change import Kind
from medgauge_registrar.requirements.relations import not_among
from medgauge_registrar.requirements.separation_view import Separated, SeparationView


def outside_organisation(view: SeparationView) -> Separated:
    """
    Keep members of the organisations that the changed reproduction records name out of the row's seats.

    Source:
        Sections 20 and 26; rule ROLE-21.
    """
    organisations = {
        str(record["organisation"]).casefold()
        for item in view.own
        if item.change.kind is Kind.RP
        and (record := view.head.record(item.change.path)) is not None
        and record["organisation"] is not None
    }
    if not organisations or not view.seats:
        return Separated()
    members = frozenset(
        person.id
        for person in view.roster.people
        if not organisations.isdisjoint(name.casefold() for name in (person.institution or "", *person.parties))
    )
    return Separated(alone=(not_among("ROLE-21", frozenset(view.seats), members, complete=True),))
