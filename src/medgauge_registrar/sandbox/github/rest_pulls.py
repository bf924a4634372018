"""REST: repositories, pull requests, commits, activity."""

from typing import Any

from medgauge_registrar.sandbox.github.calls import ROUTES, Answer, Call, Refused
from medgauge_registrar.sandbox.github.objects import CommitObject
from medgauge_registrar.sandbox.github.shapes import node_id
from medgauge_registrar.sandbox.github.values import Activity, PullRequest

_REPO = "/repos/{owner}/{repo}"
_PULL = _REPO + "/pulls/{number}"
# GitHub lists no more than these, whatever there are.
_MOST_COMMITS, _MOST_FILES = 250, 3000


@ROUTES.add("GET", _REPO, "metadata:read")
def repository(call: Call) -> Answer:
    """The repository."""
    shown = call.world.shapes.repository(call.hosted)
    if call.hosted.parent is not None:
        shown["parent"] = shown["source"] = call.world.shapes.repository(call.world.repository(call.hosted.parent))
    return Answer(data=shown)


@ROUTES.add("GET", _REPO + "/pulls", "pull_requests:read")
def pulls(call: Call) -> Answer:
    """Pull requests, newest first."""
    state = call.query.get("state", "open")
    found = [
        pull
        for pull in sorted(call.hosted.pulls.values(), key=lambda pull: pull.number, reverse=True)
        if state in {"all", pull.state}
        and call.query.get("base") in {None, pull.base_ref}
        and call.query.get("head") in {None, f"{(pull.head_repo or '').partition('/')[0]}:{pull.head_ref}"}
    ]
    return call.page(found, lambda pull: _shown(call, pull))


@ROUTES.add("GET", _PULL, "pull_requests:read")
def pull_request(call: Call) -> Answer:
    """One pull request with its counts."""
    pull, world = call.pull, call.world
    commits = world.commits_of(pull)
    files = call.hosted.store.changed(_merge_base(call, pull), pull.head_sha)
    merges = call.hosted.store.merge_tree(world.base_sha(pull), pull.head_sha) is not None
    more = {
        "merged": pull.merged_at is not None,
        "mergeable": merges if pull.state == "open" else None,
        "rebaseable": merges if pull.state == "open" else None,
        "mergeable_state": "unknown" if pull.state != "open" else "clean" if merges else "dirty",
        "merged_by": world.shapes.user(pull.merged_by),
        "comments": len(world.comments(pull.number)),
        "review_comments": 0,
        "maintainer_can_modify": False,
        "commits": len(commits),
        "additions": 0,
        "deletions": 0,
        "changed_files": len(files),
    }
    return Answer(data=_shown(call, pull) | more)


@ROUTES.add("GET", _PULL + "/files", "pull_requests:read")
def files(call: Call) -> Answer:
    """Changed files; the list ends at 3,000."""
    found = call.hosted.store.changed(_merge_base(call, call.pull), call.pull.head_sha)[:_MOST_FILES]
    head = call.pull.head_sha

    def show(file: Any) -> dict[str, Any]:
        path = f"{call.hosted.full_name}/blob/{head}/{file.path}"
        return {
            "sha": file.sha if file.status != "removed" else None,
            "filename": file.path,
            "status": file.status,
            "additions": 0,
            "deletions": 0,
            "changes": 0,
            "blob_url": f"{call.world.server_url}/{path}",
            "raw_url": f"{call.world.server_url}/{path.replace('/blob/', '/raw/', 1)}",
            "contents_url": f"{call.world.api_url}/repos/{call.hosted.full_name}/contents/{file.path}?ref={head}",
        }

    return call.page(found, show)


@ROUTES.add("GET", _PULL + "/commits", "pull_requests:read")
def pull_commits(call: Call) -> Answer:
    """Commits of a pull request, oldest first; the list ends at 250."""
    return call.page(call.world.commits_of(call.pull)[:_MOST_COMMITS], lambda commit: _commit(call, commit))


@ROUTES.add("GET", _PULL + "/reviews", "pull_requests:read")
def reviews(call: Call) -> Answer:
    """Reviews, oldest first."""
    hosted, pull = call.hosted, call.pull
    return call.page(pull.reviews, lambda review: call.world.shapes.review(hosted, pull, review))


@ROUTES.add("GET", _REPO + "/commits/{sha}/pulls", "pull_requests:read")
def pulls_of_commit(call: Call) -> Answer:
    """Open pull requests that hold a commit, and merged ones that brought it."""
    sha = _resolved(call, call.names["sha"])
    merged = [pull for pull in call.hosted.pulls.values() if sha == pull.merge_commit]
    holding = [pull for pull in call.world.pulls_with(sha) if pull.state == "open" or pull.merged_at is not None]
    found = [*holding, *merged]
    return call.page(found, lambda pull: _shown(call, pull))


@ROUTES.add("GET", _REPO + "/commits", "contents:read")
def commits(call: Call) -> Answer:
    """The history of a branch, newest first."""
    tip = _resolved(call, call.query.get("sha", call.hosted.default_branch))
    return call.page(call.hosted.store.history(tip), lambda commit: _commit(call, commit))


@ROUTES.add("GET", _REPO + "/activity", "contents:read")
def activity(call: Call) -> Answer:
    """Movements of refs, newest first; pages go by cursor, not by number."""
    ref, kind, actor = (call.query.get(name) for name in ("ref", "activity_type", "actor"))
    wanted = None if ref is None else ref if ref.startswith("refs/") else f"refs/heads/{ref}"
    found = [
        entry
        for entry in sorted(call.hosted.activity, key=lambda entry: (entry.at, entry.id), reverse=True)
        if wanted in {None, entry.ref}
        and kind in {None, entry.kind}
        and actor in {None, entry.by.login if entry.by else None}
    ]
    if call.query.get("direction") == "asc":
        found.reverse()
    return _by_cursor(call, found)


@ROUTES.add("GET", _REPO + "/compare/{basehead+}", "contents:read")
def compare(call: Call) -> Answer:
    """How far two commits are apart."""
    base_name, _, head_name = call.names["basehead"].partition("...")
    store = call.hosted.store
    base, head = _resolved(call, base_name), _resolved(call, head_name.rpartition(":")[2])
    ahead, behind = store.between(base, head), store.between(head, base)
    fork = store.merge_base(base, head)
    if fork is None:
        raise Refused(404)
    address = f"{call.world.api_url}/repos/{call.hosted.full_name}/compare/{call.names['basehead']}"
    page = f"{call.world.server_url}/{call.hosted.full_name}/compare/{call.names['basehead']}"
    status = "diverged" if ahead and behind else "ahead" if ahead else "behind" if behind else "identical"
    return Answer(
        data={
            "url": address,
            "html_url": page,
            "permalink_url": page,
            "diff_url": f"{page}.diff",
            "patch_url": f"{page}.patch",
            "base_commit": _commit(call, store.commit(base)),
            "merge_base_commit": _commit(call, store.commit(fork)),
            "status": status,
            "ahead_by": len(ahead),
            "behind_by": len(behind),
            "total_commits": len(ahead),
            "commits": [_commit(call, commit) for commit in ahead[:_MOST_COMMITS]],
            "files": [],
        }
    )


# After the more special addresses below a commit.
@ROUTES.add("GET", _REPO + "/commits/{sha}", "contents:read")
def commit(call: Call) -> Answer:
    """One commit, by id, branch or tag; its bare id where that is asked for."""
    sha = _resolved(call, call.names["sha"])
    if "sha" in call.accept:
        return Answer(raw=sha.encode(), media_type="application/vnd.github.sha; charset=utf-8")
    return Answer(data=_commit(call, call.hosted.store.commit(sha)))


def _shown(call: Call, pull: PullRequest) -> dict[str, Any]:
    world = call.world
    return world.shapes.pull(call.hosted, pull, world.head_repository(pull), world.base_sha(pull))


def _commit(call: Call, found: CommitObject) -> dict[str, Any]:
    people = [call.world.account_of(who.email) for who in (found.author, found.committer)]
    return call.world.shapes.commit(call.hosted, found, people)


def _merge_base(call: Call, pull: PullRequest) -> str:
    found = call.hosted.store.merge_base(call.world.base_sha(pull), pull.head_sha)
    if found is None:
        raise Refused(404)
    return found


def _resolved(call: Call, name: str) -> str:
    found = call.hosted.store.resolve(name)
    if found is None:
        raise Refused(422, f"No commit found for SHA: {name}")
    return found


def _by_cursor(call: Call, found: list[Activity]) -> Answer:
    text = call.query.get("per_page", "")
    size = min(int(text) if text.isdecimal() and int(text) else 30, 100)
    ids = [_cursor(entry) for entry in found]
    start = ids.index(call.query["after"]) + 1 if call.query.get("after") in ids else 0
    page = found[start : start + size]
    links = []
    if start + size < len(found):
        links.append(f'<{call.address({"after": ids[start + size - 1]})}>; rel="next"')
    if start:
        links.append(f'<{call.address({"before": ids[start]})}>; rel="prev"')
    headers = {"Link": ", ".join(links)} if links else {}
    return Answer(data=[call.world.shapes.activity(entry) for entry in page], headers=headers)


def _cursor(entry: Activity) -> str:
    return node_id("activity", entry.id)
