"""Changes of the text beside the version their author gave them, and rows of its change log."""

import pytest

from medgauge_registrar.checks import printed_functions, text_classes
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.sandbox.cases_changes import NEW_FIELD, NEW_FUNCTION, RULE, WORDING, raised
from medgauge_registrar.sandbox.edits import Edit, Workspace, append, drop, put, swap
from medgauge_registrar.sandbox.material import TEXT, TODAY
from support.cases import fails, passes
from support.situations import step_findings

Edits = tuple[Edit, ...]
NUMBER = swap(TEXT, "Seven conditions make", "Eight conditions make")


def row(text: str) -> Edit:
    """One more row of the change log, at its end."""
    return append(TEXT, f"{text}\n")


# CHG-06 --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "edits",
    [
        passes("CHG-06", "wording as a patch", (WORDING, raised("0.1.1", "Words."))),
        passes("CHG-06", "wording as a minor version", (WORDING, raised("0.2.0", "Words."))),
        passes("CHG-06", "a number as a minor version", (NUMBER, raised("0.2.0", "Eight."))),
        passes("CHG-06", "a rule as a minor version", (RULE, raised("0.2.0", "Rule."))),
        passes("CHG-06", "a rule as a major version", (RULE, raised("1.0.0", "Rule."))),
        passes("CHG-06", "a row of a review", (row(f"| 0.1.0 | {TODAY} | Reviewed. |"),)),
        passes("CHG-06", "a new version alone", (raised("0.1.1", "Schemas."),)),
        passes("CHG-06", "another file", (swap("charter.md", "Version", "Vers"),)),
    ],
)
def test_version_step_is_long_enough(edits: Edits) -> None:
    """The computed class is told where there is one, and blocks nothing."""
    found = step_findings(text_classes.understated_change, *edits)
    assert all(one.severity is Severity.NOTICE and "computed class" in one.message for one in found)


@pytest.mark.parametrize(
    ("rule", "edits", "words", "line"),
    [
        fails("CHG-06", "wording under the old version", (WORDING,), "class: patch; declared: none", 3),
        fails("CHG-06", "a number under the old version", (NUMBER,), "`0.2.0`", 183),
        fails("CHG-06", "a number as a patch", (NUMBER, raised("0.1.1", "Eight.")), "number `eight` is new", 183),
        fails("CHG-06", "a rule as a patch", (RULE, raised("0.1.1", "Rule.")), "class: non-comparable", 69),
        fails("CHG-06", "a lowered version", (WORDING, raised("0.0.9", "Back.")), "declared: lowered", 3),
    ],
)
def test_version_step_is_too_short(rule: str, edits: Edits, words: str, line: int) -> None:
    """Both classes are named with the reasons, and the least version that would do."""
    (found,) = step_findings(text_classes.understated_change, *edits)
    assert (found.rule, found.severity, found.path, found.line) == (rule, Severity.ERROR, TEXT, line)
    assert words in found.message
    assert "expected at least" in found.message


def test_from_one_on_a_rule_takes_a_major_version() -> None:
    """What breaks comparison raises the major version once there is one."""
    base = (raised("1.0.0", "Stable."),)
    minor = (RULE, swap(TEXT, "Version 1.0.0", "Version 1.1.0"))
    assert step_findings(text_classes.understated_change, *minor, base=base)[0].severity is Severity.ERROR
    major = (RULE, swap(TEXT, "Version 1.0.0", "Version 2.0.0"))
    assert step_findings(text_classes.understated_change, *major, base=base)[0].severity is Severity.NOTICE


@pytest.mark.parametrize(
    "edit", [put(TEXT, ""), put(TEXT, "# A\n"), drop(TEXT), swap(TEXT, "Version 0.1.0 ·", "Version ·")]
)
def test_a_text_without_version_says_nothing_here(edit: Edit) -> None:
    """Where no version can be read, VER-07 says so and nothing is computed."""
    assert step_findings(text_classes.understated_change, edit) == []


# CHG-10 --------------------------------------------------------------------------------------------------------------

SIXTEEN = swap(TEXT, "Five facts on each entry", "Six facts on each entry")
OTHER_SCHEMA = swap("schemas/benchmark-card.schema.json", '"title": "Benchmark card"', '"title": "Card"')


@pytest.mark.parametrize(
    "edits",
    [
        passes("CHG-10", "with a schema of the section", (SIXTEEN, OTHER_SCHEMA)),
        passes("CHG-10", "wording alone", (WORDING,)),
        passes("CHG-10", "a section of no schema", (swap(TEXT, "## 35. Non-claims\n", "## 35. Non-claims\n\n77.\n"),)),
    ],
)
def test_schemas_keep_up(edits: Edits) -> None:
    """A schema that rests on the section changes with it, or there is none."""
    assert step_findings(text_classes.schemas_left_behind, *edits) == []


@pytest.mark.parametrize(
    ("rule", "edits"),
    [
        fails("CHG-10", "no schema", (SIXTEEN,)),
        fails("CHG-10", "their addresses alone", (SIXTEEN, raised("0.2.0", "Six."))),
    ],
)
def test_schemas_are_left_behind(rule: str, edits: Edits) -> None:
    """The schemas that rest on the section are named, and nothing is blocked."""
    (found,) = step_findings(text_classes.schemas_left_behind, *edits)
    assert (found.rule, found.severity) == (rule, Severity.NOTICE)
    assert "section 16" in found.message
    assert "`benchmark-card.schema.json`" in found.message


# CHG-11 --------------------------------------------------------------------------------------------------------------


def before_first(text: str) -> Edit:
    """One more row of the change log, at its top."""
    return swap(TEXT, "|---|---|---|\n| 0.1.0 | 2026-10-29", f"|---|---|---|\n{text}\n| 0.1.0 | 2026-10-29")


@pytest.mark.parametrize(
    "edits",
    [
        passes("CHG-11", "today", (row(f"| 0.1.0 | {TODAY} | Reviewed. |"),)),
        passes("CHG-11", "the day of the last row", (row("| 0.1.0 | 2026-10-29 | Reviewed. |"),)),
        passes(
            "CHG-11", "two, one after the other", (row("| 0.1.0 | 2026-11-01 | A. |\n| 0.1.0 | 2026-11-02 | B. |"),)
        ),
        passes("CHG-11", "newest first", (before_first("| 0.1.0 | 2026-11-02 | B. |\n| 0.1.0 | 2026-11-01 | A. |"),)),
        passes("CHG-11", "no row", (WORDING,)),
    ],
)
def test_rows_in_the_order_of_their_days(edits: Edits) -> None:
    """A new row is of a day that has come, and no earlier than those before it."""
    assert step_findings(text_classes.misdated_log_row, *edits) == []


@pytest.mark.parametrize(
    ("rule", "edits", "words"),
    [
        fails("CHG-11", "tomorrow", (row("| 0.1.0 | 2026-11-30 | A. |"),), "begun nowhere"),
        fails(
            "CHG-11", "before the last row", (row("| 0.1.0 | 2026-10-28 | A. |"),), "a row before it of `2026-10-29`"
        ),
        fails("CHG-11", "no day", (row("| 0.1.0 | soon | A. |"),), "no day"),
        fails("CHG-11", "a day that is none", (row("| 0.1.0 | 2026-02-30 | A. |"),), "no day"),
        fails("CHG-11", "backdated at the top", (before_first("| 0.1.0 | 2026-01-01 | A. |"),), "of `2026-01-01`"),
        fails(
            "CHG-11",
            "two in the wrong order",
            (row("| 0.1.0 | 2026-11-02 | A. |\n| 0.1.0 | 2026-11-01 | B. |"),),
            "of `2026-11-01`",
        ),
    ],
)
def test_rows_out_of_order(rule: str, edits: Edits, words: str) -> None:
    """A row of the future, of no day, or of a day before others is refused at its line."""
    (found,) = step_findings(text_classes.misdated_log_row, *edits)
    assert (found.rule, found.severity, found.path) == (rule, Severity.ERROR, TEXT)
    assert found.line is not None
    assert words in found.message


# CHG-07 --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "edits",
    [
        passes("CHG-07", "a new function with its section", NEW_FUNCTION),
        passes(
            "CHG-07",
            "layout of a printed section",
            (swap(TEXT, "| breadth | checkpoints", "| breadth  | checkpoints"),),
        ),
        passes(
            "CHG-07", "another section of the appendix", (swap(TEXT, "Its points come first", "Points come first"),)
        ),
        passes("CHG-07", "other words elsewhere", (WORDING,)),
        passes(
            "CHG-07", "arrows and dashes in other dress", (*NEW_FUNCTION, swap(TEXT, "1–5 → 0; 6–11", "1-5 -> 0; 6–11"))
        ),
    ],
)
def test_function_is_printed_as_it_is(edits: Edits) -> None:
    """What Appendix A printed stays, and a new function is printed with its own numbers."""
    assert step_findings(printed_functions.misprinted_function, *edits) == []


@pytest.mark.parametrize(
    ("rule", "edits", "words"),
    [
        fails("CHG-07", "a band of the printed one", (swap(TEXT, "6–12 → 1", "6–11 → 1"),), "otherwise than before"),
        fails(
            "CHG-07",
            "a cut point of the printed one",
            (swap(TEXT, "class 3 = 5–6", "class 3 = 5–7"),),
            "otherwise than before",
        ),
        fails(
            "CHG-07",
            "its heading",
            (swap(TEXT, "## A.1 difficulty-function@0.1.0", "## A.1 Function"),),
            "otherwise than before",
        ),
        fails("CHG-07", "no section", (NEW_FUNCTION[0],), "no section"),
        fails("CHG-07", "another band", (*NEW_FUNCTION, swap(TEXT, "6–11 → 1; 12", "6–12 → 1; 13")), "for `breadth`"),
        fails(
            "CHG-07",
            "a component left out",
            (*NEW_FUNCTION, swap(TEXT, "| controls | as before | no → 0; yes → 1 |\n\nclass 1", "\nclass 1")),
            "`nothing` for `controls`",
        ),
        fails(
            "CHG-07", "no cut points", (*NEW_FUNCTION, swap(TEXT, "class 1 = 0–2; class 2", "class 2")), "cut points"
        ),
    ],
)
def test_function_is_printed_otherwise(rule: str, edits: Edits, words: str) -> None:
    """A printed function that changes, or a new one that is not printed as its file has it, is refused."""
    (found,) = step_findings(printed_functions.misprinted_function, *edits)
    assert (found.rule, found.severity) == (rule, Severity.ERROR)
    assert words in found.message


def test_a_text_that_is_none_prints_nothing() -> None:
    """Bytes that are no UTF-8 print no function, so what stood there is missing."""

    def garble(workspace: object) -> None:
        workspace.files[TEXT] = b"\xff"  # type: ignore[attr-defined]

    (found,) = step_findings(printed_functions.misprinted_function, garble)
    assert "otherwise than before" in found.message


def test_a_new_field_is_a_change_of_its_schema() -> None:
    """A schema differs in more than its address where a field came."""
    text = swap(TEXT, "Each kind of record has its folder", "Each kind of 77 records has its folder")
    assert step_findings(text_classes.schemas_left_behind, text, NEW_FIELD) == []


# DISP-06 -------------------------------------------------------------------------------------------------------------

OUTCOME = "disputes/example-dispute-1.yaml"
REVIEWED = row(f"| 0.1.0 | {TODAY} | Reviewed. |")


def settled(day: str) -> Edit:
    """The dispute of the starter registry, settled on another day."""
    return swap(OUTCOME, "date: 2026-11-08", f"date: {day}")


@pytest.mark.parametrize(
    "edits",
    [
        passes("DISP-06", "an outcome from before the last row", (settled("2026-10-28"), REVIEWED)),
        passes("DISP-06", "no review", (settled("2026-11-28"), WORDING)),
        passes("DISP-06", "no dispute", (drop(OUTCOME), REVIEWED)),
    ],
)
def test_review_has_no_dispute_to_take_in(edits: Edits) -> None:
    """Nothing was settled since the last review, or none comes."""
    assert step_findings(text_classes.disputes_to_review, *edits) == []


@pytest.mark.parametrize(
    ("rule", "edits"),
    [
        fails("DISP-06", "an outcome of after the last row", (REVIEWED,)),
        fails("DISP-06", "a change under a new version", (NUMBER, raised("0.2.0", "Eight."))),
    ],
)
def test_review_is_told_the_disputes(rule: str, edits: Edits) -> None:
    """Each outcome of later than the former rows is listed, at the new row."""
    (found,) = step_findings(text_classes.disputes_to_review, *edits)
    assert (found.rule, found.severity, found.path) == (rule, Severity.NOTICE, TEXT)
    assert f"since the last review, of `2026-10-29`: `{OUTCOME}`" in found.message


def test_many_disputes_are_counted() -> None:
    """Twenty are listed."""

    def many(workspace: Workspace) -> None:
        for number in range(2, 26):
            workspace.files[f"disputes/example-dispute-{number}.yaml"] = workspace.files[OUTCOME].replace(
                b"id: example-dispute-1", f"id: example-dispute-{number}".encode()
            )

    (found,) = step_findings(text_classes.disputes_to_review, many, REVIEWED)
    assert found.message.endswith(" and 5 more")
