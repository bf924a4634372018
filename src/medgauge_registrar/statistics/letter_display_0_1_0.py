"""`letter-display@0.1.0`: compact letters, so that two rows share one exactly if they do not differ."""

from collections.abc import Iterable


def letters(count: int, different: Iterable[tuple[int, int]]) -> tuple[tuple[str, ...], ...]:
    """
    Give every row its letters.

    Two rows share a letter exactly if they are not different. Every letter stands at every row that may carry it
    (no row could be added), and no letter could be dropped.

    Args:
        count: Number of rows; their indices are their places.
        different: Pairs of rows that differ significantly.

    Returns:
        For each row its letters, in alphabetical order of first appearance (`a` … `z`, `aa`, `ab`, …).
    """
    alike = [(1 << count) - 1] * count
    for i, j in different:
        alike[i] &= ~(1 << j)
        alike[j] &= ~(1 << i)
    groups = sorted(_without_redundant(_covering(alike)), key=_members)
    return tuple(
        tuple(_name(number) for number, group in enumerate(groups) if group >> row & 1) for row in range(count)
    )


def _covering(alike: list[int]) -> list[int]:
    """Collect maximal groups, as sets of bits, until every pair of alike rows is in one; rows taken in order."""
    groups: list[int] = []
    covered = [0] * len(alike)
    for row, peers in enumerate(alike):
        for peer in range(row, len(alike)):
            if peers >> peer & 1 and not covered[row] >> peer & 1:
                group = _grown(row, peer, alike, covered)
                groups.append(group)
                for member in _members(group):
                    covered[member] |= group
    return groups


def _grown(row: int, peer: int, alike: list[int], covered: list[int]) -> int:
    """
    Extend a pair to a maximal group.

    Of the rows that are alike to all rows already in, the one comes next that forms the most pairs with them that no
    group has yet; of several the first.
    """
    group = 1 << row | 1 << peer
    candidates = alike[row] & alike[peer] & ~group
    while candidates:
        other = max(_members(candidates), key=lambda index: ((group & ~covered[index]).bit_count(), -index))
        group |= 1 << other
        candidates &= alike[other] & ~group
    return group


def _without_redundant(groups: list[int]) -> list[int]:
    """Drop, the latest first, each group whose every pair is also in another one that is kept."""
    kept = list(groups)
    for group in reversed(groups):
        others = [other for other in kept if other != group]
        if all(not group & ~_union(member, others) for member in _members(group)):
            kept = others
    return kept


def _union(member: int, groups: list[int]) -> int:
    """All rows that share one of the groups with a row."""
    together = 0
    for group in groups:
        if group >> member & 1:
            together |= group
    return together


def _members(group: int) -> list[int]:
    """Indices in a set of bits, ascending."""
    return [index for index in range(group.bit_length()) if group >> index & 1]


def _name(number: int) -> str:
    """Letter of a number from 0: `a` … `z`, then `aa` … as columns of a spreadsheet are named."""
    name = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        name = chr(ord("a") + letter) + name
    return name
