"""The public/closed boundary (BND, NEV-01, NEV-05): hits are found, and never quoted."""

import hashlib
import hmac

import pytest

from medgauge_registrar.content.canaries import Canaries
from medgauge_registrar.content.digits import french_insurance, verhoeff
from medgauge_registrar.policy.settings import Settings
from medgauge_registrar.report.withhold import public_findings
from support.cases import fails, passes
from support.content import rules_of, scan

ARTICLE = "articles/2026-11-20-example.md"
VERSION = "registry/benchmarks/bm-example/versions/0.1.0.yaml"
OTHER = "docs/example.yaml"
EMPTY_FORM = (
    '{"description": "(section 23)", "properties": {"labels": {"type": "object"}, "declarations": {"type": "object"}, '
    '"seeded_defects": {"type": "array"}}}\n'
)
FILLED_BLOCK = "```yaml\nlabels: {T1: short}\nseeded_defects: [{cluster: s1}]\nmaterials_hash: abc\n```\n"
KEY = b"example-key"
CANARY = "zq-canary-4f1b9c20"
LEDGER = Canaries(key=KEY, digests=frozenset({hmac.new(KEY, CANARY.encode(), hashlib.sha256).hexdigest()}))


def manifest(answer: str) -> str:
    return (
        f"hash_manifest: {{entries: [{hashlib.sha256(answer.encode()).hexdigest()}], released_with: example-round-1}}\n"
    )


@pytest.mark.parametrize(
    ("path", "content"),
    [
        passes("BND-01", "an illustration", ARTICLE, "A synthetic illustration:\n\n```csv\npatient_id,dob\n1,x\n```\n"),
        passes("BND-01", "an invented case", ARTICLE, "A synthetic case: a 34-year-old woman presents with headache.\n"),
        passes("BND-01", "ages in general", ARTICLE, "Tasks tell of 34-year-old patients and of others.\n"),
        passes("BND-01", "a statement that is not there", ARTICLE, "Task statement: closed, as for every family.\n"),
        passes("BND-01", "records of anything else", "docs/r.ndjson", '{"kind": "row"}\n{"kind": "row"}\n'),
        passes("BND-04", "a task and its runs", OTHER, "tk-596lguax1dxn: {runs: [{passed: true}]}\n"),
        passes("BND-05", "a gate in general", ARTICLE, "Gate 2 is run by the builder on wrong artifacts.\n"),
        passes("BND-06", "checkpoints in general", ARTICLE, "A run passes when every checkpoint passes; 3 checkpoints are few.\n"),
        passes("BND-07", "owners without roles", ".github/CODEOWNERS", "/registry/ @example-person-1 # standards\n"),
        passes("BND-02", "a digest", OTHER, "verifier: {version: 0.1.0, sha: abc}\n"),
        passes("BND-03", "a count", OTHER, "tool_calls: 12\n"),
        passes("BND-04", "a sum", OTHER, "reference_summary: [{grading_reference: gr-example@0.1.0, tasks: 3}]\n"),
        passes("BND-05", "a reference", OTHER, "integrity: [{gate: 1, record_ref: example-gate-01}]\n"),
        passes("BND-06", "counts", OTHER, "checkpoints_passed: 4\nm: 5\n"),
        passes("BND-07", "roles without people", ARTICLE, "Two maintainers approve it.\n"),
        passes("BND-08", "a salted answer", VERSION, manifest("yes, with 8f1c2b9d of salt")),
        passes("BND-09", "the empty form", "schemas/form.schema.json", EMPTY_FORM),
        passes("BND-10", "another word", ARTICLE, "zq-canary-00000000\n"),
        passes("BND-12", "calibration in words", ARTICLE, "Calibration items have open keys.\n"),
        passes("BND-13", "a picture of no kind", "pictures/a.png", b"\x89PNG\r\n\x1a\n\0\0"),
        passes("NEV-01", "an error in a key", ARTICLE, "A version was voided because of an error in its key.\n"),
        passes("NEV-05", "numbers of nobody", ARTICLE, "NCT01234567, 10.1000/182, 0000-0002-1825-0097, security@example.org\n"),
    ],
)  # fmt: skip
def test_is_let_pass(path: str, content: bytes | str) -> None:
    """No content check finds anything."""
    assert scan(path, content, canaries=LEDGER) == []


@pytest.mark.parametrize(
    ("rule", "path", "content"),
    [
        fails("BND-01", "a clinical table", "docs/t.csv", "patient_id,charttime,drug\n1,2031,x\n"),
        fails("BND-01", "FHIR", "docs/b.json", '{"resourceType": "Patient"}'),
        fails("BND-01", "DICOM", "docs/scan", b"\0" * 128 + b"DICM" + b"\0" * 64),
        fails("BND-01", "FHIR, a resource a line", "docs/b.ndjson", '{"resourceType": "Patient"}\n{"resourceType": "Claim"}\n'),
        fails("BND-01", "the dump of an image's header", "docs/h.txt",
              "(0008,0060) CS [CT]\n(0010,0010) PN [X]\n(0010,0020) LO [Y]\n"),
        fails("BND-01", "rows for a research data base", "docs/s.sql", "INSERT INTO visit_occurrence VALUES (1, 2);\n"),
        fails("BND-01", "values by patient", ARTICLE, "| Patient | Potassium | Note |\n|---|---|---|\n| 1 | 5.9 | x |\n"),
        fails("BND-01", "a note in abbreviations", ARTICLE, "HPI: pain.\n\nPMH: none.\n\nVitals: stable.\n"),
        fails("BND-01", "how a case begins", ARTICLE, "A 34-year-old woman presents with headache and a high pressure.\n"),
        fails("BND-01", "what a task asks", ARTICLE, "Task statement: You are given the record of one stay.\n"),
        fails("BND-04", "components below a task", OTHER, "tk-596lguax1dxn: {difficulty: {breadth: 2}}\n"),
        fails("BND-04", "labels in words", ARTICLE, "Labels of tk-596lguax1dxn: T2 is medium.\n"),
        fails("BND-05", "the outcome of a gate", ARTICLE, "Gate 2 run, wrong artifacts: empty FAIL, all FAIL.\n"),
        fails("BND-05", "votes of a review", ARTICLE, "On this case vote 1 was accept, vote 2 was reject.\n"),
        fails("BND-06", "a table of checkpoints", ARTICLE, "| Run | CP1 | CP2 |\n|---|---|---|\n| 1 | pass | fail |\n"),
        fails("BND-06", "checkpoints in words", ARTICLE, "On tk-7v3di8fppv5a checkpoint 3 failed in runs 1 and 2.\n"),
        fails("BND-07", "people behind a role", ARTICLE, "Ask the acceptors (@example-person-1, @example-person-2).\n"),
        fails("BND-07", "owners by role", ".github/CODEOWNERS", "/registry/ @example-person-1 # results reviewer\n"),
        fails("BND-02", "an answer", OTHER, "answer_key: {c1: incomplete}\n"),
        fails("BND-02", "code among texts", "articles/verify.py", "print(1)\n"),
        fails("BND-03", "a conversation", OTHER, "messages: [{role: user, content: a}, {role: assistant, content: b}]\n"),
        fails("BND-04", "a task and its reference", OTHER, "task_key: tk-596lguax1dxn\ngrading_reference: gr-example@0.1.0\n"),
        fails("BND-05", "a key card", OTHER, "key_card: {expected: incomplete}\n"),
        fails("BND-06", "single checkpoints", OTHER, "checkpoints: [true, false]\n"),
        fails("BND-07", "a table of people", ARTICLE, "| Login | Role |\n|---|---|\n| example-person-1 | acceptor |\n"),
        fails("BND-08", "a plain answer", VERSION, manifest("yes")),
        fails("BND-09", "an archive", "docs/pack", b"PK\x03\x04 and so on"),
        fails("BND-09", "a filled form in a text", ARTICLE, FILLED_BLOCK),
        fails("BND-10", "a listed string", ARTICLE, f"Nothing but {CANARY}, here.\n"),
        fails("BND-10", "a listed string as a line", "docs/a.txt", f"# {CANARY}\n"),
        fails("BND-12", "a calibration task", "calibration/tk-596lguax1dxn/readme.txt", "x\n"),
        fails("BND-13", "a binary article", "articles/figure.bin", b"\0\1\2\3"),
        fails("BND-13", "a pointer", "articles/figure.md", "version https://git-lfs.github.com/spec/v1\n"),
        fails("NEV-05", "a date of birth", ARTICLE, "DOB: 1961-03-12\n"),
        fails("NEV-05", "an escaped address", OTHER, 'contact: "q.zzyzx\\x40st-elsewhere.org"\n'),
        fails("NEV-05", "a file name", "docs/MRN 4471902.txt", "x\n"),
        fails("NEV-05", "a private key", ARTICLE, "-----BEGIN RSA PRIVATE KEY-----\n"),
        fails("NEV-05", "a token", OTHER, "token: ghp_16C7e42F292c6912E7710c838347Ae178B4a\n"),
    ],
)  # fmt: skip
def test_is_refused(rule: str, path: str, content: bytes | str) -> None:
    """The rule, and no other, is broken; the finding carries no place and nothing of the content."""
    found = scan(path, content, canaries=LEDGER)
    assert rules_of(found, errors_only=True) == {rule}
    for item in public_findings(found):
        assert (item.path, item.line, item.column, item.pointer) == (None, None, None, None)
        assert item.message.startswith("possible exposure: ")
        assert "SECURITY.md" in item.help
        assert "`" not in item.message + item.help
        assert CANARY not in repr(item)


@pytest.mark.parametrize(
    "text", ["The right answer for the holdout task is B.", "tk-596lguax1dxn: the key should be complete."]
)
@pytest.mark.parametrize("rule", [fails("NEV-01", "a key in words")])
def test_key_in_words_is_refused(rule: str, text: str) -> None:
    """Words that give a key break two rules, and quote nothing."""
    found = scan(ARTICLE, text + "\n")
    assert rules_of(found) == {rule, "BND-02"}
    assert all(item.path is None for item in found)


def test_two_hits_look_like_one() -> None:
    """The sentence is the same whatever was found, so it tells nothing of it."""
    one = scan(ARTICLE, "DOB: 1961-03-12\n")
    other = scan(OTHER, "note: 'MRN: 4471902, and 4111 1111 1111 1111'\n")
    assert one == other


def test_private_channel_is_named() -> None:
    """A channel set by the registry takes the place of its security policy."""
    settings = Settings(private_channel="https://example.org/report")
    (found,) = scan(ARTICLE, "DOB: 1961-03-12\n", settings=settings)
    assert "https://example.org/report" in found.help


def test_canaries_stay_out_of_sight() -> None:
    """Neither key nor digests show when the list is printed."""
    assert repr(LEDGER) == "Canaries()"


def test_silencing_comment_has_no_effect() -> None:
    """No comment in the file silences the scan for credentials."""
    text = "token: ghp_16C7e42F292c6912E7710c838347Ae178B4a  # pragma: allowlist secret\n"
    assert rules_of(scan(OTHER, text)) == {"NEV-05"}


def test_check_digits_count() -> None:
    """A number with a wrong check digit is no identifier."""
    right = next(f"2345678901{n:02}" for n in range(100) if verhoeff(f"2345678901{n:02}"))
    wrong = f"{right[:-1]}{(int(right[-1]) + 1) % 10}"
    grouped = [f"{number[:4]} {number[4:8]} {number[8:]}" for number in (right, wrong)]
    assert [rules_of(scan(ARTICLE, f"{number}\n")) for number in grouped] == [{"NEV-05"}, set()]
    assert french_insurance("253077507300407") is (97 - 2530775073004 % 97 == 7)
