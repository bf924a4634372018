"""Rules of versions and dates: what they refuse, and what they let pass."""

from datetime import date

import pytest

from medgauge_registrar.checks import agreement, articles, identifiers, versions
from medgauge_registrar.checks.framework import RecordCheck, TreeCheck
from medgauge_registrar.model.finding import Finding
from medgauge_registrar.registry.schemas import SchemaSet, shipped_schema_files
from support.cases import Edit, adding, as_is, fails, passes, run_steps
from support.registries import (
    ABSENT,
    ARTICLE,
    CAPABILITY,
    CARD,
    FROZEN,
    HARNESS,
    HARNESS_STATE,
    LEVELS,
    PRICES,
    REFERENCE,
    RESULT,
    STANDARD,
    TEXT,
    UNFROZEN,
    base_registry,
    context_of,
    copied,
    edited,
    methodology_text,
    run_check,
    schema_files,
    without,
)

NEXT_HARNESS = "registry/harnesses/hx-example/0.2.0.yaml"
NEW_STANDARD = "registry/standards/std-example-new.yaml"
SECOND_ARTICLE = "articles/2026-11-20-example-article.md"
FIRST_ROW = ("0.1.0", "2026-10-29", "First version.")
SECOND_ROW = ("0.2.0", "2026-11-20", "Second version.")
STANDARD_SCHEMA = "schemas/standard.schema.json"


def article(day: str = "2026-11-20", supersedes: str | None = None) -> str:
    """An article."""
    link = f"supersedes: {supersedes}\n" if supersedes else ""
    return f"---\ndate: {day}\ntitle: Example article\n{link}---\n\nA stand-in for tests.\n"


# One record at a time ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("check", "edit", "path"),
    [
        passes("VER-05", "reviewed after it was introduced", versions.misordered_dates, as_is, STANDARD),
        passes(
            "VER-05",
            "both on one day, today",
            versions.misordered_dates,
            lambda files: edited(files, STANDARD, {"/introduced": "2026-11-29", "/last_reviewed": "2026-11-29"}),
            STANDARD,
        ),
        passes("VER-05", "a sidecar, which has one of the days", versions.misordered_dates, as_is, HARNESS_STATE),
        passes("VER-12", "a table that held on the day of the result", versions.later_price_table, as_is, RESULT),
        passes(
            "VER-12",
            "from that very day",
            versions.later_price_table,
            lambda files: edited(files, PRICES, {"/effective": "2026-11-18"}),
            RESULT,
        ),
        passes("VER-13", "the pinned verifier", versions.foreign_verifier, as_is, RESULT),
        passes("VER-14", "the pinned methodology", versions.foreign_methodology, as_is, RESULT),
        passes(
            "VER-14",
            "a later patch of it",
            versions.foreign_methodology,
            lambda files: edited(files, RESULT, {"/methodology_version": "0.1.10"}),
            RESULT,
        ),
    ],
)
def test_record_is_let_pass(check: RecordCheck, edit: Edit, path: str) -> None:
    """What keeps the rule gives no finding."""
    assert run_check(check, edit(base_registry()), path) == []


@pytest.mark.parametrize(
    ("rule", "check", "edit", "path", "pointer", "words"),
    [
        fails(
            "VER-05",
            "reviewed before it was introduced",
            versions.misordered_dates,
            lambda files: edited(files, STANDARD, {"/last_reviewed": "2026-10-31"}),
            STANDARD,
            "/last_reviewed",
            "before `introduced`, `2026-11-01`",
        ),
        fails(
            "VER-05",
            "a day ahead",
            versions.misordered_dates,
            lambda files: edited(files, STANDARD, {"/last_reviewed": "2026-11-30"}),
            STANDARD,
            "/last_reviewed",
            "no later than `2026-11-29`",
        ),
        fails(
            "VER-05",
            "a sidecar reviewed ahead of its day",
            versions.misordered_dates,
            lambda files: edited(files, HARNESS_STATE, {"/last_reviewed": "2026-11-30"}),
            HARNESS_STATE,
            "/last_reviewed",
            "`2026-11-30`",
        ),
        fails(
            "VER-12",
            "a table of a later day",
            versions.later_price_table,
            lambda files: edited(files, PRICES, {"/effective": "2026-11-19"}),
            RESULT,
            "/amounts/price_table",
            "holds from `2026-11-19`, and the result is of `2026-11-18`",
        ),
        fails(
            "VER-13",
            "another digest",
            versions.foreign_verifier,
            lambda files: edited(files, RESULT, {"/verifier/sha": "0" * 64}),
            RESULT,
            "/verifier",
            f"`0.2.0` ({'0' * 64}), and `bm-example-audit@0.2.0` pins",
        ),
        fails(
            "VER-14",
            "a later minor version",
            versions.foreign_methodology,
            lambda files: edited(files, RESULT, {"/methodology_version": "0.2.0"}),
            RESULT,
            "/methodology_version",
            "`0.2.0`, and `bm-example-audit@0.2.0` pins `0.1.0`",
        ),
        fails(
            "VER-14",
            "an earlier patch",
            versions.foreign_methodology,
            lambda files: edited(edited(files, FROZEN, {"/methodology": "0.1.2"}), RESULT, {"/methodology_version": "0.1.1"}),
            RESULT,
            "/methodology_version",
            "pins `0.1.2`",
        ),
    ],
)  # fmt: skip
def test_record_is_refused(rule: str, check: RecordCheck, edit: Edit, path: str, pointer: str, words: str) -> None:
    """What breaks the rule gives one finding at its place, which says what was found."""
    (found,) = run_check(check, edit(base_registry()), path)
    assert (found.rule, found.path, found.pointer) == (rule, path, pointer)
    assert words in found.message


def test_a_result_without_its_benchmark_version_is_reported_once() -> None:
    """Where the benchmark version is absent, ID-06 says so, and nothing is compared."""
    files = without(base_registry(), FROZEN)
    assert run_check(versions.foreign_verifier, files, RESULT) == []
    assert run_check(versions.foreign_methodology, files, RESULT) == []
    (found,) = run_check(identifiers.unresolved_reference, files, RESULT)
    assert found.pointer == "/benchmark_version"


def test_a_result_without_its_price_table_is_reported_once() -> None:
    """Where the price table is absent, ID-06 says so."""
    files = without(base_registry(), PRICES)
    assert run_check(versions.later_price_table, files, RESULT) == []
    (found,) = run_check(identifiers.unresolved_reference, files, RESULT)
    assert found.pointer == "/amounts/price_table"


def test_today_is_today_anywhere() -> None:
    """The day is given from outside, as the latest that any time zone has."""
    files = edited(base_registry(), STANDARD, {"/last_reviewed": "2026-11-30"})
    tomorrow = context_of(files, latest_day=date(2026, 11, 30))
    assert run_check(versions.misordered_dates, files, STANDARD, context=tomorrow) == []


# The tree as a whole -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("check", "edit"),
    [
        passes("VER-06", "schemas of the version in force", agreement.foreign_schema_version, adding(schema_files())),
        passes("VER-06", "no schemas", agreement.foreign_schema_version, as_is),
        passes("VER-07", "one version everywhere", agreement.disagreeing_versions, as_is),
        passes(
            "VER-07",
            "the newest row on top",
            agreement.disagreeing_versions,
            lambda files: {
                **copied(files, LEVELS, "methodology/level-rules/0.2.0.yaml", {"/version": "0.2.0", "/methodology": "0.2.0"}),
                TEXT: methodology_text("0.2.0", "2026-11-20", rows=(SECOND_ROW, FIRST_ROW)),
            },
        ),
        passes(
            "VER-07",
            "a review without a change",
            agreement.disagreeing_versions,
            adding({TEXT: methodology_text(rows=(FIRST_ROW, ("0.1.0", "2026-11-20", "Reviewed, no change.")))}),
        ),
        passes("VER-10", "an article", articles.unsound_article, as_is),
        passes(
            "VER-10",
            "its successor",
            articles.unsound_article,
            adding({SECOND_ARTICLE: article(supersedes=ARTICLE)}),
        ),
        passes("VER-10", "a picture beside it", articles.unsound_article, adding({"articles/example.svg": "<svg/>"})),
    ],
)  # fmt: skip
def test_tree_is_let_pass(check: TreeCheck, edit: Edit) -> None:
    """A tree that keeps the rule gives no finding."""
    assert run_check(check, edit(base_registry())) == []


@pytest.mark.parametrize(
    ("rule", "check", "edit", "place", "words"),
    [
        fails(
            "VER-06",
            "a schema of another version",
            agreement.foreign_schema_version,
            lambda files: {
                **files, STANDARD_SCHEMA: schema_files()[STANDARD_SCHEMA].replace("0.1.0/standard.", "0.2.0/standard."),
            },
            (STANDARD_SCHEMA, 3),
            "carries version `0.2.0`, and the methodology is at `0.1.0`",
        ),
        fails(
            "VER-06",
            "an address without a version",
            agreement.foreign_schema_version,
            adding({"schemas/example.schema.json": '{"$id": "https://example.org/example.schema.json"}'}),
            ("schemas/example.schema.json", 1),
            "expected an address with one version",
        ),
        fails(
            "VER-06",
            "a schema that is no JSON",
            agreement.foreign_schema_version,
            adding({"schemas/example.schema.json": "{"}),
            ("schemas/example.schema.json", 1),
            "the schema cannot be read",
        ),
        fails(
            "VER-06",
            "a text that does not say its version",
            agreement.foreign_schema_version,
            adding({TEXT: "# Example methodology\n", STANDARD_SCHEMA: schema_files()[STANDARD_SCHEMA]}),
            (STANDARD_SCHEMA, 3),
            "no version that can be read",
        ),
        fails(
            "VER-07",
            "another version in the citation",
            agreement.disagreeing_versions,
            adding({TEXT: methodology_text(cited="0.2.0")}),
            (TEXT, 5),
            "the citation names `0.2.0`, and the title line `0.1.0`",
        ),
        fails(
            "VER-07",
            "no row for the version",
            agreement.disagreeing_versions,
            lambda files: edited(
                {**files, TEXT: methodology_text("0.2.0", rows=(FIRST_ROW,))}, LEVELS, {"/methodology": "0.2.0"}
            ),
            (TEXT, 15),
            "newest row of the change log is of `0.1.0`",
        ),
        fails(
            "VER-07",
            "level rules of an earlier version",
            agreement.disagreeing_versions,
            adding({TEXT: methodology_text("0.2.0", rows=(FIRST_ROW, SECOND_ROW))}),
            (LEVELS, 3),
            "belong to methodology `0.1.0`, and the text is `0.2.0`",
        ),
        fails(
            "VER-07",
            "no title line",
            agreement.disagreeing_versions,
            adding({TEXT: methodology_text().replace("Version 0.1.0 ·", "Edition 0.1.0 ·")}),
            (TEXT, None),
            "no title line",
        ),
        fails(
            "VER-07",
            "two title lines that differ",
            agreement.disagreeing_versions,
            adding({TEXT: methodology_text() + "\nVersion 0.2.0 · 2026-11-20\n"}),
            (TEXT, 3),
            "title lines that differ",
        ),
        fails(
            "VER-07",
            "a log that is no table",
            agreement.disagreeing_versions,
            adding({TEXT: methodology_text().replace("|---|---|---|\n", "")}),
            (TEXT, 11),
            "no version that can be read",
        ),
        fails(
            "VER-07",
            "no text",
            agreement.disagreeing_versions,
            lambda files: without(files, TEXT),
            (TEXT, None),
            "no title line",
        ),
        fails(
            "VER-10",
            "no front matter",
            articles.unsound_article,
            adding({SECOND_ARTICLE: "# Example article\n"}),
            (SECOND_ARTICLE, 1),
            "does not begin with a block",
        ),
        fails(
            "VER-10",
            "no day",
            articles.unsound_article,
            adding({SECOND_ARTICLE: "---\ntitle: Example article\n---\n"}),
            (SECOND_ARTICLE, 2),
            "`date` is missing",
        ),
        fails(
            "VER-10",
            "a day that no calendar has",
            articles.unsound_article,
            adding({SECOND_ARTICLE: article("2026-02-30")}),
            (SECOND_ARTICLE, 2),
            "`2026-02-30`",
        ),
        fails(
            "VER-10",
            "a version",
            articles.unsound_article,
            adding({SECOND_ARTICLE: article().replace("title:", "version: 1.0.0\ntitle:")}),
            (SECOND_ARTICLE, 3),
            "`version` is not known here",
        ),
        fails(
            "VER-10",
            "a predecessor that is not there",
            articles.unsound_article,
            adding({SECOND_ARTICLE: article(supersedes="articles/2026-11-02-none.md")}),
            (SECOND_ARTICLE, 4),
            "`articles/2026-11-02-none.md`, which is not there",
        ),
        fails(
            "VER-10",
            "an article that succeeds itself",
            articles.unsound_article,
            adding({SECOND_ARTICLE: article(supersedes=SECOND_ARTICLE)}),
            (SECOND_ARTICLE, 4),
            "back to this article",
        ),
        fails(
            "VER-10",
            "a second successor",
            articles.unsound_article,
            adding({SECOND_ARTICLE: article(supersedes=ARTICLE), "articles/2026-11-21-example.md": article(supersedes=ARTICLE)}),
            ("articles/2026-11-21-example.md", 4),
            f"already superseded by `{SECOND_ARTICLE}`",
        ),
    ],
)  # fmt: skip
def test_tree_is_refused(rule: str, check: TreeCheck, edit: Edit, place: tuple[str, int | None], words: str) -> None:
    """A tree that breaks the rule gives one finding at the file and line."""
    (found,) = run_check(check, edit(base_registry()))
    assert (found.rule, (found.path, found.line)) == (rule, place)
    assert words in found.message


def test_articles_in_a_circle_are_each_reported() -> None:
    """Where two articles succeed each other, both are named."""
    files = base_registry() | {ARTICLE: article(supersedes=SECOND_ARTICLE), SECOND_ARTICLE: article(supersedes=ARTICLE)}
    found = run_check(articles.unsound_article, files)
    assert [finding.path for finding in found] == [ARTICLE, SECOND_ARTICLE]
    assert all("back to this article" in finding.message for finding in found)


def test_article_needs_its_day_even_without_a_schema() -> None:
    """A registry without the schema of articles still asks for a day."""
    sources = {name: data for name, data in shipped_schema_files().items() if name != "article"}
    files = base_registry() | {SECOND_ARTICLE: "---\ntitle: Example article\n---\n"}
    context = context_of(files, schemas=SchemaSet(sources, label="schemas"))
    (found,) = run_check(articles.unsound_article, files, context=context)
    assert (found.path, "`date` is missing" in found.message) == (SECOND_ARTICLE, True)


# Steps ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        passes("VER-02", "a higher version", as_is, lambda files: copied(files, HARNESS, NEXT_HARNESS, {"/version": "0.2.0"})),
        passes(
            "VER-02",
            "0.10.0 after 0.9.0",
            lambda files: copied(files, HARNESS, NEXT_HARNESS.replace("0.2", "0.9"), {"/version": "0.9.0"}),
            lambda files: copied(
                copied(files, HARNESS, NEXT_HARNESS.replace("0.2", "0.9"), {"/version": "0.9.0"}),
                HARNESS, NEXT_HARNESS.replace("0.2", "0.10"), {"/version": "0.10.0"},
            ),
        ),
        passes(
            "VER-03",
            "another title and a higher version",
            as_is,
            lambda files: edited(files, STANDARD, {"/title": "Another title", "/version": "0.2.0"}),
        ),
        passes("VER-03", "a day of review alone", as_is, lambda files: edited(files, STANDARD, {"/last_reviewed": "2026-11-28"})),
        passes(
            "VER-03",
            "a day of review in a reference version",
            as_is,
            lambda files: edited(files, REFERENCE, {"/last_reviewed": "2026-11-28"}),
        ),
        passes("VER-03", "a version in preparation", as_is, lambda files: edited(files, UNFROZEN, {"/subsets/dev": 6})),
        passes("VER-03", "the same fields in another order", as_is, lambda files: {**files, STANDARD: "\n" + files[STANDARD]}),
        passes(
            "VER-03",
            "a record that is mended",
            lambda files: {**files, STANDARD: "{"},
            as_is,
        ),
        passes("VER-04", "introduced under the version in force", as_is, lambda files: copied(
            files, STANDARD, NEW_STANDARD, {"/id": "std-example-new"}
        )),
        passes(
            "VER-04",
            "introduced under an archived version",
            lambda files: {**files, "methodology/versions/0.0.9.md": methodology_text("0.0.9")},
            lambda files: copied(
                {**files, "methodology/versions/0.0.9.md": methodology_text("0.0.9")},
                STANDARD, NEW_STANDARD, {"/id": "std-example-new", "/introduced_in": "0.0.9"},
            ),
        ),
        passes("VER-05", "a later review", as_is, lambda files: edited(files, HARNESS_STATE, {"/last_reviewed": "2026-11-28"})),
    ],
)  # fmt: skip
def test_step_is_let_pass(before: Edit, after: Edit) -> None:
    """A step that keeps the rule gives no finding."""
    assert run_steps(before(base_registry()), after(base_registry())) == []


@pytest.mark.parametrize(
    ("rule", "before", "after", "path", "words"),
    [
        fails(
            "VER-02",
            "a version below one there is",
            lambda files: copied(files, HARNESS, NEXT_HARNESS, {"/version": "0.2.0"}),
            lambda files: copied(
                copied(files, HARNESS, NEXT_HARNESS, {"/version": "0.2.0"}),
                HARNESS, NEXT_HARNESS.replace("0.2.0", "0.1.9"), {"/version": "0.1.9"},
            ),
            NEXT_HARNESS.replace("0.2.0", "0.1.9"),
            "`0.1.9` is below `0.2.0`",
        ),
        fails(
            "VER-02",
            "a version that is text-wise higher only",
            lambda files: copied(files, HARNESS, NEXT_HARNESS.replace("0.2.0", "0.10.0"), {"/version": "0.10.0"}),
            lambda files: copied(
                copied(files, HARNESS, NEXT_HARNESS.replace("0.2.0", "0.10.0"), {"/version": "0.10.0"}),
                HARNESS, NEXT_HARNESS.replace("0.2.0", "0.9.0"), {"/version": "0.9.0"},
            ),
            NEXT_HARNESS.replace("0.2.0", "0.9.0"),
            "`0.9.0` is below `0.10.0`",
        ),
        fails(
            "VER-02",
            "an entry whose version goes down",
            as_is,
            lambda files: edited(files, CARD, {"/version": "1.1.0"}),
            CARD,
            "went down from `1.2.0` to `1.1.0`",
        ),
        fails(
            "VER-02",
            "a methodology whose version goes down",
            lambda files: {**files, TEXT: methodology_text("0.1.0")},
            lambda files: {**files, TEXT: methodology_text("0.0.9"), "methodology/versions/0.1.0.md": methodology_text("0.1.0")},
            TEXT,
            "went down from `0.1.0` to `0.0.9`",
        ),
        fails(
            "VER-03",
            "another title under the same version",
            as_is,
            lambda files: edited(files, STANDARD, {"/title": "Another title"}),
            STANDARD,
            "`title` changed while `version` is still `0.1.0`",
        ),
        fails(
            "VER-03",
            "a reference version that is edited",
            as_is,
            lambda files: edited(files, REFERENCE, {"/rule": "Another rule."}),
            REFERENCE,
            "`rule` changed in a version that is published",
        ),
        fails(
            "VER-03",
            "level rules that are edited",
            as_is,
            lambda files: edited(files, LEVELS, {"/levels/L1/rule": "Another rule."}),
            LEVELS,
            "`levels` changed in a version that is published",
        ),
        fails(
            "VER-04",
            "introduced under a version that nobody published",
            as_is,
            lambda files: copied(files, STANDARD, NEW_STANDARD, {"/id": "std-example-new", "/introduced_in": "0.3.0"}),
            NEW_STANDARD,
            "`0.3.0`, which is no published methodology version; the one in force is `0.1.0`",
        ),
        fails(
            "VER-04",
            "another version of introduction later on",
            as_is,
            lambda files: edited(files, CAPABILITY, {"/introduced_in": "0.0.9", "/version": "0.2.0"}),
            CAPABILITY,
            "was `0.1.0` and is now `0.0.9`",
        ),
        fails(
            "VER-04",
            "introduced while the text does not say its version",
            lambda files: {**files, TEXT: "# Example methodology\n"},
            lambda files: copied(
                {**files, TEXT: "# Example methodology\n"}, STANDARD, NEW_STANDARD, {"/id": "std-example-new"}
            ),
            NEW_STANDARD,
            "not known, since its title line cannot be read",
        ),
        fails(
            "VER-05",
            "another day of introduction",
            as_is,
            lambda files: edited(files, STANDARD, {"/introduced": "2026-11-02", "/version": "0.2.0"}),
            STANDARD,
            "`introduced` was `2026-11-01` and is now `2026-11-02`",
        ),
        fails(
            "VER-05",
            "an earlier day of review",
            as_is,
            lambda files: edited(files, STANDARD, {"/last_reviewed": "2026-11-02"}),
            STANDARD,
            "went back from `2026-11-03` to `2026-11-02`",
        ),
    ],
)  # fmt: skip
def test_step_is_refused(rule: str, before: Edit, after: Edit, path: str, words: str) -> None:
    """A step that breaks the rule gives one finding, at the changed file."""
    (found,) = run_steps(before(base_registry()), after(base_registry()))
    assert (found.rule, found.path) == (rule, path)
    assert words in found.message


def test_next_version_is_proposed() -> None:
    """Whoever edits a published version, or adds one too low, is told a path that is free."""
    files = copied(base_registry(), REFERENCE, REFERENCE.replace("0.1.0", "0.10.3"), {"/version": "0.10.3"})
    (edit,) = run_steps(files, edited(files, REFERENCE, {"/rule": "Another rule."}))
    low = copied(files, REFERENCE, REFERENCE.replace("0.1.0", "0.2.0"), {"/version": "0.2.0"})
    (addition,) = run_steps(files, low)
    expected = f"`{REFERENCE.replace('0.1.0', '0.10.4')}`"
    assert (expected in edit.help, expected in addition.help) == (True, True)


def test_field_that_goes_is_a_change_of_content() -> None:
    """Taking a field out is new content as much as writing one."""
    found: list[Finding] = run_steps(base_registry(), edited(base_registry(), STANDARD, {"/adoption_of": ABSENT}))
    assert [(finding.rule, "`adoption_of` changed" in finding.message) for finding in found] == [("VER-03", True)]
