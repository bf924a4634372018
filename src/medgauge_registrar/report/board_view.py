"""What a rendering of a board may show."""

from collections.abc import Mapping

from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.registry.derived import Derived
from medgauge_registrar.registry.derived_cells import Cells

# Columns of the order, for people; the figures with their intervals come in a table of their own.
MAIN_FIGURES = ("pass_pow_3", "task_pass_rate", "s", "pass_at_3", "instability")
FIGURE_NAMES: Mapping[str, str] = {
    "pass_pow_3": "PASS^3",
    "task_pass_rate": "P",
    "s": "S",
    "pass_at_3": "PASS@3",
    "instability": "instability",
}
LEFT_OUT: Mapping[str, str] = {
    "component-run": "its subject has a component, whose effect is read from a pair",
    "no-holdout-tasks": "it has no holdout task",
    "corrected": "a later record corrects it",
}
NOTE = (
    "Derived from the run rows of all results, without any voided task version; never stored. Two rows share a letter "
    "exactly if they do not differ after Holm's adjustment over all pairs. Rows stand by PASS^3; neighbours with the same "
    "letters by cost per success. A veto is marked and does not enter the order. The bound of a passed exam is on passing "
    "one task of this kind three times in a row, not on single runs or on practice at large."
)


@frozen
class BoardView:
    """
    One board.

    Attributes:
        title: Title of the benchmark.
        tree: Object id of the tree it was derived from.
        derived: Figures and order.
        table: All figures of the holdout subset as cells; rows without a position are not on the board.
        names: Subject of each result, in words.
    """

    title: str
    tree: str
    derived: Derived
    table: Cells
    names: Mapping[str, str]

    @property
    def rows(self) -> tuple[Mapping[str, str], ...]:
        """Cells of the rows on the board, from the top."""
        return self.table.rows[: len(self.derived.board.rows)]

    @property
    def heading(self) -> str:
        """What the board is of."""
        board = self.derived.board
        tasks = "1 task" if board.n_tasks == 1 else f"{board.n_tasks} tasks"
        return f"{self.title}, {self.derived.version}: holdout board, {tasks}"

    @property
    def remarks(self) -> tuple[str, ...]:
        """Voided task versions, and results that are not on the board with the reason."""
        voided = [f"{task} is voided ({side})" for task, side in sorted(self.derived.voided.items())]
        left_out = [f"{name} has no row: {LEFT_OUT[reason]}" for name, reason in self.derived.board.left_out]
        return (*voided, *left_out)
