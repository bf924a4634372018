"""Where a repository keeps what we read, and a bare directory of our own through which it is read."""

import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path

from medgauge_registrar.git.command import failure, run
from medgauge_registrar.git.limits import Limits
from medgauge_registrar.git.messages import complaint, shown
from medgauge_registrar.git.process import HERMETIC
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.patterns import lazy_pattern

_DUBIOUS = lazy_pattern(r"detected dubious ownership in repository at '(.*?)'\n", re.DOTALL)
_QUESTION = (
    "rev-parse",
    "--path-format=absolute",
    "--show-object-format",
    "--is-shallow-repository",
    "--absolute-git-dir",
    "--git-path",
    "objects",
)
# Attributes decide how files merge (`merge=union` never conflicts), so those of the trees must not count.
# This file has the highest precedence that git knows.
_NO_ATTRIBUTES = "* !merge !conflict-marker-size !text !eol !ident !filter !working-tree-encoding !diff !whitespace\n"


@frozen
class Place:
    """
    A repository on disk.

    Attributes:
        folder: The folder it was found from, absolute.
        trust: Options that make git accept its owner, if that takes any.
        git_dir: Its git directory; for a linked work tree, that tree's own.
        objects: Its object directory, the one it shares with every linked work tree.
        object_format: `sha1` or `sha256`.
        shallow: Whether its history is cut off.
    """

    folder: Path
    trust: tuple[str, ...]
    git_dir: Path
    objects: Path
    object_format: str
    shallow: bool


def locate(path: Path, limits: Limits) -> Place:
    """
    Find the repository that a folder lies in: a work tree, a linked one, or a bare repository.

    Args:
        path: A folder.
        limits: Time allowed.

    Raises:
        ReadError: No repository, or one of another owner that the user has not declared safe by its exact path.

    Source:
        git-config, "safe.directory".
    """
    folder = Path(os.path.abspath(path))
    if not folder.is_dir():
        raise ReadError(f"`{shown(str(folder))}` is not a folder: name the folder of a git repository")
    inside = ("-C", str(folder))
    trust: tuple[str, ...] = ()
    answer = run(_QUESTION, limits=limits, place=inside)
    if found := _DUBIOUS.search(answer.stderr):
        owned_by_another = found.group(1)
        if owned_by_another not in _declared_safe(limits):
            raise ReadError(
                f"the repository at `{shown(owned_by_another)}` belongs to another user, so git does not trust it; "
                f"if you do: `git config --global --add safe.directory {shown(shlex.quote(owned_by_another))}`"
            )
        trust = ("-c", f"safe.directory={owned_by_another}")
        answer = run(_QUESTION, limits=limits, place=(*trust, *inside))
    if "not a git repository" in answer.stderr:
        raise ReadError(f"`{shown(str(folder))}` is not in a git repository: name a clone of the registry")
    if answer.status != 0:
        raise failure("rev-parse", answer, cure="`git status` in that folder tells more")
    lines = os.fsdecode(answer.stdout).splitlines()
    if len(lines) != 4 or lines[0] not in ("sha1", "sha256") or lines[1] not in ("true", "false"):
        raise ReadError(
            f"git rev-parse answered `{shown(os.fsdecode(answer.stdout[:200]))}` for `{shown(str(folder))}`, "
            "not a format, a flag and two paths: move the repository to a path without line breaks, "
            "or install git 2.38 or later"
        )
    return Place(
        folder=folder,
        trust=trust,
        git_dir=Path(lines[2]),
        objects=Path(lines[3]),
        object_format=lines[0],
        shallow=lines[1] == "true",
    )


def build_bare(folder: Path, place: Place) -> None:
    """
    Write a bare git directory that borrows the objects of a repository and nothing else.

    No setting, attribute, hook, reference, replacement, graft or cut of the repository is in force there, and what git
    writes stays there.

    Args:
        folder: An empty folder.
        place: The repository; where its own objects are borrowed from others, git follows.

    Source:
        gitrepository-layout, "objects/info/alternates", "info/attributes".
    """
    for name in ("objects/info", "objects/pack", "refs"):
        (folder / name).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/none\n", encoding="ascii")
    (folder / "config").write_text(
        f"[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = {place.object_format}\n",
        encoding="ascii",
    )
    forget_attributes(folder)
    (folder / "objects" / "info" / "alternates").write_bytes(_quoted(os.fsencode(place.objects)) + b"\n")


def forget_attributes(folder: Path) -> None:
    """
    Let no attribute of a tree count in a git directory.

    Source:
        gitattributes, "info/attributes".
    """
    (folder / "info").mkdir(exist_ok=True)
    (folder / "info" / "attributes").write_text(_NO_ATTRIBUTES, encoding="ascii")


def _quoted(path: bytes) -> bytes:
    # Always quoted: an unquoted line may be taken for a comment, or end at a line break in the path.
    return b'"' + b"".join(b"\\%03o" % c if c < 32 or c > 126 or c in b'"\\' else bytes((c,)) for c in path) + b'"'


def _declared_safe(limits: Limits) -> frozenset[str]:
    """The folders of other owners that the user's own settings name; `*` is not among them, whatever they say."""
    own = {name: os.environ[name] for name in ("HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL") if name in os.environ}
    environment: Mapping[str, str] = {**{k: v for k, v in HERMETIC.items() if k != "GIT_CONFIG_GLOBAL"}, **own}
    question = ("config", "--global", "--null", "--get-all", "safe.directory")
    answer = run(question, limits=limits, environment=environment)
    # Status 1 is "no such setting"; with no home folder there are no settings of the user either.
    if answer.status not in (0, 1) and "$HOME not set" not in answer.stderr:
        raise ReadError(f"your global git settings could not be read: `{complaint(answer.stderr)}`")
    named = os.fsdecode(answer.stdout).split("\0")[:-1]
    if "" in named:
        # An empty value takes back everything before it.
        named = named[len(named) - named[::-1].index("") :]
    return frozenset(os.path.expanduser(path) for path in named) - {"*"}
