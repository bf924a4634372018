"""Which rules of separation hold for a row; one table, so that it shows all there is."""

from collections.abc import Mapping

from medgauge_registrar.requirements.separation_baseline import baseline
from medgauge_registrar.requirements.separation_freeze import freeze
from medgauge_registrar.requirements.separation_listing import gains_an_author, listing
from medgauge_registrar.requirements.separation_measured import overriding, voiding
from medgauge_registrar.requirements.separation_reproduction import outside_organisation
from medgauge_registrar.requirements.separation_results import results
from medgauge_registrar.requirements.separation_view import Separated, SeparationView, Separator, joined

SEPARATORS: Mapping[str, tuple[Separator, ...]] = {
    "M1": (outside_organisation, gains_an_author),
    "M2": (listing,),
    "M3": (freeze,),
    "M4": (results,),
    "M14": (voiding,),
    "M15": (overriding,),
    "M18": (baseline,),
}


def separated(row: str, view: SeparationView) -> Separated:
    """What the rules of separation of a row come to; nothing for a row without any."""
    return joined(separator(view) for separator in SEPARATORS.get(row, ()))
