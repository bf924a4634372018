"""Classes of a family whose components are on record, and what a change of its versions means for texts that state them."""

import pytest

from medgauge_registrar.checks import content_classes
from medgauge_registrar.checks.files import file_findings, read_file
from medgauge_registrar.checks.framework import Context
from medgauge_registrar.checks.run import check_reached
from medgauge_registrar.policy.settings import Settings
from medgauge_registrar.sandbox.edits import Edit, drop, put, swap
from support.situations import LATEST_DAY, situation

ARTICLE = "articles/2026-11-20-example.md"
VERSIONS = "registry/benchmarks/bm-example-handover/versions"
DRAFT = f"{VERSIONS}/0.3.0.yaml"
AUDIT = "registry/benchmarks/bm-clinical-temporal-audit/versions/0.1.0.yaml"
HEAD = "---\ndate: 2026-11-20\ntitle: An example\n---\n\n"


def article(words: str) -> Edit:
    """An article that says something."""
    return put(ARTICLE, f"{HEAD}{words}\n")


def found_in(*edits: Edit) -> list[str]:
    """What the rule finds in the article, as messages."""
    head = situation(*edits).head
    file = read_file(head, ARTICLE)
    assert file is not None
    context = Context(registry=head, settings=Settings(), latest_day=LATEST_DAY)
    return [one.message for one in file_findings(file, context, None, [content_classes.class_without_components])]


@pytest.mark.parametrize(
    "words",
    [
        "The tasks of bm-example-handover are of class 2.",
        "The tasks of bm-example-handover@0.2.0 are of class 2 and 3.",
    ],
)
def test_recorded_components_allow_a_class(words: str) -> None:
    """A version of the family, or the one that is named, has its components on record."""
    assert found_in(article(words)) == []


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("The tasks of bm-example-handover@0.3.0 are of class 2.", "bm-example-handover@0.3.0"),
        ("The tasks of bm-example-handover@9.0.0 are of class 2.", "bm-example-handover@9.0.0"),
        ("The tasks of bm-clinical-temporal-audit are of class 4.", "bm-clinical-temporal-audit"),
    ],
)
def test_a_version_without_components_has_no_class(words: str, named: str) -> None:
    """The version that is named lacks them, or every version of the family does."""
    (message,) = found_in(article(words))
    assert f"of `{named}`" in message


def test_broken_version_is_told_by_its_own_rule() -> None:
    """Of a version that breaks its schema nothing is said here."""
    words = article("The tasks of bm-clinical-temporal-audit are of class 4.")
    assert found_in(words, swap(AUDIT, "components_recorded: false", "components_recorded: perhaps")) == []


@pytest.mark.parametrize(
    ("words", "edit"),
    [
        ("bm-example-handover@0.1.0 has tasks of class 2.", drop(f"{VERSIONS}/0.1.0.yaml")),
        (
            "bm-clinical-temporal-audit@0.1.0 has tasks of class 2.",
            swap(AUDIT, "components_recorded: true", "components_recorded: false"),
        ),
    ],
)
def test_change_of_a_version_is_held_against_the_texts(words: str, edit: Edit) -> None:
    """An article that stays is looked at again where a version no longer has its components on record."""
    base = (article(words), swap(AUDIT, "components_recorded: false", "components_recorded: true"))
    step = situation(edit, base=base)
    context = Context(registry=step.head, settings=Settings(), latest_day=LATEST_DAY)
    found = [one for one in check_reached(context, step.base, step.changes) if one.rule == "RED-03"]
    assert [one.path for one in found] == [ARTICLE]
