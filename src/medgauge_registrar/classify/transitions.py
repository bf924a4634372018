"""What a change does to its object, from the content before and after; titles and labels play no part (DEC-18)."""

from collections.abc import Mapping

from medgauge_registrar.classify.methodology import touched_parts
from medgauge_registrar.model.change import Kind, PathChange, Status, Transition
from medgauge_registrar.model.document import Json
from medgauge_registrar.model.tree import FILE_MODES
from medgauge_registrar.registry.layout import Place

# Fields that may arrive after a freeze, each written once (IMM-03), and the facet that each brings.
LATE_FIELDS: Mapping[str, str] = {
    "hash_manifest": "manifest",
    "expert_baseline": "baseline",
    "persistent_identifier": "identifier",
}
REVIEW_FIELDS = frozenset({"last_reviewed"})
# What a capability is, as against how it is worded (DEC-30); one that comes back, or retires for another reason, is another.
MEANING_FIELDS = ("definition", "domain", "layer", "grading_form", "composed_of", "status", "retirement")
_SIDECAR_FACETS: Mapping[str, str] = {
    "gr": "reference",
    "hx": "harness-or-tool",
    "tl": "harness-or-tool",
    "bm": "benchmark",
}
_ANY = (Transition.CREATE, Transition.EDIT, Transition.REMOVE, Transition.RENAME)
_ENTRY = (*_ANY, Transition.REVIEW_DATE)
_RETIRABLE = (*_ENTRY, Transition.RETIRE)
_SIDECARS = ("reference", "harness-or-tool", "benchmark")
# Every transition that `transition` can return for a kind, and the facets it can carry there; the decision table is proved
# against this.
POSSIBLE: Mapping[Kind, Mapping[Transition, tuple[str, ...]]] = {
    Kind.BM_CARD: dict.fromkeys(_RETIRABLE, ()),
    Kind.BM_VERSION: {
        **dict.fromkeys((*_ENTRY, Transition.FREEZE), ()),
        Transition.LATE_FIELD: tuple(LATE_FIELDS.values()),
    },
    **{kind: dict.fromkeys(_ENTRY, ()) for kind in (Kind.GR, Kind.HX, Kind.TL, Kind.RES, Kind.RP, Kind.LO)},
    **{kind: dict.fromkeys(_RETIRABLE, ()) for kind in (Kind.STD, Kind.DS, Kind.MODEL, Kind.RM)},
    Kind.CAP: {
        **dict.fromkeys(
            (Transition.CREATE, Transition.RETIRE, Transition.MERGE, Transition.REMOVE, Transition.RENAME), ()
        ),
        Transition.EDIT: ("wording", "meaning"),
        Transition.REVIEW_DATE: ("wording",),
    },
    **{
        kind: dict.fromkeys(_ANY, ())
        for kind in (
            Kind.PRICE, Kind.VOID, Kind.DISPUTE, Kind.DFN, Kind.ALG, Kind.LVL, Kind.SCHEMA, Kind.INFRA, Kind.UNCLASSIFIED,
        )
    },
    # Of one file, so that whatever it is moved to is something else.
    Kind.CHARTER: dict.fromkeys((Transition.CREATE, Transition.EDIT, Transition.REMOVE), ()),
    Kind.REDIRECTS: dict.fromkeys((Transition.CREATE, Transition.EDIT, Transition.REMOVE), ("redirects",)),
    **{kind: dict.fromkeys(_ANY, (kind.value,)) for kind in (Kind.ARTICLE, Kind.NOTICE)},
    Kind.ROUND: dict.fromkeys(_ANY, ("protocol", "report")),
    Kind.LIFECYCLE: {
        **dict.fromkeys((*_ANY, Transition.REVIEW_DATE), _SIDECARS),
        Transition.LIST: ("reference",),
        Transition.ACTIVATE: ("harness-or-tool",),
        Transition.DEPRECATE: ("harness-or-tool",),
    },
    Kind.METH: {
        Transition.EDIT: ("aggregation", "text"),
        **dict.fromkeys((Transition.CREATE, Transition.REMOVE, Transition.RENAME), ("text",)),
    },
    Kind.OTHER: dict.fromkeys(_ANY, ("plain", "opaque")),
}  # fmt: skip


def transition(change: PathChange, place: Place, before: Json, after: Json) -> Transition:
    """
    Name what a change does.

    Args:
        change: The raw change.
        place: What the path stands for (after the change; before it, for a removal).
        before: Record at the base; null if absent or unreadable.
        after: Record in the merge result; null if absent or unreadable.
    """
    if change.status is Status.REMOVED:
        return Transition.REMOVE
    if change.status is Status.RENAMED:
        return Transition.RENAME
    old, new = _mapping(before), _mapping(after)
    match place.kind:
        case Kind.BM_VERSION:
            special = _version_transition(old, new)
        case Kind.CAP:
            special = _capability_transition(old, new)
        case Kind.LIFECYCLE:
            special = _sidecar_transition(place, old, new)
        case Kind.BM_CARD | Kind.STD | Kind.DS | Kind.MODEL | Kind.RM:
            special = Transition.RETIRE if _becomes(old, new, "status", "retired") else None
        case _:
            special = None
    if special is not None:
        return special
    if change.status is Status.ADDED:
        return Transition.CREATE
    reviewable = Transition.REVIEW_DATE in POSSIBLE[place.kind]
    if reviewable and old and new and changed_fields(old, new) == REVIEW_FIELDS:
        return Transition.REVIEW_DATE
    return Transition.EDIT


def facets(change: PathChange, place: Place, what: Transition, before: Json, after: Json) -> frozenset[str]:
    """Tell apart what one kind and transition do not: which part of a text, which sidecar, which late field."""
    old, new = _mapping(before), _mapping(after)
    match place.kind:
        case Kind.BM_VERSION if what is Transition.LATE_FIELD:
            return frozenset(LATE_FIELDS[name] for name in changed_fields(old, new))
        case Kind.CAP if what in {Transition.EDIT, Transition.REVIEW_DATE}:
            # An unreadable side cannot be shown to leave the meaning alone.
            moved = not old or not new or not changed_fields(old, new).isdisjoint(MEANING_FIELDS)
            return frozenset({"meaning" if moved else "wording"})
        case Kind.LIFECYCLE:
            return frozenset({_SIDECAR_FACETS[(place.id or "").partition("-")[0]]})
        case Kind.ROUND:
            return frozenset({"report" if place.path.endswith(".md") else "protocol"})
        case Kind.ARTICLE | Kind.REDIRECTS | Kind.NOTICE:
            return frozenset({place.kind.value})
        case Kind.OTHER:
            modes = {entry.mode for entry in (change.before, change.after) if entry is not None}
            return frozenset({"plain" if modes <= FILE_MODES else "opaque"})
        case _:
            return frozenset()


def text_facets(what: Transition, before: str | None, after: str | None) -> frozenset[str]:
    """
    Which rows of the decision table a change of the methodology text belongs to (DEC-09, DEC-10).

    An edit of which one side cannot be read may have touched anything.
    """
    if what is not Transition.EDIT:
        return frozenset({"text"})
    return frozenset({"aggregation", "text"}) if before is None or after is None else touched_parts(before, after)


def changed_fields(before: Mapping[str, Json], after: Mapping[str, Json]) -> frozenset[str]:
    """Names of top-level fields that differ, were added or were taken away; `1` and `true` differ, `1` and `1.0` do not."""
    return frozenset(
        name
        for name in before.keys() | after.keys()
        if name not in before or name not in after or not _same(before[name], after[name])
    )


def is_frozen(record: Json) -> bool:
    """Whether a benchmark version record says that it is frozen."""
    return _mapping(record).get("frozen") is True


def _version_transition(old: Mapping[str, Json], new: Mapping[str, Json]) -> Transition | None:
    if not is_frozen(dict(old)) and is_frozen(dict(new)):
        return Transition.FREEZE
    if is_frozen(dict(old)) and is_frozen(dict(new)):
        changed = changed_fields(old, new)
        if changed and changed <= LATE_FIELDS.keys():
            return Transition.LATE_FIELD
    return None


def _capability_transition(old: Mapping[str, Json], new: Mapping[str, Json]) -> Transition | None:
    if not old or not _becomes(old, new, "status", "retired"):
        return None
    return Transition.MERGE if _mapping(new.get("retirement")).get("ground") == "merged" else Transition.RETIRE


def _sidecar_transition(place: Place, old: Mapping[str, Json], new: Mapping[str, Json]) -> Transition | None:
    code = (place.id or "").partition("-")[0]
    if code == "gr" and _becomes(old, new, "listing", "listed"):
        return Transition.LIST
    if code in {"hx", "tl"}:
        if _becomes(old, new, "status", "deprecated"):
            return Transition.DEPRECATE
        if _becomes(old, new, "status", "active"):
            return Transition.ACTIVATE
    return None


def _same(one: Json, other: Json) -> bool:
    """Whether two values are the same in JSON; in Python `True` equals `1`, at any depth."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(value, other[name]) for name, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return one == other


def _becomes(old: Mapping[str, Json], new: Mapping[str, Json], field: str, value: str) -> bool:
    return old.get(field) != value and new.get(field) == value


def _mapping(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}
