"""Arguments of the `draft` commands about changes; what they do is imported only when one of them runs."""

import argparse
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from medgauge_registrar.drafts.commands import Where


def add_change_drafts(drafts: Any) -> None:
    """
    Add the commands to a group of subparsers; each sets `text`, a function from its arguments to what it prints.

    `drafts` is what `add_subparsers` returns, for which `argparse` has no public type.
    """
    notice = drafts.add_parser("notice", help="write the notices that a change calls for")
    _where(notice)
    notice.set_defaults(text=_notice)

    log = drafts.add_parser("change-log", help="raise the version of the methodology wherever it stands")
    _where(log)
    log.add_argument(
        "--step", choices=("patch", "minor", "major"), help="how far (default: as far as the change asks for)"
    )
    log.add_argument(
        "--what", default="(what changes, in one sentence)", metavar="TEXT", help="words for the change log"
    )
    log.set_defaults(text=_change_log)

    redirect = drafts.add_parser("redirect", help="enter a renamed benchmark in the redirects and retire its old card")
    _where(redirect)
    redirect.add_argument(
        "old", nargs="?", metavar="OLD", help="identifier given up (default: of the one card that goes)"
    )
    redirect.add_argument("new", nargs="?", metavar="NEW", help="identifier that replaces it")
    redirect.set_defaults(text=_redirect, parser=redirect)

    life = drafts.add_parser("lifecycle", help="write or change the record that follows one immutable version")
    _where(life)
    life.add_argument("object", nargs="?", metavar="ID@VERSION", help="(default: new versions without a record)")
    life.add_argument("--listing", choices=("listed", "unlisted"), help="of a grading reference")
    life.add_argument("--check-date", type=_day, metavar="DATE", help="day on which the clause was checked")
    life.add_argument("--alternative", metavar="REF", help="record that a conformant alternative passes")
    life.add_argument("--status", choices=("registered", "active", "deprecated"), help="of a harness or tool")
    life.add_argument(
        "--calibration", metavar="BM@VERSION", help="version whose calibration task the adapter check used"
    )
    life.add_argument("--ground", choices=("no-result-in-two-versions", "maintainer-request"), help="of a deprecation")
    life.set_defaults(text=_lifecycle)

    outcome = drafts.add_parser("dispute-outcome", help="write the outcome of a dispute from its votes")
    _where(outcome)
    outcome.add_argument("--pull", type=Path, required=True, metavar="FILE", help="facts of the disputed pull request")
    outcome.add_argument("--roster", type=Path, metavar="FILE", help="who holds which role (default: nobody)")
    outcome.add_argument("--ledger", type=Path, metavar="FILE", help="closed facts of separation")
    outcome.set_defaults(text=_dispute_outcome)


def _where(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repo", type=Path, default=Path(), metavar="DIR", help="repository (default: here)")
    parser.add_argument("--base", required=True, metavar="REV", help="tip of the base branch")
    parser.add_argument("--head", metavar="REV", help="head of the change (default: the work tree)")
    parser.add_argument("--write", action="store_true", help="write into the work tree instead of printing")
    parser.add_argument("--today", type=_day, metavar="DATE", help="day of the draft (default: the clock, UTC)")


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{text}` is no day; expected YYYY-MM-DD") from None


def _place(parsed: argparse.Namespace) -> "Where":
    from medgauge_registrar.drafts.commands import Where

    today = date.fromisoformat(parsed.today) if parsed.today else datetime.now(UTC).date()
    return Where(repository=parsed.repo, base=parsed.base, head=parsed.head, write=parsed.write, today=today)


def _notice(parsed: argparse.Namespace) -> str:
    from medgauge_registrar.drafts.commands import draft_notice

    return draft_notice(_place(parsed))


def _change_log(parsed: argparse.Namespace) -> str:
    from medgauge_registrar.drafts.commands import draft_change_log

    return draft_change_log(_place(parsed), step=parsed.step, what=parsed.what)


def _redirect(parsed: argparse.Namespace) -> str:
    from medgauge_registrar.drafts.commands import draft_redirect

    if parsed.old is not None and parsed.new is None:
        parsed.parser.error("one identifier is given, expected the old one and the new one, or neither")
    return draft_redirect(_place(parsed), None if parsed.old is None else (parsed.old, parsed.new))


def _lifecycle(parsed: argparse.Namespace) -> str:
    from medgauge_registrar.drafts.commands import draft_lifecycle
    from medgauge_registrar.drafts.lifecycle import Marks

    marks = Marks(
        listing=parsed.listing,
        check_date=parsed.check_date,
        alternative=parsed.alternative,
        status=parsed.status,
        calibration=parsed.calibration,
        ground=parsed.ground,
    )
    return draft_lifecycle(_place(parsed), parsed.object, marks)


def _dispute_outcome(parsed: argparse.Namespace) -> str:
    from medgauge_registrar.drafts.commands import draft_dispute_outcome
    from medgauge_registrar.inputs import read_inputs

    return draft_dispute_outcome(
        _place(parsed), read_inputs(parsed.pull, parsed.roster, parsed.ledger, digest_key=None)
    )
