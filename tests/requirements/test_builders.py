"""Advice where a builder of a version gives the maintainer's approval of its freeze (ROLE-28)."""

import pytest

from medgauge_registrar.sandbox.edits import append
from medgauge_registrar.sandbox.material import FREEZE
from support.governance import AUTHORS, ids, ledger
from support.snapshots import decided, pull, review

VERSION = "bm-example-handover@0.3.0"
REVIEWS = (review("acceptor", number=1), review("maintainer", number=2))


@pytest.mark.parametrize(
    ("builders", "told"),
    [
        pytest.param(["builder"], 0, marks=pytest.mark.rule("ROLE-28", "passes")),
        pytest.param(["builder", "maintainer"], 1, marks=pytest.mark.rule("ROLE-28", "fails")),
    ],
)
def test_a_builder_had_better_leave_it(builders: list[str], told: int) -> None:
    """It is a notice, and blocks nothing."""
    facts = ledger(VERSION, builders=ids(*builders))
    decision = decided(*FREEZE, request=pull(*REVIEWS), ledger=facts, reference_authors=AUTHORS)
    found = [finding for finding in decision.findings if finding.rule == "ROLE-28"]
    assert [finding.severity for finding in found] == ["notice"] * told
    assert {seat.state for row in decision.rows for seat in row.seats} == {"filled"}


def test_other_rows_are_not_asked() -> None:
    """What a maintainer built plays no part in a readme."""
    facts = ledger(VERSION, builders=ids("maintainer"))
    decision = decided(append("README.md", "\nWords.\n"), request=pull(*REVIEWS), ledger=facts)
    assert decision.findings == ()
