"""What a check found: a rule, a place, what is wrong and how to mend it (SARIF's result, in our fields)."""

from enum import StrEnum

from medgauge_registrar.model.frozen import frozen


class Severity(StrEnum):
    """How much a finding weighs; only `error` keeps a pull request from being approved."""

    ERROR = "error"
    WARNING = "warning"
    NOTICE = "notice"


@frozen
class Finding:
    """
    One fault, at one place.

    Attributes:
        rule: Id of the rule (`ID-06`).
        severity: How much it weighs.
        message: The value found and what was expected; foreign text is not yet escaped.
        help: The next step, for the person who can take it.
        source: Where the rule comes from (`section 18`).
        path: File in the registry; null where naming it would say too much.
        line: First line of the place, from 1.
        column: First column of the place, from 1.
        pointer: JSON Pointer of the place inside the record.
    """

    rule: str
    severity: Severity
    message: str
    help: str
    source: str
    path: str | None = None
    line: int | None = None
    column: int | None = None
    pointer: str | None = None

    @property
    def order(self) -> tuple[str, int, int, str, str, str]:
        """Sort key: file, then place, then rule."""
        return (self.path or "", self.line or 0, self.column or 0, self.rule, self.pointer or "", self.message)
