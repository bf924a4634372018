"""The embedded GitHub as tests and the demonstration hold it: people act on it in Python, programs speak to it over HTTP."""

import threading
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from medgauge_registrar.git.write import NewCommit, write_commits
from medgauge_registrar.model.pull import User
from medgauge_registrar.sandbox.github.graphql import schema
from medgauge_registrar.sandbox.github.people import address, web_flow
from medgauge_registrar.sandbox.github.server import Server
from medgauge_registrar.sandbox.github.shapes_git import AllShapes
from medgauge_registrar.sandbox.github.state import ACTIONS_BOT, REGISTRY, State
from medgauge_registrar.sandbox.github.values import (
    Event,
    Hosted,
    Issue,
    IssueComment,
    PullRequest,
    QueueEntry,
    Review,
)

__all__ = ["ACTIONS_BOT", "REGISTRY", "GitHubSandbox"]


class GitHubSandbox(State):
    """
    A GitHub with one registry on it, served on 127.0.0.1 while the object is open.

    Attributes:
        server_url: Where people and git look.
        api_url: REST.
        graphql_url: GraphQL.
        shapes: How REST shows things.
    """

    def __init__(self, folder: Path, *, registry: str = REGISTRY, now: datetime | None = None) -> None:
        """Take a port; for the rest see `State`."""
        super().__init__(folder, registry=registry, now=now)
        self._server = Server(self)
        self.server_url = f"http://127.0.0.1:{self._server.port}"
        self.api_url = f"{self.server_url}/api/v3"
        self.graphql_url = f"{self.server_url}/api/graphql"
        self.shapes = AllShapes(api_url=self.api_url, server_url=self.server_url)

    def __enter__(self) -> "GitHubSandbox":
        """
        Start serving.

        Raises:
            PolicyError: graphql-core is not installed.
        """
        schema()
        self._server.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop serving; open connections are closed."""
        self._server.stop()

    def wait(self) -> None:
        """Do nothing but serve, until somebody interrupts."""
        threading.Event().wait()

    # What people do.

    def commit(
        self,
        files: Mapping[str, bytes | None],
        *,
        by: User,
        on: str | Sequence[str] = "main",
        message: str = "An example change",
        co_authors: Sequence[User] = (),
        at: datetime | None = None,
        modes: Mapping[str, str] | None = None,
        repository: Hosted | None = None,
    ) -> str:
        """
        Make a commit that no ref names yet.

        Args:
            files: Contents by path of what it sets; null removes a path.
            by: Author and committer.
            on: Parent or parents, as branches or ids; none: a first commit.
            message: Its message; trailers of co-authors are added.
            co_authors: Further authors.
            at: Date that it claims; null: the server's clock.
            modes: Modes other than `100644`, by path.
            repository: Where; null: the registry.

        Returns:
            Its id.
        """
        hosted = repository or self.registry
        parents = [on] if isinstance(on, str) else list(on)
        trailers = "".join(f"\nCo-authored-by: {address(self.user(user))}" for user in co_authors)
        made = NewCommit(
            branch="refs/sandbox/commit",
            parents=parents,
            files=files,
            modes=modes or {},
            author=address(self.user(by)),
            at=int((at or self.now).timestamp()),
            message=f"{message}\n{trailers}\n" if trailers else message,
        )
        write_commits(hosted.store.path, [made])
        return self.sha(made.branch, hosted)

    def push_branch(
        self, sha: str, *, by: User, branch: str = "main", at: datetime | None = None, repository: Hosted | None = None
    ) -> None:
        """Move a branch of the registry itself."""
        hosted = repository or self.registry
        ref = f"refs/heads/{branch}"
        before = hosted.store.resolve(ref)
        hosted.store.update_ref(ref, sha)
        self.moved(hosted, ref, before, sha, by, at)

    def add_pull(
        self,
        head: str,
        *,
        by: User | None,
        number: int | None = None,
        title: str = "An example change",
        body: str = "",
        base: str = "main",
        head_ref: str | None = None,
        head_repo: str | None = "example-fork/registry",
        draft: bool = False,
        labels: Sequence[str] = (),
        closes: Sequence[int] = (),
        created_at: datetime | None = None,
        pushed_at: datetime | None = None,
        pushed_by: User | None = None,
    ) -> PullRequest:
        """
        Open a pull request.

        Args:
            head: Commit that it offers.
            by: Who opened it; null: an account that is gone.
            number: Its number; null: the next free one.
            title: Title.
            body: Description.
            base: Branch it merges into.
            head_ref: Name of its branch; null: `pull-N`.
            head_repo: Repository its branch lies in, made if it is not there; null: a fork that is gone.
            draft: Whether it is a draft.
            labels: Labels.
            closes: Issues that it is linked to.
            created_at: When it was opened; null: the server's clock.
            pushed_at: When its branch became `head`; null: when it was opened.
            pushed_by: Who pushed; null: whoever opened it.
        """
        with self.lock:
            found = number or 1 + max((*self.registry.pulls, *self.registry.issues), default=0)
            opened = created_at or self.now
            pull = PullRequest(
                id=self.new_id(),
                number=found,
                title=title,
                body=body,
                author=None if by is None else self.user(by),
                created_at=opened,
                base_ref=base,
                head_ref=head_ref or f"pull-{found}",
                head_sha=head,
                head_repo=head_repo,
                draft=draft,
                labels=tuple(labels),
                closing_issues=tuple(closes),
            )
            if head_repo is not None and head_repo.casefold() not in self.repositories:
                self.host(head_repo, parent=self.registry.full_name)
            self.registry.store.update_ref(f"refs/pull/{found}/head", head)
            self.registry.pulls[found] = pull
            self._record_push(pull, None, head, pushed_by or by, pushed_at or opened)
            return pull

    def push(
        self,
        number: int,
        sha: str,
        *,
        by: User | None,
        at: datetime | None = None,
        moves_reviews: bool = False,
    ) -> None:
        """
        Move the head of a pull request, by force where it does not build on the old one.

        Args:
            number: The pull request.
            sha: The new head.
            by: Who pushed.
            at: When; null: the server's clock.
            moves_reviews: Let earlier reviews name the new head, as GitHub sometimes does.
        """
        with self.lock:
            pull = self.registry.pulls[number]
            before, when = pull.head_sha, at or self.now
            if not self.registry.store.is_ancestor(before, sha):
                facts = {"before": before, "after": sha, "ref": pull.head_ref}
                self._event(pull, "HeadRefForcePushedEvent", by, when, facts)
            self.registry.store.update_ref(f"refs/pull/{number}/head", sha)
            pull.head_sha, pull.updated_at = sha, when
            self._record_push(pull, before, sha, by, when)
            if moves_reviews:
                for review in pull.reviews:
                    review.commit = sha

    def review(
        self,
        number: int,
        *,
        by: User | None,
        state: str = "APPROVED",
        body: str = "",
        commit: str | None = None,
        at: datetime | None = None,
        id: int | None = None,  # noqa: A002 - GitHub's name of it
    ) -> Review:
        """Review a pull request, at its head unless `commit` says otherwise; `id` is new unless given."""
        with self.lock:
            pull = self.registry.pulls[number]
            review = Review(
                id=id or self.new_id(),
                user=None if by is None else self.user(by),
                state=state,
                commit=commit or pull.head_sha,
                submitted_at=at or self.now,
                body=body,
            )
            pull.reviews.append(review)
            return review

    def comment(
        self,
        number: int,
        body: str,
        *,
        by: User | None,
        at: datetime | None = None,
        id: int | None = None,  # noqa: A002 - GitHub's name of it
        repository: Hosted | None = None,
    ) -> IssueComment:
        """Comment on a pull request or an issue; `id` is new unless given."""
        with self.lock:
            hosted = repository or self.registry
            comment = IssueComment(
                id=id or self.new_id(),
                issue=number,
                user=None if by is None else self.user(by),
                body=body,
                created_at=at or self.now,
            )
            hosted.comments[comment.id] = comment
            return comment

    def edit_comment(self, comment_id: int, body: str, *, by: User, at: datetime | None = None) -> None:
        """Change what a comment says; it is known as edited from then on."""
        with self.lock:
            comment = self.registry.comments[comment_id]
            comment.body, comment.editor, comment.edited_at = body, self.user(by), at or self.now

    def edit_issue(self, number: int, body: str, *, at: datetime | None = None) -> None:
        """Change what an issue says."""
        with self.lock:
            issue = self.registry.issues[number]
            issue.body, issue.edited_at = body, at or self.now

    def dismiss(self, review: Review, *, by: User, message: str = "", at: datetime | None = None) -> None:
        """Take a review's word from it, as whoever may write to the repository can do."""
        with self.lock:
            pull = next(one for one in self.registry.pulls.values() if review in one.reviews)
            facts = {"state": review.state, "review": review.id, "message": message or None}
            self._event(pull, "ReviewDismissedEvent", by, at or self.now, facts)
            review.state = "DISMISSED"

    def delete_comment(self, comment_id: int, *, by: User, at: datetime | None = None) -> None:
        """Delete a comment on a pull request; its timeline tells of it."""
        with self.lock:
            comment = self.registry.comments.pop(comment_id)
            pull = self.registry.pulls[comment.issue]
            self._event(pull, "CommentDeletedEvent", by, at or self.now, {"author": comment.user})

    def add_issue(
        self,
        title: str,
        body: str = "",
        *,
        by: User | None,
        number: int | None = None,
        labels: Sequence[str] = (),
        created_at: datetime | None = None,
        state: str = "open",
    ) -> Issue:
        """Open an issue."""
        with self.lock:
            found = number or 1 + max((*self.registry.pulls, *self.registry.issues), default=0)
            issue = Issue(
                id=self.new_id(),
                number=found,
                title=title,
                body=body,
                labels=tuple(labels),
                user=None if by is None else self.user(by),
                created_at=created_at or self.now,
                state=state,
            )
            self.registry.issues[found] = issue
            return issue

    def delete_fork(self, full_name: str) -> None:
        """Delete a fork; its pull requests stay, without a head repository."""
        with self.lock:
            del self.repositories[full_name.casefold()]
            for pull in self.registry.pulls.values():
                if pull.head_repo == full_name:
                    pull.head_repo = None

    def delete_account(self, user: User) -> None:
        """Delete an account; what it did stays, without a name."""
        with self.lock:
            del self.users[user.id]
            for pull in self.registry.pulls.values():
                if pull.author == user:
                    pull.author = None
                for review in pull.reviews:
                    if review.user == user:
                        review.user = None
            for comment in self.registry.comments.values():
                if comment.user == user:
                    comment.user = None

    def enqueue(self, number: int, *, by: User | None = None) -> QueueEntry:
        """Put a pull request at the end of the merge queue; its group holds everything before it."""
        with self.lock:
            pull = self.registry.pulls[number]
            base = self.registry.queue[-1].head_sha if self.registry.queue else self.sha(f"refs/heads/{pull.base_ref}")
            head = self._merge_commit(base, pull)
            ref = f"refs/heads/gh-readonly-queue/{pull.base_ref}/pr-{number}-{base}"
            self.registry.store.update_ref(ref, head)
            entry = QueueEntry(
                id=self.new_id(),
                pull=number,
                base_sha=base,
                head_sha=head,
                ref=ref,
                enqueued_at=self.now,
                by=by or pull.author,
            )
            self.registry.queue.append(entry)
            return entry

    def merge(self, number: int, *, by: User) -> str:
        """Merge a pull request; returns the merge commit, the new tip of its base branch."""
        with self.lock:
            pull = self.registry.pulls[number]
            ref = f"refs/heads/{pull.base_ref}"
            before = self.sha(ref)
            merged = self._merge_commit(before, pull)
            self.registry.store.update_ref(ref, merged)
            pull.state, pull.merge_commit, pull.base_sha = "closed", merged, before
            pull.merged_at = pull.updated_at = self.now
            pull.merged_by = self.user(by)
            self.moved(self.registry, ref, before, merged, by, self.now, kind="pr_merge")
            return merged

    def close(self, number: int) -> None:
        """Close a pull request without merging it."""
        with self.lock:
            pull = self.registry.pulls[number]
            pull.state, pull.updated_at = "closed", self.now

    def retarget(self, number: int, base: str, *, by: User, automatic: bool = False) -> None:
        """Let a pull request merge into another branch; GitHub does so itself where its base branch is deleted."""
        with self.lock:
            pull = self.registry.pulls[number]
            kind = "AutomaticBaseChangeSucceededEvent" if automatic else "BaseRefChangedEvent"
            self._event(pull, kind, by, self.now, {"previous": pull.base_ref, "current": base})
            pull.base_ref = base

    def _record_push(self, pull: PullRequest, before: str | None, after: str, by: User | None, at: datetime) -> None:
        head = self.head_repository(pull)
        if head is not None:
            if head.parent is None:
                head.store.update_ref(f"refs/heads/{pull.head_ref}", after)
            self.moved(head, f"refs/heads/{pull.head_ref}", before, after, by, at)

    def _event(self, pull: PullRequest, kind: str, by: User | None, at: datetime, facts: Mapping[str, Any]) -> None:
        actor = None if by is None else self.user(by)
        pull.events.append(Event(id=self.new_id(), kind=kind, actor=actor, created_at=at, facts=facts))

    def _merge_commit(self, base: str, pull: PullRequest) -> str:
        store = self.registry.store
        tree = store.merge_tree(base, pull.head_sha)
        if tree is None:
            raise ValueError(f"pull request {pull.number} does not merge cleanly")
        return store.write_commit(
            tree=tree,
            parents=[base, pull.head_sha],
            message=f"Merge pull request #{pull.number} from {pull.head_ref}",
            author=web_flow(self.now),
            committer=web_flow(self.now),
        )
