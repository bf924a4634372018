"""`registrar board`: the holdout board of one benchmark version, derived from all its results at one commit."""

from collections.abc import Callable, Mapping
from pathlib import Path

from medgauge_registrar.checks.results import applied_vetoes
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.errors import PolicyError, ReadError
from medgauge_registrar.opened import registry_at
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.registry.derived import UnderivableError, derive
from medgauge_registrar.registry.derived_cells import cells
from medgauge_registrar.registry.layout import VERSION
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.registry.result_figures import CATEGORIES
from medgauge_registrar.report.board_data import board_csv, board_json
from medgauge_registrar.report.board_html import board_html
from medgauge_registrar.report.board_svg import board_svg
from medgauge_registrar.report.board_text import board_text
from medgauge_registrar.report.board_view import BoardView
from medgauge_registrar.statistics.values import Subset

_REFERENCE = lazy_pattern(rf"bm-[a-z0-9]+(?:-[a-z0-9]+)*@{VERSION}")
_FORMATS: Mapping[str, Callable[[BoardView], str]] = {
    "text": board_text,
    "json": board_json,
    "csv": board_csv,
    "html": board_html,
    "svg": board_svg,
}


def show_board(repository: Path, revision: str | None, version: str, form: str) -> str:
    """
    Write the board of a benchmark version.

    Args:
        repository: Folder of the repository.
        revision: Commit to read; null: the work tree.
        version: `bm-…@x.y.z`.
        form: `text`, `json`, `csv`, `html` or `svg`.

    Raises:
        PolicyError: The version is written wrongly.
        ReadError: The repository cannot be read, or a record that the board needs cannot be used.
    """
    if not _REFERENCE.fullmatch(version):
        raise PolicyError(f"`{version}` is no benchmark version; expected one such as bm-example@0.1.0")
    with registry_at(repository, revision) as registry:
        return _FORMATS[form](board_view(registry, version))


def board_view(registry: Registry, version: str) -> BoardView:
    """
    Gather what a board shows.

    Raises:
        ReadError: A record that the board needs cannot be used.
    """
    card = registry.valid_record(registry.path_of(Kind.BM_CARD, bm=version.partition("@")[0]))
    if card is None:
        raise ReadError(f"the card of `{version}` is not there or breaks its schema; run `registrar check`")
    applied = applied_vetoes(card)
    try:
        derived = derive(registry, version, tuple(name for name in CATEGORIES if name in applied))
    except UnderivableError as error:
        raise ReadError(f"{error}; run `registrar check`") from None
    return BoardView(
        title=str(card["title"]),
        tree=registry.tree.oid,
        derived=derived,
        table=cells(derived, Subset.HOLDOUT),
        names={result.id: f"{result.record['model']} · {result.record['harness']}" for result in derived.results},
    )
