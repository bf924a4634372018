"""Versions and dates of entries (VER-01…05, VER-12…14): they are set once, and move only forward."""

import re
from collections.abc import Iterator
from datetime import date

from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, Reach, change_check, record_check
from medgauge_registrar.checks.siblings import next_path, versions_beside
from medgauge_registrar.classify.transitions import REVIEW_FIELDS, changed_fields
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json
from medgauge_registrar.registry.kinds import COUNTED, ENVELOPED, NUMBERED
from medgauge_registrar.registry.layout import VERSION
from medgauge_registrar.registry.methodology_text import archive_path, methodology_of, text_path
from medgauge_registrar.registry.records import Record, Registry, version_key

# Of the entries whose path carries the version, those that no other rule keeps from being edited.
_NEW_FILE_EACH = frozenset({Kind.GR, Kind.LVL})
_DATED = ENVELOPED | {Kind.LIFECYCLE}


@change_check("VER-02", section="29", kinds=NUMBERED | COUNTED | {Kind.METH})
def lowered_version(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    Versions of one object only go up, compared number by number.

    Readers take the highest version for the newest, so a later one must not slip in below. Choose a version above every
    one there is.

    Passes: 0.10.0 beside 0.9.0
    Fails: 0.2.0 beside 0.3.0
    """
    place = changed.place
    if changed.enters and place.kind in NUMBERED and place.version is not None:
        others = versions_beside(changed.base, place)
        if others and version_key(place.version) < version_key(others[-1]):
            yield Problem(
                message=f"`{place.version}` is below `{others[-1]}`, which the registry has already",
                help=f"Choose a higher version, for example `{next_path(changed.base, place)}`.",
            )
    elif place.kind in COUNTED:
        old, new = _version(changed.before), _version(changed.after)
        if old and new and version_key(new) < version_key(old):
            yield Problem(
                message=f"`version` went down from `{old}` to `{new}`",
                help=f"Raise it above `{old}`.",
                pointer="/version",
            )
    elif place.path == text_path(context.registry.layout):
        old = methodology_of(changed.base.tree, changed.base.layout).version
        new = methodology_of(context.registry.tree, context.registry.layout).version
        if old and new and version_key(new) < version_key(old):
            yield Problem(message=f"the version of the text went down from `{old}` to `{new}`", help="Raise it.")


@change_check("VER-03", section="16, 29", kinds=COUNTED | _NEW_FILE_EACH)
def unraised_version(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    Changed content has a higher version; where the path carries the version, it is a new file.

    An entry is cited with its version, so the same version may not say two things. Raise `version`, or add the next version
    beside the old file. A new date of review alone needs neither.

    Passes: another `definition` and version 0.2.0 after 0.1.0
    Fails: another `definition` under the same version
    """
    if not changed.rewritten or changed.before is None or changed.after is None:
        # A record that could not be read did not exist for the site; mending it changes nothing that was published.
        return
    fields = sorted(changed_fields(changed.before.fields, changed.after.fields) - REVIEW_FIELDS)
    if not fields:
        return
    names = ", ".join(f"`{name}`" for name in fields)
    if changed.place.kind in _NEW_FILE_EACH:
        yield Problem(
            message=f"{names} changed in a version that is published",
            help=f"Leave the file as it was, and add `{next_path(context.registry, changed.place)}`.",
            pointer=f"/{fields[0]}",
        )
    elif _version(changed.before) is not None and changed.before["version"] == changed.after["version"]:
        yield Problem(
            message=f"{names} changed while `version` is still `{changed.after['version']}`",
            help="Raise `version`.",
            pointer="/version",
        )


@change_check("VER-04", section="16, 29", kinds=ENVELOPED)
def unknown_introduction(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    An entry says under which published methodology version it came in, and goes on saying so.

    That version tells by which rules the entry was made. Name the version of the text in force, or an archived one, and
    leave the field as it is from then on.

    Passes: introduced_in: 0.1.0 under methodology 0.1.0
    Fails: introduced_in: 0.3.0 under methodology 0.1.0
    """
    if changed.place.kind not in ENVELOPED or changed.after is None:
        return
    found = changed.after["introduced_in"]
    if changed.before is not None:
        if found != changed.before["introduced_in"]:
            yield Problem(
                message=f"`introduced_in` was `{changed.before['introduced_in']}` and is now `{found}`",
                help="Put the former value back; it never changes.",
                pointer="/introduced_in",
            )
        return
    current = methodology_of(context.registry.tree, context.registry.layout).version
    if found == current or (isinstance(found, str) and _is_archived(found, context.registry)):
        return
    now = f"`{current}`" if current else "not known, since its title line cannot be read"
    yield Problem(
        message=f"`introduced_in` is `{found}`, which is no published methodology version; the one in force is {now}",
        help="Name the version in force.",
        pointer="/introduced_in",
    )


@record_check("VER-05", section="16", kinds=_DATED)
def misordered_dates(record: Record, context: Context) -> Iterator[Problem]:
    """
    An entry was introduced no later than it was last reviewed, neither day lies ahead, and neither ever moves back.

    The two days tell how old an entry is and how fresh its review. Today is whatever day it is anywhere on Earth; the day
    of introduction never changes.

    Passes: introduced: 2026-11-01 and last_reviewed: 2026-11-20, on 2026-11-29
    Fails: introduced: 2026-11-20 and last_reviewed: 2026-11-01
    """
    days = {name: day for name in ("introduced", "last_reviewed") if (day := _day(record[name])) is not None}
    for name, day in days.items():
        if day > context.latest_day:
            yield Problem(
                message=f"`{name}` is `{day}`, and today is no later than `{context.latest_day}` anywhere on Earth",
                help="Correct the day.",
                pointer=f"/{name}",
            )
    if len(days) == 2 and days["introduced"] > days["last_reviewed"]:
        yield Problem(
            message=f"`last_reviewed` is `{days['last_reviewed']}`, before `introduced`, `{days['introduced']}`",
            help="A new entry is reviewed on the day it is introduced, or later.",
            pointer="/last_reviewed",
        )


@change_check(misordered_dates.rule, section="16", kinds=_DATED)
def moved_dates(changed: ChangedRecord, _: Context) -> Iterator[Problem]:
    """
    The day of introduction never changes, and the day of the last review never goes back.

    Put the former day back.

    Passes: last_reviewed: 2026-11-20 after 2026-11-01
    Fails: last_reviewed: 2026-11-01 after 2026-11-20
    """
    if changed.place.kind not in _DATED or changed.before is None or changed.after is None:
        return
    if changed.before["introduced"] != changed.after["introduced"]:
        yield Problem(
            message=f"`introduced` was `{changed.before['introduced']}` and is now `{changed.after['introduced']}`",
            help="Put the former day back; it never changes.",
            pointer="/introduced",
        )
    old, new = _day(changed.before["last_reviewed"]), _day(changed.after["last_reviewed"])
    if old is not None and new is not None and new < old:
        yield Problem(
            message=f"`last_reviewed` went back from `{old}` to `{new}`",
            help="Name the day of the latest review.",
            pointer="/last_reviewed",
        )


@record_check("VER-12", section="29", kinds={Kind.RES}, reach=Reach.REFERENCES, watches={(Kind.PRICE, "effective")})
def later_price_table(record: Record, context: Context) -> Iterator[Problem]:
    """
    Amounts in a result rest on a price table that was in force by the day of the result.

    A later table cannot have been the one that the amounts were computed from. Name the table that was used; add it in the
    same pull request if it is not in the registry yet.

    Passes: price_table: 0.1.0, in force from 2026-11-01, in a result of 2026-11-18
    Fails: the same table, in force from 2026-12-01
    """
    amounts = record["amounts"]
    if not isinstance(amounts, dict):
        return
    table = context.registry.valid_record(context.registry.path_of(Kind.PRICE, version=str(amounts.get("price_table"))))
    if table is None:
        return  # ID-06 reports it, or its own error does
    effective, made = _day(table["effective"]), _day(record["date"])
    if effective is None or made is None or effective > made:
        yield Problem(
            message=f"the price table holds from `{table['effective']}`, and the result is of `{record['date']}`",
            help="Name the table that held when the result was made.",
            pointer="/amounts/price_table",
        )


@record_check("VER-13", section="29", kinds={Kind.RES}, reach=Reach.REFERENCES, watches={(Kind.BM_VERSION, "verifier")})
def foreign_verifier(record: Record, context: Context) -> Iterator[Problem]:
    """
    A result was graded by the verifier that its benchmark version froze.

    The verifier itself is closed; its version and digest are all that shows which program decided. Give the values of the
    benchmark version, or grade again with its verifier.

    Passes: verifier equal to that of bm-example@0.2.0
    Fails: verifier: {version: 0.1.9, sha: …}
    """
    version = _benchmark_version(record, context.registry)
    if version is not None and version["verifier"] != record["verifier"]:
        yield Problem(
            message=f"`verifier` is {_pair(record['verifier'])}, and `{record['benchmark_version']}` pins"
            f" {_pair(version['verifier'])}",
            help="Give version and digest of the pinned verifier, or grade again with it.",
            pointer="/verifier",
        )


@record_check(
    "VER-14", section="30, 32", kinds={Kind.RES}, reach=Reach.REFERENCES, watches={(Kind.BM_VERSION, "methodology")}
)
def foreign_methodology(record: Record, context: Context) -> Iterator[Problem]:
    """
    A result names the methodology version that its benchmark version pins, or a later patch of it.

    A change of the methodology takes effect at the next freeze, so results on a frozen version keep its rules.

    Passes: methodology_version: 0.1.1 where the benchmark version pins 0.1.0
    Fails: methodology_version: 0.2.0 where it pins 0.1.0
    """
    version = _benchmark_version(record, context.registry)
    if version is None:
        return
    pinned, found = version["methodology"], record["methodology_version"]
    if not _is_patch_of(found, pinned):
        yield Problem(
            message=f"`methodology_version` is `{found}`, and `{record['benchmark_version']}` pins `{pinned}`",
            help="Name the pinned version or a later patch of it.",
            pointer="/methodology_version",
        )


def _version(record: Record | None) -> str | None:
    found = None if record is None else record["version"]
    return found if isinstance(found, str) and re.fullmatch(VERSION, found) else None


def _day(value: Json) -> date | None:
    try:
        return date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _is_archived(version: str, registry: Registry) -> bool:
    return re.fullmatch(VERSION, version) is not None and registry.has(archive_path(registry.layout, version))


def _benchmark_version(record: Record, registry: Registry) -> Record | None:
    """The benchmark version a result is about; null if there is none, which ID-06 reports, or if it is broken."""
    benchmark, _, version = str(record["benchmark_version"]).partition("@")
    return registry.valid_record(registry.path_of(Kind.BM_VERSION, bm=benchmark, version=version))


def _pair(verifier: Json) -> str:
    return f"`{verifier.get('version')}` ({verifier.get('sha')})" if isinstance(verifier, dict) else "none"


def _is_patch_of(found: Json, pinned: Json) -> bool:
    versions = [version for version in (found, pinned) if isinstance(version, str) and re.fullmatch(VERSION, version)]
    if len(versions) < 2:
        return False
    one, two = (version_key(version) for version in versions)
    return one[:2] == two[:2] and one[2] >= two[2]
