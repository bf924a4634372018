"""Content in whole decisions: what was shown blocks, canaries come from the ledger, and nobody pays for unused detectors."""

import hashlib
import hmac
import subprocess
import sys

import pytest

from medgauge_registrar.decide import decide
from medgauge_registrar.model.branch import Branch
from medgauge_registrar.model.decision import Decision, State
from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.report.withhold import public_decision
from medgauge_registrar.sandbox.edits import put
from support.snapshots import approvals, pull, snapshot

NOTE = "docs/note.md"
KEY, CANARY = b"example-key", "zq-canary-4f1b9c20"
LEDGER = Ledger(canary_key=KEY, canary_digests=frozenset({hmac.new(KEY, CANARY.encode(), hashlib.sha256).hexdigest()}))
TASK = b"labels: {T1: short}\nseeded_defects: [{cluster: s1}]\nmaterials_hash: abc\n"


def decided(text: str, **fields: object) -> Decision:
    return decide(snapshot(put(NOTE, text), request=pull(*approvals("maintainer", "second maintainer")), **fields))


def rules(decision: Decision) -> set[str]:
    return {finding.rule for finding in decision.findings}


def test_plain_text_is_approved() -> None:
    """A note with nothing in it is a file like any other."""
    decision = decided("A plain note.\n", ledger=LEDGER, branch=Branch(words=("A title", "", "change")))
    assert (decision.state, rules(decision)) == (State.APPROVED, set())


def test_removed_task_blocks() -> None:
    """A task that an earlier commit held blocks every row, and nothing tells where it was."""
    branch = Branch(names=("docs/task.yaml",), contents=lambda: iter([("docs/task.yaml", TASK)]))
    decision = decided("A plain note.\n", branch=branch)
    assert (decision.state, rules(decision)) == (State.BLOCKED, {"BND-11"})
    assert all(row.state.value == "blocked" for row in decision.rows)
    assert "task.yaml" not in repr(public_decision(decision).findings)


def test_removed_task_is_told_beside_a_conflict() -> None:
    """A conflict does not hide what was shown."""
    branch = Branch(contents=lambda: iter([("docs/task.yaml", TASK)]))
    decision = decided("A plain note.\n", branch=branch, merge_tree=None, conflicts=(NOTE,))
    assert rules(decision) == {"BND-11", "DEC-23"}


def test_words_of_the_pull_request_block() -> None:
    """A title that gives a record number is as public as a file."""
    decision = decided("A plain note.\n", branch=Branch(words=("MRN: 4471902", "", "change")))
    assert (decision.state, rules(decision)) == (State.BLOCKED, {"BND-11"})


@pytest.mark.parametrize(("ledger", "expected"), [(LEDGER, {"BND-10"}), (Ledger(), set())], ids=["known", "unknown"])
def test_canaries_come_from_the_ledger(ledger: Ledger, expected: set[str]) -> None:
    """A listed string blocks where the list is known; the decision shows neither string nor digest."""
    decision = decided(f"Nothing but {CANARY}.\n", ledger=ledger)
    assert rules(decision) == expected
    assert CANARY not in repr(public_decision(decision))
    assert next(iter(LEDGER.canary_digests)) not in repr(decision)


def test_opaque_file_needs_two() -> None:
    """What no scan can read is a row of two maintainers, wherever no kind claims it."""
    decision = decide(snapshot(put("docs/picture.bin", "\0\1\2"), request=pull(*approvals("maintainer"))))
    assert "M17" in {row.id for row in decision.rows}
    assert decision.state is not State.APPROVED


def test_detectors_are_not_loaded_for_a_record() -> None:
    """A change of a plain record loads no language model and no credential detectors."""
    script = (
        "import sys; sys.path.insert(0, 'tests')\n"
        "from support.content import scan\n"
        "assert scan('registry/standards/std-example.yaml', 'id: std-example\\ntitle: A guide\\n') == []\n"
        "text = 'Source, dose, report, table, clause, audit, record, entry, field, note, sheet, unit'\n"
        "assert scan('registry/roadmap/rm-example.yaml', f'planned_item: {text}\\n') == []\n"
        "assert scan('notes/a.yaml', f'- {text}\\n') == []\n"
        "print(sorted({'py3langid', 'numpy', 'detect_secrets'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
