"""`registrar replay`: a record is made anew from git and what was handed over, and compared byte for byte."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from medgauge_registrar.git.landing import first_parents
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.model.errors import PolicyError, ReadError
from medgauge_registrar.model.landing import landing_of
from medgauge_registrar.model.replayed import Difference
from medgauge_registrar.pipeline import Question, decide_question
from medgauge_registrar.record.compare import differences
from medgauge_registrar.record.note import note_bytes
from medgauge_registrar.record.replay import Replay, Replayed, replay
from medgauge_registrar.registry.canonical import canonical_json
from medgauge_registrar.report.document import decision_json
from medgauge_registrar.report.replay import MAX_PLACES, render_replay
from record.conftest import KEY, Registry

DECIDED = datetime(2026, 11, 29, 16, 0, tzinfo=UTC)


@dataclass
class Recorded:
    """A merged pull request with its records, and the arguments that replay them."""

    registry: Registry
    note: Path
    decision: Path
    pull: Path

    def replayed(self, file: Path | None = None, **changes: Any) -> Replayed:
        """Replay the note, or another file, with everything that was used."""
        usual = {
            "file": file or self.note,
            "repository": self.registry.made.folder,
            "pull": None,
            "roster": self.registry.roster,
            "ledger": self.registry.ledger,
            "digest_key": KEY,
        }
        return replay(Replay(**{**usual, **changes}))

    def changed(self, **changes: Any) -> Path:
        """The note with other values in some fields of its decision."""
        value = json.loads(self.note.read_bytes())
        value["decision"] |= changes
        return self.registry.written("changed.json", canonical_json(value))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """A pull request that was merged by a merge commit."""
    registry = Registry(tmp_path_factory.mktemp("replay"))
    made = registry.made
    base, head = made.oid("main"), registry.branch("topic")
    commit = made.commit_tree(made.oid(f"{head}^{{tree}}"), base, head)
    facts = registry.facts(head)
    inputs = registry.inputs(facts)
    decision = decide_question(Question(repository=made.folder, base=base, head=head, inputs=inputs, now=DECIDED))
    with Repository.open(made.folder) as repository:
        landing = landing_of(first_parents(repository, commit, base), head)
    return Recorded(
        registry=registry,
        note=registry.written("note.json", note_bytes(landing, facts, decision)),
        decision=registry.written("decision.json", decision_json(decision).encode()),
        pull=registry.written("pull.json", facts),
    )


def test_note_is_the_same_again(recorded: Recorded) -> None:
    """Facts, history, roster and ledger give the same bytes."""
    found = recorded.replayed()
    assert found.same
    assert found.recorded["state"] == "approved"
    assert render_replay(found) == "same: pull request #7, approved, decided at 2026-11-29T16:00:00Z\n"


def test_decision_file_is_the_same_again_with_its_pull_file(recorded: Recorded) -> None:
    """What `decide --format json` printed is a record too."""
    assert recorded.replayed(recorded.decision, pull=recorded.pull).same


def test_changed_decision_differs_with_its_places(recorded: Recorded) -> None:
    """Each place is named with both values."""
    found = recorded.replayed(recorded.changed(state="blocked", set_aside=[{"review": 100, "reason": "bot"}]))
    assert not found.same
    assert found.differences == (
        Difference(pointer="/decision/set_aside/0", recorded="an object", found=None),
        Difference(pointer="/decision/state", recorded="`blocked`", found="`approved`"),
    )
    assert "/decision/state: recorded `blocked`, recomputed `approved`" in render_replay(found)


def test_changed_facts_differ(recorded: Recorded) -> None:
    """Approvals taken out of the facts are missing from the decision, whose digest no longer fits either."""
    value = json.loads(recorded.note.read_bytes())
    value["pull"]["reviews"] = []
    found = recorded.replayed(recorded.registry.written("facts.json", canonical_json(value)))
    assert {"/decision/digests/inputs", "/decision/state"} <= {place.pointer for place in found.differences}


def test_other_pull_file_differs(recorded: Recorded) -> None:
    """A decision file is held against its pull file by the digest of the inputs."""
    facts = {**json.loads(recorded.pull.read_bytes()), "title": "Another"}
    found = recorded.replayed(recorded.decision, pull=recorded.registry.written("other.json", facts))
    assert [place.pointer for place in found.differences] == ["/digests/inputs"]


@pytest.mark.parametrize(("field", "value"), [("method", "squash"), ("tree", "f6" * 20)])
def test_changed_landing_differs(recorded: Recorded, field: str, value: str) -> None:
    """How it landed is read from git again."""
    changed = json.loads(recorded.note.read_bytes())
    changed["landed"][field] = value
    found = recorded.replayed(recorded.registry.written("landed.json", canonical_json(changed)))
    assert [place.pointer for place in found.differences] == [f"/landed/{field}"]


def test_landing_that_is_not_in_the_history_is_unreadable(recorded: Recorded) -> None:
    """A base that the commits do not follow cannot be walked to."""
    changed = json.loads(recorded.note.read_bytes())
    changed["landed"]["base"] = recorded.registry.made.oid("topic")
    with pytest.raises(ReadError, match="not in the first-parent history"):
        recorded.replayed(recorded.registry.written("base.json", canonical_json(changed)))


def test_same_values_in_another_spelling_differ(recorded: Recorded) -> None:
    """Byte for byte means the bytes."""
    value = json.loads(recorded.decision.read_bytes())
    found = recorded.replayed(recorded.registry.written("spelt.json", value), pull=recorded.pull)
    assert found.differences == ()
    assert not found.same
    assert "the bytes are not" in render_replay(found)


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("roster", {"roster": None}, "was made with a roster"),
        ("ledger", {"ledger": None}, "was made with a ledger"),
        ("roster", {"digest_key": None}, "key of the digests is missing"),
        ("roster", {"digest_key": b"another key"}, "the roster given, or the key of the digests, is not the one"),
    ],
)
def test_closed_file_that_is_not_shown_to_be_the_one_is_unreadable(
    recorded: Recorded, name: str, changes: dict[str, Any], message: str
) -> None:
    """Nothing is compared before roster and ledger are known to be those that were used."""
    with pytest.raises(ReadError, match=message):
        recorded.replayed(**changes)


@pytest.mark.parametrize("name", ["roster", "ledger"])
def test_another_closed_file_is_unreadable(recorded: Recorded, name: str) -> None:
    """One entry less gives another digest; what the file holds is not told."""
    value = {"people": []} if name == "roster" else {}
    other = recorded.registry.written(f"other-{name}.json", value)
    with pytest.raises(ReadError, match=f"the {name} given") as raised:
        recorded.replayed(**{name: other})
    assert "example" not in str(raised.value)


def test_closed_file_without_a_digest_is_unreadable(recorded: Recorded) -> None:
    """Any roster would do, so none does."""
    value = json.loads(recorded.note.read_bytes())["decision"]["digests"]
    without = recorded.changed(digests={**value, "roster": None})
    with pytest.raises(ReadError, match="keeps no digest of a roster"):
        recorded.replayed(without)
    assert "keeps no digest of a roster" in render_replay(recorded.replayed(without, roster=None))


def test_decision_by_another_version_says_so(recorded: Recorded) -> None:
    """The reader learns what to install."""
    text = render_replay(recorded.replayed(recorded.changed(registrar_version="0.0.9")))
    assert "registrar 0.0.9 decided" in text
    assert "replay with that version" in text


def test_note_without_facts_is_unreadable(recorded: Recorded) -> None:
    """They were left out, since they could repeat closed material."""
    value = {**json.loads(recorded.note.read_bytes()), "pull": None}
    with pytest.raises(ReadError, match="leaves the facts"):
        recorded.replayed(recorded.registry.written("without.json", canonical_json(value)))


def test_commits_that_are_not_here_are_unreadable(recorded: Recorded, tmp_path: Path) -> None:
    """A clone without the head of the pull request cannot tell."""
    with pytest.raises(ReadError, match="could not be made anew"):
        recorded.replayed(recorded.changed(head_sha="f6" * 20))


def test_decision_that_names_no_commits_is_unreadable(recorded: Recorded) -> None:
    """An error decision may not know what it was about."""
    with pytest.raises(ReadError, match="names no base and head"):
        recorded.replayed(recorded.changed(state="error", base_sha=None))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "strict JSON"),
        (b"{}", "neither a decision note nor a decision"),
        (b'{"landed": {}}', "no decision note"),
    ],
)
def test_file_that_is_no_record_is_refused(recorded: Recorded, data: bytes, message: str) -> None:
    """Exit status 2: the file is the wrong one."""
    with pytest.raises(PolicyError, match=message):
        recorded.replayed(recorded.registry.written("none.json", data))


def test_absent_file_is_refused(recorded: Recorded) -> None:
    """Exit status 2."""
    with pytest.raises(PolicyError, match="No such file"):
        recorded.replayed(recorded.registry.folder / "absent.json")


def test_pull_file_belongs_to_decision_files_alone(recorded: Recorded) -> None:
    """A note holds its own facts, a decision none."""
    with pytest.raises(PolicyError, match="holds its own facts"):
        recorded.replayed(pull=recorded.pull)
    with pytest.raises(PolicyError, match="give them with --pull"):
        recorded.replayed(recorded.decision)


# Comparing -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("recorded_value", "found", "places"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 2}, [("/a", "1", "2")]),
        ({"a": 1}, {"a": True}, [("/a", "1", "true")]),
        ({"a": None}, {}, [("/a", "null", None)]),
        ({}, {"a/b~c": []}, [("/a~1b~0c", None, "a list of 0")]),
        ({"a": [1, 2]}, {"a": [1]}, [("/a/1", "2", None)]),
        ({"a": [{"b": "x"}]}, {"a": [{"b": "y"}]}, [("/a/0/b", "`x`", "`y`")]),
        ({"a": {}}, {"a": []}, [("/a", "an object", "a list of 0")]),
    ],
)
def test_differences_are_the_innermost_places(
    recorded_value: Any, found: Any, places: list[tuple[str, str | None, str | None]]
) -> None:
    """Each by JSON Pointer, with what stands on either side."""
    told = [(place.pointer, place.recorded, place.found) for place in differences(recorded_value, found)]
    assert told == places


def test_report_is_bounded_and_safe() -> None:
    """Values are foreign text: one line each, cut, and no command of a workflow; the rest is counted."""
    place = Difference(pointer="/a", recorded="`x\n::error::" + "y" * 999 + "`", found=None)
    recorded_value = {
        "pull": 7, "state": "approved", "decided_at": "t", "registrar_version": "0.0.9",
        "digests": {"roster": "d", "ledger": "d"},
    }  # fmt: skip
    text = render_replay(Replayed(recorded=recorded_value, differences=(place,) * (MAX_PLACES + 3)))
    assert "and 3 more places" in text
    assert "\n::error" not in text
    assert max(map(len, text.splitlines())) < 400
