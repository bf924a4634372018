"""Running one git command to its end; what it could not do is an error, never an empty answer."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from medgauge_registrar.git.limits import Limits
from medgauge_registrar.git.messages import complaint
from medgauge_registrar.git.process import Completed, Process
from medgauge_registrar.model.errors import ReadError

_FETCH = "if an object is missing, fetch the whole history of both commits; then run again"
_USAGE_ERROR, _NOT_FOUND = 129, 127


def run(
    arguments: Sequence[str],
    *,
    limits: Limits,
    place: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    data: bytes | None = None,
) -> Completed:
    """
    Run git to its end, with `data` as its standard input. The exit status is part of the answer: the caller must look
    at it.

    Raises:
        ReadError: Git could not be started, was too slow or wrote too much.
    """
    process = Process(
        arguments,
        seconds=limits.seconds,
        place=place,
        environment=environment,
        memory_bytes=limits.memory_bytes,
        fed=data is not None,
    )
    try:
        if data is not None:
            if data:
                process.write(data)
            process.end_input()
        stdout = b"".join(_pieces(process, arguments[0], limits))
        completed = process.finish()
    finally:
        process.close()
    if completed.status == _NOT_FOUND:
        raise failure(arguments[0], completed)
    return Completed(status=completed.status, stdout=stdout, stderr=completed.stderr)


def output(arguments: Sequence[str], *, limits: Limits, place: Sequence[str] = ()) -> bytes:
    """
    Run git to its end and take what it wrote.

    Raises:
        ReadError: Git failed, was too slow or wrote too much.
    """
    completed = run(arguments, limits=limits, place=place)
    if completed.status != 0:
        raise failure(arguments[0], completed)
    return completed.stdout


def failure(command: str, completed: Completed, cure: str = _FETCH) -> ReadError:
    """The error for a git that failed, with what to do about it."""
    if completed.status == _NOT_FOUND:
        return ReadError("`git` was not found on PATH: install git 2.38 or later")
    if completed.status == _USAGE_ERROR:
        cure = "install git 2.38 or later"
    return ReadError(f"git {command} failed with status {completed.status}: `{complaint(completed.stderr)}`; {cure}")


def git_dir(path: Path) -> tuple[str, ...]:
    """The options that name a git directory."""
    return (f"--git-dir={path}",)


def _pieces(process: Process, name: str, limits: Limits) -> Iterator[bytes]:
    total = 0
    while piece := process.read():
        total += len(piece)
        if total > limits.output_bytes:
            raise ReadError(f"git {name} wrote more than {limits.output_bytes} bytes and was stopped: too large")
        yield piece
