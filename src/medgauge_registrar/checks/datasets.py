"""Dataset cards (SCHEMA-DS-*)."""

from collections.abc import Iterator

from medgauge_registrar.checks.fields import lies_ahead, mapping
from medgauge_registrar.checks.framework import Context, Problem, record_check
from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.records import Record


@record_check("SCHEMA-DS-04", section="12.3", kinds={Kind.DS})
def uncompared_training_set(record: Record, context: Context) -> Iterator[Problem]:
    """
    A training set for an evaluated capability was compared with the evaluation sets in six ways before its release.

    Overlap would let a subject recall what it should show. The schema asks for the six outcomes and their day, which must have
    come. Make the comparison, then publish the card.

    Passes: similarity_check with six outcomes and date: 2026-10-30
    Fails: the same with date: 2027-01-01, on 2026-11-29
    """
    compared = mapping(record["similarity_check"]).get("date")
    if lies_ahead(compared, context):
        yield Problem(
            message=f"the comparison was made on `{compared}`, and today is no later than `{context.latest_day}`",
            help="Record the comparison once it was made, or correct the day.",
            pointer="/similarity_check/date",
        )
