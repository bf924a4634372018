"""Compact letters: the defining property on many boards, against a second algorithm."""

import itertools
import random

import pytest

from medgauge_registrar.statistics.letter_display_0_1_0 import letters


def shares(display: tuple[tuple[str, ...], ...], i: int, j: int) -> bool:
    return bool(set(display[i]) & set(display[j]))


def groups(display: tuple[tuple[str, ...], ...]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for row, own in enumerate(display):
        for letter in own:
            found.setdefault(letter, set()).add(row)
    return found


def insert_and_absorb(count: int, different: list[tuple[int, int]]) -> set[frozenset[int]]:
    """All largest groups of rows that do not differ, by splitting on each pair and absorbing (Piepho 2004)."""
    columns = {frozenset(range(count))}
    for i, j in different:
        split = {c - {x} for c in columns if i in c and j in c for x in (i, j)}
        columns = split | {c for c in columns if not (i in c and j in c)}
        columns = {c for c in columns if not any(c < other for other in columns)}
    return columns


def random_board(generator: random.Random) -> tuple[int, list[tuple[int, int]]]:
    """Any graph, or one that looks like a board: rows on a line, near ones alike but for noise."""
    count = generator.randrange(1, 12)
    pairs = list(itertools.combinations(range(count), 2))
    if generator.random() < 0.5:
        density = generator.random()
        return count, [pair for pair in pairs if generator.random() < density]
    places = sorted(generator.random() for _ in range(count))
    reach = generator.uniform(0.1, 0.6)
    return count, [(i, j) for i, j in pairs if places[j] - places[i] + generator.gauss(0, 0.08) > reach]


@pytest.mark.parametrize("seed", range(8))
def test_the_defining_property_on_random_boards(seed: int) -> None:
    """2,400 boards in all: letters are shared exactly by rows that do not differ; they are maximal and all needed."""
    generator = random.Random(seed)
    for _ in range(300):
        count, different = random_board(generator)
        display = letters(count, different)
        assert len(display) == count
        for pair in itertools.combinations(range(count), 2):
            assert shares(display, *pair) is (pair not in different)
        found = groups(display)
        assert all(own for own in display)
        largest = insert_and_absorb(count, different)
        assert {frozenset(group) for group in found.values()} <= largest
        for letter in found:
            rest = tuple(tuple(x for x in own if x != letter) for own in display)
            lost = [p for p in itertools.combinations(range(count), 2) if shares(display, *p) and not shares(rest, *p)]
            assert lost or any(not own for own in rest), f"letter {letter} is not needed"


def test_equal_letters_mean_equal_neighbours() -> None:
    """Rows have one letter set exactly if they differ from the same rows, so classes do not depend on the spelling."""
    generator = random.Random(99)
    for _ in range(300):
        count, different = random_board(generator)
        display = letters(count, different)
        alike = [{j for j in range(count) if (min(i, j), max(i, j)) not in different} for i in range(count)]
        for i, j in itertools.combinations(range(count), 2):
            assert (display[i] == display[j]) is (alike[i] == alike[j])


@pytest.mark.parametrize(
    ("count", "different", "expected"),
    [
        (0, [], ()),
        (1, [], (("a",),)),
        (2, [], (("a",), ("a",))),
        (2, [(0, 1)], (("a",), ("b",))),
        (3, [(0, 2)], (("a",), ("a", "b"), ("b",))),
        (4, [(0, 2), (0, 3), (1, 3)], (("a",), ("a", "b"), ("b", "c"), ("c",))),
        (4, [(0, 1), (2, 3)], (("a", "b"), ("c", "d"), ("a", "c"), ("b", "d"))),
        (3, [(1, 2), (0, 2)], (("a",), ("a",), ("b",))),
    ],
)
def test_known_displays(count: int, different: list[tuple[int, int]], expected: tuple[tuple[str, ...], ...]) -> None:
    """Overlapping groups, a square, and letters in order of first appearance."""
    assert letters(count, different) == expected


def test_a_redundant_group_is_dropped() -> None:
    """A triangle whose three sides are each in a larger group needs no letter of its own."""
    # 0-1-2 are alike, and so are 0-1-3, 1-2-4, 0-2-5: every pair of the middle triangle is in one of the others.
    alike = {frozenset(p) for t in ((0, 1, 2), (0, 1, 3), (1, 2, 4), (0, 2, 5)) for p in itertools.combinations(t, 2)}
    different = [p for p in itertools.combinations(range(6), 2) if frozenset(p) not in alike]
    found = groups(letters(6, different))
    assert sorted(map(sorted, found.values())) == [[0, 1, 3], [0, 2, 5], [1, 2, 4]]


def test_letters_follow_first_appearance() -> None:
    """On random boards: groups, as ascending lists of rows, are named in ascending order."""
    generator = random.Random(21)
    for _ in range(200):
        found = groups(letters(*random_board(generator)))
        ordered = sorted(found, key=lambda letter: (len(letter), letter))
        assert [sorted(found[letter]) for letter in ordered] == sorted(map(sorted, found.values()))


def test_names_go_on_after_z() -> None:
    """Thirty rows that all differ: a to z, then aa to ad."""
    display = letters(30, itertools.combinations(range(30), 2))
    assert [own[0] for own in display][24:] == ["y", "z", "aa", "ab", "ac", "ad"]
    assert letters(703, itertools.combinations(range(703), 2))[702] == ("aaa",)


def test_the_order_of_pairs_does_not_matter() -> None:
    """The display depends on which pairs differ, not on how they are listed."""
    generator = random.Random(5)
    for _ in range(100):
        count, different = random_board(generator)
        shuffled = [(j, i) if generator.random() < 0.5 else (i, j) for i, j in different]
        generator.shuffle(shuffled)
        assert letters(count, shuffled) == letters(count, different)


def test_a_board_that_would_have_millions_of_largest_groups_is_quick() -> None:
    """60 rows in 20 triples that differ inside: 3^20 largest groups, of which a few are enough."""
    different = [(3 * t + i, 3 * t + j) for t in range(20) for i, j in ((0, 1), (0, 2), (1, 2))]
    display = letters(60, different)
    assert all(shares(display, i, j) is ((i, j) not in different) for i, j in itertools.combinations(range(60), 2))
    assert len(groups(display)) < 40
