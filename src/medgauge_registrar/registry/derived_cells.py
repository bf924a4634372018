"""
Derived figures as cells of a table: the columns of a board, and of the tables in a round report.

A column is named by the path of the figure in a result record with dots between its steps, below `subsets.<subset>` and
`dimensions`: `pass_pow_3.value`, `pass_pow_3.interval.lower`, `M3.cost_per_success.value`. Beside these stand `result`,
`position`, `letters` and `vetoed`, which no record holds.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from medgauge_registrar.model.document import Json
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.registry.derived import Derived, DerivedResult
from medgauge_registrar.registry.result_figures import NOT_APPLICABLE, Expected, Impossible, OneOf, result_figures
from medgauge_registrar.statistics.board import BoardRow
from medgauge_registrar.statistics.values import Subset

NONE = "none"
RESULT, POSITION, LETTERS, VETOED = "result", "position", "letters", "vetoed"
_ENDS = ("lower", "upper")


@frozen
class Cells:
    """
    A table of one subset.

    Attributes:
        columns: Names of the columns, `result` first.
        rows: Cells by column, in the order of the board where the subset is the holdout, otherwise by id.
    """

    columns: tuple[str, ...]
    rows: tuple[Mapping[str, str], ...]

    def row(self, result: str) -> Mapping[str, str] | None:
        """The row of a result."""
        return next((row for row in self.rows if row[RESULT] == result), None)


def cells(derived: Derived, subset: Subset) -> Cells:
    """All figures of one subset, a row a result; results without a task in it have none."""
    places = {row.id: row for row in derived.board.rows} if subset is Subset.HOLDOUT else {}
    results = [result for result in derived.results if result.subset(subset) is not None]
    results.sort(key=lambda result: (places[result.id].position if result.id in places else len(places) + 1, result.id))
    flat = [_flat(result, subset, places.get(result.id)) for result in results]
    names = list(dict.fromkeys(name for row in flat for name in row))
    # A word for a whole group gives way to the group's columns where another result has them.
    columns = [name for name in names if not any(other.startswith(f"{name}.") for other in names)]
    return Cells(columns=tuple(columns), rows=tuple({column: _cell(row, column) for column in columns} for row in flat))


def _flat(result: DerivedResult, subset: Subset, place: BoardRow | None) -> dict[str, str]:
    """Cells of one result."""
    record = result.record
    figures = result_figures(result.summary, result.rows, _units(record["dimensions"]))
    found = {RESULT: result.id}
    if subset is Subset.HOLDOUT:
        found[POSITION] = NONE if place is None else str(place.position)
        found[LETTERS] = NONE if place is None else " ".join(place.letters)
    own = _below(figures["subsets"], subset)
    vetoes = _below(own, "veto_rate_by_category")
    hit = any(_below(share, "count") for share in (vetoes.values() if isinstance(vetoes, dict) else ()))
    found[VETOED] = "yes" if hit else "no"
    found |= _flattened(own, _stored(record["subsets"], subset), "")
    for name, dimension in _items(figures["dimensions"]):
        stored = _stored(record["dimensions"], name)
        if isinstance(dimension, dict):
            found |= _flattened(_below(dimension, subset), _stored(stored, subset), name)
        else:
            found |= _flattened(dimension, stored, name)
    # The total is over all subsets and so has no place here; the cost per success is that of this one.
    amounts = record["amounts"]
    for name in ("currency", "price_table"):
        found[f"amounts.{name}"] = str(amounts.get(name)) if isinstance(amounts, dict) else NOT_APPLICABLE
    return found


def _flattened(value: Expected, stored: Json, name: str) -> dict[str, str]:
    """Figures below a name, each under its own path; both ends of an interval even where there is none."""
    if isinstance(value, dict) and value:
        found: dict[str, str] = {}
        for step, item in value.items():
            found |= _flattened(item, _stored(stored, step), f"{name}.{step}" if name else step)
        return found
    if name.endswith(".interval"):
        return {f"{name}.{end}": _word(value, stored) for end in _ENDS}
    return {name: _word(value, stored)} if name else {}


def _word(value: Expected, stored: Json) -> str:
    match value:
        case None:
            return NONE
        case Decimal():
            return f"{value:f}"
        case OneOf():
            # The rows cannot tell which word is true; the record says it.
            return stored if isinstance(stored, str) and stored in value.words else value.words[0]
        case Impossible() | dict():
            return NONE
        case _:
            return str(value)


def _cell(row: Mapping[str, str], column: str) -> str:
    """The cell of a column; where a result has one word for a whole group, that word."""
    name = column
    while name not in row and "." in name:
        name = name.rpartition(".")[0]
    return row.get(name, NONE)


def _below(value: Expected, name: str) -> Expected:
    return value.get(name) if isinstance(value, dict) else None


def _stored(value: Json, name: str) -> Json:
    return value.get(name) if isinstance(value, dict) else None


def _items(value: Expected) -> Iterator[tuple[str, Expected]]:
    yield from value.items() if isinstance(value, dict) else ()


def _units(dimensions: Json) -> dict[str, Json]:
    """Unit in which a record gives its cost per success, by subset."""
    return {
        subset.value: _stored(_stored(_stored(_stored(dimensions, "M3"), subset), "cost_per_success"), "unit")
        for subset in Subset
    }


def selected(columns: Sequence[str], *groups: str) -> tuple[str, ...]:
    """Columns of some groups, in the order of the groups."""
    return tuple(column for group in groups for column in columns if column == group or column.startswith(f"{group}."))
