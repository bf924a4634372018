"""Rules of notices: their day, their two versions, their reach, and what they announce."""

from collections.abc import Mapping
from typing import Any

import pytest

from medgauge_registrar.checks import notices
from medgauge_registrar.model.finding import Severity
from support.cases import Edit, as_is, fails, passes
from support.registries import FROZEN, NOTICE, PRICES, Files, base_registry, copied, edited, run_check, without
from support.steps import run_step

NEW = "notices/2026-11-20-example.yaml"


def notice(changes: Mapping[str, Any]) -> Edit:
    """Change the notice."""
    return lambda files: edited(files, NOTICE, changes)


def new_notice(name: str) -> Edit:
    """Add a notice of an object."""
    return lambda files: copied(
        files, NOTICE, NEW, {"/id": "2026-11-20-example", "/date": "2026-11-20", "/cause/object": name}
    )


@pytest.mark.parametrize(
    "edit",
    [
        passes("SCHEMA-NOTICE-01", "on the day of its identifier", as_is),
        passes("SCHEMA-NOTICE-01", "numbers and not texts", notice({"/from": "0.9.0", "/to": "0.10.0"})),
        passes(
            "SCHEMA-NOTICE-01",
            "a void leaves the version as it is",
            notice({"/cause/rule": "NCN-08", "/from": "0.2.0", "/to": "0.2.0"}),
        ),
        passes(
            "SCHEMA-NOTICE-01",
            "two versions of one family",
            notice({"/scope": "family", "/affected": ["bm-example-audit@0.2.0", "bm-example-audit@0.3.0"]}),
        ),
        passes("SCHEMA-NOTICE-01", "boards of two families", notice({"/affected": ["bm-a@0.2.0", "bm-b@0.2.0"]})),
    ],
)
def test_notice_is_let_pass(edit: Edit) -> None:
    """A notice that agrees with itself gives no finding."""
    assert run_check(notices.unsound_notice, edit(base_registry()), NOTICE) == []


@pytest.mark.parametrize(
    ("rule", "edit", "pointer", "words"),
    [
        fails("SCHEMA-NOTICE-01", "another day", notice({"/date": "2026-11-07"}), "/date", "begins with `2026-11-06`"),
        fails(
            "SCHEMA-NOTICE-01",
            "ahead of today",
            notice({"/id": "2026-11-30-example", "/date": "2026-11-30"}),
            "/date",
            "begun nowhere on Earth",
        ),
        fails(
            "SCHEMA-NOTICE-01", "back to a lower version", notice({"/from": "0.10.0", "/to": "0.9.0"}), "/to", "`0.9.0`"
        ),
        fails(
            "SCHEMA-NOTICE-01", "no step at all", notice({"/from": "0.1.0"}), "/to", "expected a version above `from`"
        ),
        fails(
            "SCHEMA-NOTICE-01",
            "a void that goes back",
            notice({"/cause/rule": "NCN-08", "/from": "0.3.0", "/to": "0.2.0"}),
            "/to",
            "`0.2.0`",
        ),
        fails(
            "SCHEMA-NOTICE-01",
            "a family notice of two families",
            notice({"/scope": "family", "/affected": ["bm-b@0.2.0", "bm-a@0.2.0"]}),
            "/affected",
            "`bm-a`, `bm-b`",
        ),
    ],
)
def test_notice_is_refused(rule: str, edit: Edit, pointer: str, words: str) -> None:
    """What breaks the rule gives one finding at its place."""
    (found,) = run_check(notices.unsound_notice, edit(base_registry()), NOTICE)
    assert (found.rule, found.severity, found.path, found.pointer) == (rule, Severity.ERROR, NOTICE, pointer)
    assert words in found.message


@pytest.mark.parametrize(
    "name",
    [
        passes("SCHEMA-NOTICE-01", f"of {name}", name)
        for name in (
            FROZEN, PRICES, "bm-example-audit@0.2.0", "hx-example@0.1.0", "tl-example-read-file@0.1.0",
            "gr-example-dose@0.1.0", "difficulty-function@0.1.0", "level-rules@0.1.0", "price-table@0.1.0",
            "intervals@0.1.0", "methodology@0.1.0",
        )
    ],
)  # fmt: skip
def test_object_is_there(name: str) -> None:
    """An object may be named by its path or by its versioned reference."""
    files = base_registry()
    assert run_step(notices.notice_of_nothing, files, new_notice(name)(files)) == []


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        fails("SCHEMA-NOTICE-01", f"of {name}", name)
        for name in (
            "registry/price-tables/0.9.0.yaml", "bm-example-audit@0.9.0", "hx-example@0.9.0", "difficulty-function@0.9.0",
            "intervals@0.9.0", "methodology@0.9.0", "tk-5rq4f5zr37e3@1.0.0", "bm-example-audit",
        )
    ],
)  # fmt: skip
def test_object_is_not_there(rule: str, name: str) -> None:
    """A notice of what is not there is refused when it comes in."""
    files = base_registry()
    (found,) = run_step(notices.notice_of_nothing, files, new_notice(name)(files))
    assert (found.rule, found.severity, found.path, found.pointer) == (rule, Severity.ERROR, NEW, "/cause/object")
    assert f"`object` names `{name}`" in found.message


def test_old_notice_outlives_its_object() -> None:
    """A published notice is not asked again for what it was about."""
    files: Files = base_registry()
    assert run_step(notices.notice_of_nothing, files, without(files, PRICES)) == []
    assert run_step(notices.notice_of_nothing, files, without(files, PRICES, NOTICE)) == []
