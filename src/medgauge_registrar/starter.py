"""The registry that `registrar init` writes: one valid record of every kind, and everything around them."""

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from shlex import quote

from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.policy.load import SETTINGS_PATH, shipped_table
from medgauge_registrar.registry.schemas import SUFFIX, shipped_schema_files
from medgauge_registrar.registry.sources import FOLDER

# These describe files that never lie in a registry.
_OUTSIDE_SCHEMAS = frozenset({"decision", "decision-note", "ledger", "policy", "pull", "roster"})
_LICENCE = "LICENSE"
WORKFLOWS = ".github/workflows"
# Stands in the workflow templates for the action itself: no commit can name its own SHA.
UNNAMED_ACTION = f"example-organisation/medgauge-registrar@{'0' * 40}"


def starter_files(*, action: str = UNNAMED_ACTION) -> dict[str, bytes]:
    """
    Every file of a new registry by its path, in order of the paths.

    A level override is not among them: none can be merged while no threshold is set.

    Args:
        action: The action that the workflows use, as `owner/name@sha`.

    Source:
        Methodology, sections 15 (registries), 22 (decisions), 23 (licences) and Appendix B.
    """
    found = dict(_below(files("medgauge_registrar.data").joinpath("starter"), ""))
    for name, schema in shipped_schema_files().items():
        if name not in _OUTSIDE_SCHEMAS:
            found[f"{FOLDER}/{name}{SUFFIX}"] = schema
    found[_LICENCE] = _licence()
    for path in found:
        if path.startswith(f"{WORKFLOWS}/"):
            found[path] = found[path].replace(UNNAMED_ACTION.encode(), action.encode())
    return dict(sorted(found.items()))


def write_starter(folder: Path, *, action: str | None = None) -> str:
    """
    Write a new registry.

    Args:
        folder: A folder that is empty or not there yet.
        action: The action that the workflows use, as `owner/name@sha`; null: a stand-in to be replaced.

    Returns:
        What was written and what comes next, for the terminal.

    Raises:
        PolicyError: The folder holds something, or cannot be written.
    """
    found = starter_files(action=action or UNNAMED_ACTION)
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise PolicyError(f"{folder}: expected a new or an empty folder; nothing was written, choose another one")
        for path, data in found.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    except OSError as error:
        raise PolicyError(f"{folder}: cannot be written ({error.strerror}); choose another folder") from None
    return _next_steps(folder, found, named=action is not None)


def _below(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for item in folder.iterdir():
        if item.is_dir():
            yield from _below(item, f"{prefix}{item.name}/")
        else:
            yield f"{prefix}{item.name}", item.read_bytes()


def _licence() -> bytes:
    """The licence of this package, under which the code and schemas of a registry stand as well (section 23)."""
    try:
        installed = distribution("medgauge-registrar").read_text(f"licenses/{_LICENCE}")
    except PackageNotFoundError:
        installed = None
    # A source checkout that was not installed keeps it at its top.
    return installed.encode() if installed is not None else (Path(__file__).parents[2] / _LICENCE).read_bytes()


def _next_steps(folder: Path, found: dict[str, bytes], *, named: bool) -> str:
    records = sum(path.startswith("registry/") for path in found)
    rows = ", ".join(row.id for row in shipped_table().rows.values() if row.seats)
    git = f"git -C {quote(str(folder))}"
    steps = [
        f"""Keep a roster in a private place, and name its source under `roster` in `{SETTINGS_PATH}`. Do so before the first
     commit: once the branch is protected, that file changes only with two maintainers.""",
        f'{git} init -b main && {git} add . && {git} commit -m "Start the registry"',
        "On GitHub, protect the branch `main`: changes by pull request alone, and the status `registrar: main` required.",
        f"registrar doctor --repo {quote(str(folder))}    # says what is still missing",
    ]
    if not named:
        steps.insert(
            1,
            f"""Replace `{UNNAMED_ACTION.partition("@")[0]}` and the zeros behind it, in the files of `{WORKFLOWS}`, by the
     action's repository and the full SHA of its release.""",
        )
    numbered = "".join(f"  {number}. {step}\n" for number, step in enumerate(steps, start=1))
    return f"""\
{folder}: a starter registry of {len(found)} files, {records} of them records.
Records named `example` are synthetic; replace them, and the stand-in texts `methodology/text.md` and `charter.md`.

Next:
{numbered}
Until a roster is named nobody holds a role, so no pull request that triggers one of these rows can be approved:
  {rows}
"""
