"""Texts that would bring what is missing: shown ready to be pasted, and no part of the decision document."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from medgauge_registrar.model.decision import Decision, Evidence, EvidenceState, RowState, State, Suggestion
from medgauge_registrar.report.comment import render_comment
from medgauge_registrar.report.document import decision_json
from medgauge_registrar.report.escape import markdown_fence
from support.decisions import HOSTILE, crowded, decision, row
from support.fuzz import fuzz

NOTICE = Suggestion(
    path="notices/2026-11-29-example.yaml", how="new file", text="id: 2026-11-29-example\nscope: family\n"
)


def suggesting(
    *suggestions: Suggestion,
    state: EvidenceState = EvidenceState.MISSING,
    rule: str = "NCN-01",
    base: Decision | None = None,
) -> Decision:
    """A decision whose evidence suggests these texts."""
    evidence = tuple(
        Evidence(id=rule, state=state, message="no notice", by_author=True, suggestion=one) for one in suggestions
    )
    rows = (row(id="M3", state=RowState.BLOCKED, evidence=evidence),)
    return replace(base or decision(), state=State.BLOCKED, rows=rows)


def test_a_suggestion_is_ready_to_be_pasted() -> None:
    """Path, what to do with it, and the text in a block of code, folded away."""
    comment = render_comment(suggesting(NOTICE))
    assert (
        "<details><summary>Ready to paste (1)</summary>\n\n`notices/2026-11-29-example.yaml`: new file\n\n"
        "```yaml\nid: 2026-11-29-example\nscope: family\n```\n\n</details>" in comment
    )


def test_each_text_is_shown_once() -> None:
    """Two pieces of evidence that one file would bring suggest it once; what is satisfied suggests nothing."""
    assert render_comment(suggesting(NOTICE, NOTICE)).count("```yaml") == 1
    row_of_log = Suggestion(path="methodology/text.md", how="add to the table of Appendix D", text="| 0.1.1 | … |\n")
    assert "Ready to paste (2)" in render_comment(suggesting(NOTICE, row_of_log))
    assert "Ready to paste" not in render_comment(suggesting(NOTICE, state=EvidenceState.SATISFIED))
    assert "Ready to paste" not in render_comment(suggesting())


def test_the_decision_document_has_no_suggestion() -> None:
    """Evidence in the contract is id, state and message."""
    with_one, without = (decision_json(suggesting(one)) for one in (NOTICE, replace(NOTICE, text="other")))
    assert with_one == without
    assert "2026-11-29-example" not in with_one


def test_closed_evidence_suggests_nothing() -> None:
    """What is told of closed material shows no text."""
    assert "Ready to paste" not in render_comment(suggesting(NOTICE, rule="BND-02"))


def test_no_text_is_cut() -> None:
    """A text that does not fit is left out whole, and counted."""
    long = Suggestion(path="a.yaml", how="new file", text="line\n" * 20_000)
    comment = render_comment(suggesting(NOTICE, long), budget_characters=20_000)
    assert len(comment) <= 20_000
    assert "id: 2026-11-29-example" in comment
    assert "**1 more text not shown here**: `registrar draft` writes them." in comment
    assert len(render_comment(suggesting(NOTICE, long, base=crowded()), budget_characters=10_000)) <= 10_000


@pytest.mark.parametrize("text", ["```\n</details>\n@someone #1", "````", "a\n~~~\n`````b", HOSTILE])
def test_hostile_texts_stay_inside_their_block(text: str) -> None:
    """Nothing in a text ends its block, begins a tag or mentions anybody outside of it."""
    comment = render_comment(suggesting(Suggestion(path="a.yaml", how="new file", text=text)))
    tokens = MarkdownIt().parse(comment)
    (block,) = [token for token in tokens if token.type == "fence"]
    assert all("someone" not in token.content for token in tokens if token is not block and token.type != "html_block")


@fuzz(5_000)
@given(st.text())
def test_a_fence_holds_any_text(text: str) -> None:
    """The block that is written is the only one that is read, and holds every line."""
    lines = markdown_fence(text, "yaml")
    tokens = MarkdownIt().parse("\n".join(lines))
    assert [token.type for token in tokens] == ["fence"]
    assert tokens[0].content == "".join(f"{line}\n" for line in lines[1:-1])
