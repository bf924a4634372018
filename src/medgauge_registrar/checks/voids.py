"""Voided task versions: errors on the initiative's side, taken from the board for everybody (SCHEMA-VOID-01…03)."""

from collections.abc import Iterator, Mapping

from medgauge_registrar.checks.benchmark_records import SUBSETS
from medgauge_registrar.checks.fields import lies_ahead, mapping, texts
from medgauge_registrar.checks.framework import Context, Problem, Reach, record_check
from medgauge_registrar.classify.transitions import is_frozen
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json
from medgauge_registrar.registry.records import Record, Registry, version_key
from medgauge_registrar.registry.references import select

_ENVIRONMENT_ERROR = "environment-error"


@record_check("SCHEMA-VOID-01", section="8.4", kinds={Kind.VOID})
def misattributed_error(record: Record, context: Context) -> Iterator[Problem]:
    """
    A task version is voided for an error of the task or the environment, and the class of the error belongs to that side.

    Errors on the subject's side stay failed runs and are never voided, so what was wrong has to be told truly. Make class and
    attribution agree, and give the day on which the version was voided.

    Passes: attribution: task with reason_class: key-error
    Fails: attribution: environment with reason_class: key-error
    """
    for pointer, entry in select(record.document.value, "voided/*"):
        fields = mapping(entry)
        side = "environment" if fields.get("reason_class") == _ENVIRONMENT_ERROR else "task"
        if fields.get("attribution") != side:
            yield Problem(
                message=f"`attribution` is `{fields.get('attribution')}`, and `{fields.get('reason_class')}` is of the {side}",
                help="Make the two agree.",
                pointer=f"{pointer}/attribution",
            )
        if lies_ahead(fields.get("date"), context):
            yield Problem(
                message=f"`date` is `{fields.get('date')}`, a day that has begun nowhere on Earth",
                help="Give the day on which the version was voided.",
                pointer=f"{pointer}/date",
            )


@record_check("SCHEMA-VOID-02", section="8.4", kinds={Kind.VOID}, reach=Reach.FAMILY)
def stray_void(record: Record, context: Context) -> Iterator[Problem]:
    """
    What is voided is a task version of the frozen benchmark version, listed once for all its subjects.

    The list decides which tasks leave the board of the version for everybody; an entry that is not of the version would take
    nothing away, and a second one could tell another story of the same error. Correct the key, or remove the second entry.

    Passes: a key that the frozen version lists
    Fails: a key of another version
    """
    # The path says which version is meant; that the field says the same is for ID-09.
    version = context.registry.valid_record(_version_path(record.place.object, context.registry))
    if version is None:
        return
    if not is_frozen(version.document.value):
        yield Problem(
            message=f"`{record.place.object}` is not frozen, so its tasks can still be changed",
            help="Change the task in the version itself.",
            pointer="/benchmark_version",
        )
        return
    tasks = _tasks(version)
    seen: dict[Json, str] = {}
    for pointer, key in select(record.document.value, "voided/*/task_key"):
        name = str(key)
        if tasks.get(name.partition("@")[0]) != name:
            yield Problem(
                message=f"`{name}` is no task version of `{record.place.object}`",
                help="Give the key as the version lists it.",
                pointer=pointer,
            )
        if (first := seen.setdefault(name, pointer)) != pointer:
            yield Problem(
                message=f"`{name}` is voided already, at `{first}`", help="Keep one of the entries.", pointer=pointer
            )


@record_check("SCHEMA-VOID-03", section="5.4, 8.4", kinds={Kind.VOID}, reach=Reach.FAMILY)
def early_replacement(record: Record, context: Context) -> Iterator[Problem]:
    """
    The corrected task comes in a later version of the family, under the same key with a higher task version.

    A frozen version is never mended, and every subject is run again on the new one. Name the later version that holds the
    corrected task, or leave `replaced_in` null while there is none.

    Passes: tk-5rq4f5zr37e3@1.0.0 of version 0.2.0, replaced in 0.3.0, which holds tk-5rq4f5zr37e3@1.0.1
    Fails: replaced_in: bm-example@0.2.0 in the list of that very version
    """
    for pointer, entry in select(record.document.value, "voided/*"):
        target = mapping(entry).get("replaced_in")
        if isinstance(target, str):
            task = str(mapping(entry).get("task_key"))
            yield from _replacement_problems(record, task, target, f"{pointer}/replaced_in", context.registry)


def _replacement_problems(
    record: Record, task: str, target: str, pointer: str, registry: Registry
) -> Iterator[Problem]:
    own_family, _, own_version = record.place.object.partition("@")
    family, _, version = target.partition("@")
    if family != own_family or version_key(version) <= version_key(own_version):
        yield Problem(
            message=f"`{target}` is no later version of `{own_family}`",
            help="Name a later version of the same family, or null while there is none.",
            pointer=pointer,
        )
        return
    later = registry.valid_record(_version_path(target, registry))
    if later is None:
        return
    tasks = _tasks(later)
    key, _, voided = task.partition("@")
    replacement = tasks.get(key)
    # A version that is still being built lists its tasks when it freezes.
    if tasks and (replacement is None or version_key(replacement.partition("@")[2]) <= version_key(voided)):
        found = f"holds `{replacement}`" if replacement else f"holds no version of `{key}`"
        yield Problem(
            message=f"`{target}` {found}, expected a version of the task above `{task}`",
            help="Name the version with the corrected task.",
            pointer=pointer,
        )


def _version_path(reference: str, registry: Registry) -> str:
    identifier, _, version = reference.partition("@")
    return registry.path_of(Kind.BM_VERSION, bm=identifier, version=version)


def _tasks(version: Record) -> Mapping[str, str]:
    """Task versions that a benchmark version lists, by task key."""
    listed = (key for subset in SUBSETS for key in texts(mapping(version["task_keys"]).get(subset)))
    return {key.partition("@")[0]: key for key in listed}
