"""Notes on what a push brought: one for each pull request, decided on what landed, at the time of its merge."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from medgauge_registrar.git.notes import NOTES_REF
from medgauge_registrar.github.notes import Tip, signed_by_github, write_notes
from medgauge_registrar.inputs import to_ledger, to_pull
from medgauge_registrar.model.audit import AuditState
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.landing import Method, Step
from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.record.audit import Question, audit
from medgauge_registrar.record.note import Note, facts_at, parse_note
from medgauge_registrar.record.push import Left, MergedPull, Planned, Push, landings, plan_notes
from medgauge_registrar.sandbox.build import pull_facts
from medgauge_registrar.sandbox.case import Case
from medgauge_registrar.sandbox.cases import CASES
from medgauge_registrar.sandbox.edits import append
from medgauge_registrar.sandbox.material import BASE_MOVES
from record.conftest import Registry
from support.recording import GATE, REPOSITORY, GitData, everything_signed, store
from support.repositories import MadeRepository
from support.snapshots import HEAD, decided

MERGED = datetime(2026, 11, 29, 16, 0, tzinfo=UTC)


@dataclass
class World:
    """What GitHub knows of merged pull requests; a question that was not foreseen raises."""

    pulls: dict[str, list[MergedPull]] = field(default_factory=dict)
    known: dict[int, Any] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def merged_pulls(self, commit: str) -> Sequence[MergedPull]:
        """The pull requests that brought a commit."""
        self.asked.append(commit)
        return self.pulls.get(commit, [])

    def facts(self, number: int) -> Mapping[str, Any]:
        """The facts of one."""
        return self.known[number]

    def merged(self, registry: Registry, number: int, head: str, *commits: str, **facts: Any) -> None:
        """Tell of a pull request that brought some commits."""
        pull = MergedPull(number=number, head=head, commit=commits[-1], merged_at=MERGED)
        for commit in commits:
            self.pulls.setdefault(commit, []).append(pull)
        self.known[number] = {**registry.facts(head, number=number), **facts}


def plan(registry: Registry, world: World, before: str | None, after: str | None = None) -> Planned:
    """Plan the notes of a push to `main`."""
    notes = registry.made.git("rev-parse", "--verify", "--quiet", NOTES_REF, status=None) or None
    push = Push(repository=registry.made.folder, before=before, after=after or registry.made.oid("main"), notes=notes)
    return plan_notes(push, world, registry.inputs)


def read(planned: Planned, commit: str) -> Note:
    """A planned note."""
    note = parse_note(planned.notes[commit])
    assert isinstance(note, Note), note
    return note


def land(registry: Registry, head: str, *, merge: bool) -> str:
    """Merge or squash a branch whose tree may land as it is."""
    made = registry.made
    parents = [made.oid("main"), head] if merge else [made.oid("main")]
    commit = made.commit_tree(made.oid(f"{head}^{{tree}}"), *parents)
    made.git("update-ref", "refs/heads/main", commit)
    return commit


@pytest.mark.parametrize(("merge", "method"), [(True, "merge"), (False, "squash")])
def test_merged_pull_request_is_noted(registry: Registry, *, merge: bool, method: str) -> None:
    """The decision is on the first parent and the head, and its tree is the one that landed."""
    world, before = World(), registry.made.oid("main")
    head = registry.branch("topic")
    commit = land(registry, head, merge=merge)
    world.merged(registry, 7, head, commit)
    planned = plan(registry, world, before)
    note = read(planned, commit)
    assert planned.left == ()
    assert note.landed == {
        "method": method,
        "base": before,
        "commits": [commit],
        "tree": registry.made.oid(f"{commit}^{{tree}}"),
    }
    assert note.decision["state"] == "approved"
    assert note.decision["merge_tree"] == note.landed["tree"]
    assert note.decision["decided_at"] == "2026-11-29T16:00:00Z"


def test_what_is_noted_passes_the_audit(registry: Registry) -> None:
    """From the push to the audit, over GitHub's git data API."""
    world, before = World(), registry.made.oid("main")
    head = registry.branch("topic")
    commit = land(registry, head, merge=True)
    world.merged(registry, 7, head, commit)
    notes = plan(registry, world, before).notes
    store(registry.made, notes)
    found = audit(
        Question(
            repository=registry.made.folder, range=f"{before}..main", gate=GATE, signed_by_github=everything_signed
        )
    )
    assert [item.state for item in found.commits] == [AuditState.APPROVED]


def test_merge_that_was_not_approved_is_noted_as_such(registry: Registry) -> None:
    """A bypass is recorded with its decision, not left out."""
    world, before = World(), registry.made.oid("main")
    head = registry.branch("topic")
    commit = land(registry, head, merge=True)
    world.merged(registry, 7, head, commit, reviews=[])
    assert read(plan(registry, world, before), commit).decision["state"] == "pending"


def test_approval_after_the_merge_does_not_count(registry: Registry) -> None:
    """What was said later did not bring the change."""
    world, before = World(), registry.made.oid("main")
    head = registry.branch("topic")
    commit = land(registry, head, merge=True)
    world.merged(registry, 7, head, commit)
    for review in world.known[7]["reviews"]:
        review["submitted_at"] = "2026-11-29T16:00:01Z"
    note = read(plan(registry, world, before), commit)
    assert note.decision["state"] == "pending"
    assert note.pull is not None
    assert note.pull["reviews"] == []


def test_command_after_the_merge_does_not_count() -> None:
    """A comment of the moment itself is kept, one of a second later is not."""
    facts = {
        "reviews": [],
        "comments": [
            {
                "id": number,
                "user": None,
                "body": "/recheck",
                "created_at": f"2026-11-29T16:00:0{number}Z",
                "edited": False,
            }
            for number in (0, 1)
        ],
    }
    assert [comment["id"] for comment in facts_at(facts, MERGED)["comments"]] == [0]


def test_another_tree_than_the_merge_is_told(registry: Registry) -> None:
    """Somebody merged by hand and changed something on the way."""
    world, before = World(), registry.made.oid("main")
    head = registry.branch("topic")
    other = registry.branch("other")
    commit = registry.made.commit_tree(registry.made.oid(f"{other}^{{tree}}"), before, head)
    registry.made.git("update-ref", "refs/heads/main", commit)
    world.merged(registry, 7, head, commit)
    note = read(plan(registry, world, before), commit)
    assert note.decision["merge_tree"] != note.landed["tree"]


def test_group_of_a_merge_queue_is_noted_one_by_one(registry: Registry) -> None:
    """Each pull request is decided on the tree that the one before it left."""
    world, before, made = World(), registry.made.oid("main"), registry.made
    first, second = registry.branch("one"), registry.branch("two", append("CONTRIBUTING.md", "\nAn example.\n"))
    one = land(registry, first, merge=True)
    tree = made.git("merge-tree", "--write-tree", one, second)
    two = made.commit_tree(tree, one, second)
    made.git("update-ref", "refs/heads/main", two)
    world.merged(registry, 11, first, one)
    world.merged(registry, 12, second, two)
    planned = plan(registry, world, before)
    assert [read(planned, commit).landed["base"] for commit in (one, two)] == [before, one]
    assert [read(planned, commit).decision["state"] for commit in (one, two)] == ["approved", "approved"]


def test_direct_push_gets_no_note(registry: Registry) -> None:
    """There is nothing to decide, and the audit will name it."""
    world, before = World(), registry.made.oid("main")
    commit = registry.branch("main")
    assert plan(registry, world, before) == Planned(
        notes={}, left=(Left(commit=commit, why="no merged pull request brought it"),)
    )


def test_second_run_plans_nothing(registry: Registry) -> None:
    """What is noted stays, and GitHub is not asked again."""
    world, before = World(), registry.made.oid("main")
    head = registry.branch("topic")
    commit = land(registry, head, merge=False)
    world.merged(registry, 7, head, commit)
    store(registry.made, plan(registry, world, before).notes)
    world.asked.clear()
    assert plan(registry, world, before) == Planned(notes={}, left=())
    assert world.asked == []


def test_what_an_earlier_job_missed_is_made_up_for(registry: Registry) -> None:
    """A note that is missing among the last commits is written by the next push."""
    world = World()
    commits = []
    for name in ("one", "two", "three"):
        head = registry.branch(name)
        commits.append(land(registry, head, merge=False))
        world.merged(registry, len(commits), head, commits[-1])
    whole = plan(registry, world, registry.made.oid(f"{commits[0]}^1")).notes
    store(registry.made, {commits[0]: whole[commits[0]]})
    assert set(plan(registry, world, commits[1]).notes) == {commits[1], commits[2]}


def test_before_the_first_note_nothing_is_made_up_for(registry: Registry) -> None:
    """A registry begins to keep notes with a push, and does not write its history anew."""
    world, before = World(), registry.made.oid("main")
    head = registry.branch("topic")
    commit = land(registry, head, merge=False)
    world.merged(registry, 7, head, commit)
    plan(registry, world, before)
    assert world.asked == [commit]


def test_facts_that_do_not_fit_the_branch_leave_the_note_for_the_next_run(registry: Registry) -> None:
    """A note is never replaced, so an error is not made one."""
    world, before = World(), registry.made.oid("main")
    head = registry.branch("topic")
    commit = land(registry, head, merge=True)
    world.merged(registry, 7, head, commit, commits=[])
    planned = plan(registry, world, before)
    assert planned.notes == {}
    (left,) = planned.left
    assert (left.commit, left.may_pass_later) == (commit, True)
    assert left.why.startswith("#7 could not be decided: the pull file's commits")


def test_branch_that_was_moved_back_is_an_error(registry: Registry) -> None:
    """What a forced push took away is no first parent of what is there."""
    with pytest.raises(ReadError, match="not in the first-parent history"):
        plan(registry, World(), registry.branch("topic"))


def test_first_commit_of_a_branch_gets_no_note(registry: Registry) -> None:
    """It has no parent to be compared with."""
    world, root = World(), registry.made.oid("main")
    world.merged(registry, 7, "e5" * 20, root)
    (left,) = plan(registry, world, None).left
    assert left == Left(commit=root, why="it has no parent, so there is nothing that it changed")


# How a push is taken apart ---------------------------------------------------------------------------------------------


def chain(*parents: Sequence[str]) -> list[Step]:
    """Commits named `1`, `2`, … on top of `0`; further parents of each as given."""
    return [
        Step(sha=str(index), tree="t", parents=(str(index - 1), *more)) for index, more in enumerate(parents, start=1)
    ]


def told(number: int, commit: str, head: str = "h") -> MergedPull:
    """A merged pull request."""
    return MergedPull(number=number, head=head, commit=commit, merged_at=MERGED)


def taken(steps: Sequence[Step], brought: Mapping[str, Sequence[MergedPull]]) -> list[tuple[int, Method, list[str]]]:
    """Which pull request brought which commits, and how."""
    everything = {step.sha: brought.get(step.sha, ()) for step in steps}
    return [
        (pull.number, landing.method, [step.sha for step in landing.steps])
        for pull, landing in landings(steps, everything)
    ]


def test_rebase_takes_the_commits_that_are_its_own() -> None:
    """All but the last are told by GitHub to belong to the same pull request."""
    pull = told(7, "3")
    assert taken(chain((), (), ()), {"1": [pull], "2": [pull], "3": [pull]}) == [(7, Method.REBASE, ["1", "2", "3"])]


def test_rebase_does_not_take_what_was_pushed_before() -> None:
    """A commit that no pull request brought stays without one."""
    pull = told(7, "3")
    assert taken(chain((), (), ()), {"2": [pull], "3": [pull]}) == [(7, Method.REBASE, ["2", "3"])]


def test_rebases_one_after_another_are_told_apart() -> None:
    """Each ends where GitHub says that it ended."""
    one, two = told(1, "2"), told(2, "4")
    found = taken(chain((), (), (), ()), {"1": [one], "2": [one], "3": [two], "4": [two]})
    assert found == [(1, Method.REBASE, ["1", "2"]), (2, Method.REBASE, ["3", "4"])]


def test_merge_commit_stands_alone() -> None:
    """Its own first-parent predecessor belongs to somebody else, whatever GitHub links to it."""
    pull = told(7, "2")
    assert taken(chain((), ("h",)), {"1": [pull], "2": [pull]}) == [(7, Method.MERGE, ["2"])]


def test_merge_commit_is_no_part_of_a_later_rebase() -> None:
    """A commit with two parents was not made by a rebase, whatever GitHub links to it."""
    pull = told(7, "2")
    assert taken(chain(("x",), ()), {"1": [pull], "2": [pull]}) == [(7, Method.SQUASH, ["2"])]


def test_commits_that_do_not_follow_each_other_are_no_rebase() -> None:
    """A gap between the commits looked at, of those that have their note, is not bridged."""
    pull = told(7, "3")
    steps = [step for step in chain((), (), ()) if step.sha != "2"]
    assert taken(steps, {"1": [pull], "3": [pull]}) == [(7, Method.SQUASH, ["3"])]


def test_rebase_that_stops_halfway_brings_nothing() -> None:
    """Without its last commit the pull request is not merged."""
    assert taken(chain((), ()), {"1": [told(7, "9")], "2": []}) == []


# The facts that are kept -----------------------------------------------------------------------------------------------


def test_note_keeps_no_talk(registry: Registry) -> None:
    """Words that carry no command decide nothing, and would stay for ever."""
    facts = registry.facts("a1" * 20)
    facts["comments"] = [
        {"id": 1, "user": None, "body": body, "created_at": "2026-11-29T12:00:00Z", "edited": False}
        for body in ("I like it.", "/recheck", None)
    ]
    facts["reviews"][0]["body"] = "/attest package-only example"
    kept = facts_at(facts, MERGED)
    assert [comment["body"] for comment in kept["comments"]] == ["/recheck"]
    assert [review["body"] for review in kept["reviews"]] == ["/attest package-only example", None]
    assert {key for key in facts if facts[key] != kept[key]} == {"comments", "reviews"}


TALKED_ABOUT = [case for case in CASES if case.comments or any(review.body for review in case.reviews)]


@pytest.mark.parametrize("case", TALKED_ABOUT, ids=lambda case: case.title)
def test_talk_decides_nothing(case: Case) -> None:
    """Every decision of the demonstration stays as it is without the words that a note leaves out."""
    facts = pull_facts(7, case, HEAD, (HEAD,))
    edits = [edit for commit in case.commits for edit in commit]
    ledger = to_ledger(dict(case.ledger)) if case.ledger is not None else Ledger()
    whole, kept = (
        decided(*edits, request=to_pull(told), base=BASE_MOVES, ledger=ledger)
        for told in (facts, facts_at(facts, MERGED))
    )
    assert kept == whole


def test_facts_are_left_out_where_closed_material_was_found(registry: Registry) -> None:
    """The note says that something was found, never what the text was."""
    world, before = World(), registry.made.oid("main")
    head = registry.branch("topic")
    commit = land(registry, head, merge=True)
    title = "benchmark data should never appear in training"
    world.merged(registry, 7, head, commit, title=title)
    data = plan(registry, world, before).notes[commit]
    assert json.loads(data)["pull"] is None
    assert title.encode() not in data


def test_facts_are_left_out_where_a_comment_holds_a_canary(registry: Registry) -> None:
    """Comments are no part of the change, and no finding is made of them."""
    world, before = World(), registry.made.oid("main")
    head = registry.branch("topic")
    commit = land(registry, head, merge=True)
    body = "/recheck\nbenchmark data should never appear in training"
    comment = {"id": 1, "user": None, "body": body, "created_at": "2026-11-29T12:00:00Z", "edited": False}
    world.merged(registry, 7, head, commit, comments=[comment])
    assert read(plan(registry, world, before), commit).pull is None


# GitHub's git database -------------------------------------------------------------------------------------------------


@pytest.fixture
def made(registry: Registry) -> MadeRepository:
    """The repository alone."""
    return registry.made


def tip_of(made: MadeRepository) -> Tip:
    """Where the notes stand."""
    return Tip(commit=made.oid(NOTES_REF), tree=made.oid(f"{NOTES_REF}^{{tree}}"))


def test_first_notes_make_the_reference(made: MadeRepository) -> None:
    """Git itself reads them where they are."""
    commit = made.oid("main")
    written = write_notes(GitData(made), REPOSITORY, None, {commit: b'{"a":1}'})
    assert written.signed
    assert written.commit == made.oid(NOTES_REF)
    assert made.git("notes", "--ref=registrar", "show", commit) == '{"a":1}'


def test_later_notes_are_added(made: MadeRepository) -> None:
    """Earlier ones stay, and the reference is moved forward by one commit."""
    first, second = made.oid("main"), "c3" * 20
    write_notes(GitData(made), REPOSITORY, None, {first: b"1"})
    tip, data = tip_of(made), GitData(made)
    written = write_notes(data, REPOSITORY, tip, {second: b"2"})
    assert made.git("rev-parse", f"{written.commit}^1") == tip.commit
    assert made.git("ls-tree", "-r", "--name-only", NOTES_REF).split() == sorted(
        f"{commit[:2]}/{commit[2:]}" for commit in (first, second)
    )
    assert [method for method, _ in data.sent] == ["POST", "POST", "POST", "PATCH"]


def test_lost_race_loses_nothing(made: MadeRepository) -> None:
    """Somebody moved the notes after they were read: GitHub refuses, nothing is sent again, theirs stay."""
    first, second, third = made.oid("main"), "c3" * 20, "d4" * 20
    write_notes(GitData(made), REPOSITORY, None, {first: b"1"})
    tip = tip_of(made)
    data = GitData(made, before_reference=[lambda: store(made, {second: b"2"})])
    with pytest.raises(ReadError, match="not a fast forward"):
        write_notes(data, REPOSITORY, tip, {third: b"3"})
    assert made.git("notes", "--ref=registrar", "list").count("\n") == 1
    assert [method for method, _ in data.sent] == ["POST", "POST", "POST", "PATCH"]


def test_race_for_the_first_notes_is_lost_too(made: MadeRepository) -> None:
    """The reference was made in the meantime."""
    data = GitData(made, before_reference=[lambda: store(made, {"c3" * 20: b"2"})])
    with pytest.raises(ReadError):
        write_notes(data, REPOSITORY, None, {made.oid("main"): b"1"})
    assert made.git("ls-tree", "-r", "--name-only", NOTES_REF).split() == ["c3/" + "c3" * 19]


def test_commit_that_github_did_not_sign_is_told(made: MadeRepository) -> None:
    """Such notes are there and count for nothing; the job must say so."""
    assert not write_notes(GitData(made, signs=False), REPOSITORY, None, {made.oid("main"): b"1"}).signed


def test_note_that_github_changed_is_an_error(made: MadeRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept has to be what was decided, byte for byte."""
    data = GitData(made)
    call = data.call
    monkeypatch.setattr(data, "call", lambda *words: {**call(*words), "sha": "0" * 40})
    with pytest.raises(ReadError, match="another text"):
        write_notes(data, REPOSITORY, None, {made.oid("main"): b"1"})


@pytest.mark.parametrize("answer", [None, {}, {"sha": None}, []])
def test_write_without_an_id_is_an_error(made: MadeRepository, monkeypatch: pytest.MonkeyPatch, answer: Any) -> None:
    """What was written has to be known before anything points at it."""
    data = GitData(made)
    monkeypatch.setattr(data, "call", lambda *words: answer)
    with pytest.raises(ReadError, match="without the id"):
        write_notes(data, REPOSITORY, None, {made.oid("main"): b"1"})


# Signatures ------------------------------------------------------------------------------------------------------------


class Signatures:
    """GitHub's answers about signatures, by commit."""

    def __init__(self, known: Mapping[str, Any]) -> None:
        """Know some."""
        self.known, self.queries = known, list[int]()

    def graphql(self, query: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        """Answer about every commit that is asked for."""
        asked = {name: sha for name, sha in variables.items() if name not in {"owner", "name"}}
        assert (variables["owner"], variables["name"]) == tuple(REPOSITORY.split("/"))
        assert all(f"{name}: object(oid: ${name})" in query for name in asked)
        self.queries.append(len(asked))
        return {"repository": {name: self.known.get(sha) for name, sha in asked.items()}}

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Nothing is read by REST."""
        raise AssertionError(path)


def signature(sha: str, **changes: Any) -> Any:
    """A commit with a valid signature of GitHub's, unless told otherwise."""
    return {"oid": sha, "signature": {"isValid": True, "wasSignedByGitHub": True, **changes}}


def test_signature_counts_only_if_it_is_valid_and_githubs() -> None:
    """Each of the two alone is not enough, nor is a commit that GitHub does not know."""
    a, b, c, d, e, f = (letter * 40 for letter in "abcdef")
    client = Signatures(
        {
            a: signature(a),
            b: signature(b, isValid=False),
            c: signature(c, wasSignedByGitHub=False),
            d: {"oid": d, "signature": None},
            e: signature(a),
        }
    )
    assert signed_by_github(client, REPOSITORY, [a, b, c, d, e, f]) == {a}


def test_many_commits_are_asked_about_in_several_queries() -> None:
    """GitHub bounds a query."""
    commits = [f"{number:040x}" for number in range(120)]
    client = Signatures({sha: signature(sha) for sha in commits})
    assert signed_by_github(client, REPOSITORY, commits) == set(commits)
    assert client.queries == [50, 50, 20]


def test_repository_that_the_token_may_not_see_is_an_error() -> None:
    """No signature is read from a missing answer."""
    client = Signatures({})
    client.graphql = lambda query, variables: {"repository": None}  # type: ignore[method-assign]
    with pytest.raises(ReadError, match="shows no repository"):
        signed_by_github(client, REPOSITORY, ["a" * 40])
