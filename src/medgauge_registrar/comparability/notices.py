"""Notices of a pull request beside those its changes call for: missing, wanting, or without a cause (NCN-21, 23, 24)."""

from collections.abc import Iterable, Iterator, Sequence

from medgauge_registrar.checks.fields import mapping, texts
from medgauge_registrar.comparability.owed import SITE_WIDE, Cause, Owed
from medgauge_registrar.model.change import Change, Kind, Status
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.registry.records import Record, Registry

# Boards named one by one in a message; the rest are counted.
_SHOWN_BOARDS = 5


@frozen
class Fault:
    """What is wrong with a notice: where, what was found, and what to do."""

    pointer: str
    message: str
    help: str


def new_notices(head: Registry, changes: Iterable[Change]) -> tuple[Record, ...]:
    """Notices that come with the changes and keep their schema, in the order of their paths."""
    paths = sorted(
        change.path
        for change in changes
        if change.kind is Kind.NOTICE and change.status in {Status.ADDED, Status.RENAMED}
    )
    return tuple(record for path in paths if (record := head.valid_record(path)) is not None)


def cause_named(notice: Record, owed: Owed) -> Cause | None:
    """The cause of an owed notice that a notice names; null if it is about something else."""
    return owed.cause_of(str(mapping(notice["cause"]).get("object")))


def announces(notice: Record, owed: Owed) -> bool:
    """Whether a notice is meant to be the one that is owed."""
    cause = cause_named(notice, owed)
    return cause is not None and mapping(notice["cause"]).get("rule") in cause.rules


def faults(notice: Record, owed: Owed) -> Iterator[Fault]:
    """What a notice says otherwise than the change that it announces; nothing for a notice of something else."""
    cause = cause_named(notice, owed)
    if cause is None:
        return
    rule = mapping(notice["cause"]).get("rule")
    if rule not in cause.rules:
        wanted = ", ".join(f"`{name}`" for name in cause.rules)
        yield Fault(
            pointer="/cause/rule",
            message=f"`rule` is `{rule}`, expected one of {wanted}",
            help=f"Write `{cause.rules[0]}`.",
        )
    if cause.before is not None and notice["from"] != cause.before:
        yield Fault(
            pointer="/from",
            message=f"`from` is `{notice['from']}`, and the version before the change is `{cause.before}`",
            help=f"Write `{cause.before}`.",
        )
    if notice["to"] not in cause.after:
        yield Fault(
            pointer="/to",
            message=f"`to` is `{notice['to']}`, and the change leads to {' or '.join(f'`{name}`' for name in cause.after)}",
            help=f"Write `{cause.after[0]}`.",
        )
    if notice["scope"] not in owed.scopes:
        yield Fault(
            pointer="/scope",
            message=f"`scope` is `{notice['scope']}`, expected {' or '.join(f'`{name}`' for name in owed.scopes)}",
            help=f"Write `{owed.scopes[0]}`.",
        )
    if str(notice["date"]) < owed.since:
        yield Fault(
            pointer="/date",
            message=f"`date` is `{notice['date']}`, before the change it announces, which is of `{owed.since}`",
            help="Give the day of the notice, no earlier than that of the change.",
        )
    if lacking := boards_left_out(notice, owed):
        yield Fault(
            pointer="/affected",
            message=f"`affected` leaves out {listed(lacking)}",
            help="Name every board that the change touches.",
        )


def boards_left_out(notice: Record, owed: Owed) -> tuple[str, ...]:
    """Boards that a notice has to name and does not, sorted."""
    return tuple(sorted(owed.boards - set(texts(notice["affected"]))))


def boards_too_many(notice: Record, owed: Sequence[Owed]) -> tuple[str, ...]:
    """Benchmark versions that a notice names and whose board none of the changes it announces touches, sorted."""
    about = [one for one in owed if announces(notice, one)]
    if not about or any(not one.required for one in about):
        return ()
    touched = frozenset[str]().union(*(one.boards for one in about))
    return tuple(sorted(set(texts(notice["affected"])) - touched))


def is_site_wide(owed: Owed) -> bool:
    """Whether a notice has to reach the whole site."""
    return owed.required and owed.scopes == (SITE_WIDE,)


def breaks_comparison(owed: Owed) -> bool:
    """Whether what a notice is owed for is a change of the method itself, which takes a version of the text (CHG-05)."""
    return owed.required and SITE_WIDE in owed.scopes


def listed(names: Sequence[str]) -> str:
    """Names in backticks, the first few of them."""
    shown = ", ".join(f"`{name}`" for name in names[:_SHOWN_BOARDS])
    more = len(names) - _SHOWN_BOARDS
    return f"{shown} and {more} more" if more > 0 else shown
