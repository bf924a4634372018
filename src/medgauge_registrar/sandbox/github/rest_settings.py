"""REST: who is asking, Apps and their tokens, teams, and the settings that `doctor` reads."""

from datetime import timedelta
from typing import Any

from medgauge_registrar.sandbox.github.calls import ROUTES, Answer, Call, Refused
from medgauge_registrar.sandbox.github.credentials import app_of
from medgauge_registrar.sandbox.github.shapes import moment, node_id
from medgauge_registrar.sandbox.github.values import App, Team

_REPO = "/repos/{owner}/{repo}"
_TEAM = "/orgs/{org}/teams/{slug}"
_WORKFLOWS = ".github/workflows"
_TOKEN_HOURS = 1
_LEVELS = ("read", "write", "admin")


@ROUTES.add("GET", "/rate_limit")
def rate_limit(call: Call) -> Answer:
    """What may still be asked; asking costs nothing."""
    limit = call.world.rate_limit
    left = {"limit": limit.limit, "used": limit.used, "remaining": limit.remaining, "reset": limit.reset_at}
    return Answer(data={"resources": {"core": left, "search": left, "graphql": left}, "rate": left})


@ROUTES.add("GET", "/user")
def viewer(call: Call) -> Answer:
    """The account behind a token; an installation has none here."""
    if call.token is None:
        raise Refused(401, "Requires authentication")
    if call.token.app_slug is not None or call.token.viewer.type == "Bot":
        raise Refused(403)
    nothing = dict.fromkeys(("bio", "blog", "company", "email", "hireable", "location", "name"))
    counts = dict.fromkeys(("followers", "following", "public_gists", "public_repos"), 0)
    since = dict.fromkeys(("created_at", "updated_at"), moment(call.world.registry.created_at))
    shown = call.world.shapes.user(call.token.viewer) or {}
    return Answer(data=shown | nothing | counts | since)


@ROUTES.add("GET", "/users/{login}")
def user(call: Call) -> Answer:
    """An account by its login."""
    found = call.world.user_named(call.names["login"])
    if found is None:
        raise Refused(404)
    nothing = dict.fromkeys(("bio", "blog", "company", "email", "hireable", "location", "name"))
    counts = dict.fromkeys(("followers", "following", "public_gists", "public_repos"), 0)
    since = dict.fromkeys(("created_at", "updated_at"), moment(call.world.registry.created_at))
    return Answer(data=(call.world.shapes.user(found) or {}) | nothing | counts | since)


@ROUTES.add("GET", "/app")
def app(call: Call) -> Answer:
    """The App that asks."""
    found = _app(call)
    return Answer(data=call.world.shapes.app(call.world.registry.owner, found.slug, found.id))


@ROUTES.add("GET", _REPO + "/installation")
def installation(call: Call) -> Answer:
    """The installation of the App that asks, on one repository."""
    found = _app(call)
    name = f"{call.names['owner']}/{call.names['repo']}".casefold()
    # An App sees what it is installed on, private or not.
    if name not in found.repositories or name not in call.world.repositories:
        raise Refused(404)
    return Answer(data=_installation(call, found))


@ROUTES.add("GET", "/app/installations/{id}")
def installation_by_id(call: Call) -> Answer:
    """An installation of the App that asks."""
    found = _app(call)
    if call.number("id") != found.installation_id:
        raise Refused(404)
    return Answer(data=_installation(call, found))


@ROUTES.add("POST", "/app/installations/{id}/access_tokens")
def mint(call: Call) -> Answer:
    """
    Make a token for an hour, with no more than the App may do.

    Source:
        GitHub REST API, "Create an installation access token for an app".
    """
    found = _app(call)
    if call.number("id") != found.installation_id:
        raise Refused(404)
    wanted = call.field("permissions", dict, needed=False) or dict(found.permissions)
    for name, level in wanted.items():
        if level not in _LEVELS or _LEVELS.index(level) > _LEVELS.index(found.permissions.get(name, "read")):
            raise Refused(422, "The permissions requested are not granted to this installation.")
        if name not in found.permissions:
            raise Refused(422, "The permissions requested are not granted to this installation.")
    names = call.field("repositories", list, needed=False)
    owner = call.world.registry.owner.login
    reached = found.repositories if names is None else frozenset(f"{owner}/{name}".casefold() for name in names)
    if not reached <= found.repositories:
        raise Refused(
            422, "There is at least one repository that does not exist or is not accessible to the parent installation."
        )
    token = call.world.add_token(
        found.bot,
        permissions=wanted,
        repositories=reached,
        app_slug=found.slug,
        expires_at=call.world.now + timedelta(hours=_TOKEN_HOURS),
    )
    return Answer(
        status=201,
        data={
            "token": token.value,
            "expires_at": moment(token.expires_at),
            "permissions": wanted,
            "repository_selection": "selected",
        },
    )


@ROUTES.add("GET", _REPO + "/rules/branches/{branch+}", "metadata:read")
def rules(call: Call) -> Answer:
    """Rules that hold on a branch."""
    return call.page(call.hosted.settings.rules, dict)


@ROUTES.add("GET", _REPO + "/branches/{branch}", "contents:read")
def branch(call: Call) -> Answer:
    """A branch and whether it is protected."""
    name = call.names["branch"]
    sha = call.hosted.store.resolve(f"refs/heads/{name}")
    if sha is None:
        raise Refused(404, "Branch not found")
    commit = call.hosted.store.commit(sha)
    people = [call.world.account_of(who.email) for who in (commit.author, commit.committer)]
    address = f"{call.world.api_url}/repos/{call.hosted.full_name}/branches/{name}"
    protection = call.hosted.settings.protection
    return Answer(
        data={
            "name": name,
            "commit": call.world.shapes.commit(call.hosted, commit, people),
            "_links": {"self": address, "html": f"{call.world.server_url}/{call.hosted.full_name}/tree/{name}"},
            "protected": protection is not None,
            "protection": {"enabled": False} if protection is None else {"enabled": True} | protection,
            "protection_url": f"{address}/protection",
        }
    )


@ROUTES.add("GET", _REPO + "/branches/{branch}/protection", "administration:read")
def protection(call: Call) -> Answer:
    """The classic protection of a branch."""
    found = call.hosted.settings.protection
    if found is None:
        raise Refused(404, "Branch not protected")
    return Answer(data=found)


@ROUTES.add("GET", _REPO + "/actions/permissions", "administration:read")
def actions(call: Call) -> Answer:
    """Whether Actions run, and which."""
    return Answer(data=call.hosted.settings.actions)


@ROUTES.add("GET", _REPO + "/actions/permissions/workflow", "administration:read")
def workflow_permissions(call: Call) -> Answer:
    """What `GITHUB_TOKEN` may do by default."""
    return Answer(data=call.hosted.settings.workflow)


@ROUTES.add("GET", _REPO + "/environments", "actions:read")
def environments(call: Call) -> Answer:
    """Environments of deployments."""
    return call.page(call.hosted.settings.environments, lambda found: _environment(call, found), within="environments")


@ROUTES.add("GET", _REPO + "/environments/{name}", "actions:read")
def environment(call: Call) -> Answer:
    """One environment."""
    for found in call.hosted.settings.environments:
        if found["name"] == call.names["name"]:
            return Answer(data=_environment(call, found))
    raise Refused(404)


@ROUTES.add("GET", _REPO + "/environments/{name}/deployment-branch-policies", "actions:read")
def branch_policies(call: Call) -> Answer:
    """Branches that may deploy to an environment."""
    names = call.hosted.settings.branch_policies.get(call.names["name"], [])
    rows = [
        {"id": number, "node_id": node_id("GBP", number), "name": name, "type": "branch"}
        for number, name in enumerate(names, start=1)
    ]
    return call.page(rows, dict, within="branch_policies")


@ROUTES.add("GET", _REPO + "/environments/{name}/secrets", "environments:read")
def environment_secrets(call: Call) -> Answer:
    """Names of the secrets of an environment."""
    environment(call)
    return _secrets(call, call.names["name"])


@ROUTES.add("GET", _REPO + "/actions/secrets", "secrets:read")
def repository_secrets(call: Call) -> Answer:
    """Names of the secrets that every workflow of the repository may read."""
    return _secrets(call, "")


@ROUTES.add("GET", _REPO + "/actions/workflows", "actions:read")
def workflows(call: Call) -> Answer:
    """Workflows on the default branch, and whether they run."""
    store, since = call.hosted.store, moment(call.hosted.created_at)
    tip = store.resolve(f"refs/heads/{call.hosted.default_branch}")
    there = tip is not None and store.entry(tip, _WORKFLOWS) is not None
    names = [item.path for item in store.tree(f"{tip}:{_WORKFLOWS}")] if there else []

    def show(name: str) -> dict[str, Any]:
        number, path = 1 + names.index(name), f"{_WORKFLOWS}/{name}"
        page = f"{call.world.server_url}/{call.hosted.full_name}"
        return {
            "id": number,
            "node_id": node_id("W", number),
            "name": name,
            "path": path,
            "state": call.hosted.settings.workflow_states.get(path, "active"),
            "created_at": since,
            "updated_at": since,
            "url": f"{call.world.api_url}/repos/{call.hosted.full_name}/actions/workflows/{number}",
            "html_url": f"{page}/blob/{call.hosted.default_branch}/{path}",
            "badge_url": f"{page}/workflows/{name}/badge.svg",
        }

    return call.page(names, show, within="workflows")


@ROUTES.add("GET", _REPO + "/private-vulnerability-reporting", "administration:read")
def private_reporting(call: Call) -> Answer:
    """Whether weaknesses can be reported in private."""
    return Answer(data={"enabled": call.hosted.settings.private_reporting})


@ROUTES.add("GET", _REPO + "/collaborators/{login}/permission", "metadata:read")
def permission(call: Call) -> Answer:
    """What somebody may do in the repository; on a public one everybody may read."""
    found = call.world.user_named(call.names["login"])
    if found is None:
        raise Refused(404)
    held = call.hosted.settings.permissions.get(found.login, "none" if call.hosted.private else "read")
    flags = {
        name: name == "pull" or held in ("write", "admin") for name in ("admin", "maintain", "push", "triage", "pull")
    }
    shown = (call.world.shapes.user(found) or {}) | {"permissions": flags, "role_name": held}
    return Answer(data={"permission": held, "role_name": held, "user": shown})


@ROUTES.add("GET", "/orgs/{org}/teams", "members:read")
def teams(call: Call) -> Answer:
    """Teams of an organisation."""
    return call.page(list(call.world.teams.values()), lambda found: _team(call, found))


@ROUTES.add("GET", _TEAM, "members:read")
def team(call: Call) -> Answer:
    """One team."""
    found, owner = _named_team(call), call.world.registry.owner
    since = moment(call.world.registry.created_at)
    address = f"{call.world.api_url}/orgs/{owner.login}"
    organisation = {
        "login": owner.login,
        "id": owner.id,
        "node_id": node_id("O", owner.id),
        "url": address,
        **{f"{name}_url": f"{address}/{name}" for name in ("repos", "events", "hooks", "issues")},
        "members_url": f"{address}/members{{/member}}",
        "public_members_url": f"{address}/public_members{{/member}}",
        "avatar_url": f"{call.world.server_url}/avatars/{owner.id}",
        "html_url": f"{call.world.server_url}/{owner.login}",
        "description": None,
        "has_organization_projects": False,
        "has_repository_projects": False,
        "public_repos": 1,
        "public_gists": 0,
        "followers": 0,
        "following": 0,
        "created_at": since,
        "updated_at": since,
        "archived_at": None,
        "type": "Organization",
    }
    counts = {"members_count": len(found.members), "repos_count": 0}
    more = {"created_at": since, "updated_at": since, "organization": organisation}
    return Answer(data=_team(call, found) | counts | more)


@ROUTES.add("GET", _TEAM + "/members", "members:read")
def members(call: Call) -> Answer:
    """Members of a team and of the teams below it."""
    everybody = {member.id: member for member in below(call, _named_team(call))}
    return call.page(list(everybody.values()), call.world.shapes.user)


@ROUTES.add("GET", _TEAM + "/memberships/{login}", "members:read")
def membership(call: Call) -> Answer:
    """Whether somebody is a member; 404 where not, and where it may not be seen."""
    found = _named_team(call)
    for member in below(call, found):
        if member.login.casefold() == call.names["login"].casefold():
            address = f"{call.world.api_url}/organizations/1/team/{found.id}/memberships/{member.login}"
            return Answer(data={"role": "member", "state": "active", "url": address})
    raise Refused(404)


def below(call: Call, found: Team) -> list[Any]:
    """Everybody in a team: those of a child team count for its parent."""
    people = list(found.members)
    for other in call.world.teams.values():
        if other.parent == found.slug:
            people += below(call, other)
    return people


def _named_team(call: Call) -> Team:
    found = call.world.teams.get(call.names["slug"])
    if found is None or call.names["org"].casefold() != call.world.registry.owner.login.casefold():
        raise Refused(404)
    return found


def _team(call: Call, found: Team) -> dict[str, Any]:
    parent = None if found.parent is None else call.world.teams[found.parent]
    return call.world.shapes.team(call.world.registry.owner.login, found, parent)


def _app(call: Call) -> App:
    found = app_of(call.world, call.authorization)
    if found is None:
        raise Refused(401, "A JSON web token could not be decoded")
    return found


def _installation(call: Call, found: App) -> dict[str, Any]:
    address = f"{call.world.api_url}/app/installations/{found.installation_id}"
    since = moment(call.world.registry.created_at)
    return {
        "id": found.installation_id,
        "account": call.world.shapes.user(call.world.registry.owner),
        "repository_selection": "selected",
        "access_tokens_url": f"{address}/access_tokens",
        "repositories_url": f"{call.world.api_url}/installation/repositories",
        "html_url": f"{call.world.server_url}/settings/installations/{found.installation_id}",
        "app_id": found.id,
        "app_slug": found.slug,
        "target_id": call.world.registry.owner.id,
        "target_type": "Organization",
        "permissions": dict(found.permissions),
        "events": [],
        "created_at": since,
        "updated_at": since,
        "single_file_name": None,
        "suspended_by": None,
        "suspended_at": None,
    }


def _secrets(call: Call, environment: str) -> Answer:
    since = moment(call.hosted.created_at)
    names = call.hosted.settings.secrets.get(environment, [])
    return call.page(names, lambda name: {"name": name, "created_at": since, "updated_at": since}, within="secrets")


def _environment(call: Call, found: dict[str, Any]) -> dict[str, Any]:
    address = f"{call.world.api_url}/repos/{call.hosted.full_name}/environments/{found['name']}"
    since = moment(call.hosted.created_at)
    number = 1 + call.hosted.settings.environments.index(found)
    usual = {
        "id": number,
        "node_id": node_id("EN", number),
        "url": address,
        "html_url": f"{call.world.server_url}/{call.hosted.full_name}/deployments",
        "created_at": since,
        "updated_at": since,
        "protection_rules": [],
        "deployment_branch_policy": None,
    }
    return usual | found
