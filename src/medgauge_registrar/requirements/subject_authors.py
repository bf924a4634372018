"""Whoever wrote what is measured had better not vouch for its result: a public sign of ROLE-04, which the ledger decides."""

from collections.abc import Iterator

from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.requirements.rows import Scene
from medgauge_registrar.requirements.subject_history import subjects_of


def authors_vouch(scene: Scene) -> Iterator[Finding]:
    """
    Warn where an approval of a result comes from somebody who wrote a file of the harness or component that it measures.

    Authorship stands for submission only by and large, so nothing is refused for it. It rests on what everybody can see, the
    approvals whatever the roles of the people, so it tells nothing of who holds which.

    Source:
        Section 20 and Axiom 6; rule ROLE-04 (inferred).
    """
    approving = {approval.user.id for approval in scene.approvals}
    for item in scene.changes:
        record = scene.head.valid_record(item.change.path) if item.change.kind is Kind.RES else None
        for reference in subjects_of(record) if record is not None else ():
            authors = {person.id for person in scene.subject_authors.get(reference, ()) if person is not None}
            if approving & authors:
                yield Finding(
                    rule="ROLE-04",
                    severity=Severity.WARNING,
                    message=f"an approval comes from an author of `{reference}`, which this result measures",
                    help="If that person submitted it, let somebody else review and approve the result.",
                    source="section 20, Axiom 6",
                    path=item.change.path,
                )
