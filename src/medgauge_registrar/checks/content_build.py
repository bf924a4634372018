"""Build checks on texts (BLD-*): English, links, numbers that are cited, and nothing that runs or loads when rendered."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from urllib.parse import quote
from weakref import WeakKeyDictionary

from medgauge_registrar.checks.content_lines import capped
from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, change_check, file_check
from medgauge_registrar.content import numbers
from medgauge_registrar.content.language import foreign_passages
from medgauge_registrar.content.links import RECORD_PATH, is_line_anchor, resolve
from medgauge_registrar.content.markdown import inline_links, parse_markdown
from medgauge_registrar.content.rendered import unrenderable
from medgauge_registrar.content.scripts import Foreign, foreign_characters, is_plain
from medgauge_registrar.content.textfile import TextFile
from medgauge_registrar.model.change import Change, Kind, Status
from medgauge_registrar.model.document import Position
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.model.tree import FILE_MODES, FOLDER_MODE
from medgauge_registrar.registry.characters import named, shown
from medgauge_registrar.registry.methodology_text import text_path
from medgauge_registrar.registry.records import Registry

_TITLE_FIELD = "non_english_title"
# Kinds whose fields quote other documents, so that a bare "section 3" there is rarely the methodology's.
_QUOTING = frozenset({Kind.GR, Kind.STD, Kind.DS, Kind.CAP, Kind.HX, Kind.TL, Kind.BM_CARD, Kind.DISPUTE})
# Fields that point into documents of others.
_FOREIGN_FIELDS = frozenset({"locator", "position", "usage", "publisher_version"})
# Texts that speak of the methodology in short forms.
_SPEAKS_OF_IT = frozenset({
    Kind.METH, Kind.ARTICLE, Kind.CHARTER, Kind.NOTICE, Kind.ROUND, Kind.RM, Kind.SCHEMA, Kind.OTHER, Kind.LVL, Kind.ALG, Kind.DFN,
})  # fmt: skip
_NAMED_SIGNS = 5
# What a registry's text defines; every file asks, and a registry never changes.
_INVENTORIES: WeakKeyDictionary[Registry, numbers.Inventory] = WeakKeyDictionary()
_WAY_BACK = ("section", "Section", "Appendix", "Axiom", "page")


@file_check("BLD-01", section="18")
def foreign_script(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    Text is in English: no letters of other scripts, nothing unseen, and no letter that only looks like a Latin one.

    Greek letters, signs of mathematics and typesetting, and names with accents are fine. An original title in another
    language has a field of its own in the standards registry.

    Passes: Sjögren's syndrome, β-blocker, 5 µg, p̂
    Fails: a title in Chinese characters; gr-example with a Cyrillic letter
    """
    yield from capped(_foreign(file, in_title=False))


@change_check("BLD-01", section="18", kinds=frozenset(Kind), informs=True)
def other_language(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    Changed prose that a language detector takes for another language is shown to people.

    A detector errs on Latin diagnoses and lists of drugs, so this only asks for a look and never blocks.

    Passes: any English paragraph
    Fails: Dies ist ein Absatz in deutscher Sprache, der übersetzt werden muss.
    """
    path = changed.change.path
    entry = context.registry.tree.entry(path)
    if entry is None or entry.mode not in FILE_MODES or changed.place.kind in {Kind.SCHEMA, Kind.INFRA}:
        return
    file = TextFile(changed.place, context.registry.tree.read(path) or b"", None)
    passages = [passage for passage in file.passages if not passage.pointer.endswith(_TITLE_FIELD)]
    for passage, language in list(foreign_passages(passages))[:_NAMED_SIGNS]:
        yield Problem(
            message=f"{shown(' '.join(passage.text.split()))} reads like another language (`{language}`)",
            help="Have somebody look: translate it, or let it stand if it is English after all.",
            pointer=passage.pointer,
            position=Position(line=passage.line, column=1) if passage.line else None,
            severity=Severity.NOTICE,
        )


@file_check("BLD-02", section="18, 15", kinds={Kind.STD})
def misplaced_title(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    The original title of a standard in another language stands in `non_english_title` and nowhere else.

    The site shows English; the field is where a reader finds the original wording.

    Passes: non_english_title: 信息安全技术
    Fails: title: 信息安全技术
    """
    yield from capped(_foreign(file, in_title=True))


def _linking_files(registry: Registry, base: Registry, changes: Sequence[Change]) -> Iterator[str]:
    """Files that may link to what is gone, or to a heading that is."""
    words: set[str] = set()
    for change in changes:
        if change.before is None:
            continue
        old_path = change.previous_path or change.path
        now = registry.tree.entry(old_path)
        gone = change.status in {Status.REMOVED, Status.RENAMED} or now is None or now.mode not in FILE_MODES
        if gone:
            part = old_path
            while part and not (part != old_path and registry.tree.entry(part)):
                words.update(_spellings(part.rpartition("/")[2]))
                part = part.rpartition("/")[0]
        elif old_path.endswith(".md") and _anchors(base, old_path) - _anchors(registry, change.path):
            words.update(_spellings(old_path.rpartition("/")[2]))
    if words:
        # An escape can spell any name, so files with one are looked at in any case.
        yield from registry.tree.mentions("", sorted({*words, "\\", "&#"}))


@file_check("BLD-03", section="18", revisit=_linking_files)
def broken_link(file: TextFile, context: Context) -> Iterator[Problem]:
    """
    A link inside the registry leads to a file that is there, and to a heading that is there.

    Checked are links and images in Markdown, and paths in the fields of records, over the merge result: removing a file or
    renaming a heading breaks the links of others. Headings are named as GitHub names them.

    Passes: [the charter](charter.md)
    Fails: [the charter](charta.md)
    """
    yield from capped(_broken(file, context.registry))


def _citing_files(registry: Registry, base: Registry, changes: Sequence[Change]) -> Iterator[str]:
    """Files that may cite a number which the text no longer defines."""
    path = text_path(registry.layout)
    if any(path in {change.path, change.previous_path} for change in changes):
        lost = _inventory(base).names() - _inventory(registry).names()
        if lost:
            yield from registry.tree.mentions("", sorted(lost))


@file_check("BLD-04", section="18", revisit=_citing_files)
def unknown_number(file: TextFile, context: Context) -> Iterator[Problem]:
    """
    Sections, appendices, axioms, general rules, dimensions and labels that a text cites are those of the methodology.

    A number that leads nowhere was mistyped, or the text has moved on. Correct it.

    Passes: section 12.1, Axiom 7, dimension M10
    Fails: section 41.7, Axiom 12, dimension M13
    """
    if file.kind not in _SPEAKS_OF_IT | _QUOTING:
        return
    yield from capped(_unknown(file, context.registry))


@file_check("BLD-05", section="18")
def unscanned_text(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    Every text can be scanned whole, within bounds.

    The red-line scan covers every file, and a scan that could not run counts as a breach. Write UTF-8, break up long lines and
    paragraphs, and keep bulky material elsewhere.

    Passes: a text of a few hundred kilobytes
    Fails: a line of a million characters
    """
    if file.refusal is not None:
        why, line = file.refusal
        yield Problem(
            message=f"`{file.path}` cannot be scanned: it {why}",
            help="Bring it within the bound; what cannot be scanned cannot be merged.",
            position=Position(line=line, column=1),
        )


@file_check("BLD-06", section="18")
def unsafe_rendering(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    Rendered content runs nothing, loads nothing from elsewhere and tracks nobody.

    Scripts, frames, event handlers, remote images and data addresses are refused, in raw HTML and in Markdown alike. Put a
    picture beside the text, and link to other sites instead of embedding them.

    Passes: ![Figure 1](figure-1.svg)
    Fails: ![pixel](https://example.org/pixel.gif)
    """
    yield from capped(
        Problem(
            message=f"rendered content must not carry {fault.what}",
            help="Take it out; link to other sites, and keep pictures in the registry.",
            pointer=fault.pointer,
            position=Position(line=fault.line, column=1) if fault.line else None,
        )
        for fault in unrenderable(file)
    )


@file_check("BLD-08", section="Preamble", kinds={Kind.SCHEMA}, informs=True)
def schema_without_section(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    A schema or validator rule says which section of the text it carries out.

    Everything follows from the text, so a reader should find the way back. Name the section in the description.

    Passes: "description": "A result record (section 14.1)."
    Fails: "description": "A result record."
    """
    if file.path.endswith(".schema.json") and not any(word in file.text for word in _WAY_BACK):
        yield Problem(
            message="no description in this schema names a section of the methodology",
            help="Add it, as in `(section 14.1)`.",
            severity=Severity.NOTICE,
        )


def _foreign(file: TextFile, *, in_title: bool) -> Iterator[Problem]:
    """Foreign characters of a file, line by line; those of a standard's title field are not looked for."""
    if not in_title:
        for run in foreign_characters(file.path):
            found = _foreign_problem(run, pointer=None)
            yield replace(
                found,
                message=f"in the path {shown(file.path)}: {found.message}",
                help="Rename the file or folder, with plain Latin letters.",
            )
    if is_plain(file.text) and "\\" not in file.text:
        return
    if file.document is not None:
        for node in file.nodes:
            if isinstance(node.value, str) and (node.pointer == "/title" and file.kind is Kind.STD) is in_title:
                if file.kind is Kind.STD and node.key == _TITLE_FIELD:
                    continue
                for run in foreign_characters(node.value):
                    yield _foreign_problem(run, pointer=node.pointer, in_title=in_title)
        lines: list[tuple[int, str]] = [(p.line, p.text) for p in file.passages if p.line]
    else:
        lines = list(enumerate(file.lines, start=1))
    for number, line in lines if not in_title else ():
        for run in foreign_characters(line):
            yield _foreign_problem(run, position=Position(line=number, column=run.offset + 1))


def _foreign_problem(
    run: Foreign, *, pointer: str | None = "", position: Position | None = None, in_title: bool = False
) -> Problem:
    points = ", ".join(named(character) for character in run.characters[:_NAMED_SIGNS])
    match run.sort:
        case "unseen":
            message = f"characters that are not seen stand here ({points})"
            advice = "Remove them: they draw nothing, or turn the text around them."
        case "disguised":
            message = f"letters that only look like Latin ones stand here ({points})"
            advice = "Type the word anew with plain letters."
        case _:
            message = f"letters of another script stand here ({points}), expected English"
            advice = (
                f"Give an English title, and move the original to `{_TITLE_FIELD}`."
                if in_title
                else f"Translate; the original title of a standard stands in its field `{_TITLE_FIELD}`."
            )
    return Problem(message=message, help=advice, pointer=pointer, position=position)


def _broken(file: TextFile, registry: Registry) -> Iterator[Problem]:
    for link in file.markdown.links:
        if (why := _leads_nowhere(link.target, file.path, registry)) is not None:
            yield _broken_problem(link.target, why, position=Position(line=link.line, column=1))
    if file.is_markdown or file.document is None or file.kind in {Kind.SCHEMA, Kind.INFRA}:
        return
    for node in file.nodes:
        if not isinstance(node.value, str) or ("/" not in node.value and "](" not in node.value):
            continue
        targets = [f"/{node.value}"] if RECORD_PATH.fullmatch(node.value) else []
        if "](" in node.value:
            targets += [link.target for link in inline_links(node.value)]
        for target in targets:
            if (why := _leads_nowhere(target, file.path, registry)) is not None:
                yield _broken_problem(target.removeprefix("/"), why, pointer=node.pointer)


def _broken_problem(target: str, why: str, *, pointer: str = "", position: Position | None = None) -> Problem:
    return Problem(
        message=f"the link {shown(target)} {why}",
        help="Correct the link, or restore what it leads to.",
        pointer=pointer,
        position=position,
    )


def _leads_nowhere(target: str, source: str, registry: Registry) -> str | None:
    """Why a link leads nowhere; null if it leads somewhere, or to another site."""
    found = resolve(target, source)
    if found is None:
        return None
    if found.path is None:
        return "leads out of the registry"
    if found.needless:
        return "spells plain characters by `%` codes; write them as they are"
    entry = registry.tree.entry(found.path) if found.path else None
    if found.path and (entry is None or entry.mode not in {*FILE_MODES, FOLDER_MODE}):
        return f"leads to {shown(found.path)}, which is not there"
    if found.anchor is None or is_line_anchor(found.anchor):
        return None
    if entry is None or entry.mode == FOLDER_MODE or not found.path.endswith(".md"):
        return f"names the heading {shown(found.anchor)} of something that has no headings"
    if found.anchor.lower() not in {anchor.lower() for anchor in _anchors(registry, found.path)}:
        return f"names the heading {shown(found.anchor)}, which {shown(found.path)} does not have"
    return None


def _anchors(registry: Registry, path: str) -> frozenset[str]:
    data = registry.tree.read(path) if registry.has(path) else None
    return frozenset() if data is None else parse_markdown(data.decode("utf-8", "replace")).anchors


def _spellings(name: str) -> set[str]:
    return {name, quote(name)}


def _unknown(file: TextFile, registry: Registry) -> Iterator[Problem]:
    own = file.kind is Kind.METH
    citing = [
        passage
        for passage in file.passages
        if passage.pointer.rpartition("/")[2] not in _FOREIGN_FIELDS and (own or numbers.cites(passage.text))
    ]
    if not citing:
        return
    known = _inventory_of(file.text) if own else _inventory(registry)
    if not known.sections:
        return  # without a numbered text nothing can be said of numbers
    for passage in citing:
        for mention in numbers.unknown_numbers(passage.text, known, own=own, signs_only=file.kind in _QUOTING):
            yield Problem(
                message=f"{shown(mention.written)} is cited, and the methodology has no such thing",
                help="Correct the number; if it is of another document, name the document beside it.",
                pointer=passage.pointer,
                position=Position(line=passage.line_of(mention.offset), column=1) if passage.line else None,
            )


def _inventory(registry: Registry) -> numbers.Inventory:
    if registry not in _INVENTORIES:
        path = text_path(registry.layout)
        data = registry.tree.read(path) if registry.has(path) else None
        _INVENTORIES[registry] = _inventory_of("" if data is None else data.decode("utf-8", "replace"))
    return _INVENTORIES[registry]


@lru_cache(maxsize=4)
def _inventory_of(text: str) -> numbers.Inventory:
    return numbers.inventory(text)
