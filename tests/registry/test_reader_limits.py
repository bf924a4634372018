"""Limits of size, depth and number, in YAML and in JSON."""

from dataclasses import replace

import pytest

from medgauge_registrar.registry.reader import LIMITS, Syntax
from support.reading import accepted, place, read, refused

YAML, JSON = Syntax.YAML, Syntax.JSON
BOTH = pytest.mark.parametrize("syntax", [YAML, JSON])


@pytest.mark.parametrize("depth", [LIMITS.depth_levels + 1, 999, 5_000, 200_000])
@pytest.mark.parametrize(
    ("syntax", "opening", "closing"), [(YAML, "[", "]"), (JSON, "[", "]"), (YAML, "{a: ", "}"), (JSON, '{"a": ', "}")]
)
def test_deep_nesting_is_refused(syntax: Syntax, opening: str, closing: str, depth: int) -> None:
    """Depth is bounded before anything is built, however deep."""
    fault = refused(opening * depth + ("1" if len(opening) > 1 else "") + closing * depth, syntax)
    assert "levels" in fault.message
    assert "flatten" in fault.help
    # libyaml, which looks ahead in one line, may stop for its own limit of a thousand before ours is reached.
    column = fault.position.column if fault.position else 0
    assert column == 64 * len(opening) + 1 or (syntax is YAML and column == 1001)


@pytest.mark.parametrize(
    ("syntax", "opening", "closing"), [(YAML, "[", "]"), (JSON, "[", "]"), (YAML, "{a: ", "}"), (JSON, '{"a": ', "}")]
)
def test_nesting_up_to_the_limit_is_accepted(syntax: Syntax, opening: str, closing: str) -> None:
    """As many levels as the limit says can be read."""
    text = opening * LIMITS.depth_levels + ("1" if len(opening) > 1 else "") + closing * LIMITS.depth_levels
    assert accepted(text, syntax)


@BOTH
def test_the_number_of_nodes_is_bounded(syntax: Syntax) -> None:
    """Keys, values and ends count; commas inside a text do not."""
    limits = replace(LIMITS, node_count=9)
    assert accepted('{"a": [1, 2, 3], "b": "x"}', syntax, replace(LIMITS, node_count=10)) == {"a": [1, 2, 3], "b": "x"}
    assert "more than 9 keys" in refused('{"a": [1, 2, 3], "b": "x"}', syntax, limits).message
    assert accepted('{"a": ",,,,,,,,,,,,[[[[[::::"}', syntax, limits) == {"a": ",,,,,,,,,,,,[[[[[::::"}


@pytest.mark.parametrize(
    ("syntax", "text"), [(JSON, "[" + "[]," * 2_000_000 + "[]]"), (YAML, "- a\n" * 600_000)], ids=["JSON", "YAML"]
)
def test_a_file_of_too_many_nodes_is_refused(syntax: Syntax, text: str) -> None:
    """A small file cannot fill the memory."""
    assert "more than 500,000 keys" in refused(text, syntax).message


@BOTH
def test_the_size_of_a_file_is_bounded(syntax: Syntax) -> None:
    """One byte decides."""
    limits = replace(LIMITS, yaml_bytes=10, json_bytes=10)
    assert accepted('"12345678"', syntax, limits) == "12345678"
    fault = refused('"123456789"', syntax, limits)
    assert "11 bytes" in fault.message
    assert "at most 10" in fault.message


@BOTH
def test_the_length_of_keys_and_texts_is_bounded(syntax: Syntax) -> None:
    """One character decides."""
    limits = replace(LIMITS, scalar_characters=3)
    assert accepted('{"abc": ["def"]}', syntax, limits) == {"abc": ["def"]}
    assert place(refused('{"abc": ["defg"]}', syntax, limits)) == (1, 10, "/abc/0")
    assert place(refused('{"abcd": ["def"]}', syntax, limits)) == (1, 2, "/abcd")
    assert place(refused('{"a": {}, "bcde": {}}', syntax, limits)) == (1, 11, "/bcde")


@BOTH
def test_the_number_of_faults_told_is_bounded(syntax: Syntax) -> None:
    """Beyond the limit, faults are counted; at the limit, all are told."""
    text = '{"k": 1' + ', "k": 1' * 60 + "}"
    faults = read(text, syntax).faults
    assert len(faults) == 51
    assert faults[-1].message == "10 more faults are not listed"
    assert len(read(text, syntax, replace(LIMITS, fault_count=60)).faults) == 60
