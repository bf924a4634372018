"""The job summary of a run."""

from medgauge_registrar.model.decision import Decision
from medgauge_registrar.report.compose import compose

# GitHub Actions, "Adding a job summary": 1 MiB a step; what is over it is dropped whole.
BUDGET_BYTES = 1_000_000


def render_summary(decision: Decision, *, pull_url: str | None = None, budget_bytes: int = BUDGET_BYTES) -> str:
    """
    The job summary: the comment's parts with more room.

    Args:
        decision: What to report; closed material in it is withheld.
        pull_url: Address of the pull request, for links to its files; without it nothing is linked.
        budget_bytes: Most bytes of the result in UTF-8, at least 10,000.

    Raises:
        ValueError: The budget is too small, `pull_url` is no address of a pull request, or a time has no zone.
    """
    return compose(decision, marker=None, pull_url=pull_url, budget=budget_bytes, size=_size_bytes)


def _size_bytes(text: str) -> int:
    return len(text.encode())
