"""The people of the demonstration: plainly invented accounts, and the roster that gives them roles."""

from collections.abc import Mapping
from typing import Any

from medgauge_registrar.model.pull import User

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
    # Wrote the grading references that the registry began with.
    "author of references": ("reference-engineer",),
    "builder": ("task-builder",),
    "first expert": ("expert-reviewer",),
    "second expert": ("expert-reviewer",),
    "vendor": (),
    "second acceptor": ("acceptor",),
    # Whatever a roster says, a bot holds no role.
    "bot": ("maintainer",),
}
_INSTITUTIONS: Mapping[str, str] = {"first expert": "Example Hospital", "second expert": "Example University"}
_FIRST_ID = 9001


def account(name: str) -> dict[str, Any]:
    """The account of somebody in the cast, as a pull file writes it."""
    number = list(CAST).index(name) + 1
    kind = "Bot" if name == "bot" else "User"
    return {"id": _FIRST_ID + number, "login": f"example-person-{number:02}", "type": kind}


def user(name: str) -> User:
    """The account of somebody in the cast."""
    return User(**account(name))


def roster() -> dict[str, Any]:
    """The roster that gives the cast its roles."""
    people = []
    for name, roles in CAST.items():
        if roles:
            institution = {"institution": _INSTITUTIONS[name]} if name in _INSTITUTIONS else {}
            person = {**account(name), "roles": list(roles), **institution}
            people.append({key: value for key, value in person.items() if key != "type"})
    return {"people": people}


def address(name: str) -> str:
    """Name and address that GitHub makes for somebody in the cast, as their commits carry them."""
    known = account(name)
    return f"{known['login']} <{known['id']}+{known['login']}@users.noreply.github.com>"


def _ids(*names: str) -> list[int]:
    return [account(name)["id"] for name in names]


def _version(package: str) -> dict[str, Any]:
    return {
        "builders": _ids("builder"),
        "key_experts": _ids("first expert", "second expert"),
        "acceptors": _ids("acceptor"),
        "package_sha256": package,
        "holdout_parties": [],
    }


# Closed facts about the example family, all of them invented; a case may carry others.
LEDGER: Mapping[str, Any] = {
    "benchmark_versions": {
        "bm-example-handover@0.1.0": _version("2f46ce0b9a7687bd4a2dbe01ef2d898456dd68b8be367191431d65a413fc15ed"),
        "bm-example-handover@0.2.0": _version("0ff4484dc346164693bfec6d05e1f93a042910af87baa21cd10d4739acc7e9e2"),
        "bm-example-handover@0.3.0": _version("5b1e6d0c3f9a8472615f0e9d8c7b6a59483726150f9e8d7c6b5a493827160504"),
    },
    "subjects": {
        "Example Model 1": {"submitters": _ids("vendor"), "party": "Example Vendor"},
        "Example Model 2": {"submitters": _ids("vendor"), "party": "Example Vendor"},
        "hx-example-loop@0.1.0": {"submitters": [], "party": "Example Initiative"},
        "tl-example-prompt@0.1.0": {"submitters": [], "party": "Example Initiative"},
        "tl-example-skill@0.1.0": {"submitters": [], "party": "Example Initiative"},
    },
    "references": {"gr-example-dose": {"tested_by_builders": _ids("builder")}},
}
