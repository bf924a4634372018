"""Everything that the content checks find in one file of a small registry."""

from functools import cache

from medgauge_registrar.checks.content_catalogue import CONTENT_CHANGE_CHECKS
from medgauge_registrar.checks.files import file_findings, read_file
from medgauge_registrar.checks.framework import ChangedRecord, Context, findings
from medgauge_registrar.classify.classify import classify
from medgauge_registrar.content.canaries import Canaries
from medgauge_registrar.content.textfile import TextFile
from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.policy.load import shipped_table
from medgauge_registrar.policy.settings import Settings
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.starter import starter_files
from support.memory_tree import MemoryTree, memory_changes
from support.registries import TODAY, layout, registry_of

# A methodology with all its sections, and what the snippets link to.
_KEPT = ("methodology/text.md", "charter.md", "registry/standards/std-icd.yaml", "LICENSE", "LICENSE-CC-BY")


def surroundings() -> dict[str, bytes]:
    """Files around the one under scan, to be changed at will."""
    return dict(_surroundings())


def scan(
    path: str,
    content: bytes | str,
    *,
    settings: Settings | None = None,
    canaries: Canaries | None = None,
    more: dict[str, bytes] | None = None,
) -> list[Finding]:
    """All findings of content checks in one file, as if a pull request had added it."""
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    before = {**surroundings(), **(more or {})}
    before.pop(path, None)
    base = _registry(before)
    head = _registry({**before, path: data})
    context = Context(registry=head, settings=settings or Settings(), latest_day=TODAY, canaries=canaries or Canaries())
    file = read_file(head, path)
    assert file is not None
    record = head.record(path) if file.place.is_record else None
    found = list(file_findings(file, context, record))
    changes = memory_changes(base.tree, head.tree)
    for item in classify(changes, base=base, head=head, table=shipped_table()):
        changed = ChangedRecord(change=item.change, before=None, after=record, base=base, changes=(item.change,))
        for check in CONTENT_CHANGE_CHECKS:
            if changed.place.kind in check.kinds:
                found += findings(check, check.run(changed, context), record, path)
    return found


def rules_of(found: list[Finding], *, errors_only: bool = False) -> set[str]:
    """Ids of the rules that findings name."""
    return {item.rule for item in found if not errors_only or item.severity is Severity.ERROR}


def text_file(path: str, content: bytes | str) -> TextFile:
    """A file by itself."""
    return TextFile(layout().place(path), content.encode() if isinstance(content, str) else content)


@cache
def _surroundings() -> dict[str, bytes]:
    return {path: data for path, data in starter_files().items() if path in _KEPT}


def _registry(files: dict[str, bytes]) -> Registry:
    return Registry(MemoryTree(files), layout(), registry_of({}).schemas)
