"""Closed material in earlier commits, messages, names and words of a pull request (BND-11), over real repositories."""

from collections.abc import Callable
from pathlib import Path

import pytest

from medgauge_registrar.checks.content_branch import check_branch
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.model.branch import Branch
from medgauge_registrar.report.withhold import public_findings
from support.cases import fails, passes
from support.content import rules_of
from support.registries import context_of
from support.repositories import MadeRepository

BASE = {"README.md": "A stand-in.\n"}
TASK = "labels: {T1: short}\nseeded_defects: [{cluster: s1}]\nmaterials_hash: abc\n"
Make = Callable[[MadeRepository, str], str]


def branch_of(made: MadeRepository, base: str, head: str, words: tuple[str, ...] = ()) -> Branch:
    """The branch between two commits, read whole."""
    with Repository.open(made.folder) as repository:
        commits = repository.commits(repository.merge_base(base, head), head)
        brought = repository.introduced(commits)
        merged = repository.tree(head)
        gone = [pair for pair in brought.files if merged.entry(pair[0]) != pair[1]]
        contents = list(repository.contents(gone))
    return Branch(
        words=words,
        messages=brought.messages,
        names=tuple(sorted({path for path, _ in brought.files})),
        contents=lambda: iter(contents),
    )


def added_and_removed(made: MadeRepository, base: str) -> str:
    first = made.commit({**BASE, "docs/task.yaml": TASK}, base, branch="change")
    return made.commit({**BASE, "docs/other.md": "Text.\n"}, first, branch="change")


def added_by_a_merge(made: MadeRepository, base: str) -> str:
    side = made.commit({**BASE, "docs/a.md": "A.\n"}, base, branch="side")
    other = made.commit({**BASE, "docs/b.md": "B.\n"}, base, branch="other")
    both = {**BASE, "docs/a.md": "A.\n", "docs/b.md": "B.\n"}
    merge = made.commit({**both, "docs/task.yaml": TASK}, side, other, branch="change")
    return made.commit(both, merge, branch="change")


def harmless(made: MadeRepository, base: str) -> str:
    first = made.commit({**BASE, "docs/other.md": "First.\n"}, base, branch="change")
    return made.commit({**BASE, "docs/other.md": "Second.\n"}, first, branch="change")


def with_message(message: str) -> Make:
    return lambda made, base: made.commit({**BASE, "docs/other.md": "x\n"}, base, branch="change", message=message)


def with_file(path: str, content: bytes | str) -> Make:
    def make(made: MadeRepository, base: str) -> str:
        first = made.commit({**BASE, path: content}, base, branch="change")
        return made.commit({**BASE, "docs/other.md": "x\n"}, first, branch="change")

    return make


def many(made: MadeRepository, base: str) -> str:
    """More files than fit into one readable block of names."""
    return made.commit(
        {**BASE, **{f"docs/an-example-of-a-note-{number}.md": "x\n" for number in range(900)}}, base, branch="change"
    )


@pytest.fixture
def made(tmp_path: Path) -> MadeRepository:
    return MadeRepository(tmp_path / "repository.git")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        passes("BND-11", "harmless commits", harmless, ("A title", "A body", "change")),
        passes("BND-11", "hundreds of files", many, ()),
        passes(
            "BND-11",
            "trailers of git",
            with_message("Change\n\nCo-authored-by: Q Zzyzx <q.zzyzx@st-elsewhere.org>\nSigned-off-by: Q <q@st-elsewhere.org>\n"),
            (),
        ),
        passes("BND-11", "a version that came from the base", lambda made, base: base, ()),
    ],
)  # fmt: skip
def test_branch_is_let_pass(made: MadeRepository, make: Make, words: tuple[str, ...]) -> None:
    """Nothing is found."""
    base = made.commit(BASE)
    assert check_branch(context_of({}), branch_of(made, base, make(made, base), words)) == []


@pytest.mark.parametrize(
    ("rule", "make", "words"),
    [
        fails("BND-11", "added by one commit, removed by the next", added_and_removed, ()),
        fails("BND-11", "added in a merge", added_by_a_merge, ()),
        fails("BND-11", "in a message", with_message("The right answer for the holdout task is B."), ()),
        fails("BND-11", "in a file name", with_file("docs/MRN 4471902.txt", "x\n"), ()),
        fails("BND-11", "a binary that came and went", with_file("docs/blob", b"\0\1\2"), ()),
        fails("BND-11", "a line that no scan takes", with_file("docs/long.md", "x" * 1_000_000), ()),
        fails(
            "BND-11", "a credential that came and went", with_file("docs/a.md", "-----BEGIN RSA PRIVATE KEY-----\n"), ()
        ),
        fails("BND-11", "in the title", harmless, ("MRN: 4471902",)),
        fails("BND-11", "in the text", harmless, ("A title", f"```yaml\n{TASK}```\n", "change")),
        fails("BND-11", "in the branch name", harmless, ("A title", "", "fix/patient-id-4471902")),
    ],
)
def test_branch_is_refused(made: MadeRepository, rule: str, make: Make, words: tuple[str, ...]) -> None:
    """One finding says so, without place or value."""
    base = made.commit(BASE)
    found = check_branch(context_of({}), branch_of(made, base, make(made, base), words))
    assert rules_of(found) == {rule}
    (public,) = public_findings(found)
    assert (public.path, public.line, public.pointer) == (None, None, None)
    assert public.message == found[0].message
    assert "4471902" not in repr(found)


def test_nothing_is_read_twice(made: MadeRepository) -> None:
    """What stands in the merge result is left to the checks of the tree."""
    base = made.commit(BASE)
    head = made.commit({**BASE, "docs/a.md": "A.\n"}, base, branch="change")
    branch = branch_of(made, base, head)
    assert list(branch.contents()) == []
    assert branch.names == ("docs/a.md",)


def test_undecodable_message_is_read(made: MadeRepository) -> None:
    """A message that is no UTF-8 is scanned as far as it goes."""
    base = made.commit(BASE)
    head = (
        b"commit refs/heads/change\ncommitter E <e@example.invalid> 1767225660 +0000\ndata 16\nMRN: 4471902 \xff\xfe\n"
    )
    stream = head + b"from " + base.encode() + b"\nM 100644 inline a.md\ndata 2\nx\n\n"
    made.git("fast-import", "--quiet", "--force", stdin=stream)
    found = check_branch(context_of({}), branch_of(made, base, made.oid("change")))
    assert rules_of(found) == {"BND-11"}
