"""What follows where GitHub knows no account for somebody who wrote a commit (ROLE-23)."""

from collections.abc import Iterable, Sequence

from medgauge_registrar.classify.classify import Classified
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.finding import Finding, Severity

_SHOWN_COMMITS = 3


def unknown_authors(commits: Sequence[str], classified: Iterable[Classified]) -> list[Finding]:
    """
    Tell of commits whose people have no account.

    The people of a grading reference decide who may check and test it later, so there an unknown one is an error;
    elsewhere it is worth a notice.

    Args:
        commits: Commits of the branch with an author, committer or co-author without an account.
        classified: The changes.
    """
    if not commits:
        return []
    strict = any(item.change.kind is Kind.GR for item in classified)
    shown = ", ".join(f"`{sha[:12]}`" for sha in commits[:_SHOWN_COMMITS])
    more = f" and {len(commits) - _SHOWN_COMMITS} more" if len(commits) > _SHOWN_COMMITS else ""
    return [
        Finding(
            rule="ROLE-23",
            severity=Severity.ERROR if strict else Severity.NOTICE,
            message=f"no account is known for somebody who wrote {shown}{more}",
            help="Add the commit's e-mail address to the account of whoever wrote it, or commit again under one that has it.",
            source="section 23",
        )
    ]
