"""The GraphQL side of the embedded GitHub: one world with REST, and GitHub's own refusals."""

from collections.abc import Callable
from typing import Any

import pytest
from graphql import GraphQLObjectType, GraphQLUnionType, get_named_type, is_leaf_type, is_non_null_type

from medgauge_registrar.model.pull import User
from medgauge_registrar.sandbox.github.graphql import schema
from medgauge_registrar.sandbox.github.world import GitHubSandbox
from support.embedded import AUTHOR, FOUNDER, REVIEWER, Ask

Query = Callable[..., Any]


def of_pull(fields: str) -> str:
    """What to ask for fields of the pull request."""
    return f'repository(owner: "example-organisation", name: "registry") {{ pullRequest(number: 1) {{ {fields} }} }}'


def pull_of(answer: Any) -> Any:
    assert "errors" not in answer, answer["errors"]
    return answer["data"]["repository"]["pullRequest"]


def test_a_pull_request_with_all_that_hangs_on_it(world: GitHubSandbox, query: Query) -> None:
    world.review(1, by=REVIEWER, body="Fine.")
    world.comment(1, "/recheck", by=AUTHOR)
    shown = pull_of(
        query(
            "{ "
            + of_pull("""
              state headRefOid author { login } headRepository { nameWithOwner } mergeable
              commits(first: 100) { nodes { commit { oid parents(first: 2) { nodes { oid } } } } }
              reviews(first: 100) { nodes { fullDatabaseId state author { login } commit { oid } submittedAt } }
              comments(first: 100) { nodes { fullDatabaseId body lastEditedAt author { __typename login } } }
            """)
            + " }"
        )
    )
    head = world.registry.pulls[1].head_sha
    assert (shown["state"], shown["headRefOid"], shown["mergeable"]) == ("OPEN", head, "MERGEABLE")
    assert shown["commits"]["nodes"] == [{"commit": {"oid": head, "parents": {"nodes": [{"oid": world.sha("main")}]}}}]
    (review,) = shown["reviews"]["nodes"]
    assert (review["state"], review["author"]["login"], review["commit"]["oid"]) == ("APPROVED", REVIEWER.login, head)
    (comment,) = shown["comments"]["nodes"]
    assert (comment["body"], comment["lastEditedAt"], comment["author"]["__typename"]) == ("/recheck", None, "User")


def test_an_edited_issue_says_when(world: GitHubSandbox, query: Query) -> None:
    issue = world.add_issue("Request", "One.", by=AUTHOR)
    world.registry.pulls[1].closing_issues = (issue.number,)
    wanted = "{ " + of_pull("closingIssuesReferences(first: 1) { nodes { body lastEditedAt } }") + " }"
    (before,) = pull_of(query(wanted))["closingIssuesReferences"]["nodes"]
    world.edit_issue(issue.number, "Two.", at=world.now)
    (after,) = pull_of(query(wanted))["closingIssuesReferences"]["nodes"]
    assert (before["body"], before["lastEditedAt"]) == ("One.", None)
    assert (after["body"], after["lastEditedAt"]) == ("Two.", world.now.strftime("%Y-%m-%dT%H:%M:%SZ"))


def test_authors_are_the_accounts_of_addresses_and_trailers(world: GitHubSandbox, query: Query) -> None:
    stranger = User(id=9999, login="example-stranger", type="User")
    head = world.commit({"a.md": b"1\n"}, by=AUTHOR, co_authors=[REVIEWER, stranger])
    del world.users[stranger.id]
    world.push(1, head, by=AUTHOR)
    shown = pull_of(
        query(
            "{ "
            + of_pull("commits(first: 1) { nodes { commit { authors(first: 9) { nodes { user { login } } } } } }")
            + "}"
        )
    )
    (commit,) = shown["commits"]["nodes"]
    people = [node["user"] and node["user"]["login"] for node in commit["commit"]["authors"]["nodes"]]
    assert people == [AUTHOR.login, REVIEWER.login, None]


def test_a_bot_has_one_name_here_and_another_there(world: GitHubSandbox, query: Query, ask: Ask) -> None:
    ask("POST", "/repos/example-organisation/registry/issues/1/comments", {"body": "Words"})
    answer = query(
        "{ viewer { login databaseId } "
        + of_pull("comments(first: 1) { nodes { author { __typename login ... on Bot { databaseId } } } }")
        + "}"
    )
    (comment,) = pull_of(answer)["comments"]["nodes"]
    assert comment["author"] == {"__typename": "Bot", "login": "github-actions", "databaseId": 41898282}
    assert answer["data"]["viewer"] == {"login": "github-actions[bot]", "databaseId": 41898282}


def test_a_force_push_is_told_and_may_move_reviews(world: GitHubSandbox, query: Query) -> None:
    before = world.registry.pulls[1].head_sha
    world.review(1, by=REVIEWER)
    after = world.commit({"docs/note.md": b"Something else.\n"}, by=AUTHOR)
    world.push(1, after, by=AUTHOR, moves_reviews=True)
    shown = pull_of(
        query(
            "{ "
            + of_pull("""
              reviews(first: 9) { nodes { commit { oid } } }
              timelineItems(first: 9, itemTypes: [HEAD_REF_FORCE_PUSHED_EVENT]) {
                nodes { ... on HeadRefForcePushedEvent { actor { login } beforeCommit { oid } afterCommit { oid } } }
              }
            """)
            + "}"
        )
    )
    assert shown["reviews"]["nodes"] == [{"commit": {"oid": after}}]
    (event,) = shown["timelineItems"]["nodes"]
    assert (event["beforeCommit"]["oid"], event["afterCommit"]["oid"]) == (before, after)


def test_what_is_deleted_is_null(world: GitHubSandbox, query: Query) -> None:
    world.review(1, by=REVIEWER)
    world.delete_fork("example-fork/registry")
    world.delete_account(REVIEWER)
    shown = pull_of(
        query(
            "{ "
            + of_pull("headRepository { name } headRef { name } reviews(first: 1) { nodes { author { login } } }")
            + "}"
        )
    )
    assert shown == {"headRepository": None, "headRef": None, "reviews": {"nodes": [{"author": None}]}}


def test_lists_are_read_page_by_page(world: GitHubSandbox, query: Query) -> None:
    for number in range(5):
        world.comment(1, f"{number}", by=AUTHOR)
    text = (
        "query($after: String) { "
        + of_pull("comments(first: 2, after: $after) { totalCount nodes { body } pageInfo { hasNextPage endCursor } }")
        + "}"
    )
    bodies, after = [], None
    while True:
        page = pull_of(query(text, after=after))["comments"]
        bodies += [node["body"] for node in page["nodes"]]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
    assert bodies == ["0", "1", "2", "3", "4"]
    last = pull_of(query("{ " + of_pull("comments(last: 2) { nodes { body } pageInfo { hasPreviousPage } }") + "}"))[
        "comments"
    ]
    assert ([node["body"] for node in last["nodes"]], last["pageInfo"]["hasPreviousPage"]) == (["3", "4"], True)


@pytest.mark.parametrize(
    ("text", "kind", "word"),
    [
        ("{ " + of_pull("comments { totalCount }") + "}", "MISSING_PAGINATION_BOUNDARIES", "`first` or `last`"),
        ("{ " + of_pull("comments(first: 101) { totalCount }") + "}", "EXCESSIVE_PAGINATION", "100 records"),
        ("{ " + of_pull('comments(first: 1, after: "x") { totalCount }') + "}", "INVALID_CURSOR_ARGUMENTS", "cursor"),
        ('{ repository(owner: "nobody", name: "nothing") { id } }', "NOT_FOUND", "nobody/nothing"),
        ("{ " + of_pull("id").replace("number: 1", "number: 9") + "}", "NOT_FOUND", "PullRequest with the number of 9"),
    ],
)
def test_what_github_refuses_is_refused_in_its_words(query: Query, text: str, kind: str, word: str) -> None:
    (error,) = query(text)["errors"]
    assert error["type"] == kind
    assert word in error["message"]


def test_a_field_that_is_not_there_is_an_error_of_the_whole(query: Query) -> None:
    answer = query("{ viewer { isCrossRepo } }")
    assert "data" not in answer
    assert "Cannot query field 'isCrossRepo'" in answer["errors"][0]["message"]


def test_members_of_a_team_need_the_permission_to_see_them(world: GitHubSandbox, query: Query, ask: Ask) -> None:
    world.add_team("maintainers", [FOUNDER])
    world.add_team("new-maintainers", [REVIEWER], parent="maintainers")
    text = """{ organization(login: "example-organisation") {
        team(slug: "maintainers") { members(first: 9%s) { nodes { login } } } } }"""
    found = query(text % "")["data"]["organization"]["team"]["members"]["nodes"]
    assert found == [{"login": FOUNDER.login}, {"login": REVIEWER.login}]
    assert len(query(text % ", membership: IMMEDIATE")["data"]["organization"]["team"]["members"]["nodes"]) == 1
    outside = world.add_token(AUTHOR, permissions={"contents": "read"}).value
    refused = ask("POST", world.graphql_url, {"query": text % ""}, token=outside).data
    assert refused["errors"][0]["type"] == "FORBIDDEN"


def test_open_pull_requests_are_listed(world: GitHubSandbox, query: Query) -> None:
    world.add_pull(world.registry.pulls[1].head_sha, by=AUTHOR)
    world.close(1)
    text = """{ repository(owner: "example-organisation", name: "registry") {
        pullRequests(first: 9, states: %s) { nodes { number } } } }"""
    found = {
        state: query(text % state)["data"]["repository"]["pullRequests"]["nodes"]
        for state in ("OPEN", "[OPEN, CLOSED]")
    }
    assert found == {"OPEN": [{"number": 2}], "[OPEN, CLOSED]": [{"number": 1}, {"number": 2}]}


def test_the_merge_queue_builds_each_group_on_the_one_before(world: GitHubSandbox, query: Query) -> None:
    second = world.commit({"other.md": b"1\n"}, by=AUTHOR)
    world.add_pull(second, by=AUTHOR)
    entries = [world.enqueue(number, by=REVIEWER) for number in (1, 2)]
    assert entries[1].base_sha == entries[0].head_sha
    assert world.registry.store.refs("refs/heads/gh-readonly-queue")[entries[1].ref] == entries[1].head_sha
    text = """{ repository(owner: "example-organisation", name: "registry") { mergeQueue(branch: "main") {
        entries(first: 9) { nodes { position headCommit { oid } pullRequest { number } } } } } }"""
    nodes = query(text)["data"]["repository"]["mergeQueue"]["entries"]["nodes"]
    assert [(node["position"], node["pullRequest"]["number"]) for node in nodes] == [(1, 1), (2, 2)]


def test_a_merged_pull_request_keeps_its_commits(world: GitHubSandbox, query: Query) -> None:
    head = world.registry.pulls[1].head_sha
    merged = world.merge(1, by=REVIEWER)
    shown = pull_of(
        query("{ " + of_pull("state merged mergeCommit { oid } commits(first: 9) { nodes { commit { oid } } }") + "}")
    )
    assert shown == {
        "state": "MERGED",
        "merged": True,
        "mergeCommit": {"oid": merged},
        "commits": {"nodes": [{"commit": {"oid": head}}]},
    }
    assert world.sha("main") == merged


def selection(kind: Any, depth: int) -> str:
    """Everything that can be asked of a type without naming what is wanted, some steps deep."""
    parts = ["__typename"]
    for name, field in kind.fields.items():
        inner = get_named_type(field.type)
        if any(is_non_null_type(argument.type) for argument in field.args.values()):
            continue
        arguments = "(first: 2)" if "first" in field.args else ""
        if is_leaf_type(inner):
            parts.append(name)
        elif depth and not isinstance(inner, GraphQLUnionType) and hasattr(inner, "fields"):
            parts.append(f"{name}{arguments} {{ {selection(inner, depth - 1)} }}")
    return " ".join(parts)


@pytest.mark.parametrize(
    "name",
    ["PullRequest", "Repository", "PullRequestReview", "IssueComment", "Commit", "MergeQueueEntry", "Team", "Issue"],
)
def test_every_field_of_the_slice_answers(world: GitHubSandbox, query: Query, ask: Ask, name: str) -> None:
    """No field stands in the slice that would fail when it is asked for."""
    pull = world.registry.pulls[1]
    pull.closing_issues = (world.add_issue("A request", by=AUTHOR, labels=["request-for-comment"]).number,)
    pull.labels = ("example",)
    world.review(1, by=REVIEWER)
    comment = world.comment(1, "Words", by=AUTHOR)
    ask("POST", f"/repos/example-organisation/registry/issues/comments/{comment.id}/reactions", {"content": "eyes"})
    ask("POST", f"/repos/example-organisation/registry/statuses/{pull.head_sha}", {"state": "error", "context": "c"})
    ask("POST", "/repos/example-organisation/registry/check-runs", {"name": "n", "head_sha": pull.head_sha})
    world.add_team("maintainers", [REVIEWER])
    world.enqueue(1)
    kind = schema().type_map[name]
    assert isinstance(kind, GraphQLObjectType)
    wanted = selection(kind, 2)
    ways = {
        "PullRequest": of_pull(wanted),
        "Repository": f'repository(owner: "example-organisation", name: "registry") {{ {wanted} }}',
        "PullRequestReview": of_pull(f"reviews(first: 1) {{ nodes {{ {wanted} }} }}"),
        "IssueComment": of_pull(f"comments(first: 1) {{ nodes {{ {wanted} }} }}"),
        "Commit": of_pull(f"commits(first: 1) {{ nodes {{ commit {{ {wanted} }} }} }}"),
        "MergeQueueEntry": of_pull(f"mergeQueueEntry {{ {wanted} }}"),
        "Team": f'organization(login: "example-organisation") {{ team(slug: "maintainers") {{ {wanted} }} }}',
        "Issue": of_pull(f"closingIssuesReferences(first: 1) {{ nodes {{ {wanted} }} }}"),
    }
    answer = query("{ " + ways[name] + " }")
    assert "errors" not in answer, answer["errors"]
    assert answer["data"]
