"""Requests and answers held against GitHub's OpenAPI description, with the differences in which reality wins set apart."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jsonschema import Draft4Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT4
from ruamel.yaml import YAML

from contract.material import openapi

_ROOT = "urn:github"
_WAIVERS = Path(__file__).with_name("waivers.yml")


@dataclass(frozen=True)
class Waiver:
    """A place in which GitHub's answers differ from its description; `evidence` says how that is known."""

    operation: str
    place: str
    why: str
    evidence: str

    def covers(self, method: str, target: str) -> bool:
        """Whether it is about a request."""
        operation = operation_of(method, target)
        return operation is not None and re.fullmatch(self.operation, f"{method} {operation[0]}") is not None


@cache
def waivers() -> tuple[Waiver, ...]:
    """The differences that are known."""
    return tuple(Waiver(**entry) for entry in YAML(typ="safe").load(_WAIVERS.read_text(encoding="utf-8")))


def faults_of_answer(method: str, target: str, status: int, data: Any) -> list[str]:
    """What an answer breaks of its description; waived places are left out."""
    operation = operation_of(method, target)
    if operation is None:
        return [f"{method} {target} is not described"]
    template, described = operation
    responses = described["responses"]
    name = f"{method} {template}"
    if str(status) not in responses:
        return [] if _waived(name, str(status)) else [f"{name} is not described to answer {status}"]
    schema = _schema(responses[str(status)])
    return [fault for fault, place in _breaches(schema, data) if not _waived(name, place)]


def broken_places(method: str, target: str, status: int, data: Any) -> set[str]:
    """Where an answer breaks its description, whether or not that is waived."""
    operation = operation_of(method, target)
    if operation is None or str(status) not in operation[1]["responses"]:
        return set()
    return {place for _, place in _breaches(_schema(operation[1]["responses"][str(status)]), data)}


def faults_of_request(method: str, target: str, body: Any) -> list[str]:
    """What a request breaks of its description; waived places are left out."""
    operation = operation_of(method, target)
    if operation is None:
        return [f"{method} {target} is not described"]
    template, described = operation
    schema = _schema(described["requestBody"]) if "requestBody" in described else None
    if schema is None:
        return [f"{method} {template} takes no body"] if body else []
    return [fault for fault, place in _breaches(schema, body or {}) if not _waived(f"{method} {template}", place)]


def operation_of(method: str, target: str) -> tuple[str, Mapping[str, Any]] | None:
    """The path template and the operation that a request is."""
    for template, pattern in _patterns():
        if pattern.fullmatch(_path(target)) and method.lower() in openapi()["paths"][template]:
            return template, openapi()["paths"][template][method.lower()]
    return None


def _path(target: str) -> str:
    return urlsplit(target).path.removeprefix("/api/v3")


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    # Literal parts go before named ones: `/commits/{ref}/pulls` must not be taken for `/commits/{ref}`.
    templates = sorted(openapi()["paths"], key=lambda template: (template.count("{"), -template.count("/")))
    return tuple((template, re.compile(_pattern(template))) for template in templates)


def _pattern(template: str) -> str:
    pattern = re.sub(r"\\\{(?:path|ref|basehead|branch)\\\}", "(?:.+)", re.escape(template))
    return re.sub(r"\\\{[^}]+\\\}", "[^/]+", pattern)


@cache
def _registry() -> Registry[Any]:
    return Registry().with_resource(_ROOT, Resource(contents=_without_nullable(openapi()), specification=DRAFT4))


def _without_nullable(node: Any) -> Any:
    """OpenAPI 3.0 writes `nullable` where JSON Schema writes a second type."""
    if isinstance(node, list):
        return [_without_nullable(item) for item in node]
    if not isinstance(node, dict):
        return node
    made = {name: _without_nullable(value) for name, value in node.items() if name != "nullable"}
    if node.get("nullable") is True and any(
        name in node for name in ("type", "$ref", "anyOf", "oneOf", "allOf", "enum")
    ):
        return {"anyOf": [{"type": "null"}, made]}
    return made


def _schema(described: Mapping[str, Any]) -> Any:
    if "$ref" in described:
        found = openapi()
        for part in described["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        described = found
    for kind, content in described.get("content", {}).items():
        if kind.startswith("application/json") or kind.endswith("+json"):
            return content.get("schema")
    return None


def _breaches(schema: Any, data: Any) -> Iterator[tuple[str, str]]:
    if schema is None:
        if data not in (None, b""):
            yield "a body, where none is described", ""
        return
    # References inside the schema are to the whole description.
    anchored = _anchored(_without_nullable(schema))
    for error in Draft4Validator(anchored, registry=_registry()).iter_errors(data):
        for leaf in _leaves(error):
            place = "/".join("*" if isinstance(part, int) else str(part) for part in leaf.absolute_path)
            yield f"at `{place}`: {leaf.message[:200]}", place


def _leaves(error: Any) -> Iterator[Any]:
    """The errors at the bottom of those that only say that no alternative fits."""
    if error.validator in {"anyOf", "oneOf"} and error.context:
        deepest = max(len(inner.absolute_path) for inner in error.context)
        for inner in error.context:
            if len(inner.absolute_path) == deepest and inner.validator != "type":
                yield from _leaves(inner)
                return
    yield error


def _anchored(node: Any) -> Any:
    if isinstance(node, list):
        return [_anchored(item) for item in node]
    if isinstance(node, dict):
        return {
            name: f"{_ROOT}{value}" if name == "$ref" and isinstance(value, str) else _anchored(value)
            for name, value in node.items()
        }
    return node


def _waived(operation: str, place: str) -> bool:
    return any(re.fullmatch(waiver.operation, operation) and re.fullmatch(waiver.place, place) for waiver in waivers())
