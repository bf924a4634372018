"""GraphQL's view of pull requests and the merge queue."""

from datetime import datetime
from typing import Any

from medgauge_registrar.sandbox.github.connections import Connection
from medgauge_registrar.sandbox.github.objects import ChangedFile
from medgauge_registrar.sandbox.github.shapes import node_id
from medgauge_registrar.sandbox.github.values import PullRequest, QueueEntry
from medgauge_registrar.sandbox.github.views import RefValue, View, state_of, views
from medgauge_registrar.sandbox.github.views_talk import LabelValue

_PATCH = {"added": "ADDED", "modified": "MODIFIED", "removed": "DELETED", "changed": "CHANGED"}
_KINDS = {
    "HEAD_REF_FORCE_PUSHED_EVENT": "HeadRefForcePushedEvent",
    "AUTOMATIC_BASE_CHANGE_SUCCEEDED_EVENT": "AutomaticBaseChangeSucceededEvent",
    "BASE_REF_CHANGED_EVENT": "BaseRefChangedEvent",
    "READY_FOR_REVIEW_EVENT": "ReadyForReviewEvent",
    "CONVERT_TO_DRAFT_EVENT": "ConvertToDraftEvent",
    "RENAMED_TITLE_EVENT": "RenamedTitleEvent",
    "REVIEW_DISMISSED_EVENT": "ReviewDismissedEvent",
    "COMMENT_DELETED_EVENT": "CommentDeletedEvent",
}


@views(PullRequest)
class PullRequestView(View):
    """A pull request."""

    typename = "PullRequest"
    id_prefix = "PR"
    author_association = "NONE"
    last_edited_at = None
    maintainer_can_modify = False
    review_decision = None

    @property
    def id(self) -> str:
        """Global id."""
        return node_id("PR", f"{self.hosted.id}_{self.of.number}")

    @property
    def url(self) -> str:
        """Its page."""
        return f"{self.world.server_url}/{self.hosted.full_name}/pull/{self.of.number}"

    @property
    def state(self) -> str:
        """`OPEN`, `CLOSED` or `MERGED`."""
        return state_of(self.of)

    @property
    def is_draft(self) -> bool:
        """Whether it is a draft."""
        return bool(self.of.draft)

    @property
    def merged(self) -> bool:
        """Whether it is merged."""
        return self.of.merged_at is not None

    @property
    def closed(self) -> bool:
        """Whether it is no longer open."""
        return bool(self.of.state == "closed")

    @property
    def closed_at(self) -> datetime | None:
        """When it was closed or merged."""
        return self.of.updated_at if self.closed else None

    @property
    def updated_at(self) -> datetime:
        """When something last happened to it."""
        found: datetime = self.of.updated_at or self.of.created_at
        return found

    @property
    def mergeable(self) -> str:
        """Whether git can merge it."""
        if self.closed:
            return "UNKNOWN"
        merged = self.hosted.store.merge_tree(self.world.base_sha(self.of), self.of.head_sha)
        return "CONFLICTING" if merged is None else "MERGEABLE"

    @property
    def author(self) -> Any:
        """Who opened it; null for a deleted account."""
        return self.show(self.of.author)

    @property
    def merged_by(self) -> Any:
        """Who merged it."""
        return self.show(self.of.merged_by)

    @property
    def merge_commit(self) -> Any:
        """The commit that merged it."""
        return None if self.of.merge_commit is None else self.show(self.hosted.store.commit(self.of.merge_commit))

    @property
    def base_ref(self) -> Any:
        """Its base branch; null if that is gone."""
        return self._branch(self.hosted.store.resolve(f"refs/heads/{self.of.base_ref}"), self.of.base_ref)

    @property
    def base_ref_name(self) -> str:
        """Name of its base branch."""
        return str(self.of.base_ref)

    @property
    def base_ref_oid(self) -> str:
        """Tip of its base branch."""
        return self.world.base_sha(self.of)

    @property
    def base_repository(self) -> Any:
        """Where it merges into."""
        return self.show(self.hosted)

    @property
    def repository(self) -> Any:
        """Where it was opened."""
        return self.show(self.hosted)

    @property
    def head_ref(self) -> Any:
        """Its branch; null once the fork is gone."""
        return None if self.of.head_repo is None else self._branch(self.of.head_sha, self.of.head_ref)

    @property
    def head_ref_name(self) -> str:
        """Name of its branch."""
        return str(self.of.head_ref)

    @property
    def head_ref_oid(self) -> str:
        """Its head."""
        return str(self.of.head_sha)

    @property
    def head_repository(self) -> Any:
        """Where its branch lies; null once that is gone."""
        return self.show(self.world.head_repository(self.of))

    @property
    def head_repository_owner(self) -> Any:
        """Whose repository that is."""
        head = self.world.head_repository(self.of)
        return None if head is None else self.show(head.owner)

    @property
    def is_cross_repository(self) -> bool:
        """Whether its branch lies in another repository, or did."""
        return self.world.head_repository(self.of) is not self.hosted

    @property
    def changed_files(self) -> int:
        """How many files differ."""
        return len(self._changed())

    @property
    def merge_queue_entry(self) -> Any:
        """Its place in the merge queue."""
        return self.show(next((entry for entry in self.hosted.queue if entry.pull == self.of.number), None))

    @property
    def is_in_merge_queue(self) -> bool:
        """Whether it is queued."""
        return any(entry.pull == self.of.number for entry in self.hosted.queue)

    @property
    def status_check_rollup(self) -> Any:
        """What statuses and checks of its head come to."""
        return self.show(self.hosted.store.commit(self.of.head_sha)).status_check_rollup

    def labels(self, **arguments: Any) -> Connection:
        """Labels."""
        return self.page("labels", [LabelValue(name) for name in self.of.labels], arguments)

    def commits(self, **arguments: Any) -> Connection:
        """Commits that it brings, oldest first."""
        found = [PullCommitValue(self.of, commit) for commit in self.world.commits_of(self.of)]
        return self.page("commits", found, arguments)

    def reviews(self, *, states: list[str] | None = None, **arguments: Any) -> Connection:
        """Reviews, oldest first."""
        found = [review for review in self.of.reviews if states is None or review.state in states]
        return self.page("reviews", found, arguments)

    def comments(self, **arguments: Any) -> Connection:
        """The conversation, oldest first."""
        return self.page("comments", self.world.comments(self.of.number), arguments)

    def closing_issues_references(self, **arguments: Any) -> Connection:
        """Issues that it is linked to."""
        found = [self.hosted.issues[number] for number in self.of.closing_issues]
        return self.page("closingIssuesReferences", found, arguments)

    def files(self, **arguments: Any) -> Connection:
        """Files that it changes."""
        return self.page("files", self._changed(), arguments)

    def timeline_items(self, *, item_types: list[str] | None = None, **arguments: Any) -> Connection:
        """What happened to it, oldest first; of the kinds that the embedded GitHub knows."""
        kinds = set(_KINDS.values()) if item_types is None else {_KINDS.get(item, "") for item in item_types}
        return self.page("timelineItems", [event for event in self.of.events if event.kind in kinds], arguments)

    def _branch(self, sha: str | None, name: str) -> Any:
        return None if sha is None else self.show(RefValue(f"refs/heads/{name}", sha))

    def _changed(self) -> tuple[ChangedFile, ...]:
        store = self.hosted.store
        base = store.merge_base(self.world.base_sha(self.of), self.of.head_sha)
        return () if base is None else store.changed(base, self.of.head_sha)


class PullCommitValue:
    """A commit as a part of a pull request."""

    def __init__(self, pull: PullRequest, commit: Any) -> None:
        """Take both."""
        self.pull, self.commit = pull, commit


@views(PullCommitValue)
class PullCommitView(View):
    """A commit as a part of a pull request."""

    typename = "PullRequestCommit"

    @property
    def id(self) -> str:
        """Global id."""
        return node_id("PURC", f"{self.of.pull.number}_{self.of.commit.sha}")

    @property
    def commit(self) -> Any:
        """The commit."""
        return self.show(self.of.commit)

    @property
    def pull_request(self) -> Any:
        """The pull request."""
        return self.show(self.of.pull)

    @property
    def url(self) -> str:
        """Its page."""
        base = f"{self.world.server_url}/{self.hosted.full_name}"
        return f"{base}/pull/{self.of.pull.number}/commits/{self.of.commit.sha}"


@views(ChangedFile)
class ChangedFileView(View):
    """A changed file; where a renamed one came from is not told."""

    typename = "PullRequestChangedFile"
    additions = 0
    deletions = 0

    @property
    def change_type(self) -> str:
        """What became of it."""
        return _PATCH[self.of.status]


class MergeQueueView(View):
    """The merge queue of a branch."""

    typename = "MergeQueue"

    @property
    def id(self) -> str:
        """Global id."""
        return node_id("MQ", self.of)

    @property
    def url(self) -> str:
        """Its page."""
        return f"{self.world.server_url}/{self.hosted.full_name}/queue/{self.of}"

    def entries(self, **arguments: Any) -> Connection:
        """Its entries, first to be merged first."""
        found = [entry for entry in self.hosted.queue if self.hosted.pulls[entry.pull].base_ref == self.of]
        return self.page("entries", found, arguments)


@views(QueueEntry)
class QueueEntryView(View):
    """A place in the merge queue."""

    typename = "MergeQueueEntry"
    id_prefix = "MQE"
    jump = False
    solo = False
    state = "AWAITING_CHECKS"

    @property
    def base_commit(self) -> Any:
        """What its group builds on."""
        return self.show(self.hosted.store.commit(self.of.base_sha))

    @property
    def head_commit(self) -> Any:
        """The commit of its group."""
        return self.show(self.hosted.store.commit(self.of.head_sha))

    @property
    def enqueuer(self) -> Any:
        """Who queued it."""
        return self.show(self.of.by)

    @property
    def merge_queue(self) -> Any:
        """Its queue."""
        return MergeQueueView(self.world, self.token, self.hosted, self.hosted.pulls[self.of.pull].base_ref)

    @property
    def position(self) -> int:
        """Its place, from 1."""
        return self.hosted.queue.index(self.of) + 1

    @property
    def pull_request(self) -> Any:
        """The pull request."""
        return self.show(self.hosted.pulls[self.of.pull])
