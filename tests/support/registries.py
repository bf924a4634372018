"""
A small valid registry, and ways to run one check, or all of them, over a version or a change of it.

Its records are the examples of `tests/schemas`, brought together into one family: `bm-example-audit` with a frozen version
0.2.0, an unfrozen 0.3.0, one result, and everything these name. All of it is synthetic.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from medgauge_registrar.checks.changes import check_changes
from medgauge_registrar.checks.framework import Check, Context, FolderCheck, PathCheck, RecordCheck, TreeCheck, findings
from medgauge_registrar.classify.classify import classify
from medgauge_registrar.model.finding import Finding
from medgauge_registrar.policy.load import load_policy, shipped_table
from medgauge_registrar.policy.settings import Settings
from medgauge_registrar.registry.layout import Layout
from medgauge_registrar.registry.reader import Syntax, read_document
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.registry.schema_words import SchemaProblem
from medgauge_registrar.registry.schemas import SUFFIX, SchemaSet, shipped_schema_files, shipped_schemas
from support.memory_tree import NO_MODES, MemoryTree, memory_changes

Files = dict[str, str]
Record = dict[str, Any]

EXAMPLES = Path(__file__).parents[1] / "schemas"
TODAY = date(2026, 11, 29)
ABSENT: Any = object()

TEXT = "methodology/text.md"
CARD = "registry/benchmarks/bm-example-audit/card.yaml"
FROZEN = "registry/benchmarks/bm-example-audit/versions/0.2.0.yaml"
UNFROZEN = "registry/benchmarks/bm-example-audit/versions/0.3.0.yaml"
RESULT = "registry/results/bm-example-audit/0.2.0/res-example-audit-0-2-0-example-model-a.json"
REFERENCE = "registry/references/gr-example-dose/0.1.0.yaml"
CAPABILITY = "registry/capabilities/D.1.yaml"
HARNESS = "registry/harnesses/hx-example/0.1.0.yaml"
HARNESS_STATE = "registry/lifecycle/hx/hx-example@0.1.0.yaml"
TOOL = "registry/tools/tl-example-read-file/0.1.0.yaml"
TOOL_STATE = "registry/lifecycle/tl/tl-example-read-file@0.1.0.yaml"
STANDARD = "registry/standards/std-example-guideline.yaml"
DATASET = "registry/datasets/ds-example-ward-records.yaml"
MODEL = "registry/models/Example%20Model%20A.yaml"
PRICES = "registry/price-tables/0.1.0.yaml"
REPRODUCTION = "registry/reproductions/rp-example-laboratory-1.yaml"
ROADMAP = "registry/roadmap/rm-example-holdout.yaml"
REDIRECTS = "registry/redirects.yaml"
VOIDED = "registry/voided/bm-example-audit/0.2.0.yaml"
NOTICE = "notices/2026-11-06-example-prices.yaml"
ROUND = "rounds/example-round-1/protocol.yaml"
DISPUTE = "disputes/example-dispute-2.yaml"
ARTICLE = "articles/2026-11-01-example-article.md"
FUNCTION = "methodology/difficulty-function/0.1.0.yaml"
ALGORITHM = "methodology/algorithms/intervals/0.1.0.yaml"
LEVELS = "methodology/level-rules/0.1.0.yaml"
CHARTER = "charter.md"


# Files ---------------------------------------------------------------------------------------------------------------


def base_registry() -> Files:
    """Files of the registry by path, to be changed at will."""
    return dict(_base())


def schema_files() -> Files:
    """The published schemas as files of a registry."""
    return {f"schemas/{name}{SUFFIX}": data.decode() for name, data in shipped_schema_files().items()}


def example(schema: str, name: str) -> Record:
    """A valid example of a record, to be changed at will."""
    return read(next((EXAMPLES / schema / "valid").glob(f"{name}.*")))


def read(source: Path | str) -> Record:
    """Fields of a record, from a file of the tests or from text."""
    data = source.read_bytes() if isinstance(source, Path) else source.encode()
    syntax = Syntax.JSON if isinstance(source, Path) and source.suffix == ".json" else Syntax.YAML
    document = read_document(data, syntax=syntax)
    assert not document.faults, document.faults
    assert isinstance(document.value, dict)
    return deepcopy(document.value)


def written(fields: Mapping[str, Any]) -> str:
    """Text of a record: JSON, which is YAML as well."""
    return json.dumps(fields, indent=1, ensure_ascii=False, default=float) + "\n"


def edited(files: Mapping[str, str], path: str, changes: Mapping[str, Any]) -> Files:
    """
    The files with one record changed.

    Args:
        files: Files by path.
        path: The record.
        changes: New values by JSON Pointer; `ABSENT` takes a value out, a pointer ending in `/-` adds one to a list.
    """
    fields: Any = read(files[path])
    for pointer, value in changes.items():
        *above, last = pointer.removeprefix("/").split("/")
        node = fields
        for part in above:
            node = node[int(part) if isinstance(node, list) else part]
        if value is ABSENT:
            del node[int(last) if isinstance(node, list) else last]
        elif last == "-":
            node.append(value)
        else:
            node[int(last) if isinstance(node, list) else last] = value
    return {**files, path: written(fields)}


def copied(files: Mapping[str, str], old: str, new: str, changes: Mapping[str, Any]) -> Files:
    """The files with a changed copy of one record under another path."""
    return edited({**files, new: files[old]}, new, changes)


def moved(files: Mapping[str, str], old: str, new: str) -> Files:
    """The files with one of them under another path."""
    return {new if path == old else path: text for path, text in files.items()}


def without(files: Mapping[str, str], *paths: str) -> Files:
    """The files without some of them."""
    return {path: text for path, text in files.items() if path not in paths}


def methodology_text(
    version: str = "0.1.0",
    day: str = "2026-10-29",
    *,
    cited: str | None = None,
    rows: Sequence[Sequence[str]] = (("0.1.0", "2026-10-29", "First version."),),
) -> str:
    """A stand-in for the methodology text: its own wording, the places that programs read."""
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return (
        f"# Example methodology\n\nVersion {version} · {day} · Example Initiative\n\n"
        f"Cite as: Example Initiative. Example Methodology, version {cited or version} (2026).\n\n"
        "## Position\n\nA stand-in for tests.\n\n"
        f"## Appendix D — Change log\n\n| Version | Date | Change |\n|---|---|---|\n{table}\n"
    )


# Running -------------------------------------------------------------------------------------------------------------


@cache
def layout() -> Layout:
    """The shipped layout."""
    return load_policy(None).layout


def registry_of(
    files: Mapping[str, str], modes: Mapping[str, str] = NO_MODES, *, schemas: SchemaSet | None = None
) -> Registry:
    """A registry of these files, held against the published schemas."""
    return Registry(MemoryTree(files, modes), layout(), schemas or shipped_schemas())


def context_of(
    files: Mapping[str, str],
    *,
    schemas: SchemaSet | None = None,
    settings: Settings | None = None,
    latest_day: date = TODAY,
) -> Context:
    """What checks of these files may know; today is 29 November 2026 everywhere, unless told otherwise."""
    return Context(registry=registry_of(files, schemas=schemas), settings=settings or Settings(), latest_day=latest_day)


def run_check(
    check: Check, files: Mapping[str, str], path: str | None = None, *, context: Context | None = None
) -> list[Finding]:
    """
    Run one check of a state.

    Args:
        check: A check of a record, a path, a folder or the whole tree.
        files: Files by path.
        path: The record, path or folder; not for a check of the whole tree.
        context: What the check may know, if not `context_of(files)`.
    """
    known = context or context_of(files)
    registry = known.registry
    if isinstance(check, TreeCheck):
        return list(findings(check, check.run(known), None, None))
    assert path is not None
    if isinstance(check, FolderCheck):
        names = [name for name, _ in registry.names(path)]
        return list(findings(check, check.run(path, names, lambda _: False), None, path))
    if isinstance(check, PathCheck):
        entry = registry.tree.entry(path)
        assert entry is not None
        return list(findings(check, check.run(registry.layout.place(path), entry), None, path))
    assert isinstance(check, RecordCheck)
    record = registry.record(path)
    assert record is not None
    assert record.kind in check.kinds
    if check.needs_valid:
        assert record.readable, record.document.faults
        assert registry.is_valid(record)
    return list(findings(check, check.run(record, known), record, path))


def run_changes(
    before: Mapping[str, str], after: Mapping[str, str], *, context: Context | None = None
) -> list[Finding]:
    """Run all checks of changes over the step from one set of files to another."""
    base = registry_of(before)
    known = context or context_of(after)
    changes = memory_changes(base.tree, known.registry.tree)
    classified = classify(changes, base=base, head=known.registry, table=shipped_table())
    return check_changes(known, base, [item.change for item in classified])


def rules(found: Iterable[Finding]) -> set[str]:
    """Ids of the rules that findings name."""
    return {finding.rule for finding in found}


# The registry --------------------------------------------------------------------------------------------------------


@cache
def _base() -> Mapping[str, str]:
    records: dict[str, Record] = {
        STANDARD: example("standard", "guideline"),
        "registry/standards/std-example-international-guideline.yaml": _made(
            "standard", "guideline", id="std-example-international-guideline", adoption_of=ABSENT
        ),
        **{f"registry/capabilities/{name}.yaml": _capability(name) for name in ("A.4", "D.1", "X.1", "X.4")},
        REFERENCE: _made("grading-reference", "unlisted", id="gr-example-dose", check_date="2026-11-02"),
        "registry/lifecycle/gr/gr-example-dose@0.1.0.yaml": _made(
            "lifecycle", "reference-unlisted", object="gr-example-dose@0.1.0"
        ),
        CARD: _card(),
        FROZEN: _frozen(),
        UNFROZEN: _made("benchmark-version", "unfrozen", id="bm-example-audit", version="0.3.0"),
        HARNESS: _made("harness", "public-prompt", id="hx-example", tool_components=["tl-example-read-file@0.1.0"]),
        HARNESS_STATE: _made(
            "lifecycle",
            "harness-active",
            object="hx-example@0.1.0",
            adapter_check={"outcome": "full-marks", "date": "2026-11-06", "calibration": "bm-example-audit@0.2.0"},
        ),
        TOOL: _made("tool", "server", id="tl-example-read-file"),
        TOOL_STATE: {
            "object": "tl-example-read-file@0.1.0",
            "last_reviewed": "2026-11-06",
            "status": "active",
            "deprecation": None,
        },
        DATASET: example("dataset-card", "institutional"),
        MODEL: _made("model", "model", vendor_name="Example Model A", snapshots=["example-model-a-2026-10"]),
        PRICES: example("price-table", "example"),
        ROUND: _round(),
        RESULT: {**example("result", "site-run"), "algorithms": _ALGORITHMS},
        REPRODUCTION: _made("reproduction", "full-marks", env_delta={"signed": -0.5, "absolute": 0.5, "n_tasks": 2}),
        ROADMAP: example("roadmap-item", "planned"),
        REDIRECTS: {"redirects": []},
        NOTICE: _made(
            "notice",
            "family",
            id="2026-11-06-example-prices",
            cause={"rule": "NCN-12", "object": "registry/price-tables/0.1.0.yaml"},
            scope="boards",
            affected=["bm-example-audit@0.2.0"],
            **{"from": "0.0.1", "to": "0.1.0"},
            date="2026-11-06",
            text="Amounts of the example family rest on the price table 0.1.0 from now on.",
        ),
        DISPUTE: example("dispute-outcome", "upheld"),
        FUNCTION: example("difficulty-function", "0.1.0"),
        LEVELS: example("level-rules", "0.1.0"),
        **{
            f"methodology/algorithms/{name}/0.1.0.yaml": example("algorithm", name)
            for name in ("digest", "intervals", "letter-display", "paired-test", "row-order")
        },
    }
    return {
        **{path: written(fields) for path, fields in records.items()},
        TEXT: methodology_text(),
        CHARTER: "# Example charter\n\nVersion 0.1.0\n\nA stand-in for tests.\n",
        ARTICLE: "---\ndate: 2026-11-01\ntitle: Example article\n---\n\nA stand-in for tests.\n",
        "README.md": "A stand-in for tests.\n",
    }


_ALGORITHMS = {
    "intervals": "intervals@0.1.0",
    "paired_test": "paired-test@0.1.0",
    "letter_display": "letter-display@0.1.0",
    "seed": 20260101,
    "quantile_rule": "hyndman-fan-1",
    "resamples": 10000,
}


def _made(schema: str, name: str, **fields: Any) -> Record:
    """An example with other values in some fields; `ABSENT` takes a field out."""
    merged = {**example(schema, name), **fields}
    return {field: value for field, value in merged.items() if value is not ABSENT}


def _capability(name: str) -> Record:
    asked = {"external_anchors": ["Example anchor"], "rfc": "https://example.org/requests/1"}
    return _made("capability", "plain", id=name, domain=name[0], **asked)


def _card() -> Record:
    address = "https://example.org/bm-example-audit/"
    return _made(
        "benchmark-card",
        "with-references",
        id="bm-example-audit",
        title="Example Audit",
        status="active",
        capabilities=["D.1"],
        scoring={
            "form": "a program decides the end state",
            "pass_rule": "Every checkpoint passes and no veto is hit.",
            "vetoes": ["X.1", "X.4"],
            "reference_level_veto": "not-applied",
            "stability": ["pass@3", "pass^3"],
        },
        versions=["bm-example-audit@0.2.0", "bm-example-audit@0.3.0"],
        citation={
            "text": f"Example Audit (bm-example-audit), version 1.2.0. {address}",
            "id": "bm-example-audit",
            "version": "1.2.0",
            "url": address,
        },
    )


def _frozen() -> Record:
    """Version 0.2.0, with the tasks, pins and verifier of the result."""
    result = example("result", "site-run")
    tasks: dict[str, list[str]] = {"dev": [], "holdout": [], "calibration": []}
    for row in result["runs"]:
        if row["task_key"] not in tasks[row["subset"]]:
            tasks[row["subset"]].append(row["task_key"])
    none = {"1": 0, "2": 0, "3": 0, "4": 0}
    made = _made(
        "benchmark-version",
        "frozen",
        id="bm-example-audit",
        introduced="2026-11-02",
        last_reviewed="2026-11-04",
        frozen_on="2026-11-04",
        acceptance={"record_ref": "example-acceptance-2", "date": "2026-11-03"},
        subsets={subset: len(keys) for subset, keys in tasks.items()},
        task_keys=tasks,
        class_distribution={"dev": none, "holdout": {**none, "2": 2, "3": 2}, "calibration": {**none, "1": 1, "2": 1}},
        label_distribution={
            "T1": {"short": 6},
            "T2": {"static-materials": 6},
            "T3": {"one": 6},
            "T4": {"text": 6},
            "T5": {"none": 6},
            "T6": {"alone": 6},
            "T7": {"before-cutoff": 6},
            "T8": {"Example national guideline, 2026": 6},
            "T9": {"single-case": 6},
            "T10": {"low": 6},
        },
        algorithms=_ALGORITHMS,
        verifier=result["verifier"],
        reference_summary=[{"grading_reference": "gr-example-dose@0.1.0", "tasks": 3}],
        supersedes=ABSENT,
        notice=ABSENT,
    )
    for gate in made["gate_evidence"].values():
        if isinstance(gate, dict):
            gate["date"] = "2026-11-02"
    return made


def _round() -> Record:
    made = example("round-protocol", "example")
    made["subjects"] = made["subjects"][:1]
    made["benchmark_versions"][0]["algorithms"] = _ALGORITHMS
    return made


def refused_at(problems: Iterable[SchemaProblem]) -> set[tuple[str, str]]:
    """Place and keyword of each problem; an unknown field is told at its key, and validators see it at the object around it."""
    return {
        (pointer, problem.keyword)
        for problem in problems
        for pointer in (problem.pointer, problem.pointer.rpartition("/")[0])
    }
