"""`registrar draft dispute-outcome`: the outcome of a settled dispute, as counts and reasons without names."""

import json
from collections.abc import Iterator, Sequence

from medgauge_registrar.classify.classify import Classified
from medgauge_registrar.drafts.situation import Drafts, Situation
from medgauge_registrar.inputs import Inputs
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.registry.characters import unfit_in_value
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.requirements.disputes import VOTES, Proceedings, Round, proceedings
from medgauge_registrar.requirements.matters import measured_in

# Longest object that a record of an outcome names.
_LONGEST_OBJECT = 300
_LONGEST_REASONS = 20_000
_UNFIT = unfit_in_value(foreign_text=False)
_IN_FAVOUR, _AGAINST = "In favour of the change", "Against the change"


def dispute_outcome(found: Situation, inputs: Inputs) -> Drafts:
    """
    Write the outcome of the dispute on a pull request from its votes.

    The reasons are those that the voters gave, in the order of their choice and without their names. A vote of somebody who
    merged the base branch into the branch is not counted here, although the gate may.

    Args:
        found: The disputed change.
        inputs: Facts of the pull request, the roster and, if at hand, the ledger.

    Raises:
        PolicyError: No dispute is open, or fewer than three votes count.
    """
    pull = inputs.pull
    publishes = any(item.change.kind is Kind.DISPUTE for item in found.classified)
    measured = measured_in(found.classified, found.base, found.head, inputs.ledger)
    held = proceedings(pull, inputs.roster, measured, publishes=publishes)
    current = held.current
    if current is None:
        raise PolicyError(f"nobody disputes pull request {pull.number}, so there is no outcome to write")
    if current.settled_at is None:
        raise PolicyError(
            f"{len(current.votes)} of {VOTES} votes count on pull request {pull.number}; wait for the others"
        )
    uphold, overturn = current.counts
    name = _name(pull.number, found.head)
    reasons = "\n".join(_reasons(held, current)) or "No reasons were given."
    if len(reasons) > _LONGEST_REASONS:
        raise PolicyError(
            f"the reasons have {len(reasons)} characters, and a record holds {_LONGEST_REASONS}; write a summary"
        )
    text = (
        f"id: {name}\n"
        f"object: {_object(found.classified)}\n"
        f"pull_request: {pull.number}\n"
        f"votes: {{uphold: {uphold}, overturn: {overturn}}}\n"
        f"outcome: {'overturned' if current.overturned else 'upheld'}\n"
        # JSON is YAML, and escapes whatever a comment may hold.
        f"reasons: {json.dumps(reasons, ensure_ascii=False)}\n"
        f"date: {current.settled_at.date().isoformat()}\n"
    )
    return {found.head.path_of(Kind.DISPUTE, name=name): text}


def _reasons(held: Proceedings, current: Round) -> Iterator[str]:
    """What each voter said with the vote that counts, by choice."""
    last: dict[int, tuple[str, str]] = {}
    for command, refusal in held.refusals:
        if command.name == "vote" and refusal is None and command.user.id in current.votes:
            said = _UNFIT.sub(" ", " ".join(command.arguments[1:]))
            last[command.user.id] = (command.arguments[0], " ".join(said.split()))
    for choice, words in (("uphold", _IN_FAVOUR), ("overturn", _AGAINST)):
        for given in sorted(said for chosen, said in last.values() if chosen == choice):
            yield f"{words}: {given}"


def _object(changes: Sequence[Classified]) -> str:
    """What was disputed: the first object that changes beside outcomes; its path if its name does not fit."""
    disputed = [item.change for item in changes if item.change.kind is not Kind.DISPUTE]
    if not disputed:
        raise PolicyError("nothing but outcomes changes in this pull request; name the disputed object by hand")
    name = disputed[0].object if " " not in disputed[0].object else disputed[0].path
    if len(name) > _LONGEST_OBJECT:
        raise PolicyError(
            f"the name of the disputed object has more than {_LONGEST_OBJECT} characters; write it by hand"
        )
    return name


def _name(number: int, head: Registry) -> str:
    names = [f"pull-{number}", *(f"pull-{number}-{count}" for count in range(2, 100))]
    return next((name for name in names if not head.has(head.path_of(Kind.DISPUTE, name=name))), names[-1])
