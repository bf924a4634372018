"""What to say where a check depends on another record that is broken."""

from collections.abc import Iterator

from medgauge_registrar.checks.framework import Problem
from medgauge_registrar.registry.records import Registry


def undecided(path: str, registry: Registry, pointer: str = "") -> Iterator[Problem]:
    """
    Tell that a check cannot be decided, because the record at a path breaks its schema or cannot be read.

    Nothing is told where no file stands at all; that is for ID-06. What cannot be judged is never taken as kept (DEC-22).
    """
    if registry.has(path) and registry.valid_record(path) is None:
        yield Problem(
            message=f"`{path}` breaks its schema or cannot be read, so this cannot be judged",
            help="Mend that file first.",
            pointer=pointer,
        )
