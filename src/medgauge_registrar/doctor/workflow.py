"""What a workflow file of GitHub Actions says, as far as the gate depends on it."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from medgauge_registrar.model.frozen import frozen

_PINNED = re.compile(r"[^@]+@[0-9a-f]{40}")
_LEVELS = {"none": 0, "read": 1, "write": 2}


class UnreadableWorkflowError(Exception):
    """A workflow file is no YAML, or not of the form that GitHub documents."""


@frozen
class Workflow:
    """
    One workflow file.

    Attributes:
        name: By which other workflows follow it.
        events: For each event its filters (`types`, `workflows`, `branches`, …), each a set of words.
        permissions: The most that any job may, by scope; null: a job says nothing, so the repository's default holds.
        secrets: Whether it names a secret other than the job's own token.
        environments: Environment of each job that names a secret; null for a job without one.
        cancels: Whether a newer run cancels one that is running.
        uses: Every action, in the order of the steps.
        runs: Whether a step runs a script.
    """

    name: str
    events: Mapping[str, Mapping[str, frozenset[str]]]
    permissions: Mapping[str, int] | None
    secrets: bool
    environments: frozenset[str | None]
    cancels: bool
    uses: tuple[str, ...]
    runs: bool

    @property
    def unpinned(self) -> tuple[str, ...]:
        """Actions that are not named by a full SHA."""
        return tuple(use for use in self.uses if not use.startswith("./") and not _PINNED.fullmatch(use))


def read_workflow(data: bytes) -> Workflow:
    """
    Read a workflow file.

    Raises:
        UnreadableWorkflowError: It is none.

    Source:
        GitHub Actions, "Workflow syntax". GitHub reads YAML 1.2, in which `on` is a word and not a truth value.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        value = YAML(typ="safe", pure=True).load(data)
        return _workflow(value)
    except (YAMLError, AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise UnreadableWorkflowError(type(error).__name__) from None


def _workflow(value: Mapping[str, Any]) -> Workflow:
    jobs = list(value["jobs"].values())
    steps = [step for job in jobs for step in job.get("steps", [])]
    with_secrets = [job for job in jobs if _names_secret(job)]
    return Workflow(
        name=str(value.get("name", "")),
        events={event: dict(filters) for event, filters in _events(value["on"])},
        permissions=_joined([job.get("permissions", value.get("permissions")) for job in jobs]),
        secrets=bool(with_secrets),
        environments=frozenset(_environment(job) for job in with_secrets),
        cancels=any(_cancels(part) for part in (value, *jobs)),
        uses=tuple(str(part["uses"]) for part in (*jobs, *steps) if "uses" in part),
        runs=any("run" in step for step in steps),
    )


def _events(on: Any) -> Iterator[tuple[str, Mapping[str, frozenset[str]]]]:
    if isinstance(on, str):
        on = [on]
    if isinstance(on, list):
        on = dict.fromkeys(on)
    for event, filters in on.items():
        yield (
            event,
            {
                name: frozenset([str(words)] if isinstance(words, str) else map(str, words))
                for name, words in (filters.items() if isinstance(filters, dict) else ())
            },
        )


def _joined(permissions: list[Any]) -> Mapping[str, int] | None:
    """The most of each scope; `write-all` and `read-all` stand under the scope `*`."""
    found: dict[str, int] = {}
    for given in permissions:
        if given is None:
            return None
        every = {"write-all": {"*": "write"}, "read-all": {"*": "read"}}
        scopes = every[given] if isinstance(given, str) else given
        for scope, level in scopes.items():
            found[scope] = max(found.get(scope, 0), _LEVELS[level])
    return found


def _names_secret(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_names_secret(part) for part in value.values())
    if isinstance(value, list):
        return any(_names_secret(part) for part in value)
    return isinstance(value, str) and "secrets." in value.replace("secrets.GITHUB_TOKEN", "")


def _environment(job: Mapping[str, Any]) -> str | None:
    given = job.get("environment")
    return str(given["name"]) if isinstance(given, dict) else given


def _cancels(part: Mapping[str, Any]) -> bool:
    concurrency = part.get("concurrency")
    return isinstance(concurrency, dict) and concurrency.get("cancel-in-progress", False) is not False
