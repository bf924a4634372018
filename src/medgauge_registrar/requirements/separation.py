"""Which rules of separation hold for a row; one table, so that it shows all there is."""

from collections.abc import Mapping
from importlib import import_module

from medgauge_registrar.requirements.separation_view import Separated, SeparationView, Separator, joined

# By row: modules of this package with their functions, imported when the row is triggered.
SEPARATORS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "M1": (("separation_reproduction", "outside_organisation"), ("separation_listing", "gains_an_author")),
    "M2": (("separation_listing", "listing"),),
    "M3": (("separation_freeze", "freeze"),),
    "M4": (("separation_results", "results"),),
    "M14": (("separation_measured", "voiding"),),
    "M15": (("separation_measured", "overriding"),),
    "M18": (("separation_baseline", "baseline"),),
}


def separated(row: str, view: SeparationView) -> Separated:
    """What the rules of separation of a row come to; nothing for a row without any."""
    return joined(separator(view) for separator in separators_of(row))


def separators_of(row: str) -> tuple[Separator, ...]:
    """The functions that hold for a row."""
    return tuple(
        getattr(import_module(f"medgauge_registrar.requirements.{module}"), name)
        for module, name in SEPARATORS.get(row, ())
    )
