"""The form of task submissions: public, and it stays narrow (SCHEMA-TSUB-01)."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from medgauge_registrar.checks.fields import mapping, step, texts
from medgauge_registrar.checks.framework import Context, Problem, tree_check
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json
from medgauge_registrar.registry.openness import open_places
from medgauge_registrar.registry.reader import Syntax, read_document
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.registry.schemas import SUFFIX
from medgauge_registrar.registry.sources import FOLDER

_FORM = f"{FOLDER}/task-submission{SUFFIX}"
# What a task submission may hold at all (section 23).
_ITEMS = frozenset({
    "action_granularity", "capabilities", "checks", "compliance_checkpoints", "declarations", "difficulty_components", "family",
    "judgement_points", "labels", "materials_hash", "required_actions", "seeded_defects", "variant_relation", "verifier",
})  # fmt: skip
_DECLARATIONS = frozenset({
    "no_holdout_task_from_measured_party", "no_individually_identifiable_information", "no_origin_identifier",
})  # fmt: skip
# Words in the name of a field that would tell where a task, or who it is from.
_ORIGIN = frozenset({
    "account", "address", "affiliation", "author", "authors", "by", "city", "clinic", "company", "contact", "contributor",
    "contributors", "country", "department", "email", "from", "hospital", "institute", "institution", "login", "mail", "name",
    "orcid", "organisation", "organization", "origin", "owner", "patient", "people", "person", "phone", "source", "submitter",
    "team", "user", "username", "vendor", "ward",
})  # fmt: skip
# Longest text that a form may take: one line. A longer one could hold the task itself.
_LINE_CHARACTERS = 300


@tree_check("SCHEMA-TSUB-01", section="23", kinds={Kind.SCHEMA})
def widened_form(context: Context) -> Iterator[Problem]:
    """
    The form of a task submission admits its listed items alone, no long text, and nothing that tells where a task is from.

    Graders must not learn whose task they grade, and the public form is what keeps an origin out. Take the field away; keep
    every object closed, every text to one line, and each declaration `const: true`.

    Passes: schemas/task-submission.schema.json as published
    Fails: a property `contributor` in it
    """
    registry = context.registry
    if not registry.names(FOLDER):
        return  # a tree without schemas of its own is held against the shipped ones
    if not registry.has(_FORM):
        yield Problem(message=f"there is no `{_FORM}`", help="Put the form back.", path=_FORM)
        return
    document = read_document(registry.tree.read(_FORM) or b"", syntax=Syntax.JSON)
    form = document.value
    if document.faults or not isinstance(form, dict):
        yield Problem(
            message="the form of a task submission cannot be read",
            help="Write plain JSON.",
            path=_FORM,
            position=document.faults[0].position if document.faults else None,
        )
        return
    for pointer, why in (
        *open_places(form),
        *_unlisted_items(form),
        *_loose_declarations(form),
        *_wide_places(form, registry),
    ):
        yield Problem(
            message=f"`{pointer or '/'}` {why}",
            help="Keep the form to the items of section 23.",
            path=_FORM,
            position=document.position(pointer),
        )


def _unlisted_items(form: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    for name in mapping(form.get("properties")):
        if name not in _ITEMS:
            yield f"/properties{step(name)}", "is no item of a task submission"


def _loose_declarations(form: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    if "declarations" not in texts(form.get("required")):
        yield "/required", "does not ask for `declarations`"
    place = "/properties/declarations"
    declared = mapping(mapping(form.get("properties")).get("declarations"))
    made = mapping(declared.get("properties"))
    for name in sorted(_DECLARATIONS | made.keys()):
        if name not in _DECLARATIONS:
            yield f"{place}/properties{step(name)}", "is no declaration of section 23"
        elif name not in texts(declared.get("required")) or mapping(made.get(name)).get("const") is not True:
            yield f"{place}/properties{step(name)}", "is not required to be true"


def _wide_places(form: Json, registry: Registry) -> Iterator[tuple[str, str]]:
    """Fields that tell an origin and texts that are not bounded to a line, in the form and in what it refers to."""
    if mapping(form).get("additionalProperties") is not False:
        yield "", "is not closed by `additionalProperties: false`"
    seen: set[tuple[str, str]] = set()
    # The place in the form, and what is looked at: the form itself, or a part of another file that it refers to.
    pending: list[tuple[str, str, Json]] = [("", _FORM, form)]
    while pending:
        place, path, node = pending.pop()
        if isinstance(node, list):
            pending.extend((_below(place, str(index), path), path, member) for index, member in enumerate(node))
        if not isinstance(node, dict):
            continue
        reference = node.get("$ref")
        # References inside the form lead to its own definitions, which are looked at where they stand.
        if isinstance(reference, str) and not (path == _FORM and reference.startswith("#")):
            target = _target(path, reference, registry)
            if target is None:
                yield place, f"refers to `{reference}`, which is not there"
            elif target[:2] not in seen:
                seen.add(target[:2])
                pending.append((place, target[0], target[2]))
        if _takes_long_text(node):
            yield place, f"takes texts of more than {_LINE_CHARACTERS} characters"
        if "patternProperties" in node:
            yield place, "admits fields by a pattern"
        for name in mapping(node.get("properties")):
            if name not in _DECLARATIONS and set(name.split("_")) & _ORIGIN:
                yield place, f"has a field `{name}`, which could tell where a task is from"
        pending.extend((_below(place, name, path), path, member) for name, member in node.items())


def _below(place: str, name: str, path: str) -> str:
    """Place of a member; what another file holds is told at the reference that leads there."""
    return f"{place}{step(name)}" if path == _FORM else place


def _takes_long_text(node: Mapping[str, Json]) -> bool:
    kinds = node.get("type")
    if "string" not in ([kinds] if isinstance(kinds, str) else texts(kinds)) or node.keys() & {"enum", "const"}:
        return False
    most = node.get("maxLength")
    return not isinstance(most, int) or most > _LINE_CHARACTERS


def _target(path: str, reference: str, registry: Registry) -> tuple[str, str, Json] | None:
    """File, JSON Pointer and content that a reference beside the form leads to; null if there is none."""
    name, _, pointer = reference.partition("#")
    file = f"{FOLDER}/{name}" if name else path
    data = registry.tree.read(file) if registry.has(file) else None
    node = None if data is None else _content(data)
    for part in pointer.split("/")[1:]:
        node = mapping(node).get(part.replace("~1", "/").replace("~0", "~"))
    return None if node is None else (file, pointer, node)


@lru_cache(maxsize=4)
def _content(data: bytes) -> Json:
    """What a schema file holds; a form refers to few of them, each many times."""
    return read_document(data, syntax=Syntax.JSON).value
