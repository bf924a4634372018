"""Reproductions in a second environment (SCHEMA-RP-05, 06); the other rules are the schema's."""

from collections.abc import Iterator

from medgauge_registrar.checks.fields import count, mapping
from medgauge_registrar.checks.framework import Context, Problem, Reach, record_check
from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.records import Record
from medgauge_registrar.registry.schemas import as_number


@record_check("SCHEMA-RP-05", section="10.6, 26", kinds={Kind.RP})
def disagreeing_difference(record: Record, _: Context) -> Iterator[Problem]:
    """
    The size of the difference between two environments is the signed difference without its sign.

    The sign tells which environment did better and the size how far apart they are; both are one measurement. Correct the one
    that is wrong.

    Passes: env_delta: {signed: -0.2, absolute: 0.2, n_tasks: 5}
    Fails: env_delta: {signed: -0.2, absolute: 0.02, n_tasks: 5}
    """
    difference = mapping(record["env_delta"])
    signed, absolute = as_number(difference.get("signed")), as_number(difference.get("absolute"))
    if signed is None or absolute is None or abs(signed) != absolute:
        yield Problem(
            message=f"`absolute` is `{absolute}`, and `signed` is `{signed}`",
            help="Give the same number twice, once without its sign.",
            pointer="/env_delta/absolute",
        )


@record_check(
    "SCHEMA-RP-06", section="10.6", kinds={Kind.RP}, reach=Reach.REFERENCES, watches={(Kind.BM_VERSION, "subsets")}
)
def foreign_tasks(record: Record, context: Context) -> Iterator[Problem]:
    """
    A reproduction ran calibration tasks alone, so no more tasks than the calibration subset of the version has.

    Only calibration items have public keys; tasks of the other subsets never leave the site. Count the calibration tasks that
    both environments ran.

    Passes: n_tasks: 2 on a version with two calibration tasks
    Fails: n_tasks: 5 on that version
    """
    identifier, _, number = str(record["benchmark_version"]).partition("@")
    version = context.registry.valid_record(context.registry.path_of(Kind.BM_VERSION, bm=identifier, version=number))
    if version is None:
        return
    ran = count(mapping(record["env_delta"]).get("n_tasks"))
    there_are = count(mapping(version["subsets"]).get("calibration"))
    if ran > there_are:
        yield Problem(
            message=f"`n_tasks` is `{ran}`, and `{record['benchmark_version']}` has {there_are} calibration tasks",
            help="Count the calibration tasks that both environments ran.",
            pointer="/env_delta/n_tasks",
        )
