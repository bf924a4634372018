"""How the files of one benchmark family are found from one another."""

from collections.abc import Iterator

from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.layout import Place
from medgauge_registrar.registry.records import Record, Registry, version_key

SUBSETS = ("dev", "holdout", "calibration")


def card_of(place: Place, registry: Registry) -> Record | None:
    """Card of the family that a version belongs to; null if it is absent or broken, which ID-06 and ENT-02 tell."""
    return registry.valid_record(registry.path_of(Kind.BM_CARD, bm=place.id or ""))


def versions_of(place: Place, registry: Registry) -> Iterator[Record]:
    """Version files of a family that keep their schema, lowest version first."""
    for version in registry.versions(Kind.BM_VERSION, bm=place.id or ""):
        record = registry.valid_record(registry.path_of(Kind.BM_VERSION, bm=place.id or "", version=version))
        if record is not None:
            yield record


def earlier_versions(record: Record, registry: Registry) -> Iterator[Record]:
    """Version files of the same family below this one that keep their schema, lowest first."""
    own = version_key(record.place.version or "0.0.0")
    for other in versions_of(record.place, registry):
        if version_key(other.place.version or "0.0.0") < own:
            yield other


def version_of_result(result: Record, registry: Registry) -> Record | None:
    """The benchmark version that a result is about; null if it is absent or broken, which ID-06 and ENT-02 tell."""
    benchmark, _, version = str(result["benchmark_version"]).partition("@")
    return registry.valid_record(registry.path_of(Kind.BM_VERSION, bm=benchmark, version=version))
