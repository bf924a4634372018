"""`registrar draft` from the command line: what it prints, what it writes, and its exit statuses."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from medgauge_registrar.cli import main
from medgauge_registrar.sandbox.cases_changes import RULE, VOID, raised
from medgauge_registrar.sandbox.cast import account, roster
from medgauge_registrar.sandbox.edits import Edit, copy
from medgauge_registrar.sandbox.material import CARD, NEW_HARNESS, TODAY
from support.repositories import MadeRepository, git
from support.snapshots import edited

NEW_CARD = copy(
    CARD, "registry/benchmarks/bm-example-shift/card.yaml", ("id: bm-example-handover", "id: bm-example-shift")
)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The starter registry on `main`, and a branch for each edit."""
    folder = tmp_path_factory.mktemp("registry")
    made = MadeRepository(folder, bare=False)
    base = made.commit(dict(edited().files))
    branches: dict[str, tuple[Edit, ...]] = {
        "void": (VOID,),
        "rule": (RULE,),
        "raised": (RULE, raised("0.2.0", "Words.")),
        "rename": (NEW_CARD,),
        "harness": (NEW_HARNESS,),
    }
    for name, edits in branches.items():
        made.commit(dict(edited(*edits).files), base, branch=name)
    return folder


def run(capsysbinary: pytest.CaptureFixture[bytes], repository: Path, *arguments: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of a draft."""
    try:
        status = main(["draft", *arguments, "--repo", str(repository)])
    except SystemExit as error:
        status = int(str(error.code))
    out, err = capsysbinary.readouterr()
    return status, out.decode(), err.decode()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("notice", "--base", "main", "--head", "void", "--today", TODAY),
            f"# notices/{TODAY}-example-handover-0-1-0.yaml\n",
        ),
        (("notice", "--base", "main", "--head", "main"), "Nothing is missing.\n"),
        (("change-log", "--base", "main", "--head", "rule", "--what", "Alike."), "+++ b/methodology/text.md\n"),
        (
            ("change-log", "--base", "main", "--head", "rule", "--step", "major"),
            "# methodology/level-rules/1.0.0.yaml\n",
        ),
        (
            ("redirect", "bm-example-handover", "bm-example-shift", "--base", "main", "--head", "rename"),
            "+  - old: bm-example",
        ),
        (("lifecycle", "--base", "main", "--head", "harness"), "# registry/lifecycle/hx/hx-example-loop@0.3.0.yaml\n"),
        (
            (
                "lifecycle",
                "hx-example-loop@0.2.0",
                "--base",
                "main",
                "--head",
                "main",
                "--ground",
                "maintainer-request",
            ),
            "+status: deprecated\n",
        ),
    ],
)
def test_drafts_are_printed(
    capsysbinary: pytest.CaptureFixture[bytes], repository: Path, arguments: Sequence[str], words: str
) -> None:
    """A new file is printed whole, a changed one as a patch."""
    status, out, err = run(capsysbinary, repository, *arguments)
    assert (status, err) == (0, "")
    assert words.replace("+  - old", "+- old") in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("notice", "--base", "main", "--head", "rule"), "raises the version of the methodology first"),
        (("notice", "--base", "main", "--head", "void", "--write"), "leave out `--head`"),
        (("change-log", "--base", "main", "--head", "rule", "--step", "patch"), "too short a step"),
        (("redirect", "--base", "main", "--head", "main"), "0 benchmark cards go"),
        (("redirect", "bm-a", "--base", "main"), "expected the old one and the new one"),
        (("lifecycle", "bm-a", "--base", "main", "--head", "main"), "has no lifecycle record"),
        (("lifecycle", "--base", "main", "--check-date", "soon"), "is no day"),
        (("notice",), "required: --base"),
        ((), "required: WHAT"),
    ],
)
def test_wrong_arguments(
    capsysbinary: pytest.CaptureFixture[bytes], repository: Path, arguments: Sequence[str], words: str
) -> None:
    """What cannot be drafted is told on standard error with status 2, and nothing is printed."""
    status, out, err = run(capsysbinary, repository, *arguments) if arguments else _bare(capsysbinary)
    assert (status, out) == (2, "")
    assert words in err


def _bare(capsysbinary: pytest.CaptureFixture[bytes]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as caught:
        main(["draft"])
    out, err = capsysbinary.readouterr()
    return int(str(caught.value.code)), out.decode(), err.decode()


def test_an_unknown_revision_is_unreadable(capsysbinary: pytest.CaptureFixture[bytes], repository: Path) -> None:
    """A revision that is not there is nobody's wrong file: status 3."""
    assert run(capsysbinary, repository, "notice", "--base", "none", "--head", "void")[0] == 3


def test_drafts_are_written_into_the_work_tree(capsysbinary: pytest.CaptureFixture[bytes], repository: Path) -> None:
    """What is written is what was missing: a second run finds nothing more."""
    git(repository, "checkout", "-q", "raised")
    try:
        assert run(capsysbinary, repository, "notice", "--base", "main", "--today", TODAY, "--write") == (
            0,
            f"wrote notices/{TODAY}-methodology-0-2-0.yaml\n",
            "",
        )
        assert run(capsysbinary, repository, "notice", "--base", "main", "--write")[1] == "Nothing is missing.\n"
        assert run(capsysbinary, repository, "change-log", "--base", "main", "--write")[1] == "Nothing is missing.\n"
    finally:
        git(repository, "clean", "-q", "-f")
        git(repository, "checkout", "-q", "main")


def test_a_patch_can_be_applied(capsysbinary: pytest.CaptureFixture[bytes], repository: Path) -> None:
    """What is printed for changed files is a patch in git's own form."""
    status, out, _ = run(
        capsysbinary,
        repository,
        "lifecycle",
        "hx-example-loop@0.2.0",
        "--base",
        "main",
        "--head",
        "main",
        "--ground",
        "maintainer-request",
    )
    assert status == 0
    git(repository, "checkout", "-q", "main")
    applied = subprocess.run(
        ["git", "-C", str(repository), "apply", "--check"], input=out.encode(), capture_output=True
    )
    assert applied.returncode == 0, applied.stderr


def test_writing_goes_to_the_top_of_a_work_tree(capsysbinary: pytest.CaptureFixture[bytes], repository: Path) -> None:
    """A folder below the top would put files in the wrong place."""
    status, _, err = run(capsysbinary, repository / "registry", "notice", "--base", "main", "--write")
    assert status == 2
    assert "not the top folder" in err


def test_outcome_of_a_dispute(capsysbinary: pytest.CaptureFixture[bytes], repository: Path, tmp_path: Path) -> None:
    """The pull file and the roster decide which votes count."""
    people = {"reviewer": "/dispute Outdated.", "maintainer": "/vote uphold A.", "second maintainer": "/vote uphold B."}
    facts = _facts({**people, "third maintainer": "/vote overturn C."})
    (tmp_path / "pull.json").write_text(json.dumps(facts), encoding="utf-8")
    (tmp_path / "roster.json").write_text(json.dumps(roster()), encoding="utf-8")
    files = ("--pull", str(tmp_path / "pull.json"), "--roster", str(tmp_path / "roster.json"))
    status, out, err = run(capsysbinary, repository, "dispute-outcome", "--base", "main", "--head", "harness", *files)
    assert (status, err) == (0, "")
    assert out.startswith("# disputes/pull-7.yaml\nid: pull-7\nobject: hx-example-loop@0.3.0\n")
    assert "votes: {uphold: 2, overturn: 1}" in out
    status, out, err = run(
        capsysbinary, repository, "dispute-outcome", "--base", "main", "--head", "harness", *files[:2]
    )
    assert (status, out) == (2, "")
    assert "nobody disputes" in err


def _facts(said: dict[str, str]) -> dict[str, object]:
    author = account("contributor")
    return {
        "number": 7,
        "title": "",
        "body": "",
        "draft": False,
        "labels": [],
        "created_at": "2026-11-28T08:00:00Z",
        "base": {"ref": "main", "repo": "example-organisation/registry"},
        "head": {"ref": "harness", "repo": None, "seen_at": None, "pushed_by": author},
        "author": author,
        "triggered_by": None,
        "commits": [],
        "reviews": [],
        "issues": [],
        "comments": [
            {
                "id": number,
                "user": account(name),
                "body": body,
                "created_at": f"2026-11-28T09:{number:02}:00Z",
                "edited": False,
            }
            for number, (name, body) in enumerate(said.items(), start=10)
        ],
    }
