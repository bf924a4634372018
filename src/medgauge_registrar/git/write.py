"""Making a repository from files in memory; only the demonstration writes one."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from medgauge_registrar.git.command import failure, git_dir, output
from medgauge_registrar.git.limits import DEFAULT_LIMITS
from medgauge_registrar.git.objects import encoded
from medgauge_registrar.git.process import Process
from medgauge_registrar.model.frozen import frozen

_MESSAGE = "registrar demonstration"
# A large registry takes its time to write; nothing hostile is read here.
WRITE_SECONDS = 600.0


@frozen
class NewCommit:
    """
    One commit to make.

    Attributes:
        branch: Branch that will point at it, or a full ref such as `refs/pull/1/head`.
        parents: Ids, branches or full refs; the first is the one it builds on.
        files: Contents by path of what it sets; null removes a path.
        modes: Modes other than `100644`, by path.
        author: `Name <address>`.
        at: Seconds since 1970, UTC.
        message: Commit message.
    """

    branch: str
    parents: Sequence[str]
    files: Mapping[str, bytes | None]
    modes: Mapping[str, str]
    author: str
    at: int
    message: str = _MESSAGE


def create_repository(folder: Path) -> None:
    """
    Start an empty bare repository with the branch `main`.

    Raises:
        ReadError: Git refused.
    """
    folder.mkdir(parents=True, exist_ok=True)
    output(("init", "--quiet", "--bare", "--initial-branch=main", str(folder)), limits=DEFAULT_LIMITS)


def write_commits(repository: Path, commits: Sequence[NewCommit]) -> None:
    """
    Add commits to a bare repository, in one process.

    Raises:
        ReadError: Git refused.
    """
    process = Process(("fast-import", "--quiet", "--force"), seconds=WRITE_SECONDS, place=git_dir(repository), fed=True)
    try:
        for commit in commits:
            process.write(_stream(commit))
        process.write(b"done\n")
        while process.read():
            pass
        completed = process.finish()
    finally:
        process.close()
    if completed.status != 0:
        raise failure("fast-import", completed)


def _stream(commit: NewCommit) -> bytes:
    head = f"commit {_ref(commit.branch)}\nauthor {commit.author} {commit.at} +0000\n"
    head += f"committer {commit.author} {commit.at} +0000\n"
    lines = [head.encode(), _data(commit.message.encode())]
    for index, parent in enumerate(commit.parents):
        if parent == commit.branch:
            continue  # fast-import builds on a branch it has written itself, and refuses to be told
        name = parent if len(parent) in {40, 64} else _ref(parent)
        lines.append(f"{'merge' if index else 'from'} {name}\n".encode())
    for path, contents in sorted(commit.files.items()):
        if contents is None:
            lines += [b"D ", _quoted(path), b"\n"]
        else:
            mode = commit.modes.get(path, "100644")
            lines += [f"M {mode} inline ".encode(), _quoted(path), b"\n", _data(contents)]
    return b"".join([*lines, b"\n"])


def _ref(name: str) -> str:
    return name if name.startswith("refs/") else f"refs/heads/{name}"


def _data(contents: bytes) -> bytes:
    return b"data %d\n%b\n" % (len(contents), contents)


def _quoted(path: str) -> bytes:
    """A path as fast-import reads it, whatever characters it holds."""
    plain = encoded(path).replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"' + plain + b'"'
