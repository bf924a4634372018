"""The decision note: what one merged pull request was, who had said what, and what was decided on it."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, cast

from medgauge_registrar.content.canaries import Canaries
from medgauge_registrar.inputs import MAX_INPUT_BYTES, PULL_LIMITS, parse_time
from medgauge_registrar.model.decision import Decision
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.landing import Landing
from medgauge_registrar.registry.canonical import canonical_json
from medgauge_registrar.registry.reader import Syntax, read_document
from medgauge_registrar.registry.schemas import shipped_schemas
from medgauge_registrar.report.document import decision_document
from medgauge_registrar.report.withhold import withholds
from medgauge_registrar.requirements.commands import command_lines


@frozen
class Note:
    """
    A decision note as it was read.

    Attributes:
        landed: How the change reached the default branch.
        pull: Public facts the decision rests on; null where they could hold closed material.
        decision: The decision document.
    """

    landed: Mapping[str, Any]
    pull: Mapping[str, Any] | None
    decision: Mapping[str, Any]


def facts_at(pull: Mapping[str, Any], moment: datetime) -> dict[str, Any]:
    """
    The facts of a pull request that a decision at a moment rests on, and no more.

    Reviews and comments of later are left out. Of people's words only those are kept that carry a command, beside title,
    description and linked issues: talk decides nothing, and a note is for ever.

    Args:
        pull: A value that keeps `pull.schema.json`.
        moment: When the pull request was merged; aware.
    """
    return {
        **pull,
        "reviews": [
            {**review, "body": review["body"] if _commands(review["body"]) else None}
            for review in pull["reviews"]
            if review["submitted_at"] is None or parse_time(review["submitted_at"]) <= moment
        ],
        "comments": [
            comment
            for comment in pull["comments"]
            if parse_time(comment["created_at"]) <= moment and _commands(comment["body"])
        ],
    }


def note_bytes(landing: Landing, pull: Mapping[str, Any] | None, decision: Decision) -> bytes:
    """
    Spell a note: equal arguments give equal bytes.

    Args:
        landing: How the change reached the default branch.
        pull: The facts that were decided on; null leaves them out.
        decision: What was decided.
    """
    return canonical_json(
        {
            "landed": {
                "method": landing.method.value,
                "base": landing.base,
                "commits": [step.sha for step in landing.steps],
                "tree": landing.tree,
            },
            "pull": cast(Any, pull),
            "decision": _encodable(decision_document(decision)),
        }
    )


def public_facts(pull: Mapping[str, Any], decision: Decision, canaries: Canaries) -> Mapping[str, Any] | None:
    """The facts as a note may hold them: none at all, if closed material was found in the change or stands in them."""
    if withholds(decision) or any(canaries.in_text(text) for text in _texts(pull)):
        return None
    return pull


def parse_note(data: bytes) -> Note | str:
    """Read a note from anybody; instead of one, what is wrong with it."""
    if len(data) > MAX_INPUT_BYTES:
        return f"it is larger than {MAX_INPUT_BYTES} bytes"
    document = read_document(data, syntax=Syntax.JSON, limits=PULL_LIMITS)
    if document.faults:
        return document.faults[0].message
    problems = shipped_schemas().problems("decision-note", document.value)
    if problems:
        return f"at `{problems[0].pointer or '/'}`: {problems[0].message}"
    value = cast(dict[str, Any], document.value)
    if canonical_json(cast(Any, value)) != data:
        return "it is not in canonical form"
    return Note(landed=value["landed"], pull=value["pull"], decision=value["decision"])


def _encodable(value: Any) -> Any:
    """The value with bytes of paths that are no UTF-8 as escapes, as every other output shows them."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {key: _encodable(member) for key, member in value.items()}
    return [_encodable(member) for member in value] if isinstance(value, list) else value


def _commands(body: str | None) -> bool:
    return next(command_lines(body or ""), None) is not None


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for member in value.values():
            yield from _texts(member)
    elif isinstance(value, list):
        for member in value:
            yield from _texts(member)
