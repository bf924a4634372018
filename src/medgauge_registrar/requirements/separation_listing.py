"""Separation at the listing of a grading reference: authors neither check its clause nor build tasks that test it."""

from collections.abc import Iterable, Iterator

from medgauge_registrar.classify.transitions import is_frozen
from medgauge_registrar.model.change import Kind, Transition
from medgauge_registrar.model.decision import EvidenceState
from medgauge_registrar.model.roster import Role
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.requirements.reference_history import summarised_references
from medgauge_registrar.requirements.relations import not_author_of_reference
from medgauge_registrar.requirements.separation_freeze import reference_verdict
from medgauge_registrar.requirements.separation_view import Separated, SeparationView, hands, joined
from medgauge_registrar.requirements.vouching import answered


def listing(view: SeparationView) -> Separated:
    """
    Keep the authors of each reference that is listed from vouching for it, and from the tasks that test it.

    Who authored a reference is read from the history of all its versions. Whether an author builds a task that tests it the
    ledger knows; otherwise a maintainer who sits as the reviewer attests it, for every frozen version that names the
    reference.

    Source:
        Sections 11.3 (gate 9), 20, 22 and 23; rules ROLE-02, ROLE-11.
    """
    listed = [
        item.change.object
        for item in view.own
        if item.change.kind is Kind.LIFECYCLE and item.change.transition is Transition.LIST
    ]
    return joined(_reference(reference, view) for reference in listed)


def gains_an_author(view: SeparationView) -> Separated:
    """
    Ask again, where a reference is written, whether somebody who brings it in builds a task that tests it.

    It is asked of whoever opened and pushed, since anybody can put any name on a commit; whom the commits name is asked at the
    listing and the freeze. So is a reference that the ledger does not name.

    Source:
        Section 20; rule ROLE-02.
    """
    names = {item.change.object.partition("@")[0] for item in view.own if item.change.kind is Kind.GR}
    tested_by = [view.ledger.tested_by_builders[name] for name in names if name in view.ledger.tested_by_builders]
    # A deleted account that opened it stays somebody unknown.
    people = (view.pull.author, *hands(view.pull))
    verdicts = {reference_verdict(people, builders, None) for builders in tested_by}
    undecided = EvidenceState.UNDECIDED if None in verdicts else EvidenceState.SATISFIED
    return Separated(
        known={"ROLE-02": EvidenceState.FAILED if False in verdicts else undecided} if verdicts else {},
        asked=frozenset({"ROLE-02"} if names else ()),
    )


def frozen_users(reference: str, registry: Registry) -> Iterator[Record]:
    """Frozen benchmark versions whose public summary names a reference (`gr-…@x.y.z`), in the order of their paths."""
    for path in registry.tree.mentions(registry.layout.folder(Kind.BM_VERSION), (reference, "\\")):
        record = registry.valid_record(path) if registry.layout.place(path).kind is Kind.BM_VERSION else None
        if record is not None and is_frozen(record.document.value) and reference in summarised_references(record):
            yield record


def _reference(reference: str, view: SeparationView) -> Separated:
    name = reference.partition("@")[0]
    authors = view.reference_authors.get(name, ())
    packages = [(user.place.object, str(user["package_sha256"])) for user in frozen_users(reference, view.head)]
    # Only a maintainer verifies separation (gate 9); one may sit in the reviewer's seat.
    attested = {person: claims for person, claims in view.attested.items() if person in view.maintainers}
    verdict = reference_verdict(authors, view.ledger.tested_by_builders.get(name), _builders(packages, view))
    return joined(
        [
            Separated(alone=(not_author_of_reference(authors),)),
            answered("ROLE-02", verdict, packages, attested, seat=Role.REVIEWER),
        ]
    )


def _builders(packages: Iterable[tuple[str, str]], view: SeparationView) -> frozenset[int] | None:
    """Builders of all these packages; null if the ledger does not know each of them."""
    found = [(view.ledger.benchmark_versions.get(version), sha256) for version, sha256 in packages]
    known = [facts.builders for facts, sha256 in found if facts is not None and facts.package_sha256 == sha256]
    return frozenset[int]().union(*known) if known and len(known) == len(found) else None
