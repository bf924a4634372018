"""How the files of one benchmark family are found from one another."""

from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json
from medgauge_registrar.registry.layout import Place
from medgauge_registrar.registry.records import Registry, version_key

SUBSETS = ("dev", "holdout", "calibration")


def version_paths(place: Place, registry: Registry) -> list[str]:
    """Version files of the family that a card or version belongs to, lowest version first."""
    bm = place.id or ""
    return [
        registry.path_of(Kind.BM_VERSION, bm=bm, version=found) for found in registry.versions(Kind.BM_VERSION, bm=bm)
    ]


def earlier_paths(place: Place, registry: Registry) -> list[str]:
    """Version files of the same family below a version, lowest first."""
    own = version_key(place.version or "0.0.0")
    others = ((path, registry.layout.place(path).version) for path in version_paths(place, registry))
    return [path for path, version in others if version is not None and version_key(version) < own]


def path_of_reference(reference: Json, registry: Registry) -> str:
    """Where the benchmark version stands that a text such as `bm-example@0.2.0` names."""
    benchmark, _, version = str(reference).partition("@")
    return registry.path_of(Kind.BM_VERSION, bm=benchmark, version=version)
