"""A board for a terminal: plain columns."""

from collections.abc import Iterator, Mapping, Sequence

from medgauge_registrar.registry.derived_cells import NONE, selected
from medgauge_registrar.report.board_view import FIGURE_NAMES, NOTE, BoardView
from medgauge_registrar.report.escape import terminal

_WIDTH = 100


def board_text(view: BoardView) -> str:
    """The board in three tables: order, figures with intervals, vetoes and errors."""
    return "".join(f"{terminal(line)}\n" for line in _lines(view))


def order_table(view: BoardView) -> tuple[list[str], list[list[str]]]:
    """Headings and rows of the order, as every rendering for people has them."""
    headings = ["#", "letters", "result", "subject", "exam", "bound", "PASS^3", "95 % interval", "cost", "veto"]
    rows = [
        [
            row["position"],
            row["letters"],
            row["result"],
            view.names[row["result"]],
            row["exam"].replace("-", " "),
            dash(row["claimable_lower_bound"]),
            row["pass_pow_3.value"],
            interval(row, "pass_pow_3"),
            cost(row),
            "veto" if row["vetoed"] == "yes" else "",
        ]
        for row in view.rows
    ]
    return headings, rows


def figure_table(view: BoardView) -> tuple[list[str], list[list[str]]]:
    """Headings and rows of the figures that every result has, each with its interval."""
    headings = ["#", "result", *(heading for name in FIGURE_NAMES.values() for heading in (name, "95 % interval"))]
    rows = [
        [
            row["position"],
            row["result"],
            *(cell for name in FIGURE_NAMES for cell in (row[f"{name}.value"], interval(row, name))),
        ]
        for row in view.rows
    ]
    return headings, rows


def rate_table(view: BoardView, group: str) -> tuple[list[str], list[list[str]]]:
    """Headings and rows of counts and rates over runs, a column for each category or attribution; nothing is added up."""
    counts = [column for column in selected(view.table.columns, group) if column.endswith(".count")]
    headings = ["#", "result", *(column.removeprefix(f"{group}.").removesuffix(".count") for column in counts)]
    rows = [
        [
            row["position"],
            row["result"],
            *(f"{row[column]} ({row[column.removesuffix('count') + 'rate']})" for column in counts),
        ]
        for row in view.rows
    ]
    return headings, rows


def interval(row: Mapping[str, str], name: str) -> str:
    """Both ends of an interval in one cell."""
    lower, upper = row[f"{name}.interval.lower"], row[f"{name}.interval.upper"]
    return lower.replace("-", " ") if lower == upper == "not-computable" else f"{lower} to {upper}"


def cost(row: Mapping[str, str]) -> str:
    """Cost per success with what it is counted in."""
    value, unit = row.get("M3.cost_per_success.value", NONE), row.get("M3.cost_per_success.unit", NONE)
    unit = row.get("amounts.currency", unit) if unit == "money" else unit
    return dash(value) if value == NONE else f"{value.replace('-', ' ')} {unit}"


def dash(cell: str) -> str:
    """A cell in which there is nothing, for people."""
    return "–" if cell == NONE else cell


def _lines(view: BoardView) -> Iterator[str]:
    yield view.heading
    yield f"from tree {view.tree}"
    if not view.rows:
        yield from ("", "No result has a row.")
    else:
        for title, (headings, rows) in (
            ("Order", order_table(view)),
            ("Figures", figure_table(view)),
            ("Runs with a veto, by category: count (rate)", rate_table(view, "veto_rate_by_category")),
            ("Runs with an error, by attribution: count (rate)", rate_table(view, "errors_by_attribution")),
        ):
            yield from ("", title, *_columns([headings, *rows]))
    if view.remarks:
        yield from ("", *view.remarks)
    yield from ("", *_wrapped(NOTE))


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _wrapped(text: str) -> Iterator[str]:
    line = ""
    for word in text.split():
        if line and len(line) + len(word) + 1 > _WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}".strip()
    yield line
