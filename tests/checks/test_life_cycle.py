"""Going out of use and coming back: days, ends of a merge, and the row that a return asks for (IMM-15, IMM-16, DEC-30)."""

from typing import Any

import pytest

from medgauge_registrar.checks.retirement import groundless_deprecation, unfounded_retirement
from medgauge_registrar.sandbox.edits import Edit, swap
from medgauge_registrar.sandbox.material import TODAY
from support.cases import fails, passes
from support.governance import judged
from support.registries import CAPABILITY, TOOL_STATE, Files, base_registry, edited, rules
from support.snapshots import approvals, pull
from support.steps import run_step

OTHER = "registry/capabilities/A.4.yaml"
STARTER_CAPABILITY = "registry/capabilities/A.5.yaml"


def deprecated(day: str, ground: str = "maintainer-request") -> Files:
    return edited(
        base_registry(), TOOL_STATE, {"/status": "deprecated", "/deprecation": {"ground": ground, "date": day}}
    )


def retired(files: Files, path: str, into: str | None, day: str = "2026-11-28") -> Files:
    retirement: dict[str, Any] = {"ground": "saturated", "reason": "No longer tells subjects apart.", "date": day}
    if into is not None:
        retirement |= {"ground": "merged", "merged_into": into}
    return edited(files, path, {"/status": "retired", "/retirement": retirement})


@pytest.mark.parametrize(
    "after",
    [
        passes("IMM-15", "deprecated today", deprecated("2026-11-29")),
        passes("IMM-16", "merged into a capability in use", retired(base_registry(), CAPABILITY, "A.4")),
    ],
)
def test_going_out_of_use(after: Files) -> None:
    """A ground and a day that has come are enough."""
    assert run_step(groundless_deprecation, base_registry(), after) == []
    assert run_step(unfounded_retirement, base_registry(), after) == []


@pytest.mark.parametrize(
    ("rule", "before", "after", "words"),
    [
        fails("IMM-15", "deprecated on a day to come", base_registry(), deprecated("2026-11-30"), "`2026-11-30`"),
        fails("IMM-16", "retired on a day to come", base_registry(),
              retired(base_registry(), CAPABILITY, "A.4", "2026-11-30"), "`2026-11-30`"),
        fails("IMM-16", "merged into a retired one", retired(base_registry(), OTHER, None),
              retired(retired(base_registry(), OTHER, None), CAPABILITY, "A.4"), "ends at `A.4`, which is retired"),
        fails("IMM-16", "both at once, one into the other", base_registry(),
              retired(retired(base_registry(), OTHER, None), CAPABILITY, "A.4"), "ends at `A.4`, which is retired"),
    ],
)  # fmt: skip
def test_going_out_of_use_wrongly(rule: str, before: Files, after: Files, words: str) -> None:
    """A day to come has not come, and nobody is sent to a capability that is out of use."""
    check = groundless_deprecation if rule == "IMM-15" else unfounded_retirement
    errors = [found for found in run_step(check, before, after) if found.severity == "error"]
    assert rules(errors) == {rule}
    assert any(words in found.message for found in errors)


MERGED = f"status: retired\nretirement: {{ground: merged, reason: Part of A.4., date: {TODAY}, merged_into: A.4}}"
RETIRED = (swap(STARTER_CAPABILITY, "status: active", MERGED),)


@pytest.mark.rule("DEC-30", "fails")
@pytest.mark.parametrize(
    "edit",
    [
        swap(STARTER_CAPABILITY, MERGED, "status: active"),
        swap(STARTER_CAPABILITY, "merged_into: A.4", "merged_into: D.1"),
    ],
    ids=["brought back", "sent elsewhere"],
)
def test_coming_back_is_asked_for_like_an_addition(edit: Edit) -> None:
    """What was retired returns, or leads elsewhere, under a request and two maintainers; one of them is not enough."""
    row = judged("M6a", edit, base=RETIRED, request=pull(*approvals("maintainer")))
    assert row.state == "blocked"
    assert [seat.state for seat in row.seats] == ["filled", "open"]
