"""Files and edits that several pull requests of the demonstration use."""

from medgauge_registrar.checks.files import line_digest
from medgauge_registrar.sandbox.case import Linked, Review
from medgauge_registrar.sandbox.edits import Edit, append, copy, put, swap, without_block
from medgauge_registrar.sandbox.material_results import RESULT_BASE

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
USED_SIDECAR = "registry/lifecycle/gr/gr-example-dose@0.1.0.yaml"
RESULT = "registry/results/bm-example-handover/0.2.0/res-example-handover-0-2-0-example-model-1.json"
TEXT = "methodology/text.md"
SETTINGS = ".github/registrar.yml"
HARNESS_SIDECAR = "registry/lifecycle/hx/hx-example-loop@0.2.0.yaml"
VOIDED = "registry/voided/bm-example-handover/0.1.0.yaml"
LATE = "registry/standards/std-example-late.yaml"


def standard(name: str, title: str) -> str:
    """A valid standard."""
    return (
        f"# Synthetic.\nid: {name}\nversion: 0.1.0\nintroduced_in: 0.1.0\nintroduced: 2026-11-29\n"
        f'last_reviewed: 2026-11-29\ntitle: {title}\npublisher: Example Institute\npublisher_version: "2026"\n'
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
# A request for comment that was merged as a file.
RFC_FILE = put(
    "rfcs/2-example-competence.md",
    "# Capability: D.2\n\n"
    + "".join(
        f"## {heading}\n\n{text}\n\n"
        for heading, text in (
            (
                "Outline of a gradable task",
                "Invented records go in, and a program compares the fields of the artifact.",
            ),
            ("Form of the evidence", "Passes and fails of each field over three runs."),
            ("Outside anchor", "An example study that measures the same."),
        )
    ),
)
# Lines of articles for which the settings have an exception: one that counts and one that counts no more.
EXCEPTED = "One reader wrote that Example Model 1 is certified by MedGauge, which is wrong."
EXPIRED = "Another reader wrote that Example Model 2 is certified by MedGauge, which is wrong."
_EXCEPTIONS = "\ncontent_exceptions:\n" + "".join(
    f"  - rule: CLM-01\n    path: articles/2026-11-29-example.md\n    line_sha256: {line_digest(line)}\n"
    f"    reason: It quotes in order to refute.\n    until: {until}\n"
    for line, until in ((EXCEPTED, "2027-03-31"), (EXPIRED, "2026-11-20"))
)
# What the base branch does after the branches marked `from_old_base` have left it.
BASE_MOVES: tuple[Edit, ...] = (
    put(LATE, standard("std-example-late", "Example standard that came first")),
    swap(ROADMAP, "version: 0.1.0", "version: 0.2.0"),
    swap(ROADMAP, "title: Holdout and calibration tasks", "title: Calibration and holdout tasks"),
    RFC_FILE,
    # Two frozen versions name this reference; that it is listed is left to a pull request.
    swap(USED_SIDECAR, "listing: listed", "listing: unlisted"),
    append(SETTINGS, _EXCEPTIONS),
    *RESULT_BASE,
)

MAINTAINER = Review(by="maintainer")
SECOND = Review(by="second maintainer")
TWO = (MAINTAINER, SECOND)
TODAY = "2026-11-29"
# Digest of the package of the version that is frozen, and what people attest of it.
PACKAGE = "5b1e6d0c3f9a8472615f0e9d8c7b6a59483726150f9e8d7c6b5a493827160504"
APART = f"/attest separation bm-example-handover@0.3.0 {PACKAGE}"
PACKAGE_ONLY = f"/attest package-only bm-example-handover@0.3.0 {PACKAGE}"
NEW_STANDARD = put("registry/standards/std-example-new.yaml", standard("std-example-new", "Example standard"))
NEW_CAPABILITY = copy(
    CAPABILITY,
    "registry/capabilities/D.2.yaml",
    ("id: D.1", "id: D.2"),
    ("Clinical temporal audit", "Example competence"),
    ("introduced: 2026-10-29", f"introduced: {TODAY}"),
    ("last_reviewed: 2026-10-29", f"last_reviewed: {TODAY}"),
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
    swap(DRAFT, "0ff4484dc346164693bfec6d05e1f93a042910af87baa21cd10d4739acc7e9e2", PACKAGE),
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


def request(number: int, title: str, *parts: tuple[str, str]) -> Linked:
    """A request for comment as the issue form writes it: a heading and the text below it for each part."""
    return Linked(number=number, title=title, body="\n".join(f"### {heading}\n\n{text}\n" for heading, text in parts))


CAPABILITY_PARTS = (
    ("Capabilities concerned", "D.2"),
    (
        "Outline of a gradable task",
        "Invented records go in, one structured file comes out, a program compares its fields.",
    ),
    ("Form of the evidence", "Passes and fails of each field over three runs."),
    ("Outside anchor", "An example study that measures the same."),
)
CAPABILITY_REQUEST = request(3, "Capability: D.2", *CAPABILITY_PARTS)
MEANING_REQUEST = request(4, "Capability: D.1", ("Capabilities concerned", "D.1"), *CAPABILITY_PARTS[1:])
LISTED = (
    swap(USED_SIDECAR, "listing: unlisted", "listing: listed"),
    swap(USED_SIDECAR, "last_reviewed: 2026-11-12", f"last_reviewed: {TODAY}"),
)
