"""How GitHub is spoken to: what is sent again, what is refused, and where a token never goes."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from medgauge_registrar.github.client import Client, RefusedError, checked_address, open_client, repository_path
from medgauge_registrar.model.errors import ReadError


class Script:
    """Answers given beforehand, in order; remembers what was asked and with which token."""

    def __init__(self, *answers: tuple[int, Mapping[str, str], str]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []
        self.tokens: list[str] = []

    def client(self, **fields: Any) -> Client:
        def connect(token: str) -> "Script":
            self.tokens.append(token)
            return self

        return Client(connect, "first", graphql_url="/graphql", **fields)

    def send(self, method: str, url: str, body: Any, headers: Mapping[str, str]) -> tuple[int, Mapping[str, str], str]:
        self.asked.append(f"{method} {url}")
        return self.answers.pop(0)


def test_a_list_is_followed_to_its_last_page() -> None:
    """By the `Link` header, as GitHub gives it."""
    following = {
        "Link": '<https://api.example.org/x?page=2>; rel="next", <https://api.example.org/x?page=9>; rel="last"'
    }
    script = Script((200, following, "[1, 2]"), (200, {}, "[3]"))
    client = script.client()
    assert client.pages("/x") == [1, 2, 3]
    assert script.asked == ["GET /x", "GET https://api.example.org/x?page=2"]
    assert client.requests == 2


def test_a_page_that_fails_is_an_error_and_never_a_shorter_list() -> None:
    """A10."""
    script = Script((200, {"link": '</x?page=2>; rel="next"'}, "[1]"), (502, {}, "Bad gateway"))
    with pytest.raises(ReadError, match="502"):
        script.client().pages("/x")


def test_pages_that_never_end_are_an_error() -> None:
    """A list that leads back to itself is no list."""
    script = Script(*[(200, {"link": '</x?page=2>; rel="next"'}, "[1]")] * 200)
    with pytest.raises(ReadError, match="GET /x: more than 100 pages"):
        script.client().pages("/x")
    assert len(script.asked) == 100


def test_a_refused_token_is_minted_anew_once() -> None:
    """A request that was refused for it was not carried out (C20)."""
    script = Script((401, {}, "{}"), (201, {}, '{"id": 1}'), (401, {}, "{}"))
    client = script.client(renew=lambda: "second")
    assert client.call("POST", "/x", {}) == {"id": 1}
    assert script.tokens == ["first", "second"]
    with pytest.raises(RefusedError, match="401"):
        client.call("POST", "/x", {})


def test_without_a_way_to_mint_it_is_an_error() -> None:
    """And nothing is sent a second time."""
    script = Script((401, {}, "{}"))
    with pytest.raises(RefusedError, match="token is not accepted"):
        script.client().call("GET", "/x")
    assert len(script.asked) == 1


@pytest.mark.parametrize(
    ("answer", "later"),
    [
        ((500, {}, ""), True),
        ((429, {}, "{}"), True),
        ((403, {"Retry-After": "60"}, "{}"), True),
        ((403, {"X-RateLimit-Remaining": "0"}, "{}"), True),
        ((403, {}, '{"message": "Resource not accessible by integration"}'), False),
        ((404, {}, "{}"), False),
        ((422, {}, "{}"), False),
    ],
)
def test_an_error_says_whether_running_again_may_help(answer: tuple[int, Mapping[str, str], str], later: bool) -> None:
    """Limits and failing servers pass; a missing permission does not."""
    with pytest.raises(ReadError) as caught:
        Script(answer).client().call("GET", "/x")
    assert caught.value.may_pass_later is later


@pytest.mark.parametrize(
    "text",
    [
        "[1",
        "<html>",
        '{"data": null}',
        "{}",
        "[]",
        '{"data": {"a": 1}, "errors": [{"message": "Something went wrong"}]}',
    ],
)
def test_a_query_is_answered_whole_or_not_at_all(text: str) -> None:
    """Data beside an error counts as none."""
    with pytest.raises(ReadError):
        Script((200, {}, text)).client().graphql("query", {})


def test_foreign_words_stay_on_one_line() -> None:
    """A message of a server cannot write a workflow command into the log."""
    with pytest.raises(ReadError) as caught:
        Script((422, {}, json.dumps({"message": "no\n::error::`yes"}))).client().call("GET", "/x")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("url", ["https://api.github.com", "http://127.0.0.1:8080/api/v3", "http://localhost:1"])
def test_a_token_goes_to_https_or_to_this_machine(url: str) -> None:
    """Everything else is refused."""
    assert checked_address(url) == url


@pytest.mark.parametrize(
    "url",
    ["http://api.github.com", "ftp://127.0.0.1", "file:///etc/passwd", "https://", "http://127.0.0.1.example.org"],
)
def test_a_token_goes_nowhere_else(url: str) -> None:
    """Whatever the environment says."""
    with pytest.raises(ReadError, match="no address to send a token to"):
        checked_address(url)


def test_both_interfaces_are_on_one_host() -> None:
    """A second address would get the token too."""
    with pytest.raises(ReadError, match="elsewhere"):
        open_client("example", api_url="https://api.github.com", graphql_url="https://example.org/graphql")


def test_no_part_of_a_path_can_reach_beyond_its_place() -> None:
    """A branch or a file may be named anything."""
    assert repository_path("a/b", "contents", "../../user?x=1") == "/repos/a/b/contents/..%2F..%2Fuser%3Fx%3D1"
