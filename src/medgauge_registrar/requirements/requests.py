"""Requests for comment: which of them count, what they have to say, and what they leave out (RFC-01…05)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from medgauge_registrar.classify.classify import Classified
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.decision import EvidenceState
from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.pull import Issue, Pull
from medgauge_registrar.model.tree import FILE_MODES
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.policy.settings import Settings
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.requirements.commands import PERSON
from medgauge_registrar.requirements.evidence import Answer, EvidenceView, Provider
from medgauge_registrar.requirements.headings import Section, sections

# A heading that marks an issue as a request where no label does.
_MARKS = frozenset({"request for comment", "request for comments", "rfc"})
# Parts of a request about a capability, each under the heading of the issue form or in the words of section 22.
PARTS: Mapping[str, frozenset[str]] = {
    "Outline of a gradable task": frozenset({"outline of a gradable task", "gradable task summary", "gradable task"}),
    "Form of the evidence": frozenset({"form of the evidence", "evidence form", "form of evidence"}),
    "Outside anchor": frozenset({"outside anchor", "external anchor"}),
}
_CAPABILITY_ROWS = frozenset({"M6", "M6a"})
_TEXT_ROWS = frozenset({"M7", "M8", "M11", "M12"})
_FILE = lazy_pattern(r"(?<![\w.-])rfcs/[0-9]+-[a-z0-9]+(?:-[a-z0-9]+)*\.md(?![\w/-])")
# Words by which a request names what belongs to the text, beside the object's own name.
_TOPICS: Mapping[Kind, tuple[str, ...]] = {
    Kind.METH: ("methodology", "section", "appendix"),
    Kind.SCHEMA: ("schema", "validator"),
    Kind.ALG: ("algorithm",),
    Kind.DFN: ("difficulty function", "cut point"),
    Kind.LVL: ("level", "threshold"),
}


@frozen
class Request:
    """
    A request for comment that counts.

    Attributes:
        name: `#12`, or the path of its file.
        text: Title and body.
        sections: Headed sections of the body.
        opened_at: When it was opened; null for a file.
    """

    name: str
    text: str
    sections: tuple[Section, ...]
    opened_at: datetime | None


@frozen
class Requests:
    """Requests that a pull request names: those that count, and why each of the others does not."""

    counted: tuple[Request, ...]
    refused: tuple[str, ...]


def find_requests(
    pull: Pull, settings: Settings, base: Registry, head: Registry, changes: Iterable[Classified]
) -> Requests:
    """
    Find the requests for comment behind a pull request.

    An issue counts that is linked, marked by the label or by a heading, and that a person opened before the pull request. A
    file counts that the pull request or a changed capability names, and that the base branch holds. What the author writes
    about a request is no request.

    Source:
        Sections 22 and 30; rule RFC-01.
    """
    counted: list[Request] = []
    refused: list[str] = []
    for issue in sorted(set(pull.issues), key=lambda issue: issue.number):
        if why := _why_not(issue, pull, settings):
            refused.append(f"#{issue.number} {why}")
        else:
            counted.append(_request(f"#{issue.number}", issue.title, issue.body, issue.created_at))
    for path in sorted(set(_FILE.findall("\n".join([pull.body, *_named_in_records(changes, head)])))):
        text = _text(path, base)
        if text is None:
            refused.append(f"`{path}` is not on the base branch, or cannot be read")
        else:
            counted.append(_request(path, "", text, None))
    return Requests(counted=tuple(counted), refused=tuple(refused))


def request_named(view: EvidenceView) -> Answer:
    """Whether a request for comment stands behind the change (RFC-01)."""
    found = _of(view)
    if found.counted:
        names = ", ".join(request.name for request in found.counted)
        return Answer(state=EvidenceState.SATISFIED, message=f"request for comment {names}")
    why = f" ({'; '.join(found.refused)})" if found.refused else ""
    return Answer(
        state=EvidenceState.MISSING,
        message=f"link the request for comment that a person opened before this pull request{why}",
    )


def three_parts(view: EvidenceView) -> Answer:
    """Whether a request about a capability outlines a gradable task, the form of the evidence and an outside anchor (RFC-02)."""
    found = _of(view)
    if not found.counted:
        return Answer(
            state=EvidenceState.MISSING,
            message=f"a request with the headed parts {_listed(PARTS)} is not there yet; the issue form asks for them",
        )
    lacking = [(request, tuple(_lacks(request))) for request in found.counted]
    best, faults = min(lacking, key=lambda one: len(one[1]))
    if not faults:
        return Answer(state=EvidenceState.SATISFIED, message=f"{best.name} has the three parts")
    return Answer(state=EvidenceState.MISSING, message=f"in {best.name} {'; '.join(faults)}")


def all_named(view: EvidenceView) -> Answer:
    """Whether one request that serves capabilities and the text names something of each (RFC-05)."""
    rows = {row for item in view.changes for row in item.change.rows}
    if rows.isdisjoint(_CAPABILITY_ROWS) or rows.isdisjoint(_TEXT_ROWS):
        return Answer(state=EvidenceState.SATISFIED, message="the request serves one matter")
    for request in _of(view).counted:
        if any(_names(request, item) for item in view.own):
            return Answer(state=EvidenceState.SATISFIED, message=f"{request.name} names what changes here")
    objects = _listed(dict.fromkeys(item.change.object for item in view.own))
    return Answer(
        state=EvidenceState.MISSING,
        message=f"capabilities and the text change together, and no request names {objects}; name them in one",
    )


REQUESTS: Mapping[str, Provider] = {"RFC-01": request_named, "RFC-02": three_parts, "RFC-05": all_named}


def request_notices(
    pull: Pull, settings: Settings, base: Registry, head: Registry, changes: Sequence[Classified]
) -> Iterator[Finding]:
    """
    Tell what requests for comment leave unsaid, and which of them were open for a short time only; none of it blocks.

    Source:
        Section 22; rules RFC-03, RFC-04 (inferred).
    """
    asking = [item for item in changes if not (_CAPABILITY_ROWS | _TEXT_ROWS).isdisjoint(item.change.rows)]
    if not asking:
        return
    counted = find_requests(pull, settings, base, head, changes).counted
    unnamed = [item.change.object for item in asking if not any(_names(request, item) for request in counted)]
    if counted and unnamed:
        yield _notice(
            "RFC-03",
            f"no request for comment names {_listed(dict.fromkeys(unnamed))}",
            "Name every object and section that changes in the request.",
        )
    for request in counted:
        due = None if request.opened_at is None else request.opened_at + timedelta(days=settings.request_days)
        if due is not None and due > pull.created_at:
            yield _notice(
                "RFC-04",
                f"{request.name} was opened less than {settings.request_days} days before this pull request",
                "Nothing has to change; reviewers may wait for more comments.",
            )


def _of(view: EvidenceView) -> Requests:
    return find_requests(view.pull, view.settings, view.base, view.head, view.changes)


def _why_not(issue: Issue, pull: Pull, settings: Settings) -> str | None:
    """Why a linked issue is no request for comment; null if it is one."""
    labels = {label.casefold() for label in issue.labels}
    marked = settings.request_label.casefold() in labels or any(
        section.title in _MARKS for section in sections(issue.body)
    )
    if not marked:
        return f"carries neither the label `{settings.request_label}` nor a heading that says so"
    if issue.user is None or issue.user.type != PERSON:
        return "was not opened by a person"
    if issue.created_at >= pull.created_at:
        return "was not opened before this pull request"
    # Who could comment on it read other words.
    if issue.edited_at is not None and issue.edited_at >= pull.created_at:
        return "was edited after this pull request was opened, which has to be opened anew"
    return None


def _named_in_records(changes: Iterable[Classified], head: Registry) -> Iterator[str]:
    for item in changes:
        record = head.record(item.change.path) if item.change.kind is Kind.CAP else None
        if record is not None and isinstance(record["rfc"], str):
            yield str(record["rfc"])


def _text(path: str, base: Registry) -> str | None:
    entry = base.tree.entry(path)
    data = base.tree.read(path) if entry is not None and entry.mode in FILE_MODES else None
    try:
        return None if data is None else data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _request(name: str, title: str, body: str, opened_at: datetime | None) -> Request:
    return Request(name=name, text=f"{title}\n{body}", sections=sections(body), opened_at=opened_at)


def _lacks(request: Request) -> Iterator[str]:
    """Parts that are absent, or that stand there empty."""
    for part, titles in PARTS.items():
        found = [section for section in request.sections if section.title in titles]
        if not found:
            yield f"the part `{part}` is missing"
        elif all(section.is_empty for section in found):
            yield f"the part `{part}` is empty"


def _names(request: Request, item: Classified) -> bool:
    """Whether a request names an object, by its name, its path or the topic it belongs to."""
    change = item.change
    file = change.path.rpartition("/")[2]
    words = {change.object, change.object.partition("@")[0], change.path, file, file.partition(".")[0]}
    if change.kind is Kind.CAP:
        words = {change.object}
    text = request.text.casefold()
    return any(_mentions(word.casefold(), text) for word in words) or any(
        topic in text for topic in _TOPICS.get(change.kind, ())
    )


def _mentions(word: str, text: str) -> bool:
    """Whether a name stands in a text by itself: `D.1` does not stand in `D.10`."""
    return re.search(rf"(?<![\w.-]){re.escape(word)}(?![\w-]|\.\w)", text) is not None


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _notice(rule: str, message: str, advice: str) -> Finding:
    return Finding(rule=rule, severity=Severity.NOTICE, message=message, help=advice, source="section 22")
