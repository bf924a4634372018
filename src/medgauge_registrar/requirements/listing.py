"""Evidence of the listing of a grading reference: clause checked, alternative passed, in use (DEC-04)."""

from collections.abc import Iterator, Mapping
from datetime import timedelta

from medgauge_registrar.checks.fields import mapping
from medgauge_registrar.model.change import Kind, Transition
from medgauge_registrar.model.decision import EvidenceState
from medgauge_registrar.model.document import Json
from medgauge_registrar.registry.records import Record
from medgauge_registrar.requirements.evidence import Answer, EvidenceView, Provider
from medgauge_registrar.requirements.separation_listing import frozen_users
from medgauge_registrar.requirements.separation_view import worst

# A day that has begun anywhere on earth is not in the future (UTC+14).
_FURTHEST_AHEAD = timedelta(hours=14)


def listable(view: EvidenceView) -> Answer:
    """
    Whether each reference that is listed was checked on the original, passed with an alternative, and is used when frozen.

    Source:
        Sections 4.1, 22 and 23; rule DEC-04.
    """
    listed = [
        item.change
        for item in view.own
        if item.change.kind is Kind.LIFECYCLE and item.change.transition is Transition.LIST
    ]
    outcomes: list[tuple[EvidenceState, str]] = []
    for change in listed:
        record = view.head.valid_record(change.path)
        if record is None:
            outcomes.append((EvidenceState.UNDECIDED, f"`{change.path}` breaks its schema or cannot be read"))
        else:
            outcomes.extend(_reference(change.object, record, view))
    if not outcomes:
        return Answer(
            state=EvidenceState.SATISFIED if listed else EvidenceState.UNDECIDED,
            message="checked on the original, passed with an alternative, used by a frozen version",
        )
    state = worst(state for state, _ in outcomes)
    return Answer(state=state, message="; ".join(dict.fromkeys(why for found, why in outcomes if found is state)))


def _reference(reference: str, sidecar: Record, view: EvidenceView) -> Iterator[tuple[EvidenceState, str]]:
    alternative = mapping(sidecar["conformant_alternative"])
    if not isinstance(alternative.get("record_ref"), str):
        yield (
            EvidenceState.MISSING,
            f"`{reference}` has no record that a conformant alternative passes; fill in `conformant_alternative`",
        )
    for name, day in (("clause check", sidecar["check_date"]), ("conformant alternative", alternative.get("date"))):
        yield from _day(reference, name, day, view)
    if not any(True for _ in frozen_users(reference, view.head)):
        yield (
            EvidenceState.MISSING,
            f"no frozen benchmark version names `{reference}` in its summary of references; list it once one does",
        )


def _day(reference: str, name: str, day: Json, view: EvidenceView) -> Iterator[tuple[EvidenceState, str]]:
    latest = (view.now + _FURTHEST_AHEAD).date().isoformat()
    if not isinstance(day, str):
        yield (
            EvidenceState.MISSING,
            f"`{reference}` gives no day of its {name}; enter it in the file beside the reference",
        )
    elif day > latest:
        yield EvidenceState.FAILED, f"the {name} of `{reference}` is dated `{day}`, which has begun nowhere on Earth"


LISTING: Mapping[str, Provider] = {"DEC-04": listable}
