"""`difficulty-function@0.1.0`: a task's class from its recorded components, never from results."""

from dataclasses import dataclass

CLASSES = ((1, 0, 2), (2, 3, 4), (3, 5, 6), (4, 7, 9))
"""Class, lowest and highest score (Appendix A.1)."""

COUNT_BANDS = {
    "breadth": ((1, 5, 0), (6, 12, 1), (13, None, 2)),
    "crossing": ((1, 1, 0), (2, 2, 1), (3, None, 2)),
    "gaps": ((0, 0, 0), (1, 2, 1), (3, None, 2)),
}
"""For each counted component its bands as lowest count, highest count (null: open) and points (Appendix A.1)."""

YES_POINTS = {"planted-content": 1, "regional-split": 1, "controls": 1}
"""Points of a yes, for each component that is a question (Appendix A.1)."""

HOLDOUT_ENTRY_CLASS = 2
"""Lowest class of a holdout task unless its family asks for more (Appendix A.1)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Components:
    """
    What is recorded of one task.

    Attributes:
        breadth: Checkpoints of the task; 1 or more.
        crossing: Materials that must be joined to decide at least one checkpoint; 1 or more.
        gaps: Information-gap logs that are required.
        planted_content: Whether the materials carry injected instructions or decoys.
        regional_split: Whether a checkpoint depends on a stated regional standard.
        controls: Whether there are controls without a defect or without an adjustment.
    """

    breadth: int
    crossing: int
    gaps: int
    planted_content: bool
    regional_split: bool
    controls: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Classification:
    """Points by component, their sum, and the class it falls in."""

    points: tuple[tuple[str, int], ...]
    score: int
    difficulty_class: int


def classify(components: Components) -> Classification:
    """
    Score a task and find its class.

    Raises:
        ValueError: A count lies outside every band: no checkpoint, no material, or a negative count.

    Source:
        Appendix A.1; that a task without checkpoint or material has no class is inferred.
    """
    counts = {"breadth": components.breadth, "crossing": components.crossing, "gaps": components.gaps}
    answers = {
        "planted-content": components.planted_content,
        "regional-split": components.regional_split,
        "controls": components.controls,
    }
    points = tuple((name, _band_points(name, count)) for name, count in counts.items())
    points += tuple((name, YES_POINTS[name] if yes else 0) for name, yes in answers.items())
    score = sum(number for _, number in points)
    found = next(number for number, low, high in CLASSES if low <= score <= high)
    return Classification(points=points, score=score, difficulty_class=found)


def _band_points(name: str, count: int) -> int:
    """Points of a count."""
    for low, high, points in COUNT_BANDS[name]:
        if low <= count and (high is None or count <= high):
            return points
    raise ValueError(f"`{name}` is {count}; the lowest count with a meaning is {COUNT_BANDS[name][0][0]}")


def may_enter_holdout(difficulty_class: int, holdout_entry_class: int = HOLDOUT_ENTRY_CLASS) -> bool:
    """Whether a task of this class may enter the holdout subset of a family with this entry class."""
    return difficulty_class >= max(holdout_entry_class, HOLDOUT_ENTRY_CLASS)
