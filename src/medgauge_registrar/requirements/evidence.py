"""What is known of the evidence that a row asks for, by rule id."""

from collections.abc import Sequence

from medgauge_registrar.checks.catalogue import RULES_BY_CHECK, RULES_BY_SCHEMA
from medgauge_registrar.model.decision import Evidence, EvidenceState
from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.policy.table import EvidenceNeed

# What a missing or broken record says of every rule that its content would have had to show.
_UNREADABLE = frozenset({"ENT-02", "ENT-09", "ENT-11"})


def judge(need: EvidenceNeed, findings: Sequence[Finding]) -> Evidence:
    """
    Judge one piece of evidence.

    Args:
        need: What the row asks for.
        findings: What the checks found at the row's own changes.

    Returns:
        `failed` if a check of that rule found an error, or if the record could not be judged by it; `satisfied` if the
        rule is checked and nothing was found; `undecided` if this version has no check of that rule.
    """
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    own = [finding for finding in errors if finding.rule == need.id]
    if need.id not in RULES_BY_CHECK and need.id not in RULES_BY_SCHEMA:
        return _evidence(need, EvidenceState.UNDECIDED, "this version of the registrar cannot decide it yet")
    if own:
        return _evidence(need, EvidenceState.FAILED, own[0].message)
    if broken := [finding for finding in errors if finding.rule in _UNREADABLE]:
        return _evidence(need, EvidenceState.FAILED, f"not shown: {broken[0].rule} stands in the way")
    return _evidence(need, EvidenceState.SATISFIED, "checked")


def _evidence(need: EvidenceNeed, state: EvidenceState, message: str) -> Evidence:
    return Evidence(id=need.id, state=state, message=message, by_author=need.by_author)
