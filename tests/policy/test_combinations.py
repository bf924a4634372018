"""Kinds that may not share a pull request, from either side."""

from collections.abc import Iterable

import pytest

from medgauge_registrar.model.change import Change, Kind, Status, Transition
from medgauge_registrar.model.finding import Finding
from medgauge_registrar.policy.combinations import refused_combinations
from medgauge_registrar.policy.load import load_policy, shipped_table

LAYOUT = load_policy(None).layout
TABLE = shipped_table()
PATHS = {
    Kind.BM_CARD: "registry/benchmarks/bm-example/card.yaml",
    Kind.BM_VERSION: "registry/benchmarks/bm-example/versions/0.1.0.yaml",
    Kind.GR: "registry/references/gr-example/0.1.0.yaml",
    Kind.HX: "registry/harnesses/hx-example/0.1.0.yaml",
    Kind.TL: "registry/tools/tl-example/0.1.0.yaml",
    Kind.CAP: "registry/capabilities/D.1.yaml",
    Kind.STD: "registry/standards/std-example.yaml",
    Kind.DS: "registry/datasets/ds-example.yaml",
    Kind.MODEL: "registry/models/Example.yaml",
    Kind.RES: "registry/results/bm-example/0.1.0/res-example.json",
    Kind.RP: "registry/reproductions/rp-example.yaml",
    Kind.LO: "registry/overrides/lo-example.yaml",
    Kind.RM: "registry/roadmap/rm-example.yaml",
    Kind.PRICE: "registry/price-tables/0.1.0.yaml",
    Kind.VOID: "registry/voided/bm-example/0.1.0.yaml",
    Kind.LIFECYCLE: "registry/lifecycle/hx/hx-example@0.1.0.yaml",
    Kind.REDIRECTS: "registry/redirects.yaml",
    Kind.NOTICE: "notices/2026-11-29-example.yaml",
    Kind.ROUND: "rounds/example/protocol.yaml",
    Kind.DISPUTE: "disputes/example.yaml",
    Kind.ARTICLE: "articles/example.md",
    Kind.METH: "methodology/text.md",
    Kind.DFN: "methodology/difficulty-function/0.1.0.yaml",
    Kind.ALG: "methodology/algorithms/intervals/0.1.0.yaml",
    Kind.LVL: "methodology/level-rules/0.1.0.yaml",
    Kind.CHARTER: "charter.md",
    Kind.SCHEMA: "schemas/example.schema.json",
    Kind.INFRA: ".github/workflows/example.yml",
    Kind.OTHER: "README.md",
    Kind.UNCLASSIFIED: "registry/notes.txt",
}
RULES = {Kind.METH, Kind.DFN, Kind.ALG, Kind.LVL}
# Beside the enforcement surface may change what stands outside of registry, methodology, schemas and charter.
FREE_OF_INFRA = {
    Kind.INFRA, Kind.OTHER, Kind.ARTICLE, Kind.NOTICE, Kind.ROUND, Kind.DISPUTE, Kind.UNCLASSIFIED,
}  # fmt: skip


def change(kind: Kind, what: Transition = Transition.EDIT, path: str = "", previous: str | None = None) -> Change:
    """A change of a file of some kind."""
    return Change(
        path=path or PATHS[kind],
        previous_path=previous,
        status=Status.RENAMED if previous else Status.MODIFIED,
        kind=kind,
        object="",
        transition=what,
        rows=(),
        before=None,
        after=None,
    )


def refused(*changes: Change) -> list[Finding]:
    """What the table keeps apart of these, the same from either side."""
    found = list(refused_combinations(changes, TABLE, LAYOUT))
    assert list(refused_combinations(changes[::-1], TABLE, LAYOUT)) == found
    return found


def rules(found: Iterable[Finding]) -> list[str]:
    """Their rules."""
    return [finding.rule for finding in found]


def test_the_paths_of_these_tests_are_right() -> None:
    """Each path is of its kind, and no kind was left out."""
    assert {kind: LAYOUT.place(path).kind for kind, path in PATHS.items()} == {kind: kind for kind in Kind}


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("what", [Transition.CREATE, Transition.EDIT, Transition.REMOVE])
def test_what_enforces_the_table_changes_alone(kind: Kind, what: Transition) -> None:
    """Infrastructure beside anything that it judges is refused, and either of them alone is not."""
    together = refused(change(Kind.INFRA), change(kind, what))
    assert rules(together) == ([] if kind in FREE_OF_INFRA else ["DEC-31"])
    assert refused(change(Kind.INFRA)) == []
    assert refused(change(kind, what)) == []


@pytest.mark.rule("CHG-12", "passes")
@pytest.mark.rule("CHG-12", "fails")
@pytest.mark.parametrize("rule", sorted(RULES))
@pytest.mark.parametrize("what", [Transition.CREATE, Transition.EDIT, Transition.REMOVE, Transition.RENAME])
def test_rules_do_not_travel_with_what_they_would_judge(rule: Kind, what: Transition) -> None:
    """A change of the rules is refused beside results and beside a freeze, and taken beside other records."""
    assert rules(refused(change(rule, what), change(Kind.RES))) == ["CHG-12"]
    assert rules(refused(change(rule, what), change(Kind.BM_VERSION, Transition.FREEZE))) == ["CHG-12"]
    for other in set(Kind) - {Kind.RES, Kind.INFRA}:
        assert refused(change(rule, what), change(other)) == []
    for later in (Transition.CREATE, Transition.EDIT, Transition.LATE_FIELD, Transition.REVIEW_DATE):
        assert refused(change(rule, what), change(Kind.BM_VERSION, later)) == []


def test_a_freeze_and_results_on_it_come_one_after_the_other() -> None:
    """Runs need a frozen version first; results on another version or family may come along."""
    freeze = change(Kind.BM_VERSION, Transition.FREEZE)
    elsewhere = change(Kind.RES, path="registry/results/bm-other/0.1.0/res-other.json")
    assert rules(refused(freeze, change(Kind.RES))) == ["SCHEMA-RES-04"]
    assert refused(freeze, elsewhere) == []
    earlier = change(Kind.RES, path="registry/results/bm-example/0.0.9/res-example.json")
    assert refused(freeze, earlier) == []
    assert rules(refused(freeze, elsewhere, change(Kind.RES))) == ["SCHEMA-RES-04"]
    assert refused(change(Kind.BM_VERSION, Transition.CREATE), change(Kind.RES)) == []
    assert refused(freeze) == refused(change(Kind.RES)) == []


@pytest.mark.parametrize(
    ("old", "new", "beside", "expected"),
    [
        (Kind.INFRA, Kind.OTHER, Kind.STD, ["DEC-31"]),
        (Kind.OTHER, Kind.INFRA, Kind.STD, ["DEC-31"]),
        (Kind.STD, Kind.OTHER, Kind.INFRA, ["DEC-31"]),
        (Kind.METH, Kind.OTHER, Kind.RES, ["CHG-12"]),
        (Kind.RES, Kind.OTHER, Kind.LVL, ["CHG-12"]),
        (Kind.OTHER, Kind.ARTICLE, Kind.STD, []),
    ],
)
def test_a_moved_file_counts_under_both_names(old: Kind, new: Kind, beside: Kind, expected: list[str]) -> None:
    """Moving a file out of its kind does not free it from what that kind may not be beside."""
    moved = change(
        new, Transition.RENAME, path="docs/moved.yml" if new is Kind.OTHER else PATHS[new], previous=PATHS[old]
    )
    assert rules(refused(moved, change(beside))) == expected


def test_a_move_across_the_line_is_refused_by_itself() -> None:
    """A record that becomes infrastructure is both sides at once."""
    moved = change(Kind.INFRA, Transition.RENAME, previous=PATHS[Kind.STD])
    assert rules(refused(moved)) == ["DEC-31"]


def test_what_is_told() -> None:
    """One finding a rule, at the first path of its first side, with three paths of each side named and the rest counted."""
    many = [change(Kind.STD, path=f"registry/standards/std-example-{number}.yaml") for number in range(5)]
    (found,) = refused(*many, change(Kind.INFRA))
    assert found.path == PATHS[Kind.INFRA]
    assert found.source == "section 22"
    assert "`registry/standards/std-example-0.yaml`, `registry/standards/std-example-1.yaml`" in found.message
    assert found.message.count("std-example-") == 3
    assert "and 2 more" in found.message
    assert found.help.startswith("Split the pull request")
