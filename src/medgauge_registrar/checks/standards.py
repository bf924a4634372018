"""Standards: what the site cites, by identifier alone (SCHEMA-STD-*)."""

from collections.abc import Iterator

from medgauge_registrar.checks.fields import lies_ahead, mapping
from medgauge_registrar.checks.framework import Context, Problem, record_check
from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.records import Record

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
