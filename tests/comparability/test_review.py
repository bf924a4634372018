"""When a review of the methodology is due."""

from datetime import date

import pytest

from medgauge_registrar.checks import text_classes
from medgauge_registrar.comparability.review import months_later, review_reasons
from medgauge_registrar.model.finding import Severity
from support.cases import Edit, fails, passes
from support.registries import (
    RESULT,
    ROUND,
    TEXT,
    TODAY,
    Files,
    base_registry,
    context_of,
    edited,
    methodology_text,
    registry_of,
    run_check,
    without,
)

REPORT = ROUND.replace("protocol.yaml", "report.md")


def log_of(*days: str) -> Edit:
    """A text whose log has rows of these days."""
    rows = [("0.1.0", day, "A row.") for day in days]
    return lambda files: {**files, TEXT: methodology_text(rows=rows)}


def reported(day: str) -> Edit:
    """A reported round whose result is of a day."""
    return lambda files: edited({**files, REPORT: "# Report\n"}, RESULT, {"/date": day})


def reasons(files: Files, today: date = TODAY) -> tuple[str, ...]:
    """Why a review is due."""
    return review_reasons(registry_of(files), months=12, today=today)


@pytest.mark.parametrize(
    ("day", "months", "later"),
    [
        ("2026-10-29", 12, "2027-10-29"),
        ("2026-11-30", 3, "2027-02-28"),
        ("2027-11-30", 3, "2028-02-29"),
        ("2026-12-31", 1, "2027-01-31"),
        ("2026-01-15", 24, "2028-01-15"),
    ],
)
def test_months_later(day: str, months: int, later: str) -> None:
    """The same day of a later month, or its last."""
    assert months_later(date.fromisoformat(day), months).isoformat() == later


@pytest.mark.parametrize(
    "edit",
    [
        passes("CHG-09", "a month after the last row", log_of("2026-10-29")),
        passes("CHG-09", "rows in the other order", log_of("2026-11-01", "2024-10-29")),
        passes("CHG-09", "a report from before the last row", lambda f: reported("2026-10-28")(log_of("2026-10-29")(f))),
        passes("CHG-09", "a round without a report", lambda f: edited(f, RESULT, {"/date": "2026-11-28"})),
    ],
)  # fmt: skip
def test_no_review_is_due(edit: Edit) -> None:
    """Within the period, and after a review that is newer than every reported round, nothing is due."""
    files = edit(base_registry())
    assert reasons(files) == ()
    assert run_check(text_classes.overdue_review, files) == []


@pytest.mark.parametrize(
    ("rule", "edit", "words"),
    [
        fails("CHG-09", "a year later", log_of("2025-11-28"), "due by `2026-11-28`"),
        fails(
            "CHG-09", "a reported round", lambda f: reported("2026-11-20")(log_of("2026-11-19")(f)), "`example-round-1`"
        ),
        fails("CHG-09", "no row with a day", log_of("soon"), "no row with a day"),
        fails("CHG-09", "no text", lambda f: without(f, TEXT), "no row with a day"),
    ],
)
def test_a_review_is_due(rule: str, edit: Edit, words: str) -> None:
    """A period that is over, or a reported holdout round, is told and blocks nothing."""
    files = edit(base_registry())
    assert any(words in reason for reason in reasons(files))
    (found,) = run_check(text_classes.overdue_review, files)
    assert (found.rule, found.severity, found.path) == (rule, Severity.NOTICE, TEXT)


def test_the_period_is_a_setting() -> None:
    """The registry says how many months may pass."""
    from medgauge_registrar.policy.settings import Settings

    context = context_of(base_registry(), settings=Settings(review_months=1))
    assert run_check(text_classes.overdue_review, base_registry(), context=context)
