"""SARIF 2.1.0: the keys the standard asks for, and identities that last."""

import json
from dataclasses import replace
from typing import Any

import pytest

from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.report.sarif import render_sarif, sarif_document
from support import decisions


def _run(findings: list[Finding], **options: Any) -> Any:
    (run,) = sarif_document(findings, **options)["runs"]
    return run


def _fingerprints(findings: list[Finding]) -> list[str]:
    return [result["partialFingerprints"]["registrarFinding/v1"] for result in _run(findings)["results"]]


@pytest.mark.parametrize("name", ["approved", "blocked", "hostile", "crowded"])
def test_structure(name: str) -> None:
    """Required keys are there, rules are distinct, every result points at its rule."""
    document = json.loads(render_sarif(getattr(decisions, name)().findings))
    assert document["version"] == "2.1.0"
    assert document["$schema"].endswith("/sarif-schema-2.1.0.json")
    (run,) = document["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "medgauge-registrar"
    ids = [rule["id"] for rule in driver["rules"]]
    assert ids == sorted(set(ids))
    assert len(run["results"]) == len(getattr(decisions, name)().findings)
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in {"error", "warning", "note"}
        assert result["message"]["text"]
        assert result["partialFingerprints"]
        for location in result["locations"]:
            physical = location["physicalLocation"]
            uri = physical["artifactLocation"]["uri"]
            assert uri.isascii()
            assert not set(uri) & set(' \\<>`|"#?:')
            assert physical.get("region", {"startLine": 1})["startLine"] >= 1
    fingerprints = [result["partialFingerprints"]["registrarFinding/v1"] for result in run["results"]]
    assert len(set(fingerprints)) == len(fingerprints)


@pytest.mark.parametrize(
    ("severity", "level"), [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.NOTICE, "note")]
)
def test_levels(severity: Severity, level: str) -> None:
    """A notice is SARIF's note."""
    (result,) = _run([decisions.finding(severity=severity)])["results"]
    assert result["level"] == level


def test_descriptions_are_given_where_known() -> None:
    """A rule without a description carries its id and help alone."""
    findings = [decisions.finding(), decisions.finding(rule="ENT-02")]
    rules = _run(findings, descriptions={"ID-06": "Every reference resolves.", "X-1": "unused"})["tool"]["driver"][
        "rules"
    ]
    assert [rule["id"] for rule in rules] == ["ENT-02", "ID-06"]
    assert "shortDescription" not in rules[0]
    assert rules[1]["shortDescription"] == {"text": "Every reference resolves."}
    assert "registrar explain ID-06" in rules[1]["help"]["text"]


def test_region_has_only_what_is_known() -> None:
    """No line, no region; no column, no column."""
    places = [(None, None), (3, None), (4, 5)]
    results = _run([decisions.finding(line=line, column=column) for line, column in places])["results"]
    regions = [result["locations"][0]["physicalLocation"].get("region") for result in results]
    assert regions == [None, {"startLine": 3}, {"startLine": 4, "startColumn": 5}]


def test_fingerprint_outlives_moved_lines_and_new_words() -> None:
    """A finding at the same place of a record is the same finding."""
    finding = decisions.finding()
    assert _fingerprints([finding]) == _fingerprints([replace(finding, line=99, column=1, message="other words")])


@pytest.mark.parametrize("changed", [{"rule": "ID-07"}, {"path": "other.yaml"}, {"pointer": "/other"}])
def test_fingerprint_tells_findings_apart(changed: dict[str, str]) -> None:
    """Another rule, file or place is another finding; so is a repeated one."""
    finding = decisions.finding()
    assert _fingerprints([finding]) != _fingerprints([replace(finding, **changed)])
    assert len(set(_fingerprints([finding, finding]))) == 2
