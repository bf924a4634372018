"""What is known of the evidence that a row asks for, by rule id."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from typing import TypeAlias

from medgauge_registrar.checks.selection import rules_checked
from medgauge_registrar.checks.unchecked import COVERED_BY, SCHEMA_RULES
from medgauge_registrar.classify.classify import Classified
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.decision import Evidence, EvidenceState, Suggestion
from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.model.pull import Pull
from medgauge_registrar.policy.settings import Settings
from medgauge_registrar.policy.table import EvidenceNeed
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.requirements.approvals import SeatedRow
from medgauge_registrar.requirements.attestations import Attestation
from medgauge_registrar.requirements.disputes import Proceedings

# Messages repeated beside one need; the findings have all of them.
_SHOWN_MESSAGES = 5
# Of evidence that may rest on closed facts, while nobody may be told of them.
UNTOLD = "known once the seats are filled"
# What a missing or broken record says of every rule that its content would have had to show.
_UNREADABLE = frozenset({"ENT-02", "ENT-09", "ENT-11"})


@frozen
class EvidenceView:
    """
    What a provider of evidence may look at.

    Attributes:
        pull: Public facts.
        base: The registry before.
        head: The registry after.
        changes: All changes of the pull request.
        own: Those that trigger the row.
        settings: Settings of the registry.
        ledger: Closed facts; an answer may give away one bit of them, and no more. Null while it may not give away any.
        seated: How far the row's seats are filled.
        separation: What is known of each rule of separation of the row.
        attested: What approvals that hold attest, whoever gave them.
        proceedings: What became of disputes.
        now: Aware UTC datetime.
    """

    pull: Pull
    base: Registry
    head: Registry
    changes: tuple[Classified, ...]
    own: tuple[Classified, ...]
    settings: Settings
    ledger: Ledger | None
    seated: SeatedRow
    now: datetime
    separation: Mapping[str, EvidenceState] = field(default_factory=dict)
    attested: frozenset[Attestation] = frozenset()
    proceedings: Proceedings = field(default_factory=Proceedings, repr=False)


@frozen
class Answer:
    """What a provider knows, and in words why; the words, and what it suggests to add, name no person and no closed fact."""

    state: EvidenceState
    message: str
    suggestion: Suggestion | None = None


Provider: TypeAlias = Callable[[EvidenceView], Answer]


def judge(
    need: EvidenceNeed, findings: Sequence[Finding], view: EvidenceView, providers: Mapping[str, Provider]
) -> Evidence:
    """
    Judge one piece of evidence.

    Args:
        need: What the row asks for.
        findings: What the checks found at the row's own changes.
        view: What a provider may look at.
        providers: Who answers for rules that no check decides alone.

    Returns:
        `failed` if a check of that rule found an error, or if the record could not be judged by it; else what the provider
        of the rule answers; else `satisfied` if the rule is checked, or others that carry it are and found nothing; else
        `undecided`.
    """
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if own := [finding for finding in errors if finding.rule == need.id]:
        return _evidence(need, EvidenceState.FAILED, _messages(own))
    if broken := [finding for finding in errors if finding.rule in _UNREADABLE]:
        return _evidence(need, EvidenceState.FAILED, _in_the_way(broken))
    if need.id in providers:
        answer = providers[need.id](view)
        return _evidence(need, answer.state, answer.message, answer.suggestion)
    kinds = frozenset(item.change.kind for item in view.own)
    if need.id in COVERED_BY and all(_is_checked(rule, kinds) for rule in COVERED_BY[need.id].by):
        if held := [finding for finding in errors if finding.rule in COVERED_BY[need.id].by]:
            return _evidence(need, EvidenceState.FAILED, _in_the_way(held))
        return _evidence(need, EvidenceState.SATISFIED, "checked")
    if _is_checked(need.id, kinds):
        return _evidence(need, EvidenceState.SATISFIED, "checked")
    return unjudged(need, "this version of the registrar cannot decide it yet")


def _is_checked(rule: str, kinds: frozenset[Kind]) -> bool:
    """Whether a schema or any check decides a rule."""
    if rule in SCHEMA_RULES or rule in rules_checked(kinds):
        return True
    # Rarely needed, and it imports every check there is.
    from medgauge_registrar.checks.catalogue import RULES_BY_CHECK

    return rule in RULES_BY_CHECK


def unjudged(need: EvidenceNeed, why: str) -> Evidence:
    """Evidence of which nothing can be known, for the reason given."""
    return _evidence(need, EvidenceState.UNDECIDED, why)


def _messages(findings: Sequence[Finding]) -> str:
    messages = list(dict.fromkeys(finding.message for finding in findings))
    more = len(messages) - _SHOWN_MESSAGES
    return "; ".join(messages[:_SHOWN_MESSAGES]) + (f"; and {more} more below" if more > 0 else "")


def _in_the_way(findings: Sequence[Finding]) -> str:
    rules = sorted({finding.rule for finding in findings})
    return f"not shown: {', '.join(rules)} {'stands' if len(rules) == 1 else 'stand'} in the way"


def _evidence(need: EvidenceNeed, state: EvidenceState, message: str, suggestion: Suggestion | None = None) -> Evidence:
    return Evidence(id=need.id, state=state, message=message, by_author=need.by_author, suggestion=suggestion)
