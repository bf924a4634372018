"""The charter carries a version of its own, and every change raises it (DEC-11)."""

import re
from collections.abc import Iterator

from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, change_check
from medgauge_registrar.model.change import Kind, Transition
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.registry.layout import VERSION
from medgauge_registrar.registry.records import Registry, version_key

_VERSION_LINE = lazy_pattern(rf"^[ \t>*_]*Version[*_]*[ \t:]+({VERSION})(?![0-9.]*[0-9])", re.MULTILINE)


@change_check("DEC-11", section="22, 29", kinds={Kind.CHARTER})
def charter_version_not_raised(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    Every change of the charter raises the version in its version line, and the charter stays where it is.

    Who agreed to a charter agreed to one version of it. Raise the `Version x.y.z` line in the same pull request.

    Passes: Version 0.1.0 → Version 0.2.0
    Fails: a changed paragraph under the same version line
    """
    change = changed.change
    if change.transition is Transition.REMOVE:
        yield Problem(
            message=f"the charter would no longer stand at `{change.path}`",
            help="Keep the charter where it is; change its text instead.",
        )
        return
    after = charter_version(context.registry, change.path)
    if after is None:
        yield Problem(
            message="the charter has no line `Version x.y.z`", help="Add the line near the top of the charter."
        )
        return
    before = charter_version(changed.base, change.path)
    if before is not None and version_key(after) <= version_key(before):
        yield Problem(
            message=f"the charter's version line says `{after}`, expected a version above `{before}`",
            help=f"Raise the line, for example to `Version {_next(before)}`.",
        )


def charter_version(registry: Registry, path: str) -> str | None:
    """Version that the first version line of the charter states; null if there is none."""
    data = registry.tree.read(path) if registry.has(path) else None
    match = _VERSION_LINE.search(data.decode("utf-8", "replace")) if data is not None else None
    return match.group(1) if match else None


def _next(version: str) -> str:
    major, minor, _ = version_key(version)
    return f"{major}.{minor + 1}.0"
