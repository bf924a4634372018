"""Notices of non-comparability: what they say of themselves and of the change they announce (SCHEMA-NOTICE-01)."""

from collections.abc import Iterator, Mapping

from medgauge_registrar.checks.fields import lies_ahead, mapping, texts
from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, change_check, record_check
from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.methodology_text import archive_path, methodology_of, text_path
from medgauge_registrar.registry.records import Record, Registry, version_key

# Voiding a task takes it off a board whose version stays the same.
_SAME_VERSION = "NCN-08"
_BY_CODE: Mapping[str, Kind] = {"bm": Kind.BM_VERSION, "gr": Kind.GR, "hx": Kind.HX, "tl": Kind.TL}
_BY_NAME: Mapping[str, Kind] = {
    "difficulty-function": Kind.DFN,
    "level-rules": Kind.LVL,
    "price-table": Kind.PRICE,
}


@record_check("SCHEMA-NOTICE-01", section="14.4", kinds={Kind.NOTICE})
def unsound_notice(record: Record, context: Context) -> Iterator[Problem]:
    """
    A notice carries the day of its identifier, leads from a version to a higher one, and a family notice keeps to one family.

    Readers find a notice by its day and learn from it what may not be compared with what. Correct the field that is named
    before the notice is published; afterwards it stays.

    Passes: id: 2026-11-20-example with date: 2026-11-20, from: 0.2.0 and to: 0.3.0
    Fails: id: 2026-11-20-example with date: 2026-11-21
    """
    day = str(record["date"])
    if not str(record["id"]).startswith(f"{day}-"):
        yield Problem(
            message=f"`date` is `{day}`, and the identifier begins with `{str(record['id'])[:10]}`",
            help="Make the two agree.",
            pointer="/date",
        )
    if lies_ahead(day, context):
        yield Problem(
            message=f"`date` is `{day}`, a day that has begun nowhere on Earth",
            help="Give the day of the notice.",
            pointer="/date",
        )
    before, after = str(record["from"]), str(record["to"])
    may_stay = mapping(record["cause"]).get("rule") == _SAME_VERSION
    if version_key(after) < version_key(before) or (after == before and not may_stay):
        yield Problem(
            message=f"`to` is `{after}`, expected a version above `from`, `{before}`",
            help="Name the versions of the changed object before and after the change.",
            pointer="/to",
        )
    families = sorted({reference.partition("@")[0] for reference in texts(record["affected"])})
    if record["scope"] == "family" and len(families) > 1:
        yield Problem(
            message=f"`scope` is `family`, and the boards are of {', '.join(f'`{family}`' for family in families)}",
            help="Write a notice for each family, or choose the scope `boards`.",
            pointer="/affected",
        )


# A step and not a state: a notice stays as it was published, whatever becomes of the object later on.
@change_check("SCHEMA-NOTICE-01", section="14.4", kinds={Kind.NOTICE})
def notice_of_nothing(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    The object that a new notice announces stands in the registry.

    A notice comes together with the change it is about. Name the object by its path, or by its versioned reference.

    Passes: object: difficulty-function@0.2.0, added in the same pull request
    Fails: object: difficulty-function@0.3.0, which is not there
    """
    if not changed.enters or changed.place.kind is not Kind.NOTICE or changed.after is None:
        return
    name = mapping(changed.after["cause"]).get("object")
    if isinstance(name, str) and not any(context.registry.has(path) for path in _paths(name, context.registry)):
        yield Problem(
            message=f"`object` names `{name}`, which is not in the registry",
            help="Add what the notice is about in this pull request, or correct the name.",
            pointer="/cause/object",
        )


def _paths(name: str, registry: Registry) -> Iterator[str]:
    """Where the object of a notice may stand: a path as it is, or the places of a versioned reference."""
    identifier, at, version = name.partition("@")
    if not at:
        yield name
    elif (kind := _BY_CODE.get(code := identifier.partition("-")[0])) is not None:
        yield registry.path_of(kind, **{code: identifier, "version": version})
    elif (kind := _BY_NAME.get(identifier)) is not None:
        yield registry.path_of(kind, version=version)
    elif identifier == "methodology":
        yield archive_path(registry.layout, version)
        if methodology_of(registry.tree, registry.layout).version == version:
            yield text_path(registry.layout)
    else:
        yield registry.path_of(Kind.ALG, name=identifier, version=version)
