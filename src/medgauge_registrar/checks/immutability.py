"""What stays as it was published (IMM-01…14, 19, 21): corrections are new files and versions, never edits."""

from collections.abc import Iterator, Mapping, Sequence

from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, change_check, record_check
from medgauge_registrar.checks.siblings import next_path, versions_beside
from medgauge_registrar.classify.transitions import LATE_FIELDS, changed_fields, is_frozen
from medgauge_registrar.model.change import Kind, Status
from medgauge_registrar.model.document import Json
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.registry.kinds import COUNTED, NUMBERED
from medgauge_registrar.registry.layout import Place
from medgauge_registrar.registry.methodology_text import methodology_of
from medgauge_registrar.registry.records import Record, Registry, version_key
from medgauge_registrar.registry.references import select

# Kinds of which no file is ever taken away; results, notices and the methodology text have rules of their own.
_KEPT = COUNTED | NUMBERED | {Kind.VOID, Kind.LIFECYCLE, Kind.REDIRECTS, Kind.DISPUTE}
# Kinds whose every file is immutable from the day it is merged. Benchmark versions are so once frozen.
_SEALED = (NUMBERED - {Kind.BM_VERSION}) | {Kind.RES, Kind.NOTICE}
# What a frozen version pins, and how its newest published version is found.
_PINNED_FIELDS = ("difficulty_function", "algorithms/intervals", "algorithms/paired_test", "algorithms/letter_display")


@change_check("IMM-01", section="5.4, 16", kinds={Kind.BM_VERSION})
def edited_frozen_version(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A frozen benchmark version says the same for ever; only three late fields may still come.

    Results are compared because every subject met the same tasks, checks and verifier. A correction, a replaced task or
    another count belongs in the next version.

    Passes: a new file 0.3.0.yaml beside the frozen 0.2.0.yaml
    Fails: another number of tasks in the frozen 0.2.0.yaml
    """
    if not changed.rewritten or not _was_frozen(changed):
        return
    advice = (
        f"Leave the file as it was, and make the correction in `{_coming_version(changed.place, context.registry)}`."
    )
    if changed.before is None or changed.after is None:
        yield Problem(message="a frozen version was changed into, or from, a file that cannot be read", help=advice)
        return
    for field in sorted(_changed(changed) - LATE_FIELDS.keys() - {"frozen"}):
        yield Problem(message=f"`{field}` of a frozen version changed", help=advice, pointer=f"/{field}")


@change_check("IMM-02", section="16", kinds={Kind.BM_VERSION})
def unfrozen_version(changed: ChangedRecord, _: Context) -> Iterator[Problem]:
    """
    A frozen benchmark version is never made unfrozen.

    Unfreezing would open what results rest on. Put `frozen: true` back and continue in the next version.

    Passes: frozen: true after frozen: true
    Fails: frozen: false after frozen: true
    """
    if not changed.rewritten or not _was_frozen(changed) or changed.after is None:
        return
    if not is_frozen(_value(changed.after)):
        yield Problem(
            message=f"`frozen` is `{_written(changed.after['frozen'])}`, and the version is frozen at the base",
            help="Put `frozen: true` back; continue in the next version.",
            pointer="/frozen",
        )


@change_check("IMM-03", section="11.5, 12.1, Abstract", kinds={Kind.BM_VERSION})
def rewritten_late_field(changed: ChangedRecord, _: Context) -> Iterator[Problem]:
    """
    Hash manifest, expert baseline and persistent identifier are added to a frozen version once, and then stay.

    Each of them is cited from the day it is published. Put the former value back.

    Passes: persistent_identifier: doi:10.0000/example after null
    Fails: persistent_identifier: null after doi:10.0000/example
    """
    if not changed.rewritten or not _was_frozen(changed) or changed.before is None or changed.after is None:
        return
    for field in sorted(_changed(changed) & LATE_FIELDS.keys()):
        if changed.before[field] is not None:
            yield Problem(
                message=f"`{field}` was written before and is now different",
                help="Put the former value back; it is written once.",
                pointer=f"/{field}",
            )


@change_check("IMM-04", section="24", kinds={Kind.HX, Kind.TL})
def edited_component_version(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A published version of a harness, tool or component is never edited, not even in a comment.

    Results name the version they ran under, so its file must be the one that ran. Add the next version as a new file.

    Passes: a new file 0.1.1.yaml beside 0.1.0.yaml
    Fails: another prompt in 0.1.0.yaml
    """
    if changed.rewritten:
        yield Problem(
            message=f"`{changed.place.object}` is published and was edited",
            help=f"Leave the file as it was, and add `{next_path(context.registry, changed.place)}`.",
        )


@change_check("IMM-05", section="12.4, 14.4", kinds={Kind.RES})
def altered_result(changed: ChangedRecord, _: Context) -> Iterator[Problem]:
    """
    A result record is neither edited nor removed.

    Figures stay published under the version they were made for. To correct one, add a record that names it in `corrects`.

    Passes: a new record with corrects: res-example-0-1-0-a
    Fails: another figure in res-example-0-1-0-a
    """
    if changed.rewritten or changed.change.status is Status.REMOVED:
        done = "edited" if changed.rewritten else "removed"
        yield Problem(
            message=f"`{changed.old_place.id}` is published and was {done}",
            help="Put the file back as it was; to correct it, add a record that names it in `corrects`.",
        )


@change_check("IMM-07", section="12.5, 24", kinds=_KEPT)
def removed_entry(changed: ChangedRecord, _: Context) -> Iterator[Problem]:
    """
    No entry is removed or moved; one that is out of use is retired or deprecated and keeps its page.

    Other records, results and readers point at it. Put the file back and mark the entry instead.

    Passes: status: retired
    Fails: a removed file
    """
    kind = changed.old_place.kind
    moved = changed.change.status is Status.RENAMED
    if kind not in _KEPT or not changed.leaves or (moved and _is_sealed(changed)):
        return
    done = "moved" if moved else "removed"
    yield Problem(
        message=f"`{changed.old_place.object}` was {done}",
        help=f"Put `{changed.old_path}` back; retire or deprecate the entry if it is out of use.",
    )


@change_check("IMM-08", section="11.4, App A", kinds={Kind.DFN})
def altered_difficulty_function(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A published difficulty function is never edited, and its successor comes with the comparison behind it.

    Classes of frozen tasks rest on it. Publish other points or cut points as a new version, and say in `comparison` what
    moved them.

    Passes: 0.2.0.yaml with comparison: {summary: …, link: …}
    Fails: other cut points in 0.1.0.yaml
    """
    yield from _edited(changed, context)
    enters = changed.enters and changed.place.kind is Kind.DFN and not (changed.leaves and _is_sealed(changed))
    if not enters or changed.after is None or not versions_beside(changed.base, changed.place):
        return
    if not isinstance(changed.after["comparison"], dict):
        yield Problem(
            message="`comparison` is missing from a function that succeeds another",
            help="Say what was compared and link to it.",
            pointer="/comparison",
        )


@change_check("IMM-09", section="29, G6", kinds={Kind.ALG})
def edited_algorithm(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A published algorithm version is never edited.

    Frozen benchmark versions go on using it, and every figure under it must come out the same. Add the next version.

    Passes: a new file 0.2.0.yaml
    Fails: another quantile rule in 0.1.0.yaml
    """
    yield from _edited(changed, context)


@change_check("IMM-10", section="29", kinds={Kind.PRICE})
def edited_price_table(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A published price table is never edited.

    Amounts in results were computed from it. Publish changed prices as the next version.

    Passes: a new file 0.2.0.yaml
    Fails: another rate in 0.1.0.yaml
    """
    yield from _edited(changed, context)


@change_check("IMM-12", section="12.1", kinds={Kind.VOID})
def shortened_voided_list(changed: ChangedRecord, _: Context) -> Iterator[Problem]:
    """
    The list of voided task versions only grows; an entry gains at most the version that replaces the task.

    Boards leave voided tasks out for every subject, so an entry that changes would change them all. Put the former entries
    back and add new ones after them.

    Passes: one more entry at the end
    Fails: an entry less
    """
    if not changed.rewritten:
        return
    old, new = (_entries(record) for record in (changed.before, changed.after))
    readable = changed.before is not None and changed.after is not None
    others = _changed(changed) - {"voided"}
    if not readable or others or len(new) < len(old) or not all(map(_continues, old, new)):
        yield Problem(
            message="the entries that were published are not all there as they were",
            help="Put them back in their order, and add new ones after them.",
            pointer="/voided",
        )


@change_check("IMM-13", section="14.4, 32", kinds={Kind.NOTICE})
def altered_notice(changed: ChangedRecord, _: Context) -> Iterator[Problem]:
    """
    A published notice is neither edited nor removed.

    It is what a reader of old figures relies on. Publish a further notice instead.

    Passes: a new notice
    Fails: another text in a published one
    """
    if changed.rewritten or changed.change.status is Status.REMOVED:
        done = "edited" if changed.rewritten else "removed"
        yield Problem(
            message=f"the notice `{changed.old_place.id}` is published and was {done}",
            help="Put it back as it was; publish a further notice if something is to be added.",
        )


@change_check("IMM-14", section="G6, App A", kinds={Kind.BM_VERSION})
def outdated_pin(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A version that freezes pins the rules in force: methodology, difficulty function and algorithms at their newest.

    It keeps these rules for ever, and a change of the rules takes effect at the next freeze. Name the newest published
    versions.

    Passes: methodology: 0.2.0 under methodology 0.2.0
    Fails: methodology: 0.1.0 under methodology 0.2.0
    """
    after = context.registry.valid_record(changed.change.path)
    frozen_before = changed.before is not None and is_frozen(_value(changed.before))
    if after is None or not is_frozen(_value(after)) or frozen_before:
        return
    current = methodology_of(context.registry.tree, context.registry.layout).version
    if after["methodology"] != current:
        found = f"is at `{current}`" if current else "has no title line that can be read"
        yield Problem(
            message=f"`methodology` is `{after['methodology']}`, and the text in force {found}",
            help="Pin the version in force.",
            pointer="/methodology",
        )
    for field in _PINNED_FIELDS:
        for pointer, pin in select(_value(after), field):
            name, _, version = str(pin).partition("@")
            newest = _newest(name, context)
            if newest is not None and newest != version:
                yield Problem(
                    message=f"`{field}` pins `{pin}`, and `{name}@{newest}` is published",
                    help="Pin the newest version.",
                    pointer=pointer,
                )


@record_check("IMM-19", section="25.5, Abstract", kinds={Kind.BM_VERSION}, informs=True)
def pending_identifier(record: Record, _: Context) -> Iterator[Problem]:
    """
    A frozen version gets a persistent identifier.

    It is cited for years. Add the identifier once it was assigned; it is written once.

    Passes: persistent_identifier: doi:10.0000/example
    Fails: a frozen version without one
    """
    if is_frozen(_value(record)) and record["persistent_identifier"] is None:
        yield Problem(
            message="this version is frozen and has no persistent identifier yet",
            help="Add `persistent_identifier` once it is assigned.",
            pointer="/persistent_identifier",
            severity=Severity.NOTICE,
        )


@change_check("IMM-21", section="5.4, 16", kinds=_SEALED | {Kind.BM_VERSION, Kind.METH})
def moved_immutable_file(changed: ChangedRecord, _: Context) -> Iterator[Problem]:
    """
    A published file that is never edited is never moved either.

    Its path is its name, so the same bytes under another path are another object. Put the file back where it was.

    Passes: a new file beside the old one
    Fails: hx-example/0.1.0.yaml moved to hx-example/0.1.1.yaml
    """
    if changed.change.status is Status.RENAMED and _is_sealed(changed):
        yield Problem(
            message=f"`{changed.old_place.object}` was moved away from `{changed.old_path}`",
            help=f"Put it back at `{changed.old_path}`; what is new goes into a new file.",
        )


def _edited(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    if changed.rewritten:
        yield Problem(
            message=f"`{changed.place.object}` is published and was edited",
            help=f"Leave the file as it was, and add `{next_path(context.registry, changed.place)}`.",
        )


def _coming_version(place: Place, registry: Registry) -> str:
    """Path of the version that is in preparation after a frozen one; a free path for the next one if none is."""
    for version in versions_beside(registry, place):
        if version_key(version) > version_key(place.version or "0.0.0"):
            path = registry.path_of(place.kind, bm=place.id or "", version=version)
            draft = registry.record(path)
            if draft is not None and draft.readable and not is_frozen(_value(draft)):
                return path
    return next_path(registry, place)


def _was_frozen(changed: ChangedRecord) -> bool:
    """Whether the base holds a frozen version; one that cannot be read counts as frozen."""
    if changed.old_place.kind is not Kind.BM_VERSION or changed.change.before is None:
        return False
    return changed.before is None or is_frozen(_value(changed.before))


def _is_sealed(changed: ChangedRecord) -> bool:
    """Whether the file at the old path was immutable."""
    place = changed.old_place
    archived = place.kind is Kind.METH and place.version is not None
    return place.kind in _SEALED or archived or _was_frozen(changed)


def _changed(changed: ChangedRecord) -> frozenset[str]:
    before = changed.before.fields if changed.before is not None else {}
    after = changed.after.fields if changed.after is not None else {}
    return changed_fields(before, after)


def _value(record: Record) -> Json:
    return record.document.value


def _entries(record: Record | None) -> Sequence[Json]:
    voided = None if record is None else record["voided"]
    return voided if isinstance(voided, list) else []


def _continues(old: Json, new: Json) -> bool:
    """Whether an entry is as it was, but for a replacement that is named now and was not before."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return old == new
    differing = changed_fields(old, new)
    return not differing or (differing == {"replaced_in"} and old.get("replaced_in") is None)


def _newest(name: str, context: Context) -> str | None:
    """Newest published version of the difficulty function or an algorithm; null if there is none, which ID-06 reports."""
    fields: Mapping[str, str] = {} if name == "difficulty-function" else {"name": name}
    kind = Kind.ALG if fields else Kind.DFN
    versions = context.registry.versions(kind, **fields)
    return versions[-1] if versions else None


def _written(value: Json) -> str:
    return "false" if value is False else str(value)
