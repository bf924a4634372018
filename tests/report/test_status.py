"""The status description: one line of 140 characters."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge_registrar.model.decision import Decision, Row, RowState, Seat, SeatState, State
from medgauge_registrar.report.status import status_description
from support import decisions


def _waiting(*rows: Row) -> Decision:
    return replace(decisions.approved(), state=State.PENDING, rows=rows)


def _open(*roles: str) -> Row:
    return decisions.row(state=RowState.PENDING, seats=tuple(Seat(role=role, state=SeatState.OPEN) for role in roles))


@pytest.mark.parametrize(
    ("rows", "description"),
    [
        ([_open("maintainer")], "needs 1 maintainer"),
        ([_open("maintainer", "maintainer")], "needs 2 maintainers"),
        ([_open("maintainer"), _open("maintainer")], "needs 1 maintainer"),
        (
            [_open("maintainer"), _open("maintainer", "maintainer"), _open("acceptor")],
            "needs 2 maintainers, 1 acceptor",
        ),
        ([_open("a", "b", "c", "d", "e", "f")], "needs 1 a, 1 b, 1 c, 1 d, 2 more roles"),
    ],
)
def test_open_seats_are_not_added_across_rows(rows: list[Row], description: str) -> None:
    """One approval serves several rows, so the most that any row lacks is what is needed."""
    assert status_description(_waiting(*rows)) == description


@pytest.mark.parametrize(("rows", "description"), [(1, "1 row satisfied"), (3, "all 3 rows satisfied")])
def test_approved(rows: int, description: str) -> None:
    """Nothing is missing, and the number of rows says how much was asked."""
    assert status_description(replace(decisions.approved(), rows=(decisions.row(),) * rows)) == description


def test_reasons_that_do_not_fit_are_counted() -> None:
    """The most urgent ones are named, the others counted."""
    roles = [f"{letter * 30}-role" for letter in "abcd"]
    blocked = decisions.blocked()
    crowded = replace(blocked, rows=(*blocked.rows, _open(*roles)))
    assert (
        status_description(crowded)
        == "4 errors in 2 files; failed: SCHEMA-CAP-03; missing from the author: RFC-02; 1 more"
    )


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=400))
def test_limit_holds(text: str) -> None:
    """Whatever is foreign in it, GitHub accepts the description."""
    for decision in (
        decisions.hostile(text),
        replace(decisions.error(), next_steps=decisions.hostile(text).next_steps),
    ):
        description = status_description(decision)
        assert 0 < len(description) <= 140
        assert len(description.splitlines()) == 1
