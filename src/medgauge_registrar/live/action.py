"""`registrar action` and `registrar sweep`: which pull requests a run is about, and what it leaves behind for people."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence

from medgauge_registrar.github import events
from medgauge_registrar.github.job import Job, read_job, read_payload
from medgauge_registrar.github.read import open_pulls, pulls_at
from medgauge_registrar.live.gate import Gate, Settled
from medgauge_registrar.live.results import write_results
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.report.escape import terminal

DONE, UNPUBLISHED = 0, 3


def run_action(environment: Mapping[str, str] = os.environ) -> int:
    """
    Act on the event that woke the job.

    Returns:
        0 once every verdict is published, whatever it is; 3 if one is not.

    Raises:
        ReadError: The job, the event or the list of pull requests could not be read.
    """
    job = read_job(environment)
    woken = events.wake(job.event_name, read_payload(job))
    if isinstance(woken, events.Nothing):
        _say(f"Nothing to do: {woken.why}.")
        return DONE
    with Gate(job) as gate:
        return _finish(job, _settled(gate, woken))


def run_sweep(numbers: Sequence[int], environment: Mapping[str, str] = os.environ) -> int:
    """
    Decide open pull requests anew.

    Args:
        numbers: Which; none: all that are open.
        environment: Of the job.

    Returns:
        0 once every verdict is published, whatever it is; 3 if one is not.

    Raises:
        ReadError: The job or the list of pull requests could not be read.
    """
    job = read_job(environment)
    woken = events.Pulls(numbers=tuple(numbers)) if numbers else events.AllOpen()
    with Gate(job) as gate:
        return _finish(job, _settled(gate, woken))


def _settled(gate: Gate, woken: events.Wake) -> list[Settled]:
    match woken:
        case events.Pulls(numbers=numbers):
            wanted: Iterable[int] = numbers
        case events.Hints():
            found = pulls_at(gate.client, gate.job.repository, woken.head_sha, woken.head_repo, woken.head_ref)
            wanted = sorted(found.union(woken.numbers))
        case events.AllOpen(base_ref=base_ref):
            wanted = open_pulls(gate.client, gate.job.repository, base_ref)
        case _:
            raise ReadError("a group of the merge queue cannot be decided yet")
    return [gate.settle(number) for number in dict.fromkeys(wanted)]


def _finish(job: Job, settled: Sequence[Settled]) -> int:
    if not settled:
        _say("No open pull request is concerned.")
    for one in settled:
        _say(f"Pull request {one.number}: {one.message}", failed=not one.published)
    write_results(job, settled)
    return DONE if all(one.published for one in settled) else UNPUBLISHED


def _say(line: str, *, failed: bool = False) -> None:
    print(terminal(line), file=sys.stderr if failed else sys.stdout)
