"""Faults on order: the n-th request that matches is answered by a failure, whether or not it was carried out."""

import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from medgauge_registrar.sandbox.github.limits import BODIES, primary_limit, secondary_limit


class Failure(StrEnum):
    """How a request fails."""

    STATUS = "status"
    TIMEOUT = "timeout"
    RESET = "reset"
    MALFORMED = "malformed"
    TRUNCATED = "truncated"


@dataclass(kw_only=True, slots=True)
class Fault:
    """
    One fault.

    Attributes:
        failure: What happens instead of the answer; `MALFORMED` and `TRUNCATED` spoil the real one.
        method: Method of the requests that count; null: any.
        path: Regular expression that has to be found in their path and query.
        text: Text that their body has to hold, such as the name of a GraphQL field.
        nth: Which of them fails first, from 1.
        times: How many fail from then on; null: all.
        status: Status of the answer.
        body: Its JSON, or its bytes as they are; null: what GitHub says with that status.
        headers: Further headers of the answer.
        done: Whether the request is carried out before it fails, as behind a gateway that gave up waiting.
    """

    failure: Failure = Failure.STATUS
    method: str | None = None
    path: str = ""
    text: str = ""
    nth: int = 1
    times: int | None = 1
    status: int = 502
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    done: bool = False
    seen: int = 0

    def strikes(self, method: str, target: str, body: bytes) -> bool:
        """Count a request if it matches, and say whether it fails."""
        if self.method not in {None, method} or not re.search(self.path, target) or self.text.encode() not in body:
            return False
        self.seen += 1
        return self.seen >= self.nth and (self.times is None or self.seen < self.nth + self.times)

    @property
    def content(self) -> Any:
        """The body of the answer."""
        return BODIES.get(self.status, {"message": "Error"}) if self.body is None else self.body


class Faults:
    """The faults that are ordered; the first that strikes a request decides it."""

    def __init__(self) -> None:
        """Order nothing."""
        self._lock = threading.Lock()
        self._ordered: list[Fault] = []

    def add(self, fault: Fault) -> Fault:
        """Order a fault."""
        with self._lock:
            self._ordered.append(fault)
        return fault

    def clear(self) -> None:
        """Take every order back."""
        with self._lock:
            self._ordered.clear()

    def strike(self, method: str, target: str, body: bytes) -> Fault | None:
        """The fault that this request meets; null: none."""
        with self._lock:
            struck = [fault for fault in self._ordered if fault.strikes(method, target, body)]
        return struck[0] if struck else None


def no_requests_left(user_id: int, reset_at: int, **where: Any) -> Fault:
    """The primary rate limit."""
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(reset_at)}
    return Fault(status=403, body=primary_limit(user_id), headers=headers, **where)


def too_fast(*, status: int = 403, retry_after_seconds: int | None = 60, **where: Any) -> Fault:
    """A secondary rate limit, with or without the time to wait."""
    headers = {} if retry_after_seconds is None else {"Retry-After": str(retry_after_seconds)}
    return Fault(status=status, body=secondary_limit(status), headers=headers, **where)
