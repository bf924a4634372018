"""Points, score and class of a task."""

import itertools
from typing import Any

import pytest

from medgauge_registrar.statistics.difficulty_function_0_1_0 import (
    CLASSES,
    COUNT_BANDS,
    Components,
    classify,
    may_enter_holdout,
)


def components(**others: Any) -> Components:
    """The easiest task there is, but for what is said."""
    plain = {
        "breadth": 1, "crossing": 1, "gaps": 0, "planted_content": False, "regional_split": False, "controls": False
    }  # fmt: skip
    return Components(**plain | others)


@pytest.mark.parametrize(
    ("name", "count", "points"),
    [
        ("breadth", 1, 0),
        ("breadth", 5, 0),
        ("breadth", 6, 1),
        ("breadth", 12, 1),
        ("breadth", 13, 2),
        ("breadth", 400, 2),
        ("crossing", 1, 0),
        ("crossing", 2, 1),
        ("crossing", 3, 2),
        ("crossing", 40, 2),
        ("gaps", 0, 0),
        ("gaps", 1, 1),
        ("gaps", 2, 1),
        ("gaps", 3, 2),
        ("gaps", 40, 2),
    ],
)
def test_bands(name: str, count: int, points: int) -> None:
    """Both edges of every band."""
    found = classify(components(**{name: count}))
    assert dict(found.points)[name] == found.score == points


@pytest.mark.parametrize("name", ["planted_content", "regional_split", "controls"])
def test_questions(name: str) -> None:
    """A yes is one point."""
    found = classify(components(**{name: True}))
    assert dict(found.points)[name.replace("_", "-")] == found.score == 1


@pytest.mark.parametrize(
    ("name", "count", "lowest"), [("breadth", 0, 1), ("crossing", 0, 1), ("gaps", -1, 0), ("breadth", -3, 1)]
)
def test_a_count_without_meaning_has_no_class(name: str, count: int, lowest: int) -> None:
    """A task without checkpoint or material is invalid, not easy."""
    with pytest.raises(ValueError, match=f"`{name}` is {count}; the lowest count with a meaning is {lowest}$"):
        classify(components(**{name: count}))


def test_every_combination_has_the_class_of_its_score() -> None:
    """All 216 combinations of bands; the scores 0 to 9 and all four classes occur."""
    by_score = {0: 1, 1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3, 7: 4, 8: 4, 9: 4}
    seen = set()
    for breadth, crossing, gaps in itertools.product((1, 6, 13), (1, 2, 3), (0, 1, 3)):
        for planted, regional, controls in itertools.product((False, True), repeat=3):
            found = classify(
                components(
                    breadth=breadth,
                    crossing=crossing,
                    gaps=gaps,
                    planted_content=planted,
                    regional_split=regional,
                    controls=controls,
                )
            )
            assert found.score == sum(points for _, points in found.points)
            assert found.difficulty_class == by_score[found.score]
            seen.add(found.score)
    assert seen == set(by_score)


def test_bands_and_classes_leave_no_gap() -> None:
    """Each table goes on where the line before ends."""
    for bands in COUNT_BANDS.values():
        assert all(low == high + 1 for (_, high, _), (low, _, _) in itertools.pairwise(bands) if high is not None)
        assert bands[-1][1] is None
    assert all(low == high + 1 for (_, _, high), (_, low, _) in itertools.pairwise(CLASSES))


def test_entry_to_the_holdout_subset() -> None:
    """Class 2, or the family's higher class; a family cannot ask for less."""
    assert [may_enter_holdout(c) for c in (1, 2, 3, 4)] == [False, True, True, True]
    assert [may_enter_holdout(c, 3) for c in (1, 2, 3, 4)] == [False, False, True, True]
    assert may_enter_holdout(1, 1) is False
