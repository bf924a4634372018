"""Where a result comes from: the site's own accounts, on a branch of the registry itself (ROLE-19)."""

from collections.abc import Iterable, Iterator, Sequence

from medgauge_registrar.classify.classify import Classified
from medgauge_registrar.model.change import Kind, Status
from medgauge_registrar.model.decision import EvidenceState
from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.model.pull import Pull, User
from medgauge_registrar.policy.settings import Settings


def origin(pull: Pull, settings: Settings) -> EvidenceState:
    """
    Whether everything in a branch comes from the site.

    The names on a commit can be forged, so everybody who moved the branch counts as well; where one of them is not known,
    neither is the origin.

    Args:
        pull: Public facts.
        settings: They name the site's accounts.

    Source:
        Axiom 6 and the reproducibility page: results enter only as records that the site generated.
    """
    if _foreign(pull, settings):
        return EvidenceState.FAILED
    return EvidenceState.SATISFIED if pull.movers and pull.moves is not None else EvidenceState.UNDECIDED


def foreign_results(pull: Pull, settings: Settings, classified: Iterable[Classified]) -> Iterator[Finding]:
    """Point out results that come in from elsewhere, with everything that is not the site's."""
    foreign = _foreign(pull, settings)
    for item in classified:
        if foreign and item.change.kind is Kind.RES and item.change.status is not Status.REMOVED:
            yield Finding(
                rule="ROLE-19",
                severity=Severity.ERROR,
                message=f"a result comes only from the site: {'; '.join(foreign)}",
                help="Results are filed by the accounts that `site_identities` names, from a branch of this repository; "
                "whoever ran a package returns its artifacts to the site.",
                source="Axiom 6, Reproducibility page",
                path=item.change.path,
            )


def _foreign(pull: Pull, settings: Settings) -> Sequence[str]:
    """What about a pull request is not the site's, in words; accounts of the site are public settings."""
    found = []
    if pull.head_repo is None or pull.head_repo.casefold() != pull.base_repo.casefold():
        found.append("the branch lies in another repository")
    if not _is_site(pull.author, settings):
        found.append("the pull request was opened by another account")
    if not all(_is_site(person, settings) for person in pull.movers):
        found.append("the branch was pushed by another account")
    strange = sum(
        not all(_is_site(person, settings) for person in (commit.author, commit.committer, *commit.co_authors))
        for commit in pull.commits
    )
    if strange:
        found.append(f"{strange} of {len(pull.commits)} commits name another account")
    return found


def _is_site(user: User | None, settings: Settings) -> bool:
    return user is not None and user.id in settings.site_identities
