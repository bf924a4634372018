"""What a pull request adds to the change log of the methodology (CHG-02, CHG-11)."""

from collections.abc import Sequence

from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.registry.methodology_text import LogRow, MethodologyText


@frozen
class LogGrowth:
    """
    Rows of a change log before and after a change.

    Attributes:
        former: Rows that were there, as they stand now.
        added: Rows that came before or after them.
    """

    former: tuple[LogRow, ...]
    added: tuple[LogRow, ...]


def log_growth(before: MethodologyText, after: MethodologyText) -> LogGrowth | None:
    """The rows that came, wherever the newest stand; null if the rows that were there are not all there any more (IMM-11)."""
    old, new = ([row.cells for row in text.change_log] for text in (before, after))
    rows = after.change_log
    if old == new[: len(old)]:
        return LogGrowth(former=rows[: len(old)], added=rows[len(old) :])
    if old == new[len(new) - len(old) :] and len(new) >= len(old):
        return LogGrowth(former=rows[len(new) - len(old) :], added=rows[: len(new) - len(old)])
    return None


def has_description(row: LogRow) -> bool:
    """Whether a row says something besides its version and its day."""
    return len([cell for cell in row.cells if cell.strip(" *_`-–—")]) > len([row.version, row.date])


def latest_day(rows: Sequence[LogRow]) -> str | None:
    """The latest day of some rows; null if none has one."""
    return max((row.date for row in rows if row.date is not None), default=None)
