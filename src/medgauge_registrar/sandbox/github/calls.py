"""One request to the REST interface, its answer, and the table of routes."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlencode

from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.sandbox.github.limits import BODIES
from medgauge_registrar.sandbox.github.values import Hosted, PullRequest, Token

if TYPE_CHECKING:
    from medgauge_registrar.sandbox.github.world import GitHubSandbox

_DEFAULT_PAGE, _LARGEST_PAGE = 30, 100


class Refused(Exception):  # noqa: N818 - it is an answer of the server, not a fault of it
    """An answer other than success; `body` is what GitHub says with it."""

    def __init__(self, status: int, message: str | None = None, **more: Any) -> None:
        """Take the status and the message; null: GitHub's usual one."""
        super().__init__(status, message)
        self.status = status
        usual = BODIES.get(status, {"documentation_url": "https://docs.github.com/rest"})
        self.body = dict(usual) if message is None else {"message": message, **more, "status": str(status)}
        self.body.setdefault("documentation_url", "https://docs.github.com/rest")


@frozen
class Answer:
    """What is sent back: JSON, or bytes as they are (`raw`), or nothing."""

    status: int = 200
    data: Any = None
    raw: bytes | None = None
    media_type: str = "application/json; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)


@frozen
class Call:
    """
    One request, as its route sees it.

    Attributes:
        target: Path below the interface's root, as it was asked for.
        names: Parts of the path that the route names.
        query: Parameters; the last of several counts.
        body: JSON that was sent; an empty mapping if nothing was.
    """

    world: "GitHubSandbox"
    token: Token | None
    method: str
    target: str
    names: Mapping[str, str]
    query: Mapping[str, str]
    body: Mapping[str, Any]
    accept: str = ""
    authorization: str = ""

    @property
    def hosted(self) -> Hosted:
        """The repository of the path, if the caller may see it."""
        found = self.world.repositories.get(f"{self.names['owner']}/{self.names['repo']}".casefold())
        if found is None or (found.private and (self.token is None or not self.token.sees(found.full_name.casefold()))):
            raise Refused(404)
        return found

    @property
    def pull(self) -> PullRequest:
        """The pull request of the path."""
        found = self.hosted.pulls.get(self.number("number"))
        if found is None:
            raise Refused(404)
        return found

    def number(self, name: str) -> int:
        """A number of the path."""
        text = self.names[name]
        if not text.isdecimal():
            raise Refused(404)
        return int(text)

    def field(self, name: str, kind: type[Any] | tuple[type[Any], ...], *, needed: bool = True) -> Any:
        """A field of the body, of the type that it has to be."""
        value = self.body.get(name)
        if value is None and not needed:
            return None
        if not isinstance(value, kind):
            raise Refused(
                422, "Invalid request.\n\nFor 'properties/" + name + "', " + f"{value!r} is not of the wanted type."
            )
        return value

    def page(self, items: Sequence[Any], show: Callable[[Any], Any], *, within: str | None = None) -> Answer:
        """
        One page of a list, with links to the others.

        Args:
            items: Everything.
            show: What one item looks like.
            within: Name of the list, where the answer is an object that counts it.
        """
        size = _whole(self.query.get("per_page"), _DEFAULT_PAGE)
        size = min(size, _LARGEST_PAGE)
        number = _whole(self.query.get("page"), 1)
        last = max(1, math.ceil(len(items) / size))
        shown = [show(item) for item in items[(number - 1) * size : number * size]]
        pages: dict[str, int] = {}
        if number > 1:
            pages |= {"prev": min(number - 1, last), "first": 1}
        if number < last:
            pages |= {"next": number + 1, "last": last}
        links = [f'<{self.address({"page": str(page)})}>; rel="{name}"' for name, page in pages.items()]
        data = shown if within is None else {"total_count": len(items), within: shown}
        return Answer(data=data, headers={"Link": ", ".join(links)} if links else {})

    def address(self, parameters: Mapping[str, str]) -> str:
        """The address of this request with other parameters, under the number of its repository, as GitHub writes such links."""
        target = self.target
        if target.startswith("/repos/"):
            rest = target.split("/", 4)[4:]
            target = "/".join(["", "repositories", str(self.hosted.id), *rest])
        return f"{self.world.api_url}{target}?{urlencode({**self.query, **parameters})}"


Route = Callable[[Call], Answer]


@frozen
class _Entry:
    method: str
    pattern: re.Pattern[str]
    permission: str | None
    run: Route


class Routes:
    """The table of routes: method and path, the permission that is needed, and the function that answers."""

    def __init__(self) -> None:
        """Start empty."""
        self._entries: list[_Entry] = []

    def add(self, method: str, path: str, permission: str | None = None) -> Callable[[Route], Route]:
        """Register a function; `{name}` in the path is one part of it, `{name+}` the rest."""
        pattern = re.sub(r"\{(\w+)\+\}", r"(?P<\1>.+)", path)
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", pattern)

        def register(run: Route) -> Route:
            self._entries.append(_Entry(method=method, pattern=re.compile(pattern), permission=permission, run=run))
            return run

        return register

    def every(self) -> Iterator[tuple[str, Route]]:
        """Every method and the function that answers it."""
        for entry in self._entries:
            yield entry.method, entry.run

    def find(self, method: str, path: str) -> tuple[Route, str | None, dict[str, str]]:
        """
        The route of a request.

        Raises:
            Refused: There is none; GitHub answers with 404.
        """
        for entry in self._entries:
            match = entry.pattern.fullmatch(path)
            if entry.method == method and match is not None:
                return entry.run, entry.permission, {name: unquote(part) for name, part in match.groupdict().items()}
        raise Refused(404)


ROUTES = Routes()


def _whole(text: str | None, default: int) -> int:
    """A positive number of a parameter; anything else counts as absent, as on GitHub."""
    return int(text) if text is not None and text.isdecimal() and int(text) > 0 else default
