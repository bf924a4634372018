"""What `registrar audit` prints."""

from collections.abc import Iterator

from medgauge_registrar.model.audit import Audit, AuditState
from medgauge_registrar.report.escape import terminal
from medgauge_registrar.report.words import count

_WORDS = {AuditState.NOT_APPROVED: "not approved", AuditState.UNDECIDED: "undecided"}


def render_audit(found: Audit) -> str:
    """Every commit that no approved decision is known to have brought, newest first, and how many there are of each."""
    return "".join(f"{terminal(line)}\n" for line in _lines(found))


def _lines(found: Audit) -> Iterator[str]:
    for commit in found.commits:
        if commit.state is not AuditState.APPROVED:
            pull = f" (#{commit.pull}, {commit.method})" if commit.pull is not None else ""
            yield f"{commit.sha} {_WORDS[commit.state]}: {commit.because}{pull}"
    states = [commit.state for commit in found.commits]
    others = ", ".join(f"{states.count(state)} {word}" for state, word in _WORDS.items() if state in states)
    yield f"{count(len(states), 'commit')}: {states.count(AuditState.APPROVED)} approved{others and f', {others}'}"
    yield from (f"help: {hint}" for hint in found.hints)
