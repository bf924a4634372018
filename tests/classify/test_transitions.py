"""Every kind, transition and facet can be reached, every change gets a row, and no content makes the classifier stumble."""

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from medgauge_registrar.classify.classify import Classified, classify, rows_triggered
from medgauge_registrar.classify.transitions import POSSIBLE, changed_fields, facets, transition
from medgauge_registrar.model.change import Kind, PathChange, Status, Transition
from medgauge_registrar.model.tree import Entry
from medgauge_registrar.policy.load import load_policy, shipped_table
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.registry.schemas import shipped_schemas
from support.fuzz import fuzz
from support.memory_tree import MemoryTree, memory_changes

LAYOUT = load_policy(None).layout
TABLE = shipped_table()

# One file of each kind, and one of each facet where the path tells it; a second name for renames.
PATHS: Mapping[Kind, tuple[tuple[str, str, str], ...]] = {
    Kind.BM_CARD: (("", "registry/benchmarks/bm-example/card.yaml", "registry/benchmarks/bm-other/card.yaml"),),
    Kind.BM_VERSION: (
        (
            "",
            "registry/benchmarks/bm-example/versions/0.1.0.yaml",
            "registry/benchmarks/bm-example/versions/0.2.0.yaml",
        ),
    ),
    Kind.GR: (("", "registry/references/gr-example/0.1.0.yaml", "registry/references/gr-example/0.2.0.yaml"),),
    Kind.CAP: (("", "registry/capabilities/D.1.yaml", "registry/capabilities/D.2.yaml"),),
    Kind.HX: (("", "registry/harnesses/hx-example/0.1.0.yaml", "registry/harnesses/hx-example/0.2.0.yaml"),),
    Kind.TL: (("", "registry/tools/tl-example/0.1.0.yaml", "registry/tools/tl-example/0.2.0.yaml"),),
    Kind.STD: (("", "registry/standards/std-example.yaml", "registry/standards/std-other.yaml"),),
    Kind.DS: (("", "registry/datasets/ds-example.yaml", "registry/datasets/ds-other.yaml"),),
    Kind.MODEL: (("", "registry/models/Example%20Model.yaml", "registry/models/Other%20Model.yaml"),),
    Kind.RES: (
        ("", "registry/results/bm-example/0.1.0/res-example.json", "registry/results/bm-example/0.1.0/res-other.json"),
    ),
    Kind.RP: (("", "registry/reproductions/rp-example.yaml", "registry/reproductions/rp-other.yaml"),),
    Kind.LO: (("", "registry/overrides/lo-example.yaml", "registry/overrides/lo-other.yaml"),),
    Kind.RM: (("", "registry/roadmap/rm-example.yaml", "registry/roadmap/rm-other.yaml"),),
    Kind.PRICE: (("", "registry/price-tables/0.1.0.yaml", "registry/price-tables/0.2.0.yaml"),),
    Kind.VOID: (("", "registry/voided/bm-example/0.1.0.yaml", "registry/voided/bm-example/0.2.0.yaml"),),
    Kind.LIFECYCLE: (
        ("benchmark", "registry/lifecycle/bm/bm-example@0.1.0.yaml", "registry/lifecycle/bm/bm-example@0.2.0.yaml"),
        ("reference", "registry/lifecycle/gr/gr-example@0.1.0.yaml", "registry/lifecycle/gr/gr-example@0.2.0.yaml"),
        ("harness-or-tool", "registry/lifecycle/hx/hx-example@0.1.0.yaml", "registry/lifecycle/hx/hx-other@0.1.0.yaml"),
        ("harness-or-tool", "registry/lifecycle/tl/tl-example@0.1.0.yaml", "registry/lifecycle/tl/tl-other@0.1.0.yaml"),
    ),
    Kind.REDIRECTS: (("redirects", "registry/redirects.yaml", ""),),
    Kind.NOTICE: (("notice", "notices/2026-11-29-example.yaml", "notices/2026-11-29-other.yaml"),),
    Kind.ROUND: (
        ("protocol", "rounds/example-round/protocol.yaml", "rounds/other-round/protocol.yaml"),
        ("report", "rounds/example-round/report.md", "rounds/other-round/report.md"),
    ),
    Kind.DISPUTE: (("", "disputes/example-dispute.yaml", "disputes/other-dispute.yaml"),),
    Kind.ARTICLE: (("article", "articles/example.md", "articles/other.md"),),
    Kind.METH: (("text", "methodology/versions/0.1.0.md", "methodology/versions/0.2.0.md"),),
    Kind.DFN: (("", "methodology/difficulty-function/0.1.0.yaml", "methodology/difficulty-function/0.2.0.yaml"),),
    Kind.ALG: (("", "methodology/algorithms/intervals/0.1.0.yaml", "methodology/algorithms/intervals/0.2.0.yaml"),),
    Kind.LVL: (("", "methodology/level-rules/0.1.0.yaml", "methodology/level-rules/0.2.0.yaml"),),
    Kind.CHARTER: (("", "charter.md", ""),),
    Kind.SCHEMA: (("", "schemas/example.schema.json", "validators/example.py"),),
    Kind.INFRA: (("", ".github/workflows/example.yml", "CODEOWNERS"),),
    Kind.OTHER: (("plain", "README.md", "docs/other.md"),),
    Kind.UNCLASSIFIED: (("", "registry/notes.txt", "registry/standards/notes.txt"),),
}
TEXT = "methodology/text.md"
CAPABILITY = PATHS[Kind.CAP][0][1]
VERSION = PATHS[Kind.BM_VERSION][0][1]
REFERENCE_STATE, HARNESS_STATE, TOOL_STATE = (PATHS[Kind.LIFECYCLE][number][1] for number in (1, 2, 3))


class Step(NamedTuple):
    """Files before and after, and what the change of them is."""

    before: Mapping[str, Any]
    after: Mapping[str, Any]
    kind: Kind
    transition: Transition
    facet: str = ""
    modes: Mapping[str, str] = {}


def general() -> Iterator[Step]:
    """What can happen to a file of any kind."""
    for kind, places in PATHS.items():
        for facet, path, other in places:
            one, two = {"title": "a", "n": 1}, {"title": "b", "n": 1}
            yield Step({}, {path: one}, kind, Transition.CREATE, facet)
            if kind is not Kind.CAP:
                yield Step({path: one}, {path: two}, kind, Transition.EDIT, facet)
            yield Step({path: one}, {}, kind, Transition.REMOVE, facet)
            if other:
                yield Step({path: one}, {other: one}, kind, Transition.RENAME, facet)
            if Transition.REVIEW_DATE in POSSIBLE[kind]:
                named = facet or ("wording" if kind is Kind.CAP else "")
                dated = {**one, "last_reviewed": "2026-11-01"}
                later = {**one, "last_reviewed": "2026-11-29"}
                yield Step({path: dated}, {path: later}, kind, Transition.REVIEW_DATE, named)
            if Transition.RETIRE in POSSIBLE[kind] and kind is not Kind.CAP:
                yield Step({path: {"status": "active"}}, {path: {"status": "retired"}}, kind, Transition.RETIRE)


SPECIAL = [
    Step({VERSION: {"frozen": False}}, {VERSION: {"frozen": True}}, Kind.BM_VERSION, Transition.FREEZE),
    Step({VERSION: {}}, {VERSION: {"frozen": True}}, Kind.BM_VERSION, Transition.FREEZE),
    Step({}, {VERSION: {"frozen": True}}, Kind.BM_VERSION, Transition.FREEZE),
    *(
        Step(
            {VERSION: {"frozen": True, field: None}},
            {VERSION: {"frozen": True, field: "example"}},
            Kind.BM_VERSION,
            Transition.LATE_FIELD,
            facet,
        )
        for field, facet in (
            ("hash_manifest", "manifest"),
            ("expert_baseline", "baseline"),
            ("persistent_identifier", "identifier"),
        )
    ),
    Step(
        {VERSION: {"frozen": True}},
        {VERSION: {"frozen": True, "hash_manifest": None}},
        Kind.BM_VERSION,
        Transition.LATE_FIELD,
        "manifest",
    ),
    Step(
        {VERSION: {"frozen": True, "hash_manifest": None, "seed": 1}},
        {VERSION: {"frozen": True, "hash_manifest": "example", "seed": 2}},
        Kind.BM_VERSION,
        Transition.EDIT,
    ),
    Step({VERSION: {"frozen": True}}, {VERSION: {"frozen": False}}, Kind.BM_VERSION, Transition.EDIT),
    Step({CAPABILITY: {"title": "a"}}, {CAPABILITY: {"title": "b"}}, Kind.CAP, Transition.EDIT, "wording"),
    *(
        Step({CAPABILITY: {field: "a"}}, {CAPABILITY: {field: "b"}}, Kind.CAP, Transition.EDIT, "meaning")
        for field in ("definition", "domain", "layer", "grading_form", "composed_of")
    ),
    Step({CAPABILITY: {"layer": 1}}, {CAPABILITY: {"layer": True}}, Kind.CAP, Transition.EDIT, "meaning"),
    Step({CAPABILITY: "[no mapping"}, {CAPABILITY: {"title": "b"}}, Kind.CAP, Transition.EDIT, "meaning"),
    Step({CAPABILITY: {"title": "a"}}, {CAPABILITY: "[no mapping"}, Kind.CAP, Transition.EDIT, "meaning"),
    Step({CAPABILITY: {"status": "active"}}, {CAPABILITY: {"status": "retired"}}, Kind.CAP, Transition.RETIRE),
    Step(
        {CAPABILITY: {"status": "active"}},
        {CAPABILITY: {"status": "retired", "retirement": {"ground": "merged"}}},
        Kind.CAP,
        Transition.MERGE,
    ),
    Step({}, {CAPABILITY: {"status": "retired"}}, Kind.CAP, Transition.CREATE),
    Step(
        {REFERENCE_STATE: {"listing": "unlisted"}},
        {REFERENCE_STATE: {"listing": "listed"}},
        Kind.LIFECYCLE,
        Transition.LIST,
        "reference",
    ),
    Step({}, {REFERENCE_STATE: {"listing": "listed"}}, Kind.LIFECYCLE, Transition.LIST, "reference"),
    Step(
        {REFERENCE_STATE: {"listing": "listed"}},
        {REFERENCE_STATE: {"listing": "unlisted"}},
        Kind.LIFECYCLE,
        Transition.EDIT,
        "reference",
    ),
    *(
        Step({path: {"status": old}}, {path: {"status": new}}, Kind.LIFECYCLE, what, "harness-or-tool")
        for path in (HARNESS_STATE, TOOL_STATE)
        for old, new, what in (
            ("registered", "active", Transition.ACTIVATE),
            ("active", "deprecated", Transition.DEPRECATE),
            ("deprecated", "active", Transition.ACTIVATE),
            ("active", "registered", Transition.EDIT),
        )
    ),
    Step({TEXT: "## 5.4 A\n\na\n"}, {TEXT: "## 5.4 A\n\nb\n"}, Kind.METH, Transition.EDIT, "aggregation"),
    Step({TEXT: "## 4 A\n\na\n"}, {TEXT: "## 4 A\n\nb\n"}, Kind.METH, Transition.EDIT, "text"),
    Step({TEXT: "## 4 A\n\na\n"}, {TEXT: b"\xff"}, Kind.METH, Transition.EDIT, "aggregation"),
    *(
        Step(before, after, Kind.OTHER, what, "opaque", modes)
        for before, after, what, modes in (
            ({}, {"link": "target"}, Transition.CREATE, {"link": "120000"}),
            ({"link": "target"}, {"link": "other"}, Transition.EDIT, {"link": "120000"}),
            ({"link": "target"}, {}, Transition.REMOVE, {"link": "120000"}),
            ({"link": "target"}, {"docs/link": "target"}, Transition.RENAME, {"link": "120000", "docs/link": "120000"}),
            ({}, {"vendor": "a1" * 20}, Transition.CREATE, {"vendor": "160000"}),
        )
    ),
]
STEPS = [*general(), *SPECIAL]


def contents(value: Any) -> bytes:
    """Bytes of a file: JSON for a value, text and bytes as they are."""
    if isinstance(value, bytes):
        return value
    return value.encode() if isinstance(value, str) else (json.dumps(value) + "\n").encode()


def registry(files: Mapping[str, Any], modes: Mapping[str, str] = {}) -> Registry:
    """A registry of these files."""
    tree = MemoryTree(
        {path: contents(value) for path, value in files.items()},
        {path: mode for path, mode in modes.items() if path in files},
    )
    return Registry(tree, LAYOUT, shipped_schemas())


def classified(before: Registry, after: Registry) -> tuple[Classified, ...]:
    """What the step from one registry to the other means."""
    changes = memory_changes(before.tree, after.tree)
    return classify(changes, base=before, head=after, table=TABLE)


def is_possible(found: Classified) -> bool:
    """Whether a change is one that the decision table was proved for."""
    named = POSSIBLE[found.change.kind].get(found.change.transition)
    if named is None:
        return False
    return bool(found.facets) and found.facets <= set(named) if named else not found.facets


@pytest.mark.parametrize("step", STEPS, ids=lambda step: f"{step.kind}-{step.transition}-{step.facet}")
def test_a_step_is_what_it_does(step: Step) -> None:
    """Kind, transition and facet follow from the paths and the content before and after."""
    found = classified(registry(step.before, step.modes), registry(step.after, step.modes))
    wanted = [item for item in found if item.change.kind is step.kind and item.change.transition is step.transition]
    assert len(wanted) == 1, found
    assert not step.facet or step.facet in wanted[0].facets
    assert is_possible(wanted[0])
    assert set(wanted[0].change.rows) >= set(TABLE.rows_of(step.kind, step.transition, wanted[0].facets))
    assert wanted[0].change.rows


def test_every_case_of_the_table_is_reached() -> None:
    """Each kind, transition and facet that the decision table is proved for has an example, and no example is beyond."""
    shown = {(step.kind, step.transition, step.facet) for step in STEPS}
    possible = {
        (kind, what, facet)
        for kind, steps in POSSIBLE.items()
        for what, named in steps.items()
        for facet in named or ("",)
    }
    assert possible - shown == set()
    assert {case for case in shown if case[2]} <= possible


@pytest.mark.rule("DEC-18", "passes")
@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_is_known(kind: Kind) -> None:
    """The examples name a path of each kind, and the layout agrees."""
    for _, path, other in PATHS[kind]:
        assert LAYOUT.place(path).kind is kind
        assert not other or LAYOUT.place(other).kind is kind


# A moved file -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "rows"),
    [
        ("registry/standards/std-example.yaml", "docs/std-example.yaml", ("M1", "M19")),
        ("docs/std-example.yaml", "registry/standards/std-example.yaml", ("M1", "M19")),
        ("charter.md", "articles/charter.md", ("M9", "M16")),
        (".github/workflows/check.yml", "docs/check.yml", ("M17", "M19")),
        ("README.md", "registry/README.md", ("M19", "M20")),
        ("registry/harnesses/hx-example/0.1.0.yaml", "registry/tools/tl-example/0.1.0.yaml", ("M5",)),
        ("schemas/a.json", "methodology/level-rules/0.1.0.yaml", ("M7", "M11")),
        ("disputes/a.yaml", "registry/lifecycle/hx/hx-example@0.1.0.yaml", ("M5a", "M10", "M16")),
        ("docs/a.yaml", CAPABILITY, ("M6", "M19")),
    ],
)
def test_a_move_to_another_kind_is_a_removal_and_an_entry(old: str, new: str, rows: tuple[str, ...]) -> None:
    """A moved file triggers the rows of what it was and of what it becomes, in the order of the table."""
    found = classified(registry({old: {"a": 1}}), registry({new: {"a": 1}}))
    halves = [(old, Transition.REMOVE), (new, Transition.CREATE)]
    assert [(item.change.path, item.change.transition) for item in found] == sorted(halves)
    assert rows_triggered(found, TABLE) == rows


@pytest.mark.parametrize(
    ("new", "value", "what"),
    [
        (VERSION, {"frozen": True}, Transition.FREEZE),
        (REFERENCE_STATE, {"listing": "listed"}, Transition.LIST),
        (HARNESS_STATE, {"status": "active"}, Transition.ACTIVATE),
    ],
)
def test_a_move_never_lets_in_what_a_new_file_would_not(new: str, value: Mapping[str, Any], what: Transition) -> None:
    """A frozen version that was first put aside as a note, and then moved, is frozen by the move."""
    moved = classified(registry({"docs/notes/a.yaml": value}), registry({new: value}))
    added = classified(registry({}), registry({new: value}))
    assert [item.change.transition for item in moved] == [Transition.REMOVE, what]
    assert set(rows_triggered(moved, TABLE)) > set(rows_triggered(added, TABLE))
    assert moved[1] == added[0]


def test_rows_come_in_the_order_of_the_table() -> None:
    """Rows of several changes are told once each, M2 before M10 and M5 before M5a."""
    before = {"charter.md": "a\n", HARNESS_STATE: {"status": "registered"}, "README.md": "a\n"}
    after = {
        "charter.md": "b\n",
        HARNESS_STATE: {"status": "active"},
        "README.md": "b\n",
        "registry/harnesses/hx-example/0.2.0.yaml": {"a": 1},
        "disputes/example.yaml": {"a": 2},
    }
    assert rows_triggered(classified(registry(before), registry(after)), TABLE) == (
        "M5",
        "M5a",
        "M9",
        "M10",
        "M16",
        "M19",
    )


# Fields ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ({"a": 1}, {"a": 1}, set()),
        ({"a": 1}, {"a": True}, {"a"}),
        ({"a": 0}, {"a": False}, {"a"}),
        ({"a": [1, {"b": 1}]}, {"a": [1, {"b": True}]}, {"a"}),
        ({"a": Decimal("1.0")}, {"a": 1}, set()),
        ({"a": Decimal("0.10")}, {"a": Decimal("0.1")}, set()),
        ({"a": None}, {}, {"a"}),
        ({}, {"a": None}, {"a"}),
        ({"a": "1"}, {"a": 1}, {"a"}),
        ({"a": [1, 2]}, {"a": [2, 1]}, {"a"}),
        ({"a": [1]}, {"a": [1, 1]}, {"a"}),
        ({"a": {"b": 1, "c": 2}}, {"a": {"c": 2, "b": 1}}, set()),
        ({"a": {"b": 1}}, {"a": {"c": 1}}, {"a"}),
        ({"a": []}, {"a": {}}, {"a"}),
    ],
)
def test_fields_that_differ(before: dict[str, Any], after: dict[str, Any], changed: set[str]) -> None:
    """Fields are compared as JSON: a boolean is no number, and the order of keys is nothing."""
    assert changed_fields(before, after) == changed
    assert changed_fields(after, before) == changed


# Anything -------------------------------------------------------------------------------------------------------------

NAMES = [
    "frozen", "status", "listing", "last_reviewed", "hash_manifest", "expert_baseline", "persistent_identifier",
    "retirement", "definition", "domain", "composed_of", "title", "ground",
]  # fmt: skip
VALUES = [
    "retired",
    "active",
    "deprecated",
    "registered",
    "listed",
    "unlisted",
    "merged",
    "2026-11-29",
    True,
    False,
    None,
]
json_values = st.recursive(
    st.sampled_from(VALUES) | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=3), inner, max_size=5)
    ),
    max_leaves=8,
)
records = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(VALUES) | json_values, max_size=6) | json_values
file_contents = records.map(contents) | st.binary(max_size=40)
known_paths = st.sampled_from([path for places in PATHS.values() for _, *both in places for path in both if path])
segments = st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=8)
any_paths = (
    known_paths
    | st.just(TEXT)
    | st.lists(segments, min_size=1, max_size=4).map("/".join)
    | st.builds(
        "{}/{}".format, st.sampled_from(["registry", ".github", "schemas", "rounds/example", "articles"]), segments
    )
)
modes = st.sampled_from(["100644", "100644", "100644", "100755", "120000"])


@st.composite
def trees(draw: st.DrawFn) -> tuple[dict[str, bytes], dict[str, str]]:
    """A few files with their modes."""
    files: dict[str, bytes] = {}
    for path in draw(st.lists(any_paths, max_size=3)):
        if not any(path.startswith(f"{other}/") or other.startswith(f"{path}/") for other in files):
            files[path] = draw(file_contents)
    return files, {path: draw(modes) for path in files}


@fuzz(50_000)
@given(trees(), trees())
@example(({CAPABILITY: b"{}"}, {}), ({CAPABILITY: b"[]"}, {}))
@example(({TEXT: b"\xff"}, {}), ({TEXT: b"# 5 A\n"}, {}))
def test_any_two_trees_are_classified(
    before: tuple[dict[str, bytes], dict[str, str]], after: tuple[dict[str, bytes], dict[str, str]]
) -> None:
    """Whatever stands there before and after, each changed path has a possible meaning and at least one row."""
    base, head = registry(*before), registry(*after)
    found = classified(base, head)
    named = {name for change in memory_changes(base.tree, head.tree) for name in (change.path, change.previous_path)}
    assert {name for item in found for name in (item.change.path, item.change.previous_path)} | {None} == named | {None}
    for item in found:
        assert is_possible(item), item
        assert item.change.rows
        assert set(item.change.rows) <= set(TABLE.rows)


@fuzz(20_000)
@given(any_paths, any_paths, st.sampled_from(Status), records, records)
def test_any_content_has_a_transition(path: str, previous: str, status: Status, before: Any, after: Any) -> None:
    """Values of any shape, under any status, end in a case that the table was proved for."""
    entry = Entry(mode="100644", oid="a1" * 20)
    change = PathChange(
        path=path,
        previous_path=previous if status is Status.RENAMED else None,
        status=status,
        before=None if status is Status.ADDED else entry,
        after=None if status is Status.REMOVED else entry,
    )
    place = LAYOUT.place(path)
    # Where there is only one file of a kind, a move is taken for a removal and an entry.
    assume(status is not Status.RENAMED or place.kind not in {Kind.CHARTER, Kind.REDIRECTS})
    what = transition(change, place, before, after)
    assert what in POSSIBLE[place.kind]
    found = facets(change, place, what, before, after)
    if place.kind is not Kind.METH:
        named = POSSIBLE[place.kind][what]
        assert found <= set(named)
        assert bool(found) == bool(named)
        assert TABLE.rows_of(place.kind, what, found)
