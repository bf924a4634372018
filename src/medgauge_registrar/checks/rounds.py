"""Protocols of evaluation rounds, and the results that were made under them (SCHEMA-ROUND-01, 02)."""

from collections.abc import Iterator, Mapping

from medgauge_registrar.checks.fields import count, lies_ahead, mapping, texts
from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, Reach, change_check, record_check
from medgauge_registrar.classify.transitions import changed_fields, is_frozen
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.registry.references import select

_PINS = ("algorithms", "difficulty_function", "verifier")


def protocol_path(result: Record, registry: Registry) -> str:
    """Where the protocol of the round that a result names has to stand."""
    return registry.path_of(Kind.ROUND, name=str(result["round"]))


def planned_subjects(protocol: Record, result: Record) -> tuple[Mapping[str, Json], ...]:
    """What a protocol says of the subject of a result: an entry for each set of conditions; empty if it was not planned."""
    every = (mapping(entry) for _, entry in select(protocol.document.value, "subjects/*"))
    return tuple(entry for entry in every if _subject(entry) == _subject(result.fields))


def planned_version(protocol: Record, result: Record) -> Mapping[str, Json] | None:
    """What a protocol says of the benchmark version of a result; null if it was not planned."""
    for _, entry in select(protocol.document.value, "benchmark_versions/*"):
        if mapping(entry).get("benchmark_version") == result["benchmark_version"]:
            return mapping(entry)
    return None


@record_check(
    "SCHEMA-ROUND-01",
    section="25.2",
    kinds={Kind.ROUND},
    reach=Reach.REFERENCES,
    watches={(Kind.BM_VERSION, field) for field in (*_PINS, "class_distribution", "frozen")},
)
def unsound_protocol(record: Record, context: Context) -> Iterator[Problem]:
    """
    A protocol is registered, plans frozen versions with the pins they have, and predicts each class of their holdout once.

    The protocol is what the results of the round are held against, so it may not contradict itself or the versions it plans.
    Correct it before it is registered; what was registered with a mistake is registered anew.

    Passes: a frozen version with its own verifier, and a prediction for each class that has holdout tasks
    Fails: a version that is not frozen
    """
    registered = mapping(record["registration"]).get("registered_at")
    if lies_ahead(str(registered)[:10], context):
        yield Problem(
            message=f"the registration is of `{registered}`, a day that has begun nowhere on Earth",
            help="Give the time that the public registry shows.",
            pointer="/registration/registered_at",
        )
    for pointer, subject in select(record.document.value, "subjects/*"):
        yield from _subject_problems(mapping(subject), pointer)
    for pointer, planned in select(record.document.value, "benchmark_versions/*"):
        yield from _version_problems(mapping(planned), pointer, context.registry)


# A step and not a state: what the registration vouches for is what stood in the protocol when it was filed.
@change_check("SCHEMA-ROUND-01", section="25.2", kinds={Kind.ROUND})
def rewritten_protocol(changed: ChangedRecord, _: Context) -> Iterator[Problem]:
    """
    A protocol changes only together with its registration.

    The time stamp says that these very terms were public before the first run; other terms under the same stamp were not.
    Register the new protocol and name that registration, or put the former terms back.

    Passes: one more subject, and the link and time of a new registration
    Fails: one more subject under the old registration
    """
    if not changed.rewritten or changed.before is None or changed.after is None:
        return
    fields = changed_fields(changed.before.fields, changed.after.fields)
    if fields and "registration" not in fields:
        yield Problem(
            message=f"{', '.join(f'`{name}`' for name in sorted(fields))} changed under a registration that stayed the same",
            help="Register the changed protocol and name that registration, or put the former terms back.",
            pointer=f"/{min(fields)}",
        )


@record_check(
    "SCHEMA-ROUND-02",
    section="14, 25.1",
    kinds={Kind.RES},
    reach=Reach.REFERENCES,
    watches={(Kind.ROUND, "benchmark_versions"), (Kind.ROUND, "subjects")},
)
def unplanned_result(record: Record, context: Context) -> Iterator[Problem]:
    """
    A result of a round is about a subject and a benchmark version that the protocol of the round names.

    Otherwise the subjects that turned out well could be picked after the runs. File the result under the round that planned
    it, or correct what it says of its subject.

    Passes: model: Example Model A in a round that plans it
    Fails: model: Example Model B in that round
    """
    protocol = context.registry.valid_record(protocol_path(record, context.registry))
    if protocol is None:
        return
    if not planned_subjects(protocol, record):
        names = " with ".join(_subject_words(record.fields))
        yield Problem(
            message=f"the protocol of `{record['round']}` plans no subject {names}",
            help="Name the round that planned this subject, or correct the subject.",
            pointer="/round",
        )
    if planned_version(protocol, record) is None:
        yield Problem(
            message=f"the protocol of `{record['round']}` does not plan `{record['benchmark_version']}`",
            help="Name the round that planned this version.",
            pointer="/round",
        )


@change_check("SCHEMA-ROUND-02", section="14, 25.1", kinds={Kind.ROUND}, informs=True)
def subject_without_result(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    Once a round is reported, every subject it planned has a result on every version it planned.

    A subject that is missing may have been left out because it did badly. It is only pointed out: say in the report what
    became of it.

    Passes: a report beside a result for each planned subject
    Fails: a report while one of them has none
    """
    place, registry = changed.place, context.registry
    if place.kind is not Kind.ROUND or place.is_record or not registry.has(place.path):
        return
    protocol = registry.valid_record(registry.path_of(Kind.ROUND, name=place.id or ""))
    if protocol is None:
        return
    for _, planned in select(protocol.document.value, "benchmark_versions/*/benchmark_version"):
        filed = [_subject(result.fields) for result in _results(str(planned), place.id or "", registry)]
        for _, subject in select(protocol.document.value, "subjects/*"):
            if _subject(mapping(subject)) not in filed:
                names = " with ".join(_subject_words(mapping(subject)))
                yield Problem(
                    message=f"the round planned {names} on `{planned}`, and has no result of it",
                    help="File the result, or say in the report what became of it.",
                    severity=Severity.NOTICE,
                )


def _results(version: str, name: str, registry: Registry) -> Iterator[Record]:
    """Results on a benchmark version that belong to a round."""
    identifier, _, number = version.partition("@")
    folder = registry.path_of(Kind.RES, bm=identifier, version=number, res="res").rpartition("/")[0]
    # A text may spell the name with escapes, so files with a backslash are looked at as well.
    for path in registry.tree.mentions(folder, [name, "\\"]):
        result = registry.valid_record(path)
        if result is not None and result.kind is Kind.RES and result["round"] == name:
            yield result


def _subject_problems(subject: Mapping[str, Json], pointer: str) -> Iterator[Problem]:
    conditions = mapping(subject.get("fixed_conditions"))
    stated = {
        "harness": ("harness", conditions.get("harness")),
        "model": ("model_and_version/model", mapping(conditions.get("model_and_version")).get("model")),
    }
    for name, (place, condition) in stated.items():
        if condition != subject.get(name):
            yield Problem(
                message=f"`{name}` of the subject is `{subject.get(name)}`, and its conditions name `{condition}`",
                help="Make the two agree.",
                pointer=f"{pointer}/fixed_conditions/{place}",
            )


def _version_problems(planned: Mapping[str, Json], pointer: str, registry: Registry) -> Iterator[Problem]:
    name = str(planned.get("benchmark_version"))
    identifier, _, number = name.partition("@")
    version = registry.valid_record(registry.path_of(Kind.BM_VERSION, bm=identifier, version=number))
    if version is None:
        return
    if not is_frozen(version.document.value):
        yield Problem(
            message=f"`{name}` is not frozen",
            help="Plan a frozen version; the others may still change.",
            pointer=f"{pointer}/benchmark_version",
        )
        return
    for field in _PINS:
        if planned.get(field) != version[field]:
            yield Problem(
                message=f"`{field}` differs from what `{name}` pins",
                help="Give what the frozen version pins.",
                pointer=f"{pointer}/{field}",
            )
    yield from _prediction_problems(planned, pointer, mapping(mapping(version["class_distribution"]).get("holdout")))


def _prediction_problems(planned: Mapping[str, Json], pointer: str, holdout: Mapping[str, Json]) -> Iterator[Problem]:
    predicted: dict[str, set[str]] = {}
    for place, entry in select(planned.get("predicted_pass_pow_3"), "*"):
        tier, level = str(mapping(entry).get("model_tier")), str(mapping(entry).get("difficulty_class"))
        if level in predicted.setdefault(tier, set()):
            yield Problem(
                message=f"class {level} of `{tier}` is predicted more than once",
                help="Keep the prediction that was registered.",
                pointer=f"{pointer}/predicted_pass_pow_3{place}",
            )
        predicted[tier].add(level)
    needed = {level for level, tasks in holdout.items() if count(tasks)}
    for tier, levels in sorted(predicted.items()):
        for level in sorted(needed - levels):
            yield Problem(
                message=f"class {level} has holdout tasks, and nothing is predicted of it for `{tier}`",
                help="Write down the expected PASS^3 of the class.",
                pointer=f"{pointer}/predicted_pass_pow_3",
            )


def _subject(fields: Mapping[str, Json]) -> tuple[Json, Json, frozenset[str]]:
    """What tells one subject from another: model, harness version and components."""
    return fields.get("model"), fields.get("harness"), frozenset(texts(fields.get("components")))


def _subject_words(fields: Mapping[str, Json]) -> Iterator[str]:
    yield f"`{fields.get('model')}` in `{fields.get('harness')}`"
    for component in sorted(texts(fields.get("components"))):
        yield f"`{component}`"
