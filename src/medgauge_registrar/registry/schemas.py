"""Validate records: `jsonschema-rs` proves innocence fast, `jsonschema` explains every refusal (ENT-02)."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs

from medgauge_registrar.data import FOLDER
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.registry.schema_words import SchemaProblem, problems_of, unexplained

if TYPE_CHECKING:
    from jsonschema import FormatChecker

# Name of the schema file that describes each kind of record.
SCHEMA_NAMES: Mapping[Kind, str] = {
    Kind.BM_CARD: "benchmark-card",
    Kind.BM_VERSION: "benchmark-version",
    Kind.GR: "grading-reference",
    Kind.CAP: "capability",
    Kind.HX: "harness",
    Kind.TL: "tool",
    Kind.STD: "standard",
    Kind.DS: "dataset-card",
    Kind.MODEL: "model",
    Kind.RES: "result",
    Kind.RP: "reproduction",
    Kind.LO: "level-override",
    Kind.RM: "roadmap-item",
    Kind.PRICE: "price-table",
    Kind.VOID: "voided-list",
    Kind.LIFECYCLE: "lifecycle",
    Kind.REDIRECTS: "redirects",
    Kind.NOTICE: "notice",
    Kind.ROUND: "round-protocol",
    Kind.DISPUTE: "dispute-outcome",
    Kind.DFN: "difficulty-function",
    Kind.ALG: "algorithm",
    Kind.LVL: "level-rules",
}
SUFFIX = ".schema.json"
# Problems reported for one record; a record of another kind would otherwise fill a screen.
MAX_PROBLEMS = 20
_REFERRED = lazy_pattern(rb'"\$ref"\s*:\s*"([a-z0-9-]+)\.schema\.json\b')
_DATE_TIME = lazy_pattern(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})"
)


class SchemaSet:
    """
    A folder of schemas, compiled on demand, resolving references among themselves only.

    Args:
        sources: JSON text by schema name (`benchmark-card`), without the `.schema.json` suffix.
        label: How messages name where the schemas come from.
    """

    def __init__(self, sources: Mapping[str, bytes], *, label: str) -> None:
        self._sources = sources
        self._label = label
        self._schemas: dict[str, dict[str, Any]] = {}
        self._fast: dict[str, Any] = {}

    def __contains__(self, name: str) -> bool:
        """Whether there is a schema of that name."""
        return name in self._sources

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all schemas, sorted."""
        return tuple(sorted(self._sources))

    def schema(self, name: str) -> dict[str, Any]:
        """
        One schema as JSON.

        Raises:
            PolicyError: It is no JSON object, or there is none of that name.
        """
        if name not in self._schemas:
            try:
                loaded = json.loads(self._sources[name])
            except KeyError:
                raise PolicyError(f"{self._label}: there is no schema `{name}{SUFFIX}`") from None
            except (ValueError, RecursionError) as error:
                raise PolicyError(f"{self._label}/{name}{SUFFIX}: not JSON ({error})") from None
            if not isinstance(loaded, dict):
                raise PolicyError(f"{self._label}/{name}{SUFFIX}: expected a JSON object")
            self._schemas[name] = loaded
        return self._schemas[name]

    def is_valid(self, name: str, value: Json) -> bool:
        """
        Whether a value keeps a schema; formats are asserted.

        Raises:
            PolicyError: The schema itself cannot be used.
        """
        return bool(self.compile(name).is_valid(value))

    def problems(self, name: str, value: Json) -> tuple[SchemaProblem, ...]:
        """
        Every breach of a schema, in the order of the record; empty if it is kept.

        Raises:
            PolicyError: The schema itself cannot be used.
        """
        return () if self.is_valid(name, value) else self._explain(name, value)

    def first_breach(self, name: str, value: Json) -> SchemaProblem | None:
        """
        One breach of a schema in the fast validator's own words; null if it is kept.

        For schemas from a contributor: `problems` explains with a library that may try their expressions for ever.

        Raises:
            PolicyError: The schema itself cannot be used.
        """
        error = next(iter(self.compile(name).iter_errors(value)), None)
        return None if error is None else unexplained(error)

    def compile(self, name: str) -> Any:
        """
        Prepare one schema; done on first use anyhow.

        Raises:
            PolicyError: The schema itself cannot be used: no JSON, against the meta-schema, an unknown format, an
                expression that needs more than linear time, or a reference out of the folder.
        """
        if name not in self._fast:
            self._fast[name] = self._compiled(name)
        return self._fast[name]

    def _compiled(self, name: str) -> Any:
        schema = self.schema(name)
        resources = [(self._identifier(other), self.schema(other)) for other in self._needs(name)]
        try:
            return jsonschema_rs.validator_for(
                schema,
                validate_formats=True,
                ignore_unknown_formats=False,
                registry=jsonschema_rs.Registry(resources),
                pattern_options=jsonschema_rs.RegexOptions(),
                offline=True,
            )
        except (ValueError, jsonschema_rs.ReferencingError) as error:
            raise PolicyError(f"{self._label}/{name}{SUFFIX}: not usable as a schema ({error})") from None

    def _identifier(self, name: str) -> str:
        identifier = self.schema(name).get("$id")
        if not isinstance(identifier, str):
            raise PolicyError(f"{self._label}/{name}{SUFFIX}: `$id` is missing")
        return identifier

    def _needs(self, name: str) -> tuple[str, ...]:
        """The schema and those it refers to, directly or through others."""
        needed, pending = set[str](), [name]
        while pending:
            current = pending.pop()
            if current not in needed and current in self._sources:
                needed.add(current)
                pending.extend(found.decode() for found in _REFERRED.findall(self._sources[current]))
        return tuple(sorted(needed))

    def _explain(self, name: str, value: Json) -> tuple[SchemaProblem, ...]:
        # jsonschema is the slower of the two by a factor of a hundred, so it is loaded only for a refusal.
        from referencing import Registry
        from referencing.jsonschema import DRAFT202012

        resources = [
            (self._identifier(other), DRAFT202012.create_resource(self.schema(other))) for other in self._needs(name)
        ]
        registry: Any = Registry().with_resources(resources)
        validator = _explainer()(self.schema(name), registry=registry, format_checker=_format_checker())
        problems = (problem for error in validator.iter_errors(value) for problem in problems_of(error))
        found = sorted(
            set(problems), key=lambda problem: (problem.pointer.split("/"), problem.keyword, problem.message)
        )
        if not found:
            # The two validators disagree; the stricter one stands.
            return tuple(map(unexplained, self._fast[name].iter_errors(value)))[:MAX_PROBLEMS]
        # A registry's own schemas may use formats that only the fast validator asserts.
        explained = {problem.pointer for problem in found}
        formats = (error for error in self._fast[name].iter_errors(value) if list(error.schema_path)[-1:] == ["format"])
        found += [problem for problem in map(unexplained, formats) if problem.pointer not in explained]
        left_out = len(found) - MAX_PROBLEMS
        if left_out > 0:
            more = SchemaProblem(
                pointer="", keyword="", message=f"{left_out} more problems of this record are not shown",
                help="Mend the ones shown first.",
            )  # fmt: skip
            return (*found[:MAX_PROBLEMS], more)
        return tuple(found)


@cache
def shipped_schemas() -> SchemaSet:
    """The schemas that ship with the package: they seed a registry and serve `check` outside one."""
    return SchemaSet(shipped_schema_files(), label="schemas")


@cache
def shipped_schema_files() -> Mapping[str, bytes]:
    """Contents of the shipped schemas by name."""
    inside = FOLDER / "schemas"
    # In a source checkout the schemas lie at the top of the repository; a built wheel carries them as package data.
    folder = inside if inside.is_dir() else Path(__file__).parents[3] / "schemas"
    return {
        item.name.removesuffix(SUFFIX): item.read_bytes()
        for item in sorted(folder.iterdir(), key=lambda item: item.name)
        if item.name.endswith(SUFFIX)
    }


@cache
def _explainer() -> Any:
    """
    A validator whose `$` means the end of the text, as in ECMA-262 (in Python's it also matches before a line feed), and whose
    errors know the condition that asks for a value.
    """
    from jsonschema import Draft202012Validator, ValidationError
    from jsonschema.validators import extend

    def pattern(_: object, wanted: str, instance: object, __: object) -> Iterator[ValidationError]:
        if isinstance(instance, str) and not re.search(re.sub(r"(?<!\\)\$$", r"\\Z", wanted), instance):
            yield ValidationError(f"{instance!r} does not match {wanted!r}")

    def condition(validator: Any, asked: Any, instance: object, schema: Any) -> Iterator[ValidationError]:
        branch = "then" if validator.evolve(schema=asked).is_valid(instance) else "else"
        found = list(validator.descend(instance, schema[branch], schema_path=branch)) if branch in schema else []
        if found:
            yield ValidationError("", validator=branch, validator_value=asked, context=found)

    make: Any = extend
    return make(Draft202012Validator, {"pattern": pattern, "if": condition})


@cache
def _format_checker() -> "FormatChecker":
    """
    The formats our schemas use; jsonschema's own set leaves several unchecked without further packages.

    Source:
        RFC 3339 (date, date-time), RFC 3986 (uri).
    """
    from jsonschema import FormatChecker

    checker = FormatChecker(formats=())
    checker.checks("date")(_is_date)
    checker.checks("date-time")(_is_date_time)
    checker.checks("uri")(_is_uri)
    return checker


def _is_date(value: object) -> bool:
    if not isinstance(value, str):
        return True
    try:
        return date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def _is_date_time(value: object) -> bool:
    if not isinstance(value, str):
        return True
    if not _DATE_TIME.fullmatch(value):
        return False
    try:
        datetime.fromisoformat(re.sub(r"\.[0-9]+", "", value))
    except ValueError:
        return False
    return True


def _is_uri(value: object) -> bool:
    if not isinstance(value, str):
        return True
    if not value.isascii() or any(character in value for character in ' "<>\\^`{|}'):
        return False
    from urllib.parse import urlsplit  # here, because it is wanted for a refused record only

    try:
        parts = urlsplit(value)
    except ValueError:
        return False
    return bool(parts.scheme)


def as_number(value: Json) -> Decimal | None:
    """A JSON number as an exact decimal; null for anything else (`true` is no number)."""
    return Decimal(value) if isinstance(value, int | Decimal) and not isinstance(value, bool) else None
