"""What a check of a change says where it depends on another record that is broken."""

from collections.abc import Iterator

from medgauge_registrar.checks.framework import Problem
from medgauge_registrar.registry.records import Registry


def undecided(path: str, registry: Registry, pointer: str = "") -> Iterator[Problem]:
    """
    Tell that a step cannot be judged, because the record at a path breaks its schema or cannot be read.

    For checks of a change alone, which are not asked again once the change is in (DEC-22); a check of a state leaves the
    broken record to its own error. Nothing is told where no file stands at all; that is for ID-06.
    """
    if registry.has(path) and registry.valid_record(path) is None:
        yield Problem(
            message=f"`{path}` breaks its schema or cannot be read, so this cannot be judged",
            help="Mend that file first.",
            pointer=pointer,
        )
