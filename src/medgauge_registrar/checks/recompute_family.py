"""A result beside its benchmark version, the voided tasks and the other results of its family (RESULT-05, 06, 19, 25, 39)."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from medgauge_registrar.checks.families import family_of, members
from medgauge_registrar.checks.fields import mapping
from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, Reach, change_check, record_check
from medgauge_registrar.checks.named import undecided
from medgauge_registrar.checks.recompute import judgement, version_path
from medgauge_registrar.checks.results import applied_vetoes
from medgauge_registrar.classify.transitions import is_frozen
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json
from medgauge_registrar.registry.layout import encode_model_name
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.registry.references import select
from medgauge_registrar.registry.result_rows import frozen_tasks, listed_voids, voided_keys

_EMPTY_DIGEST = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def arriving(changed: ChangedRecord, context: Context) -> Record | None:
    """The result that a change brings in or rewrites; null for any other change, and for one that breaks its schema."""
    if changed.place.kind is not Kind.RES or not (changed.enters or changed.rewritten):
        return None
    return context.registry.valid_record(changed.change.path)


def void_path(record: Record, registry: Registry) -> str:
    """Path of the voided list of the benchmark version that a result names."""
    identifier, _, version = str(record["benchmark_version"]).partition("@")
    return registry.path_of(Kind.VOID, bm=identifier, version=version)


def missing_tasks(record: Record, version: Record) -> tuple[str, ...]:
    """Task versions of a frozen version of which a result has no run and that it does not list as voided."""
    present = {mapping(row).get("task_key") for _, row in select(record.document.value, "runs/*")}
    return tuple(sorted(frozen_tasks(version.fields).keys() - present - voided_keys(record.fields).keys()))


@record_check("RESULT-05", section="5.2", kinds={Kind.RES}, reach=Reach.FAMILY, needs_valid=False)
def moved_checkpoints(record: Record, context: Context) -> Iterator[Problem]:
    """
    A task version has one number of checkpoints, in all its runs and in every result of the family.

    Checkpoints belong to the task, so two numbers mean that two subjects were graded by different rules. Give the number of
    the task version; a task that changed has a new version.

    Passes: m: 4 for tk-5rq4f5zr37e3@0.1.0 in every result
    Fails: m: 5 for that task version in a later result
    """
    yield from judgement(context.registry, record.path).of("RESULT-05")
    first, corrected = _checkpoints(context.registry, family_of(record.place) or "")
    if record.path in corrected:
        return
    told = set()
    for place, task, m in _graded(record):
        known, where = first.get(task, (m, record.path))
        if m != known and where != record.path and task not in told:
            told.add(task)
            yield Problem(
                message=f"`{task}` has {m} checkpoints here and {known} in `{where}`, which was made before",
                help="Give the number of checkpoints of the task version; a changed task is a new version.",
                pointer=f"/runs/{place}/m",
            )


@record_check("RESULT-06", section="5.4, G6", kinds={Kind.RES}, reach=Reach.FAMILY)
def foreign_task_set(record: Record, context: Context) -> Iterator[Problem]:
    """
    A result covers the tasks of its frozen version, each in its subset, and lacks only what it lists as voided.

    A task left out without that would be one that the subject failed. Run and file every task; a gap is explained by an
    entry in `voided_task_versions` that is on the voided list of the version too.

    Passes: rows for all task versions of the frozen version
    Fails: no row for one of them, or a row for a task of another version
    """
    yield from judgement(context.registry, record.path).of("RESULT-06")
    registry = context.registry
    version = registry.valid_record(version_path(record, registry))
    if version is None or not is_frozen(version.document.value):
        return
    frozen, own = frozen_tasks(version.fields), voided_keys(record.fields)
    seen: dict[str, str] = {}
    for pointer, row in select(record.document.value, "runs/*"):
        task, subset = str(mapping(row).get("task_key")), str(mapping(row).get("subset"))
        if task in seen:
            continue
        seen[task] = subset
        if task not in frozen:
            yield Problem(
                message=f"`{task}` is no task version of `{record['benchmark_version']}`",
                help="Give the key as the frozen version lists it, or take the task's rows out.",
                pointer=f"{pointer}/task_key",
            )
        elif subset != frozen[task]:
            yield Problem(
                message=f"`{task}` stands in `{subset}` here and in `{frozen[task]}` in the frozen version",
                help="Give the subset of the frozen version.",
                pointer=f"{pointer}/subset",
            )
    for task in missing_tasks(record, version):
        yield Problem(
            message=f"`{task}` of `{frozen[task]}` has no run, and `voided_task_versions` does not list it",
            help="File its three runs; nothing but a void takes a task out of a result.",
            pointer="/runs",
        )
    yield from _void_problems(record, own, frozen, registry)


# A step and not a state: a void that comes later leaves the record as it was made.
@change_check("RESULT-06", section="5.4, 8.4", kinds={Kind.RES})
def unlisted_void(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A new result lists every task version that was voided before it came.

    Its figures would otherwise count tasks that count for nobody else.

    Passes: voided_task_versions with every key of the voided list
    Fails: an empty list beside a voided list with one key
    """
    record = arriving(changed, context)
    if record is None:
        return
    path = void_path(record, changed.base)
    before = changed.base.valid_record(path)
    if before is None:
        yield from undecided(path, changed.base, "/voided_task_versions")
        return
    for task in sorted(listed_voids(before.fields).keys() - voided_keys(record.fields).keys()):
        yield Problem(
            message=f"`{task}` is voided for every subject, and the record does not list it",
            help="List it in `voided_task_versions` and leave it out of every figure.",
            pointer="/voided_task_versions",
        )


# A step and not a state: a card may take up a veto later, with a new benchmark version.
@change_check("RESULT-19", section="14.1, Axiom 5", kinds={Kind.RES})
def unreported_veto(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A new result gives a rate for every category of veto that the card of its family applies, zeros written out.

    A category that is left out could hide its hits.

    Passes: a rate for each of four categories of the card
    Fails: no rate for inputs-modified under a card with X.2
    """
    record = arriving(changed, context)
    if record is None:
        return
    path = context.registry.path_of(Kind.BM_CARD, bm=family_of(record.place) or "")
    card = context.registry.valid_record(path)
    if card is None:
        yield from undecided(path, context.registry, "/benchmark_version")
        return
    for name, subset in mapping(record["subsets"]).items():
        rates = mapping(mapping(subset).get("veto_rate_by_category"))
        for category in sorted(applied_vetoes(card) - rates.keys()):
            yield Problem(
                message=f"the card applies the veto `{category}`, and `{name}` gives no rate for it",
                help="Give count and rate over all runs, also where both are 0.",
                pointer=f"/subsets/{name}/veto_rate_by_category",
            )


# A step and not a state: weights may be opened later, and the record stays as it was made.
@change_check("RESULT-25", section="14.1, 14.3", kinds={Kind.RES})
def priced_open_subject(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A new result gives amounts in the currency of its price table, and none for a self-hosted or open-weight model.

    What such a model costs depends on who runs it, so a sum would mean nothing to anybody else. Write `not-applicable`.

    Passes: amounts: not-applicable for a model with open weights
    Fails: amounts with a total for that model
    """
    record = arriving(changed, context)
    amounts = mapping(record["amounts"]) if record is not None else {}
    if record is None or not amounts:
        return
    registry = context.registry
    path = registry.path_of(Kind.MODEL, model=encode_model_name(str(record["model"])))
    model = registry.valid_record(path)
    if model is None:
        yield from undecided(path, registry, "/model")
    elif model["weights"] == "open" or model["access_route"] == "self-hosted":
        what = "has open weights" if model["weights"] == "open" else "is self-hosted"
        yield Problem(
            message=f"`{record['model']}` {what}, so it has no amounts; the record gives a total",
            help="Write `amounts: not-applicable`, null in every row, and the cost per success in tokens, actions or seconds.",
            pointer="/amounts",
        )
    path = registry.path_of(Kind.PRICE, version=str(amounts.get("price_table")))
    table = registry.valid_record(path)
    if table is None:
        yield from undecided(path, registry, "/amounts/price_table")
    elif table["currency"] != amounts.get("currency"):
        yield Problem(
            message=f"the amounts are in `{amounts.get('currency')}`, and the price table is in `{table['currency']}`",
            help="Give the amounts in the currency of the table they rest on.",
            pointer="/amounts/currency",
        )


@record_check("RESULT-39", section="10.4, Scoring page", kinds={Kind.RES})
def empty_or_repeated_digest(record: Record, _: Context) -> Iterator[Problem]:
    """
    Digests of run records and of details are of something, and no two runs have the same detail.

    A digest of nothing, or one that stands at two runs, vouches for neither. Give the digests of the closed files.

    Passes: another detail_sha at every run
    Fails: one detail_sha at two runs
    """
    seen: dict[Json, str] = {}
    digests = [("/run_records_hash", record["run_records_hash"]), *select(record.document.value, "runs/*/detail_sha")]
    for pointer, digest in digests:
        if digest == _EMPTY_DIGEST:
            yield Problem(
                message="the digest is that of an empty file",
                help="Give the digest of what it stands for.",
                pointer=pointer,
            )
        elif (first := seen.setdefault(str(digest), pointer)) != pointer:
            yield Problem(
                message=f"the digest is the one at `{first}`",
                help="Give each run the digest of its own detail.",
                pointer=pointer,
            )


def _void_problems(
    record: Record, own: Mapping[str, str], frozen: Mapping[str, str], registry: Registry
) -> Iterator[Problem]:
    """Entries of a record's own list that the version or its voided list do not bear out."""
    if not own:
        return
    path = void_path(record, registry)
    listed = registry.valid_record(path)
    if listed is None and registry.has(path):
        return
    voids = {} if listed is None else listed_voids(listed.fields)
    for pointer, entry in select(record.document.value, "voided_task_versions/*"):
        task, side = str(mapping(entry).get("task_key")), str(mapping(entry).get("attribution"))
        if task not in frozen or voids.get(task) != side:
            stands = f"voids it with attribution `{voids[task]}`" if task in voids else "does not void it"
            yield Problem(
                message=f"`{task}` with attribution `{side}` is left out, and the voided list of the version {stands}",
                help="List what the voided list holds, as it holds it; voiding is a change of that list, for every subject.",
                pointer=pointer,
            )


def _graded(record: Record) -> Iterator[tuple[int, str, int]]:
    """Place, task version and number of checkpoints of every row that gives them."""
    runs = record["runs"]
    for place, row in enumerate(runs if isinstance(runs, list) else ()):
        task, m = mapping(row).get("task_key"), mapping(row).get("m")
        if isinstance(task, str) and isinstance(m, int) and not isinstance(m, bool):
            yield place, task, m


# A registry never changes, and a family is asked about once for each of its results.
@lru_cache(maxsize=8)
def _checkpoints(registry: Registry, family: str) -> tuple[Mapping[str, tuple[int, str]], frozenset[str]]:
    """
    Look through the results of a family.

    Returns:
        For each task version its number of checkpoints in the earliest result that has it, with the path of that result;
        and the paths of results that a later one corrects, which are not asked.
    """
    results = [
        result
        for path in (members(family, registry) if family else ())
        if registry.layout.place(path).kind is Kind.RES
        and (result := registry.record(path)) is not None
        and result.readable
    ]
    names = {result["corrects"] for result in results}
    corrected = frozenset(result.path for result in results if result.place.id in names)
    earliest: dict[str, tuple[str, str, int]] = {}
    for result in results:
        for _, task, m in _graded(result) if result.path not in corrected else ():
            entry = (str(result["date"]), result.path, m)
            if task not in earliest or entry[:2] < earliest[task][:2]:
                earliest[task] = entry
    return {task: (m, path) for task, (_, path, m) in earliest.items()}, corrected
