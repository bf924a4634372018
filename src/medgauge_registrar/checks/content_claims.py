"""Claims (CLM-*): what must not be said of the initiative, of subjects or of material."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from medgauge_registrar.checks.content_lines import capped, crossed_lines
from medgauge_registrar.checks.framework import Context, Problem, file_check
from medgauge_registrar.content.markdown import Table
from medgauge_registrar.content.passages import sentences
from medgauge_registrar.content.textfile import TextFile
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Position
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.patterns import lazy_pattern

_VERSIONED = lazy_pattern(r"\b(bm-[a-z0-9-]{1,60})@(\d{1,4}\.\d{1,4}\.\d{1,4})")
_FIGURE = lazy_pattern(r"(?<![\w.])(?:0?\.\d{1,6}|\d{1,3}(?:\.\d{1,4})? ?%)")
_REFERENCE = lazy_pattern(r"(?<![a-z0-9-])(gr-[a-z0-9-]{1,60})")
_CLOSED = lazy_pattern(r"(?i)closed computation|\b[0-9a-f]{64}\b|sha-?256")
_NOTICE = lazy_pattern(r"(?i)not comparable|non-comparab|\bnotice\b")


@file_check("CLM-01", section="19, 28")
def claimed_endorsement(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    Nothing is called certified, accredited, endorsed or approved by the initiative.

    It issues no certificate, and its name implies none. Cite the result with its four-tuple, version and date.

    Passes: No model is certified by MedGauge.
    Fails: This model is certified by MedGauge.
    """
    yield from crossed_lines(file, "CLM-01")


@file_check("CLM-02", section="19")
def claimed_regulatory_basis(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    No figure is offered as a basis for regulatory approval, or in place of registration tests or trials.

    What is measured is a work product on closed tasks, no patient outcome. Leave regulatory conclusions to others.

    Passes: It is no substitute for clinical trials.
    Fails: A passed exam replaces clinical trials.
    """
    yield from crossed_lines(file, "CLM-02")


@file_check("CLM-03", section="19")
def misnamed_initiative(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    The initiative is called an initiative.

    It is no institute, society, accreditation body, certification scheme or regulator, and has no power of any of these.

    Passes: MedGauge is an initiative.
    Fails: MedGauge is an independent accreditation body.
    """
    yield from crossed_lines(file, "CLM-03")


@file_check("CLM-04", section="28", informs=True)
def figure_without_version(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    A figure stands with the benchmark version and the date it belongs to.

    Without them nobody can tell what it may be compared with. In records the schema asks for both.

    Passes: A PASS^3 of 0.83 on bm-example@0.2.0, dated 2026-11-20.
    Fails: A PASS^3 of 0.83 was reached.
    """
    yield from crossed_lines(file, "CLM-04")


@file_check("RESULT-37", section="14.2", informs=True)
def closed_pass_rate(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    A pass rate of a grading reference is said to come from a closed computation, with the digest of its detail.

    No public row says which references its checkpoints rest on, so nobody outside can recompute such a rate. Say so beside the
    figure; the number of tasks that test a reference is public, and needs nothing.

    Passes: gr-example has a pass rate of 0.8, from a closed computation (sha256 0f…).
    Fails: gr-example has a pass rate of 0.8.
    """
    if file.kind in {Kind.METH, Kind.SCHEMA, Kind.INFRA} or "gr-" not in file.text:
        return
    yield from capped(
        Problem(
            message=f"the pass rate of `{named[1]}` cannot be recomputed from anything public",
            help="Say that it comes from a closed computation, and give the digest of its detail.",
            pointer=passage.pointer,
            position=Position(line=passage.line_of(sentence.start), column=1) if passage.line else None,
            severity=Severity.NOTICE,
        )
        for passage in file.passages
        if not _CLOSED.search(passage.plain)
        for sentence in sentences(passage.plain)
        if "pass rate" in sentence.text.casefold() and _FIGURE.search(sentence.text)
        for named in _REFERENCE.finditer(sentence.text)
    )


@file_check("CLM-05", section="9")
def metrological_claim(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    The chain from figure to clause is called structurally traceable.

    Traceability in the sense of metrology needs a hierarchy of calibrations, about which nothing has been decided.

    Passes: The chain is structurally traceable.
    Fails: Scores are metrologically traceable.
    """
    yield from crossed_lines(file, "CLM-05")


@file_check("CLM-06", section="13.1")
def level_as_grade(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    A level is not read as the grade of a clinician.

    Levels are thresholds on a bound, over tasks of one kind; people are graded by other means.

    Passes: No level corresponds to the grade of a clinician.
    Fails: L3 corresponds to a senior resident.
    """
    yield from crossed_lines(file, "CLM-06")


@file_check("CLM-07", section="11.2")
def called_anonymised(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    De-identified material is not called anonymised, the method not Safe Harbor, and a scan no proof.

    Shifted dates stay in, and what a scan did not find may still be there. Name the guides that were followed.

    Passes: De-identified is not anonymised.
    Fails: All records are anonymised.
    """
    yield from crossed_lines(file, "CLM-07")


@file_check("CLM-08", section="34.1")
def claimed_conformity(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    Nothing is said to conform to the risk-management standard.

    Its vocabulary is mapped onto the measurement and nothing was assessed against it.

    Passes: The mapping claims no conformity with ISO 14971.
    Fails: An ISO 14971-compliant benchmark.
    """
    yield from crossed_lines(file, "CLM-08")


@file_check("CLM-09", section="1.2")
def compared_with_people(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    Nothing compares how often people and machines fail.

    How often people fail in these ways is not known. State the figures of the subject alone.

    Passes: The run takes more steps than the reference solution.
    Fails: The model makes fewer errors than physicians.
    """
    yield from crossed_lines(file, "CLM-09")


@file_check("CLM-10", section="13", informs=True)
def unproven_validity(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    A kind of validity is named together with the procedure it rests on.

    A property without a procedure is not claimed. Name the section or the record behind it.

    Passes: It has criterion validity, which rests on the expert baseline.
    Fails: The benchmark has predictive validity.
    """
    yield from crossed_lines(file, "CLM-10")


@file_check("CLM-11", section="5.4, 14.4, 32")
def compared_versions(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    Figures of different versions of one family stand side by side only with the notice that they are not comparable.

    Each version has tasks of its own, so a difference says nothing about the subject. A table is refused; a sentence is
    pointed out.

    Passes: a table of one version, or one under a line that says "not comparable"
    Fails: a table with rows for bm-example@0.1.0 and bm-example@0.2.0
    """
    yield from crossed_lines(file, "CLM-11")
    yield from capped(
        Problem(
            message=f"the table sets figures of `{family}@{one}` beside those of `{family}@{other}`",
            help="Say just above the table that the versions are not comparable, and name the notice; or part it.",
            position=Position(line=table.line, column=1),
        )
        for table in file.markdown.tables
        if file.kind not in {Kind.METH, Kind.SCHEMA} and not _NOTICE.search(table.near)
        for family, one, other in _versions_side_by_side(table)
    )


@file_check("CLM-12", section="10.6, Reproducibility page", informs=True)
def harness_as_failure(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    A difference between harnesses is not called a failure to reproduce.

    It is what is measured. Reproduction means the same harness in another environment.

    Passes: A difference between harnesses is a measured quantity.
    Fails: The result is not reproducible under another harness.
    """
    yield from crossed_lines(file, "CLM-12")


@file_check("CLM-13", section="10.2")
def unpaired_effect(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    A component is credited with an effect only on the strength of a paired run.

    One row alone cannot tell the component from everything else in it. Cite the pair, or drop the cause.

    Passes: In the paired runs the skill raised the pass rate by 0.1.
    Fails: The higher pass rate is due to the new skill.
    """
    yield from crossed_lines(file, "CLM-13")


@file_check("CLM-14", section="8.3, 13", informs=True)
def claimed_reliability(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    Reliability and fairness are measured, not claimed, and the bound is not called conservative.

    Give the figure; whether the bound errs on the safe side for these tasks is not established.

    Passes: Whether the bound is conservative is not established.
    Fails: The system is highly reliable.
    """
    yield from crossed_lines(file, "CLM-14")


def _versions_side_by_side(table: Table) -> Iterator[tuple[str, str, str]]:
    """Family and two versions of it that a table of figures holds."""
    cells: Sequence[str] = [cell for row in table.rows for cell in row]
    if not any(_FIGURE.search(cell) for cell in cells):
        return
    found: dict[str, list[str]] = {}
    for cell in cells:
        for family, version in _VERSIONED.findall(cell):
            if version not in found.setdefault(family, []):
                found[family].append(version)
    for family, versions in found.items():
        for one, other in list(pairwise(versions))[:1]:
            yield family, one, other
