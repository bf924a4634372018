"""Rules of tools and other components: what they refuse, and what they let pass."""

from datetime import date

import pytest

from medgauge_registrar.checks import tools
from medgauge_registrar.checks.framework import RecordCheck
from medgauge_registrar.model.finding import Severity
from support.cases import fails, passes
from support.registries import TOOL, base_registry, context_of, example, run_check, written

SKILL = "registry/tools/tl-example-skill/0.1.0.yaml"


def with_dates(validated: str, tested: str) -> dict[str, str]:
    """The base registry with a skill validated on one day and a tool tested on another."""
    skill, tool = example("tool", "skill"), example("tool", "server")
    skill["skill_validation"]["date"] = validated
    tool["id"], tool["smoke_test"]["date"] = "tl-example-read-file", tested
    return {**base_registry(), SKILL: written(skill), TOOL: written(tool)}


@pytest.mark.parametrize(
    ("check", "path"),
    [
        passes("SCHEMA-TL-03", "a skill validated today", tools.unvalidated_skill, SKILL),
        passes("SCHEMA-TL-03", "a tool server, which needs no validation", tools.unvalidated_skill, TOOL),
        passes("SCHEMA-TL-04", "a tool server tested today", tools.untested_tool, TOOL),
        passes("SCHEMA-TL-04", "a skill, to which the test does not apply", tools.untested_tool, SKILL),
    ],
)  # fmt: skip
def test_record_is_let_pass(check: RecordCheck, path: str) -> None:
    """A record that keeps the rule gives no finding."""
    assert run_check(check, with_dates("2026-11-29", "2026-11-29"), path) == []


@pytest.mark.parametrize(
    ("rule", "check", "path", "pointer"),
    [
        fails("SCHEMA-TL-03", "validated tomorrow", tools.unvalidated_skill, SKILL, "/skill_validation/date"),
        fails("SCHEMA-TL-04", "tested tomorrow", tools.untested_tool, TOOL, "/smoke_test/date"),
    ],
)  # fmt: skip
def test_record_is_refused(rule: str, check: RecordCheck, path: str, pointer: str) -> None:
    """A test that has not been made yet is refused until its day has come anywhere."""
    files = with_dates("2026-11-30", "2026-11-30")
    (found,) = run_check(check, files, path)
    assert (found.rule, found.severity, found.path, found.pointer) == (rule, Severity.ERROR, path, pointer)
    assert "`2026-11-30`, and today is no later than `2026-11-29`" in found.message
    assert run_check(check, files, path, context=context_of(files, latest_day=date(2026, 11, 30))) == []
