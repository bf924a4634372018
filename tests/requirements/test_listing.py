"""Evidence of a listing: clause checked, alternative passed, used by a frozen version (DEC-04)."""

from typing import Any

import pytest

from medgauge_registrar.model.decision import EvidenceState, RowState
from medgauge_registrar.sandbox.edits import Edit, swap
from medgauge_registrar.sandbox.material import DRAFT, FREEZE, SIDECAR
from support.cases import fails
from support.governance import judged, ledger, message, state
from support.snapshots import pull, review

USED = "registry/lifecycle/gr/gr-example-dose@0.1.0.yaml"
BASE = (swap(USED, "listing: listed", "listing: unlisted"),)
LIST = swap(USED, "listing: unlisted", "listing: listed")
REVIEWS = (review("reference engineer", number=1), review("reviewer", number=2))


def listed(*edits: Edit) -> Any:
    return judged("M2", *edits, base=BASE, request=pull(*REVIEWS), ledger=ledger())


@pytest.mark.rule("DEC-04", "passes")
def test_a_reference_in_use_is_listed() -> None:
    """Two frozen versions name it; check and alternative are on record."""
    assert state(listed(LIST), "DEC-04") is EvidenceState.SATISFIED


@pytest.mark.parametrize(
    ("rule", "edits", "expected", "words"),
    [
        fails("DEC-04", "no frozen version uses it", (swap(SIDECAR, "listing: unlisted", "listing: listed"),), "missing",
              "no frozen benchmark version names `gr-example-dose@0.2.0`"),
        fails("DEC-04", "one of two is not in use", (LIST, swap(SIDECAR, "listing: unlisted", "listing: listed")), "missing",
              "gr-example-dose@0.2.0"),
        fails("DEC-04", "checked on a day to come", (LIST, swap(USED, "check_date: 2026-11-06", "check_date: 2026-12-24")),
              "failed", "clause check of `gr-example-dose@0.1.0` is dated `2026-12-24`"),
        fails("DEC-04", "an alternative of a day to come", (LIST, swap(USED, "date: 2026-11-07", "date: 2026-12-24")), "failed",
              "conformant alternative of `gr-example-dose@0.1.0`"),
        fails("DEC-04", "no alternative at all",
              (LIST, swap(USED, "{record_ref: example-alternative-1, date: 2026-11-07}", "null")), "undecided",
              "breaks its schema"),
    ],
)  # fmt: skip
def test_a_reference_that_cannot_be_listed(rule: str, edits: tuple[Edit, ...], expected: str, words: str) -> None:
    """What is missing only the author can bring, so it blocks; the words say what it is."""
    row = listed(*edits)
    assert (state(row, rule), words in message(row, rule)) == (expected, True)
    assert (row.state is RowState.BLOCKED) == (expected != "undecided")


def test_a_freeze_in_the_same_pull_request_counts() -> None:
    """The version that first uses a reference may freeze together with its listing."""
    use = swap(DRAFT, "gr-example-dose@0.1.0", "gr-example-dose@0.2.0")
    row = listed(*FREEZE, use, swap(SIDECAR, "listing: unlisted", "listing: listed"))
    assert state(row, "DEC-04") is EvidenceState.SATISFIED
    # A version that only drafts its use is none.
    draft = (
        swap(
            DRAFT,
            "frozen: false",
            "frozen: false\nreference_summary: [{grading_reference: gr-example-dose@0.2.0, tasks: 1}]",
        ),
    )
    row = listed(*draft, swap(SIDECAR, "listing: unlisted", "listing: listed"))
    assert state(row, "DEC-04") is EvidenceState.MISSING
