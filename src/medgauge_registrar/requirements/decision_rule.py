"""A rule that the decision stage enforces, as the catalogue tells it."""

from medgauge_registrar.model.frozen import frozen


@frozen
class DecisionRule:
    """
    One rule of the decision stage.

    Attributes:
        section: Sections it rests on.
        line: What it asks, in one sentence.
        where: Module that holds it.
        guide: An example that passes and one that fails.
    """

    section: str
    line: str
    where: str
    guide: str
    state: str = "enforced"
