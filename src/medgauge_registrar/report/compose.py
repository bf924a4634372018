"""A Markdown report on a decision that always fits its budget."""

from collections.abc import Callable, Sequence
from itertools import chain, groupby

from medgauge_registrar.model.change import Change
from medgauge_registrar.model.decision import Decision
from medgauge_registrar.model.finding import Finding
from medgauge_registrar.report import markdown
from medgauge_registrar.report.withhold import public_decision
from medgauge_registrar.report.words import SEVERITIES, count, count_places

SMALLEST_BUDGET = 10_000
_OPEN = 10  # so many findings are in plain sight, more are folded
# Texts of steps and evidence are cut to the first of these lengths at which they leave room for the findings.
_TEXT_CHARACTERS = (600, 240, 80)
_SHARE_OF_HEAD = 0.7
_SHARE_OF_CHANGES = 0.2
_FRAME = 400  # outweighs any heading, `details` frame or note of ours

Size = Callable[[str], int]
Block = list[str]


def compose(
    decision: Decision,
    *,
    marker: str | None,
    pull_url: str | None,
    budget: int,
    size: Size,
    answers: Sequence[str] = (),
    held: str | None = None,
) -> str:
    """
    Put the report together.

    Verdict, next steps and rows come first and are kept. Findings are cut to what is left, errors last; the list of
    changes to what those leave. Only if the rows alone were over the budget would they end early, and say so.

    Args:
        decision: What to report; closed material in it is withheld.
        marker: A line of ours before the verdict.
        pull_url: Address of the pull request, for links to its files.
        budget: Most that the report may weigh, in the unit of `size`; at least 10,000.
        size: Weight of a text, such as `len`; never less for a longer text.
        answers: Lines that answer commands; cut to an eighth of the budget.
        held: Why the merge stays shut although the decision is approved.

    Raises:
        ValueError: The budget is too small, `pull_url` is no address of a pull request, or a time has no zone.
    """
    if budget < SMALLEST_BUDGET:
        raise ValueError(f"a budget of {budget} is too small for a report; expected at least {SMALLEST_BUDGET}")
    pull_url = markdown.checked_url(pull_url)
    decision = public_decision(decision)

    set_aside, footer = markdown.set_aside(decision.set_aside), markdown.footer(decision)
    answered = _answers(answers, budget // 8, size)
    room = budget - size(_joined([answered, set_aside, footer])) - 3 * _FRAME
    head = _head(decision, marker, held, room, size)
    room -= size(_joined(head))
    reserved = size(_joined([_changes(decision.changes, int(room * _SHARE_OF_CHANGES), size)]))
    findings = _findings(decision, pull_url, room - reserved, size)
    room -= size(_joined([findings]))
    suggestions = _suggestions(decision, room - reserved, size)
    room -= size(_joined([suggestions]))
    changes = _changes(decision.changes, room, size)
    return _joined([*head, suggestions, findings, answered, set_aside, changes, footer]).rstrip("\n") + "\n"


def _joined(blocks: Sequence[Block]) -> str:
    return "".join("\n".join(block) + "\n\n" for block in blocks if block)


def _head(decision: Decision, marker: str | None, held: str | None, room: int, size: Size) -> list[Block]:
    for limit in _TEXT_CHARACTERS:
        blocks = [
            [marker] if marker else [],
            markdown.verdict(decision),
            markdown.held(held),
            markdown.next_steps(decision, limit),
            markdown.dispute(decision),
            markdown.rows(decision, limit),
        ]
        if size(_joined(blocks)) <= room * _SHARE_OF_HEAD:
            return blocks
    return blocks if size(_joined(blocks)) <= room else [_cut(_joined(blocks).split("\n"), room, size)]


def _cut(lines: Sequence[str], room: int, size: Size) -> Block:
    kept: Block = []
    for line in lines:
        room -= size(line) + 1
        if room < 0:
            break
        kept.append(line)
    return [*kept, "", f"**{count(len(lines) - len(kept), 'line')} left out here**: the report would be too long."]


def _findings(decision: Decision, pull_url: str | None, room: int, size: Size) -> Block:
    if not decision.findings:
        return []
    # Sorting keeps file order within a severity: no error is folded or cut in favour of a notice.
    urgent = sorted(decision.findings, key=lambda finding: SEVERITIES.index(finding.severity))
    in_sight = _in_sight(urgent)
    kept = 0
    headings: dict[tuple[bool, str], str] = {}
    for finding in urgent:
        folded, path = kept >= in_sight, finding.path or ""
        room -= size("\n".join(markdown.finding_lines(finding))) + 1
        if (folded, path) not in headings:
            # In a long list the room is better spent on findings than on links.
            heading = markdown.finding_heading(path, decision.changes, None if folded else pull_url)
            headings[folded, path] = heading
            room -= size(heading) + 3
        if room < 0:
            break
        kept += 1

    def by_file(findings: Sequence[Finding], folded: bool) -> Block:
        lines: Block = []
        in_order = sorted(findings, key=lambda finding: finding.order)
        for path, group in groupby(in_order, key=lambda finding: finding.path or ""):
            lines += ["", headings[folded, path], "", *chain.from_iterable(map(markdown.finding_lines, group))]
        return lines

    lines = [f"### {count_places(urgent)}", *by_file(urgent[: min(kept, in_sight)], False)]
    if kept > in_sight:
        lines += _folded(f"{kept - in_sight} more", by_file(urgent[in_sight:kept], True)[1:])
    if kept < len(urgent):
        lines += ["", markdown.findings_left_out(urgent[kept:])]
    return lines


def _suggestions(decision: Decision, room: int, size: Size) -> Block:
    """Texts ready to be pasted, as many as there is room for; a text is never cut."""
    blocks = markdown.suggestions(decision)
    kept: list[Block] = []
    for block in blocks:
        room -= size("\n".join(block)) + 1
        if room < 0:
            break
        kept.append(block)
    if not blocks:
        return []
    left_out = len(blocks) - len(kept)
    more = [f"**{count(left_out, 'more text')} not shown here**: `registrar draft` writes them."] if left_out else []
    lines = [*chain.from_iterable(kept), *more]
    return _folded(f"Ready to paste ({len(blocks)})", lines if more else lines[:-1])[1:]


def _in_sight(urgent: Sequence[Finding]) -> int:
    """How many findings are not folded: all if they are few, else the first of the gravest severity among them."""
    if len(urgent) <= _OPEN:
        return len(urgent)
    return min(_OPEN, sum(finding.severity is urgent[0].severity for finding in urgent))


def _answers(lines: Sequence[str], room: int, size: Size) -> Block:
    if not lines:
        return []
    fits = size(_joined([list(lines)])) <= room
    return ["### Answers to commands", "", *(lines if fits else _cut(lines, room, size))]


def _changes(changes: Sequence[Change], room: int, size: Size) -> Block:
    if not changes:
        return []
    lines: Block = []
    for change in changes:
        line = markdown.change_line(change)
        room -= size(line) + 1
        if room < 0:
            break
        lines.append(line)
    left_out = len(changes) - len(lines)
    table = [*markdown.CHANGES_HEADER, *lines] if lines else []
    more = ["", f"**{count(left_out, 'more path')} not shown here.**"] if left_out else []
    return _folded(f"How the changed paths were read ({len(changes)})", [*table, *more])[1:]


def _folded(summary: str, lines: Block) -> Block:
    # Markdown is read inside `details` only after a blank line, and `</details>` is a tag only at the start of one.
    return ["", f"<details><summary>{summary}</summary>", "", *lines, "", "</details>"]
