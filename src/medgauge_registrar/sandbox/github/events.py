"""What GitHub hands to a workflow with each event that the product acts on, made of the world as it stands."""

from typing import Any

from medgauge_registrar.model.pull import User
from medgauge_registrar.sandbox.github.shapes import moment
from medgauge_registrar.sandbox.github.values import IssueComment, PullRequest, QueueEntry
from medgauge_registrar.sandbox.github.world import ACTIONS_BOT, GitHubSandbox

Payload = dict[str, Any]


def pull_request(world: GitHubSandbox, number: int, action: str = "synchronize") -> Payload:
    """Payload of `pull_request` and `pull_request_target`."""
    pull = world.registry.pulls[number]
    return {
        "action": action,
        "number": number,
        "pull_request": _pull(world, pull),
        **_place(world, pull.author or ACTIONS_BOT),
    }


def issue_comment(
    world: GitHubSandbox, comment: IssueComment, action: str = "created", *, before: str | None = None
) -> Payload:
    """Payload of `issue_comment`; `before` is what an edited one said."""
    shown = world.registry.pulls.get(comment.issue) or world.registry.issues[comment.issue]
    return {
        "action": action,
        "issue": world.shapes.issue(world.registry, shown),
        "comment": world.shapes.comment(world.registry, comment),
        **({} if before is None else {"changes": {"body": {"from": before}}}),
        **_place(world, comment.editor or comment.user or ACTIONS_BOT),
    }


def merge_group(world: GitHubSandbox, entry: QueueEntry, action: str = "checks_requested") -> Payload:
    """Payload of `merge_group`."""
    pull = world.registry.pulls[entry.pull]
    return {
        "action": action,
        "merge_group": {
            "head_sha": entry.head_sha,
            "head_ref": entry.ref,
            "base_sha": entry.base_sha,
            "base_ref": f"refs/heads/{pull.base_ref}",
            "head_commit": _head_commit(world, entry.head_sha),
        },
        **_place(world, entry.by or ACTIONS_BOT),
    }


def workflow_run(world: GitHubSandbox, number: int, *, event: str = "pull_request", path: str) -> Payload:
    """
    Payload of `workflow_run` that follows the run of a workflow for a pull request or, with `merge_group`, for its group.

    For a fork, `pull_requests` is empty.
    """
    pull = world.registry.pulls[number]
    head = world.head_repository(pull)
    if event == "merge_group":
        entry = next(entry for entry in world.registry.queue if entry.pull == number)
        sha, branch, head = entry.head_sha, entry.ref.removeprefix("refs/heads/"), world.registry
    else:
        sha, branch = pull.head_sha, pull.head_ref
    repository = world.shapes.repository(world.registry)
    here = {"id": world.registry.id, "name": world.registry.name, "url": repository["url"]}
    reference = {
        "id": pull.id,
        "number": number,
        "url": f"{repository['url']}/pulls/{number}",
        "head": {"ref": pull.head_ref, "sha": pull.head_sha, "repo": here},
        "base": {"ref": pull.base_ref, "sha": world.base_sha(pull), "repo": here},
    }
    number_of_run, actor = world.new_id(), pull.author or ACTIONS_BOT
    address = f"{repository['url']}/actions/runs/{number_of_run}"
    links = (
        "artifacts_url", "cancel_url", "check_suite_url", "html_url", "jobs_url", "logs_url", "rerun_url", "url", "workflow_url",
        "previous_attempt_url",
    )  # fmt: skip
    return {
        "action": "completed",
        "workflow_run": {
            "id": number_of_run,
            "node_id": f"WFR_{number_of_run}",
            "name": path.rpartition("/")[2],
            "display_title": pull.title,
            "path": path,
            "event": event,
            "status": "completed",
            "conclusion": "success",
            "head_sha": sha,
            "head_branch": branch,
            "head_repository": None if head is None else world.shapes.repository(head),
            "head_commit": _head_commit(world, sha),
            "pull_requests": [reference] if head is world.registry and event != "merge_group" else [],
            "repository": repository,
            "actor": world.shapes.user(actor),
            "triggering_actor": world.shapes.user(actor),
            "check_suite_id": number_of_run,
            "check_suite_node_id": f"CS_{number_of_run}",
            "run_number": 1,
            "run_attempt": 1,
            "run_started_at": moment(world.now),
            "created_at": moment(world.now),
            "updated_at": moment(world.now),
            "workflow_id": 1,
            "referenced_workflows": [],
            **dict.fromkeys(links, address),
        },
        "workflow": None,
        **_place(world, actor),
    }


def push(world: GitHubSandbox, before: str, *, by: User, branch: str = "main") -> Payload:
    """Payload of `push` after a branch moved."""
    after = world.sha(f"refs/heads/{branch}")
    page = f"{world.server_url}/{world.registry.full_name}"
    return {
        "ref": f"refs/heads/{branch}",
        "before": before,
        "after": after,
        "base_ref": None,
        "compare": f"{page}/compare/{before[:12]}...{after[:12]}",
        "created": False,
        "deleted": False,
        "forced": not world.registry.store.is_ancestor(before, after),
        "commits": [],
        "head_commit": _head_commit(world, after),
        "pusher": {"name": by.login, "email": f"{by.id}+{by.login}@users.noreply.github.com"},
        **_place(world, by),
    }


def schedule(world: GitHubSandbox, cron: str = "*/15 * * * *") -> Payload:
    """Payload of `schedule`."""
    return {"schedule": cron, **_place(world, ACTIONS_BOT)}


def workflow_dispatch(world: GitHubSandbox, inputs: dict[str, str], *, by: User) -> Payload:
    """Payload of `workflow_dispatch`."""
    return {
        "inputs": inputs,
        "ref": f"refs/heads/{world.registry.default_branch}",
        "workflow": ".github/workflows/gate.yml",
        **_place(world, by),
    }


def _place(world: GitHubSandbox, sender: User) -> Payload:
    owner = world.registry.owner
    address = f"{world.api_url}/orgs/{owner.login}"
    links = ("events_url", "hooks_url", "issues_url", "members_url", "public_members_url", "repos_url", "url")
    return {
        "repository": world.shapes.repository(world.registry),
        "organization": {
            "login": owner.login,
            "id": owner.id,
            "node_id": f"O_{owner.id}",
            "avatar_url": f"{world.server_url}/avatars/{owner.id}",
            "description": None,
            **dict.fromkeys(links, address),
        },
        "sender": world.shapes.user(sender),
    }


def _pull(world: GitHubSandbox, pull: PullRequest) -> Payload:
    shown = world.shapes.pull(world.registry, pull, world.head_repository(pull), world.base_sha(pull))
    return shown | {
        "merged": pull.merged_at is not None,
        "mergeable": None,
        "rebaseable": None,
        "mergeable_state": "unknown",
        "merged_by": world.shapes.user(pull.merged_by),
        "comments": len(world.comments(pull.number)),
        "review_comments": 0,
        "maintainer_can_modify": False,
        "commits": len(world.commits_of(pull)),
        "additions": 0,
        "deletions": 0,
        "changed_files": 0,
    }


def _head_commit(world: GitHubSandbox, sha: str) -> Payload:
    commit = world.registry.store.commit(sha)
    return {
        "id": sha,
        "tree_id": commit.tree,
        "message": commit.message,
        "timestamp": commit.committer.date,
        "author": {"name": commit.author.name, "email": commit.author.email},
        "committer": {"name": commit.committer.name, "email": commit.committer.email},
        "added": [],
        "modified": [],
        "removed": [],
        "distinct": True,
        "url": f"{world.server_url}/{world.registry.full_name}/commit/{sha}",
    }
