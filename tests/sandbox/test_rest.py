"""The REST side of the embedded GitHub behaves as GitHub does where the product depends on it."""

import base64
from datetime import timedelta

import pytest

from medgauge_registrar.model.pull import User
from medgauge_registrar.sandbox.github.world import GitHubSandbox
from support.embedded import AUTHOR, FOUNDER, REVIEWER, Ask

REPO = "/repos/example-organisation/registry"


def test_a_pull_request_is_shown_with_its_counts(world: GitHubSandbox, ask: Ask) -> None:
    shown = ask("GET", f"{REPO}/pulls/1").data
    assert shown["head"]["sha"] == world.registry.pulls[1].head_sha
    assert (shown["commits"], shown["changed_files"], shown["mergeable"]) == (1, 1, True)


def test_a_deleted_fork_leaves_null(world: GitHubSandbox, ask: Ask) -> None:
    """Recorded exchanges of GitHub show null for repository, account and label at once."""
    world.delete_fork("example-fork/registry")
    head = ask("GET", f"{REPO}/pulls/1").data["head"]
    assert (head["repo"], head["user"], head["label"]) == (None, None, None)
    assert head["sha"]
    assert ask("GET", "/repos/example-fork/registry/activity").status == 404


def test_every_page_of_a_list_is_reached_by_its_links(world: GitHubSandbox, ask: Ask) -> None:
    for number in range(5):
        world.comment(1, f"Comment {number}", by=AUTHOR)
    bodies, address = [], f"{REPO}/issues/1/comments?per_page=2"
    while address:
        reply = ask("GET", address)
        bodies += [comment["body"] for comment in reply.data]
        links = dict(reversed(part.split("; ")) for part in reply.headers.get("Link", "").split(", ") if part)
        address = links.get('rel="next"', "").strip("<>")
        assert not address or f"/repositories/{world.registry.id}/" in address
    assert bodies == [f"Comment {number}" for number in range(5)]


@pytest.mark.parametrize("parameters", ["per_page=0", "per_page=none", "per_page=-1", "page=0", "page=x"])
def test_odd_pages_are_the_usual_ones(ask: Ask, parameters: str) -> None:
    assert ask("GET", f"{REPO}/pulls?{parameters}").data == ask("GET", f"{REPO}/pulls").data


def test_a_page_holds_at_most_a_hundred(world: GitHubSandbox, ask: Ask) -> None:
    for number in range(101):
        world.comment(1, f"Comment {number}", by=AUTHOR)
    assert len(ask("GET", f"{REPO}/issues/1/comments?per_page=1000").data) == 100


def test_the_activity_list_says_who_moved_a_branch_and_when(world: GitHubSandbox, ask: Ask) -> None:
    world.now += timedelta(minutes=5)
    head = world.commit({"docs/note.md": b"Another.\n"}, by=AUTHOR, on=world.registry.pulls[1].head_sha)
    world.push(1, head, by=REVIEWER)
    newest, first = ask("GET", "/repos/example-fork/registry/activity?ref=refs/heads/pull-1").data
    assert (newest["after"], newest["actor"]["id"], newest["activity_type"]) == (head, REVIEWER.id, "push")
    assert newest["timestamp"] == "2026-11-29T08:05:00Z"
    assert first["activity_type"] == "branch_creation"


def test_the_activity_list_goes_by_cursor(world: GitHubSandbox, ask: Ask) -> None:
    for number in range(3):
        world.push(1, world.commit({"docs/note.md": b"%d\n" % number}, by=AUTHOR), by=AUTHOR)
    address, seen = "/repos/example-fork/registry/activity?per_page=2", []
    while address:
        reply = ask("GET", address)
        seen += [entry["activity_type"] for entry in reply.data]
        links = [part for part in reply.headers.get("Link", "").split(", ") if 'rel="next"' in part]
        address = links[0].partition(">")[0].strip("<") if links else ""
    assert seen == ["force_push", "force_push", "force_push", "branch_creation"]


def test_a_status_is_set_and_read(world: GitHubSandbox, ask: Ask) -> None:
    head = world.registry.pulls[1].head_sha
    for state in ("pending", "success"):
        made = ask("POST", f"{REPO}/statuses/{head}", {"state": state, "context": "registrar/main"})
        assert made.status == 201
    assert [status["state"] for status in ask("GET", f"{REPO}/commits/{head}/statuses").data] == ["success", "pending"]
    assert ask("GET", f"{REPO}/commits/{head}/status").data["state"] == "success"
    assert [status.state for status in world.statuses(head)] == ["success", "pending"]


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ({"state": "approved"}, "not included"),
        ({"state": "success", "description": "x" * 141}, "140"),
        ({"state": 1}, "state"),
    ],
)
def test_a_status_that_github_would_refuse_is_refused(world: GitHubSandbox, ask: Ask, body: object, word: str) -> None:
    reply = ask("POST", f"{REPO}/statuses/{world.registry.pulls[1].head_sha}", body)
    assert reply.status == 422
    assert word in str(reply.data)


def test_contexts_in_another_letter_case_are_one(world: GitHubSandbox, ask: Ask) -> None:
    """GitHub says of `context` that it is case-insensitive."""
    head = world.registry.pulls[1].head_sha
    for context, state in (("gate: main", "failure"), ("other", "success"), ("Gate: MAIN", "success")):
        ask("POST", f"{REPO}/statuses/{head}", {"state": state, "context": context})
    shown = ask("GET", f"{REPO}/commits/{head}/status").data
    assert (shown["state"], shown["total_count"]) == ("success", 2)


def test_a_commit_and_context_take_a_thousand_statuses(world: GitHubSandbox, ask: Ask) -> None:
    address = f"{REPO}/statuses/{world.registry.pulls[1].head_sha}"
    ask("POST", address, {"state": "pending", "context": "full"})
    kept = world.registry.statuses[world.registry.pulls[1].head_sha]
    kept += kept * 999
    for context in ("full", "FULL"):
        assert ask("POST", address, {"state": "success", "context": context}).status == 422
    assert ask("POST", address, {"state": "success", "context": "other"}).status == 201


def test_comments_are_written_edited_and_deleted(world: GitHubSandbox, ask: Ask) -> None:
    made = ask("POST", f"{REPO}/issues/1/comments", {"body": "Words"}).data
    assert made["user"]["login"] == "github-actions[bot]"
    assert ask("PATCH", f"{REPO}/issues/comments/{made['id']}", {"body": "Other words"}).data["body"] == "Other words"
    assert world.comments(1)[0].edited_at is not None
    assert ask("DELETE", f"{REPO}/issues/comments/{made['id']}").status == 204
    assert world.comments(1) == ()


@pytest.mark.parametrize("body", ["", "x" * 65_537])
def test_an_empty_and_an_overlong_comment_are_refused(ask: Ask, body: str) -> None:
    assert ask("POST", f"{REPO}/issues/1/comments", {"body": body}).status == 422


def test_the_same_reaction_twice_is_one(world: GitHubSandbox, ask: Ask) -> None:
    comment = world.comment(1, "/recheck", by=AUTHOR)
    address = f"{REPO}/issues/comments/{comment.id}/reactions"
    assert [ask("POST", address, {"content": "+1"}).status for _ in range(2)] == [201, 200]
    assert len(comment.reactions) == 1


def test_fifty_annotations_at_once_and_no_more(world: GitHubSandbox, ask: Ask) -> None:
    head = world.registry.pulls[1].head_sha
    made = ask("POST", f"{REPO}/check-runs", {"name": "registrar", "head_sha": head, "status": "in_progress"}).data
    one = {"path": "a", "start_line": 1, "end_line": 1, "annotation_level": "failure", "message": "m"}
    address = f"{REPO}/check-runs/{made['id']}"
    output = {"title": "t", "summary": "s", "annotations": [one] * 50}
    for _ in range(2):
        assert ask("PATCH", address, {"output": output}).data["output"]["annotations_count"] % 50 == 0
    assert ask("PATCH", address, {"output": output | {"annotations": [one] * 51}}).status == 422
    assert ask("PATCH", address, {"conclusion": "failure"}).data["status"] == "completed"
    assert len(world.registry.check_runs[made["id"]].annotations) == 100


def test_a_note_is_made_through_the_git_data_interface(world: GitHubSandbox, ask: Ask) -> None:
    head = world.registry.pulls[1].head_sha
    blob = ask("POST", f"{REPO}/git/blobs", {"content": base64.b64encode(b"{}").decode(), "encoding": "base64"}).data
    entry = {"path": f"{head[:2]}/{head[2:]}", "mode": "100644", "type": "blob", "sha": blob["sha"]}
    tree = ask("POST", f"{REPO}/git/trees", {"tree": [entry]}).data
    commit = ask("POST", f"{REPO}/git/commits", {"message": "A note", "tree": tree["sha"], "parents": []}).data
    assert commit["verification"]["verified"] is True
    assert ask("POST", f"{REPO}/git/refs", {"ref": "refs/notes/registrar", "sha": commit["sha"]}).status == 201
    assert world.notes() == {head: b"{}"}
    again = ask("POST", f"{REPO}/git/commits", {"message": "Apart", "tree": tree["sha"], "parents": []}).data
    moved = ask("PATCH", f"{REPO}/git/refs/notes/registrar", {"sha": again["sha"]})
    assert (moved.status, moved.data["message"]) == (422, "Update is not a fast forward")


def test_a_commit_that_names_its_author_is_not_signed(ask: Ask, world: GitHubSandbox) -> None:
    tree = world.registry.store.commit(world.sha("main")).tree
    author = {"name": "Somebody", "email": "somebody@example.org", "date": "2026-11-29T08:00:00Z"}
    made = ask("POST", f"{REPO}/git/commits", {"message": "m", "tree": tree, "parents": [], "author": author}).data
    assert made["verification"]["verified"] is False


def test_contents_of_a_file_a_folder_and_what_is_not_there(ask: Ask) -> None:
    assert base64.b64decode(ask("GET", f"{REPO}/contents/README.md").data["content"]) == b"An example.\n"
    assert ask("GET", f"{REPO}/contents/docs/note.md?ref=refs/pull/1/head").data["type"] == "file"
    assert [item["name"] for item in ask("GET", f"{REPO}/contents/docs?ref=refs/pull/1/head").data] == ["note.md"]
    assert ask("GET", f"{REPO}/contents/docs/note.md").status == 404


def test_a_token_does_no_more_than_it_may(world: GitHubSandbox, ask: Ask) -> None:
    token = world.add_token(AUTHOR, permissions={"contents": "read", "statuses": "read"}).value
    head = world.registry.pulls[1].head_sha
    reply = ask("POST", f"{REPO}/statuses/{head}", {"state": "success"}, token=token)
    assert (reply.status, reply.data["message"]) == (403, "Resource not accessible by integration")
    assert world.statuses(head) == ()


def test_a_private_repository_is_not_there_for_others(world: GitHubSandbox, ask: Ask) -> None:
    world.host("example-organisation/closed", private=True)
    outside = world.add_token(AUTHOR, repositories=()).value
    assert ask("GET", "/repos/example-organisation/closed", token=outside).status == 404
    assert ask("GET", "/repos/example-organisation/closed").status == 200


def test_an_expired_token_is_no_token(world: GitHubSandbox, ask: Ask) -> None:
    token = world.add_token(AUTHOR, expires_at=world.now + timedelta(hours=1)).value
    assert ask("GET", REPO, token=token).status == 200
    world.now += timedelta(hours=1)
    assert (ask("GET", REPO, token=token).status, ask("GET", REPO, token="wrong").status) == (401, 401)


def test_an_unchanged_answer_comes_once(world: GitHubSandbox, ask: Ask) -> None:
    tag = ask("GET", f"{REPO}/pulls").headers["ETag"]
    assert ask("GET", f"{REPO}/pulls", headers={"If-None-Match": tag}).status == 304
    world.comment(1, "Something new", by=AUTHOR)
    world.registry.pulls[1].title = "Another title"
    assert ask("GET", f"{REPO}/pulls", headers={"If-None-Match": tag}).status == 200


def test_requests_run_out(world: GitHubSandbox, ask: Ask) -> None:
    world.rate_limit.used = world.rate_limit.limit - 1
    assert ask("GET", REPO).headers["X-RateLimit-Remaining"] == "0"
    refused = ask("GET", REPO)
    assert (refused.status, refused.headers["X-RateLimit-Remaining"]) == (403, "0")
    assert "API rate limit exceeded" in refused.data["message"]
    assert ask("GET", "/rate_limit").data["rate"]["remaining"] == 0


def test_a_team_counts_the_members_of_the_teams_below_it(world: GitHubSandbox, ask: Ask) -> None:
    world.add_team("maintainers", [FOUNDER])
    world.add_team("new-maintainers", [REVIEWER], parent="maintainers")
    logins = [member["login"] for member in ask("GET", "/orgs/example-organisation/teams/maintainers/members").data]
    assert logins == [FOUNDER.login, REVIEWER.login]
    team = ask("GET", "/orgs/example-organisation/teams/maintainers").data
    assert ask("GET", f"{team['url']}/memberships/{REVIEWER.login}").data["state"] == "active"
    assert ask("GET", f"{team['url']}/memberships/{AUTHOR.login}").status == 404
    outside = world.add_token(
        User(id=1, login="example-passer-by", type="User"), permissions={"contents": "read"}
    ).value
    assert ask("GET", "/orgs/example-organisation/teams/maintainers/members", token=outside).status == 403


def test_what_is_not_there_is_not_found(ask: Ask) -> None:
    assert [ask("GET", f"{REPO}{path}").status for path in ("/pulls/2", "/nothing", "/issues/9/comments")] == [404] * 3


def test_pages_for_people_run_nothing(world: GitHubSandbox, ask: Ask) -> None:
    world.comment(1, "**Bold** <script>alert(1)</script>", by=AUTHOR)
    page = ask("GET", f"{world.server_url}/example-organisation/registry/pull/1")
    assert "<strong>Bold</strong>" in page.data.decode()
    assert page.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert "An example change" in ask("GET", f"{world.server_url}/").data.decode()
