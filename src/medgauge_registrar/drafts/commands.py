"""What the `draft` commands do with their arguments: open the repository, draft, and print or write."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

from medgauge_registrar.comparability.steps import Step
from medgauge_registrar.drafts.change_log import raised_version
from medgauge_registrar.drafts.dispute_outcome import dispute_outcome
from medgauge_registrar.drafts.lifecycle import Marks, lifecycle
from medgauge_registrar.drafts.notice import missing_notices
from medgauge_registrar.drafts.redirect import redirect
from medgauge_registrar.drafts.situation import Drafts, Situation, shown, situation, written
from medgauge_registrar.inputs import Inputs
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.model.frozen import frozen


@frozen
class Where:
    """
    Where a draft is made.

    Attributes:
        repository: Folder of the repository.
        base: Tip of the base branch.
        head: Head of the change; null: the work tree.
        write: Put the files into the work tree instead of printing them.
        today: Day of the draft.
    """

    repository: Path
    base: str
    head: str | None
    write: bool
    today: date


def draft_notice(where: Where) -> str:
    """Draft the notices that are missing."""
    return _done(where, lambda found: missing_notices(found, where.today))


def draft_change_log(where: Where, *, step: str | None, what: str) -> str:
    """Draft another version of the methodology."""
    chosen = None if step is None else Step(step)
    return _done(where, lambda found: raised_version(found, where.today, step=chosen, what=what))


def draft_redirect(where: Where, names: tuple[str, str] | None) -> str:
    """Draft the redirect of a renamed benchmark."""
    return _done(where, lambda found: redirect(found, where.today, names))


def draft_lifecycle(where: Where, name: str | None, marks: Marks) -> str:
    """Draft the lifecycle record of one version."""
    return _done(where, lambda found: lifecycle(found, where.today, name, marks))


def draft_dispute_outcome(where: Where, inputs: Inputs) -> str:
    """Draft the outcome of a dispute."""
    return _done(where, lambda found: dispute_outcome(found, inputs))


def _done(where: Where, draft: Callable[[Situation], Drafts]) -> str:
    """
    Make a draft and print or write it.

    Raises:
        ReadError: The repository cannot be read.
        PolicyError: Nothing can be drafted from what is there, or the files cannot be written.
    """
    if where.write and where.head is not None:
        raise PolicyError("`--write` changes the work tree, so the change has to lie there; leave out `--head`")
    if where.write and not (where.repository / ".git").exists():
        raise PolicyError(f"{where.repository}: is not the top folder of a work tree; name that folder")
    with situation(where.repository, where.base, where.head) as found:
        drafts = draft(found)
        return written(drafts, where.repository) if where.write else shown(drafts, found.head)
