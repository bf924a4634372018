"""Internal links: what a target written in a file means inside the registry (BLD-03)."""

import re
from posixpath import normpath
from urllib.parse import unquote

from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.patterns import lazy_pattern

# Addresses of other places; whether they answer is not for the build to ask.
_EXTERNAL = lazy_pattern(r"(?:[a-z][a-z0-9+.-]{1,30}:|//)", re.I)
_LINES = lazy_pattern(r"L\d{1,7}(?:C\d{1,5})?(?:-L\d{1,7}(?:C\d{1,5})?)?")
_NEEDLESS = lazy_pattern(r"%(?:2[de]|[34][0-9a-f]|5f|6[1-9a-f]|7[0-9a]|7e|4[1-9a-f]|5[0-9a])", re.I)
# A value of a record that is the path of a file here, perhaps with an anchor.
RECORD_PATH = lazy_pattern(
    r"(?:registry|methodology|articles|rounds|notices|disputes|rfcs|schemas|validators)/[A-Za-z0-9%@._/-]{1,300}\.(?:md|ya?ml|json)"
    r"(?:#[^\s#]{1,200})?"
)


@frozen
class Target:
    """Where a link leads: a path from the top of the registry (null outside of it) and an anchor (null: none)."""

    path: str | None
    anchor: str | None
    needless: bool = False


def resolve(target: str, source: str) -> Target | None:
    """
    What a link written in a file leads to; null for one that leads to another site.

    Args:
        target: As written, percent-encoding and all.
        source: Path of the file it stands in.

    Source:
        RFC 3986, section 5; GitHub reads a leading `/` from the top of the repository.
    """
    written = target.strip()
    if _EXTERNAL.match(written):
        return None
    rest, _, fragment = written.partition("#")
    rest = rest.partition("?")[0]
    anchor = unquote(fragment) if fragment else None
    needless = _NEEDLESS.search(rest) is not None
    path = unquote(rest)
    if not path:
        return Target(path=source, anchor=anchor, needless=needless)
    folder = "" if path.startswith("/") else source.rpartition("/")[0]
    joined = normpath(f"{folder}/{path}".lstrip("/"))
    outside = joined.startswith("..") or "\0" in joined
    return Target(path=None if outside else "" if joined == "." else joined, anchor=anchor, needless=needless)


def is_line_anchor(anchor: str) -> bool:
    """Whether an anchor names lines of a file (`L10-L20`), which every file on GitHub has."""
    return _LINES.fullmatch(anchor) is not None
