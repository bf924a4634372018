"""What came of deciding a recorded decision anew."""

from collections.abc import Mapping
from typing import Any

from medgauge_registrar.model.frozen import frozen


@frozen
class Difference:
    """
    One place where a record and its recomputation differ.

    Attributes:
        pointer: JSON Pointer; empty for the whole value.
        recorded: What the record says, shown; null: nothing.
        found: What was recomputed, shown; null: nothing.
    """

    pointer: str
    recorded: str | None
    found: str | None


@frozen
class Replayed:
    """
    What came of it.

    Attributes:
        recorded: The decision of the record.
        differences: Places that differ; empty if the bytes are the same.
        spelling: Whether only the spelling differs, the values being equal.
    """

    recorded: Mapping[str, Any]
    differences: tuple[Difference, ...]
    spelling: bool = False

    @property
    def same(self) -> bool:
        """Whether the record and its recomputation are equal, byte for byte."""
        return not self.differences and not self.spelling
