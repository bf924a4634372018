"""Notices beside what a pull request changes (NCN-05, 06, 12, 15, 21…23); that one is missing is for the rows to say."""

from collections.abc import Iterator, Sequence

from medgauge_registrar.checks.fields import mapping
from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, change_check
from medgauge_registrar.comparability.boards import boards_of
from medgauge_registrar.comparability.notices import (
    boards_too_many,
    cause_named,
    faults,
    listed,
    new_notices,
)
from medgauge_registrar.comparability.owed import Owed, owed_notices
from medgauge_registrar.model.change import Change, Kind, Status, Transition
from medgauge_registrar.model.document import Json
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.registry.records import Record, version_key
from medgauge_registrar.registry.references import select

# What earlier figures stand in, or rest on.
_FIGURES = frozenset({Kind.RES, Kind.BM_VERSION, Kind.ROUND, Kind.VOID, Kind.PRICE, Kind.ALG, Kind.DFN})
_APPLIED = "applied"
# Results of a board looked at for another price table.
MOST_RESULTS = 200


@change_check("NCN-05", section="Scoring page", kinds={Kind.BM_CARD})
def veto_without_new_version(changed: ChangedRecord, _: Context) -> Iterator[Problem]:
    """
    A family that gains reference-level vetoes freezes a further version in the same pull request, with its notice.

    A veto fails runs that used to pass, so figures of before and after cannot be compared. Turn it on together with the freeze
    of the version that has it.

    Passes: reference_level_veto: applied, beside the freeze of version 0.3.0
    Fails: reference_level_veto: applied on the card of a family whose newest frozen version is older
    """
    if changed.before is None or changed.after is None or changed.place.kind is not Kind.BM_CARD:
        return
    before, after = (mapping(card["scoring"]).get("reference_level_veto") for card in (changed.before, changed.after))
    if after == _APPLIED and before != _APPLIED and _needs_freeze(changed):
        yield Problem(
            message="reference-level vetoes are turned on, and no further version of the family freezes here",
            help="Turn them on in the pull request that freezes the next version and adds its notice.",
            pointer="/scoring/reference_level_veto",
        )


@change_check("NCN-06", section="5.4", kinds={Kind.BM_CARD})
def check_changed_without_new_version(changed: ChangedRecord, _: Context) -> Iterator[Problem]:
    """
    A check that a card shows changes only together with the freeze of a further version, and its notice.

    Frozen versions were graded by the check as it was. Leave it as it is, or change it in the pull request that freezes the
    next version; a check may be added at any time.

    Passes: one more check
    Fails: another rule in a check of a family with a frozen version
    """
    if changed.before is None or changed.after is None or changed.place.kind is not Kind.BM_CARD:
        return
    after = [check for _, check in select(changed.after.document.value, "checks/*")]
    for pointer, check in select(changed.before.document.value, "checks/*"):
        if check not in after and _needs_freeze(changed):
            yield Problem(
                message=f"check {int(pointer.rpartition('/')[2]) + 1} of the card is no longer there as it was",
                help="Put it back, or change it in the pull request that freezes the next version and adds its notice.",
                pointer="/checks",
            )


@change_check("NCN-12", section="29", kinds={Kind.RES}, informs=True)
def mixed_price_tables(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A board whose results rest on different price tables carries a note that says so.

    Such amounts are not ordered by cost. Nothing has to be done; a notice is not asked for.

    Passes: every result of a board with one price table
    Fails: a result with table 0.2.0 on a board with results of table 0.1.0
    """
    if not changed.enters or changed.after is None or changed.place.kind is not Kind.RES:
        return
    table = _price_table(changed.after)
    folder = changed.place.path.rpartition("/")[0]
    for name, _ in context.registry.names(folder)[:MOST_RESULTS] if table is not None else ():
        other = context.registry.record(f"{folder}/{name}")
        found = None if other is None else _price_table(other)
        if found is not None and found != table:
            yield Problem(
                message=f"the board of `{changed.after['benchmark_version']}` rests on price tables `{found}` and `{table}`",
                help="Its rows are not ordered by cost across the two; a note on the board says so.",
                pointer="/amounts/price_table",
                severity=Severity.NOTICE,
            )
            return


@change_check("NCN-15", section="28", kinds={Kind.REDIRECTS})
def renamed_card_under_old_version(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A renamed benchmark goes on under a higher card version; a redirect is all that its readers need, and no notice.

    The card changed with its name, so its version rises as with any change. Raise the version of the new card above the old
    card's.

    Passes: bm-a at card version 0.3.0 becomes bm-b at 0.4.0, with a redirect
    Fails: bm-b at card version 0.1.0
    """
    if changed.after is None or changed.place.kind is not Kind.REDIRECTS:
        return
    known = (
        [] if changed.before is None else [entry for _, entry in select(changed.before.document.value, "redirects/*")]
    )
    for pointer, entry in select(changed.after.document.value, "redirects/*"):
        if entry in known:
            continue
        old, new = (mapping(entry).get(name) for name in ("old", "new"))
        before = _card_version(changed.base.valid_record(changed.base.path_of(Kind.BM_CARD, bm=str(old))))
        after = _card_version(context.registry.valid_record(context.registry.path_of(Kind.BM_CARD, bm=str(new))))
        # Whether both cards are there is asked by ID-06.
        if before is not None and after is not None and version_key(after) <= version_key(before):
            yield Problem(
                message=f"the card of `{new}` has version `{after}`, and that of `{old}` had `{before}` before the rename",
                help=f"Give the new card a version above `{before}`.",
                pointer=f"{pointer}/new",
            )


@change_check("NCN-21", section="14.4", kinds={Kind.NOTICE})
def wanting_notice(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A notice says of the change it announces what is so: cause, versions, reach, day, and every board that it touches.

    Readers take from it what may not be compared with what; a board that is left out reads as comparable. Correct the field
    that is named.

    Passes: affected: all frozen versions of the family, in the notice of a further one
    Fails: affected without the first version of the family
    """
    for notice, owed in _notices(changed, context):
        for one in owed:
            for fault in faults(notice, one):
                yield Problem(
                    message=fault.message,
                    help=fault.help,
                    path=notice.path,
                    pointer=fault.pointer,
                    position=notice.document.position(fault.pointer),
                )


@change_check("NCN-22", section="14.4", kinds={Kind.NOTICE})
def notice_beside_deletion(changed: ChangedRecord, _: Context) -> Iterator[Problem]:
    """
    No figure is taken away together with a notice: earlier figures stay published under their own version.

    A notice says that figures cannot be compared, not that they are gone. Put back what was removed.

    Passes: a notice beside a new version
    Fails: a notice beside the removal of results
    """
    if not changed.enters or changed.place.kind is not Kind.NOTICE:
        return
    gone = sorted(
        change.previous_path or change.path
        for change in changed.changes
        if change.status in {Status.REMOVED, Status.RENAMED}
        and changed.base.layout.place(change.previous_path or change.path).kind in _FIGURES
    )
    if gone:
        yield Problem(
            message=f"this notice comes with the removal of {listed(gone)}", help="Put back what was removed."
        )


@change_check("NCN-23", section="14.4", kinds={Kind.NOTICE}, informs=True)
def stray_notice(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A notice is about something that changes in its pull request, and names the boards that this touches and no others.

    Notices that nothing calls for teach readers to pass over them. Leave it out, or name what it adds to.

    Passes: the notice of a freeze in the same pull request
    Fails: a notice of an algorithm that was published long ago
    """
    for notice, owed in _notices(changed, context):
        name = str(mapping(notice["cause"]).get("object"))
        if not owed:
            yield Problem(
                message=f"nothing in this pull request calls for a notice of `{name}`",
                help="Leave it out, unless it adds to an earlier notice.",
                path=notice.path,
                pointer="/cause/object",
                position=notice.document.position("/cause/object"),
                severity=Severity.WARNING,
            )
        elif extra := boards_too_many(notice, owed):
            yield Problem(
                message=f"`affected` names {listed(extra)}, whose boards this change does not touch",
                help="Take out what is not affected.",
                path=notice.path,
                pointer="/affected",
                position=notice.document.position("/affected"),
                severity=Severity.WARNING,
            )


def _notices(changed: ChangedRecord, context: Context) -> Iterator[tuple[Record, tuple[Owed, ...]]]:
    """Every new notice with what it may be about; told once, at the first of them."""
    notices = new_notices(context.registry, changed.changes)
    if not notices or changed.change.path != notices[0].path:
        return
    owed = owed_notices(changed.base, context.registry, changed.changes)
    for notice in notices:
        yield notice, tuple(one for one in owed if cause_named(notice, one) is not None)


def _needs_freeze(changed: ChangedRecord) -> bool:
    """Whether the family of a card has a frozen version at the base, and none freezes now."""
    boards = boards_of(changed.base, changed.place.id or "")
    return bool(boards.versions or boards.unclear) and not _freezes(changed.changes, changed.place.id)


def _freezes(changes: Sequence[Change], family: str | None) -> bool:
    return any(
        change.kind is Kind.BM_VERSION
        and change.transition is Transition.FREEZE
        and change.object.partition("@")[0] == family
        for change in changes
    )


def _price_table(result: Record) -> Json:
    return mapping(result["amounts"]).get("price_table")


def _card_version(card: Record | None) -> str | None:
    return None if card is None else str(card["version"])
