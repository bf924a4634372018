"""Real git repositories for tests, made quickly with `git fast-import`; same input, same commit ids."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

PERSON = "Example Person <example@example.invalid>"
FIRST_DATE = 1_767_225_600  # 2026-01-01T00:00:00Z
NO_MODES: Mapping[str, str] = {}


def git(folder: Path, *arguments: str, stdin: bytes = b"", status: int | None = 0) -> str:
    """Run git in a folder, without anybody's settings; the output without its last line break. A null status is any."""
    environment = {
        "PATH": os.environ["PATH"],
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Example Person",
        "GIT_AUTHOR_EMAIL": "example@example.invalid",
        "GIT_AUTHOR_DATE": f"{FIRST_DATE} +0000",
        "GIT_COMMITTER_NAME": "Example Person",
        "GIT_COMMITTER_EMAIL": "example@example.invalid",
        "GIT_COMMITTER_DATE": f"{FIRST_DATE} +0000",
        "LC_ALL": "C",
    }
    ran = subprocess.run(["git", "-C", str(folder), *arguments], input=stdin, capture_output=True, env=environment)
    assert status in (None, ran.returncode), os.fsdecode(ran.stderr)
    return os.fsdecode(ran.stdout).removesuffix("\n")


class MadeRepository:
    """A repository under construction; bare unless a work tree is wanted."""

    def __init__(self, folder: Path, *, bare: bool = True, object_format: str = "sha1") -> None:
        """Initialise an empty repository with the branch `main`."""
        folder.mkdir(parents=True, exist_ok=True)
        shape = ["--bare"] if bare else []
        git(folder, "init", "-q", "-b", "main", f"--object-format={object_format}", *shape)
        self.folder = folder
        self.git_dir = folder if bare else folder / ".git"
        self._date = FIRST_DATE

    def git(self, *arguments: str, stdin: bytes = b"", status: int | None = 0) -> str:
        """Run git in this repository."""
        return git(self.folder, *arguments, stdin=stdin, status=status)

    def commit(
        self,
        files: Mapping[str, bytes | str],
        *parents: str,
        modes: Mapping[str, str] = NO_MODES,
        branch: str = "main",
        message: str = "Change",
    ) -> str:
        """
        Commit exactly these files on a branch, one minute after the last commit.

        Args:
            files: Contents by path. A link holds its target, a submodule its hexadecimal commit.
            parents: Parents of the commit; none makes a root.
            modes: Modes other than `100644`, by path.
            branch: The branch that then points at it.
            message: The commit message.

        Returns:
            Id of the commit.
        """
        self._date += 60
        stream = [
            f"commit refs/heads/{branch}\nmark :1\ncommitter {PERSON} {self._date} +0000\n".encode(),
            _data(message),
        ]
        stream += [f"{'from' if n == 0 else 'merge'} {parent}\n".encode() for n, parent in enumerate(parents)]
        stream.append(b"deleteall\n")
        for path, contents in files.items():
            mode = modes.get(path, "100644")
            if mode == "160000":
                stream.append(f"M {mode} {contents!s} ".encode() + _quoted(path) + b"\n")
            else:
                stream += [f"M {mode} inline ".encode(), _quoted(path), b"\n", _data(contents)]
        stream.append(b"\nget-mark :1\n")
        # A commit without parents starts the branch anew.
        reset = [] if parents else [f"reset refs/heads/{branch}\n".encode()]
        return self.git("fast-import", "--quiet", "--force", stdin=b"".join(reset + stream))

    def tree(self, entries: Sequence[tuple[str, bytes, str]]) -> str:
        """Write a tree object of (mode, name, id) rows just as they are, well-formed or not."""
        data = b"".join(mode.encode() + b" " + name + b"\0" + bytes.fromhex(oid) for mode, name, oid in entries)
        return self.git("hash-object", "-w", "-t", "tree", "--literally", "--stdin", stdin=data)

    def blob(self, data: bytes) -> str:
        """Write a blob."""
        return self.git("hash-object", "-w", "--stdin", stdin=data)

    def commit_tree(self, tree: str, *parents: str) -> str:
        """Commit a tree object; no branch moves."""
        return self.git("commit-tree", tree, "-m", "Change", *(word for p in parents for word in ("-p", p)))

    def oid(self, expression: str) -> str:
        """The id of any object that git can name."""
        return self.git("rev-parse", "--verify", expression)

    def remove_object(self, oid: str) -> None:
        """Lose one loose object."""
        (self.git_dir / "objects" / oid[:2] / oid[2:]).unlink()


def _data(contents: bytes | str) -> bytes:
    data = contents.encode() if isinstance(contents, str) else contents
    return f"data {len(data)}\n".encode() + data + b"\n"


def _quoted(path: str) -> bytes:
    return b'"' + b"".join(b"\\%03o" % byte for byte in os.fsencode(path)) + b'"'
