"""What the embedded GitHub remembers beside git: plain values, changed only under the lock of their world."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.pull import User
from medgauge_registrar.sandbox.github.objects import GitStore

ZERO_SHA = "0" * 40


@dataclass(kw_only=True, slots=True)
class Token:
    """
    A credential.

    Attributes:
        value: The secret itself.
        viewer: Account it acts as.
        permissions: `read`, `write` or `admin` by name of the permission (`statuses`, `issues`, …); null: everything.
        repositories: Full names it reaches; null: all.
        app_slug: App behind an installation token.
    """

    value: str
    viewer: User
    permissions: Mapping[str, str] | None = None
    repositories: frozenset[str] | None = None
    app_slug: str | None = None
    expires_at: datetime | None = None

    def may(self, permission: str, level: str) -> bool:
        """Whether it carries a permission at this level or above."""
        levels = ("read", "write", "admin")
        held = "admin" if self.permissions is None else self.permissions.get(permission)
        return held is not None and levels.index(held) >= levels.index(level)

    def sees(self, repository: str) -> bool:
        """Whether it reaches a private repository."""
        return self.repositories is None or repository in self.repositories


@frozen
class App:
    """A GitHub App with one installation."""

    id: int
    slug: str
    public_key: str
    installation_id: int
    bot: User
    permissions: Mapping[str, str]
    repositories: frozenset[str]


@dataclass(kw_only=True, slots=True)
class Review:
    """One review; `commit` may be moved by a later push, as GitHub moves it."""

    id: int
    user: User | None
    state: str
    commit: str | None
    submitted_at: datetime | None
    body: str = ""


@dataclass(kw_only=True, slots=True)
class Reaction:
    """A reaction to a comment; `content` as REST spells it (`+1`, `eyes`, …)."""

    id: int
    user: User
    content: str
    created_at: datetime


@dataclass(kw_only=True, slots=True)
class IssueComment:
    """A conversation comment on an issue or a pull request."""

    id: int
    issue: int
    user: User | None
    body: str
    created_at: datetime
    edited_at: datetime | None = None
    editor: User | None = None
    reactions: list[Reaction] = field(default_factory=list)


@dataclass(kw_only=True, slots=True)
class Issue:
    """An issue that is no pull request."""

    id: int
    number: int
    title: str
    body: str
    labels: tuple[str, ...]
    user: User | None
    created_at: datetime
    state: str = "open"
    edited_at: datetime | None = None


@dataclass(kw_only=True, slots=True)
class Event:
    """One entry of a pull request's timeline; `kind` is the GraphQL type, `facts` its own fields."""

    id: int
    kind: str
    actor: User | None
    created_at: datetime
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(kw_only=True, slots=True)
class PullRequest:
    """A pull request. `head_repo` is null once the fork is gone; `merge_commit` is set when it is merged."""

    id: int
    number: int
    title: str
    body: str
    author: User | None
    created_at: datetime
    base_ref: str
    head_ref: str
    head_sha: str
    head_repo: str | None
    draft: bool = False
    labels: tuple[str, ...] = ()
    state: str = "open"
    merged_at: datetime | None = None
    merged_by: User | None = None
    merge_commit: str | None = None
    base_sha: str | None = None
    closing_issues: tuple[int, ...] = ()
    reviews: list[Review] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    updated_at: datetime | None = None


@dataclass(kw_only=True, slots=True)
class Activity:
    """One movement of a ref, as the repository's activity list tells it."""

    id: int
    ref: str
    before: str
    after: str
    at: datetime
    by: User | None
    kind: str


@dataclass(kw_only=True, slots=True)
class CommitStatus:
    """A status of a commit in a context."""

    id: int
    context: str
    state: str
    description: str | None
    target_url: str | None
    creator: User
    created_at: datetime
    app_slug: str | None = None


@dataclass(kw_only=True, slots=True)
class CheckRun:
    """A check run, with every annotation it was ever sent."""

    id: int
    name: str
    head_sha: str
    app_slug: str
    status: str
    conclusion: str | None
    started_at: datetime | None
    completed_at: datetime | None
    external_id: str
    details_url: str | None
    title: str | None = None
    summary: str | None = None
    text: str | None = None
    annotations: list[dict[str, Any]] = field(default_factory=list)


@dataclass(kw_only=True, slots=True)
class QueueEntry:
    """A place in the merge queue of a branch: the group's ref and its commit on top of the base."""

    id: int
    pull: int
    base_sha: str
    head_sha: str
    ref: str
    enqueued_at: datetime
    by: User | None


@dataclass(kw_only=True, slots=True)
class Team:
    """A team of an organisation."""

    id: int
    slug: str
    name: str
    members: list[User]
    parent: str | None = None


@dataclass(kw_only=True, slots=True)
class Settings:
    """
    Settings of a repository that `doctor` reads, in REST's own shape.

    Attributes:
        protection: Classic protection of the branch; null: it has none.
        branch_policies: Branches that may deploy, by environment.
        secrets: Names of secrets by environment; under the empty name those of the repository.
        permissions: What people may do, by login.
        workflow_states: States of workflows by path, but for active ones.
    """

    rules: list[dict[str, Any]] = field(default_factory=list)
    protection: dict[str, Any] | None = None
    actions: dict[str, Any] = field(
        default_factory=lambda: {"enabled": True, "allowed_actions": "all", "sha_pinning_required": False}
    )
    workflow: dict[str, Any] = field(
        default_factory=lambda: {"default_workflow_permissions": "read", "can_approve_pull_request_reviews": False}
    )
    environments: list[dict[str, Any]] = field(default_factory=list)
    branch_policies: dict[str, list[str]] = field(default_factory=dict)
    secrets: dict[str, list[str]] = field(default_factory=dict)
    permissions: dict[str, str] = field(default_factory=dict)
    workflow_states: dict[str, str] = field(default_factory=dict)
    private_reporting: bool = False
    merge_queue: bool = False


@dataclass(kw_only=True, slots=True)
class Hosted:
    """
    A repository on the embedded GitHub.

    Attributes:
        store: Its git objects; forks share those of their parent, as they do on GitHub.
        parent: Full name of what it was forked from.
    """

    id: int
    owner: User
    name: str
    store: GitStore
    private: bool = False
    parent: str | None = None
    default_branch: str = "main"
    created_at: datetime
    pulls: dict[int, PullRequest] = field(default_factory=dict)
    issues: dict[int, Issue] = field(default_factory=dict)
    comments: dict[int, IssueComment] = field(default_factory=dict)
    activity: list[Activity] = field(default_factory=list)
    statuses: dict[str, list[CommitStatus]] = field(default_factory=dict)
    check_runs: dict[int, CheckRun] = field(default_factory=dict)
    queue: list[QueueEntry] = field(default_factory=list)
    settings: Settings = field(default_factory=Settings)

    @property
    def full_name(self) -> str:
        """`owner/name`."""
        return f"{self.owner.login}/{self.name}"

    def latest_statuses(self, sha: str) -> list[CommitStatus]:
        """The newest status of each context of a commit; contexts that differ in letter case alone are one."""
        return list({status.context.casefold(): status for status in self.statuses.get(sha, [])}.values())


@frozen
class Logged:
    """One request that came: what it asked, as whom, and with which status it was answered (0: not at all)."""

    method: str
    target: str
    login: str | None
    status: int
    body: bytes

    @property
    def is_api(self) -> bool:
        """Whether it counts as a request to one of the interfaces."""
        return self.target.startswith("/api/")
