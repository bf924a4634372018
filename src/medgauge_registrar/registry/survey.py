"""What both readers note down when they look at a file a second time: places, and all that is out of order."""

import re
from bisect import bisect_right
from collections.abc import Mapping
from typing import NoReturn

from medgauge_registrar.model.document import Fault, Position
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.registry.characters import named, shown, unfit_in_value
from medgauge_registrar.registry.limits import Limits


class DoubtError(Exception):
    """Something in a file is out of order; a survey of the file says what and where."""


class EndOfSurveyError(Exception):
    """Nothing behind this point can be judged; what was noted so far stands."""


@frozen
class Survey:
    """
    The slow second look at a file.

    Attributes:
        places: JSON Pointer to place: of a member's key, of an item's value, of the record's first character for "".
        faults: All that is out of order, in file order, as far as the syntax could be followed.
    """

    places: Mapping[str, Position]
    faults: tuple[Fault, ...]


class FaultLog:
    """Keeps the first faults and counts the others, so that a hostile file cannot fill a report."""

    def __init__(self, limit_count: int) -> None:
        self._limit_count = limit_count
        self._kept: list[Fault] = []
        self._left_out_count = 0

    @property
    def is_full(self) -> bool:
        """Whether further faults are only counted."""
        return len(self._kept) >= self._limit_count

    def add(self, message: str, remedy: str, position: Position | None = None, pointer: str | None = None) -> None:
        """Take one more fault; they come in file order."""
        if self.is_full:
            self.leave_out()
        else:
            self._kept.append(Fault(message=message, help=remedy, position=position, pointer=pointer))

    def leave_out(self) -> None:
        """Count one more fault without its message."""
        self._left_out_count += 1

    def faults(self) -> tuple[Fault, ...]:
        """Return what was kept and, at the end, how many were left out."""
        if not self._left_out_count:
            return tuple(self._kept)
        rest = Fault(
            message=f"{self._left_out_count:,} more faults are not listed",
            help="mend the ones above first; the next run lists the rest",
        )
        return (*self._kept, rest)


class SurveyLog(FaultLog):
    """Places and faults of one file; the judgements that do not depend on its syntax."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits.fault_count)
        self._limits = limits
        self._unfit = unfit_in_value(foreign_text=limits.foreign_text)
        self._places: dict[str, Position] = {}

    def survey(self) -> Survey:
        """Return all that was noted."""
        return Survey(places=self._places, faults=self.faults())

    def place(self, pointer: str, position: Position) -> None:
        """Note where a node stands; the first note counts, so that a member stands at its key."""
        self._places.setdefault(pointer, position)

    def text(self, value: str, position: Position, pointer: str) -> None:
        """Judge a key or text for length and for characters that came in by an escape."""
        if len(value) > self._limits.scalar_characters:
            self.add(
                f"the text {shown(value)} is too long; expected at most {self._limits.scalar_characters:,} characters",
                "shorten it, or keep it elsewhere and refer to it",
                position,
                pointer,
            )
            return
        unfit = self._unfit.search(value)
        if unfit:
            self.add(
                f"the text {shown(value)} holds the character {named(unfit[0])} by an escape; expected only characters "
                "that are seen",
                "remove the escape",
                position,
                pointer,
            )

    def repeated(self, key: str, first: Position, position: Position, pointer: str) -> None:
        """Note a key that its mapping has already."""
        self.add(
            f"the key {shown(key)} stands twice in one mapping: in line {first.line} (column {first.column}) and in "
            f"line {position.line} (column {position.column}); expected each key once",
            "remove one of them, or rename it",
            position,
            pointer,
        )

    def levels(self, depth: int, position: Position, pointer: str) -> None:
        """
        Judge how many lists and mappings stand around another one.

        Raises:
            EndOfSurveyError: One more would pass the limit.
        """
        if depth < self._limits.depth_levels:
            return
        self.add(
            f"a list or mapping stands inside {depth} others; expected at most {depth} levels in all",
            "flatten the record",
            position,
            pointer,
        )
        raise EndOfSurveyError

    def too_many(self, position: Position) -> NoReturn:
        """
        Note that the file has more nodes than it may.

        Raises:
            EndOfSurveyError: Always.
        """
        self.add(
            f"here begins more than {self._limits.node_count:,} keys, values and ends of lists and mappings; expected "
            "no more in one file",
            "split the record",
            position,
        )
        raise EndOfSurveyError


class Lines:
    """Turns offsets into a text into places."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def position(self, offset: int) -> Position:
        """Place of the character at an offset; columns count characters."""
        line = bisect_right(self._starts, offset)
        return Position(line=line, column=offset - self._starts[line - 1] + 1)


def member(pointer: str, key: str) -> str:
    """
    Extend a JSON Pointer by a key.

    Source:
        RFC 6901, section 3.
    """
    return f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"
