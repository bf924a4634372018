"""One git process: started so that neither repository, settings nor pull request can make it run anything else."""

import contextlib
import os
import resource
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from typing import IO

from medgauge_registrar.git.limits import MAX_MEMORY_BYTES
from medgauge_registrar.git.messages import shown
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.frozen import frozen

MAX_STDERR_BYTES = 16 * 1024
_PIECE_BYTES = 256 * 1024

HERMETIC: Mapping[str, str] = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
"""Every variable that git sees beside `PATH`."""

# Settings of the command line go before those of any file, so these hold in the contributor's own repository too.
_SETTINGS = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.commitGraph=false",
    "protocol.allow=never",
    "advice.graftFileDeprecated=false",
)


@frozen
class Completed:
    """
    What a finished git left behind.

    Attributes:
        status: Exit status.
        stdout: What it wrote to standard output, as far as it was kept.
        stderr: The first 16 KiB that it wrote to standard error.
    """

    status: int
    stdout: bytes
    stderr: str


class Process:
    """
    One running git, in a process group of its own.

    Nothing here waits beyond the deadline; when that passes, and when the object is closed, the whole group is killed.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        seconds: float,
        place: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        fed: bool = False,
        memory_bytes: int = MAX_MEMORY_BYTES,
    ) -> None:
        """
        Start git.

        Args:
            arguments: Command and its arguments; none may come from outside without a marker before it.
            seconds: Time until the deadline.
            place: Options that say which repository, before the command.
            environment: Every variable beside `PATH`; `HERMETIC` if null.
            fed: Whether `write` will be used.
            memory_bytes: Memory that git may take for itself, where the system can bound it.

        Raises:
            ReadError: There is no git.
        """
        self._name = f"git {arguments[0]}"
        self._seconds = seconds
        self._stderr = bytearray()
        self._pending = bytearray()
        self._input_ended = False
        self._output_ended = False
        git = shutil.which("git")
        if git is None:
            raise ReadError("there is no `git` on PATH: install git 2.38 or later")
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        try:
            popen = subprocess.Popen(
                [git, *settings, *place, *arguments],
                stdin=subprocess.PIPE if fed else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={"PATH": os.environ.get("PATH", os.defpath), **(HERMETIC if environment is None else environment)},
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise ReadError(f"{self._name} could not be started: {shown(str(error))}") from error
        self._popen = popen
        _bound_memory(popen.pid, memory_bytes)
        self._stdin: IO[bytes] | None = popen.stdin
        self._selector = selectors.DefaultSelector()
        for stream, name in ((popen.stdout, "stdout"), (popen.stderr, "stderr")):
            assert stream is not None
            self._selector.register(stream, selectors.EVENT_READ, name)
        if self._stdin is not None:
            os.set_blocking(self._stdin.fileno(), False)
        self.renew()

    def renew(self) -> None:
        """Start the time limit anew."""
        self._deadline = time.monotonic() + self._seconds

    def write(self, data: bytes) -> None:
        """Queue bytes for standard input; they leave while output is awaited, so neither side can block the other."""
        if self._stdin is None:
            raise ValueError(f"{self._name} was started without standard input")
        if not self._pending:
            self._selector.register(self._stdin, selectors.EVENT_WRITE, "stdin")
        self._pending += data

    def end_input(self) -> None:
        """Close standard input once everything queued has left it; for commands that read it to its end."""
        self._input_ended = True
        if self._stdin is not None and not self._pending:
            self._stdin.close()

    def read(self) -> bytes:
        """
        Wait for the next piece of standard output; empty at its end.

        Raises:
            ReadError: The deadline passed; git was killed.
        """
        while not self._output_ended:
            for key, _ in self._ready():
                if key.data == "stdout":
                    piece = os.read(key.fd, _PIECE_BYTES)
                    if not piece:
                        self._selector.unregister(key.fileobj)
                        self._output_ended = True
                    return piece
                self._attend(key)
        return b""

    def finish(self) -> Completed:
        """
        Wait until git has ended by itself; output that nobody read is dropped.

        Raises:
            ReadError: The deadline passed, or a signal ended git.
        """
        if self._pending and self._stdin is not None:
            self._selector.unregister(self._stdin)
        while self._selector.get_map():
            for key, _ in self._ready():
                self._attend(key)
        try:
            status = self._popen.wait(max(0.0, self._deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise self._overtime() from None
        self.close()
        if status < 0:
            raise ReadError(f"{self._name} was ended by signal {-status}; run again", may_pass_later=True)
        return Completed(status=status, stdout=b"", stderr=os.fsdecode(bytes(self._stderr)))

    def close(self) -> None:
        """Kill git if it still runs, and free everything it held."""
        if self._popen.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._popen.pid, signal.SIGKILL)
            self._popen.wait()
        self._selector.close()
        for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if stream is not None:
                stream.close()

    def __del__(self) -> None:
        """End git even where nobody closed this object."""
        if hasattr(self, "_selector"):
            self.close()

    def _ready(self) -> list[tuple[selectors.SelectorKey, int]]:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise self._overtime()
        return self._selector.select(left)

    def _attend(self, key: selectors.SelectorKey) -> None:
        if key.data == "stdin":
            try:
                del self._pending[: os.write(key.fd, self._pending[:_PIECE_BYTES])]
            except BrokenPipeError:
                # Git has gone; the end of its output will say so.
                self._pending.clear()
            if not self._pending:
                self._selector.unregister(key.fileobj)
                if self._input_ended and self._stdin is not None:
                    self._stdin.close()
            return
        piece = os.read(key.fd, _PIECE_BYTES)
        if not piece:
            self._selector.unregister(key.fileobj)
        elif key.data == "stderr":
            self._stderr += piece[: MAX_STDERR_BYTES - len(self._stderr)]

    def _overtime(self) -> ReadError:
        self.close()
        return ReadError(
            f"{self._name} took longer than {self._seconds:g} s and was stopped: the repository is too large, "
            "the machine too busy, or the change made to be slow; run again on a quiet machine",
            may_pass_later=True,
        )


def _bound_memory(pid: int, limit_bytes: int) -> None:
    # Linux alone lets one process bound another; there, mapped packs do not count, only what git allocates.
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            resource.prlimit(pid, resource.RLIMIT_DATA, (limit_bytes, limit_bytes))
