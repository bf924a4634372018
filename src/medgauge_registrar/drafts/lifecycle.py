"""`registrar draft lifecycle`: the record that follows one immutable version."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from medgauge_registrar.drafts.situation import Drafts, Situation
from medgauge_registrar.drafts.yaml_edit import edited_yaml, inline
from medgauge_registrar.model.change import Kind, Status
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.registry.layout import Place
from medgauge_registrar.registry.records import Registry

# What a record of each kind begins as; the words are YAML's own.
_BEGINNINGS: Mapping[str, Mapping[str, str]] = {
    "gr": {"listing": "unlisted", "check_date": "null", "conformant_alternative": "null"},
    "hx": {"status": "registered", "adapter_check": "null", "second_environment": "pending", "deprecation": "null"},
    "tl": {"status": "active", "deprecation": "null"},
    "bm": {},
}
_KINDS: Mapping[Kind, str] = {Kind.GR: "gr", Kind.HX: "hx", Kind.TL: "tl"}


@frozen
class Marks:
    """
    What is to be marked; null leaves a field as it is.

    Attributes:
        listing: `listed` or `unlisted`.
        check_date: Day of the clause check.
        alternative: Opaque reference of the conformant-alternative test, dated like the clause check.
        status: `registered`, `active` or `deprecated`.
        calibration: Benchmark version of the calibration task that the adapter check used; it scored full marks.
        ground: Ground of a deprecation.
    """

    listing: str | None = None
    check_date: str | None = None
    alternative: str | None = None
    status: str | None = None
    calibration: str | None = None
    ground: str | None = None


def lifecycle(found: Situation, today: date, name: str | None, marks: Marks) -> Drafts:
    """
    Write or change lifecycle records.

    Args:
        found: The change.
        today: Day of the review.
        name: Versioned reference of the object; null: every new reference, harness and tool version without a record.
        marks: What is to be marked.

    Raises:
        PolicyError: There is no such version, a mark is not for its kind, or its record cannot be read.
    """
    names = [name] if name is not None else _without_record(found)
    return {path: text for one in names for path, text in [_record(found.head, one, today, marks)]}


def _without_record(found: Situation) -> list[str]:
    places = [found.head.layout.place(change.path) for change in found.changes if change.status is Status.ADDED]
    return [place.object for place in places if place.kind in _KINDS and not found.head.has(_path(found.head, place))]


def _record(head: Registry, name: str, today: date, marks: Marks) -> tuple[str, str]:
    identifier, _, version = name.partition("@")
    code = identifier.partition("-")[0]
    if code not in _BEGINNINGS or not version:
        raise PolicyError(f"`{name}` has no lifecycle record; expected gr-…, hx-…, tl-… or bm-…, `@` and a version")
    path = head.path_of(Kind.LIFECYCLE, **{code: identifier, "version": version})
    beginning = {"object": name, "last_reviewed": today.isoformat(), **_BEGINNINGS[code]}
    text = "".join(f"{key}: {value}\n" for key, value in beginning.items())
    if head.has(path):
        text = (head.tree.read(path) or b"").decode("utf-8", "replace")
    changes = _changes(marks, today)
    if foreign := sorted(changes.keys() - _BEGINNINGS[code].keys()):
        raise PolicyError(f"`{name}`: a record of its kind has no {', '.join(f'`{field}`' for field in foreign)}")

    def change(fields: Any) -> None:
        fields["last_reviewed"] = today.isoformat()
        fields.update(changes)

    try:
        return path, edited_yaml(text, change)
    except (ValueError, TypeError, AttributeError):
        raise PolicyError(f"{path}: cannot be edited, since it is no record that can be read; mend it first") from None


def _changes(marks: Marks, today: date) -> dict[str, Any]:
    day = today.isoformat()
    found: dict[str, Any] = {}
    if marks.listing is not None:
        found["listing"] = marks.listing
    if marks.check_date is not None:
        found["check_date"] = marks.check_date
    if marks.alternative is not None:
        found["conformant_alternative"] = inline({"record_ref": marks.alternative, "date": marks.check_date or day})
    if marks.calibration is not None:
        found["adapter_check"] = inline({"outcome": "full-marks", "date": day, "calibration": marks.calibration})
    if marks.ground is not None:
        found["deprecation"] = inline({"ground": marks.ground, "date": day})
        found["status"] = "deprecated"
    if marks.status is not None:
        found["status"] = marks.status
    return found


def _path(head: Registry, place: Place) -> str:
    return head.path_of(Kind.LIFECYCLE, **{_KINDS[place.kind]: place.id or "", "version": place.version or ""})
