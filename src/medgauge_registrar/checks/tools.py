"""Tools, tool servers, skills and prompts (SCHEMA-TL-*)."""

from collections.abc import Iterator

from medgauge_registrar.checks.fields import lies_ahead, mapping
from medgauge_registrar.checks.framework import Context, Problem, record_check
from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.records import Record


@record_check("SCHEMA-TL-03", section="24", kinds={Kind.TL})
def unvalidated_skill(record: Record, context: Context) -> Iterator[Problem]:
    """
    A skill was validated against the Agent Skills specification before it is registered.

    A harness loads a skill by that specification. The schema asks for the specification's entry, the outcome `passed` and the
    day, which must have come. Validate the skill, then register it.

    Passes: skill_validation: {specification: std-example-skills, outcome: passed, date: 2026-11-04}
    Fails: the same with date: 2027-01-01, on 2026-11-29
    """
    yield from _not_yet(
        mapping(record["skill_validation"]).get("date"), "the validation", "/skill_validation/date", context
    )


@record_check("SCHEMA-TL-04", section="24", kinds={Kind.TL})
def untested_tool(record: Record, context: Context) -> Iterator[Problem]:
    """
    A smoke test of a tool is on record: it started, listed its tools and answered one call that only reads.

    A tool that does not start would fail every run it is part of. The schema asks for the three steps, or for
    `not-applicable` on a skill or prompt; the day of the test must have come.

    Passes: smoke_test: {start: passed, list_tools: passed, read_only_call: passed, date: 2026-11-04}
    Fails: the same with date: 2027-01-01, on 2026-11-29
    """
    yield from _not_yet(mapping(record["smoke_test"]).get("date"), "the smoke test", "/smoke_test/date", context)


def _not_yet(day: object, what: str, pointer: str, context: Context) -> Iterator[Problem]:
    if isinstance(day, str) and lies_ahead(day, context):
        yield Problem(
            message=f"{what} was made on `{day}`, and today is no later than `{context.latest_day}`",
            help="Record it once it was made, or correct the day.",
            pointer=pointer,
        )
