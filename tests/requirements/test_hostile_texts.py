"""Hostile methodology texts: a finding or evidence with its reason, never an exception, and never an approval."""

from datetime import UTC, datetime
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge_registrar.checks import printed_functions, text_classes, text_history
from medgauge_registrar.checks.framework import Context
from medgauge_registrar.model.decision import EvidenceState
from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.policy.settings import Settings
from medgauge_registrar.requirements.announcements import ANNOUNCEMENTS
from medgauge_registrar.requirements.approvals import SeatedRow
from medgauge_registrar.requirements.change_classes import CHANGE_CLASSES
from medgauge_registrar.requirements.evidence import EvidenceView
from medgauge_registrar.requirements.headings import sections
from medgauge_registrar.sandbox.edits import Edit, Workspace
from medgauge_registrar.sandbox.material import TEXT
from medgauge_registrar.starter import starter_files
from support.fuzz import fuzz
from support.situations import LATEST_DAY, situation, step_findings
from support.snapshots import decided, errors, pull

CHECKS = (
    text_classes.understated_change,
    text_classes.schemas_left_behind,
    text_classes.misdated_log_row,
    text_history.rewritten_change_log,
    text_history.lost_methodology_version,
    printed_functions.misprinted_function,
)
STARTER = starter_files()[TEXT].decode()
pieces = st.sampled_from(
    [
        "Version 0.1.0 · 2026-10-29",
        "Version 0.2.0 · 2026-11-29",
        "Version 9.9.9 · 2026-99-99",
        "Cite as: x, version 0.2.0 (2026).",
        "# Appendix D",
        "| Version | Date | Change |",
        "|---|---|---|",
        "| 0.1.0 | 2026-10-29 | Stand-in text for a new registry. |",
        "| 0.2.0 | 2026-11-29 | More. |",
        "| 0.2.0 | |",
        "|",
        "||||||",
        "# Appendix A",
        "## A.1 difficulty-function@0.1.0",
        "| breadth | x | 1–5 → 0 |",
        "class 1 = 0–2; class 2 = 3–4",
        "### 5.4 Rule",
        "Tasks weigh alike.",
        "must never may 3",
        "```",
        "~~~",
        "\x00",
        "\ufeff",
        "---",
        "===",
        "",
        "    code",
        "> quote",
        "<!--",
        "-->",
        "#" * 50,
        "`" * 7,
        "| a" * 40,
    ]
)
hostile = (
    st.lists(pieces, max_size=20).map("\n".join)
    | st.text(max_size=100)
    | st.builds(lambda cut, more: STARTER[:cut] + more + STARTER[cut:], st.integers(0, len(STARTER)), pieces)
)


def replaced(text: str | bytes | None) -> Edit:
    """Another text, or none."""

    def edit(workspace: Workspace) -> None:
        if text is None:
            del workspace.files[TEXT]
        else:
            workspace.files[TEXT] = text.encode() if isinstance(text, str) else text

    return edit


def look(base: Edit, head: Edit) -> None:
    """Run every check and every provider that reads the text."""
    found = situation(head, base=[base])
    context = Context(registry=found.head, settings=Settings(), latest_day=LATEST_DAY)
    list(text_classes.overdue_review.run(context))
    for check in CHECKS:
        step_findings(check, head, base=[base])
    view = EvidenceView(
        pull=pull(),
        base=found.base,
        head=found.head,
        changes=found.classified,
        own=found.classified,
        settings=Settings(),
        ledger=Ledger(),
        seated=SeatedRow(id="M8", seats=(), separation=(), holders=()),
        now=datetime(2026, 11, 29, tzinfo=UTC),
    )
    for provider in (*ANNOUNCEMENTS.values(), *CHANGE_CLASSES.values()):
        answer = provider(view)
        assert answer.state in EvidenceState
        assert answer.message


@fuzz(1_000, usual=40)
@given(hostile, hostile)
def test_any_text_is_judged(before: str, after: str) -> None:
    """Whatever stands before and after, every check and every piece of evidence has an answer."""
    look(replaced(before), replaced(after))


@pytest.mark.parametrize(
    "text",
    [
        None,
        b"",
        b"\xff\xfe",
        "# No version, no log\n",
        "Version 0.2.0 · 2026-11-29\n",
        STARTER.replace("Version 0.1.0", "Version 0.2.0"),
        STARTER.replace("Stand-in text for a new registry. |", "Other words. |"),
        STARTER.replace("# Appendix D", "# Appendix E"),
        STARTER + "| 0.2.0 | 2026-11-29 | " + "a | b " * 10_000 + "|\n",
        STARTER + "word " * 200_000,
        STARTER + "#" + " " * 100_000 + "#x\n",
    ],
    ids=["gone", "empty", "bytes", "bare", "title", "bump", "edited", "log-gone", "wide-row", "huge", "heading"],
)
def test_hostile_changes_of_the_starter_text(text: str | bytes | None) -> None:
    """No such change passes: there is an error, or something that only the author can add is missing."""
    look(replaced(STARTER), replaced(text))
    found = decided(replaced(text), by=("maintainer", "second maintainer"))
    lacking = [
        item.id
        for row in found.rows
        for item in row.evidence
        if item.by_author and item.state in {EvidenceState.MISSING, EvidenceState.FAILED}
    ]
    assert errors(found) or lacking
    assert found.state.value == "blocked"


@pytest.mark.parametrize("line", ["# " + " #" * 50_000 + "x", "#" + " " * 100_000 + "x", "# " + "#" * 100_000])
def test_a_long_heading_line_of_a_request_is_read_at_once(line: str) -> None:
    """A line of blanks and marks takes no longer than its length."""
    began = monotonic()
    assert len(sections(f"{line}\nWords.\n")) == 1
    assert monotonic() - began < 2
