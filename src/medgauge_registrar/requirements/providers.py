"""Who answers for which rule's evidence; one table, so that it shows all there is."""

from collections.abc import Mapping

from medgauge_registrar.requirements.evidence import Provider

PROVIDERS: Mapping[str, Provider] = {}
