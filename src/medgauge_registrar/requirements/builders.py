"""A maintainer who built tasks of a version had better leave its freeze to another (ROLE-28)."""

from collections.abc import Iterator, Sequence

from medgauge_registrar.model.change import Kind, Transition
from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.model.roster import Role
from medgauge_registrar.requirements.approvals import SeatedRow
from medgauge_registrar.requirements.rows import Scene

_ROW = "M3"


def builder_vouches(scene: Scene, rows: Sequence[SeatedRow]) -> Iterator[Finding]:
    """
    Advise another maintainer where the ledger names the one seated as a builder of a version that is frozen.

    One bit, and no name: who approved is public, what the ledger holds beyond that is not told, nor anything before every
    seat of the row is filled.

    Source:
        Sections 11.3 (gate 9) and 20; rule ROLE-28 (inferred).
    """
    versions = [
        item.change.object
        for item in scene.changes
        if item.change.kind is Kind.BM_VERSION and item.change.transition is Transition.FREEZE
    ]
    facts = [scene.ledger.benchmark_versions.get(version) for version in versions]
    builders = frozenset(person for known in facts if known is not None for person in known.builders)
    seated = {
        holder
        for row in rows
        if row.id == _ROW and None not in row.holders
        for seat, holder in zip(row.seats, row.holders, strict=True)
        if seat.role == Role.MAINTAINER
    }
    if seated & builders:
        yield Finding(
            rule="ROLE-28",
            severity=Severity.NOTICE,
            message="the maintainer's approval of this freeze is better given by somebody who took no part in the version",
            help="Nothing has to change; another maintainer may approve as well.",
            source="sections 11.3, 20",
        )
