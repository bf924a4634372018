"""Short ways to read a text strictly, and to ask what was wrong with it."""

from medgauge_registrar.model.document import Document, Fault, Json
from medgauge_registrar.registry.reader import LIMITS, Limits, Syntax, read_document


def read(text: str | bytes, syntax: Syntax = Syntax.YAML, limits: Limits = LIMITS) -> Document:
    """Read a text or bytes."""
    return read_document(text.encode() if isinstance(text, str) else text, syntax=syntax, limits=limits)


def accepted(text: str | bytes, syntax: Syntax = Syntax.YAML, limits: Limits = LIMITS) -> Json:
    """Value of a file that must be in order."""
    document = read(text, syntax, limits)
    assert document.faults == ()
    return document.value


def refused(text: str | bytes, syntax: Syntax = Syntax.YAML, limits: Limits = LIMITS) -> Fault:
    """The one fault of a file that must have one, and must say what was expected and what to do."""
    document = read(text, syntax, limits)
    assert document.value is None
    assert len(document.faults) == 1, document.faults
    fault = document.faults[0]
    assert "expected" in fault.message or "not YAML" in fault.message
    assert fault.help
    return fault


def place(fault: Fault) -> tuple[int, int, str | None]:
    """Line, column and pointer of a fault."""
    assert fault.position is not None
    return fault.position.line, fault.position.column, fault.pointer
