"""The comment on the pull request."""

import re
from collections.abc import Sequence

from medgauge_registrar.model.decision import Decision
from medgauge_registrar.report.compose import compose

# How the writer finds its own comment again; trusted only together with the comment's author.
COMMENT_MARKER = "<!-- medgauge-registrar:comment -->"
_DECIDED_AT = re.compile(r"decided at `[^`]*`")


def render_comment(
    decision: Decision,
    *,
    pull_url: str | None = None,
    budget_characters: int = 60_000,
    answers: Sequence[str] = (),
    held: str | None = None,
) -> str:
    """
    The comment: what is missing, who is next, then rows, findings and the rest.

    Args:
        decision: What to report; closed material in it is withheld.
        pull_url: Address of the pull request, for links to its files; without it nothing is linked.
        budget_characters: Most characters of the result, at least 10,000. GitHub refuses more than 65,536.
        answers: Lines that answer commands (`answer_lines`).
        held: Why the status stays shut although the decision is approved; null: it does not.

    Raises:
        ValueError: The budget is too small, `pull_url` is no address of a pull request, or a time has no zone.
    """
    return compose(
        decision,
        marker=COMMENT_MARKER,
        pull_url=pull_url,
        budget=budget_characters,
        size=len,
        answers=answers,
        held=held,
    )


def timeless(text: str) -> str:
    """A report without the time of its decision, and without blanks that GitHub drops: what tells whether it says anything new."""
    return _DECIDED_AT.sub("", text.replace("\r\n", "\n")).strip()
