"""What people who gave commands are told beside a reaction."""

from typing import Any

from medgauge_registrar.model.answer import CommandAnswer
from medgauge_registrar.model.roster import Role
from medgauge_registrar.report.answers import answer_lines
from medgauge_registrar.report.comment import render_comment, timeless
from support.decisions import approved

URL = "https://github.example/example-organisation/registry/pull/7"


def answer(command: str = "vote", **fields: Any) -> CommandAnswer:
    return CommandAnswer(**{"comment": 5, "command": command, "accepted": False, "why": "not counted", **fields})


def test_a_refusal_says_why_and_for_which_role_it_would_count() -> None:
    """With a link to the comment, and nobody's name."""
    (line,) = answer_lines([answer(role=Role.RESULTS_REVIEWER)], {}, URL)
    assert line == f"- `/vote` ([comment]({URL}#issuecomment-5)): not counted; it takes the role results reviewer"


def test_what_counts_needs_no_words() -> None:
    """The reaction says it."""
    assert answer_lines([answer("recheck", accepted=True)], {}, URL) == []


def test_an_explanation_is_shown_as_it_is() -> None:
    """In a fence that nothing inside can end."""
    asked = answer("explain", accepted=True, subject="ID-06")
    lines = answer_lines([asked], {"ID-06": "ID-06\n\n```\n@example-team"}, None)
    assert lines == ["- `/explain`:", "  ````", "  ID-06", "  ", "  ```", "  @example-team", "  ````"]


def test_an_unknown_subject_is_told_so_without_harm() -> None:
    """Whatever it is made of."""
    (line,) = answer_lines([answer("explain", accepted=True, subject="`@all<script>" + "x" * 90)], {}, None)
    assert "there is no rule or row" in line
    assert "`@all" not in line
    assert len(line) < 200


def test_only_the_latest_are_told() -> None:
    """A storm of commands leaves room for the decision."""
    lines = answer_lines([answer(comment=number) for number in range(100)], {}, URL)
    assert len(lines) == 10
    assert lines[-1].startswith(f"- `/vote` ([comment]({URL}#issuecomment-99))")


def test_answers_stand_in_the_comment_and_never_push_the_decision_out() -> None:
    """They are cut first."""
    body = render_comment(approved(), answers=["- `/vote`: no"])
    assert "### Answers to commands\n\n- `/vote`: no" in body
    long = render_comment(approved(), budget_characters=10_000, answers=["x" * 200] * 50)
    assert len(long) <= 10_000
    assert "left out here" in long
    assert "### Answers" not in render_comment(approved())


def test_the_time_of_a_decision_is_nothing_new() -> None:
    """Nor are line ends and blanks that GitHub changes."""
    body = render_comment(approved())
    again = body.replace("decided at `2026", "decided at `2027").replace("\n", "\r\n").rstrip()
    assert again != body
    assert timeless(again) == timeless(body)
    assert timeless(body) != timeless(body.replace("Approved", "Blocked"))
