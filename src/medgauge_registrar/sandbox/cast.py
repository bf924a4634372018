"""The people of the demonstration: plainly invented accounts, and the roster that gives them roles."""

from collections.abc import Mapping
from typing import Any

# Role or roles by the name the cases use; ids and logins are made from the order.
CAST: Mapping[str, tuple[str, ...]] = {
    "maintainer": ("maintainer",),
    "second maintainer": ("maintainer",),
    "third maintainer": ("maintainer",),
    "acceptor": ("acceptor",),
    "reference engineer": ("reference-engineer",),
    "reviewer": ("reviewer",),
    "results reviewer": ("results-reviewer",),
    "data steward": ("data-steward",),
    "two roles": ("results-reviewer", "maintainer"),
    "contributor": (),
    "newcomer": (),
    "site": (),
}
_FIRST_ID = 9001


def account(name: str) -> dict[str, Any]:
    """The account of somebody in the cast, as a pull file writes it."""
    number = list(CAST).index(name) + 1
    return {"id": _FIRST_ID + number, "login": f"example-person-{number:02}", "type": "User"}


def roster() -> dict[str, Any]:
    """The roster that gives the cast its roles."""
    people = [{**account(name), "roles": list(roles)} for name, roles in CAST.items() if roles]
    return {"people": [{key: value for key, value in person.items() if key != "type"} for person in people]}
