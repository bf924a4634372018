"""One way to speak to GitHub: GraphQL queries and REST requests, counted, with every failure an error that says what to do."""

import json
import logging
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.parse import quote, urlsplit

from medgauge_registrar import __version__
from medgauge_registrar.model.errors import ReadError

if TYPE_CHECKING:
    from github.Requester import Requester

TIMEOUT_SECONDS = 20
# A gate waits for a passing trouble, never for a budget to be refilled: the next sweep comes within minutes.
MAX_WAIT_SECONDS = 20
_RETRIES = 3
# A list whose pages lead back to one another ends in an error, not in a run without end.
_MAX_PAGES = 100
_LOOPBACK = {"127.0.0.1", "::1", "localhost"}
_NEXT_PAGE = re.compile(r'<([^>]+)>;\s*rel="next"')
_UNAUTHORIZED = 401
_TOO_MANY, _SERVER_ERROR = 429, 500


class RefusedError(ReadError):
    """GitHub understood a request and refused it; `status` says how."""

    def __init__(self, message: str, status: int, *, may_pass_later: bool = False) -> None:
        super().__init__(message, may_pass_later=may_pass_later)
        self.status = status


class Answer(NamedTuple):
    """What GitHub answered: status, headers by lower-case name, and the parsed body (null if empty)."""

    status: int
    headers: Mapping[str, str]
    data: Any


class Transport(Protocol):
    """Sends one request and gives back its answer, unjudged."""

    def send(self, method: str, url: str, body: Any, headers: Mapping[str, str]) -> tuple[int, Mapping[str, str], str]:
        """
        Send one request.

        Raises:
            ReadError: No answer came.
        """
        ...


class Client:
    """
    GitHub with one token.

    Only a GET is ever sent again by itself: a write that came back with an error may have happened. A request that was
    refused for its token (401) was not carried out; it is repeated once with a token minted anew, if there is a way.

    Attributes:
        requests: How many requests were sent.
    """

    def __init__(
        self,
        connect: Callable[[str], Transport],
        token: str,
        *,
        graphql_url: str,
        renew: Callable[[], str] | None = None,
    ) -> None:
        """
        Use `open_client`.

        Args:
            connect: Makes a transport for a token.
            token: The token.
            graphql_url: Where queries go.
            renew: Mints another token.
        """
        self.requests = 0
        self.token = token
        self._connect = connect
        self._transport = connect(token)
        self._graphql_url = graphql_url
        self._renew = renew

    def graphql(self, query: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        """
        Ask one query.

        Raises:
            ReadError: No whole answer came; data beside an error counts as none.
        """
        answer = self._send("POST", self._graphql_url, {"query": query, "variables": dict(variables)}, {})
        _accepted("GraphQL query", answer)
        data = answer.data.get("data") if isinstance(answer.data, dict) else None
        errors = answer.data.get("errors") if isinstance(answer.data, dict) else None
        if errors or not isinstance(data, dict):
            kinds = {str(error.get("type")) for error in errors or () if isinstance(error, dict)}
            raise ReadError(
                f"GitHub answered a query only in part ({_said(errors) or 'no data'}); see to the permissions of the token",
                may_pass_later=not kinds & {"NOT_FOUND", "FORBIDDEN"},
            )
        return data

    def rest(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None) -> Answer:
        """
        Send one REST request; a refusal is part of the answer.

        Args:
            method: HTTP method.
            path: Path below the API's address, its parts quoted (see `path_of`).
            body: Sent as JSON; null: none.
            headers: Beside the usual ones.

        Raises:
            ReadError: No answer came, or a failure of the server or a rate limit.
        """
        answer = self._send(method, path, body, headers or {})
        if answer.status >= _SERVER_ERROR or answer.status == _TOO_MANY:
            _accepted(f"{method} {path}", answer)
        return answer

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """
        Send one REST request that has to succeed, and take its data.

        Raises:
            RefusedError: GitHub refused it.
            ReadError: No answer came.
        """
        answer = self.rest(method, path, body)
        _accepted(f"{method} {path}", answer)
        return answer.data

    def pages(self, path: str) -> list[Any]:
        """
        All items of a REST list, to its last page.

        Raises:
            RefusedError: GitHub refused a page.
            ReadError: A page could not be read.
        """
        found: list[Any] = []
        following = path
        for _ in range(_MAX_PAGES):
            answer = self.rest("GET", following)
            _accepted(f"GET {path}", answer)
            if not isinstance(answer.data, list):
                raise ReadError(f"GET {path}: expected a list, found another thing; run again", may_pass_later=True)
            found += answer.data
            link = _NEXT_PAGE.search(answer.headers.get("link", ""))
            if link is None:
                return found
            following = link[1]
        raise ReadError(f"GET {path}: more than {_MAX_PAGES} pages")

    def _send(self, method: str, url: str, body: Any, headers: Mapping[str, str]) -> Answer:
        answer = self._send_once(method, url, body, headers)
        if answer.status == _UNAUTHORIZED and self._renew is not None:
            self.token = self._renew()
            self._transport = self._connect(self.token)
            self._renew = None
            answer = self._send_once(method, url, body, headers)
        return answer

    def _send_once(self, method: str, url: str, body: Any, headers: Mapping[str, str]) -> Answer:
        self.requests += 1
        status, answered, text = self._transport.send(method, url, body, headers)
        try:
            data = json.loads(text) if text.strip() else None
        except ValueError:
            if status < 400:
                raise ReadError(
                    f"{method} {_shown(url)}: the answer is no JSON; run again", may_pass_later=True
                ) from None
            data = None
        return Answer(status, {name.lower(): value for name, value in answered.items()}, data)


def open_client(token: str, *, api_url: str, graphql_url: str, renew: Callable[[], str] | None = None) -> Client:
    """
    Open a client.

    Args:
        token: Token of a user, an App's installation or a workflow.
        api_url: Address of the REST API.
        graphql_url: Address of the GraphQL API, on the same host.
        renew: Mints another token, once, if this one is refused.

    Raises:
        ReadError: An address is neither https nor http to this machine, or the two differ in more than the path.
    """
    for url in (api_url, graphql_url):
        checked_address(url)
    if urlsplit(api_url)[:2] != urlsplit(graphql_url)[:2]:
        raise ReadError(
            f"GITHUB_GRAPHQL_URL is `{graphql_url}`, elsewhere than GITHUB_API_URL `{api_url}`; set both alike"
        )

    def connect(token: str) -> Transport:
        from github import Auth

        return _PyGithub(_requester(Auth.Token(token), api_url))

    return Client(connect, token, graphql_url=graphql_url, renew=renew)


def open_app_client(app_id: str, private_key: str, *, api_url: str, graphql_url: str) -> Client:
    """
    Open a client that speaks as an App itself, to mint tokens.

    Raises:
        ReadError: The key cannot be used, or an address is refused.
    """
    checked_address(api_url)

    def connect(_: str) -> Transport:
        from github import Auth

        return _PyGithub(_requester(Auth.AppAuth(app_id, private_key), api_url))

    return Client(connect, "", graphql_url=graphql_url)


def checked_address(url: str) -> str:
    """
    An address that a token may be sent to.

    Raises:
        ReadError: It is neither https nor http to this machine.
    """
    parts = urlsplit(url)
    if parts.scheme == "https" and parts.hostname:
        return url
    if parts.scheme == "http" and parts.hostname in _LOOPBACK:
        return url
    raise ReadError(f"`{_shown(url)}` is no address to send a token to; expected https, or http to this machine")


def path_of(*parts: str | int) -> str:
    """A path of the REST API; every part is quoted, slashes within it too."""
    return "".join(f"/{quote(str(part), safe='')}" for part in parts)


def repository_path(repository: str, *parts: str | int) -> str:
    """A path below `/repos/{owner}/{name}`."""
    owner, _, name = repository.partition("/")
    return path_of("repos", owner, name, *parts)


class _PyGithub:
    """PyGithub's requester: connections, authentication, and retries of what may be repeated."""

    def __init__(self, requester: "Requester") -> None:
        self._requester = requester

    def send(self, method: str, url: str, body: Any, headers: Mapping[str, str]) -> tuple[int, Mapping[str, str], str]:
        """Send one request."""
        from github.GithubException import GithubException
        from requests.exceptions import RequestException

        try:
            return self._requester.requestJson(method, url, None, dict(headers), body)
        except GithubException as error:
            # Raised by the retries when they give up; it carries the answer.
            return error.status, error.headers or {}, json.dumps(error.data if error.data is not None else {})
        # The requester asserts that an address lies on the host, and raises RuntimeError for a redirect elsewhere.
        except (RequestException, OSError, AssertionError, RuntimeError, ValueError) as error:
            raise ReadError(
                f"{method} {_shown(url)}: no answer from GitHub ({type(error).__name__})", may_pass_later=True
            ) from error


def _requester(auth: Any, api_url: str) -> "Requester":
    from github.GithubRetry import GithubRetry
    from github.Requester import Requester

    from github import set_log_level

    # It would print addresses and refusals, those of closed repositories too, into a log that everybody reads.
    set_log_level(logging.CRITICAL)
    retry = GithubRetry(
        total=_RETRIES,
        allowed_methods={"GET"},
        status_forcelist=[_TOO_MANY, *range(500, 600)],
        backoff_factor=0.5,
        backoff_max=MAX_WAIT_SECONDS,
        retry_after_max=MAX_WAIT_SECONDS,
        secondary_rate_wait=MAX_WAIT_SECONDS,
        max_rate_limit_wait=MAX_WAIT_SECONDS,
        raise_on_status=False,
    )
    return Requester(
        auth=auth,
        base_url=api_url,
        timeout=TIMEOUT_SECONDS,
        user_agent=f"medgauge-registrar/{__version__}",
        per_page=100,
        verify=True,
        retry=retry,
        pool_size=None,
    )


def _accepted(what: str, answer: Answer) -> None:
    """Refuse every answer that is no success."""
    status = answer.status
    if 200 <= status < 300:
        return
    said = answer.data.get("message") if isinstance(answer.data, dict) else None
    limited = status == _TOO_MANY or (
        status == 403 and ("retry-after" in answer.headers or answer.headers.get("x-ratelimit-remaining") == "0")
    )
    passes = limited or status >= _SERVER_ERROR
    cure = {
        _UNAUTHORIZED: "; the token is not accepted, see to it",
        403: "" if limited else "; the token lacks a permission for this",
        404: "; it is not there, or the token may not see it",
    }.get(status, "")
    message = f"{_shown(what)}: GitHub answered {status}" + (f" `{_shown(str(said))}`" if said else "") + cure
    raise RefusedError(message, status, may_pass_later=passes)


def _said(errors: Any) -> str:
    """The first message of a list of errors."""
    first = errors[0] if isinstance(errors, list) and errors else None
    return _shown(str(first.get("message", ""))) if isinstance(first, dict) else ""


def _shown(text: str) -> str:
    """Foreign text on one short line."""
    return "".join(char if char.isprintable() else "?" for char in text)[:200].replace("`", "'")
