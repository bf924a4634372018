"""A pull request costs what it reaches, and its findings are those of the whole tree: on random registries and changes."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from random import Random
from typing import Any

import pytest

from medgauge_registrar.checks import files as file_runner
from medgauge_registrar.checks import run
from medgauge_registrar.checks.catalogue import RECORD_CHECKS, TREE_CHECKS
from medgauge_registrar.checks.content_catalogue import FILE_CHECKS
from medgauge_registrar.checks.framework import Context, FileCheck, Problem, Reach, RecordCheck
from medgauge_registrar.checks.run import check_reached, check_tree
from medgauge_registrar.checks.selection import file_checks, record_checks
from medgauge_registrar.classify.classify import classify
from medgauge_registrar.content.textfile import TextFile
from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.policy.load import load_policy, shipped_table
from medgauge_registrar.registry import reader
from medgauge_registrar.registry.layout import fold
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.registry.schemas import SchemaSet, shipped_schemas
from support.fuzz import LONG
from support.memory_tree import MemoryTree, memory_changes
from support.random_registries import Draft, Files, random_change, random_registry

POLICY = load_policy(None)
REGISTRIES = 4
PULLS = 200 if LONG else 48
DAY = date(2026, 11, 30)
# Checks that look at one file and nothing else; `test_a_check_of_one_file_needs_no_other` holds them to it.
ALONE = [check for check in RECORD_CHECKS if check.reach is Reach.RECORD]
ALONE_IN_FILES = [check for check in FILE_CHECKS if check.revisit is None]


def registry(files: Files, modes: dict[str, str]) -> Registry:
    """A registry of these files."""
    modes = {path: mode for path, mode in modes.items() if path in files}
    return Registry(MemoryTree(files, modes), POLICY.layout, shipped_schemas())


def context(of: Registry) -> Context:
    """What checks of it may know."""
    return Context(registry=of, settings=POLICY.settings, latest_day=DAY)


def both_ways(base: Registry, draft: Draft) -> tuple[set[Finding], set[Finding]]:
    """What a change reaches, and what the whole tree after it has."""
    head, again = registry(draft.files, draft.modes), registry(draft.files, draft.modes)
    classified = classify(memory_changes(base.tree, head.tree), base=base, head=head, table=shipped_table())
    reached = check_reached(context(head), base, [item.change for item in classified])
    return set(map(placeless, reached)), set(map(placeless, check_tree(context(again))))


def placeless(finding: Finding) -> Finding:
    """A finding; of twins without which of the two it is about, since only a change tells who was there first."""
    if finding.rule != "ID-10":
        return finding
    return replace(finding, path=fold(finding.path or ""), message="", help="")


# What looks at one file is run once a file ---------------------------------------------------------------------------


@pytest.fixture(scope="module", autouse=True)
def _remembering() -> Iterator[None]:
    """
    Read and validate each file once, and run each check of one file alone once a file.

    Hundreds of whole trees that differ in one file or two would take minutes otherwise.
    """
    with pytest.MonkeyPatch.context() as patch:
        original, read = reader.read_document, cache(reader.read_document)
        for module in list(sys.modules.values()):
            ours = getattr(module, "__name__", "").startswith("medgauge_registrar")
            if ours and vars(module).get("read_document") is original:
                patch.setattr(module, "read_document", read)
        patch.setattr(SchemaSet, "is_valid", remembered(SchemaSet.is_valid, lambda schemas, name, value: (name, value)))
        text_file = remembered(TextFile, lambda place, data, document: (place.path, data, document))
        patch.setattr(run, "TextFile", text_file)
        patch.setattr(file_runner, "TextFile", text_file)
        patch.setattr(run, "record_checks", cache(lambda kind: tuple(map(once_if_alone, record_checks(kind)))))
        patch.setattr(
            file_runner,
            "file_checks",
            cache(
                lambda kind: tuple(
                    replace(check, run=once_a_file(check)) if check.revisit is None else check
                    for check in file_checks(kind)
                )
            ),
        )
        yield


def remembered(function: Callable[..., Any], key: Callable[..., tuple[Any, ...]]) -> Callable[..., Any]:
    """A function that is called once for each key; what cannot be hashed counts by its identity, and is kept alive."""
    known: dict[tuple[Any, ...], tuple[Any, Any]] = {}

    def call(*arguments: Any) -> Any:
        parts = key(*arguments)
        hashed = tuple(part if isinstance(part, str | bytes) else id(part) for part in parts)
        if hashed not in known:
            known[hashed] = (parts, function(*arguments))
        return known[hashed][1]

    return call


def once_if_alone(check: RecordCheck) -> RecordCheck:
    """A check that looks at one record alone is run once for each content of a path."""
    return replace(check, run=once_a_record(check)) if check.reach is Reach.RECORD else check


def once_a_record(check: RecordCheck) -> Callable[[Record, Context], Iterable[Problem]]:
    """The function of a check, run once for each content of a path."""
    return remembered(
        lambda record, known: tuple(check.run(record, known)), lambda record, _: (record.path, record.document)
    )


def once_a_file(check: FileCheck) -> Callable[[TextFile, Context], Iterable[Problem]]:
    """The function of a check, run once for each content of a path."""
    return remembered(lambda file, known: tuple(check.run(file, known)), lambda file, _: (file.path, file.data))


@pytest.mark.parametrize("seed", range(2))
def test_a_check_of_one_file_needs_no_other(seed: int) -> None:
    """Whoever says that it looks at one record, or one file, finds the same where nothing else stands."""
    chance = Random(f"alone-{seed}")
    draft = random_change(random_change(random_registry(seed), chance).files, chance)
    whole = registry(draft.files, draft.modes)
    for path in sorted(draft.files):
        file = file_runner.read_file(whole, path)
        if file is None:
            continue
        lone = registry({path: draft.files[path]}, {})
        for check in ALONE_IN_FILES:
            if file.kind in check.kinds:
                assert list(check.run(file, context(whole))) == list(check.run(file, context(lone))), (check.rule, path)
        record = whole.record(path) if file.place.is_record else None
        if record is None or not record.readable:
            continue
        for check in ALONE:
            if record.kind in check.kinds and (whole.is_valid(record) or not check.needs_valid):
                assert list(check.run(record, context(whole))) == list(check.run(record, context(lone))), (
                    check.rule,
                    path,
                )


# The property ---------------------------------------------------------------------------------------------------------


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(REGISTRIES))
def test_a_change_reaches_all_that_it_alters(seed: int) -> None:
    """
    The findings at a change are the whole tree's, but for what the base was told already and nothing touched.

    Over registries and changes made at random: fields, removals, moves, additions, broken files and references, versions,
    sidecars, circles of capabilities, names that differ in case, links, schemas, texts.
    """
    files = random_registry(seed)
    base = registry(files, {})
    before = set(check_tree(context(base)))
    assert [finding for finding in before if finding.severity is Severity.ERROR] == []
    clean, faulty, changes = 0, 0, 0
    for number in range(PULLS):
        draft = random_change(files, Random(f"{seed}-{number}"))
        reached, whole = both_ways(base, draft)
        overlooked, invented = whole - reached - before, reached - whole
        story = "\n".join(["", *draft.told, "overlooked:", *map(str, overlooked), "invented:", *map(str, invented)])
        assert not overlooked, story
        assert not invented, story
        changes += len(draft.told)
        clean += whole <= before
        faulty += not whole <= before
    assert 0 < clean < faulty
    # More than five hundred single changes in all.
    assert changes > 500 / REGISTRIES


REMOVED: list[tuple[str, set[str]]] = [
    ("registry/standards/std-example-guideline.yaml", {"ID-06"}),
    ("registry/benchmarks/bm-example-handover/versions/0.2.0.yaml", {"ID-06"}),
    ("registry/benchmarks/bm-example-handover/card.yaml", {"ID-06"}),
    ("registry/references/gr-example-dose/0.1.0.yaml", {"ID-06"}),
    ("registry/price-tables/0.1.0.yaml", {"ID-06"}),
    ("registry/models/Example%20Model%201.yaml", {"ID-06"}),
    ("rounds/example-round-1/protocol.yaml", {"ID-06"}),
    ("registry/tools/tl-example-reader/0.1.0.yaml", {"ID-06"}),
    ("methodology/text.md", set()),
    ("charter.md", set()),
    ("LICENSE", set()),
]


@pytest.mark.parametrize(("path", "rules"), REMOVED)
def test_what_is_gone_is_missed_elsewhere(path: str, rules: set[str]) -> None:
    """Files that name what a change takes away are found, though the change does not touch them."""
    files = random_registry(2)
    base = registry(files, {})
    draft = Draft(files={other: data for other, data in files.items() if other != path})
    before = set(check_tree(context(base)))
    reached, whole = both_ways(base, draft)
    assert reached - before == whole - before
    assert rules <= {finding.rule for finding in reached if finding.path != path}


@pytest.mark.parametrize("mode", ["120000", "160000"])
def test_what_is_no_file_any_more_is_missed_as_well(mode: str) -> None:
    """A record that gave way to a link or a submodule is gone for those that name it."""
    files = random_registry(2)
    base = registry(files, {})
    before = set(check_tree(context(base)))
    for path in sorted(files):
        if not path.startswith(
            ("registry/capabilities/", "registry/standards/std-example", "registry/datasets/", "notices/")
        ):
            continue
        draft = Draft(files={**files, path: b"a1" * 20}, modes={path: mode})
        reached, whole = both_ways(base, draft)
        assert reached - before == whole - before, path
        assert any(finding.path == path for finding in reached)


def test_nothing_is_found_where_nothing_changed() -> None:
    """An empty change reaches nothing, and looks at nothing."""
    files = random_registry(3)
    base = registry(files, {})
    assert check_reached(context(registry(files, {})), base, ()) == []


@pytest.mark.parametrize("shards", [1, 2, 3, 7, 50])
def test_shards_make_up_the_whole(shards: int) -> None:
    """However the files are dealt, all parts together find what one run finds, and no more."""
    draft = random_change(random_registry(1), Random("shards"))
    whole = check_tree(context(registry(draft.files, draft.modes)))
    parts: set[Finding] = set()
    for shard in range(shards):
        parts |= set(check_tree(context(registry(draft.files, draft.modes)), shard=shard, shards=shards))
    assert sorted(parts, key=lambda finding: finding.order) == whole


@pytest.mark.parametrize("checks", [RECORD_CHECKS, TREE_CHECKS, FILE_CHECKS], ids=["record", "tree", "file"])
def test_every_check_says_what_it_is_about(checks: Sequence[Any]) -> None:
    """A check without kinds would never run, and one that watches fields has to look beyond its record."""
    assert checks
    for check in checks:
        assert check.kinds, check.rule
        assert getattr(check, "reach", None) is not Reach.RECORD or not check.watches, check.rule
