"""Rules of two results: no re-run under another name, and a control that lacks one component alone."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from medgauge_registrar.checks import result_pairs
from medgauge_registrar.model.finding import Severity
from support.cases import Edit, as_is, fails, passes
from support.registries import (
    RESULT,
    TOOL,
    Files,
    base_registry,
    context_of,
    copied,
    edited,
    run_check,
    without,
)

CONTROL = "res-example-audit-0-2-0-example-model-a"
OTHER = RESULT.replace(CONTROL, "res-example-audit-0-2-0-other")
THIRD = RESULT.replace(CONTROL, "res-example-audit-0-2-0-third")
SKILL = "tl-example-skill@0.1.0"
SERVER = "tl-example-server@0.1.0"
TOOLS = "/fixed_conditions/tool_permissions_and_list"
READ_FILE = "tl-example-read-file@0.1.0"


def result(path: str, changes: Mapping[str, Any] | None = None) -> Edit:
    """Add a result: the one there is under another name, with changes."""

    def edit(files: Files) -> Files:
        name = path.rpartition("/")[2].removesuffix(".json")
        runs = json.loads(files[RESULT])["runs"]
        named = {f"/runs/{index}/run_id": f"{name.replace('res-', 'run-', 1)}-{index}" for index in range(len(runs))}
        return copied(files, RESULT, path, {"/id": name, **named, **(changes or {})})

    return edit


def pair(component: str, changes: Mapping[str, Any] | None = None) -> Edit:
    """Add a result with a component, paired with the one there is."""

    def edit(files: Files) -> Files:
        for name, kind in ((SKILL, "skill"), (SERVER, "tool-server")):
            identifier, _, version = name.partition("@")
            path = f"registry/tools/{identifier}/{version}.yaml"
            fields: dict[str, Any] = {"/id": identifier, "/kind": kind}
            if kind == "skill":
                fields |= {
                    "/smoke_test": "not-applicable",
                    "/skill_validation": {
                        "specification": "std-example-guideline", "outcome": "passed", "date": "2026-11-04",
                    },
                }  # fmt: skip
            files = copied(files, TOOL, path, fields)
        return result(OTHER, {"/components": [component], "/paired_with": CONTROL, **(changes or {})})(files)

    return edit


@pytest.mark.parametrize(
    ("edit", "path"),
    [
        passes("SCHEMA-RES-03", "the only result of its kind", as_is, RESULT),
        passes(
            "SCHEMA-RES-03",
            "another reasoning setting",
            result(OTHER, {"/fixed_conditions/reasoning_setting": "high"}),
            OTHER,
        ),
        passes("SCHEMA-RES-03", "with a component", pair(SKILL), OTHER),
        passes("SCHEMA-RES-03", "a correction", result(OTHER, {"/corrects": CONTROL}), OTHER),
        passes("SCHEMA-RES-03", "what was corrected", result(OTHER, {"/corrects": CONTROL}), RESULT),
        passes(
            "SCHEMA-RES-03",
            "a correction of a correction",
            lambda files: result(THIRD, {"/corrects": "res-example-audit-0-2-0-other"})(
                result(OTHER, {"/corrects": CONTROL})(files)
            ),
            RESULT,
        ),
        passes(
            "SCHEMA-RES-03",
            "another file in the folder, which is DEC-19",
            lambda files: {**files, OTHER.replace(".json", ".txt"): files[RESULT]},
            RESULT,
        ),
        passes(
            "SCHEMA-RES-03",
            "a twin that breaks its schema, which is ENT-02",
            result(OTHER, {"/verification/state": "claimed"}),
            RESULT,
        ),
    ],
)  # fmt: skip
def test_identity_is_let_pass(edit: Edit, path: str) -> None:
    """Results that differ in a condition, or of which one corrects the other, stand side by side."""
    assert run_check(result_pairs.repeated_identity, edit(base_registry()), path) == []


@pytest.mark.parametrize(
    ("rule", "edit", "path", "words"),
    [
        fails("SCHEMA-RES-03", "the same runs told twice", result(OTHER), OTHER, f"`{RESULT}`"),
        fails("SCHEMA-RES-03", "told of the first as well", result(OTHER), RESULT, f"`{OTHER}`"),
        fails(
            "SCHEMA-RES-03",
            "tools and permissions in another order",
            lambda files: result(OTHER, {
                f"{TOOLS}/permissions": ["write artifact", "read inputs"],
            })(files),
            OTHER,
            f"`{RESULT}`",
        ),
        fails(
            "SCHEMA-RES-03",
            "another round",
            result(OTHER, {"/round": "example-round-2", "/date": "2026-11-19"}),
            OTHER,
            f"`{RESULT}`",
        ),
        fails(
            "SCHEMA-RES-03",
            "two that claim to correct each other",
            lambda files: edited(
                result(OTHER, {"/corrects": CONTROL})(files), RESULT, {"/corrects": "res-example-audit-0-2-0-other"}
            ),
            OTHER,
            f"`{RESULT}`",
        ),
        fails(
            "SCHEMA-RES-03",
            "a re-run beside a correction",
            lambda files: result(THIRD)(result(OTHER, {"/corrects": CONTROL})(files)),
            THIRD,
            "the same subject",
        ),
    ],
)  # fmt: skip
def test_identity_is_refused(rule: str, edit: Edit, path: str, words: str) -> None:
    """A second result of the same identity is found, whichever of the two is looked at."""
    (found,) = run_check(result_pairs.repeated_identity, edit(base_registry()), path)
    assert (found.rule, found.severity, found.path) == (rule, Severity.ERROR, path)
    assert found.pointer == "/fixed_conditions"
    assert words in found.message


def test_identity_is_that_of_the_registry_at_hand() -> None:
    """What was found in one registry is not remembered of the next."""
    files = base_registry()
    twice = result(OTHER)(files)
    assert run_check(result_pairs.repeated_identity, twice, RESULT, context=context_of(twice)) != []
    assert run_check(result_pairs.repeated_identity, files, RESULT, context=context_of(files)) == []


@pytest.mark.parametrize(
    "edit",
    [
        passes("SCHEMA-RES-05", "a skill more", pair(SKILL)),
        passes(
            "SCHEMA-RES-05",
            "a tool server in the list of tools, with a permission of its own",
            pair(SERVER, {
                f"{TOOLS}/tools": [READ_FILE, SERVER], f"{TOOLS}/permissions": ["read inputs", "write artifact", "search"],
            }),
        ),
        passes("SCHEMA-RES-05", "no component and no control", result(OTHER)),
        passes(
            "SCHEMA-RES-05",
            "a broken control, which has an error of its own",
            lambda files: {**pair(SKILL)(files), RESULT: "{}"},
        ),
        passes(
            "SCHEMA-RES-05",
            "a component whose record is broken",
            lambda files: {
                **pair(SERVER, {f"{TOOLS}/tools": [READ_FILE, SERVER]})(files),
                "registry/tools/tl-example-server/0.1.0.yaml": "{}",
            },
        ),
        passes(
            "SCHEMA-RES-05",
            "a component on top of another",
            lambda files: result(THIRD, {"/components": [SKILL, SERVER], "/paired_with": "res-example-audit-0-2-0-other"})(
                pair(SKILL)(files)
            ),
        ),
    ],
)  # fmt: skip
def test_pair_is_let_pass(edit: Edit) -> None:
    """A control that lacks one component and is otherwise alike gives no finding."""
    files = edit(base_registry())
    assert run_check(result_pairs.unequal_pair, files, THIRD if THIRD in files else OTHER) == []


@pytest.mark.parametrize(
    ("rule", "edit", "pointer", "words"),
    [
        fails(
            "SCHEMA-RES-05",
            "a control that is not there",
            lambda files: without(pair(SKILL)(files), RESULT),
            "/paired_with",
            f"there is no result `{CONTROL}` on `bm-example-audit@0.2.0`",
        ),
        fails(
            "SCHEMA-RES-05",
            "a control on another version",
            lambda files: {
                **without(pair(SKILL)(files), RESULT), RESULT.replace("/0.2.0/", "/0.3.0/"): files[RESULT],
            },
            "/paired_with",
            "on `bm-example-audit@0.2.0`",
        ),
        fails(
            "SCHEMA-RES-05",
            "the record is its own control",
            pair(SKILL, {"/paired_with": "res-example-audit-0-2-0-other"}),
            "/components",
            f"components are `{SKILL}` here and `{SKILL}` in",
        ),
        fails(
            "SCHEMA-RES-05",
            "two components more",
            pair(SKILL, {"/components": [SKILL, SERVER]}),
            "/components",
            f"`{SERVER}`, `{SKILL}` here and none in",
        ),
        fails(
            "SCHEMA-RES-05",
            "another version of the component in the control",
            lambda files: result(
                THIRD, {"/components": ["tl-example-skill@0.2.0"], "/paired_with": "res-example-audit-0-2-0-other"}
            )(pair(SKILL)(files)),
            "/components",
            "`tl-example-skill@0.2.0` here and `tl-example-skill@0.1.0` in",
        ),
        *(
            fails("SCHEMA-RES-05", f"another {name}", pair(SKILL, {f"/{name}": value}), f"/{name}", f"`{value}`")
            for name, value in (
                ("model", "Example Model B"), ("harness", "hx-example@0.2.0"), ("snapshot_fingerprint", "another"),
            )
        ),
        fails(
            "SCHEMA-RES-05",
            "another budget",
            pair(SKILL, {"/fixed_conditions/budget/step_limit": 80}),
            "/fixed_conditions/budget",
            "differs from that of the control",
        ),
        fails(
            "SCHEMA-RES-05",
            "a skill that stands in the list of tools",
            pair(SKILL, {f"{TOOLS}/tools": [READ_FILE, SKILL]}),
            TOOLS,
            "differs from that of the control",
        ),
        fails(
            "SCHEMA-RES-05",
            "a further tool beside the tool server",
            pair(SERVER, {f"{TOOLS}/tools": [READ_FILE, SERVER, "tl-example-more@0.1.0"]}),
            TOOLS,
            "differs from that of the control",
        ),
        fails(
            "SCHEMA-RES-05",
            "a tool fewer than the control",
            pair(SERVER, {f"{TOOLS}/tools": [SERVER]}),
            TOOLS,
            "differs from that of the control",
        ),
        fails(
            "SCHEMA-RES-05",
            "a permission fewer than the control",
            pair(SERVER, {f"{TOOLS}/permissions": ["read inputs"]}),
            TOOLS,
            "differs from that of the control",
        ),
        fails(
            "SCHEMA-RES-05",
            "a component of no known kind",
            lambda files: without(
                pair(SERVER, {f"{TOOLS}/tools": [READ_FILE, SERVER]})(files), "registry/tools/tl-example-server/0.1.0.yaml"
            ),
            TOOLS,
            "differs from that of the control",
        ),
    ],
)  # fmt: skip
def test_pair_is_refused(rule: str, edit: Edit, pointer: str, words: str) -> None:
    """Whatever else differs between the two is told at its place."""
    files = edit(base_registry())
    path = THIRD if THIRD in files else OTHER
    (found,) = run_check(result_pairs.unequal_pair, files, path)
    assert (found.rule, found.severity, found.path, found.pointer) == (rule, Severity.ERROR, path, pointer)
    assert words in found.message
