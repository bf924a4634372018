"""Checks of a path itself: unknown places in the registry, irregular files, names that fold together."""

from collections.abc import Callable, Iterable, Iterator

from medgauge_registrar.checks.entry import rendered_page
from medgauge_registrar.checks.framework import FolderCheck, PathCheck, Problem, folder_check, path_check
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.tree import FILE_MODES, GITLINK_MODE, SYMLINK_MODE, Entry
from medgauge_registrar.registry.layout import Place, fold

_MODE_NAMES = {SYMLINK_MODE: "a symbolic link", GITLINK_MODE: "a submodule"}
# Kinds that may hold files of any mode, since two maintainers look at what is no plain file there.
_ANY_MODE = frozenset({Kind.OTHER, Kind.INFRA, Kind.SCHEMA})


@path_check("DEC-19", section="16, 22")
def unclassified_path(place: Place, _: Entry) -> Iterator[Problem]:
    """
    Every path under the registry folder belongs to a known kind.

    A file that no kind claims has no schema, no row and no approver, so it could carry anything. Move it to the place its
    kind has in the layout, or out of the registry folder.

    Passes: registry/standards/std-example.yaml
    Fails: registry/standards/notes.txt
    """
    if place.kind is Kind.UNCLASSIFIED:
        yield Problem(
            message=f"`{place.path}` matches no kind of record",
            help="Move it to the path its kind has in the layout (docs/layout.md), or out of the registry folder.",
        )


@folder_check("ID-10", section="2")
def folding_twins(folder: str, names: Iterable[str], is_new: Callable[[str], bool]) -> Iterator[Problem]:
    """
    No two names in a folder are the same once letter case and Unicode composition are folded.

    A checkout on a file system that folds case would keep only one of them. Rename one.

    Passes: gr-alpha and gr-beta
    Fails: gr-alpha and GR-alpha
    """
    every = list(names)
    # Most folders hold plain names without twins, and some very many of them.
    joined = "".join(every)
    if joined.isascii() and (joined == joined.lower() or len(set(map(str.lower, every))) == len(every)):
        return
    paths = {name: f"{folder}/{name}" if folder else name for name in every}
    alike: dict[str, list[str]] = {}
    for name in sorted(every):
        alike.setdefault(fold(name), []).append(name)
    for twins in alike.values():
        # Who was there first keeps the name.
        first, *others = twins if len(twins) == 1 else sorted(twins, key=lambda name: is_new(paths[name]))
        for name in others:
            yield Problem(
                message=f"`{name}` and `{first}` are the same name on a file system that folds letter case",
                help=f"Give `{name}` another name.",
                path=paths[name],
            )


def irregular_file(place: Place, entry: Entry) -> Iterator[Problem]:
    """A governed path that is no plain file: a link or a submodule shows the checks something else than a reader sees."""
    if place.kind not in _ANY_MODE and entry.mode != "100644":
        what = _MODE_NAMES.get(entry.mode, f"a file of mode {entry.mode}")
        cure = " (`git update-index --chmod=-x PATH`)" if entry.mode in FILE_MODES else ""
        yield Problem(
            message=f"`{place.path}` is {what}, expected a regular file of mode 100644",
            help=f"Commit the content itself as a regular file{cure}.",
        )


PATH_CHECKS: tuple[PathCheck, ...] = (
    unclassified_path,  # DEC-19
    rendered_page,  # ENT-10
)
FOLDER_CHECKS: tuple[FolderCheck, ...] = (folding_twins,)  # ID-10
