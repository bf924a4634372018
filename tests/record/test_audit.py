"""`registrar audit`: every commit of the default branch that no approved decision of the gate brought is named."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from medgauge_registrar.git.notes import NOTES_REF
from medgauge_registrar.model.audit import Audit, Audited, AuditState
from medgauge_registrar.model.errors import PolicyError, ReadError
from medgauge_registrar.policy.load import SETTINGS_PATH
from medgauge_registrar.record.audit import Question, SignedByGitHub, audit
from medgauge_registrar.report.audit import render_audit
from support.recording import GATE, STRANGER_ADDRESS, everything_signed, note, store
from support.repositories import MadeRepository

APPROVED, NOT_APPROVED, UNDECIDED = AuditState.APPROVED, AuditState.NOT_APPROVED, AuditState.UNDECIDED


@pytest.fixture
def made(tmp_path: Path) -> MadeRepository:
    """A registry of one commit, which is where the audit begins."""
    repository = MadeRepository(tmp_path / "made")
    repository.commit({"README.md": "0"})
    repository.git("branch", "start")
    return repository


def ask(
    made: MadeRepository,
    range_: str | None = "start..main",
    *,
    gate: int | None = GATE,
    signed: SignedByGitHub | None = everything_signed,
) -> Audit:
    """Audit, with GitHub saying that it signed everything."""
    return audit(Question(repository=made.folder, range=range_, gate=gate, signed_by_github=signed))


def squash(made: MadeRepository, contents: str = "1") -> str:
    """A pull request that was squashed onto the branch."""
    return made.commit({"README.md": contents}, made.oid("main"))


def only(found: Audit) -> Audited:
    """The one commit of an audit."""
    (commit,) = found.commits
    return commit


@pytest.mark.rule("DEC-01", "passes")
def test_commit_with_an_approved_note_of_the_gate_is_approved(made: MadeRepository) -> None:
    """The gate wrote the note, GitHub signed it, and the tree that landed is the one decided on."""
    commit = squash(made)
    store(made, {commit: note(made, commit)})
    assert only(ask(made)) == Audited(sha=commit, state=APPROVED, pull=7, method="squash")


@pytest.mark.rule("DEC-01", "fails")
def test_commit_without_a_note_is_named(made: MadeRepository) -> None:
    """A direct push leaves no note."""
    commit = squash(made)
    found = ask(made)
    assert only(found) == Audited(sha=commit, state=NOT_APPROVED, because="no decision note stands at it")
    assert found.hints == (f"no notes are here: `git fetch origin {NOTES_REF}:{NOTES_REF}` brings them",)


def test_merge_commit_is_told_by_its_second_parent(made: MadeRepository) -> None:
    """Commits of the branch that was merged are not walked."""
    base = made.oid("main")
    head = made.commit({"README.md": "1"}, base, branch="topic")
    merged = made.commit({"README.md": "1"}, base, head)
    store(made, {merged: note(made, merged, head=head, method="merge")})
    assert only(ask(made)) == Audited(sha=merged, state=APPROVED, pull=7, method="merge")


def test_merge_of_another_head_is_named(made: MadeRepository) -> None:
    """What was decided is not what was merged, though the trees are equal."""
    base = made.oid("main")
    head = made.commit({"README.md": "1"}, base, branch="topic")
    merged = made.commit({"README.md": "1"}, base, head)
    store(made, {merged: note(made, merged, head="e5" * 20, method="merge")})
    assert only(ask(made)).because == "its decision note says `merge`, but the commits are those of `squash`"


def test_rebase_is_one_decision_on_several_commits(made: MadeRepository) -> None:
    """Each commit that a rebase brought is covered by the note at the last."""
    first = squash(made, "1")
    second = squash(made, "2")
    store(made, {second: note(made, first, second, method="rebase")})
    assert [(commit.sha, commit.state) for commit in ask(made).commits] == [(second, APPROVED), (first, APPROVED)]


def test_direct_push_between_is_not_taken_for_part_of_a_rebase(made: MadeRepository) -> None:
    """A note that names fewer commits leaves the others without a decision."""
    first = squash(made, "1")
    second = squash(made, "2")
    store(made, {second: note(made, second)})
    assert [(commit.sha, commit.state) for commit in ask(made).commits] == [(second, APPROVED), (first, NOT_APPROVED)]


def test_note_that_names_commits_of_elsewhere_covers_none(made: MadeRepository) -> None:
    """A rebase whose first commit is no longer on the branch was not what landed."""
    first = squash(made, "1")
    second = squash(made, "2")
    value = note(made, first, second, method="rebase")
    value["landed"]["commits"][0] = "d4" * 20
    store(made, {second: value})
    assert [commit.state for commit in ask(made).commits] == [NOT_APPROVED, NOT_APPROVED]
    assert ask(made).commits[0].because == "its decision note names other commits than those of the branch"


def test_range_that_cuts_a_rebase_in_two_is_not_approved_by_half(made: MadeRepository) -> None:
    """The note is about all its commits; of a part of them it says nothing."""
    first = squash(made, "1")
    second = squash(made, "2")
    store(made, {second: note(made, first, second, method="rebase")})
    assert only(ask(made, f"{first}..main")).state is NOT_APPROVED


def test_group_of_a_merge_queue_has_a_note_for_each_pull_request(made: MadeRepository) -> None:
    """Each was decided on the tree that the one before it left; one that was not approved is named alone."""
    base = made.oid("main")
    heads = [made.commit({"README.md": "0", name: "1"}, base, branch=name) for name in ("a", "b")]
    one = made.commit({"README.md": "0", "a": "1"}, base, heads[0])
    two = made.commit({"README.md": "0", "a": "1", "b": "1"}, one, heads[1])
    notes = {
        one: note(made, one, head=heads[0], method="merge", pull=11),
        two: note(made, two, head=heads[1], method="merge", pull=12, state="blocked"),
    }
    store(made, notes)
    assert [(commit.pull, commit.state, commit.because) for commit in ask(made).commits] == [
        (12, NOT_APPROVED, "its decision was `blocked`"),
        (11, APPROVED, ""),
    ]


def test_pull_request_pushed_as_it_was_is_a_fast_forward(made: MadeRepository) -> None:
    """The head itself became the branch."""
    commit = squash(made)
    store(made, {commit: note(made, commit, head=commit, method="fast-forward")})
    assert only(ask(made)).method == "fast-forward"
    assert only(ask(made)).state is APPROVED


@pytest.mark.parametrize(
    ("changes", "because"),
    [
        ({"state": "pending"}, "its decision was `pending`"),
        ({"merge_tree": "f6" * 20}, "another tree landed than the one that was decided on"),
        ({"merge_tree": None}, "another tree landed than the one that was decided on"),
        ({"base_sha": "f6" * 20}, "it was decided for another state of the branch"),
    ],
)
def test_note_that_does_not_fit_is_named(made: MadeRepository, changes: dict[str, Any], because: str) -> None:
    """A decision speaks for what it was made on, and only if it approved."""
    commit = squash(made)
    store(made, {commit: note(made, commit, **changes)})
    assert only(ask(made)) == Audited(sha=commit, state=NOT_APPROVED, pull=7, method="squash", because=because)


def test_tree_that_the_note_misstates_is_named(made: MadeRepository) -> None:
    """What the note says of the landed tree is held against git, not believed."""
    commit = squash(made)
    value = note(made, commit)
    value["landed"]["tree"] = "f6" * 20
    store(made, {commit: value})
    assert only(ask(made)).because == "another tree landed than the one that was decided on"


def test_base_that_the_note_misstates_is_named(made: MadeRepository) -> None:
    """The commit before is read from git too."""
    commit = squash(made)
    value = note(made, commit)
    value["landed"]["base"] = "f6" * 20
    store(made, {commit: value})
    assert only(ask(made)).because == "it was decided for another state of the branch"


@pytest.mark.parametrize("data", [b"", b"approved", b"{}", b'{"landed": {}}'])
def test_note_that_is_none_is_named(made: MadeRepository, data: bytes) -> None:
    """Whatever else stands there is no decision."""
    commit = squash(made)
    store(made, {commit: data})
    assert only(ask(made)).because.startswith("its decision note cannot be read: ")


def test_note_in_another_spelling_is_named(made: MadeRepository) -> None:
    """A note is canonical, so that equal notes are equal bytes."""
    commit = squash(made)
    store(made, {commit: json.dumps(note(made, commit)).encode()})
    assert only(ask(made)).because == "its decision note cannot be read: it is not in canonical form"


def test_note_that_is_too_large_is_named(made: MadeRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is parsed without a bound."""
    commit = squash(made)
    store(made, {commit: note(made, commit)})
    monkeypatch.setattr("medgauge_registrar.record.note.MAX_INPUT_BYTES", 100)
    assert only(ask(made)).because == "its decision note cannot be read: it is larger than 100 bytes"


def test_two_notes_at_one_commit_are_none(made: MadeRepository) -> None:
    """Git would read both; which one was meant is not known."""
    commit = squash(made)
    store(made, {commit: note(made, commit)})
    store(made, {commit: note(made, commit)}, flat=True)
    assert only(ask(made)).state is NOT_APPROVED


def test_note_by_somebody_else_is_none(made: MadeRepository) -> None:
    """Anybody with write access can push notes."""
    commit = squash(made)
    store(made, {commit: note(made, commit)}, address=STRANGER_ADDRESS)
    assert only(ask(made)).because == "its decision note was not written by the gate"


def test_person_with_the_number_of_the_gate_is_not_the_gate(made: MadeRepository) -> None:
    """Only an address of a bot is an App's."""
    commit = squash(made)
    store(made, {commit: note(made, commit)}, address=f"{GATE}+example-gate@users.noreply.github.com")
    assert only(ask(made)).because == "its decision note was not written by the gate"


def test_note_under_the_name_of_the_gate_is_none_unless_signed(made: MadeRepository) -> None:
    """A commit says of itself whatever its author likes."""
    commit = squash(made)
    store(made, {commit: note(made, commit)})
    assert only(ask(made, signed=lambda commits: ())).because == (
        "its decision note bears the gate's name and is not signed by GitHub"
    )


def test_github_is_asked_only_about_what_bears_the_name_of_the_gate(made: MadeRepository) -> None:
    """Commits of others need no signature: they count for nothing."""
    first, second = squash(made, "1"), squash(made, "2")
    own = store(made, {first: note(made, first)})
    store(made, {second: note(made, second)}, address=STRANGER_ADDRESS)
    asked: list[str] = []

    def signed(commits: Collection[str]) -> Collection[str]:
        asked.extend(commits)
        return commits

    ask(made, signed=signed)
    assert asked == [own]


def test_edit_by_somebody_else_takes_the_word_of_the_gate_away(made: MadeRepository) -> None:
    """A note that was approved by another hand than the gate's is not the gate's."""
    commit = squash(made)
    store(made, {commit: note(made, commit, state="blocked")})
    store(made, {commit: note(made, commit)}, address=STRANGER_ADDRESS)
    assert only(ask(made)).because == "its decision note was not written by the gate"


def test_notes_of_others_leave_those_of_the_gate_alone(
    made: MadeRepository,
) -> None:
    """What somebody adds beside them takes nothing away."""
    first, second = squash(made, "1"), squash(made, "2")
    store(made, {first: note(made, first)})
    store(made, {second: b"talk"}, address=STRANGER_ADDRESS)
    assert [commit.state for commit in ask(made).commits] == [NOT_APPROVED, APPROVED]


def test_without_a_token_nothing_is_approved(made: MadeRepository) -> None:
    """The signature cannot be known offline; what else is wrong is said all the same."""
    first, second = squash(made, "1"), squash(made, "2")
    store(made, {first: note(made, first), second: note(made, second, state="blocked")})
    found = ask(made, signed=None)
    assert [commit.state for commit in found.commits] == [NOT_APPROVED, UNDECIDED]
    assert found.commits[1].because == "whether GitHub signed its decision note is not known"
    assert "REGISTRAR_TOKEN" in found.hints[0]


def test_gate_is_named_by_the_settings_of_the_branch(made: MadeRepository) -> None:
    """Without --gate the branch's own settings say who the gate is."""
    commit = made.commit({SETTINGS_PATH: f"gate_account: {GATE}\n"}, made.oid("main"))
    store(made, {commit: note(made, commit)})
    assert only(ask(made, gate=None)).state is APPROVED
    assert only(ask(made, gate=GATE + 1)).state is NOT_APPROVED


def test_what_is_audited_does_not_choose_its_gate(made: MadeRepository) -> None:
    """Where the settings before the range name a gate, those that it brings do not count."""
    first = made.commit({SETTINGS_PATH: f"gate_account: {GATE}\n"}, made.oid("main"))
    second = made.commit({SETTINGS_PATH: "gate_account: 1\n"}, first)
    store(made, {second: note(made, second)}, address="1+example-other[bot]@users.noreply.github.com")
    assert only(ask(made, f"{first}..main", gate=None)).because == "its decision note was not written by the gate"
    assert only(ask(made, f"{first}..main", gate=1)).state is APPROVED


def test_gate_that_nobody_names_leaves_all_undecided(made: MadeRepository) -> None:
    """Without --gate and without a setting nobody's notes count."""
    commit = squash(made)
    store(made, {commit: note(made, commit)})
    found = ask(made, gate=None)
    assert only(found).state is UNDECIDED
    assert "--gate" in found.hints[0]


def test_whole_history_is_walked_unless_a_range_is_given(made: MadeRepository) -> None:
    """The first commit has no decision: a registry says since when it has a gate."""
    commit = squash(made)
    store(made, {commit: note(made, commit)})
    assert [step.state for step in ask(made, None).commits] == [APPROVED, NOT_APPROVED]
    assert [step.state for step in ask(made, "main").commits] == [APPROVED, NOT_APPROVED]


def test_default_branch_is_that_of_origin(made: MadeRepository, tmp_path: Path) -> None:
    """In a clone the branch at hand may be another one."""
    made.git("update-ref", "refs/remotes/origin/main", "start")
    made.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    squash(made)
    assert only(ask(made, None)).sha == made.oid("start")


def test_empty_range_is_in_order(made: MadeRepository) -> None:
    """Nothing reached the branch."""
    assert ask(made, "main..main") == Audit(
        commits=(), hints=(f"no notes are here: `git fetch origin {NOTES_REF}:{NOTES_REF}` brings them",)
    )


@pytest.mark.parametrize("range_", ["start...main", "..main", "start.."])
def test_range_of_another_form_is_refused(made: MadeRepository, range_: str) -> None:
    """Three dots, or an end left out, would mean another walk."""
    with pytest.raises(PolicyError, match="no range"):
        ask(made, range_)


def test_start_that_is_not_on_the_first_parent_line_is_an_error(made: MadeRepository) -> None:
    """A branch whose history was turned around would hide what was pushed; nothing is said of it."""
    base = made.oid("main")
    side = made.commit({"README.md": "side"}, base, branch="side")
    made.commit({"README.md": "1"}, base, side)
    with pytest.raises(ReadError, match="not in the first-parent history"):
        ask(made, "side..main")


def test_report_names_each_commit_and_counts(made: MadeRepository) -> None:
    """What is approved is only counted."""
    first, second = squash(made, "1"), squash(made, "2")
    store(made, {second: note(made, second)})
    assert render_audit(ask(made)) == (
        f"{first} not approved: no decision note stands at it\n2 commits: 1 approved, 1 not approved\n"
    )
