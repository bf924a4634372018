"""Decisions from real git repositories: the same bytes each time, the base's rules, and an error whenever history is cut."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from medgauge_registrar import pipeline, trial
from medgauge_registrar.git.process import HERMETIC
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.inputs import Inputs
from medgauge_registrar.model.decision import Decision, EvidenceState, RowState, SetAside, State
from medgauge_registrar.model.errors import PolicyError, ReadError
from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.model.pull import Commit, EarlierHead, Move, Pull
from medgauge_registrar.pipeline import Question, decide_question
from medgauge_registrar.policy.load import SETTINGS_PATH
from medgauge_registrar.registry.reader import Syntax, read_document
from medgauge_registrar.registry.schemas import shipped_schemas
from medgauge_registrar.report.document import decision_json
from medgauge_registrar.sandbox.edits import Edit, append, copy, drop, move, put, swap
from medgauge_registrar.sandbox.material import (
    CHARTER,
    GUIDELINE,
    NEW_CAPABILITY,
    NEW_STANDARD,
    REFERENCE,
    ROADMAP,
    TODAY,
)
from support.repositories import MadeRepository, git
from support.snapshots import (
    DIGEST,
    NOW,
    approvals,
    at,
    cast_roster,
    commit,
    edited,
    errors,
    person,
    pull,
    review,
    row,
)

STANDARD = "registry/standards/std-example-new.yaml"
STANDARD_SCHEMA = "schemas/standard.schema.json"
README = append("README.md", "\nAn example line.\n")
BOTH = ("maintainer", "second maintainer")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> MadeRepository:
    """A repository that many tests add branches to; `main` is the starter registry and stays."""
    made = MadeRepository(tmp_path_factory.mktemp("shared") / "made")
    made.commit(edited().files)
    return made


@pytest.fixture
def made(tmp_path: Path) -> MadeRepository:
    """A repository of the test's own, with the starter registry as `main`."""
    repository = MadeRepository(tmp_path / "made")
    repository.commit(edited().files)
    return repository


def branch(made: MadeRepository, *edits: Edit, name: str = "head", at: str = "main") -> str:
    """Commit some edits of the starter registry on a branch that leaves another one."""
    workspace = edited(*edits)
    return made.commit(workspace.files, made.oid(at), modes=workspace.modes, branch=name)


def commits(made: MadeRepository, base: str, head: str) -> tuple[str, ...]:
    """What the pull file has to list."""
    return tuple(made.git("rev-list", f"{base}..{head}").split())


def question(
    made: MadeRepository | Path,
    base: str,
    head: str,
    request: Pull | None = None,
    *,
    by: Sequence[str] = (),
    people: Mapping[str, Commit] = {},
    told: Sequence[str] | None = None,
) -> Question:
    """A question about two commits, whose pull request lists what git lists and was approved on the head by some."""
    folder = made.folder if isinstance(made, MadeRepository) else made
    listed = told if told is not None else git(folder, "rev-list", f"{base}..{head}", status=None).split()
    request = request or pull(*(replace(one, commit=head) for one in approvals(*by)))
    request = replace(request, commits=tuple(replace(people.get(sha, commit()), sha=sha) for sha in listed))
    inputs = Inputs(
        pull=request,
        pull_sha256=DIGEST,
        roster=cast_roster(),
        roster_digest=None,
        ledger=Ledger(),
        ledger_digest=None,
    )
    return Question(repository=folder, base=base, head=head, inputs=inputs, now=NOW)


def document(decision: Decision) -> Any:
    """The decision as JSON, held against its schema by the strict reader."""
    text = decision_json(decision)
    found = read_document(text.encode(), syntax=Syntax.JSON)
    assert found.faults == ()
    assert shipped_schemas().problems("decision", found.value) == ()
    return json.loads(text)


def undecided(decision: Decision) -> str:
    """The reason of a decision that there is none; it shows nothing as changed, empty or satisfied."""
    assert decision.state is State.ERROR
    assert decision.merge_base is decision.merge_tree is decision.dispute is None
    assert decision.changes == decision.rows == decision.findings == decision.set_aside == ()
    assert document(decision)["state"] == "error"
    (step,) = decision.next_steps
    return step.do


# The same each time ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edits", "by", "state"),
    [
        ([NEW_STANDARD], ["maintainer"], "approved"),
        ([NEW_STANDARD], [], "pending"),
        ([*CHARTER, NEW_STANDARD, NEW_CAPABILITY], BOTH, "blocked"),
        ([drop(GUIDELINE), put("registry/notes.txt", "An example.\n")], BOTH, "blocked"),
        ([move(GUIDELINE, "docs/guideline.yaml")], ["newcomer"], "blocked"),
        ([], [], "approved"),
    ],
)
def test_the_same_question_has_the_same_bytes(
    shared: MadeRepository, edits: list[Edit], by: list[str], state: str
) -> None:
    """Two runs give one document, which keeps the published schema."""
    head = branch(shared, *edits, name=f"same-{len(edits)}-{state}")
    asked = question(shared, shared.oid("main"), head, by=by)
    first, second = decide_question(asked), decide_question(asked)
    assert decision_json(first) == decision_json(second)
    told = document(first)
    assert told["state"] == state
    assert (told["base_sha"], told["head_sha"], told["merge_base"]) == (asked.base, head, asked.base)
    assert [change["path"] for change in told["changes"]] == sorted(change["path"] for change in told["changes"])


def test_hash_seeds_and_processes_make_no_difference(shared: MadeRepository, tmp_path: Path) -> None:
    """Nothing is rendered from a set: other processes under other seeds print the same."""
    head = branch(shared, *CHARTER, NEW_STANDARD, NEW_CAPABILITY, drop(GUIDELINE), name="seeds")
    facts = json.loads((Path(__file__).parent / "support" / "pull.json").read_text(encoding="utf-8"))
    facts["commits"][0]["sha"] = head
    (tmp_path / "pull.json").write_text(json.dumps(facts), encoding="utf-8")
    printed = set()
    for seed in ("1", "2"):
        arguments = ("decide", "--repo", str(shared.folder), "--base", "main", "--head", head)
        more = ("--pull", str(tmp_path / "pull.json"), "--now", "2026-11-29T16:00:00Z", "--format", "json")
        ran = subprocess.run(
            [sys.executable, "-m", "medgauge_registrar", *arguments, *more],
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        assert ran.returncode == 1, ran.stderr
        printed.add(ran.stdout)
    assert len(printed) == 1
    assert json.loads(printed.pop())["state"] == "blocked"


def test_names_and_ids_of_revisions_are_the_same(shared: MadeRepository) -> None:
    """A branch is its commit."""
    head = branch(shared, NEW_STANDARD, name="named")
    listed = commits(shared, "main", "named")
    by_id = question(shared, shared.oid("main"), head, told=listed)
    assert decide_question(replace(by_id, base="main", head="named")) == decide_question(by_id)


def test_repositories_of_the_longer_ids(tmp_path: Path) -> None:
    """A repository with SHA-256 ids is decided like any other."""
    made = MadeRepository(tmp_path / "made", object_format="sha256")
    base = made.commit(edited().files)
    head = branch(made, NEW_STANDARD)
    decision = decide_question(question(made, base, head, by=["maintainer"]))
    assert (decision.state, decision.head_sha) == (State.APPROVED, head)
    assert document(decision)["merge_base"] == base


# What cannot be read whole --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", ["base", "head"])
@pytest.mark.parametrize("name", ["nowhere", "0" * 40, "main..head", "--all", ""])
def test_an_unknown_revision_is_an_error(shared: MadeRepository, which: str, name: str) -> None:
    """What names no commit is never an empty change; a full id is still told."""
    asked = question(shared, shared.oid("main"), shared.oid("main"), told=())
    decision = decide_question(replace(asked, **{which: name}))
    assert "names no commit" in undecided(decision)
    assert (decision.base_sha if which == "base" else decision.head_sha) == (name if len(name) == 40 else None)


def test_no_repository_is_an_error(tmp_path: Path) -> None:
    """A folder without a repository, and one that is not there."""
    asked = question(tmp_path, "main", "head", told=())
    assert "is not in a git repository" in undecided(decide_question(asked))
    assert "is not a folder" in undecided(decide_question(replace(asked, repository=tmp_path / "nowhere")))


@pytest.mark.rule("DEC-22", "fails")
def test_a_shallow_clone_is_an_error(made: MadeRepository, tmp_path: Path) -> None:
    """History that was cut off before the two commits meet is not taken for a change of everything."""
    base, first = made.oid("main"), branch(made, README)
    head = branch(made, NEW_STANDARD, README, at="head")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--bare", "--depth=1", "--no-single-branch", f"file://{made.folder}", str(clone))
    for told in ((head,), (head, first)):
        decision = decide_question(question(clone, base, head, told=told))
        assert "shallow" in undecided(decision)
        assert "--unshallow" in undecided(decision)
    git(clone, "fetch", "-q", "--unshallow", "--tags")
    assert decide_question(question(clone, base, head, by=["maintainer"])).state is State.APPROVED


@pytest.mark.parametrize("what", ["head^{tree}", f"head:{STANDARD}", "head:registry/standards"])
def test_a_missing_object_is_an_error(made: MadeRepository, what: str) -> None:
    """A file or folder that the object store lacks is not an absent one."""
    base, head = made.oid("main"), branch(made, NEW_STANDARD)
    asked = question(made, base, head, by=["maintainer"])
    assert decide_question(asked).state is State.APPROVED
    made.remove_object(made.oid(what))
    assert undecided(decide_question(asked))


def test_a_repository_of_another_owner_is_an_error(made: MadeRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git's refusal is told, with the setting by which the user may trust it."""
    base, head = made.oid("main"), branch(made, NEW_STANDARD)
    asked = question(made, base, head, by=["maintainer"])
    monkeypatch.setitem(HERMETIC, "GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    assert "safe.directory" in undecided(decide_question(asked))


def test_unrelated_histories_are_an_error(made: MadeRepository) -> None:
    """A branch that shares no commit with the base has no change that could be told."""
    head = made.commit(edited(NEW_STANDARD).files, branch="head")
    assert "unrelated histories" in undecided(decide_question(question(made, made.oid("main"), head)))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param(lambda listed: listed, None, marks=pytest.mark.rule("DEC-22", "passes")),
        pytest.param(lambda listed: listed[::-1], None, marks=pytest.mark.rule("DEC-22", "passes")),
        pytest.param(lambda listed: listed[1:], "it lacks", marks=pytest.mark.rule("DEC-22", "fails")),
        pytest.param(lambda listed: (), "it lacks", marks=pytest.mark.rule("DEC-22", "fails")),
        pytest.param(lambda listed: (*listed, "c3" * 20), "not among them", marks=pytest.mark.rule("DEC-22", "fails")),
        pytest.param(lambda listed: (*listed, listed[0]), "it repeats one", marks=pytest.mark.rule("DEC-22", "fails")),
    ],
)
def test_the_pull_file_lists_exactly_the_commits(shared: MadeRepository, change: Any, words: str | None) -> None:
    """An author left out could approve the own change, so any other list is an error; the order is nothing."""
    branch(shared, NEW_STANDARD, name="listed")
    head = branch(shared, NEW_STANDARD, README, name="listed", at="listed")
    listed = commits(shared, "main", "listed")
    decision = decide_question(question(shared, shared.oid("main"), head, by=["maintainer"], told=change(listed)))
    if words is None:
        assert decision.state is State.APPROVED
    else:
        assert words in undecided(decision)
        assert "Running again may help" in undecided(decision)


def test_settings_that_cannot_be_used_stop_everything(made: MadeRepository) -> None:
    """Broken settings on the base are nobody's verdict; a link in their place is none either."""
    for settings, modes in (("rows: {}\n", {}), ("elsewhere.yml", {SETTINGS_PATH: "120000"})):
        base = made.commit(edited(put(SETTINGS_PATH, settings)).files, made.oid("main"), modes=modes)
        head = branch(made, NEW_STANDARD)
        with pytest.raises(PolicyError, match=r"^\.github/registrar\.yml"):
            decide_question(question(made, base, head, by=["maintainer"]))


# The base moves on ----------------------------------------------------------------------------------------------------


def moved(made: MadeRepository, *edits: Edit, name: str) -> str:
    """A base branch of the test's own, one commit on from `main`."""
    return branch(made, *edits, name=name)


def test_what_the_base_did_is_not_the_authors_change(shared: MadeRepository) -> None:
    """The change is that since the branch left; the base's own later changes are no part of it."""
    base = moved(shared, *CHARTER, name="moved-1")
    head = branch(shared, NEW_STANDARD, name="moved-1-head")
    decision = decide_question(question(shared, base, head, by=["maintainer"]))
    assert [change.path for change in decision.changes] == [STANDARD]
    assert (decision.state, decision.merge_base, decision.base_sha) == (State.APPROVED, shared.oid("main"), base)


def test_two_changes_that_are_wrong_together(shared: MadeRepository) -> None:
    """Each is fine by itself; on the merge result a reference leads nowhere."""
    reference = copy(
        REFERENCE,
        "registry/references/gr-example-route/0.1.0.yaml",
        ("gr-example-unit", "gr-example-route"),
        ("std-example-guideline", "std-example-new"),
    )
    with_standard = moved(shared, NEW_STANDARD, name="together")
    head = branch(shared, NEW_STANDARD, reference, name="together-head", at="together")
    assert "ID-06" not in errors(decide_question(question(shared, with_standard, head)))
    without = branch(shared, name="together-without", at="together")
    assert "ID-06" in errors(decide_question(question(shared, without, head, by=["maintainer"])))


@pytest.mark.rule("DEC-23", "fails")
def test_an_identifier_that_the_base_took(shared: MadeRepository) -> None:
    """A name that was free when the branch was made and is taken now conflicts."""
    base = moved(shared, put(STANDARD, "title: came first\n"), name="taken")
    head = branch(shared, NEW_STANDARD, name="taken-head")
    decision = decide_question(question(shared, base, head, by=["maintainer"]))
    assert (decision.state, errors(decision)) == (State.BLOCKED, {"DEC-23"})
    assert [finding.path for finding in decision.findings] == [STANDARD]
    assert row(decision, "M1").state is not RowState.SATISFIED
    assert document(decision)["merge_tree"] is None


@pytest.mark.rule("DEC-23", "passes")
def test_a_branch_that_merges_cleanly(shared: MadeRepository) -> None:
    """Changes of one file in different places are judged as they come out together."""
    base = moved(shared, append(ROADMAP, "# An example comment.\n"), name="clean")
    head = branch(shared, swap(ROADMAP, "# What is planned", "# Whatever is planned"), name="clean-head")
    decision = decide_question(question(shared, base, head, by=["maintainer"]))
    assert decision.merge_tree is not None
    assert "DEC-23" not in errors(decision)
    text = shared.git("show", f"{base}:{ROADMAP}")
    assert text.endswith("# An example comment.")


# Updates from the base ------------------------------------------------------------------------------------------------


def updated(
    made: MadeRepository, name: str, *edits: Edit, more: Sequence[Edit] = (), swapped: bool = False
) -> tuple[str, str, str]:
    """A branch that edits, and then merges a base that went on, perhaps with more in the merge; base, branch, merge."""
    base = moved(made, README, name=f"{name}-base")
    first = branch(made, *edits, name=name)
    parents = (base, first) if swapped else (first, base)
    workspace = edited(README, *edits, *more)
    merge = made.commit(workspace.files, *parents, branch=name, modes=workspace.modes)
    return base, first, merge


@pytest.mark.rule("DEC-16", "passes")
@pytest.mark.parametrize(
    ("known", "minute", "kept"),
    [
        ((0,), 10, True),
        ((20,), 10, False),
        ((), 10, False),
        (None, 10, True),
    ],
    ids=["after the head before", "before it", "nothing known", "a pull file that does not say"],
)
def test_an_update_keeps_approvals_from_since_the_change_was_there(
    shared: MadeRepository, known: tuple[float, ...] | None, minute: float, kept: bool
) -> None:
    """Where the pull file tells the heads before, their arrival bounds what an update keeps (DEC-16)."""
    base, first, merge = updated(shared, f"since-{known}", NEW_STANDARD)
    earlier = None if known is None else tuple(EarlierHead(sha=first, seen_at=at(at_minute)) for at_minute in known)
    for commit_named in (first, merge) if known else (first,):
        given = review("maintainer", minute=minute, commit=commit_named)
        request = replace(pull(given), seen_at=at(60), earlier_heads=earlier)
        decision = decide_question(question(shared, base, merge, request))
        assert (decision.state is State.APPROVED) is kept, decision.set_aside


def test_a_head_in_between_that_changed_something_ends_what_an_update_keeps(shared: MadeRepository) -> None:
    """The heads have to carry the change without a break; the oldest of them tells since when."""
    base, first, merge = updated(shared, "break", NEW_STANDARD)
    other = branch(shared, NEW_STANDARD, README, name="break-other")
    heads = tuple(EarlierHead(sha=sha, seen_at=at(minute)) for sha, minute in ((other, 40), (first, 0)))
    request = replace(pull(review("maintainer", minute=10, commit=first)), seen_at=at(60), earlier_heads=heads)
    assert decide_question(question(shared, base, merge, request)).state is State.PENDING


def test_a_pure_update_keeps_approvals(shared: MadeRepository) -> None:
    """An approval from before the base was merged in still counts: the author's own change is the same."""
    base, first, merge = updated(shared, "pure", NEW_STANDARD)
    old = pull(review("maintainer", minute=-30, commit=first))
    decision = decide_question(question(shared, base, merge, old))
    assert (decision.state, decision.set_aside) == (State.APPROVED, ())
    assert [change.path for change in decision.changes] == [STANDARD]


@pytest.mark.rule("DEC-16", "fails")
@pytest.mark.parametrize(
    "more",
    [
        append(STANDARD, "# A comment.\n"),
        put("docs/slipped-in.md", "An example.\n"),
        swap("README.md", "An example line.", "Another line."),
        append("CONTRIBUTING.md", "\nMore words.\n"),
    ],
)
def test_an_update_that_changes_something_voids_approvals(shared: MadeRepository, more: Edit) -> None:
    """Anything slipped into the merge is another change than the one approved."""
    base, first, merge = updated(shared, "impure", NEW_STANDARD, more=[more])
    old = pull(review("maintainer", minute=-30, commit=first))
    decision = decide_question(question(shared, base, merge, old))
    assert {aside.reason for aside in decision.set_aside} == {SetAside.NOT_ON_HEAD}
    assert decision.state is State.PENDING


def test_a_change_of_the_base_in_the_same_file_voids_approvals(shared: MadeRepository) -> None:
    """The author's lines are the same, and the file that results is not the one that was seen."""
    base = moved(shared, append(ROADMAP, "# An example comment.\n"), name="same-file")
    edit = swap(ROADMAP, "# What is planned", "# Whatever is planned")
    first = branch(shared, edit, name="same-file-head")
    merge = shared.commit(
        edited(append(ROADMAP, "# An example comment.\n"), edit).files, first, base, branch="same-file-head"
    )
    old = pull(review("maintainer", minute=-30, commit=first))
    assert {aside.reason for aside in decide_question(question(shared, base, merge, old)).set_aside} == {
        SetAside.NOT_ON_HEAD
    }


def test_an_approval_of_a_commit_elsewhere_is_no_earlier_head(shared: MadeRepository) -> None:
    """The same change on another branch was not looked at as this pull request."""
    base, _, merge = updated(shared, "elsewhere", NEW_STANDARD)
    other = branch(shared, NEW_STANDARD, name="elsewhere-other")
    other = shared.commit(edited(NEW_STANDARD).files, shared.oid("main"), branch="elsewhere-other", message="Other")
    old = pull(review("maintainer", minute=-30, commit=other))
    assert decide_question(question(shared, base, merge, old)).state is State.PENDING


def by_maintainer(*shas: str) -> dict[str, Commit]:
    """These commits are a maintainer's."""
    return {sha: commit("maintainer", "maintainer") for sha in shas}


@pytest.mark.parametrize("swapped", [False, True])
def test_whoever_merges_the_base_is_no_author(shared: MadeRepository, swapped: bool) -> None:
    """A clean merge of the base, whichever parent it is, brings nothing of its own."""
    base, _, merge = updated(shared, f"merger-{swapped}", NEW_STANDARD, swapped=swapped)
    asked = question(shared, base, merge, by=["maintainer"], people=by_maintainer(merge))
    assert decide_question(asked).state is State.APPROVED


def test_merging_an_older_state_of_the_base_counts_as_well(shared: MadeRepository) -> None:
    """The base may have gone on since it was merged in."""
    base, _, merge = updated(shared, "older", NEW_STANDARD)
    later = branch(shared, README, *CHARTER, name="older-base", at=base)
    asked = question(shared, later, merge, by=["maintainer"], people=by_maintainer(merge))
    assert decide_question(asked).state is State.APPROVED


@pytest.mark.rule("DEC-15", "fails")
@pytest.mark.parametrize(
    "more",
    [
        append(STANDARD, "# A comment.\n"),
        put("docs/slipped-in.md", "An example.\n"),
        append("CONTRIBUTING.md", "\nMore words.\n"),
    ],
)
def test_an_evil_merge_has_an_author(shared: MadeRepository, more: Edit) -> None:
    """A merge whose tree is not what git makes of its parents was written by somebody."""
    base, _, merge = updated(shared, "evil", NEW_STANDARD, more=[more])
    decision = decide_question(question(shared, base, merge, by=["maintainer"], people=by_maintainer(merge)))
    assert {aside.reason for aside in decision.set_aside} == {SetAside.AUTHOR}
    assert decision.state is State.PENDING


def test_a_resolved_conflict_has_an_author(shared: MadeRepository) -> None:
    """Whoever decides between two versions has written one."""
    base = moved(shared, put(STANDARD, "title: came first\n"), name="resolved")
    first = branch(shared, NEW_STANDARD, name="resolved-head")
    merge = shared.commit(edited(NEW_STANDARD).files, first, base, branch="resolved-head")
    decision = decide_question(question(shared, base, merge, by=["maintainer"], people=by_maintainer(merge)))
    assert {aside.reason for aside in decision.set_aside} == {SetAside.AUTHOR}


def test_merging_another_branch_has_an_author(shared: MadeRepository) -> None:
    """A clean merge of what the base does not have is no update from the base."""
    base, first = shared.oid("main"), branch(shared, NEW_STANDARD, name="other")
    foreign = branch(shared, README, name="other-foreign")
    merge = shared.commit(edited(NEW_STANDARD, README).files, first, foreign, branch="other")
    decision = decide_question(question(shared, base, merge, by=["maintainer"], people=by_maintainer(merge)))
    assert {aside.reason for aside in decision.set_aside} == {SetAside.AUTHOR}


def test_a_merge_of_three_has_an_author(shared: MadeRepository) -> None:
    """More than two parents are not tried."""
    base, first = moved(shared, README, name="three-base"), branch(shared, NEW_STANDARD, name="three")
    also = branch(shared, README, *CHARTER, name="three-also", at=base)
    merge = shared.commit(edited(NEW_STANDARD, README, *CHARTER).files, first, base, also, branch="three")
    decision = decide_question(question(shared, also, merge, by=["maintainer"], people=by_maintainer(merge)))
    assert {aside.reason for aside in decision.set_aside} == {SetAside.AUTHOR}


def test_a_merge_of_an_unrelated_history_has_an_author(shared: MadeRepository) -> None:
    """Git would not merge these by itself, and the decision is made nevertheless."""
    base = shared.oid("main")
    unrelated = shared.commit({"docs/unrelated.md": "An example.\n"}, branch="unrelated")
    files = {**edited().files, "docs/unrelated.md": "An example.\n"}
    merge = shared.commit(files, unrelated, base, branch="unrelated")
    decision = decide_question(question(shared, base, merge, by=["maintainer"], people=by_maintainer(merge)))
    assert {aside.reason for aside in decision.set_aside} == {SetAside.AUTHOR}
    assert [change.path for change in decision.changes] == ["docs/unrelated.md"]


def test_a_merge_by_nobody_known_concerns_nobody(shared: MadeRepository) -> None:
    """GitHub knows no account for whoever merged the base; the reference of the branch has its author all the same."""
    reference = copy(
        REFERENCE, "registry/references/gr-example-route/0.1.0.yaml", ("gr-example-unit", "gr-example-route")
    )
    base, first, merge = updated(shared, "unknown", reference)
    for sha, found in ((merge, set()), (first, {"ROLE-23"})):
        people = {sha: commit(None, None)}
        decision = decide_question(question(shared, base, merge, by=["maintainer"], people=people))
        assert errors(decision) == found


def test_merges_are_looked_up_only_where_it_matters(shared: MadeRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a reviewer or a stranger among the people of the commits no merge is tried."""
    base, _, merge = updated(shared, "unasked", NEW_STANDARD)

    def refuse(*_: object) -> None:
        raise AssertionError("not planned")

    monkeypatch.setattr(Repository, "merges", refuse)
    assert decide_question(question(shared, base, merge, by=["maintainer"])).state is State.APPROVED
    with pytest.raises(AssertionError, match="not planned"):
        decide_question(question(shared, base, merge, by=["maintainer"], people=by_maintainer(merge)))


def test_merges_beyond_the_limit_count(shared: MadeRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who makes more merges than are tried stays an author of the rest."""
    base, _, merge = updated(shared, "limit", NEW_STANDARD)
    monkeypatch.setattr(pipeline, "MAX_MERGES_TRIED", 0)
    decision = decide_question(question(shared, base, merge, by=["maintainer"], people=by_maintainer(merge)))
    assert {aside.reason for aside in decision.set_aside} == {SetAside.AUTHOR}


def test_merges_are_listed_with_their_parents(shared: MadeRepository) -> None:
    """Only commits of the change with several parents, each parent in its place."""
    base, first, merge = updated(shared, "parents", NEW_STANDARD)
    with Repository.open(shared.folder) as repository:
        assert repository.merges(shared.oid("main"), merge) == ((merge, (first, base)),)
        assert repository.merges(base, merge) == ((merge, (first, base)),)
        assert repository.merges(merge, merge) == ()
        assert repository.merges(shared.oid("main"), first) == ()
        with pytest.raises(ReadError, match="no full sha1 object id"):
            repository.merges("main", merge)


# The base's rules -----------------------------------------------------------------------------------------------------

ANYTHING = b'{"$id": "https://medgauge.org/schemas/0.1.0/standard.schema.json", "type": "object"}\n'
BAD_STANDARD = put(STANDARD, "id: std-example-new\nversion: one\ncolour: blue\n")


def layout(override: str) -> Edit:
    """Settings that move a kind."""
    return put(SETTINGS_PATH, f"layout: {{{override}}}\n")


def loosened(text: bytes = ANYTHING) -> Edit:
    """Put another schema of standards in place."""
    return put(STANDARD_SCHEMA, text.decode())


@pytest.mark.rule("DEC-21", "fails")
@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([loosened(), BAD_STANDARD], "ENT-02"),
        ([drop(STANDARD_SCHEMA), BAD_STANDARD], "ENT-02"),
        ([swap(STANDARD_SCHEMA, '"additionalProperties": false', '"additionalProperties": true'), BAD_STANDARD], "ENT-02"),
        ([layout("std: ['norms/{std}.yaml']"), move(GUIDELINE, "norms/std-example-guideline.yaml")], "IMM-07"),
        ([layout("article: ['registry/standards/{rest}']"), put("registry/standards/a.md", "a\n")], "DEC-19"),
    ],
)  # fmt: skip
def test_the_head_does_not_judge_itself(shared: MadeRepository, edits: list[Edit], expected: str) -> None:
    """Schemas and settings of the branch are data: what they would let pass is judged by the base's."""
    head = branch(shared, *edits, name="attack")
    decision = decide_question(question(shared, shared.oid("main"), head, by=BOTH))
    assert decision.state is State.BLOCKED
    assert expected in errors(decision)


@pytest.mark.rule("DEC-21", "passes")
def test_settings_of_the_base_judge_the_next_pull_request(shared: MadeRepository) -> None:
    """New settings are approved under the old ones, and from then on they hold."""
    settings = put(SETTINGS_PATH, "layout: {article: ['writing/{rest}']}\n")
    head = branch(shared, settings, name="settings")
    before = decide_question(question(shared, shared.oid("main"), head, by=BOTH))
    assert (before.state, [found.id for found in before.rows]) == (State.APPROVED, ["M17"])
    article = put(f"writing/{TODAY}-example.md", f"---\ndate: {TODAY}\ntitle: An example\n---\n\nWords.\n")
    later = shared.commit(edited(settings, article).files, head, branch="settings-later")
    judged = decide_question(question(shared, head, later, by=["maintainer"]))
    assert [(change.kind, change.rows) for change in judged.changes] == [("article", ("M16",))]
    assert before.digests.policy != judged.digests.policy


def test_a_kind_without_a_schema_lets_nothing_in(shared: MadeRepository) -> None:
    """The base has no schema for it, so nothing says what it must hold; the branch cannot bring its own along."""
    base = branch(shared, drop(STANDARD_SCHEMA), name="schemaless")
    files = edited().files[STANDARD_SCHEMA].decode()
    for edits in ([NEW_STANDARD], [NEW_STANDARD, put(STANDARD_SCHEMA, files)]):
        workspace = edited(drop(STANDARD_SCHEMA), *edits)
        head = shared.commit(workspace.files, base, branch="schemaless-head")
        decision = decide_question(question(shared, base, head, by=BOTH))
        assert decision.state is State.BLOCKED
        assert {finding.rule for finding in decision.findings if finding.path == STANDARD} == {"ENT-11"}
        assert {item.state for item in row(decision, "M1").evidence} == {EvidenceState.FAILED}


# The trial of changed schemas (ENT-05) --------------------------------------------------------------------------------


def schema(**members: Any) -> Edit:
    """The schema of standards with other members."""

    def edit(workspace: Any) -> None:
        value = json.loads(workspace.files[STANDARD_SCHEMA])
        workspace.files[STANDARD_SCHEMA] = (json.dumps({**value, **members}, indent=2) + "\n").encode()

    return edit


def title(**members: Any) -> Edit:
    """The schema of standards with other rules for a title."""

    def edit(workspace: Any) -> None:
        value = json.loads(workspace.files[STANDARD_SCHEMA])
        value["properties"]["title"] = {"description": "A title (section 15).", **members}
        workspace.files[STANDARD_SCHEMA] = (json.dumps(value, indent=2) + "\n").encode()

    return edit


STARS = "^(([a-z]+)+ ?)+$"


@pytest.mark.parametrize(
    ("what", "edit", "words"),
    [
        ("loosened", title(type="string"), None),
        ("tightened", title(type="string", maxLength=3), "this record would no longer keep its schema: at `/title`"),
        ("a pattern that others would try for ever", title(type="string", pattern=STARS), "at `/title`"),
        (
            "keys that others would try for ever",
            schema(propertyNames={"pattern": "^((a|[a-z_]+)+)+!$"}),
            "no longer keep",
        ),
        ("a look-ahead", title(type="string", pattern="^(?=(a+)+$)"), "not usable as a schema"),
        ("a back-reference", title(type="string", pattern=r"^(a+)\1$"), "not usable as a schema"),
        (
            "an expression too large",
            title(type="string", pattern="(((a{100}){100}){100}){100}"),
            "not usable as a schema",
        ),
        ("a reference to the network", title(**{"$ref": "https://127.0.0.1:9/x.json"}), "not usable as a schema"),
        ("a reference to a file", title(**{"$ref": "file:///etc/hostname"}), "not usable as a schema"),
        ("a reference to itself", schema(**{"$ref": "#"}), None),
        ("a schema that is none", title(type="text"), "not usable as a schema"),
        ("no JSON", put(STANDARD_SCHEMA, "{"), "not JSON"),
        ("no object", put(STANDARD_SCHEMA, "[]"), "expected a JSON object"),
        ("no UTF-8", lambda workspace: workspace.files.update({STANDARD_SCHEMA: b'{"title": "\xff"}'}), "not JSON"),
        ("no `$id`", schema(**{"$id": 1}), "`$id` is missing"),
        ("nested without end", put(STANDARD_SCHEMA, '{"not":' * 50_000 + "{}" + "}" * 50_000), "STANDARD"),
        ("far too large", put(STANDARD_SCHEMA, json.dumps({"enum": ["x" * 50] * 100_000})), "STANDARD"),
        ("taken away", drop(STANDARD_SCHEMA), "no schema `standard.schema.json` would be left"),
        ("a new format", title(type="string", format="telepathy"), "not usable as a schema"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_schemas_of_the_branch_are_tried_and_come_to_an_end(
    shared: MadeRepository, what: str, edit: Edit, words: str | None
) -> None:
    """Whatever the branch's schemas hold, the trial ends in a finding, or in none where every record stays valid."""
    head = branch(shared, edit, name="trial")
    found = trial.try_schemas(shared.folder, shared.oid("main"), head)
    assert len(found) <= trial.MAX_FINDINGS
    assert {finding.rule for finding in found} == ({"ENT-05"} if words else set())
    if words == "STANDARD":
        assert "standard" in found[0].message or "could not be tried" in found[0].message
    elif words:
        assert words in found[0].message


@pytest.mark.rule("ENT-05", "passes")
@pytest.mark.rule("ENT-05", "fails")
def test_the_trial_fails_the_evidence_of_its_row(shared: MadeRepository) -> None:
    """The decision is blocked, and the row of schemas says why; a loosened schema is fine."""
    head = branch(shared, title(type="string", maxLength=3), name="trial-row")
    decision = decide_question(question(shared, shared.oid("main"), head, by=BOTH))
    assert decision.state is State.BLOCKED
    assert {item.id: item.state for item in row(decision, "M11").evidence}["ENT-05"] is EvidenceState.FAILED
    assert any(finding.rule == "ENT-05" and finding.path == GUIDELINE for finding in decision.findings)
    head = branch(shared, title(type="string", maxLength=999), name="trial-row")
    decision = decide_question(question(shared, shared.oid("main"), head, by=BOTH))
    assert {item.id: item.state for item in row(decision, "M11").evidence}["ENT-05"] is EvidenceState.SATISFIED


def test_no_schema_no_trial(shared: MadeRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pull request that changes no schema starts no second process; one that moves a schema away does."""
    asked: list[str] = []
    monkeypatch.setattr(pipeline, "try_schemas", lambda *arguments: asked.append(arguments[2]) or ())
    decide_question(question(shared, shared.oid("main"), branch(shared, NEW_STANDARD, name="untried")))
    assert asked == []
    head = branch(shared, move(STANDARD_SCHEMA, "docs/standard.schema.json"), name="moved-away")
    decide_question(question(shared, shared.oid("main"), head))
    assert asked == [head]


@pytest.fixture
def child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Put another program in place of the child process of the trial."""

    def use(script: str) -> None:
        program = tmp_path / "child"
        program.write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
        program.chmod(0o755)
        monkeypatch.setattr(trial.sys, "executable", str(program))

    return use


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("exit 1", "passed the limits on time and memory, or the trial failed"),
        ("kill -KILL $$", "passed the limits on time and memory, or the trial failed"),
        ("echo '[]'; exit 2", "passed the limits on time and memory, or the trial failed"),
        ("sleep 30", "longer than 0.2 seconds"),
        ("echo nonsense", "no answer that could be read"),
        ("echo '{}'", "no answer that could be read"),
        ("echo '[1]'", "no answer that could be read"),
        ("echo '[{}]'", "no answer that could be read"),
        ("true", "no answer that could be read"),
    ],
)
def test_a_trial_without_an_answer_is_a_finding(
    child: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, words: str
) -> None:
    """A child that dies, hangs or talks nonsense is never a pass."""
    child(script)
    monkeypatch.setattr(trial, "WALL_SECONDS", 0.2)
    (found,) = trial.try_schemas(tmp_path, "a1" * 20, "b2" * 20)
    assert (found.rule, found.severity, found.path) == ("ENT-05", "error", None)
    assert words in found.message


def test_limits_hold_in_the_child() -> None:
    """Time and memory are bounded before anything of the branch is read."""
    code = (
        "import resource, sys\nfrom medgauge_registrar import trial\n"
        "try: trial.main(['nowhere', 'a', 'b'])\nexcept Exception: pass\n"
        "print(resource.getrlimit(resource.RLIMIT_CPU)[1], resource.getrlimit(resource.RLIMIT_AS)[1])\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == [str(trial.CPU_SECONDS), str(trial.MEMORY_BYTES)]


def test_nothing_is_left_behind(made: MadeRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A decision writes nothing into the repository and leaves no temporary folder."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    monkeypatch.setenv("TMPDIR", str(scratch))
    base, _, merge = updated(made, "clean-up", NEW_STANDARD, title(type="string"))
    before = sorted(path.relative_to(made.folder) for path in made.folder.rglob("*"))
    decide_question(question(made, base, merge, by=["maintainer"], people=by_maintainer(merge)))
    assert sorted(path.relative_to(made.folder) for path in made.folder.rglob("*")) == before
    assert list(scratch.iterdir()) == []
    shutil.rmtree(made.folder)
    assert undecided(decide_question(question(made, base, merge, told=())))


def test_the_pusher_and_people_are_read_from_the_pull_file(shared: MadeRepository) -> None:
    """Whoever pushed the head does not approve it, merge or no merge."""
    base, _, merge = updated(shared, "pushed", NEW_STANDARD)
    request = pull(review("maintainer", commit=merge), pushed_by=person("maintainer"))
    decision = decide_question(question(shared, base, merge, request))
    assert {aside.reason for aside in decision.set_aside} == {SetAside.PUSHER}


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("more", [(), (put("docs/slipped-in.md", "An example.\n"),)], ids=["clean", "evil"])
def test_whoever_only_updated_the_branch_did_not_push_it(
    shared: MadeRepository, swapped: bool, more: Sequence[Edit]
) -> None:
    """If the moves show that nothing else came with the merge, and git makes the same of it."""
    base, first, merge = updated(shared, f"button-{swapped}", NEW_STANDARD, more=more, swapped=swapped)
    made = Move(by=person("contributor"), before="0" * 40, after=first)
    for before, kept in ((first, not more), (base, False), ("0" * 40, False)):
        request = replace(
            pull(review("maintainer", commit=merge), pushed_by=person("maintainer")),
            moves=(Move(by=person("maintainer"), before=before, after=merge), made),
        )
        decision = decide_question(question(shared, base, merge, request))
        assert {aside.reason for aside in decision.set_aside} == (set() if kept else {SetAside.PUSHER})


@pytest.mark.parametrize(
    ("target", "kept"), [("base", True), ("nothing", True), ("dropped", False), ("earlier", False)]
)
def test_whoever_only_took_the_branch_to_the_base_did_not_push_it(
    shared: MadeRepository, target: str, kept: bool
) -> None:
    """Making it there, bringing a fork up to date before the change, and deleting it bring nothing; all else does."""
    base, first, merge = updated(shared, f"at-the-base-{target}", NEW_STANDARD)
    commits = {"base": base, "nothing": "0" * 40, "dropped": "d" * 40, "earlier": first}
    contributor, maintainer = person("contributor"), person("maintainer")
    request = replace(
        pull(review("maintainer", commit=merge), pushed_by=contributor),
        moves=(
            Move(by=contributor, before=commits[target], after=merge),
            Move(by=maintainer, before="0" * 40, after=commits[target]),
        ),
    )
    decision = decide_question(question(shared, base, merge, request))
    assert {aside.reason for aside in decision.set_aside} == (set() if kept else {SetAside.PUSHER})
