"""The review checklist of a result, as far as public fields show it (CHK-01, 02, 04, 05, 07, 09, RESULT-32)."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction

from medgauge_registrar.checks.fields import count, mapping
from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, change_check, record_check
from medgauge_registrar.checks.named import undecided
from medgauge_registrar.checks.recompute_family import arriving
from medgauge_registrar.checks.rounds import protocol_path
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json
from medgauge_registrar.registry.records import Record
from medgauge_registrar.registry.references import select
from medgauge_registrar.registry.result_rows import read_rows, voided_keys
from medgauge_registrar.statistics import figures
from medgauge_registrar.statistics.exact import rounded
from medgauge_registrar.statistics.figures import TaskRuns
from medgauge_registrar.statistics.values import Subset

# One task in ten is read, rounded up (section 25.4).
SAMPLED_TENTH = 10
# Digits of a difference between environments; no algorithm is pinned for it, so those of all other figures.
DIFFERENCE_DIGITS = 6
_CHECKLIST = "/verification/checklist"


def item(record: Record, name: str) -> Mapping[str, Json]:
    """One item of the checklist; empty if it is not there."""
    return mapping(mapping(mapping(record["verification"]).get("checklist")).get(name))


# A step and not a state: the lifecycle record of a harness tells the latest check, which may be repeated.
@change_check("CHK-01", section="25.4", kinds={Kind.RES})
def unproven_harness(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    The reference solution scored full marks through exactly this harness version, before the record was verified.

    Otherwise a low mark may be the adapter's fault. Record the adapter check beside the harness and give its day here.

    Passes: CHK-01 of 2026-11-22 beside an adapter check of that day for the same version
    Fails: an adapter check of another version, or a day after the record
    """
    record = arriving(changed, context)
    if record is None:
        return
    stated, pointer = item(record, "CHK-01").get("date"), f"{_CHECKLIST}/CHK-01/date"
    identifier, _, version = str(record["harness"]).partition("@")
    path = context.registry.path_of(Kind.LIFECYCLE, hx=identifier, version=version)
    state = context.registry.valid_record(path)
    if state is None:
        yield from undecided(path, context.registry, "/harness")
    check = mapping(state["adapter_check"]) if state is not None else {}
    if check.get("outcome") != "full-marks":
        yield Problem(
            message=f"no adapter check with full marks is on record for `{record['harness']}`",
            help=f"Record it in `{path}`; until then no result of the harness is verified.",
            pointer="/harness",
        )
    elif stated != check.get("date"):
        yield Problem(
            message=f"the item is of `{stated}`, and the adapter check of `{record['harness']}` is of `{check.get('date')}`",
            help="Give the day of the adapter check.",
            pointer=pointer,
        )
    if str(stated) > str(record["date"]):
        yield Problem(
            message=f"the item is of `{stated}`, after the record of `{record['date']}`",
            help="Verify the record once the adapter check is done.",
            pointer=pointer,
        )


@record_check("CHK-02", section="25.4", kinds={Kind.RES})
def incomplete_regrade(record: Record, _: Context) -> Iterator[Problem]:
    """
    Re-grading compared every checkpoint of every run, and all of them came out as recorded.

    A result that falls short of that is not published (M9). The count is that of all rows, voided tasks among them.

    Passes: compared: 315 and equal: 315 where the rows have 315 checkpoints
    Fails: equal: 314, or compared: 300
    """
    regrade, pointer = item(record, "CHK-02"), f"{_CHECKLIST}/CHK-02"
    checkpoints = sum(count(m) for _, m in select(record.document.value, "runs/*/m"))
    for name in ("compared", "equal"):
        if regrade.get(name) != checkpoints:
            yield Problem(
                message=f"`{name}` is {regrade.get(name)}, and the rows have {checkpoints} checkpoints (the sum of m)",
                help="Re-grade every run; where one checkpoint differs, the result is not published.",
                pointer=f"{pointer}/{name}",
            )
    day = str(regrade.get("date"))
    if not str(record["first_run_at"])[:10] <= day <= str(record["date"]):
        yield Problem(
            message=f"the re-grade is of `{day}`, expected from `{str(record['first_run_at'])[:10]}` to `{record['date']}`",
            help="Give the day of the re-grade, after the runs and not after the record.",
            pointer=f"{pointer}/date",
        )


@record_check("CHK-04", section="8.5, 25.4", kinds={Kind.RES})
def baseless_difference(record: Record, _: Context) -> Iterator[Problem]:
    """
    Where a second environment was used, its difference rests on calibration tasks of this very record.

    It is recorded with its sign and judged by nobody while no threshold is set.

    Passes: env_delta over 5 tasks beside 5 calibration tasks, or not-used
    Fails: env_delta over 5 tasks in a record without calibration tasks
    """
    difference, tasks = item(record, "CHK-04").get("env_delta"), len(_calibration(record))
    if isinstance(difference, dict) and count(difference.get("n_tasks")) > tasks:
        yield Problem(
            message=f"`n_tasks` is {difference.get('n_tasks')}, and the record has {tasks} calibration tasks that count",
            help="Give the number of calibration tasks that both environments ran, or `not-used`.",
            pointer=f"{_CHECKLIST}/CHK-04/env_delta/n_tasks",
        )


@record_check("RESULT-32", section="10.6, 26", kinds={Kind.RES})
def impossible_difference(record: Record, _: Context) -> Iterator[Problem]:
    """
    The difference between environments is a difference of two shares of the same tasks, with and without its sign.

    PASS^3 of the second environment is not public, so only what cannot be is found: another absolute value, a difference
    that no number of tasks gives, or a share below 0 or above 1 in the second environment.

    Passes: signed: -0.2 and absolute: 0.2 over 5 tasks
    Fails: signed: -0.25 over 5 tasks, or absolute: 0.3
    """
    difference, pointer = item(record, "CHK-04").get("env_delta"), f"{_CHECKLIST}/CHK-04/env_delta"
    if not isinstance(difference, dict):
        return
    signed, absolute = _decimal(difference.get("signed")), _decimal(difference.get("absolute"))
    n = count(difference.get("n_tasks"))
    if abs(signed) != absolute:
        yield Problem(
            message=f"`absolute` is {absolute}, and `signed` is {signed}",
            help="Give the same difference without its sign.",
            pointer=f"{pointer}/absolute",
        )
    moved = round(Fraction(signed) * n)
    if rounded(Fraction(moved, n), DIFFERENCE_DIGITS) != signed:
        yield Problem(
            message=f"`signed` is {signed}, and no difference of two shares of {n} tasks is that with 6 places",
            help="Give PASS^3 of the second environment minus PASS^3 at the site, over these tasks.",
            pointer=f"{pointer}/signed",
        )
        return
    calibration = _calibration(record)
    passed = figures.tasks_passed(calibration)
    if len(calibration) == n and not 0 <= passed + moved <= n:
        yield Problem(
            message=f"at the site {passed} of {n} calibration tasks pass, so a difference of {signed} leaves the range of a share",
            help="Give PASS^3 of the second environment minus PASS^3 at the site.",
            pointer=f"{pointer}/signed",
        )


@record_check("CHK-05", section="25.4", kinds={Kind.RES})
def foreign_run_records(record: Record, _: Context) -> Iterator[Problem]:
    """
    The attestation that run records are verifiable is about the very run records of the result.

    Passes: the digest of CHK-05 equals run_records_hash
    Fails: another digest
    """
    stated = item(record, "CHK-05").get("hash")
    if stated != record["run_records_hash"]:
        yield Problem(
            message="the attested digest is not `run_records_hash`",
            help="Attest the run records that the result rests on, and give their digest in both places.",
            pointer=f"{_CHECKLIST}/CHK-05/hash",
        )


@record_check("CHK-07", section="25.4", kinds={Kind.RES})
def thin_sample(record: Record, _: Context) -> Iterator[Problem]:
    """
    The trajectories of at least a tenth of the tasks, rounded up, were read; tasks count, not runs.

    Passes: sampled_tasks: 2 of 17 tasks
    Fails: sampled_tasks: 1 of 17 tasks
    """
    sampled = count(item(record, "CHK-07").get("sampled_tasks"))
    tasks = len({key for _, key in select(record.document.value, "runs/*/task_key") if isinstance(key, str)})
    least = -(-tasks // SAMPLED_TENTH)
    if not least <= sampled <= tasks:
        yield Problem(
            message=f"`sampled_tasks` is {sampled}, expected {least} to {tasks} for {tasks} tasks",
            help="Read the trajectories of at least a tenth of the tasks, and count tasks rather than runs.",
            pointer=f"{_CHECKLIST}/CHK-07/sampled_tasks",
        )


# A step and not a state: a protocol may be registered anew for later results.
@change_check("CHK-09", section="25.2, 25.4", kinds={Kind.RES})
def foreign_checklist(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    The checklist applied is the version that the protocol of the round registered.

    Passes: version: 0.1.0 in the item, the record and the protocol
    Fails: version: 0.2.0 in the item alone
    """
    record = arriving(changed, context)
    if record is None:
        return
    path = protocol_path(record, context.registry)
    protocol = context.registry.valid_record(path)
    if protocol is None:
        yield from undecided(path, context.registry, "/round")
        return
    stated = item(record, "CHK-09").get("version")
    applied, registered = mapping(record["verification"]).get("checklist_version"), protocol["checklist_version"]
    if {stated, applied} != {registered}:
        yield Problem(
            message=f"the item names `{stated}`, the record `{applied}`, and the protocol registered `{registered}`",
            help="Apply the registered version of the checklist and name it.",
            pointer=f"{_CHECKLIST}/CHK-09/version",
        )


def _calibration(record: Record) -> tuple[TaskRuns, ...]:
    """Calibration tasks of a record, without those that it lists as voided."""
    voided = voided_keys(record.fields)
    rows = (row for row in read_rows(record.fields).rows if row.task not in voided)
    return figures.by_task(row for row in rows if row.subset is Subset.CALIBRATION)


def _decimal(value: Json) -> Decimal:
    """A number whose shape the schema has settled."""
    assert isinstance(value, int | Decimal)
    return Decimal(value)
