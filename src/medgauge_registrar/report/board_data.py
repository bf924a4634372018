"""A board for programs: JSON with every pair, CSV with every figure."""

import csv
import io
from decimal import Decimal

from medgauge_registrar.model.document import Json
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.registry.derived_cells import LETTERS, NONE, VETOED
from medgauge_registrar.registry.record_json import record_json
from medgauge_registrar.report.board_view import BoardView
from medgauge_registrar.statistics.algorithms import PairedTest, algorithm
from medgauge_registrar.statistics.exact import rounded

_NUMBER = lazy_pattern(r"-?[0-9]+(?:\.[0-9]+)?")
# Spreadsheets take a cell that begins so for a formula.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def board_json(view: BoardView) -> str:
    """The board as JSON; figures are numbers with the digits that the pinned algorithms fix, or words."""
    derived, digits = view.derived, algorithm(view.derived.pins.paired_test, PairedTest).digits
    pins = derived.pins
    rows: list[Json] = [
        {"subject": view.names[row["result"]], **{name: _value(name, cell) for name, cell in row.items()}}
        for row in view.rows
    ]
    pairs: list[Json] = [
        {
            "first": derived.board.compared[pair.first],
            "second": derived.board.compared[pair.second],
            "first_only": pair.first_only,
            "second_only": pair.second_only,
            "p": rounded(pair.p, digits),
            "adjusted": rounded(pair.adjusted, digits),
            "different": pair.different,
        }
        for pair in derived.board.pairs
    ]
    left_out: list[Json] = [{"result": name, "reason": reason} for name, reason in derived.board.left_out]
    voided: list[Json] = [{"task_key": task, "attribution": side} for task, side in sorted(derived.voided.items())]
    return record_json(
        {
            "benchmark_version": derived.version,
            "tree": view.tree,
            "n_tasks": derived.board.n_tasks,
            "algorithms": {
                "intervals": pins.intervals,
                "paired_test": pins.paired_test,
                "letter_display": pins.letter_display,
                "row_order": pins.row_order,
                "seed": pins.seed,
                "quantile_rule": pins.quantile_rule,
                "resamples": pins.resamples,
            },
            "voided": voided,
            "rows": rows,
            "pairs": pairs,
            "left_out": left_out,
        }
    )


def board_csv(view: BoardView) -> str:
    """The rows of the board, every figure a column."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["subject", *view.table.columns])
    for row in view.rows:
        writer.writerow([_cell(view.names[row["result"]]), *(_cell(row[column]) for column in view.table.columns)])
    return out.getvalue()


def _value(name: str, cell: str) -> Json:
    """A cell as JSON has it: letters as a list, numbers as numbers."""
    if name == LETTERS:
        return list(cell.split())
    if name == VETOED:
        return cell == "yes"
    if cell == NONE:
        return None
    return (Decimal(cell) if "." in cell else int(cell)) if _NUMBER.fullmatch(cell) else cell


def _cell(text: str) -> str:
    negative_number = text[:1] == "-" and text[1:2].isdigit()
    return f"'{text}" if text.startswith(_FORMULA_STARTS) and not negative_number else text
