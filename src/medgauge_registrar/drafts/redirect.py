"""`registrar draft redirect`: what a renamed benchmark leaves behind."""

from datetime import date
from typing import Any

from medgauge_registrar.comparability.steps import Step, next_version
from medgauge_registrar.drafts.situation import Drafts, Situation
from medgauge_registrar.drafts.yaml_edit import block, edited_yaml
from medgauge_registrar.model.change import Kind, Status, Transition
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.registry.records import Registry


def redirect(found: Situation, today: date, names: tuple[str, str] | None) -> Drafts:
    """
    Enter a renamed benchmark in the list of redirects, and retire its old card.

    Args:
        found: The change, which holds the new card.
        today: Day of the rename.
        names: Old and new identifier; null: the one card that goes and the one that comes.

    Raises:
        PolicyError: The names cannot be told, or a card or the list cannot be read.
    """
    old, new = names or _renamed(found)
    cards = {name: found.head.path_of(Kind.BM_CARD, bm=name) for name in (old, new)}
    if not found.head.has(cards[new]):
        raise PolicyError(f"`{cards[new]}` is not there; add the card under its new name first")
    path = found.head.path_of(Kind.REDIRECTS)
    drafts = {path: _edited(found.head, path, lambda fields: _enter(fields, old, new, today))}
    source = found.head if found.head.has(cards[old]) else found.base
    if not source.has(cards[old]):
        raise PolicyError(f"`{cards[old]}` is not there, and was not; name the identifier that the card had")
    card = source.record(cards[old])
    if source is found.base or card is None or card["status"] != "retired":
        drafts[cards[old]] = _edited(source, cards[old], lambda fields: _retire(fields, today))
    return drafts


def _renamed(found: Situation) -> tuple[str, str]:
    """The identifiers of the one card that goes, or is retired, and of the one that comes."""
    gone, came = set[str](), set[str]()
    for change in found.changes:
        before, after = (found.head.layout.place(path) for path in (change.previous_path or change.path, change.path))
        leaves = change.status in {Status.REMOVED, Status.RENAMED} or change.transition is Transition.RETIRE
        if before.kind is Kind.BM_CARD and leaves:
            gone.add(before.id or "")
        if after.kind is Kind.BM_CARD and change.status in {Status.ADDED, Status.RENAMED}:
            came.add(after.id or "")
    if len(gone) != 1 or len(came) != 1:
        raise PolicyError(
            f"{len(gone)} benchmark cards go and {len(came)} come here, expected one of each; name old and new identifier"
        )
    return gone.pop(), came.pop()


def _enter(fields: Any, old: str, new: str, today: date) -> None:
    entry = {"old": old, "new": new, "date": today.isoformat()}
    entries = fields.get("redirects")
    if any(known.get("old") == old for known in entries or ()):
        raise PolicyError(f"`{old}` is redirected already; correct the entry by hand")
    if entries:
        entries.extend(block([entry]))
    else:
        fields["redirects"] = block([entry])


def _retire(fields: Any, today: date) -> None:
    fields["status"] = "retired"
    fields["version"] = next_version(str(fields["version"]), Step.MINOR)
    fields["last_reviewed"] = today.isoformat()


def _edited(registry: Registry, path: str, change: Any) -> str:
    try:
        return edited_yaml((registry.tree.read(path) or b"redirects: []\n").decode("utf-8"), change)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise PolicyError(f"{path}: cannot be edited, since it is no record that can be read; mend it first") from None
