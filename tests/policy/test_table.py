"""The decision table proves itself: every way to leave a gap in it, or to contradict it, is refused with its place."""

import json
import re
from collections.abc import Callable
from copy import deepcopy
from importlib.resources import files
from typing import Any

import pytest
import yaml

from medgauge_registrar.classify.transitions import POSSIBLE
from medgauge_registrar.model.change import Kind, Transition
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.model.roster import Role
from medgauge_registrar.policy.load import read_table, shipped_table
from medgauge_registrar.policy.prove import prove

SOURCE: dict[str, Any] = yaml.safe_load(
    files("medgauge_registrar.data").joinpath("policy.yml").read_text(encoding="utf-8")
)
Mutation = Callable[[dict[str, Any]], None]


def table(change: Mutation) -> Any:
    """Load the table after a change of it."""
    source = deepcopy(SOURCE)
    change(source)
    return read_table(json.dumps(source).encode())


def new_row(name: str = "M98", **fields: Any) -> Mutation:
    """Add a row."""
    row = {
        "title": "Example row",
        "section": "22",
        "basis": "I",
        "because": "It stands here for a test alone.",
        "triggers": [{"kind": "std", "transitions": ["create"]}],
        "seats": ["maintainer"],
        "evidence": [],
        "separation": [],
        **fields,
    }
    return lambda source: source["rows"].update({name: row})


def setting(row: str, field: str, value: Any) -> Mutation:
    """Set a field of a row."""
    return lambda source: source["rows"][row].update({field: value})


def adding(row: str, field: str, item: Any) -> Mutation:
    """Add to a list of a row."""
    return lambda source: source["rows"][row].setdefault(field, []).append(item)


def test_the_shipped_table_is_whole() -> None:
    """Every case has a row, each row can be met, and the rows are those of the decision matrix."""
    shipped = shipped_table()
    prove(shipped, POSSIBLE)
    numbers = [*range(1, 6), "5a", 6, "6a", *range(7, 21)]
    assert sorted(shipped.rows, key=lambda row: shipped.rows[row].order) == [f"M{number}" for number in numbers]
    assert [row.id for row in shipped.rows.values() if row.refused] == ["M20"]
    assert set(POSSIBLE) == set(Kind)
    assert {what for steps in POSSIBLE.values() for what in steps} == set(Transition)


@pytest.mark.parametrize(
    ("row", "seats"),
    [
        ("M1", ["maintainer"]),
        ("M2", ["reference-engineer", "reviewer"]),
        ("M3", ["acceptor", "maintainer"]),
        ("M4", ["results-reviewer", "maintainer"]),
        ("M5", ["maintainer"]),
        ("M5a", ["maintainer"]),
        ("M6", ["maintainer", "maintainer"]),
        ("M6a", ["maintainer", "maintainer"]),
        ("M7", ["maintainer", "maintainer"]),
        ("M8", ["maintainer", "maintainer"]),
        ("M9", ["maintainer", "maintainer"]),
        ("M10", []),
        ("M11", ["maintainer", "maintainer"]),
        ("M12", ["maintainer", "maintainer"]),
        ("M13", ["maintainer"]),
        ("M14", ["results-reviewer", "maintainer"]),
        ("M15", ["maintainer", "maintainer"]),
        ("M16", ["maintainer"]),
        ("M17", ["maintainer", "maintainer"]),
        ("M18", ["maintainer"]),
        ("M19", ["maintainer"]),
        ("M20", []),
    ],
)
def test_each_row_asks_for_the_people_of_its_row(row: str, seats: list[str]) -> None:
    """Who approves what is that of section 22."""
    assert list(shipped_table().rows[row].seats) == [Role(role) for role in seats]


def test_the_same_table_twice_is_the_same() -> None:
    """A table read from its own source equals the shipped one."""
    assert table(lambda source: None) == shipped_table()


@pytest.mark.parametrize(
    ("row", "number"),
    [(row, number) for row, fields in SOURCE["rows"].items() for number in range(len(fields["triggers"]))],
)
def test_no_trigger_is_idle(row: str, number: int) -> None:
    """Without any one trigger some change would have no row, and the gap is named; two kinds have a second row."""
    trigger = SOURCE["rows"][row]["triggers"][number]

    def drop(source: dict[str, Any]) -> None:
        del source["rows"][row]["triggers"][number]
        if not source["rows"][row]["triggers"]:
            del source["rows"][row]

    second = {("M10", "dispute"): "M16", ("M16", "dispute"): "M10", ("M17", "other"): "M19"}.get((row, trigger["kind"]))
    if second is not None:
        left = table(drop).rows_of(Kind(trigger["kind"]), Transition.CREATE, frozenset({trigger.get("facet", "")}))
        assert left == (second,)
        return
    with pytest.raises(
        PolicyError, match=f"`{trigger['kind']}` {trigger['transitions'][0]}.* triggers no row; add a trigger"
    ):
        table(drop)


MISTAKES: list[tuple[Mutation, str]] = [
    # Contradictions, dead and idle parts: found by the proof.
    (new_row(refused=True, seats=[]), "`std` create is refused by one row and admitted by another (M1, M98)"),
    (
        new_row(triggers=[{"kind": "unclassified", "transitions": ["edit"]}]),
        "`unclassified` edit is refused by one row and admitted by another (M20, M98)",
    ),
    (
        adding("M1", "triggers", {"kind": "std", "transitions": ["freeze"]}),
        "M1 waits for `std` freeze, which never happens",
    ),
    (
        adding("M1", "triggers", {"kind": "std", "transitions": ["create"], "facet": "wording"}),
        "M1 waits for facet `wording` of `std` create, which never occurs",
    ),
    (
        adding("M7", "triggers", {"kind": "meth", "transitions": ["edit"], "facet": "appendix"}),
        "M7 waits for facet `appendix` of `meth` edit, which never occurs",
    ),
    (new_row(seats=[]), "M98 asks for no seat and no evidence, so it would always be satisfied"),
    (setting("M19", "seats", []), "M19 asks for no seat and no evidence"),
    (
        adding("M16", "evidence", {"id": "NCN-21", "for": ["notices"]}),
        "M16 asks for evidence NCN-21 where facet `notices` occurs, which no change of the row has",
    ),
    (
        setting("M18", "extra_seats", [{"role": "acceptor", "for": ["baselines"]}]),
        "M18 asks for seat `acceptor` where facet `baselines` occurs",
    ),
    (
        adding("M7", "evidence", {"id": "RFC-01", "for": ["text"]}),
        "M7 asks for evidence RFC-01 where facet `text` occurs, which no change of the row has",
    ),
    (
        adding("M9", "evidence", {"id": "DEC-11", "for": ["text"]}),
        "M9 asks for evidence DEC-11 where facet `text` occurs",
    ),
    # Breaches of the schema: found before it, with the place.
    (setting("M1", "seats", ["pope"]), "policy.yml:1:"),
    (setting("M1", "seats", ["pope"]), "at `/rows/M1/seats/0`: found `pope`"),
    (setting("M18", "extra_seats", [{"role": "pope", "for": ["baseline"]}]), "at `/rows/M18/extra_seats/0/role`"),
    (new_row("M98x1"), "at `/rows/M98x1`: as the name of a field"),
    (new_row("N1"), "at `/rows/N1`: as the name of a field"),
    (adding("M1", "triggers", {"kind": "standard", "transitions": ["create"]}), "at `/rows/M1/triggers/13/kind`"),
    (adding("M1", "triggers", {"kind": "std", "transitions": ["melt"]}), "at `/rows/M1/triggers/13/transitions/0`"),
    (adding("M1", "triggers", {"kind": "std", "transitions": []}), "/transitions"),
    (setting("M1", "triggers", []), "at `/rows/M1/triggers`"),
    (setting("M1", "because", ""), "at `/rows/M1/because`"),
    (setting("M1", "basis", "guess"), "at `/rows/M1/basis`"),
    (setting("M1", "comment", "none"), "at `/rows/M1/comment`: `comment` is not known here"),
    (setting("M20", "refused", "yes"), "at `/rows/M20/refused`"),
    (lambda source: source["rows"]["M1"].pop("seats"), "`seats` is missing"),
    (lambda source: source.pop("combinations"), "`combinations` is missing"),
    (lambda source: source.update(rows={}), "at `/rows`"),
    (lambda source: source["combinations"][1]["other"].append("bm-version:melt"), "melt"),
    (lambda source: source["combinations"][1]["other"].append("benchmark"), "benchmark"),
    (lambda source: source["combinations"][0].pop("because"), "`because` is missing"),
    (lambda source: source["approvals"]["update_from_base_keeps_approvals"].update(value="maybe"), "/value"),
    (
        lambda source: source["approvals"].update(authors_may_approve={"value": True}),
        "`authors_may_approve` is not known",
    ),
]


@pytest.mark.parametrize(("change", "words"), MISTAKES)
def test_a_mistake_in_the_table_is_named(change: Mutation, words: str) -> None:
    """The error says where it is and what is wrong."""
    with pytest.raises(PolicyError, match=re.escape(words)):
        table(change)


def test_all_mistakes_are_told_at_once() -> None:
    """One run names every gap."""

    def break_much(source: dict[str, Any]) -> None:
        source["rows"]["M13"]["triggers"][0]["transitions"].remove("create")
        source["rows"]["M9"]["triggers"][0]["transitions"].remove("edit")

    with pytest.raises(PolicyError) as caught:
        table(break_much)
    assert "`price` create triggers no row" in str(caught.value)
    assert "`charter` edit triggers no row" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "policy.yml"),
        ("rows: {", "policy.yml:2:1: this is not YAML"),
        ("rows: {}\nrows: {}\n", "policy.yml:2:1"),
        ("- a\n", "policy.yml:1:1: at `/`: found a list of 1, expected a mapping"),
        ("methodology: 0.1.0\nrows: &a {}\n", "policy.yml:2:7"),
        ("\ufeffrows: {}\n", "policy.yml"),
    ],
)
def test_a_table_that_cannot_be_read(text: str, words: str) -> None:
    """The table is held to the same strict reading as a record."""
    with pytest.raises(PolicyError, match=re.escape(words)):
        read_table(text.encode())


def test_a_kind_without_transitions_is_a_gap() -> None:
    """A kind that the proof does not know cannot be waved through."""
    universe = {kind: steps for kind, steps in POSSIBLE.items() if kind is not Kind.CHARTER}
    with pytest.raises(PolicyError, match="kind `charter` has no transitions"):
        prove(shipped_table(), universe)


def test_every_facet_is_asked_for() -> None:
    """Rows that tell facets apart are triggered by theirs alone."""
    shipped = shipped_table()
    cases = {
        (Kind.CAP, Transition.EDIT, "meaning"): ("M6a",),
        (Kind.CAP, Transition.EDIT, "wording"): ("M1",),
        (Kind.METH, Transition.EDIT, "aggregation"): ("M7",),
        (Kind.METH, Transition.EDIT, "text"): ("M8",),
        (Kind.OTHER, Transition.CREATE, "opaque"): ("M17", "M19"),
        (Kind.OTHER, Transition.CREATE, "plain"): ("M19",),
        (Kind.LIFECYCLE, Transition.CREATE, "harness-or-tool"): ("M5a",),
        (Kind.LIFECYCLE, Transition.CREATE, "reference"): ("M1",),
        (Kind.LIFECYCLE, Transition.EDIT, "benchmark"): ("M1",),
        (Kind.LIFECYCLE, Transition.REVIEW_DATE, "harness-or-tool"): ("M1",),
        (Kind.DISPUTE, Transition.CREATE, ""): ("M10", "M16"),
    }
    for (kind, what, facet), rows in cases.items():
        assert shipped.rows_of(kind, what, frozenset({facet}) - {""}) == rows
    assert shipped.rows_of(Kind.METH, Transition.EDIT, frozenset({"aggregation", "text"})) == ("M7", "M8")
