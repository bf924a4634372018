"""The parts of a Markdown report on a decision; `compose.py` puts them together within a budget."""

import hashlib
from collections.abc import Iterator, Sequence

from medgauge_registrar.model.change import Change, Transition
from medgauge_registrar.model.decision import (
    Decision,
    EvidenceState,
    NextStep,
    Row,
    RowState,
    SeatState,
    SetAsideReview,
    State,
    Suggestion,
)
from medgauge_registrar.model.finding import Finding
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.report.document import utc_time
from medgauge_registrar.report.escape import (
    markdown_code,
    markdown_code_cell,
    markdown_fence,
    markdown_message,
    markdown_text,
    path_bytes,
    shorten,
)
from medgauge_registrar.report.verdict import has_error, is_owed, reasons, rows_satisfied, waits_for_seat
from medgauge_registrar.report.words import (
    KINDS,
    ROW_SIGNS,
    SET_ASIDE,
    SIGNS,
    TRANSITIONS,
    VERDICTS,
    count,
    count_findings,
    in_ranges,
    place,
    role_name,
    section,
    what_changed,
)

_PULL_URL = lazy_pattern(r"https?://[A-Za-z0-9.:-]+(/[A-Za-z0-9._-]+)+/pull/[0-9]+")
_VERDICT_CHARACTERS = 240
_ID_CHARACTERS = 60
_PATH_CHARACTERS = 300
_MESSAGE_CHARACTERS = 600
_REVIEWS_NAMED = 10
_ERROR_NOTE = (
    "This says nothing about the change itself: the registrar could not read all it needs, and what it has not read "
    "it never approves. The merge waits until a run can finish."
)
_STATES = (
    (EvidenceState.FAILED, "failed"),
    (EvidenceState.MISSING, "missing"),
    (EvidenceState.UNDECIDED, "cannot be decided yet"),
)


def checked_url(pull_url: str | None) -> str | None:
    """
    The address of the pull request, fit to stand in a link.

    Raises:
        ValueError: It is no address of a pull request.
    """
    if pull_url is not None and not _PULL_URL.fullmatch(pull_url):
        raise ValueError(f"`{pull_url}` is no address of a pull request; expected https://HOST/OWNER/NAME/pull/NUMBER")
    return pull_url


def verdict(decision: Decision) -> list[str]:
    """The verdict with what is missing, as a heading."""
    words = shorten("; ".join(reasons(decision)), _VERDICT_CHARACTERS)
    lines = [f"## {SIGNS[decision.state]} {VERDICTS[decision.state]}: {markdown_message(words)}"]
    return [*lines, "", _ERROR_NOTE] if decision.state is State.ERROR else lines


def held(why: str | None) -> list[str]:
    """Why the merge stays shut although the decision is approved."""
    return [] if why is None else [f"**The merge stays shut all the same:** {markdown_message(why)}."]


def next_steps(decision: Decision, limit: int) -> list[str]:
    """Who has to do what; each text cut to `limit` characters."""
    if not decision.next_steps:
        return []
    return ["### What has to happen next", "", *(_step(step, limit) for step in decision.next_steps)]


def _step(step: NextStep, limit: int) -> str:
    return f"- **{_role(step.who)}** → {markdown_message(shorten(step.do, limit))}"


def dispute(decision: Decision) -> list[str]:
    """The dispute, if there is one, in one line."""
    if decision.dispute is None:
        return []
    outcome = decision.dispute.outcome
    ending = f", outcome: {markdown_message(shorten(outcome, _MESSAGE_CHARACTERS))}" if outcome else ""
    state = markdown_text(shorten(decision.dispute.state, _ID_CHARACTERS))
    return [f"**Dispute** {state}, {count(decision.dispute.votes, 'vote')}{ending}"]


def rows(decision: Decision, limit: int) -> list[str]:
    """Every row with seats and evidence; messages cut to `limit` characters."""
    if not decision.rows:
        return []
    lines = [f"### Decision table: {rows_satisfied(decision)}", ""]
    for row in decision.rows:
        lines += _row(row, decision, limit)
    return lines


def _row(row: Row, decision: Decision, limit: int) -> Iterator[str]:
    name = _subject([change for change in decision.changes if row.id in change.rows])
    source = markdown_text(section(shorten(row.source, _ID_CHARACTERS)))
    yield f"- {ROW_SIGNS[row.state]} **{markdown_text(shorten(row.id, _ID_CHARACTERS))}** {name}({source})"
    if row.seats:
        yield f"  - {_seats(row)}"
    for state, word in _STATES:
        for evidence in row.evidence:
            if evidence.state is state:
                by_author = " from the author" if is_owed(evidence) else ""
                message = markdown_message(shorten(evidence.message, limit))
                yield f"  - **{word}{by_author}** {_rule(evidence.id)}: {message}"
        for separation in row.separation:
            if separation.state is state and not waits_for_seat(row, separation):
                yield f"  - **{word}** {_rule(separation.rule)}: separation of duties"
    if row.state is RowState.BLOCKED and not _says_why(row) and has_error(decision):
        yield "  - **blocked** by an error that is listed below"
    if waiting := [one.rule for one in row.separation if waits_for_seat(row, one)]:
        yield f"  - known once the seats are filled {' '.join(map(_rule, waiting))}"
    satisfied = [one.id for one in row.evidence if one.state is EvidenceState.SATISFIED]
    satisfied += [one.rule for one in row.separation if one.state is EvidenceState.SATISFIED]
    if satisfied:
        ids = in_ranges(shorten(rule, _ID_CHARACTERS) for rule in satisfied)
        yield f"  - satisfied {' '.join(map(markdown_code, ids))}"
    if row.state is not RowState.SATISFIED:
        yield f"  - why this row: {markdown_message(shorten(row.because, limit))}"


def _says_why(row: Row) -> bool:
    """Whether something of the row itself blocks it, rather than an error found in its files."""
    states = {*(one.state for one in row.evidence), *(one.state for one in row.separation)}
    return EvidenceState.FAILED in states or any(is_owed(one) for one in row.evidence)


def suggestions(decision: Decision) -> list[list[str]]:
    """Each text that would bring missing evidence, once a file, as a block to paste."""
    found: dict[tuple[str, str], Suggestion] = {}
    for row in decision.rows:
        for evidence in row.evidence:
            if evidence.suggestion is not None and evidence.state is not EvidenceState.SATISFIED:
                found.setdefault((evidence.suggestion.path, evidence.suggestion.how), evidence.suggestion)
    return [_suggestion(suggestion) for suggestion in found.values()]


def _suggestion(suggestion: Suggestion) -> list[str]:
    path = markdown_code(shorten(suggestion.path, _PATH_CHARACTERS))
    language = "yaml" if suggestion.path.endswith(".yaml") else ""
    how = markdown_text(shorten(suggestion.how, _ID_CHARACTERS))
    return [f"{path}: {how}", "", *markdown_fence(suggestion.text, language), ""]


def _subject(changes: Sequence[Change]) -> str:
    """What triggers a row, in words that end with a blank; empty where no path does."""
    if not changes:
        return ""
    change = changes[0]
    first = f"{what_changed(change)} {markdown_code(shorten(change.object, _PATH_CHARACTERS))} "
    if change.transition is Transition.RENAME and change.previous_path is not None:
        # Its kind is that of the new path, and the row may be due to the old one.
        old, new = (markdown_code(shorten(path, _PATH_CHARACTERS)) for path in (change.previous_path, change.path))
        first = f"{TRANSITIONS[change.transition]} {old} to {new} "
    return first + (f"and {len(changes) - 1} more " if len(changes) > 1 else "")


def _seats(row: Row) -> str:
    """Seats by role: `acceptor filled, maintainer **open**`, or how many of several are filled."""
    seats = []
    for role in dict.fromkeys(seat.role for seat in row.seats):
        states = [seat.state for seat in row.seats if seat.role == role]
        filled = states.count(SeatState.FILLED)
        state = states[0].value if len(states) == 1 else f"{filled} of {len(states)} filled"
        seats.append(f"{_role(role)} {state if filled == len(states) else f'**{state}**'}")
    return "seats: " + ", ".join(seats)


def finding_heading(path: str, changes: Sequence[Change], pull_url: str | None) -> str:
    """The file that a group of findings is about (empty: none), linked to its place in the diff if it is changed."""
    if not path:
        return "**The pull request as a whole**"
    name = markdown_code(shorten(path, _PATH_CHARACTERS))
    if pull_url is None or all(change.path != path for change in changes):
        return f"**{name}**"
    # GitHub names the place of a file in the diff by the SHA-256 of its path.
    return f"**{name}** ([changes]({pull_url}/files#diff-{hashlib.sha256(path_bytes(path)).hexdigest()}))"


def finding_lines(finding: Finding) -> list[str]:
    """One finding as a list item: place, severity, rule and message; below it what to do, and the section."""
    name = shorten((finding.path or "").rpartition("/")[2], _PATH_CHARACTERS)
    where = f"{markdown_code(place(finding, name))} " if name else ""
    message = markdown_message(shorten(finding.message, _MESSAGE_CHARACTERS))
    mend = f"→ {markdown_message(shorten(finding.help, _MESSAGE_CHARACTERS))} " if finding.help else ""
    source = markdown_text(section(shorten(finding.source, _ID_CHARACTERS)))
    return [
        f"- {where}{finding.severity.value} {_rule(finding.rule)}: {message}",
        f"  - {mend}({source})",
    ]


def findings_left_out(findings: Sequence[Finding]) -> str:
    """How many findings a budget cut, by severity."""
    return f"**{len(findings)} more not shown here** ({count_findings(findings)}): `registrar check` lists every one."


def set_aside(reviews: Sequence[SetAsideReview]) -> list[str]:
    """Reviews that do not count: number and review ids by reason, never whose they are."""
    if not reviews:
        return []
    lines = [f"### {count(len(reviews), 'review')} set aside", ""]
    for reason, words in SET_ASIDE.items():
        ids = [review.review for review in reviews if review.reason is reason]
        if ids:
            named = ", ".join(markdown_code(str(one)) for one in ids[:_REVIEWS_NAMED])
            more = f" and {len(ids) - _REVIEWS_NAMED} more" if len(ids) > _REVIEWS_NAMED else ""
            lines.append(f"- {len(ids)} {words}: {named}{more}")
    return lines


CHANGES_HEADER = ["| Path | Change | Object | Rows |", "| --- | --- | --- | --- |"]


def change_line(change: Change) -> str:
    """How one path was read, as a row of a table."""
    path = markdown_code_cell(shorten(change.path, _PATH_CHARACTERS))
    if change.previous_path is not None:
        path = f"{markdown_code_cell(shorten(change.previous_path, _PATH_CHARACTERS))} → {path}"
    what = f"{KINDS[change.kind]}: {TRANSITIONS[change.transition]}"
    # For many kinds the object is the path itself.
    name = "" if change.object == change.path else markdown_code_cell(shorten(change.object, _PATH_CHARACTERS))
    triggered = ", ".join(markdown_text(shorten(row, _ID_CHARACTERS)) for row in change.rows)
    return f"| {path} | {what} | {name} | {triggered} |"


def footer(decision: Decision) -> list[str]:
    """What was decided on, by which version, and when."""
    head, base, policy = (
        markdown_code(one[:12]) if one else "unknown"
        for one in (decision.head_sha, decision.base_sha, decision.digests.policy)
    )
    decided_at = markdown_code(utc_time(decision.decided_at))
    version = markdown_text(shorten(decision.registrar_version, _ID_CHARACTERS))
    return [
        "---",
        f"Head {head} · base {base} · policy {policy} · medgauge-registrar {version} · "
        f"decided at {decided_at} · `registrar explain ID` tells more about a rule or row",
    ]


def _role(role: str) -> str:
    return markdown_text(role_name(shorten(role, _ID_CHARACTERS)))


def _rule(rule: str) -> str:
    return markdown_code(shorten(rule, _ID_CHARACTERS))
