"""Known ways to get around a review, each beside the honest case that looks most like it (hazards A1 to A22, F8)."""

from dataclasses import replace

import pytest

from medgauge_registrar.model.decision import SeatState, SetAside
from medgauge_registrar.model.pull import Pull, ReviewState
from medgauge_registrar.model.roster import Role, Roster
from medgauge_registrar.requirements.approvals import RowNeed, Seating, seat_rows
from medgauge_registrar.requirements.automation import hidden_hand
from requirements.build import AUTHOR, BOT, HEAD, NOW, OLD, START, at, comment, commit, move, pull, review, roster, user

APPROVED, CHANGES, DISMISSED = ReviewState.APPROVED, ReviewState.CHANGES_REQUESTED, ReviewState.DISMISSED
ONE = RowNeed(id="M1", seats=(Role.MAINTAINER,))
EVERYBODY = {person: [Role.MAINTAINER] for person in (AUTHOR, 2, 3, 900)}
MAINTAINERS = roster(EVERYBODY)


def judge(given: Pull, *, row: RowNeed = ONE, people: Roster = MAINTAINERS, head: str = HEAD) -> Seating:
    return seat_rows(given, head, people, NOW, [row])


def full(seating: Seating) -> bool:
    return all(seat.state is SeatState.FILLED for row in seating.rows for seat in row.seats)


def why(seating: Seating) -> list[SetAside]:
    return [aside.reason for aside in seating.set_aside]


def test_a1_push_after_approval() -> None:
    """An approval of the old head counts for nothing on the new one."""
    assert full(judge(pull(review(1, 2, commit=HEAD))))
    stale = judge(pull(review(1, 2, commit=OLD, minute=-50)))
    assert not full(stale)
    assert why(stale) == [SetAside.NOT_ON_HEAD]


def test_a2_approval_moved_to_the_new_head() -> None:
    """GitHub may say that an old review is of the new head; its time says otherwise."""
    assert full(judge(pull(review(1, 2, commit=HEAD, minute=1))))
    moved = judge(pull(review(1, 2, commit=HEAD, minute=-1)))
    assert not full(moved)
    assert why(moved) == [SetAside.BEFORE_HEAD]
    unknown = judge(pull(review(1, 2, commit=HEAD, minute=1), seen_at=None))
    assert why(unknown) == [SetAside.BEFORE_HEAD]


def test_a2_confirmation_is_the_way_out() -> None:
    """The same account names the head in full; twelve digits of it can be made to fit another commit."""
    moved = review(1, 2, commit=HEAD, minute=-1)
    for seen_at in (START, None):
        assert full(judge(pull(moved, seen_at=seen_at, comments=(comment(1, 2, f"/confirm {HEAD}"),))))
        assert not full(judge(pull(moved, seen_at=seen_at, comments=(comment(1, 2, f"/confirm {HEAD[:12]}"),))))
        assert not full(judge(pull(moved, seen_at=seen_at, comments=(comment(1, 3, f"/confirm {HEAD}"),))))


def test_a3_comment_after_approval() -> None:
    """Talking on withdraws nothing; it approves nothing either."""
    talk = review(2, 2, ReviewState.COMMENTED, minute=20)
    assert full(judge(pull(review(1, 2), talk)))
    assert not full(judge(pull(talk)))


@pytest.mark.parametrize("state", [CHANGES, DISMISSED])
def test_a4_second_thoughts(state: ReviewState) -> None:
    """A later request for changes or a dismissal withdraws the approval; a later approval brings it back."""
    later = review(2, 2, state, minute=20)
    withdrawn = judge(pull(review(1, 2), later))
    assert not full(withdrawn)
    assert withdrawn.standing_objections == (1 if state is CHANGES else 0)
    again = judge(pull(review(1, 2), later, review(3, 2, minute=30)))
    assert full(again)
    assert again.standing_objections == 0


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"author": user(2)}, SetAside.AUTHOR),
        ({"commits": (commit(author=2),)}, SetAside.AUTHOR),
        ({"commits": (commit(committer=2),)}, SetAside.COMMITTER),
        ({"commits": (commit(co_authors=[2]),)}, SetAside.CO_AUTHOR),
        ({"pushed_by": user(2)}, SetAside.PUSHER),
    ],
    ids=["a5-opener", "a5-author", "a5-committer", "a6-co-author", "a5-pusher"],
)
def test_a5_a6_own_change(changes: dict[str, object], reason: SetAside) -> None:
    """Whoever had a hand in the change is told why they do not count; somebody else does."""
    own = judge(pull(review(1, 2), **changes))
    assert not full(own)
    assert why(own) == [reason]
    assert full(judge(pull(review(1, 2), review(2, 3), **changes)))


def test_a7_person_behind_a_bot() -> None:
    """A pull request that a bot opened for somebody still is theirs, and asks for as many people."""
    opened = {"author": BOT, "pushed_by": BOT, "commits": (commit(author=900, committer=900),)}
    own = judge(pull(review(1, 2), triggered_by=user(2), **opened))
    assert not full(own)
    assert why(own) == [SetAside.TRIGGERER]
    assert full(judge(pull(review(1, 3), triggered_by=user(2), **opened)))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, None),
        ({"author": BOT}, "a bot opened this"),
        ({"pushed_by": BOT}, "a bot pushed to the branch"),
        ({"moves": (move(AUTHOR, OLD, HEAD), move(BOT, "c3" * 20, OLD))}, "a bot pushed to the branch"),
        ({"moves": (move(AUTHOR, OLD, HEAD), move(BOT, "0" * 40, OLD))}, None),
        ({"moves": (move(AUTHOR, OLD, HEAD), move(AUTHOR, "0" * 40, OLD))}, None),
        ({"moves": None}, "it is not known who pushed all of this"),
        ({"moves": None, "author": BOT, "triggered_by": user(2)}, "it is not known who pushed all of this"),
        ({"author": None}, None),
        ({"commits": (commit(author=900),)}, "a bot wrote a part of this"),
        ({"commits": (commit(committer=900),)}, "a bot wrote a part of this"),
        ({"commits": (commit(OLD, author=900, committer=900), commit())}, None),
        ({"commits": (commit(co_authors=[900]),)}, None),
        ({"author": BOT, "pushed_by": BOT, "triggered_by": user(2)}, None),
        ({"author": BOT, "triggered_by": BOT}, "a bot opened this"),
        ({"author": user(49, kind="Bot"), "pushed_by": user(49, kind="Bot")}, None),
        ({"author": user(49, kind="Bot"), "pushed_by": BOT}, "a bot pushed to the branch"),
    ],
    ids=[
        "person", "bot-opened", "bot-pushed", "bot-pushed-before", "bot-pushed-update", "persons-pushed", "unknown",
        "unknown-behind-bot", "deleted", "bot-wrote", "bot-committed", "bot-updated", "bot-named", "person-named",
        "bot-behind-bot", "of-its-own-accord", "pushed-by-another",
    ],
)  # fmt: skip
def test_a7_who_may_stand_behind_a_change(changes: dict[str, object], said: str | None) -> None:
    given = pull(**changes)
    commits = tuple(
        replace(one, **{name: BOT for name in ("author", "committer") if getattr(one, name) == user(900)})
        for one in given.commits
    )
    found = hidden_hand(replace(given, commits=commits), {49}, {OLD: "0" * 40})
    assert (found is not None) == (said is not None)
    assert found is None or found.message.startswith(str(said))


def test_a8_bot_approves() -> None:
    """Not even a bot that stands on the roster."""
    listed = roster({900: [Role.MAINTAINER]})
    automatic = judge(pull(review(1, user(900, kind="Bot"))), people=listed)
    assert not full(automatic)
    assert why(automatic) == [SetAside.BOT]
    assert full(judge(pull(review(1, user(900))), people=listed))


def test_a9_deleted_accounts() -> None:
    """Nobody is who they were: nothing breaks, nothing counts, everything is listed."""
    gone = judge(
        pull(
            review(1, None),
            review(2, None, CHANGES),
            comments=(comment(1, None, f"/confirm {HEAD}"),),
            author=None,
            pushed_by=None,
            commits=(commit(author=None, committer=None, co_authors=[None]),),
        )
    )
    assert not full(gone)
    assert why(gone) == [SetAside.NO_ACCOUNT, SetAside.NO_ACCOUNT]
    assert gone.standing_objections == 0
    assert gone.unknown_commit_accounts == (HEAD,)
    assert full(judge(pull(review(1, 2), author=None, pushed_by=None, commits=(commit(author=None),))))


@pytest.mark.parametrize("people", [Roster(), roster({3: [Role.MAINTAINER]}), roster({2: [Role.CONTRIBUTOR]})])
def test_a11_a12_anybody_can_approve(people: Roster) -> None:
    """Only the roster gives a role; there is nothing else to go by."""
    stranger = judge(pull(review(1, 2)), people=people)
    assert not full(stranger)
    assert why(stranger) == [SetAside.NOT_COUNTED]
    assert full(judge(pull(review(1, 2))))


def test_a13_letter_case() -> None:
    """A login is the same in capitals, and so is the author."""
    assert full(judge(pull(review(1, user(2, login="Example-Person-2")))))
    assert why(judge(pull(review(1, user(AUTHOR, login="EXAMPLE-PERSON-1"))))) == [SetAside.AUTHOR]


def test_a14_login_taken_over() -> None:
    """The roster's id under a new login does not count, nor does a new id under the roster's login."""
    assert why(judge(pull(review(1, user(2, login="renamed"))))) == [SetAside.NOT_COUNTED]
    assert why(judge(pull(review(1, user(77, login="example-person-2"))))) == [SetAside.NOT_COUNTED]
    assert full(judge(pull(review(1, user(2, login="example-person-2")))))


def test_a17_edited_comment() -> None:
    """Words that somebody else may have written confirm nothing."""
    old = review(1, 2, commit=OLD, minute=-50)
    assert full(judge(pull(old, comments=(comment(1, 2, f"/confirm {HEAD}"),))))
    assert not full(judge(pull(old, comments=(comment(1, 2, f"/confirm {HEAD}", edited=True),))))
    assert not full(judge(pull(comments=(comment(1, 2, f"/confirm {HEAD}"),))))


def test_a20_verdict_for_another_head() -> None:
    """What was approved on one head says nothing when the same facts are judged for another."""
    given = pull(review(1, 2))
    assert full(judge(given, head=HEAD))
    assert why(judge(given, head=OLD)) == [SetAside.NOT_ON_HEAD]


def test_a21_different_roles_need_different_people() -> None:
    """One person with both roles leaves a seat open; a second fills it, though taking the first that fits would not."""
    both = RowNeed(id="M4", seats=(Role.MAINTAINER, Role.RESULTS_REVIEWER))
    people = roster({2: [Role.RESULTS_REVIEWER, Role.MAINTAINER], 3: [Role.MAINTAINER]})
    lonely = judge(pull(review(1, 2)), row=both, people=people)
    assert sorted(seat.state for seat in lonely.rows[0].seats) == [SeatState.FILLED, SeatState.OPEN]
    assert full(judge(pull(review(1, 2), review(2, 3)), row=both, people=people))


def test_a22_nothing_together_lets_the_opener_approve() -> None:
    """A role, a fresh review, a confirmation, an update from base, content long known: all at once, and in vain."""
    given = pull(
        review(1, AUTHOR, commit=HEAD),
        comments=(comment(1, AUTHOR, f"/confirm {HEAD}"),),
        pushed_by=user(3),
        commits=(commit(),),
    )

    def favoured(facts: Pull) -> Seating:
        return seat_rows(
            facts,
            HEAD,
            MAINTAINERS,
            NOW,
            [ONE],
            equivalent_heads=frozenset({HEAD, OLD}),
            unchanged_since=at(-100),
            updates_from_base={HEAD: OLD},
        )

    assert why(favoured(given)) == [SetAside.AUTHOR]
    assert not full(favoured(given))
    assert full(favoured(pull(review(1, 2), pushed_by=user(3))))


def test_f8_forged_commit_line() -> None:
    """Naming a maintainer as co-author costs their approval, and does not silence their objection."""
    forged = (commit(co_authors=[2]),)
    assert not full(judge(pull(review(1, 2), commits=forged)))
    assert judge(pull(review(1, 2, CHANGES), commits=forged)).standing_objections == 1
    assert judge(pull(review(1, AUTHOR, CHANGES), commits=forged)).standing_objections == 0


def test_f8_commit_line_credits_nobody() -> None:
    """A commit by a maintainer is no approval by them."""
    assert not full(judge(pull(commits=(commit(author=2),), author=user(8), pushed_by=user(8))))
