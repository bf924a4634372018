"""`registrar board` and `registrar draft` on real repositories: what they print, what they write, their exit status."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from medgauge_registrar.cli import main
from medgauge_registrar.registry.reader import Syntax, read_document
from medgauge_registrar.sandbox.edits import append
from medgauge_registrar.sandbox.material_results import RESULT, RESULT_BASE, high, path_of
from support.repositories import MadeRepository
from support.snapshots import edited

VERSION = "bm-example-handover@0.2.0"
HIGH = path_of("example-model-1-high")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> MadeRepository:
    """A work tree of the starter registry, with a second result on a branch and a changed readme on another."""
    repository = MadeRepository(tmp_path_factory.mktemp("board") / "made", bare=False)
    base = edited(*RESULT_BASE)
    repository.commit(base.files)
    repository.commit(edited(high(), base=base).files, repository.oid("main"), branch="second")
    repository.commit(
        edited(append("README.md", "\nA line.\n"), base=base).files, repository.oid("main"), branch="readme"
    )
    repository.git("reset", "-q", "--hard", "main")
    return repository


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of a command."""
    status = main(arguments)
    shown = capsys.readouterr()
    return status, shown.out, shown.err


def test_board_of_the_work_tree(made: MadeRepository, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a revision the files of the author are read."""
    status, out, _ = run(capsys, "board", VERSION, "--repo", str(made.folder))
    assert status == 0
    assert out.startswith("Example Handover, bm-example-handover@0.2.0: holdout board, 7 tasks\n")


@pytest.mark.parametrize("form", ["text", "json", "csv", "html", "svg"])
def test_board_of_a_commit(made: MadeRepository, capsys: pytest.CaptureFixture[str], form: str) -> None:
    """With a revision that commit is read; both results are there in every format."""
    status, out, _ = run(capsys, "board", VERSION, "--repo", str(made.folder), "--revision", "second", "--format", form)
    assert status == 0
    assert out.count("res-example-handover-0-2-0-example-model-1-high") >= 1
    assert made.oid("second^{tree}") in out or form == "csv"


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("board", "example"), 2, "`example` is no benchmark version"),
        (("board", "bm-example-handover@1.0"), 2, "no benchmark version"),
        (("board", "bm-example-missing@0.1.0"), 3, "the card of `bm-example-missing@0.1.0` is not there"),
        (("board", "bm-example-handover@9.0.0"), 3, "no valid benchmark version"),
        (("board", "bm-example-handover@0.3.0"), 3, "is not frozen"),
        (("board", VERSION, "--revision", "nowhere"), 3, "nowhere"),
        (("draft", "result-summary", "nowhere.json"), 2, "give a file that exists"),
        (("draft", "round-report", "nowhere"), 2, "no valid protocol of a round `nowhere`"),
    ],
)
def test_wrong_arguments_leave_standard_output_empty(
    made: MadeRepository, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], status: int, words: str
) -> None:
    """What is wrong is told on standard error, with the exit status of its kind."""
    found, out, err = run(capsys, *arguments, "--repo", str(made.folder))
    assert (found, out) == (status, "")
    assert words in err


# Drafts -----------------------------------------------------------------------------------------------------------------


def test_draft_of_a_complete_record_is_the_record(made: MadeRepository, capsys: pytest.CaptureFixture[str]) -> None:
    """Filling in what is right already changes no byte."""
    file = made.folder / RESULT
    status, out, _ = run(capsys, "draft", "result-summary", str(file), "--repo", str(made.folder))
    assert status == 0
    assert out.encode() == file.read_bytes()


def test_draft_fills_what_the_rows_decide(
    made: MadeRepository, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """From rows without scores and a record without figures comes the whole record, written in place."""
    bare = json.loads((made.folder / RESULT).read_text())
    for name in ("subsets", "veto_hits", "assertion_veto_hits", "failure_attribution", "voided_task_versions"):
        del bare[name]
    bare["dimensions"] = {name: bare["dimensions"][name] for name in ("M1", "M2", "M4", "M6", "M8", "M9", "M10")}
    del bare["amounts"]["total"]
    for row in bare["runs"]:
        del row["s"], row["pass"]
    file = tmp_path / "record.json"
    file.write_text(json.dumps(bare))
    status, out, _ = run(capsys, "draft", "result-summary", str(file), "--repo", str(made.folder), "--write")
    assert (status, out) == (0, f"{file}: completed\n")
    assert file.read_bytes() == (made.folder / RESULT).read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["record.json"]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"run": 2,', '"run": 1,', "RESULT-01: tk-596lguax1dxn@0.1.0 has runs `1`, `1`, `3`"),
        ('"checkpoints_passed": 5,', '"checkpoints_passed": "5",', "not as the schema asks, counted from 0: 0"),
        ('"bm-example-handover@0.2.0"', '"bm-example-handover@0.9.0"', "is no valid benchmark version here"),
        ('"bm-example-handover@0.2.0"', '"bm-example-handover@0.3.0"', "pins no algorithms"),
        ('"amount": 0.25,', '"amount": null,', "some rows carry an amount and some carry none"),
        ('"runs": [', '"runs": [NaN,', ":45:12: `NaN`"),
        ('"id": "', '"id": "x", "id": "', "expected each key once"),
    ],
)  # fmt: skip
def test_draft_of_unusable_rows_writes_nothing(
    made: MadeRepository, capsys: pytest.CaptureFixture[str], tmp_path: Path, old: str, new: str, words: str
) -> None:
    """Rows from which no figure follows are told, and the file stays as it was."""
    text = (made.folder / RESULT).read_text()
    assert old in text
    file = tmp_path / "record.json"
    file.write_text(text.replace(old, new, 1))
    status, out, err = run(capsys, "draft", "result-summary", str(file), "--repo", str(made.folder), "--write")
    assert (status, out) == (2, "")
    assert words in err
    assert file.read_text() == text.replace(old, new, 1)


def test_draft_of_a_report_holds_every_figure(made: MadeRepository, capsys: pytest.CaptureFixture[str]) -> None:
    """The report cites the registration, and has the tables that the check asks for."""
    status, out, _ = run(capsys, "draft", "round-report", "example-round-1", "--repo", str(made.folder))
    assert status == 0
    assert "<https://osf.io/xmpl1>" in out
    for mark in ("figures bm-example-handover@0.2.0 holdout", "by-class bm-example-handover@0.2.0 holdout"):
        assert f"<!-- {mark} -->" in out


# What is imported -------------------------------------------------------------------------------------------------------

_PROBE = """
import sys
from medgauge_registrar.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print("loaded:", *sorted({name.partition(".")[0] for name in sys.modules} & {"numpy", "scipy"}), file=sys.stderr)
"""


def loaded(*arguments: str) -> list[str]:
    """Heavy packages that one run of the command line imports."""
    ran = subprocess.run([sys.executable, "-c", _PROBE, *arguments], capture_output=True, text=True, check=True)
    return ran.stderr.rpartition("loaded:")[2].split()


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("rules",),
        ("explain", "RESULT-16"),
        ("check", "readme", "--base", "main"),
    ],
)
def test_nothing_heavy_is_imported_without_a_changed_result(made: MadeRepository, arguments: tuple[str, ...]) -> None:
    """Starting, explaining and judging a change without a result take neither NumPy nor SciPy."""
    where = ("--repo", str(made.folder)) if arguments[0] == "check" else ()
    assert loaded(*arguments, *where) == []


def test_a_changed_result_never_takes_scipy(made: MadeRepository) -> None:
    """A result is recomputed with NumPy at most; SciPy is an oracle of the tests alone."""
    assert "scipy" not in loaded("check", "second", "--base", "main", "--repo", str(made.folder))


def test_a_changed_result_is_recomputed_by_check(made: MadeRepository, capsys: pytest.CaptureFixture[str]) -> None:
    """`check --base` finds a wrong figure of a new result; the right one passes."""
    wrong = edited(high(('"n_tasks": 7', '"n_tasks": 8')), *RESULT_BASE)
    made.commit(wrong.files, made.oid("main"), branch="wrong")
    status, out, _ = run(capsys, "check", "wrong", "--base", "main", "--repo", str(made.folder))
    assert status == 1
    assert f"{HIGH}:" in out
    assert "RESULT-09: `subsets/holdout/n_tasks` is `8`, recomputed `7`" in out
    assert run(capsys, "check", "second", "--base", "main", "--repo", str(made.folder))[0] == 0


def test_json_of_the_board_is_strict(made: MadeRepository, capsys: pytest.CaptureFixture[str]) -> None:
    """What is printed is a document that the strict reader takes."""
    _, out, _ = run(capsys, "board", VERSION, "--repo", str(made.folder), "--format", "json")
    assert read_document(out.encode(), syntax=Syntax.JSON).faults == ()
