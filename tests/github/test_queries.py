"""Every query is one that GitHub would take."""

from pathlib import Path

import pytest
from graphql import build_schema, parse, validate

from medgauge_registrar import sandbox
from medgauge_registrar.github import queries

SCHEMA = build_schema((Path(sandbox.__file__).parent / "github" / "schema.graphql").read_text(encoding="utf-8"))
QUERIES = {
    "pull": queries.PULL,
    "open": queries.OPEN_PULLS,
    "closed": queries.CLOSED_PULLS,
    "queue": queries.QUEUE,
    "team": queries.TEAM,
    **{f"more {name}": query for name, query in queries.MORE.items()},
}


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_keeps_the_slice_of_the_public_schema(name: str) -> None:
    """Those for further pages too, which a usual pull request never needs."""
    assert validate(SCHEMA, parse(QUERIES[name])) == []


def test_every_list_has_a_query_for_its_further_pages() -> None:
    """None is cut to its first."""
    assert set(queries.MORE) == set(queries.LISTS)
