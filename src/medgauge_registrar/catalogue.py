"""Every rule there is: what it asks, where it comes from, and whether this version enforces it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from textwrap import indent
from typing import Any, cast

from medgauge_registrar.checks.catalogue import CHECKS, COVERED_BY, SCHEMA_RULES
from medgauge_registrar.data import FOLDER
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.policy.load import shipped_table
from medgauge_registrar.policy.table import TableRow
from medgauge_registrar.registry.reader import Syntax, read_document
from medgauge_registrar.requirements.catalogue import DECISION_RULES
from medgauge_registrar.words import sections

GROUPS = {
    "A. The decision table": {"DEC"},
    "B. Roles and separation": {"ROLE"},
    "C. Identifiers, versions, entries and life cycle": {"ID", "VER", "ENT", "IMM"},
    "D. Fields of the records": {"SCHEMA"},
    "E. Recomputation": {"RESULT"},
    "F. What is never said or shown": {"RED", "BND", "BLD", "CLM", "NEV"},
    "G. Notices and change classes": {"NCN", "CHG"},
    "H. Requests for comment, disputes, checklist and gates": {"RFC", "DISP", "CHK", "GATE"},
}
_LABEL = lazy_pattern(r"\s*(?:Passes|Fails|Approvals|Evidence|Separation|Changes|How to mend): ")
STATES = {
    "enforced": "a breach blocks the merge",
    "evidence": "a row of the decision table asks for it; it cannot be decided yet, so the row stays pending",
    "informs": "it is told, and never blocks",
    "outside": "no input of the gate can decide it; `registrar explain` says why",
    "not yet": "nothing in this version looks at it",
}


@frozen
class RuleEntry:
    """
    One rule.

    Attributes:
        id: Rule id.
        section: Sections it rests on.
        line: What it asks, in one sentence.
        state: `enforced`, `evidence`, `informs`, `outside` or `not yet`.
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
    What a rule or a row of the decision table asks, why, how to mend a breach, and examples.

    Raises:
        PolicyError: There is no such rule or row.
    """
    wanted = name.strip().casefold()
    for row in shipped_table().rows.values():
        if row.id.casefold() == wanted:
            return f"{row.id}: {row.title} ({sections(row.section)}, basis {row.basis})\n\n" + indent(
                row_guide(row), "  "
            )
    for entry in entries():
        if entry.id.casefold() == wanted:
            body = f"\n\n{indent(entry.guide, '  ')}" if entry.guide else ""
            return f"{entry.id} ({entry.state}; {sections(entry.section)})\n\n  {entry.line}{body}"
    raise PolicyError(f"there is no rule or row `{name.strip()}`; `registrar rules` lists all")


def rules_page() -> str:
    """The page of all rules, `docs/rules.md`."""
    counts = {state: sum(entry.state == state for entry in entries()) for state in STATES}
    blocks = [
        "# Rules",
        "Generated from the checks and from `data/`; `registrar explain ID` shows one of them. Each has a state:",
        "| State | Rules | Meaning |\n|---|---|---|\n"
        + "\n".join(f"| {state} | {count} | {STATES[state]} |" for state, count in counts.items() if count),
    ]
    for title, prefixes in GROUPS.items():
        blocks.append(f"## {title}")
        for entry in entries():
            if entry.id.rpartition("-")[0].partition("-")[0] in prefixes:
                blocks += [f"### {entry.id}", f"{_plain(entry.line)} ({entry.state}; {sections(entry.section)})"]
                blocks += _paragraphs(entry.guide)
    return "\n\n".join(blocks) + "\n"


def rows_page() -> str:
    """The page of the decision table, `docs/rows.md`."""
    blocks = [
        "# Rows of the decision table",
        "Generated from `data/policy.yml`; `registrar explain M5` shows one of them. Every row that a change triggers has to be"
        " satisfied, and counts are not added across rows.",
    ]
    for row in shipped_table().rows.values():
        blocks += [f"## {row.id}: {row.title}", f"{sections(row.section).capitalize()}, basis {row.basis}."]
        blocks += _paragraphs(row_guide(row))
    return "\n\n".join(blocks) + "\n"


def _paragraphs(guide: str) -> list[str]:
    """A guide as Markdown: prose is flowed, labelled lines become a list."""
    blocks: list[str] = []
    for paragraph in filter(None, guide.split("\n\n")):
        prose: list[str] = []
        labelled: list[str] = []
        for line in paragraph.split("\n"):
            if _LABEL.match(line):
                labelled.append(line.strip())
            elif labelled:
                labelled[-1] += f" {line.strip()}"
            else:
                prose.append(line.strip())
        blocks += [_plain(" ".join(prose))] if prose else []
        blocks += ["\n".join(f"- {_plain(line)}" for line in labelled)] if labelled else []
    return blocks


def _plain(text: str) -> str:
    """Our own words in Markdown; only a sign that would begin a tag is in the way."""
    return text.replace("<", "&lt;")


def row_guide(row: TableRow) -> str:
    """What a row of the decision table asks for, why, how to meet it, and examples."""
    guide = _guides()[row.id]
    seats = [*row.seats, *(f"{extra.role} (for {', '.join(sorted(extra.facets))})" for extra in row.extra_seats)]
    evidence = [
        f"{need.id}{f' (for {words})' if (words := ', '.join(sorted(need.facets))) else ''}" for need in row.evidence
    ]
    lines = [
        row.because,
        "",
        f"Approvals: {', '.join(seats) or 'none'}{' (refused whatever comes)' if row.refused else ''}",
        f"Evidence: {', '.join(evidence) or 'none'}",
        f"Separation: {', '.join(row.separation) or 'none'}",
        f"Changes: {'; '.join(_triggers(row))}",
        "",
        f"How to mend: {guide['mend']}",
        f"Passes: {guide['passes']}",
        f"Fails: {guide['fails']}",
    ]
    return "\n".join(lines)


def _triggers(row: TableRow) -> Iterator[str]:
    for trigger in row.triggers:
        facet = f", {trigger.facet}" if trigger.facet is not None else ""
        yield f"{trigger.kind} ({', '.join(sorted(trigger.transitions))}{facet})"


def _in_code() -> Iterator[RuleEntry]:
    for check in CHECKS:
        first, _, rest = (check.run.__doc__ or "").strip().partition("\n")
        yield RuleEntry(
            id=check.rule,
            section=check.section,
            line=first,
            state=check.state,
            guide=_guided(check.rule, examples=_dedent(rest)),
        )
    for rule, by_schema in SCHEMA_RULES.items():
        guide = (
            f"Held by `schemas/{by_schema.schema}.schema.json`; a breach is reported as ENT-02 with the place. Mend the field that"
            " is named; its description in the schema says what it may hold."
        )
        yield RuleEntry(
            id=rule, section=by_schema.section, line=by_schema.line, state="enforced", guide=_guided(rule, guide)
        )
    for rule, decided in DECISION_RULES.items():
        yield RuleEntry(
            id=rule,
            section=decided.section,
            line=decided.line,
            state=decided.state,
            guide=_guided(rule, examples=decided.guide),
        )


def _covered(entry: RuleEntry, in_code: Mapping[str, RuleEntry]) -> RuleEntry:
    """A rule that holds because others do is enforced once all of them are."""
    covered = COVERED_BY.get(entry.id)
    if covered is None or not all(rule in in_code and in_code[rule].state == "enforced" for rule in covered.by):
        return entry
    guide = f"Held by {', '.join(covered.by)}. {covered.because} What has to be mended is told under their names."
    return replace(entry, state="enforced", guide=_guided(entry.id, guide))


def _guided(rule: str, why: str = "", examples: str = "") -> str:
    """A guide with what `data/guides.yml` adds to it."""
    own = _guides().get(rule, {})
    words = " ".join(filter(None, [why, own.get("mend", "")]))
    told = [f"{name.capitalize()}: {own[name]}" for name in ("passes", "fails") if name in own]
    return "\n".join(filter(None, [words, examples, *told]))


@cache
def _guides() -> Mapping[str, Mapping[str, str]]:
    return {item["id"]: item for item in _data("guides.yml")}


@cache
def _listed() -> tuple[RuleEntry, ...]:
    asked = {need.id for row in shipped_table().rows.values() for need in row.evidence}
    asked |= {rule for row in shipped_table().rows.values() for rule in row.separation}
    return tuple(
        RuleEntry(
            id=item["id"],
            section=item["section"],
            line=item["line"],
            state="evidence" if item["id"] in asked else "not yet",
        )
        for item in _data("rules.yml")
    )


def _data(name: str) -> list[dict[str, Any]]:
    document = read_document((FOLDER / name).read_bytes(), syntax=Syntax.YAML)
    if document.faults:
        raise PolicyError(f"{name}: {document.faults[0].message}")
    return cast(list[dict[str, Any]], document.value)


def _dedent(text: str) -> str:
    return "\n".join(line.strip() for line in text.strip().splitlines())
