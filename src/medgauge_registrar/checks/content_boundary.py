"""The public/closed boundary (BND-*), identifiers of people and keys of tasks (NEV-05, NEV-01). A hit is never quoted."""

from collections.abc import Iterator

from medgauge_registrar.checks.content_closed import exposure
from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, change_check, file_check
from medgauge_registrar.content import shapes
from medgauge_registrar.content.identifiers import TRAILER, has_identifier
from medgauge_registrar.content.secrets import has_secret
from medgauge_registrar.content.textfile import TextFile
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.tree import FILE_MODES

# Paths whose row asks for two maintainers, so that what no scan can read may stand there.
_LOOKED_AT_BY_TWO = frozenset({Kind.OTHER, Kind.INFRA, Kind.SCHEMA})


@file_check("BND-01", section="12.1", closed=True)
def case_material(file: TextFile, context: Context) -> Iterator[Problem]:
    """
    No task statement, case data or environment instance enters the repository.

    A task that was readable once measures nothing any more. Clinical tables, DICOM, FHIR resources, notes and task folders
    are told by their shape; an illustration labelled synthetic passes.

    Passes: an illustration marked synthetic: true
    Fails: a table with the columns patient_id, charttime and diagnosis
    """
    found = shapes.case_material(file) or shapes.crossed(file, "BND-01")
    yield from exposure(context, "task materials or case data, which stay closed", found=found)


@file_check("BND-02", section="12.1", closed=True)
def answer_material(file: TextFile, context: Context) -> Iterator[Problem]:
    """
    No answer, reference solution or verifier enters the repository.

    Whoever has read an answer can no longer be measured by its task. Keys, file names and code are looked at; code belongs
    under the infrastructure of the registry or nowhere.

    Passes: verifier: {version: 0.1.0, sha: …}
    Fails: reference_solution: {steps: …}
    """
    found = shapes.answer_material(file) or shapes.crossed(file, "BND-02")
    yield from exposure(context, "answers, solutions or verifiers of tasks, which stay closed", found=found)


@file_check("BND-03", section="12.1", closed=True)
def run_material(file: TextFile, context: Context) -> Iterator[Problem]:
    """
    No trajectory and no complete run record enters the repository.

    A trajectory quotes the task step by step. The public record holds one row of counts and digests for each run.

    Passes: {run: 1, checkpoints_passed: 4, detail_sha: …}
    Fails: messages: [{role: user, content: …}, …]
    """
    found = shapes.run_material(file) or shapes.crossed(file, "BND-03")
    yield from exposure(context, "trajectories or logs of runs, which stay closed", found=found)


@file_check("BND-04", section="12.1", closed=True)
def tied_task(file: TextFile, context: Context) -> Iterator[Problem]:
    """
    Nothing ties one task to the references it tests, to its components or to its labels.

    A key that says what its task is about is opaque no longer. Public are sums over a version alone.

    Passes: reference_summary: [{grading_reference: gr-…@0.1.0, tasks: 3}]
    Fails: {task_key: tk-…, grading_reference: gr-…}
    """
    yield from exposure(
        context, "components, labels or references of single tasks, which stay closed", found=shapes.task_ties(file)
    )


@file_check("BND-05", section="12.1", closed=True)
def key_material(file: TextFile, context: Context) -> Iterator[Problem]:
    """
    Key cards, gate runs and review records appear only as opaque record references.

    They say what the right answer is and why. Name the record and leave its content where it is.

    Passes: integrity: [{gate: 1, record_ref: example-gate-01}]
    Fails: borderline_cases: [{case: …, decision: …}]
    """
    found = shapes.key_material(file) or shapes.crossed(file, "BND-05")
    yield from exposure(context, "key cards, gate runs or review records, which stay closed", found=found)


@file_check("BND-06", section="12.1, Scoring page", closed=True)
def checkpoint_detail(file: TextFile, context: Context) -> Iterator[Problem]:
    """
    A run row holds counts and a digest, and no detail of single checkpoints.

    Which checkpoint passed tells what the task asks. Give the count and the digest of the closed detail.

    Passes: {checkpoints_passed: 4, m: 5, detail_sha: …}
    Fails: checkpoints: [true, true, false]
    """
    found = shapes.checkpoint_detail(file) or shapes.crossed(file, "BND-06")
    yield from exposure(context, "detail of single checkpoints, which stays closed", found=found)


@file_check("BND-07", section="12.1, 21", closed=True)
def role_record(file: TextFile, context: Context) -> Iterator[Problem]:
    """
    No list of who holds which role or standing enters the repository, in a table or in prose.

    Records of roles are closed. Ownership files and records are looked at under ROLE-15; this looks at texts and tables.

    Passes: Two maintainers approve it.
    Fails: a table with the columns login and role
    """
    yield from exposure(context, "records of roles or standing, which stay closed", found=shapes.role_record(file))


@file_check("BND-08", section="12.1, 12.2", kinds={Kind.BM_VERSION}, closed=True)
def guessable_manifest(file: TextFile, context: Context) -> Iterator[Problem]:
    """
    A manifest of holdout answers cannot be undone by trying likely answers.

    The plain digest of `yes` or `3` is known to everybody. Salt each answer before it is digested.

    Passes: digests of salted answers
    Fails: the SHA-256 of the word yes
    """
    fields = file.document.value if file.document is not None else None
    manifest = fields.get("hash_manifest") if isinstance(fields, dict) else None
    entries = manifest.get("entries") if isinstance(manifest, dict) else None
    found = isinstance(entries, list) and shapes.guessable_digests(entries)
    yield from exposure(context, "digests from which answers can be guessed", found=found)


@file_check("BND-09", section="12.1, 23", closed=True)
def task_package(file: TextFile, context: Context) -> Iterator[Problem]:
    """
    No filled task submission and no task package enters the repository.

    A submission holds labels, components and seeded defects, and an archive can hold anything. Hand it to the initiative in
    private.

    Passes: schemas/task-submission.schema.json, the empty form
    Fails: a code block with the items of the form filled in; an archive
    """
    found = shapes.filled_submission(file) or shapes.is_archive(file)
    yield from exposure(context, "task submissions or packages, which stay closed", found=found)


@file_check("BND-10", section="12.2", closed=True)
def canary(file: TextFile, context: Context) -> Iterator[Problem]:
    """
    No text holds a canary string.

    A canary is planted in task material, so where one appears, material has got out. Strings are known to the gate by keyed
    digests alone; markers that call themselves canaries are found without them.

    Passes: any text without one
    Fails: a line that a digest of the closed list stands for
    """
    found = context.canaries.in_text(f"{file.text}\n{file.path}")
    yield from exposure(context, "marked task material", found=found)


@file_check("BND-12", section="12.1, 11.6", closed=True)
def calibration_material(file: TextFile, context: Context) -> Iterator[Problem]:
    """
    Calibration tasks are released elsewhere and named here by digest, though their keys are public.

    The repository holds no task at all. Release the pack where the card says, and give its digest.

    Passes: package_sha256: …
    Fails: calibration/tk-…/notes.csv
    """
    yield from exposure(
        context, "calibration tasks, which are released elsewhere", found=shapes.calibration_material(file)
    )


@file_check("BND-13", section="12.1", closed=True)
def unreadable_content(file: TextFile, context: Context) -> Iterator[Problem]:
    """
    What no scan can read is refused among records and texts, and needs two maintainers elsewhere.

    A binary file, or a pointer to one, could hold anything. Write text, or keep the file outside of governed folders.

    Passes: a picture in a folder of no kind, approved by two maintainers
    Fails: an article of compressed bytes
    """
    found = file.is_opaque and file.kind not in _LOOKED_AT_BY_TWO
    yield from exposure(context, "content that no scan can read", found=found)


@file_check("NEV-01", section="23", closed=True)
def answer_correction(file: TextFile, context: Context) -> Iterator[Problem]:
    """
    No answer key for an existing task, and no correction of one, is accepted in public.

    It would show the key to everybody who is still to be measured. Report a wrong key in private.

    Passes: One task version was voided because of an error in its key.
    Fails: The right answer for the task is B.
    """
    found = file.kind not in {Kind.METH, Kind.SCHEMA, Kind.INFRA} and shapes.answer_correction(file)
    yield from exposure(context, "an answer key or its correction, which stays closed", found=found)


@file_check("NEV-05", section="23, 11.2", closed=True)
def identifiable_person(file: TextFile, context: Context) -> Iterator[Problem]:
    """
    No information that identifies a person enters the repository.

    Numbers with check digits, addresses, full dates beside a patient and the like are found by rule; names alone cannot be.
    A clean scan says only that this scan found nothing, and it never stands for gate 8.

    Passes: security@example.org, 10.1000/182, NCT01234567
    Fails: a date of birth, a record number, a telephone number
    """
    found = has_identifier(TRAILER.sub("", f"{_words(file)}\n{file.path}"))
    yield from exposure(context, "information that identifies a person", found=found)


@change_check("NEV-05", section="23, 11.2", kinds=frozenset(Kind))
def credential(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    No changed file holds a token, a key or a password.

    A credential stands for its holder, and pushing it gave it away. Revoke it first, then take it out of every commit.

    Passes: password: required
    Fails: a private key, an access token
    """
    path = changed.change.path
    entry = context.registry.tree.entry(path)
    if entry is None or entry.mode not in FILE_MODES:
        return
    file = TextFile(changed.place, context.registry.tree.read(path) or b"")
    yield from exposure(context, "a credential; revoke it first", found=has_secret(_words(file)))


def _words(file: TextFile) -> str:
    """The bytes as text and, where a document spells characters by escapes, its values as they are meant."""
    if file.document is None or "\\" not in file.text:
        return file.text
    values = [node.value for node in file.nodes if isinstance(node.value, str)]
    return "\n".join([file.text, *values])
