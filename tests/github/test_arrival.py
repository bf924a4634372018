"""Since when the head is the head: by the server's lists alone, and unknown rather than too early."""

from datetime import datetime
from typing import Any

import pytest

from medgauge_registrar.github.arrival import Arrival, Move, arrival_of
from support.snapshots import at

A, B, C = "a" * 40, "b" * 40, "c" * 40
SOMEBODY = {"id": 9001, "login": "example-person-01", "type": "User"}
OPENED = at(0)
NOTHING = "0" * 40


def move(before: str, after: str, minute: float) -> Move:
    return Move(before=before, after=after, at=at(minute), by=SOMEBODY)


def arrival(**facts: Any) -> Arrival:
    usual: dict[str, Any] = {"moves": (), "forced": (), "told": (), "opened": OPENED, "floor": OPENED}
    return arrival_of(A, **{**usual, **facts})


def times(found: Arrival) -> tuple[datetime | None, list[str]]:
    return found.at, [sha for sha, _ in found.earlier]


def test_the_last_move_tells_when_and_who() -> None:
    """With the heads before it, as long as one followed the other."""
    found = arrival(moves=(move(B, A, 30), move(C, B, 20), move("0" * 40, C, 10)))
    assert times(found) == (at(30), [B, C])
    assert found.by == SOMEBODY


def test_a_head_that_came_back_arrived_when_it_came_back() -> None:
    """What was approved in between was approved on another head, and GitHub may have moved the review (A2)."""
    assert arrival(moves=(move(B, A, 30), move(A, B, 20), move(C, A, 10))).at == at(30)


def test_a_list_that_lags_behind_says_nothing() -> None:
    """Its last move led to another head, so an older arrival must not be taken for the last."""
    assert arrival(moves=(move(A, B, 20), move(C, A, 10))) == Arrival()


def test_a_gap_ends_what_is_known_of_earlier_heads() -> None:
    """A head may have stood in it."""
    assert times(arrival(moves=(move(B, A, 30), move(C, C, 20)))) == (at(30), [])


def test_nothing_arrived_before_the_pull_request_was_opened_or_retargeted() -> None:
    """Approvals were given against the old base (A16)."""
    assert times(arrival(moves=(move(B, A, -30), move(C, B, -60)))) == (OPENED, [])
    found = arrival(moves=(move(B, A, 30), move(C, B, -10)), floor=at(20))
    assert found.earlier == ((B, at(20)),)
    assert arrival(forced=(move("", A, 5),), floor=at(20)).at == at(20)


def test_a_forced_push_in_the_timeline_is_next_best() -> None:
    """If it led to the present head."""
    assert times(arrival(forced=(move("", A, 40), move("", B, 20)))) == (at(40), [])
    assert arrival(forced=(move("", B, 40),)) == Arrival()


def test_our_own_status_is_the_last_resort_and_names_nobody() -> None:
    """The earliest since the last forced push; before that, the head may have been away in between."""
    assert arrival(told=[at(50), at(45)]) == Arrival(at=at(45))
    assert arrival(told=[at(30)], forced=(move("", B, 40),)) == Arrival()
    assert arrival(told=[at(50), at(30)], forced=(move("", B, 40),)).at == at(50)


def test_otherwise_it_is_unknown() -> None:
    """Which keeps no approval."""
    assert arrival() == Arrival()


@pytest.mark.parametrize(
    ("moves", "cut_off", "known"),
    [
        ((move(B, A, 30), move(C, B, 20), move(NOTHING, C, -10)), False, 3),
        ((move(B, A, 30), move(C, B, 20), move(NOTHING, C, -10)), True, 3),
        ((move(B, A, 30), move(NOTHING, B, -10), move(C, NOTHING, -60), move(B, C, -70)), True, 2),
        ((move(NOTHING, A, 30), move(B, NOTHING, 20), move(NOTHING, B, -10)), True, 3),
        ((move(NOTHING, A, 30), move(C, B, -10)), False, None),
        ((move(NOTHING, A, 30),), False, None),
        ((move(NOTHING, A, 30),), True, None),
        ((move(B, A, 30), move(C, B, -10)), False, 2),
        ((move(B, A, 30), move(C, B, -10)), True, None),
        ((move(B, A, 30), move(C, B, 20)), False, None),
        ((move(B, A, 30), move(B, C, 20), move(NOTHING, B, -10)), False, None),
        ((move(B, A, 30), Move(before=NOTHING, after=B, at=at(-10), by=None)), False, None),
    ],
    ids=[
        "made before the opening", "made on a full page", "an earlier life", "made again since", "made again, and not how",
        "made again, its past untold", "made again on a full page", "listed to its end", "a full page", "begins after the opening",
        "a gap", "a mover who is gone",
    ],
)  # fmt: skip
def test_every_move_is_known_or_none_is(moves: tuple[Move, ...], cut_off: bool, known: int | None) -> None:
    """Back to the making of the branch: what was pushed before the opening is a part of the pull request as well."""
    found = arrival(moves=moves, cut_off=cut_off)
    assert found.moves == (None if known is None else moves[:known])


def test_without_the_list_no_move_is_known() -> None:
    """A forced push tells of itself alone, and a status of ours of nobody."""
    assert arrival(forced=(move("", A, 40),)).moves is None
    assert arrival(told=[at(50)]).moves is None
