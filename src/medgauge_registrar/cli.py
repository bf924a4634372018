"""The command line: arguments in, text and an exit status out; no logic of its own."""

import argparse
import contextlib
import gc
import os
import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

from medgauge_registrar import __version__
from medgauge_registrar.drafts.arguments import add_change_drafts
from medgauge_registrar.model.errors import PolicyError, ReadError, told

APPROVED, NOT_APPROVED, WRONG_INPUT, UNREADABLE = 0, 1, 2, 3
# Key of the digests by which a decision says which roster and ledger it used, without giving them away.
DIGEST_KEY_VARIABLE = "REGISTRAR_DIGEST_KEY"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit status (0 done, 1 found something, 2 wrong input, 3 unreadable)."""
    parsed = _parser().parse_args(arguments)
    # A command makes hundreds of thousands of small values and few cycles; the collector would look through them all the time.
    gc.set_threshold(100_000, 20, 20)
    try:
        status: int = parsed.run(parsed)
        sys.stdout.flush()
    except PolicyError as error:
        print(f"registrar: {error}", file=sys.stderr)
        return WRONG_INPUT
    except ReadError as error:
        again = " Running again may help." if error.may_pass_later else ""
        print(f"registrar: {error}.{again}", file=sys.stderr)
        return UNREADABLE
    except BrokenPipeError:
        # The reader of our output went away; nothing is left to tell it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREADABLE
    except Exception as error:  # noqa: BLE001 - a fault of our own is no verdict, and its text may hold anything
        print(f"registrar: {told(error)}", file=sys.stderr)
        return UNREADABLE
    return status


def run() -> NoReturn:
    """Run one command and end the process with its exit status."""
    status = main()
    for stream in filter(None, (sys.stdout, sys.stderr)):  # one that was closed before the start is null
        with contextlib.suppress(OSError, ValueError):  # whoever read it went away, which `main` has answered
            stream.flush()
    # The interpreter would take hundreds of thousands of values apart one by one, a tenth of the time of a run.
    os._exit(status)


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints go to standard error with status 2, as the contract says."""

    def error(self, message: str) -> NoReturn:
        self.exit(WRONG_INPUT, f"{self.prog}: {message}; see `{self.prog} --help`\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="registrar", description="Decide pull requests of a MedGauge registry.")
    parser.add_argument("--version", action="version", version=f"registrar {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)

    check = commands.add_parser("check", help="run the build checks over a commit or the work tree")
    check.add_argument("revision", nargs="?", metavar="REV", help="commit to check (default: the work tree)")
    check.add_argument("--repo", type=Path, default=Path(), metavar="DIR", help="repository (default: here)")
    check.add_argument("--base", metavar="REV", help="check only what changed since this commit")
    check.add_argument("--shard", type=_shard, default=(0, 1), metavar="I/N", help="check part I of N")
    check.add_argument("--format", choices=("text", "json", "sarif", "github"), default="text")
    check.set_defaults(run=_check)

    decide = commands.add_parser("decide", help="decide one pull request, offline")
    decide.add_argument("--repo", type=Path, required=True, metavar="DIR", help="repository that holds both commits")
    decide.add_argument("--base", required=True, metavar="REV", help="tip of the base branch")
    decide.add_argument("--head", required=True, metavar="REV", help="head of the pull request")
    decide.add_argument("--pull", type=Path, required=True, metavar="FILE", help="facts of the pull request")
    decide.add_argument("--roster", type=Path, metavar="FILE", help="who holds which role (default: nobody)")
    decide.add_argument("--ledger", type=Path, metavar="FILE", help="closed facts of separation")
    decide.add_argument("--now", metavar="TIME", help="time of the decision, RFC 3339 (default: the clock)")
    decide.add_argument("--format", choices=("text", "json", "markdown"), default="text")
    decide.set_defaults(run=_decide)

    action = commands.add_parser("action", help="decide what an event of GitHub is about, and publish the verdict")
    action.set_defaults(run=_action)

    sweep = commands.add_parser("sweep", help="decide open pull requests on GitHub anew")
    sweep.add_argument("--pull", type=int, nargs="+", action="extend", default=[], metavar="N", help="only these")
    sweep.set_defaults(run=_sweep)

    init = commands.add_parser("init", help="write a starter registry")
    init.add_argument("folder", type=Path, metavar="DIR", help="new or empty folder")
    init.add_argument(
        "--action",
        type=_pinned_action,
        metavar="OWNER/NAME@SHA",
        help="the action that its workflows use, pinned by a full SHA",
    )
    init.set_defaults(run=_init)

    doctor = commands.add_parser(
        "doctor", help="look for what keeps the gate of a registry from working or from holding"
    )
    doctor.add_argument(
        "--repo", type=Path, default=Path(), metavar="DIR", help="clone of the registry (default: here)"
    )
    doctor.add_argument("--revision", metavar="REV", help="commit to look at (default: the work tree)")
    doctor.add_argument("--roster", type=Path, metavar="FILE", help="name the rows that this roster can never fill")
    doctor.add_argument("--format", choices=("text", "json"), default="text")
    doctor.set_defaults(run=_doctor)

    demo = commands.add_parser("demo", help="build a registry with pull requests and decide them all")
    demo.add_argument("--pull", type=int, metavar="N", help="show one pull request only")
    demo.add_argument("--keep", type=Path, metavar="DIR", help="keep the repository and its files in this folder")
    demo.add_argument("--serve", action="store_true", help="go on serving, to look around with a browser")
    demo.add_argument(
        "--settings",
        type=Path,
        metavar="FILE",
        help="show only what these settings of a registry would decide otherwise",
    )
    demo.set_defaults(run=_demo)

    board = commands.add_parser("board", help="show the holdout board of a benchmark version, derived from its results")
    board.add_argument("version", metavar="BM@VERSION", help="benchmark version, such as bm-example@0.1.0")
    board.add_argument("--repo", type=Path, default=Path(), metavar="DIR", help="repository (default: here)")
    board.add_argument("--revision", metavar="REV", help="commit to read (default: the work tree)")
    board.add_argument("--format", choices=("text", "json", "csv", "html", "svg"), default="text")
    board.set_defaults(run=_board)

    draft = commands.add_parser("draft", help="prepare a record or a text")
    drafts = draft.add_subparsers(required=True, metavar="WHAT", parser_class=_Parser)
    summary = drafts.add_parser("result-summary", help="fill the figures of a result record from its run rows")
    summary.add_argument("file", type=Path, metavar="FILE", help="the record; its rows have to be complete")
    summary.add_argument("--repo", type=Path, default=Path(), metavar="DIR", help="registry (default: here)")
    summary.add_argument("--write", action="store_true", help="change the file instead of printing the record")
    summary.set_defaults(run=_draft_result_summary)
    report = drafts.add_parser("round-report", help="write the report of a round with every derived figure in it")
    report.add_argument("name", metavar="ROUND", help="name of the round, its folder under rounds/")
    report.add_argument("--repo", type=Path, default=Path(), metavar="DIR", help="registry (default: here)")
    report.set_defaults(run=_draft_round_report)
    draft.set_defaults(run=_draft)
    add_change_drafts(drafts)

    replay = commands.add_parser("replay", help="make a recorded decision anew and compare it byte for byte")
    replay.add_argument(
        "file", type=Path, metavar="FILE", help="a decision note, or what `decide --format json` printed"
    )
    replay.add_argument("--repo", type=Path, default=Path(), metavar="DIR", help="repository (default: here)")
    replay.add_argument("--pull", type=Path, metavar="FILE", help="facts of the pull request, for a decision file")
    replay.add_argument("--roster", type=Path, metavar="FILE", help="the roster that was used")
    replay.add_argument("--ledger", type=Path, metavar="FILE", help="the ledger that was used")
    replay.set_defaults(run=_replay)

    audit = commands.add_parser("audit", help="name every commit of the default branch without an approved decision")
    audit.add_argument("range", nargs="?", metavar="RANGE", help="`A..B`, or a revision (default: the default branch)")
    audit.add_argument("--repo", type=Path, default=Path(), metavar="DIR", help="repository (default: here)")
    audit.add_argument("--record", action="store_true", help="write the notes of the push that woke this job instead")
    audit.add_argument(
        "--gate", type=_account, metavar="ID", help="account that the gate writes as (default: the settings)"
    )
    audit.set_defaults(run=_audit)

    rules = commands.add_parser("rules", help="list every rule and whether it is enforced")
    rules.add_argument("--format", choices=("text", "json"), default="text")
    rules.set_defaults(run=_rules)

    explain = commands.add_parser("explain", help="explain a rule or a row of the decision table")
    explain.add_argument("id", metavar="ID", help="rule (`ID-06`) or row (`M5`)")
    explain.set_defaults(run=_explain)
    return parser


def _shard(text: str) -> tuple[int, int]:
    first, _, last = text.partition("/")
    if not (first.isdecimal() and last.isdecimal() and 1 <= int(first) <= int(last) <= 10_000):
        raise argparse.ArgumentTypeError(f"`{text}` is no part; expected I/N with 1 ≤ I ≤ N, such as 3/16")
    return int(first) - 1, int(last)


def _account(text: str) -> int:
    if not (text.isdecimal() and text.isascii() and 0 < int(text) < 2**53):
        raise argparse.ArgumentTypeError(
            f"`{text}` is no numeric account id; `https://api.github.com/users/NAME` tells it"
        )
    return int(text)


def _pinned_action(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9-]+/[A-Za-z0-9._-]+@[0-9a-f]{40}", text):
        raise argparse.ArgumentTypeError(
            f"`{text}` is no pinned action; expected OWNER/NAME@SHA with all 40 digits of a commit"
        )
    return text


def _check(parsed: argparse.Namespace) -> int:
    from medgauge_registrar.model.finding import Severity
    from medgauge_registrar.report.document import findings_document
    from medgauge_registrar.report.github import workflow_commands
    from medgauge_registrar.report.terminal import render_findings_text
    from medgauge_registrar.whole import Scope, check, today_anywhere

    found = check(
        Scope(
            repository=parsed.repo,
            revision=parsed.revision,
            base=parsed.base,
            shard=parsed.shard,
            latest_day=today_anywhere(),
        )
    )
    match parsed.format:
        case "json":
            text = findings_document(found)
        case "sarif":
            from medgauge_registrar.catalogue import summaries
            from medgauge_registrar.report.sarif import render_sarif

            text = render_sarif(found, descriptions=summaries())
        case "github":
            text = workflow_commands(found)
        case _:
            text = render_findings_text(found)
    _write(text)
    return NOT_APPROVED if any(finding.severity is Severity.ERROR for finding in found) else APPROVED


def _decide(parsed: argparse.Namespace) -> int:
    from medgauge_registrar.inputs import parse_time, read_inputs
    from medgauge_registrar.model.decision import State
    from medgauge_registrar.pipeline import Question, decide_question

    now = parse_time(parsed.now) if parsed.now is not None else datetime.now(UTC).replace(microsecond=0)
    inputs = read_inputs(parsed.pull, parsed.roster, parsed.ledger, digest_key=_digest_key())
    decision = decide_question(
        Question(repository=parsed.repo, base=parsed.base, head=parsed.head, inputs=inputs, now=now)
    )
    match parsed.format:
        case "json":
            from medgauge_registrar.report.document import decision_json

            text = decision_json(decision)
        case "markdown":
            from medgauge_registrar.report.comment import render_comment

            text = render_comment(decision)
        case _:
            from medgauge_registrar.report.terminal import render_decision_text

            text = render_decision_text(decision)
    _write(text)
    if decision.state is State.ERROR:
        print(f"registrar: {decision.next_steps[0].do}", file=sys.stderr)
        return UNREADABLE
    return APPROVED if decision.state is State.APPROVED else NOT_APPROVED


def _action(_: argparse.Namespace) -> int:
    from medgauge_registrar.live.action import run_action

    return run_action()


def _sweep(parsed: argparse.Namespace) -> int:
    from medgauge_registrar.live.action import run_sweep

    return run_sweep(parsed.pull)


def _init(parsed: argparse.Namespace) -> int:
    from medgauge_registrar.starter import write_starter

    _write(write_starter(parsed.folder, action=parsed.action))
    return APPROVED


def _doctor(parsed: argparse.Namespace) -> int:
    from medgauge_registrar.doctor.run import Examination, examine
    from medgauge_registrar.model.checkup import Standing
    from medgauge_registrar.report.doctor import doctor_document, render_doctor

    seen = examine(
        Examination(
            repository=parsed.repo,
            revision=parsed.revision,
            roster=parsed.roster,
            now=datetime.now(UTC),
            environment=os.environ,
        )
    )
    _write(doctor_document(seen) if parsed.format == "json" else render_doctor(seen))
    return NOT_APPROVED if any(item.standing is Standing.WRONG for item in seen) else APPROVED


def _demo(parsed: argparse.Namespace) -> int:
    from medgauge_registrar.sandbox.demo import run_demo

    return run_demo(only=parsed.pull, keep=parsed.keep, serve=parsed.serve, settings=parsed.settings)


def _board(parsed: argparse.Namespace) -> int:
    from medgauge_registrar.board import show_board

    _write(show_board(parsed.repo, parsed.revision, parsed.version, parsed.format))
    return APPROVED


def _draft_result_summary(parsed: argparse.Namespace) -> int:
    from medgauge_registrar.drafts.result_summary import draft_result_summary

    _write(draft_result_summary(parsed.file, parsed.repo, write=parsed.write))
    return APPROVED


def _draft_round_report(parsed: argparse.Namespace) -> int:
    from medgauge_registrar.drafts.round_report import draft_round_report

    _write(draft_round_report(parsed.name, parsed.repo))
    return APPROVED


def _draft(parsed: argparse.Namespace) -> int:
    _write(parsed.text(parsed))
    return APPROVED


def _replay(parsed: argparse.Namespace) -> int:
    from medgauge_registrar.record.replay import Replay, replay
    from medgauge_registrar.report.replay import render_replay

    found = replay(
        Replay(
            file=parsed.file,
            repository=parsed.repo,
            pull=parsed.pull,
            roster=parsed.roster,
            ledger=parsed.ledger,
            digest_key=_digest_key(),
        )
    )
    _write(render_replay(found))
    return APPROVED if found.same else NOT_APPROVED


def _audit(parsed: argparse.Namespace) -> int:
    if parsed.record:
        from medgauge_registrar.live.record import run_record

        return run_record()
    from medgauge_registrar.live.signatures import asks_github
    from medgauge_registrar.model.audit import AuditState
    from medgauge_registrar.record.audit import Question, audit
    from medgauge_registrar.report.audit import render_audit

    found = audit(
        Question(repository=parsed.repo, range=parsed.range, gate=parsed.gate, signed_by_github=asks_github())
    )
    _write(render_audit(found))
    return APPROVED if all(commit.state is AuditState.APPROVED for commit in found.commits) else NOT_APPROVED


def _digest_key() -> bytes | None:
    return os.environ.get(DIGEST_KEY_VARIABLE, "").encode() or None


def _rules(parsed: argparse.Namespace) -> int:
    from medgauge_registrar.catalogue import render_rules

    _write(render_rules(as_json=parsed.format == "json"))
    return APPROVED


def _explain(parsed: argparse.Namespace) -> int:
    from medgauge_registrar.catalogue import explain

    _write(explain(parsed.id))
    return APPROVED


def _write(text: str) -> None:
    """Print text that may hold bytes of paths that are no UTF-8; they are shown as escapes."""
    data = text.encode("utf-8", "backslashreplace")
    sys.stdout.flush()
    sys.stdout.buffer.write(data if data.endswith(b"\n") or not data else data + b"\n")
