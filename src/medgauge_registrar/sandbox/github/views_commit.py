"""GraphQL's view of git objects."""

from datetime import datetime
from typing import Any

from medgauge_registrar.sandbox.github.connections import Connection
from medgauge_registrar.sandbox.github.objects import CommitObject, TreeItem
from medgauge_registrar.sandbox.github.shapes import node_id
from medgauge_registrar.sandbox.github.views import AccountView, ObjectValue, RepositoryView, View, views
from medgauge_registrar.sandbox.github.views_checks import RollupView, StatusValue, StatusView, SuiteValue

_MAX_TEXT_BYTES = 512 * 1000


class GitObjectView(View):
    """What commits, trees and blobs have in common."""

    @property
    def oid(self) -> str:
        """Its id."""
        return str(self.of.sha if isinstance(self.of, CommitObject) else self.of.oid)

    @property
    def id(self) -> str:
        """Global id."""
        return node_id(self.id_prefix, self.oid)

    @property
    def abbreviated_oid(self) -> str:
        """The beginning of its id."""
        return self.oid[:7]

    @property
    def commit_url(self) -> str:
        """Its page."""
        return f"{self.world.server_url}/{self.hosted.full_name}/commit/{self.oid}"


@views(CommitObject)
class CommitView(GitObjectView):
    """A commit."""

    typename = "Commit"
    id_prefix = "C"

    @property
    def url(self) -> str:
        """Its page."""
        return self.commit_url

    @property
    def message_headline(self) -> str:
        """The first line of its message."""
        return str(self.of.message).partition("\n")[0]

    @property
    def author(self) -> Any:
        """Who wrote it, as it says."""
        return self._actor(self.of.author.name, self.of.author.email, self.of.author.date)

    @property
    def committer(self) -> Any:
        """Who committed it, as it says."""
        return self._actor(self.of.committer.name, self.of.committer.email, self.of.committer.date)

    def authors(self, **arguments: Any) -> Connection:
        """The author and every co-author that its message names."""
        found = [Actor("", email, self.of.author.date, user) for email, user in self.world.authors_of(self.of)]
        return self.page("authors", found, arguments)

    @property
    def committed_date(self) -> datetime:
        """When it was committed, as it says."""
        return datetime.fromisoformat(self.of.committer.date)

    @property
    def authored_date(self) -> datetime:
        """When it was written, as it says."""
        return datetime.fromisoformat(self.of.author.date)

    def parents(self, **arguments: Any) -> Connection:
        """What it builds on."""
        return self.page("parents", [self.hosted.store.commit(sha) for sha in self.of.parents], arguments)

    @property
    def tree(self) -> Any:
        """Its files."""
        return self.show(ObjectValue("tree", self.of.tree))

    @property
    def signature(self) -> Any:
        """The signature that GitHub gave it; null if it has none."""
        return self.show(GitHubSignature()) if self.of.sha in self.world.signed else None

    @property
    def status(self) -> Any:
        """Its statuses; null if it has none."""
        return StatusView(self.world, self.token, self.hosted, self.of) if self.latest_statuses() else None

    @property
    def status_check_rollup(self) -> Any:
        """What statuses and checks come to; null if there are none."""
        view = RollupView(self.world, self.token, self.hosted, self.of)
        return view if view.everything() else None

    def check_suites(self, **arguments: Any) -> Connection:
        """Check runs, one suite each."""
        runs = [run for run in self.hosted.check_runs.values() if run.head_sha == self.of.sha]
        return self.page("checkSuites", [SuiteValue(run) for run in runs], arguments)

    def associated_pull_requests(self, **arguments: Any) -> Connection:
        """Pull requests that hold it."""
        return self.page("associatedPullRequests", self.world.pulls_with(self.of.sha), arguments)

    def latest_statuses(self) -> list["StatusValue"]:
        """The newest status of every context, in the order of their names."""
        latest = sorted(self.hosted.latest_statuses(self.of.sha), key=lambda status: status.context)
        return [StatusValue(self.of, status) for status in latest]

    def _actor(self, name: str, email: str, date: str) -> Any:
        return self.show(Actor(name, email, date, self.world.account_of(email)))


class GitHubSignature:
    """A signature by GitHub's own key."""


@views(GitHubSignature)
class SignatureView(View):
    """A signature; nobody else signs here."""

    typename = "GpgSignature"
    is_valid = True
    was_signed_by_git_hub = True


class Actor:
    """Somebody whom a commit names."""

    def __init__(self, name: str, email: str, date: str, user: Any) -> None:
        """Take what the commit says and the account that it belongs to."""
        self.name, self.email, self.date, self.user = name, email, date, user


@views(Actor)
class ActorView(View):
    """Somebody whom a commit names; `user` is null where the address belongs to no account."""

    typename = "GitActor"

    @property
    def user(self) -> Any:
        """The account; a bot is a user here."""
        user = self.of.user
        return None if user is None else AccountView(self.world, self.token, self.hosted, user, as_user=True)


@views(ObjectValue)
class TreeOrBlobView(GitObjectView):
    """A tree or a blob."""

    id_prefix = "O"

    @property
    def typename(self) -> str:  # type: ignore[override]  # one class shows several types; nobody sets it
        """Its type."""
        return "Tree" if self.of.kind == "tree" else "Blob"

    @property
    def entries(self) -> Any:
        """What lies in a tree."""
        return [self.show(item) for item in self.hosted.store.tree(self.of.oid)]

    @property
    def byte_size(self) -> int:
        """Size of a blob."""
        return len(self._data())

    @property
    def is_binary(self) -> bool:
        """Whether a blob looks like no text."""
        return b"\0" in self._data()

    @property
    def is_truncated(self) -> bool:
        """Whether `text` is not all of it."""
        return self.byte_size > _MAX_TEXT_BYTES

    @property
    def text(self) -> str | None:
        """Its text; null if it is none."""
        return None if self.is_binary else self._data()[:_MAX_TEXT_BYTES].decode("utf-8", "replace")

    def _data(self) -> bytes:
        return self.hosted.store.blob(self.of.oid)


@views(TreeItem)
class TreeEntryView(View):
    """An entry of a tree."""

    typename = "TreeEntry"

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.of.path)

    @property
    def mode(self) -> int:
        """Its mode."""
        return int(self.of.mode, 8)

    @property
    def type(self) -> str:
        """What it is."""
        return str(self.of.kind)

    @property
    def oid(self) -> str:
        """Its id."""
        return str(self.of.sha)

    @property
    def size(self) -> int:
        """Bytes of a blob."""
        return len(self.hosted.store.blob(self.of.sha)) if self.of.kind == "blob" else 0

    @property
    def object(self) -> Any:
        """What it names; null for a submodule."""
        return RepositoryView(self.world, self.token, self.hosted, self.hosted).show_object(self.of.sha)
