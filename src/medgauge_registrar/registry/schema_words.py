"""What a schema refuses, in words: the value found, what was expected and under which condition, and what to do."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from medgauge_registrar.model.frozen import frozen

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_SHOWN_CHARACTERS = 80
# Keywords under which the explaining validator gathers what a condition asks for (`schemas.py`).
BRANCHES = frozenset({"then", "else"})
_TYPES: Mapping[str, str] = {
    "string": "a text",
    "object": "a mapping",
    "array": "a list",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "`true` or `false`",
    "null": "`null`",
}
_UNITS: Mapping[str, tuple[str, str]] = {
    "Length": ("character", "characters"),
    "Items": ("item", "items"),
    "Properties": ("field", "fields"),
}
_SIGNS: Mapping[str, str] = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}


@frozen
class SchemaProblem:
    """
    One breach of a schema.

    Attributes:
        pointer: JSON Pointer of the offending value; of its parent, where a member is absent.
        keyword: The schema keyword that refuses it.
        message: Value found and what was expected.
        help: How to mend it.
        described: The schema's own description of the field, with its section; empty if it has none.
    """

    pointer: str
    keyword: str
    message: str
    help: str
    described: str = ""


def problems_of(error: "ValidationError") -> Iterator[SchemaProblem]:
    """Every breach that one error of the explaining validator is about."""
    for leaf in _leaves(error):
        condition = _condition(leaf)
        for problem in _problems(leaf):
            yield replace(problem, message=f"{problem.message}{condition}")


def unexplained(error: Any) -> SchemaProblem:
    """A breach in the fast validator's own words."""
    return SchemaProblem(
        pointer=_pointer(error.instance_path),
        keyword="",
        message=_short(error.message),
        help="Compare the value with the schema.",
    )


def _leaves(error: "ValidationError") -> list["ValidationError"]:
    """The errors inside a combined one that say something about a value; the combined one where there is none."""
    children = list(error.context or ())
    if error.validator in BRANCHES:
        return [leaf for child in children for leaf in _leaves(child)]
    if error.validator in {"anyOf", "oneOf"} and children:
        deepest = max(len(child.absolute_path) for child in children)
        if deepest > len(error.absolute_path):
            return [leaf for child in children if len(child.absolute_path) == deepest for leaf in _leaves(child)]
    return [error]


def _problems(error: "ValidationError") -> Iterator[SchemaProblem]:
    pointer, keyword = _pointer(error.absolute_path), str(error.validator)
    schema = error.schema if isinstance(error.schema, dict) else {}
    described = schema.get("description", "")
    if not isinstance(described, str):
        described = ""
    if keyword == "additionalProperties" and isinstance(error.instance, dict):
        known, patterns = sorted(schema.get("properties", {})), schema.get("patternProperties", {})
        for name in error.instance:
            if name not in known and not any(re.search(pattern, name) for pattern in patterns):
                # The description is that of the object, which has no such field.
                yield _unknown(name, known, f"{pointer}/{_escape(name)}", keyword)
    elif list(error.absolute_schema_path)[-2:-1] == ["propertyNames"] and isinstance(error.instance, str):
        names: Any = error.validator_value
        allowed = sorted(map(str, names)) if keyword == "enum" else []
        name = error.instance
        problem = _unknown(name, allowed, f"{pointer}/{_escape(name)}", keyword)
        if not allowed:
            message, _ = _words(error)
            problem = replace(problem, message=f"as the name of a field {message}")
        yield problem
    elif keyword != "pattern" or error.instance != "" or not schema.get("minLength"):
        # That a text is empty is said once.
        message, advice = _words(error)
        yield SchemaProblem(pointer=pointer, keyword=keyword, message=message, help=advice, described=described)


def _unknown(name: str, known: list[str], pointer: str, keyword: str) -> SchemaProblem:
    allowed = f"; known fields here are {', '.join(f'`{other}`' for other in known)}" if known else ""
    return SchemaProblem(
        pointer=pointer,
        keyword=keyword,
        message=f"`{_short(name)}` is not known here{allowed}",
        help="Correct the name or remove the field.",
    )


def _words(error: "ValidationError") -> tuple[str, str]:
    """Say what was found and expected, and what to do, in one shape for every keyword."""
    limit: Any = error.validator_value
    instance: Any = error.instance
    found = _show(instance)
    match str(error.validator):
        case "required":
            missing = [name for name in limit if name not in instance]
            names = ", ".join(f"`{name}`" for name in missing)
            return f"{names} {'is' if len(missing) == 1 else 'are'} missing", "Add the field; the schema describes it."
        case "type":
            wanted = [limit] if isinstance(limit, str) else list(limit)
            is_bare = wanted == ["string"] and isinstance(instance, bool | int | Decimal)
            advice = "Put it in quotation marks." if is_bare else "Write a value of that type."
            return f"found {found}, expected {' or '.join(_TYPES.get(name, name) for name in wanted)}", advice
        case "enum":
            return f"found {found}, expected one of {', '.join(_show(item) for item in limit)}", "Choose one of these."
        case "const":
            return f"found {found}, expected {_show(limit)}", "Write exactly that."
        case "pattern":
            return f"found {found}, which does not have the form `{limit}`", "Correct the form."
        case "format":
            return f"found {found}, which is no valid {limit}", "Correct the value."
        case "minLength" if instance == "" and limit == 1:
            return (
                "found an empty text, expected some words",
                "Write what belongs here, or leave an optional field out.",
            )
        case "minLength" | "minItems" | "minProperties" as keyword:
            return f"found {found}, expected at least {_counted(keyword, limit)}", "Add what is missing."
        case "maxLength" | "maxItems" | "maxProperties" as keyword:
            return f"found {found}, expected at most {_counted(keyword, limit)}", "Shorten it."
        case "minimum" | "exclusiveMinimum" | "maximum" | "exclusiveMaximum" as keyword:
            return f"found {found}, expected a number {_SIGNS[keyword]} {limit}", "Correct the number."
        case "contains":
            return f"found {found}, expected one item that {_wanted_item(limit)}", "Add that item."
        case "not" if _only(limit, "const"):
            return f"found {found}, which may not stand here", "Write another value."
        case "not" if banned := sorted(_banned(limit) & set(instance if isinstance(instance, dict) else ())):
            names = ", ".join(f"`{name}`" for name in banned)
            return f"{names} may not stand here", "Remove the field."
        case _:
            return _short(error.message), "Compare the value with the schema."


def _counted(keyword: str, limit: int) -> str:
    one, several = _UNITS[keyword[3:]]
    return f"{limit} {one if limit == 1 else several}"


def _wanted_item(schema: Any) -> str:
    told = _clauses(schema, "it")
    return told[0].removeprefix("it ") if len(told) == 1 else "the schema asks for"


def _banned(schema: Any) -> set[str]:
    """Fields that a negated schema forbids."""
    parts: list[Any] = schema["anyOf"] if _only(schema, "anyOf") else [schema]
    return {name for part in parts if _only(part, "required") for name in part["required"]}


def _condition(error: "ValidationError") -> str:
    """Under which condition something is asked for, as the end of a sentence; empty if always, or if hard to say."""
    parent: Any = error.parent
    while parent is not None:
        if parent.validator in BRANCHES and (told := _clauses(parent.validator_value, "it")):
            return f", {'since' if parent.validator == 'then' else 'unless'} {' and '.join(told)}"
        parent = parent.parent
    return ""


def _only(schema: Any, keyword: str) -> bool:
    """Whether a schema has one keyword and no other; a schema may also be a bare `true` or `false`."""
    return isinstance(schema, dict) and schema.keys() == {keyword}


def _clauses(schema: Any, subject: str) -> list[str]:
    """What a schema asks of a subject, clause by clause; empty for what cannot be said so."""
    found: list[str] = []
    for keyword, value in schema.items() if isinstance(schema, dict) else ():
        match keyword:
            case "const":
                found.append(f"{subject} is {_show(value)}")
            case "enum":
                found.append(f"{subject} is {' or '.join(map(_show, value))}")
            case "pattern":
                found.append(f"{subject} has the form `{value}`")
            case "type" if isinstance(value, str) and "pattern" not in schema and "required" not in schema:
                found.append(f"{subject} is {_TYPES[value]}")
            case "minItems" if value == 1:
                found.append(f"{subject} is not empty")
            case "contains" if _only(value, "const"):
                found.append(f"{subject} holds {_show(value['const'])}")
            case "not" if _only(value, "const"):
                found.append(f"{subject} is not {_show(value['const'])}")
            case "not" if _only(value, "required") and len(value["required"]) == 1:
                found.append(f"{_named(subject, value['required'][0])} is missing")
            case "required":
                found += [
                    f"{_named(subject, name)} is given" for name in value if name not in schema.get("properties", {})
                ]
            case "properties":
                for name, inner in value.items():
                    told = _clauses(inner, _named(subject, name))
                    if not told:
                        return []
                    found += told
            case "maxLength" | "type":
                continue
            case _:
                return []
    return found


def _named(subject: str, name: str) -> str:
    return f"`{name}`" if subject == "it" else f"{subject.removesuffix('`')}.{name}`"


def _show(value: object) -> str:
    if isinstance(value, dict):
        return f"a mapping of {_counted('minProperties', len(value))}" if value else "an empty mapping"
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    if value is None or isinstance(value, bool):
        return {None: "`null`", True: "`true`", False: "`false`"}[value]
    if isinstance(value, str) and not value:
        return "an empty text"
    return f"`{_short(str(value))}`"


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}… ({len(text)} characters)"


def _pointer(path: Any) -> str:
    return "".join(f"/{_escape(str(part))}" for part in path)


def _escape(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1")
