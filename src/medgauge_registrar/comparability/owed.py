"""Which notices of non-comparability the changes of a pull request call for, and which boards each has to name."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from medgauge_registrar.checks.fields import mapping
from medgauge_registrar.classify.text_change import ChangeClass, Reason, TextChange, classify_text_change
from medgauge_registrar.comparability.boards import Boards, all_boards, boards_of, frozen_before
from medgauge_registrar.model.change import Change, Kind, Status, Transition
from medgauge_registrar.model.document import Json
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.registry.methodology_text import methodology_of, text_path
from medgauge_registrar.registry.records import Record, Registry, version_key
from medgauge_registrar.registry.references import select

SITE_WIDE = "site-wide"
# Rules under which a change of the method itself is announced, wherever it is written.
METHOD_RULES = frozenset({"NCN-03", "NCN-04", "NCN-09", "NCN-10", "NCN-16", "NCN-20"})
# Reasons that hold for whatever moves a published figure.
_ANY_CAUSE = ("NCN-04", "NCN-20")
# A further version of a family may be announced under any reason there was for it.
_FREEZE_RULES = frozenset({"NCN-01", "NCN-02", "NCN-05", "NCN-06", "NCN-07"})
_LEVELS = ("L0", "L1", "L2", "L3", "L4", "L5")
_LEVEL_CHAPTERS = ("5.6", "5.7", "appendix b")
_FUNCTION_CHAPTERS = ("appendix a",)
_FIRST_DAY = date.min.isoformat()


@frozen
class Cause:
    """
    How a notice names what it announces.

    Attributes:
        names: Names of the object, the usual one first: its path, and its versioned reference where it has one.
        rules: Rules that the notice may name, the usual one first.
        before: Version of the object before the change; null if it cannot be told.
        after: Versions that it may be said to lead to, the usual one first.
    """

    names: tuple[str, ...]
    rules: tuple[str, ...]
    before: str | None
    after: tuple[str, ...]


@frozen
class Owed:
    """
    One notice that a change calls for.

    Attributes:
        rule: Rule that asks for it.
        what: The change, in words that follow `no notice of`.
        causes: How it may name its cause, the usual way first.
        scopes: How far it may say that it reaches, the usual scope first.
        boards: Benchmark versions that it has to name.
        unclear: Paths of versions of which nobody can tell whether they have a board.
        since: Earliest day it may carry.
        notice: Identifier under which the changed object itself names it; null: none.
        required: Whether it has to be there; otherwise it is only no stray.
    """

    rule: str
    what: str
    causes: tuple[Cause, ...]
    scopes: tuple[str, ...]
    boards: frozenset[str]
    unclear: tuple[str, ...] = ()
    since: str = _FIRST_DAY
    notice: str | None = None
    required: bool = True

    def cause_of(self, name: str) -> Cause | None:
        """The cause that a notice means by the name of an object; null if it is another matter."""
        return next((cause for cause in self.causes if name in cause.names), None)


def owed_notices(base: Registry, head: Registry, changes: Sequence[Change]) -> tuple[Owed, ...]:
    """
    Name every notice that the changes call for, in the order of their paths.

    A new result, a renamed benchmark and other run conditions call for none (NCN-11, NCN-14, NCN-15).

    Raises:
        ReadError: Something that is needed could not be read.

    Source:
        Methodology, sections 5.4, 5.6, 8.4, 8.5, 12.4, 14.4, 22 and 29, and the scoring page.
    """
    found: list[Owed] = []
    for change in sorted(changes, key=lambda change: change.path):
        place = head.layout.place(change.path)
        if change.after is None:
            continue
        record = head.valid_record(change.path) if place.is_record else None
        if change.kind is Kind.BM_VERSION and change.transition is Transition.FREEZE and record is not None:
            owed = freeze_notice(record, head)
            found.extend([] if owed is None else [owed])
        elif change.kind is Kind.VOID and record is not None:
            found.extend(_void(change, record, base, head))
        elif change.kind is Kind.PRICE and change.status is Status.ADDED:
            found.append(_prices(change, base, head))
    return (*found, *_site_wide(base, head, changes))


def freeze_notice(record: Record, head: Registry) -> Owed | None:
    """
    The notice that a frozen version calls for, whatever was the reason for it (NCN-01, 02, 05, 06, 07).

    Args:
        record: The frozen version.
        head: The registry it stands in.

    Returns:
        The notice; null for the first frozen version of a family.

    Raises:
        ReadError: A version of the family could not be read.

    Source:
        Methodology, section 14.4.
    """
    family, version = record.place.id or "", record.place.version or ""
    boards = boards_of(head, family)
    before = frozen_before(record, boards)
    if before is None and not boards.unclear:
        return None
    rules = ("NCN-01", *sorted(_FREEZE_RULES - {"NCN-01"}))
    names = (record.path, record.place.object)
    return Owed(
        rule="NCN-01",
        what=f"the freeze of `{record.place.object}`, a further version of its family",
        causes=(Cause(names=names, rules=rules, before=before, after=(version,)),),
        scopes=("family", "boards"),
        boards=boards.versions,
        unclear=boards.unclear,
        since=_day(record["frozen_on"]),
        notice=record["notice"] if isinstance(record["notice"], str) else None,
    )


def _void(change: Change, record: Record, base: Registry, head: Registry) -> Iterator[Owed]:
    """Task versions voided anew (NCN-08): the board loses them, and another may have their replacement."""
    former = base.record(change.previous_path or change.path) if change.before is not None else None
    known = {key for _, key in select(former.document.value, "voided/*/task_key")} if former is not None else set()
    added = [
        mapping(entry)
        for _, entry in select(record.document.value, "voided/*")
        if mapping(entry).get("task_key") not in known
    ]
    if not added:
        return
    version, reference = record.place.version or "", record.place.object
    replaced = sorted({str(entry["replaced_in"]) for entry in added if isinstance(entry.get("replaced_in"), str)})
    boards = boards_of(head, record.place.id or "")
    after = (*(name.partition("@")[2] for name in replaced), version)
    yield Owed(
        rule="NCN-08",
        what=f"the task {'version' if len(added) == 1 else 'versions'} voided in `{reference}`",
        causes=(Cause(names=(record.path, reference), rules=("NCN-08",), before=version, after=after),),
        scopes=("boards", "family"),
        boards=frozenset({reference}) | (boards.versions & set(replaced)),
        unclear=boards.unclear,
        since=max(_day(entry.get("date")) for entry in added),
    )


def _prices(change: Change, base: Registry, head: Registry) -> Owed:
    """A price table needs no notice, but one that says so is no stray (NCN-12)."""
    version = head.layout.place(change.path).version or ""
    cause = Cause(
        names=(change.path, f"price-table@{version}"),
        rules=("NCN-12",),
        before=_newest_below(base.versions(Kind.PRICE), version),
        after=(version,),
    )
    return Owed(
        rule="NCN-12",
        what=f"price table `{version}`",
        causes=(cause,),
        scopes=("boards", "family", SITE_WIDE),
        boards=frozenset(),
        required=False,
    )


def _site_wide(base: Registry, head: Registry, changes: Sequence[Change]) -> Iterator[Owed]:
    """Changes of the method: thresholds, rules of aggregation, algorithms, difficulty functions (NCN-03, 09, 10, 16)."""
    text = _text_cause(base, head, changes)
    causes = [*_text_rules(base, head, changes), *_method_files(base, head, changes)]
    boards = all_boards(head) if causes else Boards(versions=frozenset(), unclear=())
    for rule, what, own in causes:
        # Everything enters through the methodology, so one notice of its new version may speak for all that came with it.
        yield Owed(
            rule=rule,
            what=what,
            causes=tuple(cause for cause in (own, text) if cause is not None),
            scopes=(SITE_WIDE, "boards") if rule == "NCN-16" else (SITE_WIDE,),
            boards=boards.versions,
            unclear=boards.unclear,
        )


def text_change(base: Registry, head: Registry, changes: Iterable[Change]) -> TextChange | None:
    """What a change of the text in force amounts to; null if it did not change. What cannot be read may say anything."""
    path = text_path(head.layout)
    if not any(change.path == path and change.status is Status.MODIFIED for change in changes):
        return None
    before, after = _prose(base, path), _prose(head, path)
    if before is None or after is None:
        reason = Reason(line=1, is_gone=before is None, words="the text cannot be read")
        return TextChange(change_class=ChangeClass.NON_COMPARABLE, reasons=(reason,), rules=frozenset({""}))
    return classify_text_change(before, after)


def _text_cause(base: Registry, head: Registry, changes: Sequence[Change]) -> Cause | None:
    """The new version of the methodology as a cause; null if it has none."""
    path = text_path(head.layout)
    before, after = (methodology_of(registry.tree, registry.layout).version for registry in (base, head))
    if before is None or after is None or before == after or not any(change.path == path for change in changes):
        return None
    names = (path, f"methodology@{after}")
    return Cause(names=names, rules=("NCN-04", *sorted(METHOD_RULES - {"NCN-04"})), before=before, after=(after,))


def _text_rules(base: Registry, head: Registry, changes: Sequence[Change]) -> Iterator[tuple[str, str, Cause | None]]:
    changed = text_change(base, head, changes)
    if changed is None:
        return
    by_rule: dict[str, set[str]] = {}
    for chapter in changed.rules:
        by_rule.setdefault(_rule_of(chapter), set()).add(chapter)
    for rule, chapters in sorted(by_rule.items()):
        named = ", ".join(sorted(filter(None, chapters))) or "the text"
        yield rule, f"the changed rules of the text ({named})", None
    if changed.environment_threshold:
        yield "NCN-16", "the number that came to section 8.5", None


def _rule_of(chapter: str) -> str:
    if chapter.startswith(_LEVEL_CHAPTERS):
        return "NCN-03"
    return "NCN-10" if chapter.startswith(_FUNCTION_CHAPTERS) else "NCN-09"


def _method_files(base: Registry, head: Registry, changes: Sequence[Change]) -> Iterator[tuple[str, str, Cause | None]]:
    """New versions of algorithms, difficulty functions and level rules."""
    for change in sorted(changes, key=lambda change: change.path):
        place = head.layout.place(change.path)
        if change.status not in {Status.ADDED, Status.RENAMED} or place.version is None:
            continue
        if place.kind is Kind.ALG:
            before = _newest_below(base.versions(Kind.ALG, name=place.id or ""), place.version)
            yield (
                "NCN-09",
                f"the statistical algorithm `{place.object}`",
                _file_cause("NCN-09", change, place.object, before),
            )
        elif place.kind is Kind.DFN:
            before = _newest_below(base.versions(Kind.DFN), place.version)
            yield "NCN-10", f"the new `{place.object}`", _file_cause("NCN-10", change, place.object, before)
        elif place.kind is Kind.LVL and (differing := _levels_moved(place.version, base, head)):
            before = _newest_below(base.versions(Kind.LVL), place.version)
            what = f"the level rules `{place.version}`, which change {', '.join(f'`{level}`' for level in differing)}"
            yield "NCN-03", what, _file_cause("NCN-03", change, place.object, before)


def _file_cause(rule: str, change: Change, reference: str, before: str | None) -> Cause | None:
    """The new file as a cause; null for the first of its name, which leads from no version to this one."""
    if before is None:
        return None
    rules = (rule, *_ANY_CAUSE)
    return Cause(names=(change.path, reference), rules=rules, before=before, after=(reference.partition("@")[2],))


def _levels_moved(version: str, base: Registry, head: Registry) -> tuple[str, ...]:
    """Levels whose threshold or rule differs from the rules before; every one where either cannot be read."""
    before = _newest_below(base.versions(Kind.LVL), version)
    new = head.valid_record(head.path_of(Kind.LVL, version=version))
    old = None if before is None else base.valid_record(base.path_of(Kind.LVL, version=before))
    if new is None or (old is None and before is not None):
        return _LEVELS
    return tuple(level for level in _LEVELS if _level(new, level) != _level(old, level, like=new))


def _level(rules: Record | None, level: str, *, like: Record | None = None) -> Mapping[str, Json]:
    """What counts of a level; of the first rules there are, only a threshold is news."""
    source = rules if rules is not None else like
    fields = dict(mapping(mapping(source["levels"]).get(level))) if source is not None else {}
    if rules is None:
        fields["threshold"] = None
    words = str(fields.get("rule", "")).casefold().split()
    return {"threshold": fields.get("threshold"), "rule": " ".join(words), "derived": fields.get("derived")}


def _newest_below(versions: Sequence[str], version: str) -> str | None:
    below = [other for other in versions if version_key(other) < version_key(version)]
    return max(below, key=version_key, default=None)


def _prose(registry: Registry, path: str) -> str | None:
    data = registry.tree.read(path) if registry.has(path) else None
    try:
        return None if data is None else data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _day(value: Json) -> str:
    return value if isinstance(value, str) else _FIRST_DAY
