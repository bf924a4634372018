"""Where a JSON Schema lets in what it does not name (ENT-08)."""

from collections.abc import Iterator

from medgauge_registrar.model.document import Json

# Keywords under which a schema only narrows what another one declares, so an open object there opens nothing.
_NARROWING = frozenset({"if", "then", "else", "not", "contains", "propertyNames"})
_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_MAPS = frozenset({"properties", "$defs", "patternProperties", "dependentSchemas"})
_VALUES = frozenset({"items", "additionalProperties", "unevaluatedProperties"})
# Keywords of which a schema needs one to say at all which values it means.
_CHOOSING = frozenset({"type", "$ref", "$dynamicRef", "const", "enum", "allOf", "anyOf", "oneOf", "if"})
_FRAME = frozenset({"$schema", "$id", "title", "description", "$comment", "$defs"})


def open_places(schema: Json) -> Iterator[tuple[str, str]]:
    """
    Find every place of a schema that admits unnamed fields.

    Returns:
        JSON Pointer of the place, and why it is open.

    Source:
        JSON Schema 2020-12, core, sections 10.3.2 and 11.3.
    """
    if not isinstance(schema, dict):
        yield "", "is no schema object"
        return
    # A schema file that holds definitions alone describes no value.
    if not schema.keys() <= _FRAME:
        yield from _unclosed("", schema)
    yield from _inside("", schema, declares=True)


def _inside(place: str, schema: dict[str, Json], *, declares: bool) -> Iterator[tuple[str, str]]:
    for keyword, value in schema.items():
        for pointer, member, still in _members(f"{place}/{keyword}", keyword, value):
            if isinstance(member, dict):
                if declares and still:
                    yield from _unclosed(pointer, member)
                yield from _inside(pointer, member, declares=declares and still)
            elif member is True and declares and still and keyword not in _VALUES - {"items"}:
                yield pointer, "admits any value"


def _members(place: str, keyword: str, value: Json) -> Iterator[tuple[str, Json, bool]]:
    """Schemas below a keyword, each with whether it declares a value of its own."""
    if keyword in _NARROWING:
        yield place, value, False
    elif keyword in _VALUES:
        yield place, value, True
    elif keyword in _LISTS and isinstance(value, list):
        for index, member in enumerate(value):
            # In a combination, only a member that names a type declares a value.
            yield (
                f"{place}/{index}",
                member,
                keyword == "prefixItems" or (isinstance(member, dict) and "type" in member),
            )
    elif keyword in _MAPS and isinstance(value, dict):
        for name, member in value.items():
            yield f"{place}/{name.replace('~', '~0').replace('/', '~1')}", member, True


def _unclosed(place: str, schema: dict[str, Json]) -> Iterator[tuple[str, str]]:
    types = schema.get("type")
    named = [types] if isinstance(types, str) else types if isinstance(types, list) else []
    if not schema.keys() & _CHOOSING:
        yield place, "admits any value"
    elif ("object" in named or "properties" in schema) and not _is_closed(schema):
        yield place, "describes an object and is not closed"


def _is_closed(schema: dict[str, Json]) -> bool:
    if schema.get("additionalProperties") is False or schema.get("unevaluatedProperties") is False:
        return True
    return isinstance(schema.get("additionalProperties"), dict) and {"propertyNames", "maxProperties"} <= schema.keys()
