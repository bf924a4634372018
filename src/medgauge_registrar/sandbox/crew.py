"""Processes that let the gate decide pull requests of an embedded GitHub, as jobs of GitHub Actions would."""

import json
import multiprocessing
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from types import TracebackType

from medgauge_registrar.github.job import read_job
from medgauge_registrar.live.gate import Gate
from medgauge_registrar.model.decision import Decision
from medgauge_registrar.sandbox.build import NOW
from medgauge_registrar.sandbox.case import Case
from medgauge_registrar.sandbox.github.world import GitHubSandbox

# One gate for each ledger that a process has met; a job has but one.
_GATES: dict[str, Gate] = {}
_ENVIRONMENT: dict[str, str] = {}


class Crew:
    """Decides pull requests of a world in processes of their own; they share nothing but GitHub."""

    def __init__(self, world: GitHubSandbox, folder: Path, *, people: int) -> None:
        """
        Start the processes.

        Args:
            world: Where the pull requests are.
            folder: Where `build` left roster and ledgers.
            people: How many processes.
        """
        environment = {
            "GITHUB_REPOSITORY": world.registry.full_name,
            "GITHUB_SERVER_URL": world.server_url,
            "GITHUB_API_URL": world.api_url,
            "GITHUB_GRAPHQL_URL": world.graphql_url,
            "REGISTRAR_TOKEN": world.token,
            "REGISTRAR_ROSTER": (folder / "roster.json").read_text(encoding="utf-8"),
        }
        self._temporary = tempfile.TemporaryDirectory(prefix="registrar-crew-")
        # Started anew rather than forked: the threads of the server would not survive in a copy.
        self._pool = ProcessPoolExecutor(
            people,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin,
            initargs=(environment, self._temporary.name),
        )

    def __enter__(self) -> "Crew":
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the processes."""
        self._pool.shutdown(cancel_futures=True)
        self._temporary.cleanup()

    def decide(self, cases: Mapping[int, Case]) -> Iterator[tuple[Decision | None, str]]:
        """
        Let the gate decide.

        Args:
            cases: Pull requests by number.

        Yields:
            The decision of each, in order; or null and why there is none.
        """
        futures: dict[int, Future[tuple[Decision | None, str]]] = {}
        # The largest first, so that none of them is left over for one process while the others rest.
        for number in sorted(cases, key=lambda number: -sum(map(len, cases[number].commits))):
            ledger = cases[number].ledger
            futures[number] = self._pool.submit(_decide, number, "" if ledger is None else json.dumps(ledger))
        for number in cases:
            yield futures[number].result()


def _begin(environment: Mapping[str, str], temporary: str) -> None:
    _ENVIRONMENT.update(environment)
    tempfile.tempdir = temporary


def _decide(number: int, ledger: str) -> tuple[Decision | None, str]:
    if ledger not in _GATES:
        _GATES[ledger] = Gate(read_job({**_ENVIRONMENT, "REGISTRAR_LEDGER": ledger}), now=lambda: NOW)
    settled = _GATES[ledger].settle(number)
    return settled.decision if settled.published else None, settled.message
