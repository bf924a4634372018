"""`registrar demo`: pull requests for every row on an embedded GitHub, decided by the code that decides real ones."""

import contextlib
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from markdown_it import MarkdownIt
from rich.console import Console
from rich.markdown import Markdown
from rich.panel import Panel
from rich.progress import track
from rich.table import Table

from medgauge_registrar.model.decision import Decision, EvidenceState, State
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.report.comment import render_comment
from medgauge_registrar.report.document import decision_json
from medgauge_registrar.sandbox.build import NOW, build
from medgauge_registrar.sandbox.case import Case
from medgauge_registrar.sandbox.cases import CASES
from medgauge_registrar.sandbox.crew import Crew
from medgauge_registrar.sandbox.github.world import ACTIONS_BOT, GitHubSandbox
from medgauge_registrar.sandbox.staging import stage, world_in

_TAG = lazy_pattern(r"</?(?:details|summary|sub|b|br)\b[^>]*>|<!--.*?-->", re.DOTALL)
_SIGNS = {State.APPROVED: "green", State.PENDING: "yellow", State.BLOCKED: "red", State.ERROR: "magenta"}
_STATUSES = {State.APPROVED: "success", State.PENDING: "pending", State.BLOCKED: "failure", State.ERROR: "error"}


@frozen
class Outcome:
    """A case, what the gate published about it, and what of the expectation is not met (empty: all is)."""

    number: int
    case: Case
    decision: Decision | None
    comment: str
    unmet: str


def run_demo(*, only: int | None, keep: Path | None, serve: bool, settings: Path | None = None) -> int:
    """
    Build the registry, let the gate decide every pull request over HTTP, and show what it published.

    Args:
        only: Number of the one pull request to decide; null: all.
        keep: Folder to leave repository, pull files and roster in; null: a temporary one.
        serve: Go on serving for people to look around, until interrupted.
        settings: `.github/registrar.yml` to try: shows what is decided otherwise under it; null: the demonstration's own.

    Returns:
        0 if every pull request was decided as expected, or at all where settings are tried; else 1.

    Raises:
        PolicyError: There is no pull request of that number, the folder is not empty, or the settings cannot be used.
        ReadError: Git refused.
    """
    console = Console()
    numbered = [(number, case) for number, case in enumerate(CASES, start=1) if only in {None, number}]
    if not numbered:
        raise PolicyError(f"there is no demonstration pull request {only}; they are 1 to {len(CASES)}")
    tried = _contents(settings) if settings is not None else None
    with _folder(keep) as folder:
        console.print(f"Building a registry with {len(CASES)} pull requests in git …")
        build(folder, tried=tried)
        with world_in(folder) as world:
            stage(world, numbered)
            world.now = NOW
            outcomes = list(_decided(world, folder, numbered, console))
            shown = outcomes if tried is None else [outcome for outcome in outcomes if outcome.unmet]
            for outcome in shown:
                console.print(_panel(outcome))
            console.print(_table(shown))
            if serve:
                serve_until_interrupted(world, folder, console)
        if keep is not None:
            console.print(f"Kept in {folder}: registry.git, pulls/N.json, roster.json, ledgers/N.json", soft_wrap=True)
    wrong = [outcome for outcome in outcomes if outcome.unmet]
    if tried is not None:
        console.print(f"{len(wrong)} of {len(outcomes)} pull requests are decided otherwise under these settings.")
        return 1 if any(outcome.decision is None for outcome in outcomes) else 0
    console.print(
        f"{len(outcomes) - len(wrong)} of {len(outcomes)} pull requests decided as expected.",
        style="green" if not wrong else "red",
    )
    return 1 if wrong else 0


def _decided(
    world: GitHubSandbox, folder: Path, numbered: Sequence[tuple[int, Case]], console: Console
) -> Iterator[Outcome]:
    with Crew(world, folder, people=min(2, len(numbered))) as crew:
        decisions = track(
            crew.decide(dict(numbered)), description="Deciding", total=len(numbered), console=console, transient=True
        )
        for (number, case), (decision, trouble) in zip(numbered, decisions, strict=True):
            unmet = (
                trouble if decision is None else unmet_by(case, decision) or unpublished(world, number, case, decision)
            )
            comment = "\n\n".join(comment.body for comment in world.comments(number) if comment.user == ACTIONS_BOT)
            yield Outcome(number=number, case=case, decision=decision, comment=comment, unmet=unmet)


def unmet_by(case: Case, decision: Decision) -> str:
    """Say what a decision lacks of what its case expects; empty: nothing."""
    if decision.state is not case.expected:
        return f"state {decision.state}"
    rows = {row.id for row in decision.rows}
    if not set(case.rows) <= rows:
        return f"rows {', '.join(sorted(rows)) or 'none'}"
    errors = {finding.rule for finding in decision.findings if finding.severity is Severity.ERROR}
    if errors != set(case.errors):
        return f"errors {', '.join(sorted(errors)) or 'none'}"
    reasons = {aside.reason for aside in decision.set_aside}
    if not set(case.set_aside) <= reasons:
        return f"set aside {', '.join(sorted(reasons)) or 'none'}"
    kept = {item.id for row in decision.rows for item in row.evidence if item.state is EvidenceState.SATISFIED}
    kept |= {item.rule for row in decision.rows for item in row.separation if item.state is EvidenceState.SATISFIED}
    if wrongly := sorted(kept & set(case.unsatisfied)):
        return f"satisfied {', '.join(wrongly)}"
    shown = decision_json(decision) + render_comment(decision)
    # What must not be shown is not shown here either.
    return "closed words in an output" if any(words in shown for words in case.closed) else ""


def unpublished(world: GitHubSandbox, number: int, case: Case, decision: Decision) -> str:
    """Say what GitHub does not show of a decision, or shows beside it; empty: nothing."""
    statuses = world.statuses(world.registry.pulls[number].head_sha)
    if not statuses or statuses[0].state != _STATUSES[decision.state]:
        return f"status {statuses[0].state if statuses else 'none'}"
    written = [comment.body for comment in world.comments(number) if comment.user == ACTIONS_BOT]
    if len(written) != 1:
        return f"{len(written)} comments"
    if case.inert:
        said = "\n".join([spoken(written[0]), *(status.description or "" for status in statuses)])
        if loud := [word for word in case.inert if word in said]:
            return f"repeats {loud[0]}"
    return ""


def spoken(comment: str) -> str:
    """What of a comment is no code: there alone do mentions, links and tags act."""
    tokens = MarkdownIt("gfm-like", {"linkify": False, "html": True}).parse(comment)
    pieces = [piece for token in tokens for piece in (token.children or (token,))]
    return "\n".join(
        f"{piece.content} {piece.attrGet('href') or ''}"
        for piece in pieces
        if not piece.type.startswith(("code", "fence"))
    )


def _panel(outcome: Outcome) -> Panel:
    return Panel(
        Markdown(_TAG.sub("", outcome.comment)),
        title=f"Pull request {outcome.number}: {_plain(outcome.case.title)}",
        border_style=_SIGNS[outcome.decision.state if outcome.decision else State.ERROR],
    )


def _table(outcomes: Sequence[Outcome]) -> Table:
    table = Table(title="Expected against decided")
    for heading in ("#", "row", "pull request", "expected", "decided", ""):
        table.add_column(heading)
    for outcome in outcomes:
        errors = ", ".join(outcome.case.errors)
        expected = f"{outcome.case.expected}" + (f" ({errors})" if errors else "")
        state = outcome.decision.state.value if outcome.decision else "nothing"
        table.add_row(
            str(outcome.number),
            ", ".join(outcome.case.rows),
            _plain(outcome.case.title),
            expected,
            (outcome.unmet or state) + _waits_for(outcome.decision),
            "✗" if outcome.unmet else "✓",
            style="red" if outcome.unmet else None,
        )
    return table


def _waits_for(decision: Decision | None) -> str:
    """Rules that a pending decision waits for because they cannot be decided yet."""
    if decision is None or decision.state is not State.PENDING:
        return ""
    waiting = [item.id for row in decision.rows for item in row.evidence if item.state is EvidenceState.UNDECIDED]
    waiting += [item.rule for row in decision.rows for item in row.separation if item.state is EvidenceState.UNDECIDED]
    return f": waits for {', '.join(dict.fromkeys(waiting))}" if waiting else ""


def _plain(text: str) -> str:
    """Text without what the terminal would read as markup."""
    return text.replace("[", "\\[")


def serve_until_interrupted(world: GitHubSandbox, folder: Path, console: Console) -> None:
    """Say where everything is, and wait."""
    variables = {
        "GITHUB_REPOSITORY": world.registry.full_name,
        "GITHUB_SERVER_URL": world.server_url,
        "GITHUB_API_URL": world.api_url,
        "GITHUB_GRAPHQL_URL": world.graphql_url,
        "REGISTRAR_TOKEN": world.token,
        "REGISTRAR_ROSTER": f'"$(cat {folder}/roster.json)"',
    }
    with contextlib.suppress(KeyboardInterrupt):
        for line in (
            f"Look around: {world.server_url}/",
            f"REST {world.api_url}, GraphQL {world.graphql_url}, git {world.server_url}/{world.registry.full_name}.git",
            f"Decide anew: {' '.join(f'{name}={value}' for name, value in variables.items())} registrar sweep --pull 1",
            "Ctrl-C ends it.",
        ):
            console.print(line, soft_wrap=True, highlight=False, markup=False)
        world.wait()


def _contents(settings: Path) -> bytes:
    try:
        return settings.read_bytes()
    except OSError as error:
        raise PolicyError(f"`{settings}` cannot be read: {error.strerror}; name a file of settings") from None


@contextlib.contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        if keep.exists() and any(keep.iterdir()):
            raise PolicyError(f"`{keep}` is not empty; name a new folder")
        keep.mkdir(parents=True, exist_ok=True)
        yield keep
        return
    folder = Path(tempfile.mkdtemp(prefix="registrar-demo-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
