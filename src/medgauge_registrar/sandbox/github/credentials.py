"""Who is asking: tokens, basic credentials of git, and the signed words of an App."""

import base64
import binascii
from typing import TYPE_CHECKING

from medgauge_registrar.sandbox.github.calls import Refused
from medgauge_registrar.sandbox.github.values import App, Token

if TYPE_CHECKING:
    from medgauge_registrar.sandbox.github.world import GitHubSandbox


def credential(world: "GitHubSandbox", header: str) -> Token | None:
    """The token that an `Authorization` header carries; null if it carries none that is known and alive."""
    scheme, _, value = header.partition(" ")
    match scheme.lower():
        case "bearer" | "token":
            secret = value.strip()
        case "basic":
            secret = _password(value)
        case _:
            return None
    found = world.tokens.get(secret)
    if found is None or (found.expires_at is not None and found.expires_at <= world.now):
        return None
    return found


def authorised(world: "GitHubSandbox", token: Token | None, header: str) -> None:
    """
    Refuse a credential that is given and is none.

    Raises:
        Refused: 401, as GitHub answers even where nobody has to say who they are.
    """
    if header and token is None and app_of(world, header) is None:
        raise Refused(401)


def app_of(world: "GitHubSandbox", header: str) -> App | None:
    """The App that signed a header; null if none of ours did, or its word is no longer good."""
    scheme, _, word = header.partition(" ")
    if scheme.lower() != "bearer" or word.count(".") != 2:
        return None
    # Only an App's own requests need it, and it takes a tenth of a second to load.
    import jwt

    for app in world.apps.values():
        try:
            claims = jwt.decode(word, app.public_key, algorithms=["RS256"], options={"verify_exp": False})
        except jwt.InvalidTokenError:
            continue
        if str(claims.get("iss")) == str(app.id):
            return app
    return None


def _password(value: str) -> str:
    try:
        _, _, password = base64.b64decode(value.strip(), validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return ""
    return password
