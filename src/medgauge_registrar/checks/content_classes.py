"""A difficulty class of a family is stated nowhere before its components are on record (RED-03)."""

from collections.abc import Iterable, Iterator, Sequence

from medgauge_registrar.checks.content_lines import capped
from medgauge_registrar.checks.framework import Context, Problem, file_check
from medgauge_registrar.content.passages import Passage, Sentence, is_denied, sentences
from medgauge_registrar.content.textfile import TextFile
from medgauge_registrar.model.change import Change, Kind
from medgauge_registrar.model.document import Position
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.registry.records import Registry

_FAMILY = lazy_pattern(r"(?<![a-z0-9-])(bm-[a-z0-9-]{1,60})(?:@(\d{1,4}\.\d{1,4}\.\d{1,4}))?(?![a-z0-9-])")
# The class at which tasks enter the holdout is set by design, not found on the tasks.
_CLASS = lazy_pattern(r"(?i)\bclass(?:es)?[- ]{1,2}[1-4]\b(?!.{0,40}\bentry\b)(?<!entry class \d)")
# Rules speak of classes in general, and versions state them under keys of their own (SCHEMA-BM-03).
_ELSEWHERE = frozenset({Kind.METH, Kind.DFN, Kind.ALG, Kind.LVL, Kind.SCHEMA, Kind.INFRA, Kind.BM_VERSION})


def _files_on_other_versions(registry: Registry, base: Registry, changes: Sequence[Change]) -> Iterator[str]:
    """Files that name a family of which a version no longer has its components on record."""
    families = {
        name
        for change in changes
        for path in {change.path, change.previous_path or change.path}
        if (place := registry.layout.place(path)).kind is Kind.BM_VERSION and (name := place.id) is not None
        if _recorded(path, base) is not False and _recorded(path, registry) is False
    }
    if families:
        yield from registry.tree.mentions("", sorted(families))


@file_check("RED-03", section="14.3, 11.4", kinds=frozenset(Kind) - _ELSEWHERE, revisit=_files_on_other_versions)
def class_without_components(file: TextFile, context: Context) -> Iterator[Problem]:
    """
    No page states a difficulty class for a family whose tasks lack recorded components.

    A class follows from components; without them it is a guess. Looked for are sentences that name a family or a version by its
    identifier beside a numbered class. Leave the class out, or say it once a version has `components_recorded: true`.

    Passes: The tasks of a family whose components are recorded are of class 2.
    Fails: The holdout tasks of bm-example are of class 3, where no version has its components on record.
    """
    if "bm-" in file.text:
        yield from capped(_problems(file, context.registry))


def _problems(file: TextFile, registry: Registry) -> Iterator[Problem]:
    for passage in file.passages:
        for sentence in sentences(passage.plain) if "bm-" in passage.text else ():
            stated = _CLASS.search(sentence.text)
            if stated is None or is_denied(sentence, stated.start(), stated.end(), passage.lead):
                continue
            for found in _FAMILY.finditer(sentence.text):
                if _lacks_components(found[1], found[2], registry):
                    yield _problem(passage, sentence, found[0], stated[0])


def _problem(passage: Passage, sentence: Sentence, named: str, stated: str) -> Problem:
    return Problem(
        message=f"`{stated}` is stated of `{named}`, which has no recorded components",
        help="Leave the class out until a version of the family has `components_recorded: true`.",
        pointer=passage.pointer,
        position=Position(line=passage.line_of(sentence.start), column=1) if passage.line else None,
    )


def _lacks_components(family: str, version: str | None, registry: Registry) -> bool:
    """Whether it is known that no version, or not the one named, has its components on record."""
    versions: Iterable[str] = registry.versions(Kind.BM_VERSION, bm=family) if version is None else (version,)
    return all(
        _recorded(registry.path_of(Kind.BM_VERSION, bm=family, version=number), registry) is False
        for number in versions
    )


def _recorded(path: str, registry: Registry) -> bool | None:
    """Whether a version has its components on record; null for one that breaks its schema, which is told of it."""
    if not registry.has(path):
        return False
    record = registry.valid_record(path)
    return None if record is None else record["components_recorded"] is True
