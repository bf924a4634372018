"""A board as a page: picture and tables, no script, nothing from elsewhere, readable in light and dark."""

from collections.abc import Iterator, Sequence
from html import escape

from medgauge_registrar.report.board_svg import svg_element
from medgauge_registrar.report.board_text import figure_table, order_table, rate_table
from medgauge_registrar.report.board_view import NOTE, BoardView
from medgauge_registrar.report.escape import visible

_STYLE = (
    ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem}"
    "figure{margin:1rem 0}svg{max-width:100%;height:auto}.wide{overflow-x:auto}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}caption{text-align:left;font-weight:600;padding:.5rem 0}"
    "th,td{padding:.3rem .7rem;text-align:left;white-space:nowrap;"
    "border-bottom:1px solid color-mix(in srgb,currentColor 25%,transparent)}"
)


def board_html(view: BoardView) -> str:
    """The page as a whole document."""
    return "\n".join(_lines(view)) + "\n"


def _lines(view: BoardView) -> Iterator[str]:
    heading = _text(view.heading)
    yield "<!DOCTYPE html>"
    yield '<html lang="en">'
    yield '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    yield f"<title>{heading}</title><style>{_STYLE}</style></head>"
    yield f"<body><h1>{heading}</h1>"
    yield f"<figure>{svg_element(view)}</figure>"
    if view.rows:
        for title, (headings, rows) in (
            ("Order", order_table(view)),
            ("Figures", figure_table(view)),
            ("Runs with a veto, by category: count (rate)", rate_table(view, "veto_rate_by_category")),
            ("Runs with an error, by attribution: count (rate)", rate_table(view, "errors_by_attribution")),
        ):
            yield from _table(title, headings, rows)
    if view.remarks:
        yield "<ul>" + "".join(f"<li>{_text(remark)}</li>" for remark in view.remarks) + "</ul>"
    yield f"<p>{_text(NOTE)}</p>"
    yield "</body></html>"


def _table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f'<div class="wide"><table><caption>{_text(title)}</caption>'
    yield "<thead><tr>" + "".join(f'<th scope="col">{_text(heading)}</th>' for heading in headings) + "</tr></thead>"
    yield "<tbody>"
    for row in rows:
        yield "<tr>" + "".join(f"<td>{_text(cell)}</td>" for cell in row) + "</tr>"
    yield "</tbody></table></div>"


def _text(text: str) -> str:
    return escape(visible(text), quote=True)
