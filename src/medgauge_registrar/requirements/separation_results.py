"""Separation of a result: who submitted a subject, who is measured, and who decides on it (ROLE-03, ROLE-04, ROLE-18, ROLE-19)."""

from collections.abc import Iterator

from medgauge_registrar.checks.fields import texts
from medgauge_registrar.checks.rounds import protocol_path
from medgauge_registrar.classify.transitions import is_frozen
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.decision import EvidenceState
from medgauge_registrar.model.ledger import VersionFacts
from medgauge_registrar.model.roster import Role
from medgauge_registrar.registry.records import Record
from medgauge_registrar.requirements.measured import Measured, measured_by, members
from medgauge_registrar.requirements.origin import origin
from medgauge_registrar.requirements.relations import not_among, not_submitter
from medgauge_registrar.requirements.separation_view import Separated, SeparationView, hands, joined

_SEATS = frozenset({Role.RESULTS_REVIEWER, Role.MAINTAINER})
_CLOSED = ("ROLE-03", "ROLE-04", "ROLE-18")


def results(view: SeparationView) -> Separated:
    """
    Keep the people of a subject away from its figures, for every result of the pull request.

    What the ledger does not know stays undecided: nobody attests it for a result, since whoever could is a party to it. Of a
    result that does not come from the site nothing closed is asked, neither here nor of who sits: it is refused anyway.

    Source:
        Sections 20, 23 and 25.6; rules ROLE-03, ROLE-04, ROLE-18, ROLE-19.
    """
    paths = [item.change.path for item in view.own if item.change.kind is Kind.RES]
    public = {"ROLE-19": origin(view.pull, view.settings)}
    if public["ROLE-19"] is EvidenceState.FAILED:
        return Separated(known=dict.fromkeys(_CLOSED, EvidenceState.UNDECIDED), public=public)
    return joined([Separated(public=public), *(_result(view.head.valid_record(path), view) for path in paths)])


def _result(record: Record | None, view: SeparationView) -> Separated:
    if record is None:
        return Separated(known=dict.fromkeys(_CLOSED, EvidenceState.UNDECIDED))
    own = measured_by([record], view.base, view.head, view.ledger)
    round_ = view.head.valid_record(protocol_path(record, view.head))
    applicants = measured_by([record, round_], view.base, view.head, view.ledger)
    barred = applicants.submitters | members(view.roster, applicants.parties)
    whole = applicants.submitters_known and applicants.parties_known
    return Separated(
        alone=(
            not_submitter([str(record["model"]), str(record["harness"]), *texts(record["components"])], view.ledger),
            not_among("ROLE-18", _SEATS, barred, complete=whole),
        ),
        known={
            "ROLE-03": _parties(record, own, view),
            "ROLE-04": _generated(own, view),
            "ROLE-18": _builders(record, applicants, view),
        },
    )


def _parties(record: Record, measured: Measured, view: SeparationView) -> EvidenceState:
    """Whether no party behind the subject gave a holdout task of the family, in whatever frozen version (ROLE-03)."""
    facts = list(_facts(record, view))
    gave = frozenset(party.casefold() for known in facts if known for party in known.holdout_parties)
    if gave & measured.parties:
        return EvidenceState.FAILED
    decided = all(facts) and (not gave or measured.parties_known)
    return EvidenceState.SATISFIED if decided else EvidenceState.UNDECIDED


def _generated(measured: Measured, view: SeparationView) -> EvidenceState:
    """Whether nobody who submitted the subject opened, pushed or triggered its record (ROLE-04)."""
    if {person.id for person in hands(view.pull)} & measured.submitters:
        return EvidenceState.FAILED
    return EvidenceState.SATISFIED if measured.submitters_known else EvidenceState.UNDECIDED


def _builders(record: Record, applicants: Measured, view: SeparationView) -> EvidenceState:
    """Whether no applicant to the round built tasks of the family (ROLE-18)."""
    facts = list(_facts(record, view))
    built = frozenset(person for known in facts if known for person in known.builders)
    if built & (applicants.submitters | members(view.roster, applicants.parties)):
        return EvidenceState.FAILED
    known = all(facts) and applicants.submitters_known and applicants.parties_known
    return EvidenceState.SATISFIED if known else EvidenceState.UNDECIDED


def _facts(record: Record, view: SeparationView) -> Iterator[VersionFacts | None]:
    """What the ledger says of each frozen version of a result's family; null where it says nothing of its package."""
    family = str(record["benchmark_version"]).partition("@")[0]
    for number in view.head.versions(Kind.BM_VERSION, bm=family):
        version = view.head.valid_record(view.head.path_of(Kind.BM_VERSION, bm=family, version=number))
        if version is None:
            yield None
        elif is_frozen(version.document.value):
            facts = view.ledger.benchmark_versions.get(f"{family}@{number}")
            yield facts if facts is not None and facts.package_sha256 == version["package_sha256"] else None
