"""
What the scanner makes of snippets whose authors had not seen its patterns.

Nothing here is a target. The counts are an observation; a change of them has to be looked at, and may then be recorded with
`REGISTRAR_UPDATE_GOLDEN=1`. Patterns are never tuned on the blind half; the misses of the other have been read since.
"""

import hashlib
import json
import os
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

import pytest
import yaml

from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.starter import starter_files
from support.content import rules_of, scan

FOLDER = Path(__file__).parents[1] / "corpus"
HALVES = ("blind", "read")


class Snippet(TypedDict):
    """One entry: a text, the path it stands in, and the rule that must refuse it, or None."""

    id: str
    where: str
    rule: str | None
    text: str


@cache
def snippets(half: str) -> tuple[Snippet, ...]:
    # Not the strict reader: some snippets hold the very characters that it refuses.
    return tuple(yaml.safe_load((FOLDER / f"{half}.yml").read_text(encoding="utf-8")))


@cache
def _starter() -> dict[str, bytes]:
    return dict(starter_files())


@cache
def findings_in(where: str, text: str) -> tuple[Finding, ...]:
    """What content checks find, if a pull request adds the text to a new registry."""
    return tuple(scan(where, text if text.endswith("\n") else text + "\n", more=_starter()))


def outcome(snippet: Snippet) -> str:
    """How a snippet that must be refused came out."""
    found = list(findings_in(snippet["where"], snippet["text"]))
    errors = rules_of(found, errors_only=True)
    if snippet["rule"] in errors:
        return "hits"
    if snippet["rule"] in rules_of(found):
        return "only_advised"
    return "refused_by_another_rule" if errors else "missed"


def observed(half: str) -> dict[str, Any]:
    """Counts by rule, with the ids of whatever did not come out as its author expected."""
    must: defaultdict[str, dict[str, Any]] = defaultdict(
        lambda: {"snippets": 0, "hits": 0, "only_advised": [], "refused_by_another_rule": {}, "missed": []}
    )
    alarms: defaultdict[str, list[str]] = defaultdict(list)
    wrongly_refused = 0
    for snippet in snippets(half):
        errors = sorted(rules_of(list(findings_in(snippet["where"], snippet["text"])), errors_only=True))
        if snippet["rule"] is None:
            wrongly_refused += bool(errors)
            for rule in errors:
                alarms[rule].append(snippet["id"])
            continue
        row = must[snippet["rule"]]
        row["snippets"] += 1
        match outcome(snippet):
            case "hits":
                row["hits"] += 1
            case "refused_by_another_rule":
                row["refused_by_another_rule"][snippet["id"]] = errors
            case other:
                row[other].append(snippet["id"])
    return {
        "corpus_sha256": hashlib.sha256((FOLDER / f"{half}.yml").read_bytes()).hexdigest(),
        "must_be_refused": {
            "snippets": sum(row["snippets"] for row in must.values()),
            "hits": sum(row["hits"] for row in must.values()),
            "only_advised": sum(len(row["only_advised"]) for row in must.values()),
            "refused_by_another_rule": sum(len(row["refused_by_another_rule"]) for row in must.values()),
            "missed": sum(len(row["missed"]) for row in must.values()),
            "by_rule": dict(sorted(must.items())),
        },
        "must_pass": {
            "snippets": sum(snippet["rule"] is None for snippet in snippets(half)),
            "wrongly_refused": wrongly_refused,
            "by_rule": dict(sorted(alarms.items())),
        },
    }


@pytest.mark.parametrize("half", HALVES)
def test_corpus_is_large_and_balanced(half: str) -> None:
    """Ids are unique, and more than a hundred snippets must be refused, and as many must not."""
    assert len({snippet["id"] for snippet in snippets(half)}) == len(snippets(half))
    refused = sum(snippet["rule"] is not None for snippet in snippets(half))
    assert refused > 100
    assert len(snippets(half)) - refused > 100


@pytest.mark.parametrize(
    "snippet", [pytest.param(snippet, id=f"{half}-{snippet['id']}") for half in HALVES for snippet in snippets(half)]
)
def test_scanner_never_raises(snippet: Snippet) -> None:
    """Each text is scanned to its end, and whatever is found can be acted on."""
    found = findings_in(snippet["where"], snippet["text"])
    assert all(item.rule and item.message and item.severity in Severity for item in found)


@pytest.mark.parametrize("half", HALVES)
def test_counts_equal_the_recorded_ones(half: str) -> None:
    """A snippet that comes out differently than recorded shows up as a difference to review."""
    counts = FOLDER / f"{half}-counts.json"
    text = json.dumps(observed(half), indent=2) + "\n"
    if os.environ.get("REGISTRAR_UPDATE_GOLDEN") == "1":
        counts.write_text(text, encoding="utf-8", newline="")
    assert text == counts.read_text(encoding="utf-8")
