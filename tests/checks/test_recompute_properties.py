"""Recomputation as a whole: the order of rows plays no part, no record makes it stumble, the published example is right."""

import random
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge_registrar.checks.recompute import judgement
from medgauge_registrar.checks.recompute_judge import judge
from medgauge_registrar.registry.record_json import record_json
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.registry.result_rows import read_pins, read_rows
from medgauge_registrar.registry.schemas import shipped_schemas
from medgauge_registrar.starter import starter_files
from support.fuzz import fuzz
from support.memory_tree import MemoryTree
from support.registries import RESULT, base_registry, layout, read, registry_of, run_changes, without
from support.results import filled, recomputed

STARTER_RESULT = "registry/results/bm-example-handover/0.2.0/res-example-handover-0-2-0-example-model-1.json"

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-10, max_value=10)
    | st.sampled_from(["", "overall", "L2", "not-computable", "tk-5rq4f5zr37e3@1.0.0", "holdout", "Example Model A"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "m", "s", "holdout"]), inner, max_size=3)
    ),
    max_leaves=5,
)
NUMBERS = st.integers(0, 10_000)


@pytest.fixture(scope="module")
def base() -> Mapping[str, Any]:
    """Fields of the result in the test registry."""
    return read(base_registry()[RESULT])


def nodes(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths of every part of a record."""
    found = [path] if path else []
    if isinstance(value, dict):
        for name, item in value.items():
            found += nodes(item, (*path, name))
    if isinstance(value, list):
        for place, item in enumerate(value):
            found += nodes(item, (*path, place))
    return found


def mangle(fields: Any, number: int, action: str, value: Any) -> Any:
    """Replace, take out, double or wrap one part of a record."""
    mangled = deepcopy(fields)
    paths = nodes(mangled)
    *above, last = paths[number * 7919 % len(paths)]
    parent = mangled
    for step in above:
        parent = parent[step]
    match action:
        case "replace":
            parent[last] = value
        case "remove":
            del parent[last]
        case "double" if isinstance(parent, list):
            parent.append(parent[last])
        case _:
            parent[last] = [parent[last]]
    return mangled


EDITS = st.lists(
    st.tuples(NUMBERS, st.sampled_from(["replace", "remove", "double", "wrap"]), JSON), min_size=1, max_size=4
)


@fuzz(2_000, usual=100)
@given(edits=EDITS)
def test_mangled_record_never_makes_it_stumble(edits: list[tuple[int, str, Any]]) -> None:
    """Whatever became of a record, judging it ends, with problems that say what is wrong and what to do."""
    fields: Any = read(base_registry()[RESULT])
    for number, action, value in edits:
        if nodes(fields):
            fields = mangle(fields, number, action, value)
    found = judge(fields, read_pins(read(base_registry()[RESULT])["algorithms"]))
    assert all(problem.message and problem.help for problems in found.problems.values() for problem in problems)
    # What says nothing is wrong has looked at everything.
    assert found.complete or found.problems or not read_rows(fields).whole


@fuzz(100, usual=15)
@given(edits=EDITS)
def test_accepted_record_is_what_its_rows_give(edits: list[tuple[int, str, Any]]) -> None:
    """All checks get through a mangled record, and one that they accept has no other figure than its rows give."""
    files = base_registry()
    fields: Any = read(files[RESULT])
    for number, action, value in edits:
        fields = mangle(fields, number, action, value)
    files[RESULT] = record_json(fields)
    found = [*recomputed(files), *run_changes(without(files, RESULT), files)]
    if shipped_schemas().is_valid("result", read(files[RESULT])) and not found:
        assert read(filled(files)[RESULT]) == read(files[RESULT])


@given(seed=st.integers(0, 2**32))
@settings(max_examples=10)
def test_order_of_rows_plays_no_part(seed: int) -> None:
    """Shuffled rows give the same figures and no finding."""
    fields = read(base_registry()[RESULT])
    random.Random(seed).shuffle(fields["runs"])
    files = {**base_registry(), RESULT: record_json(fields)}
    assert recomputed(files) == []
    again = read(filled(files)[RESULT])
    assert {name: again[name] for name in fields if name != "runs"} == {
        name: value for name, value in read(filled(base_registry())[RESULT]).items() if name != "runs"
    }


def test_starter_record_is_right_to_the_last_digit() -> None:
    """The record that a new registry comes with is recomputed without a finding."""
    tree = MemoryTree(starter_files())
    found = judgement(Registry(tree, layout(), shipped_schemas()), STARTER_RESULT)
    assert found.complete
    assert found.n_rows == 51
    assert found.problems == {}


def test_record_that_is_not_there_is_never_complete() -> None:
    """Nothing is said to be recomputed where nothing stands."""
    assert not judgement(registry_of({}), RESULT).complete


def test_rows_that_cannot_be_read_leave_a_record_incomplete(base: Mapping[str, Any]) -> None:
    """A row of another shape is the schema's to tell; no figure is compared, and none is said to be right."""
    found = judge({**base, "runs": [*base["runs"][:-1], {"task_key": 7}]}, read_pins(base["algorithms"]))
    assert not found.complete
    assert "RESULT-09" not in found.problems
