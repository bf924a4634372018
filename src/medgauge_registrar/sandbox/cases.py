"""The pull requests of the demonstration: for every row one that ought to pass, and those that must not."""

from dataclasses import dataclass

from medgauge_registrar.model.decision import SetAside, State
from medgauge_registrar.sandbox.edits import Edit, append, copy, drop, mode, move, put, swap, without_block

GUIDELINE = "registry/standards/std-example-guideline.yaml"
ROADMAP = "registry/roadmap/rm-clinical-temporal-audit-subsets.yaml"
CAPABILITY = "registry/capabilities/D.1.yaml"
HARNESS = "registry/harnesses/hx-example-loop/0.2.0.yaml"
FROZEN = "registry/benchmarks/bm-example-handover/versions/0.2.0.yaml"
FIRST_FROZEN = "registry/benchmarks/bm-example-handover/versions/0.1.0.yaml"
DRAFT = "registry/benchmarks/bm-example-handover/versions/0.3.0.yaml"
CARD = "registry/benchmarks/bm-example-handover/card.yaml"
REFERENCE = "registry/references/gr-example-unit/0.1.0.yaml"
SIDECAR = "registry/lifecycle/gr/gr-example-dose@0.2.0.yaml"
RESULT = "registry/results/bm-example-handover/0.2.0/res-example-handover-0-2-0-example-model-1.json"
TEXT = "methodology/text.md"
SETTINGS = ".github/registrar.yml"
HARNESS_SIDECAR = "registry/lifecycle/hx/hx-example-loop@0.2.0.yaml"
VOIDED = "registry/voided/bm-example-handover/0.1.0.yaml"
LATE = "registry/standards/std-example-late.yaml"


@dataclass(frozen=True, kw_only=True, slots=True)
class Review:
    """A review by somebody of the cast; `before_push` was given before the head arrived."""

    by: str
    state: str = "APPROVED"
    before_push: bool = False
    account_type: str = "User"
    body: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """
    One pull request and what has to become of it.

    Attributes:
        title: What it shows.
        rows: Rows it must trigger.
        commits: Edits of each commit.
        expected: The verdict.
        errors: Rules of exactly the error findings that must come.
        set_aside: Reasons that must be among those of reviews set aside.
        from_old_base: Branch off before the base moved.
    """

    title: str
    rows: tuple[str, ...]
    commits: tuple[tuple[Edit, ...], ...]
    expected: State
    reviews: tuple[Review, ...] = ()
    errors: tuple[str, ...] = ()
    set_aside: tuple[SetAside, ...] = ()
    author: str = "contributor"
    co_authors: tuple[str, ...] = ()
    draft: bool = False
    from_old_base: bool = False


def _standard(name: str, title: str) -> str:
    return (
        f"# Synthetic.\nid: {name}\nversion: 0.1.0\nintroduced_in: 0.1.0\nintroduced: 2026-11-29\n"
        f"last_reviewed: 2026-11-29\ntitle: {title}\npublisher: Example Institute\npublisher_version: \"2026\"\n"
        "locator: doi:10.0000/example.new\nsource_check: {date: 2026-11-29, outcome: confirmed}\n"
        "usage: Cited by example references.\npublic: true\n"
    )


OVERRIDE = put(
    "registry/overrides/lo-example-1.yaml",
    """# Synthetic.
id: lo-example-1
version: 1.0.0
introduced_in: 0.1.0
introduced: 2026-11-29
last_reviewed: 2026-11-29
model: Example Model 1
harness: hx-example-loop@0.1.0
capability: E.1
benchmark_version: bm-example-handover@0.2.0
level: L5
before_after_evidence: {before: Written for this example., after: Written for this example.}
external_anchor: {name: Example external study, reference: "https://example.org/study", direction: same}
signatures:
  - {kind: commit, commit: 0123456789abcdef0123456789abcdef01234567}
  - {kind: commit, commit: 89abcdef0123456789abcdef0123456789abcdef}
date: 2026-11-29
""",
)
# What the base branch does after the branches marked `from_old_base` have left it.
BASE_MOVES: tuple[Edit, ...] = (
    put(LATE, _standard("std-example-late", "Example standard that came first")),
    swap(ROADMAP, "version: 0.1.0", "version: 0.2.0"),
    swap(ROADMAP, "title: Holdout and calibration tasks", "title: Calibration and holdout tasks"),
)

MAINTAINER = Review(by="maintainer")
SECOND = Review(by="second maintainer")
TWO = (MAINTAINER, SECOND)
TODAY = "2026-11-29"
NEW_STANDARD = put("registry/standards/std-example-new.yaml", _standard("std-example-new", "Example standard"))
NEW_CAPABILITY = copy(
    CAPABILITY,
    "registry/capabilities/D.2.yaml",
    ("id: D.1", "id: D.2"),
    ("Clinical temporal audit", "Example competence"),
    ("introduced: 2026-10-29", f"introduced: {TODAY}"),
    ("last_reviewed: 2026-10-29", f"last_reviewed: {TODAY}"),
)
NEW_RESULT = copy(
    RESULT,
    RESULT.replace("example-model-1", "example-model-1-high"),
    ("example-handover-0-2-0-example-model-1", "example-handover-0-2-0-example-model-1-high"),
    ('"reasoning_setting": "default"', '"reasoning_setting": "high"'),
    ('"introduced": "2026-11-26"', f'"introduced": "{TODAY}"'),
    ('"last_reviewed": "2026-11-26"', f'"last_reviewed": "{TODAY}"'),
)
NEW_HARNESS = copy(
    HARNESS,
    "registry/harnesses/hx-example-loop/0.3.0.yaml",
    ("version: 0.2.0", "version: 0.3.0"),
    ("2026-11-25", TODAY),
    ("steps: 80", "steps: 100"),
)
NEW_PRICES = copy(
    "registry/price-tables/0.1.0.yaml",
    "registry/price-tables/0.2.0.yaml",
    ("version: 0.1.0", "version: 0.2.0"),
    ("effective: 2026-11-01", f"effective: {TODAY}"),
    ("amount: 6", "amount: 5"),
)
CHARTER = (
    swap("charter.md", "Version 0.1.0 · 2026-10-29", f"Version 0.2.0 · {TODAY}"),
    append("charter.md", "5. Decisions are explained in public.\n"),
)
FREEZE = (
    copy(FROZEN, DRAFT, ("2026-11-20", TODAY)),
    swap(DRAFT, "version: 0.2.0\nintroduced", "version: 0.3.0\nintroduced"),
    swap(DRAFT, f"introduced: {TODAY}", "introduced: 2026-11-25"),
    swap(DRAFT, "notice: 2026", "notice: 2026"),
    swap(DRAFT, "supersedes: 0.1.0", "supersedes: 0.2.0"),
    swap(DRAFT, "example-handover-0-2-0", "example-handover-0-3-0"),
    swap(DRAFT, "acceptance: {record_ref: example-acceptance-2, date: 2026-11-19}",
         "acceptance: {record_ref: example-acceptance-3, date: 2026-11-28}"),
    swap(DRAFT, "persistent_identifier: doi:10.0000/example.2", "persistent_identifier: null"),
    without_block(DRAFT, "expert_baseline"),
    without_block(DRAFT, "hash_manifest"),
    append(DRAFT, "expert_baseline: null\nhash_manifest: null\n"),
    copy(
        "notices/2026-11-20-example-handover-0-2-0.yaml",
        f"notices/{TODAY}-example-handover-0-3-0.yaml",
        ("2026-11-20-example-handover-0-2-0", f"{TODAY}-example-handover-0-3-0"),
        ("versions/0.2.0.yaml", "versions/0.3.0.yaml"),
        ("to: 0.2.0", "to: 0.3.0"),
        ("from: 0.1.0", "from: 0.2.0"),
        ("date: 2026-11-20", f"date: {TODAY}"),
        ("bm-example-handover@0.2.0]", "bm-example-handover@0.2.0, bm-example-handover@0.3.0]"),
        ("Version 0.2.0 of", "Version 0.3.0 of"),
    ),
)  # fmt: skip

PASSING: tuple[Case, ...] = (
    Case(
        title="Add a standard",
        rows=("M1",),
        commits=((NEW_STANDARD,),),
        reviews=(MAINTAINER,),
        expected=State.APPROVED,
    ),
    Case(
        title="List a grading reference",
        rows=("M2",),
        commits=(
            (
                swap(SIDECAR, "listing: unlisted", "listing: listed"),
                swap(SIDECAR, "last_reviewed: 2026-11-18", f"last_reviewed: {TODAY}"),
            ),
        ),
        reviews=(Review(by="reference engineer"), Review(by="reviewer")),
        expected=State.PENDING,
    ),
    Case(
        title="Freeze a benchmark version",
        rows=("M3", "M16"),
        commits=(FREEZE,),
        reviews=(Review(by="acceptor"), *TWO),
        expected=State.PENDING,
    ),
    Case(
        title="Add a result record",
        rows=("M4",),
        commits=((NEW_RESULT,),),
        reviews=(Review(by="results reviewer"), MAINTAINER),
        author="site",
        expected=State.PENDING,
    ),
    Case(
        title="Register a harness version",
        rows=("M5",),
        commits=((NEW_HARNESS,),),
        reviews=(MAINTAINER,),
        expected=State.APPROVED,
    ),
    Case(
        title="Activate a harness after its adapter check",
        rows=("M5a",),
        commits=(
            (
                swap(HARNESS_SIDECAR, "status: registered", "status: active"),
                swap(HARNESS_SIDECAR, "last_reviewed: 2026-11-25", f"last_reviewed: {TODAY}"),
                swap(
                    HARNESS_SIDECAR,
                    "adapter_check: null",
                    "adapter_check: {outcome: full-marks, date: 2026-11-28, calibration: bm-example-handover@0.2.0}",
                ),
            ),
        ),
        reviews=(MAINTAINER,),
        expected=State.APPROVED,
    ),
    Case(
        title="Add a capability",
        rows=("M6",),
        commits=((NEW_CAPABILITY,),),
        reviews=TWO,
        expected=State.PENDING,
    ),
    Case(
        title="Change what a capability means",
        rows=("M6a",),
        commits=(
            (
                swap(CAPABILITY, "version: 0.1.0", "version: 0.2.0"),
                swap(CAPABILITY, "input: The records of one stay", "input: The records of several stays"),
            ),
        ),
        reviews=TWO,
        expected=State.PENDING,
    ),
    Case(
        title="Change an aggregation rule in the text",
        rows=("M7",),
        commits=((swap(TEXT, "### 5.4 Benchmark version\n", "### 5.4 Benchmark version\n\nTasks weigh alike."),),),
        reviews=TWO,
        expected=State.PENDING,
    ),
    Case(
        title="Change a sentence of the methodology",
        rows=("M8",),
        commits=((swap(TEXT, "What a system produces is measured", "What systems produce is measured"),),),
        reviews=TWO,
        expected=State.PENDING,
    ),
    Case(title="Change the charter", rows=("M9",), commits=(CHARTER,), reviews=TWO, expected=State.APPROVED),
    Case(
        title="Publish the outcome of a dispute",
        rows=("M10", "M16"),
        commits=(
            (
                copy(
                    "disputes/example-dispute-1.yaml",
                    "disputes/example-dispute-2.yaml",
                    ("example-dispute-1", "example-dispute-2"),
                    ("pull_request: 7", "pull_request: 8"),
                    ("date: 2026-11-08", "date: 2026-11-28"),
                ),
            ),
        ),
        reviews=(MAINTAINER,),
        expected=State.PENDING,
    ),
    Case(
        title="Add an optional field to a schema",
        rows=("M11",),
        commits=(
            (
                swap(
                    "schemas/standard.schema.json",
                    '"properties": {',
                    '"properties": {\n    "edition": {"type": "string", "maxLength": 20, "description": "Edition (section 15)."},',
                ),
            ),
        ),
        reviews=TWO,
        expected=State.PENDING,
    ),
    Case(
        title="Add a version of a statistical algorithm",
        rows=("M12",),
        commits=(
            (
                copy(
                    "methodology/algorithms/paired-test/0.1.0.yaml",
                    "methodology/algorithms/paired-test/0.2.0.yaml",
                    ("version: 0.1.0", "version: 0.2.0"),
                    ("alpha: 0.05", "alpha: 0.01"),
                    ("published: 2026-10-29", f"published: {TODAY}"),
                ),
            ),
        ),
        reviews=TWO,
        expected=State.PENDING,
    ),
    Case(
        title="Add a price table", rows=("M13",), commits=((NEW_PRICES,),), reviews=(MAINTAINER,), expected=State.APPROVED
    ),
    Case(
        title="Void a task version",
        rows=("M14",),
        commits=(
            (
                append(
                    VOIDED,
                    "  - task_key: tk-vlsi47wqal9v@0.1.0\n    attribution: task\n    reason_class: key-error\n"
                    f"    date: {TODAY}\n    replaced_in: null\n",
                ),
            ),
        ),
        reviews=(Review(by="results reviewer"), MAINTAINER),
        expected=State.PENDING,
    ),
    Case(
        title="Issue a level override (refused while no threshold is set)",
        rows=("M15",),
        commits=((OVERRIDE,),),
        reviews=TWO,
        expected=State.BLOCKED,
        errors=("SCHEMA-LO-01",),
    ),
    Case(
        title="Publish an article",
        rows=("M16",),
        commits=(
            (
                put(
                    f"articles/{TODAY}-example.md",
                    f"---\ndate: {TODAY}\ntitle: An example\n---\n\n# An example\n\nA card describes a family of tasks.\n",
                ),
            ),
        ),
        reviews=(MAINTAINER,),
        expected=State.APPROVED,
    ),
    Case(
        title="Change a setting of the gate",
        rows=("M17",),
        commits=((swap(SETTINGS, "status_context: registrar", "status_context: gate"),),),
        reviews=TWO,
        expected=State.APPROVED,
    ),
    Case(
        title="Enter the persistent identifier of a frozen version",
        rows=("M18",),
        commits=((swap(FIRST_FROZEN, "persistent_identifier: null", "persistent_identifier: doi:10.0000/example.1"),),),
        reviews=(MAINTAINER,),
        expected=State.APPROVED,
    ),
    Case(
        title="Change the readme",
        rows=("M19",),
        commits=((append("README.md", "\nAn example line.\n"),),),
        reviews=(MAINTAINER,),
        expected=State.APPROVED,
    ),
    Case(
        title="Leave a note among the standards (refused whatever comes)",
        rows=("M20",),
        commits=((put("registry/standards/notes.txt", "An example note.\n"),),),
        reviews=TWO,
        expected=State.BLOCKED,
        errors=("DEC-19",),
    ),
)

FAILING: tuple[Case, ...] = (
    Case(
        title="The author approves the own standard",
        rows=("M1",),
        commits=((NEW_STANDARD,),),
        author="maintainer",
        reviews=(MAINTAINER,),
        expected=State.PENDING,
        set_aside=(SetAside.AUTHOR,),
    ),
    Case(
        title="A co-author approves",
        rows=("M1",),
        commits=((NEW_STANDARD,),),
        co_authors=("maintainer",),
        reviews=(MAINTAINER,),
        expected=State.PENDING,
        set_aside=(SetAside.CO_AUTHOR,),
    ),
    Case(
        title="One person with two roles sits in two seats",
        rows=("M14",),
        commits=(
            (
                append(
                    VOIDED,
                    "  - task_key: tk-vlsi47wqal9v@0.1.0\n    attribution: task\n    reason_class: key-error\n"
                    f"    date: {TODAY}\n    replaced_in: null\n",
                ),
            ),
        ),
        reviews=(Review(by="two roles"),),
        expected=State.PENDING,
    ),
    Case(
        title="An approval from before the last push",
        rows=("M1",),
        commits=((NEW_STANDARD,),),
        reviews=(Review(by="maintainer", before_push=True),),
        expected=State.PENDING,
        set_aside=(SetAside.BEFORE_HEAD,),
    ),
    Case(
        title="A bot approves",
        rows=("M1",),
        commits=((NEW_STANDARD,),),
        reviews=(Review(by="maintainer", account_type="Bot"),),
        expected=State.PENDING,
        set_aside=(SetAside.BOT,),
    ),
    Case(
        title="A passer-by approves",
        rows=("M1",),
        commits=((NEW_STANDARD,),),
        reviews=(Review(by="newcomer"),),
        expected=State.PENDING,
        set_aside=(SetAside.NOT_COUNTED,),
    ),
    Case(
        title="A maintainer's request for changes stands",
        rows=("M1",),
        commits=((NEW_STANDARD,),),
        reviews=(MAINTAINER, Review(by="second maintainer", state="CHANGES_REQUESTED")),
        expected=State.BLOCKED,
    ),
    Case(
        title="A draft",
        rows=("M1",),
        commits=((NEW_STANDARD,),),
        reviews=(MAINTAINER,),
        draft=True,
        expected=State.PENDING,
    ),
    Case(
        title="Edit a harness version",
        rows=("M5",),
        commits=((swap(HARNESS, "steps: 80", "steps: 90"),),),
        reviews=TWO,
        expected=State.BLOCKED,
        errors=("IMM-04",),
    ),
    Case(
        title="Edit a frozen benchmark version",
        rows=("M1",),
        commits=((swap(FROZEN, "expert_agreement_ac1: 0.91", "expert_agreement_ac1: 0.92"),),),
        reviews=TWO,
        expected=State.BLOCKED,
        errors=("IMM-01",),
    ),
    Case(
        title="Unfreeze a benchmark version",
        rows=("M1",),
        commits=((swap(FIRST_FROZEN, "frozen: true", "frozen: false"),),),
        reviews=TWO,
        expected=State.BLOCKED,
        errors=("IMM-02", "ENT-02"),
    ),
    Case(
        title="Delete a standard that others cite",
        rows=("M1",),
        commits=((drop(GUIDELINE),),),
        reviews=TWO,
        expected=State.BLOCKED,
        errors=("IMM-07", "ID-06"),
    ),
    Case(
        title="Delete a result record",
        rows=("M4",),
        commits=((drop(RESULT),),),
        reviews=TWO,
        expected=State.BLOCKED,
        errors=("IMM-05",),
    ),
    Case(
        title="Add a capability without a request for comment",
        rows=("M6",),
        commits=((NEW_CAPABILITY,),),
        reviews=(MAINTAINER,),
        expected=State.PENDING,
    ),
    Case(
        title="A version that reads as a number",
        rows=("M1",),
        commits=(
            (
                swap(GUIDELINE, "version: 0.1.0", "version: 1.0"),
                swap(GUIDELINE, "last_reviewed: 2026-11-03", f"last_reviewed: {TODAY}"),
            ),
        ),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("ENT-09",),
    ),
    Case(
        title="A key that stands twice, and a word that is no boolean",
        rows=("M1",),
        commits=((NEW_STANDARD, append("registry/standards/std-example-new.yaml", "public: no\n")),),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("ENT-09",),
    ),
    Case(
        title="A reference to a standard that is not there",
        rows=("M1",),
        commits=(
            (
                copy(
                    REFERENCE,
                    "registry/references/gr-example-route/0.1.0.yaml",
                    ("gr-example-unit", "gr-example-route"),
                    ("std-example-guideline", "std-example-missing"),
                ),
            ),
        ),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("ID-06",),
    ),
    Case(
        title="A record that breaks its schema in three places",
        rows=("M1",),
        commits=(
            (
                NEW_STANDARD,
                swap("registry/standards/std-example-new.yaml", "public: true", "public: perhaps"),
                swap("registry/standards/std-example-new.yaml", "publisher: Example Institute\n", ""),
                append("registry/standards/std-example-new.yaml", "colour: blue\n"),
            ),
        ),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("ENT-02",),
    ),
    Case(
        title="A content change without a new entry version",
        rows=("M1",),
        commits=((swap(GUIDELINE, "title: Example guideline", "title: Another guideline"),),),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("VER-03",),
    ),
    Case(
        title="Settings weakened in the head, beside a standard",
        rows=("M17", "M1"),
        commits=(
            (
                append(SETTINGS, "rows: {M1: {seats: []}}\n"),
                NEW_STANDARD,
            ),
        ),
        reviews=(),
        expected=State.BLOCKED,
        errors=("DEC-31",),
    ),
    Case(
        title="Two branches that edit the same line",
        rows=(),
        commits=((swap(ROADMAP, "title: Holdout and calibration tasks", "title: Holdout tasks"),),),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("DEC-23",),
        from_old_base=True,
    ),
    Case(
        title="An identifier that the base took meanwhile",
        rows=(),
        commits=((put(LATE, _standard("std-example-late", "Example standard that came second")),),),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("DEC-23",),
        from_old_base=True,
    ),
    Case(
        title="Move a harness version out of the registry",
        rows=("M5", "M19"),
        commits=((move(HARNESS, "docs/harness.yaml"),),),
        reviews=TWO,
        expected=State.BLOCKED,
        errors=("IMM-21", "ID-06"),
    ),
    Case(
        title="A symbolic link among the records",
        rows=("M1",),
        commits=(
            (
                put("registry/standards/std-example-link.yaml", "std-example-guideline.yaml"),
                mode("registry/standards/std-example-link.yaml", "120000"),
            ),
        ),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("ENT-09",),
    ),
    Case(
        title="A name that differs in letter case only",
        rows=("M20",),
        commits=((copy(GUIDELINE, "registry/standards/STD-example-guideline.yaml"),),),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("DEC-19", "ID-10"),
    ),
    Case(
        title="A roster in the open",
        rows=("M19",),
        commits=((put("team.yaml", "people:\n  - {id: 9101, login: example-person-01, roles: [maintainer]}\n"),),),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("ROLE-15",),
    ),
    Case(
        title="A schema that old records would break",
        rows=("M11",),
        commits=((swap("schemas/standard.schema.json", '"required": [', '"required": [\n    "edition",'),),),
        reviews=TWO,
        expected=State.BLOCKED,
        errors=("ENT-05",),
    ),
    Case(
        title="A charter under its old version",
        rows=("M9",),
        commits=((append("charter.md", "5. An example.\n"),),),
        reviews=TWO,
        expected=State.BLOCKED,
        errors=("DEC-11",),
    ),
    Case(
        title="Nothing at all, after a commit and its revert",
        rows=(),
        commits=((append("README.md", "\nA line.\n"),), (swap("README.md", "\nA line.\n", ""),)),
        expected=State.APPROVED,
    ),
)

CASES: tuple[Case, ...] = PASSING + FAILING
