"""What is on the embedded GitHub, and how its interfaces find it."""

import itertools
import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from medgauge_registrar.git.write import create_repository
from medgauge_registrar.model.pull import User
from medgauge_registrar.sandbox.github.faults import Faults
from medgauge_registrar.sandbox.github.limits import RateLimit
from medgauge_registrar.sandbox.github.objects import CommitObject, GitStore
from medgauge_registrar.sandbox.github.values import (
    ZERO_SHA,
    Activity,
    App,
    CommitStatus,
    Hosted,
    IssueComment,
    Logged,
    PullRequest,
    Team,
    Token,
)

REGISTRY = "example-organisation/registry"
NOTES_REF = "refs/notes/registrar"
ACTIONS_BOT = User(id=41898282, login="github-actions[bot]", type="Bot")
_NO_REPLY = re.compile(r"(?:(?P<id>[0-9]+)\+)?(?P<login>[^@]+)@users\.noreply\.github\.com")
_CO_AUTHOR = re.compile(r"(?im)^co-authored-by:[^\n<]*<(?P<email>[^>\n]*)>[ \t]*$")
_FIRST_ID = 1001


class State:
    """
    A GitHub with one registry on it.

    Attributes:
        now: The server's clock (aware, UTC); it stands still unless it is set.
        token: A credential of `github-actions[bot]` that may do everything.
        requests: Every request that came, in order, with its answer's status.
        faults: What goes wrong, scripted by the one who tests.
        rate_limit: Requests that are left in this hour.
        teams: Teams of organisations, by slug.
        emails: Accounts of addresses that do not give theirs away.
        signed: Commits that GitHub signed because an App made them through its interface.
    """

    def __init__(self, folder: Path, *, registry: str = REGISTRY, now: datetime | None = None) -> None:
        """
        Host the registry.

        Args:
            folder: Where the git repositories lie; `registry.git` is made there unless it exists.
            registry: `owner/name`.
            now: The server's clock; null: 29 November 2026, 08:00 UTC.
        """
        self.folder = folder
        self.now = now or datetime(2026, 11, 29, 8, 0, tzinfo=UTC)
        self.lock = threading.RLock()
        self.users: dict[int, User] = {}
        self.emails: dict[str, User] = {}
        self.repositories: dict[str, Hosted] = {}
        self.tokens: dict[str, Token] = {}
        self.apps: dict[int, App] = {}
        self.teams: dict[str, Team] = {}
        self.requests: list[Logged] = []
        self.faults = Faults()
        self.rate_limit = RateLimit(reset_at=int(self.now.timestamp()) + 3600)
        self.signed: set[str] = set()
        self._ids = itertools.count(_FIRST_ID)
        self.registry = self.host(registry)
        self.token = self.add_token(ACTIONS_BOT).value

    # What is there.

    def new_id(self) -> int:
        """A number that nothing else on this server has."""
        return next(self._ids)

    def host(self, full_name: str, *, private: bool = False, parent: str | None = None) -> Hosted:
        """Add a repository; a fork shares the objects of its parent."""
        owner, _, name = full_name.partition("/")
        if parent is not None:
            store = self.repository(parent).store
        else:
            path = self.folder / f"{name}.git"
            if not path.exists():
                create_repository(path)
            store = GitStore(path)
        hosted = Hosted(
            id=self.new_id(),
            owner=self.user(User(id=self.new_id(), login=owner, type="User" if parent else "Organization")),
            name=name,
            store=store,
            private=private,
            parent=parent,
            created_at=self.now,
        )
        self.repositories[full_name.casefold()] = hosted
        return hosted

    def repository(self, full_name: str) -> Hosted:
        """A repository by `owner/name`."""
        return self.repositories[full_name.casefold()]

    def user(self, user: User) -> User:
        """Make an account known; one with this login is kept."""
        known = self.user_named(user.login)
        return known if known is not None else self.users.setdefault(user.id, user)

    def user_named(self, login: str) -> User | None:
        """The account with a login, letter case aside."""
        return next((user for user in self.users.values() if user.login.casefold() == login.casefold()), None)

    def add_token(
        self,
        viewer: User,
        *,
        permissions: Mapping[str, str] | None = None,
        repositories: Iterable[str] | None = None,
        app_slug: str | None = None,
        expires_at: datetime | None = None,
    ) -> Token:
        """Make a credential; without `permissions` and `repositories` it may do everything everywhere."""
        token = Token(
            value=f"sandbox-token-{self.new_id()}",
            viewer=self.user(viewer),
            permissions=permissions,
            repositories=None if repositories is None else frozenset(name.casefold() for name in repositories),
            app_slug=app_slug,
            expires_at=expires_at,
        )
        self.tokens[token.value] = token
        return token

    def add_app(
        self, slug: str, public_key: str, *, permissions: Mapping[str, str], repositories: Iterable[str]
    ) -> App:
        """Register an App that is installed on some repositories; its private key stays with the caller."""
        app = App(
            id=self.new_id(),
            slug=slug,
            public_key=public_key,
            installation_id=self.new_id(),
            bot=self.user(User(id=self.new_id(), login=f"{slug}[bot]", type="Bot")),
            permissions=dict(permissions),
            repositories=frozenset(name.casefold() for name in repositories),
        )
        self.apps[app.id] = app
        return app

    def add_team(self, slug: str, members: Sequence[User], *, parent: str | None = None) -> Team:
        """Make a team of the organisation that owns the registry."""
        found = [self.user(user) for user in members]
        team = Team(id=self.new_id(), slug=slug, name=slug.replace("-", " ").title(), members=found, parent=parent)
        self.teams[slug] = team
        return team

    def sha(self, revision: str, repository: Hosted | None = None) -> str:
        """The commit that a branch, ref or id names."""
        found = (repository or self.registry).store.resolve(revision)
        if found is None:
            raise KeyError(f"no commit is named {revision}")
        return found

    # What came of it.

    def statuses(self, sha: str) -> tuple[CommitStatus, ...]:
        """Statuses of a commit, newest first."""
        with self.lock:
            return tuple(reversed(self.registry.statuses.get(sha, [])))

    def comments(self, number: int) -> tuple[IssueComment, ...]:
        """Conversation comments, oldest first."""
        with self.lock:
            return tuple(comment for comment in self.registry.comments.values() if comment.issue == number)

    def notes(self, ref: str = NOTES_REF) -> dict[str, bytes]:
        """The notes that a ref holds, by the commit they are about."""
        store = self.registry.store
        if store.resolve(ref) is None:
            return {}
        items = [item for item in store.tree(ref, recursive=True) if item.kind == "blob"]
        return {item.path.replace("/", ""): store.blob(item.sha) for item in items}

    # What the interfaces ask.

    def account_of(self, email: str) -> User | None:
        """The account that an address of a commit belongs to; null if there is none."""
        if email in self.emails:
            return self.emails[email]
        match = _NO_REPLY.fullmatch(email)
        if match is None:
            return None
        return self.users.get(int(match["id"])) if match["id"] else self.user_named(match["login"])

    def authors_of(self, commit: CommitObject) -> list[tuple[str, User | None]]:
        """Address and account of the author and of every co-author that the message names."""
        emails = [commit.author.email, *(match["email"] for match in _CO_AUTHOR.finditer(commit.message))]
        return [(email, self.account_of(email)) for email in dict.fromkeys(emails)]

    def commits_of(self, pull: PullRequest) -> tuple[CommitObject, ...]:
        """The commits that a pull request brings, oldest first."""
        return self.registry.store.between(self.base_sha(pull), pull.head_sha)

    def pulls_with(self, sha: str) -> list[PullRequest]:
        """Pull requests that bring a commit."""
        store, tips = self.registry.store, {}
        found = []
        for pull in self.registry.pulls.values():
            if pull.base_sha is None and pull.base_ref not in tips:
                tips[pull.base_ref] = self.base_sha(pull)
            base = pull.base_sha or tips[pull.base_ref]
            if sha == pull.head_sha or any(sha == commit.sha for commit in store.between(base, pull.head_sha)):
                found.append(pull)
        return found

    def base_sha(self, pull: PullRequest) -> str:
        """The tip of its base branch; of a merged one, the tip before."""
        return pull.base_sha or self.sha(f"refs/heads/{pull.base_ref}")

    def head_repository(self, pull: PullRequest) -> Hosted | None:
        """Where its branch lies; null once that is gone."""
        return None if pull.head_repo is None else self.repositories.get(pull.head_repo.casefold())

    def moved(
        self,
        hosted: Hosted,
        ref: str,
        before: str | None,
        after: str,
        by: User | None,
        at: datetime | None = None,
        kind: str | None = None,
    ) -> None:
        """Enter the movement of a ref in the repository's activity list; no `before`: it was made."""
        if kind is None:
            forced = before is not None and not hosted.store.is_ancestor(before, after)
            kind = "branch_creation" if before is None else "force_push" if forced else "push"
        who = None if by is None else self.user(by)
        entry = Activity(
            id=self.new_id(), ref=ref, before=before or ZERO_SHA, after=after, at=at or self.now, by=who, kind=kind
        )
        hosted.activity.append(entry)
