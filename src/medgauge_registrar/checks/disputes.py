"""Published outcomes of disputes (SCHEMA-DISP-01); votes and majority are the schema's."""

from collections.abc import Iterator

from medgauge_registrar.checks.fields import lies_ahead
from medgauge_registrar.checks.framework import Context, Problem, record_check
from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.records import Record


@record_check("SCHEMA-DISP-01", section="22", kinds={Kind.DISPUTE})
def outcome_ahead_of_its_day(record: Record, context: Context) -> Iterator[Problem]:
    """
    An outcome names object and pull request, counts three votes, gives reasons, and is dated on a day that has come.

    It holds or frees the merge of what was disputed, so it is written once the three votes are in. The schema asks for the
    parts; give the day of the third vote.

    Passes: date: 2026-11-20, on 2026-11-29
    Fails: date: 2026-12-24, on 2026-11-29
    """
    if lies_ahead(record["date"], context):
        yield Problem(
            message=f"`date` is `{record['date']}`, a day that has begun nowhere on Earth",
            help="Give the day on which the third vote was cast.",
            pointer="/date",
        )
