"""Results made for a test: rows are changed, and every figure is filled in as the site's own tooling would."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from medgauge_registrar.checks.catalogue import RECORD_CHECKS
from medgauge_registrar.checks.framework import findings
from medgauge_registrar.drafts.result_summary import completed
from medgauge_registrar.model.finding import Finding
from medgauge_registrar.registry.record_json import record_json
from support.registries import FROZEN, RESULT, Files, base_registry, context_of, edited, registry_of, without

Row = dict[str, Any]
EditRows = Callable[[list[Row]], list[Row]]
IDENTIFIER = "res-example-audit-0-2-0-example-model-a"


def path_of(name: str) -> str:
    """Path of another result on the same version."""
    return RESULT.replace(IDENTIFIER, name)


def filled(files: Mapping[str, str], path: str = RESULT) -> Files:
    """The files with every figure of one result computed from its rows."""
    registry = registry_of(files)
    record = registry.record(path)
    assert record is not None
    return {**files, path: record_json(completed(record, registry))}


def with_rows(edit: EditRows, path: str = RESULT) -> Callable[[Files], Files]:
    """Change the rows of a result and leave its figures as they were."""

    def change(files: Files) -> Files:
        rows = edit(json.loads(files[path])["runs"])
        return edited(files, path, {"/runs": rows})

    return change


def another(files: Mapping[str, str], name: str, edit: EditRows, changes: Mapping[str, Any] | None = None) -> Files:
    """Add a result like the one there is, with other rows, under another setting, and with figures that follow from them."""
    fields = json.loads(files[RESULT])
    rows = edit([dict(row) for row in fields["runs"]])
    for number, row in enumerate(rows, start=1):
        row["run_id"] = f"{name.replace('res-', 'run-', 1)}-{number:03}"
    new = path_of(name)
    made = {"/id": name, "/runs": rows, "/fixed_conditions/reasoning_setting": name, **(changes or {})}
    return filled(edited({**files, new: files[RESULT]}, new, made), new)


def passing(count: int) -> EditRows:
    """Let the first tasks pass in all their runs, and no run of the others."""

    def edit(rows: list[Row]) -> list[Row]:
        tasks = sorted({row["task_key"] for row in rows})
        return [_outcome(row, passes=tasks.index(row["task_key"]) < count) for row in rows]

    return edit


def _outcome(row: Row, *, passes: bool) -> Row:
    changed = {**row, "checkpoints_passed": row["m"] if passes else row["m"] - 1}
    changed |= {"artifact_exists": True, "error": None, "veto_categories": [], "inputs_modified": False}
    return changed


RECOMPUTING = tuple(check for check in RECORD_CHECKS if check.rule.startswith(("RESULT-", "CHK-", "RED-11")))


def recomputed(files: Mapping[str, str], path: str = RESULT) -> list[Finding]:
    """Everything that recomputing one result finds, whether or not the record keeps its schema."""
    context = context_of(files)
    record = context.registry.record(path)
    assert record is not None
    assert record.readable, record.document.faults
    valid = context.registry.is_valid(record)
    return [
        finding
        for check in RECOMPUTING
        if valid or not check.needs_valid
        for finding in findings(check, check.run(record, context), record, path)
    ]


def family(tasks: int, passed: Mapping[str, int], **changes: Mapping[str, Any]) -> Files:
    """
    A registry whose frozen version has some holdout tasks and no others, with one result a name.

    Args:
        tasks: Holdout tasks.
        passed: Tasks that each result passes in all three runs, the first ones.
        changes: Other fields of the results, by the last word of their names.
    """
    keys = [f"tk-{number:012}@1.0.0" for number in range(tasks)]
    files = edited(
        without(base_registry(), RESULT),
        FROZEN,
        {
            "/task_keys": {"dev": [], "holdout": keys, "calibration": []},
            "/subsets": {"dev": 0, "holdout": tasks, "calibration": 0},
        },
    )
    template = json.loads(base_registry()[RESULT])["runs"][0]
    for name, count in passed.items():
        rows = [
            _outcome(
                {**template, "task_key": key, "run": run, "detail_sha": f"{place * 3 + run:064x}"}, passes=place < count
            )
            for place, key in enumerate(keys)
            for run in (1, 2, 3)
        ]
        identifier = f"res-example-audit-0-2-0-{name}"
        own = changes.get(name.rpartition("-")[2], {})
        files = _added(files, identifier, rows, {"/fixed_conditions/reasoning_setting": name, **own})
    return files


def _added(files: Files, name: str, rows: list[Row], changes: Mapping[str, Any]) -> Files:
    fields = {**json.loads(base_registry()[RESULT]), "id": name, "subsets": {}}
    for number, row in enumerate(rows, start=1):
        row["run_id"] = f"{name.replace('res-', 'run-', 1)}-{number:03}"
    fields["runs"] = rows
    path = path_of(name)
    return filled(edited({**files, path: json.dumps(fields)}, path, changes), path)
