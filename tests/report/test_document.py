"""The JSON of a decision and of findings."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import jsonschema
import pytest
from referencing import Registry, Resource

from medgauge_registrar.model.decision import Dispute
from medgauge_registrar.report.document import decision_document, decision_json, findings_document, utc_time
from support import decisions


def test_keys_come_in_the_order_of_the_contract() -> None:
    """Every key is there, in the published order, at every level."""
    document = decision_document(replace(decisions.blocked(), set_aside=decisions.pending().set_aside))
    assert " ".join(document) == (
        "state pull base_sha head_sha merge_base merge_tree digests decided_at registrar_version "
        "changes rows findings set_aside dispute next_steps"
    )
    assert list(document["digests"]) == ["policy", "roster", "ledger", "inputs"]
    assert " ".join(document["changes"][0]) == "path previous_path status kind object transition rows"
    row = document["rows"][0]
    assert " ".join(row) == "id state because source seats evidence separation"
    assert list(row["seats"][0]) == ["role", "state"]
    assert list(row["evidence"][0]) == ["id", "state", "message"]
    assert list(row["separation"][0]) == ["rule", "state"]
    assert " ".join(document["findings"][0]) == "rule severity path line column pointer message help source"
    assert list(document["set_aside"][0]) == ["review", "reason"]
    assert list(document["next_steps"][0]) == ["who", "do"]


SCHEMAS = [json.loads(file.read_bytes()) for file in Path(__file__).parents[2].glob("schemas/*.schema.json")]
(DECISION_SCHEMA,) = (schema for schema in SCHEMAS if schema["$id"].endswith("/decision.schema.json"))
VALIDATOR = jsonschema.Draft202012Validator(
    DECISION_SCHEMA,
    registry=Registry().with_resources((schema["$id"], Resource.from_contents(schema)) for schema in SCHEMAS),
    format_checker=jsonschema.FormatChecker(),
)


@pytest.mark.parametrize(
    "name", ["approved", "pending", "blocked", "error", "empty", "conflict", "draft", "disputed", "settled", "crowded"]
)
def test_document_fits_the_published_schema(name: str) -> None:
    """What is printed is what the schema promises to other tools; an added key would not be."""
    document = json.loads(decision_json(getattr(decisions, name)()))
    VALIDATOR.validate(document)
    assert not VALIDATOR.is_valid(document | {"people": []})


def test_values_are_those_of_the_contract() -> None:
    """Enumerations are plain strings, times end in Z, what is absent is null."""
    document = json.loads(decision_json(decisions.pending()))
    assert document["state"] == "pending"
    assert document["decided_at"] == "2026-11-29T10:30:00Z"
    assert document["digests"]["ledger"] is None
    assert document["dispute"] is None
    assert document["changes"][1]["kind"] == "res"
    assert document["changes"][1]["transition"] == "create"
    assert document["changes"][1]["status"] == "added"
    assert document["rows"][1]["state"] == "pending"
    assert document["rows"][1]["seats"] == [
        {"role": "results-reviewer", "state": "open"},
        {"role": "maintainer", "state": "open"},
    ]
    assert document["rows"][1]["separation"][1] == {"rule": "ROLE-04", "state": "undecided"}
    assert document["set_aside"][0] == {"review": 2_100_000_001, "reason": "not-on-head"}


@pytest.mark.parametrize("outcome", [None, "upheld"])
def test_dispute(outcome: str | None) -> None:
    """A dispute has a state, votes and, once settled, an outcome."""
    document = decision_document(
        replace(decisions.approved(), dispute=Dispute(state="settled", votes=3, outcome=outcome))
    )
    assert document["dispute"] == {"state": "settled", "votes": 3, "outcome": outcome}


def test_times_are_given_in_utc() -> None:
    """Another zone is converted, fractions stay, a time without zone is refused."""
    eastern = timezone(timedelta(hours=-5))
    assert utc_time(datetime(2026, 11, 29, 5, 30, tzinfo=eastern)) == "2026-11-29T10:30:00Z"
    assert utc_time(datetime(2026, 11, 29, 5, 30, 0, 250_000, tzinfo=UTC)) == "2026-11-29T05:30:00.250000Z"
    with pytest.raises(ValueError, match="2026-11-29T05:30:00 has no time zone"):
        utc_time(datetime(2026, 11, 29, 5, 30))  # noqa: DTZ001 - the very fault


def test_findings_come_in_file_order() -> None:
    """Whatever order they were found in, they are listed by file, line and column."""
    findings = [decisions.finding(path=path, line=line) for path, line in [("b", 1), ("a", 10), ("a", 9)]]
    listed = json.loads(findings_document(findings))["findings"]
    assert [(one["path"], one["line"]) for one in listed] == [("a", 9), ("a", 10), ("b", 1)]
    assert json.loads(findings_document([])) == {"findings": []}
