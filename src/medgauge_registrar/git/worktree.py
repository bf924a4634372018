"""The author's own files, as they would be committed now."""

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from medgauge_registrar.git.command import failure, git_dir, run
from medgauge_registrar.git.limits import Limits
from medgauge_registrar.git.listed import ListedTree
from medgauge_registrar.git.messages import shown
from medgauge_registrar.git.objects import decoded, encoded
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.tree import GITLINK_MODE, SYMLINK_MODE

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
_ENTER = _READ | os.O_DIRECTORY
_NULL_OID = {"sha1": "0" * 40, "sha256": "0" * 64}


class WorkTree(ListedTree):
    """
    Tracked and unignored files of a work tree, read from disk; implements `Tree`.

    No symbolic link is followed, on no part of a path, and nothing called `.git` is read. A file deleted from disk is
    absent. Line ends and filters are not converted: the bytes are judged as they lie.
    """

    def __init__(self, root: Path, links: Mapping[str, str], modes: Mapping[str, str], repository: Repository) -> None:
        """Take what `open` found."""
        super().__init__(modes, repository.place.object_format)
        self._root = root
        self._links = links
        self._limits = repository.limits

    @classmethod
    def open(cls, repository: Repository) -> Self:
        """
        List the work tree of a repository.

        Raises:
            ReadError: The repository is bare or its work tree sparse, or a listed name is no file, link or submodule.

        Source:
            git-ls-files.
        """
        root = _root(repository)
        submodules = _tracked_submodules(repository, root)
        listing = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        modes: dict[str, str] = {}
        links: dict[str, str] = {}
        real_folders: dict[str, bool] = {"": True}
        for path in sorted(set(_listed(listing, repository, root))):
            # A name that ends in a slash is a repository of its own, not yet added.
            name = path.removesuffix("/")
            parts = name.split("/")
            if ".git" in (part.casefold() for part in parts):
                continue
            found = _on_disk(root, name, real_folders)
            if found is None:
                continue
            if stat.S_ISDIR(found.st_mode):
                if name in submodules or name != path:
                    modes[name] = GITLINK_MODE
                    links[name] = submodules.get(name, _NULL_OID[repository.place.object_format])
                # Else a tracked file gave way to a folder, whose files are listed by themselves.
            elif stat.S_ISLNK(found.st_mode):
                modes[name] = SYMLINK_MODE
            elif stat.S_ISREG(found.st_mode):
                modes[name] = "100755" if found.st_mode & stat.S_IXUSR else "100644"
            else:
                raise ReadError(
                    f"`{shown(name)}` is no file, folder or link: remove it from the work tree, or ignore it"
                )
        return cls(root, links, modes, repository)

    def _contents(self, path: str) -> bytes:
        if path in self._links:
            return self._links[path].encode("ascii")
        folder, _, name = path.rpartition("/")
        try:
            with _entered(self._root, folder) as place:
                if self._modes[path] == SYMLINK_MODE:
                    return os.readlink(encoded(name), dir_fd=place)
                return _read_file(encoded(name), place, path, self._limits)
        except OSError as error:
            raise ReadError(
                f"`{shown(path)}` cannot be read: {error.strerror}; run again when the work tree is at rest",
                may_pass_later=True,
            ) from error


def _root(repository: Repository) -> Path:
    folder = repository.place.folder
    trusted = repository.place.trust
    answer = run(("rev-parse", "--show-toplevel"), limits=repository.limits, place=(*trusted, "-C", str(folder)))
    if answer.status != 0:
        raise ReadError(f"`{shown(str(folder))}` has no work tree: give a revision, or the folder of a work tree")
    return Path(os.fsdecode(answer.stdout).removesuffix("\n"))


def _tracked_submodules(repository: Repository, root: Path) -> dict[str, str]:
    """Commit of each submodule in the index, by path."""
    submodules = {}
    for row in _listed(("ls-files", "-z", "-t", "--stage"), repository, root):
        meta, _, path = row.partition("\t")
        tag, mode, oid, *_ = meta.split(" ")
        if tag == "S":
            raise ReadError(
                f"`{shown(path)}` is left out of this sparse work tree: "
                "`git sparse-checkout disable`, or give a revision"
            )
        if mode == GITLINK_MODE:
            submodules[path] = oid
    return submodules


def _listed(arguments: tuple[str, ...], repository: Repository, root: Path) -> Iterator[str]:
    place = (*git_dir(repository.place.git_dir), f"--work-tree={root}", "-C", str(root))
    answer = run(arguments, limits=repository.limits, place=place)
    # Git leaves a folder out that it cannot open, and only says so on standard error.
    if answer.status != 0 or answer.stderr:
        raise failure("ls-files", answer, cure="see that every folder can be opened, or give a revision")
    return (decoded(row) for row in answer.stdout.split(b"\0")[:-1])


def _on_disk(root: Path, path: str, real_folders: dict[str, bool]) -> os.stat_result | None:
    """The file itself, null if it or a folder above it is absent or behind a link."""
    folder = path.rpartition("/")[0]
    if folder not in real_folders:
        above = _on_disk(root, folder, real_folders)
        real_folders[folder] = above is not None and stat.S_ISDIR(above.st_mode)
    if not real_folders[folder]:
        return None
    try:
        return os.lstat(os.path.join(os.fsencode(root), encoded(path)))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ReadError(f"`{shown(path)}` cannot be looked up: {error.strerror}; see to its permissions") from error


@contextmanager
def _entered(root: Path, folder: str) -> Iterator[int]:
    """Open a folder step by step, so that no part of its path can be a link."""
    place = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for name in folder.split("/") if folder else ():
            below = os.open(encoded(name), _ENTER, dir_fd=place)
            os.close(place)
            place = below
        yield place
    finally:
        os.close(place)


def _read_file(name: bytes, place: int, path: str, limits: Limits) -> bytes:
    # Without O_NONBLOCK a pipe put in the place of a file would make this wait for ever.
    with open(os.open(name, _READ | os.O_NONBLOCK, dir_fd=place), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise ReadError(f"`{shown(path)}` is no longer a regular file: run again", may_pass_later=True)
        data = file.read(limits.blob_bytes + 1)
    if len(data) > limits.blob_bytes:
        raise ReadError(f"`{shown(path)}` is too large: more than {limits.blob_bytes} bytes; shorten it")
    return data
