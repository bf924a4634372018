"""Reports of rounds: every figure is the derived one, every result is told, and nothing is typed by hand."""

import json
from collections.abc import Callable
from functools import cache

import pytest

from medgauge_registrar.checks import round_reports
from medgauge_registrar.checks.framework import ChangeCheck
from medgauge_registrar.drafts.round_report import round_report
from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.registry.report_tables import report_tables
from support.cases import Edit, as_is, fails, passes
from support.registries import (
    FROZEN,
    RESULT,
    ROUND,
    VOIDED,
    Files,
    base_registry,
    edited,
    registry_of,
    without,
    written,
)
from support.results import IDENTIFIER, another, passing, path_of
from support.steps import run_step

REPORT = "rounds/example-round-1/report.md"
VERSION = "bm-example-audit@0.2.0"
HOLDOUT = f"<!-- figures {VERSION} holdout -->"
OTHER = "res-example-audit-0-2-0-other"
DELTA = f"{IDENTIFIER} | {OTHER} | 0.500000 | 0.166667 | 0.833333 |"
TASK = "tk-rkttnjfbf5jx@1.0.0"
CHECKS: tuple[ChangeCheck, ...] = (
    round_reports.unsound_report,
    round_reports.foreign_letters,
    round_reports.foreign_order,
    round_reports.wrong_harness_delta,
    round_reports.rising_with_class,
    round_reports.board_beyond_holdout,
    round_reports.implausible_audit,
)
Rewrite = Callable[[str], str]


def reported(files: Files, measured: tuple[str, ...] = ("0.5", "0")) -> Files:
    """The drafted report of the round, with what only closed records hold filled in."""
    registry = registry_of(files)
    protocol = registry.record(ROUND)
    assert protocol is not None
    text = round_report(protocol, registry).replace("identifier: pending", "identifier: doi:10.0000/example.9")
    for share in measured:
        text = text.replace("| ? |", f"| {share} |", 1)
    return {**files, REPORT: text.replace("| ? |", "| 0.05 |")}


@cache
def base() -> Files:
    """The test registry with a right report of its round."""
    return reported(base_registry())


def report(rewrite: Rewrite) -> Edit:
    """Rewrite the report."""
    return lambda files: {**files, REPORT: rewrite(files[REPORT])}


def swap(old: str, new: str) -> Edit:
    """Replace the first occurrence of a text in the report; it has to occur."""

    def rewrite(text: str) -> str:
        assert old in text, old
        return text.replace(old, new, 1)

    return report(rewrite)


def found(files: Files) -> list[Finding]:
    """What all checks of reports find where the report comes in."""
    return [finding for check in CHECKS for finding in run_step(check, without(files, REPORT), files)]


def two_results(files: Files) -> Files:
    """Add a result of another subject, which passes everything."""
    return another(files, OTHER, passing(6))


def two_harnesses(files: Files) -> Files:
    """Add a result of the same model in another harness version, which passes everything."""
    harness = {"/harness": "hx-example@0.2.0", "/fixed_conditions/harness": "hx-example@0.2.0"}
    return another(files, OTHER, passing(6), harness)


def voided(files: Files) -> Files:
    """Void one holdout task after the results were filed."""
    entry = {
        "task_key": TASK,
        "attribution": "task",
        "reason_class": "key-error",
        "date": "2026-11-20",
        "replaced_in": None,
    }
    return {**files, VOIDED: written({"benchmark_version": VERSION, "voided": [entry]})}


@pytest.mark.parametrize(
    "files",
    [
        passes("SCHEMA-ROUND-03", "the draft, completed", base),
        passes("RESULT-29", "letters of the board", lambda: reported(two_results(base_registry()), ("0.5", "0", "1", "1"))),
        passes("RESULT-30", "positions of the board", lambda: reported(two_results(base_registry()), ("0.5", "0", "1", "1"))),
        passes("RESULT-33", "a difference between harness versions",
               lambda: reported(two_harnesses(base_registry()), ("0.5", "0", "1", "1"))),
        passes("RESULT-35", "the harder class is not easier", base),
        passes("RESULT-40", "a row with a veto is marked", base),
        passes("RESULT-41", "shares within their ranges", base),
        passes("SCHEMA-ROUND-03", "a task voided since", lambda: reported(voided(base_registry()))),
        passes("SCHEMA-ROUND-03", "words in a table of its own",
               lambda: report(lambda text: text + "\n| a | b |\n|---|---|\n| Example Model 1 | made in 2026 |\n")(base())),
        passes("SCHEMA-ROUND-03", "a number in quoted code",
               lambda: report(lambda text: text + "\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n```\n")(base())),
        passes("SCHEMA-ROUND-03", "fewer zeros", lambda: swap("| 0.250000 |", "| 0.25 |")(base())),
        passes("SCHEMA-ROUND-03", "a report that stood before",
               lambda: edited(base(), RESULT, {"/failure_attribution/other": 0})),
    ],
)  # fmt: skip
def test_report_is_accepted(files: Callable[[], Files]) -> None:
    """A report whose figures are the derived ones gives no finding."""
    assert found(files()) == []


@pytest.mark.parametrize(
    ("rule", "edit", "words"),
    [
        fails("SCHEMA-ROUND-03", "no registered protocol cited", swap("https://osf.io/xmpl1", "elsewhere"),
              "does not cite its registered protocol, `https://osf.io/xmpl1`"),
        fails("SCHEMA-ROUND-03", "a figure rounded by hand", swap("| 0.250000 |", "| 0.3 |"),
              f"`pass_pow_3.value` of `{IDENTIFIER}` is `0.3`, derived `0.250000`"),
        fails("SCHEMA-ROUND-03", "an interval from elsewhere", swap("0.006309", "0.01"), "derived `0.006309`"),
        fails("SCHEMA-ROUND-03", "an outcome", swap("| not-passed |", "| passed |"), "derived `not-passed`"),
        fails("SCHEMA-ROUND-03", "a bound without a pass", swap("| not-passed | none |", "| not-passed | 0.472871 |"),
              "is `0.472871`, derived `none`"),
        fails("SCHEMA-ROUND-03", "a column left out",
              report(lambda text: text.replace("s.interval.upper", "s_upper")), "no figure of that name is derived"),
        fails("SCHEMA-ROUND-03", "a column of one's own", report(lambda text: text.replace("| s.value ", "| overall ")),
              "the column `overall`: no figure of that name is derived"),
        fails("SCHEMA-ROUND-03", "a result left out",
              report(lambda text: "\n".join(line for line in text.split("\n") if not line.startswith(f"| {IDENTIFIER}"))),
              f"of `{IDENTIFIER}`"),
        fails("SCHEMA-ROUND-03", "a result of nobody", report(lambda text: text.replace(IDENTIFIER, OTHER)),
              f"`{OTHER}` is no result of this round with tasks in `holdout`"),
        fails("SCHEMA-ROUND-03", "a number in a table of no kind",
              report(lambda text: text + "\n| result | score |\n|---|---|\n| a | 70 % |\n"),
              "the table holds `70 %` and does not say what it is derived from"),
        fails("SCHEMA-ROUND-03", "a version that was not planned", report(lambda text: text.replace(
            HOLDOUT, "<!-- figures bm-example-audit@0.1.0 holdout -->")), "the protocol of the round plans bm-example-audit@0.2.0"),
        fails("SCHEMA-ROUND-03", "no subset named", report(lambda text: text.replace(HOLDOUT, f"<!-- figures {VERSION} -->")),
              "the comment names no subset"),
        fails("SCHEMA-ROUND-03", "no version named", report(lambda text: text.replace(HOLDOUT, "<!-- figures -->")),
              "the table is about ``"),
        fails("SCHEMA-ROUND-03", "no audit of keys",
              report(lambda text: text[: text.index("### Audit of keys")]), "the audit of keys of"),
        fails("SCHEMA-ROUND-03", "no figures by class", report(
            lambda text: text[: text.index("### By difficulty class")] + text[text.index("### Audit of keys"):]),
            "is not told by difficulty class"),
        fails("SCHEMA-ROUND-03", "a measured figure that no tasks give", swap("| 2 | 2 | 0.5 |", "| 2 | 2 | 0.6 |"),
              "`measured` is `0.6`, which is no share of 2 tasks"),
        fails("SCHEMA-ROUND-03", "a question left open", swap("| 2 | 2 | 0.5 |", "| 2 | 2 | ? |"), "`measured` is `?`"),
        fails("SCHEMA-ROUND-03", "classes that do not add up", swap("| 2 | 2 | 0.5 |", "| 2 | 2 | 1 |"),
              "come to 2 passed tasks, and its rows to 1"),
        fails("SCHEMA-ROUND-03", "another prediction", swap("example-tier | 0.25 |", "example-tier | 0.1 |"),
              "the protocol predicts `0.25` for class 3"),
        fails("SCHEMA-ROUND-03", "a tier that was not predicted", swap("example-tier | 0.25 |", "small | 0.25 |"),
              "the protocol predicts `None`"),
        fails("SCHEMA-ROUND-03", "a class without tasks", swap("| 3 | 2 | 0 |", "| 4 | 2 | 0 |"), "class 4 has 0 tasks"),
        fails("SCHEMA-ROUND-03", "a class left out", report(lambda text: "\n".join(
            line for line in text.split("\n") if "| 3 | 2 | 0 |" not in line)), "for the classes 2, and `holdout` has 2, 3"),
        fails("SCHEMA-ROUND-03", "other columns by class", swap("| tier | predicted |", "| tier | hoped |"),
              "Write the columns"),
        fails("SCHEMA-ROUND-03", "a void that is not told", voided, "the voided task versions of"),
        fails("SCHEMA-ROUND-03", "a void that nobody made", report(
            lambda text: text + f"\n<!-- voided {VERSION} -->\n| task_key | attribution |\n|---|---|\n| {TASK} | task |\n"),
            f"such as `{TASK}`"),
        fails("SCHEMA-ROUND-03", "no protocol", lambda files: without(files, ROUND), "there is no protocol at"),
        fails("SCHEMA-ROUND-03", "a protocol that cannot be read", lambda files: edited(files, ROUND, {"/subjects": []}),
              "cannot be judged"),
        fails("SCHEMA-ROUND-03", "a result that cannot be read", lambda files: {**files, RESULT: "{"}, "nothing can be derived"),
        fails("SCHEMA-ROUND-03", "a version that is not frozen", lambda files: edited(files, FROZEN, {"/frozen": False}),
              "nothing can be derived"),
        fails("RESULT-29", "letters read from intervals", swap("| 1 | a | yes |", "| 1 | a b | yes |"),
              f"`letters` of `{IDENTIFIER}` is `a b`, derived `a`"),
        fails("RESULT-30", "another position", swap("| 1 | a | yes |", "| 2 | a | yes |"), "is `2`, derived `1`"),
        fails("RESULT-40", "a veto that is not marked", swap("| 1 | a | yes |", "| 1 | a | no |"),
              "`vetoed` of"),
        fails("RESULT-40", "a position outside the holdout", report(
            lambda text: text + f"\n<!-- figures {VERSION} calibration -->\n| result | position |\n|-|-|\n| {IDENTIFIER} | 1 |\n"),
            "board figures come from the holdout subset alone"),
        fails("RESULT-35", "the harder class is easier", lambda files: swap("| 3 | 2 | 0 |", "| 3 | 2 | 0.5 |")(
            swap("| 2 | 2 | 0.5 |", "| 2 | 2 | 0 |")(files)), "rises from class 2 to class 3"),
        fails("RESULT-41", "a share above 1", swap("| 0.05 | 0.91 |", "| 5 | 0.91 |"), "`share_changed` is `5`"),
        fails("RESULT-41", "another agreement", swap("| 0.05 | 0.91 |", "| 0.05 | 0.9 |"), "and the version says `0.91`"),
        fails("RESULT-41", "an agreement below -1", swap("| 0.05 | 0.91 |", "| 0.05 | -2 |"), "expected a number from -1 to 1"),
    ],
)  # fmt: skip
def test_report_is_refused(rule: str, edit: Edit, words: str) -> None:
    """What is not derived, or left out, is told."""
    told = [finding for finding in found(edit(base())) if finding.rule == rule]
    assert any(words in finding.message or words in finding.help for finding in told), told
    severity = Severity.NOTICE if rule in {"RESULT-35", "RESULT-41"} else Severity.ERROR
    assert {finding.severity for finding in told} == {severity}
    assert all(finding.path == REPORT for finding in told)


@pytest.mark.parametrize(
    ("rule", "edit", "words"),
    [
        fails("RESULT-33", "a difference typed by hand", swap(DELTA, DELTA.replace("0.500000", "0.4")),
              "`value` is `0.4`, derived `0.500000`"),
        fails("RESULT-33", "two intervals subtracted", swap(DELTA, DELTA.replace("0.166667", "0")), "`lower` is `0`"),
        fails("RESULT-33", "results of no pair", swap(DELTA, DELTA.replace(IDENTIFIER, OTHER)),
              "are no results of one model in two harness versions"),
        fails("RESULT-33", "other columns", swap("| first | second |", "| one | other |"), "are no results of one model"),
        fails("SCHEMA-ROUND-03", "a pair that is not compared", report(lambda text: text.replace(
            f"<!-- harness-delta {VERSION} holdout -->", "<!-- note -->").replace(DELTA, "| | | | | |")),
            "are one model in two harness versions, and are not compared"),
    ],
)  # fmt: skip
def test_difference_between_harnesses_is_refused(rule: str, edit: Edit, words: str) -> None:
    """One model in two harness versions is compared task by task, and by nothing else."""
    files = reported(two_harnesses(base_registry()), ("0.5", "0", "1", "1"))
    told = [finding for finding in found(edit(files)) if finding.rule == rule]
    assert any(words in finding.message for finding in told), told


def test_missing_identifier_is_only_mentioned() -> None:
    """A persistent identifier may be minted after the report is published."""
    (finding,) = found(swap("doi:10.0000/example.9", "pending")(base()))
    assert (finding.severity, "no persistent identifier" in finding.message) == (Severity.NOTICE, True)


def test_report_that_is_no_text_is_refused() -> None:
    """Bytes that are no UTF-8 are told, and nothing stumbles."""
    files = {**base(), REPORT: "x"}
    after = registry_of(files)
    broken = {**files, REPORT: b"\xff\xfe"}
    assert after.has(REPORT)
    told = run_step(round_reports.unsound_report, without(files, REPORT), broken)  # type: ignore[arg-type]
    assert [finding.message for finding in told] == ["the report is not UTF-8"]


def test_place_of_a_wrong_cell_is_its_line() -> None:
    """A wrong figure is told at the line of its row."""
    files = swap("| 0.250000 |", "| 0.3 |")(base())
    (finding,) = [finding for finding in found(files) if finding.rule == "SCHEMA-ROUND-03"]
    assert finding.line is not None
    assert "| 0.3 |" in files[REPORT].split("\n")[finding.line - 1]


def test_a_report_that_stood_before_is_left_alone() -> None:
    """A result that joins later moves letters and positions; a report that was right then stays."""
    after = another(base(), OTHER, passing(6))
    assert [finding for check in CHECKS for finding in run_step(check, base(), after)] == []
    assert json.loads(after[path_of(OTHER)])["id"] == OTHER
    assert as_is(after) is after


# Tables -----------------------------------------------------------------------------------------------------------------


def test_tables_are_read_as_markdown_has_them() -> None:
    """Comments, cells without outer bars, escaped bars, quoted code and short rows."""
    text = (
        "<!-- figures bm-a@0.1.0 holdout -->\n| a | `b` |\n|---|:-:|\n| 1 | x \\| y |\n| 2 |\n\n"
        "Words.\n\n| c |\n|---|\n| 3 |\n\n~~~\n| no | table |\n|---|---|\n~~~\n\n<!-- other -->\n\n| d |\n|---|\n"
    )
    first, second, third = report_tables(text)
    assert (first.mark, first.line, first.columns) == (("figures", "bm-a@0.1.0", "holdout"), 2, ("a", "b"))
    assert first.rows == ((4, {"a": "1", "b": "x | y"}), (5, {"a": "2", "b": ""}))
    assert list(first.numbers) == [(4, "1"), (5, "2")]
    assert (second.mark, second.rows) == ((), ((11, {"c": "3"}),))
    assert (third.mark, third.rows) == (("other",), ())


def test_bars_without_a_rule_are_no_table() -> None:
    """A line of dashes makes a table; without it there is none."""
    assert report_tables("| a | b |\n| 1 | 2 |\n") == ()
