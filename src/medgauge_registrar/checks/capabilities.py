"""Capabilities: what they build on, what they are made of, and how they enter (SCHEMA-CAP-*)."""

from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from medgauge_registrar.checks.fields import texts
from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, change_check, record_check, tree_check
from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.registry.references import select

# Domain of the medical-practice capabilities where the settings list none.
_PRACTICE_DOMAIN = "D"


@tree_check("SCHEMA-CAP-03", section="15", kinds={Kind.CAP})
def circular_dependency(context: Context) -> Iterator[Problem]:
    """
    The capabilities that a capability builds on exist, and following them never leads back.

    Of capabilities in a circle none could come first. That each of them exists is ID-06. Take one of the dependencies out.

    Passes: A.2 depends on A.1, and A.1 on nothing
    Fails: A.2 depends on A.1, and A.1 on A.2
    """
    paths = _paths(context.registry)
    capabilities = {
        name: record for name, path in paths.items() if (record := context.registry.valid_record(path)) is not None
    }
    for circle in _circles(capabilities):
        first = capabilities[circle[0]]
        yield Problem(
            message=f"dependencies lead in a circle: {' → '.join(f'`{name}`' for name in (*circle, circle[0]))}",
            help="Take one of these dependencies out.",
            path=first.path,
            position=first.document.position("/dependencies"),
        )


@record_check("SCHEMA-CAP-04", section="5.7", kinds={Kind.CAP})
def foreign_component(record: Record, context: Context) -> Iterator[Problem]:
    """
    A scenario capability is made of medical-practice capabilities, and no other capability is made of any.

    Its evidence and level are the lowest among its parts, so only graded practice can be a part. The schema asks every
    scenario, and nothing else, for its parts; the settings may list which capabilities count, otherwise those of domain D do.

    Passes: E.1 composed of D.1 and D.2
    Fails: E.1 composed of A.4
    """
    listed = context.settings.medical_practice_capabilities
    for pointer, name in select(record.document.value, "composed_of/*"):
        is_practice = name in listed if listed else str(name).startswith(f"{_PRACTICE_DOMAIN}.")
        if not is_practice:
            allowed = (
                ", ".join(f"`{item}`" for item in sorted(listed, key=_order)) or f"those of domain {_PRACTICE_DOMAIN}"
            )
            yield Problem(
                message=f"`{name}` is no medical-practice capability; allowed are {allowed}",
                help="Name medical-practice capabilities only.",
                pointer=pointer,
            )


@change_check("SCHEMA-CAP-05", section="22", kinds={Kind.CAP})
def unfounded_capability(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A new capability names an outside anchor.

    The list of competences grows only where somebody outside measures the same. Name that benchmark or study; the request
    for comment behind the addition is RFC-01.

    Passes: external_anchors: [Example study]
    Fails: external_anchors: []
    """
    after = context.registry.valid_record(changed.change.path)
    if not changed.enters or after is None or after.kind is not Kind.CAP:
        return
    if not texts(after["external_anchors"]):
        yield Problem(
            message="a new capability has no outside anchor",
            help="Name a benchmark or study of others that bears on it.",
            pointer="/external_anchors",
        )


def _paths(registry: Registry) -> Mapping[str, str]:
    """Path of every capability by its number, in the order of the numbers."""
    places = (registry.layout.place(path) for path, _ in registry.tree.walk(registry.layout.folder(Kind.CAP)))
    found = {str(place.id): place.path for place in places if place.kind is Kind.CAP}
    return {name: found[name] for name in sorted(found, key=_order)}


def _circles(capabilities: Mapping[str, Record]) -> Iterator[tuple[str, ...]]:
    """Circles of dependencies that share no member, each in the order of its links, from its first member on."""
    links = {
        name: [below for below in texts(record["dependencies"]) if below in capabilities]
        for name, record in capabilities.items()
    }
    while True:
        try:
            TopologicalSorter(links).prepare()
        except CycleError as error:
            # The sorter walks from a capability to those that build on it, and names the first one again at the end.
            circle = list(reversed(error.args[1]))[:-1]
        else:
            return
        start = circle.index(min(circle, key=_order))
        yield (*circle[start:], *circle[:start])
        links = {
            name: [below for below in lower if below not in circle]
            for name, lower in links.items()
            if name not in circle
        }


def _order(name: str) -> tuple[str, int]:
    """Domain, then number: X.10 follows X.9."""
    domain, _, number = name.partition(".")
    return domain, int(number) if number.isdigit() else 0
