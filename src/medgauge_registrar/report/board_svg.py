"""A board as a picture: the interval of PASS^3 of each row, with its letters; no script, readable in light and dark."""

from collections.abc import Iterator
from html import escape

from medgauge_registrar.report.board_view import BoardView
from medgauge_registrar.report.escape import shorten, visible

_WIDTH, _ROW, _TOP, _BOTTOM = 950, 44, 78, 56
_LEFT, _RIGHT = 380, 810
_NAME_LIMIT, _ID_LIMIT = 46, 56
_TICKS = ("0", "0.25", "0.5", "0.75", "1")
# Colours are told apart by shape as well: a veto has a mark and a word. Contrast is above 4.5 on either ground.
_STYLE = (
    ".ground{fill:#ffffff}text{font:14px system-ui,sans-serif;fill:#1f2328}.title{font-size:17px;font-weight:600}"
    ".quiet{fill:#57606a;font-size:12px}.grid{stroke:#d0d7de}.interval{stroke:#0550ae;stroke-width:3}.value{fill:#0550ae}"
    ".letters{font-weight:600}.veto{fill:#b42318;font-size:12px}"
    "@media (prefers-color-scheme:dark){.ground{fill:#0d1117}text{fill:#e6edf3}.quiet{fill:#9aa4af}.grid{stroke:#30363d}"
    ".interval{stroke:#79b8ff}.value{fill:#79b8ff}.veto{fill:#ff9b8e}}"
)


def board_svg(view: BoardView) -> str:
    """The picture as a document of its own."""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{svg_element(view)}\n'


def svg_element(view: BoardView) -> str:
    """The picture as an element, to stand in a page."""
    return "\n".join(_parts(view))


def _parts(view: BoardView) -> Iterator[str]:
    height = _TOP + _ROW * max(len(view.rows), 1) + _BOTTOM
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        'role="img" aria-labelledby="board-title board-description">'
    )
    yield f'<title id="board-title">{_text(view.heading)}</title>'
    yield f'<desc id="board-description">{_text(_description(view))}</desc>'
    yield f"<style>{_STYLE}</style>"
    yield f'<rect class="ground" width="{_WIDTH}" height="{height}"/>'
    yield f'<text class="title" x="16" y="28">{_text(view.heading)}</text>'
    yield '<text class="quiet" x="16" y="48">PASS^3 with its 95 % interval; rows that share a letter do not differ</text>'
    yield f'<text class="quiet" x="{_RIGHT + 20}" y="{_TOP - 8}">letters</text>'
    end = _TOP + _ROW * max(len(view.rows), 1)
    for tick in _TICKS:
        x = _x(tick)
        yield f'<line class="grid" x1="{x}" y1="{_TOP}" x2="{x}" y2="{end}"/>'
        yield f'<text class="quiet" x="{x}" y="{end + 18}" text-anchor="middle">{tick}</text>'
    if not view.rows:
        yield f'<text x="16" y="{_TOP + 26}">No result has a row.</text>'
    for place, row in enumerate(view.rows):
        yield from _row(view, place, row["result"])
    yield f'<text class="quiet" x="16" y="{end + 42}">{_text(f"derived from tree {view.tree}")}</text>'
    yield "</svg>"


def _row(view: BoardView, place: int, result: str) -> Iterator[str]:
    row = view.rows[place]
    y = _TOP + _ROW * place + _ROW // 2
    lower, upper = row["pass_pow_3.interval.lower"], row["pass_pow_3.interval.upper"]
    name = shorten(visible(view.names[result]), _NAME_LIMIT)
    yield f'<text x="16" y="{y - 2}">{row["position"]}. {_text(name)}</text>'
    yield f'<text class="quiet" x="16" y="{y + 14}">{_text(shorten(visible(result), _ID_LIMIT))}</text>'
    yield f'<line class="interval" x1="{_x(lower)}" y1="{y}" x2="{_x(upper)}" y2="{y}"/>'
    for edge in (lower, upper):
        yield f'<line class="interval" x1="{_x(edge)}" y1="{y - 6}" x2="{_x(edge)}" y2="{y + 6}"/>'
    shown = f"{row['pass_pow_3.value']} ({lower} to {upper})"
    yield f'<circle class="value" cx="{_x(row["pass_pow_3.value"])}" cy="{y}" r="6"><title>{shown}</title></circle>'
    yield f'<text class="letters" x="{_RIGHT + 20}" y="{y + 5}">{_text(row["letters"])}</text>'
    if row["vetoed"] == "yes":
        yield f'<text class="veto" x="{_RIGHT + 90}" y="{y + 5}">▲ veto</text>'


def _x(share: str) -> str:
    """Place of a share on the axis, to a tenth of a unit."""
    return f"{_LEFT + (_RIGHT - _LEFT) * float(share):.1f}"


def _description(view: BoardView) -> str:
    """The picture in words, for those who do not see it."""
    rows = [
        f"{row['position']}: {view.names[row['result']]}, PASS^3 {row['pass_pow_3.value']}, letters {row['letters']}"
        + (", with a veto" if row["vetoed"] == "yes" else "")
        for row in view.rows
    ]
    return "; ".join(rows) or "No result has a row."


def _text(text: str) -> str:
    return escape(visible(text), quote=True)
