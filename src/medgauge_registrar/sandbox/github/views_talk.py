"""GraphQL's view of what people say: reviews, comments, reactions, issues, labels, and events of a pull request."""

from datetime import datetime
from typing import Any

from medgauge_registrar.sandbox.github.connections import Connection
from medgauge_registrar.sandbox.github.shapes import node_id
from medgauge_registrar.sandbox.github.values import Event, Issue, IssueComment, Reaction, Review
from medgauge_registrar.sandbox.github.views import View, views

_REACTIONS = {"+1": "THUMBS_UP", "-1": "THUMBS_DOWN"}
_CONTENTS = ("THUMBS_UP", "THUMBS_DOWN", "LAUGH", "HOORAY", "CONFUSED", "HEART", "ROCKET", "EYES")


class LabelValue:
    """A label."""

    def __init__(self, name: str) -> None:
        """Take its name."""
        self.name, self.color, self.description = name, "ededed", None


@views(LabelValue)
class LabelView(View):
    """A label."""

    typename = "Label"

    @property
    def id(self) -> str:
        """Global id."""
        return node_id("LA", self.of.name)


@views(Review)
class ReviewView(View):
    """A review."""

    typename = "PullRequestReview"
    id_prefix = "PRR"
    author_association = "NONE"
    last_edited_at = None

    @property
    def author(self) -> Any:
        """Who gave it; null for a deleted account."""
        return self.show(self.of.user)

    @property
    def commit(self) -> Any:
        """The commit that it names; null if that is gone."""
        sha = self.of.commit
        if sha is None or self.hosted.store.kind(sha) is None:
            return None
        return self.show(self.hosted.store.commit(sha))

    @property
    def created_at(self) -> datetime:
        """When it was begun."""
        found: datetime = self.of.submitted_at or self.world.now
        return found

    @property
    def updated_at(self) -> datetime:
        """When it last changed."""
        return self.created_at

    @property
    def url(self) -> str:
        """Its page."""
        return f"{self.world.server_url}/{self.hosted.full_name}#pullrequestreview-{self.of.id}"

    @property
    def viewer_did_author(self) -> bool:
        """Whether it is the viewer's."""
        return bool(self.of.user == self.token.viewer)


@views(IssueComment)
class CommentView(View):
    """A conversation comment."""

    typename = "IssueComment"
    id_prefix = "IC"
    author_association = "NONE"
    is_minimized = False

    @property
    def author(self) -> Any:
        """Who wrote it; null for a deleted account."""
        return self.show(self.of.user)

    @property
    def editor(self) -> Any:
        """Who last edited it."""
        return self.show(self.of.editor)

    @property
    def last_edited_at(self) -> datetime | None:
        """When it was last edited; null: never."""
        found: datetime | None = self.of.edited_at
        return found

    @property
    def includes_created_edit(self) -> bool:
        """Whether it was edited after it was written."""
        return self.of.edited_at is not None

    @property
    def updated_at(self) -> datetime:
        """When it last changed."""
        found: datetime = self.of.edited_at or self.of.created_at
        return found

    @property
    def url(self) -> str:
        """Its place on the page."""
        kind = "pull" if self.of.issue in self.hosted.pulls else "issues"
        return f"{self.world.server_url}/{self.hosted.full_name}/{kind}/{self.of.issue}#issuecomment-{self.of.id}"

    @property
    def viewer_did_author(self) -> bool:
        """Whether it is the viewer's."""
        return bool(self.of.user == self.token.viewer)

    @property
    def reaction_groups(self) -> list["ReactionGroup"]:
        """Every kind of reaction, and whether the viewer gave it."""
        own = {_content(item): item for item in self.of.reactions if item.user == self.token.viewer}
        return [ReactionGroup(content, own.get(content)) for content in _CONTENTS]

    def reactions(self, *, content: str | None = None, **arguments: Any) -> Connection:
        """Reactions to it."""
        found = [item for item in self.of.reactions if content in {None, _content(item)}]
        return self.page("reactions", found, arguments)


class ReactionGroup:
    """Reactions of one kind."""

    def __init__(self, content: str, own: Reaction | None) -> None:
        """Take the kind and the viewer's own reaction."""
        self.content, self.viewer_has_reacted = content, own is not None
        self.created_at = None if own is None else own.created_at


@views(Reaction)
class ReactionView(View):
    """A reaction."""

    typename = "Reaction"
    id_prefix = "REA"

    @property
    def content(self) -> str:
        """What it says."""
        return _content(self.of)

    @property
    def user(self) -> Any:
        """Whose it is."""
        return self.show(self.of.user)


@views(Issue)
class IssueView(View):
    """An issue."""

    typename = "Issue"
    id_prefix = "I"
    closed_at = None

    @property
    def author(self) -> Any:
        """Who opened it; null for a deleted account."""
        return self.show(self.of.user)

    @property
    def last_edited_at(self) -> datetime | None:
        """When its words were last changed; null if they never were."""
        found: datetime | None = self.of.edited_at
        return found

    @property
    def state(self) -> str:
        """`OPEN` or `CLOSED`."""
        return str(self.of.state).upper()

    @property
    def closed(self) -> bool:
        """Whether it is closed."""
        return bool(self.of.state == "closed")

    @property
    def updated_at(self) -> datetime:
        """When it last changed."""
        found: datetime = self.of.created_at
        return found

    @property
    def url(self) -> str:
        """Its page."""
        return f"{self.world.server_url}/{self.hosted.full_name}/issues/{self.of.number}"

    @property
    def repository(self) -> Any:
        """Where it was opened."""
        return self.show(self.hosted)

    def labels(self, **arguments: Any) -> Connection:
        """Labels."""
        return self.page("labels", [LabelValue(name) for name in self.of.labels], arguments)

    def comments(self, **arguments: Any) -> Connection:
        """Its conversation."""
        found = [comment for comment in self.hosted.comments.values() if comment.issue == self.of.number]
        return self.page("comments", found, arguments)


@views(Event)
class EventView(View):
    """Something that happened to a pull request."""

    id_prefix = "EV"

    @property
    def typename(self) -> str:  # type: ignore[override]  # one class shows several types; nobody sets it
        """Its type."""
        return str(self.of.kind)

    @property
    def actor(self) -> Any:
        """Who did it."""
        return self.show(self.of.actor)

    @property
    def pull_request(self) -> Any:
        """What it was done to."""
        return self.show(next(pull for pull in self.hosted.pulls.values() if self.of in pull.events))

    @property
    def before_commit(self) -> Any:
        """The head before; null if it is gone."""
        return self._commit("before")

    @property
    def after_commit(self) -> Any:
        """The head after."""
        return self._commit("after")

    @property
    def ref(self) -> Any:
        """The branch; null if it is gone."""
        return self.pull_request.head_ref

    @property
    def current_ref_name(self) -> str:
        """The base branch after."""
        return str(self.of.facts["current"])

    @property
    def previous_ref_name(self) -> str:
        """The base branch before."""
        return str(self.of.facts["previous"])

    @property
    def new_base(self) -> str:
        """The base branch after GitHub itself changed it."""
        return self.current_ref_name

    @property
    def old_base(self) -> str:
        """The base branch before that."""
        return self.previous_ref_name

    @property
    def current_title(self) -> str:
        """The title after."""
        return str(self.of.facts["current"])

    @property
    def previous_title(self) -> str:
        """The title before."""
        return str(self.of.facts["previous"])

    @property
    def deleted_comment_author(self) -> Any:
        """Whose comment was deleted; null for a deleted account."""
        return self.show(self.of.facts["author"])

    @property
    def dismissal_message(self) -> str | None:
        """Why a review was dismissed."""
        found: str | None = self.of.facts.get("message")
        return found

    @property
    def previous_review_state(self) -> str:
        """What the review said."""
        return str(self.of.facts["state"])

    @property
    def review(self) -> Any:
        """The review that was dismissed."""
        reviews = (review for pull in self.hosted.pulls.values() for review in pull.reviews)
        return self.show(next((review for review in reviews if review.id == self.of.facts["review"]), None))

    def _commit(self, name: str) -> Any:
        sha = self.of.facts[name]
        return None if self.hosted.store.kind(sha) is None else self.show(self.hosted.store.commit(sha))


def _content(reaction: Reaction) -> str:
    return _REACTIONS.get(reaction.content, reaction.content.upper())
