"""Each account has one opinion, and every other review is set aside with a reason."""

import random

import pytest

from medgauge_registrar.model.decision import SetAside
from medgauge_registrar.model.pull import Move, Pull, Review, ReviewState
from medgauge_registrar.requirements.opinions import Opinions, collect_opinions
from requirements.build import AUTHOR, BOT, HEAD, OLD, START, at, comment, commit, move, pull, review, user

APPROVED, CHANGES, DISMISSED = ReviewState.APPROVED, ReviewState.CHANGES_REQUESTED, ReviewState.DISMISSED
EQUAL = "c3" * 20
CONFIRM = f"/confirm {HEAD}"


def approvals(opinions: Opinions) -> list[int]:
    return [approval.review for approval in opinions.approvals]


def objections(opinions: Opinions) -> list[int]:
    return [objection.review for objection in opinions.objections]


def reasons(opinions: Opinions) -> dict[int, SetAside]:
    return {aside.review: aside.reason for aside in opinions.set_aside}


def collect(*reviews: Review, **changes: object) -> Opinions:
    return collect_opinions(pull(*reviews, **changes), HEAD)


@pytest.mark.parametrize(
    ("states", "approved", "objected", "aside"),
    [
        ([APPROVED], [1], [], {}),
        ([APPROVED, ReviewState.COMMENTED], [1], [], {}),
        ([APPROVED, ReviewState.PENDING], [1], [], {}),
        ([CHANGES, ReviewState.COMMENTED], [], [1], {}),
        ([APPROVED, CHANGES], [], [2], {1: SetAside.SUPERSEDED}),
        ([CHANGES, APPROVED], [2], [], {1: SetAside.SUPERSEDED}),
        ([APPROVED, APPROVED], [2], [], {1: SetAside.SUPERSEDED}),
        ([DISMISSED], [], [], {1: SetAside.DISMISSED}),
        ([APPROVED, DISMISSED], [], [], {1: SetAside.SUPERSEDED, 2: SetAside.DISMISSED}),
        ([CHANGES, DISMISSED], [], [], {1: SetAside.SUPERSEDED, 2: SetAside.DISMISSED}),
        ([DISMISSED, APPROVED], [2], [], {1: SetAside.SUPERSEDED}),
        ([ReviewState.COMMENTED, ReviewState.PENDING], [], [], {}),
    ],
)
def test_latest_opinion(
    states: list[ReviewState], approved: list[int], objected: list[int], aside: dict[int, SetAside]
) -> None:
    """The latest opinion of an account stands, and talk changes nothing."""
    opinions = collect(*(review(place, 5, state, minute=place) for place, state in enumerate(states, start=1)))
    assert (approvals(opinions), objections(opinions), reasons(opinions)) == (approved, objected, aside)


def test_time_goes_before_id_and_id_decides_a_tie() -> None:
    """A draft review gets its id long before it is submitted."""
    assert approvals(collect(review(1, 5, APPROVED, minute=20), review(2, 5, CHANGES, minute=10))) == [1]
    assert objections(collect(review(1, 5, APPROVED, minute=10), review(2, 5, CHANGES, minute=10))) == [2]


@pytest.mark.parametrize(
    ("other", "standing"), [(CHANGES, []), (DISMISSED, []), (APPROVED, [3])], ids=["changes", "dismissed", "approved"]
)
def test_unknown_time_holds_back(other: ReviewState, standing: list[int]) -> None:
    """Where the order is unknown, the opinion that holds the merge back most is taken."""
    opinions = collect(review(1, 5, other, minute=None), review(3, 5, APPROVED))
    assert approvals(opinions) == standing
    assert objections(opinions) == ([1] if other is CHANGES else [])
    lonely = collect(review(1, 5, other, minute=None))
    assert approvals(lonely) == []
    assert objections(lonely) == ([1] if other is CHANGES else [])
    elsewhere = collect(review(1, 5, APPROVED, minute=None, commit=OLD), comments=(comment(1, 5, CONFIRM),))
    assert reasons(elsewhere) == {1: SetAside.NOT_ON_HEAD}


@pytest.mark.parametrize(
    ("commit_sha", "minute", "reason"),
    [
        (HEAD, 10, None),
        (HEAD, 0, None),
        (HEAD, -1, SetAside.BEFORE_HEAD),
        (OLD, 10, SetAside.NOT_ON_HEAD),
        (OLD, -1, SetAside.NOT_ON_HEAD),
        (None, 10, SetAside.NOT_ON_HEAD),
        (HEAD[:12], 10, SetAside.NOT_ON_HEAD),
    ],
)
def test_freshness(commit_sha: str | None, minute: int, reason: SetAside | None) -> None:
    """A review counts if it names the head and came when the head was here."""
    opinions = collect(review(1, 5, commit=commit_sha, minute=minute))
    assert reasons(opinions) == ({} if reason is None else {1: reason})
    assert approvals(opinions) == ([1] if reason is None else [])


def test_unknown_arrival_makes_nothing_fresh() -> None:
    """Without `seen_at` only a confirmation helps, and it has to come after the review."""
    given = review(1, 5, minute=10)
    assert reasons(collect(given, seen_at=None)) == {1: SetAside.BEFORE_HEAD}
    late, early = comment(1, 5, CONFIRM, minute=11), comment(1, 5, CONFIRM, minute=10)
    assert approvals(collect(given, seen_at=None, comments=(late,))) == [1]
    assert approvals(collect(given, seen_at=None, comments=(early,))) == []


@pytest.mark.parametrize(
    ("body", "options", "counts"),
    [
        (CONFIRM, {}, True),
        (f"I looked again.\n\n{CONFIRM}\n", {}, True),
        (CONFIRM, {"minute": 0}, True),
        (CONFIRM, {"minute": -1}, False),
        (CONFIRM, {"edited": True}, False),
        (f"/confirm {OLD}", {}, False),
        (f"/confirm {HEAD[:12]}", {}, False),
        (f"/confirm {HEAD[:-1]}", {}, False),
        (f"/confirm {HEAD.upper()}", {}, False),
        (f"/confirm {HEAD} please", {}, False),
        (f"> {CONFIRM}", {}, False),
        (f"I say {CONFIRM}", {}, False),
        (f"```\n{CONFIRM}\n```", {}, False),
    ],
)
def test_confirmation(body: str, options: dict[str, object], counts: bool) -> None:
    """`/confirm` with all digits of the head, after its arrival and unedited, renews the account's own approval."""
    old = review(1, 5, commit=OLD, minute=-50)
    opinions = collect(old, comments=(comment(1, 5, body, **options),))  # type: ignore[arg-type]  # comment's options
    assert approvals(opinions) == ([1] if counts else [])
    assert reasons(opinions) == ({} if counts else {1: SetAside.NOT_ON_HEAD})


def test_confirmation_renews_nobody_elses_review() -> None:
    """Nor does a bot's, a deleted account's, or one that only shares the login."""
    old = review(1, 5, commit=OLD, minute=-50)
    for who in (user(6), user(6, login="example-person-5"), user(5, kind="Bot"), None):
        assert approvals(collect(old, comments=(comment(1, who, CONFIRM),))) == []


@pytest.mark.parametrize("state", [CHANGES, DISMISSED, ReviewState.COMMENTED])
def test_confirmation_needs_a_standing_approval(state: ReviewState) -> None:
    """It renews what stands, and neither makes nor revives an approval."""
    talk = (comment(1, 5, CONFIRM, minute=30),)
    assert approvals(collect(comments=talk)) == []
    assert approvals(collect(review(1, 5, state), comments=talk)) == []
    before = review(1, 5, APPROVED, commit=OLD, minute=-50)
    after = review(2, 5, state, commit=OLD, minute=-40)
    assert approvals(collect(before, after, comments=talk)) == ([1] if state is ReviewState.COMMENTED else [])


def test_confirmation_comes_after_what_it_renews() -> None:
    """An approval of an old commit, given after the confirmation, is not renewed by it."""
    later = review(1, 5, commit=OLD, minute=30)
    assert approvals(collect(later, comments=(comment(1, 5, CONFIRM, minute=20),))) == []
    assert approvals(collect(later, comments=(comment(1, 5, CONFIRM, minute=40),))) == [1]


def test_confirmation_names_64_digits_where_the_head_has_64() -> None:
    """Repositories with SHA-256 have longer names; a name that is cut short proves nothing."""
    long = "d4" * 32
    given = pull(review(1, 5, commit=OLD, minute=-50), comments=(comment(1, 5, f"/confirm {long}"),))
    assert approvals(collect_opinions(given, long)) == [1]
    given = pull(review(1, 5, commit=OLD, minute=-50), comments=(comment(1, 5, f"/confirm {HEAD[:12]}"),))
    assert approvals(collect_opinions(given, HEAD[:12])) == []


def test_update_from_base_keeps_approvals() -> None:
    """A review on an equivalent head counts, whenever the present head arrived; on any other it does not."""
    given = pull(review(1, 5, commit=EQUAL, minute=-50), review(2, 6, commit=OLD, minute=-50), seen_at=None)
    opinions = collect_opinions(given, HEAD, equivalent_heads=frozenset({EQUAL}))
    assert approvals(opinions) == [1]
    assert reasons(opinions) == {2: SetAside.NOT_ON_HEAD}
    assert approvals(collect_opinions(given, HEAD)) == []


def test_a_head_is_not_its_own_equivalent() -> None:
    """Naming the head itself as equivalent does not excuse a review from having come after it."""
    given = pull(review(1, 5, minute=-1))
    assert reasons(collect_opinions(given, HEAD, equivalent_heads=frozenset({HEAD}))) == {1: SetAside.BEFORE_HEAD}


@pytest.mark.parametrize("commit_sha", [EQUAL, HEAD])
@pytest.mark.parametrize(("minute", "counts"), [(-60, False), (-30, True), (-20, True)])
def test_known_age_of_the_content_decides(commit_sha: str, minute: int, counts: bool) -> None:
    """Where it is known since when the content is the same, it bounds reviews on equivalent heads and moved ones."""
    opinions = collect_opinions(
        pull(review(1, 5, commit=commit_sha, minute=minute)),
        HEAD,
        equivalent_heads=frozenset({EQUAL}),
        unchanged_since=at(-30),
    )
    assert reasons(opinions) == ({} if counts else {1: SetAside.BEFORE_HEAD})


def test_clean_merge_of_the_base_makes_nobody_an_author() -> None:
    """The person who pressed the button keeps their approval, unless they pushed the head; others named there too."""
    merge = commit("ee" * 20, author=5, committer=None, co_authors=[6])
    given = pull(review(1, 5), review(2, 6), commits=(commit(), merge))
    assert reasons(collect_opinions(given, HEAD)) == {1: SetAside.AUTHOR, 2: SetAside.CO_AUTHOR}
    clean = collect_opinions(given, HEAD, updates_from_base={merge.sha: HEAD})
    assert approvals(clean) == [1, 2]
    assert clean.unknown_commit_accounts == ()
    pushed = pull(review(1, 5), commits=(commit(), merge), pushed_by=user(5))
    opinions = collect_opinions(pushed, HEAD, updates_from_base={merge.sha: HEAD})
    assert reasons(opinions) == {1: SetAside.PUSHER}


def test_everybody_who_moved_the_branch_is_excluded() -> None:
    """Names on commits are anybody's word; who moved the branch is the server's, and a later push takes nothing back."""
    moves = (move(AUTHOR, OLD, HEAD), move(5, EQUAL, OLD), move(AUTHOR, "0" * 40, EQUAL))
    opinions = collect(review(1, 5), review(2, 6), moves=moves)
    assert reasons(opinions) == {1: SetAside.PUSHER}
    assert approvals(opinions) == [2]


@pytest.mark.parametrize(
    ("moves", "pushed_by", "excluded"),
    [
        ((move(5, OLD, HEAD), move(AUTHOR, EQUAL, OLD)), 5, False),
        ((move(5, EQUAL, HEAD), move(AUTHOR, "0" * 40, EQUAL)), 5, True),
        ((move(5, OLD, HEAD), move(5, EQUAL, OLD)), 5, True),
        ((move(AUTHOR, OLD, HEAD),), 5, True),
        (None, 5, True),
        ((), 5, True),
    ],
    ids=["update", "from elsewhere", "more than an update", "moves of others", "a gap", "not told"],
)
def test_whoever_only_merged_the_base_into_the_branch_pushed_nothing(
    moves: tuple[Move, ...] | None, pushed_by: int, excluded: bool
) -> None:
    """The move has to begin at the very head that the proved merge was made on, or more may have come with it."""
    given = pull(review(1, 5), moves=moves, pushed_by=user(pushed_by))
    opinions = collect_opinions(given, HEAD, updates_from_base={HEAD: OLD})
    assert reasons(opinions) == ({1: SetAside.PUSHER} if excluded else {})


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"author": user(5)}, SetAside.AUTHOR),
        ({"commits": (commit(author=5),)}, SetAside.AUTHOR),
        ({"commits": (commit(committer=5),)}, SetAside.COMMITTER),
        ({"commits": (commit(), commit(OLD, co_authors=[None, 5]))}, SetAside.CO_AUTHOR),
        ({"pushed_by": user(5)}, SetAside.PUSHER),
        ({"author": BOT, "triggered_by": user(5)}, SetAside.TRIGGERER),
        ({"commits": (commit(author=2, committer=5, co_authors=[5]),), "pushed_by": user(5)}, SetAside.COMMITTER),
    ],
)
def test_excluded_accounts(changes: dict[str, object], reason: SetAside) -> None:
    """Whoever made or moved the change approves nothing; whoever did not, does."""
    opinions = collect(review(1, 5), review(2, 6), **changes)
    assert reasons(opinions) == {1: reason}
    assert approvals(opinions) == [2]


def test_exclusion_is_by_id_alone() -> None:
    """Another account with the author's login is not the author; the author under another login is."""
    other = review(1, user(5, login="example-person-1"))
    renamed = review(2, user(AUTHOR, login="somebody-else"))
    opinions = collect(other, renamed)
    assert approvals(opinions) == [1]
    assert reasons(opinions) == {2: SetAside.AUTHOR}


def test_objections_hold_whatever_the_head() -> None:
    """A new head does not take back what somebody asked for."""
    assert objections(collect(review(1, 5, CHANGES, commit=OLD, minute=-50))) == [1]
    assert objections(collect(review(1, 5, CHANGES, commit=None, minute=-50), seen_at=None)) == [1]


@pytest.mark.parametrize(
    ("before", "by", "objects"),
    [
        (CHANGES, 9, True),
        (CHANGES, AUTHOR, True),
        (CHANGES, None, True),
        (CHANGES, 5, False),
        (APPROVED, 9, False),
        (APPROVED, 5, False),
    ],
)
def test_nobody_takes_back_the_objection_of_another(before: ReviewState, by: int | None, objects: bool) -> None:
    """Whoever may write can dismiss a review; an approval is void by that, and an objection is not."""
    dismissed = review(1, 5, DISMISSED, dismissed=(before, by))
    opinions = collect(dismissed)
    assert objections(opinions) == ([1] if objects else [])
    assert approvals(opinions) == []
    assert reasons(opinions) == ({} if objects else {1: SetAside.DISMISSED})
    unordered = collect(review(2, 5, APPROVED), review(1, 5, DISMISSED, minute=None, dismissed=(before, by)))
    assert objections(unordered) == ([1] if objects else [])


def test_a_dismissed_objection_ends_when_its_reviewer_reviews_again() -> None:
    """The latest opinion of an account stands; and what was dismissed before it was objected is over."""
    dismissed = review(1, 5, DISMISSED, dismissed=(CHANGES, 9))
    assert approvals(collect(dismissed, review(2, 5, APPROVED, minute=20))) == [2]
    assert objections(collect(dismissed, review(2, 5, DISMISSED, minute=20, dismissed=(APPROVED, 9)))) == []
    assert objections(collect(dismissed, review(2, 5, CHANGES, minute=20))) == [2]


def test_whoever_opened_the_pull_request_does_not_object_to_it() -> None:
    """They can close it; but a name in a commit, which anybody can put there, silences nobody."""
    assert reasons(collect(review(1, AUTHOR, CHANGES))) == {1: SetAside.AUTHOR}
    behind = collect(review(1, 5, CHANGES), author=BOT, triggered_by=user(5))
    assert reasons(behind) == {1: SetAside.TRIGGERER}
    forged = commit(author=5, committer=5, co_authors=[5])
    assert objections(collect(review(1, 5, CHANGES), commits=(forged,), pushed_by=user(5))) == [1]


@pytest.mark.parametrize("state", [APPROVED, CHANGES, DISMISSED])
def test_bots_and_deleted_accounts(state: ReviewState) -> None:
    """Neither has an opinion, and both are listed."""
    opinions = collect(review(1, BOT, state), review(2, None, state), review(3, user(8, kind="Mannequin"), state))
    assert (approvals(opinions), objections(opinions)) == ([], [])
    assert reasons(opinions) == {1: SetAside.BOT, 2: SetAside.NO_ACCOUNT, 3: SetAside.BOT}


def test_nobody_is_known() -> None:
    """A deleted author, no pusher and commits of nobody: reviews still count, and the commits are named."""
    nobody = (commit("f2" * 20, author=None), commit("f1" * 20, committer=None), commit(OLD, co_authors=[None]))
    opinions = collect(review(1, 5), author=None, pushed_by=None, commits=(*nobody, commit()))
    assert approvals(opinions) == [1]
    assert opinions.unknown_commit_accounts == (OLD, "f1" * 20, "f2" * 20)


def test_githubs_own_committer_excludes_nobody_else() -> None:
    """A commit made on GitHub's pages names its committer, so its people are known."""
    opinions = collect(review(1, 5), commits=(commit(committer=19_864_447),))
    assert approvals(opinions) == [1]
    assert opinions.unknown_commit_accounts == ()


def test_account_goes_before_order_and_order_before_content() -> None:
    """Of several reasons the one that no new review would cure is given."""
    opinions = collect(
        review(1, AUTHOR, APPROVED, commit=OLD, minute=-50),
        review(2, AUTHOR, APPROVED, commit=OLD, minute=-40),
        review(3, 5, APPROVED, commit=OLD, minute=-50),
        review(4, 5, DISMISSED, commit=OLD, minute=-40),
        review(5, 6, APPROVED, commit=OLD, minute=-40),
    )
    assert reasons(opinions) == {
        1: SetAside.AUTHOR,
        2: SetAside.AUTHOR,
        3: SetAside.SUPERSEDED,
        4: SetAside.DISMISSED,
        5: SetAside.NOT_ON_HEAD,
    }


def test_a_review_listed_twice_is_one_review() -> None:
    """Pages of a growing list overlap."""
    opinions = collect(review(1, 5), review(1, 5))
    assert approvals(opinions) == [1]
    assert reasons(opinions) == {}


def random_pull(chance: random.Random) -> Pull:
    """Many reviews and comments by few people, in every state and on every head."""
    who = [AUTHOR, 2, 3, 4, BOT, None]
    return pull(
        *(
            review(
                number,
                chance.choice(who),
                chance.choice(list(ReviewState)),
                commit=chance.choice([HEAD, HEAD, OLD, EQUAL, None]),
                minute=chance.choice([None, -50, -10, 0, 5, 10, 10]),
            )
            for number in range(chance.randint(0, 8))
        ),
        comments=tuple(
            comment(
                number,
                chance.choice(who),
                chance.choice([CONFIRM, f"/confirm {OLD}"]),
                minute=chance.choice([-20, 0, 20]),
                edited=chance.random() < 0.2,
            )
            for number in range(chance.randint(0, 4))
        ),
        seen_at=chance.choice([START, START, None]),
        commits=(commit(), commit(OLD, author=None, co_authors=[chance.choice([2, 9])])),
    )


def test_order_never_matters_and_every_opinion_is_accounted_for() -> None:
    """Reviews, comments and commits in any order give the same; each opinion is counted or set aside, once."""
    chance = random.Random(21)
    for _ in range(1_500):
        given = random_pull(chance)
        opinions = collect_opinions(given, HEAD, equivalent_heads=frozenset({EQUAL}))
        mixed = pull(
            *chance.sample(given.reviews, len(given.reviews)),
            comments=tuple(chance.sample(given.comments, len(given.comments))),
            seen_at=given.seen_at,
            commits=tuple(reversed(given.commits)),
        )
        assert collect_opinions(mixed, HEAD, equivalent_heads=frozenset({EQUAL})) == opinions
        counted = [*approvals(opinions), *objections(opinions), *(aside.review for aside in opinions.set_aside)]
        assert sorted(counted) == [entry.id for entry in given.reviews if entry.state in {APPROVED, CHANGES, DISMISSED}]
        speakers = [opinion.user.id for opinion in (*opinions.approvals, *opinions.objections)]
        assert len(set(speakers)) == len(speakers)
