"""Disputes: who opens one, who votes, what settles it, and what everybody is answered (DISP-01…04, DEC-12)."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from medgauge_registrar.decide import command_answers, decide
from medgauge_registrar.model.answer import CommandAnswer
from medgauge_registrar.model.decision import SetAside, State
from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.model.pull import Comment, DeletedComment, Move, Pull, Review
from medgauge_registrar.model.roster import Role
from medgauge_registrar.requirements.disputes import Choice, Proceedings, Refusal, proceedings
from medgauge_registrar.requirements.measured import Measured
from medgauge_registrar.sandbox.edits import Edit, put, swap
from medgauge_registrar.sandbox.material import NEW_STANDARD, RESULT
from support.governance import ids, judged, ledger, message, roster_with, state
from support.snapshots import HEAD, at, comment, commit, decided, person, pull, review, snapshot

NOBODY = Measured(parties=frozenset(), submitters=frozenset(), parties_known=True, submitters_known=True)
OPEN = ("reviewer", "/dispute The standard was withdrawn.")
THREE = (
    ("second maintainer", "/vote uphold It stands."),
    ("third maintainer", "/vote overturn It does not."),
    ("acceptor", "/vote uphold It does."),
)


def said(*lines: tuple[str, str], start: int = 60) -> tuple[Comment, ...]:
    """Comments one minute after the other."""
    return tuple(
        comment(by, body, minute=start + index, number=900 + start + index) for index, (by, body) in enumerate(lines)
    )


def followed(
    comments: Iterable[Comment], *reviews: Any, measured: Measured | None = NOBODY, **fields: Any
) -> Proceedings:
    publishes = fields.pop("publishes", False)
    people = fields.pop("roster", roster_with())
    return proceedings(pull(*reviews, comments=tuple(comments), **fields), people, measured, publishes=publishes)


def refusals(found: Proceedings) -> list[Refusal | None]:
    return [refusal for _, refusal in found.refusals]


# Opening and voting ---------------------------------------------------------------------------------------------------


def test_nobody_disputes() -> None:
    """Without a command there is nothing, and a vote alone opens nothing."""
    assert followed(()) == Proceedings()
    found = followed(said(*THREE))
    assert (found.current, found.disputed, set(refusals(found))) == (None, False, {Refusal.NO_DISPUTE})


def test_a_dispute_outlives_the_login_of_whoever_opened_it() -> None:
    """An account is its numeric id; one that is not on the roster still opens nothing."""
    (opening,) = said(OPEN)
    assert opening.user is not None
    assert followed((replace(opening, user=replace(opening.user, login="somebody-else")),)).disputed
    assert not followed((replace(opening, user=replace(opening.user, id=999_999)),)).disputed


@pytest.mark.parametrize("who", ["reviewer", "data steward", "maintainer", "builder"])
def test_anybody_with_a_role_opens_a_dispute(who: str) -> None:
    """Whatever the role."""
    found = followed(said((who, "/dispute Because.")))
    assert found.disputed
    assert found.current is not None
    assert found.current.opened_at == at(60)


@pytest.mark.parametrize(
    ("who", "body", "refusal"),
    [
        ("newcomer", "/dispute Because.", Refusal.NOT_COUNTED),
        ("reviewer", "/dispute", Refusal.NO_REASONS),
    ],
)
def test_a_dispute_that_is_none(who: str, body: str, refusal: Refusal) -> None:
    """It takes a role and reasons."""
    found = followed(said((who, body)))
    assert (found.disputed, refusals(found)) == (False, [refusal])


@pytest.mark.rule("DISP-02", "passes")
@pytest.mark.rule("DISP-03", "passes")
def test_three_votes_settle() -> None:
    """The third voter's vote settles it; majority decides, and later votes change nothing."""
    found = followed(
        said(OPEN, *THREE, ("second maintainer", "/vote overturn I was wrong."), ("two roles", "/vote overturn No."))
    )
    current = found.current
    assert current is not None
    assert (current.counts, current.settled_at, current.overturned) == ((2, 1), at(63), False)
    assert refusals(found)[-2:] == [Refusal.SETTLED, Refusal.SETTLED]
    assert found.voters == set(ids("second maintainer", "third maintainer", "acceptor"))


@pytest.mark.rule("DISP-02", "fails")
def test_two_voters_settle_nothing() -> None:
    """However often they vote; of each the last vote before the third voter counts."""
    twice = (THREE[0], ("second maintainer", "/vote overturn On second thoughts."), THREE[1])
    found = followed(said(OPEN, *twice))
    assert found.current is not None
    assert (found.current.settled_at, found.current.counts) == (None, (0, 2))
    found = followed(said(OPEN, *twice, THREE[2]))
    assert found.current is not None
    assert (found.current.counts, found.current.overturned) == ((1, 2), True)


def test_votes_before_the_opening_do_not_count() -> None:
    """There was nothing to vote on."""
    found = followed(said(*THREE, OPEN))
    assert found.current is not None
    assert found.current.votes == {}


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        ("/vote uphold", Refusal.NO_REASONS),
        ("/vote abstain I cannot say.", Refusal.NO_CHOICE),
        ("/vote Uphold It stands.", Refusal.NO_CHOICE),
        ("/vote uphold It stands.", None),
    ],
)
def test_a_vote_takes_a_choice_and_reasons(body: str, refusal: Refusal | None) -> None:
    """Nobody abstains, and nobody votes without reasons."""
    found = followed(said(OPEN, ("acceptor", body)))
    assert refusals(found)[-1] is refusal


def test_edited_comments_and_bots_say_nothing() -> None:
    """An edit may be somebody else's, and a bot is no person."""
    opening, *votes = said(OPEN, *THREE)
    edited = replace(votes[2], edited=True)
    bot = replace(votes[2], user=replace(person("acceptor"), type="Bot"))
    gone = replace(votes[2], user=None)
    for last in (edited, bot, gone):
        found = followed((opening, *votes[:2], last))
        assert found.current is not None
        assert found.current.settled_at is None
    assert followed((replace(opening, edited=True), *votes)).current is None


@pytest.mark.parametrize("by", ["newcomer", "reviewer"])
@pytest.mark.parametrize("body", ["/dispute.", "Thanks.", OPEN[1]])
def test_an_edit_takes_back_no_dispute_that_was_voted_on(by: str, body: str) -> None:
    """Not even by whoever opened it: votes to which no dispute can be seen belong to the comment that was changed."""
    opening, *votes = said(OPEN, *THREE)
    usual = followed((opening, *votes))
    found = followed((changed(opening, by, body=body), *votes))
    assert found.rounds == usual.rounds
    assert found.disputed
    assert refusals(found) == [None, None, None]


def test_a_deletion_takes_back_no_dispute_that_was_voted_on() -> None:
    """When it was opened is not told, so the first vote is taken for the time."""
    (found,) = followed(said(*THREE), deleted_comments=(gone("reviewer", 90),)).rounds
    assert (found.opened_at, found.counts, found.settled_at) == (at(60), (2, 1), at(62))
    assert followed(said(*THREE), deleted_comments=(gone("reviewer", 59),)).current is None
    assert followed(said(*THREE), deleted_comments=(gone("newcomer", 90),)).current is None
    assert followed(said(*THREE), deleted_comments=(replace(gone("reviewer", 90), user=None),)).current is None


def test_only_a_comment_of_somebody_with_a_role_from_before_a_vote_may_have_been_its_dispute() -> None:
    """Nobody else could have opened one; and whoever voted did not vote on what they disputed."""
    opening, *votes = said(OPEN, *THREE)
    for line in (("newcomer", "Thanks."), ("acceptor", "Thanks.")):
        (other,) = said(line)
        found = followed((changed(other, "newcomer"), *votes))
        assert (len(found.voters), found.disputed) == ((0, False) if line[0] == "newcomer" else (2, True))
    assert followed((changed(replace(opening, created_at=at(90)), "newcomer"), *votes)).current is None
    assert followed((replace(opening, edited=True), *votes)).current is None


def test_a_second_dispute_is_not_taken_back_either() -> None:
    """It takes a head that arrived since, as it would if it could be seen; what is settled otherwise stays so."""
    again = [
        ("reviewer", "/dispute Still withdrawn."),
        ("second maintainer", "/vote overturn It is."),
        ("third maintainer", "/vote overturn It is."),
        ("acceptor", "/vote uphold It is not."),
    ]
    opening, *votes = said(*again, start=100)
    first = said(OPEN, *THREE)
    found = followed((*first, changed(opening, "newcomer", minute=110), *votes), seen_at=at(80))
    assert [one.overturned for one in found.rounds] == [False, True]
    found = followed((*first, changed(opening, "newcomer", minute=110), *votes), seen_at=at(0))
    assert (len(found.rounds), refusals(found)[4:]) == (1, [Refusal.SETTLED] * 3)


def test_what_was_changed_before_a_vote_was_not_its_dispute() -> None:
    """Whoever voted saw the comment as it stands; the words that are gone hold the merge in their own right."""
    opening, *votes = said(OPEN, *THREE)
    assert followed((changed(opening, "newcomer", minute=59), *votes)).current is None


def test_votes_on_a_published_outcome_stay_what_they_are() -> None:
    """They need no dispute here, so no changed comment is taken for one."""
    (opening,) = said(("reviewer", "Thanks."), start=50)
    late = said(*THREE, ("second acceptor", "/vote uphold It stands."))
    found = followed((changed(opening, "newcomer"), *late), publishes=True)
    assert (len(found.rounds), found.disputed, found.rounds[0].settled_at) == (1, False, at(62))


# Words that are gone ----------------------------------------------------------------------------------------------------


def changed(said: Comment, by: str | None, *, body: str = "Nothing.", minute: float = 70) -> Comment:
    """A comment after somebody has edited it."""
    who = None if by is None else person(by)
    return replace(said, body=body, edited=True, edited_at=at(minute), edited_by=who)


def gone(whose: str, minute: float, *, by: str = "newcomer") -> DeletedComment:
    """A comment that somebody deleted."""
    return DeletedComment(user=person(whose), deleted_at=at(minute), deleted_by=person(by))


def held(*comments: Comment, reviews: Iterable[Review] = (), **facts: Any) -> bool:
    """Whether the merge of a standard that a maintainer approved is held for words that are gone."""
    request = pull(review("maintainer"), *reviews, comments=comments, **facts)
    decision = decided(NEW_STANDARD, request=request)
    told = [finding.message for finding in decision.findings if finding.rule == "DISP-01"]
    assert (decision.state is State.APPROVED) == (not told)
    return any("changed or deleted" in message for message in told)


@pytest.mark.parametrize(
    ("whose", "by", "holds"),
    [
        ("reviewer", "newcomer", True),
        ("reviewer", "maintainer", True),
        ("reviewer", None, True),
        ("reviewer", "reviewer", False),
        ("newcomer", "maintainer", True),
        ("bot", "newcomer", False),
    ],
)
def test_words_that_somebody_else_changed_hold_the_merge(whose: str, by: str | None, holds: bool) -> None:
    """They may have disputed it; of words of people without a role too, or a change would tell who has one."""
    (comment,) = said((whose, "/dispute The standard was withdrawn."))
    assert held(changed(comment, by)) is holds
    deleted = replace(gone(whose, 70), deleted_by=None if by is None else person(by))
    assert held(deleted_comments=(deleted,)) is holds
    assert not held(deleted_comments=(replace(deleted, user=None),))


def test_an_edit_of_which_nothing_is_told_holds_nothing() -> None:
    """Pull files from before, and those that people write, say only that there was one."""
    (comment,) = said(OPEN)
    assert not held(replace(comment, edited=True))


@pytest.mark.parametrize(
    ("body", "minute", "holds"),
    [
        (f"/confirm {HEAD}", 80, False),
        (f"/confirm {HEAD}", 70, True),
        ("Who changed this?", 80, True),
        ("/recheck", 80, True),
        ("/dispute", 80, True),
        ("/vote uphold It stands.", 80, True),
    ],
)
def test_words_that_are_gone_hold_until_their_author_speaks(body: str, minute: int, holds: bool) -> None:
    """By a command that counts and says where they stand; talk does not."""
    comment, answer = said(OPEN, ("reviewer", body))
    assert held(changed(comment, "newcomer"), replace(answer, created_at=at(minute))) is holds
    assert held(changed(comment, "newcomer"), replace(answer, created_at=at(80), user=person("vendor")))


@pytest.mark.parametrize(
    ("by", "who", "said_too", "minute", "holds"),
    [
        ("newcomer", "acceptor", f"/confirm {HEAD}", 80, False),
        ("newcomer", "acceptor", f"/confirm {HEAD}", 70, True),
        ("newcomer", "acceptor", f"/confirm {'b' * 40}", 80, True),
        ("newcomer", "acceptor", "Fine.", 80, True),
        ("newcomer", "vendor", f"/confirm {HEAD}", 80, True),
        ("acceptor", "acceptor", f"/confirm {HEAD}", 80, True),
        ("newcomer", "maintainer", f"/confirm {HEAD}", 80, True),
        (None, "acceptor", f"/confirm {HEAD}", 80, True),
    ],
)
def test_somebody_else_with_a_role_lifts_what_holds(
    by: str | None, who: str, said_too: str, minute: int, holds: bool
) -> None:
    """By naming the head, and if the words were not changed by their own hand."""
    comment, answer = said(("contributor", "Buy this."), (who, said_too))
    assert held(changed(comment, by), replace(answer, created_at=at(minute))) is holds


@pytest.mark.parametrize(
    "part",
    [
        {"author": person("acceptor")},
        {"triggered_by": person("acceptor")},
        {"pushed_by": person("acceptor")},
        {"moves": (Move(by=person("acceptor"), before="b" * 40, after="c" * 40),)},
    ],
)
def test_nobody_with_a_part_in_the_change_lifts_what_holds(part: dict[str, Any]) -> None:
    """Whoever opened or pushed it gains by the words being gone."""
    comment, answer = said(("contributor", "Buy this."), ("acceptor", f"/confirm {HEAD}"))
    assert held(changed(comment, "newcomer"), replace(answer, created_at=at(80)), **part)


def test_a_confirmation_of_another_head_is_no_word_on_what_was_changed() -> None:
    """Its author may be asked again of each head."""
    comment, answer = said(OPEN, ("reviewer", f"/confirm {'b' * 40}"))
    assert held(changed(comment, "newcomer"), replace(answer, created_at=at(80)))


@pytest.mark.parametrize("who", ["reviewer", "acceptor", "newcomer"])
def test_everybody_is_told_the_same_of_a_word_on_what_was_changed(who: str) -> None:
    """Whether it counts is seen in the decision alone."""
    comment, answer = said(OPEN, (who, f"/confirm {HEAD}"))
    (told,) = answered(pull(comments=(changed(comment, "newcomer"), replace(answer, created_at=at(80)))))
    assert (told.accepted, told.role) == (True, None)
    assert "taken as your word on what was changed" in told.why


@pytest.mark.parametrize(
    ("given", "minute", "holds"),
    [("APPROVED", 80, False), ("DISMISSED", 80, False), ("APPROVED", 70, True), ("COMMENTED", 80, True)],
)
def test_a_review_lifts_what_holds_for_words_that_are_gone(given: str, minute: int, holds: bool) -> None:
    """If it bears an opinion, and is from after the change."""
    (comment,) = said(OPEN)
    assert held(changed(comment, "newcomer"), reviews=[review("reviewer", given, minute=minute, number=101)]) is holds
    assert held(changed(comment, "newcomer"), reviews=[review("acceptor", number=101, minute=80)])


def test_disputing_again_opens_the_dispute_again() -> None:
    """Which then holds the merge itself, without an error."""
    comment, again = said(OPEN, OPEN)
    request = pull(review("maintainer"), comments=(changed(comment, "newcomer"), replace(again, created_at=at(80))))
    decision = decided(NEW_STANDARD, request=request)
    assert (decision.state, decision.findings) == (State.PENDING, ())
    assert decision.dispute is not None


# Independence ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DISP-03", "fails")
@pytest.mark.parametrize(
    ("fields", "reviews", "refusal"),
    [
        ({"author": person("acceptor")}, (), Refusal.AUTHOR),
        ({"pushed_by": person("acceptor")}, (), Refusal.AUTHOR),
        ({"triggered_by": person("acceptor")}, (), Refusal.AUTHOR),
        (
            {"moves": (Move(by=person("acceptor"), before="b" * 40, after="c" * 40),)},
            (),
            Refusal.AUTHOR,
        ),
        ({"commits": (commit("acceptor", "acceptor", "acceptor"),)}, (), None),
        ({}, (review("acceptor"),), Refusal.REVIEWED),
        ({}, (review("acceptor", "CHANGES_REQUESTED"),), Refusal.REVIEWED),
        ({}, (review("acceptor", "DISMISSED"),), Refusal.REVIEWED),
        ({}, (review("acceptor", minute=None),), Refusal.REVIEWED),
        ({}, (review("acceptor", "COMMENTED"),), None),
        ({}, (review("acceptor", minute=90),), None),
    ],
)
def test_whoever_took_part_does_not_vote(fields: Any, reviews: Any, refusal: Refusal | None) -> None:
    """Openers, pushers, approvers and objectors of before the vote; neither a name on a commit nor what comes after takes it."""
    found = followed(said(OPEN, THREE[2]), *reviews, **fields)
    assert refusals(found) == [None, refusal]


def test_disputants_do_not_vote_and_voters_do_not_dispute() -> None:
    """A second dispute joins the first, and its author is a disputant as well."""
    lines = (
        OPEN,
        ("acceptor", "/dispute I see another fault."),
        THREE[2],
        THREE[0],
        ("second maintainer", "/dispute So do I."),
    )
    found = followed(said(*lines))
    assert refusals(found) == [None, None, Refusal.DISPUTES, None, Refusal.DISPUTES]
    assert len(found.rounds) == 1
    assert found.current is not None
    assert found.current.opened_at == at(60)


@pytest.mark.parametrize(
    ("measured", "parties", "counts"),
    [
        (NOBODY, [], True),
        (NOBODY, ["A"], True),
        (replace(NOBODY, parties=frozenset({"a"})), ["A"], False),
        (replace(NOBODY, parties=frozenset({"a"})), ["B"], True),
        (replace(NOBODY, parties=frozenset({"a"}), parties_known=False), ["B"], False),
        (replace(NOBODY, parties=frozenset({"a"}), parties_known=False), [], True),
        (replace(NOBODY, submitters=frozenset(ids("acceptor"))), [], False),
        (None, [], False),
    ],
)
def test_measured_parties_do_not_vote(measured: Measured | None, parties: list[str], counts: bool) -> None:
    """What cannot be known does not count, and the answer is the same as for want of standing."""
    people = roster_with(acceptor={"parties": parties})
    found = followed(said(OPEN, THREE[2]), measured=measured, roster=people)
    assert refusals(found) == [None, None if counts else Refusal.NOT_COUNTED]


@pytest.mark.parametrize(
    ("terms", "counts"),
    [
        ([{"role": "acceptor", "from": "2026-11-01"}], True),
        ([{"role": "acceptor", "from": "2026-11-01", "until": "2026-11-30"}], True),
        ([{"role": "acceptor", "from": "2026-11-30"}], False),
        ([{"role": "acceptor", "from": "2026-11-01", "until": "2026-11-29"}], False),
    ],
)
def test_the_electorate_is_that_of_the_opening(terms: Any, counts: bool) -> None:
    """Standing gained later does not vote, and standing lost later still does."""
    opening = said(OPEN)
    vote = (comment("acceptor", "/vote uphold It stands.", minute=60 * 24 * 3, number=999),)
    found = followed((*opening, *vote), roster=roster_with(acceptor={"terms": terms}))
    assert refusals(found) == [None, None if counts else Refusal.NOT_COUNTED]


@pytest.mark.parametrize(("who", "counts"), [("maintainer", True), ("second acceptor", True), ("two roles", True),
                                             ("contributor", False), ("results reviewer", False), ("newcomer", False)])  # fmt: skip
def test_voters_have_the_standing_of_an_acceptor(who: str, counts: bool) -> None:
    """Acceptors and maintainers vote; other roles do not."""
    found = followed(said(OPEN, (who, "/vote uphold It stands.")), author=None, pushed_by=None, commits=())
    assert refusals(found) == [None, None if counts else Refusal.NOT_COUNTED]


@pytest.mark.parametrize(("seen", "rounds"), [(50, 1), (63, 1), (70, 2), (None, 2), (101, 1)])
def test_what_is_settled_stays_settled_unless_something_new_arrives(seen: int | None, rounds: int) -> None:
    """Another dispute needs a head that came after the third vote and before it."""
    again = comment("data steward", "/dispute And now?", minute=100, number=999)
    found = followed((*said(OPEN, *THREE), again), seen_at=None if seen is None else at(seen))
    assert len(found.rounds) == rounds
    assert (refusals(found)[-1] is Refusal.SETTLED) == (rounds == 1)
    if rounds == 2:
        assert found.current is not None
        assert found.current.votes == {}
        assert len(found.voters) == 3


def test_order_of_comments_makes_no_difference() -> None:
    """Only their times do."""
    comments = said(OPEN, *THREE)
    assert followed(reversed(comments)) == followed(comments)


# Decisions ------------------------------------------------------------------------------------------------------------

OBJECT = "registry/standards/std-example-guideline.yaml"
NUMBER = 70


def outcome(uphold: int = 2, overturn: int = 1, *, number: int = NUMBER, name: str = "example-dispute-9") -> Edit:
    """A published outcome."""
    result = "upheld" if uphold > overturn else "overturned"
    return put(
        f"disputes/{name}.yaml",
        f"# Synthetic.\nid: {name}\nobject: {OBJECT}\npull_request: {number}\n"
        f"votes: {{uphold: {uphold}, overturn: {overturn}}}\noutcome: {result}\n"
        "reasons: The edition that is cited is still published.\ndate: 2026-11-29\n",
    )


def told(*lines: tuple[str, str], edits: tuple[Edit, ...] = (NEW_STANDARD,), **more: Any) -> Any:
    """The decision on a pull request in which this was said."""
    by: tuple[str, ...] = more.pop("by", ("maintainer",))
    given = tuple(review(name, number=index) for index, name in enumerate(by, start=1))
    return decided(*edits, request=pull(*given, comments=said(*lines), number=NUMBER), **more)


@pytest.mark.parametrize(
    ("lines", "edits", "expected"),
    [
        ((), (), ("approved", None)),
        ((OPEN,), (), ("pending", ("open", 0, None))),
        ((OPEN, *THREE[:2]), (), ("pending", ("open", 2, None))),
        ((OPEN, *THREE), (), ("pending", ("settled", 3, None))),
        pytest.param(
            (OPEN, *THREE), (outcome(),), ("approved", ("settled", 3, "upheld")),
            marks=[pytest.mark.rule("DEC-12", "passes"), pytest.mark.rule("DISP-04", "passes")],
        ),
        pytest.param(
            (OPEN, *THREE), (outcome(3, 0),), ("blocked", ("settled", 3, None)), marks=pytest.mark.rule("DISP-04", "fails"),
        ),
        ((OPEN, *THREE), (outcome(number=8),), ("blocked", ("settled", 3, None))),
        ((OPEN, *THREE[:2]), (outcome(2, 1),), ("pending", ("open", 2, None))),
    ],
)  # fmt: skip
def test_a_dispute_holds_until_its_outcome_is_published(lines: Any, edits: Any, expected: Any) -> None:
    """Three votes settle it; the merge waits for the file that says what they came to."""
    decision = told(*lines, edits=(NEW_STANDARD, *edits))
    found = decision.dispute and (decision.dispute.state, decision.dispute.votes, decision.dispute.outcome)
    assert (decision.state, found) == expected


def test_an_outcome_that_was_published_earlier_counts() -> None:
    """It may have been merged before."""
    decision = told(OPEN, *THREE, base=(outcome(),))
    assert (decision.state, decision.dispute.outcome) == ("approved", "upheld")
    assert told(OPEN, *THREE, base=(outcome(number=8),)).state == "pending"


@pytest.mark.rule("DEC-12", "fails")
def test_votes_never_stand_in_for_approvals() -> None:
    """The row's own seats stay open, and whoever voted fills none of them."""
    decision = told(OPEN, *THREE, edits=(NEW_STANDARD, outcome()), by=())
    assert (decision.state, decision.dispute.outcome) == (State.PENDING, "upheld")
    later = review("second maintainer", number=1, minute=200)
    request = pull(later, comments=said(OPEN, *THREE), number=NUMBER)
    decision = decided(NEW_STANDARD, outcome(), request=request)
    assert decision.state is State.PENDING
    assert {aside.reason for aside in decision.set_aside} == {SetAside.NOT_COUNTED}
    assert decision.dispute is not None
    assert decision.dispute.votes == 3


def test_an_overturned_change_does_not_merge() -> None:
    """Whoever approves; the outcome alone does."""
    lines = [(who, "/vote overturn It is withdrawn.") for who, _ in THREE]
    decision = told(OPEN, *lines, edits=(NEW_STANDARD, outcome(0, 3)))
    assert (decision.state, decision.dispute.outcome) == (State.BLOCKED, "overturned")
    assert {finding.rule for finding in decision.findings if finding.severity == "error"} == {"DISP-01"}
    alone = told(OPEN, *lines, edits=(outcome(0, 3),))
    assert (alone.state, alone.dispute.outcome) == (State.APPROVED, "overturned")


@pytest.mark.parametrize(
    ("lines", "edits", "base", "expected"),
    [
        (THREE, (outcome(number=8),), (), ("satisfied", "satisfied", "satisfied")),
        (THREE[:2], (outcome(number=8),), (), ("missing", "missing", "missing")),
        ((), (outcome(number=8),), (), ("missing", "missing", "missing")),
        (THREE, (outcome(1, 2, number=8),), (), ("satisfied", "satisfied", "failed")),
        (THREE, (outcome(number=8), outcome(number=9, name="example-dispute-10")), (), ("failed", "satisfied", "failed")),
        (THREE, (swap("disputes/example-dispute-9.yaml", "still published", "sold"),), (outcome(),),
         ("satisfied", "satisfied", "failed")),
        (THREE, (outcome(number=8), swap("disputes/example-dispute-9.yaml", "outcome: upheld", "outcome: maybe")), (),
         ("satisfied", "satisfied", "undecided")),
    ],
)  # fmt: skip
def test_an_outcome_of_another_pull_request(lines: Any, edits: Any, base: Any, expected: Any) -> None:
    """Who publishes an outcome that was not disputed here has the votes cast here; one vote decides one outcome."""
    request = pull(review("maintainer", number=1), comments=said(*lines))
    row = judged("M10", *edits, request=request, base=base)
    assert tuple(state(row, rule) for rule in ("DISP-02", "DISP-03", "DISP-04")) == expected


def test_words_about_differing_counts() -> None:
    """Both counts are told."""
    request = pull(comments=said(OPEN, *THREE), number=NUMBER)
    row = judged("M10", outcome(3, 0), request=request)
    assert message(row, "DISP-04") == (
        "`disputes/example-dispute-9.yaml` says 3 to 0, and the votes here are 2 to 1 (uphold to overturn)"
    )


def test_a_second_round_needs_its_own_outcome() -> None:
    """What was settled before a new head stays published, and the new votes need a file of their own."""
    votes = (("second maintainer", "overturn"), ("third maintainer", "overturn"), ("acceptor", "uphold"))
    second = [(who, f"/vote {choice} As I said.") for who, choice in votes]
    lines = said(OPEN, *THREE), said(("data steward", "/dispute The new text."), *second, start=100)
    request = pull(review("maintainer", minute=150), comments=(*lines[0], *lines[1]), seen_at=at(80), number=NUMBER)
    for edits, held in (((outcome(),), True), ((outcome(), outcome(1, 2, name="example-dispute-10")), False)):
        decision = decided(*edits, request=request)
        assert decision.dispute is not None
        assert (decision.dispute.outcome is None) == held
        assert (decision.state is State.APPROVED) == (not held)


def test_the_vendor_of_a_result_does_not_vote_on_it() -> None:
    """Whom a change measures is read from the change."""
    changed = swap(RESULT, '"reasoning_setting": "default"', '"reasoning_setting": "high"')
    for parties, votes in (([], 1), (["example vendor"], 0)):
        people = roster_with(acceptor={"parties": parties})
        decision = told(OPEN, THREE[2], edits=(changed,), roster=people, ledger=ledger())
        assert decision.dispute.votes == votes
    unknown = told(OPEN, THREE[2], edits=(changed,), roster=roster_with(acceptor={"parties": ["B"]}), ledger=Ledger())
    assert unknown.dispute.votes == 0


# Answers --------------------------------------------------------------------------------------------------------------


def answered(request: Pull, **fields: Any) -> tuple[CommandAnswer, ...]:
    return command_answers(snapshot(NEW_STANDARD, request=request, **fields))


@pytest.mark.parametrize(
    ("who", "body", "accepted", "role", "words"),
    [
        ("reviewer", "/dispute It is wrong.", True, None, "the merge waits"),
        ("newcomer", "/dispute It is wrong.", False, Role.CONTRIBUTOR, "somebody with a role"),
        ("reviewer", "/dispute", False, None, "your reasons on the same line"),
        ("acceptor", "/vote uphold It stands.", False, None, "no dispute is open"),
        ("acceptor", "/vote", False, None, "`/vote uphold` or `/vote overturn`"),
        ("maintainer", f"/confirm {HEAD}", True, None, "holds for this head"),
        ("maintainer", f"/confirm {'0' * 40}", False, None, "another commit than the head"),
        ("reviewer", f"/confirm {HEAD}", False, None, "no approval of yours"),
        ("maintainer", "/confirm", False, None, "all digits"),
        ("newcomer", "/recheck", True, None, "read anew"),
        ("newcomer", "/recheck now", False, None, "alone on its line"),
        ("newcomer", "/explain M3", True, None, "see below"),
        ("newcomer", "/attest separation bm-a@0.1.0 00", False, None, "in the review that approves"),
    ],
)
def test_every_command_is_answered(who: str, body: str, accepted: bool, role: Role | None, words: str) -> None:
    """Accepted ones with what they do, refused ones with the reason, and the role that would be needed."""
    (found,) = answered(pull(review("maintainer"), comments=(comment(who, body),)))
    assert (found.accepted, found.role, found.comment, words in found.why) == (accepted, role, 900, True)


def test_answers_of_a_dispute() -> None:
    """Each vote gets its own answer, in the order given; an edited comment gets one as well."""
    lines = said(
        OPEN, *THREE, ("two roles", "/vote uphold Late."), ("newcomer", "Well.\n/vote uphold A.\n/vote uphold B.")
    )
    edited = replace(comment("maintainer", "/vote uphold It stands.", minute=300, number=2000), edited=True)
    found = answered(pull(review("maintainer"), comments=(*lines, edited)))
    assert [answer.accepted for answer in found] == [True, True, True, True, False, False, False, False]
    assert [answer.role for answer in found] == [None] * 8
    assert "edited" in found[-1].why


def test_one_answer_for_all_that_is_closed() -> None:
    """Want of standing and a measured party are answered in the same words, so neither is told."""
    lines = said(OPEN, ("newcomer", "/vote uphold A."), ("acceptor", "/vote uphold B."))
    people = roster_with(acceptor={"parties": ["Example Vendor"]})
    changed = swap(RESULT, '"reasoning_setting": "default"', '"reasoning_setting": "high"')
    found = command_answers(snapshot(changed, request=pull(comments=lines), roster=people, ledger=ledger()))
    assert [(answer.accepted, answer.role) for answer in found[1:]] == [(False, Role.ACCEPTOR)] * 2
    assert found[1].why == found[2].why


def test_talk_gets_no_answer() -> None:
    """Bots, deleted accounts and unknown words are left alone."""
    bot = replace(comment("acceptor", "/vote uphold It stands."), user=replace(person("acceptor"), type="Bot"))
    gone = replace(comment("acceptor", "/dispute It is wrong."), user=None)
    assert answered(pull(comments=(bot, gone, comment("acceptor", "/deploy now")))) == ()


def test_choices() -> None:
    """The two ways to vote."""
    assert {choice.value for choice in Choice} == {"uphold", "overturn"}


# The table ------------------------------------------------------------------------------------------------------------


def test_the_table_says_who_votes() -> None:
    """The standing of a voter is a reviewed inference; where it is higher, an acceptor's vote does not count."""
    table = snapshot(NEW_STANDARD).policy.table
    assert (table.voter, table.overturned_is_refused) == (Role.ACCEPTOR, True)
    request = pull(comments=said(OPEN, THREE[0], THREE[2]))
    found = proceedings(request, roster_with(), NOBODY, publishes=False, voter=Role.MAINTAINER)
    assert refusals(found) == [None, None, Refusal.NOT_COUNTED]
    shot = snapshot(NEW_STANDARD, request=request)
    strict = replace(shot, policy=replace(shot.policy, table=replace(table, voter=Role.MAINTAINER)))
    assert [(one.accepted, one.role) for one in command_answers(strict)][-1] == (False, Role.MAINTAINER)
    assert {step.who for step in decide(strict).next_steps} == {"maintainer"}


def test_the_table_says_whether_an_overturned_change_is_refused() -> None:
    """Where it does not, the row's own approvals decide once the outcome is published."""
    lines = [(who, "/vote overturn It is withdrawn.") for who, _ in THREE]
    request = pull(review("maintainer", number=1), comments=said(OPEN, *lines), number=NUMBER)
    shot = snapshot(NEW_STANDARD, outcome(0, 3), request=request)
    table = replace(shot.policy.table, overturned_is_refused=False)
    assert decide(shot).state is State.BLOCKED
    assert decide(replace(shot, policy=replace(shot.policy, table=table))).state is State.APPROVED
