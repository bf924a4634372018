"""Workflow commands and annotations."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge_registrar.model.finding import Severity
from medgauge_registrar.report.escape import visible
from medgauge_registrar.report.github import annotations, workflow_commands
from support import decisions

TEXT = st.text() | st.text(alphabet=":,;=%#[]0ADerror \n\r\x85\u2028")


def _unescaped(text: str) -> str:
    for code, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, char)
    return text


def _obeyed(log: str) -> list[tuple[str, dict[str, str], str]]:
    """Read a log as the runner of a workflow does: name, properties and message of every command in it."""
    commands = []
    for line in re.split(r"\r\n|\r|\n", log):
        if not line.lstrip().startswith("::"):
            assert "##[" not in line
            continue
        head, _, message = line.lstrip()[2:].partition("::")
        name, _, listed = head.partition(" ")
        pairs = [pair.partition("=") for pair in listed.split(",")]
        commands.append((name, {key: _unescaped(value) for key, _, value in pairs}, _unescaped(message)))
    return commands


@settings(deadline=None, max_examples=100)
@given(TEXT, TEXT, TEXT, TEXT)
def test_foreign_text_makes_no_command(rule: str, path: str, message: str, mend: str) -> None:
    """The runner obeys one command a finding, and reads every part as it was meant."""
    finding = decisions.finding(rule=f"R{rule}", path=path, message=f"M{message}", help=f"H{mend}", line=3, column=4)
    assert (
        _obeyed(workflow_commands([finding, finding]))
        == [
            (
                "error",
                {"file": visible(path), "line": "3", "col": "4", "title": visible(f"R{rule}")},
                f"{visible(f'M{message}')}\n{visible(f'H{mend}')}",
            )
        ]
        * 2
    )


@pytest.mark.parametrize("severity", Severity)
def test_all_commands_are_written_and_the_limit_is_told(severity: Severity) -> None:
    """GitHub shows ten a level; the log holds all and says so once there are more."""
    many = [decisions.finding(severity=severity, line=number) for number in range(1, 12)]
    note = f"GitHub shows 10 of 11 {severity.value}s beside the change; this log holds every one.\n"
    assert workflow_commands(many).count(f"::{severity.value} ") == 11
    assert workflow_commands(many).endswith(note)
    assert "GitHub shows" not in workflow_commands(many[:10])


def test_finding_without_a_place() -> None:
    """What is unknown is left out, and a column without a line means nothing."""
    finding = decisions.finding(path=None, line=None, column=7, message="m", help="h")
    assert workflow_commands([finding]) == "::error title=ID-06::m%0Ah\n"


@pytest.mark.parametrize(("number", "sizes"), [(0, []), (1, [1]), (50, [50]), (51, [50, 1]), (120, [50, 50, 20])])
def test_annotations_come_in_batches(number: int, sizes: list[int]) -> None:
    """GitHub refuses more than fifty at once."""
    many = [decisions.finding(line=line) for line in range(1, number + 1)]
    assert [len(batch) for batch in annotations(many)] == sizes


def test_annotation() -> None:
    """Place, level, title and message, in GitHub's words."""
    assert annotations([decisions.finding(severity=Severity.ERROR, message="m", help="h")]) == [
        [
            {
                "path": decisions.REFERENCE,
                "start_line": 12,
                "end_line": 12,
                "start_column": 11,
                "end_column": 11,
                "annotation_level": "failure",
                "title": "ID-06",
                "message": "m\nh",
            }
        ]
    ]


def test_annotation_of_a_whole_file_and_of_none() -> None:
    """A file without a line is annotated at its first; without a file there is nothing to annotate."""
    whole = decisions.finding(line=None, column=None)
    nowhere = decisions.finding(path=None)
    ((annotation,),) = annotations([whole, nowhere])
    assert (annotation["start_line"], annotation["end_line"]) == (1, 1)
    assert "start_column" not in annotation


def test_long_annotation_is_cut_with_a_count() -> None:
    """GitHub's limits hold, and the text says that it was cut."""
    ((annotation,),) = annotations([decisions.finding(rule="R" * 300, message="m" * 70_000, help="\n" * 70_000)])
    assert len(annotation["title"]) <= 255
    assert len(annotation["message"].encode()) < 64 * 1024
    assert annotation["message"].count("more characters)") == 2
