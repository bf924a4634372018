"""Rules of capabilities: circles, parts of scenarios, and what an addition needs."""

from collections.abc import Mapping
from typing import Any

import pytest

from medgauge_registrar.checks import capabilities
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.policy.settings import Settings
from support.cases import Edit, as_is, fails, passes
from support.registries import ABSENT, CAPABILITY, Files, base_registry, context_of, copied, edited, run_check
from support.steps import run_step

SCENARIO = "registry/capabilities/E.1.yaml"


def path_of(name: str) -> str:
    """Path of a capability."""
    return f"registry/capabilities/{name}.yaml"


def links(**dependencies: list[str]) -> Edit:
    """Add capabilities A.1, A.2, … with dependencies, or give existing ones other dependencies."""

    def edit(files: Files) -> Files:
        for key, below in dependencies.items():
            name = key.replace("_", ".")
            files = copied(files, CAPABILITY, path_of(name), {"/id": name, "/domain": name[0], "/dependencies": below})
        return files

    return edit


def scenario(parts: list[str]) -> Edit:
    """Add a scenario capability made of some parts."""
    return lambda files: copied(
        {**files, SCENARIO: files[CAPABILITY]}, CAPABILITY, SCENARIO,
        {"/id": "E.1", "/domain": "E", "/composed_of": parts},
    )  # fmt: skip


@pytest.mark.parametrize(
    "edit",
    [
        passes("SCHEMA-CAP-03", "no dependency at all", as_is),
        passes("SCHEMA-CAP-03", "two ways to one capability", links(A_1=["A.2", "A.3"], A_2=["A.4"], A_3=["A.4"])),
        passes("SCHEMA-CAP-03", "a capability that is absent, which is ID-06", links(A_1=["A.2"])),
    ],
)  # fmt: skip
def test_dependencies_are_let_pass(edit: Edit) -> None:
    """Dependencies that never lead back give no finding."""
    assert run_check(capabilities.circular_dependency, edit(base_registry())) == []


@pytest.mark.parametrize(
    ("rule", "edit", "path", "words"),
    [
        fails("SCHEMA-CAP-03", "itself", links(A_1=["A.1"]), path_of("A.1"), "`A.1` → `A.1`"),
        fails("SCHEMA-CAP-03", "two", links(A_2=["A.1"], A_1=["A.2"]), path_of("A.1"), "`A.1` → `A.2` → `A.1`"),
        fails(
            "SCHEMA-CAP-03",
            "three, told from the first in the order of numbers",
            links(A_10=["B.1"], B_1=["A.9"], A_9=["A.10"]),
            path_of("A.9"),
            "`A.9` → `A.10` → `B.1` → `A.9`",
        ),
        fails(
            "SCHEMA-CAP-03",
            "a circle that others lead to",
            links(A_1=["A.2"], A_2=["A.3"], A_3=["A.2", "A.4"]),
            path_of("A.2"),
            "`A.2` → `A.3` → `A.2`",
        ),
    ],
)  # fmt: skip
def test_circle_is_refused(rule: str, edit: Edit, path: str, words: str) -> None:
    """A circle gives one finding at its first member, however many belong to it."""
    (found,) = run_check(capabilities.circular_dependency, edit(base_registry()))
    assert (found.rule, found.severity, found.path) == (rule, Severity.ERROR, path)
    assert words in found.message


def test_every_circle_is_told() -> None:
    """Circles that share no capability are found in one go, each at the line of its dependencies."""
    files = links(A_1=["A.2"], A_2=["A.1"], B_1=["B.2"], B_2=["B.1"])(base_registry())
    found = run_check(capabilities.circular_dependency, files)
    assert [finding.path for finding in found] == [path_of("A.1"), path_of("B.1")]
    assert all(finding.line for finding in found)


@pytest.mark.rule("SCHEMA-CAP-04", "passes")
def test_a_scenario_is_made_of_practice() -> None:
    """Without a list in the settings the capabilities of domain D count, with one only those on it."""
    files = scenario(["D.1"])(base_registry())
    assert run_check(capabilities.foreign_component, files, SCENARIO) == []
    listed = context_of(files, settings=Settings(medical_practice_capabilities=frozenset({"D.1"})))
    assert run_check(capabilities.foreign_component, files, SCENARIO, context=listed) == []


@pytest.mark.parametrize(
    ("rule", "listed", "parts", "words"),
    [
        fails("SCHEMA-CAP-04", "another domain", frozenset(), ["D.1", "A.4"], "allowed are those of domain D"),
        fails("SCHEMA-CAP-04", "not on the list", frozenset({"D.1", "D.10", "D.9"}), ["D.1", "D.2"],
              "allowed are `D.1`, `D.9`, `D.10`"),
    ],
)  # fmt: skip
def test_a_scenario_is_made_of_nothing_else(rule: str, listed: frozenset[str], parts: list[str], words: str) -> None:
    """A part that is no medical-practice capability is refused, and the allowed ones are named."""
    files = scenario(parts)(base_registry())
    known = context_of(files, settings=Settings(medical_practice_capabilities=listed))
    (found,) = run_check(capabilities.foreign_component, files, SCENARIO, context=known)
    assert (found.rule, found.severity, found.pointer) == (rule, Severity.ERROR, "/composed_of/1")
    assert words in found.message


def added(changes: Mapping[str, Any]) -> Edit:
    """Add the capability D.2."""
    return lambda files: copied(files, CAPABILITY, path_of("D.2"), {"/id": "D.2", **changes})


@pytest.mark.parametrize(
    "edit",
    [
        passes("SCHEMA-CAP-05", "an anchor", added({"/external_anchors": ["Example study"]})),
        passes("SCHEMA-CAP-05", "no request, which is RFC-01", added({"/rfc": ABSENT})),
        passes(
            "SCHEMA-CAP-05",
            "an edit that leaves no anchor",
            lambda files: edited(files, CAPABILITY, {"/external_anchors": []}),
        ),
    ],
)  # fmt: skip
def test_addition_is_let_pass(edit: Edit) -> None:
    """An addition with an anchor gives no finding, and what was let in is not asked again."""
    files = base_registry()
    assert run_step(capabilities.unfounded_capability, files, edit(files)) == []


@pytest.mark.rule("SCHEMA-CAP-05", "fails")
def test_addition_is_refused() -> None:
    """An addition without an anchor is refused."""
    files = base_registry()
    (found,) = run_step(capabilities.unfounded_capability, files, added({"/external_anchors": []})(files))
    assert (found.rule, found.severity, found.path) == ("SCHEMA-CAP-05", Severity.ERROR, path_of("D.2"))
    assert "no outside anchor" in found.message
