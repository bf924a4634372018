"""Git over HTTP: `git upload-pack` behind the two addresses of the protocol, for whoever may read the repository."""

import re
from email.message import Message
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from medgauge_registrar.git.command import run
from medgauge_registrar.git.limits import DEFAULT_LIMITS
from medgauge_registrar.git.process import HERMETIC
from medgauge_registrar.sandbox.github.calls import Answer
from medgauge_registrar.sandbox.github.credentials import credential

if TYPE_CHECKING:
    from medgauge_registrar.sandbox.github.world import GitHubSandbox

_ADDRESS = re.compile(
    r"/(?P<owner>[^/]+)/(?P<repo>[^/]+?)(?:\.git)?/(?P<what>info/refs|git-upload-pack|git-receive-pack)"
)
_PROTOCOL = re.compile(r"[a-z0-9=:]{1,64}")
# What GitHub allows a client: to leave blobs out, and to ask for a commit by its id.
_OFFERS = ("-c", "uploadpack.allowFilter=true", "-c", "uploadpack.allowAnySHA1InWant=true")
_HIDDEN = ("-c", "transfer.hideRefs=refs/sandbox")


def is_git(path: str) -> bool:
    """Whether an address is one of the protocol's."""
    return _ADDRESS.fullmatch(path) is not None


def answer_git(world: "GitHubSandbox", method: str, target: str, headers: Message, body: bytes) -> Answer:
    """
    Answer a fetch; pushing is not offered.

    Source:
        gitprotocol-http, gitprotocol-v2; `git http-backend` runs the same command.
    """
    parts = urlsplit(target)
    match = _ADDRESS.fullmatch(parts.path)
    header = headers.get("Authorization", "")
    token = credential(world, header)
    hosted = None if match is None else world.repositories.get(f"{match['owner']}/{match['repo']}".casefold())
    if header and token is None:
        return _refused(401, "Invalid username or token.")
    if match is None or hosted is None or (hosted.private and token is None):
        # Without a credential GitHub asks for one rather than say that there is nothing.
        return _refused(401 if token is None else 404, "Repository not found.")
    if hosted.private and token is not None and not token.sees(hosted.full_name.casefold()):
        return _refused(404, "Repository not found.")
    service = parse_qs(parts.query).get("service", [""])[0] if match["what"] == "info/refs" else match["what"]
    if service != "git-upload-pack":
        return _refused(403, "This repository takes no pushes.")
    protocol = headers.get("Git-Protocol", "")
    environment = {**HERMETIC, **({"GIT_PROTOCOL": protocol} if _PROTOCOL.fullmatch(protocol) else {})}
    advertise = match["what"] == "info/refs"
    if advertise != (method == "GET"):
        return _refused(405, "Method not allowed.")
    flags = ("--advertise-refs",) if advertise else ()
    completed = run(
        ("upload-pack", "--stateless-rpc", *flags, str(hosted.store.path)),
        limits=DEFAULT_LIMITS,
        place=(*_OFFERS, *_HIDDEN),
        environment=environment,
        data=None if advertise else body,
    )
    preface = b"001e# service=git-upload-pack\n0000" if advertise and "version=2" not in protocol else b""
    kind = "advertisement" if advertise else "result"
    return Answer(
        raw=preface + completed.stdout,
        media_type=f"application/x-git-upload-pack-{kind}",
        headers={"Cache-Control": "no-cache"},
    )


def _refused(status: int, message: str) -> Answer:
    headers = {"WWW-Authenticate": 'Basic realm="GitHub"'} if status == 401 else {}
    return Answer(status=status, raw=message.encode(), media_type="text/plain", headers=headers)
