"""The starter registry is one that its own gate would accept, and it is written only where nothing lies."""

import json
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from medgauge_registrar.checks.changes import check_changes
from medgauge_registrar.checks.framework import Context
from medgauge_registrar.checks.run import check_tree
from medgauge_registrar.classify.classify import classify
from medgauge_registrar.git.changes import compare
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.policy.load import Policy, load_policy
from medgauge_registrar.registry.layout import Place
from medgauge_registrar.registry.methodology_text import archive_path, methodology_of, text_path
from medgauge_registrar.registry.reader import Syntax, read_document
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.registry.references import references
from medgauge_registrar.registry.schemas import SCHEMA_NAMES, shipped_schema_files
from medgauge_registrar.registry.sources import tree_schemas
from medgauge_registrar.starter import starter_files, write_starter
from medgauge_registrar.statistics.algorithms import ALGORITHMS, Intervals, PairedTest, RowOrder
from support.memory_tree import MemoryTree
from support.snapshots import edited, schemas_of

DAY = date(2026, 11, 29)
RESULT = "registry/results/bm-example-handover/0.2.0/res-example-handover-0-2-0-example-model-1.json"
FORMS = ".github/ISSUE_TEMPLATE"


@pytest.fixture(scope="module")
def starter() -> dict[str, bytes]:
    return starter_files()


@pytest.fixture(scope="module")
def policy(starter: Mapping[str, bytes]) -> Policy:
    return load_policy(starter[".github/registrar.yml"])


@pytest.fixture(scope="module")
def registry(starter: Mapping[str, bytes], policy: Policy) -> Registry:
    tree = MemoryTree(starter)
    return Registry(tree, policy.layout, tree_schemas(tree))


@pytest.fixture(scope="module")
def records(registry: Registry) -> tuple[Place, ...]:
    return tuple(place for place, _ in registry.places() if place.is_record)


@pytest.fixture(scope="module")
def result(starter: Mapping[str, bytes]) -> Any:
    return json.loads(starter[RESULT], parse_float=Decimal)


def errors(findings: list[Finding]) -> list[str]:
    return [
        f"{found.path}:{found.line} {found.rule} {found.message}"
        for found in findings
        if found.severity is Severity.ERROR
    ]


def yaml(data: bytes) -> Any:
    document = read_document(data, syntax=Syntax.YAML)
    assert document.faults == ()
    return document.value


def test_every_record_is_valid(registry: Registry, records: tuple[Place, ...]) -> None:
    """Each record can be read and keeps the schema that lies beside it."""
    faults = {}
    for place in records:
        record = registry.record(place.path)
        assert record is not None
        found = record.document.faults or registry.schemas.problems(SCHEMA_NAMES[place.kind], record.document.value)
        if found:
            faults[place.path] = found
    assert faults == {}


def test_every_kind_is_there(registry: Registry, records: tuple[Place, ...]) -> None:
    """Only the level override is missing, which nobody could merge; texts, schemas and settings are there as well."""
    assert set(SCHEMA_NAMES) - {place.kind for place in records} == {Kind.LO}
    others = {place.kind for place, _ in registry.places()} - set(SCHEMA_NAMES)
    assert others == {Kind.METH, Kind.CHARTER, Kind.ARTICLE, Kind.SCHEMA, Kind.INFRA, Kind.OTHER}


def test_every_reference_resolves(registry: Registry, records: tuple[Place, ...], policy: Policy) -> None:
    """What a record names stands in the starter."""
    mentions = 0
    for place in records:
        record = registry.record(place.path)
        assert record is not None
        for reference in references(record, policy.layout):
            mentions += 1
            assert any(registry.has(path) for path in reference.paths), f"{place.path} {reference}"
    assert mentions > 0


def test_every_path_has_a_kind(registry: Registry) -> None:
    """Nothing under the registry folder is unknown, and only texts for people are of no kind."""
    others = {place.path for place, _ in registry.places() if place.kind is Kind.OTHER}
    assert not any(place.kind is Kind.UNCLASSIFIED for place, _ in registry.places())
    assert others == {
        "CONTRIBUTING.md", "LICENSE", "LICENSE-CC-BY", "README.md", "SECURITY.md", "rfcs/README.md",
        ".github/pull_request_template.md", f"{FORMS}/capability-request.yml", f"{FORMS}/methodology-request.yml",
        f"{FORMS}/schema-request.yml", f"{FORMS}/threshold-request.yml",
    }  # fmt: skip


def test_editors_find_the_schema(starter: Mapping[str, bytes], records: tuple[Place, ...]) -> None:
    """The first line of each YAML record leads, from its own folder, to the schema of its kind."""
    yaml_records = [place for place in records if place.path.endswith(".yaml")]
    assert len(records) - len(yaml_records) == 1
    for place in yaml_records:
        up = "../" * place.path.count("/")
        expected = f"# yaml-language-server: $schema={up}schemas/{SCHEMA_NAMES[place.kind]}.schema.json"
        assert starter[place.path].decode().splitlines()[0] == expected, place.path


def test_the_whole_tree_is_without_error(registry: Registry, policy: Policy) -> None:
    """The build checks find no error anywhere."""
    context = Context(registry=registry, settings=policy.settings, latest_day=DAY)
    assert errors(check_tree(context)) == []


def test_the_first_commit_is_without_error(registry: Registry, policy: Policy) -> None:
    """The starter would also pass as a change of an empty registry."""
    nothing = MemoryTree({})
    base = Registry(nothing, policy.layout, registry.schemas)
    context = Context(registry=registry, settings=policy.settings, latest_day=DAY)
    classified = classify(compare(nothing, registry.tree), base=base, head=registry, table=policy.table)
    assert classified
    assert errors(check_changes(context, base, tuple(item.change for item in classified))) == []


def test_the_text_agrees_with_itself(registry: Registry, policy: Policy) -> None:
    """Title line, citation, change log, archive and level rules name one version."""
    text = methodology_of(registry.tree, policy.layout)
    assert text.version == text.cited_version == text.logged_version == "0.1.0"
    assert text.date == text.change_log[-1].date == "2026-10-29"
    archived = registry.tree.read(archive_path(policy.layout, text.version))
    assert archived == registry.tree.read(text_path(policy.layout))
    level_rules = registry.record(registry.path_of(Kind.LVL, version=text.version))
    assert level_rules is not None
    assert level_rules["methodology"] == text.version


def test_algorithms_are_those_that_run(registry: Registry, records: tuple[Place, ...]) -> None:
    """Each algorithm file describes one that the package runs, with its parameters."""
    described = {place.object: registry.record(place.path) for place in records if place.kind in {Kind.ALG, Kind.DFN}}
    assert described.keys() == ALGORITHMS.keys()
    for pin, record in described.items():
        assert record is not None
        match ALGORITHMS[pin]:
            case Intervals() as intervals:
                found = (record["digits"], record["quantile_rule"], record["resamples"])
                assert found == (intervals.digits, intervals.quantile_rule, intervals.resamples)
            case PairedTest() as test:
                method = record["method"]
                assert isinstance(method, dict)
                assert isinstance(method["alpha"], Decimal)
                assert (record["digits"], method["alpha"]) == (test.digits, Decimal(str(float(test.alpha))))
            case RowOrder() as order:
                assert record["digits"] == order.cost_digits
            case _:
                continue


def test_result_covers_the_frozen_tasks(registry: Registry, result: Any) -> None:
    """The result has three runs of every task of its version, in the task's subset, and nothing else."""
    record = registry.record(registry.path_of(Kind.BM_VERSION, bm="bm-example-handover", version="0.2.0"))
    assert record is not None
    frozen = record["task_keys"]
    assert isinstance(frozen, dict)
    expected = sorted(
        (key, subset, run)
        for subset, keys in frozen.items()
        if isinstance(keys, list)
        for key in keys
        for run in (1, 2, 3)
    )
    assert sorted((row["task_key"], row["subset"], row["run"]) for row in result["runs"]) == expected


def test_result_adds_up(result: Any) -> None:
    """Scores, passes, shares of tasks, outcomes and amounts follow from the rows."""
    passing: dict[str, dict[str, int]] = {}
    for row in result["runs"]:
        whole = row["checkpoints_passed"] == row["m"] and not row["veto_categories"] and row["error"] is None
        assert row["pass"] is whole
        assert row["s"] * row["m"] == (0 if row["veto_categories"] else row["checkpoints_passed"])
        subset = passing.setdefault(row["subset"], {})
        subset[row["task_key"]] = subset.get(row["task_key"], 0) + row["pass"]
    for name, counts in passing.items():
        figures, n = result["subsets"][name], len(counts)
        all_three = sum(count == 3 for count in counts.values())
        assert figures["n_tasks"] == n
        assert figures["pass_pow_3"]["value"] == round(Decimal(all_three) / n, 6)
        assert figures["exam"] == ("passed" if all_three == n else "not-passed")
        assert (figures["claimable_lower_bound"] is None) is (all_three < n)
    assert result["amounts"]["total"] == sum(row["amount"] for row in result["runs"])


def test_schemas_are_the_shipped_ones(starter: Mapping[str, bytes]) -> None:
    """A registry gets every schema but those of files that never lie in it."""
    found = {path for path in starter if path.startswith("schemas/")}
    outside = {"decision", "decision-note", "ledger", "policy", "pull", "roster"}
    assert found == {f"schemas/{name}.schema.json" for name in shipped_schema_files().keys() - outside}
    assert starter["schemas/standard.schema.json"] == shipped_schema_files()["standard"]


def test_settings_show_every_key(starter: Mapping[str, bytes]) -> None:
    """Whoever opens the settings file sees each key of its schema, as a setting or as a comment."""
    schema = json.loads(starter["schemas/registrar.schema.json"])["properties"]
    text = starter[".github/registrar.yml"].decode()
    keys = {*schema, *schema["roster"]["properties"], *schema["roster"]["properties"]["teams"]["properties"]}
    keys |= {*schema["periods"]["properties"], *schema["labels"]["properties"]}
    assert [key for key in sorted(keys) if f"{key}:" not in text] == []


def test_request_forms_match_the_settings(starter: Mapping[str, bytes]) -> None:
    """Every form sets the label that marks a request, and the one for capabilities asks for the three parts."""
    label = yaml(starter[".github/registrar.yml"])["labels"]["request_for_comment"]
    forms = {path: yaml(data) for path, data in starter.items() if path.startswith(FORMS)}
    assert len(forms) == 4
    assert all(form["labels"] == [label] for form in forms.values())
    asked = {
        item["attributes"]["label"]
        for item in forms[f"{FORMS}/capability-request.yml"]["body"]
        if item["type"] == "textarea" and item["validations"]["required"]
    }
    assert asked >= {"Outline of a gradable task", "Form of the evidence", "Outside anchor"}


def test_texts_are_plain(starter: Mapping[str, bytes]) -> None:
    """Every file is UTF-8 with LF line ends and ends with one."""
    for path, data in starter.items():
        assert data.decode().endswith("\n"), path
        assert b"\r" not in data, path


def test_licence_is_the_packages_own(starter: Mapping[str, bytes]) -> None:
    """Code and schemas of a registry are under the licence of this package."""
    assert b"Apache License" in starter["LICENSE"]
    assert b"Version 2.0" in starter["LICENSE"]


def test_writes_a_new_folder(tmp_path: Path, starter: Mapping[str, bytes]) -> None:
    """Every file is written byte for byte, and the terminal hears what comes next and what cannot be approved yet."""
    folder = tmp_path / "new registry"
    told = write_starter(folder)
    written = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert written == starter
    assert f"git -C '{folder}' init" in told
    assert "protect the branch" in told
    assert ".github/registrar.yml" in told
    assert "nobody holds a role" in told
    assert "M1, M2, M3, M4, M5, M5a" in told
    assert "M20" not in told


def test_writes_an_empty_folder(tmp_path: Path) -> None:
    """An empty folder will do."""
    write_starter(tmp_path)
    assert (tmp_path / "registry").is_dir()


def test_refuses_a_folder_with_something_in_it(tmp_path: Path) -> None:
    """Nothing is written beside what lies there already."""
    (tmp_path / "note.txt").write_text("mine")
    with pytest.raises(PolicyError, match="expected a new or an empty folder"):
        write_starter(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["note.txt"]


def test_refuses_a_file(tmp_path: Path) -> None:
    """A path that is a file, or runs through one, is an argument that is wrong."""
    (tmp_path / "file").write_text("mine")
    with pytest.raises(PolicyError, match="expected a new or an empty folder"):
        write_starter(tmp_path / "file")
    with pytest.raises(PolicyError, match="cannot be written"):
        write_starter(tmp_path / "file" / "below")
    assert (tmp_path / "file").read_text() == "mine"


def test_schemas_of_a_registry_refer_to_each_other_alone() -> None:
    """Every schema that a registry starts with can be used with what it starts with."""
    schemas = schemas_of(edited())
    assert "standard" in schemas.names
    for name in schemas.names:
        schemas.compile(name)
