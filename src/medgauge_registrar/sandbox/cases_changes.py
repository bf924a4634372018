"""Pull requests about the text, its rules, schemas, algorithms, prices, voids and notices: passing ones beside failing ones."""

from medgauge_registrar.model.decision import State
from medgauge_registrar.sandbox.case import Case, Review
from medgauge_registrar.sandbox.cast import LEDGER
from medgauge_registrar.sandbox.edits import Edit, Workspace, append, copy, put, swap
from medgauge_registrar.sandbox.material import MAINTAINER, NEW_PRICES, OVERRIDE, TEXT, TODAY, TWO, VOIDED, request

PRICES = "registry/price-tables/0.1.0.yaml"
MODEL = "registry/models/Example%20Model%201.yaml"
STANDARD_SCHEMA = "schemas/standard.schema.json"
PAIRED_TEST = "methodology/algorithms/paired-test/0.1.0.yaml"
FUNCTION = "methodology/difficulty-function/0.1.0.yaml"
LEVELS = "methodology/level-rules/0.1.0.yaml"
BOARDS = ("bm-example-handover@0.1.0", "bm-example-handover@0.2.0")
TEXT_REQUEST = request(
    5,
    "Methodology: how tasks are weighed",
    ("Sections concerned", "Sections 5.4 and 1, Appendix A, the schemas and the level rules."),
    ("Proposal", "Invented for this example."),
    ("Change class", "As the pull request says."),
)


def raised(version: str, what: str) -> Edit:
    """Raise the version of the methodology wherever it stands, and enter the change in its log."""

    def edit(workspace: Workspace) -> None:
        files = workspace.files
        text = files[TEXT].decode()
        text = text.replace("Version 0.1.0 · 2026-10-29", f"Version {version} · {TODAY}")
        text = text.replace("version 0.1.0 (2026)", f"version {version} (2026)")
        files[TEXT] = f"{text.rstrip()}\n| {version} | {TODAY} | {what} |\n".encode()
        files[LEVELS.replace("0.1.0", version)] = files[LEVELS].replace(b"0.1.0", version.encode())
        for path in [path for path in files if path.startswith("schemas/")]:
            files[path] = files[path].replace(b"/schemas/0.1.0/", f"/schemas/{version}/".encode())

    return edit


def notice(name: str, rule: str, cause: str, versions: tuple[str, str], scope: str, *boards: str) -> Edit:
    """Add a notice of today."""
    before, after = versions
    return put(
        f"notices/{TODAY}-{name}.yaml",
        f"id: {TODAY}-{name}\ncause:\n  rule: {rule}\n  object: {cause}\nscope: {scope}\naffected: [{', '.join(boards)}]\n"
        f"from: {before}\nto: {after}\ndate: {TODAY}\ntext: Invented for this example.\n",
    )


RULE = swap(TEXT, "### 5.4 Benchmark version\n", "### 5.4 Benchmark version\n\nTasks weigh alike.")
WORDING = swap(TEXT, "What a system produces is measured", "What systems produce is measured")
SITE_NOTICE = notice("methodology-0-2-0", "NCN-09", TEXT, ("0.1.0", "0.2.0"), "site-wide", *BOARDS)
NEW_FIELD = swap(
    STANDARD_SCHEMA,
    '"properties": {',
    '"properties": {\n    "edition": {"$ref": "common.schema.json#/$defs/line", "description": "Edition (section 15)."},',
)
NEW_TEST = copy(
    PAIRED_TEST,
    PAIRED_TEST.replace("0.1.0", "0.2.0"),
    ("version: 0.1.0", "version: 0.2.0"),
    ("alpha: 0.05", "alpha: 0.01"),
    ("published: 2026-10-29", f"published: {TODAY}"),
)
TEST_NOTICE = notice("paired-test-0-2-0", "NCN-09", "paired-test@0.2.0", ("0.1.0", "0.2.0"), "site-wide", *BOARDS)
NEW_FUNCTION = (
    copy(
        FUNCTION,
        FUNCTION.replace("0.1.0", "0.2.0"),
        ("version: 0.1.0", "version: 0.2.0"),
        ("published: 2026-10-29", f"published: {TODAY}"),
        ("to: 12, points: 1}, {from: 13,", "to: 11, points: 1}, {from: 12,"),
        ("comparison: null", "comparison: {summary: Invented for this example., link: https://example.org/comparison}"),
    ),
    swap(
        TEXT,
        "## A.2 Next version\n",
        "## A.2 difficulty-function@0.2.0\n\n| Component | Measure | Points |\n|---|---|---|\n"
        "| breadth | checkpoints of the task | 1–5 → 0; 6–11 → 1; 12 or more → 2 |\n"
        "| crossing | materials read together | 1 → 0; 2 → 1; 3 or more → 2 |\n"
        "| gaps | gaps to be logged | 0 → 0; 1–2 → 1; 3 or more → 2 |\n"
        "| planted content | as before | no → 0; yes → 1 |\n"
        "| regional split | as before | no → 0; yes → 1 |\n"
        "| controls | as before | no → 0; yes → 1 |\n\n"
        "class 1 = 0–2; class 2 = 3–4; class 3 = 5–6; class 4 = 7–9.\n\n## A.3 Next version\n",
    ),
)
FUNCTION_NOTICE = notice("difficulty-0-2-0", "NCN-10", TEXT, ("0.1.0", "0.2.0"), "site-wide", *BOARDS)
VOID = append(
    VOIDED,
    "  - task_key: tk-vlsi47wqal9v@0.1.0\n    attribution: task\n    reason_class: key-error\n"
    f"    date: {TODAY}\n    replaced_in: null\n",
)
VOID_NOTICE = notice("example-handover-void", "NCN-08", VOIDED, ("0.1.0", "0.1.0"), "boards", BOARDS[0])
VOID_REVIEWS = (Review(by="results reviewer"), MAINTAINER)

_TEXT_CASES: tuple[Case, ...] = (
    Case(
        title="Change an aggregation rule in the text",
        rows=("M7", "M8", "M11", "M16"),
        commits=((RULE, raised("0.2.0", "Tasks weigh alike."), SITE_NOTICE),),
        reviews=TWO,
        issues=(TEXT_REQUEST,),
        expected=State.APPROVED,
    ),
    Case(
        title="An aggregation rule without a notice",
        rows=("M7",),
        commits=((RULE, raised("0.2.0", "Tasks weigh alike.")),),
        reviews=TWO,
        issues=(TEXT_REQUEST,),
        expected=State.BLOCKED,
        unsatisfied=("NCN-09", "NCN-24"),
    ),
    Case(
        title="An aggregation rule as a mere patch",
        rows=("M7",),
        commits=(
            (
                RULE,
                raised("0.1.1", "Tasks weigh alike."),
                notice("methodology-0-1-1", "NCN-09", TEXT, ("0.1.0", "0.1.1"), "site-wide", *BOARDS),
            ),
        ),
        reviews=TWO,
        issues=(TEXT_REQUEST,),
        expected=State.BLOCKED,
        errors=("CHG-06",),
        unsatisfied=("CHG-05",),
    ),
    Case(
        title="A site-wide notice that leaves out a board",
        rows=("M7", "M16"),
        commits=(
            (
                RULE,
                raised("0.2.0", "Tasks weigh alike."),
                notice("methodology-0-2-0", "NCN-09", TEXT, ("0.1.0", "0.2.0"), "site-wide", BOARDS[1]),
            ),
        ),
        reviews=TWO,
        issues=(TEXT_REQUEST,),
        expected=State.BLOCKED,
        errors=("NCN-21",),
        unsatisfied=("NCN-09", "NCN-24"),
    ),
    Case(
        title="An aggregation rule without a request for comment",
        rows=("M7",),
        commits=((RULE, raised("0.2.0", "Tasks weigh alike."), SITE_NOTICE),),
        reviews=TWO,
        expected=State.BLOCKED,
        unsatisfied=("RFC-01", "CHG-01"),
    ),
    Case(
        title="Publish another difficulty function",
        rows=("M7", "M8", "M11", "M16"),
        commits=((*NEW_FUNCTION, raised("0.2.0", "Another difficulty function."), FUNCTION_NOTICE),),
        reviews=TWO,
        issues=(TEXT_REQUEST,),
        expected=State.APPROVED,
    ),
    Case(
        title="A difficulty function that Appendix A prints otherwise",
        rows=("M7",),
        commits=(
            (
                *NEW_FUNCTION,
                swap(TEXT, "6–11 → 1; 12 or more", "6–12 → 1; 13 or more"),
                raised("0.2.0", "Another difficulty function."),
                FUNCTION_NOTICE,
            ),
        ),
        reviews=TWO,
        issues=(TEXT_REQUEST,),
        expected=State.BLOCKED,
        errors=("CHG-07",),
    ),
    Case(
        title="Change a sentence of the methodology",
        rows=("M7", "M8", "M11"),
        commits=((WORDING, raised("0.1.1", "Clearer wording of section 1.")),),
        reviews=TWO,
        issues=(TEXT_REQUEST,),
        expected=State.APPROVED,
    ),
    Case(
        title="A changed sentence under the old version",
        rows=("M8",),
        commits=((WORDING,),),
        reviews=TWO,
        issues=(TEXT_REQUEST,),
        expected=State.BLOCKED,
        errors=("CHG-06",),
        unsatisfied=("CHG-02",),
    ),
    Case(
        title="A number of the text changed in a patch",
        rows=("M8",),
        commits=((swap(TEXT, "Seven conditions make", "Eight conditions make"), raised("0.1.1", "Conditions.")),),
        reviews=TWO,
        issues=(TEXT_REQUEST,),
        expected=State.BLOCKED,
        errors=("CHG-06",),
    ),
    Case(
        title="A past row of the change log reworded",
        rows=("M8",),
        commits=((swap(TEXT, "Stand-in text for a new registry. |", "First text. |"), raised("0.1.1", "Log.")),),
        reviews=TWO,
        issues=(TEXT_REQUEST,),
        expected=State.BLOCKED,
        errors=("IMM-11",),
        unsatisfied=("CHG-02",),
    ),
    Case(
        title="Enter a review that changed nothing",
        rows=("M8",),
        commits=((append(TEXT, f"| 0.1.0 | {TODAY} | Reviewed; no change. |\n"),),),
        reviews=TWO,
        issues=(TEXT_REQUEST,),
        expected=State.APPROVED,
    ),
    Case(
        title="A charter with one maintainer",
        rows=("M9",),
        commits=((swap("charter.md", "Version 0.1.0 · 2026-10-29", f"Version 0.2.0 · {TODAY}"),),),
        reviews=(MAINTAINER,),
        expected=State.PENDING,
    ),
    Case(
        title="A charter that loses its version",
        rows=("M9",),
        commits=((swap("charter.md", "Version 0.1.0 · 2026-10-29\n", ""),),),
        reviews=TWO,
        expected=State.BLOCKED,
        errors=("DEC-11",),
    ),
)

_METHOD_CASES: tuple[Case, ...] = (
    Case(
        title="Add an optional field to a schema",
        rows=("M7", "M8", "M11"),
        commits=((NEW_FIELD, raised("0.1.1", "Editions of standards.")),),
        reviews=TWO,
        issues=(TEXT_REQUEST,),
        expected=State.APPROVED,
    ),
    Case(
        title="A schema changed under the old version",
        rows=("M11",),
        commits=((NEW_FIELD,),),
        reviews=TWO,
        issues=(TEXT_REQUEST,),
        expected=State.BLOCKED,
        unsatisfied=("CHG-02", "CHG-08"),
    ),
    Case(
        title="A schema whose address was left behind",
        rows=("M11",),
        commits=(
            (
                NEW_FIELD,
                raised("0.1.1", "Editions of standards."),
                swap("schemas/tool.schema.json", "/schemas/0.1.1/", "/schemas/0.1.0/"),
            ),
        ),
        reviews=TWO,
        issues=(TEXT_REQUEST,),
        expected=State.BLOCKED,
        errors=("VER-06", "ENT-05"),
    ),
    Case(
        title="Add a version of a statistical algorithm",
        rows=("M12", "M7", "M8", "M11", "M16"),
        commits=((NEW_TEST, raised("0.2.0", "A stricter paired test."), TEST_NOTICE),),
        reviews=TWO,
        issues=(TEXT_REQUEST,),
        expected=State.APPROVED,
    ),
    Case(
        title="A statistical algorithm without a notice",
        rows=("M12",),
        commits=((NEW_TEST, raised("0.2.0", "A stricter paired test.")),),
        reviews=TWO,
        issues=(TEXT_REQUEST,),
        expected=State.BLOCKED,
        unsatisfied=("NCN-09", "NCN-24"),
    ),
    Case(
        title="A statistical algorithm in a patch of the text",
        rows=("M12",),
        commits=((NEW_TEST, raised("0.1.1", "A stricter paired test."), TEST_NOTICE),),
        reviews=TWO,
        issues=(TEXT_REQUEST,),
        expected=State.BLOCKED,
        unsatisfied=("CHG-05",),
    ),
    Case(
        title="A rate changed in a published price table",
        rows=("M13",),
        commits=((swap(PRICES, "amount: 6", "amount: 5"),),),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("IMM-10",),
    ),
    Case(
        title="A price table that nobody approved",
        rows=("M13",),
        commits=((NEW_PRICES,),),
        expected=State.PENDING,
    ),
    Case(
        title="A level override whose signature was made over other words",
        rows=("M15",),
        commits=(
            (
                OVERRIDE,
                swap(
                    "registry/overrides/lo-example-1.yaml",
                    "{kind: commit, commit: 0123456789abcdef0123456789abcdef01234567}",
                    f"{{kind: detached, signed_sha256: {'ab' * 32}, signature: {'QUJD' * 16}}}",
                ),
            ),
        ),
        reviews=TWO,
        expected=State.BLOCKED,
        errors=("SCHEMA-LO-01", "SCHEMA-LO-02"),
    ),
)

_NOTICE_CASES: tuple[Case, ...] = (
    Case(
        title="Void a task version",
        rows=("M14", "M16"),
        commits=((VOID, VOID_NOTICE),),
        reviews=VOID_REVIEWS,
        ledger=LEDGER,
        expected=State.APPROVED,
    ),
    Case(
        title="A task version voided without a notice",
        rows=("M14",),
        commits=((VOID,),),
        reviews=VOID_REVIEWS,
        expected=State.BLOCKED,
        unsatisfied=("NCN-08",),
    ),
    Case(
        title="A notice of a void on another board",
        rows=("M14", "M16"),
        commits=((VOID, notice("example-handover-void", "NCN-08", VOIDED, ("0.1.0", "0.1.0"), "boards", BOARDS[1])),),
        reviews=VOID_REVIEWS,
        expected=State.BLOCKED,
        errors=("NCN-21",),
        unsatisfied=("NCN-08", "NCN-21"),
    ),
    Case(
        title="Add to an earlier notice (pointed out, and let pass)",
        rows=("M16",),
        commits=((notice("more", "NCN-01", BOARDS[1], ("0.1.0", "0.2.0"), "family", *BOARDS),),),
        reviews=(MAINTAINER,),
        expected=State.APPROVED,
    ),
    Case(
        title="A notice dated otherwise than its name",
        rows=("M16",),
        commits=(
            (
                notice("more", "NCN-01", BOARDS[1], ("0.1.0", "0.2.0"), "family", *BOARDS),
                swap(f"notices/{TODAY}-more.yaml", f"\ndate: {TODAY}", "\ndate: 2026-11-28"),
            ),
        ),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("SCHEMA-NOTICE-01",),
    ),
    Case(
        title="An article without a day",
        rows=("M16",),
        commits=(
            (put("articles/example.md", "---\ntitle: An example\n---\n\n# An example\n\nA card describes tasks.\n"),),
        ),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("VER-10",),
    ),
)

CHANGES: tuple[Case, ...] = (*_TEXT_CASES, *_METHOD_CASES, *_NOTICE_CASES)
