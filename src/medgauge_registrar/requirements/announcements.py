"""Evidence that changes are announced: the notice that each calls for is there and says what is so (NCN-01…24)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from medgauge_registrar.checks.fields import texts
from medgauge_registrar.comparability.figures import moved_boards
from medgauge_registrar.comparability.notices import (
    announces,
    boards_left_out,
    breaks_comparison,
    faults,
    is_site_wide,
    listed,
    new_notices,
)
from medgauge_registrar.comparability.owed import SITE_WIDE, Owed, freeze_notice, owed_notices
from medgauge_registrar.comparability.writing import notice_path, notice_text
from medgauge_registrar.model.change import Change, Kind, Transition
from medgauge_registrar.model.decision import EvidenceState, Suggestion
from medgauge_registrar.registry.records import Record, Registry, version_key
from medgauge_registrar.requirements.evidence import Answer, EvidenceView, Provider
from medgauge_registrar.requirements.separation_listing import frozen_users

_ORDER = (EvidenceState.FAILED, EvidenceState.MISSING, EvidenceState.UNDECIDED, EvidenceState.SATISFIED)


def owed_by(view: EvidenceView) -> tuple[Owed, ...]:
    """Every notice that the pull request calls for."""
    return owed_notices(view.base, view.head, changes_of(view))


def changes_of(view: EvidenceView) -> tuple[Change, ...]:
    """All changes of the pull request, without the facets that led to their rows."""
    return tuple(item.change for item in view.changes)


def _announced(rule: str, nothing: str) -> Provider:
    """Whether every notice that a rule asks for is there; `nothing` says why none is, where none is asked for."""

    def answer(view: EvidenceView) -> Answer:
        owed = [one for one in owed_by(view) if one.rule == rule and one.required]
        notices = new_notices(view.head, changes_of(view))
        return _worst([_judged(one, notices, view) for one in owed], nothing)

    return answer


def covers_the_site(view: EvidenceView) -> Answer:
    """Whether the site-wide notices that are asked for name every board there is (NCN-24)."""
    owed = [one for one in owed_by(view) if is_site_wide(one)]
    notices = new_notices(view.head, changes_of(view))
    answers = []
    for one in owed:
        meant = [notice for notice in notices if notice["scope"] == SITE_WIDE and announces(notice, one)]
        lacking = min((boards_left_out(notice, one) for notice in meant), key=len, default=tuple(sorted(one.boards)))
        if not meant:
            message = (
                f"there is no site-wide notice yet that could name {listed(lacking)}; add one"
                if lacking
                else "there is no site-wide notice yet; add one"
            )
            answers.append(Answer(state=EvidenceState.MISSING, message=message, suggestion=_suggestion(one, view)))
        elif lacking:
            message = f"the site-wide notice leaves out {listed(lacking)}; add them to `affected`"
            answers.append(Answer(state=EvidenceState.FAILED, message=message))
        elif one.unclear:
            answers.append(_unclear(one.unclear))
    return _worst(answers, "every board is named" if owed else "no site-wide notice is asked for")


def veto_announced(view: EvidenceView) -> Answer:
    """
    Whether a reference that is listed with a veto its former version lacked came to each family by an announced version (NCN-05).

    Source:
        Scoring page, "Hard gates"; decision matrix, row M2.
    """
    answers = []
    for item in view.own:
        change = item.change
        if change.kind is not Kind.LIFECYCLE or change.transition is not Transition.LIST:
            continue
        name, _, version = change.object.partition("@")
        reference = view.head.valid_record(view.head.path_of(Kind.GR, gr=name, version=version))
        if reference is None:
            answers.append(_unclear([view.head.path_of(Kind.GR, gr=name, version=version)]))
        elif reference["veto"] is True and not _former_veto(name, version, view.head):
            users = frozen_users(change.object, view.head)
            answers.extend(_veto_of(change.object, user, view.head) for user in users)
    return _worst(answers, "no veto is new, or every family that uses it got it by an announced version")


def figures_announced(view: EvidenceView) -> Answer:
    """Whether a notice names every board on which a recomputed figure differs (NCN-20)."""
    moved = moved_boards(view.base, view.head)
    if not moved.boards:
        return Answer(state=EvidenceState.SATISFIED, message="no published figure moves")
    notices = new_notices(view.head, changes_of(view))
    named = {board for notice in notices for board in texts(notice["affected"])}
    lacking = [board for board in moved.boards if board not in named]
    if not lacking:
        return Answer(
            state=EvidenceState.SATISFIED, message=f"announced on every board whose figures move: {moved.why}"
        )
    return Answer(
        state=EvidenceState.MISSING,
        message=f"{moved.why} on {listed(lacking)}, and no notice names {'it' if len(lacking) == 1 else 'them'}; add one",
        suggestion=next((_suggestion(one, view) for one in owed_by(view) if breaks_comparison(one)), None),
    )


ANNOUNCEMENTS: Mapping[str, Provider] = {
    "NCN-01": _announced("NCN-01", "the first frozen version of its family, so there is nothing to compare it with"),
    "NCN-03": _announced("NCN-03", "no level threshold or rule changes"),
    "NCN-05": veto_announced,
    "NCN-08": _announced("NCN-08", "no task version is voided anew"),
    "NCN-09": _announced("NCN-09", "no rule of aggregation and no algorithm changes"),
    "NCN-10": _announced("NCN-10", "no points, cut points or components change"),
    "NCN-16": _announced("NCN-16", "no threshold of the difference between environments is set"),
    "NCN-20": figures_announced,
    "NCN-24": covers_the_site,
}


def _judged(owed: Owed, notices: Sequence[Record], view: EvidenceView) -> Answer:
    """What one owed notice comes to."""
    meant = [notice for notice in notices if announces(notice, owed)]
    if not meant:
        return _missing(owed, view)
    wrong = [next((fault.message for fault in faults(notice, owed)), None) for notice in meant]
    sound = [notice for notice, fault in zip(meant, wrong, strict=True) if fault is None]
    if not sound:
        return Answer(state=EvidenceState.FAILED, message=f"in the notice of {owed.what} {wrong[0]}")
    if owed.notice is not None and all(notice["id"] != owed.notice for notice in sound):
        message = (
            f"`notice` of the version is `{owed.notice}`, and its notice is `{sound[0]['id']}`; make the two agree"
        )
        return Answer(state=EvidenceState.FAILED, message=message)
    if owed.unclear:
        return _unclear(owed.unclear)
    return Answer(state=EvidenceState.SATISFIED, message=f"announced by `{sound[0]['id']}`")


def _missing(owed: Owed, view: EvidenceView) -> Answer:
    suggestion = _suggestion(owed, view)
    if suggestion is None:
        advice = "raise the version of the methodology first, since a notice leads from one version to another"
    else:
        advice = f"add `{suggestion.path}` in this pull request; `registrar draft notice` writes it"
    return Answer(
        state=EvidenceState.MISSING, message=f"there is no notice of {owed.what}; {advice}", suggestion=suggestion
    )


def _suggestion(owed: Owed, view: EvidenceView) -> Suggestion | None:
    path = notice_path(owed, view.now.date().isoformat(), view.head)
    text = notice_text(owed, path)
    return None if text is None else Suggestion(path=path, how="new file", text=text)


def _unclear(paths: Sequence[str]) -> Answer:
    return Answer(
        state=EvidenceState.UNDECIDED,
        message=f"{listed(paths)} cannot be read or breaks its schema, so the boards concerned cannot be told",
    )


def _former_veto(name: str, version: str, head: Registry) -> bool:
    """Whether the version of a reference before another had the veto already; one without a predecessor is no flip."""
    versions = head.versions(Kind.GR, gr=name)
    index = versions.index(version) if version in versions else 0
    if index == 0:
        return True
    former = head.valid_record(head.path_of(Kind.GR, gr=name, version=versions[index - 1]))
    return former is not None and former["veto"] is True


def _veto_of(reference: str, user: Record, head: Registry) -> Answer:
    """Whether the freeze of a version that uses a reference was announced, unless it is the first of its family."""
    name, owed = user.place.object, freeze_notice(user, head)
    before = owed.causes[0].before if owed is not None else None
    if owed is not None and owed.unclear:
        return _unclear(owed.unclear)
    if owed is None or before is None or _is_first(user, head):
        return Answer(state=EvidenceState.SATISFIED, message=f"`{name}` is the first version of its family")
    boards = {name, f"{user.place.id}@{before}"}
    for path in head.tree.mentions(head.layout.folder(Kind.NOTICE), [name]):
        notice = head.valid_record(path)
        # Another notice can name the same boards, such as one of a task version that was voided.
        if notice is not None and announces(notice, owed) and boards <= set(texts(notice["affected"])):
            return Answer(state=EvidenceState.SATISFIED, message=f"announced by `{notice['id']}`")
    return Answer(
        state=EvidenceState.MISSING,
        message=(
            f"`{reference}` brings a veto to `{name}`, and no notice of its freeze names it together with "
            f"`{user.place.id}@{before}`; add that notice first"
        ),
    )


def _is_first(version: Record, head: Registry) -> bool:
    """Whether no version of its family froze earlier."""
    family = version.place.id or ""
    paths = (
        head.path_of(Kind.BM_VERSION, bm=family, version=other) for other in head.versions(Kind.BM_VERSION, bm=family)
    )
    frozen = [other for path in paths if (other := head.valid_record(path)) is not None and other["frozen"] is True]
    return min(frozen, key=_freezing).path == version.path


def _freezing(version: Record) -> tuple[str, tuple[int, ...]]:
    """By which frozen versions of one family sort as they froze."""
    return str(version["frozen_on"]), version_key(version.place.version or "")


def _worst(answers: Iterable[Answer], satisfied: str) -> Answer:
    """The answer that weighs most; of several like it all messages, and the first suggestion."""
    every = list(answers)
    if all(answer.state is EvidenceState.SATISFIED for answer in every):
        message = "; ".join(dict.fromkeys(answer.message for answer in every)) or satisfied
        return Answer(state=EvidenceState.SATISFIED, message=message)
    state = min((answer.state for answer in every), key=_ORDER.index)
    alike = [answer for answer in every if answer.state is state]
    return Answer(
        state=state,
        message="; ".join(dict.fromkeys(answer.message for answer in alike)),
        suggestion=next(_suggestions(alike), None),
    )


def _suggestions(answers: Iterable[Answer]) -> Iterator[Suggestion]:
    return (answer.suggestion for answer in answers if answer.suggestion is not None)
