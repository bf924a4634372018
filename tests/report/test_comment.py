"""The comment and the summary: what they say first, what they never say, and how much."""

import re
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from medgauge_registrar.model.decision import (
    Decision,
    Evidence,
    EvidenceState,
    NextStep,
    RowState,
    SetAside,
    SetAsideReview,
    State,
)
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.report.comment import COMMENT_MARKER, render_comment
from medgauge_registrar.report.compose import SMALLEST_BUDGET
from medgauge_registrar.report.summary import render_summary
from support import decisions

PROPERTY = settings(deadline=None, max_examples=40)
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
TEXT = st.text() | st.text(alphabet="`|<>&[]()!*_~$#@:/\\-.0aAghw \n\r\t\u200b\u202e\udc80\u0301☃")
OUR_HTML = re.compile(
    re.escape(COMMENT_MARKER)
    + r"|<details><summary>([0-9]+ more|How the changed paths were read \([0-9]+\))</summary>|</details>"
)
# What GitHub would link, mention or draw in the text of a finished page.
ACTIVE = re.compile(r"@\w|#[0-9]|\bgh-[0-9]|\bcve-[0-9]|\bghsa-\w|[0-9a-f]{7}|://|www\.|:[a-z0-9_+-]+:", re.IGNORECASE)


def tokens(markdown: str) -> list[Token]:
    """Every token of a Markdown text, inline ones included."""
    return [inner for token in MARKDOWN.parse(markdown) for inner in [token, *(token.children or [])]]


BLOCKS = {"heading_open", "list_item_open", "table_open", "tr_open", "td_open", "hr", "html_block"}
PLAIN_BLOCKS = Counter(
    token.type for token in tokens(render_comment(decisions.hostile("plain"))) if token.type in BLOCKS
)


@PROPERTY
@given(TEXT.filter(bool))
def test_foreign_text_stays_text(text: str) -> None:
    """In any field, foreign text makes no tag, link, image, heading, mention or reference of its own."""
    comment = render_comment(decisions.hostile(text), pull_url=decisions.PULL_URL)
    found = tokens(comment)
    for token in found:
        assert token.type not in {"html_inline", "image", "fence", "code_block", "hardbreak", "softbreak"}
        if token.type == "html_block":
            assert OUR_HTML.fullmatch(token.content.strip())
        if token.type == "text":
            assert not ACTIVE.search(token.content)
        if token.type == "link_open":
            assert str(token.attrs["href"]).startswith(f"{decisions.PULL_URL}/files#diff-")
    assert Counter(token.type for token in found if token.type in BLOCKS) == PLAIN_BLOCKS


def test_the_check_for_active_text_can_fail() -> None:
    """The pattern that the property relies on knows the real thing."""
    for text in ("@someone", "see #1", "GH-1", "https://x", "www.x", "deadbeef", ":tada:"):
        assert ACTIVE.search(text)


@pytest.mark.parametrize("name", ["hostile", "blocked", "pending", "crowded"])
def test_marker_comes_first(name: str) -> None:
    """The writer finds its own comment by the first line."""
    assert render_comment(getattr(decisions, name)()).startswith(f"{COMMENT_MARKER}\n\n## ")


def test_summary_has_no_marker() -> None:
    """A summary is never looked for, so it starts with the verdict."""
    assert render_summary(decisions.pending()).startswith("## ⏳ Waiting: ")


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("approved", "✅ Approved: 1 row satisfied"),
        (
            "pending",
            "⏳ Waiting: needs 1 results reviewer, 1 maintainer; evidence missing: CHK-10; undecided: ROLE-04",
        ),
        (
            "blocked",
            "⛔ Blocked: 4 errors in 2 files; failed: SCHEMA-CAP-03; missing from the author: RFC-02; "
            "needs 1 maintainer",
        ),
        ("error", "⚠️ Could not be decided: run again: GitHub answered 502 on the second page of reviews"),
        ("empty", "✅ Approved: merging this changes nothing"),
        ("conflict", "⛔ Blocked: conflict with the base branch; needs 1 maintainer"),
        ("draft", "⏳ Waiting: author → mark the pull request as ready for review"),
        ("objection", "⛔ Blocked: author → answer the requested changes, and ask for another look"),
        ("disputed", "⏳ Waiting: open dispute with 1 vote so far"),
    ],
)
def test_heading_says_what_is_missing(name: str, heading: str) -> None:
    """Ten seconds are enough: the first visible line names the state and what keeps it there."""
    assert render_comment(getattr(decisions, name)()).split("\n")[2] == f"## {heading}"


def test_parts_come_in_order_of_urgency() -> None:
    """Who is next stands before rows, rows before findings, findings before how paths were read."""
    comment = render_comment(replace(decisions.blocked(), set_aside=decisions.pending().set_aside))
    parts = (
        "# ⛔",
        "# What has to happen next",
        "# Decision table",
        "# 4 errors",
        "# 3 reviews",
        "<details>",
        "\n---\n",
    )
    places = [comment.index(part) for part in parts]
    assert places == sorted(places)


def test_reviews_are_set_aside_by_reason_and_number() -> None:
    """Reason, count and review ids; long lists say how many more there are."""
    reviews = tuple(SetAsideReview(review=number, reason=SetAside.NOT_COUNTED) for number in range(1, 14))
    comment = render_comment(replace(decisions.approved(), set_aside=reviews))
    ids = ", ".join(f"`{number}`" for number in range(1, 11))
    assert f"### 13 reviews set aside\n\n- 13 not counted for any seat: {ids} and 3 more\n" in comment


def test_changed_files_are_linked_where_the_pull_request_is_known() -> None:
    """Only files of this pull request have a place in its diff, and without its address nothing is linked."""
    linked = render_comment(decisions.blocked(), pull_url=decisions.PULL_URL)
    assert linked.count("[changes](") == 2
    assert "](" not in render_comment(decisions.blocked())


@pytest.mark.parametrize("url", ["javascript:x", "https://x.example/a/b/pull/1)", "https://x.example/a/b/issues/1", ""])
def test_odd_address_is_refused(url: str) -> None:
    """An address that could break out of a link never gets into one."""
    with pytest.raises(ValueError, match="is no address of a pull request; expected https"):
        render_comment(decisions.approved(), pull_url=url)


@pytest.mark.parametrize("budget", [SMALLEST_BUDGET, 20_000, 60_000])
@pytest.mark.parametrize("name", ["crowded", "hostile", "blocked"])
def test_budget_holds(name: str, budget: int) -> None:
    """The comment fits, and verdict, next steps, rows and footer are all there."""
    decision = getattr(decisions, name)()
    comment = render_comment(decision, pull_url=decisions.PULL_URL, budget_characters=budget)
    assert len(comment) <= budget
    assert comment.count("\n- **") == len(decision.next_steps)
    assert len(re.findall(r"^- [✅⏳⛔] ", comment, re.MULTILINE)) == len(decision.rows)
    assert comment.endswith("tells more about a rule or row\n")
    assert comment.count("<details>") == comment.count("</details>")


@settings(PROPERTY, max_examples=20)
@given(TEXT, st.integers(0, 30), st.integers(0, 30), st.integers(0, 30), st.integers(SMALLEST_BUDGET, 60_000))
def test_budget_holds_whatever_is_in_it(text: str, steps: int, evidence: int, findings: int, budget: int) -> None:
    """Neither the number of parts nor the text in them passes the budget, in characters or in bytes."""
    decision = decisions.hostile(text * 40)
    decision = replace(
        decision,
        next_steps=(NextStep(who="author", do=text * 40),) * steps,
        rows=(replace(decision.rows[0], evidence=decision.rows[0].evidence[:1] * evidence),),
        findings=decision.findings * findings,
        changes=decision.changes * findings,
    )
    assert len(render_comment(decision, budget_characters=budget)) <= budget
    assert len(render_summary(decision, budget_bytes=budget).encode()) <= budget


def test_texts_are_cut_before_rows_are() -> None:
    """When steps and evidence alone would fill the budget, every one is still there, with a shorter text."""
    missing = tuple(
        Evidence(id=f"GATE-{number:02}", state=EvidenceState.MISSING, message="m" * 5_000) for number in range(1, 41)
    )
    row = decisions.row(state=RowState.PENDING, evidence=missing)
    decision = replace(decisions.pending(), rows=(row,), findings=(decisions.finding(severity=Severity.NOTICE),))
    comment = render_comment(decision, budget_characters=SMALLEST_BUDGET)
    assert len(comment) <= SMALLEST_BUDGET
    assert all(f"`GATE-{number:02}`: mmm" in comment for number in range(1, 41))
    assert "more characters)" in comment
    assert "`0.1.0.yaml:12:11` notice" in comment


BLANK_LINES = 2  # at the end of the part that is cut


def test_rows_over_the_budget_end_with_a_count() -> None:
    """Thousands of rows cannot be shown; the comment says how many lines it lacks."""
    comment = render_comment(replace(decisions.blocked(), rows=(decisions.row(),) * 1_000), budget_characters=20_000)
    assert len(comment) <= 20_000
    left_out = re.search(r"\*\*([0-9]+) lines left out here\*\*: the report would be too long\.", comment)
    assert left_out is not None
    shown = re.findall(r"^(?:- ✅|  - seats:|  - satisfied) ", comment.split("### Decision table")[1], re.MULTILINE)
    assert len(shown) + int(left_out[1]) == 3_000 + BLANK_LINES


def test_smallest_budget() -> None:
    """A budget that leaves no room for the verdict is a fault of the caller."""
    with pytest.raises(ValueError, match="a budget of 9999 is too small for a report; expected at least 10000"):
        render_comment(decisions.approved(), budget_characters=SMALLEST_BUDGET - 1)


def test_findings_over_the_budget_are_counted_and_errors_are_kept() -> None:
    """All shown and all left out make the whole, and the only error is in plain sight, though last in file order."""
    comment = render_comment(decisions.crowded())
    shown = len(re.findall(r"^- `.*` (?:error|warning) `ID-06`", comment, re.MULTILINE))
    left_out = re.search(r"\*\*([0-9]+) more not shown here\*\* \(\1 warnings\)", comment)
    assert left_out is not None
    assert shown + int(left_out[1]) == 500
    assert "error `ID-06`" in comment.split("<details>")[0]
    paths = re.search(r"\*\*([0-9]+) more paths not shown here\.\*\*", comment)
    assert paths is not None
    assert comment.count(" | dataset card: new | ") + int(paths[1]) == 300


@pytest.mark.parametrize(
    ("errors", "notices", "folded"),
    [(5, 5, None), (11, 0, "1 more"), (2, 9, "9 more"), (0, 11, "1 more"), (12, 3, "5 more")],
)
def test_few_findings_are_in_plain_sight(errors: int, notices: int, folded: str | None) -> None:
    """Up to ten findings are open; of more, up to ten of the gravest severity are, and the rest is folded."""
    severities = [Severity.NOTICE] * notices + [Severity.ERROR] * errors
    many = tuple(decisions.finding(line=line, severity=one) for line, one in enumerate(severities, 1))
    comment = render_comment(replace(decisions.blocked(), findings=many, changes=()))
    assert re.findall(r"<summary>(.*)</summary>", comment) == ([folded] if folded else [])
    assert len(re.findall(r"^- `", comment, re.MULTILINE)) == len(many)


def test_summary_has_room_for_all() -> None:
    """What the comment cuts stands in the summary of the run."""
    summary = render_summary(decisions.crowded())
    assert len(summary.encode()) < 1024 * 1024
    assert "not shown here" not in summary
    assert summary.count("`ID-06`: ") == 500


def test_summary_stays_under_one_mebibyte() -> None:
    """GitHub would drop a longer summary whole."""
    many = tuple(decisions.finding(message="☃" * 600, line=number) for number in range(1, 2_000))
    summary = render_summary(replace(decisions.blocked(), findings=many))
    assert 900_000 < len(summary.encode()) < 1024 * 1024
    assert "more not shown here" in summary


def test_satisfied_rules_are_named_in_ranges() -> None:
    """Thirteen gates are one range; the message of what is satisfied is not repeated."""
    gates = tuple(
        Evidence(id=f"GATE-{number:02}", state=EvidenceState.SATISFIED, message="recorded") for number in range(1, 14)
    )
    comment = render_comment(replace(decisions.approved(), rows=(decisions.row(evidence=gates),)))
    assert "satisfied `GATE-01…GATE-13` `DEC-15`" in comment
    assert "recorded" not in comment


@pytest.mark.parametrize("render", [render_comment, render_summary])
def test_time_without_zone_is_refused(render: Any) -> None:
    """A moment that cannot be known is not printed as if it were."""
    decision: Decision = decisions.approved()
    with pytest.raises(ValueError, match="has no time zone"):
        render(replace(decision, decided_at=decision.decided_at.replace(tzinfo=None)))


def test_states_without_steps_still_say_something() -> None:
    """A decision that lacks next steps is a fault elsewhere; the comment stays readable."""
    for state in State:
        bare = replace(decisions.approved(), state=state, rows=(decisions.row(),))
        heading = render_comment(bare).split("\n")[2]
        assert re.fullmatch(r"## \S+ [A-Z][a-z ]+: \S.*", heading)
