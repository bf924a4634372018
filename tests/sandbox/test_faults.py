"""Faults come when they are ordered, as often as ordered, and leave the world as the order says."""

import http.client
import json
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

from medgauge_registrar.sandbox.github.faults import Failure, Fault, no_requests_left, too_fast
from medgauge_registrar.sandbox.github.world import GitHubSandbox
from support.embedded import Ask

COMMENTS = "/repos/example-organisation/registry/issues/1/comments"


def test_the_nth_request_that_matches_fails(world: GitHubSandbox, ask: Ask) -> None:
    world.faults.add(Fault(method="GET", path="/issues/1/comments", nth=2, times=2, status=502))
    ask("GET", "/repos/example-organisation/registry/pulls")
    assert [ask("GET", COMMENTS).status for _ in range(4)] == [200, 502, 502, 200]


@pytest.mark.parametrize("done", [False, True])
def test_a_write_that_fails_may_have_happened(world: GitHubSandbox, ask: Ask, done: bool) -> None:
    world.faults.add(Fault(method="POST", path=COMMENTS, status=502, done=done))
    assert ask("POST", COMMENTS, {"body": "Words"}).status == 502
    assert len(world.comments(1)) == done


def test_a_query_is_told_by_what_it_asks(world: GitHubSandbox, ask: Ask) -> None:
    partial = {"data": {"viewer": None}, "errors": [{"message": "Something went wrong while executing your query."}]}
    world.faults.add(Fault(path="/graphql", text="viewer", status=200, body=partial, times=None))
    assert ask("POST", world.graphql_url, {"query": "{ viewer { login } }"}).data == partial
    assert "data" in ask("POST", world.graphql_url, {"query": "{ rateLimit { cost } }"}).data


def test_malformed_json_and_half_an_answer(world: GitHubSandbox) -> None:
    request = Request(f"{world.api_url}{COMMENTS}", headers={"Authorization": f"Bearer {world.token}"})
    world.faults.add(Fault(failure=Failure.MALFORMED))
    with urlopen(request) as answer, pytest.raises(ValueError, match=r"Expecting|Invalid"):
        json.loads(answer.read())
    world.faults.clear()
    world.faults.add(Fault(failure=Failure.TRUNCATED))
    with urlopen(request) as answer, pytest.raises(http.client.IncompleteRead):
        answer.read()


def test_a_reset_connection(world: GitHubSandbox) -> None:
    world.faults.add(Fault(failure=Failure.RESET))
    request = Request(f"{world.api_url}{COMMENTS}", headers={"Authorization": f"Bearer {world.token}"})
    with pytest.raises((ConnectionError, URLError)):
        urlopen(request)
    assert world.requests[-1].status == 0


def test_silence(world: GitHubSandbox) -> None:
    """The client gives up by its own clock; the server waits for that and no longer."""
    world.faults.add(Fault(failure=Failure.TIMEOUT))
    request = Request(f"{world.api_url}{COMMENTS}", headers={"Authorization": f"Bearer {world.token}"})
    with pytest.raises(TimeoutError):
        urlopen(request, timeout=0.05)


def test_limits_speak_as_github_does(world: GitHubSandbox, ask: Ask) -> None:
    world.faults.add(no_requests_left(41898282, 1_795_000_000, path="/pulls"))
    refused = ask("GET", "/repos/example-organisation/registry/pulls")
    assert (refused.status, refused.headers["X-RateLimit-Remaining"]) == (403, "0")
    world.faults.clear()
    world.faults.add(too_fast(status=429, retry_after_seconds=7))
    slowed = ask("GET", "/repos/example-organisation/registry/pulls")
    assert (slowed.status, slowed.headers["Retry-After"]) == (429, "7")
    assert "secondary rate limit" in slowed.data["message"]
