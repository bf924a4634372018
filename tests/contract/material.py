"""
GitHub's own descriptions, and what it really answered: taken from package registries, pinned by digest, never committed.

They lie in `build/contract/` once they have been taken. Without the network the long tests fail; they are never skipped.

Source:
    npm `@octokit/openapi`, `@octokit/openapi-webhooks` and `@octokit/graphql-schema` (MIT), generated from what GitHub
    publishes; PyPI `PyGithub` (LGPL), whose source distribution holds the exchanges that its tests replay.
"""

import ast
import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "build" / "contract"
SECONDS = 900


@dataclass(frozen=True)
class Package:
    """A file of a registry, the command that takes it, and its digest."""

    file: str
    sha256: str
    command: tuple[str, ...]


def _npm(name: str) -> tuple[str, ...]:
    return ("npm", "pack", "--silent", "--pack-destination", ".", name)


OPENAPI = Package(
    "octokit-openapi-23.0.2.tgz",
    "71a18407dd5e8464f4e0525daf03deabbe65abd9287d6adc7b5d98f516cd0d0c",
    _npm("@octokit/openapi@23.0.2"),
)
GRAPHQL = Package(
    "octokit-graphql-schema-15.26.1.tgz",
    "053e74249dafce2118fd9b7ae499b067d57c5f910c57745699ac45108bc68d1e",
    _npm("@octokit/graphql-schema@15.26.1"),
)
WEBHOOKS = Package(
    "octokit-openapi-webhooks-12.1.0.tgz",
    "112b87c7dcda464640248dcf5965bcd69027c65bb45c26ae78fbf3f0d1eaa740",
    _npm("@octokit/openapi-webhooks@12.1.0"),
)
PYGITHUB = Package(
    "pygithub-2.10.0.tar.gz",
    "90ff24ef1cd1bd57124c2a3869cafee9d7b066909129ecdaba2c2d1903bc118d",
    (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "PyGithub==2.10.0"),
)


def taken(package: Package) -> Path:
    """
    The file, taken from its registry if it is not there yet.

    Raises:
        AssertionError: It could not be taken, or is another one than was pinned.
    """
    path = FOLDER / package.file
    if not path.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        # Several processes may want it at once: it comes to its place whole.
        with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
            ran = subprocess.run(
                package.command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False
            )
            brought = Path(folder) / package.file
            assert brought.exists(), f"{' '.join(package.command)} brought no {package.file}: {ran.stderr[-500:]}"
            brought.replace(path)
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    assert found == package.sha256, (
        f"{path} has the digest {found}; expected {package.sha256}. Delete it to take it anew"
    )
    return path


@cache
def openapi() -> Mapping[str, Any]:
    """GitHub's OpenAPI description of its REST interface."""
    found: Mapping[str, Any] = json.loads(_member(OPENAPI, "package/generated/api.github.com.json"))
    return found


@cache
def webhooks() -> Mapping[str, Any]:
    """GitHub's OpenAPI description of the payloads of events."""
    found: Mapping[str, Any] = json.loads(_member(WEBHOOKS, "package/generated/api.github.com.json"))
    return found


@cache
def graphql_schema() -> str:
    """GitHub's public GraphQL schema."""
    return _member(GRAPHQL, "package/schema.graphql").decode()


@dataclass(frozen=True)
class Exchange:
    """A request that was sent to GitHub, and its answer."""

    origin: str
    method: str
    path: str
    body: str
    status: int
    headers: Mapping[str, str]
    answer: str

    @property
    def data(self) -> Any:
        """The answer as JSON; null if it is none."""
        try:
            return json.loads(self.answer)
        except ValueError:
            return None


@cache
def exchanges() -> tuple[Exchange, ...]:
    """Every exchange with api.github.com that PyGithub recorded."""
    return tuple(_exchanges())


def _exchanges() -> Iterator[Exchange]:
    with tarfile.open(taken(PYGITHUB)) as archive:
        for member in archive:
            if "/tests/ReplayData/" not in member.name or not member.isfile():
                continue
            file = archive.extractfile(member)
            assert file is not None
            lines = file.read().decode("utf-8", "replace").split("\n")
            # Scheme, verb, host, port, path, headers, body, status, headers, body; then an empty line.
            for start in range(0, len(lines) - 9, 11):
                _, verb, host, _, path, _, body, status, headers, answer = lines[start : start + 10]
                if host == "api.github.com" and status.isdecimal():
                    yield Exchange(
                        origin=member.name.rpartition("/")[2],
                        method=verb,
                        path=path,
                        body=body,
                        status=int(status),
                        headers=_headers(headers),
                        answer=answer,
                    )


def _headers(text: str) -> dict[str, str]:
    try:
        pairs = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return {}
    return {str(name).lower(): str(value) for name, value in pairs}


def _member(package: Package, name: str) -> bytes:
    with tarfile.open(taken(package)) as archive:
        file = archive.extractfile(name)
        assert file is not None
        return file.read()
