"""
Who answers for which rule's evidence; one table, so that it shows all there is.

A provider is imported when a row asks for its rule: most rows ask few, and all of them together take longer to import than
a pull request takes to decide.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module

from medgauge_registrar.requirements.evidence import Provider

# Module of this package and its table of providers: the rules that the table answers for.
ANSWERED: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("announcements", "ANNOUNCEMENTS"): (
        "NCN-01", "NCN-03", "NCN-05", "NCN-08", "NCN-09", "NCN-10", "NCN-16", "NCN-20", "NCN-24",
    ),
    ("change_classes", "CHANGE_CLASSES"): ("CHG-01", "CHG-02", "CHG-05", "CHG-08"),
    ("freeze", "GATES"): (
        "GATE-01", "GATE-02", "GATE-03", "GATE-04", "GATE-05", "GATE-06", "GATE-07", "GATE-08", "GATE-09", "GATE-10",
        "GATE-11", "GATE-12", "GATE-13",
    ),
    ("late_fields", "LATE_FIELDS"): ("ROLE-08", "ROLE-10"),
    ("listing", "LISTING"): ("DEC-04",),
    ("outcomes", "OUTCOMES"): ("DISP-02", "DISP-03", "DISP-04"),
    ("requests", "REQUESTS"): ("RFC-01", "RFC-02", "RFC-05"),
    ("results_evidence", "RESULT_PROVIDERS"): (
        "RESULT-09", "RESULT-11", "RESULT-12", "RESULT-14", "RESULT-16", "RESULT-42", "RED-11", "CHK-03", "CHK-06",
        "CHK-08", "CHK-10",
    ),
}  # fmt: skip


class _Providers(Mapping[str, Provider]):
    """The tables as one, each imported when a rule of it is looked up."""

    def __init__(self) -> None:
        self._tables = {rule: table for table, rules in ANSWERED.items() for rule in rules}

    def __getitem__(self, rule: str) -> Provider:
        module, name = self._tables[rule]
        table: Mapping[str, Provider] = getattr(import_module(f"medgauge_registrar.requirements.{module}"), name)
        return table[rule]

    def __contains__(self, rule: object) -> bool:
        return rule in self._tables

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)


PROVIDERS: Mapping[str, Provider] = _Providers()
