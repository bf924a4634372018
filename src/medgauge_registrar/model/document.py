"""A record as read: plain values, and where each of them stands in its file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeAlias

Json: TypeAlias = "bool | int | Decimal | str | list[Json] | dict[str, Json] | None"


@dataclass(frozen=True, kw_only=True, slots=True)
class Position:
    """A place in a text file; lines and columns count from 1."""

    line: int
    column: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """
    Why a file could not be read as a record.

    Attributes:
        message: What was found and what was expected.
        help: How to mend it.
        position: Where, when it can be told.
        pointer: JSON Pointer of the node, when it can be told.
    """

    message: str
    help: str
    position: Position | None = None
    pointer: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Document:
    """
    One parsed file.

    The value is built of `dict`, `list`, `str`, `int`, `Decimal`, `bool` and `None`; nobody changes it after reading.

    Attributes:
        value: The record; null when `faults` is not empty.
        faults: Why the file could not be read, in file order; all of them that one pass can see.
        locate: Maps every JSON Pointer of the record to its place, on demand (positions cost a second pass).
    """

    value: Json
    faults: tuple[Fault, ...] = ()
    locate: Callable[[], Mapping[str, Position]] = field(default=dict, repr=False)

    def position(self, pointer: str) -> Position | None:
        """Place of a node; of its nearest ancestor when the node itself is absent from the file."""
        places = self.locate()
        while pointer not in places:
            if not pointer:
                return None
            pointer = pointer.rpartition("/")[0]
        return places[pointer]
