"""Models: listed beside a reviewed result, with the snapshots that results name (SCHEMA-MODEL-*)."""

from collections.abc import Iterator

from medgauge_registrar.checks.fields import mapping, texts
from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, Reach, change_check, record_check
from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.layout import Place, encode_model_name
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.registry.references import mention_words


@change_check("SCHEMA-MODEL-01", section="15", kinds={Kind.MODEL})
def model_without_result(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A model enters the registry beside a reviewed result that names it.

    The registry lists what was measured, not what exists. A first result and its model need each other, so both come in one
    pull request.

    Passes: a new model, and a result with that model in the same pull request
    Fails: a new model that no result names
    """
    if not changed.enters or changed.place.kind is not Kind.MODEL:
        return
    changed_results = (item.path for item in changed.changes if item.kind is Kind.RES and item.after is not None)
    if not any(_names(path, changed.place, context.registry) for path in changed_results) and not any(
        _names(path, changed.place, context.registry) for path in _candidates(changed.place, context.registry)
    ):
        yield Problem(
            message=f"no result names the model `{changed.place.id}`",
            help="Add the model in the pull request of its first result.",
        )


@record_check(
    "SCHEMA-MODEL-03", section="14.1", kinds={Kind.RES}, reach=Reach.REFERENCES, watches={(Kind.MODEL, "snapshots")}
)
def unlisted_snapshot(record: Record, context: Context) -> Iterator[Problem]:
    """
    A snapshot that a result names is one of those in the model's entry.

    Otherwise nobody can tell which model was measured. A fingerprint returned by the interface is no snapshot and needs no
    entry. Add the snapshot to the model, or correct the result before it is filed.

    Passes: snapshot example-model-2026-10-01, which the entry lists
    Fails: snapshot example-model-2026-11-01, which it does not list
    """
    condition = mapping(mapping(record["fixed_conditions"]).get("service_snapshot"))
    if condition.get("kind") != "snapshot":
        return
    path = context.registry.path_of(Kind.MODEL, model=encode_model_name(str(record["model"])))
    model = context.registry.valid_record(path)
    if model is not None and condition.get("value") not in texts(model["snapshots"]):
        yield Problem(
            message=f"`{condition.get('value')}` is no snapshot that `{path}` lists",
            help="Add it to the model's snapshots, or correct it.",
            pointer="/fixed_conditions/service_snapshot/value",
        )


def _candidates(model: Place, registry: Registry) -> Iterator[str]:
    """Results that may name a model, found by its name in their bytes."""
    for path in registry.tree.mentions(registry.layout.folder(Kind.RES), mention_words(model)):
        if registry.layout.place(path).kind is Kind.RES:
            yield path


def _names(path: str, model: Place, registry: Registry) -> bool:
    result = registry.valid_record(path)
    return result is not None and result["model"] == model.id
