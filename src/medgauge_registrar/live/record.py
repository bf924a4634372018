"""`registrar audit --record`: the notes on what a push to the default branch merged, written by the one job that may."""

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from medgauge_registrar.git.notes import NOTES_REF
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.github.client import repository_path
from medgauge_registrar.github.events import Merged, Nothing, merged
from medgauge_registrar.github.job import read_job, read_payload
from medgauge_registrar.github.notes import Tip, write_notes
from medgauge_registrar.github.read import read_pull
from medgauge_registrar.inputs import parse_time
from medgauge_registrar.live.gate import Gate
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.record.push import MergedPull, Push, plan_notes
from medgauge_registrar.report.escape import terminal

DONE, UNPUBLISHED = 0, 3


def run_record(environment: Mapping[str, str] = os.environ) -> int:
    """
    Write the decision notes of the push that woke the job.

    Returns:
        0 once every pull request that it merged has its note; 3 if one has none yet, or if GitHub did not sign them.

    Raises:
        ReadError: The job, the push or GitHub could not be read whole, or somebody else moved the notes.
        PolicyError: The settings of the branch, roster or ledger are unusable.
    """
    job = read_job(environment)
    pushed = merged(job.event_name, read_payload(job))
    if isinstance(pushed, Nothing):
        _say(f"Nothing to record: {pushed.why}.")
        return DONE
    with Gate(job, more={"contents": "write"}) as gate:
        return _record(gate, pushed)


def _record(gate: Gate, pushed: Merged) -> int:
    (after,) = gate.mirror.fetch(pushed.after)
    tip = _tip(gate)
    push = Push(
        repository=gate.mirror.path,
        before=pushed.before,
        after=after,
        notes=tip.commit if tip is not None else None,
    )
    # A push to the default branch: where it stood, its settings were those of that branch.
    planned = plan_notes(
        push, _GitHub(gate, pushed.branch), lambda facts, base: gate.inputs(facts, gate.settings_at(base))
    )
    for left in planned.left:
        _say(f"{left.commit} gets no note: {left.why}", failed=left.may_pass_later)
    whole = not any(left.may_pass_later for left in planned.left)
    if planned.notes:
        written = write_notes(gate.client, gate.job.repository, tip, planned.notes)
        _say(f"Noted in {written.commit}: {', '.join(planned.notes)}")
        if not written.signed:
            _say(
                "GitHub did not sign the notes, so they count for nothing; let an App of its own write them",
                failed=True,
            )
            return UNPUBLISHED
    return DONE if whole else UNPUBLISHED


def _tip(gate: Gate) -> Tip | None:
    """Where the notes stand, fetched; null if there are none. A list that is empty is told apart from one that failed."""
    found = gate.client.call("GET", repository_path(gate.job.repository, "git", "matching-refs", "notes", "registrar"))
    if not isinstance(found, list):
        raise ReadError("the references of the notes are not of the documented form")
    if not any(item.get("ref") == NOTES_REF for item in found):
        return None
    (commit,) = gate.mirror.fetch(NOTES_REF)
    with Repository.open(gate.mirror.path) as repository:
        return Tip(commit=commit, tree=repository.tree(commit).oid)


class _GitHub:
    """What GitHub knows of the pull requests that a push merged into one branch."""

    def __init__(self, gate: Gate, branch: str) -> None:
        self._gate = gate
        self._branch = branch

    def merged_pulls(self, commit: str) -> Sequence[MergedPull]:
        """The merged pull requests that brought a commit."""
        repository = self._gate.job.repository
        found = self._gate.client.pages(repository_path(repository, "commits", commit, "pulls") + "?per_page=100")
        try:
            return [
                MergedPull(
                    number=int(item["number"]),
                    head=str(item["head"]["sha"]),
                    commit=str(item["merge_commit_sha"]),
                    merged_at=parse_time(item["merged_at"]),
                )
                for item in found
                if item["merged_at"] is not None
                and item["base"]["ref"] == self._branch
                and str(item["base"]["repo"]["full_name"]).casefold() == repository.casefold()
            ]
        except (KeyError, TypeError) as error:
            raise ReadError(f"the pull requests of {commit} are not of the documented form") from error

    def facts(self, number: int) -> Mapping[str, Any]:
        """The present facts of a pull request, its head fetched."""
        gate = self._gate
        reading = read_pull(gate.client, gate.job.repository, number)
        gate.mirror.fetch(f"refs/pull/{number}/head")
        return gate.facts(reading)


def _say(line: str, *, failed: bool = False) -> None:
    print(terminal(line), file=sys.stderr if failed else sys.stdout)
