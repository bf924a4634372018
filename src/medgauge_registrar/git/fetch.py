"""Objects from a server, fetched into a temporary bare repository: checked, bounded, and never checked out."""

import base64
import os
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from medgauge_registrar.git.command import failure, git_dir, output, run
from medgauge_registrar.git.limits import DEFAULT_LIMITS, MAX_BLOB_BYTES, Limits
from medgauge_registrar.git.messages import shown
from medgauge_registrar.git.objects import decoded
from medgauge_registrar.git.place import forget_attributes
from medgauge_registrar.git.process import HERMETIC
from medgauge_registrar.model.errors import ReadError

FETCH_SECONDS = 300.0
# Any other lets an address run a program.
_PROTOCOLS = ("https", "http", "file")
_REFERENCE = re.compile(r"HEAD|refs/[^\x00-\x20\x7f~^:?*\[\\]+|[0-9a-f]{40}|[0-9a-f]{64}")
_SETTINGS = (
    "fetch.fsckObjects=true",
    "transfer.fsckObjects=true",
    "fetch.recurseSubmodules=false",
    "http.followRedirects=false",
    "http.lowSpeedLimit=1000",
    "http.lowSpeedTime=30",
    "credential.helper=",
    "core.askPass=",
    "gc.auto=0",
    "maintenance.auto=false",
)
# How a machine reaches the network at all; its own settings, and not for other people's eyes.
_NETWORK = (
    "http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO",
)  # fmt: skip
_NOBODY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "registrar"), ("EMAIL", "registrar@invalid"), ("DATE", "@0 +0000"))
}


class Mirror:
    """
    A temporary bare repository of what was fetched; close it, or use it in a `with`.

    Attributes:
        path: Its folder.
    """

    def __init__(self, url: str, token: Callable[[], str], limits: Limits = DEFAULT_LIMITS) -> None:
        """
        Start an empty one.

        Args:
            url: Where objects come from: https, http, or a local folder as `file`; without credentials.
            token: Gives what git shows the server; it stands in no file and on no command line. Empty: nothing.
            limits: What one git may cost; a fetch has five minutes.

        Raises:
            ReadError: The address is of another kind, or git refused.
        """
        if urlsplit(url).scheme not in _PROTOCOLS:
            raise ReadError(f"`{shown(url)}` is no address to fetch from; expected https, or http to this machine")
        self._url = url
        self._token = token
        self._limits = limits
        self._folder = tempfile.TemporaryDirectory(prefix="registrar-fetch-")
        self.path = Path(self._folder.name)
        output(("init", "--quiet", "--bare", "--template=", str(self.path)), limits=limits)
        forget_attributes(self.path)

    def fetch(self, *references: str) -> tuple[str, ...]:
        """
        Fetch references with their whole history.

        Args:
            references: Full names on the server (`refs/pull/7/head`, `HEAD`), or full object ids of commits there.

        Returns:
            The commits that they name there now.

        Raises:
            ReadError: A reference is not there, an object is malformed, or the server gave no answer in time.

        Source:
            git-fetch; git-config, "fetch.fsckObjects", "http.extraHeader".
        """
        for reference in references:
            if not _REFERENCE.fullmatch(reference):
                raise ReadError(f"`{shown(reference)}` is neither a full name of a reference nor an object id")
        kept = [f"refs/registrar/{index}" for index in range(len(references))]
        arguments = [
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-write-fetch-head",
            "--no-recurse-submodules",
            "--refmap=",
            f"--filter=blob:limit={MAX_BLOB_BYTES + 1}",
            "--end-of-options",
            self._url,
            *(f"+{reference}:{name}" for reference, name in zip(references, kept, strict=True)),
        ]
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        answer = run(
            arguments,
            limits=replace(self._limits, seconds=FETCH_SECONDS),
            place=(*git_dir(self.path), *settings),
            environment={**HERMETIC, "GIT_ALLOW_PROTOCOL": urlsplit(self._url).scheme, **self._secrets()},
        )
        if answer.status != 0:
            cure = (
                "see that the branch exists, that the token may read the repository, and that `git fsck` finds nothing"
            )
            raise ReadError(str(failure("fetch", answer, cure)), may_pass_later=True)
        wanted = [f"{name}^{{commit}}" for name in kept]
        return tuple(decoded(output(("rev-parse", *wanted), limits=self._limits, place=git_dir(self.path))).split())

    def join(self, base: str, heads: Sequence[str]) -> tuple[str, ...]:
        """
        Merge heads one after the other, as a merge queue does.

        Args:
            base: Commit to begin with.
            heads: Commits, in the order of the queue.

        Returns:
            The commit after each merge.

        Raises:
            ReadError: Two of them conflict.
        """
        made: list[str] = []
        place = git_dir(self.path)
        for head in heads:
            tip = made[-1] if made else base
            merge = ("merge-tree", "--write-tree", "--no-messages", tip, head)
            answer = run(merge, limits=self._limits, place=place)
            if answer.status != 0:
                raise ReadError(f"{head} does not merge into {tip}: the queue has to be built anew")
            tree = decoded(answer.stdout).strip()
            commit = run(
                ("commit-tree", "-m", "merge queue", "-p", tip, "-p", head, tree),
                limits=self._limits,
                place=place,
                environment={**HERMETIC, **_NOBODY},
            )
            if commit.status != 0:
                raise failure("commit-tree", commit)
            made.append(decoded(commit.stdout).strip())
        return tuple(made)

    def close(self) -> None:
        """Remove the folder."""
        self._folder.cleanup()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def _secrets(self) -> dict[str, str]:
        network = {name: os.environ[name] for name in _NETWORK if name in os.environ}
        token = self._token()
        if not token:
            return network
        basic = base64.b64encode(f"x-access-token:{token}".encode()).decode("ascii")
        server = "{0.scheme}://{0.netloc}/".format(urlsplit(self._url))
        return {
            **network,
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": f"http.{server}.extraHeader",
            "GIT_CONFIG_VALUE_0": f"Authorization: Basic {basic}",
        }
