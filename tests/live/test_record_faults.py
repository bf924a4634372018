"""
What becomes of the record when GitHub fails the job that writes it: a right note or none, and the next run makes up for it.

Every request meets every failure in the long tests; the usual tests take a sample.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from urllib3 import Retry

from medgauge_registrar.git import fetch
from medgauge_registrar.github import client
from medgauge_registrar.live.record import run_record
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.sandbox.github.faults import Fault
from support.failures import FAILURES
from support.live import NUMBER, LiveWorld, live_world, person

# The requests of a run that writes the first note, in order.
REQUESTS: Mapping[str, Mapping[str, Any]] = {
    "advertisement": {"path": "info/refs"},
    "objects": {"path": "git-upload-pack$", "method": "POST"},
    "notes": {"path": "/git/matching-refs/"},
    "pulls": {"path": "/commits/[0-9a-f]+/pulls"},
    "facts": {"path": "graphql"},
    "arrival": {"path": "/activity"},
    "blob": {"path": "/git/blobs", "method": "POST"},
    "tree": {"path": "/git/trees", "method": "POST"},
    "commit": {"path": "/git/commits", "method": "POST"},
    "reference": {"path": "/git/refs", "method": "POST"},
}
# A 404 says that there is nothing, which is no failure of every request; the other two fail as 429 and 502 do.
TRIED = [name for name in FAILURES if name not in {"404", "429 with Retry-After", "500"}]
# Failures of the answer alone.
CARRIED_OUT = {"malformed", "truncated", "502 although it was done", "reset although it was done"}
# GitHub's answer that it knows nothing of the head leaves its arrival unknown, as in a run before the merge.
_KNOWN = {("arrival", "403"), ("arrival", "422")}
SAMPLE = {
    ("objects", "reset"),
    ("notes", "malformed"),
    ("pulls", "502"),
    ("facts", "truncated"),
    ("blob", "403"),
    ("commit", "502"),
    ("reference", "422"),
    ("reference", "502 although it was done"),
}
_EVERY = [
    pytest.param(request, failure, marks=() if (request, failure) in SAMPLE else pytest.mark.long)
    for request, failure in product(REQUESTS, TRIED)
    if (request, failure) not in _KNOWN
]


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveWorld]:
    """A pull request that was approved and merged; nobody waits long."""
    monkeypatch.setattr(Retry, "sleep", lambda *_: None)
    with live_world(tmp_path) as found:
        found.review("maintainer")
        yield found


def record(world: LiveWorld, before: str) -> int:
    """Run the job; 3 stands for an error too, as on the command line."""
    payload = {
        "ref": "refs/heads/main",
        "before": before,
        "after": world.github.sha("main"),
        "deleted": False,
        "repository": {"default_branch": "main"},
    }
    try:
        return run_record(world.environment("push", payload))
    except ReadError:
        return 3


@pytest.mark.parametrize(("request_", "failure"), _EVERY)
def test_failed_request_leaves_a_right_note_or_none(world: LiveWorld, request_: str, failure: str) -> None:
    """The job is red, nothing wrong is on record, and a run without failures writes what is missing once."""
    before = world.github.sha("main")
    commit = world.github.merge(NUMBER, by=person("maintainer"))
    world.github.faults.add(Fault(**{"times": None, **REQUESTS[request_], **FAILURES[failure]}))
    with pytest.MonkeyPatch.context() as impatient:
        if failure == "time-out":
            impatient.setattr(client, "TIMEOUT_SECONDS", 2)
            impatient.setattr(fetch, "FETCH_SECONDS", 3.0)
        assert record(world, before) == 3
    there = world.github.notes()
    assert set(there) <= ({commit} if request_ == "reference" and failure in CARRIED_OUT else set())
    world.github.faults.clear()
    assert record(world, before) == 0
    notes = world.github.notes()
    assert set(notes) == {commit}
    assert b'"state":"approved"' in notes[commit]
    assert there in ({}, notes)


def test_these_are_the_requests_of_a_run(world: LiveWorld) -> None:
    """So that none is forgotten here; one of each."""
    before = world.github.sha("main")
    world.github.merge(NUMBER, by=person("maintainer"))
    world.sent()
    assert record(world, before) == 0
    assert len(world.sent()) == len(REQUESTS) - len({"advertisement", "objects"})
