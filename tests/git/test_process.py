"""Limits of one git process, and that nothing of it is left behind."""

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from medgauge_registrar.git.catfile import CatFile
from medgauge_registrar.git.command import output, run
from medgauge_registrar.git.limits import DEFAULT_LIMITS, Limits
from medgauge_registrar.git.messages import complaint, shown
from medgauge_registrar.git.process import MAX_STDERR_BYTES, Process
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.model.errors import ReadError
from support.repositories import MadeRepository

Opener = Callable[..., Repository]


def children() -> set[int]:
    """Processes whose parent is this one, dead ones that nobody waited for among them."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == os.getpid():
                found.add(int(entry.name))
    return found


def handles() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.parametrize(
    ("data", "sha"),
    [(b"", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"), (b"x" * 2_000_000, "33d3ac990a0bfff103ca216f232e6fb87ea5e85a")],
)
def test_standard_input_ends_when_all_of_it_has_left(data: bytes, sha: str) -> None:
    """A command that reads to the end of its input ends, whether that is empty or longer than a pipe holds."""
    completed = run(("hash-object", "--stdin"), limits=DEFAULT_LIMITS, data=data)
    assert (completed.status, completed.stdout.decode().strip()) == (0, sha)


def test_a_process_that_hangs_is_killed(made: MadeRepository) -> None:
    """A git that waits for ever ends at the deadline, and the error says that another run may help."""
    before = children()
    process = Process(("cat-file", "--batch-command"), seconds=0.2, place=(f"--git-dir={made.git_dir}",), fed=True)
    with pytest.raises(ReadError, match=r"git cat-file took longer than 0\.2 s and was stopped") as caught:
        process.read()
    assert caught.value.may_pass_later
    assert children() == before


def test_a_process_that_does_not_end_is_killed(made: MadeRepository) -> None:
    """Waiting for the end has the same deadline."""
    before = children()
    process = Process(("cat-file", "--batch-command"), seconds=0.2, place=(f"--git-dir={made.git_dir}",), fed=True)
    with pytest.raises(ReadError, match="took longer"):
        process.finish()
    assert children() == before


def test_a_process_that_writes_too_much_is_killed(made: MadeRepository) -> None:
    """The limit itself is still allowed."""
    blob = made.blob(b"x" * 100_000)
    place = (f"--git-dir={made.git_dir}",)
    before = children()
    assert len(output(("cat-file", "blob", blob), limits=Limits(output_bytes=100_000), place=place)) == 100_000
    with pytest.raises(ReadError, match="git cat-file wrote more than 99999 bytes and was stopped: too large"):
        output(("cat-file", "blob", blob), limits=Limits(output_bytes=99_999), place=place)
    assert children() == before


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the memory of another process")
def test_a_process_that_takes_too_much_memory_fails(made: MadeRepository) -> None:
    """It is an error as any other failure."""
    oid = made.tree([("100644", b"x" * 10_000_000, "1" * 40)])
    cat_file = CatFile(made.git_dir, Limits(memory_bytes=8 * 1024 * 1024))
    (question,) = cat_file.ask([oid], contents=True)
    with pytest.raises(ReadError, match=r"git cat-file failed with status 128: `fatal: .*memory"):
        cat_file.answer(question)


def test_words_on_standard_error_are_bounded(made: MadeRepository) -> None:
    """A flood neither fills the memory nor blocks the pipe, and the message quotes one short line of it."""
    names = ["refs/" + "x" * 50_000 + str(number) for number in range(2)]
    completed = run(("cat-file", "-t", "".join(names)), limits=DEFAULT_LIMITS, place=(f"--git-dir={made.git_dir}",))
    assert completed.status == 128
    assert 0 < len(completed.stderr) <= MAX_STDERR_BYTES
    with pytest.raises(ReadError, match="git cat-file failed with status 128: `fatal: ") as caught:
        output(("cat-file", "-t", "".join(names)), limits=DEFAULT_LIMITS, place=(f"--git-dir={made.git_dir}",))
    assert len(str(caught.value)) < 500


def test_messages_stay_on_one_line() -> None:
    """Foreign text can neither end a line or a code span nor break the terminal."""
    assert shown("a\n`b`\t\x1b[31m\udcff\u202ec é") == "a\\n\\x60b\\x60\\t\\x1b[31m\\udcff\\u202ec é"
    assert complaint("hint: more\nfatal: no\x1b way\nhelp") == "fatal: no\\x1b way"
    assert complaint("\n\n error: first\nsecond") == " error: first"
    assert complaint("") == "no message"


def test_git_that_is_too_old_or_absent_is_said_so(
    made: MadeRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cure is to install one."""
    with pytest.raises(ReadError, match=r"status 129.*install git 2\.38 or later"):
        output(("cat-file", "--no-such-option"), limits=DEFAULT_LIMITS)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ReadError, match="no `git` on PATH: install git"):
        Repository.open(made.folder)
    (tmp_path / "git").write_text("no program")
    (tmp_path / "git").chmod(0o755)
    with pytest.raises(ReadError, match="git rev-parse could not be started"):
        Repository.open(made.folder)


def test_a_process_killed_from_outside_is_an_error(made: MadeRepository) -> None:
    """Half an output is no output."""
    others = children()
    process = Process(("cat-file", "--batch-command"), seconds=60, place=(f"--git-dir={made.git_dir}",), fed=True)
    (child,) = children() - others
    os.kill(child, 9)
    assert process.read() == b""
    with pytest.raises(ReadError, match="git cat-file was ended by signal 9; run again") as caught:
        process.finish()
    assert caught.value.may_pass_later


def test_writing_to_a_process_that_has_gone_is_no_crash(made: MadeRepository) -> None:
    """The end of its output says what happened."""
    process = Process(("cat-file", "--batch-command"), seconds=60, place=(f"--git-dir={made.git_dir}",), fed=True)
    process.write(b"nonsense\n" * 100_000)
    assert process.read() == b""
    completed = process.finish()
    assert completed.status == 128
    assert "unknown command" in completed.stderr


def test_only_a_process_that_is_fed_takes_input(made: MadeRepository) -> None:
    """Anything else is a fault of the caller."""
    process = Process(("version",), seconds=60)
    with pytest.raises(ValueError, match="without standard input"):
        process.write(b"x")
    process.close()
    process.close()


def test_two_hundred_openings_leave_nothing_behind(
    made: MadeRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No process, no open file and no folder, also where reading stopped half-way or failed."""
    commit = made.commit({f"{number}": "x" * 2000 for number in range(100)})
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    before = (children(), handles())
    for number in range(200):
        with Repository.open(made.folder) as repository:
            tree = repository.tree(commit)
            reader = tree.read_many(tree.walk(""))
            assert next(reader) == ("0", b"x" * 2000)
            if number % 4 == 0:
                with pytest.raises(ReadError):
                    repository.merge_base(commit, "1" * 40)
            assert len(os.listdir(tmp_path / "temporary")) == 1
    assert (children(), handles()) == before
    assert os.listdir(tmp_path / "temporary") == []
