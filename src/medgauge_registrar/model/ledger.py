"""Closed facts for separation; every question to them is answered by one bit."""

from collections.abc import Mapping
from dataclasses import field

from medgauge_registrar.model.frozen import frozen


@frozen
class VersionFacts:
    """
    Who built, keyed and accepted one benchmark version (numeric account ids), and for which package.

    Attributes:
        baseline_experts: Who took part in its expert baseline; null: not on record.
    """

    builders: frozenset[int]
    key_experts: frozenset[int]
    acceptors: frozenset[int]
    package_sha256: str
    holdout_parties: frozenset[str]
    baseline_experts: frozenset[int] | None = None


@frozen
class SubjectFacts:
    """Who submitted one subject (numeric account ids), and the party it belongs to."""

    submitters: frozenset[int]
    party: str


@frozen
class Ledger:
    """
    The private record of separation.

    Attributes:
        benchmark_versions: Facts by `bm-…@x.y.z`.
        subjects: Facts by model name, harness or tool reference.
        tested_by_builders: By grading-reference id, the builders of tasks that test it.
        canary_key: Key of the canary digests.
        canary_digests: HMAC-SHA-256 of each canary string under the key, hexadecimal.
    """

    benchmark_versions: Mapping[str, VersionFacts] = field(default_factory=dict)
    subjects: Mapping[str, SubjectFacts] = field(default_factory=dict)
    tested_by_builders: Mapping[str, frozenset[int]] = field(default_factory=dict)
    canary_key: bytes = field(default=b"", repr=False)
    canary_digests: frozenset[str] = field(default=frozenset(), repr=False)
