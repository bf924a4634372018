"""Evidence of a freeze: the eleven gates, that they belong to one package, and the order of their days (GATE-01…13)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import timedelta
from typing import TypeAlias

from medgauge_registrar.checks import benchmark_families, benchmarks, difficulty_functions, grading_references
from medgauge_registrar.checks.fields import mapping
from medgauge_registrar.checks.framework import Context, RecordCheck
from medgauge_registrar.model.change import Kind, Transition
from medgauge_registrar.model.decision import EvidenceState, SeatState
from medgauge_registrar.model.document import Json
from medgauge_registrar.model.roster import Role
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.requirements.evidence import UNTOLD, Answer, EvidenceView, Provider
from medgauge_registrar.requirements.reference_history import summarised_references
from medgauge_registrar.requirements.separation_view import worst

# What one piece of evidence comes to for one version: the state, and why it is no better.
_Outcome: TypeAlias = tuple[EvidenceState, str]
_Judge: TypeAlias = Callable[[Record, EvidenceView], Iterable[_Outcome]]
_BEFORE_ACCEPTANCE = tuple(str(number) for number in range(1, 11))
_DEFERRED = "deferred"
_LEVELS = ("L1", "L2", "L3", "L4", "L5")
_FAILED, _MISSING, _UNDECIDED = EvidenceState.FAILED, EvidenceState.MISSING, EvidenceState.UNDECIDED


def _provider(satisfied: str, judge: _Judge) -> Provider:
    """Ask about every version that is frozen; the worst answer counts, with all the reasons for it."""

    def answer(view: EvidenceView) -> Answer:
        outcomes: list[_Outcome] = []
        versions = list(_frozen_here(view))
        for record in versions:
            if record is None:
                outcomes.append((_UNDECIDED, "the version breaks its schema or cannot be read"))
            else:
                named = f"`{record.place.object}`: " if len(versions) > 1 else ""
                outcomes.extend((state, f"{named}{why}") for state, why in judge(record, view))
        if not outcomes:
            state = EvidenceState.SATISFIED if versions else _UNDECIDED
            return Answer(state=state, message=satisfied if versions else "no version is frozen here")
        state = worst(state for state, _ in outcomes)
        return Answer(state=state, message="; ".join(dict.fromkeys(why for found, why in outcomes if found is state)))

    return answer


def _gate(number: int, satisfied: str, *more: _Judge) -> tuple[str, Provider]:
    """The provider of one gate: its record, and what else the public side shows."""

    def judge(record: Record, view: EvidenceView) -> Iterator[_Outcome]:
        yield from _recorded(mapping(record["gate_evidence"]).get(str(number)), number, record, view)
        for one in more:
            yield from one(record, view)

    return f"GATE-{number:02}", _provider(satisfied, judge)


def _recorded(entry: Json, number: int, record: Record, view: EvidenceView) -> Iterator[_Outcome]:
    """Whether a gate has a record: a reference, the outcome, and a day no later than the freeze."""
    gate, frozen_on = mapping(entry), record["frozen_on"]
    if not isinstance(gate.get("record_ref"), str) or not isinstance(gate.get("date"), str):
        yield _MISSING, f"gate {number} has no record with a reference and a day"
        return
    if gate.get("outcome") != "passed":
        yield _FAILED, f"gate {number} is not recorded as passed"
    if not isinstance(frozen_on, str) or str(gate["date"]) > frozen_on:
        yield _FAILED, f"gate {number} was recorded on `{gate['date']}`, after the freeze on `{frozen_on}`"
    elif str(gate["date"]) > _latest_day(view):
        yield _FAILED, f"gate {number} is dated `{gate['date']}`, a day that has begun nowhere on Earth"


def _before_the_first_run(record: Record, view: EvidenceView) -> Iterator[_Outcome]:
    day = mapping(mapping(record["gate_evidence"]).get("4")).get("date")
    folder = view.head.path_of(
        Kind.RES, bm=record.place.id or "", version=record.place.version or "", res="res"
    ).rpartition("/")[0]
    for path, _ in view.head.tree.walk(folder):
        result = view.head.record(path)
        first = None if result is None else result["first_run_at"]
        if not isinstance(first, str) or not isinstance(day, str):
            yield _UNDECIDED, f"when the first run of `{path}` began cannot be told"
        elif day >= first[:10]:
            yield _FAILED, f"the prediction is dated `{day}`, not before the first run at `{first}`"


def _structural_class(record: Record, view: EvidenceView) -> Iterator[_Outcome]:
    """The pinned function is whole, and is that of Appendix A where it says so; the classes stated can follow from it."""
    path = view.head.path_of(Kind.DFN, version=str(record["difficulty_function"]).partition("@")[2])
    function = view.head.valid_record(path)
    if function is None:
        yield _FAILED, f"`{record['difficulty_function']}` is not published, so no class follows from it"
    else:
        yield from _checked(function, view, difficulty_functions.unusable_difficulty_function)
    yield from _checked(
        record,
        view,
        benchmarks.class_without_components,
        benchmark_families.task_below_entry_class,
        benchmarks.unbalanced_counts,
    )


def _checks_and_references(record: Record, view: EvidenceView) -> Iterator[_Outcome]:
    for reference in summarised_references(record):
        name, _, version = reference.partition("@")
        if view.head.valid_record(view.head.path_of(Kind.GR, gr=name, version=version)) is None:
            yield _FAILED, f"`{reference}` is not registered"
    yield from _checked(
        record,
        view,
        grading_references.unchecked_reference_in_use,
        benchmarks.uncovered_label,
        benchmarks.unfounded_check,
    )


def _stated_basis(record: Record, view: EvidenceView) -> Iterator[_Outcome]:
    card = view.head.valid_record(view.head.path_of(Kind.BM_CARD, bm=record.place.id or ""))
    if card is None:
        yield _UNDECIDED, "the card of the family breaks its schema or cannot be read"
    elif not str(card["deidentification_basis"] or "").strip():
        yield _FAILED, "the card does not say on what basis materials count as de-identified"


def _accepted(record: Record, view: EvidenceView) -> Iterator[_Outcome]:
    acceptance = mapping(record["acceptance"])
    if not isinstance(acceptance.get("record_ref"), str):
        yield _MISSING, "the version names no record of its acceptance"
    yield from _by_seat(view, Role.ACCEPTOR, "ROLE-06", "nobody has attested to have received the package alone")


def _roles_apart(_: Record, view: EvidenceView) -> Iterator[_Outcome]:
    if _FAILED in {view.separation.get(rule) for rule in ("ROLE-01", "ROLE-02")}:
        yield _FAILED, "the closed record contradicts the separation of roles; nothing more of it is told"
        return
    for rule in ("ROLE-01", "ROLE-02"):
        yield from _by_seat(view, Role.MAINTAINER, rule, "nobody has attested that the roles were kept apart")


def _by_seat(view: EvidenceView, role: Role, rule: str, why: str) -> Iterator[_Outcome]:
    """What a rule of separation comes to, once every seat is filled; the ledger may answer it, and is closed before."""
    if any(seat.role == role and seat.state is SeatState.OPEN for seat in view.seated.seats):
        yield _MISSING, f"the {role} has not approved yet"
    elif view.ledger is None:
        yield _MISSING, UNTOLD
    elif view.separation.get(rule) is not EvidenceState.SATISFIED:
        yield _UNDECIDED, why + _other_package(view)


def _other_package(view: EvidenceView) -> str:
    """A hint where somebody attested a package that no version here pins."""
    pinned = {(record.place.object, record["package_sha256"]) for record in _frozen_here(view) if record is not None}
    versions = {version for version, _ in pinned}
    astray = any(one.version in versions and (one.version, one.package_sha256) not in pinned for one in view.attested)
    return "; an attestation names another package than the version file" if astray else ""


def _baseline_or_deferred(record: Record, view: EvidenceView) -> Iterator[_Outcome]:
    entry = mapping(record["gate_evidence"]).get("11")
    if entry != _DEFERRED:
        yield from _recorded(entry, 11, record, view)
        return
    thresholds = _thresholds(view.head)
    if thresholds is None:
        yield _UNDECIDED, "whether a level threshold is set cannot be told, since there are no valid level rules"
    elif thresholds:
        yield (
            _FAILED,
            f"gate 11 is deferred, and a threshold is set for {', '.join(f'`{level}`' for level in thresholds)}",
        )


def _thresholds(registry: Registry) -> tuple[str, ...] | None:
    """Levels with a threshold in the newest level rules; null without valid rules."""
    versions = registry.versions(Kind.LVL)
    rules = registry.valid_record(registry.path_of(Kind.LVL, version=versions[-1])) if versions else None
    if rules is None:
        return None
    levels = mapping(rules["levels"])
    return tuple(level for level in _LEVELS if mapping(levels.get(level)).get("threshold") is not None)


def _one_package(record: Record, view: EvidenceView) -> Iterator[_Outcome]:
    package = record["package_sha256"]
    if not isinstance(package, str):
        yield _MISSING, "the version names no digest of its package"
        return
    facts = None if view.ledger is None else view.ledger.benchmark_versions.get(record.place.object)
    if facts is not None and facts.package_sha256 != package:
        yield _FAILED, "the closed record names another package than the version file; nothing more of it is told"
    elif facts is None:
        yield from _by_seat(view, Role.ACCEPTOR, "ROLE-06", "no acceptor has signed for the digest of the package")


def _days_in_order(record: Record, view: EvidenceView) -> Iterator[_Outcome]:
    accepted, frozen_on = mapping(record["acceptance"]).get("date"), record["frozen_on"]
    if not isinstance(accepted, str) or not isinstance(frozen_on, str):
        yield _MISSING, "the day of the acceptance or of the freeze is not given"
        return
    gates = mapping(record["gate_evidence"])
    for number in _BEFORE_ACCEPTANCE:
        day = mapping(gates.get(number)).get("date")
        if isinstance(day, str) and day > accepted:
            yield _FAILED, f"gate {number} was recorded on `{day}`, after the acceptance on `{accepted}`"
    if accepted > frozen_on:
        yield _FAILED, f"the acceptance is of `{accepted}`, after the freeze on `{frozen_on}`"
    if frozen_on > _latest_day(view):
        yield _FAILED, f"the freeze is dated `{frozen_on}`, a day that has begun nowhere on Earth"


def _checked(record: Record, view: EvidenceView, *checks: RecordCheck) -> Iterator[_Outcome]:
    """What checks of the record find, which the findings show with their places."""
    context = Context(registry=view.head, settings=view.settings, latest_day=(view.now + _FURTHEST_AHEAD).date())
    for check in checks:
        for problem in check.run(record, context):
            yield _FAILED, f"{check.rule}: {problem.message}"


def _latest_day(view: EvidenceView) -> str:
    return (view.now + _FURTHEST_AHEAD).date().isoformat()


def _frozen_here(view: EvidenceView) -> Iterator[Record | None]:
    for item in view.own:
        if item.change.kind is Kind.BM_VERSION and item.change.transition is Transition.FREEZE:
            yield view.head.valid_record(item.change.path)


# A day that has begun anywhere on earth is not in the future (UTC+14).
_FURTHEST_AHEAD = timedelta(hours=14)

GATES: Mapping[str, Provider] = dict(
    [
        _gate(1, "on record: the reference solution scores full marks"),
        _gate(2, "on record: constructed wrong artifacts fail"),
        _gate(3, "on record: two expert keys and the key card"),
        _gate(4, "on record before any run: the prediction", _before_the_first_run),
        _gate(5, "on record: classes by the function in force", _structural_class),
        _gate(6, "on record, and the acceptor approves", _accepted),
        _gate(7, "on record: every reference is registered and its clause checked", _checks_and_references),
        _gate(8, "on record: materials de-identified or synthetic", _stated_basis),
        _gate(9, "on record, and the roles were kept apart", _roles_apart),
        _gate(10, "on record: a conformant alternative passes"),
        ("GATE-11", _provider("on record, or deferred while no threshold is set", _baseline_or_deferred)),
        ("GATE-12", _provider("all gates belong to the package that was accepted", _one_package)),
        ("GATE-13", _provider("gates, acceptance and freeze follow one another", _days_in_order)),
    ]
)
