"""Rules of redirects: a retired card, in the order of the days."""

import pytest

from medgauge_registrar.checks import redirects
from medgauge_registrar.model.finding import Severity
from support.cases import Edit, as_is, fails, passes
from support.registries import CARD, REDIRECTS, base_registry, edited, run_check, written


def entries(*pairs: tuple[str, str, str]) -> Edit:
    """Set the list of redirects."""
    listed = [{"old": old, "new": new, "date": day} for old, new, day in pairs]
    return lambda files: {**files, REDIRECTS: written({"redirects": listed})}


def status(value: str) -> Edit:
    """Redirect the family to another, with its card in a state."""
    renamed = entries(("bm-example-audit", "bm-example-check", "2026-11-20"))
    return lambda files: edited(renamed(files), CARD, {"/status": value})


@pytest.mark.parametrize(
    "edit",
    [
        passes("SCHEMA-REDIR-01", "no redirects", as_is),
        passes("SCHEMA-REDIR-01", "from a retired card", status("retired")),
        passes(
            "SCHEMA-REDIR-01", "from a card that is not there, which is ID-06", entries(("bm-a", "bm-b", "2026-11-20"))
        ),
        passes("SCHEMA-REDIR-01", "in order", entries(("bm-a", "bm-c", "2026-11-20"), ("bm-b", "bm-c", "2026-11-20"))),
    ],
)
def test_redirect_is_let_pass(edit: Edit) -> None:
    """What keeps the rule gives no finding."""
    assert run_check(redirects.redirect_from_living_card, edit(base_registry()), REDIRECTS) == []


@pytest.mark.parametrize(
    ("rule", "edit", "pointer", "words"),
    [
        fails("SCHEMA-REDIR-01", "from a card in use", status("active"), "/redirects/0/old", "the status `active`"),
        fails("SCHEMA-REDIR-01", "from a draft", status("draft"), "/redirects/0/old", "the status `draft`"),
        fails(
            "SCHEMA-REDIR-01",
            "ahead of today",
            entries(("bm-a", "bm-b", "2026-11-30")),
            "/redirects/0/date",
            "begun nowhere on Earth",
        ),
        fails(
            "SCHEMA-REDIR-01",
            "out of order",
            entries(("bm-a", "bm-c", "2026-11-20"), ("bm-b", "bm-c", "2026-11-19")),
            "/redirects/1/date",
            "`2026-11-19`, after an entry of `2026-11-20`",
        ),
    ],
)
def test_redirect_is_refused(rule: str, edit: Edit, pointer: str, words: str) -> None:
    """What breaks the rule gives one finding at its place."""
    (found,) = run_check(redirects.redirect_from_living_card, edit(base_registry()), REDIRECTS)
    assert (found.rule, found.severity, found.path, found.pointer) == (rule, Severity.ERROR, REDIRECTS, pointer)
    assert words in found.message


def test_broken_card_is_left_to_its_own_error() -> None:
    """Where the old card is broken, the list is told nothing of it."""
    files = {**status("active")(base_registry()), CARD: "{}"}
    assert run_check(redirects.redirect_from_living_card, files, REDIRECTS) == []
