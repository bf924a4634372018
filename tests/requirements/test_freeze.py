"""Gates 1 to 11 of a freeze, the package they belong to, and the order of their days."""

from typing import Any

import pytest

from medgauge_registrar.model.decision import EvidenceState
from medgauge_registrar.requirements.freeze import GATES
from medgauge_registrar.sandbox.edits import Edit, put, swap
from medgauge_registrar.sandbox.material import APART, CARD, DRAFT, FREEZE, PACKAGE_ONLY, RESULT
from support.cases import fails, passes
from support.governance import ids, judged, ledger, message, state
from support.snapshots import edited, pull, review

SATISFIED, MISSING = EvidenceState.SATISFIED, EvidenceState.MISSING
FAILED, UNDECIDED = EvidenceState.FAILED, EvidenceState.UNDECIDED
LEVELS = "methodology/level-rules/0.1.0.yaml"
SIGNED = (review("acceptor", number=1, body=PACKAGE_ONLY), review("maintainer", number=2, body=APART))
PLAIN = (review("acceptor", number=1), review("maintainer", number=2))
VERSION = "bm-example-handover@0.3.0"


def gate(number: int, day: str) -> Edit:
    """Another day for one gate of the version that freezes."""
    return swap(
        DRAFT, f"record_ref: example-gate-{number:02}-c, date: {_days()[number]}", f"record_ref: x, date: {day}"
    )


def _days() -> dict[int, str]:
    text = edited(*FREEZE).files[DRAFT].decode()
    return {n: text.split(f"example-gate-{n:02}-c, date: ")[1][:10] for n in range(1, 11)}


def frozen(*more: Edit, reviews: Any = SIGNED, **fields: Any) -> Any:
    return judged("M3", *FREEZE, *more, request=pull(*reviews), **fields)


@pytest.fixture(scope="module")
def attested() -> Any:
    """A freeze whose acceptor and maintainer attest."""
    return frozen()


@pytest.mark.parametrize("rule", [passes(rule, "a freeze as it ought to be", rule) for rule in GATES])
def test_gate_is_satisfied(attested: Any, rule: str) -> None:
    """With all records there, days in order, and people who attest, every gate is satisfied."""
    assert state(attested, rule) is SATISFIED


@pytest.mark.parametrize(
    ("rule", "edit", "words"),
    [
        *(
            fails(f"GATE-{number:02}", "recorded after the freeze", gate(number, "2026-11-30"), "after the freeze")
            for number in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
        ),
        fails("GATE-05", "a function that is not published", swap(DRAFT, "difficulty-function@0.1.0", "difficulty-function@0.9.0"),
              "not published"),
        fails("GATE-05", "holdout tasks below the entry class", swap(CARD, "holdout_entry_class: 2", "holdout_entry_class: 3"),
              "SCHEMA-BM-04"),
        fails("GATE-07", "a reference nobody registered", swap(DRAFT, "gr-example-dose@0.1.0", "gr-example-dose@0.9.0"),
              "not registered"),
        fails("GATE-07", "a clause nobody checked", swap(DRAFT, "gr-example-dose@0.1.0", "gr-example-unit@0.1.0"),
              "SCHEMA-GR-08"),
        fails("GATE-11", "deferred although a threshold is set",
              swap(LEVELS, "rule: The calibration subset is passed., threshold: null",
                   "rule: The calibration subset is passed., threshold: 0.9"), "threshold is set for `L1`"),
        fails("GATE-11", "recorded after the freeze",
              swap(DRAFT, '"11": deferred', '"11": {record_ref: x, date: 2026-11-30, outcome: passed}'), "after the freeze"),
        fails("GATE-13", "accepted before the last gate", swap(DRAFT, "date: 2026-11-28}", "date: 2026-11-17}"),
              "gate 9 was recorded on `2026-11-18`, after the acceptance"),
        fails("GATE-13", "accepted after the freeze", swap(DRAFT, "date: 2026-11-28}", "date: 2026-11-30}"),
              "after the freeze"),
        fails("GATE-13", "a freeze that lies ahead", swap(DRAFT, "frozen_on: 2026-11-29", "frozen_on: 2026-12-24"),
              "begun nowhere"),
    ],
)  # fmt: skip
def test_gate_fails(rule: str, edit: Edit, words: str) -> None:
    """What contradicts a gate is told in words, and blocks."""
    row = frozen(edit)
    assert state(row, rule) is FAILED
    assert words in message(row, rule)


@pytest.mark.parametrize("number", range(1, 11))
def test_a_gate_of_the_day_of_the_freeze(number: int) -> None:
    """A day does not say what came first on it, so nothing is refused for that."""
    row = frozen(gate(number, "2026-11-29"), swap(DRAFT, "date: 2026-11-28}", "date: 2026-11-29}"))
    assert {state(row, f"GATE-{number:02}"), state(row, "GATE-13")} == {SATISFIED}


def test_prediction_after_a_run() -> None:
    """Results that are there already are asked when they began (GATE-04)."""
    result = edited().files[RESULT].decode().replace("0-2-0", "0-3-0").replace("@0.2.0", "@0.3.0")
    path = RESULT.replace("0.2.0", "0.3.0").replace("0-2-0", "0-3-0")
    assert state(frozen(put(path, result)), "GATE-04") is SATISFIED
    early = result.replace('"first_run_at": "2026-11-23', '"first_run_at": "2026-11-17')
    row = frozen(put(path, early))
    assert state(row, "GATE-04") is FAILED
    assert "not before the first run" in message(row, "GATE-04")
    assert state(frozen(put(path, "{")), "GATE-04") is UNDECIDED


def test_card_without_a_basis() -> None:
    """Gate 8 rests on the card, too; one that cannot be read shows nothing."""
    assert state(frozen(swap(CARD, "id: bm-example-handover\n", "id: [\n")), "GATE-08") is UNDECIDED


def test_level_rules_that_cannot_be_read() -> None:
    """Whether a threshold is set is then not known, so nothing may be deferred."""
    assert state(frozen(swap(LEVELS, "levels:", "levels: [")), "GATE-11") is UNDECIDED


@pytest.mark.parametrize(
    ("reviews", "expected"),
    [
        ((), {"GATE-06": MISSING, "GATE-09": MISSING, "GATE-12": MISSING}),
        (PLAIN, {"GATE-06": UNDECIDED, "GATE-09": UNDECIDED, "GATE-12": UNDECIDED}),
        ((SIGNED[0], PLAIN[1]), {"GATE-06": SATISFIED, "GATE-09": UNDECIDED, "GATE-12": SATISFIED}),
        ((PLAIN[0], SIGNED[1]), {"GATE-06": UNDECIDED, "GATE-09": SATISFIED, "GATE-12": UNDECIDED}),
        ((SIGNED[0],), {"GATE-06": MISSING, "GATE-09": MISSING, "GATE-12": MISSING}),
        ((SIGNED[1],), {"GATE-06": MISSING, "GATE-09": MISSING, "GATE-12": MISSING}),
    ],
)
def test_gates_that_rest_on_people(reviews: Any, expected: dict[str, EvidenceState]) -> None:
    """
    Without a ledger the seated acceptor signs for gates 6 and 12, and the seated maintainer for gate 9.

    Whether it takes their word the ledger decides, so that is told to nobody before both have approved.
    """
    row = frozen(reviews=reviews)
    assert {rule: state(row, rule) for rule in expected} == expected


def test_an_attestation_for_another_package_is_pointed_out() -> None:
    """It attests nothing here, and the reason is given without saying whose it was."""
    other = review("acceptor", number=1, body=f"/attest package-only {VERSION} {'0' * 64}")
    row = frozen(reviews=(other, SIGNED[1]))
    assert state(row, "GATE-12") is UNDECIDED
    assert message(row, "GATE-12").endswith("an attestation names another package than the version file")


def test_an_attestation_for_another_version_is_none_of_this() -> None:
    """It may be meant for another pull request, so nothing is said of it."""
    other = review("acceptor", number=1, body=f"/attest package-only bm-example-other@0.3.0 {'0' * 64}")
    row = frozen(reviews=(other, SIGNED[1]))
    assert state(row, "GATE-12") is UNDECIDED
    assert "another package" not in message(row, "GATE-12")


@pytest.mark.parametrize("reviews", [PLAIN, SIGNED])
def test_gates_that_rest_on_the_ledger(reviews: Any) -> None:
    """What the ledger knows nobody has to attest; what it contradicts no attestation mends."""
    known = frozen(reviews=reviews, ledger=ledger())
    assert {state(known, rule) for rule in ("GATE-06", "GATE-09", "GATE-12")} == {SATISFIED}
    other = frozen(reviews=reviews, ledger=ledger(VERSION, package_sha256="ab" * 32))
    assert state(other, "GATE-12") is FAILED


@pytest.mark.rule("GATE-12", "fails")
@pytest.mark.rule("GATE-09", "fails")
@pytest.mark.rule("GATE-06", "fails")
def test_contradictions_of_the_ledger_give_away_one_bit() -> None:
    """The words for a contradiction are the same whatever stands in the ledger."""
    told = set()
    for facts in (
        {"builders": ["builder", "first expert"]},
        {"builders": ["second expert"]},
        {"acceptors": ["builder"]},
    ):
        row = frozen(ledger=ledger(VERSION, **{name: ids(*people) for name, people in facts.items()}))
        assert state(row, "GATE-09") is FAILED
        told.add(message(row, "GATE-09"))
    assert len(told) == 1
    row = frozen(ledger=ledger(VERSION, package_sha256="cd" * 32))
    assert (state(row, "GATE-12"), "cd" in message(row, "GATE-12")) == (FAILED, False)
    builder = frozen(reviews=(review("second acceptor", number=1, body=PACKAGE_ONLY), SIGNED[1]),
                     ledger=ledger(VERSION, builders=ids("second acceptor")))  # fmt: skip
    assert state(builder, "GATE-06") is MISSING


def test_two_versions_at_once() -> None:
    """Each version is asked; the worst answer counts and names its version."""
    other = DRAFT.replace("0.3.0", "0.4.0")
    text = edited(*FREEZE, gate(2, "2026-11-30")).files[DRAFT].decode()
    second = text.replace("\nversion: 0.3.0", "\nversion: 0.4.0")
    row = frozen(put(other, second))
    assert state(row, "GATE-02") is FAILED
    assert message(row, "GATE-02").startswith("`bm-example-handover@0.4.0`: gate 2")
    assert state(row, "GATE-12") is UNDECIDED


def test_a_version_that_breaks_its_schema_shows_nothing() -> None:
    """Nothing is satisfied by a record that cannot be judged."""
    row = frozen(swap(DRAFT, "frozen_on: 2026-11-29", "frozen_on: soon"))
    assert {state(row, rule) for rule in GATES} == {UNDECIDED}
