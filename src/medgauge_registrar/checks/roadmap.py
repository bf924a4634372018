"""Roadmap items: what is planned, and nothing that only a measurement could say (SCHEMA-RM-01)."""

import re
from collections.abc import Iterator

from medgauge_registrar.checks.framework import Context, Problem, record_check
from medgauge_registrar.model.change import Kind
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.registry.records import Record

# Shares and percentages are what results are told in; versions, days, sections and numbers of tasks are not.
_FIGURE = lazy_pattern(r"(?<![\w.])(?:\d+(?:\.\d+)?\s?(?:%|per ?cent\b)|0?\.\d+(?!\.?\d))", re.IGNORECASE)
_RESULT = lazy_pattern(r"(?<![\w-])res-[a-z0-9]+(?:-[a-z0-9]+)*")


@record_check("SCHEMA-RM-01", section="14.3, 15", kinds={Kind.RM})
def told_result(record: Record, _: Context) -> Iterator[Problem]:
    """
    A roadmap item says what is planned; it names no result, and no share or percentage that nobody has measured.

    A figure beside a plan reads like a measurement that was made. Say what is to be done and leave the figures to the records
    that will carry them.

    Passes: planned_item: Five calibration tasks are to be built for version 0.3.0.
    Fails: planned_item: Subjects are expected to reach 0.8 on the new tasks.
    """
    for name in ("title", "planned_item"):
        text = str(record[name])
        for what, pattern in (("the figure", _FIGURE), ("the result", _RESULT)):
            if match := pattern.search(text):
                yield Problem(
                    message=f"`{name}` names {what} `{match.group()}`, and planned work has none",
                    help="Say what is planned, without it.",
                    pointer=f"/{name}",
                )
