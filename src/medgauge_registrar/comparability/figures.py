"""Whether published figures move: old results computed again with the algorithms before and after a change (NCN-20)."""

from collections.abc import Iterator

from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.registry.result_rows import read_pins, read_rows, voided_keys
from medgauge_registrar.statistics.algorithms import ALGORITHMS, Intervals, Pins, RowOrder
from medgauge_registrar.statistics.summary import ResultSummary, summarise
from medgauge_registrar.statistics.values import UnfitRowsError

# Rows of old results computed again in one decision; boards beyond them count as moved, since nobody has looked.
MOST_ROWS = 20_000
# Algorithms on which absolute figures rest; the others give letters and positions, which are relative (NCN-14).
INTERVALS, ROW_ORDER = "intervals", "row-order"


@frozen
class Moved:
    """
    Boards on which a figure moves.

    Attributes:
        boards: Benchmark versions, sorted.
        why: What moves them, in words; empty if none does.
    """

    boards: tuple[str, ...]
    why: str = ""


@frozen
class _Newest:
    """Newest published versions of the algorithms behind absolute figures, as pins; null for one that is not there."""

    intervals: str | None
    row_order: str | None


def moved_boards(base: Registry, head: Registry) -> Moved:
    """
    Compute every absolute figure of the results at the base twice, pins aside: with the algorithms of the base and of the head.

    A figure that cannot be computed with either counts as moved: what nobody can show is not shown.

    Raises:
        ReadError: A result could not be read.

    Source:
        Methodology, abstract and section 3.2 (G6).
    """
    before, after = _newest(base), _newest(head)
    if before == after:
        return Moved(boards=())
    unknown = [pin for pin in (after.intervals, after.row_order) if pin is not None and pin not in ALGORITHMS]
    boards = set[str]()
    rows = 0
    for record in _results(base):
        board = str(record["benchmark_version"])
        if board in boards:
            continue
        read = read_rows(record.fields)
        rows += len(read.rows)
        if rows > MOST_ROWS or unknown or not _same_figures(record, before, after, base):
            boards.add(board)
    named = ", ".join(f"`{pin}`" for pin in unknown)
    why = f"{named} cannot be computed here, so no figure is shown to stay" if unknown else "recomputed figures differ"
    return Moved(boards=tuple(sorted(boards)), why=why if boards else "")


def _newest(registry: Registry) -> _Newest:
    def pin(name: str) -> str | None:
        versions = registry.versions(Kind.ALG, name=name)
        return f"{name}@{versions[-1]}" if versions else None

    return _Newest(intervals=pin(INTERVALS), row_order=pin(ROW_ORDER))


def _results(registry: Registry) -> Iterator[Record]:
    for path, _ in registry.tree.walk(registry.layout.folder(Kind.RES)):
        record = registry.record(path) if registry.layout.place(path).kind is Kind.RES else None
        if record is not None:
            yield record


def _same_figures(record: Record, before: _Newest, after: _Newest, base: Registry) -> bool:
    old, new = (_summary(record, newest, base) for newest in (before, after))
    return old is not None and old == new


def _summary(record: Record, newest: _Newest, base: Registry) -> ResultSummary | None:
    """Every figure of a result under the newest algorithms; null if they cannot be computed."""
    name, _, version = str(record["benchmark_version"]).partition("@")
    frozen = base.valid_record(base.path_of(Kind.BM_VERSION, bm=name, version=version)) if version else None
    pinned = None if frozen is None else read_pins(frozen["algorithms"])
    intervals, order = ALGORITHMS.get(newest.intervals or ""), ALGORITHMS.get(newest.row_order or "")
    rows = read_rows(record.fields)
    if pinned is None or not rows.whole or not isinstance(intervals, Intervals) or not isinstance(order, RowOrder):
        return None
    pins = Pins(
        intervals=newest.intervals or "",
        paired_test=pinned.paired_test,
        letter_display=pinned.letter_display,
        seed=pinned.seed,
        quantile_rule=intervals.quantile_rule,
        resamples=intervals.resamples,
        row_order=newest.row_order or "",
    )
    try:
        return summarise(rows.rows, pins=pins, voided=frozenset(voided_keys(record.fields)))
    except UnfitRowsError:
        return None
