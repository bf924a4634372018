"""The pull requests of the demonstration: for every row one that ought to pass, and those that must not."""

from dataclasses import dataclass

from medgauge_registrar.model.decision import SetAside, State
from medgauge_registrar.sandbox.edits import Edit, append, copy, drop, mode, move, put, swap

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


# What the base branch does after the branches marked `from_old_base` have left it.
BASE_MOVES: tuple[Edit, ...] = (
    put(LATE, _standard("std-example-late", "Example standard that came first")),
    swap(ROADMAP, "version: 0.1.0", "version: 0.2.0"),
    swap(ROADMAP, "title: Holdout and calibration tasks", "title: Calibration and holdout tasks"),
)

MAINTAINER = Review(by="maintainer")
SECOND = Review(by="second maintainer")
TWO = (MAINTAINER, SECOND)
NEW_STANDARD = put("registry/standards/std-example-new.yaml", _standard("std-example-new", "Example standard"))
NEW_CAPABILITY = copy(
    CAPABILITY, "registry/capabilities/D.2.yaml", ("id: D.1", "id: D.2"), ("introduced: 2026-10-29", "introduced: 2026-11-29"),
    ("last_reviewed: 2026-10-29", "last_reviewed: 2026-11-29"),
)  # fmt: skip
EDITED_CARD = (swap(CARD, "status: active", "status: active"),)

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
                swap(SIDECAR, "last_reviewed: 2026-11-18", "last_reviewed: 2026-11-29"),
            ),
        ),
        reviews=(Review(by="reference engineer"), Review(by="reviewer")),
        expected=State.PENDING,
    ),
)
