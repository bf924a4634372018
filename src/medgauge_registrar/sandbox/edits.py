"""Small edits of a registry in memory, of which a demonstration pull request is made."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(kw_only=True, slots=True)
class Workspace:
    """Files under construction: contents and unusual modes by path."""

    files: dict[str, bytes]
    modes: dict[str, str] = field(default_factory=dict)


Edit: TypeAlias = Callable[[Workspace], None]


def put(path: str, text: str) -> Edit:
    """Write a file."""

    def edit(workspace: Workspace) -> None:
        workspace.files[path] = text.encode()

    return edit


def swap(path: str, old: str, new: str) -> Edit:
    """Replace the first occurrence of a text; it must occur, so that a case never drifts from the starter registry."""

    def edit(workspace: Workspace) -> None:
        text = workspace.files[path].decode()
        if old not in text:
            raise ValueError(f"{path} does not contain {old!r}")
        workspace.files[path] = text.replace(old, new, 1).encode()

    return edit


def append(path: str, text: str) -> Edit:
    """Add text at the end of a file."""

    def edit(workspace: Workspace) -> None:
        workspace.files[path] += text.encode()

    return edit


def copy(path: str, to: str, *changes: tuple[str, str]) -> Edit:
    """Write a file like another one, with some texts replaced everywhere in it."""

    def edit(workspace: Workspace) -> None:
        text = workspace.files[path].decode()
        for old, new in changes:
            if old not in text:
                raise ValueError(f"{path} does not contain {old!r}")
            text = text.replace(old, new)
        workspace.files[to] = text.encode()

    return edit


def drop(path: str) -> Edit:
    """Delete a file."""

    def edit(workspace: Workspace) -> None:
        del workspace.files[path]

    return edit


def move(path: str, to: str) -> Edit:
    """Rename a file."""

    def edit(workspace: Workspace) -> None:
        workspace.files[to] = workspace.files.pop(path)

    return edit


def mode(path: str, octal: str) -> Edit:
    """Give a file another mode."""

    def edit(workspace: Workspace) -> None:
        workspace.modes[path] = octal

    return edit


def without_block(path: str, key: str) -> Edit:
    """Take a top-level field and everything indented below it out of a YAML file."""

    def edit(workspace: Workspace) -> None:
        kept, inside = [], False
        for line in workspace.files[path].decode().splitlines(keepends=True):
            inside = line.startswith(f"{key}:") or (inside and line.startswith((" ", "-")))
            if not inside:
                kept.append(line)
        workspace.files[path] = "".join(kept).encode()

    return edit
