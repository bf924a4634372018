"""The catalogue of rules in `data/rules.yml`: complete by count, one line a rule, each field from its closed set."""

import re
from collections import Counter
from importlib.resources import files
from typing import Any

import pytest
import yaml

Rules = list[dict[str, Any]]

RECORDS = "BM GR CAP HX TL STD DS MODEL RES RP LO RM PRICE VOID ROUND ART NOTICE REDIR DISP TSUB"
GROUPS = {
    "A": ["DEC"],
    "B": ["ROLE"],
    "C": ["ID", "VER", "ENT", "IMM"],
    "D": [f"SCHEMA-{record}" for record in RECORDS.split()],
    "E": ["RESULT"],
    "F": ["RED", "BND", "BLD", "CLM", "NEV"],
    "G": ["NCN", "CHG"],
    "H": ["RFC", "DISP", "CHK", "GATE"],
}
COUNTS = {"A": 31, "B": 30, "C": 60, "D": 109, "E": 42, "F": 66, "G": 33, "H": 34}
GROUP_OF = {prefix: group for group, prefixes in GROUPS.items() for prefix in prefixes}
BASES = {"S", "D", "I", "S,D", "S,I", "D,I"}
EFFECTS = ("blocks", "routes", "informs", "audit")
SECTION = re.compile(
    r"[1-9]\d?(\.\d\d?)?|App [A-D]|Axiom [1-7]|G[1-8]|Preamble|Abstract"
    r"|(Scoring|Reproducibility|Clinical Temporal Audit) page"
)


@pytest.fixture(scope="module")
def text() -> str:
    """The catalogue as it is shipped."""
    return files("medgauge_registrar").joinpath("data/rules.yml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def rules(text: str) -> Rules:
    """The catalogue as any YAML reader sees it."""
    parsed: Rules = yaml.safe_load(text)
    return parsed


def parts(rule: dict[str, Any]) -> tuple[str, int]:
    """The prefix and the number of a rule's id."""
    prefix, number = rule["id"].rsplit("-", 1)
    return prefix, int(number)


def test_a_rule_is_one_line(text: str, rules: Rules) -> None:
    """A change of one rule is a change of one line."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert [yaml.safe_load(line) for line in lines] == [[rule] for rule in rules]


def test_ids_are_unique_and_in_order(rules: Rules) -> None:
    """Ids are in the order of their groups and then of their numbers, which leave only the gap NCN-17 to NCN-19."""
    count = Counter(prefix for prefix, _ in map(parts, rules))
    numbers = {prefix: list(range(1, count[prefix] + 1)) for prefix in GROUP_OF}
    numbers["NCN"] = [*range(1, 17), *range(20, 25)]
    assert [rule["id"] for rule in rules] == [f"{prefix}-{n:02}" for prefix in GROUP_OF for n in numbers[prefix]]


def test_groups_are_complete(rules: Rules) -> None:
    """Each group has as many rules as were counted."""
    assert Counter(GROUP_OF[prefix] for prefix, _ in map(parts, rules)) == COUNTS


def test_fields_come_from_closed_sets(rules: Rules) -> None:
    """Every rule has exactly the five fields, with known sections, basis and effects in their usual order."""
    for rule in rules:
        assert list(rule) == ["id", "section", "basis", "effect", "line"], rule
        assert all(SECTION.fullmatch(part) for part in rule["section"].split(", ")), rule
        assert rule["basis"] in BASES, rule
        assert rule["effect"] == ([name for name in EFFECTS if name in rule["effect"]] or ["none"]), rule


def test_lines_are_one_sentence_of_bearable_length(rules: Rules) -> None:
    """A line is one sentence of 60 to 160 characters, and no two rules say the same."""
    for rule in rules:
        assert 60 <= len(rule["line"]) <= 160, rule
        assert re.fullmatch(r"[A-Z](?:(?!\. ).)*[^.]\.", rule["line"]), rule
    assert len({rule["line"] for rule in rules}) == len(rules)
