"""Two values side by side: where they differ, by JSON Pointer."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from medgauge_registrar.model.replayed import Difference

_NOTHING = object()


def differences(recorded: Any, found: Any, pointer: str = "") -> Iterator[Difference]:
    """
    The innermost places where two JSON values differ, in the order of the record.

    Source:
        RFC 6901 (JSON Pointer).
    """
    if isinstance(recorded, Mapping) and isinstance(found, Mapping):
        for key in [*recorded, *(key for key in found if key not in recorded)]:
            step = str(key).replace("~", "~0").replace("/", "~1")
            yield from differences(recorded.get(key, _NOTHING), found.get(key, _NOTHING), f"{pointer}/{step}")
    elif isinstance(recorded, list) and isinstance(found, list):
        for index in range(max(len(recorded), len(found))):
            first, second = (values[index] if index < len(values) else _NOTHING for values in (recorded, found))
            yield from differences(first, second, f"{pointer}/{index}")
    elif recorded != found or isinstance(recorded, bool) != isinstance(found, bool):
        yield Difference(pointer=pointer, recorded=_shown(recorded), found=_shown(found))


def _shown(value: Any) -> str | None:
    if value is _NOTHING:
        return None
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return f"`{value}`" if isinstance(value, str) else json.dumps(value, default=str)
