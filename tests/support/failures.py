"""The ways in which a request to GitHub fails; `done` says that GitHub carried it out all the same."""

from collections.abc import Mapping
from typing import Any

from medgauge_registrar.sandbox.github.faults import Failure

FAILURES: Mapping[str, Mapping[str, Any]] = {
    "time-out": {"failure": Failure.TIMEOUT},
    "reset": {"failure": Failure.RESET},
    "401": {"status": 401},
    "403": {"status": 403},
    "404": {"status": 404},
    "422": {"status": 422},
    "429": {"status": 429},
    "429 with Retry-After": {"status": 429, "headers": {"Retry-After": "3600"}},
    "500": {"status": 500},
    "502": {"status": 502},
    "malformed": {"failure": Failure.MALFORMED},
    "truncated": {"failure": Failure.TRUNCATED},
    "502 although it was done": {"status": 502, "done": True},
    "reset although it was done": {"failure": Failure.RESET, "done": True},
}
