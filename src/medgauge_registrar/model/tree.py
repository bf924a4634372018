"""What the stages may ask of a git tree; the answers depend on the tree's object id alone."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

FILE_MODES = frozenset({"100644", "100755"})
FOLDER_MODE = "040000"
SYMLINK_MODE = "120000"
GITLINK_MODE = "160000"


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """
    One name in a tree.

    Attributes:
        mode: Six octal digits as git prints them (`100644`, `120000` for a symbolic link, `160000` for a submodule).
        oid: Hexadecimal object id.
    """

    mode: str
    oid: str


class Tree(Protocol):
    """
    A read-only tree of files.

    Every method raises `ReadError` when an object is missing or a limit is passed; absence is `None` or empty.
    """

    @property
    def oid(self) -> str:
        """Hexadecimal id of the tree object."""

    def entry(self, path: str) -> Entry | None:
        """Look a path up; null if the tree has no such name."""

    def names(self, folder: str) -> Sequence[tuple[str, Entry]]:
        """List the names in one folder, in git's order; empty if there is no such folder."""

    def listing(self, folder: str) -> Collection[str]:
        """The names in one folder alone, which costs less where there are many."""

    def paths(self, folder: str) -> Iterator[str]:
        """The paths of `walk` alone, which cost less where files have to be read for their ids."""

    def walk(self, folder: str) -> Iterator[tuple[str, Entry]]:
        """List every file below a folder (full paths), in git's order."""

    def read(self, path: str) -> bytes | None:
        """Contents of a file; null if there is none."""

    def read_many(self, entries: Iterable[tuple[str, Entry]]) -> Iterator[tuple[str, bytes]]:
        """Contents of many files, in the order given, without holding them all."""

    def mentions(self, folder: str, words: Sequence[str]) -> Sequence[str]:
        """Paths of files below a folder whose bytes contain any of the words."""
