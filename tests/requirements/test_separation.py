"""Who is kept apart at a freeze, a listing, a void, an override and a baseline, and what stays undecided."""

from typing import Any

import pytest

from medgauge_registrar.model.decision import EvidenceState, RowState
from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.model.pull import Review
from medgauge_registrar.requirements.separation_freeze import reference_verdict
from medgauge_registrar.sandbox.edits import append, copy, put, swap
from medgauge_registrar.sandbox.material import (
    APART,
    FIRST_FROZEN,
    FREEZE,
    OVERRIDE,
    PACKAGE_ONLY,
    REFERENCE,
    RESULT,
    TODAY,
    VOIDED,
)
from support.governance import AUTHORS, ids, judged, ledger, roster_with, state
from support.snapshots import commit, person, pull, review

SATISFIED, MISSING = EvidenceState.SATISFIED, EvidenceState.MISSING
FAILED, UNDECIDED = EvidenceState.FAILED, EvidenceState.UNDECIDED
VERSION = "bm-example-handover@0.3.0"
ACCEPTOR, MAINTAINER = review("acceptor", number=1), review("maintainer", number=2)
SIGNED = (review("acceptor", number=1, body=PACKAGE_ONLY), review("maintainer", number=2, body=APART))
RULES = ("ROLE-01", "ROLE-02", "ROLE-03", "ROLE-06", "ROLE-07", "ROLE-18")
MODEL_FILE = "registry/models/Example%20Model%201.yaml"


def frozen(*reviews: Review, **fields: Any) -> Any:
    return judged("M3", *FREEZE, request=pull(*reviews), **fields)


# Freezes --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", [pytest.param(rule, marks=pytest.mark.rule(rule, "passes")) for rule in RULES])
def test_ledger_or_attestation(rule: str) -> None:
    """Either of the two is enough by itself, and both together are."""
    assert state(frozen(ACCEPTOR, MAINTAINER, ledger=ledger()), rule) is SATISFIED
    assert state(frozen(*SIGNED), rule) is SATISFIED
    assert state(frozen(*SIGNED, ledger=ledger()), rule) is SATISFIED


@pytest.mark.parametrize("rule", RULES)
def test_neither_ledger_nor_attestation(rule: str) -> None:
    """What nobody knows is undecided, and while a seat is open the answer is missing."""
    assert state(frozen(ACCEPTOR, MAINTAINER), rule) is UNDECIDED
    assert state(frozen(), rule) is MISSING
    astray = review("maintainer", number=2, body=APART.replace("5b1e", "6b1e"))
    assert state(frozen(SIGNED[0], astray), "ROLE-01") is UNDECIDED


@pytest.mark.parametrize(
    ("rule", "facts", "people"),
    [
        pytest.param(
            "ROLE-01", {"key_experts": ["first expert", "builder"]}, {}, marks=pytest.mark.rule("ROLE-01", "fails")
        ),
        pytest.param("ROLE-01", {"acceptors": ["builder"]}, {}),
        pytest.param("ROLE-01", {"acceptors": ["first expert"]}, {}),
        pytest.param("ROLE-07", {"key_experts": ["first expert"]}, {}, marks=pytest.mark.rule("ROLE-07", "fails")),
        pytest.param("ROLE-07", {}, {"second_expert": {"institution": "EXAMPLE hospital"}}),
        pytest.param("ROLE-18", {"builders": ["vendor"]}, {}, marks=pytest.mark.rule("ROLE-18", "fails")),
    ],
)
def test_what_the_ledger_contradicts(rule: str, facts: dict[str, list[str]], people: dict[str, Any]) -> None:
    """No attestation lifts it, and no seat is left open for want of it."""
    known = {name: ids(*names) for name, names in facts.items()}
    row = frozen(*SIGNED, ledger=ledger(VERSION, **known), roster=roster_with(**people))
    assert state(row, rule) is FAILED
    assert row.state is RowState.BLOCKED
    assert {seat.state for seat in row.seats} == {"filled"}


@pytest.mark.rule("ROLE-06", "fails")
@pytest.mark.parametrize(
    "facts", [{"builders": ["builder", "second acceptor"]}, {"key_experts": ["first expert", "second acceptor"]}]
)
def test_whoever_took_part_accepts_nothing(facts: dict[str, list[str]]) -> None:
    """Even with another package in the ledger, builders and key experts leave the acceptor's seat open."""
    known = {name: ids(*names) for name, names in facts.items()}
    own = review("second acceptor", number=1, body=PACKAGE_ONLY)
    row = frozen(own, SIGNED[1], ledger=ledger(VERSION, **known))
    assert (state(row, "ROLE-06"), row.seats[0].state) == (MISSING, "open")
    row = frozen(own, SIGNED[1], ledger=ledger(VERSION, package_sha256="ab" * 32, **known))
    assert row.seats[0].state == "open"


@pytest.mark.parametrize(
    ("parties", "subjects", "expected"),
    [
        ([], {}, SATISFIED),
        (["Another Party"], None, SATISFIED),
        (["Another Party"], {}, UNDECIDED),
        pytest.param(["EXAMPLE vendor"], {}, FAILED, marks=pytest.mark.rule("ROLE-03", "fails")),
        (["Example Initiative"], None, FAILED),
    ],
)
def test_parties_of_holdout_tasks(parties: list[str], subjects: Any, expected: EvidenceState) -> None:
    """The vendor of a measured model is public; whose the harness is only the ledger knows."""
    facts = ledger(VERSION, holdout_parties=parties)
    if subjects is not None:
        facts = Ledger(benchmark_versions=facts.benchmark_versions, tested_by_builders=facts.tested_by_builders)
    assert state(frozen(ACCEPTOR, MAINTAINER, ledger=facts), "ROLE-03") is expected
    # What the ledger leaves open the maintainer may attest; what it contradicts not.
    lifted = SATISFIED if expected is UNDECIDED else expected
    assert state(frozen(*SIGNED, ledger=facts), "ROLE-03") is lifted


def test_a_harness_of_the_ledger_is_measured_too() -> None:
    """Parties of harnesses count as those of models do, in whatever case they are written."""
    mine = {
        "Example Model 1": {"submitters": [], "party": "A"},
        "hx-example-loop@0.1.0": {"submitters": [], "party": "B"},
    }
    facts = ledger(VERSION, holdout_parties=["b"])
    both = ledger(subjects=mine)
    joined = Ledger(benchmark_versions=facts.benchmark_versions, subjects=both.subjects)
    assert state(frozen(*SIGNED, ledger=joined), "ROLE-03") is FAILED


def test_institutions_that_are_not_known() -> None:
    """Two experts of unknown institutions may work at one; the maintainer attests what roster and ledger do not show."""
    people = roster_with(second_expert={"institution": None})
    assert state(frozen(ACCEPTOR, MAINTAINER, ledger=ledger(), roster=people), "ROLE-07") is UNDECIDED
    assert state(frozen(*SIGNED, ledger=ledger(), roster=people), "ROLE-07") is SATISFIED
    nobody = ledger(VERSION, key_experts=[])
    assert state(frozen(ACCEPTOR, MAINTAINER, ledger=nobody), "ROLE-07") is UNDECIDED


@pytest.mark.parametrize(
    ("person_fields", "subjects"),
    [
        ({}, {"submitters": ["maintainer"]}),
        ({"maintainer": {"parties": ["example VENDOR"]}}, {}),
        ({"acceptor": {"parties": ["Example Vendor"]}}, {}),
    ],
)
def test_applicants_and_measured_parties_do_not_decide(person_fields: Any, subjects: Any) -> None:
    """Whoever submitted a subject of the family, or belongs to its party, fills no seat; another person does."""
    names = subjects.get("submitters", ["vendor"])
    mine = {
        "Example Model 1": {"submitters": ids(*names), "party": "Example Vendor"},
        "hx-example-loop@0.1.0": {"submitters": [], "party": "Example Initiative"},
    }
    people = roster_with(**person_fields)
    row = frozen(ACCEPTOR, MAINTAINER, ledger=ledger(subjects=mine), roster=people)
    assert {seat.state for seat in row.seats} == {"open", "filled"}
    assert state(row, "ROLE-18") is MISSING
    more = (review("second maintainer", number=3), review("third maintainer", number=4))
    row = frozen(ACCEPTOR, MAINTAINER, *more, ledger=ledger(subjects=mine), roster=people)
    assert (state(row, "ROLE-18"), {seat.state for seat in row.seats}) == (SATISFIED, {"filled"})


def test_a_planned_subject_counts_before_its_result() -> None:
    """Protocols of rounds name applicants, too; a record that cannot be read leaves unknown who they are."""
    gone = [put(RESULT, "{")]
    assert (
        state(judged("M3", *FREEZE, *gone, request=pull(ACCEPTOR, MAINTAINER), ledger=ledger()), "ROLE-18") is UNDECIDED
    )
    builder = ledger(VERSION, builders=ids("vendor"))
    assert state(judged("M3", *FREEZE, *gone, request=pull(*SIGNED), ledger=builder), "ROLE-18") is FAILED


ONE, TWO = person("author of references"), person("contributor")


@pytest.mark.parametrize(
    ("authors", "tested_by", "builders", "expected"),
    [
        ((ONE,), None, None, None),
        ((ONE,), {5}, None, True),
        ((ONE, None), {5}, None, None),
        ((ONE, None), set(), None, True),
        ((), {5}, None, None),
        ((), set(), None, True),
        ((ONE, None), {ONE.id}, None, False),
        ((ONE,), {ONE.id}, {5}, False),
        ((ONE,), None, {5}, True),
        ((ONE,), None, {ONE.id}, None),
        ((ONE, None), None, {5}, None),
        ((ONE, None), {5}, {6}, True),
        ((ONE, TWO), {TWO.id}, set(), False),
    ],
)
def test_authors_and_builders(authors: Any, tested_by: Any, builders: Any, expected: bool | None) -> None:
    """An author among those who test the reference is a breach; among the other builders it cannot be told."""
    assert (
        reference_verdict(
            authors,
            None if tested_by is None else frozenset(tested_by),
            None if builders is None else frozenset(builders),
        )
        is expected
    )


# Listings -------------------------------------------------------------------------------------------------------------

UNLISTED = "registry/lifecycle/gr/gr-example-dose@0.1.0.yaml"
BEFORE = (swap(UNLISTED, "listing: listed", "listing: unlisted"),)
LIST = (swap(UNLISTED, "listing: unlisted", "listing: listed"),)
ENGINEER, REVIEWER = review("reference engineer", number=1), review("reviewer", number=2)
BOTH = (
    "/attest separation bm-example-handover@0.1.0 2f46ce0b9a7687bd4a2dbe01ef2d898456dd68b8be367191431d65a413fc15ed\n"
    "/attest separation bm-example-handover@0.2.0 0ff4484dc346164693bfec6d05e1f93a042910af87baa21cd10d4739acc7e9e2"
)


def listed(*reviews: Review, **fields: Any) -> Any:
    return judged("M2", *LIST, base=BEFORE, request=pull(*reviews), **fields)


@pytest.mark.rule("ROLE-11", "passes")
@pytest.mark.rule("ROLE-02", "passes")
def test_a_listing_by_people_who_wrote_none_of_it() -> None:
    """With a known history and a ledger all is satisfied."""
    row = listed(ENGINEER, REVIEWER, ledger=ledger())
    assert (state(row, "ROLE-11"), state(row, "ROLE-02"), row.seats[0].state) == (SATISFIED, SATISFIED, "filled")


@pytest.mark.rule("ROLE-11", "fails")
def test_an_author_of_any_version_vouches_for_none() -> None:
    """The author's approval fills neither seat, in whatever role."""
    author = review("author of references", number=1)
    row = listed(author, REVIEWER, ledger=ledger())
    assert (state(row, "ROLE-11"), row.seats[0].state) == (MISSING, "open")
    wrote = {"gr-example-dose": (person("author of references"), person("reviewer"))}
    row = listed(ENGINEER, REVIEWER, ledger=ledger(), reference_authors=wrote)
    assert [seat.state for seat in row.seats] == ["filled", "open"]
    row = listed(ENGINEER, REVIEWER, review("acceptor", number=3), ledger=ledger(), reference_authors=wrote)
    assert state(row, "ROLE-11") is SATISFIED


@pytest.mark.parametrize("authors", [{}, {"gr-example-dose": (None,)}, {"gr-example-dose": (ONE, None)}])
def test_a_history_with_unknown_people(authors: Any) -> None:
    """An author nobody can name might be the one who approves."""
    assert state(listed(ENGINEER, REVIEWER, ledger=ledger(), reference_authors=authors), "ROLE-11") is UNDECIDED


@pytest.mark.rule("ROLE-02", "fails")
def test_an_author_who_tests_the_own_reference() -> None:
    """The ledger's word blocks, whatever anybody attests."""
    facts = ledger(references={"gr-example-dose": {"tested_by_builders": ids("author of references")}})
    for reviewer in (REVIEWER, review("maintainer", number=2, body=BOTH)):
        row = listed(ENGINEER, reviewer, ledger=facts)
        assert (state(row, "ROLE-02"), row.state) == (FAILED, RowState.BLOCKED)


@pytest.mark.parametrize(
    ("reviewer", "expected"),
    [
        (REVIEWER, UNDECIDED),
        (review("maintainer", number=2), UNDECIDED),
        (review("maintainer", number=2, body=BOTH), SATISFIED),
        (review("maintainer", number=2, body=BOTH.partition("\n")[0]), UNDECIDED),
        (review("acceptor", number=2, body=BOTH), UNDECIDED),
        (review("reviewer", number=2, body=BOTH), UNDECIDED),
    ],
)
def test_a_listing_without_a_ledger(reviewer: Review, expected: EvidenceState) -> None:
    """Only a maintainer in the reviewer's seat attests, and for every frozen version that names the reference."""
    assert state(listed(ENGINEER, reviewer), "ROLE-02") is expected


def test_two_references_at_once() -> None:
    """An author of either vouches for neither."""
    unit = "registry/lifecycle/gr/gr-example-unit@0.1.0.yaml"
    more = (
        swap(unit, "listing: unlisted", "listing: listed"),
        swap(unit, "check_date: null", "check_date: 2026-11-20"),
        swap(unit, "conformant_alternative: null", "conformant_alternative: {record_ref: x, date: 2026-11-20}"),
    )
    wrote = {**AUTHORS, "gr-example-unit": (person("reviewer"),)}
    row = judged(
        "M2", *LIST, *more, base=BEFORE, request=pull(ENGINEER, REVIEWER), ledger=ledger(), reference_authors=wrote
    )
    assert [seat.state for seat in row.seats] == ["filled", "open"]


@pytest.mark.parametrize(
    ("builders", "expected"),
    [
        (["contributor"], FAILED),
        (["data steward"], FAILED),
        (["builder"], SATISFIED),
        (["acceptor"], SATISFIED),
        (None, None),
    ],
)
def test_a_reference_that_gains_an_author(builders: list[str] | None, expected: EvidenceState | None) -> None:
    """
    Whoever brings a reference in is asked again, if the ledger knows who tests it; nobody else is held up.

    A co-author is anybody's word, and is asked at the listing and the freeze. While the seat is open nothing is told, not even
    whether there is anything to tell.
    """
    new = copy(REFERENCE, REFERENCE.replace("0.1.0", "0.2.0"), ("version: 0.1.0", "version: 0.2.0"))
    facts = (
        Ledger() if builders is None else ledger(references={"gr-example-unit": {"tested_by_builders": ids(*builders)}})
    )
    fields = {
        "commits": (commit("contributor", "contributor", "acceptor"),),
        "author": person("contributor"),
        "pushed_by": person("data steward"),
    }
    row = judged("M1", new, request=pull(MAINTAINER, **fields), ledger=facts)
    found = {item.rule: item.state for item in row.separation}
    assert found.get("ROLE-02") is expected
    assert state(judged("M1", new, request=pull(**fields), ledger=facts), "ROLE-02") is MISSING


def test_a_reference_by_somebody_unknown() -> None:
    """Whether somebody whose account is gone builds tasks nobody can tell."""
    new = copy(REFERENCE, REFERENCE.replace("0.1.0", "0.2.0"), ("version: 0.1.0", "version: 0.2.0"))
    facts = ledger(references={"gr-example-unit": {"tested_by_builders": ids("builder")}})
    row = judged("M1", new, request=pull(MAINTAINER, author=None), ledger=facts)
    assert state(row, "ROLE-02") is UNDECIDED


# Voids, overrides, baselines ------------------------------------------------------------------------------------------

VOID = append(
    VOIDED,
    "  - task_key: tk-vlsi47wqal9v@0.1.0\n    attribution: task\n    reason_class: key-error\n"
    f"    date: {TODAY}\n    replaced_in: null\n",
)
FIRST_PACKAGE = BOTH.partition("\n")[0]


@pytest.mark.parametrize(
    ("reviews", "facts", "expected"),
    [
        (("results reviewer", "maintainer"), None, UNDECIDED),
        (("results reviewer", "maintainer"), {}, SATISFIED),
        pytest.param(
            ("results reviewer", "maintainer"),
            {"Example Model 1": ["maintainer"]},
            MISSING,
            marks=pytest.mark.rule("ROLE-18", "fails"),
        ),
        (("results reviewer", "maintainer"), {"Example Model 1": ["results reviewer"]}, MISSING),
        (("results reviewer", "maintainer", "second maintainer"), {"Example Model 1": ["maintainer"]}, SATISFIED),
    ],
)
def test_applicants_do_not_void(reviews: tuple[str, ...], facts: Any, expected: EvidenceState) -> None:
    """Who applied decides on no void of the family; without the ledger it stays unknown."""
    subjects = {
        name: {"submitters": ids(*(facts or {}).get(name, ())), "party": "Example Initiative"}
        for name in ("Example Model 1", "hx-example-loop@0.1.0")
    }
    given = [review(name, number=index) for index, name in enumerate(reviews, start=1)]
    known = Ledger() if facts is None else ledger(subjects=subjects)
    assert state(judged("M14", VOID, request=pull(*given), ledger=known), "ROLE-18") is expected


def test_a_maintainer_attests_for_a_void() -> None:
    """Where the ledger does not know, the seated maintainer says so for the version concerned."""
    for body, expected in ((FIRST_PACKAGE, SATISFIED), (APART, UNDECIDED)):
        given = (review("results reviewer", number=1), review("maintainer", number=2, body=body))
        assert state(judged("M14", VOID, request=pull(*given)), "ROLE-18") is expected


@pytest.mark.parametrize(
    ("parties", "facts", "expected"),
    [
        pytest.param([], ledger(), SATISFIED, marks=pytest.mark.rule("ROLE-22", "passes")),
        pytest.param(["example vendor"], ledger(), MISSING, marks=pytest.mark.rule("ROLE-22", "fails")),
        (["another"], ledger(), SATISFIED),
        ([], Ledger(), UNDECIDED),
        (["example vendor"], Ledger(), MISSING),
    ],
)
def test_measured_parties_sign_no_override(parties: list[str], facts: Ledger, expected: EvidenceState) -> None:
    """A maintainer of the vendor's party leaves the seat open; whose the harness is the ledger knows."""
    given = pull(review("maintainer", number=1), review("second maintainer", number=2))
    people = roster_with(maintainer={"parties": parties})
    assert state(judged("M15", OVERRIDE, request=given, ledger=facts, roster=people), "ROLE-22") is expected


BASELINE = swap(
    FIRST_FROZEN,
    "expert_baseline: null",
    "expert_baseline: {median_minutes: 24.5, pass_rate: 0.8, experts: 2, measured_on: 2026-11-26, record_ref: x}",
)
FIRST = "bm-example-handover@0.1.0"


def baselined(*reviews: Review, **fields: Any) -> dict[str, EvidenceState]:
    row = judged("M18", BASELINE, request=pull(*reviews), **fields)
    return {rule: state(row, rule) for rule in ("ROLE-08", "ROLE-10")}


@pytest.mark.rule("ROLE-08", "passes")
@pytest.mark.rule("ROLE-10", "passes")
def test_a_baseline_that_the_acceptor_confirms() -> None:
    """The seated acceptor's attestation for the version and its package is enough; so is a ledger that knows it all."""
    both = {"ROLE-08": SATISFIED, "ROLE-10": SATISFIED}
    assert baselined(MAINTAINER, review("acceptor", number=3, body=FIRST_PACKAGE)) == both
    knows = ledger(FIRST, baseline_experts=ids("contributor", "newcomer"))
    assert baselined(MAINTAINER, ACCEPTOR, ledger=knows) == both


@pytest.mark.parametrize(
    ("reviews", "facts", "expected"),
    [
        pytest.param(
            (MAINTAINER, ACCEPTOR), Ledger(), (UNDECIDED, UNDECIDED),
            marks=[pytest.mark.rule("ROLE-08", "fails"), pytest.mark.rule("ROLE-10", "fails")],
        ),
        ((MAINTAINER,), Ledger(), (MISSING, MISSING)),
        ((MAINTAINER, review("acceptor", number=3, body=BOTH.partition("\n")[2])), Ledger(), (UNDECIDED, UNDECIDED)),
        ((review("maintainer", number=2, body=FIRST_PACKAGE), ACCEPTOR), Ledger(), (UNDECIDED, UNDECIDED)),
        ((MAINTAINER, ACCEPTOR), ledger(), (UNDECIDED, SATISFIED)),
        ((MAINTAINER, ACCEPTOR), ledger(FIRST, baseline_experts=ids("builder", "newcomer")), (FAILED, SATISFIED)),
        ((MAINTAINER, ACCEPTOR), ledger(FIRST, baseline_experts=ids("first expert")), (FAILED, SATISFIED)),
        (
            (MAINTAINER, review("acceptor", number=3, body=FIRST_PACKAGE)),
            ledger(FIRST, builders=ids("acceptor"), acceptors=[]), (MISSING, MISSING),
        ),
    ],
)  # fmt: skip
def test_a_baseline_that_nobody_confirms(reviews: Any, facts: Ledger, expected: Any) -> None:
    """Others than the seated acceptor, or for another version, confirm nothing; the ledger's word goes first."""
    found = baselined(*reviews, ledger=facts)
    assert (found["ROLE-08"], found["ROLE-10"]) == expected


def test_a_model_without_a_vendor_leaves_the_party_unknown() -> None:
    """A model record that cannot be read names no vendor."""
    facts = Ledger(benchmark_versions=ledger(VERSION, holdout_parties=["Another"]).benchmark_versions)
    row = judged("M3", *FREEZE, put(MODEL_FILE, "["), request=pull(ACCEPTOR, MAINTAINER), ledger=facts)
    assert state(row, "ROLE-03") is UNDECIDED
