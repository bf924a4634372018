"""Families: files that are judged together, found by their paths alone."""

from collections.abc import Iterator

from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.layout import Place
from medgauge_registrar.registry.records import Registry

_VERSIONED = {"gr": Kind.GR, "hx": Kind.HX, "tl": Kind.TL}


def family_of(place: Place) -> str | None:
    """
    Name the family of a file: a benchmark (`bm-…`) or a versioned entry (`gr-…`, `hx-…`, `tl-…`).

    Results and voided lists belong to the benchmark they are about; null for a file that is judged alone.
    """
    if place.kind in {Kind.BM_CARD, Kind.BM_VERSION, Kind.VOID, Kind.LIFECYCLE, Kind.GR, Kind.HX, Kind.TL}:
        return place.id
    if place.kind is Kind.RES:
        # The folder, not the record's id, says which benchmark a result belongs to.
        return next((part for part in place.path.split("/") if part.startswith("bm-")), None)
    return None


def members(family: str, registry: Registry) -> Iterator[str]:
    """Paths of all files of a family, in a fixed order."""
    code = family.partition("-")[0]
    if code == "bm":
        card = registry.path_of(Kind.BM_CARD, bm=family)
        if registry.has(card):
            yield card
        for version in registry.versions(Kind.BM_VERSION, bm=family):
            yield registry.path_of(Kind.BM_VERSION, bm=family, version=version)
        for version in registry.versions(Kind.VOID, bm=family):
            yield registry.path_of(Kind.VOID, bm=family, version=version)
        folder = registry.path_of(Kind.RES, bm=family, version="0.0.0", res="res").rsplit("/", 2)[0]
        for path, _ in registry.tree.walk(folder):
            yield path
    elif code in _VERSIONED:
        for version in registry.versions(_VERSIONED[code], **{code: family}):
            yield registry.path_of(_VERSIONED[code], **{code: family, "version": version})
    for version in registry.versions(Kind.LIFECYCLE, **{code: family}):
        yield registry.path_of(Kind.LIFECYCLE, **{code: family, "version": version})
