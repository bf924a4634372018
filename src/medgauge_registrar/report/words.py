"""The words and signs that every rendering shares; all of them are ours, none needs escaping."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from medgauge_registrar.model.change import Change, Kind, Transition
from medgauge_registrar.model.decision import RowState, SetAside, State
from medgauge_registrar.model.finding import Finding, Severity

SIGNS = {State.APPROVED: "✅", State.PENDING: "⏳", State.BLOCKED: "⛔", State.ERROR: "⚠️"}
VERDICTS = {
    State.APPROVED: "Approved",
    State.PENDING: "Waiting",
    State.BLOCKED: "Blocked",
    State.ERROR: "Could not be decided",
}
ROW_SIGNS = {RowState.SATISFIED: "✅", RowState.PENDING: "⏳", RowState.BLOCKED: "⛔"}

# Most urgent first, which is also the order in which a budget keeps them.
SEVERITIES = (Severity.ERROR, Severity.WARNING, Severity.NOTICE)

KINDS = {
    Kind.BM_CARD: "benchmark card",
    Kind.BM_VERSION: "benchmark version",
    Kind.GR: "grading reference",
    Kind.HX: "harness",
    Kind.TL: "tool",
    Kind.CAP: "capability",
    Kind.STD: "standard",
    Kind.DS: "dataset card",
    Kind.MODEL: "model",
    Kind.RES: "result record",
    Kind.RP: "reproduction",
    Kind.LO: "level override",
    Kind.RM: "roadmap item",
    Kind.PRICE: "price table",
    Kind.VOID: "list of voided tasks",
    Kind.LIFECYCLE: "life-cycle record",
    Kind.REDIRECTS: "redirects",
    Kind.NOTICE: "notice",
    Kind.ROUND: "round",
    Kind.DISPUTE: "dispute outcome",
    Kind.ARTICLE: "article",
    Kind.METH: "methodology text",
    Kind.DFN: "difficulty function",
    Kind.ALG: "statistical algorithm",
    Kind.LVL: "level rules",
    Kind.CHARTER: "charter",
    Kind.SCHEMA: "schema",
    Kind.INFRA: "workflow or configuration",
    Kind.OTHER: "other file",
    Kind.UNCLASSIFIED: "file of no known kind",
}

TRANSITIONS = {
    Transition.CREATE: "new",
    Transition.EDIT: "edited",
    Transition.REVIEW_DATE: "review date of",
    Transition.FREEZE: "freeze of",
    Transition.LATE_FIELD: "late field of",
    Transition.LIST: "listing of",
    Transition.ACTIVATE: "activation of",
    Transition.DEPRECATE: "deprecation of",
    Transition.RETIRE: "retirement of",
    Transition.MERGE: "merging of",
    Transition.REMOVE: "removal of",
    Transition.RENAME: "renaming of",
}

SET_ASIDE = {
    SetAside.NOT_ON_HEAD: "given on another commit",
    SetAside.BEFORE_HEAD: "given before this head arrived",
    SetAside.SUPERSEDED: "replaced by a later review from the same account",
    SetAside.DISMISSED: "dismissed",
    SetAside.AUTHOR: "from the author",
    SetAside.COMMITTER: "from a committer of this branch",
    SetAside.CO_AUTHOR: "from a co-author of this branch",
    SetAside.PUSHER: "from the account that pushed this head",
    SetAside.TRIGGERER: "from the account that triggered this pull request",
    SetAside.BOT: "from a bot",
    SetAside.NO_ACCOUNT: "from an account that no longer exists",
    SetAside.NOT_COUNTED: "not counted for any seat",
}


def count(number: int, noun: str) -> str:
    """A number with its noun: `1 error`, `2 errors`; the plural is regular."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def count_findings(findings: Iterable[Finding]) -> str:
    """How many findings of each severity, most urgent first: `2 errors, 1 notice`."""
    severities = [finding.severity for finding in findings]
    return ", ".join(count(severities.count(one), one.value) for one in SEVERITIES if one in severities)


def count_places(findings: Sequence[Finding]) -> str:
    """The same with the number of files, where any is named: `2 errors in 1 file`."""
    files = len({finding.path for finding in findings} - {None})
    return count_findings(findings) + (f" in {count(files, 'file')}" if files else "")


def place(finding: Finding, path: str) -> str:
    """`path:line:column` as far as known; with neither line nor column, the pointer inside the record."""
    numbers = [str(number) for number in (finding.line, finding.column) if number is not None]
    return ":".join([path, *numbers]) if numbers or not finding.pointer else f"{path} {finding.pointer}"


def section(source: str) -> str:
    """`section 22` for a bare number, else the source as it is."""
    return f"section {source}" if source[:1].isdigit() else source


def role_name(role: str) -> str:
    """A role without its hyphen, as one says it."""
    return role.replace("-", " ")


def what_changed(change: Change) -> str:
    """Transition and kind in words: `freeze of benchmark version`."""
    return f"{TRANSITIONS[change.transition]} {KINDS[change.kind]}"


def in_ranges(ids: Iterable[str]) -> list[str]:
    """
    Rule ids with runs of three and more consecutive ones as a range: `GATE-01…GATE-13`.

    Order is kept; only neighbours that differ by one in their number are joined.
    """
    numbered = [(index, *_split(rule)) for index, rule in enumerate(ids)]
    ranges: list[str] = []
    for _, run in groupby(numbered, key=lambda one: (one[1], one[2] - one[0] if one[2] >= 0 else f"alone {one[0]}")):
        names = [f"{prefix}{text}" for _, prefix, _, text in run]
        ranges += [f"{names[0]}…{names[-1]}"] if len(names) > 2 else names
    return ranges


def _split(rule: str) -> tuple[str, int, str]:
    prefix = rule.rstrip("0123456789")
    digits = rule[len(prefix) :]
    return (prefix, int(digits), digits) if 0 < len(digits) < 10 else (rule, -1, "")
