"""Values as GitHub's REST interface shows them; every field that its description requires, and few more."""

from datetime import datetime
from typing import Any

from medgauge_registrar.model.pull import User
from medgauge_registrar.sandbox.github.values import (
    Activity,
    CheckRun,
    CommitStatus,
    Hosted,
    Issue,
    IssueComment,
    PullRequest,
    Reaction,
    Review,
    Team,
)

Json = dict[str, Any]

_USER_LINKS = {
    "events_url": "/events{/privacy}",
    "followers_url": "/followers",
    "following_url": "/following{/other_user}",
    "gists_url": "/gists{/gist_id}",
    "organizations_url": "/orgs",
    "received_events_url": "/received_events",
    "repos_url": "/repos",
    "starred_url": "/starred{/owner}{/repo}",
    "subscriptions_url": "/subscriptions",
}
_REPOSITORY_LINKS = {
    "archive_url": "/{archive_format}{/ref}",
    "assignees_url": "/assignees{/user}",
    "blobs_url": "/git/blobs{/sha}",
    "branches_url": "/branches{/branch}",
    "collaborators_url": "/collaborators{/collaborator}",
    "comments_url": "/comments{/number}",
    "commits_url": "/commits{/sha}",
    "compare_url": "/compare/{base}...{head}",
    "contents_url": "/contents/{+path}",
    "contributors_url": "/contributors",
    "deployments_url": "/deployments",
    "downloads_url": "/downloads",
    "events_url": "/events",
    "forks_url": "/forks",
    "git_commits_url": "/git/commits{/sha}",
    "git_refs_url": "/git/refs{/sha}",
    "git_tags_url": "/git/tags{/sha}",
    "hooks_url": "/hooks",
    "issue_comment_url": "/issues/comments{/number}",
    "issue_events_url": "/issues/events{/number}",
    "issues_url": "/issues{/number}",
    "keys_url": "/keys{/key_id}",
    "labels_url": "/labels{/name}",
    "languages_url": "/languages",
    "merges_url": "/merges",
    "milestones_url": "/milestones{/number}",
    "notifications_url": "/notifications{?since,all,participating}",
    "pulls_url": "/pulls{/number}",
    "releases_url": "/releases{/id}",
    "stargazers_url": "/stargazers",
    "statuses_url": "/statuses/{sha}",
    "subscribers_url": "/subscribers",
    "subscription_url": "/subscription",
    "tags_url": "/tags",
    "teams_url": "/teams",
    "trees_url": "/git/trees{/sha}",
}
_REACTIONS = ("+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes")


def moment(at: datetime | None) -> str | None:
    """A time as GitHub writes it, to the second; null stays null."""
    return None if at is None else at.strftime("%Y-%m-%dT%H:%M:%SZ")


def node_id(kind: str, number: int | str) -> str:
    """An opaque global id, as both interfaces give it."""
    return f"{kind}_{number}"


class Shapes:
    """Turns values into REST's JSON; knows the addresses of one server."""

    def __init__(self, *, api_url: str, server_url: str) -> None:
        """Take the addresses that links begin with."""
        self.api_url = api_url
        self.server_url = server_url

    def user(self, user: User | None) -> Json | None:
        """An account; null for one that was deleted."""
        if user is None:
            return None
        address = f"{self.api_url}/users/{user.login}"
        return {
            "login": user.login,
            "id": user.id,
            "node_id": node_id("U", user.id),
            "avatar_url": f"{self.server_url}/avatars/{user.id}",
            "gravatar_id": "",
            "url": address,
            "html_url": f"{self.server_url}/{user.login}",
            **{name: address + end for name, end in _USER_LINKS.items()},
            "type": user.type,
            "user_view_type": "public",
            "site_admin": False,
        }

    def repository(self, hosted: Hosted) -> Json:
        """A repository with everything its full form requires."""
        address = f"{self.api_url}/repos/{hosted.full_name}"
        page = f"{self.server_url}/{hosted.full_name}"
        created = moment(hosted.created_at)
        counts = dict.fromkeys(
            ("forks", "forks_count", "stargazers_count", "watchers", "watchers_count", "network_count", "size"), 0
        )
        return {
            "id": hosted.id,
            "node_id": node_id("R", hosted.id),
            "name": hosted.name,
            "full_name": hosted.full_name,
            "private": hosted.private,
            "owner": self.user(hosted.owner),
            "html_url": page,
            "description": None,
            "fork": hosted.parent is not None,
            "url": address,
            **{name: address + end for name, end in _REPOSITORY_LINKS.items()},
            "clone_url": f"{page}.git",
            "git_url": f"git:{page.partition(':')[2]}.git",
            "ssh_url": f"git@localhost:{hosted.full_name}.git",
            "svn_url": page,
            "mirror_url": None,
            "homepage": None,
            "language": None,
            "license": None,
            "default_branch": hosted.default_branch,
            **counts,
            "subscribers_count": 0,
            "open_issues": len(hosted.issues) + len(hosted.pulls),
            "open_issues_count": len(hosted.issues) + len(hosted.pulls),
            "has_issues": True,
            "has_projects": False,
            "has_wiki": False,
            "has_pages": False,
            "has_discussions": False,
            "has_downloads": True,
            "archived": False,
            "disabled": False,
            "topics": [],
            "visibility": "private" if hosted.private else "public",
            "pushed_at": created,
            "created_at": created,
            "updated_at": created,
        }

    def label(self, hosted: Hosted, name: str) -> Json:
        """A label by its name."""
        return {
            "id": sum(name.encode()) + hosted.id,
            "node_id": node_id("LA", name),
            "url": f"{self.api_url}/repos/{hosted.full_name}/labels/{name}",
            "name": name,
            "color": "ededed",
            "default": False,
            "description": "",
        }

    def pull(self, hosted: Hosted, pull: PullRequest, head: Hosted | None, base_sha: str) -> Json:
        """A pull request as lists show it. A deleted fork leaves null for repository, account and label of the head."""
        address = f"{self.api_url}/repos/{hosted.full_name}/pulls/{pull.number}"
        issue = f"{self.api_url}/repos/{hosted.full_name}/issues/{pull.number}"
        page = f"{self.server_url}/{hosted.full_name}/pull/{pull.number}"
        statuses = f"{self.api_url}/repos/{hosted.full_name}/statuses/{pull.head_sha}"
        closed = pull.merged_at or (pull.updated_at or pull.created_at if pull.state == "closed" else None)
        links = {
            "self": address,
            "html": page,
            "issue": issue,
            "comments": f"{issue}/comments",
            "review_comments": f"{address}/comments",
            "review_comment": f"{self.api_url}/repos/{hosted.full_name}/pulls/comments{{/number}}",
            "commits": f"{address}/commits",
            "statuses": statuses,
        }
        return {
            "url": address,
            "id": pull.id,
            "node_id": node_id("PR", f"{hosted.id}_{pull.number}"),
            "html_url": page,
            "diff_url": f"{page}.diff",
            "patch_url": f"{page}.patch",
            "issue_url": issue,
            "number": pull.number,
            "state": pull.state,
            "locked": False,
            "title": pull.title,
            # A deleted account is shown as the ghost, never as null.
            "user": self.user(pull.author or GHOST),
            "body": pull.body or None,
            "created_at": moment(pull.created_at),
            "updated_at": moment(pull.updated_at or pull.created_at),
            "closed_at": moment(closed),
            "merged_at": moment(pull.merged_at),
            "merge_commit_sha": pull.merge_commit,
            "assignee": None,
            "assignees": [],
            "requested_reviewers": [],
            "requested_teams": [],
            "labels": [self.label(hosted, name) for name in pull.labels],
            "milestone": None,
            "draft": pull.draft,
            "commits_url": links["commits"],
            "review_comments_url": links["review_comments"],
            "review_comment_url": links["review_comment"],
            "comments_url": links["comments"],
            "statuses_url": statuses,
            "head": {
                "label": None if head is None else f"{head.owner.login}:{pull.head_ref}",
                "ref": pull.head_ref,
                "sha": pull.head_sha,
                "user": None if head is None else self.user(head.owner),
                "repo": None if head is None else self.repository(head),
            },
            "base": {
                "label": f"{hosted.owner.login}:{pull.base_ref}",
                "ref": pull.base_ref,
                "sha": base_sha,
                "user": self.user(hosted.owner),
                "repo": self.repository(hosted),
            },
            "_links": {name: {"href": href} for name, href in links.items()},
            # What membership hides is not told; nothing may rest on it.
            "author_association": "NONE",
            "auto_merge": None,
            "active_lock_reason": None,
        }

    def review(self, hosted: Hosted, pull: PullRequest, review: Review) -> Json:
        """A review."""
        address = f"{self.api_url}/repos/{hosted.full_name}/pulls/{pull.number}"
        page = f"{self.server_url}/{hosted.full_name}/pull/{pull.number}#pullrequestreview-{review.id}"
        return {
            "id": review.id,
            "node_id": node_id("PRR", review.id),
            "user": self.user(review.user or GHOST),
            "body": review.body,
            "state": review.state,
            "html_url": page,
            "pull_request_url": address,
            "author_association": "NONE",
            "_links": {"html": {"href": page}, "pull_request": {"href": address}},
            "commit_id": review.commit,
            **({} if review.submitted_at is None else {"submitted_at": moment(review.submitted_at)}),
        }

    def issue(self, hosted: Hosted, issue: Issue | PullRequest) -> Json:
        """An issue; a pull request is one too."""
        address = f"{self.api_url}/repos/{hosted.full_name}/issues/{issue.number}"
        pull = isinstance(issue, PullRequest)
        page = f"{self.server_url}/{hosted.full_name}/{'pull' if pull else 'issues'}/{issue.number}"
        shown: Json = {
            "url": address,
            "repository_url": f"{self.api_url}/repos/{hosted.full_name}",
            "labels_url": f"{address}/labels{{/name}}",
            "comments_url": f"{address}/comments",
            "events_url": f"{address}/events",
            "html_url": page,
            "id": issue.id,
            "node_id": node_id("I", f"{hosted.id}_{issue.number}"),
            "number": issue.number,
            "title": issue.title,
            "user": self.user((issue.author if isinstance(issue, PullRequest) else issue.user) or GHOST),
            "labels": [self.label(hosted, name) for name in issue.labels],
            "state": issue.state,
            "locked": False,
            "active_lock_reason": None,
            "assignee": None,
            "assignees": [],
            "milestone": None,
            "comments": sum(comment.issue == issue.number for comment in hosted.comments.values()),
            "created_at": moment(issue.created_at),
            "updated_at": moment(issue.created_at),
            "closed_at": None,
            "author_association": "NONE",
            "body": issue.body or None,
            "reactions": {"url": f"{address}/reactions", "total_count": 0, **dict.fromkeys(_REACTIONS, 0)},
        }
        if isinstance(issue, PullRequest):
            pulls = f"{self.api_url}/repos/{hosted.full_name}/pulls/{issue.number}"
            shown["pull_request"] = {
                "url": pulls,
                "html_url": page,
                "diff_url": f"{page}.diff",
                "patch_url": f"{page}.patch",
            }
        return shown

    def comment(self, hosted: Hosted, comment: IssueComment) -> Json:
        """A conversation comment."""
        address = f"{self.api_url}/repos/{hosted.full_name}/issues/comments/{comment.id}"
        kind = "pull" if comment.issue in hosted.pulls else "issues"
        page = f"{self.server_url}/{hosted.full_name}/{kind}/{comment.issue}#issuecomment-{comment.id}"
        counts = {name: sum(reaction.content == name for reaction in comment.reactions) for name in _REACTIONS}
        return {
            "id": comment.id,
            "node_id": node_id("IC", comment.id),
            "url": address,
            "html_url": page,
            "issue_url": f"{self.api_url}/repos/{hosted.full_name}/issues/{comment.issue}",
            "user": self.user(comment.user or GHOST),
            "created_at": moment(comment.created_at),
            "updated_at": moment(comment.edited_at or comment.created_at),
            "author_association": "NONE",
            "body": comment.body,
            "performed_via_github_app": None,
            "reactions": {"url": f"{address}/reactions", "total_count": len(comment.reactions), **counts},
        }

    def reaction(self, reaction: Reaction) -> Json:
        """A reaction."""
        return {
            "id": reaction.id,
            "node_id": node_id("REA", reaction.id),
            "user": self.user(reaction.user),
            "content": reaction.content,
            "created_at": moment(reaction.created_at),
        }

    def status(self, hosted: Hosted, sha: str, status: CommitStatus) -> Json:
        """A commit status."""
        created = moment(status.created_at)
        return {
            "url": f"{self.api_url}/repos/{hosted.full_name}/statuses/{sha}",
            "avatar_url": f"{self.server_url}/avatars/{status.creator.id}",
            "id": status.id,
            "node_id": node_id("SC", status.id),
            "state": status.state,
            "description": status.description,
            "target_url": status.target_url,
            "context": status.context,
            "created_at": created,
            "updated_at": created,
            "creator": self.user(status.creator),
        }

    def check_run(self, hosted: Hosted, run: CheckRun) -> Json:
        """A check run."""
        address = f"{self.api_url}/repos/{hosted.full_name}/check-runs/{run.id}"
        page = f"{self.server_url}/{hosted.full_name}/runs/{run.id}"
        return {
            "id": run.id,
            "node_id": node_id("CR", run.id),
            "head_sha": run.head_sha,
            "external_id": run.external_id,
            "url": address,
            "html_url": page,
            "details_url": run.details_url or page,
            "status": run.status,
            "conclusion": run.conclusion,
            "started_at": moment(run.started_at),
            "completed_at": moment(run.completed_at),
            "output": {
                "title": run.title,
                "summary": run.summary,
                "text": run.text,
                "annotations_count": len(run.annotations),
                "annotations_url": f"{address}/annotations",
            },
            "name": run.name,
            "check_suite": {"id": run.id},
            "app": self.app(hosted.owner, run.app_slug),
            "pull_requests": [],
        }

    def app(self, owner: User, slug: str, app_id: int = 1) -> Json:
        """A GitHub App."""
        return {
            "id": app_id,
            "slug": slug,
            "node_id": node_id("A", app_id),
            "owner": self.user(owner),
            "name": slug,
            "description": None,
            "external_url": self.server_url,
            "html_url": f"{self.server_url}/apps/{slug}",
            "created_at": "2026-11-01T00:00:00Z",
            "updated_at": "2026-11-01T00:00:00Z",
            "permissions": {"metadata": "read"},
            "events": [],
        }

    def activity(self, entry: Activity) -> Json:
        """One movement of a ref."""
        return {
            "id": entry.id,
            "node_id": node_id("PSH", entry.id),
            "before": entry.before,
            "after": entry.after,
            "ref": entry.ref,
            "timestamp": moment(entry.at),
            "activity_type": entry.kind,
            "actor": self.user(entry.by),
        }

    def team(self, organisation: str, team: Team, parent: Team | None) -> Json:
        """A team. Its address is the form that GitHub itself gives and does not describe."""
        address = f"{self.api_url}/organizations/1/team/{team.id}"
        return {
            "id": team.id,
            "node_id": node_id("T", team.id),
            "url": address,
            "html_url": f"{self.server_url}/orgs/{organisation}/teams/{team.slug}",
            "name": team.name,
            "slug": team.slug,
            "type": "organization",
            "organization_id": 1,
            "description": None,
            "privacy": "closed",
            "notification_setting": "notifications_enabled",
            "permission": "pull",
            "members_url": f"{address}/members{{/member}}",
            "repositories_url": f"{address}/repos",
            "parent": None if parent is None else self.team(organisation, parent, None) | {"parent": None},
        }


GHOST = User(id=10137, login="ghost", type="User")
"""The account that GitHub's REST interface shows in place of a deleted one."""
