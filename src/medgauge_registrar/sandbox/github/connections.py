"""Lists in GraphQL: cursors, pages, and the bounds that GitHub sets them."""

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import Any

from medgauge_registrar.model.frozen import frozen

_LARGEST_PAGE = 100


class Rejected(Exception):  # noqa: N818 - an answer of the server, not a fault of it
    """An error of one field; `kind` is GitHub's type of it."""

    def __init__(self, kind: str, message: str) -> None:
        """Take type and message."""
        super().__init__(message)
        self.kind = kind


@frozen
class PageInfo:
    """Where a page lies in its list."""

    start_cursor: str | None
    end_cursor: str | None
    has_next_page: bool
    has_previous_page: bool


@frozen
class Edge:
    """An item and its place; `role` is what a member of a team has."""

    cursor: str
    node: Any
    role: str = "MEMBER"


@frozen
class Connection:
    """One page of a list."""

    nodes: list[Any]
    edges: list[Edge]
    page_info: PageInfo
    total_count: int

    @property
    def filtered_count(self) -> int:
        """Items that the filter lets through."""
        return self.total_count

    @property
    def viewer_has_reacted(self) -> bool:
        """Whether the viewer is among those who reacted; nobody asks."""
        return False


def connection(
    name: str,
    items: Sequence[Any],
    show: Callable[[Any], Any],
    *,
    first: int | None = None,
    last: int | None = None,
    after: str | None = None,
    before: str | None = None,
) -> Connection:
    """
    One page of `items`.

    Raises:
        Rejected: Neither `first` nor `last` is given, or more than 100 are asked for.

    Source:
        GitHub GraphQL API, "Node limit": `first` or `last` on every connection, from 1 to 100.
    """
    size = first if first is not None else last
    if size is None:
        raise Rejected(
            "MISSING_PAGINATION_BOUNDARIES",
            f"You must provide a `first` or `last` value to properly paginate the `{name}` connection.",
        )
    if not 0 <= size <= _LARGEST_PAGE:
        bound = "first" if first is not None else "last"
        raise Rejected(
            "EXCESSIVE_PAGINATION",
            f"Requesting {size} records on the `{name}` connection exceeds the `{bound}` limit of {_LARGEST_PAGE} records.",
        )
    start = 0 if after is None else _place(after)
    end = len(items) if before is None else _place(before) - 1
    if first is not None:
        end = min(end, start + first)
    else:
        start = max(start, end - size)
    edges = [Edge(cursor=_cursor(place + 1), node=show(items[place])) for place in range(start, end)]
    return Connection(
        nodes=[edge.node for edge in edges],
        edges=edges,
        page_info=PageInfo(
            start_cursor=edges[0].cursor if edges else None,
            end_cursor=edges[-1].cursor if edges else None,
            has_next_page=end < len(items),
            has_previous_page=start > 0,
        ),
        total_count=len(items),
    )


def _cursor(place: int) -> str:
    return base64.b64encode(f"cursor:v2:{place}".encode()).decode("ascii")


def _place(cursor: str) -> int:
    try:
        return int(base64.b64decode(cursor, validate=True).decode().rpartition(":")[2])
    except (binascii.Error, UnicodeDecodeError, ValueError):
        raise Rejected("INVALID_CURSOR_ARGUMENTS", f"`{cursor}` does not appear to be a valid cursor.") from None
