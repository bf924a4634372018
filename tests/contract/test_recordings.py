"""What GitHub really answered to others, read by our client: whole answers or errors that say so, never a shorter list."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import pytest

from contract.material import Exchange, exchanges
from medgauge_registrar.github.client import Answer, Client, RefusedError
from medgauge_registrar.github.read import pulls_at
from medgauge_registrar.model.errors import ReadError

pytestmark = pytest.mark.long

GRAPHQL = "/graphql"


class Replay:
    """A transport that answers with what was recorded, and with nothing else."""

    def __init__(self, *recorded: Exchange) -> None:
        self._answers = {target_of(exchange): exchange for exchange in recorded}

    def send(self, method: str, url: str, body: Any, headers: Mapping[str, str]) -> tuple[int, Mapping[str, str], str]:
        exchange = self._answers.get((method, url.removeprefix("https://api.github.com")))
        if exchange is None:
            raise ReadError(f"{method} {url} was not recorded")
        return exchange.status, exchange.headers, exchange.answer


def target_of(exchange: Exchange) -> tuple[str, str]:
    return exchange.method, exchange.path


def client_of(*recorded: Exchange) -> Client:
    return Client(lambda _: Replay(*recorded), "", graphql_url=GRAPHQL)


def reading(exchange: Exchange) -> Answer | ReadError:
    try:
        return client_of(exchange).rest(exchange.method, exchange.path)
    except ReadError as error:
        return error


READ = [exchange for exchange in exchanges() if exchange.method == "GET"]


def test_every_answer_is_read_or_is_an_error() -> None:
    """Nothing else is raised, whatever came; what came as JSON is what is handed on."""
    outcomes = Counter[str]()
    for exchange in READ:
        found = reading(exchange)
        if isinstance(found, ReadError):
            outcomes[f"error {exchange.status}"] += 1
            assert exchange.status >= 500 or exchange.data is None, (exchange.origin, str(found))
        else:
            outcomes["read"] += 1
            assert (found.status, found.data) == (exchange.status, exchange.data), exchange.origin
    assert outcomes["read"] > 1000
    assert outcomes["error 502"] > 0


def test_a_refusal_is_an_error_and_a_limit_may_pass() -> None:
    """403 says two things: a token lacks a permission, or came too often. GitHub's own bodies tell them apart."""
    refused = [exchange for exchange in exchanges() if exchange.status in {401, 403, 404, 422, 429}]
    limited = 0
    for exchange in refused:
        with pytest.raises(RefusedError) as caught:
            client_of(exchange).call(exchange.method, exchange.path)
        assert caught.value.status == exchange.status
        too_often = bool(re.search(r"rate limit|abuse detection", exchange.answer))
        if exchange.headers.get("x-ratelimit-remaining") == "0" or "retry-after" in exchange.headers:
            assert caught.value.may_pass_later, exchange.origin
            limited += too_often
        elif not too_often:
            assert not caught.value.may_pass_later, exchange.origin
    assert len(refused) > 50
    assert limited > 0


def chains() -> list[tuple[Exchange, list[Exchange]]]:
    """First pages of lists that were recorded to their end, each with all of its pages."""
    by_origin: dict[str, dict[str, Exchange]] = defaultdict(dict)
    for exchange in READ:
        by_origin[exchange.origin][exchange.path] = exchange
    found = []
    for pages in by_origin.values():
        followed = {following(exchange) for exchange in pages.values()}
        for path, exchange in pages.items():
            if path in followed or following(exchange) is None or not isinstance(exchange.data, list):
                continue
            chain = [exchange]
            while (address := following(chain[-1])) in pages and len(chain) < 100:
                chain.append(pages[str(address)])
            if following(chain[-1]) is None:
                found.append((exchange, chain))
    return found


def following(exchange: Exchange) -> str | None:
    link = re.search(r'<([^>]+)>;\s*rel="next"', exchange.headers.get("link", ""))
    if link is None:
        return None
    parts = urlsplit(link[1])
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def test_a_list_is_read_to_its_last_page() -> None:
    read = 0
    for first, pages in chains():
        items = client_of(*pages).pages(first.path)
        assert items == [item for page in pages for item in page.data], first.origin
        read += 1
    assert read > 5


def test_a_list_with_a_page_that_fails_is_an_error_and_no_shorter_list() -> None:
    for first, pages in chains():
        with pytest.raises(ReadError):
            client_of(*pages[:-1]).pages(first.path)


def test_data_beside_an_error_counts_as_none() -> None:
    """GraphQL answers with 200 in any case."""
    whole, partial = 0, 0
    for exchange in exchanges():
        if exchange.path != GRAPHQL or exchange.status != 200:
            continue
        client = client_of(exchange)
        if "errors" in exchange.data:
            partial += 1
            with pytest.raises(ReadError):
                client.graphql("", {})
        else:
            whole += 1
            assert client.graphql("", {}) == exchange.data["data"], exchange.origin
    assert whole > 20
    assert partial > 0


def test_pull_requests_of_a_commit_are_found_where_a_fork_is_gone_too() -> None:
    """Numbers are all that is taken from such a list; a head without a repository does not disturb it."""
    lists = [
        exchange.data
        for exchange in READ
        if re.search(r"/pulls(\?|$)", exchange.path) and isinstance(exchange.data, list)
    ]
    pulls = [pull for found in lists for pull in found if "state" in pull]
    gone = [
        pull for pull in (exchange.data for exchange in READ) if isinstance(pull, dict) and _is_of_a_gone_fork(pull)
    ]
    assert pulls
    assert gone
    answer = Exchange(
        origin="",
        method="GET",
        path=f"/repos/example-organisation/registry/commits/{'a' * 40}/pulls?per_page=100",
        body="",
        status=200,
        headers={},
        answer=json.dumps(pulls + gone),
    )
    found = pulls_at(client_of(answer), "example-organisation/registry", "a" * 40, None, None)
    assert found == {pull["number"] for pull in pulls + gone if pull["state"] == "open"}


def _is_of_a_gone_fork(value: Mapping[str, Any]) -> bool:
    head = value.get("head")
    return isinstance(head, dict) and "repo" in head and head["repo"] is None
