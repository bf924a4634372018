"""The table of algorithms, and what importing it costs."""

import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from medgauge_registrar.statistics import algorithms
from medgauge_registrar.statistics.algorithms import (
    ALGORITHMS,
    DifficultyFunction,
    Intervals,
    LetterDisplay,
    PairedTest,
    Pins,
    RowOrder,
    UnknownAlgorithmError,
    algorithm,
    pinned_intervals,
)
from medgauge_registrar.statistics.bca_0_1_0 import RESAMPLES
from medgauge_registrar.statistics.difficulty_function_0_1_0 import Components

PACKAGE = Path(algorithms.__file__).parent
PAGES = Path(__file__).parents[2] / "docs" / "algorithms"


def test_every_version_has_its_page() -> None:
    """A pin leads to a page, and no page is without an algorithm."""
    assert sorted(pin.replace("@", "-") for pin in ALGORITHMS) == sorted(page.stem for page in PAGES.glob("*.md"))


def test_what_the_first_versions_fix() -> None:
    """Parameters that a benchmark version has to state, or that a page promises."""
    intervals = algorithm("intervals@0.1.0", Intervals)
    assert (intervals.digits, intervals.quantile_rule, intervals.resamples) == (6, "hyndman-fan-1", 10_000)
    assert intervals.resamples == RESAMPLES
    assert algorithm("paired-test@0.1.0", PairedTest).alpha == Fraction(1, 20)
    assert algorithm("paired-test@0.1.0", PairedTest).digits == 6
    assert algorithm("row-order@0.1.0", RowOrder).cost_digits == 6
    assert algorithm("letter-display@0.1.0", LetterDisplay).letters(1, []) == (("a",),)
    function = algorithm("difficulty-function@0.1.0", DifficultyFunction)
    hardest = Components(breadth=13, crossing=3, gaps=3, planted_content=True, regional_split=True, controls=True)
    assert function.classify(hardest).difficulty_class == function.classes[-1][0] == 4
    assert sum(function.yes_points.values()) + sum(bands[-1][2] for bands in function.count_bands.values()) == 9
    assert function.holdout_entry_class == 2


@pytest.mark.parametrize("pin", ["intervals@0.1.1", "intervals", "Intervals@0.1.0", "", "row-order@0.1.0"])
def test_an_unknown_pin_lists_what_there_is(pin: str) -> None:
    """Also a pin of another kind."""
    with pytest.raises(UnknownAlgorithmError, match=r"published are `intervals@0\.1\.0`"):
        algorithm(pin, Intervals)


def test_all_that_there_is_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every version of the kind asked for, and nothing of another kind."""
    monkeypatch.setitem(ALGORITHMS, "intervals@0.1.1", ALGORITHMS["intervals@0.1.0"])
    with pytest.raises(UnknownAlgorithmError, match=r"published are `intervals@0\.1\.0`, `intervals@0\.1\.1`$"):
        algorithm("intervals@9.9.9", Intervals)


def test_pinned_intervals(pins: Pins) -> None:
    """Parameters that are the algorithm's own are accepted."""
    assert pinned_intervals(pins) is ALGORITHMS["intervals@0.1.0"]


def test_importing_loads_neither_numpy_nor_scipy_nor_other_rooms() -> None:
    """The package stands alone and is light to import."""
    modules = sorted(path.stem for path in PACKAGE.glob("*.py") if path.stem != "__init__")
    program = (
        "import importlib, sys\n"
        f"for name in {modules!r}:\n    importlib.import_module('medgauge_registrar.statistics.' + name)\n"
        "print(*sorted(m for m in sys.modules if m.split('.')[0] in ('numpy', 'scipy', 'medgauge_registrar')))"
    )
    loaded = subprocess.run(  # a fresh interpreter, since other tests have imported NumPy
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(PACKAGE.parents[1])},
    ).stdout.split()
    assert set(loaded) == {
        "medgauge_registrar",
        "medgauge_registrar.statistics",
        *(f"medgauge_registrar.statistics.{name}" for name in modules),
    }


def test_no_module_imports_another_room() -> None:
    """Read from the source, so that a lazy import shows too."""
    for path in PACKAGE.glob("*.py"):
        rooms = re.findall(r"(?:from|import) medgauge_registrar\.(\w+)", path.read_text("utf-8"))
        assert set(rooms) <= {"statistics"}, path.name
