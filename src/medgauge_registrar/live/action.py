"""`registrar action` and `registrar sweep`: which pull requests a run is about, and what it leaves behind for people."""

import os
import sys
from collections.abc import Mapping, Sequence

from medgauge_registrar.github import events
from medgauge_registrar.github.job import Job, read_job, read_payload
from medgauge_registrar.github.queue import read_queue
from medgauge_registrar.github.read import closed_with_success, open_pulls, pulls_at
from medgauge_registrar.live.gate import Gate, Settled
from medgauge_registrar.live.group import settle_group
from medgauge_registrar.live.results import write_results
from medgauge_registrar.model.errors import PolicyError, ReadError
from medgauge_registrar.report.escape import terminal

DONE, UNPUBLISHED = 0, 3
Call = events.Pulls | events.Hints | events.AllOpen | events.Group


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
    return _run(job, woken)


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
    return _run(job, woken)


def _run(job: Job, woken: Call) -> int:
    with Gate(job) as gate:
        settled = _settled(gate, woken)
        if not settled:
            _say("No open pull request is concerned.")
        for one in settled:
            _say(f"Pull request {one.number}: {one.message}", failed=one.failed)
        done = all(one.published for one in settled)
        if isinstance(woken, events.AllOpen) and woken.base_ref is None:
            done = _leave_closed(gate) and done
            done = _tell_reviews(gate) and done
    write_results(job, settled)
    return DONE if done else UNPUBLISHED


def _settled(gate: Gate, woken: Call) -> list[Settled]:
    match woken:
        case events.Pulls(numbers=numbers):
            return [gate.settle(number) for number in dict.fromkeys(numbers)]
        case events.Hints():
            found = pulls_at(gate.client, gate.job.repository, woken.head_sha, woken.head_repo, woken.head_ref)
            return [gate.settle(number) for number in sorted(found.union(woken.numbers))]
        case events.Group():
            return [settle_group(gate, woken)]
        case events.AllOpen():
            return _swept(gate, woken.base_ref)


def _swept(gate: Gate, base_ref: str | None) -> list[Settled]:
    """Every open pull request, and every group that waits to be merged: its own event may have been lost."""
    pulls = open_pulls(gate.client, gate.job.repository, base_ref)
    settled = [gate.settle(pull.number) for pull in pulls]
    for branch in sorted({pull.base_ref for pull in pulls if pull.queued}):
        queue = read_queue(gate.client, gate.job.repository, branch)
        made = [entry.group_sha for entry in queue.entries if entry.group_sha is not None]
        settled += [settle_group(gate, events.Group(head_sha=sha, base_ref=branch)) for sha in made]
    return settled


def _leave_closed(gate: Gate) -> bool:
    """Take back what closed pull requests have kept, where their own event was lost; false if that could not be done."""
    try:
        settled = [gate.settle(number) for number in closed_with_success(gate.client, gate.job.repository)]
    except ReadError as error:
        _say(f"Whether a closed pull request has kept a success could not be found out: {error}", failed=True)
        return False
    for one in settled:
        _say(f"Pull request {one.number}: {one.message}", failed=one.failed)
    return all(one.published for one in settled)


def _tell_reviews(gate: Gate) -> bool:
    """Say whether a review of the methodology is due; false if that could not be found out."""
    from medgauge_registrar.live.methodology import due_reviews

    try:
        for line in due_reviews(gate):
            _say(line)
    except (ReadError, PolicyError) as error:
        _say(f"Whether a review of the methodology is due could not be found out: {error}", failed=True)
        return False
    return True


def _say(line: str, *, failed: bool = False) -> None:
    print(terminal(line), file=sys.stderr if failed else sys.stdout)
