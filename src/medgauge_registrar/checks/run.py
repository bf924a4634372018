"""Run checks over what a change reaches, or over everything; both give the same findings for what both see."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from medgauge_registrar.checks.entry import missing_schema, schema_breach, unreadable_record
from medgauge_registrar.checks.families import family_of, members
from medgauge_registrar.checks.files import file_findings, read_file, revisited
from medgauge_registrar.checks.framework import Context, Reach, findings
from medgauge_registrar.checks.paths import PATH_CHECKS, folding_twins, irregular_file
from medgauge_registrar.checks.selection import WATCHED, record_checks, tree_checks
from medgauge_registrar.classify.transitions import changed_fields
from medgauge_registrar.content.textfile import TextFile
from medgauge_registrar.model.change import Change, Kind, Status
from medgauge_registrar.model.finding import Finding
from medgauge_registrar.model.tree import FILE_MODES, Entry
from medgauge_registrar.registry.layout import Place
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.registry.references import mention_words, references
from medgauge_registrar.registry.schemas import SCHEMA_NAMES

# Files that a whole run reads at once.
_BATCH = 500
_FIRST = (Kind.STD, Kind.CAP, Kind.DS, Kind.MODEL, Kind.TL, Kind.HX, Kind.PRICE, Kind.DFN, Kind.GR, Kind.BM_CARD)
_ORDER = {kind: _FIRST.index(kind) if kind in _FIRST else len(_FIRST) for kind in Kind}


def check_tree(context: Context, *, shard: int = 0, shards: int = 1) -> list[Finding]:
    """
    Check every file of a tree.

    Args:
        context: The registry and what else a check may know.
        shard: Which part to check, from 0; the union over all shards is the whole.
        shards: Into how many parts the files are dealt. Checks of the tree as a whole belong to part 0.

    Raises:
        ReadError: The tree could not be read whole.
    """
    registry, found = context.registry, list[Finding]()
    files: list[tuple[Place, Entry]] = []
    folders: dict[str, dict[str, None]] = {}
    for index, path in enumerate(registry.tree.paths("")):
        if shard == 0:
            _file_away(path, folders)
        if index % shards != shard:
            continue
        place, entry = registry.layout.place(path), registry.tree.entry(path)
        assert entry is not None  # the path was listed by the same tree
        found.extend(_path_findings(place, entry))
        if entry.mode in FILE_MODES:
            files.append((place, entry))
    if shard == 0:
        found.extend(_name_findings(folders, lambda _: False))
        for tree_check in tree_checks(frozenset(Kind)):
            found.extend(findings(tree_check, tree_check.run(context), None, None))
    # What others refer to comes first, so that it is read once.
    files.sort(key=lambda file: _ORDER[file[0].kind])
    for start in range(0, len(files), _BATCH):
        for place, data in _read_ahead(registry, files[start : start + _BATCH]):
            record = registry.record(place.path) if place.is_record else None
            if record is not None:
                found.extend(_record_findings(record, context, tuple(Reach)))
            file = TextFile(place, data, record.document if record is not None else None)
            found.extend(file_findings(file, context, record))
    return sorted(set(found), key=lambda finding: finding.order)


def check_reached(context: Context, base: Registry, changes: Sequence[Change]) -> list[Finding]:
    """
    Check what a set of changes can have altered, given that the base was without fault.

    Reaches the changed files, the files that name a removed or altered object, and the families of both; a property test
    holds the outcome equal to `check_tree`.

    Raises:
        ReadError: Something that is needed could not be read.
    """
    registry, found = context.registry, list[Finding]()
    present = [change for change in changes if change.after is not None]
    for change in present:
        place, entry = registry.layout.place(change.path), change.after
        assert entry is not None
        found.extend(_path_findings(place, entry))
        if place.is_record and (record := registry.record(change.path)) is not None:
            found.extend(_record_findings(record, context, tuple(Reach)))
        if (file := read_file(registry, change.path)) is not None:
            found.extend(file_findings(file, context, registry.record(change.path) if place.is_record else None))
    for path, checks in revisited(registry, base, changes).items():
        if (file := read_file(registry, path)) is not None:
            record = registry.record(path) if file.place.is_record else None
            found.extend(file_findings(file, context, record, checks))
    found.extend(_name_findings(_neighbours(registry, present), lambda path: base.tree.entry(path) is None))
    for path in _referrers(registry, base, changes):
        if (record := registry.record(path)) is not None:
            found.extend(_record_findings(record, context, (Reach.REFERENCES,)))
    for path in _relatives(registry, changes):
        if (record := registry.record(path)) is not None:
            found.extend(_record_findings(record, context, (Reach.FAMILY,)))
    # A moved file counts as what it was and as what it has become.
    kinds = frozenset(
        registry.layout.place(path).kind
        for change in changes
        for path in {change.path, change.previous_path or change.path}
    )
    for tree_check in tree_checks(kinds):
        found.extend(findings(tree_check, tree_check.run(context), None, None))
    return sorted(set(found), key=lambda finding: finding.order)


def _read_ahead(registry: Registry, files: Sequence[tuple[Place, Entry]]) -> list[tuple[Place, bytes]]:
    """Read a batch of files, then the records they refer to, all of each at once instead of one by one."""
    stream = registry.tree.read_many((place.path, entry) for place, entry in files)
    loaded = [(place, data) for (place, _), (_, data) in zip(files, stream, strict=True)]
    wanted: dict[str, Entry] = {}
    for place, data in loaded:
        if not place.is_record:
            continue
        if not registry.remembers(place.path):
            registry.keep(place.path, registry.parse(place, data))
        record = registry.record(place.path)
        for reference in (
            references(record, registry.layout) if record is not None and registry.is_valid(record) else ()
        ):
            for path in reference.paths:
                if not registry.remembers(path) and registry.has(path):
                    entry = registry.tree.entry(path)
                    assert entry is not None
                    wanted[path] = entry
    for path, data in registry.tree.read_many(wanted.items()):
        registry.keep(path, registry.parse(registry.layout.place(path), data))
    return loaded


def _path_findings(place: Place, entry: Entry) -> Iterator[Finding]:
    for path_check in PATH_CHECKS:
        yield from findings(path_check, path_check.run(place, entry), None, place.path)
    yield from findings(unreadable_record, irregular_file(place, entry), None, place.path)


def _name_findings(folders: Mapping[str, Iterable[str]], is_new: Callable[[str], bool]) -> Iterator[Finding]:
    for folder, names in folders.items():
        yield from findings(folding_twins, folding_twins.run(folder, names, is_new), None, folder)


def _record_findings(record: Record, context: Context, reaches: Collection[Reach]) -> Iterator[Finding]:
    if not record.readable:
        yield from findings(unreadable_record, unreadable_record.run(record, context), record, record.path)
        return
    valid = context.registry.is_valid(record)
    if not valid:
        yield from _schema_findings(record, context)
    for check in record_checks(record.kind):
        if check.reach in reaches and (valid or not check.needs_valid):
            yield from findings(check, check.run(record, context), record, record.path)


def _schema_findings(record: Record, context: Context) -> Iterator[Finding]:
    known = SCHEMA_NAMES.get(record.kind, "") in context.registry.schemas
    check = schema_breach if known else missing_schema
    yield from findings(check, check.run(record, context), record, record.path)


def _referrers(registry: Registry, base: Registry, changes: Iterable[Change]) -> list[str]:
    """Files that may name an object which is gone, or whose watched fields differ."""
    words: set[str] = set()
    for change in changes:
        if change.before is None:
            continue
        old_path = change.previous_path or change.path
        # What is no regular file any more is gone to whoever names it.
        stays = change.after is not None and change.after.mode in FILE_MODES
        gone = not stays or change.status is Status.RENAMED
        if gone or _altered(base, registry, old_path, change.path):
            words.update(mention_words(base.layout.place(old_path)))
    if not words:
        return []
    found: set[str] = set()
    for root in sorted(
        {template.split("/", 1)[0] for kind in SCHEMA_NAMES for template in registry.layout.templates[kind]}
    ):
        found.update(registry.tree.mentions(root, sorted(words)))
    return sorted(path for path in found if registry.layout.place(path).is_record)


def _altered(base: Registry, registry: Registry, old_path: str, path: str) -> bool:
    """Whether what other records read of an object differs; one that cannot be read counts as different."""
    watched = WATCHED.get(registry.layout.place(path).kind)
    if not watched:
        return False
    before, after = base.valid_record(old_path), registry.valid_record(path)
    if before is None or after is None:
        return True
    return bool(watched & changed_fields(before.fields, after.fields))


def _relatives(registry: Registry, changes: Iterable[Change]) -> list[str]:
    families: set[str] = set()
    for change in changes:
        for path in {change.path, change.previous_path or change.path}:
            if family := family_of(registry.layout.place(path)):
                families.add(family)
    return sorted(
        path
        for family in families
        for path in members(family, registry)
        if any(check.reach is Reach.FAMILY for check in record_checks(registry.layout.place(path).kind))
    )


def _neighbours(registry: Registry, changes: Iterable[Change]) -> dict[str, Collection[str]]:
    """Names beside every changed file and beside each folder above it."""
    folders: dict[str, Collection[str]] = {}
    for change in changes:
        folder = change.path
        while folder:
            folder = folder.rpartition("/")[0]
            if folder in folders:
                break
            folders[folder] = registry.tree.listing(folder)
    return folders


def _file_away(path: str, folders: dict[str, dict[str, None]]) -> None:
    """Enter a path's name under its folder, and each folder's under its own."""
    child = path
    while child:
        parent, _, name = child.rpartition("/")
        names = folders.setdefault(parent, {})
        if name in names:
            return
        names[name] = None
        child = parent
