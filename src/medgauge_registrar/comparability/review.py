"""When a review of the methodology is due (CHG-09)."""

from collections.abc import Iterator
from datetime import date

from medgauge_registrar.checks.fields import count, mapping
from medgauge_registrar.comparability.log import latest_day
from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.methodology_text import methodology_of
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.registry.references import select

_MONTHS_A_YEAR = 12


def review_reasons(registry: Registry, *, months: int, today: date) -> tuple[str, ...]:
    """
    Why a review of the methodology is due; empty while none is.

    Every review ends in a row of the change log, so the newest row tells when the last one was. A round counts once its report
    stands, by the newest of its results on versions with holdout tasks.

    Args:
        registry: The registry to look at.
        months: Most months between two reviews.
        today: The day to judge by.

    Raises:
        ReadError: A record could not be read.

    Source:
        Methodology, section 31.
    """
    last = latest_day(methodology_of(registry.tree, registry.layout).change_log)
    if last is None:
        return ("the change log has no row with a day, so no review is on record",)
    return tuple(_reasons(registry, last, months, today))


def months_later(day: date, months: int) -> date:
    """The same day some months later; the last of the month where that month is shorter."""
    years, month = divmod(day.month - 1 + months, _MONTHS_A_YEAR)
    for shorter in range(4):
        try:
            return date(day.year + years, month + 1, day.day - shorter)
        except ValueError:
            continue
    return date.max


def _reasons(registry: Registry, last: str, months: int, today: date) -> Iterator[str]:
    due = months_later(date.fromisoformat(last), months)
    if today >= due:
        yield f"the newest row of the change log is of `{last}`, and a review was due by `{due.isoformat()}`"
    for name, day in _reported_rounds(registry):
        if day > last:
            yield f"round `{name}` is reported with results up to `{day}`, and the newest row of the change log is of `{last}`"


def _reported_rounds(registry: Registry) -> Iterator[tuple[str, str]]:
    """Rounds with a report, each with the day of its newest result on a version with holdout tasks."""
    for path, _ in registry.tree.walk(registry.layout.folder(Kind.ROUND)):
        place = registry.layout.place(path)
        if place.kind is not Kind.ROUND or place.is_record:
            continue
        protocol = registry.valid_record(registry.path_of(Kind.ROUND, name=place.id or ""))
        days = [] if protocol is None else list(_result_days(protocol, place.id or "", registry))
        if days:
            yield place.id or "", max(days)


def _result_days(protocol: Record, name: str, registry: Registry) -> Iterator[str]:
    for _, planned in select(protocol.document.value, "benchmark_versions/*/benchmark_version"):
        family, _, number = str(planned).partition("@")
        version = registry.valid_record(registry.path_of(Kind.BM_VERSION, bm=family, version=number))
        if version is None or not count(mapping(version["subsets"]).get("holdout")):
            continue
        folder = registry.path_of(Kind.RES, bm=family, version=number, res="res").rpartition("/")[0]
        for path in registry.tree.mentions(folder, [name, "\\"]):
            result = registry.record(path)
            if result is not None and result["round"] == name and isinstance(result["date"], str):
                yield str(result["date"])
