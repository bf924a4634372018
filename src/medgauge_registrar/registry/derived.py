"""What is derived from all results of one benchmark version and never stored: its figures after every void, and its board."""

from collections.abc import Iterator, Mapping

from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.registry.result_rows import listed_voids, read_pins, read_rows
from medgauge_registrar.statistics.algorithms import Pins, UnknownAlgorithmError
from medgauge_registrar.statistics.board import Board, BoardResult, board
from medgauge_registrar.statistics.summary import ResultSummary, SubsetSummary, summarise
from medgauge_registrar.statistics.values import RunRow, Subset

CORRECTED = "corrected"


class UnderivableError(Exception):
    """Nothing can be derived, and why; what has to be mended first is named."""


@frozen
class DerivedResult:
    """
    One result with its figures after every void to date.

    Attributes:
        record: The record as it is stored.
        rows: Its run rows.
        summary: Figures without any voided task version; the record's own may still count some.
    """

    record: Record
    rows: tuple[RunRow, ...]
    summary: ResultSummary

    @property
    def id(self) -> str:
        """Identifier of the result."""
        return self.record.place.id or ""

    @property
    def components(self) -> tuple[str, ...]:
        """Components of its subject; a subject with any has no row on the board."""
        listed = self.record["components"]
        return tuple(str(name) for name in listed) if isinstance(listed, list) else ()

    @property
    def price_table(self) -> str | None:
        """Price table behind its amounts; null where amounts do not apply."""
        return _price_table(self.record["amounts"])

    def subset(self, name: Subset) -> SubsetSummary | None:
        """Figures of a subset; null if no task of it is left."""
        return next((subset for subset in self.summary.subsets if subset.subset is name and subset.n_tasks), None)


@frozen
class Derived:
    """
    Everything that follows from the results of one benchmark version.

    Attributes:
        version: `bm-…@x.y.z`.
        pins: What it pins.
        voided: Task versions voided to date, with their attribution.
        results: Its results, by id; one that a later record corrects is not among them.
        board: The holdout board.
    """

    version: str
    pins: Pins
    voided: Mapping[str, str]
    results: tuple[DerivedResult, ...]
    board: Board

    def result(self, identifier: str) -> DerivedResult | None:
        """A result by its id."""
        return next((result for result in self.results if result.id == identifier), None)


def derive(registry: Registry, version: str, veto_categories: tuple[str, ...] = ()) -> Derived:
    """
    Derive the figures and the board of a benchmark version.

    Args:
        registry: The registry to read.
        version: `bm-…@x.y.z`.
        veto_categories: Categories that its card applies; they are told even when nothing hit them.

    Raises:
        UnderivableError: The version is not there or not frozen, or a result or the voided list cannot be used.

    Source:
        Sections 5.4, 8.4 and 14.1; a board leaves out every task version that is voided, whenever its results were made.
    """
    identifier, _, number = version.partition("@")
    path = registry.path_of(Kind.BM_VERSION, bm=identifier, version=number)
    record = registry.valid_record(path)
    if record is None:
        raise UnderivableError(f"there is no valid benchmark version `{version}` at `{path}`")
    pins = read_pins(record["algorithms"])
    if record["frozen"] is not True or pins is None:
        raise UnderivableError(f"`{version}` is not frozen, so it has no results and no board")
    voids = _voids(registry, identifier, number)
    results, left_out = [], []
    records = list(_records(registry, identifier, number))
    corrected = {result["corrects"] for result in records}
    try:
        for result in records:
            if result.place.id in corrected:
                left_out.append((result.place.id or "", CORRECTED))
                continue
            read = read_rows(result.fields)
            summary = summarise(read.rows, pins=pins, voided=frozenset(voids), veto_categories=veto_categories)
            results.append(DerivedResult(record=result, rows=read.rows, summary=summary))
        made = board(
            [
                BoardResult(
                    id=result.id,
                    rows=result.rows,
                    price_table=result.price_table,
                    component_run=bool(result.components),
                )
                for result in results
            ],
            pins=pins,
            voided=frozenset(voids),
        )
    except UnknownAlgorithmError as error:
        raise UnderivableError(f"`{version}`: {error}") from None
    except ValueError as error:
        raise UnderivableError(f"results of `{version}` cannot be used: {error}") from None
    return Derived(
        version=version,
        pins=pins,
        voided=voids,
        results=tuple(results),
        board=Board(
            n_tasks=made.n_tasks,
            rows=made.rows,
            pairs=made.pairs,
            compared=made.compared,
            left_out=tuple(sorted([*made.left_out, *left_out])),
        ),
    )


def _records(registry: Registry, identifier: str, number: str) -> Iterator[Record]:
    folder = registry.path_of(Kind.RES, bm=identifier, version=number, res="res").rpartition("/")[0]
    for name, _ in registry.names(folder):
        path = f"{folder}/{name}"
        if registry.layout.place(path).kind is Kind.RES:
            record = registry.valid_record(path)
            if record is None:
                raise UnderivableError(f"`{path}` cannot be read or breaks its schema")
            yield record


def _voids(registry: Registry, identifier: str, number: str) -> dict[str, str]:
    path = registry.path_of(Kind.VOID, bm=identifier, version=number)
    listed = registry.valid_record(path)
    if listed is None and registry.tree.entry(path) is not None:
        raise UnderivableError(f"`{path}` cannot be read or breaks its schema")
    return {} if listed is None else listed_voids(listed.fields)


def _price_table(amounts: Json) -> str | None:
    stated = amounts.get("price_table") if isinstance(amounts, dict) else None
    return stated if isinstance(stated, str) else None
