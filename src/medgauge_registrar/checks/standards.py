"""Standards: what the site cites, by identifier alone (SCHEMA-STD-*)."""

from collections.abc import Iterator, Mapping

from medgauge_registrar.checks.fields import lies_ahead, mapping
from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, change_check, record_check
from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.records import Record, Registry

# Where a card or a component says in words what it follows.
_FOLLOWED: Mapping[Kind, str] = {Kind.BM_CARD: "task_format", Kind.TL: "protocol"}
# Components that are reached by a published specification; a plain tool or a prompt may be called in any way.
_SPECIFIED = frozenset({"tool-server", "skill"})
# A shorter beginning of a title could be that of many.
_LEAST_CHARACTERS = 4
UNCONFIRMED = "unconfirmed"
# Other ways to say that an edition is not known, once letter case and punctuation are set aside.
_NO_EDITION = frozenset({UNCONFIRMED, "notconfirmed", "unknown", "none", "na", "notapplicable", "tbc", "tbd", ""})


@record_check("SCHEMA-STD-02", section="15", kinds={Kind.STD})
def unconfirmed_edition(record: Record, context: Context) -> Iterator[Problem]:
    """
    The edition of a standard is written only where a look at the source confirmed it; otherwise the word is `unconfirmed`.

    A guessed edition would send a reader to another text. The schema asks for a source check that confirmed a written edition;
    its day must have come, and an edition that is not known is written in one way only.

    Passes: publisher_version: "2026", source_check: {date: 2026-11-03, outcome: confirmed}
    Fails: publisher_version: unknown
    """
    edition = str(record["publisher_version"])
    plain = "".join(character for character in edition.casefold() if character.isalnum())
    if edition != UNCONFIRMED and plain in _NO_EDITION:
        yield Problem(
            message=f"`publisher_version` is `{edition}`, expected an edition or the word `{UNCONFIRMED}`",
            help=f"Write `{UNCONFIRMED}`, or the edition once it is confirmed on the source.",
            pointer="/publisher_version",
        )
    checked = mapping(record["source_check"]).get("date")
    if lies_ahead(checked, context):
        yield Problem(
            message=f"the source was looked at on `{checked}`, and today is no later than `{context.latest_day}`",
            help="Write the day of the latest look at the source.",
            pointer="/source_check/date",
        )


# A step and not a state: it looks through all standards, and none of them is ever removed.
@change_check("SCHEMA-STD-05", section="34.4, 34.5", kinds={Kind.BM_CARD, Kind.TL})
def unregistered_format(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    The format of tasks, the protocol of a tool server and the specification of a skill are entries of the standards registry.

    A reader looks up there what the words mean, and which edition was looked at. Name the entry by its title or identifier, or
    add it. Terminologies and guides that are cited by identifier are held by ID-06.

    Passes: task_format: Harbor task format, beside std-harbor-task-format of that title
    Fails: task_format: a format of our own
    """
    field = _FOLLOWED.get(changed.place.kind)
    after = context.registry.valid_record(changed.change.path) if field is not None else None
    if field is None or after is None or (changed.before is not None and changed.before[field] == after[field]):
        return
    if changed.place.kind is Kind.TL and after["kind"] not in _SPECIFIED:
        return
    words = str(after[field])
    if not any(_names(words, standard) for standard in _standards(context.registry)):
        yield Problem(
            message=f"`{field}` is `{words}`, which names no entry of the standards registry",
            help="Name it by the title or the identifier of its entry, or add the entry in this pull request.",
            pointer=f"/{field}",
        )


def _standards(registry: Registry) -> Iterator[Record]:
    folder = registry.layout.folder(Kind.STD)
    for path, _ in registry.tree.walk(folder):
        record = registry.valid_record(path) if registry.layout.place(path).kind is Kind.STD else None
        if record is not None:
            yield record


def _names(words: str, standard: Record) -> bool:
    """Whether words hold the title or the identifier of a standard, or are how its title begins."""
    said, title = words.casefold(), str(standard["title"]).casefold()
    begins = len(said) >= _LEAST_CHARACTERS and f"{title} ".startswith(f"{said} ")
    return title in said or str(standard["id"]) in said.split() or begins
