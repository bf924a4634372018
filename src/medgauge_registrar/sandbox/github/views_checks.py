"""GraphQL's view of statuses and checks."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from medgauge_registrar.sandbox.github.connections import Connection
from medgauge_registrar.sandbox.github.objects import CommitObject
from medgauge_registrar.sandbox.github.shapes import node_id
from medgauge_registrar.sandbox.github.values import CheckRun, CommitStatus
from medgauge_registrar.sandbox.github.views import View, views


class StatusValue:
    """A status of a commit."""

    def __init__(self, commit: CommitObject, status: CommitStatus) -> None:
        """Take both."""
        self.commit, self.status = commit, status


class StatusView(View):
    """The statuses of a commit, the newest of each context."""

    typename = "Status"

    @property
    def id(self) -> str:
        """Global id."""
        return node_id("ST", self.of.sha)

    @property
    def commit(self) -> Any:
        """The commit."""
        return self.show(self.of)

    @property
    def contexts(self) -> Any:
        """The newest status of every context."""
        return [self.show(item) for item in self.commit.latest_statuses()]

    @property
    def state(self) -> str:
        """What they come to."""
        return _worst([item.status.state.upper() for item in self.commit.latest_statuses()])

    def context(self, name: str) -> Any:
        """The newest status of one context."""
        return next((item for item in self.contexts if item.context.casefold() == name.casefold()), None)


@views(StatusValue)
class StatusContextView(View):
    """A status."""

    typename = "StatusContext"

    def __init__(self, world: Any, token: Any, hosted: Any, of: StatusValue) -> None:
        """Take it and its commit."""
        super().__init__(world, token, hosted, of.status)
        self._commit = of.commit

    @property
    def id(self) -> str:
        """Global id."""
        return node_id("SC", self.of.id)

    @property
    def state(self) -> str:
        """Its state."""
        return str(self.of.state).upper()

    @property
    def creator(self) -> Any:
        """Who set it."""
        return self.show(self.of.creator)

    @property
    def commit(self) -> Any:
        """The commit."""
        return self.show(self._commit)


class RollupView(View):
    """What statuses and checks of a commit come to."""

    typename = "StatusCheckRollup"

    @property
    def id(self) -> str:
        """Global id."""
        return node_id("SCR", self.of.sha)

    @property
    def commit(self) -> Any:
        """The commit."""
        return self.show(self.of)

    def everything(self) -> list[Any]:
        """Statuses, then check runs."""
        runs = [run for run in self.hosted.check_runs.values() if run.head_sha == self.of.sha]
        return [*self.commit.latest_statuses(), *runs]

    def contexts(self, **arguments: Any) -> Connection:
        """Statuses and check runs."""
        return self.page("contexts", self.everything(), arguments)

    @property
    def state(self) -> str:
        """What they come to."""
        states = []
        for item in self.everything():
            if isinstance(item, CheckRun):
                done = {"success": "SUCCESS", "neutral": "SUCCESS", "skipped": "SUCCESS", None: "PENDING"}
                states.append(done.get(item.conclusion, "FAILURE"))
            else:
                states.append(item.status.state.upper())
        return _worst(states)


@views(CheckRun)
class CheckRunView(View):
    """A check run."""

    typename = "CheckRun"
    id_prefix = "CR"

    @property
    def status(self) -> str:
        """How far it is."""
        return str(self.of.status).upper()

    @property
    def conclusion(self) -> str | None:
        """How it ended."""
        return None if self.of.conclusion is None else str(self.of.conclusion).upper()

    @property
    def url(self) -> str:
        """Its page."""
        return f"{self.world.server_url}/{self.hosted.full_name}/runs/{self.of.id}"

    @property
    def check_suite(self) -> Any:
        """Its suite."""
        return self.show(SuiteValue(self.of))


class SuiteValue:
    """A check suite of one run."""

    def __init__(self, run: CheckRun) -> None:
        """Take the run."""
        self.id, self.run = run.id, run


@views(SuiteValue)
class CheckSuiteView(View):
    """A check suite of one run."""

    typename = "CheckSuite"
    id_prefix = "CS"

    @property
    def app(self) -> Any:
        """The App that made it."""
        slug = self.of.run.app_slug
        return AppView(self.world, self.token, self.hosted, AppValue(slug))

    @property
    def commit(self) -> Any:
        """The commit."""
        return self.show(self.hosted.store.commit(self.of.run.head_sha))

    @property
    def conclusion(self) -> str | None:
        """How it ended."""
        found: str | None = self.show(self.of.run).conclusion
        return found

    @property
    def status(self) -> str:
        """How far it is."""
        return str(self.of.run.status).upper()

    @property
    def created_at(self) -> datetime:
        """When it began."""
        found: datetime = self.of.run.started_at or self.world.now
        return found

    @property
    def updated_at(self) -> datetime:
        """When it last changed."""
        found: datetime = self.of.run.completed_at or self.created_at
        return found

    def check_runs(self, **arguments: Any) -> Connection:
        """Its run."""
        return self.page("checkRuns", [self.of.run], arguments)


class AppValue:
    """An App by its slug."""

    def __init__(self, slug: str) -> None:
        """Take the slug."""
        self.slug, self.name, self.id = slug, slug, 1


class AppView(View):
    """An App."""

    typename = "App"
    id_prefix = "A"


def _worst(states: Sequence[str]) -> str:
    for state in ("ERROR", "FAILURE", "PENDING"):
        if state in states:
            return "FAILURE" if state == "ERROR" else state
    return "SUCCESS"
