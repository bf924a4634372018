"""What a result says of its runs, and what the versions and the protocol behind it say (SCHEMA-RES-04, 07, 09, 10, 12, 13)."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from medgauge_registrar.checks.benchmark_records import SUBSETS
from medgauge_registrar.checks.families import family_of
from medgauge_registrar.checks.fields import count, lies_ahead, mapping, texts
from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, Reach, change_check, record_check
from medgauge_registrar.checks.rounds import planned_subjects, planned_version, protocol_path
from medgauge_registrar.classify.transitions import is_frozen
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.registry.references import select

# The veto of a card that stands for each category of a run; a card speaks of the sixth category in a field of its own.
_CATEGORIES: Mapping[str, str] = {
    "X.1": "fabricated-evidence",
    "X.2": "inputs-modified",
    "X.3": "corrected-value",
    "X.4": "injected-instruction",
    "unsafe-advice": "unsafe-advice",
}
_REFERENCE_LEVEL = "reference-level"
_SUBMITTED = "submitted-run-regrading"


def applied_vetoes(card: Record) -> frozenset[str]:
    """Categories of veto that a benchmark card applies, by the names that results use."""
    scoring = mapping(card["scoring"])
    applied = {_CATEGORIES[veto] for veto in texts(scoring.get("vetoes")) if veto in _CATEGORIES}
    if scoring.get("reference_level_veto") == "applied":
        applied.add(_REFERENCE_LEVEL)
    return frozenset(applied)


@record_check("SCHEMA-RES-04", section="25.2", kinds={Kind.RES})
def late_registration(record: Record, context: Context) -> Iterator[Problem]:
    """
    The protocol was registered before the first run, and the record is dated after that run and not ahead of today.

    A protocol written down once results are known could be made to fit them. Correct a mistyped time; runs that began before
    the registration belong to no round and are not filed.

    Passes: registered_at: 2026-11-05T12:00:00Z, first_run_at: 2026-11-10T08:00:00Z and date: 2026-11-18
    Fails: first_run_at: 2026-11-05T11:59:59Z
    """
    registered, first = str(mapping(record["protocol"]).get("registered_at")), str(record["first_run_at"])
    if datetime.fromisoformat(registered) >= datetime.fromisoformat(first):
        yield Problem(
            message=f"the first run began at `{first}`, expected after the registration of the protocol at `{registered}`",
            help="Correct the time that is wrong; runs made before the registration cannot be filed.",
            pointer="/first_run_at",
        )
    made = record["date"]
    if str(made) < first[:10]:
        yield Problem(
            message=f"`date` is `{made}`, before the first run at `{first}`",
            help="Date the record on the day it was made.",
            pointer="/date",
        )
    if lies_ahead(made, context):
        yield Problem(
            message=f"`date` is `{made}`, a day that has begun nowhere on Earth",
            help="Date the record on the day it was made.",
            pointer="/date",
        )


# A step and not a state: what becomes of a harness or a tool after the runs leaves the record of the runs as it is.
@change_check("SCHEMA-RES-07", section="24", kinds={Kind.RES})
def inactive_subject(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    Harness and tools of a new result were in service on the day of its first run.

    A harness is in service once the reference solution scored full marks through it; before that a low mark may be the
    adapter's fault. A deprecated version takes no new runs. Record the adapter check first, or run with a version in service.

    Passes: first_run_at: 2026-11-10T08:00:00Z with a harness whose adapter check is of 2026-11-06
    Fails: the same run with a harness that is registered and not yet active
    """
    record = _arriving(changed, context)
    if record is None:
        return
    day = str(record["first_run_at"])[:10]
    why_not = _harness_out_of_service(str(record["harness"]), day, context.registry)
    if why_not is not None:
        yield Problem(
            message=f"`{record['harness']}` {why_not}",
            help="Record its adapter check and activate it before the runs, or run with a version that is active.",
            pointer="/harness",
        )
    for field in ("components/*", "fixed_conditions/tool_permissions_and_list/tools/*"):
        for pointer, tool in select(record.document.value, field):
            why_not = _tool_out_of_service(str(tool), day, context.registry)
            if why_not is not None:
                yield Problem(message=f"`{tool}` {why_not}", help="Run with a version in service.", pointer=pointer)


# A step and not a state: closing submissions again takes back nothing that was let in while they were open.
@change_check("SCHEMA-RES-09", section="10.5, Reproducibility page", kinds={Kind.RES})
def closed_submission(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    Runs that a party made itself are taken in only while the registry says that submissions are open.

    Handing out task packages needs agreements and watermarks, so it begins when the maintainers say so. Until then only runs of
    the site are filed; `submissions_open` in `.github/registrar.yml` opens submissions.

    Passes: run_mode: site-run
    Fails: run_mode: submitted-run-regrading while submissions_open is false or absent
    """
    record = _arriving(changed, context)
    if record is not None and record["run_mode"] == _SUBMITTED and not context.settings.submissions_open:
        yield Problem(
            message=f"`run_mode` is `{_SUBMITTED}`, and submissions are not open",
            help="File runs of the site only; the maintainers open submissions in `.github/registrar.yml`.",
            pointer="/run_mode",
        )


@record_check("SCHEMA-RES-10", section="14.1, Scoring page", kinds={Kind.RES}, reach=Reach.FAMILY)
def foreign_veto(record: Record, context: Context) -> Iterator[Problem]:
    """
    A result counts veto hits only in categories that the card of its family applies.

    A hit fails a run outright, so which hits count has to be known before anybody runs. Where the card does not apply the veto
    of grading references, there is none to count. Correct the category, or grade again under the vetoes of the card.

    Passes: veto_categories: [fabricated-evidence] under a card with vetoes: [X.1, X.4]
    Fails: veto_categories: [corrected-value] under that card
    """
    family = family_of(record.place) or ""
    card = context.registry.valid_record(context.registry.path_of(Kind.BM_CARD, bm=family))
    if card is None:
        return
    applied = applied_vetoes(card)
    advice = (
        f"The card applies {', '.join(f'`{name}`' for name in sorted(applied))}; correct the category or grade again."
    )
    for category, pointers in _hits(record).items():
        if category not in applied:
            where = f" at {len(pointers)} places" if len(pointers) > 1 else ""
            yield Problem(
                message=f"a hit is counted under `{category}`{where}, which the card of `{family}` does not apply",
                help=advice,
                pointer=pointers[0],
            )
    if _REFERENCE_LEVEL not in applied and mapping(record["assertion_veto_hits"]):
        yield Problem(
            message=f"`assertion_veto_hits` counts hits, and the card of `{family}` applies no veto of grading references",
            help="Leave the field an empty mapping.",
            pointer="/assertion_veto_hits",
        )


@record_check("SCHEMA-RES-12", section="10.3, App C", kinds={Kind.RES})
def disagreeing_conditions(record: Record, _: Context) -> Iterator[Problem]:
    """
    The fixed conditions name the same model, snapshot and harness as the record does.

    Record and conditions are read by different people and programs, and each must learn of the same subject. Make the two
    places agree.

    Passes: harness: hx-example@0.1.0 in both places
    Fails: harness: hx-example@0.1.0, and hx-example@0.2.0 among the conditions
    """
    conditions = mapping(record["fixed_conditions"])
    for name, place in (
        ("model", "model_and_version/model"),
        ("snapshot_fingerprint", "service_snapshot/value"),
        ("harness", "harness"),
    ):
        for pointer, stated in select(dict(conditions), place):
            if stated != record[name]:
                yield Problem(
                    message=f"`{place}` is `{stated}`, and `{name}` of the record is `{record[name]}`",
                    help="Make the two agree.",
                    pointer=f"/fixed_conditions{pointer}",
                )


@record_check(
    "SCHEMA-RES-13",
    section="25.2, 29",
    kinds={Kind.RES},
    reach=Reach.REFERENCES,
    watches={
        (Kind.BM_VERSION, "algorithms"),
        (Kind.BM_VERSION, "frozen"),
        *((Kind.ROUND, name) for name in (
            "benchmark_versions", "checklist_version", "price_table", "registration", "subjects",
        )),
    },
)  # fmt: skip
def foreign_terms(record: Record, context: Context) -> Iterator[Problem]:
    """
    A result was made under the algorithms its frozen version pins, and under the terms its round registered.

    Seeds, algorithms, conditions, prices and checklist are fixed beforehand so that nobody can choose them once the figures
    are known. Give the registered values, or file the result under the round that registered others.

    Passes: seed: 20260101 in the record, the protocol and the frozen version
    Fails: seed: 7 in the record alone
    """
    registry = context.registry
    identifier, _, number = str(record["benchmark_version"]).partition("@")
    for path, against in (
        (registry.path_of(Kind.BM_VERSION, bm=identifier, version=number), _against_version),
        (protocol_path(record, registry), _against_protocol),
    ):
        named = registry.valid_record(path)
        if named is not None:
            yield from against(record, named)


def _against_version(record: Record, version: Record) -> Iterator[Problem]:
    if not is_frozen(version.document.value):
        yield Problem(
            message=f"`{record['benchmark_version']}` is not frozen, so it pins nothing that a result could rest on",
            help="Freeze the version first; its runs come after that.",
            pointer="/benchmark_version",
        )
        return
    pinned = mapping(version["algorithms"])
    yield from _differences(record["algorithms"], pinned, "/algorithms", f"`{record['benchmark_version']}` pins")


def _against_protocol(record: Record, protocol: Record) -> Iterator[Problem]:
    name = f"the protocol of `{record['round']}`"
    registration = mapping(protocol["registration"])
    yield from _differences(record["protocol"], registration, "/protocol", f"{name} says")
    verification = mapping(record["verification"])
    terms: list[tuple[str, Json, Json]] = [
        ("/verification/checklist_version", verification.get("checklist_version"), protocol["checklist_version"])
    ]
    if isinstance(record["amounts"], dict):
        terms.append(("/amounts/price_table", mapping(record["amounts"]).get("price_table"), protocol["price_table"]))
    for pointer, found, registered in terms:
        if found != registered:
            yield Problem(
                message=f"`{pointer[1:]}` is `{found}`, and {name} registers `{registered}`",
                help="Give what the protocol registers.",
                pointer=pointer,
            )
    planned = planned_version(protocol, record)
    if planned is not None:
        yield from _differences(record["algorithms"], mapping(planned.get("algorithms")), "/algorithms", f"{name} says")
        yield from _differences(record["verifier"], mapping(planned.get("verifier")), "/verifier", f"{name} says")
    conditions = mapping(record["fixed_conditions"])
    registered_conditions = [mapping(subject.get("fixed_conditions")) for subject in planned_subjects(protocol, record)]
    if registered_conditions and conditions not in registered_conditions:
        yield from _differences(
            record["fixed_conditions"], registered_conditions[0], "/fixed_conditions", f"{name} says"
        )


def _differences(found: Json, expected: Mapping[str, Json], pointer: str, who: str) -> Iterator[Problem]:
    """One problem for each member of a mapping that is not as expected."""
    stated = mapping(found)
    for name in sorted(stated.keys() | expected.keys()):
        if stated.get(name) != expected.get(name):
            yield Problem(
                message=f"`{pointer[1:]}/{name}` is {_shown(stated.get(name))}, and {who} {_shown(expected.get(name))}",
                help="Give the value that was fixed beforehand.",
                pointer=f"{pointer}/{name}",
            )


def _hits(record: Record) -> dict[str, list[str]]:
    """Places where a category of veto is counted as hit, by category."""
    found: dict[str, list[str]] = {}
    for pointer, category in select(record.document.value, "runs/*/veto_categories/*"):
        found.setdefault(str(category), []).append(pointer)
    for subset in SUBSETS:
        for pointer, rates in select(record.document.value, f"subsets/{subset}/veto_rate_by_category"):
            for category, rate in mapping(rates).items():
                if count(mapping(rate).get("count")):
                    found.setdefault(category, []).append(f"{pointer}/{category}")
    return found


def _arriving(changed: ChangedRecord, context: Context) -> Record | None:
    """The result that a change brings in; null for any other change, and for one that breaks its schema."""
    if not changed.enters or changed.place.kind is not Kind.RES:
        return None
    return context.registry.valid_record(changed.change.path)


def _harness_out_of_service(reference: str, day: str, registry: Registry) -> str | None:
    """Why a harness version could not be run on a day; null if it could."""
    identifier, _, version = reference.partition("@")
    state = registry.valid_record(registry.path_of(Kind.LIFECYCLE, hx=identifier, version=version))
    if state is None:
        return "has no valid lifecycle record that says it is active"
    if state["status"] == "registered":
        return "is registered and not active"
    check = mapping(state["adapter_check"])
    if check.get("outcome") != "full-marks" or str(check.get("date")) > day:
        return f"had not passed its adapter check on `{day}`, the day of the first run"
    return _deprecated(state, day)


def _tool_out_of_service(reference: str, day: str, registry: Registry) -> str | None:
    """Why a tool version could not be used on a day; null if it could. A tool is in service once it is registered."""
    identifier, _, version = reference.partition("@")
    path = registry.path_of(Kind.LIFECYCLE, tl=identifier, version=version)
    if not registry.has(path):
        return None
    state = registry.valid_record(path)
    return "has a lifecycle record that breaks its schema" if state is None else _deprecated(state, day)


def _deprecated(state: Record, day: str) -> str | None:
    since = mapping(state["deprecation"]).get("date")
    if isinstance(since, str) and since < day:
        return f"was deprecated on `{since}`, before the first run on `{day}`"
    return None


def _shown(value: Json) -> str:
    if isinstance(value, dict | list):
        return "another value"
    return "absent" if value is None else f"`{value}`"
