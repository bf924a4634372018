"""What `registrar replay` prints."""

from collections.abc import Iterator

from medgauge_registrar import __version__
from medgauge_registrar.model.replayed import Replayed
from medgauge_registrar.report.escape import shorten, terminal

MAX_PLACES = 50
_MAX_VALUE = 200


def render_replay(replayed: Replayed) -> str:
    """One line if the record holds; else every place that differs, with what could have made it differ."""
    return "".join(f"{terminal(line)}\n" for line in _lines(replayed))


def _lines(replayed: Replayed) -> Iterator[str]:
    recorded = replayed.recorded
    what = f"pull request #{recorded['pull']}, {recorded['state']}, decided at {recorded['decided_at']}"
    if replayed.same:
        yield f"same: {what}"
        return
    yield f"differs: {what}"
    if replayed.spelling:
        yield "  the values are the same and the bytes are not: the file was written by something else"
    for place in replayed.differences[:MAX_PLACES]:
        recorded_value, found = (shorten(value or "nothing", _MAX_VALUE) for value in (place.recorded, place.found))
        yield f"  {place.pointer or '/'}: recorded {recorded_value}, recomputed {found}"
    if len(replayed.differences) > MAX_PLACES:
        yield f"  and {len(replayed.differences) - MAX_PLACES} more places"
    if recorded["registrar_version"] != __version__:
        yield f"  registrar {recorded['registrar_version']} decided, this is {__version__}: replay with that version"
    for name in ("roster", "ledger"):
        if recorded["digests"][name] is None:
            yield f"  the record keeps no digest of a {name}: if one was used, it cannot be given again"
