"""Who answers for which rule's evidence; one table, so that it shows all there is."""

from collections.abc import Mapping

from medgauge_registrar.requirements.announcements import ANNOUNCEMENTS
from medgauge_registrar.requirements.change_classes import CHANGE_CLASSES
from medgauge_registrar.requirements.evidence import Provider
from medgauge_registrar.requirements.freeze import GATES
from medgauge_registrar.requirements.late_fields import LATE_FIELDS
from medgauge_registrar.requirements.listing import LISTING
from medgauge_registrar.requirements.outcomes import OUTCOMES
from medgauge_registrar.requirements.requests import REQUESTS
from medgauge_registrar.requirements.results_evidence import RESULT_PROVIDERS

PROVIDERS: Mapping[str, Provider] = {
    **LISTING,  # DEC-04
    **LATE_FIELDS,  # ROLE-08, ROLE-10
    **REQUESTS,  # RFC-01, RFC-02, RFC-05
    **OUTCOMES,  # DISP-02, DISP-03, DISP-04
    **ANNOUNCEMENTS,  # NCN-01, 03, 05, 08, 09, 10, 16, 20, 24
    **CHANGE_CLASSES,  # CHG-01, 02, 05, 08
    **GATES,  # GATE-01…13
    **RESULT_PROVIDERS,  # RESULT-09…42, RED-11, CHK-03, CHK-06, CHK-08, CHK-10
}
