"""Kinds that may not share a pull request."""

from collections.abc import Iterable, Iterator

from medgauge_registrar.model.change import Change
from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.policy.table import Combination, DecisionTable, Selector
from medgauge_registrar.registry.layout import VERSION, Layout
from medgauge_registrar.words import sections

_SHOWN_PATHS = 3
_VERSION = lazy_pattern(VERSION)


def refused_combinations(changes: Iterable[Change], table: DecisionTable, layout: Layout) -> Iterator[Finding]:
    """
    Find groups of changes that the table keeps apart; a moved file counts as what it was and as what it has become.

    Yields:
        One finding a broken combination rule, at the first path of its first group.
    """
    every = sorted(changes, key=lambda change: change.path)
    for rule in table.combinations:
        one = [change for change in every if _any(rule.one, change, layout)]
        other = [change for change in every if _any(rule.other, change, layout)]
        if rule.same_version:
            shared = {_version(change) for change in one} & {_version(change) for change in other}
            one = [change for change in one if _version(change) in shared]
            other = [change for change in other if _version(change) in shared]
        if one and other:
            yield _finding(rule, one, other)


def _any(selectors: Iterable[Selector], change: Change, layout: Layout) -> bool:
    kinds = {change.kind, layout.place(change.previous_path or change.path).kind}
    return any(selector.matches(kind, change.transition) for selector in selectors for kind in kinds)


def _version(change: Change) -> tuple[str, str]:
    """Benchmark and version that a version file or a result belongs to, by its path."""
    parts = change.path.removesuffix(".yaml").split("/")
    benchmark = next((part for part in parts if part.startswith("bm-")), "")
    version = next((part for part in reversed(parts) if _VERSION.fullmatch(part)), "")
    return benchmark, version


def _finding(rule: Combination, one: list[Change], other: list[Change]) -> Finding:
    because = f"{rule.because[:1].lower()}{rule.because[1:].removesuffix('.')}"
    return Finding(
        rule=rule.rule,
        severity=Severity.ERROR,
        message=f"{_listed(one)} may not share a pull request with {_listed(other)}: {because}",
        help=rule.help,
        source=sections(rule.section),
        path=one[0].path,
    )


def _listed(changes: list[Change]) -> str:
    names = ", ".join(f"`{change.path}`" for change in changes[:_SHOWN_PATHS])
    more = len(changes) - _SHOWN_PATHS
    return f"{names} and {more} more" if more > 0 else names
