"""
The checks for given kinds of path, imported when they are asked for.

A pull request touches few kinds, and importing the checks of all would take longer than running those it needs. Which
module is for which kinds is therefore said here beside the catalogue, which lists every check; a test holds the two equal.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TypeVar

from medgauge_registrar.checks.content_catalogue import CONTENT_CHANGE_CHECKS, CONTENT_RECORD_CHECKS, FILE_CHECKS
from medgauge_registrar.checks.entry import READING_CHECKS
from medgauge_registrar.checks.framework import ChangeCheck, Check, FileCheck, RecordCheck, TreeCheck
from medgauge_registrar.checks.paths import FOLDER_CHECKS, PATH_CHECKS
from medgauge_registrar.model.change import Kind

_Wanted = TypeVar("_Wanted", RecordCheck, ChangeCheck, TreeCheck)
_EVERY = frozenset(Kind)
# By module of this package: the kinds that its checks are for.
MODULES: Mapping[str, frozenset[Kind]] = {
    "enforcement": _EVERY,
    "entry": _EVERY,
    "identifiers": _EVERY,
    "immutability": _EVERY,
    "versions": _EVERY,
    "agreement": frozenset({Kind.METH, Kind.LVL, Kind.SCHEMA}),
    "submissions": frozenset({Kind.SCHEMA}),
    "articles": frozenset({Kind.ARTICLE}),
    "benchmark_families": frozenset({Kind.BM_CARD, Kind.BM_VERSION}),
    "benchmarks": frozenset({Kind.BM_CARD, Kind.BM_VERSION, Kind.RES}),
    "capabilities": frozenset({Kind.CAP}),
    "charter": frozenset({Kind.CHARTER}),
    "checklist": frozenset({Kind.RES}),
    "datasets": frozenset({Kind.DS}),
    "difficulty_functions": frozenset({Kind.BM_VERSION, Kind.DFN}),
    "disputes": frozenset({Kind.DISPUTE}),
    "gates": frozenset({Kind.RES}),
    "grading_references": frozenset({Kind.BM_CARD, Kind.BM_VERSION, Kind.GR, Kind.LIFECYCLE}),
    "harnesses": frozenset({Kind.HX, Kind.LIFECYCLE}),
    "models": frozenset({Kind.MODEL, Kind.RES}),
    "notice_coverage": frozenset({Kind.BM_CARD, Kind.RES, Kind.REDIRECTS, Kind.NOTICE}),
    "notices": frozenset({Kind.NOTICE}),
    "overrides": frozenset({Kind.LO, Kind.LVL}),
    "prices": frozenset({Kind.PRICE}),
    "printed_functions": frozenset({Kind.METH, Kind.DFN}),
    "recompute": frozenset({Kind.RES}),
    "recompute_effects": frozenset({Kind.RES}),
    "recompute_family": frozenset({Kind.RES}),
    "redirects": frozenset({Kind.REDIRECTS}),
    "reproductions": frozenset({Kind.RP}),
    "result_pairs": frozenset({Kind.RES}),
    "results": frozenset({Kind.RES}),
    "retirement": frozenset({Kind.CAP, Kind.LIFECYCLE}),
    "roadmap": frozenset({Kind.RM}),
    "round_reports": frozenset({Kind.ROUND}),
    "rounds": frozenset({Kind.RES, Kind.ROUND}),
    "standards": frozenset({Kind.BM_CARD, Kind.STD, Kind.TL}),
    "text_classes": frozenset({Kind.BM_VERSION, Kind.RES, Kind.ROUND, Kind.METH}),
    "text_history": frozenset({Kind.METH}),
    "tools": frozenset({Kind.TL}),
    "voids": frozenset({Kind.VOID}),
}
# Fields of a kind that checks of other records read; a change of one makes the records that mention it be checked again.
WATCHED: Mapping[Kind, frozenset[str]] = {
    Kind.BM_CARD: frozenset({"status"}),
    Kind.BM_VERSION: frozenset(
        {
            "algorithms",
            "class_distribution",
            "difficulty_function",
            "frozen",
            "gate_evidence",
            "hash_manifest",
            "methodology",
            "subsets",
            "verifier",
        }
    ),
    Kind.GR: frozenset({"check_date"}),
    Kind.TL: frozenset({"kind"}),
    Kind.CAP: frozenset({"layer"}),
    Kind.STD: frozenset({"public"}),
    Kind.MODEL: frozenset({"snapshots"}),
    Kind.RES: frozenset(
        {
            "benchmark_version",
            "components",
            "fixed_conditions",
            "harness",
            "model",
            "runs",
            "snapshot_fingerprint",
            "voided_task_versions",
        }
    ),
    Kind.PRICE: frozenset({"effective"}),
    Kind.LIFECYCLE: frozenset({"check_date"}),
    Kind.ROUND: frozenset(
        {"benchmark_versions", "checklist_version", "price_table", "registration", "subjects"},
    ),
    Kind.DFN: frozenset({"classes", "components"}),
}


@cache
def record_checks(kind: Kind) -> tuple[RecordCheck, ...]:
    """Checks of the state of a record of one kind."""
    found = [*_of_type(RecordCheck, frozenset({kind})), *CONTENT_RECORD_CHECKS]
    return tuple(check for check in found if kind in check.kinds and check not in READING_CHECKS)


@cache
def file_checks(kind: Kind) -> tuple[FileCheck, ...]:
    """Checks of the content of a file of one kind."""
    return tuple(check for check in FILE_CHECKS if kind in check.kinds)


@cache
def change_checks(kinds: frozenset[Kind]) -> tuple[ChangeCheck, ...]:
    """Checks of a step from a path of one kind to one of another; of both, where they differ."""
    found = [*_of_type(ChangeCheck, kinds), *CONTENT_CHANGE_CHECKS]
    return tuple(check for check in found if check.kinds & kinds)


@cache
def tree_checks(kinds: frozenset[Kind]) -> tuple[TreeCheck, ...]:
    """Checks of the whole tree whose outcome a change of these kinds can alter."""
    return tuple(check for check in _of_type(TreeCheck, kinds) if check.kinds & kinds)


@cache
def rules_checked(kinds: frozenset[Kind]) -> frozenset[str]:
    """Rules that have a check for any of these kinds, or for every path."""
    checks: list[Check] = [*READING_CHECKS, *PATH_CHECKS, *FOLDER_CHECKS, *change_checks(kinds), *tree_checks(kinds)]
    for kind in kinds:
        checks += [*record_checks(kind), *file_checks(kind)]
    return frozenset(check.rule for check in checks)


def _of_type(wanted: type[_Wanted], kinds: frozenset[Kind]) -> list[_Wanted]:
    return [
        value
        for name, served in MODULES.items()
        if served & kinds
        for value in vars(import_module(f"medgauge_registrar.checks.{name}")).values()
        if isinstance(value, wanted)
    ]
