"""Shapes of material that stays closed (F.2), told from documents, from text and from file names; never quoted."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from medgauge_registrar.content.documents import (
    LABEL_KEYS,
    REFERENCE,
    SUBMISSION_KEYS,
    TASK_KEY,
    is_fhir,
    is_submission,
    is_trajectory,
    ties_a_task,
)
from medgauge_registrar.content.redlines import keyed, plain_key
from medgauge_registrar.content.textfile import Node, TextFile, walk
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json
from medgauge_registrar.patterns import lazy_pattern

_SUBMISSION_WORDS = lazy_pattern(
    r"(?:^|[{,])[ \t-]{0,20}[\"']?(action_granularity|compliance_checkpoints|declarations|difficulty_components|judgement_points"
    r"|materials_hash|required_actions|seeded_defects|variant_relation)[\"']?[ \t]{0,3}:",
    re.M,
)
_ENOUGH_ITEMS = 3
_FEW_VOTES = 2
# Columns of clinical tables, as electronic records and research data bases name them.
_CLINICAL_COLUMNS = frozenset({
    "admission", "admissionid", "admittime", "birthdate", "caseid", "charttime", "dateofbirth", "diagnosis",
    "dischargetime", "dischtime",
    "dob", "dose", "drug", "encounterid", "gender", "hadmid", "icd", "icd10", "icdcode", "issuedat", "labvalue",
    "medication", "mrn",
    "noteid", "notetext", "patient", "patientid", "personid", "procedurecode", "recordid", "reportid", "sex",
    "specimen", "stayid",
    "subjectid", "testname", "valuenum", "visitid", "visitoccurrenceid", "vitalsign", "writtenat",
    "albumin", "bilirubin", "bloodpressure", "bp", "creatinine", "crp", "glucose", "haemoglobin", "heartrate", "hemoglobin",
    "inr", "lactate", "platelets", "potassium", "pulse", "respiratoryrate", "sodium", "spo2", "temperature", "troponin",
    "urea", "wbc",
})  # fmt: skip
_PERSON_COLUMNS = frozenset({
    "caseid", "dateofbirth", "dob", "encounterid", "hadmid", "mrn", "noteid", "notetext", "patient", "patientid",
    "personid", "recordid",
    "reportid", "stayid", "subjectid", "visitid", "visitoccurrenceid",
})  # fmt: skip
_NOTE_HEADINGS = lazy_pattern(
    r"^[ \t#*_-]{0,8}(chief complaint|history of present(?:ing)? (?:illness|complaint)|past medical history"
    r"|physical exam(?:ination)?"
    r"|review of systems|assessment and plan|hospital course|discharge (?:diagnosis|medications?|instructions)|social history"
    r"|family history|vital signs|presenting complaint|medications on admission|admission diagnosis|discharge summary|hpi|pmh"
    r"|past surgical history|vitals|impression and plan|reason for (?:admission|consultation)|follow[- ]up)"
    r"[*_]{0,3}\s{0,2}(?::|$)",
    re.I | re.M,
)
# Of which a text holds one if it holds any of these headings.
_NOTE_WORDS = (
    "chief complaint", "history of present", "past medical history", "physical exam", "review of systems",
    "assessment and plan", "hospital course", "discharge diagnosis", "discharge medication", "discharge instructions",
    "social history", "family history", "vital signs", "presenting complaint", "medications on admission", "hpi:", "pmh:",
    "admission diagnosis", "discharge summary", "past surgical history", "impression and plan", "reason for admission",
    "reason for consultation",
)  # fmt: skip
_HL7 = lazy_pattern(r"^(?:MSH\|\^~\\&|PID\|[^\n|]{0,10}\|)", re.M)
_CDA = lazy_pattern(r"<(?:[a-z0-9]{1,10}:)?ClinicalDocument[\s>]|\bxmlns=\"urn:hl7-org:v3\"")
_DICOM_LINE = lazy_pattern(r"^\s{0,4}\(?[0-9a-f]{4},[0-9a-f]{4}\)?\s{1,4}[A-Z]{2}\s", re.M | re.I)
# Tables of people in the usual models of research data, written to.
_CLINICAL_INSERT = lazy_pattern(
    r"\bINSERT\s{1,4}INTO\s{1,4}[\"`\[]?(?:[a-z_]{1,30}\.)?(?:person|visit_occurrence|visit_detail|condition_occurrence|drug_exposure"
    r"|procedure_occurrence|measurement|observation|device_exposure|death|note|specimen|patients|admissions|icustays|chartevents"
    r"|labevents|noteevents|prescriptions|diagnoses_icd|encounters)\b",
    re.I,
)
_VIGNETTE = lazy_pattern(
    r"\b(?:an?|the|this) \d{1,3}[- ](?:years?|months?|weeks?|days?)[- ]old (?:[a-z]{1,20} ){0,2}"
    r"(?:man|woman|boy|girl|male|female|infant|child|patient|lady|gentleman)\b[^.\n]{0,160}"
    r"\b(?:presents?|presented|presenting|(?:is|was) (?:admitted|brought|referred|seen)|comes|came)"
    r" (?:in |to |with |for |at |by |on )",
    re.I,
)
_INSTRUCTION = lazy_pattern(
    r"^[ \t*_>-]{0,8}(?:Task statement|Task instructions?|Instructions? (?:to|for) the (?:agent|subject|model)|Your task)"
    r"[*_]{0,3}:[*_ \t]{0,6}(?:You|Your|Read|Write|Find|Given|Review|Compare|Using|Complete|Fill|Decide)\b",
    re.M | re.I,
)
_STEP_LINES = lazy_pattern(
    r"^[ \t>*-]{0,6}(Thought|Action|Observation|Tool call|Tool result|Assistant|Action Input)(?: \d{1,4})?:",
    re.M | re.I,
)
_LOG_LINES = lazy_pattern(
    r"^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.,\dZ+:]{0,12}\]?[ \t]{1,3}(?:-[ \t])?\[?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|TRACE)\b",
    re.M,
)
_TASK_STATEMENT = lazy_pattern(
    r"^#{1,6} (?:Task statement|Task instructions?|Instructions? (?:to|for) the (?:agent|subject|model)|Your task)\b",
    re.M | re.I,
)
_GATE_RUN = lazy_pattern(r"\b[Gg]ate \d{1,2} (?:run|log|output)\b[^\n]{0,300}\b(?:PASS|FAIL)\b")
_REVIEW_VOTE = lazy_pattern(r"\bvote \d (?:was|is|:)\s{0,2}(?:accept|reject)", re.I)
_CHECKPOINT_SAID = lazy_pattern(
    r"\bcheckpoints? \d{1,3}(?:(?:,| and|, and) \d{1,3}){0,12}\b[^.;\n]{0,60}\b(?:failed|passed|fails|passes|missed)\b",
    re.I,
)
_RUN_OR_TASK = lazy_pattern(r"\btk-[a-z0-9]{6}|\bruns? \d\b", re.I)
_CHECKPOINT_HEAD = lazy_pattern(r"(?:cp|checkpoint)\d{1,3}")
_LABEL_SAID = lazy_pattern(
    r"\blabels? (?:of|for) tk-[a-z0-9]{6}|\btk-[a-z0-9]{6}[^\n]{0,80}\bT(?:10|[1-9])(?: is |: ?|=)", re.I
)
_KEY_CARD = lazy_pattern(
    r"^#{1,6} (?:Expert )?key card\b|^#{1,6} (?:Expected key|Borderline (?:cases|decisions)|Over-reporting)\b",
    re.M | re.I,
)
_ROLE_WORDS = frozenset({
    "maintainer", "reference engineer", "task builder", "expert reviewer", "acceptor", "independent acceptor",
    "data steward",
    "results reviewer", "reproducer", "reviewer", "contributor", "key expert", "builder",
})  # fmt: skip
_PEOPLE_COLUMNS = frozenset(
    {
        "account",
        "email",
        "githubaccount",
        "githublogin",
        "handle",
        "id",
        "login",
        "mail",
        "member",
        "name",
        "person",
        "user",
        "username",
    }
)
_HANDLE = lazy_pattern(r"(?<![\w/])@[A-Za-z0-9][A-Za-z0-9-]{1,38}(?![\w/-])")
_ROLE_LINE = lazy_pattern(
    r"\b(maintainers?|acceptors?|task builders?|expert reviewers?|data stewards?|results reviewers?|reference engineers?"
    r"|reproducers?|key experts?)"
    r"[*_`]{0,3}\s{0,2}(?:(?::|are|is|=)\s{0,2}(?=[^\n]{0,60}@[A-Za-z0-9])|\(?(?=@[A-Za-z0-9]))",
    re.I,
)
_OWNER_WITH_ROLE = lazy_pattern(
    r"^[^#\n]{0,400}@[A-Za-z0-9][^#\n]{0,400}#[^\n]{0,60}\b(?:maintainers?|acceptors?|task builders?|expert reviewers?"
    r"|data stewards?|results reviewers?|reference engineers?|reproducers?)\b",
    re.I | re.M,
)
_ANSWER_TEXT = lazy_pattern(
    r"\banswer key (?:to|for|of) (?:the |this |holdout |calibration )?(?:tasks?\b|tk-)"
    r"|\b(?:correct|right|expected|true|gold) (?:answer|key|verdict) (?:to|for|of|in) (?:the |this |holdout |calibration ){0,2}"
    r"task(?:s\b| tk-|\b(?! famil))"
    r"|\b(?:answer|key|solution) (?:to|for|of|in) (?:task )?tk-[a-z0-9]{6}"
    r"|\btk-[a-z0-9]{6,40}(?:@[\d.]{5,14})?:? (?:[a-z]{1,12} ){0,3}(?:answer|key|solution|verdict) (?:is|should|ought|must|was)\b"
    r"|\b(?:for|in|of) (?:this|that|the) (?:holdout|calibration) task,? (?:the )?(?:reference solution|answer|expected [a-z]{1,12})"
    r" (?:is|was|lists?|says?|has|have|contains?|reads?)\b"
    r"|\b(?:change|correct|set|turn) (?:the )?(?:expected |correct |right )?(?:answer|key|verdict) (?:of|for|in) (?:task )?"
    r"tk-[a-z0-9]{6}",
    re.I,
)
_ANSWER_WORDS = ("answer", "key", "solution", "verdict")
_SOLUTION_CODE = lazy_pattern(
    r"\b(?:def (?:verify|grade|check_answer|test_solution)\(|EXPECTED_(?:FINDINGS|ANSWERS?|KEY)\b)"
)

# Magic numbers: what a file is, whatever it is called.
_ARCHIVES = (
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ\x00",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07",
    b"\x28\xb5\x2f\xfd",
)
_DATA = (b"PAR1", b"SQLite format 3\0", b"\x89HDF\r\n\x1a\n", b"ARROW1", b"Obj\x01", b"\x93NUMPY", b"NRRD000")
_ARCHIVE_NAME = lazy_pattern(r"\.(?:zip|tar|tgz|gz|bz2|xz|7z|rar|zst|tbz2|txz|jar|whl)$", re.I)
_MATERIAL_NAME = lazy_pattern(
    r"\.(?:dcm|dicom|nii|nii\.gz|hl7|edf|hea|parquet|feather|sqlite3?|h5|hdf5|npz|npy|sas7bdat|dta|rds|mrc|svs|ndpi)$",
    re.I,
)
_TASK_NAME = lazy_pattern(
    r"(?:^|/)(?:task\.toml|instruction\.md|task_statement\.[a-z]{1,5}|environment/Dockerfile|docker-compose\.ya?ml)$",
    re.I,
)
_ANSWER_NAME = lazy_pattern(
    r"(?:^|/)(?:answer[_-]?keys?|answers?|gold(?:en)?[_-]?(?:answers?|standard)?|expected[_-](?:findings|answers?|output)|reference[_-]solution"
    r"|solution|solve|verifier|verify|grader|test_outputs|ground[_-]truth)\.(?:ya?ml|json|jsonl|csv|txt|md|py|sh|js|ts|r|ipynb)$",
    re.I,
)
_ANSWER_FOLDER = lazy_pattern(r"(?:^|/)(?:solutions?|answers?|verifiers?|answer[_-]?keys?)/[^/]{1,200}$", re.I)
_RUN_NAME = lazy_pattern(
    r"(?:trajectory|trajectories|transcript|rollout|run[_-]?log|trace)[^/]{0,60}\.(?:json|jsonl|ya?ml|txt|log|csv|html)$|\.log$",
    re.I,
)
_CALIBRATION = lazy_pattern(r"(?:^|/)calib(?:ration)?[^/]{0,60}/", re.I)
_CODE = lazy_pattern(r"\.(?:py|sh|js|ts|r|rb|pl|ipynb|java|go|rs|c|cpp|bat|ps1)$", re.I)
# Folders whose files are records or prose; code there is a solution or a verifier.
_NO_CODE = frozenset(Kind) - {Kind.INFRA, Kind.SCHEMA, Kind.OTHER}
_GUESSABLE = (
    "",
    "0",
    "1",
    "true",
    "false",
    "yes",
    "no",
    "none",
    "null",
    "a",
    "b",
    "c",
    "d",
    "e",
    "[]",
    "{}",
    "complete",
    "incomplete",
    "pass",
    "fail",
    "not applicable",
)


def case_material(file: TextFile) -> bool:
    """Task statements, case data and environment instances (BND-01), outside labelled illustrations."""
    head = file.data[:512]
    if (
        head[128:132] == b"DICM"
        or any(head.startswith(mark) for mark in _DATA)
        or head[344:348] in {b"n+1\0", b"ni1\0"}
    ):
        return True
    text = file.text
    if _MATERIAL_NAME.search(file.path) or _TASK_NAME.search(file.path):
        return True
    if "|" in text and _HL7.search(text):
        return True
    if ("ClinicalDocument" in text or "urn:hl7" in text) and _CDA.search(text):
        return True
    if "# " in text and file.kind is not Kind.SCHEMA and _TASK_STATEMENT.search(text):
        return True
    if (
        file.kind is not Kind.SCHEMA
        and ("task" in file.lowered or "instruction" in file.lowered)
        and _INSTRUCTION.search(text)
    ):
        return True
    if len(_DICOM_LINE.findall(text)) >= _ENOUGH_ITEMS or ("insert" in file.lowered and _CLINICAL_INSERT.search(text)):
        return True
    if "old" in file.lowered and _tells_a_case(file):
        return True
    if _has_note_headings(file):
        return True
    if "resourceType" in text and any(is_fhir(value) for value, _ in file.documents):
        return True
    return _has_clinical_table(file)


def answer_material(file: TextFile) -> bool:
    """Answers, reference solutions and verifiers (BND-02), told from names, code and words."""
    if file.kind is not Kind.SCHEMA and (_ANSWER_NAME.search(file.path) or _ANSWER_FOLDER.search(file.path)):
        return True
    if _CODE.search(file.path) and file.kind in _NO_CODE:
        return True
    if file.kind is Kind.INFRA:
        return False
    text = file.text
    return (("def " in text or "EXPECTED_" in text) and _SOLUTION_CODE.search(text) is not None) or answer_correction(
        file
    )


def answer_correction(file: TextFile) -> bool:
    """Words that give, or correct, the key of a task (NEV-01)."""
    lowered = file.lowered
    if not ("task" in lowered or "tk-" in lowered) or not any(word in lowered for word in _ANSWER_WORDS):
        return False
    return _ANSWER_TEXT.search(file.text) is not None


def run_material(file: TextFile) -> bool:
    """Trajectories and complete run records (BND-03)."""
    if not file.place.is_record and file.kind not in {Kind.SCHEMA, Kind.INFRA} and _RUN_NAME.search(file.path):
        return True
    text, lowered = file.text, file.lowered
    if (
        any(level in text for level in ("DEBUG", "INFO", "WARN", "ERROR", "TRACE"))
        and len(_LOG_LINES.findall(text)) >= 5
    ):
        return True
    if any(word in lowered for word in ("thought", "action", "observation", "tool", "assistant")):
        steps = [found.casefold() for found in _STEP_LINES.findall(text)]
        if len(steps) >= 4 and len(set(steps)) >= 2:
            return True
    if not any(word in lowered for word in ("role", "action", "tool", "thought")):
        return False
    return any(is_trajectory(value) for value, _ in file.documents)


def task_ties(file: TextFile) -> bool:
    """What ties one task to the references it tests, to its components or to its labels (BND-04)."""
    if "tk-" in file.text:
        for line in file.lines:
            if (
                "tk-" in line
                and "gr-" in line
                and len(line) <= 2_000
                and TASK_KEY.search(line)
                and REFERENCE.search(line)
            ):
                return True
        if _LABEL_SAID.search(file.text):
            return True
        if file.is_markdown and any(_ties_in_table(table.rows) for table in file.markdown.tables):
            return True
    elif "task" not in file.lowered:
        return False
    return any(ties_a_task(value) for value, _ in file.documents)


def key_material(file: TextFile) -> bool:
    """Key cards, gate runs and review records (BND-05), told from headings and from what such records say."""
    if file.kind in {Kind.METH, Kind.SCHEMA}:
        return False
    text = file.text
    return bool(_KEY_CARD.search(text) or _GATE_RUN.search(text)) or len(_REVIEW_VOTE.findall(text)) >= _FEW_VOTES


def checkpoint_detail(file: TextFile) -> bool:
    """Which checkpoint was passed in which run (BND-06), in tables and prose."""
    if ("checkpoint" not in file.lowered and "cp" not in file.lowered) or file.kind in {Kind.METH, Kind.SCHEMA}:
        return False
    if any(
        len([cell for cell in table.rows[0] if _CHECKPOINT_HEAD.fullmatch(plain_key(cell))]) >= 2
        for table in file.markdown.tables
        if table.rows
    ):
        return True
    return any(
        len(line) <= 2_000 and _CHECKPOINT_SAID.search(line) and _RUN_OR_TASK.search(line)
        for line in file.lines
        if "checkpoint" in line.lower()
    )


def role_record(file: TextFile) -> bool:
    """Lists of who holds which role (BND-07) in tables and prose."""
    if "@" not in file.text and "role" not in file.text.casefold():
        return False
    for line in file.lines:
        if (
            len(line) <= 2_000
            and "@" in line
            and _ROLE_LINE.search(line)
            and _HANDLE.search(line)
            and file.kind is not Kind.INFRA
        ):
            return True
    if file.kind is Kind.INFRA and "codeowners" in file.path.casefold() and _OWNER_WITH_ROLE.search(file.text):
        return True
    return any(_is_roster(table.rows) for table in file.markdown.tables) or any(
        _is_roster(rows) for rows in _delimited(file)
    )


def filled_submission(file: TextFile) -> bool:
    """A task submission, filled in whole or in part, in any document, code block or broken text (BND-09)."""
    squeezed = file.lowered.replace("_", "").replace("-", "")
    if sum(key in squeezed for key in SUBMISSION_KEYS) < _ENOUGH_ITEMS and "\\" not in squeezed:
        return False
    if any(is_submission(value) for value, _ in file.documents):
        return True
    if file.kind is Kind.SCHEMA or file.document is not None:
        return False
    return len(set(_SUBMISSION_WORDS.findall(file.text))) >= _ENOUGH_ITEMS


def is_archive(file: TextFile) -> bool:
    """Whether a file is an archive by its first bytes or its name (BND-09)."""
    return (
        any(file.data.startswith(mark) for mark in _ARCHIVES)
        or file.data[257:262] == b"ustar"
        or bool(_ARCHIVE_NAME.search(file.path))
    )


def calibration_material(file: TextFile) -> bool:
    """A task of the calibration subset, which is released elsewhere (BND-12)."""
    return bool(_CALIBRATION.search(file.path)) and file.kind is not Kind.SCHEMA


def guessable_digests(entries: Sequence[Json]) -> bool:
    """Whether a manifest of answers holds the plain digest of an answer that anybody would try (BND-08)."""
    return any(isinstance(entry, str) and entry.lower() in _guessable() for entry in entries)


@cache
def _guessable() -> frozenset[str]:
    words = {*_GUESSABLE, *(str(number) for number in range(1_000))}
    spelled = {variant for word in words for variant in (word, word.upper(), word.capitalize(), f'"{word}"')}
    return frozenset(hashlib.sha256((word + end).encode()).hexdigest() for word in spelled for end in ("", "\n"))


def _ties_in_table(rows: Sequence[Sequence[str]]) -> bool:
    if not rows:
        return False
    heads = {plain_key(cell) for cell in rows[0]}
    told = bool(heads & LABEL_KEYS)
    return any(
        any(TASK_KEY.search(cell) for cell in row) and (told or any(REFERENCE.search(cell) for cell in row))
        for row in rows[1:]
    )


def _has_note_headings(file: TextFile) -> bool:
    if not any(words in file.lowered for words in _NOTE_WORDS):
        return False
    return len({found.casefold() for found in _NOTE_HEADINGS.findall(file.text)}) >= _ENOUGH_ITEMS


def _tells_a_case(file: TextFile) -> bool:
    """Whether prose opens like the story of a patient, outside what is labelled as invented."""
    return any(
        _VIGNETTE.search(passage.plain) and not _is_labelled(" ".join((passage.text, passage.lead, *passage.headings)))
        for passage in file.passages
    )


def _has_clinical_table(file: TextFile) -> bool:
    tables: list[tuple[Sequence[str], bool]] = [
        (table.rows[0], _is_labelled(table.near)) for table in file.markdown.tables if len(table.rows) > 1
    ]
    for block in file.markdown.code:
        first = block.text.lstrip().split("\n", 1)[0]
        tables.append((re.split(r"[,;|\t]", first[:2_000]), block.illustration))
    tables += [(rows[0], False) for rows in _delimited(file) if len(rows) > 1]
    for heads, labelled in tables:
        names = {plain_key(head) for head in heads}
        if not labelled and len(names & _CLINICAL_COLUMNS) >= 2 and names & _PERSON_COLUMNS:
            return True
    return False


def _is_labelled(words: str) -> bool:
    return any(word in words.casefold() for word in ("synthetic", "invented", "illustration"))


def _delimited(file: TextFile) -> Iterator[list[list[str]]]:
    """The rows of a file of delimited values; a record's long text may hold one as well."""
    if file.suffix in {".csv", ".tsv", ".psv", ".txt"}:
        lines = [line for line in file.lines[:50] if line.strip()]
        if lines and (mark := next((mark for mark in ("\t", "|", ";", ",") if mark in lines[0]), None)):
            yield [line[:2_000].split(mark) for line in lines]


def _is_roster(rows: Sequence[Sequence[str]]) -> bool:
    if len(rows) < 2:
        return False
    heads = [plain_key(cell) for cell in rows[0]]
    roles = [index for index, head in enumerate(heads) if head in {"role", "roles", "standing", "seat"}]
    people = [index for index, head in enumerate(heads) if head in _PEOPLE_COLUMNS]
    return bool(people) and any(
        index < len(row) and row[index].strip().casefold().replace("-", " ") in _ROLE_WORDS
        for row in rows[1:]
        for index in roles
    )


def crossed(file: TextFile, rule: str) -> bool:
    """Whether a document in a file holds, under a key, what a boundary rule keeps closed."""
    return rule in _crossed(file)


@lru_cache(maxsize=4)
def _crossed(file: TextFile) -> frozenset[str]:
    """Rules whose keys a file holds; every rule asks, one after another."""
    nodes: list[tuple[Node, ...]] = [file.nodes]
    if file.document is None:
        nodes += [tuple(walk(value)) for value, labelled in file.documents if not labelled]
    return frozenset(hit.line.rule for found in nodes for hit in keyed(found, file.kind))
