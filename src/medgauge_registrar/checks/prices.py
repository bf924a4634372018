"""Price tables: one rate for each use, and none for what nobody is paid for (SCHEMA-PRICE-02, 03)."""

from collections.abc import Iterator

from medgauge_registrar.checks.fields import mapping
from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, change_check, record_check
from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.layout import encode_model_name
from medgauge_registrar.registry.records import Record
from medgauge_registrar.registry.references import select

_SELF_HOSTED = "self-hosted"
_OPEN = "open"


@record_check("SCHEMA-PRICE-02", section="29, G6", kinds={Kind.PRICE})
def second_rate(record: Record, _: Context) -> Iterator[Problem]:
    """
    A rate is no less than zero, names its unit, and is the only one of the table for its name and unit.

    An amount is computed again from usage and table alone; two rates for one use would give two amounts. Keep the rate that
    was paid, and give another name to what is priced apart.

    Passes: one rate for input tokens and one for output tokens
    Fails: two rates for input tokens of one model
    """
    seen: dict[tuple[object, object], str] = {}
    for pointer, rate in select(record.document.value, "rates/*"):
        use = (mapping(rate).get("name"), mapping(rate).get("unit"))
        if (first := seen.setdefault(use, pointer)) != pointer:
            yield Problem(
                message=f"`{use[0]}` has a rate for `{use[1]}` already, at `{first}`",
                help="Keep one of the two.",
                pointer=pointer,
            )


# A step and not a state: a model may be listed, or its weights published, long after a table priced it, and a published table
# is never edited. What later results may state as an amount is asked of the results.
@change_check("SCHEMA-PRICE-03", section="14.3", kinds={Kind.PRICE})
def price_without_vendor(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A new price table prices no model that is self-hosted or whose weights are open.

    What such a model costs depends on who runs it, so no amount is ever shown for it. Leave its rates out, under whatever kind
    of rate they stand.

    Passes: a rate for a model that is reached through its vendor and whose weights are closed
    Fails: a rate for a model with weights: open
    """
    if not changed.enters or changed.place.kind is not Kind.PRICE or changed.after is None:
        return
    for pointer, name in select(changed.after.document.value, "rates/*/name"):
        path = context.registry.path_of(Kind.MODEL, model=encode_model_name(str(name)))
        model = context.registry.valid_record(path)
        if model is None:
            # Not every rate is of a listed model: a service has none, and a model without a result has none yet.
            if context.registry.has(path):
                yield Problem(
                    message=f"`{path}` breaks its schema or cannot be read, so whether `{name}` may have a price is not known",
                    help="Mend the record of the model first, or leave its rates out of the table.",
                    pointer=pointer,
                )
            continue
        if model["weights"] == _OPEN or model["access_route"] == _SELF_HOSTED:
            what = "has open weights" if model["weights"] == _OPEN else "is self-hosted"
            yield Problem(
                message=f"`{name}` {what}, as `{model.path}` says, and has no price",
                help="Leave its rates out of the table.",
                pointer=pointer,
            )
