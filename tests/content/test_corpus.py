"""The corpus of snippets: what must be found is found under its rule, and what must not be refused is not."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from support.content import rules_of, scan

CORPUS = Path(__file__).parents[1] / "corpus" / "own.yml"
ARTICLE = "articles/2026-11-20-example.md"
LONG = "x" * 1_000_000


def snippets(half: str) -> list[Any]:
    # Not the strict reader: some snippets hold the very characters that it refuses.
    found = yaml.safe_load(CORPUS.read_text(encoding="utf-8"))[half]
    return [pytest.param(item, id=f"{half}-{index}") for index, item in enumerate(found, start=1)]


def path_and_text(item: Any) -> tuple[str, str]:
    return item.get("path", ARTICLE), item["text"].replace("[[LONG]]", LONG) + "\n"


@pytest.mark.parametrize("item", snippets("hit"))
def test_is_found(item: Any) -> None:
    """The rule of the snippet is among those that are broken."""
    assert item["rule"] in rules_of(scan(*path_and_text(item)))


@pytest.mark.parametrize("item", snippets("miss"))
def test_is_let_pass(item: Any) -> None:
    """No content check finds an error."""
    assert rules_of(scan(*path_and_text(item)), errors_only=True) == set()


def test_corpus_is_large_enough() -> None:
    """Both halves hold more than a hundred snippets, and no snippet stands twice."""
    hits, misses = snippets("hit"), snippets("miss")
    assert len(hits) >= 110
    assert len(misses) >= 110
    every = [path_and_text(param.values[0]) for param in (*hits, *misses)]
    assert len(set(every)) == len(every)
