"""People of the small registry on an embedded GitHub, and how its tests speak to it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from medgauge_registrar.model.pull import User

FOUNDER = User(id=9101, login="example-founder", type="User")
AUTHOR = User(id=9102, login="example-author", type="User")
REVIEWER = User(id=9103, login="example-reviewer", type="User")


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """An answer over HTTP."""

    status: int
    data: Any
    headers: Mapping[str, str] = field(default_factory=dict)


Ask = Callable[..., Reply]
