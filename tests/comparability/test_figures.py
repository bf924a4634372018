"""Whether published figures move when the algorithms behind them change."""

from collections.abc import Mapping
from dataclasses import replace
from unittest.mock import patch

import pytest

from medgauge_registrar.comparability import figures
from medgauge_registrar.comparability.figures import moved_boards
from medgauge_registrar.sandbox.edits import Edit, Workspace, copy, drop, swap
from medgauge_registrar.statistics.algorithms import ALGORITHMS, Algorithm, Intervals
from support.snapshots import edited, schemas_of, tree

BOARD = "bm-example-handover@0.2.0"
INTERVALS = "methodology/algorithms/intervals/0.1.0.yaml"
RESULT = "registry/results/bm-example-handover/0.2.0/res-example-handover-0-2-0-example-model-1.json"
NEWER: Edit = copy(INTERVALS, INTERVALS.replace("0.1.0", "0.2.0"), ("version: 0.1.0", "version: 0.2.0"))


def moved(
    *edits: Edit, base: tuple[Edit, ...] = (), algorithms: Mapping[str, Algorithm] | None = None
) -> figures.Moved:
    """What moves when a change makes these edits, with these algorithms known here besides the shipped ones."""
    from medgauge_registrar.policy.load import load_policy
    from medgauge_registrar.registry.records import Registry

    def registry(workspace: Workspace) -> Registry:
        return Registry(tree(workspace), load_policy(None).layout, schemas_of(workspace))

    before = edited(*base)
    known = {**ALGORITHMS, **(algorithms or {})}
    with (
        patch("medgauge_registrar.comparability.figures.ALGORITHMS", known),
        patch("medgauge_registrar.statistics.algorithms.ALGORITHMS", known),
    ):
        return moved_boards(registry(before), registry(edited(*edits, base=before)))


def first() -> Intervals:
    """The first version of the intervals."""
    found = ALGORITHMS["intervals@0.1.0"]
    assert isinstance(found, Intervals)
    return found


@pytest.mark.rule("NCN-20", "passes")
def test_nothing_moves_without_another_algorithm() -> None:
    """While the algorithms stay, every figure does, whatever else changes."""
    assert moved() == figures.Moved(boards=())
    assert moved(swap("methodology/text.md", "Levels need", "No level needs")).boards == ()


@pytest.mark.rule("NCN-20", "passes")
def test_nothing_moves_under_an_equal_algorithm() -> None:
    """A new version that computes the same moves nothing."""
    assert moved(NEWER, algorithms={"intervals@0.2.0": first()}).boards == ()


@pytest.mark.rule("NCN-20", "fails")
def test_other_digits_move_every_board_with_results() -> None:
    """Figures that come out otherwise move the board they stand on, pins aside."""
    found = moved(NEWER, algorithms={"intervals@0.2.0": replace(first(), digits=2)})
    assert found == figures.Moved(boards=(BOARD,), why="recomputed figures differ")


@pytest.mark.rule("NCN-20", "fails")
def test_an_algorithm_that_is_not_known_here_moves_all() -> None:
    """What cannot be computed is not shown to stay."""
    found = moved(NEWER)
    assert found.boards == (BOARD,)
    assert "`intervals@0.2.0` cannot be computed here" in found.why


def test_letters_and_positions_are_relative() -> None:
    """Another paired test gives other letters, and no figure of its own (NCN-14)."""
    path = "methodology/algorithms/paired-test/0.1.0.yaml"
    assert moved(copy(path, path.replace("0.1.0", "0.2.0"), ("version: 0.1.0", "version: 0.2.0"))).boards == ()


@pytest.mark.parametrize(
    "broken",
    [
        swap(RESULT, '"m": 5', '"m": 0'),
        swap(RESULT, '"runs"', '"rows"'),
        drop("registry/benchmarks/bm-example-handover/versions/0.2.0.yaml"),
    ],
)
def test_what_cannot_be_recomputed_counts_as_moved(broken: Edit) -> None:
    """Rows that nobody can use, or a version that is not there, show nothing."""
    assert moved(NEWER, base=(broken,), algorithms={"intervals@0.2.0": first()}).boards == (BOARD,)


def test_the_work_is_bounded() -> None:
    """Beyond a number of rows nobody looks, so those boards count as moved."""
    with patch("medgauge_registrar.comparability.figures.MOST_ROWS", 1):
        assert moved(NEWER, algorithms={"intervals@0.2.0": first()}).boards == (BOARD,)
