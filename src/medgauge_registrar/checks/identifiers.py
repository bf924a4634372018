"""Identifiers (ID-*): names that say what they name, once, for ever."""

from collections.abc import Iterator, Mapping

from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, Reach, change_check, record_check
from medgauge_registrar.checks.opaqueness import revealing_keys
from medgauge_registrar.checks.siblings import versions_beside
from medgauge_registrar.model.change import Kind, Status
from medgauge_registrar.registry.layout import Place
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.registry.references import FIELDS, Reference, references, result_versions, select

# Fields of a record that repeat what its path says, and which part of the path each repeats (ruling R1).
_REPEATED: Mapping[Kind, tuple[tuple[str, str], ...]] = {
    **dict.fromkeys(
        (
            Kind.BM_CARD, Kind.CAP, Kind.STD, Kind.DS, Kind.RP, Kind.LO, Kind.RM, Kind.RES, Kind.NOTICE, Kind.ROUND,
            Kind.DISPUTE,
        ),
        (("id", "id"),),
    ),
    **dict.fromkeys((Kind.BM_VERSION, Kind.GR, Kind.HX, Kind.TL), (("id", "id"), ("version", "version"))),
    **dict.fromkeys((Kind.PRICE, Kind.DFN, Kind.LVL), (("version", "version"),)),
    Kind.ALG: (("name", "id"), ("version", "version")),
    Kind.MODEL: (("vendor_name", "id"),),
    Kind.VOID: (("benchmark_version", "object"),),
    Kind.LIFECYCLE: (("object", "object"),),
}  # fmt: skip


@record_check("ID-06", section="18", kinds=FIELDS, reach=Reach.REFERENCES)
def unresolved_reference(record: Record, context: Context) -> Iterator[Problem]:
    """
    Whatever a record names stands in the registry, at exactly that version and as the right kind.

    A name without its object cannot be followed by a reader or a program, and a removal would leave such names behind.
    Add the missing record in the same pull request, or correct the name.

    Passes: standard: std-example, beside registry/standards/std-example.yaml
    Fails: standard: std-exmaple
    """
    for reference in references(record, context.registry.layout):
        if not any(context.registry.has(path) for path in reference.paths):
            yield Problem(
                message=f"`{reference.pointer[1:]}` names `{reference.text}`, which is not in the registry",
                help=_where_to_add(reference, context.registry),
                pointer=reference.pointer,
            )


@change_check("ID-07", section="28", kinds={Kind.BM_CARD, Kind.CAP, Kind.RES})
def reused_identifier(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    An identifier that once named something never names anything else.

    Old texts and results cite identifiers, so a second object under the same one would change what they say. The source of
    a redirect, a retired entry and the identifier of a result stay taken; choose a new identifier.

    Passes: a new benchmark bm-example-2 beside the redirect bm-example -> bm-example-2
    Fails: a new benchmark bm-example although a redirect leads away from bm-example
    """
    place = changed.place
    if changed.enters and place.kind is Kind.BM_CARD and place.id in _redirects(changed.base):
        yield Problem(
            message=f"`{place.id}` is the old name of a renamed benchmark and stays reserved",
            help="Choose an identifier that was never used.",
        )
    if changed.enters and place.kind is Kind.RES:
        for other in _result_paths(place, context.registry):
            if other != place.path and (context.registry.has(other) or changed.base.has(other)):
                yield Problem(
                    message=f"`{place.id}` is already the identifier of `{other}`",
                    help="Choose another name at the end of the identifier.",
                )
    if changed.before is not None and changed.after is not None and place.kind in {Kind.BM_CARD, Kind.CAP}:
        status = changed.after["status"]
        if changed.before["status"] == "retired" and status != "retired":
            yield Problem(
                message=f"`{place.id}` is retired and cannot come back as `{status}`",
                help="Keep the entry retired; what is taken up again enters under a new identifier.",
                pointer="/status",
            )


@record_check("ID-08", section="28", kinds={Kind.REDIRECTS})
def tangled_redirect(record: Record, _: Context) -> Iterator[Problem]:
    """
    A renamed benchmark leaves a redirect, and every redirect stays and leads straight to the present name.

    Whoever follows an old name must arrive in one step. Keep the old folder, point every old name at the present one, and
    list each old name once.

    Passes: bm-a -> bm-c and bm-b -> bm-c
    Fails: bm-a -> bm-b and bm-b -> bm-c
    """
    olds = {old for _, old in select(record.document.value, "redirects/*/old")}
    seen: set[object] = set()
    for pointer, entry in select(record.document.value, "redirects/*"):
        if not isinstance(entry, dict):
            continue
        old, new = entry.get("old"), entry.get("new")
        if old in seen:
            yield Problem(
                message=f"`{old}` is redirected more than once",
                help="Keep one of the entries.",
                pointer=f"{pointer}/old",
            )
        seen.add(old)
        if new in olds:
            what = "itself" if new == old else "a name that is redirected in turn"
            yield Problem(
                message=f"`{old}` leads to `{new}`, which is {what}",
                help="Name the benchmark where the path ends.",
                pointer=f"{pointer}/new",
            )


@change_check(tangled_redirect.rule, section="28", kinds={Kind.REDIRECTS, Kind.BM_CARD})
def lost_redirect(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A card that moved left a redirect under its old name, and no redirect was taken out.

    Links and citations keep using the old name. Leave the old folder where it is, add the new one, and enter the pair in
    the list of redirects; an entry moves on only when its target is renamed as well.

    Passes: a new card, and old -> new in registry/redirects.yaml
    Fails: a card moved to another folder without an entry
    """
    after = _redirects(context.registry)
    if changed.old_place.kind is Kind.BM_CARD and changed.change.status is Status.RENAMED:
        old, new = changed.old_place.id, changed.place.id
        if changed.place.kind is not Kind.BM_CARD or after.get(old or "") != new:
            yield Problem(
                message=f"the card of `{old}` was moved and no redirect leads from the old name",
                help=f"Keep `{changed.old_path}`, and enter both names in `{context.registry.path_of(Kind.REDIRECTS)}`.",
            )
    if changed.old_place.kind is Kind.REDIRECTS and changed.after is not None:
        for old, target in _redirects(changed.base).items():
            if old not in after:
                yield Problem(
                    message=f"the redirect from `{old}` was taken out",
                    help="Put it back; published redirects stay.",
                    pointer="/redirects",
                )
            elif after[old] != target and after.get(target) != after[old]:
                yield Problem(
                    message=f"the redirect from `{old}` led to `{target}` and now leads to `{after[old]}`",
                    help=f"Lead it to `{target}` again, or to the new name of `{target}`, with a redirect from there.",
                    pointer="/redirects",
                )


@record_check("ID-09", section="2", kinds=_REPEATED)
def misnamed_file(record: Record, context: Context) -> Iterator[Problem]:
    """
    What a record says of its own identifier and version is what its path says.

    References are looked up by path alone, so a record with another name inside would be found under a wrong one. Correct
    the field, or move a file that is not yet published.

    Passes: registry/harnesses/hx-example/0.1.0.yaml with id: hx-example and version: 0.1.0
    Fails: registry/harnesses/hx-example/0.1.0.yaml with version: 0.2.0
    """
    place = record.place
    for field, part in _REPEATED[record.kind]:
        expected = {"id": place.id, "version": place.version, "object": place.object}[part]
        if record[field] != expected:
            yield Problem(
                message=f"`{field}` is `{record[field]}`, and the path says `{expected}`",
                help="Make the two agree.",
                pointer=f"/{field}",
            )
    if record.kind is Kind.RES:
        yield from _misplaced_result(record, context.registry)


@record_check("ID-11", section="2, 12.1, 14.1", kinds={Kind.BM_VERSION})
def telling_task_key(record: Record, _: Context) -> Iterator[Problem]:
    """
    Nothing about a task can be read from its key, and its key cannot be guessed.

    Keys stand in public results while the tasks are closed; a key with a word, a counter or the plain digest of a name
    tells what a task is about or in which order it was made. Draw keys at random, or derive them with a secret key.

    Passes: tk-5rq4f5zr37e3 and tk-k9p34y6n3wd2
    Fails: tk-000000000001 and tk-000000000002
    """
    keys = {
        pointer: value
        for subset in ("dev", "holdout", "calibration")
        for pointer, value in select(record.document.value, f"task_keys/{subset}/*")
        if isinstance(value, str)
    }
    for pointer, why in revealing_keys(keys, family=record.place.id or "", version=record.place.version or ""):
        yield Problem(
            message=f"`{keys[pointer]}` {why}",
            help="Draw a new key at random (or with a secret key) before the version is frozen.",
            pointer=pointer,
        )


@record_check("ID-13", section="2", kinds={Kind.RES})
def repeated_run(record: Record, _: Context) -> Iterator[Problem]:
    """
    A run has an identifier that no other run has and that begins with its record's, and each task has each run once.

    Run identifiers are cited and paired across records, so two runs may not share one; a repeated row would count a run
    twice. Give every run the identifier of the record, with `run-` for `res-`, and a suffix.

    Passes: run-example-0-1-0-a-001 in res-example-0-1-0-a
    Fails: run-001
    """
    prefix = _run_prefix(record.place)
    runs: dict[str, str] = {}
    rows: dict[tuple[str, str], str] = {}
    for pointer, row in select(record.document.value, "runs/*"):
        if not isinstance(row, dict):
            continue
        run, task, number = str(row.get("run_id")), str(row.get("task_key")).partition("@")[0], str(row.get("run"))
        if not run.startswith(prefix) or run == prefix:
            yield Problem(
                message=f"`{run}` does not begin with `{prefix}` and a suffix after it",
                help="Build the identifier from that of the record.",
                pointer=f"{pointer}/run_id",
            )
        if (first := runs.setdefault(run, pointer)) != pointer:
            yield Problem(
                message=f"`{run}` is already the run at `{first}`",
                help="Give each run an identifier of its own.",
                pointer=f"{pointer}/run_id",
            )
        if (first := rows.setdefault((task, number), pointer)) != pointer:
            yield Problem(
                message=f"run {number} of `{task}` is already the row at `{first}`",
                help="Keep one row for each task and run number.",
                pointer=f"{pointer}/run",
            )


@change_check(repeated_run.rule, section="2", kinds={Kind.RES})
def taken_run(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    No run of a new result has the identifier of a run in another result.

    That can only happen where the identifier of one result begins with that of another. Choose another suffix.

    Passes: run-example-0-1-0-a-b-001 in res-example-0-1-0-a-b alone
    Fails: the same run in res-example-0-1-0-a
    """
    if not changed.enters or changed.place.kind is not Kind.RES or changed.after is None:
        return
    own = list(select(changed.after.document.value, "runs/*/run_id"))
    for path in _nested_results(changed.place, context.registry):
        other = context.registry.record(path)
        if other is None or not other.readable:
            yield Problem(
                message=f"`{path}` cannot be read, so whether it has the same runs is not known",
                help="Choose an identifier that does not continue that of another result.",
                pointer="/id",
            )
            continue
        taken = {str(run) for _, run in select(other.document.value, "runs/*/run_id")}
        for pointer, run in own:
            if str(run) in taken:
                yield Problem(
                    message=f"`{run}` is already a run of `{path}`", help="Choose another suffix.", pointer=pointer
                )


def _where_to_add(reference: Reference, registry: Registry) -> str:
    if not reference.paths:
        return "Correct the name."
    path = reference.paths[0]
    known = versions_beside(registry, registry.layout.place(path))
    hint = f"; versions there are {', '.join(f'`{version}`' for version in known)}" if known else ""
    return f"Add `{path}` in this pull request, or correct the name{hint}."


def _redirects(registry: Registry) -> dict[str, str]:
    """Old and new benchmark names of a registry; empty if the list is absent or cannot be read."""
    record = registry.record(registry.path_of(Kind.REDIRECTS))
    entries = [] if record is None else [entry for _, entry in select(record.document.value, "redirects/*")]
    return {str(entry.get("old")): str(entry.get("new")) for entry in entries if isinstance(entry, dict)}


def _result_paths(place: Place, registry: Registry) -> list[str]:
    """Every path at which a result of this identifier could stand."""
    name = place.id or ""
    return [registry.path_of(Kind.RES, bm=bm, version=version, res=name) for bm, version in result_versions(name)]


def _misplaced_result(record: Record, registry: Registry) -> Iterator[Problem]:
    benchmark, _, version = str(record["benchmark_version"]).partition("@")
    expected = registry.path_of(Kind.RES, bm=benchmark, version=version, res=str(record.place.id))
    if expected != record.path:
        yield Problem(
            message=f"`benchmark_version` is `{record['benchmark_version']}`, and the path names another folder",
            help=f"Correct the field, or move the file to `{expected}`.",
            pointer="/benchmark_version",
        )
    elif record.path not in _result_paths(record.place, registry):
        stem = f"res-{benchmark.removeprefix('bm-')}-{version.replace('.', '-')}-"
        yield Problem(
            message=f"`id` is `{record.place.id}`, expected one that begins with `{stem}`",
            help="Name family and version in the identifier, so that it is unique in the registry.",
            pointer="/id",
        )


def _run_prefix(place: Place) -> str:
    return f"run-{(place.id or '').removeprefix('res-')}-"


def _nested_results(place: Place, registry: Registry) -> Iterator[str]:
    """Results whose runs could be named like those of this one: one identifier continues the other's."""
    for folder in sorted({path.rpartition("/")[0] for path in _result_paths(place, registry)}):
        for name, _ in registry.names(folder):
            other = registry.layout.place(f"{folder}/{name}")
            if other.kind is not Kind.RES or other.path == place.path:
                continue
            one, two = _run_prefix(place), _run_prefix(other)
            if one.startswith(two) or two.startswith(one):
                yield other.path
