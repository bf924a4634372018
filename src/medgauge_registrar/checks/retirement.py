"""Going out of use (IMM-15, IMM-16): deprecation of harnesses and tools, retirement of capabilities."""

from collections.abc import Iterator
from datetime import date

from medgauge_registrar.checks.fields import lies_ahead, mapping
from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, change_check
from medgauge_registrar.classify.transitions import is_frozen
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.registry.layout import Place
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.registry.references import described_path

# Frozen benchmark versions without a result after which a harness or tool version counts as unused (section 24).
IDLE_VERSIONS = 2


@frozen
class Idleness:
    """
    How long a harness or tool version has gone without a result.

    Attributes:
        since: Day of its last result, or of its introduction if it never had one; null if that cannot be told.
        frozen: Benchmark versions frozen after that day, sorted.
    """

    since: date | None
    frozen: tuple[str, ...]

    @property
    def is_unused(self) -> bool:
        """Whether enough benchmark versions went by; false if that cannot be told."""
        return self.since is not None and len(self.frozen) >= IDLE_VERSIONS


@change_check("IMM-15", section="24", kinds={Kind.LIFECYCLE})
def groundless_deprecation(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A harness or tool version is deprecated at its maintainer's request, or after two benchmark versions without a result.

    Deprecation warns readers off, so it needs one of the two grounds, and the second is counted: two benchmark versions, of
    any family, were frozen after the last result that names it. Wait for the second version, or name the request.

    Passes: ground: maintainer-request
    Fails: ground: no-result-in-two-versions, one frozen version after its last result
    """
    if changed.after is None or changed.place.kind is not Kind.LIFECYCLE:
        return
    if changed.before is not None and changed.before["deprecation"] == changed.after["deprecation"]:
        return
    day = mapping(changed.after["deprecation"]).get("date")
    if lies_ahead(day, context):
        yield Problem(
            message=f"the deprecation is dated `{day}`, a day that has begun nowhere on Earth",
            help="Give the day on which the version is marked.",
            pointer="/deprecation/date",
        )
    if not _is_counted(changed.after):
        return
    idle = idleness(changed.place, context.registry)
    if idle.is_unused:
        return
    if idle.since is None:
        message = "when the version had its last result cannot be told, since a record is missing or unreadable"
    else:
        message = (
            f"since {idle.since}, when the version was last used or introduced, {len(idle.frozen)} benchmark versions were"
            f" frozen; expected at least {IDLE_VERSIONS}"
        )
    yield Problem(
        message=message,
        help="Wait until two further benchmark versions are frozen, or give the maintainer's request as the ground.",
        pointer="/deprecation/ground",
    )


@change_check("IMM-16", section="12.5", kinds={Kind.CAP})
def unfounded_retirement(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A capability retires because it is saturated, or because another takes it over in the end.

    Readers of an old capability must arrive at one that is in use: following `merged_into` may not lead in a circle. That
    three frontier tiers stood at PASS^3 of 0.95 or more in two versions is for reviewers to see; nothing published defines
    the tiers.

    Passes: A.1 merged into A.2, which is active
    Fails: A.1 merged into A.2 and A.2 merged into A.1
    """
    after = changed.after
    retirement = None if after is None or changed.place.kind is not Kind.CAP else after["retirement"]
    if not isinstance(retirement, dict) or (changed.before is not None and changed.before["retirement"] == retirement):
        return
    if lies_ahead(retirement.get("date"), context):
        yield Problem(
            message=f"the retirement is dated `{retirement.get('date')}`, a day that has begun nowhere on Earth",
            help="Give the day on which the capability retires.",
            pointer="/retirement/date",
        )
    if retirement.get("ground") == "saturated":
        yield Problem(
            message="whether three frontier tiers reached PASS^3 of 0.95 in two versions is not computed here",
            help="Reviewers compare the results that the reason names.",
            pointer="/retirement/ground",
            severity=Severity.NOTICE,
        )
    met, in_circle = _followed(str(changed.place.id), context.registry)
    if in_circle:
        yield Problem(
            message=f"following `merged_into` leads in a circle: {' → '.join(met)}",
            help="Name a capability that stays in use.",
            pointer="/retirement/merged_into",
        )
    elif len(met) > 1 and _is_retired(met[-1], context.registry):
        yield Problem(
            message=f"following `merged_into` ends at `{met[-1]}`, which is retired",
            help="Name a capability that stays in use.",
            pointer="/retirement/merged_into",
        )


def idleness(sidecar: Place, registry: Registry) -> Idleness:
    """
    Count the benchmark versions frozen since a harness or tool version was last used.

    Args:
        sidecar: Path of its lifecycle record.
        registry: The registry to count in.

    Source:
        Methodology, section 24; which family counts is left open there, so versions of any family do.
    """
    since = _last_use(sidecar, registry)
    if since is None:
        return Idleness(since=None, frozen=())
    frozen = [place.object for place, day in _frozen_versions(registry) if day > since]
    return Idleness(since=since, frozen=tuple(sorted(frozen)))


def _is_counted(record: Record) -> bool:
    deprecation = record["deprecation"]
    return isinstance(deprecation, dict) and deprecation.get("ground") == "no-result-in-two-versions"


def _last_use(sidecar: Place, registry: Registry) -> date | None:
    described = described_path(sidecar, registry.layout)
    entry = registry.record(described[1]) if described else None
    days = [None if entry is None else _day(entry["introduced"])]
    # A backslash may hide a name behind an escape, so such files are read as well.
    for path in registry.tree.mentions(registry.layout.folder(Kind.RES), (sidecar.object, "\\")):
        record = registry.record(path)
        if record is None or not record.readable:
            days.append(None)
        elif _names(record.document.value, sidecar.object):
            days.append(_day(record["date"]))
    known = [day for day in days if day is not None]
    return max(known) if len(known) == len(days) else None


def _frozen_versions(registry: Registry) -> Iterator[tuple[Place, date]]:
    for path, _ in registry.tree.walk(registry.layout.folder(Kind.BM_VERSION)):
        place = registry.layout.place(path)
        if place.kind is not Kind.BM_VERSION:
            continue
        record = registry.valid_record(path)
        day = None if record is None else _day(record["frozen_on"])
        if record is not None and day is not None and is_frozen(record.document.value):
            yield place, day


def _names(value: Json, reference: str) -> bool:
    """Whether a reference stands anywhere in a record."""
    pending = [value]
    while pending:
        node = pending.pop()
        if node == reference:
            return True
        if isinstance(node, dict):
            pending.extend(node.values())
        elif isinstance(node, list):
            pending.extend(node)
    return False


def _followed(capability: str, registry: Registry) -> tuple[list[str], bool]:
    """The capabilities met when `merged_into` is followed, and whether one of them came twice."""
    met = [capability]
    while True:
        record = registry.record(registry.path_of(Kind.CAP, cap=met[-1]))
        target = mapping(None if record is None else record["retirement"]).get("merged_into")
        if not isinstance(target, str):
            return met, False
        met.append(target)
        if target in met[:-1]:
            return met, True


def _is_retired(capability: str, registry: Registry) -> bool:
    record = registry.record(registry.path_of(Kind.CAP, cap=capability))
    return record is not None and record["status"] == "retired"


def _day(value: Json) -> date | None:
    try:
        return date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
