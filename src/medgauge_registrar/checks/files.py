"""Run the checks of single files, and set aside what the base policy excepts."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace

from medgauge_registrar.checks.content_catalogue import FILE_CHECKS
from medgauge_registrar.checks.framework import Context, FileCheck, findings
from medgauge_registrar.checks.selection import file_checks
from medgauge_registrar.content.textfile import TextFile
from medgauge_registrar.model.change import Change
from medgauge_registrar.model.finding import Finding
from medgauge_registrar.model.tree import FILE_MODES
from medgauge_registrar.registry.records import Record, Registry


def file_findings(
    file: TextFile, context: Context, record: Record | None, checks: Sequence[FileCheck] | None = None
) -> Iterator[Finding]:
    """
    Check one file.

    Args:
        file: The file.
        context: What a check may know.
        record: The record it was read as; null if it is none.
        checks: Which checks to run; all that are for its kind, if null.
    """
    for check in file_checks(file.kind) if checks is None else checks:
        if check.closed:
            yield from findings(check, check.run(file, context), None, None)
        else:
            for found in findings(check, check.run(file, context), record or _as_record(file), file.path):
                yield from _unless_excepted(found, file, context)


def revisited(registry: Registry, base: Registry, changes: Sequence[Change]) -> dict[str, list[FileCheck]]:
    """Files beyond the changed ones whose outcome a change can have altered, each with the checks to run again."""
    changed = {change.path for change in changes}
    again: dict[str, list[FileCheck]] = {}
    for check in FILE_CHECKS:
        for path in check.revisit(registry, base, changes) if check.revisit is not None else ():
            if path not in changed and registry.layout.place(path).kind in check.kinds:
                again.setdefault(path, []).append(check)
    return again


def read_file(registry: Registry, path: str) -> TextFile | None:
    """A file of a registry under scan; null if there is no regular file at its path."""
    entry = registry.tree.entry(path)
    data = registry.tree.read(path) if entry is not None and entry.mode in FILE_MODES else None
    if data is None:
        return None
    place = registry.layout.place(path)
    record = registry.record(path) if place.is_record else None
    return TextFile(place, data, record.document if record is not None else None)


def line_digest(line: str) -> str:
    """Digest by which an exception names the line it is for: SHA-256 of the line without the space around it."""
    return hashlib.sha256(line.strip().encode("utf-8", "surrogatepass")).hexdigest()


def _as_record(file: TextFile) -> Record | None:
    """A document that is no record still tells the places of its values."""
    if file.place.is_record or file.document is None or file.is_markdown:
        return None
    return Record(path=file.path, place=file.place, document=file.document)


def _unless_excepted(found: Finding, file: TextFile, context: Context) -> Iterator[Finding]:
    line = file.lines[found.line - 1] if found.line and found.line <= len(file.lines) else None
    expired = None
    for exception in context.settings.content_exceptions if line is not None else ():
        if (exception.rule, exception.path) == (found.rule, file.path) and exception.line_sha256 == line_digest(
            line or ""
        ):
            if exception.until >= context.latest_day:
                return
            expired = exception
    if expired is not None:
        found = replace(found, help=f"{found.help} The exception for this line expired on {expired.until.isoformat()}.")
    yield found
