"""Rules of roadmap items: plans, and no figures."""

import pytest

from medgauge_registrar.checks import roadmap
from medgauge_registrar.model.finding import Severity
from support.cases import fails, passes
from support.registries import ROADMAP, base_registry, edited, run_check


@pytest.mark.parametrize(
    "text",
    [
        passes("SCHEMA-RM-01", "versions, days and counts", "Five tasks for 0.3.0, by 2026-12-24; 30 more in 0.10.0."),
        passes("SCHEMA-RM-01", "a version below one at the end", "Tasks for bm-example-audit@0.2.0."),
        passes("SCHEMA-RM-01", "sections and references", "As sections 8.3 and 10.2 ask; see tl-example@0.1.0."),
        passes("SCHEMA-RM-01", "a word that begins like a result", "The res-olution of images is to be raised."),
        passes("SCHEMA-RM-01", "figures by name", "PASS^3 and pass@3 are to be reported for every board."),
    ],
)
def test_plan_is_let_pass(text: str) -> None:
    """Plans may hold versions, days, sections and numbers of tasks."""
    text = text.replace("res-olution", "resolution")
    files = edited(base_registry(), ROADMAP, {"/planned_item": text})
    assert run_check(roadmap.told_result, files, ROADMAP) == []


@pytest.mark.parametrize(
    ("rule", "field", "text", "told"),
    [
        fails("SCHEMA-RM-01", "a share", "planned_item", "Subjects reach 0.83 on it.", "`0.83`"),
        fails("SCHEMA-RM-01", "a share at the end of a sentence", "planned_item", "They reach 0.83.", "`0.83`"),
        fails("SCHEMA-RM-01", "a share without its zero", "planned_item", "They reach .83 or so.", "`.83`"),
        fails("SCHEMA-RM-01", "a percentage", "title", "From 40% to more", "`40%`"),
        fails(
            "SCHEMA-RM-01", "a percentage in words", "planned_item", "Some 12.5 percent are solved.", "`12.5 percent`"
        ),
        fails("SCHEMA-RM-01", "a result", "planned_item", "As res-example-0-1-0-a shows.", "`res-example-0-1-0-a`"),
    ],
)
def test_told_result_is_refused(rule: str, field: str, text: str, told: str) -> None:
    """A share, a percentage and a result are found in either text."""
    files = edited(base_registry(), ROADMAP, {f"/{field}": text})
    (found,) = run_check(roadmap.told_result, files, ROADMAP)
    assert (found.rule, found.severity, found.path, found.pointer) == (rule, Severity.ERROR, ROADMAP, f"/{field}")
    assert told in found.message
