"""Who brought what a branch holds, by what GitHub's servers say of its moves rather than by the names on commits."""

from collections.abc import Mapping

from medgauge_registrar.model.pull import Pull, User


def movers(pull: Pull, updates_from_base: Mapping[str, str]) -> tuple[User, ...]:
    """
    Everybody known to have moved the branch by more than what the base has, or a clean merge of it.

    Whoever pressed GitHub's button for that has brought nothing of their own. Where the moves are not told, whoever moved the
    branch last counts whatever that move brought.

    Args:
        pull: Public facts.
        updates_from_base: Commits proved to bring nothing, each with what the branch was before: clean merges of the base with
            the head that they were merged into, and what the base has itself.
    """
    told = pull.moves or ()
    idle = {move.by.id for move in told}
    idle -= {move.by.id for move in told if updates_from_base.get(move.after) != move.before}
    return tuple(person for person in pull.movers if person.id not in idle)
