"""Nobody of a measured party, and no applicant, decides on what touches their own results (ROLE-18, ROLE-22)."""

from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.roster import Role
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.requirements.measured import measured_by, measured_on, members
from medgauge_registrar.requirements.relations import not_among, not_of_parties
from medgauge_registrar.requirements.separation_view import Separated, SeparationView, joined
from medgauge_registrar.requirements.vouching import answered


def voiding(view: SeparationView) -> Separated:
    """
    Keep applicants and measured parties of a family out of the decision to void one of its tasks.

    Who applied the ledger knows; where it does not know all, the seated maintainer attests it for the version concerned.

    Source:
        Sections 8.4, 20 and 25.6; rule ROLE-18.
    """
    places = [view.head.layout.place(item.change.path) for item in view.own if item.change.kind is Kind.VOID]
    return joined(_voided(place.id or "", place.version or "", view) for place in places)


def overriding(view: SeparationView) -> Separated:
    """
    Keep members of the measured parties from signing a level override.

    Source:
        Section 5.7 and Appendix B; rule ROLE-22.
    """
    paths = [item.change.path for item in view.own if item.change.kind is Kind.LO]
    measured = measured_by((view.head.valid_record(path) for path in paths), view.base, view.head, view.ledger)
    seats = frozenset({Role.MAINTAINER})
    condition = not_of_parties("ROLE-22", seats, view.roster, measured.parties, complete=measured.parties_known)
    return Separated(alone=(condition,) if paths else ())


def _voided(family: str, version: str, view: SeparationView) -> Separated:
    measured = measured_on(family, view.base, view.head, view.ledger)
    barred = measured.submitters | members(view.roster, measured.parties)
    seats = frozenset({Role.RESULTS_REVIEWER, Role.MAINTAINER})
    packages = _packages(family, version, view.head)
    return joined(
        [
            Separated(alone=(not_among("ROLE-18", seats, barred, complete=True),)),
            answered("ROLE-18", True if measured.submitters_known else None, packages, view.attested),
        ]
    )


def _packages(family: str, version: str, registry: Registry) -> list[tuple[str, str]]:
    record = registry.valid_record(registry.path_of(Kind.BM_VERSION, bm=family, version=version))
    package = None if record is None else record["package_sha256"]
    return [(f"{family}@{version}", package)] if isinstance(package, str) else []
