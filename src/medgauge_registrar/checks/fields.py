"""Plain reads of fields whose shape the schema has settled; what is absent or null reads as empty."""

from collections.abc import Mapping

from medgauge_registrar.checks.framework import Context
from medgauge_registrar.model.document import Json


def mapping(value: Json) -> Mapping[str, Json]:
    """A mapping; empty for anything else."""
    return value if isinstance(value, dict) else {}


def texts(value: Json) -> tuple[str, ...]:
    """The texts of a list; empty for anything else."""
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def count(value: Json) -> int:
    """A whole number; 0 for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def total(value: Json) -> int:
    """Sum of the whole numbers in a mapping."""
    return sum(count(item) for item in mapping(value).values())


def step(name: str) -> str:
    """
    A field name as one step of a JSON Pointer.

    Source:
        RFC 6901, section 3.
    """
    return "/" + name.replace("~", "~0").replace("/", "~1")


def lies_ahead(value: Json, context: Context) -> bool:
    """Whether a day has begun nowhere on Earth; days are written `YYYY-MM-DD`, whose order is that of the calendar."""
    return isinstance(value, str) and value > context.latest_day.isoformat()
