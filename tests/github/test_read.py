"""The facts of a pull request from GitHub's answers: whole, or an error."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from medgauge_registrar.github.arrival import Arrival
from medgauge_registrar.github.facts import Reading
from medgauge_registrar.github.read import open_pulls, pull_file, read_arrival, read_pull
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.registry.schemas import shipped_schemas
from medgauge_registrar.sandbox.cast import account
from medgauge_registrar.sandbox.edits import append
from support.fake_github import BOT, NUMBER, REPOSITORY, FakeGitHub, Values, actor, page
from support.snapshots import ARRIVED

README = append("README.md", "\nAn example line.\n")


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> FakeGitHub:
    """One registry for all; no test changes its git."""
    return FakeGitHub(tmp_path_factory.mktemp("registry"), README)


@pytest.fixture
def world(registry: FakeGitHub) -> FakeGitHub:
    """Without anything that was said."""
    registry.comments.clear()
    registry.issues.clear()
    registry.statuses.clear()
    registry.requests.clear()
    registry.faults.clear()
    registry.pulls[NUMBER].reviews.clear()
    registry.pulls[NUMBER].timeline.clear()
    return registry


def read(world: FakeGitHub) -> Reading:
    return read_pull(world.client(), REPOSITORY, NUMBER)


def spoil(world: FakeGitHub, change: Any) -> None:
    """Let a function change the pull request in every answer."""

    def spoilt(name: str, _: str) -> tuple[int, Mapping[str, str], str] | None:
        if name != "Pull":
            return None
        node = world._pull(world.pulls[NUMBER])
        change(node)
        return 200, {}, json.dumps({"data": {"viewer": BOT, "repository": {"pullRequest": node}}})

    world.faults.append(spoilt)


def test_the_facts_keep_the_schema_of_a_pull_file(world: FakeGitHub) -> None:
    """So `decide` takes them as they are."""
    world.review("maintainer")
    world.comment("newcomer", "Hello.")
    reading = read(world)
    assert shipped_schemas().problems("pull", pull_file(reading, Arrival())) == ()
    assert world.requests == ["Pull"]


def test_every_list_is_read_to_its_end(world: FakeGitHub) -> None:
    """A second page of reviews may hold the objection (A10)."""
    later = world.review("maintainer", "CHANGES_REQUESTED")
    world.pulls[NUMBER].reviews.clear()
    first = world.review("reviewer")

    def paged(name: str, _: str) -> tuple[int, Mapping[str, str], str] | None:
        if name != "More":
            return None
        nodes = {"reviews": page([later])}
        return 200, {}, json.dumps({"data": {"repository": {"pullRequest": nodes}}})

    world.faults.append(paged)
    spoil(world, lambda node: node["reviews"].update(pageInfo={"hasNextPage": True, "endCursor": "example"}))
    states = [review["state"] for review in read(world).facts["reviews"]]
    assert states == [first["state"], "CHANGES_REQUESTED"]


def test_a_gap_in_a_list_is_an_error(world: FakeGitHub) -> None:
    """GitHub leaves null where it could not tell; it might be the objection."""
    world.review("maintainer")
    spoil(world, lambda node: node["reviews"]["nodes"].append(None))
    with pytest.raises(ReadError, match="gap"):
        read(world)


def test_deleted_accounts_and_forks_are_null(world: FakeGitHub) -> None:
    """They are said to be unknown, and nothing fails (A9)."""
    world.review("maintainer")["author"] = None
    world.comment("newcomer", "Hello.")["author"] = None

    def gone(node: Values) -> None:
        node.update(author=None, headRepository=None)
        node["commits"]["nodes"][0]["commit"].update(committer=None)

    spoil(world, gone)
    facts = read(world).facts
    assert (facts["author"], facts["head"]["repo"]) == (None, None)
    assert facts["reviews"][0]["user"] is None
    assert facts["comments"][0]["user"] is None
    assert facts["commits"][0]["committer"] is None


def test_authors_beyond_the_first_are_co_authors_and_nobody_is_dropped(world: FakeGitHub) -> None:
    """One without an account is null, which ROLE-23 has to judge."""
    people = [{"user": actor("contributor")}, {"user": None}, {"user": actor("reviewer")}]
    spoil(world, lambda node: node["commits"]["nodes"][0]["commit"].update(authors=page(people)))
    assert read(world).facts["commits"][0]["co_authors"] == [None, account("reviewer")]


def test_too_many_authors_are_an_error(world: FakeGitHub) -> None:
    """One left out could approve the own change."""
    more = {**page([]), "pageInfo": {"hasNextPage": True}}
    spoil(world, lambda node: node["commits"]["nodes"][0]["commit"].update(authors=more))
    with pytest.raises(ReadError, match="too many authors"):
        read(world)


def test_an_address_of_a_bot_is_no_person(world: FakeGitHub) -> None:
    """GitHub shows it as a user whose login says that it is none."""
    bot = {"__typename": "User", "login": "example[bot]", "databaseId": 77}
    spoil(world, lambda node: node["commits"]["nodes"][0]["commit"].update(authors=page([{"user": bot}])))
    assert read(world).facts["commits"][0]["author"]["type"] == "Bot"


def test_ids_beyond_32_bits_are_kept(world: FakeGitHub) -> None:
    """Those of reviews and comments are, by now."""
    world.review("maintainer")
    assert read(world).facts["reviews"][0]["id"] == 3_000_000_000


def test_an_edited_review_attests_nothing(world: FakeGitHub) -> None:
    """Others than its author can edit it (A17); its verdict stands."""
    world.review("maintainer").update(body="/attest separation bm-example@0.1.0 0", lastEditedAt="2026-11-29T12:00:00Z")
    (review,) = read(world).facts["reviews"]
    assert (review["state"], review["body"]) == ("APPROVED", "")


def test_our_own_words_are_no_fact(world: FakeGitHub) -> None:
    """Else every run would change what the next one decides on."""
    before = read(world).facts
    world.comment(BOT, "<!-- medgauge-registrar:comment -->\nHello.")
    reading = read(world)
    assert reading.facts == before
    assert [comment.body for comment in reading.comments] == ["<!-- medgauge-registrar:comment -->\nHello."]


def test_only_issues_of_this_repository_count(world: FakeGitHub) -> None:
    """A request for comment elsewhere was not open here."""
    usual: Values = {
        "title": "Request",
        "body": "",
        "labels": page([]),
        "author": actor("contributor"),
        "createdAt": "2026-11-01T00:00:00Z",
        "lastEditedAt": "2026-11-02T00:00:00Z",
        "state": "OPEN",
    }
    world.issues += [
        {**usual, "number": 3, "repository": {"nameWithOwner": REPOSITORY.upper()}},
        {**usual, "number": 4, "repository": {"nameWithOwner": "example-fork/registry"}},
    ]
    (found,) = read(world).facts["issues"]
    assert (found["number"], found["edited_at"]) == (3, "2026-11-02T00:00:00Z")


def test_a_head_that_moved_while_it_was_read_is_an_error(world: FakeGitHub) -> None:
    """Its commits and its statuses would not belong together."""
    spoil(world, lambda node: node.update(headRefOid="b" * 40))
    with pytest.raises(ReadError, match="moved"):
        read(world)


@pytest.mark.parametrize("field", ["commits", "reviews", "timelineItems", "baseRef", "tip", "isDraft"])
def test_an_answer_of_another_form_is_an_error(world: FakeGitHub, field: str) -> None:
    """Nothing is taken for absent that GitHub should have told."""
    spoil(world, lambda node: node.pop(field))
    with pytest.raises(ReadError):
        read(world)


def test_an_error_beside_data_is_an_error(world: FakeGitHub) -> None:
    """Part of an answer is none."""
    answer = {"data": {"repository": None}, "errors": [{"type": "NOT_FOUND", "message": "Could not resolve"}]}
    world.faults.append(lambda *_: (200, {}, json.dumps(answer)))
    with pytest.raises(ReadError, match="Could not resolve") as caught:
        read(world)
    assert not caught.value.may_pass_later


@pytest.mark.parametrize("status", [403, 404])
def test_a_hidden_list_of_moves_leaves_the_arrival_unknown(world: FakeGitHub, status: int) -> None:
    """It needs `/confirm`; a limit or a failing server is an error instead."""
    reading = read(world)
    world.faults.append(lambda name, _: (status, {}, "{}") if "/activity" in name else None)
    assert read_arrival(world.client(), REPOSITORY, reading) == Arrival()


@pytest.mark.parametrize(
    ("status", "headers"),
    [(500, {}), (429, {}), (403, {"Retry-After": "60"}), (403, {"X-RateLimit-Remaining": "0"}), (422, {})],
)
def test_a_list_of_moves_that_fails_is_an_error(world: FakeGitHub, status: int, headers: Mapping[str, str]) -> None:
    """Nothing is concluded from a limit."""
    reading = read(world)
    world.faults.append(lambda name, _: (status, headers, "{}") if "/activity" in name else None)
    with pytest.raises(ReadError):
        read_arrival(world.client(), REPOSITORY, reading)


def test_open_pull_requests_come_by_number_and_base(world: FakeGitHub) -> None:
    """All of them, or those against one branch."""
    client = world.client()
    assert [pull.number for pull in open_pulls(client, REPOSITORY)] == [NUMBER]
    assert open_pulls(client, REPOSITORY, "next") == ()


def test_moves_come_into_the_pull_file_or_are_said_to_be_unknown(world: FakeGitHub) -> None:
    """Left out they would mean that whoever moved the branch last is the only one."""
    reading = read(world)
    assert pull_file(reading, Arrival())["head"]["moves"] is None
    found = pull_file(reading, read_arrival(world.client(), REPOSITORY, reading))
    assert found["head"]["moves"] == [
        {"by": account("contributor"), "before": "0" * 40, "after": world.pulls[NUMBER].head_sha}
    ]
    assert shipped_schemas().problems("pull", found) == ()


def test_a_full_page_of_moves_may_leave_some_out(world: FakeGitHub) -> None:
    """No second page is read."""
    reading, head = read(world), world.pulls[NUMBER].head_sha
    many = [FakeGitHub.move(head, head, ARRIVED, "contributor") for _ in range(100)]
    for listed, known in ((many, None), (many[1:], 99)):
        listed[-1]["timestamp"] = reading.facts["created_at"]
        answer = (200, {}, json.dumps(listed))
        world.faults[:] = [lambda name, _, answer=answer: answer if "/activity" in name else None]
        moves = read_arrival(world.client(), REPOSITORY, reading).moves
        assert (None if moves is None else len(moves)) == known


def test_the_timeline_tells_who_dismissed_edited_and_deleted(world: FakeGitHub) -> None:
    """Our own comments are no fact, nor is their end."""
    dismissed = world.review("maintainer", "DISMISSED")
    world.review("reviewer", "DISMISSED")
    world.comment("reviewer", "Hello.", edited_at="2026-11-29T12:00:00Z")["editor"] = actor("newcomer")
    world.comment("reviewer", "Hello.")
    event = {"actor": actor("newcomer"), "createdAt": "2026-11-29T12:00:00Z"}
    world.pulls[NUMBER].timeline += [
        {
            **event,
            "__typename": "ReviewDismissedEvent",
            "previousReviewState": "CHANGES_REQUESTED",
            "review": {"fullDatabaseId": dismissed["fullDatabaseId"]},
        },
        {**event, "__typename": "ReviewDismissedEvent", "previousReviewState": "APPROVED", "review": None},
        {**event, "__typename": "CommentDeletedEvent", "deletedCommentAuthor": actor("reviewer")},
        {**event, "__typename": "CommentDeletedEvent", "deletedCommentAuthor": None},
        {**event, "__typename": "CommentDeletedEvent", "deletedCommentAuthor": BOT},
    ]
    reading = read(world)
    first, second = reading.facts["reviews"]
    assert (first["dismissed_state"], first["dismissed_by"]) == ("CHANGES_REQUESTED", account("newcomer"))
    assert "dismissed_state" not in second
    edited, plain = reading.facts["comments"]
    assert (edited["edited_at"], edited["edited_by"]) == ("2026-11-29T12:00:00Z", account("newcomer"))
    assert "edited_at" not in plain
    assert reading.facts["deleted_comments"] == [
        {"user": user, "deleted_at": "2026-11-29T12:00:00Z", "deleted_by": account("newcomer")}
        for user in (account("reviewer"), None)
    ]
    assert shipped_schemas().problems("pull", pull_file(reading, Arrival())) == ()
