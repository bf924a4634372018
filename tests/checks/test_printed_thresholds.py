"""The thresholds of levels are the same in Appendix B and in the newest level rules."""

import pytest

from medgauge_registrar.checks import agreement
from medgauge_registrar.model.finding import Finding
from support.cases import fails, passes
from support.registries import TEXT, example, methodology_text, run_check, written

OLD, NEW = "methodology/level-rules/0.1.0.yaml", "methodology/level-rules/0.2.0.yaml"
TABLE = (
    "\n# Appendix B: Level rules\n\n| Level | Rule | Threshold | Derived |\n|---|---|---|---|\n"
    "| L0 | no level | — | yes |\n| **L1** | the bound reaches the threshold | {L1} | yes |\n| L2 | L1 | {L2} | yes |\n"
    "| L3 | L2 | {L3} | yes |\n| L4 | L3 | {L4} | yes |\n| L5 | L4, signed | as L4 | no |\n"
)
SAME = {"L1": "0.80", "L2": "0.9", "L3": "95 %", "L4": "0.99 (298 tasks)"}
NONE = dict.fromkeys(SAME, "not set in version 0.1.0")


def rules(**thresholds: float | None) -> str:
    """Level rules with these thresholds."""
    fields = example("level-rules", "with-thresholds")
    for level in SAME:
        fields["levels"][level]["threshold"] = thresholds.get(level)
    return written(fields)


SET, UNSET = rules(L1=0.8, L2=0.9, L3=0.95, L4=0.99), rules()


def thresholds_of(files: dict[str, str]) -> list[Finding]:
    """What the check of agreement says of thresholds; versions are another matter."""
    found = run_check(agreement.disagreeing_versions, files)
    return [finding for finding in found if "threshold" in finding.message]


def text(**printed: str) -> str:
    return methodology_text() + TABLE.format(**{**SAME, **printed})


@pytest.mark.parametrize(
    "files",
    [
        passes("VER-07", "the same numbers", {TEXT: text(), OLD: SET}),
        passes("VER-07", "none in both", {TEXT: text(**NONE), OLD: UNSET}),
        passes("VER-07", "the newest rules count", {TEXT: text(), OLD: UNSET, NEW: SET}),
        passes("VER-07", "no table", {TEXT: methodology_text(), OLD: SET}),
        passes(
            "VER-07", "no column of thresholds", {TEXT: text(L1="0.1").replace("| Threshold |", "| Bound |"), OLD: SET}
        ),
        passes("VER-07", "a table elsewhere", {TEXT: text(L1="0.1").replace("Appendix B", "Appendix E"), OLD: SET}),
        passes("VER-07", "no rules", {TEXT: text()}),
        passes("VER-07", "rules that cannot be read", {TEXT: text(), OLD: "{"}),
    ],
)
def test_agreement_is_let_pass(files: dict[str, str]) -> None:
    """Numbers that agree, or that are not stated twice, give no finding."""
    assert thresholds_of(files) == []


@pytest.mark.parametrize(
    ("rule", "files", "told"),
    [
        fails("VER-07", "another number", {TEXT: text(L2="0.95"), OLD: SET}, ("`0.95`", "L2", "`0.9`")),
        fails("VER-07", "set in the rules alone", {TEXT: text(L1="not set"), OLD: SET}, ("none", "L1", "`0.8`")),
        fails("VER-07", "set in the text alone", {TEXT: text(**{**NONE, "L3": "0.9"}), OLD: UNSET}, ("`0.9`", "L3", "none")),
        fails("VER-07", "another share in per cent", {TEXT: text(L4="98 %"), OLD: SET}, ("`0.98`", "L4", "`0.99`")),
    ],
)  # fmt: skip
def test_disagreement_is_refused(rule: str, files: dict[str, str], told: tuple[str, str, str]) -> None:
    """Each level whose threshold differs is found at its row of the table."""
    (found,) = thresholds_of(files)
    assert (found.rule, found.path) == (rule, TEXT)
    printed, level, given = told
    assert found.message == f"Appendix B gives {printed} as the threshold of `{level}`, and `{OLD}` gives {given}"
    assert found.line is not None
    assert level in files[TEXT].split("\n")[found.line - 1]
