"""The versions that stand beside a versioned file, found by the names in its folder."""

from medgauge_registrar.registry.layout import Place
from medgauge_registrar.registry.records import Registry, version_key


def versions_beside(registry: Registry, place: Place) -> tuple[str, ...]:
    """Versions of the same object that have a file, lowest first; the place's own is among them if it has one."""
    folder = place.path.rpartition("/")[0]
    others = (registry.layout.place(f"{folder}/{name}") for name, _ in registry.names(folder))
    found = [other.version for other in others if other.version and other.kind is place.kind and other.id == place.id]
    return tuple(sorted(found, key=version_key))


def next_path(registry: Registry, place: Place) -> str:
    """A free path for the next version of an object: one patch above the highest that has a file."""
    own = place.version or "0.0.0"
    major, minor, patch = version_key((versions_beside(registry, place) or (own,))[-1])
    folder, _, name = place.path.rpartition("/")
    return f"{folder}/{name.replace(own, f'{major}.{minor}.{patch + 1}')}"
