"""REST: git objects and refs, and the contents of files."""

import base64
import binascii
import re
from datetime import datetime
from typing import Any
from urllib.parse import quote

from medgauge_registrar.sandbox.github.calls import ROUTES, Answer, Call, Refused
from medgauge_registrar.sandbox.github.objects import Signature, TreeItem
from medgauge_registrar.sandbox.github.people import committed_by
from medgauge_registrar.sandbox.github.shapes import node_id
from medgauge_registrar.sandbox.github.shapes_git import SIGNED, UNSIGNED

_REPO = "/repos/{owner}/{repo}"
_GIT = _REPO + "/git"
_SHA = re.compile(r"[0-9a-f]{40}")
_REF = re.compile(r"refs/[^/\s~^:?*\[\\]+(/[^/\s~^:?*\[\\]+)+")
_MODES = {"100644": "blob", "100755": "blob", "120000": "blob", "040000": "tree", "160000": "commit"}
# Larger files come without their content, and from 100 MB on not at all.
_MAX_CONTENT_BYTES = 1024 * 1024
_NON_FAST_FORWARD = "Update is not a fast forward"


@ROUTES.add("POST", _GIT + "/blobs", "contents:write")
def create_blob(call: Call) -> Answer:
    """Store bytes."""
    content, encoding = call.field("content", str), call.field("encoding", str, needed=False) or "utf-8"
    try:
        data = base64.b64decode(content) if encoding == "base64" else content.encode()
    except binascii.Error:
        raise Refused(422, "content is not valid Base64") from None
    sha = call.hosted.store.write_blob(data)
    return Answer(status=201, data={"sha": sha, "url": _url(call, "blobs", sha)})


@ROUTES.add("GET", _GIT + "/blobs/{sha}", "contents:read")
def blob(call: Call) -> Answer:
    """The bytes of a blob."""
    sha = _object(call, "blob")
    data = call.hosted.store.blob(sha)
    return Answer(
        data={
            "sha": sha,
            "node_id": node_id("B", sha),
            "size": len(data),
            "url": _url(call, "blobs", sha),
            "content": base64.encodebytes(data).decode("ascii"),
            "encoding": "base64",
        }
    )


@ROUTES.add("POST", _GIT + "/trees", "contents:write")
def create_tree(call: Call) -> Answer:
    """Store a tree, whole or on top of another."""
    store = call.hosted.store
    base = call.field("base_tree", str, needed=False)
    if base is not None and store.kind(base) not in {"tree", "commit"}:
        raise Refused(422, "base_tree is not a valid tree oid")
    entries = []
    for item in call.field("tree", list):
        path, mode, sha = item.get("path"), item.get("mode", "100644"), item.get("sha")
        if not path or mode not in _MODES:
            raise Refused(422, "tree.path or tree.mode is wrong")
        if "content" in item:
            sha = store.write_blob(item["content"].encode())
        elif sha is not None and store.kind(sha) != _MODES[mode]:
            raise Refused(422, f"tree.sha {sha} is not a valid {_MODES[mode]}")
        if mode == "040000" and sha is not None:
            entries += [(below.mode, f"{path}/{below.path}", below.sha) for below in _leaves(call, sha)]
        else:
            entries.append((mode, path, sha))
    made = store.write_tree(base, entries)
    return Answer(status=201, data=_tree(call, made, store.tree(made)))


@ROUTES.add("GET", _GIT + "/trees/{sha}", "contents:read")
def tree(call: Call) -> Answer:
    """A tree, by the id of it or of a commit, or by a ref."""
    store = call.hosted.store
    if store.kind(call.names["sha"]) not in {"tree", "commit"}:
        raise Refused(404)
    items = store.tree(call.names["sha"], recursive="recursive" in call.query)
    return Answer(data=_tree(call, call.names["sha"], items))


@ROUTES.add("POST", _GIT + "/commits", "contents:write")
def create_commit(call: Call) -> Answer:
    """Store a commit. GitHub signs what an App or Actions makes here, unless it names an author."""
    store = call.hosted.store
    made_of, parents = call.field("tree", str), call.field("parents", list, needed=False) or []
    if store.kind(made_of) != "tree" or any(store.kind(parent) != "commit" for parent in parents):
        raise Refused(422, "Tree SHA or a parent SHA does not exist or is not of its kind")
    assert call.token is not None
    mine = committed_by(call.token.viewer, call.world.now)
    author = _named(call, "author") or mine
    committer = _named(call, "committer") or author
    sha = store.write_commit(
        tree=made_of, parents=parents, message=call.field("message", str), author=author, committer=committer
    )
    if call.token.viewer.type == "Bot" and not call.body.get("author") and not call.body.get("committer"):
        call.world.signed.add(sha)
    return Answer(status=201, data=_commit(call, sha))


@ROUTES.add("GET", _GIT + "/commits/{sha}", "contents:read")
def commit(call: Call) -> Answer:
    """A commit object."""
    return Answer(data=_commit(call, _object(call, "commit")))


@ROUTES.add("POST", _GIT + "/refs", "contents:write")
def create_ref(call: Call) -> Answer:
    """Make a ref that is not there yet."""
    ref, sha = call.field("ref", str), call.field("sha", str)
    if not _REF.fullmatch(ref):
        raise Refused(422, "Reference name must start with 'refs/' and have at least two slashes.")
    if call.hosted.store.ref(ref) is not None:
        raise Refused(422, "Reference already exists")
    _point(call, ref, sha)
    return _ref(call, ref, 201)


@ROUTES.add("PATCH", _GIT + "/refs/{ref+}", "contents:write")
def update_ref(call: Call) -> Answer:
    """Move a ref; backwards only by force."""
    ref, sha, store = f"refs/{call.names['ref']}", call.field("sha", str), call.hosted.store
    before = store.ref(ref)
    if before is None:
        raise Refused(422, "Reference does not exist")
    if store.kind(sha) is None:
        raise Refused(422, "Object does not exist")
    if not call.body.get("force") and not store.is_ancestor(before, sha):
        raise Refused(422, _NON_FAST_FORWARD)
    _point(call, ref, sha)
    return _ref(call, ref, 200)


@ROUTES.add("DELETE", _GIT + "/refs/{ref+}", "contents:write")
def delete_ref(call: Call) -> Answer:
    """Delete a ref."""
    ref = f"refs/{call.names['ref']}"
    if call.hosted.store.ref(ref) is None:
        raise Refused(422, "Reference does not exist")
    call.hosted.store.update_ref(ref, None)
    return Answer(status=204)


@ROUTES.add("GET", _GIT + "/ref/{ref+}", "contents:read")
def ref(call: Call) -> Answer:
    """One ref."""
    return _ref(call, f"refs/{call.names['ref']}", 200)


@ROUTES.add("GET", _GIT + "/matching-refs/{ref+}", "contents:read")
def matching_refs(call: Call) -> Answer:
    """Refs that begin with a name."""
    begin = f"refs/{call.names['ref']}"
    found = sorted((name, sha) for name, sha in call.hosted.store.refs().items() if name.startswith(begin))
    return Answer(data=[_shown(call, name, sha) for name, sha in found if not name.startswith("refs/sandbox")])


@ROUTES.add("GET", _REPO + "/contents/{path+}", "contents:read")
def contents(call: Call) -> Answer:
    """A file or a folder at a commit; a link is shown as what it is."""
    store, path = call.hosted.store, call.names["path"].strip("/")
    revision = call.query.get("ref") or call.hosted.default_branch
    at = store.resolve(revision)
    if at is None:
        raise Refused(404, f"No commit found for the ref {revision}")
    entry = store.entry(at, path)
    if entry is None:
        raise Refused(404)
    if entry.kind == "tree":
        return Answer(data=[_listed(call, revision, f"{path}/{item.path}", item) for item in store.tree(entry.sha)])
    data = b"" if entry.kind == "commit" else store.blob(entry.sha)
    if "raw" in call.accept:
        return Answer(raw=data, media_type="application/vnd.github.raw+json; charset=utf-8")
    small = len(data) <= _MAX_CONTENT_BYTES
    shown = _listed(call, revision, path, entry)
    if entry.mode == "120000":
        return Answer(data=shown | {"target": data.decode("utf-8", "replace"), "size": len(data)})
    content = base64.encodebytes(data).decode("ascii") if small else ""
    encoding = "base64" if small else "none"
    return Answer(data=shown | {"size": len(data), "encoding": encoding, "content": content})


def _listed(call: Call, revision: str, path: str, item: TreeItem) -> dict[str, Any]:
    kind = {"tree": "dir", "commit": "submodule"}.get(item.kind, "symlink" if item.mode == "120000" else "file")
    base = f"{call.world.api_url}/repos/{call.hosted.full_name}"
    address = f"{base}/contents/{quote(path)}?ref={quote(revision, safe='')}"
    page = f"{call.world.server_url}/{call.hosted.full_name}/blob/{quote(revision)}/{quote(path)}"
    git = f"{base}/git/{'trees' if item.kind == 'tree' else 'blobs'}/{item.sha}"
    size = len(call.hosted.store.blob(item.sha)) if item.kind == "blob" else 0
    return {
        "type": kind,
        "size": size,
        "name": path.rpartition("/")[2],
        "path": path,
        "sha": item.sha,
        "url": address,
        "git_url": git,
        "html_url": page,
        "download_url": page.replace("/blob/", "/raw/", 1) if kind == "file" else None,
        "_links": {"self": address, "git": git, "html": page},
    }


def _tree(call: Call, sha: str, items: tuple[TreeItem, ...]) -> dict[str, Any]:
    shown = []
    for item in items:
        row: dict[str, Any] = {"path": item.path, "mode": item.mode, "type": item.kind, "sha": item.sha}
        if item.kind == "blob":
            row["size"] = len(call.hosted.store.blob(item.sha)) if len(items) < 200 else 0
        shown.append(row | {"url": _url(call, f"{item.kind}s", item.sha)})
    return {"sha": sha, "url": _url(call, "trees", sha), "tree": shown, "truncated": False}


def _leaves(call: Call, sha: str) -> list[TreeItem]:
    return [item for item in call.hosted.store.tree(sha, recursive=True) if item.kind != "tree"]


def _commit(call: Call, sha: str) -> dict[str, Any]:
    found = call.hosted.store.commit(sha)
    verification = SIGNED if sha in call.world.signed else UNSIGNED
    return call.world.shapes.git_commit(call.hosted, found, verification)


def _named(call: Call, name: str) -> Signature | None:
    given = call.field(name, dict, needed=False)
    if not given:
        return None
    try:
        when = datetime.fromisoformat(given.get("date") or call.world.now.isoformat())
        return Signature(name=given["name"], email=given["email"], date=when.isoformat())
    except (KeyError, ValueError):
        raise Refused(422, f"{name} needs a name, an email and a date in ISO 8601") from None


def _point(call: Call, ref: str, sha: str) -> None:
    if not _SHA.fullmatch(sha) or call.hosted.store.kind(sha) is None:
        raise Refused(422, "Object does not exist")
    before = call.hosted.store.ref(ref)
    call.hosted.store.update_ref(ref, sha)
    assert call.token is not None
    if ref.startswith("refs/heads/"):
        call.world.moved(call.hosted, ref, before, sha, call.token.viewer)


def _ref(call: Call, ref: str, status: int) -> Answer:
    found = call.hosted.store.ref(ref)
    if found is None:
        raise Refused(404)
    return Answer(status=status, data=_shown(call, ref, found))


def _shown(call: Call, ref: str, sha: str) -> dict[str, Any]:
    return call.world.shapes.git_ref(call.hosted, ref, sha, call.hosted.store.kind(sha) or "commit")


def _object(call: Call, kind: str) -> str:
    sha = call.names["sha"]
    if not _SHA.fullmatch(sha) or call.hosted.store.kind(sha) != kind:
        raise Refused(404)
    return sha


def _url(call: Call, kind: str, sha: str) -> str:
    return f"{call.world.api_url}/repos/{call.hosted.full_name}/git/{kind}/{sha}"
