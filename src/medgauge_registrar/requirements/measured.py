"""Who is measured on a benchmark family: subjects and their parties, from the registry and the ledger."""

from collections.abc import Iterable, Iterator
from dataclasses import field

from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.model.roster import Roster
from medgauge_registrar.registry.layout import encode_model_name
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.registry.references import select

# Where a result, a protocol, a reproduction or an override names what is measured.
_MODELS = ("model", "subjects/*/model")
_OTHERS = ("harness", "components/*", "subjects/*/harness", "subjects/*/components/*")


@frozen
class Measured:
    """
    Who stands behind what is measured: model names, harness and tool references.

    Attributes:
        parties: Parties known to stand behind them, letter case folded: vendors of models, as the base names them where it has
            the model, and what the ledger says.
        submitters: Accounts that the ledger names for them.
        parties_known: Whether the party of every subject is known; it is not where the vendor alone says so and changes.
        submitters_known: Whether the ledger names the submitters of every subject.
    """

    parties: frozenset[str] = field(repr=False)
    submitters: frozenset[int] = field(repr=False)
    parties_known: bool
    submitters_known: bool


def measured_on(family: str, base: Registry, head: Registry, ledger: Ledger) -> Measured:
    """
    What results of a benchmark family are about, and what protocols of rounds plan to run on it.

    A record that cannot be read leaves unknown what is measured.

    Args:
        family: `bm-…`.
        base: The registry before the change.
        head: The registry after the change.
        ledger: Closed facts.

    Source:
        Sections 20 and 25.6; rules ROLE-03, ROLE-18.
    """
    return measured_by([*_results(family, head), *_protocols(family, head)], base, head, ledger)


def measured_by(
    records: Iterable[Record | None],
    base: Registry,
    head: Registry,
    ledger: Ledger,
    *,
    named: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset()),
) -> Measured:
    """
    What records are about.

    Args:
        records: Null stands for one that cannot be read.
        base: The registry before the change.
        head: The registry after the change.
        ledger: Closed facts.
        named: Models, and harness and tool references, that are measured besides.
    """
    models, others, whole = set(named[0]), set(named[1]), True
    for record in records:
        if record is None:
            whole = False
            continue
        for fields, found in ((_MODELS, models), (_OTHERS, others)):
            for name in fields:
                found.update(value for _, value in select(record.document.value, name) if isinstance(value, str))
    before, after = ({name: _vendor(name, registry) for name in models} for registry in (base, head))
    vendors = {name: before[name] or after[name] for name in models}
    # Whoever opens a pull request may write any vendor into a record: a change of it has to be merged before it is believed.
    lasting = {name for name, vendor in vendors.items() if vendor and vendor == after[name]}
    facts = {name: ledger.subjects.get(name) for name in models | others}
    parties = {vendor for vendor in vendors.values() if vendor} | {fact.party for fact in facts.values() if fact}
    return Measured(
        parties=frozenset(party.casefold() for party in parties),
        submitters=frozenset(person for fact in facts.values() if fact for person in fact.submitters),
        parties_known=whole and all(name in lasting or fact for name, fact in facts.items()),
        submitters_known=whole and all(facts.values()),
    )


def members(roster: Roster, parties: frozenset[str]) -> frozenset[int]:
    """Accounts that belong to any of these parties, whose letter case is folded."""
    return frozenset(
        person.id for person in roster.people if not parties.isdisjoint(party.casefold() for party in person.parties)
    )


def _results(family: str, registry: Registry) -> Iterator[Record | None]:
    folder = registry.path_of(Kind.RES, bm=family, version="0.0.0", res="res").rsplit("/", 2)[0]
    for path, _ in registry.tree.walk(folder):
        if registry.layout.place(path).kind is Kind.RES:
            yield _readable(path, registry)


def _protocols(family: str, registry: Registry) -> Iterator[Record | None]:
    for path, _ in registry.tree.walk(registry.layout.folder(Kind.ROUND)):
        place = registry.layout.place(path)
        if place.kind is not Kind.ROUND or not place.is_record:
            continue
        record = _readable(path, registry)
        planned = () if record is None else select(record.document.value, "benchmark_versions/*/benchmark_version")
        if record is None or any(str(version).partition("@")[0] == family for _, version in planned):
            yield record


def _readable(path: str, registry: Registry) -> Record | None:
    record = registry.record(path)
    return record if record is not None and record.readable else None


def _vendor(model: str, registry: Registry) -> str | None:
    record = registry.record(registry.path_of(Kind.MODEL, model=encode_model_name(model)))
    vendor = record["vendor"] if record is not None else None
    return vendor if isinstance(vendor, str) else None
