"""Every rule there is: what it asks, where it comes from, and whether this version enforces it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from textwrap import indent
from typing import Any, cast

from medgauge_registrar.checks.catalogue import CHECKS, COVERED_BY, SCHEMA_RULES
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.policy.load import shipped_table
from medgauge_registrar.registry.reader import Syntax, read_document
from medgauge_registrar.requirements.catalogue import DECISION_RULES

STATES = {
    "enforced": "a breach blocks the merge",
    "evidence": "a row of the decision table asks for it; it cannot be decided yet, so the row stays pending",
    "informs": "it is told, and never blocks",
    "not yet": "nothing in this version looks at it",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class RuleEntry:
    """
    One rule.

    Attributes:
        id: Rule id.
        section: Sections it rests on.
        line: What it asks, in one sentence.
        state: `enforced`, `evidence`, `informs` or `not yet`.
        guide: Why, how to mend, and examples; empty where there is only the line.
    """

    id: str
    section: str
    line: str
    state: str
    guide: str = ""


@cache
def entries() -> tuple[RuleEntry, ...]:
    """All rules in catalogue order; those in code speak for themselves, the others stand in `data/rules.yml`."""
    in_code = {entry.id: entry for entry in _in_code()}
    return tuple(in_code.get(entry.id) or _covered(entry, in_code) for entry in _listed())


def summaries() -> dict[str, str]:
    """Sentence of each rule by id."""
    return {entry.id: entry.line for entry in entries()}


def render_rules(*, as_json: bool) -> str:
    """The list of rules, as text or as JSON."""
    if as_json:
        told = [
            {"id": entry.id, "section": entry.section, "line": entry.line, "state": entry.state} for entry in entries()
        ]
        return json.dumps({"rules": told}, indent=2, ensure_ascii=False)
    lines = [f"{entry.id:<16} {entry.state:<9} {entry.section:<24} {entry.line}" for entry in entries()]
    counts = {state: sum(entry.state == state for entry in entries()) for state in STATES}
    legend = [f"{count:>4} {state}: {STATES[state]}" for state, count in counts.items()]
    return "\n".join([*lines, "", *legend])


def explain(name: str) -> str:
    """
    What a rule or a row of the decision table asks, why, and how to meet it.

    Raises:
        PolicyError: There is no such rule or row.
    """
    wanted = name.strip()
    for row in shipped_table().rows.values():
        if row.id.casefold() == wanted.casefold():
            seats = ", ".join(row.seats) or "none"
            evidence = ", ".join(need.id for need in row.evidence) or "none"
            separation = ", ".join(row.separation) or "none"
            kinds = sorted({f"{trigger.kind} ({', '.join(sorted(trigger.transitions))})" for trigger in row.triggers})
            return (
                f"{row.id}: {row.title} (section {row.section}, basis {row.basis})\n\n  {row.because}\n\n"
                f"  approvals:  {seats}\n  evidence:   {evidence}\n  separation: {separation}\n  changes:\n"
                + indent("\n".join(kinds), "    ")
            )
    for entry in entries():
        if entry.id.casefold() == wanted.casefold():
            body = f"\n\n{indent(entry.guide, '  ')}" if entry.guide else ""
            return f"{entry.id} ({entry.state}; section {entry.section})\n\n  {entry.line}{body}"
    raise PolicyError(f"there is no rule or row `{wanted}`; `registrar rules` lists all")


def _in_code() -> Iterator[RuleEntry]:
    for check in CHECKS:
        first, _, rest = (check.run.__doc__ or "").strip().partition("\n")
        yield RuleEntry(id=check.rule, section=check.section, line=first, state=check.state, guide=_dedent(rest))
    for rule, by_schema in SCHEMA_RULES.items():
        guide = f"Held by `schemas/{by_schema.schema}.schema.json`; a breach is reported as ENT-02 with the place."
        yield RuleEntry(id=rule, section=by_schema.section, line=by_schema.line, state="enforced", guide=guide)
    for rule, decided in DECISION_RULES.items():
        yield RuleEntry(id=rule, section=decided.section, line=decided.line, state=decided.state, guide=decided.guide)


def _covered(entry: RuleEntry, in_code: Mapping[str, RuleEntry]) -> RuleEntry:
    """A rule that holds because others do is enforced once all of them are."""
    covered = COVERED_BY.get(entry.id)
    if covered is None or not all(rule in in_code and in_code[rule].state == "enforced" for rule in covered.by):
        return entry
    return replace(entry, state="enforced", guide=f"Held by {', '.join(covered.by)}. {covered.because}")


@cache
def _listed() -> tuple[RuleEntry, ...]:
    asked = {need.id for row in shipped_table().rows.values() for need in row.evidence}
    asked |= {rule for row in shipped_table().rows.values() for rule in row.separation}
    data = files("medgauge_registrar.data").joinpath("rules.yml").read_bytes()
    document = read_document(data, syntax=Syntax.YAML)
    if document.faults:
        raise PolicyError(f"rules.yml: {document.faults[0].message}")
    return tuple(
        RuleEntry(
            id=item["id"],
            section=item["section"],
            line=item["line"],
            state="evidence" if item["id"] in asked else "not yet",
        )
        for item in cast(list[dict[str, Any]], document.value)
    )


def _dedent(text: str) -> str:
    return "\n".join(line.strip() for line in text.strip().splitlines())
