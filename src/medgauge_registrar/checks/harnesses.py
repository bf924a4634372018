"""Harness versions and what is recorded beside them (SCHEMA-HX-*)."""

from collections.abc import Iterator

from medgauge_registrar.checks.benchmark_records import path_of_reference
from medgauge_registrar.checks.fields import count, lies_ahead, mapping, texts
from medgauge_registrar.checks.framework import Context, Problem, Reach, record_check
from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.records import Record
from medgauge_registrar.registry.references import select
from medgauge_registrar.registry.schemas import as_number


@record_check(
    "SCHEMA-HX-05",
    section="24, Reproducibility page",
    kinds={Kind.LIFECYCLE},
    reach=Reach.REFERENCES,
    watches={(Kind.BM_VERSION, "subsets")},
)
def unproven_adapter(record: Record, context: Context) -> Iterator[Problem]:
    """
    A harness version is active only after the reference solution scored full marks through it on a calibration task.

    Otherwise a fault of the adapter would be counted against every model inside it. The schema asks an active harness for full
    marks and their day; the day must have come, and the benchmark version named must have calibration tasks.

    Passes: status: active, full marks on a calibration task of a version with calibration: 5
    Fails: status: active, full marks on a version with calibration: 0
    """
    check = mapping(record["adapter_check"])
    if lies_ahead(check.get("date"), context):
        yield Problem(
            message=f"the adapter check was made on `{check.get('date')}`, and today is no later than `{context.latest_day}`",
            help="Record the check once it was made.",
            pointer="/adapter_check/date",
        )
    if not check:
        return
    version = context.registry.valid_record(path_of_reference(check.get("calibration"), context.registry))
    if version is not None and count(mapping(version["subsets"]).get("calibration")) == 0:
        yield Problem(
            message=f"the adapter check names `{check.get('calibration')}`, which has no calibration task",
            help="Make the check on a version with calibration tasks, and name that one.",
            pointer="/adapter_check/calibration",
        )


@record_check("SCHEMA-HX-07", section="10", kinds={Kind.HX})
def undefined_slot(record: Record, _: Context) -> Iterator[Problem]:
    """
    A harness states kind, version, responsibility scope and what it requires: slots for models that it really has.

    A slot that is required and not described cannot be filled. The schema asks for the four elements; give every slot one
    description, and require slots by these names.

    Passes: model_slots: [{name: main, …}] and requires: {model_slots: [main]}
    Fails: model_slots: [{name: main, …}] and requires: {model_slots: [judge]}
    """
    names = set[str]()
    for pointer, name in select(record.document.value, "model_slots/*/name"):
        if name in names:
            yield Problem(
                message=f"the slot `{name}` is described twice", help="Keep one description.", pointer=pointer
            )
        names.add(str(name))
    for index, name in enumerate(texts(mapping(record["requires"]).get("model_slots"))):
        if name not in names:
            yield Problem(
                message=f"`{name}` is required, and the slots are {', '.join(f'`{slot}`' for slot in sorted(names))}",
                help="Describe the slot, or correct the name.",
                pointer=f"/requires/model_slots/{index}",
            )


@record_check("SCHEMA-HX-08", section="Reproducibility page", kinds={Kind.LIFECYCLE})
def unmeasured_environment(record: Record, context: Context) -> Iterator[Problem]:
    """
    A second environment that was not measured is `pending`; a measured one shows the difference with and without its sign.

    A 0 in place of a figure would read as perfect agreement. The schema knows `pending` and the figure; the measurement must
    lie in the past, and the two forms of the difference must agree.

    Passes: env_delta: {signed: -0.2, absolute: 0.2}
    Fails: env_delta: {signed: -0.2, absolute: 0.1}
    """
    measured = mapping(record["second_environment"])
    delta = mapping(measured.get("env_delta"))
    signed, absolute = as_number(delta.get("signed")), as_number(delta.get("absolute"))
    # `abs` would round to the precision of a context; the figures are compared digit by digit.
    if signed is not None and absolute is not None and signed.copy_abs() != absolute:
        yield Problem(
            message=f"the difference is {signed} with its sign and {absolute} without",
            help="Give the same difference in both forms.",
            pointer="/second_environment/env_delta/absolute",
        )
    if lies_ahead(measured.get("date"), context):
        yield Problem(
            message=f"the figure was measured on `{measured.get('date')}`, and today is no later than `{context.latest_day}`",
            help="Write `second_environment: pending` until it is measured, or correct the day.",
            pointer="/second_environment/date",
        )
