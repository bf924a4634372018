"""Object ids computed here, and git's order of names."""

import hashlib
from collections.abc import Iterable

from medgauge_registrar.model.tree import FOLDER_MODE, Entry


def object_id(kind: str, data: bytes, object_format: str) -> str:
    """
    The id that git gives an object.

    Args:
        kind: `blob` or `tree`.
        data: Its bytes.
        object_format: `sha1` or `sha256`.

    Source:
        gitformat-loose, "OBJECT FORMAT"; hash function transition, "Object names".
    """
    digest = hashlib.new(object_format, usedforsecurity=False)
    digest.update(f"{kind} {len(data)}\0".encode("ascii"))
    digest.update(data)
    return digest.hexdigest()


def encoded(path: str) -> bytes:
    """The bytes of a path; odd ones survive the round trip."""
    return path.encode("utf-8", "surrogateescape")


def decoded(path: bytes) -> str:
    """The text of a path, whatever its bytes."""
    return path.decode("utf-8", "surrogateescape")


def order_key(name: str, *, folder: bool) -> bytes:
    """Sort key of a name in a tree object: folders sort as if a slash ended their name."""
    return encoded(name) + b"/" if folder else encoded(name)


def tree_id(entries: Iterable[tuple[str, Entry]], object_format: str) -> str:
    """The id of the tree object that holds these names, given in git's order."""
    rows = (b"%s %s\0%s" % (_short(entry.mode), encoded(name), bytes.fromhex(entry.oid)) for name, entry in entries)
    return object_id("tree", b"".join(rows), object_format)


def _short(mode: str) -> bytes:
    return b"40000" if mode == FOLDER_MODE else mode.encode("ascii")
