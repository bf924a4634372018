"""`registrar draft change-log`: another version of the methodology, written wherever it stands."""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from medgauge_registrar.classify.text_change import ChangeClass
from medgauge_registrar.comparability.notices import breaks_comparison
from medgauge_registrar.comparability.owed import owed_notices, text_change
from medgauge_registrar.comparability.steps import Step, declared_step, needed_step, next_version
from medgauge_registrar.drafts.situation import Drafts, Situation
from medgauge_registrar.drafts.yaml_edit import edited_yaml
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.registry.layout import VERSION
from medgauge_registrar.registry.methodology_text import (
    LogRow,
    MethodologyText,
    archive_path,
    read_text,
    text_path,
)
from medgauge_registrar.registry.records import Registry, version_key
from medgauge_registrar.registry.sources import FOLDER

PLACEHOLDER = "(what changes, in one sentence)"
_ADDRESS = lazy_pattern(rf'("\$id"\s*:\s*"[^"]*?/)({VERSION})(/[^"]*")')


def raised_version(found: Situation, today: date, *, step: Step | None, what: str) -> Drafts:
    """
    Raise the version of the text in title, citation, change log, archive, level rules and the `$id` of every schema.

    A version that the head raised already is kept, and whatever is still to be done for it is done.

    Args:
        found: The change.
        today: Day of the new version.
        step: How far to raise it; null: as far as the change asks for.
        what: Words for the change log.

    Raises:
        PolicyError: The text cannot be read, has no version, or the step is shorter than the change asks for.
    """
    path = text_path(found.head.layout)
    before, after = (_text(registry, path) for registry in (found.base, found.head))
    old, new = read_text(before), read_text(after)
    if old.version is None or new.version is None or old.title_line is None:
        raise PolicyError(f"{path}: no title line `Version x.y.z · YYYY-MM-DD` can be read; mend it first")
    version = new.version
    if version == old.version:
        version = next_version(old.version, _step(found, old.version, step))
    if version == old.version:
        return {}
    # A version that the head raised keeps the day it gave itself.
    day = new.date if new.version == version and new.date is not None else today.isoformat()
    drafts = dict(_files(found.head, old.version, version))
    drafts[path] = _raised_text(after, new, version, day, what)
    archive = archive_path(found.head.layout, old.version)
    if not found.head.has(archive):
        drafts[archive] = before
    return {name: text for name, text in drafts.items() if _differs(found.head, name, text)}


def _step(found: Situation, version: str, asked: Step | None) -> Step:
    changed = text_change(found.base, found.head, found.changes)
    computed = changed.change_class if changed is not None else ChangeClass.NONE
    if any(breaks_comparison(owed) for owed in owed_notices(found.base, found.head, found.changes)):
        computed = ChangeClass.NON_COMPARABLE
    needed = needed_step(computed, version)
    # Schemas and level rules carry the version of the text, so they take a patch of it.
    if needed is Step.NONE and any(change.kind in {Kind.SCHEMA, Kind.LVL} for change in found.changes):
        needed = Step.PATCH
    if asked is not None and asked.length < needed.length:
        raise PolicyError(f"the change is {computed}, so `{asked}` is too short a step; expected at least `{needed}`")
    return asked or needed


def _raised_text(text: str, read: MethodologyText, version: str, day: str, what: str) -> str:
    """The text under another version, with one more row in its change log."""
    lines = text.split("\n")
    old = str(read.version)
    if version != old:
        for index in _title_lines(read, lines):
            lines[index] = lines[index].replace(f"Version {old}", f"Version {version}", 1)
            lines[index] = lines[index].replace(str(read.date), day, 1)
    cited = lazy_pattern(rf"\b(version\s+){re.escape(str(read.cited_version))}(?![0-9.]*[0-9])", re.IGNORECASE)
    if read.citation_line is not None and read.cited_version != version:
        for index in range(read.citation_line - 1, len(lines)):
            if not lines[index].strip():
                break
            lines[index] = cited.sub(rf"\g<1>{version}", lines[index])
            lines[index] = re.sub(r"\([0-9]{4}\)", f"({day[:4]})", lines[index])
    if all(row.version != version for row in read.change_log):
        _enter(lines, read.change_log, f"| {version} | {day} | {what} |")
    return "\n".join(lines)


def _title_lines(read: MethodologyText, lines: Sequence[str]) -> Iterator[int]:
    """Places of lines that carry version and day of the text."""
    start = (read.title_line or 1) - 1
    yield from (index for index in range(start, len(lines)) if f"Version {read.version} · {read.date}" in lines[index])


def _enter(lines: list[str], rows: Sequence[LogRow], row: str) -> None:
    """Put a row where the newest stands: at the top of a table that begins with it, else at its end."""
    if not rows:
        raise PolicyError(
            "the text has no change log; give Appendix D a table with columns Version, Date and Change first"
        )
    versions = [version_key(one.version) for one in rows if one.version is not None]
    newest_first = len(versions) > 1 and versions[0] > versions[-1]
    lines.insert(rows[0].line - 1 if newest_first else rows[-1].line, row)


def _files(head: Registry, old: str, version: str) -> Iterator[tuple[str, str]]:
    """Schemas under the new version, and level rules of it."""
    for name, _ in head.tree.names(FOLDER):
        path = f"{FOLDER}/{name}"
        yield path, _ADDRESS.sub(rf"\g<1>{version}\g<3>", _text(head, path), count=1)
    rules = head.versions(Kind.LVL)
    if not rules:
        return
    newest = head.path_of(Kind.LVL, version=rules[-1])
    record = head.record(newest)
    if record is None or record["methodology"] == version:
        return
    above = (
        version
        if version_key(version) > version_key(rules[-1])
        else next_version(rules[-1], declared_step(old, version))
    )

    def change(fields: dict[str, str]) -> None:
        fields["version"], fields["methodology"] = above, version

    yield head.path_of(Kind.LVL, version=above), edited_yaml(_text(head, newest), change)


def _differs(head: Registry, path: str, text: str) -> bool:
    return not head.has(path) or _text(head, path) != text


def _text(registry: Registry, path: str) -> str:
    try:
        return (registry.tree.read(path) or b"").decode("utf-8")
    except UnicodeDecodeError:
        raise PolicyError(f"{path}: is no UTF-8; mend it first") from None
