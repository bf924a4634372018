"""Evidence of an expert baseline that is added to a frozen version (ROLE-08, ROLE-10)."""

from collections.abc import Mapping

from medgauge_registrar.checks.fields import mapping
from medgauge_registrar.model.decision import EvidenceState, SeatState
from medgauge_registrar.model.roster import Role
from medgauge_registrar.requirements.evidence import UNTOLD, Answer, EvidenceView, Provider
from medgauge_registrar.requirements.separation_baseline import FACET

_TOLD = {
    EvidenceState.SATISFIED: "vouched for by the acceptor or the closed record",
    EvidenceState.FAILED: "the closed record contradicts the separation of the experts; nothing more of it is told",
    EvidenceState.MISSING: UNTOLD,
    EvidenceState.UNDECIDED: "the acceptor's approval has to attest the separation for this version and its package",
}


def _vouched(rule: str) -> Provider:
    """Answer by the rule of separation of that id, which the acceptor's seat carries."""

    def answer(view: EvidenceView) -> Answer:
        state = view.separation.get(rule, EvidenceState.UNDECIDED)
        for item in view.own:
            record = view.head.valid_record(item.change.path) if FACET in item.facets else None
            if record is not None and not isinstance(mapping(record["expert_baseline"]).get("record_ref"), str):
                return Answer(
                    state=EvidenceState.MISSING, message="the baseline names no record of the acceptor's confirmation"
                )
        empty = any(seat.role == Role.ACCEPTOR and seat.state is SeatState.OPEN for seat in view.seated.seats)
        if empty:
            return Answer(state=EvidenceState.MISSING, message="the acceptor has not approved yet")
        return Answer(state=state, message=_TOLD[state])

    return answer


LATE_FIELDS: Mapping[str, Provider] = {rule: _vouched(rule) for rule in ("ROLE-08", "ROLE-10")}
