"""Checks of content, rule by rule: one file that passes and one that is refused (RED, BLD, CLM, NEV)."""

import pytest

from medgauge_registrar.model.finding import Severity
from support.cases import fails, passes
from support.content import rules_of, scan

ARTICLE = "articles/2026-11-20-example.md"
CARD = "registry/benchmarks/bm-example/card.yaml"
STANDARD = "registry/standards/std-example.yaml"
REFERENCE = "registry/references/gr-example/0.1.0.yaml"
TEXT = "methodology/text.md"
OTHER = "docs/example.yaml"
TABLE = "| V | P |\n|---|---|\n| bm-a@0.1.0 | 0.6 |\n| bm-a@0.2.0 | 0.7 |"
RATE = "On bm-a@0.2.0, 2026-11-20, gr-example has a pass rate of 0.8"
GERMAN = "Dies ist ein Absatz in deutscher Sprache, der noch niemandem hier aufgefallen ist."


@pytest.mark.parametrize(
    ("path", "text"),
    [
        passes("RED-01", "a denial", ARTICLE, "No model has reached L3, for no threshold is set."),
        passes("RESULT-37", "with its digest", ARTICLE, f"{RATE} (sha256 {'0' * 64})."),
        passes("RESULT-37", "said to be closed", ARTICLE, f"{RATE}, by a closed computation."),
        passes("RESULT-37", "how many tasks test it", ARTICLE, "Four tasks test gr-example, and its pass rate is not given."),
        passes("RED-03", "no class", ARTICLE, "No class 3 is stated for bm-example before components are recorded."),
        passes("RED-03", "classes in general", ARTICLE, "Tasks of class 1 never enter a holdout."),
        passes("RED-03", "the class of entry", ARTICLE, "Tasks of bm-example enter at class 2, its entry class."),
        passes("RED-04", "nothing measured yet", ARTICLE, "The expert baseline has not been measured."),
        passes("RED-05", "a denial", ARTICLE, "Single runs are never published as scores."),
        passes("RED-06", "subsets apart", OTHER, "subsets: {holdout: {s: 0.8}}"),
        passes("RED-01", "levels explained", ARTICLE, "| Level | Asks for |\n|---|---|\n| L1 | a calibration subset |"),
        passes("RED-07", "a total of rows", ARTICLE, "| Subject | Passed | Total |\n|---|---|---|\n| A | 3 | 7 |"),
        passes("RED-07", "no total", ARTICLE, "There is no overall score for any model."),
        passes("RED-08", "families apart", ARTICLE, "No figure is averaged across families."),
        passes("RED-09", "within one harness", ARTICLE, "Redundancy is compared only within one harness version."),
        passes("RED-10", "no amount", ARTICLE, "Amounts do not apply to an open-weight model."),
        passes("RED-13", "a grade alone", OTHER, "grade: pass\ndetail_sha: abc\n"),
        passes("RED-14", "an autonomy class", OTHER, "autonomy_class: A2"),
        passes("RED-15", "a difference alone", ARTICLE, "env_delta was -0.03, absolute 0.03."),
        passes("RED-16", "with its sentence", ARTICLE, "On bm-a@0.2.0 the lower bound is 0.902 for tasks of this kind."),
        passes("RED-17", "a plain outcome", ARTICLE, "The subject did not pass the holdout subset."),
        passes("RED-18", "a difference alone", ARTICLE, "The harness_delta of the two rows is 0.08."),
        passes("RED-19", "no result", CARD, "scenario: A run passes if every checkpoint passes.\n"),
        passes("RED-20", "a rule with a number", TEXT, "## 1. Position\n\nThree tiers reach PASS^3 ≥ 0.95.\n"),
        passes("RED-21", "a published method", "methodology/algorithms/intervals/0.2.0.yaml", "method: {mean: bca-bootstrap}"),
        passes("BLD-01", "names, Greek and signs", ARTICLE, "Sjögren, β-blocker, 5 µg, p̂, ≥ 3, “quoted”."),
        passes("BLD-02", "the field for it", STANDARD, "title: A guide\nnon_english_title: 信息安全技术\n"),
        passes("BLD-03", "a file and its heading", ARTICLE, "[one](../charter.md), [two](#here)\n\n## Here\n"),
        passes("BLD-04", "what is there", ARTICLE, "See section 12.1, Axiom 7 and dimension M10."),
        passes("BLD-05", "a plain text", ARTICLE, "Nothing to see."),
        passes("BLD-06", "code and links", ARTICLE, "Use `<script>` or [a page](https://example.org)."),
        passes("BLD-08", "a way back", "schemas/example.schema.json", '{"description": "An example (section 14.1)."}'),
        passes("CLM-01", "a denial", ARTICLE, "No model is certified by MedGauge."),
        passes("CLM-02", "a denial", ARTICLE, "It is no substitute for clinical trials."),
        passes("CLM-03", "an initiative", ARTICLE, "MedGauge is an initiative."),
        passes("CLM-04", "version and date", ARTICLE, "A PASS^3 of 0.83 on bm-example@0.2.0, 2026-11-20."),
        passes("CLM-05", "structurally", ARTICLE, "The chain is structurally traceable."),
        passes("CLM-06", "a denial", ARTICLE, "No level corresponds to the grade of a clinician."),
        passes("CLM-07", "de-identified", ARTICLE, "De-identified records are not anonymised."),
        passes("CLM-08", "a mapping", ARTICLE, "The vocabulary of ISO 14971 is mapped."),
        passes("CLM-09", "the subject alone", ARTICLE, "The run takes more steps than the reference solution."),
        passes("CLM-10", "with a procedure", ARTICLE, "It has criterion validity, which rests on the expert baseline."),
        passes("CLM-11", "with the notice", ARTICLE, f"Not comparable:\n\n{TABLE}"),
        passes("CLM-12", "a difference", ARTICLE, "A difference between harnesses is what is measured."),
        passes("CLM-13", "a pair", ARTICLE, "In paired runs the skill raised the pass rate by 0.1."),
        passes("CLM-14", "left open", ARTICLE, "Whether the bound is conservative is not established."),
        passes("NEV-03", "the site's own", ARTICLE, "The site computes every score."),
        passes("NEV-04", "no origin", REFERENCE, "id: gr-example\nstandard: std-icd\n"),
        passes("NEV-06", "the usual licences", "LICENSE", "Apache License\nVersion 2.0\n"),
        passes("NEV-07", "a denial", ARTICLE, "Tasks are never used for training."),
    ],
)  # fmt: skip
def test_is_let_pass(path: str, text: str) -> None:
    """No content check finds anything."""
    assert scan(path, text + "\n") == []


@pytest.mark.parametrize(
    ("rule", "path", "text"),
    [
        fails("RED-01", "a level in prose", ARTICLE, "The model reached L3."),
        fails("RED-01", "a level under a key", OTHER, "rows: [{level: L2}]"),
        fails("RED-03", "a class of a family without versions", ARTICLE, "The holdout tasks of bm-example are of class 3."),
        fails("RED-03", "a class in a table", ARTICLE, "| tasks |\n|---|\n| bm-example@0.1.0, class 4 |"),
        fails("RED-04", "a figure without its version", ARTICLE, "The expert baseline is about 92 %."),
        fails("RED-05", "the best run", ARTICLE, "Its best run scored 0.97."),
        fails("RED-06", "a pooled key", OTHER, "subsets: {overall: {s: 0.8}}"),
        fails("RED-07", "a total among dimensions", OTHER, "{M1: 0.9, M2: 0.8, total: 0.85}"),
        fails("RED-08", "an average over families", ARTICLE, "Its average over all families is 0.7."),
        fails("RED-09", "an order by redundancy", OTHER, "sort_by: redundancy_rate"),
        fails("RED-10", "an amount for open weights", ARTICLE, "The open-weight model costs $0.12 a task."),
        fails("RED-13", "a producer in a grade", OTHER, "grade: pass\nproducer: example-team\n"),
        fails("RED-14", "a span", OTHER, "autonomy_span: 90"),
        fails("RED-15", "a verdict", ARTICLE, "env_delta is within the limit."),
        fails("RED-16", "a bare bound", ARTICLE, "Its claimable lower bound is 0.902."),
        fails("RED-17", "almost a pass", ARTICLE, "The model nearly passed the exam."),
        fails("RED-18", "a line", OTHER, "harness_delta_threshold: 0.1"),
        fails("RED-19", "a figure on a card", CARD, "pass_rate: 0.84\n"),
        fails("RED-21", "percentiles", "methodology/algorithms/intervals/0.2.0.yaml", "method: {mean: percentile-bootstrap}"),
        fails("BLD-01", "another script", ARTICLE, "The title is 指南."),
        fails("BLD-01", "a disguised letter", ARTICLE, "gr-ex\u0430mple"),
        fails("BLD-01", "a direction mark", ARTICLE, "left\u202eright"),
        fails("BLD-02", "the title itself", STANDARD, "title: 信息安全技术\n"),
        fails("BLD-03", "a file that is not there", ARTICLE, "[one](../charta.md)"),
        fails("BLD-03", "a heading that is not there", ARTICLE, "[one](../charter.md#nowhere)"),
        fails("BLD-03", "a way out", ARTICLE, "[one](../../secret.md)"),
        fails("BLD-04", "a section that is not there", ARTICLE, "See section 41.7."),
        fails("BLD-04", "an axiom that is not there", ARTICLE, "See Axiom 12."),
        fails("BLD-05", "a long line", ARTICLE, "x" * 30_000),
        fails("BLD-06", "a remote image", ARTICLE, "![](https://example.org/p.gif)"),
        fails("BLD-06", "a script in disguise", ARTICLE, '<a href="&#106;avascript:x()">b</a>'),
        fails("BLD-06", "a page that leads away", OTHER, "text: '<meta http-equiv=\"refresh\" content=\"0; url=//x\">'"),
        fails("RED-01", "a column of levels", ARTICLE, "| Model | Level |\n|---|---|\n| Example Model 1 | L4 |"),
        fails("RED-05", "a column for each run", ARTICLE, "| Subject | Score run 1 |\n|---|---|\n| Example Model 1 | 0.7 |"),
        fails("RED-07", "a column of totals", ARTICLE, "| Row | M1 | M2 | Total |\n|---|---|---|---|\n| A | 0.7 | 0.5 | 1.2 |"),
        fails("BLD-06", "an event handler", ARTICLE, '<b onmouseover="x()">b</b>'),
        fails("CLM-01", "a certificate", ARTICLE, "This model is certified by MedGauge."),
        fails("CLM-02", "instead of trials", ARTICLE, "A passed exam replaces clinical trials."),
        fails("CLM-03", "a regulator", ARTICLE, "MedGauge is a regulator."),
        fails("CLM-05", "metrology", ARTICLE, "Scores are metrologically traceable."),
        fails("CLM-06", "a resident", ARTICLE, "L3 corresponds to a senior resident."),
        fails("CLM-07", "anonymised", ARTICLE, "All records are anonymised."),
        fails("CLM-08", "conformity", ARTICLE, "It conforms to ISO 14971."),
        fails("CLM-09", "people", ARTICLE, "The model makes fewer errors than physicians."),
        fails("CLM-11", "two versions in a table", ARTICLE, TABLE),
        fails("CLM-13", "no pair", ARTICLE, "The prompt improved PASS^3 by 0.1."),
        fails("NEV-03", "a vendor's score", ARTICLE, "The vendor-reported score is 0.9."),
        fails("NEV-04", "an author", REFERENCE, "id: gr-example\nauthor: example-person-1\n"),
        fails("NEV-06", "another licence", ARTICLE, "SPDX-License-Identifier: MIT"),
        fails("NEV-06", "another licence file", "COPYING", "GNU General Public License"),
        fails("NEV-07", "training", ARTICLE, "We used the holdout tasks for fine-tuning."),
    ],
)  # fmt: skip
def test_is_refused(rule: str, path: str, text: str) -> None:
    """The rule, and no other, is broken; the finding names the file and says what to do."""
    found = [item for item in scan(path, text + "\n") if item.severity is Severity.ERROR]
    assert rules_of(found) == {rule}
    assert all(item.path == path and item.help.endswith(".") for item in found)


@pytest.mark.parametrize(
    ("rule", "path", "text"),
    [
        fails("RED-20", "a result in the text", TEXT, "## 1. Position\n\nThe best model reached 0.71.\n"),
        fails("BLD-01", "another language", ARTICLE, GERMAN),
        fails("BLD-08", "no way back", "schemas/example.schema.json", '{"description": "An example."}'),
        fails("RESULT-37", "without its digest", ARTICLE, "The pass rate of gr-example@0.1.0 is 0.8."),
        fails("CLM-04", "no version", ARTICLE, "A PASS^3 of 0.83 was reached."),
        fails("CLM-10", "no procedure", ARTICLE, "The family has predictive validity."),
        fails("CLM-11", "two versions in a sentence", ARTICLE, "PASS^3 rose from version 0.1.0 on."),
        fails("CLM-12", "a difference of harnesses", ARTICLE, "It is not reproducible under another harness."),
        fails("CLM-14", "a claim", ARTICLE, "The system is highly reliable."),
    ],
)  # fmt: skip
def test_is_pointed_out(rule: str, path: str, text: str) -> None:
    """The finding is a notice: it asks for a look and blocks nothing."""
    found = scan(path, text + "\n")
    assert rules_of(found) == {rule}
    assert {item.severity for item in found} == {Severity.NOTICE}


def test_place_is_told() -> None:
    """A finding in prose names the line, one in a record its pointer, line and column."""
    (found,) = scan(ARTICLE, "# One\n\nTwo lines,\nand then this model is certified by MedGauge.\n")
    assert (found.line, found.pointer) == (4, None) or found.line == 4
    (found,) = scan(OTHER, "rows:\n  - name: a\n    level: L2\n")
    assert (found.line, found.pointer) == (3, "/rows/0/level")


def test_comments_of_records_count() -> None:
    """A comment in a record is read by people, so it says nothing that a text may not say."""
    assert rules_of(scan(OTHER, "# Certified by MedGauge.\nname: a\n")) == {"CLM-01"}


def test_many_places_are_counted() -> None:
    """One file does not fill the report: twenty places are told, the rest are counted."""
    found = scan(ARTICLE, "This model is certified by MedGauge.\n\n" * 50)
    assert len(found) == 21
    assert "30 more places" in "".join(item.message for item in found)
