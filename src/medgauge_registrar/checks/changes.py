"""Run the checks of single changes: what was, what is, and whether the step between them is allowed."""

from collections.abc import Sequence

from medgauge_registrar.checks.framework import ChangedRecord, Context, findings
from medgauge_registrar.checks.selection import change_checks
from medgauge_registrar.model.change import Change
from medgauge_registrar.model.finding import Finding
from medgauge_registrar.registry.records import Record, Registry


def check_changes(context: Context, base: Registry, changes: Sequence[Change]) -> list[Finding]:
    """
    Check every change; a moved file is judged as what it was and as what it has become.

    Args:
        context: The registry after the change and what else a check may know.
        base: The registry before it.
        changes: All changes of the pull request.

    Raises:
        ReadError: Something that is needed could not be read.
    """
    together = tuple(changes)
    found: list[Finding] = []
    for change in together:
        changed = ChangedRecord(
            change=change,
            before=_readable(base, change.previous_path or change.path) if change.before is not None else None,
            after=_readable(context.registry, change.path) if change.after is not None else None,
            base=base,
            changes=together,
        )
        for check in change_checks(frozenset({changed.old_place.kind, changed.place.kind})):
            found.extend(findings(check, check.run(changed, context), changed.after, change.path))
    return sorted(set(found), key=lambda finding: finding.order)


def _readable(registry: Registry, path: str) -> Record | None:
    record = registry.record(path) if registry.layout.place(path).is_record else None
    return record if record is not None and record.readable else None
