"""
What holds of every decision, whoever is in the roster, whatever the ledger says, and in whatever order things were said.

Rosters, relations, reviews, attestations and votes are drawn at random over real changes of the starter registry. Each case is
held against a seating found by trying everybody in every seat, with the rules written down a second time, in their plainest form.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cache
from itertools import permutations
from typing import Any

import pytest

from medgauge_registrar import decide as decide_module
from medgauge_registrar.decide import Snapshot, decide
from medgauge_registrar.inputs import to_ledger
from medgauge_registrar.model.decision import Decision, RowState, SeatState, State
from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.model.pull import Comment, Issue, Pull, Review, ReviewState, User
from medgauge_registrar.model.roster import Person, Role, Roster
from medgauge_registrar.requirements.approvals import seat_rows
from medgauge_registrar.requirements.opinions import collect_opinions
from medgauge_registrar.requirements.rows import ask
from medgauge_registrar.sandbox.edits import Edit, append, swap
from medgauge_registrar.sandbox.material import (
    APART,
    CAPABILITY_REQUEST,
    FIRST_FROZEN,
    FREEZE,
    NEW_CAPABILITY,
    NEW_STANDARD,
    PACKAGE,
    PACKAGE_ONLY,
)
from support.fuzz import LONG
from support.governance import scene_of
from support.snapshots import HEAD, at, commit, pull, snapshot

CASES, PARTS = (20_000, 8) if LONG else (4_000, 2)
PULLS = 500 if LONG else 150
VERSION = "bm-example-handover@0.3.0"
ROLES = (
    Role.MAINTAINER,
    Role.ACCEPTOR,
    Role.REVIEWER,
    Role.REFERENCE_ENGINEER,
    Role.RESULTS_REVIEWER,
    Role.CONTRIBUTOR,
)
PEOPLE = range(1, 9)
AUTHOR = 9
UNLISTED = "registry/lifecycle/gr/gr-example-dose@0.1.0.yaml"
BASELINE = swap(
    FIRST_FROZEN,
    "expert_baseline: null",
    "expert_baseline: {median_minutes: 24.5, pass_rate: 0.8, experts: 2, measured_on: 2026-11-26, record_ref: x}",
)
FIRST_PACKAGE = "2f46ce0b9a7687bd4a2dbe01ef2d898456dd68b8be367191431d65a413fc15ed"
SECOND_PACKAGE = "0ff4484dc346164693bfec6d05e1f93a042910af87baa21cd10d4739acc7e9e2"
USERS = (
    f"/attest separation bm-example-handover@0.1.0 {FIRST_PACKAGE}\n"
    f"/attest separation bm-example-handover@0.2.0 {SECOND_PACKAGE}"
)
BODIES = ("", "", APART, PACKAGE_ONLY, f"{APART}\n{PACKAGE_ONLY}", USERS, APART.replace(PACKAGE, "0" * 64))
CHANGES: tuple[tuple[tuple[Edit, ...], tuple[Edit, ...]], ...] = (
    ((NEW_STANDARD,), ()),
    (
        (swap(UNLISTED, "listing: unlisted", "listing: listed"),),
        (swap(UNLISTED, "listing: listed", "listing: unlisted"),),
    ),
    (FREEZE, ()),
    ((NEW_CAPABILITY,), ()),
    ((BASELINE,), ()),
    ((append("README.md", "\nWords.\n"), append("charter.md", "\nWords.\n")), ()),
)


_CLASSIFIED = decide_module._classified


def user(number: int) -> User:
    return User(id=number, login=f"example-account-{number}", type="User")


@cache
def change(index: int) -> Snapshot:
    """A change of the starter registry, with nobody looking at it yet."""
    edits, base = CHANGES[index]
    return snapshot(*edits, base=base)


@cache
def classified(index: int) -> Any:
    return _CLASSIFIED(change(index))


def drawn(chance: random.Random, index: int) -> Snapshot:
    """One of the changes with random people, facts, reviews and words around it."""
    roster = Roster(
        people=tuple(
            Person(
                id=number,
                login=f"example-account-{number}",
                roles=tuple(chance.sample(ROLES, chance.choice((0, 1, 1, 2)))),
                institution=chance.choice((None, "A", "B")),
                parties=tuple(chance.sample(("Example Vendor", "Another"), chance.choice((0, 0, 0, 1)))),
            )
            for number in chance.sample(PEOPLE, chance.randint(3, 8))
        )
    )
    reviews = tuple(
        Review(
            id=100 + place,
            user=user(chance.choice((*PEOPLE, AUTHOR))),
            state=chance.choice((ReviewState.APPROVED,) * 6 + (ReviewState.CHANGES_REQUESTED, ReviewState.DISMISSED)),
            commit=HEAD,
            submitted_at=at(place),
            body=chance.choice(BODIES),
        )
        for place in range(chance.randint(0, 6))
    )
    request = pull(
        *reviews,
        author=user(AUTHOR),
        pushed_by=user(AUTHOR),
        commits=(_commit(AUTHOR, chance.choice((None, *PEOPLE)) if chance.random() < 0.2 else None),),
        comments=tuple(_talk(chance)),
        issues=(_request(),) if chance.random() < 0.7 else (),
    )
    authors = chance.choice(
        ({}, {"gr-example-dose": (user(chance.choice(PEOPLE)),)}, {"gr-example-dose": (user(1), None)})
    )
    return replace(change(index), roster=roster, pull=request, ledger=_ledger(chance), reference_authors=authors)


def _commit(author: int, co_author: int | None) -> Any:
    made = replace(commit("contributor", "contributor"), author=user(author), committer=user(author))
    return made if co_author is None else replace(made, co_authors=(user(co_author),))


def _request() -> Issue:
    return Issue(
        number=3,
        title=CAPABILITY_REQUEST.title,
        body=CAPABILITY_REQUEST.body,
        labels=("request-for-comment",),
        user=user(AUTHOR),
        created_at=at(-600),
        state="open",
    )


def _talk(chance: random.Random) -> Iterator[Comment]:
    if chance.random() < 0.25:
        lines = [(chance.choice(PEOPLE), "/dispute Because.")]
        lines += [(chance.choice(PEOPLE), f"/vote {chance.choice(('uphold', 'overturn'))} Because.") for _ in range(5)]
        for place, (who, body) in enumerate(lines):
            yield Comment(
                id=500 + place, user=user(who), body=body, created_at=at(30 + place), edited=chance.random() < 0.1
            )


def _ledger(chance: random.Random) -> Ledger:
    if chance.random() < 0.4:
        return Ledger()
    some = [sorted(chance.sample(PEOPLE, chance.randint(0, 2))) for _ in range(4)]
    return to_ledger(
        {
            "benchmark_versions": {
                VERSION: {
                    "builders": some[0],
                    "key_experts": some[1],
                    "acceptors": some[2],
                    "package_sha256": chance.choice((PACKAGE, PACKAGE, "1" * 64)),
                    "holdout_parties": chance.choice(([], [], ["Another"], ["example vendor"])),
                }
            },
            "subjects": chance.choice(
                (
                    {},
                    {
                        "Example Model 1": {"submitters": some[3], "party": "Example Vendor"},
                        "hx-example-loop@0.1.0": {"submitters": [], "party": "Example Initiative"},
                    },
                )
            ),
            "references": chance.choice(({}, {"gr-example-dose": {"tested_by_builders": some[0]}})),
        }
    )


def decided(shot: Snapshot, index: int, patch: pytest.MonkeyPatch) -> Decision:
    """The decision; what the checks of records find is left out, since it does not depend on people."""
    patch.setattr(decide_module, "_classified", lambda _: classified(index))
    patch.setattr(decide_module, "_findings", lambda *_: ())
    return decide(shot)


# The rules a second time ----------------------------------------------------------------------------------------------

HIGHER = {
    Role.REVIEWER: {Role.REVIEWER, Role.ACCEPTOR, Role.MAINTAINER},
    Role.ACCEPTOR: {Role.ACCEPTOR, Role.MAINTAINER},
}


def sits(shot: Snapshot, number: int, role: Role) -> bool:
    """Whether somebody's roles suffice for a seat."""
    held = {role for person in shot.roster.people if person.id == number for role in person.roles}
    return bool(held & HIGHER.get(role, {role}))


def counted(shot: Snapshot) -> dict[int, Review]:
    """Approvals that count: the last opinion of each account, of nobody who wrote the change."""
    wrote = {AUTHOR} | {person.id for one in shot.pull.commits for person in one.co_authors if person}
    last: dict[int, Review] = {}
    for review in shot.pull.reviews:
        assert review.user is not None
        last[review.user.id] = review
    return {who: one for who, one in last.items() if one.state is ReviewState.APPROVED and who not in wrote}


def barred(shot: Snapshot, row: str, number: int, role: Role) -> bool:
    """Whether a relation keeps somebody out of a seat of a row."""
    facts = shot.ledger.benchmark_versions.get(VERSION)
    if row == "M2":
        authors = {author.id for author in shot.reference_authors.get("gr-example-dose", ()) if author}
        return number in authors
    if row == "M3":
        if role is Role.ACCEPTOR and facts is not None and number in facts.builders | facts.key_experts:
            return True
        submitted = {person for known in shot.ledger.subjects.values() for person in known.submitters}
        parties = {party.casefold() for person in shot.roster.people if person.id == number for party in person.parties}
        measured = {"example vendor", *(known.party.casefold() for known in shot.ledger.subjects.values())}
        return number in submitted or bool(parties & measured)
    return False


def fullest(shot: Snapshot, row: str, seats: Sequence[Role], people: Sequence[int]) -> int:
    """The most seats that can be filled, by trying everybody in every seat."""
    best = 0
    for order in permutations([*people, *([0] * len(seats))], len(seats)):
        sitting = [(who, role) for who, role in zip(order, seats, strict=True) if who]
        if all(sits(shot, who, role) and not barred(shot, row, who, role) for who, role in sitting):
            best = max(best, len(sitting))
    return best


# Properties -----------------------------------------------------------------------------------------------------------


@pytest.mark.fuzz
@pytest.mark.rule("DEC-05", "passes")
@pytest.mark.rule("DEC-05", "fails")
@pytest.mark.parametrize("part", range(PARTS))
def test_open_seats_never_merge(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Seats are filled as far as can be, nobody sits twice in a row, and nothing is approved with a seat open.

    Neither is anything approved that rests on what is not known, that the ledger contradicts, or that is disputed.
    """
    chance = random.Random(part)
    states, filled = set(), set()
    for _ in range(CASES // PARTS):
        index = chance.randrange(len(CHANGES))
        shot = drawn(chance, index)
        decision = decided(shot, index, monkeypatch)
        voted = _voters(shot, index)
        people = sorted(set(counted(shot)) - voted)
        for row in decision.rows:
            roles = [Role(seat.role) for seat in row.seats]
            taken = sum(seat.state is SeatState.FILLED for seat in row.seats)
            # A maintainer whom the ledger contradicts is told by the rule, not by an open seat.
            assert taken == fullest(shot, row.id, roles, people), (row, shot.pull.reviews, shot.roster)
            filled.add((row.id, taken))
        if decision.state is State.APPROVED:
            assert decision.rows
            assert all(seat.state is SeatState.FILLED for row in decision.rows for seat in row.seats)
            assert all(item.state == "satisfied" for row in decision.rows for item in (*row.evidence, *row.separation))
            assert all(row.state is RowState.SATISFIED for row in decision.rows)
            assert decision.dispute is None or decision.dispute.outcome is not None
        states.add((index, decision.state))
    assert {("M3", 0), ("M3", 1), ("M3", 2), ("M2", 2), ("M6", 2), ("M18", 2)} <= filled
    # Everything but what a check of records or a notice still lacks comes to approval now and then.
    assert {index for index, found in states if found is State.APPROVED} >= {0, 3}


def _voters(shot: Snapshot, index: int) -> set[int]:
    base, head, changes = classified(index)
    return set(decide_module._scene(shot, base, head, changes).proceedings.voters)


def test_nobody_fills_two_seats_of_a_row() -> None:
    """Of the people in the seats of one row all are different, whatever their roles."""
    chance = random.Random(99)
    seen = 0
    for _ in range(600):
        shot = drawn(chance, chance.randrange(len(CHANGES)))
        scene = scene_of(shot)
        rows = [shot.policy.table.rows[name] for name in {row for item in scene.changes for row in item.change.rows}]
        needs = [ask(row, scene)[0] for row in rows]
        seating = seat_rows(shot.pull, shot.head_sha, shot.roster, shot.now, needs)
        for row in seating.rows:
            sitting = [holder for holder in row.holders if holder is not None]
            assert len(set(sitting)) == len(sitting)
            assert set(sitting) <= {one.user.id for one in collect_opinions(shot.pull, HEAD).approvals}
            seen += len(sitting) > 1
    assert seen >= 10


ORDER = (State.BLOCKED, State.PENDING, State.APPROVED)


@pytest.mark.fuzz
@pytest.mark.parametrize("part", range(4))
def test_approvals_only_help(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    One more approval never takes an approval back, and one less never approves.

    It blocks only where it fills the last seat of a row that the closed record contradicts: before that nobody is told.
    """
    chance = random.Random(1000 + part)
    moved = set()
    for _ in range(PULLS):
        index = chance.randrange(len(CHANGES))
        shot = drawn(chance, index)
        before = decided(shot, index, monkeypatch)
        silent = [who for who in PEOPLE if all(one.user and one.user.id != who for one in shot.pull.reviews)]
        for who in silent[:3]:
            added = Review(
                id=900,
                user=user(who),
                state=ReviewState.APPROVED,
                commit=HEAD,
                submitted_at=at(90),
                body=chance.choice(BODIES),
            )
            after = decided(_reviewed(shot, (*shot.pull.reviews, added)), index, monkeypatch)
            assert ORDER.index(after.state) >= ORDER.index(before.state) or contradicted(before, after)
            moved.add((before.state, after.state))
        approvals = [one for one in shot.pull.reviews if one.state is ReviewState.APPROVED]
        talkers = {comment.user.id for comment in shot.pull.comments if comment.user}
        for one in approvals[:3]:
            assert one.user is not None
            dismissed = replace(one, state=ReviewState.DISMISSED)
            fewer = [_reviewed(shot, tuple(dismissed if other is one else other for other in shot.pull.reviews))]
            # GitHub only dismisses; and whoever had approved could not have voted.
            if one.user.id not in talkers and sum(other.user == one.user for other in shot.pull.reviews) == 1:
                fewer.append(_reviewed(shot, tuple(other for other in shot.pull.reviews if other is not one)))
            for less in fewer:
                after = decided(less, index, monkeypatch)
                assert not (after.state is State.APPROVED and before.state is not State.APPROVED)
                moved.add((after.state, before.state))
    assert (State.PENDING, State.APPROVED) in moved


def contradicted(before: Decision, after: Decision) -> bool:
    """Whether a row whose seats have only now been filled is blocked by what the ledger contradicts."""
    return (before.state, after.state) == (State.PENDING, State.BLOCKED) and any(
        row.state is RowState.BLOCKED
        and all(seat.state is SeatState.FILLED for seat in row.seats)
        and any(seat.state is SeatState.OPEN for seat in earlier.seats)
        and any(item.state == "failed" for item in (*row.separation, *row.evidence))
        for earlier, row in zip(before.rows, after.rows, strict=True)
    )


def _reviewed(shot: Snapshot, reviews: tuple[Review, ...]) -> Snapshot:
    return replace(shot, pull=replace(shot.pull, reviews=reviews))


def test_order_never_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reviews, comments, commits, issues and files in any order give the same decision."""
    chance = random.Random(7)
    for _ in range(300):
        index = chance.randrange(len(CHANGES))
        shot = drawn(chance, index)
        first, second = (replace(shot, pull=_mixed(shot.pull, chance)) for _ in range(2))
        assert decided(first, index, monkeypatch) == decided(second, index, monkeypatch)


def _mixed(given: Pull, chance: random.Random) -> Pull:
    """The same pull request with everything that comes as a list in another order."""
    more = replace(given, issues=(*given.issues, replace(_request(), number=4, labels=())))
    lists = {name: getattr(more, name) for name in ("reviews", "comments", "commits", "issues")}
    return replace(more, **{name: tuple(chance.sample(value, len(value))) for name, value in lists.items()})


def test_order_of_files_never_matters() -> None:
    """Changed files in any order give the same decision, checks and all."""
    chance = random.Random(3)
    for index in (2, 5):
        shot = change(index)
        shuffled = replace(shot, changes=tuple(chance.sample(shot.changes, len(shot.changes))))
        backwards = replace(shot, changes=tuple(reversed(shot.changes)))
        assert decide(shuffled) == decide(shot) == decide(backwards)


def test_time_alone_never_approves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting a year brings no approval."""
    chance = random.Random(11)
    for _ in range(200):
        index = chance.randrange(len(CHANGES))
        shot = drawn(chance, index)
        later = decided(replace(shot, now=shot.now + timedelta(days=365)), index, monkeypatch)
        before = decided(shot, index, monkeypatch)
        assert not (later.state is State.APPROVED and before.state is not State.APPROVED)
