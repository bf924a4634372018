"""Who wrote a reference is read from the history of a real repository, and keeps people from listing it."""

from pathlib import Path

import pytest

from medgauge_registrar.git.repository import Repository
from medgauge_registrar.git.write import NewCommit, create_repository, write_commits
from medgauge_registrar.inputs import Inputs
from medgauge_registrar.model.decision import Decision, EvidenceState, State
from medgauge_registrar.model.pull import Commit
from medgauge_registrar.pipeline import Question, decide_question
from medgauge_registrar.sandbox.cast import address
from medgauge_registrar.starter import starter_files
from support.governance import ledger, state
from support.snapshots import NOW, cast_roster, person, pull, review, row

REFERENCE = "registry/references/gr-example-dose/0.1.0.yaml"
SIDECAR = "registry/lifecycle/gr/gr-example-dose@0.1.0.yaml"
PLAIN = "Example Person <example@example.invalid>"


def listing(folder: Path, first: str, second: str, *, moved: bool = False) -> Decision:
    """List a reference whose file two people wrote, the first of them perhaps under another name."""
    create_repository(folder)
    files: dict[str, bytes | None] = dict(starter_files())
    listed = files[SIDECAR]
    assert listed is not None
    files[SIDECAR] = listed.replace(b"listing: listed", b"listing: unlisted")
    text = files.pop(REFERENCE)
    assert text is not None
    early = "registry/references/gr-older-name/0.1.0.yaml" if moved else REFERENCE

    def commit(
        branch: str, parents: list[str], changed: dict[str, bytes | None], author: str, minute: int
    ) -> NewCommit:
        return NewCommit(
            branch=branch, parents=parents, files=changed, modes={}, author=author, at=1_790_000_000 + minute * 60
        )

    rewritten: dict[str, bytes | None] = {REFERENCE: text + b"# Another line.\n"}
    if moved:
        rewritten[early] = None
    write_commits(
        folder,
        [
            commit("main", [], {early: text}, first, 0),
            commit("main", ["main"], rewritten, second, 1),
            commit("main", ["main"], files, address("newcomer"), 2),
            commit("pull", ["main"], {SIDECAR: listed}, PLAIN, 3),
        ],
    )
    with Repository.open(folder) as repository:
        base, head = repository.resolve("main", "pull")
        shas = repository.commits(repository.merge_base(base, head), head)
    author = person("contributor")
    request = pull(
        review("reference engineer", number=1, commit=head),
        review("reviewer", number=2, commit=head),
        commits=tuple(Commit(sha=sha, author=author, committer=author, co_authors=()) for sha in shas),
    )
    inputs = Inputs(
        pull=request,
        pull_sha256="0" * 64,
        roster=cast_roster(),
        roster_digest=None,
        ledger=ledger(),
        ledger_digest=None,
    )
    return decide_question(Question(repository=folder, base=base, head=head, inputs=inputs, now=NOW))


@pytest.mark.parametrize(
    ("first", "second", "moved", "expected", "open_seats"),
    [
        (address("author of references"), address("contributor"), False, "satisfied", []),
        (address("author of references"), address("contributor"), True, "satisfied", []),
        (address("reference engineer"), address("contributor"), False, "missing", ["reference-engineer"]),
        (address("reference engineer"), address("contributor"), True, "missing", ["reference-engineer"]),
        (address("contributor"), address("reviewer"), False, "missing", ["reviewer"]),
        (PLAIN, address("contributor"), False, "undecided", []),
    ],
)
def test_the_history_decides(
    tmp_path: Path, first: str, second: str, moved: bool, expected: str, open_seats: list[str]
) -> None:
    """Whoever wrote the file, under whatever name, checks nothing; with somebody unknown nothing is known."""
    decision = listing(tmp_path / "made", first, second, moved=moved)
    found = row(decision, "M2")
    assert state(found, "ROLE-11") is EvidenceState(expected)
    assert [seat.role for seat in found.seats if seat.state == "open"] == open_seats
    if expected != "satisfied":
        assert decision.state is not State.APPROVED
