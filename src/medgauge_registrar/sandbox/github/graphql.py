"""GraphQL: a slice of GitHub's public schema, executed over the world by graphql-core."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.sandbox.github import views_checks, views_commit, views_pull, views_talk
from medgauge_registrar.sandbox.github.calls import Answer, Refused
from medgauge_registrar.sandbox.github.connections import Rejected
from medgauge_registrar.sandbox.github.limits import GRAPHQL_LIMIT
from medgauge_registrar.sandbox.github.shapes import moment
from medgauge_registrar.sandbox.github.values import Token
from medgauge_registrar.sandbox.github.views import Query, typename

if TYPE_CHECKING:
    from graphql import DocumentNode, ExecutionResult, GraphQLError, GraphQLSchema

    from medgauge_registrar.sandbox.github.world import GitHubSandbox

# Importing them makes their views known.
VIEWS = (views_checks, views_commit, views_pull, views_talk)
_UPPER = re.compile(r"(?<!^)(?=[A-Z])")


def answer_graphql(world: "GitHubSandbox", token: Token | None, body: bytes) -> Answer:
    """
    Execute one request.

    Raises:
        Refused: Nobody is asking, or it is no request at all.
    """
    from graphql import GraphQLError, execute_sync

    if token is None:
        raise Refused(401, "This endpoint requires you to be authenticated.")
    try:
        asked = json.loads(body)
        query, variables = asked["query"], asked.get("variables") or {}
    except (ValueError, KeyError, TypeError):
        raise Refused(400, "A query attribute must be specified and must be a string.") from None
    if world.rate_limit.remaining == 0:
        error = {"type": "RATE_LIMIT", "message": GRAPHQL_LIMIT.format(user_id=token.viewer.id)}
        return Answer(data={"errors": [error]})
    try:
        document, faults = _document(query)
    except GraphQLError as error:
        return Answer(data={"errors": [_shown(error)]})
    if faults:
        return Answer(data={"errors": [_shown(error) for error in faults]})
    executed = execute_sync(
        schema(),
        document,
        root_value=Query(world, token),
        variable_values=variables,
        operation_name=asked.get("operationName"),
        field_resolver=_resolve,
        type_resolver=lambda value, _info, _type: typename(value),
    )
    assert not hasattr(executed, "__await__")
    return Answer(data=_result(executed))


@cache
def schema() -> "GraphQLSchema":
    """
    The slice of the schema.

    Raises:
        PolicyError: graphql-core is not installed.
    """
    try:
        from graphql import build_schema
    except ImportError:
        raise PolicyError("the embedded GitHub needs graphql-core; install `medgauge-registrar[demo]`") from None
    text = files("medgauge_registrar.sandbox.github").joinpath("schema.graphql").read_text(encoding="utf-8")
    return build_schema(text, assume_valid=True)


@lru_cache(maxsize=64)
def _document(query: str) -> "tuple[DocumentNode, tuple[GraphQLError, ...]]":
    from graphql import parse, validate

    document = parse(query)
    return document, tuple(validate(schema(), document))


def _resolve(source: Any, info: Any, **arguments: Any) -> Any:
    """A field by its name, written as Python writes it."""
    value = getattr(source, _snake(info.field_name))
    if callable(value):
        value = value(**{_snake(name): argument for name, argument in arguments.items()})
    return moment(value.astimezone(UTC)) if isinstance(value, datetime) else value


@cache
def _snake(name: str) -> str:
    return _UPPER.sub("_", name).lower()


def _result(executed: "ExecutionResult") -> Mapping[str, Any]:
    result: dict[str, Any] = {"data": executed.data}
    if executed.errors:
        result["errors"] = [_shown(error) for error in executed.errors]
    return result


def _shown(error: "GraphQLError") -> dict[str, Any]:
    """An error as GitHub writes it: its type beside its message."""
    shown: dict[str, Any] = dict(error.formatted)
    original = error.original_error
    if isinstance(original, Rejected):
        shown = {"type": original.kind, **shown}
    elif original is not None:
        raise original
    return shown
