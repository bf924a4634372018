"""Shapes of closed documents (F.2): resources, trajectories, submissions, and what ties a task to what it tests."""

from collections.abc import Iterator, Mapping, Sequence

from medgauge_registrar.content.redlines import plain_key
from medgauge_registrar.content.textfile import walk
from medgauge_registrar.model.document import Json
from medgauge_registrar.patterns import lazy_pattern

TASK_KEY = lazy_pattern(r"\btk-[0-9a-z]{6,40}(?:@\d{1,4}\.\d{1,4}\.\d{1,4})?(?![0-9a-z-])")
REFERENCE = lazy_pattern(r"\bgr-[a-z0-9]{1,40}(?:-[a-z0-9]{1,40}){0,12}(?:@\d{1,4}\.\d{1,4}\.\d{1,4})?")
LABEL_KEYS = frozenset(f"t{number}" for number in range(1, 11)) | {
    "label", "labels", "tasklabels", "horizon", "difficultyclass", "class", "components", "difficultycomponents",
    "breadth", "crossing",
    "gaps", "plantedcontent", "regionalsplit", "requiredsteps", "dependencydepth", "distractors", "seededdefects",
    "defectclass",
}  # fmt: skip
_TASK_NAME_KEYS = frozenset({"taskkey", "taskid", "task", "tkkey", "tk"})
# What only a filled task submission has, from its form (section 23).
SUBMISSION_KEYS = frozenset({
    "actiongranularity", "compliancecheckpoints", "declarations", "difficultycomponents", "judgementpoints",
    "labels", "materialshash",
    "requiredactions", "seededdefects", "variantrelation",
})  # fmt: skip
_ENOUGH_ITEMS = 3
_FHIR = frozenset({
    "allergyintolerance", "bundle", "careplan", "claim", "composition", "condition", "diagnosticreport",
    "documentreference", "encounter",
    "imagingstudy", "immunization", "medication", "medicationadministration", "medicationrequest",
    "medicationstatement", "observation",
    "patient", "practitioner", "procedure", "questionnaireresponse", "servicerequest", "specimen",
})  # fmt: skip
_CHAT = frozenset({"role", "content"})
_STEPS = (frozenset({"action", "observation"}), frozenset({"toolcall", "toolresult"}), frozenset({"thought", "action"}))


def is_fhir(value: Json) -> bool:
    """Whether a document holds a clinical resource of FHIR (BND-01)."""
    for node in walk(value):
        if node.key == "resourceType" and isinstance(node.value, str) and node.value.casefold() in _FHIR:
            return True
    return False


def is_trajectory(value: Json) -> bool:
    """Whether a document holds the turns or steps of a run (BND-03)."""
    for items in _lists(value):
        mappings = [item for item in items if isinstance(item, dict)]
        if len(mappings) < 2:
            continue
        keys = [{plain_key(key) for key in item} for item in mappings]
        if sum(found >= _CHAT for found in keys) >= 2 or any(
            sum(found >= step for found in keys) >= 2 for step in _STEPS
        ):
            return True
    return False


def is_submission(value: Json) -> bool:
    """Whether a document holds a filled task submission, whole or in part (BND-09)."""
    for mapping in _mappings(value):
        told = [key for key in mapping if plain_key(key) in SUBMISSION_KEYS]
        if len(told) >= _ENOUGH_ITEMS and not all(_is_subschema(mapping[key]) for key in told):
            return True
    return False


def _is_subschema(value: Json) -> bool:
    return isinstance(value, bool) or (
        isinstance(value, dict) and bool(value.keys() & {"$ref", "type", "const", "enum"})
    )


def ties_a_task(value: Json) -> bool:
    """Whether a document ties one task to a reference, a label or a component (BND-04)."""
    for mapping in _mappings(value):
        keys = {plain_key(key) for key in mapping}
        if any(TASK_KEY.fullmatch(key) for key in mapping):
            inner = [item for key, item in mapping.items() if TASK_KEY.fullmatch(key)]
            if any(_tells(item) for item in inner):
                return True
        named = any(
            (isinstance(item, str) and TASK_KEY.fullmatch(item))
            or (isinstance(item, list) and any(isinstance(one, str) and TASK_KEY.fullmatch(one) for one in item))
            or (plain_key(key) in _TASK_NAME_KEYS and isinstance(item, str))
            for key, item in mapping.items()
        )
        if named and (keys & LABEL_KEYS or any(_names_reference(item) for item in mapping.values())):
            return True
    return False


def _tells(value: Json) -> bool:
    """Whether what stands under a task's key names a reference, a label or a component."""
    return _names_reference(value) or any(
        {plain_key(key) for key in mapping} & LABEL_KEYS for mapping in _mappings(value)
    )


def _names_reference(value: Json) -> bool:
    items = value if isinstance(value, list) else [value]
    return any(isinstance(item, str) and REFERENCE.fullmatch(item) for item in items)


def _mappings(value: Json) -> Iterator[Mapping[str, Json]]:
    pending: list[Json] = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            yield node
            pending.extend(item for item in node.values() if isinstance(item, dict | list))
        elif isinstance(node, list):
            pending.extend(item for item in node if isinstance(item, dict | list))


def _lists(value: Json) -> Iterator[Sequence[Json]]:
    if isinstance(value, list):
        yield value
    for node in walk(value):
        if isinstance(node.value, list):
            yield node.value
