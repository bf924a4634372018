"""Rules of level overrides: none while no level is issued, and none that was signed in another form."""

import hashlib
from typing import Any

import pytest

from medgauge_registrar.checks import overrides
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.registry.canonical import canonical_json
from support.cases import Edit, as_is, fails, passes
from support.registries import LEVELS, Files, base_registry, edited, example, read, run_check, without, written

OVERRIDE = "registry/overrides/lo-example-1.yaml"
NEWER = "methodology/level-rules/0.2.0.yaml"


def signed(**changes: Any) -> Edit:
    """Add an override whose detached signature was made over it, and change it afterwards."""

    def edit(files: Files) -> Files:
        record = example("level-override", "signed-commit")
        signatures = record.pop("signatures")
        # The digest is that of what the file will say, numbers and texts as they are written.
        content = read(written(record))
        signatures[1]["signed_sha256"] = hashlib.sha256(canonical_json(content)).hexdigest()
        return {**files, OVERRIDE: written({**record, "signatures": signatures, **changes})}

    return edit


def thresholds(files: Files) -> Files:
    """Add newer level rules that set every threshold."""
    return {**files, NEWER: written(example("level-rules", "with-thresholds"))}


@pytest.mark.parametrize(
    "edit",
    [
        passes("SCHEMA-LO-01", "no override", as_is),
        passes("SCHEMA-LO-01", "no override under thresholds", thresholds),
    ],
)
def test_registry_without_overrides(edit: Edit) -> None:
    """Where no override stands, nothing is said of one."""
    assert run_check(overrides.groundless_override, edit(base_registry())) == []


@pytest.mark.parametrize(
    ("rule", "edit", "words"),
    [
        fails("SCHEMA-LO-01", "no threshold is set", signed(), "no threshold for `L1`, `L2`, `L3`, `L4`"),
        fails(
            "SCHEMA-LO-01",
            "one threshold is missing",
            lambda files: edited(thresholds(signed()(files)), NEWER, {"/levels/L2/threshold": None}),
            "no threshold for `L2`, so no level is issued",
        ),
        fails(
            "SCHEMA-LO-01",
            "there are no level rules",
            lambda files: without(signed()(files), LEVELS),
            "no threshold for `L1`, `L2`, `L3`, `L4`",
        ),
        fails(
            "SCHEMA-LO-01",
            "level rules that cannot be judged",
            lambda files: {**signed()(files), LEVELS: "{}"},
            "no threshold for `L1`, `L2`, `L3`, `L4`",
        ),
        fails(
            "SCHEMA-LO-01",
            "every threshold is set, and L4 is not derived",
            lambda files: thresholds(signed()(files)),
            "not derived by this version",
        ),
        fails(
            "SCHEMA-LO-01",
            "an override that breaks its schema",
            lambda files: {**files, OVERRIDE: "{}"},
            "no level is issued",
        ),
    ],
)
def test_override_is_refused(rule: str, edit: Edit, words: str) -> None:
    """An override is refused whatever it says."""
    (found,) = run_check(overrides.groundless_override, edit(base_registry()))
    assert (found.rule, found.severity, found.path) == (rule, Severity.ERROR, OVERRIDE)
    assert words in found.message


@pytest.mark.parametrize(
    "edit",
    [
        passes("SCHEMA-LO-02", "signed as it stands", signed()),
        passes(
            "SCHEMA-LO-02",
            "a signed commit alone",
            signed(signatures=[{"kind": "commit", "commit": "0123456789abcdef0123456789abcdef01234567"}]),
        ),
    ],
)
def test_signature_over_the_record(edit: Edit) -> None:
    """A digest of the record itself gives no finding."""
    assert run_check(overrides.signature_over_other_content, edit(base_registry()), OVERRIDE) == []


@pytest.mark.parametrize(
    ("rule", "edit"),
    [
        fails("SCHEMA-LO-02", "another capability than was signed", signed(capability="E.2")),
        fails("SCHEMA-LO-02", "another day than was signed", signed(date="2026-11-21")),
    ],
)
def test_signature_over_other_content(rule: str, edit: Edit) -> None:
    """A record that changed after it was signed is found at the signature."""
    (found,) = run_check(overrides.signature_over_other_content, edit(base_registry()), OVERRIDE)
    assert (found.rule, found.severity, found.pointer) == (rule, Severity.ERROR, "/signatures/1/signed_sha256")
    assert "the digest of the record is" in found.message
