"""The methodology text keeps its past (IMM-06, IMM-11): superseded versions in the archive, and every row of its change log."""

from collections.abc import Iterator

from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, change_check
from medgauge_registrar.model.change import Kind, Status
from medgauge_registrar.registry.methodology_text import archive_path, methodology_of, read_methodology, text_path


@change_check("IMM-06", section="32", kinds={Kind.METH})
def lost_methodology_version(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A superseded version of the methodology text is kept, byte for byte, and archived texts are left alone.

    Old results are read by the rules of their time. When the text gets a new version, add a copy of the old one to the
    archive in the same pull request.

    Passes: text 0.2.0, and the former text as methodology/versions/0.1.0.md
    Fails: text 0.2.0 without that copy
    """
    layout = context.registry.layout
    current, archived = text_path(layout), changed.place.version if changed.place.kind is Kind.METH else None
    if changed.old_path == current and changed.leaves:
        yield Problem(message="the text in force was taken away", help=f"Put `{current}` back.")
    elif changed.place.path == current and changed.rewritten:
        yield from _archived_at_base(changed, context)
    elif archived and (changed.rewritten or changed.change.status is Status.REMOVED):
        yield Problem(
            message=f"the archived text {archived} was altered", help="Put it back as it was.", path=changed.old_path
        )
    elif archived and changed.enters and changed.base.has(current):
        before, after = changed.base.tree.entry(current), changed.change.after
        same = before is not None and after is not None and before.oid == after.oid
        versions = [methodology_of(registry.tree, layout).version for registry in (changed.base, context.registry)]
        if not same or versions[0] != archived or versions[1] == archived:
            yield Problem(
                message=f"this is no copy of a text {archived} that is superseded here",
                help=f"Archive exactly the bytes of `{current}`, in the pull request that gives it a new version.",
            )


@change_check("IMM-11", section="31, App D", kinds={Kind.METH})
def rewritten_change_log(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    The change log of the methodology only grows: rows that are there keep their words and their order.

    It is the memory of every change. Add rows at its end (or at its top, where the newest stands first); correct a row by a
    further one.

    Passes: one more row at the end
    Fails: another wording in an old row
    """
    current = text_path(context.registry.layout)
    if changed.place.path != current or not changed.rewritten:
        return
    log = read_methodology(context.registry.tree.read(current))
    old = [row.cells for row in read_methodology(changed.base.tree.read(current)).change_log]
    new = [row.cells for row in log.change_log]
    if old not in (new[: len(old)], new[len(new) - len(old) :]):
        yield Problem(
            message=f"the {len(old)} rows the change log had are no longer there, one after the other and word for word",
            help="Put them back as they were, and add new rows before or after them.",
        )


def _archived_at_base(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """Whether the text that a new version supersedes is in the archive."""
    layout = context.registry.layout
    old = methodology_of(changed.base.tree, layout).version
    new = methodology_of(context.registry.tree, layout).version
    if old is None or old == new:
        return
    path = archive_path(layout, old)
    copy, before = context.registry.tree.entry(path), changed.change.before
    if copy is None or before is None or copy.oid != before.oid:
        yield Problem(
            message=f"version {old} of the text is superseded and not archived as it was",
            help=f"Add the former text, byte for byte, as `{path}`.",
        )
