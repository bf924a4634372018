"""From a merge to its note and to the audit, over HTTP and git against an embedded GitHub."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from medgauge_registrar import cli
from medgauge_registrar.live.record import run_record
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.sandbox.github.world import ACTIONS_BOT
from support.live import NUMBER, LiveWorld, live_world, person

GATE = str(ACTIONS_BOT.id)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[LiveWorld]:
    """A registry with pull request 7, approved by a maintainer."""
    with live_world(tmp_path) as found:
        found.review("maintainer")
        yield found


def pushed(world: LiveWorld, before: str, **changes: Any) -> dict[str, Any]:
    """The payload of a push to the default branch."""
    usual = {
        "ref": "refs/heads/main",
        "before": before,
        "after": world.github.sha("main"),
        "deleted": False,
        "repository": {"default_branch": "main"},
    }
    return {**usual, **changes}


def record(world: LiveWorld, before: str, **changes: Any) -> int:
    """Run the job of a push."""
    return run_record(world.environment("push", pushed(world, before, **changes)))


def merged(world: LiveWorld, number: int = NUMBER) -> tuple[str, str]:
    """Merge a pull request; where the branch stood, and where it stands."""
    before = world.github.sha("main")
    return before, world.github.merge(number, by=person("maintainer"))


def noted(world: LiveWorld, commit: str) -> Any:
    """The note at a commit."""
    return json.loads(world.github.notes()[commit])


def audited(
    world: LiveWorld, range_: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], gate: str = GATE
) -> tuple[int, str]:
    """Audit the repository itself, asking GitHub."""
    for name, value in world.environment().items():
        monkeypatch.setenv(name, value)
    capsys.readouterr()
    status = cli.main(["audit", range_, "--repo", str(world.github.registry.store.path), "--gate", gate])
    return status, capsys.readouterr().out


def test_merge_is_noted_and_passes_the_audit(
    world: LiveWorld, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The note is that of the decision on what landed; GitHub signed it, and nobody else's account would do."""
    before, commit = merged(world)
    assert record(world, before) == 0
    note = noted(world, commit)
    assert note["decision"]["state"] == "approved"
    assert (note["landed"]["base"], note["landed"]["commits"], note["landed"]["method"]) == (before, [commit], "merge")
    assert audited(world, f"{before}..main", monkeypatch, capsys) == (0, "1 commit: 1 approved\n")
    status, out = audited(world, f"{before}..main", monkeypatch, capsys, gate="1")
    assert (status, out.split(": ")[1]) == (1, "its decision note was not written by the gate (#7, merge)\n1 commit")


def test_note_is_replayed_from_a_clone(world: LiveWorld, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Facts, history and roster give the same bytes; the roster of the job is told by its keyed digest."""
    before, commit = merged(world)
    environment = world.environment("push", pushed(world, before), REGISTRAR_DIGEST_KEY="example key")
    assert run_record(environment) == 0
    note = tmp_path / "note.json"
    note.write_bytes(world.github.notes()[commit])
    roster = tmp_path / "roster.json"
    roster.write_text(environment["REGISTRAR_ROSTER"], encoding="utf-8")
    capsys.readouterr()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(cli.DIGEST_KEY_VARIABLE, "example key")
        repository = str(world.github.registry.store.path)
        assert cli.main(["replay", str(note), "--repo", repository, "--roster", str(roster)]) == 0
    assert capsys.readouterr().out.startswith("same: pull request #7, approved")


def test_second_run_writes_nothing(world: LiveWorld) -> None:
    """The note stays as it is."""
    before, commit = merged(world)
    record(world, before)
    notes, tip = world.github.notes(), world.github.sha("refs/notes/registrar")
    assert record(world, before) == 0
    assert (world.github.notes(), world.github.sha("refs/notes/registrar")) == (notes, tip)
    assert set(notes) == {commit}


def test_later_notes_are_added(world: LiveWorld) -> None:
    """The second push finds the note of the first."""
    before, first = merged(world)
    record(world, before)
    world.open(number=8)
    world.review("maintainer", number=8)
    middle, second = merged(world, 8)
    assert record(world, middle) == 0
    assert set(world.github.notes()) == {first, second}


def test_merge_without_approval_is_noted_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bypass is on record."""
    with live_world(tmp_path) as world:
        before, commit = merged(world)
        assert record(world, before) == 0
        status, out = audited(world, f"{before}..main", monkeypatch, capsys)
    assert (status, out.splitlines()[0]) == (1, f"{commit} not approved: its decision was `pending` (#7, merge)")


def test_direct_push_is_told_and_gets_no_note(world: LiveWorld, capsys: pytest.CaptureFixture[str]) -> None:
    """No pull request brought it; that is for the audit, and no failure of the job."""
    before = world.github.sha("main")
    commit = world.github.commit({"README.md": b"Words.\n"}, by=person("maintainer"))
    world.github.push_branch(commit, by=person("maintainer"))
    assert record(world, before) == 0
    assert world.github.notes() == {}
    assert f"{commit} gets no note: no merged pull request brought it" in capsys.readouterr().out


def test_notes_of_a_token_that_is_no_app_count_for_nothing(
    world: LiveWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    """GitHub signs for Apps alone, so the job is red."""
    before, commit = merged(world)
    own = world.github.add_token(person("maintainer")).value
    assert run_record(world.environment("push", pushed(world, before), REGISTRAR_TOKEN=own)) == 3
    assert set(world.github.notes()) == {commit}
    assert "GitHub did not sign the notes" in capsys.readouterr().err


def test_token_that_may_not_write_is_an_error(world: LiveWorld) -> None:
    """The job lacks `contents: write`."""
    before, _ = merged(world)
    reading = world.github.add_token(
        ACTIONS_BOT, permissions={"contents": "read", "pull_requests": "read", "issues": "read", "statuses": "read"}
    ).value
    with pytest.raises(ReadError, match="403"):
        run_record(world.environment("push", pushed(world, before), REGISTRAR_TOKEN=reading))
    assert world.github.notes() == {}


@pytest.mark.parametrize("changes", [{"ref": "refs/heads/topic"}, {"ref": "refs/tags/v1"}, {"deleted": True}])
def test_other_pushes_are_no_matter(world: LiveWorld, changes: dict[str, Any]) -> None:
    """Only the default branch is recorded; nothing is asked of GitHub."""
    before, _ = merged(world)
    world.sent()
    assert record(world, before, **changes) == 0
    assert world.sent() == []


@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("pull_request", {}),
        ("push", {}),
        ("push", {"ref": "refs/heads/main", "repository": {"default_branch": "main"}}),
    ],
)
def test_other_events_are_an_error(world: LiveWorld, event: str, payload: dict[str, Any]) -> None:
    """The job is wired to another event, or the payload is not GitHub's."""
    with pytest.raises(ReadError, match=r"start this on push|not as GitHub documents it"):
        run_record(world.environment(event, payload))


def test_new_branch_begins_with_its_first_commit(world: LiveWorld) -> None:
    """Of a new branch GitHub gives zeros for where it stood."""
    _, commit = merged(world)
    assert record(world, "0" * 40) == 0
    assert set(world.github.notes()) == {commit}
