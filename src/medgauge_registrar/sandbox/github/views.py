"""GraphQL's view of the world: accounts, repositories, and how every value finds its view."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from medgauge_registrar.model.pull import User
from medgauge_registrar.sandbox.github.connections import Connection, Rejected, connection
from medgauge_registrar.sandbox.github.shapes import node_id
from medgauge_registrar.sandbox.github.values import Hosted, IssueComment, PullRequest, Team, Token

if TYPE_CHECKING:
    from medgauge_registrar.sandbox.github.world import GitHubSandbox

_VIEWS: dict[type[Any], type["View"]] = {}
_Class = TypeVar("_Class", bound="type[View]")


def views(kind: type[Any]) -> Callable[[_Class], _Class]:
    """Let a class be the view of a type of values."""

    def register(view: _Class) -> _Class:
        _VIEWS[kind] = view
        return view

    return register


def typename(value: Any) -> str:
    """The GraphQL type of a view."""
    return str(value.typename)


class View:
    """What GraphQL shows of one value; a field that the view does not compute is the value's own."""

    typename: str
    id_prefix: ClassVar[str] = "N"

    def __init__(self, world: "GitHubSandbox", token: Token, hosted: Hosted, of: Any) -> None:
        """Take the value and whose eyes see it."""
        self.world, self.token, self.hosted, self.of = world, token, hosted, of

    def __getattr__(self, name: str) -> Any:
        return getattr(self.of, name)

    def show(self, value: Any) -> Any:
        """The view of another value of the same repository; null stays null."""
        if value is None:
            return None
        return _VIEWS[type(value)](self.world, self.token, self.hosted, value)

    def page(self, name: str, items: Any, arguments: dict[str, Any]) -> Connection:
        """One page of a list of values."""
        bounds = {key: arguments.get(key) for key in ("first", "last", "after", "before")}
        return connection(name, items, self.show, **bounds)

    @property
    def id(self) -> str:
        """Global id."""
        return node_id(self.id_prefix, self.of.id)

    @property
    def database_id(self) -> int:
        """The number that REST calls `id`."""
        return int(self.of.id)

    @property
    def full_database_id(self) -> str:
        """The same as a number of any size, which JSON carries as text."""
        return str(self.of.id)


class Query(View):
    """The root."""

    typename = "Query"

    def __init__(self, world: "GitHubSandbox", token: Token) -> None:
        """Take whose eyes see."""
        super().__init__(world, token, world.registry, None)

    def repository(self, owner: str, name: str) -> Any:
        """A repository that the viewer may see."""
        found = self.world.repositories.get(f"{owner}/{name}".casefold())
        if found is None or (found.private and not self.token.sees(found.full_name.casefold())):
            raise Rejected("NOT_FOUND", f"Could not resolve to a Repository with the name '{owner}/{name}'.")
        return RepositoryView(self.world, self.token, found, found)

    @property
    def viewer(self) -> Any:
        """Who asks; a bot is a user here."""
        return AccountView(self.world, self.token, self.hosted, self.token.viewer, as_user=True)

    @property
    def rate_limit(self) -> Any:
        """What may still be asked."""
        return RateLimitView(self.world, self.token, self.hosted, self.world.rate_limit)

    def organization(self, login: str) -> Any:
        """The organisation that owns the registry."""
        owner = self.world.registry.owner
        if owner.login.casefold() != login.casefold():
            raise Rejected("NOT_FOUND", f"Could not resolve to an Organization with the login of '{login}'.")
        return self.show(owner)

    def user(self, login: str) -> Any:
        """A person by login."""
        found = self.world.user_named(login)
        if found is None or found.type != "User":
            raise Rejected("NOT_FOUND", f"Could not resolve to a User with the login of '{login}'.")
        return self.show(found)

    def node(self, id: str) -> Any:  # noqa: A002 - the argument's name in the schema
        """A pull request or a comment by its global id."""
        prefix, _, number = id.partition("_")
        found: PullRequest | IssueComment | None = None
        if prefix == "PR":
            found = self.hosted.pulls.get(int(number.rpartition("_")[2]))
        elif prefix == "IC" and number.isdecimal():
            found = self.hosted.comments.get(int(number))
        if found is None:
            raise Rejected("NOT_FOUND", f"Could not resolve to a node with the global id of '{id}'")
        return self.show(found)


class RateLimitView(View):
    """What may still be asked."""

    typename = "RateLimit"
    cost = 1
    node_count = 0

    @property
    def reset_at(self) -> datetime:
        """When the hour ends."""
        return datetime.fromtimestamp(self.of.reset_at, UTC)


@views(User)
class AccountView(View):
    """An account. The login of a bot lacks the `[bot]` that REST shows."""

    id_prefix = "U"

    def __init__(
        self, world: "GitHubSandbox", token: Token, hosted: Hosted, of: User, *, as_user: bool = False
    ) -> None:
        """Take the account; as a user, a bot keeps its full login."""
        super().__init__(world, token, hosted, of)
        self.typename = "User" if as_user or of.type not in {"Bot", "Organization", "Mannequin"} else of.type
        self.login = of.login.removesuffix("[bot]") if self.typename == "Bot" else of.login
        self.name = None

    @property
    def url(self) -> str:
        """Its page."""
        return f"{self.world.server_url}/{self.resource_path}"

    @property
    def resource_path(self) -> str:
        """Its page, without the server."""
        return f"apps/{self.login}" if self.typename == "Bot" else self.login

    def team(self, slug: str) -> Any:
        """A team of the organisation, if the viewer may see its members."""
        self._may_see_teams()
        return self.show(self.world.teams.get(slug))

    def teams(self, **arguments: Any) -> Connection:
        """Teams of the organisation."""
        self._may_see_teams()
        return self.page("teams", list(self.world.teams.values()), arguments)

    def _may_see_teams(self) -> None:
        if not self.token.may("members", "read"):
            raise Rejected("FORBIDDEN", "Resource not accessible by integration")


@views(Team)
class TeamView(View):
    """A team; members of the teams below it are members of it."""

    typename = "Team"
    id_prefix = "T"

    @property
    def parent_team(self) -> Any:
        """The team above."""
        return self.show(self.world.teams.get(self.of.parent)) if self.of.parent else None

    @property
    def organization(self) -> Any:
        """Whose team it is."""
        return self.show(self.world.registry.owner)

    def members(self, *, membership: str = "ALL", **arguments: Any) -> Connection:
        """Its members; `IMMEDIATE` leaves out those of the teams below."""
        everybody = {member.id: member for member in self._below(self.of, membership)}
        return self.page("members", list(everybody.values()), arguments)

    def _below(self, team: Team, membership: str) -> list[User]:
        people = [] if membership == "CHILD_TEAM" and team is self.of else list(team.members)
        if membership != "IMMEDIATE":
            for other in self.world.teams.values():
                if other.parent == team.slug:
                    people += self._below(other, "ALL")
        return people


@views(Hosted)
class RepositoryView(View):
    """A repository."""

    typename = "Repository"
    id_prefix = "R"

    def __init__(self, world: "GitHubSandbox", token: Token, _hosted: Hosted, of: Hosted) -> None:
        """Take the repository; what it shows is its own."""
        super().__init__(world, token, of, of)

    @property
    def name_with_owner(self) -> str:
        """`owner/name`."""
        return str(self.of.full_name)

    @property
    def owner(self) -> Any:
        """Its owner."""
        return self.show(self.of.owner)

    @property
    def url(self) -> str:
        """Its page."""
        return f"{self.world.server_url}/{self.of.full_name}"

    @property
    def is_private(self) -> bool:
        """Whether it is hidden from the public."""
        return bool(self.of.private)

    @property
    def is_fork(self) -> bool:
        """Whether it was forked from another."""
        return self.of.parent is not None

    @property
    def parent(self) -> Any:
        """What it was forked from."""
        return None if self.of.parent is None else self.show(self.world.repository(self.of.parent))

    @property
    def default_branch_ref(self) -> Any:
        """Its default branch."""
        return self.ref(f"refs/heads/{self.of.default_branch}")

    def ref(self, qualified_name: str) -> Any:
        """A ref; null if it is not there."""
        full = qualified_name if qualified_name.startswith("refs/") else f"refs/heads/{qualified_name}"
        sha = self.of.store.ref(full)
        return None if sha is None else self.show(RefValue(full, sha))

    def refs(self, ref_prefix: str, **arguments: Any) -> Connection:
        """Refs below a prefix."""
        found = sorted(self.of.store.refs(ref_prefix).items())
        return self.page("refs", [RefValue(name, sha) for name, sha in found], arguments)

    def object(self, oid: str | None = None, expression: str | None = None) -> Any:
        """A commit, tree or blob; null if it is not there."""
        return self.show_object(oid or expression or "HEAD")

    def show_object(self, revision: str) -> Any:
        """The view of whatever an id or an expression names."""
        store = self.hosted.store
        kind = store.kind(revision)
        if kind == "commit":
            return self.show(store.commit(store.resolve(revision) or revision))
        return None if kind is None else self.show(ObjectValue(kind, store.oid(revision)))

    def pull_request(self, number: int) -> Any:
        """A pull request."""
        found = self.of.pulls.get(number)
        if found is None:
            raise Rejected("NOT_FOUND", f"Could not resolve to a PullRequest with the number of {number}.")
        return self.show(found)

    def pull_requests(
        self,
        *,
        states: list[str] | None = None,
        base_ref_name: str | None = None,
        head_ref_name: str | None = None,
        order_by: dict[str, str] | None = None,
        labels: list[str] | None = None,
        **arguments: Any,
    ) -> Connection:
        """Pull requests, oldest first unless told otherwise."""
        found = [
            pull
            for pull in sorted(self.of.pulls.values(), key=lambda pull: pull.number)
            if (states is None or state_of(pull) in states)
            and base_ref_name in {None, pull.base_ref}
            and head_ref_name in {None, pull.head_ref}
            and (labels is None or set(labels) & set(pull.labels))
        ]
        if order_by is not None and order_by["direction"] == "DESC":
            found.reverse()
        return self.page("pullRequests", found, arguments)

    def issue(self, number: int) -> Any:
        """An issue that is no pull request."""
        found = self.of.issues.get(number)
        if found is None:
            raise Rejected("NOT_FOUND", f"Could not resolve to an Issue with the number of {number}.")
        return self.show(found)

    def merge_queue(self, branch: str | None = None) -> Any:
        """The merge queue of a branch; null where there is none."""
        from medgauge_registrar.sandbox.github.views_pull import MergeQueueView

        if not (self.of.settings.merge_queue or self.of.queue):
            return None
        return MergeQueueView(self.world, self.token, self.hosted, branch or self.of.default_branch)


class RefValue:
    """A ref and the object it names."""

    def __init__(self, full: str, sha: str) -> None:
        """Take both."""
        self.full, self.sha = full, sha


class ObjectValue:
    """A tree or a blob."""

    def __init__(self, kind: str, oid: str) -> None:
        """Take what it is, and its id."""
        self.kind, self.oid = kind, oid


@views(RefValue)
class RefView(View):
    """A ref."""

    typename = "Ref"

    @property
    def id(self) -> str:
        """Global id."""
        return node_id("REF", self.of.full)

    @property
    def prefix(self) -> str:
        """`refs/heads/` and the like."""
        return "/".join(self.of.full.split("/")[:2]) + "/"

    @property
    def name(self) -> str:
        """Its name below the prefix."""
        return str(self.of.full).removeprefix(self.prefix)

    @property
    def target(self) -> Any:
        """What it points at."""
        return RepositoryView(self.world, self.token, self.hosted, self.hosted).show_object(self.of.sha)

    @property
    def repository(self) -> Any:
        """Where it lies."""
        return self.show(self.hosted)


def state_of(pull: PullRequest) -> str:
    """The state of a pull request in GraphQL's words."""
    return "MERGED" if pull.merged_at is not None else pull.state.upper()
