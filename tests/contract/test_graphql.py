"""The GraphQL slice and the product's queries, held against GitHub's public schema."""

from collections.abc import Iterator

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    build_schema,
    parse,
    validate,
)

from contract.material import graphql_schema
from medgauge_registrar.github import queries
from medgauge_registrar.sandbox.github.graphql import schema

pytestmark = pytest.mark.long

ASKED = {
    "PULL": queries.PULL,
    "OPEN_PULLS": queries.OPEN_PULLS,
    "CLOSED_PULLS": queries.CLOSED_PULLS,
    "QUEUE": queries.QUEUE,
    "TEAM": queries.TEAM,
    **{f"MORE {name}": text for name, text in queries.MORE.items()},
}


@pytest.fixture(scope="module")
def real() -> GraphQLSchema:
    return build_schema(graphql_schema(), assume_valid=True)


def differences(slice_: GraphQLSchema, real: GraphQLSchema) -> Iterator[str]:
    """What the slice has and the real schema has not, or has otherwise."""
    for name, kind in slice_.type_map.items():
        other = real.type_map.get(name)
        if type(other) is not type(kind):
            yield f"{name} is {type(other).__name__}"
            continue
        match kind, other:
            case GraphQLEnumType(), GraphQLEnumType():
                if kind.values.keys() != other.values.keys():
                    yield f"values of {name}"
            case GraphQLUnionType(), GraphQLUnionType():
                yield from (f"{name} | {member}" for member in kind.types if str(member) not in map(str, other.types))
            case GraphQLInputObjectType(), GraphQLInputObjectType():
                for field, found in kind.fields.items():
                    if field not in other.fields or str(found.type) != str(other.fields[field].type):
                        yield f"{name}.{field}"
            case ((GraphQLObjectType() | GraphQLInterfaceType()), (GraphQLObjectType() | GraphQLInterfaceType())):
                yield from (
                    f"{name} is {face}" for face in kind.interfaces if str(face) not in map(str, other.interfaces)
                )
                for field, shown in kind.fields.items():
                    theirs = other.fields.get(field)
                    if theirs is None or str(shown.type) != str(theirs.type):
                        yield f"{name}.{field}: {shown.type}"
                        continue
                    for argument, taken in shown.args.items():
                        if argument not in theirs.args or str(taken.type) != str(theirs.args[argument].type):
                            yield f"{name}.{field}({argument})"
                    required = {key for key, found in theirs.args.items() if str(found.type).endswith("!")}
                    yield from (f"{name}.{field} lacks {key}" for key in required - shown.args.keys())


def test_the_slice_is_a_part_of_the_public_schema(real: GraphQLSchema) -> None:
    assert list(differences(schema(), real)) == []


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        ("isDraft: Boolean!", "isDraft: Boolean"),
        ("isDraft: Boolean!", "isSketch: Boolean!"),
        ("MERGEABLE", "MERGABLE"),
        ("  cost: Int!", "  cost(first: Int): Int!"),
    ],
)
def test_a_slice_that_differs_is_noticed(real: GraphQLSchema, written: str, instead: str) -> None:
    from importlib.resources import files

    text = files("medgauge_registrar.sandbox.github").joinpath("schema.graphql").read_text(encoding="utf-8")
    assert written in text
    assert list(differences(build_schema(text.replace(written, instead), assume_valid=True), real)) != []


@pytest.mark.parametrize("name", ASKED)
def test_the_product_asks_what_github_answers(real: GraphQLSchema, name: str) -> None:
    assert [error.message for error in validate(real, parse(ASKED[name]))] == []


def test_every_query_is_here() -> None:
    """One that is added must be judged too."""
    texts = {
        name for name, value in vars(queries).items() if isinstance(value, str) and value.lstrip().startswith("query ")
    }
    assert texts <= ASKED.keys()
